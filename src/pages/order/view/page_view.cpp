#include "kit/page_view.h"

#include "pages/order/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName order_tabs[] = {{"token-order", "Token order"},
                                  {"rows", "Output rows"},
                                  {"verdict", "Order-aware?"},
                                  {"parts", "Content and position"}};

}  // namespace

const PageView order_view{
    .draw = order_page,
    .question = order_question,
    .tooltip = order_tooltip,
    .status = order_words,
    .describe = plain::describe_order,
    .help = order_help,
    .hint = "Drag a token to another position and see whether its output row changes.",
    .finding = order_finding,
    .tabs = order_tabs,
    .hero = "rows",
};

}  // namespace headlight::views
