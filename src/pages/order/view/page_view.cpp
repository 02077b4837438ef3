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
    .hint = "Drag a token to another seat and watch the rows of the output move with it, or not.",
};

}  // namespace headlight::views
