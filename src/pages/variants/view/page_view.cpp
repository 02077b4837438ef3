#include "kit/page_view.h"

#include "pages/variants/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName variants_tabs[] = {{"a", "A and B"},
                                     {"b", "A and B"},
                                     {"difference", "Difference"},
                                     {"applied-a", "Applied in A"},
                                     {"applied-b", "Applied in B"},
                                     {"shift", "What is applied"},
                                     {"dots", "Division by √d_k"},
                                     {"decoding", "Decoding"},
                                     {"cross", "Second sentence"},
                                     {"batch", "Padding"}};

constexpr std::string_view of_random_numbers[] = {"dots"};

constexpr PageQuestion variants_questions[] = {
    {.question = "How do I compare two settings?",
     .answer = "Variants: two settings for the same sentence, side by side",
     .words = "difference side variant masks positions",
     .place = "card difference"},
    {.question = "Why divide by √d_k?",
     .answer = "Variants: the variance of q·k by width, and what the division changes",
     .words = "sqrt square root scale scaled variance",
     .place = "card dots"},
    {.question = "How does RoPE work?",
     .answer = "Variants: queries and keys rotated by their position",
     .words = "rotary rotation relative position embedding",
     .place = "card applied-b",
     .set = "variants_b_position=rope"},
};

}  // namespace

const PageView variants_view{
    .draw = variants_page,
    .question = variants_question,
    .tooltip = variants_tooltip,
    .status = variants_words,
    .describe = plain::describe_variants,
    .help = variants_help,
    .hint = "Choose A and B with the buttons above the maps. The third map is their difference.",
    .also = "rope alibi t5 shaw relative sparse linear side by side",
    .questions = variants_questions,
    .finding = variants_finding,
    .marked = variants_marked,
    .tabs = variants_tabs,
    .hero = "a",
    .without_sentence = of_random_numbers,
};

}  // namespace headlight::views
