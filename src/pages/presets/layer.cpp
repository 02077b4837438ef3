// What a source says in words about the attention layer: its products, its symmetry, its memory.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <span>

#include "base/numbers.h"
#include "nn/attention.h"
#include "nn/linear.h"
#include "nn/order.h"
#include "nn/positional.h"
#include "nn/random.h"
#include "nn/tiled.h"
#include "pages/presets/list.h"

namespace headlight::scene {

namespace {

constexpr const char* heads_page = "Self-Attention, Multi-Head, Positional Encodings";

/// "0.412"; a difference that is only float32 rounding is written as such.
std::string change(double value) {
  return value < 1e-5 ? "less than 0.00001" : numbers_text({value}, 3);
}

double largest_difference(const nn::Matrix& a, const nn::Matrix& b) {
  double worst = 0;
  for (std::size_t n = 0; n < a.size(); ++n)
    worst = std::max(worst, std::abs(static_cast<double>(a.data()[n]) - static_cast<double>(b.data()[n])));
  return worst;
}

nn::Matrix filled(int rows, int cols, std::span<const float> values) {
  nn::Matrix m(rows, cols);
  std::copy_n(values.begin(), m.size(), m.data());
  return m;
}

/// The layer of the chapter's anagrams, 39.5.1, for words that are numbered as in its vocabulary.
struct AnagramLayer {
  nn::AttentionWeights weights;
  nn::Matrix embedding = filled(5, 16, anagram_embedding);
  AnagramLayer() {
    weights.w_q = filled(16, 8, anagram_w_q), weights.w_k = filled(16, 8, anagram_w_k);
    weights.w_v = filled(16, 8, anagram_w_v);
  }
  nn::Matrix output(std::span<const int> words, bool causal, base::Parallel& parallel) const {
    nn::Matrix x(static_cast<int>(words.size()), embedding.cols());
    int t = 0;
    for (const int word : words) std::copy_n(embedding.row(word).data(), x.cols(), x.row(t++).data());
    nn::AttentionOptions options;
    options.mask.causal = causal;
    nn::AttentionTrace trace;
    nn::attention_forward(x, x, weights, options, parallel, trace);
    return trace.output;
  }
};
constexpr int cat_on_mat[] = {0, 1, 2, 3, 0, 4}, mat_on_cat[] = {0, 4, 2, 3, 0, 1};

/// The distance between two sets of rows: both are sorted, as the chapter compares them.
double apart_as_sets(const nn::Matrix& a, const nn::Matrix& b) {
  const auto sorted = [](const nn::Matrix& m) {
    std::vector<NumberList> rows;
    for (int r = 0; r < m.rows(); ++r) rows.push_back(row_of(m, r));
    std::sort(rows.begin(), rows.end());
    return rows;
  };
  const std::vector<NumberList> x = sorted(a), y = sorted(b);
  double worst = 0;
  for (std::size_t r = 0; r < x.size(); ++r) {
    for (std::size_t c = 0; c < x[r].size(); ++c) worst = std::max(worst, std::abs(x[r][c] - y[r][c]));
  }
  return worst;
}

Preset three_products(base::Parallel& parallel) {
  Preset p{
      "“Just three matrix multiplications”", std::string(chapter) + ", 39.2.1 against 39.2",
      "page=worked;worked_x=1,0;0,1;1,1;worked_w_q=1,0;0,1;worked_w_k=1,0;0,1;worked_w_v=1,0;0,2;"
      "worked_divide=true;worked_causal=false;worked_step=5;worked_stage=output;worked_row=0;worked_col=0"};
  const nn::Matrix x = filled(3, 2, std::array<float, 6>{1, 0, 0, 1, 1, 1});
  const nn::Matrix identity = filled(2, 2, std::array<float, 4>{1, 0, 0, 1});
  const nn::AttentionWeights drawn = nn::random_attention_weights(2, 2, 7);
  // Computes the layer product by product, counts the products, and compares its output with the program's.
  const auto count = [&](const nn::AttentionWeights& w) {
    int products = 0;
    const auto times = [&](const nn::Matrix& a, const nn::Matrix& b) {
      ++products;
      nn::Matrix y;
      nn::linear(a, b, {}, parallel, y);
      return y;
    };
    const bool learned = largest_difference(w.w_q, identity) > 0;
    const nn::Matrix q = learned ? times(x, w.w_q) : x, k = learned ? times(x, w.w_k) : x;
    const nn::Matrix v = times(x, w.w_v);
    nn::Matrix weights = times(q, nn::transposed(k));
    for (float& score : weights.values()) score /= std::sqrt(2.f);
    nn::softmax_rows(weights.data(), weights.data(), 3, 3, parallel);
    nn::Matrix out = times(weights, v);
    if (!w.w_o.empty()) out = times(out, w.w_o);
    nn::AttentionTrace trace;
    nn::attention_forward(x, x, w, {}, parallel, trace);
    return std::to_string(products) +
           (largest_difference(out, trace.output) < 1e-5 ? "" : ", another output");
  };
  const std::string words = "“just three matrix multiplications and a row-wise softmax”";
  nn::AttentionWeights example;
  example.w_q = example.w_k = identity, example.w_v = filled(2, 2, std::array<float, 4>{1, 0, 0, 2});
  p.lines.push_back(
      against("W_Q = W_K = identity", "its example", words, count(example) + ": X W_V, Q Kᵀ, A V"));
  p.lines.back().agrees = true;
  nn::AttentionWeights one_head = drawn;
  one_head.w_o = {};
  p.lines.push_back(against("learned W_Q, W_K and W_V", "39.2, learned projections", words,
                            count(one_head) + ": X W_Q, X W_K, X W_V, Q Kᵀ, A V"));
  p.lines.push_back(
      against("and W_O, as with several heads", "39.7", words, count(drawn) + ": those and W_O"));
  p.remark =
      "Counted while the layer is computed; the output is that of the program. Three is right for the worked "
      "example, whose W_Q and W_K are the identity. With learned projections there are three products for Q, "
      "K and V, one for the scores and one for the outputs.";
  p.short_word = "chapter: “just three matrix multiplications”; with learned W_Q, W_K and W_V there are five";
  return p;
}

Preset invariant(base::Parallel& parallel) {
  Preset p{"“Order-invariant”", std::string(chapter) + ", 39.8 against 39.5.1 and exercise 39.1",
           "page=order;sentence=the cat sat on the mat;tokenizer=words;position=none;mask=none"};
  const AnagramLayer layer;
  const int order[] = {5, 4, 3, 2, 1, 0};
  int reversed[6];
  for (int t = 0; t < 6; ++t) reversed[t] = cat_on_mat[order[t]];
  const nn::Matrix original = layer.output(cat_on_mat, false, parallel),
                   shuffled = layer.output(reversed, false, parallel);
  const auto mean = [](const nn::Matrix& m) {
    nn::Matrix out(1, m.cols());
    for (int r = 0; r < m.rows(); ++r) {
      for (int c = 0; c < m.cols(); ++c) out.at(0, c) += m.at(r, c) / static_cast<float>(m.rows());
    }
    return out;
  };
  p.lines.push_back(against("largest |A(πX) − A(X)|", "its words", "“order-invariant”",
                            change(largest_difference(shuffled, original)) + ": the output changes"));
  p.lines.push_back(
      against("largest |A(πX) − π A(X)|", "its words", "“shuffle the input and the output simply reshuffles”",
              change(largest_difference(shuffled, nn::permuted_rows(original, order))) + ": equivariant"));
  p.lines.back().agrees = true;
  p.lines.push_back(against("change of the mean output row", "39.5.1",
                            "“the set of output rows is identical”",
                            change(largest_difference(mean(shuffled), mean(original))) + ": invariant"));
  p.lines.back().agrees = true;
  p.remark =
      "“the cat sat on the mat” backwards, with the weights of 39.5.1. Invariant means that the output stays "
      "the same, A(πX) = A(X); equivariant, that it is permuted in the same way, A(πX) = π A(X). The "
      "sentence names one and describes the other. Quantities that do not depend on the order of the rows, "
      "such as their mean, are invariant.";
  p.short_word =
      "chapter: “order-invariant” in 39.8, permutation-equivariant in 39.5.1; the numbers give the latter";
  return p;
}

Preset no_depth(base::Parallel& parallel) {
  Preset p{"Depth, order and a causal mask", std::string(chapter) + ", 39.5.1, and exercise 39.3",
           "page=order;sentence=the cat sat on the mat;tokenizer=words;position=none;mask=causal"};
  const AnagramLayer layer;
  const auto out = [&](std::span<const int> words, bool causal) {
    return layer.output(words, causal, parallel);
  };
  p.lines.push_back(against(
      "without a mask: the sets of rows", "its words", "“no amount of training data, depth, or compute”",
      change(apart_as_sets(out(cat_on_mat, false), out(mat_on_cat, false))) + " apart: the same set"));
  p.lines.back().agrees = true;
  const nn::Matrix first = out(cat_on_mat, true), second = out(mat_on_cat, true);
  p.lines.push_back(against(
      "with a causal mask: the sets of rows", "its words", "“no amount of training data, depth, or compute”",
      change(apart_as_sets(first, second)) + " apart, in one layer that is not trained"));
  nn::Matrix sat[2] = {filled(1, 8, first.row(2)), filled(1, 8, second.row(2))};
  p.lines.push_back(against("the output row of “sat”, causal", "39.5.1",
                            "“no amount of training data, depth, or compute”",
                            change(largest_difference(sat[0], sat[1])) + " apart"));
  p.remark =
      "“the cat sat on the mat” and “the mat sat on the cat”, with the weights of 39.5.1. True of attention "
      "without a mask, at any depth. Under a causal mask, that of exercise 39.3 and of GPT-style decoders, a "
      "row depends on its own token and earlier ones, so the order matters without any positional encoding.";
  p.short_word = "chapter: “no … depth … can teach” to tell orders apart; one layer with a causal mask does";
  return p;
}

Preset smooth(base::Parallel& parallel) {
  Preset p{"“Smoothly with position and dimension”", std::string(heads_page) + ", Positional encodings",
           "page=position;d_model=32;heads=4;positions=60;position_base=10000;position_index=1"};
  // Row 1 of P: the largest step between neighbours, among all columns and among the sines alone.
  NumberList neighbours, sines;
  for (const int d : {32, 128, 512}) {
    nn::Matrix rows;
    nn::sinusoidal({2, d, 10000, 0}, parallel, rows);
    const auto step = [&](int by) {
      double worst = 0;
      for (int c = 0; c + by < d; c += by)
        worst = std::max(
            worst, std::abs(static_cast<double>(rows.at(1, c + by)) - static_cast<double>(rows.at(1, c))));
      return worst;
    };
    neighbours.push_back(step(1)), sines.push_back(step(2));
  }
  nn::Matrix rows;
  nn::sinusoidal({60, 32, 10000, 0}, parallel, rows);
  NumberList along;
  for (const int pair : {0, 4, 8}) {
    double worst = 0;
    for (int i = 0; i + 1 < rows.rows(); ++i)
      worst = std::max(worst, std::abs(static_cast<double>(rows.at(i + 1, 2 * pair)) -
                                       static_cast<double>(rows.at(i, 2 * pair))));
    along.push_back(worst);
  }
  NumberList start = row_of(rows, 0);
  start.resize(6);
  const std::string words = "“varies smoothly with position and dimension”";
  p.lines.push_back(against("one position on, columns 0 8 16", "its words: position", words,
                            numbers_text(along, 3) + " at most here; never above 2 sin(ω/2)"));
  p.lines.back().agrees = true;
  p.lines.push_back(
      against("position 0, columns 0 to 5", "its words: dimension", words, numbers_text(start, 0)));
  p.lines.push_back(against("one column on, d = 32 128 512", "its words: dimension", words,
                            numbers_text(neighbours, 3) + " at most: no smaller in a wider model"));
  p.lines.push_back(against("the sines alone, d = 32 128 512", "its words: dimension", words,
                            numbers_text(sines, 3) + " at most: smooth"));
  p.lines.back().agrees = true;
  p.remark =
      "The last two lines are of position 1. Along the columns, sines and cosines alternate, PE(p, 2i) and "
      "PE(p, 2i + 1), so neighbouring columns jump. The frequencies fall smoothly with i: the sines alone, "
      "or the cosines alone, vary smoothly, and more smoothly in wider models.";
  p.short_word = "“varies smoothly with position and dimension”: row 0 of P is 0 1 0 1 0 1 …";
  return p;
}

Preset materialise(base::Parallel& parallel) {
  Preset p{"“Must materialise the full T × T”", std::string(chapter) + ", 39.3.2, twice",
           "page=cost;cost_n=512;cost_d=64;cost_k=3;cost_batch=1;cost_heads=1;cost_layers=1;cost_bytes=4"};
  constexpr int T = 512, d = 64;
  nn::TiledTrace tiled;
  tiled.q = tiled.k = tiled.v = nn::Matrix(T, d);
  int n = 0;
  for (nn::Matrix* m : {&tiled.q, &tiled.k, &tiled.v})
    nn::Random(7, static_cast<std::uint64_t>(++n)).normals(0, m->values());
  nn::AttentionTrace dense;
  dense.q = tiled.q, dense.k = tiled.k, dense.v = tiled.v;
  nn::attention_from_qkv({}, parallel, dense);
  nn::tiled_attention({}, parallel, tiled);
  for (const int tokens : {T, 16 * T}) {
    const std::size_t held = nn::dense_bytes(tokens, tokens, 1),
                      kept = nn::tiled_bytes(tokens, tokens, 1, d, d, 1);
    p.lines.push_back(against("T = " + std::to_string(tokens) + ": bytes beside Q, K, V", "its words",
                              "“every layer must materialise the full T × T attention matrix”",
                              base::with_commas(static_cast<long long>(held)) + " for the weights; tiled " +
                                  base::with_commas(static_cast<long long>(kept)) + " in all"));
  }
  p.lines.push_back(against("outputs, dense and tiled", "its FlashAttention",
                            "“never materialise the full T × T matrix”, “Same math”",
                            change(largest_difference(dense.output, tiled.output)) + " apart"));
  p.lines.back().agrees = true;
  p.remark =
      "The softmax of a row needs its largest score and its sum; both can be updated tile by tile. The first "
      "sentence holds for attention as written: Q Kᵀ, softmax and V one after another. The chapter names the "
      "alternative a paragraph later. With 512 tokens, d = 64 and one head both run here in single "
      "precision; the bytes for 8,192 follow from the same allocations.";
  p.short_word =
      "chapter: “every layer must materialise” the map and, a paragraph later, “never materialise”";
  return p;
}

}  // namespace

std::vector<Preset> layer_presets(base::Parallel& parallel) {
  return {three_products(parallel), invariant(parallel), no_depth(parallel), smooth(parallel),
          materialise(parallel)};
}

}  // namespace headlight::scene
