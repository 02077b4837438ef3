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

constexpr CardControl own_controls[] = {{"variants_sentence_kv", "cross"}};

constexpr std::string_view of_sentence = "a b difference applied-a applied-b shift decoding cross batch";
constexpr bool random_weights(const scene::Scene& scene) {
  return scene.weights == scene::WeightsSource::random;
}

constexpr std::string_view of_weights = "a b difference shift",
                           of_schemes = "a b difference shift applied-a applied-b";
constexpr SettingCards acts_on[] = {{"sentence", of_sentence},
                                    {"seed", "dots"},
                                    {"seed", "a b difference shift decoding cross batch", random_weights},
                                    {"variants_shift", "shift applied-a applied-b difference"},
                                    {"variants_window", of_weights},
                                    {"variants_valid", of_weights},
                                    {"variants_global_tokens", of_weights},
                                    {"variants_stride", of_weights},
                                    {"variants_table_rows", of_schemes},
                                    {"variants_buckets", of_schemes},
                                    {"variants_clip", of_schemes},
                                    {"variants_max_distance", "applied-a applied-b"}};

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
     .answer = "Variants: queries and keys are rotated by angles proportional to their positions",
     .words = "rotary rotation relative position embedding",
     .place = "card applied-b",
     .set = "variants_b_position=rope"},
    {.question = "How does ALiBi work?",
     .answer = "Variants: each score loses a slope times the distance to its key",
     .words = "linear bias slope penalty distance extrapolation alibi",
     .place = "card applied-b",
     .set = "variants_b_position=alibi"},
    {.question = "How does T5 encode position?",
     .answer = "Variants: a learned bias for each bucket of offsets",
     .words = "relative bias buckets bucket t5",
     .place = "card applied-b",
     .set = "variants_b_position=t5"},
    {.question = "What are Shaw’s relative positions?",
     .answer = "Variants: a learned vector for each offset is added to the keys and to the values",
     .words = "mean means definition term shaw relative encoding clip work works",
     .place = "card applied-b",
     .set = "variants_b_position=shaw"},
    {.question = "What is a sliding window?",
     .answer = "Variants: each query may attend only to the keys within a window",
     .words = "mean means definition term local sparse window longformer mistral banded",
     .place = "card difference",
     .set = "variants_b_mask=window"},
    {.question = "What is sparse attention?",
     .answer = "Variants: windows, blocks, strides and random keys instead of all pairs",
     .words = "mean means definition term strided block blocks bigbird dilated random global pattern",
     .place = "card difference",
     .set = "variants_b_mask=strided"},
    {.question = "What is cross-attention?",
     .answer = "Variants: the queries of one sentence and the keys and values of another",
     .words = "mean means definition term cross second sentence encoder translation",
     .place = "card cross"},
    {.question = "What is padding?",
     .answer = "Variants: the sentences of a batch are filled up to one length; a mask excludes the padding",
     .words = "mean means definition term pad batch length masked",
     .place = "card batch"},
    {.question = "What is a KV cache?",
     .answer = "Variants: decoding one token at a time keeps the keys and values of earlier tokens",
     .words = "mean means definition term kv cache decoding autoregressive generate incremental step",
     .place = "card decoding"},
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
    .on_cards = own_controls,
    .acts_on = acts_on,
};

}  // namespace headlight::views
