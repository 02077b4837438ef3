#include "kit/page_view.h"

#include "pages/order/view/page.h"

namespace headlight::views {

const PageView order_view{
    .draw = order_page,
    .question = order_question,
    .tooltip = order_tooltip,
    .status = order_words,
    .describe = plain::describe_order,
    .help = order_help,
    .hint = "Drag a token to another position and see whether its output row changes.",
};

}  // namespace headlight::views
