// The page in words.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/one_line.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "kit/verdict.h"
#include "pages/order/order.h"
#include "pages/order/view/cards.h"
#include "pages/order/view/page.h"
#include "scene/pinned.h"

namespace headlight::views::plain {

std::string describe_order(const PageInput& in, int) {
  if (!in.own<scene::OrderResults>()) return {};
  const scene::OrderResults& r = *in.own<scene::OrderResults>();
  if (!r.problem.empty()) return "\n" + base::one_line(r.problem) + "\n";
  std::string out = "\ntoken order: ";
  for (const int token : r.order)
    out += printable(in.results.tokens[static_cast<std::size_t>(token)].text) + " ";
  out.back() = '\n';
  out += r.identity ? "original order\n" : "";
  if (r.layer > 0)
    out += "A is the model from the words to the attention of layer " + std::to_string(r.layer) +
           (r.layer > 1 ? ": the earlier layers are run again on the permuted words\n" : "\n");
  out += "max |A(πX) − πA(X)| = " + in.text("order_difference") + " (largest output " +
         in.text("order_largest") + "), of the weights " + in.text("order_weights") + "\n";
  if (r.has_double) out += "in double precision " + in.text("order_difference_double") + "\n";
  const std::vector<std::string> by_place = position_causes(in, r);
  for (std::size_t i = 0; i < by_place.size(); ++i)
    out += (i == 0 ? "depends on position because of: " : ", ") + by_place[i];
  out += by_place.empty() ? "nothing depends on position\n" : "\n";
  if (r.parts.mixed)
    out += "content and position cannot be separated in layer " + std::to_string(r.layer) +
           ": the earlier layers mix them in its input; layer 1 can be separated (weights_layer=1)\n";
  if (r.parts.tokens > 0 && in.results.attention.heads > 0) {
    const int head = scene::first_head(in.scene, in.results.attention.heads);
    static constexpr const char* names[] = {"content, content", "content, position", "position, content",
                                            "position, position", "rotation: q·R(j − i)k − q·k"};
    std::vector<std::vector<std::string>> rows{{in.scene.order.divided ? "part of the score" : "part of q·k",
                                                "largest, head " + std::to_string(head + 1),
                                                "share of the variance", "shuffled"}};
    for (int part = 0; part < r.parts.count; ++part) {
      rows.push_back({names[part],
                      in.text(quantity("order_part_largest", {{"part", part + 1}, {"head", head + 1}})),
                      in.text(quantity("order_part_share", {{"part", part + 1}, {"head", head + 1}})),
                      in.text(quantity("shuffled_part_share", {{"part", part + 1}, {"head", head + 1}}))});
    }
    out += "\n" + table(rows) + "  they add up to " + (in.scene.order.divided ? "the score" : "q·k") +
           " within " + in.text("order_residual") + "\n";
    const auto number = [&](const char* name) { return in.text(quantity(name, {{"head", head + 1}})); };
    const std::string whole = in.scene.order.divided ? "the scores" : "q·k";
    out += "  share of the variance: covariance of the part with " + whole +
           " over the variance of the whole, every row centred; shuffled: the same with the entries of W_Q "
           "and W_K in random places\n";
    out += "  variance of " + whole + ": " + number("order_variance") + ", shuffled " +
           number("shuffled_variance") +
           "\n  share of position, position explained by the offset: " + number("order_offset_share") +
           ", shuffled " + number("shuffled_offset_share") + "\n";
    if (r.parts.count > 4)
      out +=
          "  the model rotates queries and keys by their positions (RoPE): the first four parts are before "
          "the rotation\n";
  }
  return out;
}

}  // namespace headlight::views::plain
