// Printed examples about cost and capacity.
#include "nn/cost.h"

#include <cmath>

#include "base/numbers.h"
#include "nn/attention.h"
#include "nn/hopfield.h"
#include "pages/presets/list.h"
#include "pages/presets/presets.h"

namespace headlight::scene {

namespace {

double as_number(std::uint64_t n) {
  return static_cast<double>(n);
}

Preset memory_wall() {
  Preset p{"Memory wall", std::string(chapter) + ", 39.3.2",
           "page=cost;cost_n=32768;cost_batch=1;cost_heads=16;cost_layers=32;cost_bytes=2"};
  struct Row {
    std::uint64_t T;
    double mib, gib;
  };
  for (const Row& row : {Row{512, 0.5, 0.2}, Row{2048, 8, 4}, Row{8192, 128, 64}, Row{32768, 2048, 1024},
                         Row{131072, 32768, 16384}}) {
    const double mib = as_number(nn::attention_map_bytes(row.T)) / (1 << 20),
                 gib = as_number(nn::attention_map_bytes(row.T, 1, 16, 32)) / (1 << 30);
    PresetLine line =
        compare("T = " + std::to_string(row.T) + ": MiB, GiB", "printed", {row.mib, row.gib}, {mib, gib}, 1);
    p.lines.push_back(line);
  }
  p.remark =
      "One matrix in half precision, then all of 32 layers × 16 heads. T = 512 is exactly 0.25 GiB, which "
      "prints as 0.2. “Per layer” in the printed table means one head of one layer.";
  return p;
}

Preset complexity() {
  Preset p{"Operations of a layer",
           std::string(chapter) + ", 39.3, and Self-Attention and Positional Encoding",
           "page=cost;cost_n=512;cost_d=64;cost_k=3"};
  using nn::Architecture;
  for (const nn::LayerSize size : {nn::LayerSize{10, 64, 3}, nn::LayerSize{64, 64, 3},
                                   nn::LayerSize{512, 64, 3}, nn::LayerSize{1024, 512, 5}}) {
    const double n = size.n, d = size.d, k = size.k;
    p.lines.push_back(follows("n = " + std::to_string(size.n) + ", d = " + std::to_string(size.d) +
                                  ", k = " + std::to_string(size.k),
                              "n²d, nd², knd²", {n * n * d, n * d * d, k * n * d * d},
                              {as_number(nn::cost_of(Architecture::self_attention, size).leading),
                               as_number(nn::cost_of(Architecture::recurrence, size).leading),
                               as_number(nn::cost_of(Architecture::convolution, size).leading)},
                              0));
  }
  p.remark =
      "By the leading terms, self-attention needs fewer operations than a recurrence for n < d and the same "
      "number at n = d. Its projections, another 4nd², are not counted in these formulas.";
  return p;
}

Preset receptive() {
  Preset p{"Two convolutions see five tokens",
           "Self-Attention and Positional Encoding, CNNs, RNNs and self-attention",
           "page=cost;cost_n=5;cost_k=3"};
  p.lines.push_back(
      compare("2 layers, kernel 3", "printed: x1 … x5", {5}, {double(nn::receptive_field(2, 3))}, 0));
  p.remark = "1 + layers · (kernel − 1).";
  return p;
}

Preset flops() {
  Preset p{"FLOPs exercise, T = 1000, d = 64", std::string(chapter) + ", exercises 39.2 and 39.6",
           "page=cost;cost_n=1000;cost_d=64;cost_k=3"};
  const nn::LayerSize size{1000, 64, 3};
  const auto attention = nn::cost_of(nn::Architecture::self_attention, size),
             rnn = nn::cost_of(nn::Architecture::recurrence, size);
  p.lines.push_back(follows("QKᵀ and AV, multiply-adds", "worked out", {128000000},
                            {as_number(attention.multiplications)}, 0));
  p.lines.push_back(
      follows("recurrence, W_h and W_x", "worked out", {8192000}, {as_number(rnn.multiplications)}, 0));
  p.lines.push_back(follows("linear attention", "worked out", {8192000},
                            {as_number(nn::linear_attention_multiplications(size))}, 0));
  p.lines.push_back(follows("the whole layer, with 4 n d² of projections", "worked out", {144384000},
                            {as_number(attention.whole())}, 0));
  p.lines.push_back(follows("attention ÷ recurrence", "worked out", {15.625},
                            {as_number(attention.multiplications) / as_number(rnn.multiplications)}, 3));
  p.remark =
      "The chapter prints no answer. The softmax is omitted everywhere, and the projections in all lines but "
      "one, as in its O(T²d). One multiply-add is two FLOP.";
  return p;
}

Preset capacity() {
  Preset p{"How many patterns are stored", std::string(chapter) + ", 39.4.3", "page=memory"};
  const auto count = [](double patterns) -> std::string {
    if (std::isnan(patterns)) return "nothing";
    return patterns < 1e6 ? base::fixed(patterns, 0) : base::brief(patterns, 2);
  };
  for (const int d : {10, 20, 50}) {
    p.lines.push_back(follows("d = " + std::to_string(d) + ": 0.14 d", "follows from its formula", {0.14 * d},
                              {nn::hopfield_capacity_1982(d)}, 2));
    p.lines.push_back(against("d = " + std::to_string(d) + ": modern network", "its words, exp(d/2) there",
                              "“N ∼ exp(d/2) patterns”: " + count(std::exp(0.5 * d)),
                              "proven: " + count(nn::hopfield_capacity_2020(d, {})) +
                                  " (2020: β = 1, K = 3, p = 0.001) · 2^(d/2): " +
                                  count(nn::hopfield_capacity_2017(d)) + " (2017)"));
  }
  p.remark =
      "Ramsauer et al. (2020), theorem 3: N ≥ √p c^((d−1)/4) patterns on a sphere of radius K √(d−1), with "
      "probability 1 − p; c depends on β, K, p and d, and is 3.1546 in its first example. Demircigil et al. "
      "(2017): "
      "exp(α d) binary patterns for every α < ln(2)/2, so 2^(d/2). Neither is exp(d/2).";
  p.short_word = "chapter: “N ∼ exp(d/2)” by Ramsauer et al.; what they prove is √p c^((d−1)/4)";
  return p;
}

Preset blocked_row(base::Parallel& parallel) {
  Preset p{"A row with every key blocked", std::string(chapter) + ", 39.2, mask filled with −1e9",
           "page=attention;mask=valid_length;valid_length=0"};
  nn::Matrix filled(1, 3), out(1, 3);
  filled.fill(-1e9f);
  nn::softmax_rows(filled.data(), out.data(), 1, 3, parallel);
  p.lines.push_back(follows("softmax of −1e9 −1e9 −1e9", "result of its fill", {1. / 3, 1. / 3, 1. / 3},
                            row_of(out, 0), 4));
  nn::AttentionTrace t;
  t.q = nn::Matrix(1, 1), t.k = t.v = nn::Matrix(3, 1);
  nn::AttentionOptions options;
  options.mask.valid_length = 0;
  nn::attention_from_qkv(options, parallel, t);
  p.lines.push_back(follows("weights with every key blocked", "by the meaning of a mask", {0, 0, 0},
                            row_of(t.weights, 0), 4));
  p.remark =
      "With the fill, the query attends to exactly the masked keys, a third each. No key is allowed, so "
      "Headlight assigns no weight: all weights are 0. Where at least one key is allowed, both agree.";
  p.short_word = "a blocked row filled with −1e9 attends to the masked keys, 1/3 each";
  return p;
}

}  // namespace

std::vector<Preset> cost_presets(base::Parallel& parallel) {
  return {memory_wall(), complexity(), receptive(), flops(), capacity(), blocked_row(parallel)};
}

}  // namespace headlight::scene
