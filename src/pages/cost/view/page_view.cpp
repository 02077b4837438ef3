#include "kit/page_view.h"

#include "pages/cost/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName cost_tabs[] = {{"table", "Operations"},
                                 {"paths", "Path length"},
                                 {"growth", "Cost by length"},
                                 {"memory", "Memory wall"},
                                 {"times", "Measured time"}};

constexpr const char* own_controls[] = {"cost_convolution", "cost_kernel"};

constexpr PageQuestion cost_questions[] = {
    {.question = "What does one layer cost?",
     .answer = "Cost: operations, path length, memory and time",
     .words = "expensive slow fast quadratic flops much long",
     .place = "card table"},
};

}  // namespace

const PageView cost_view{
    .draw = cost_page,
    .question = cost_question,
    .tooltip = cost_tooltip,
    .status = cost_words,
    .describe = plain::describe_cost,
    .help = cost_help,
    .hint = "Operations are counted by formula and, at a small size, by running the loops.",
    .also = "flops complexity memory quadratic speed slow",
    .questions = cost_questions,
    .finding = cost_finding,
    .tabs = cost_tabs,
    .on_cards = own_controls,
};

}  // namespace headlight::views
