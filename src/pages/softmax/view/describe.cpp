// The page in words.
#include <cmath>

#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "pages/softmax/softmax.h"
#include "pages/softmax/view/page.h"

namespace headlight::views::plain {

std::string describe_softmax(const PageInput& in, int) {
  const auto* r = in.results.own_as<scene::SoftmaxResults>();
  if (!r) return {};
  std::string out = r->problem.empty() ? "" : r->problem + "\n";
  std::vector<std::vector<std::string>> rows{{"score", "s/τ", "exp(s/τ − m)", "weight"}};
  for (std::size_t i = 0; i < r->scores.size(); ++i) {
    rows.push_back({number("%.2f", r->scores[i]), number("%.3f", r->row.scaled[i]),
                    decimals(r->row.exponentials[i], 4), decimals(r->row.weights[i], 4)});
  }
  return out + table(rows) + "temperature " + brief(r->temperature) +
         ", m = " + number("%.3f", r->row.largest) + ", sum of the exponentials " +
         number("%.4f", r->row.sum) + ", entropy " + number("%.3f", r->row.entropy_bits) +
         " bits of at most " + number("%.3f", std::log2(static_cast<double>(r->scores.size()))) + "\n";
}

}  // namespace headlight::views::plain
