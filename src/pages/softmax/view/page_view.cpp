#include "kit/page_view.h"

#include "pages/softmax/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName softmax_tabs[] = {
    {"softmax", "Scores to weights"}, {"arithmetic", "Arithmetic"}, {"temperature", "Temperature"}};

}  // namespace

const PageView softmax_view{
    .draw = softmax_page,
    .question = softmax_question,
    .tooltip = softmax_tooltip,
    .status = softmax_words,
    .describe = plain::describe_softmax,
    .help = softmax_help,
    .hint = "Drag a score up or down. Its weight changes, and the other weights share the rest.",
    .finding = softmax_finding,
    .tabs = softmax_tabs,
};

}  // namespace headlight::views
