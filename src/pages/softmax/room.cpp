#include <cmath>

#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/quantity_values.h"
#include "pages/softmax/softmax.h"
#include "pages/table_parts.h"
#include "scene/matrix_text.h"

namespace headlight::scene {

namespace {

PageUses uses(const Scene&) {
  return {.sentence = false};
}

void compute(const Scene& scene, base::Parallel&, const Progress&, Results& results) {
  auto out = std::make_shared<SoftmaxResults>();
  const auto read = [&](const std::string& text) {
    return parse_matrix("softmax_scores", text, most_softmax_scores, 1);
  };
  auto scores = read(scene.softmax.scores);
  if (!scores) {
    out->problem = scores.error() + "; the example's scores are shown";
    scores = read(SoftmaxSettings{}.scores);
  }
  for (const float score : scores->values()) out->scores.push_back(static_cast<double>(score));
  out->temperature = scene.softmax.temperature;
  out->row = softmax_row(out->scores, out->temperature);
  constexpr int points = 121;
  for (int i = 0; i < points; ++i) {
    const double temperature = 0.05 * std::pow(400.0, i / (points - 1.0));
    const SoftmaxRow at = softmax_row(out->scores, temperature);
    out->curve.push_back(
        {temperature, at.entropy_bits, *std::max_element(at.weights.begin(), at.weights.end())});
  }
  results.own = std::move(out);
}

std::vector<Table> tables() {
  constexpr Page page = Page::softmax;
  return {{"softmax", page, "softmax arithmetic", "every score, its exponential and its weight",
           [](const TableSource& s) -> MaybeNumbers {
             const auto* r = s.results.own_as<SoftmaxResults>();
             if (!r) return std::nullopt;
             Columns columns{{"score", "score / temperature", "exp(… − largest)", "weight"}, {}};
             for (std::size_t i = 0; i < r->scores.size(); ++i)
               columns.row(r->scores[i], r->row.scaled[i], r->row.exponentials[i], r->row.weights[i]);
             return columns.take("key");
           }},
          {"softmax_entropy_curve", page, "temperature", "entropy and largest weight over the temperature",
           [](const TableSource& s) -> MaybeNumbers {
             const auto* r = s.results.own_as<SoftmaxResults>();
             if (!r) return std::nullopt;
             Columns columns{{"temperature", "entropy in bits", "largest weight"}, {}};
             for (const auto& at : r->curve) columns.row(at.temperature, at.entropy_bits, at.largest_weight);
             return columns.take("point");
           }}};
}

using Q = const Quantity&;
using S = const QuantitySource&;

/// NaN where another page is open.
template <class Pick>
double of_row(S s, Pick pick) {
  const auto* r = s.results.own_as<SoftmaxResults>();
  return r ? pick(*r) : no_value;
}

constexpr QuantityInfo list[] = {
    {"softmax_row_weight", "key", "weight of a score, counted from 0",
     [](Q q, S s) { return of_row(s, [&](auto& r) { return entry(r.row.weights, q.number("key", 0)); }); }},
    {"softmax_exponential", "key", "exp of a score after the largest is taken out",
     [](Q q, S s) {
       return of_row(s, [&](auto& r) { return entry(r.row.exponentials, q.number("key", 0)); });
     }},
    {"softmax_sum", "", "the sum of these exponentials",
     [](Q, S s) { return of_row(s, [](auto& r) { return r.row.sum; }); }},
    {"softmax_entropy", "", "entropy of the weights, in bits",
     [](Q, S s) { return of_row(s, [](auto& r) { return r.row.entropy_bits; }); }, "bits"},
    {"softmax_scores", "", "how many scores there are",
     [](Q, S s) { return of_row(s, [](auto& r) { return double(r.scores.size()); }); }},
};

std::span<const QuantityInfo> quantities_here() {
  return list;
}

}  // namespace

extern const PageRoom softmax_room;
const PageRoom softmax_room{
    .page = Page::softmax,
    .title = "Softmax",
    .about = "a row of scores becomes weights; drag a score",
    .uses = uses,
    .compute = compute,
    .tables = tables,
    .quantities = quantities_here,
};

}  // namespace headlight::scene
