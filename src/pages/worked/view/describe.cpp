// The page in words.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "kit/verdict.h"
#include "pages/worked/view/page.h"
#include "pages/worked/worked.h"
#include "scene/mask_and_order.h"
#include "scene/pinned.h"

namespace headlight::views::plain {

std::string describe_worked(const PageInput& in, int) {
  if (!in.own<scene::WorkedResults>()) return {};
  const scene::WorkedResults& r = *in.own<scene::WorkedResults>();
  std::string out;
  if (!r.problem.empty()) out += "not in effect: " + r.problem + "\n";
  const int steps = in.scene.worked.step;
  out += "\n" + matrix_text("X", r.x) + matrix_text("Q = X W_Q", r.trace.q) +
         matrix_text("K = X W_K", r.trace.k) + matrix_text("V = X W_V", r.trace.v);
  if (steps >= 2) out += matrix_text("Q Kᵀ", r.products);
  if (steps >= 3)
    out += matrix_text(r.settings.divide ? "scores, ÷ √d_k = " + in.text("worked_sqrt_d_k") : "scores",
                       r.trace.scores);
  if (steps >= 4) out += matrix_text("weights", r.trace.weights);
  if (steps >= 5) out += matrix_text("output", r.trace.output);
  out += "the float32 error of the weights is " + in.text("worked_residual") + " at most\n";
  for (const scene::WorkedPrinted& p : r.printed)
    out += "row " + std::to_string(p.row) + ", " + p.by + ": " +
           (p.agrees ? "agrees within " : "differs by ") + base::brief(p.gap, 2) + "\n";
  return out;
}

}  // namespace headlight::views::plain
