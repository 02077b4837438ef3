#include "kit/page_view.h"

#include "pages/variants/view/page.h"

namespace headlight::views {

const PageView variants_view{
    .draw = variants_page,
    .question = variants_question,
    .tooltip = variants_tooltip,
    .status = variants_words,
    .describe = plain::describe_variants,
    .help = variants_help,
    .hint = "Choose A and B with the buttons above the maps. The third map is their difference.",
};

}  // namespace headlight::views
