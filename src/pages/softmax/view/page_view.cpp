#include "kit/page_view.h"

#include "pages/softmax/view/page.h"

namespace headlight::views {

const PageView softmax_view{
    .draw = softmax_page,
    .question = softmax_question,
    .tooltip = softmax_tooltip,
    .status = softmax_words,
    .describe = plain::describe_softmax,
    .help = softmax_help,
    .hint = "Drag a score up or down. Its weight changes, and the other weights share the rest.",
};

}  // namespace headlight::views
