#include "kit/page_view.h"

#include "pages/block/view/page.h"

namespace headlight::views {

const PageView block_view{
    .draw = block_page,
    .question = block_question,
    .tooltip = block_tooltip,
    .status = block_words,
    .describe = plain::describe_block,
    .help = block_help,
    .hint = "Click a stage of the block to show its matrix large. Click a small map to show that head.",
};

}  // namespace headlight::views
