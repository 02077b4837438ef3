#include "kit/page_view.h"

#include "pages/memory/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName memory_tabs[] = {{"linear", "Linear attention"},    {"fast", "Fast weights"},
                                   {"landscape", "Energy landscape"}, {"retrieval", "Hopfield retrieval"},
                                   {"readings", "Interpretations"},   {"lineage", "2017 and 1991"},
                                   {"error", "Error by features"},    {"influence", "Influence by distance"}};

constexpr std::string_view of_random_numbers[] = {"landscape", "retrieval", "error", "influence"};

constexpr const char* own_controls[] = {"memory_feature", "memory_write"};

constexpr PageQuestion memory_questions[] = {
    {.question = "Can attention be a memory?",
     .answer = "Memory: linear attention, fast weights, Hopfield networks",
     .words = "store recall linear hopfield",
     .place = "card linear"},
};

}  // namespace

const PageView memory_view{
    .draw = memory_page,
    .question = memory_question,
    .tooltip = memory_tooltip,
    .status = memory_words,
    .describe = plain::describe_memory,
    .help = memory_help,
    .hint = "Step through the tokens: each one writes a value at its key.",
    .also = "hopfield fast weights associative",
    .questions = memory_questions,
    .finding = memory_finding,
    .marked = memory_marked,
    .tabs = memory_tabs,
    .without_sentence = of_random_numbers,
    .on_cards = own_controls,
};

}  // namespace headlight::views
