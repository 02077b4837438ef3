#include "kit/page_view.h"

#include "pages/position/view/page.h"

namespace headlight::views {

const PageView position_view{
    .draw = position_page,
    .question = position_question,
    .tooltip = position_tooltip,
    .status = position_words,
    .describe = plain::describe_position,
    .help = position_help,
    .hint =
        "Press Space to run the clocks at their true speeds. Drag a hand, a row of P or a marker on a curve.",
    .fills = true,
};

}  // namespace headlight::views
