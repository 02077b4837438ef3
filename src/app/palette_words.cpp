#include "app/palette_words.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace headlight::app {

std::string synonyms(std::string_view name) {
  static constexpr std::pair<std::string_view, const char*> also[] = {
      {"attention", "entropy softmax heatmap weights scores matrix map"},
      {"position", "sinusoidal sine cosine clocks encoding wavelength"},
      {"order", "permutation shuffle equivariance word order"},
      {"variants", "rope alibi t5 shaw relative sparse linear side by side"},
      {"memory", "hopfield fast weights associative"},
      {"cost", "flops complexity memory quadratic speed slow"},
      {"block", "transformer layer norm residual feed-forward mlp stack"},
      {"model", "atlas heads layers induction previous token roles"},
      {"bench", "ablation entropy roles head bench compare"},
      {"training", "learn loss gradient train adam"},
      {"presets", "examples papers figures references"},
      {"softmax", "temperature scores exponential probabilities entropy"},
      {"worked", "example by hand arithmetic"},
      {"attention_view", "ribbons beams arcs lines curves sankey flow"},
      {"temperature", "entropy sharp soft"},
      {"combine", "average mean maximum largest all heads"},
      {"mask", "causal decoder padding future"},
      {"ramp", "colormap colour map viridis cividis palette gradient"},
      {"theme", "dark light mode night bright color colour"},
      {"interface_scale", "zoom size font large small"},
      {"colour_vision", "color blind colour blind blindness daltonism accessibility"},
      {"reduced_motion", "animation accessibility"},
      {"d_model", "width dimension embedding size"},
      {"tokenizer", "words characters letters split"},
      {"weights", "random trained model file checkpoint"}};
  for (const auto& [known, words] : also) {
    if (known == name) return std::string(" ") + words;
  }
  return {};
}

std::span<const PaletteQuestion> palette_questions() {
  static constexpr PaletteQuestion questions[] = {
      {"Why is this weight so large?", "Attention: click a cell; its card shows how the weight is computed",
       "small high low big number computed come from arithmetic explain cell", "page=attention", "card cell",
       true},
      {"Which key does a query attend to most?", "Attention: click a token; the bars show its weights",
       "strongest largest weight token word look", "key=-1;page=attention", "card bars"},
      {"Which queries attend to this word?", "Attention: arcs below the pinned word, as thick as the weight",
       "arcs attended received incoming backwards", "attention_view=arcs;page=attention", "card map"},
      {"How much attention does each word receive?", "Attention: beams; a key is as tall as what it receives",
       "beams received column sum ribbons flow", "attention_view=ribbons;page=attention", "card map"},
      {"What is the average over all heads?", "Attention: all heads as one map, combined by their mean",
       "mean combined combine heads", "combine=mean;head=;page=attention", "card map"},
      {"What is entropy?", "H = −Σ α log₂ α, in bits: 0 for a single key, log₂ n for n equal weights",
       "bits uncertainty spread sharp uniform mean means definition", "page=softmax", "card temperature"},
      {"What does the temperature do?", "Softmax: drag the temperature and watch weights and entropy",
       "sharp soft flat tau effect", "page=softmax", "card softmax"},
      {"What does each head attend to?", "Model: every head of every layer, sorted by what it attends to",
       "atlas all heads layers roles previous first induction overview which most token", "page=model",
       "card atlas"},
      {"How do I compare two heads?", "two heads, their difference and their similarity",
       "difference similar similarity alike side", "page=bench", "card maps"},
      {"Which heads can be switched off?", "change of the output without each head",
       "remove prune ablate ablation important head matter turn", "bench_off=1;page=bench", "card off"},
      {"What are the roles of heads?",
       "Compare: mean weights on five common targets, beside uniform attention",
       "head role previous next first same token itself", "page=bench", "card roles"},
      {"How do I compare two settings?", "Variants: two settings for the same sentence, side by side",
       "difference side variant masks positions", "page=variants", "card difference"},
      {"Why divide by √d_k?", "Variants: the variance of q·k by width, and what the division changes",
       "sqrt square root scale scaled variance", "page=variants", "card dots"},
      {"How does RoPE work?", "Variants: queries and keys rotated by their position",
       "rotary rotation relative position embedding", "variants_b_position=rope;page=variants",
       "card applied-b"},
      {"Does word order matter?", "Order: permute the tokens and see which outputs change",
       "permutation shuffle aware bag", "page=order", "card rows"},
      {"How is position encoded?", "Position: the matrix P, its waves and its clocks",
       "positional encoding embedding sinusoidal where token", "page=position", "card p"},
      {"How do the clocks relate to P?",
       "Position: the hand of a clock is a sine and a cosine, two columns of P",
       "clock hand relation angle columns sine cosine pair frequency rotation", "page=position",
       "card clocks"},
      {"What does a causal mask do?", "Attention: no query attends to later keys",
       "future later hide masking decoder", "mask=causal;page=attention", "card map"},
      {"How is attention computed?", "Worked example: every number from X to the output",
       "step by hand formula calculate example", "page=worked", "card flow"},
      {"What does one layer cost?", "Cost: operations, path length, memory and time",
       "expensive slow fast quadratic flops much long", "page=cost", "card table"},
      {"How does a head learn?", "Training: train a model and watch its heads",
       "train own model learned learning run", "page=training", "card film"},
      {"How do I stop training?", "Training: Pause keeps the run, and Resume continues it",
       "pause halt end interrupt resume continue cancel", "page=training", "card header"},
      {"What is in a Transformer block?", "Block: every stage from the input to the output",
       "residual norm feed-forward stream layer inside happens", "page=block", "card flow"},
      {"What is a query?", "q = x W_Q: a token’s vector that is compared with the key of every token",
       "mean means definition term vector", "page=worked", "card roles"},
      {"What is a key?", "k = x W_K: the vector that every query is compared with, by q·k",
       "mean means definition term vector", "page=worked", "card roles"},
      {"What is a value?", "v = x W_V: the vector that a weight multiplies; their sum is the output",
       "mean means definition term vector", "page=worked", "card roles"},
      {"What is a head?", "one set of W_Q, W_K and W_V: its own weights for the same tokens",
       "mean means definition term heads multi", "page=worked", "card flow"},
      {"What is a logit?", "a score before softmax: of a key (q·k ÷ √d_k), or of a token of the vocabulary",
       "mean means definition term score nats lens", "page=softmax", "card softmax"},
      {"What is a mask?", "pairs of query and key that are not allowed: their weight is exactly 0",
       "mean means definition term causal padding", "page=attention", "card map"},
      {"What is pinned?", "a click keeps a query, key or head selected; Esc lets it go",
       "mean means definition term select selection pin frame line red blue", "page=attention", "card map"},
      {"What is the share of ‖αv‖?", "Attention: what one key adds to the output, of what all keys add",
       "av mean means contribution value output cell", "page=attention", "card cell", true},
      {"What does “mirror” mean?", "Training: the mean weight of a query on the key at the mirrored position",
       "reverse role score head previous first itself", "page=training", "card film"},
      {"Can attention be a memory?", "Memory: linear attention, fast weights, Hopfield networks",
       "store recall linear hopfield", "page=memory", "card linear"},
  };
  return questions;
}

std::string answer_place(std::string_view question) {
  for (const PaletteQuestion& one : palette_questions()) {
    if (one.question == question) return one.place;
  }
  return {};
}

bool is_filler(std::string_view word) {
  static constexpr std::string_view fillers[] = {
      "a",  "an",  "and", "are", "at",   "be",   "can",   "do",    "does", "for",  "get",  "how",   "i",
      "in", "is",  "it",  "me",  "my",   "of",   "on",    "show",  "so",   "that", "the",  "there", "this",
      "to", "two", "was", "we",  "what", "when", "where", "which", "why",  "will", "with", "you"};
  return std::find(std::begin(fillers), std::end(fillers), word) != std::end(fillers);
}

}  // namespace headlight::app
