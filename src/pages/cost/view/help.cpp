// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/cost/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"Operations",
     "attention n² d · linear attention n d² · recurrence n d² · convolution k n d²\n"
     "whole layer: 2 n² d + 4 n d² · 2 n d² + 4 n d² · 2 n d² · k n d²\nsequential: 1 · 1 · n · 1",
     "n tokens, width d, kernel k. The first line is the leading term that tables print; the second is every "
     "multiply-add, including the projections W_Q, W_K, W_V and W_O of attention. Linear attention is "
     "counted in one head (in h heads 2 n d²/h) and without its normaliser, n d. FLOP are twice as many. "
     "Computed by formula and counted again by loops that record each multiplication, at a smaller size "
     "where n or d is large; both must agree. The softmax is left out.",
     "Vaswani et al., Attention Is All You Need, 2017, table 1; Katharopoulos et al. 2020 (linear "
     "attention)"},
    {"Several heads", "h heads of width d/h: h · 2 n² (d/h) + 4 n d² = 2 n² d + 4 n d²",
     "The same number of multiply-adds and parameters as one head of width d. The exponentials of the "
     "softmax, h n², and the bytes of the maps grow with h.",
     "Vaswani et al. 2017, section 3.2.2"},
    {"Paths", "attention 1 · recurrence j − i · stacked ⌈distance/reach⌉ · dilated ⌈log_g(distance + 1)⌉",
     "The number of layers or steps between the two tokens, found by searching the drawn network. A "
     "recurrence and one-sided kernels carry no information from right to left. Centred kernels reach ⌊k/2⌋ "
     "to the left and ⌊(k−1)/2⌋ to the right, one-sided ones k − 1 to the left. Layer l, counted from 0, has "
     "the dilation g^l: g = k for one-sided kernels, ⌈k/2⌉ (at least 2) for centred ones, so that for "
     "centred "
     "k ≥ 3 all positions inside the sequence are connected. (For an even k, the side with the longer reach "
     "may need fewer layers.)",
     "Vaswani et al. 2017, section 4; van den Oord et al., WaveNet, 2016"},
    {"Measured time", "the fastest of at least five runs",
     "Measured on this machine with the kernels of this program; other programs can only make a time longer. "
     "Attention starts from given q, k and v, without its four projections, with which it takes longer; the "
     "recurrence includes both its matrices, W_x and W_h.",
     "measured here"},
    {"The memory wall", "bytes = batch · heads · layers · n² · bytes per value",
     "These are the maps that a backward pass would keep. Tiled attention instead keeps the output, plus a "
     "maximum and a sum for each row of each head; its output is the same up to rounding.",
     "Milakov and Gimelshein 2018; Rabe and Staats 2021; Dao et al., FlashAttention, 2022"},
};

}  // namespace

std::span<const HelpEntry> cost_help() {
  return entries;
}

}  // namespace headlight::views
