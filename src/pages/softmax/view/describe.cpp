// The page in words.
#include "kit/numbers.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "pages/softmax/softmax.h"
#include "pages/softmax/view/page.h"

namespace headlight::views::plain {

std::string describe_softmax(const PageInput& in, int) {
  const auto* r = in.own<scene::SoftmaxResults>();
  if (!r) return {};
  std::string out = r->problem.empty() ? "" : r->problem + "\n";
  std::vector<std::vector<std::string>> rows{{"score", "s/τ", "exp(s/τ − m)", "weight"}};
  for (std::size_t i = 0; i < r->scores.size(); ++i) {
    rows.push_back({fixed(r->scores[i], 2), fixed(r->row.scaled[i], 3), weight_text(r->row.exponentials[i]),
                    weight_text(r->row.weights[i])});
  }
  return out + table(rows) + "temperature " + in.text("softmax_temperature") +
         ", m = " + in.text("softmax_maximum") + ", sum of the exponentials " + in.text("softmax_sum") +
         ", entropy " + in.text("softmax_entropy") + " bits of at most " + in.text("softmax_most_entropy") +
         "\n";
}

}  // namespace headlight::views::plain
