#include "kit/page_view.h"

#include "pages/memory/view/page.h"

namespace headlight::views {

const PageView memory_view{
    .draw = memory_page,
    .question = memory_question,
    .tooltip = memory_tooltip,
    .status = memory_words,
    .describe = plain::describe_memory,
    .help = memory_help,
    .hint = "Step through the tokens: each one writes a value at its key. Drag the probe on the landscape.",
};

}  // namespace headlight::views
