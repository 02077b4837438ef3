#include "kit/page_view.h"
#include "kit/plain_text.h"
#include "pages/softmax/softmax.h"
#include "pages/softmax/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry help[] = {
    {"From scores to weights", "w_i = exp(s_i/τ − m) / Σ_j exp(s_j/τ − m),   m = max_j s_j/τ",
     "Every weight is positive and they add up to 1. Only differences of scores count: the same number added "
     "to all "
     "of them changes no weight, which is why m can be taken out, so that no exponential overflows. A "
     "difference of "
     "1 at τ = 1 is a factor e = 2.718 between two weights.",
     "Bridle, Probabilistic Interpretation of Feedforward Classification Network Outputs, 1990"},
    {"Temperature and entropy", "H = −Σ_i w_i log₂ w_i",
     "τ divides the scores. As τ goes to 0 the largest score takes everything (equal largest ones share it); "
     "as τ "
     "grows all weights go to 1/n and H to log₂ n bits. Between the two H never falls as τ grows.",
     "Shannon, A Mathematical Theory of Communication, 1948, section 6"},
};

std::span<const HelpEntry> softmax_help() {
  return help;
}

std::string describe(const PageInput& in, int) {
  const auto* r = in.results.own_as<scene::SoftmaxResults>();
  if (!r) return {};
  std::string out = r->problem.empty() ? "" : r->problem + "\n";
  std::vector<std::vector<std::string>> rows{{"score", "s/τ", "exp(s/τ − m)", "weight"}};
  for (std::size_t i = 0; i < r->scores.size(); ++i) {
    rows.push_back({plain::number("%.2f", r->scores[i]), plain::number("%.3f", r->row.scaled[i]),
                    plain::decimals(r->row.exponentials[i], 4), plain::decimals(r->row.weights[i], 4)});
  }
  return out + plain::table(rows) + "temperature " + plain::brief(r->temperature) +
         ", m = " + plain::number("%.3f", r->row.largest) + ", sum of the exponentials " +
         plain::number("%.4f", r->row.sum) + ", entropy " + plain::number("%.3f", r->row.entropy_bits) +
         " bits of at most " + plain::number("%.3f", std::log2(static_cast<double>(r->scores.size()))) + "\n";
}

}  // namespace

extern const PageView softmax_view;
const PageView softmax_view{
    .draw = softmax_page,
    .tooltip = softmax_tooltip,
    .status = softmax_words,
    .describe = describe,
    .help = softmax_help,
    .hint = "Drag a score up or down: its weight follows, and all others make room.",
};

}  // namespace headlight::views
