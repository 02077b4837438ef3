// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/position/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"P and its columns", "p(i, 2j) = sin(i ω_j),   p(i, 2j+1) = cos(i ω_j),   ω_j = base^(−2j/d)",
     "i is the position, j counts pairs of columns. The exponent depends on the pair: both columns of a pair "
     "have the same frequency. Wavelengths 2π/ω_j run from 2π to 2π · base^((d−2)/d) for an even d.",
     "Vaswani et al., Attention Is All You Need, 2017, section 3.5"},
    {"The clocks", "hand j at angle i ω_j",
     "Each pair is a clock. Slow clocks hardly move at true speed. Logarithmic speed makes them visible; the "
     "card then says that these are not the speeds of the encoding.",
     "the same formula, as an angle"},
    {"The rotation", "p(i + δ) = R(δ) p(i)\nR(δ) = blocks [cos δω_j, sin δω_j; −sin δω_j, cos δω_j]",
     "An offset δ rotates every pair by a fixed angle, whatever the position: one matrix for all i. The "
     "number beside it is the largest difference over the float32 rows on screen.",
     "Vaswani et al. 2017, section 3.5 (“a linear function of PE_pos”)"},
    {"The P of an opened model", "RoPE: row i = (sin i ω_j, cos i ω_j);   table: row i = P[i]",
     "A model with RoPE adds no positions: it rotates pairs of components of q and k by i ω_j, with its own "
     "base "
     "and scaling (linear, dynamic, llama3, YaRN). The rows of a learned table are shown as they are; it has "
     "no frequencies.",
     "Su et al., RoFormer, 2021; Chen et al. 2023; Peng et al., YaRN, 2023"},
    {"Uniqueness of a row", "min over k ≠ i of ‖p(i) − p(k)‖",
     "No two rows with a whole pair are equal: ω_0 = 1, and no whole number of radians is a whole number of "
     "turns. With few columns or many positions they can come close.",
     "computed here from the rows of P"},
    {"Dot products of rows", "p(i) · p(i+δ) = Σ_j cos(δ ω_j)",
     "For two rows of P alone and an even d, the dot product depends on |δ| only: it is the same for δ and "
     "−δ. Attention multiplies by W_Q and W_Kᵀ in between, so its scores can distinguish the two directions.",
     "follows from cos a cos b + sin a sin b = cos(a − b)"},
    {"Concatenating", "[x; p] W = x W₁ + p W₂",
     "W₁ is the upper half of W, W₂ the lower half. After one linear layer, concatenating a position is the "
     "same as adding a projected position. (x + p) W is the case W₁ = W₂.",
     "Kamper, Self-attention and transformers, 2024, footnote 1"},
};

}  // namespace

std::span<const HelpEntry> position_help() {
  return entries;
}

}  // namespace headlight::views
