#include "kit/page_view.h"

#include "pages/order/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName order_tabs[] = {{"token-order", "Token order"},
                                  {"rows", "Output rows"},
                                  {"verdict", "Order-aware?"},
                                  {"parts", "Content and position"}};

constexpr CardControl own_controls[] = {{"position", "token-order"}};

constexpr PageQuestion order_questions[] = {
    {.question = "Does word order matter?",
     .answer = "Order: permute the tokens and see which outputs change",
     .words = "permutation shuffle aware bag",
     .place = "card rows"},
};

}  // namespace

const PageView order_view{
    .draw = order_page,
    .question = order_question,
    .tooltip = order_tooltip,
    .status = order_words,
    .describe = plain::describe_order,
    .help = order_help,
    .hint = "Drag a token to another position and see whether its output row changes.",
    .also = "permutation shuffle equivariance word order",
    .questions = order_questions,
    .finding = order_finding,
    .marked = order_marked,
    .tabs = order_tabs,
    .hero = "rows",
    .on_cards = own_controls,
};

}  // namespace headlight::views
