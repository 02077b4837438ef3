#include "kit/page_view.h"

#include "pages/worked/view/page.h"

namespace headlight::views {

const PageView worked_view{
    .draw = worked_page,
    .question = worked_question,
    .tooltip = worked_tooltip,
    .status = worked_words,
    .describe = plain::describe_worked,
    .help = worked_help,
    .hint = "Click a number of X or W and type another one. Every result is recomputed.",
};

}  // namespace headlight::views
