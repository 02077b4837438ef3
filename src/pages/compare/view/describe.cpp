// The page in words.
#include <algorithm>
#include <cmath>

#include "base/one_line.h"
#include "kit/numbers.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "kit/selection.h"
#include "pages/compare/compare.h"
#include "pages/compare/view/cards.h"
#include "pages/compare/view/page.h"
#include "scene/layer_input.h"

namespace headlight::views::plain {

namespace {

/// The pairs that differ most, one a line.
std::string largest_differences(const PageInput& in, const scene::CompareResults& r) {
  if (r.apart.empty()) return {};
  std::vector<std::vector<std::string>> rows{{"query", "", "key", "", "A − B"}};
  for (std::size_t i = 0; i < r.apart.size(); ++i) {
    const auto number = [&](const char* what) {
      return in.text(quantity(what, {{"rank", static_cast<int>(i) + 1}}));
    };
    rows.push_back({number("bench_apart_query"), printable(token_label(in, r.apart[i].query)),
                    number("bench_apart_key"), printable(key_label(in, r.apart[i].key)),
                    number("bench_apart")});
  }
  return "largest differences\n" + table(rows) + "\n";
}

}  // namespace

std::string describe_compare(const PageInput& in, int) {
  if (!in.own<scene::CompareResults>()) return {};
  const scene::CompareResults& r = *in.own<scene::CompareResults>();
  if (!r.problem.empty()) return "\n" + base::one_line(r.problem) + "\n";
  const bool stack = r.layered();
  const auto guided = [&](int layer, int head) {
    return stack ? in.results.guided(layer, head) : in.results.guided(head);
  };
  const auto name = [&](int layer, int head) {
    return (stack ? "layer " + std::to_string(layer + 1) + ", " : std::string()) + "head " +
           std::to_string(head + 1) + (guided(layer, head) ? " (guided during training)" : "");
  };
  std::string out =
      "\nA is " + name(r.layer_a, r.a) + ", B is " +
      (r.other_seed ? "head " + std::to_string(r.b + 1) +
                          (in.results.model && !r.layered()
                               ? " of random weights, seed " + std::to_string(in.results.scene.compare.seed_b)
                               : std::string(" of another seed"))
                    : name(r.layer_b, r.b)) +
      "\n  cosine of their maps " +
      (std::isnan(r.cosine) ? "– (a map without weights has none)" : in.text("bench_cosine")) +
      ", largest |A − B| " + in.text("bench_difference") +
      (r.largest > 0
           ? " at query " + in.text("bench_difference_query") + ", key " + in.text("bench_difference_key")
           : std::string()) +
      "\n\n" + largest_differences(in, r);
  std::vector<std::vector<std::string>> rows{{"head", "previous", "next", "first", "itself", "same token",
                                              "change of the output", "relative change"}};
  for (std::size_t h = 0; h < r.roles.size(); ++h) {
    const auto of_head = [&](const char* what) {
      return in.text(quantity(what, {{"head", static_cast<int>(h) + 1}}));
    };
    const auto role = [&](const char* what) {
      return in.text(quantity(what, {{"head", static_cast<int>(h) + 1}}), mean_weight_text);
    };
    const bool next = !role_is_masked(r.uniform, 1);
    rows.push_back({std::to_string(h + 1) + (guided(r.layer_a, static_cast<int>(h)) ? " guided" : "") +
                        (h < r.on.size() && r.on[h] == 0 ? " off" : ""),
                    role("previous"), next ? role("next") : "masked", role("first"), role("itself"),
                    role("same_token"), of_head("effect_norm"), of_head("effect")});
  }
  const auto even = [](double value) { return std::isnan(value) ? "–" : mean_weight_text(value); };
  rows.push_back({"uniform", even(r.uniform.previous), even(r.uniform.next), even(r.uniform.first),
                  even(r.uniform.diagonal), even(r.uniform.same_token), "", ""});
  if (in.results.opened && in.results.opened->saved) {  // saved attention has no output
    for (std::vector<std::string>& row : rows) row.resize(6);
  }
  out += table(rows);
  if (r.change > 0)
    out += "\nwithout those heads the output changes by " + in.text("bench_norm") + ", " +
           in.text("bench_change") + " of its norm\n";
  return out;
}

}  // namespace headlight::views::plain
