#include "kit/page_view.h"

#include "kit/selection.h"
#include "pages/attention/view/page.h"
#include "pages/attention/view/words.h"

namespace headlight::views {

namespace {

constexpr TabName attention_tabs[] = {{"map", "Attention map"},      {"heads", "Heads"},
                                      {"bars", "Attention weights"}, {"cell", "One weight"},
                                      {"matrices", "Matrices"},      {"kernels", "Weights by offset"}};

std::string attention_quantity(const PageInput& in, const draw::Hit& hit) {
  const draw::Mark& mark = hit.mark;
  const nn::AttentionTrace& trace = in.results.attention;
  const bool pair = mark.query >= 0 && mark.query < trace.T && mark.key >= 0 && mark.key < trace.S;
  if (!pair || (mark.part != draw::Part::cell && mark.part != draw::Part::bar)) return {};
  // A map of several combined heads has weights of its own.
  if (mark.head < 0) return quantity("map_weight", {{"query", mark.query}, {"key", mark.key}});
  return quantity("weight", {{"head", mark.head + 1}, {"query", mark.query}, {"key", mark.key}});
}

/// The small maps show every head of the layer.
bool attention_guided(const PageInput& in, std::string_view card) {
  if (card.empty() || card == "heads") return in.results.guided(in.results.guide.head);
  return chosen_head_guided(in);
}

constexpr CardControl own_controls[] = {{"query_axis", "map"},
                                        {"combine", "map"},
                                        {"weights_layer", "heads"},
                                        {"scale", "cell"},
                                        {"temperature", "cell"}};

constexpr SettingCards acts_on[] = {
    {"cell_numbers", "map"}, {"least_weight", "map bars"}, {"shown_tokens", "map bars"}};

constexpr PageQuestion attention_questions[] = {
    {.question = "Why is this weight so large?",
     .answer = "Attention: click a cell; its card shows how the weight is computed",
     .words = "small high low big number computed come from arithmetic explain cell",
     .place = "card cell",
     .of_a_cell = true},
    {.question = "Which key does a query attend to most?",
     .answer = "Attention: click a token; the bars show its weights",
     .words = "strongest largest weight token word look",
     .place = "card bars",
     .set = "key=-1"},
    {.question = "Which queries attend to this word?",
     .answer = "Attention: arcs below the pinned word, as thick as the weight",
     .words = "arcs attended received incoming backwards",
     .place = "card map",
     .set = "attention_view=arcs"},
    {.question = "How much attention does each word receive?",
     .answer = "Attention: beams; a key is as tall as what it receives",
     .words = "beams received column sum ribbons flow",
     .place = "card map",
     .set = "attention_view=ribbons"},
    {.question = "What is the average over all heads?",
     .answer = "Attention: all heads as one map, combined by their mean",
     .words = "mean combined combine heads",
     .place = "card map",
     .set = "combine=mean;head="},
    {.question = "What does a causal mask do?",
     .answer = "Attention: no query attends to later keys",
     .words = "future later hide masking decoder",
     .place = "card map",
     .set = "mask=causal"},
    {.question = "What is a mask?",
     .answer = "pairs of query and key that are not allowed: their weight is exactly 0; here the causal mask",
     .words = "mean means definition term causal padding masked masking",
     .place = "card map",
     .set = "attention_view=matrix;mask=causal"},
    {.question = "What is pinned?",
     .answer = "a click keeps a query, key or head selected; Esc releases it",
     .words = "mean means definition term select selection pin frame line red blue",
     .place = "card map"},
    {.question = "What is the share of ‖αv‖?",
     .answer = "Attention: the norm of one key’s weighted value, as a share of the sum over all keys",
     .words = "av mean means contribution value output cell",
     .place = "card cell",
     .of_a_cell = true},
    {.question = "What is attention?",
     .answer = "each query assigns weights to the keys; the output is the weighted sum of the values",
     .words = "mean means definition term self self-attention work works weights weight",
     .place = "card map"},
    {.question = "What is a token?",
     .answer = "a word, a piece of one or a character: what the tokenizer makes of the sentence",
     .words = "mean means definition term tokens tokenizer tokenization word piece",
     .place = "card map"},
    {.question = "How do I add a word?",
     .answer = "type in the field at the top (key /); the picture follows",
     .words = "insert delete replace another other words",
     .place = "card map"},
    {.question = "How do I choose a head?",
     .answer = "Attention: click its small map or press its number; 0 shows all heads",
     .words = "pick select single alone one another number key",
     .place = "card heads"},
    {.question = "How do I read the map?",
     .answer = "Attention: a cell is the weight that a query assigns to a key; a stronger colour is a larger "
               "weight",
     .words = "mean means colour colours color colors bright dark heatmap legend rows columns understand",
     .place = "card map",
     .set = "attention_view=matrix"},
    {.question = "Why is a cell empty?",
     .answer = "a weight that rounds to 0 has no number; a masked pair has no cell",
     .words = "blank black missing nothing number zero small",
     .place = "card map",
     .set = "attention_view=matrix"},
    {.question = "Where are Q, K and V?",
     .answer = "Attention: the matrices of the layer, from X to the output; a click shows one large",
     .words = "matrices matrix w_q w_k w_v w_o projection projections numbers table",
     .place = "card matrices"},
    {.question = "What is d_k, the width of a head?",
     .answer = "d_k = d ÷ heads: the columns of W_Q, W_K and W_V of one head",
     .words = "size width dimension dimensions d_k dk d_head head_dim",
     .place = "card matrices"},
    {.question = "What is d, the model width?",
     .answer = "the number of components of each token’s vector, the columns of X",
     .words = "mean means definition term d_model size dimension dimensions hidden embedding",
     .place = "card matrices"},
    {.question = "What is an embedding?",
     .answer = "the vector of a token before the first layer: its row of X",
     .words = "mean means definition term embeddings vector input x",
     .place = "card matrices"},
    {.question = "Do nearby words get more weight?",
     .answer = "Attention: the mean weight by the offset from query to key",
     .words = "distance offset far near locality recency neighbours",
     .place = "card kernels"},
    {.question = "What is grouped-query attention?",
     .answer = "several query heads share one head of keys and values; the matrices of opened models show it",
     .words = "mean means definition term gqa mqa multi-query shared kv group groups llama mistral",
     .place = "card matrices"},
    {.question = "What is multi-head attention?",
     .answer = "Attention: several heads in parallel, each with its own weights for the same tokens",
     .words = "mean means definition term several many multiple heads multihead",
     .place = "card heads",
     .set = "head=0"},
};

}  // namespace

const PageView attention_view{
    .draw = attention_page,
    .question = attention_question,
    .tooltip = attention_tooltip,
    .status = cell_words,
    .describe = plain::describe_attention,
    .help = attention_help,
    .hint =
        "Click a weight to see how it is computed; arrow keys move. Ctrl + K finds pages, settings and "
        "answers.",
    .also = "entropy softmax heatmap weights scores matrix map",
    .questions = attention_questions,
    .quantity_under = attention_quantity,
    .finding = attention_finding,
    .shows_guided = attention_guided,
    .tabs = attention_tabs,
    .on_cards = own_controls,
    .acts_on = acts_on,
    .fills = true,
    .column = true,
    .asks_itself = true,
    .tells_model = true,
};

}  // namespace headlight::views
