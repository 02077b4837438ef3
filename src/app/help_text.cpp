#include "app/help_text.h"

#include "pages/variants/variants.h"

namespace headlight::app {

namespace {

constexpr const char* vaswani = "Vaswani et al., Attention Is All You Need, 2017";

constexpr HelpEntry attention[] = {
    {"Heads and the large map", "A = softmax(Q Kᵀ / (√d_k · τ) + M)\nQ = X W_Q,  K = X W_K,  V = X W_V",
     "A row of A is one query's weights over all keys; it adds up to 1, or to 0 where every key is masked. "
     "d_k is the width of a head, τ the "
     "temperature, M "
     "is 0 where a query may attend to a key and −∞ where a mask blocks it, so that the weight is exactly 0.",
     "Vaswani et al., Attention Is All You Need, 2017, eq. 1 and section 3.2.3"},
    {"All heads", "MultiHead(X) = [A_1 V_1, …, A_h V_h] W_O",
     "Each head reads its own d_k columns. The mean or the maximum over heads that the map can show is for "
     "looking only: "
     "nothing in the layer computes it.",
     "Vaswani et al. 2017, section 3.2.2"},
    {"H beside a head", "H = mean over i of −Σ_j A_ij log₂ A_ij",
     "Entropy in bits: 0 when a query reads one key, log₂ S when it reads S keys alike.",
     "Shannon, A Mathematical Theory of Communication, 1948, section 6"},
    {"The opened cell", "s = q · k / √d_k,   a = exp(s − m) / Σ_j exp(s_j − m),   m = max_j s_j",
     "The row's maximum m is taken out first, so that no exponential overflows; the weight does not change. "
     "The last line "
     "is how far the float32 weight is from the same sum in double precision. Share of ‖αv‖: ‖α_j v_j‖ / Σ "
     "‖α_j v_j‖, "
     "lengths alone; projection: α_j v_j · o / ‖o‖² on the head's output o = Σ α_j v_j, whose sum is 1. "
     "Several heads "
     "open as the mean or the choice that they are.",
     "Vaswani et al. 2017, eq. 1; for the maximum, Blanchard, Higham and Higham 2021"},
    {"The matrices", "Q = X W_Q,  K = X W_K,  V = X W_V\noutput = [A_1 V_1, …, A_h V_h] W_O",
     "Of the typed sentence. A head has its own columns of W_Q, W_K, W_V, Q, K, V and of the concatenation, "
     "and its "
     "own rows of W_O. Without biases, the output is the concatenation times W_O.",
     "Vaswani et al. 2017, section 3.2.2"},
    {"Weights by offset", "y_i = Σ_o κ_i(o) v_(i+o),   κ_i(o) = A_(i, i+o)",
     "A convolution has one kernel κ for all positions i. The kernel of attention depends on the content, "
     "and on how many keys the mask leaves a query: two queries can have different weights at the same "
     "offset "
     "o = j − i.",
     "Kamper, Self-attention and transformers, 2024 (“each head is similar to a different kernel in a CNN”)"},
};

constexpr HelpEntry position[] = {
    {"P and its columns", "p(i, 2j) = sin(i ω_j),   p(i, 2j+1) = cos(i ω_j),   ω_j = base^(−2j/d)",
     "i is the position, j counts pairs of columns. The exponent goes by pair: both columns of a pair have "
     "the same "
     "frequency. Wavelengths 2π/ω_j run from 2π to 2π · base^((d−2)/d) for an even d.",
     "Vaswani et al., Attention Is All You Need, 2017, section 3.5"},
    {"The clocks", "hand j at angle i ω_j",
     "Each pair is a clock. The slow ones look as if they stood still because they do almost: their speed is "
     "true unless "
     "“log” is chosen, and then it says so.",
     "the same formula, read as an angle"},
    {"The rotation", "p(i + δ) = R(δ) p(i)\nR(δ) = blocks [cos δω_j, sin δω_j; −sin δω_j, cos δω_j]",
     "An offset δ turns every pair by a fixed angle, wherever it starts: the same matrix for all i. The "
     "number beside it is "
     "the largest difference found in the float32 rows on screen.",
     "Vaswani et al. 2017, section 3.5 (“a linear function of PE_pos”)"},
    {"How unique a row is", "min over k ≠ i of ‖p(i) − p(k)‖",
     "No two rows with a whole pair are equal: ω_0 = 1, and no whole number of radians is a whole number of "
     "turns. But they can come close, with few columns or many positions.",
     "counted here from the rows of P"},
    {"What a dot product sees", "p(i) · p(i+δ) = Σ_j cos(δ ω_j)",
     "Of two rows of P alone, for an even d: it depends on |δ|, and it is the same for δ and −δ, so "
     "direction "
     "is not in it. "
     "Attention multiplies W_Q and W_Kᵀ in between, and can tell them apart.",
     "follows from cos a cos b + sin a sin b = cos(a − b)"},
    {"Concatenating", "[x; p] W = x W₁ + p W₂",
     "W₁ is the upper half of W and W₂ the lower one: after one linear layer a concatenated position is a "
     "projected "
     "position that is added. (x + p) W is the case W₁ = W₂.",
     "Kamper, Self-attention and transformers, 2024, footnote 1"},
};

constexpr HelpEntry worked[] = {
    {"Steps", "Q = X W_Q,  K = X W_K,  V = X W_V\nS = Q Kᵀ / √d_k,   A = softmax(S),   output = A V",
     "Every number can be typed into. The line below a chosen entry writes out how it was made.",
     "Vaswani et al., Attention Is All You Need, 2017, eq. 1"},
    {"The dictionary",
     "exact: v of the key that equals q\nsoft: Σ_j softmax(q · k_j / (√d_k · τ)) v_j, with ÷ √d_k on",
     "As the temperature τ goes to 0 the soft answer becomes the value of the best key, or the mean of the "
     "values of keys that tie. With the division by "
     "√d_k "
     "switched off, the products are divided by τ alone.",
     "Graves, Wayne and Danihelka, Neural Turing Machines, 2014, section 3.3.1 (there with a cosine and a "
     "key "
     "strength β)"},
    {"The plane", "q · k = ‖q‖ ‖k‖ cos θ",
     "With d_k = 2 queries and keys are arrows; drag one, and every number follows.", "the dot product"},
};

constexpr HelpEntry order[] = {
    {"Output rows", "A(πX) = π A(X)",
     "Without positions, permuted tokens give permuted outputs: attention sees a bag. The residual is the "
     "largest "
     "difference, up to rounding 0. With positions, or with a mask that goes by place, it is not.",
     "Lee et al., Set Transformer, 2019, property 1"},
    {"Content and position apart", "(x_i + p_i) W_Q W_Kᵀ (x_j + p_j)ᵀ = xx + xp + px + pp",
     "Four maps that add up to the score: content with content, content with position, position with "
     "content, "
     "position with position. A model with RoPE adds no p, but turns queries and keys: then a fifth map has "
     "what "
     "the rotation changes, q · R(j − i) k − q · k.",
     "Dai et al., Transformer-XL, 2019, section 3.3"},
};

constexpr HelpEntry variants[] = {
    {"A, B and A − B", "moved = mean over i of ½ Σ_j |A_ij − B_ij|",
     "The part of a row's weight that lies elsewhere: 0 the same, 1 nothing in common (total variation "
     "distance).",
     "counted here"},
    {"Positions by a bias",
     "T5: s_ij + b[bucket(j − i)]\nALiBi: s_ij − m_h |i − j|,   m_h = 2^(−8h/H) for H a power of 2",
     "Both add a number that depends on j − i alone, whatever the tokens are. T5 learns one for each bucket "
     "of j − i "
     "(before and after are different buckets, unless the model is causal); ALiBi takes |i − j| and fixes a "
     "slope "
     "for each head. For other H, as the authors' code has it: the slopes of the next lower power of 2, then "
     "every other slope of the next higher one. ALiBi was published for causal models; here |i − j| goes "
     "both "
     "ways.",
     "Raffel et al., T5, 2020, section 2.1; Press, Smith and Lewis, ALiBi, 2022"},
    {"Positions by relative keys and values",
     "s_ij = q_i · (k_j + r^K_c) / √d_k,   y_i = Σ_j A_ij (v_j + r^V_c),   c = clip(j − i, −k … k)",
     "A learned row for each distance up to the clip distance k; keys further away share the last one. What "
     "is "
     "added to a score, q_i · r^K_c / √d_k, depends on the distance and on the query, where T5's and ALiBi's "
     "biases depend on the distance alone. The rows are the same for all heads; here they are seeded.",
     "Shaw, Uszkoreit and Vaswani, 2018, equations 3 and 4"},
    {"Positions by a rotation",
     "RoPE: q_i → R(i) q_i,  k_j → R(j) k_j,   so (R(i)q) · (R(j)k) = q · R(j − i) k",
     "A score is of the content of both tokens and of the signed relative position j − i: a shift of all "
     "tokens "
     "changes no score. R turns pairs of components: (2j, 2j + 1), interleaved, as RoFormer and Meta's LLaMA "
     "code "
     "have it, or (j, j + d_k/2), in halves, as the Hugging Face version of LLaMA has it. GPT-NeoX halves "
     "only the part of a head that it rotates: with r of d_k components, the pairs are (j, j + r/2). Weights "
     "that were trained with one do not fit the other; a model file names its own.",
     "Su et al., RoFormer, 2021, section 3.2"},
    {"Sparse masks",
     "window |i − j| ≤ w · dilated |i − j| ≤ w l, i − j divisible by l · strided: the last l, and every l-th "
     "· "
     "fixed · blocks · random",
     "Each leaves out pairs unless it covers the whole sentence; what is blocked has weight exactly 0. "
     "Strided "
     "and fixed are causal.",
     "Child et al. 2019 (strided, fixed); Beltagy, Peters and Cohan 2020 (window, dilated, global); Zaheer "
     "et al. 2020"},
    {"Why divide by √d_k", "var(q · k) = d_k for q, k of independent N(0, 1) numbers",
     "Without the division wide heads have large scores, the softmax saturates, and its gradient goes to 0.",
     "Vaswani et al. 2017, footnote 4"},
    {"Second sentence", "Q from X, K and V from the other sentence",
     "Cross-attention: a row still adds up to 1, over the keys of the other sentence.",
     "Vaswani et al. 2017, section 3.2.3"},
    {"One token at a time", "y_t = Σ_{j ≤ t} a_tj v_j, with k_j and v_j kept",
     "Decoding with a cache gives the rows of the whole pass, as long as each new token gets its own "
     "position.",
     "Shazeer, Fast Transformer Decoding, 2019"},
};

constexpr HelpEntry cost[] = {
    {"Operations",
     "attention n² d · linear attention n d² · recurrence n d² · convolution k n d²\n"
     "whole layer: 2 n² d + 4 n d² · 2 n d² + 4 n d² · 2 n d² · k n d²\nsequential: 1 · 1 · n · 1",
     "n tokens, width d, kernel k. The first line is the leading term that tables print; the second has "
     "every "
     "multiply-add, with the projections W_Q, W_K, W_V and W_O of attention. Linear attention is counted in "
     "one head (in h heads 2 n d²/h) and without its normaliser, n d. FLOP are twice as many. Counted "
     "by "
     "formula and again by loops that note each multiplication, at a smaller size where n or d is large; "
     "both must agree. The softmax is left out.",
     "Vaswani et al., Attention Is All You Need, 2017, table 1; Katharopoulos et al. 2020 (linear "
     "attention)"},
    {"Several heads", "h heads of width d/h: h · 2 n² (d/h) + 4 n d² = 2 n² d + 4 n d²",
     "As many multiply-adds and parameters as one head of width d. What grows with h: the exponentials of "
     "the "
     "softmax, h n², and the bytes of the maps.",
     "Vaswani et al. 2017, section 3.2.2"},
    {"Paths", "attention 1 · recurrence j − i · stacked ⌈distance/reach⌉ · dilated ⌈log_g(distance + 1)⌉",
     "Layers or steps that information takes from one token to the other, found by a search through the "
     "drawn "
     "network. A recurrence and one-sided kernels carry nothing from right to left. Centred kernels reach "
     "⌊k/2⌋ to the left and ⌊(k−1)/2⌋ to the right, one-sided ones k − 1 to "
     "the "
     "left. Dilated layer l has gaps g to the power l: g = k for one-sided kernels, ⌈k/2⌉ (at least 2) for "
     "centred ones, so that for centred k ≥ 3 every position is connected to every other inside the "
     "sequence. "
     "(For an even k "
     "the "
     "side that has the longer reach may need fewer layers.)",
     "Vaswani et al. 2017, section 4; van den Oord et al., WaveNet, 2016"},
    {"Measured time", "the fastest of at least five runs",
     "On this machine, by the kernels of this program; what else runs can only make a time longer. Of "
     "attention from given q, k and v, without its four projections; of the recurrence with both its "
     "matrices, W_x and W_h. With the projections attention takes longer.",
     "measured here"},
    {"The memory wall", "bytes = batch · heads · layers · n² · bytes a value",
     "The maps that a backward pass would keep. Tiled attention keeps the output, and a maximum and a "
     "sum for each row of each head, instead, and gives the same output up to rounding.",
     "Milakov and Gimelshein 2018; Rabe and Staats 2021; Dao et al., FlashAttention, 2022"},
};

constexpr HelpEntry block[] = {
    {"Stages",
     "pre: a = x + attn(ln₁ x),  y = a + ffn(ln₂ a)\npost: a = ln₁(x + attn x),  y = ln₂(a + ffn a)",
     "The norm before each sublayer leaves a straight way for the residual stream; after each sum it "
     "rescales the stream. Without norms ln is left out, without residual connections “x +” and “a +” are, "
     "without feed-forward layers y = a.",
     "Vaswani et al. 2017 (post); Xiong et al., On Layer Normalization, 2020 (pre)"},
    {"Layer norm", "(x − mean) / √(variance + ε) · γ + β", "Over the d numbers of one token; ε = 10⁻⁵.",
     "Ba, Kiros and Hinton, Layer Normalization, 2016"},
    {"Feed-forward layer", "ffn(x) = g(x W_1 + b_1) W_2 + b_2,   g = ReLU or GELU",
     "Each token by itself. gelu is x Φ(x), Φ the normal distribution; gelu_tanh is its approximation "
     "x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³))), which models of the Training page have unless another is "
     "chosen.",
     "Vaswani et al. 2017, eq. 2; Hendrycks and Gimpel, GELUs, 2016, section 2"},
    {"Depth", "mean over pairs of cos(x_i, x_j);   ‖X − 1 x̄ᵀ‖ / ‖X‖;   ‖∂L/∂X_l‖, L = Σ G ∘ X_L",
     "With random weights and no residual connections all tokens approach one vector within a few layers; "
     "with residual connections they stay apart for longer. G is a random direction of norm about 1, so the "
     "gradient begins at about 1 behind the last layer.",
     "Dong, Cordonnier and Loukas, Attention Is Not All You Need, 2021; the section's exercise 1"},
    {"Weights at the start",
     "Xavier: uniform ±√(6/(fan_in + fan_out)) · GPT-2: N(0, 0.02²), W_O and W_2 ÷ √(2L)",
     "Why the stream grows, or does not, from layer to layer.",
     "Glorot and Bengio 2010; Radford et al. 2019"},
    {"Encoder–decoder",
     "encoder: softmax(Q_x K_xᵀ/√d_k) V_x,  decoder: the same over y_<t,  then softmax(Q_y K_xᵀ/√d_k) V_x",
     "Three attentions. Only the decoder's own is masked: its tokens are written one after the other. In "
     "cross-attention the queries come from the decoder, keys and values from the encoder's output.",
     "Vaswani et al. 2017, section 3.2.3"},
    {"Decoding", "y_t = argmax softmax(logits_t), from <begin> until <end>",
     "Each written token is the next step's input. Running the decoder once over all that was written gives "
     "the same tokens.",
     "Vaswani et al. 2017, section 3.1"},
    {"Where cross-attention goes", "y_t = x_(n+1−t): weight of step t on source position n + 1 − t",
     "To write a word backwards, step t needs the letter at n + 1 − t. How much weight a head assigns to it "
     "is measured on held-out words: heads of one model differ, exact words need no head that is a perfect "
     "mirror, and of several layers the first has less of it than the last (two heads, seeds 0 to 5).",
     "measured here"},
};

constexpr HelpEntry bench[] = {
    {"Two heads", "cosine = Σ A∘B / (‖A‖ ‖B‖), maps as vectors",
     "1 the same map, 0 nothing in common. The difference A − B keeps its sign: red where A is larger, blue "
     "where B is.",
     "counted here"},
    {"What a head is like", "mean over i of A_i,i−1 (previous), A_i,i+1 (next), A_i,0 (first), A_ii (itself)",
     "A label is a number: the mean weight on that relation, over the queries that have it. Compare it with "
     "the weight that an even head would assign. A single untrained head can lie far from that: among many "
     "random heads some get a label by chance.",
     "Clark et al. 2019; Voita et al. 2019"},
    {"Heads off",
     "output without head h = output − A_h V_h W_O,h;   share = ‖change‖ / ‖output‖, b_O included",
     "A head that is switched off counts as 0. A large share says that the output needs it, not that it is "
     "right.",
     "Michel, Levy and Neubig, Are Sixteen Heads Really Better than One?, 2019"},
};

constexpr HelpEntry training[] = {
    {"Loss", "L = −mean over asked places of log p(target)",
     "Cross-entropy in nats; a guess among V tokens costs log V. Bands are ± one standard error.",
     "Shannon 1948"},
    {"Steps", "m ← β₁m + (1 − β₁)g,  v ← β₂v + (1 − β₂)g²\nw ← w(1 − ηλ) − η m̂ / (√v̂ + ε)",
     "AdamW, with gradients clipped to norm 1, a linear warm-up and a cosine decay of the rate η. All "
     "gradients are derived "
     "by hand and checked against finite differences.",
     "Kingma and Ba 2015; Loshchilov and Hutter 2019"},
    {"Two relations", "L = mean (A_first − target)² + mean (A_last − target)²",
     "One head has one map for two different targets; two heads have one each. As printed, two heads do not "
     "reach 0: places 2 and 3 share a code, and among random contents a dot product cannot single out (1, "
     "0). The "
     "repaired models have the repairs that are chosen: a code for each place, a query bias, fixed contents, "
     "wider "
     "projections. The list of repairs has the held-out loss with each.",
     "the sources' own toy task"},
    {"A control", "the same model without positions",
     "It differs from the model beside it in its positions alone: the same head, as many parameters (but for "
     "learned rows and T5's table), and the same numbers at the start. Beside sinusoids of size 1 embeddings "
     "are drawn with a deviation of 0.5 and the head has weights of its own; alone, a model with another "
     "scheme has a head tied to its embeddings. With every position beside each other all are as beside "
     "sinusoids.",
     "how the runs are made here"},
    {"Dropout", "x ← x / (1 − p) with probability 1 − p, else 0",
     "In training only: on the embeddings with their positions, on the attention weights, and on what each "
     "sublayer adds. Held-out losses and scores are measured without it. Which numbers are dropped follows "
     "from "
     "the seed and the step.",
     "Srivastava et al. 2014; Vaswani et al. 2017, 5.4; d2l's PositionalEncoding and DotProductAttention"},
    {"Attention alone", "x ← softmax(Q Kᵀ / √d_k) V W_O",
     "No residuals, no layer norm, no feed-forward layers. One such layer without positions cannot reverse "
     "letters: the outputs are permuted as the inputs are. With learned positions it can.",
     "the chapter on self-attention, 39.8 and exercise 39.4"},
    {"Other lengths", "score of the task with T' ≠ T tokens",
     "From half of the trained length to four times it. A table of learned positions has no rows beyond its "
     "length. Sinusoidal rows exist for every position, but the model has not been trained on them. The "
     "rounds of "
     "the copying task grow with the length, up to 26 letters; in the reversal task every position means "
     "another place.",
     "the note's “does not enable extrapolation”; Press, Smith and Lewis, ALiBi, 2022"},
    {"Heads removed", "rows h·d_k … (h + 1)·d_k − 1 of W_O ← 0",
     "The score that is left, with nothing trained again. One after the other: each time the head whose "
     "removal "
     "leaves the largest score. With more than 16 heads only each by itself is measured.",
     "Michel, Levy and Neubig 2019; Voita et al. 2019"},
    {"A guided head", "L + λ · mean −log A[q, goal]",
     "The second loss teaches one head where its queries should attend; λ is its weight, 0 leaves every head "
     "free. "
     "Without it a model can be right while no head shows why: attention is not an explanation by itself.",
     "Strubell et al. 2018; Jain and Wallace 2019; Wiegreffe and Pinter 2019"},
    {"Roles", "mean weight on the relation, on held-out sequences",
     "An induction head looks at the token behind the last occurrence of the present one.",
     "Olsson et al., In-context Learning and Induction Heads, 2022"},
};

constexpr HelpEntry presets[] = {
    {"The verdict", "|printed − computed| ≤ ½ unit of the last printed decimal",
     "A number that the source prints agrees when it is a correct rounding of ours. “formula”: the source "
     "has a "
     "formula or code and no number; what it gives stands beside ours, which follows the same formula, and "
     "that is "
     "no check. A contradiction is between two places of a source, two sources, or words and numbers. An "
     "example differs when the source's own model is not at hand and the one trained here does something "
     "else.",
     "the sources that each line names"},
    {"Where our numbers come from", "A = softmax(Q Kᵀ / √d_k)",
     "They are computed when the page opens: by the layers and formulas of the other pages, or by the "
     "arithmetic that the line names. Nothing is trained then: the results of the two examples that are "
     "trained, at the end of the list, are written down from an earlier run, and a test trains them again.",
     vaswani},
};

}  // namespace

std::span<const HelpEntry> help_of(scene::Page page) {
  using P = scene::Page;
  switch (page) {
    case P::attention:
      return attention;
    case P::position:
      return position;
    case P::worked:
      return worked;
    case P::order:
      return order;
    case P::variants:
      return variants;
    case P::memory:
      return memory_help();
    case P::cost:
      return cost;
    case P::block:
      return block;
    case P::bench:
      return bench;
    case P::training:
      return training;
    case P::presets:
      return presets;
  }
  return attention;
}

}  // namespace headlight::app
