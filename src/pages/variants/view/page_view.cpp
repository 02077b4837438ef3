#include "kit/page_view.h"

#include "pages/variants/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName variants_tabs[] = {{"a", "A and B"},
                                     {"b", "A and B"},
                                     {"difference", "Difference"},
                                     {"applied-a", "What is applied"},
                                     {"applied-b", "What is applied"},
                                     {"shift", "What is applied"},
                                     {"dots", "Division by √d_k"},
                                     {"decoding", "Decoding"},
                                     {"cross", "Second sentence"},
                                     {"batch", "Padding"}};

constexpr std::string_view of_random_numbers[] = {"dots"};

}  // namespace

const PageView variants_view{
    .draw = variants_page,
    .question = variants_question,
    .tooltip = variants_tooltip,
    .status = variants_words,
    .describe = plain::describe_variants,
    .help = variants_help,
    .hint = "Choose A and B with the buttons above the maps. The third map is their difference.",
    .finding = variants_finding,
    .marked = variants_marked,
    .tabs = variants_tabs,
    .hero = "a",
    .without_sentence = of_random_numbers,
};

}  // namespace headlight::views
