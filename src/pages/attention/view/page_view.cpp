#include "kit/page_view.h"

#include "pages/attention/view/page.h"
#include "pages/attention/view/words.h"

namespace headlight::views {

const PageView attention_view{
    .draw = attention_page,
    .question = attention_question,
    .tooltip = attention_tooltip,
    .status = cell_words,
    .describe = plain::describe_attention,
    .help = attention_help,
    .hint =
        "Click a cell to see how its weight is computed; arrow keys move. Ctrl + K finds pages, settings and "
        "answers.",
    .fills = true,
    .asks_itself = true,
    .tells_model = true,
};

}  // namespace headlight::views
