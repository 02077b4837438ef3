#include "kit/page_view.h"

#include "pages/memory/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName memory_tabs[] = {{"landscape", "Energy landscape"}, {"retrieval", "Hopfield retrieval"},
                                   {"readings", "Interpretations"},   {"fast", "Fast weights"},
                                   {"linear", "Linear attention"},    {"lineage", "2017 and 1991"},
                                   {"error", "Error by features"},    {"influence", "Influence by distance"}};

constexpr std::string_view of_random_numbers[] = {"landscape", "retrieval", "readings", "error", "influence"};

constexpr CardControl own_controls[] = {{"memory_feature", "linear"}, {"memory_write", "fast"}};

constexpr bool random_weights(const scene::Scene& s) {
  return s.weights == scene::WeightsSource::random;
}
constexpr bool two_dimensions(const scene::Scene& s) {
  return s.memory.dimension == 2;
}
constexpr bool more_dimensions(const scene::Scene& s) {
  return !two_dimensions(s);
}
constexpr bool continuous_network(const scene::Scene& s) {
  return s.memory.network == scene::MemoryNetwork::continuous;
}
constexpr bool random_features(const scene::Scene& s) {
  return s.memory.feature == scene::MemoryFeature::random;
}
constexpr bool over_sizes(const scene::Scene& s) {
  return s.memory.error_over == scene::MemoryErrorOver::size;
}

constexpr SettingCards acts_on[] = {{"sentence", "fast linear lineage"},
                                    {"d_model", "fast linear lineage"},
                                    {"seed", "landscape retrieval error influence"},
                                    {"seed", "fast linear lineage", random_weights},
                                    {"weights", "fast linear lineage"},
                                    {"weights", "error influence", random_weights},
                                    {"weights_file", "fast linear lineage"},
                                    {"weights_layer", "fast linear lineage"},
                                    {"memory_features", "fast linear lineage", random_features},
                                    {"memory_features", "error", over_sizes},
                                    {"memory_width", "fast linear lineage error influence"},
                                    {"memory_decay", "fast lineage"},
                                    {"memory_patterns", "retrieval readings"},
                                    {"memory_patterns", "landscape", two_dimensions},
                                    {"memory_dimension", "landscape readings"},
                                    {"memory_dimension", "retrieval", continuous_network},
                                    {"memory_beta", "landscape"},
                                    {"memory_beta", "retrieval", continuous_network},
                                    {"memory_noise", "retrieval", continuous_network},
                                    {"memory_noise", "landscape", more_dimensions},
                                    {"memory_closeness", "landscape", two_dimensions},
                                    {"memory_closeness", "retrieval", continuous_network},
                                    {"memory_bits", "retrieval"},
                                    {"memory_flips", "retrieval"},
                                    {"memory_keys", "error"}};

constexpr PageQuestion memory_questions[] = {
    {.question = "Can attention be a memory?",
     .answer = "Memory: Hopfield networks, fast weights, linear attention",
     .words = "store recall linear hopfield",
     .place = "card landscape"},
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
    .hint =
        "With d = 2, drag the red probe: no update raises the energy. See which pattern it reaches, if any.",
    .also = "hopfield fast weights associative",
    .questions = memory_questions,
    .finding = memory_finding,
    .marked = memory_marked,
    .tabs = memory_tabs,
    .without_sentence = of_random_numbers,
    .on_cards = own_controls,
    .acts_on = acts_on,
};

}  // namespace headlight::views
