// The page in words.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/numbers.h"
#include "base/one_line.h"
#include "base/words.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "kit/verdict.h"
#include "pages/position/view/page.h"
#include "pages/position/view/view.h"
#include "scene/mask_and_order.h"
#include "scene/pinned.h"

namespace headlight::views::plain {

std::string describe_position(const PageInput& in, int) {
  const scene::PositionResults& r = in.results.position;
  const std::string reported = r.about.empty() ? not_added(in.results) : r.about;
  const std::string about = reported.empty() ? "" : base::one_line(reported) + "\n";
  if (r.p.empty()) return about;
  std::string out = about + "P is " + std::to_string(r.p.rows()) + " × " + std::to_string(r.p.cols()) +
                    ", positions " + base::with_commas(r.first) + " to " +
                    base::with_commas(r.first + r.p.rows() - 1) +
                    (r.about.empty() ? ", base " + base::compact(in.scene.position_base) : std::string()) +
                    ", position i = " + std::to_string(in.scene.positions.index) +
                    ", offset δ = " + base::fixed(in.scene.positions.delta, 0) + "\n\n";
  std::vector<std::vector<std::string>> rows{{"pair", "radians per position", "wavelength", "angle at i"}};
  for (std::size_t j = 0; j < r.omega.size() && j < 16; ++j) {
    const auto of_pair = [&](const char* name) { return quantity(name, {{"pair", static_cast<int>(j)}}); };
    rows.push_back({std::to_string(j), in.text(of_pair("omega")), in.text(of_pair("wavelength")),
                    in.text(of_pair("angle")) + "°"});
  }
  if (r.waves()) out += table(rows);
  if (r.omega.size() > 16) out += "  and " + std::to_string(r.omega.size() - 16) + " more pairs\n";
  if (!r.waves())
    out += "largest |element| " + in.text("p_largest") + "\n";
  else
    out += r.p.cols() < 2   ? "\nno pair to rotate: d = 1 has one sine and no cosine\n"
           : r.p.rows() < 2 ? "\none position: there is no second one to rotate to\n"
                            : "\np(i + δ) = R(δ) p(i) holds to " + in.text("rotation_residual") +
                                  (r.p.cols() % 2 == 1 ? " for every pair; the last sine has none\n" : "\n");
  if (r.closest_a >= 0)
    out += "the closest rows are " + in.text("closest") + " apart: " +
           (r.as_close == r.p.rows() ? "every row has another one as near, such as "
            : r.as_close > 2         ? in.text("as_close") + " rows have another one as near, such as "
                                     : "") +
           in.text("closest_row") + " and " + in.text("closest_other") + "\n";
  if (r.dot_from_index.size() > 1) {
    const std::string first = std::to_string(r.first), other = r.first == 0 ? "δ" : first + " + δ";
    out += "p(" + first + ")·p(" + other + ") for δ = 0, 1, 2 …" +
           (!r.waves()            ? " (a learned table: other rows give other products):"
            : r.p.cols() % 2 == 1 ? " (d is odd: other rows give other products):"
                                  : ":");
    for (std::size_t d = 0; d < r.dot_from_index.size() && d < 10; ++d)
      out += " " + in.text(quantity("p_dot", {{"a", 0}, {"b", static_cast<int>(d)}}));
    out += "\n";
  }
  if (const scene::Concatenated* c = in.results.concatenated.get())
    out += "\nconcatenating and adding: [x; p] W and x W_1 + p W_2 differ by at most " +
           in.text("concatenation_difference") + " over " +
           (in.results.tokens.size() > static_cast<std::size_t>(c->x.rows()) ? "the first " : "") +
           base::counted(c->x.rows(), "token") + ", W " + std::to_string(2 * c->x.cols()) + " × " +
           std::to_string(c->x.cols()) + " from seed " + std::to_string(in.results.scene.seed) + "\n";
  return out;
}

}  // namespace headlight::views::plain
