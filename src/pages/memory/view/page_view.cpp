#include "kit/page_view.h"

#include "pages/memory/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName memory_tabs[] = {{"linear", "Linear attention"},    {"fast", "Fast weights"},
                                   {"landscape", "Energy landscape"}, {"retrieval", "Hopfield retrieval"},
                                   {"readings", "Interpretations"},   {"lineage", "2017 and 1991"},
                                   {"error", "Error by features"},    {"influence", "Influence by distance"}};

constexpr std::string_view of_random_numbers[] = {"landscape", "retrieval", "error", "influence"};

constexpr CardControl own_controls[] = {{"memory_feature", "linear"}, {"memory_write", "fast"}};

constexpr PageQuestion memory_questions[] = {
    {.question = "Can attention be a memory?",
     .answer = "Memory: linear attention, fast weights, Hopfield networks",
     .words = "store recall linear hopfield",
     .place = "card linear"},
    {.question = "What is a Hopfield network?",
     .answer = "Memory: a network that stores patterns; retrieval lowers an energy until the state settles",
     .words = "mean means definition term pattern patterns retrieval energy associative",
     .place = "card retrieval"},
    {.question = "What is linear attention?",
     .answer = "Memory: φ(q)·φ(k) replaces exp(q·k), so that one matrix of fixed size stores the past",
     .words = "mean means definition term kernel feature features performer random",
     .place = "card linear"},
    {.question = "What are fast weights?",
     .answer = "Memory: a matrix to which each token writes a value at its key",
     .words = "mean means definition term delta rule write schmidhuber 1991",
     .place = "card fast"},
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
