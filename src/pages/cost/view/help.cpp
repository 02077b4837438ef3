// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/cost/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
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

}  // namespace

std::span<const HelpEntry> cost_help() {
  return entries;
}

}  // namespace headlight::views
