// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/position/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
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

}  // namespace

std::span<const HelpEntry> position_help() {
  return entries;
}

}  // namespace headlight::views
