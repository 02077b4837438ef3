#include "kit/page_view.h"

#include "pages/position/view/page.h"

namespace headlight::views {

namespace {

std::string position_quantity(const PageInput&, const draw::Hit& hit) {
  if (hit.mark.part != draw::Part::position_cell || hit.mark.query < 0 || hit.mark.key < 0) return {};
  return quantity("p", {{"row", hit.mark.query}, {"col", hit.mark.key}});
}

}  // namespace

const PageView position_view{
    .draw = position_page,
    .question = position_question,
    .tooltip = position_tooltip,
    .status = position_words,
    .describe = plain::describe_position,
    .help = position_help,
    .hint =
        "Press Space to run the clocks at their true speeds. Drag a hand, a row of P or a marker on a curve.",
    .quantity_under = position_quantity,
    .fills = true,
};

}  // namespace headlight::views
