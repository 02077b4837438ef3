// Printed examples about cost and capacity.
#include <cstdio>

#include "nn/attention.h"
#include "nn/cost.h"
#include "nn/hopfield.h"
#include "scene/presets_list.h"

namespace headlight::scene {

namespace {

constexpr const char* chapter = "Self-Attention chapter, ";

double as_number(std::uint64_t n) {
  return static_cast<double>(n);
}

Preset memory_wall() {
  Preset p{"Memory wall", std::string(chapter) + "39.3.2",
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
      "prints as 0.2. "
      "“Per layer” in the printed table is one head of one layer.";
  return p;
}

Preset complexity() {
  Preset p{"Operations of a layer", std::string(chapter) + "39.3, and Self-Attention and Positional Encoding",
           "page=cost;cost_n=512;cost_d=64;cost_k=3"};
  using nn::Architecture;
  for (const nn::LayerSize size : {nn::LayerSize{10, 64, 3}, nn::LayerSize{64, 64, 3},
                                   nn::LayerSize{512, 64, 3}, nn::LayerSize{1024, 512, 5}}) {
    const double n = size.n, d = size.d, k = size.k;
    p.lines.push_back(compare("n = " + std::to_string(size.n) + ", d = " + std::to_string(size.d) +
                                  ", k = " + std::to_string(size.k),
                              "n²d, nd², knd²", {n * n * d, n * d * d, k * n * d * d},
                              {as_number(nn::cost_of(Architecture::self_attention, size).leading),
                               as_number(nn::cost_of(Architecture::recurrence, size).leading),
                               as_number(nn::cost_of(Architecture::convolution, size).leading)},
                              0));
  }
  p.remark = "Self-attention needs fewer operations than a recurrence while n < d, as many at n = d.";
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
  Preset p{"FLOPs exercise, T = 1000, d = 64", std::string(chapter) + "exercises 39.2 and 39.6",
           "page=cost;cost_n=1000;cost_d=64;cost_k=3"};
  const nn::LayerSize size{1000, 64, 3};
  const auto attention = nn::cost_of(nn::Architecture::self_attention, size),
             rnn = nn::cost_of(nn::Architecture::recurrence, size);
  p.lines.push_back(compare("QKᵀ and AV, multiply-adds", "worked out", {128000000},
                            {as_number(attention.multiplications)}, 0));
  p.lines.push_back(
      compare("recurrence, W_h and W_x", "worked out", {8192000}, {as_number(rnn.multiplications)}, 0));
  p.lines.push_back(compare("linear attention", "worked out", {8192000},
                            {as_number(nn::linear_attention_multiplications(size))}, 0));
  p.lines.push_back(compare("attention ÷ recurrence", "worked out", {15.625},
                            {as_number(attention.multiplications) / as_number(rnn.multiplications)}, 3));
  p.remark =
      "The chapter asks without printing an answer. Softmax and projections are left out, as in its O(T²d).";
  return p;
}

Preset capacity() {
  Preset p{"How many patterns are stored", std::string(chapter) + "39.4.3", "page=memory"};
  struct Row {
    int d;
    double old, modern;
  };
  for (const Row& row :
       {Row{10, 1.4, 148.413159}, Row{16, 2.24, 2980.957987}, Row{50, 7, 72004899337.385880}})
    p.lines.push_back(compare("d = " + std::to_string(row.d) + ": 0.14 d, exp(d/2)",
                              "follows from its formula", {row.old, row.modern},
                              {nn::hopfield_capacity_1982(row.d), nn::hopfield_capacity_modern(row.d)}, 2));
  p.remark = "Orders of magnitude from the literature, not measurements.";
  return p;
}

Preset blocked_row(base::Parallel& parallel) {
  Preset p{"A row with every key blocked", std::string(chapter) + "39.2, mask filled with −1e9",
           "page=attention;mask=valid_length;valid_length=0"};
  nn::Matrix filled(1, 3), out(1, 3);
  filled.fill(-1e9f);
  nn::softmax_rows(filled.data(), out.data(), 1, 3, parallel);
  p.lines.push_back(compare("softmax of −1e9 −1e9 −1e9", "what its fill gives", {1. / 3, 1. / 3, 1. / 3},
                            row_of(out, 0), 4));
  nn::AttentionTrace t;
  t.q = nn::Matrix(1, 1), t.k = t.v = nn::Matrix(3, 1);
  nn::AttentionOptions options;
  options.mask.valid_length = 0;
  nn::attention_from_qkv(options, parallel, t);
  p.lines.push_back(compare("weights with every key blocked", "by the meaning of a mask", {0, 0, 0},
                            row_of(t.weights, 0), 4));
  p.remark =
      "The fill reads exactly the forbidden keys, a third each. Nothing may be read, so the program reads "
      "nothing: the "
      "weights are 0. Where at least one key is allowed, both agree.";
  p.short_word = "a blocked row filled with −1e9 reads the forbidden keys, 1/3 each";
  return p;
}

}  // namespace

std::vector<Preset> cost_presets(base::Parallel& parallel) {
  return {memory_wall(), complexity(), receptive(), flops(), capacity(), blocked_row(parallel)};
}

}  // namespace headlight::scene
