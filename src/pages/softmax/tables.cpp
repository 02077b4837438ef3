// The tables of the page: the numbers behind its cards.
#include "pages/softmax/softmax.h"
#include "pages/table_parts.h"

namespace headlight::scene {

std::vector<Table> softmax_tables() {
  constexpr Page page = Page::softmax;
  return {{"softmax", page, "softmax arithmetic", "every score, its exponential and its weight",
           [](const TableSource& s) -> MaybeNumbers {
             const auto* r = s.own<SoftmaxResults>();
             if (!r) return std::nullopt;
             Columns columns{{"score", "score / temperature", "exp(… − largest)", "weight"}, {}};
             for (std::size_t i = 0; i < r->scores.size(); ++i)
               columns.row(r->scores[i], r->row.scaled[i], r->row.exponentials[i], r->row.weights[i]);
             return columns.take("key");
           }},
          {"softmax_entropy_curve", page, "temperature", "entropy and largest weight for each temperature",
           [](const TableSource& s) -> MaybeNumbers {
             const auto* r = s.own<SoftmaxResults>();
             if (!r) return std::nullopt;
             Columns columns{{"temperature", "entropy in bits", "largest weight"}, {}};
             for (const auto& at : r->curve) columns.row(at.temperature, at.entropy_bits, at.largest_weight);
             return columns.take("point");
           }}};
}

}  // namespace headlight::scene
