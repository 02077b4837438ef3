// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/block/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"Stages",
     "pre: a = x + attn(ln₁ x),  y = a + ffn(ln₂ a)\npost: a = ln₁(x + attn x),  y = ln₂(a + ffn a)",
     "A norm before each sublayer leaves the residual stream itself unchanged; a norm after each sum "
     "rescales it. Without norms, ln is omitted; without residual connections, “x +” and “a +” are; without "
     "feed-forward layers, y = a.",
     "Vaswani et al. 2017 (post); Xiong et al., On Layer Normalization, 2020 (pre)"},
    {"Stages of an opened model",
     "parallel: y = x + attn(N₁ x) + mlp(N₂ x),  one norm: N₂ = N₁\nfour norms: a = x + N₁′(attn(N₁ x)),  "
     "y = a + N₂′(mlp(N₂ a))\ngated MLP: W_down (act(W_gate x) ∘ W_up x),  plain: W_down act(W_up x)",
     "A model from another program is drawn as its architecture computes it. The number beside a stage is "
     "its "
     "RMS: the root mean square of a token’s components, mean over the tokens. q and k are shown before and "
     "after their norm and RoPE; context is the weighted sum of the values, before W_O.",
     "Wang and Komatsuzaki, GPT-J-6B, 2021 (parallel); Gemma Team, Gemma 2, 2024 (four norms); Shazeer, GLU "
     "Variants Improve Transformer, 2020 (gated)"},
    {"Layer norm", "(x − mean) / √(variance + ε) · γ + β", "Over the d components of one token; ε = 10⁻⁵.",
     "Ba, Kiros and Hinton, Layer Normalization, 2016"},
    {"Feed-forward layer", "ffn(x) = g(x W_1 + b_1) W_2 + b_2,   g = ReLU or GELU",
     "Applied to each token separately. gelu is x Φ(x), with Φ the normal distribution function; gelu_tanh "
     "is its approximation x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³))), the default on the Training page.",
     "Vaswani et al. 2017, eq. 2; Hendrycks and Gimpel, GELUs, 2016, section 2"},
    {"Depth", "mean over pairs of cos(x_i, x_j);   ‖X − 1 x̄ᵀ‖ / ‖X‖;   ‖∂L/∂X_l‖, L = Σ G ∘ X_L",
     "With random weights and no residual connections, all tokens approach one vector within a few layers; "
     "with residual connections they stay apart for longer. G is a random direction of norm about 1, so the "
     "gradient after the last layer starts at about 1.",
     "Dong, Cordonnier and Loukas, Attention Is Not All You Need, 2021; the section’s exercise 1"},
    {"Initial weights", "Xavier: uniform ±√(6/(fan_in + fan_out)) · GPT-2: N(0, 0.02²), W_O and W_2 ÷ √(2L)",
     "The initialization determines how fast the residual stream grows from layer to layer.",
     "Glorot and Bengio 2010; Radford et al. 2019"},
    {"Encoder–decoder",
     "encoder: softmax(Q_x K_xᵀ/√d_k) V_x,  decoder: the same over y_<t,  then softmax(Q_y K_xᵀ/√d_k) V_x",
     "Three attention layers. Only the decoder’s self-attention is masked, because its tokens are generated "
     "one at a time. In cross-attention the queries come from the decoder, keys and values from the "
     "encoder’s output.",
     "Vaswani et al. 2017, section 3.2.3"},
    {"Decoding", "y_t = argmax softmax(logits_t), from <begin> until <end>",
     "Each decoded token is the input of the next step. Running the decoder once over all decoded tokens "
     "gives the same result.",
     "Vaswani et al. 2017, section 3.1"},
    {"Cross-attention on the mirrored position",
     "y_t = x_(n+1−t): weight of step t on source position n + 1 − t",
     "To write a word backwards, step t needs the letter at n + 1 − t. The weight that a head assigns to it "
     "is measured on held-out words. Heads of one model differ, exact words need no head that mirrors "
     "perfectly, and with several layers the first mirrors less than the last (two heads, seeds 0 to 5).",
     "measured here"},
};

}  // namespace

std::span<const HelpEntry> block_help() {
  return entries;
}

}  // namespace headlight::views
