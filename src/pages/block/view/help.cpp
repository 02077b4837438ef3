// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/block/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
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

}  // namespace

std::span<const HelpEntry> block_help() {
  return entries;
}

}  // namespace headlight::views
