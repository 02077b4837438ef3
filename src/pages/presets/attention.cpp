// Printed examples about attention itself.
#include "nn/attention.h"

#include <algorithm>
#include <cmath>

#include "nn/random.h"
#include "nn/tokens.h"
#include "nn/weights.h"
#include "pages/presets/list.h"
#include "pages/presets/presets.h"

namespace headlight::scene {

namespace {

nn::Matrix matrix(int rows, int cols, std::initializer_list<float> values) {
  nn::Matrix m(rows, cols);
  std::copy(values.begin(), values.end(), m.data());
  return m;
}

template <std::size_t N>
nn::Matrix matrix(int rows, int cols, const std::array<float, N>& values) {
  nn::Matrix m(rows, cols);
  std::copy(values.begin(), values.end(), m.data());
  return m;
}

nn::Matrix identity(int n) {
  nn::Matrix m(n, n);
  for (int i = 0; i < n; ++i) m.at(i, i) = 1;
  return m;
}

std::string rows_name(const char* name, int row) {
  return std::string(name) + ", row " + std::to_string(row);
}

Preset worked_example(base::Parallel& parallel) {
  Preset p{
      "Worked example", std::string(chapter) + ", 39.2.1",
      "page=worked;worked_x=1,0;0,1;1,1;worked_w_q=1,0;0,1;worked_w_k=1,0;0,1;worked_w_v=1,0;0,2;"
      "worked_divide=true;worked_causal=false;worked_step=5;worked_stage=weights;worked_row=0;worked_col=0"};
  nn::AttentionWeights weights;
  weights.w_q = weights.w_k = identity(2);
  weights.w_v = matrix(2, 2, {1, 0, 0, 2});
  nn::AttentionOptions options;
  options.keep_scores = true;
  nn::AttentionTrace t;
  const nn::Matrix x = matrix(3, 2, {1, 0, 0, 1, 1, 1});
  nn::attention_forward(x, x, weights, options, parallel, t);
  const NumberList scores[] = {{0.707, 0, 0.707}, {0, 0.707, 0.707}, {0.707, 0.707, 1.414}};
  const NumberList weights_printed[] = {{0.401, 0.198, 0.401}, {0.198, 0.401, 0.401}, {0.248, 0.248, 0.503}};
  const NumberList output[] = {{0.802, 1.198}, {0.599, 1.604}, {0.752, 1.503}};
  for (int r = 0; r < 3; ++r)
    p.lines.push_back(compare(rows_name("scores", r), "printed", scores[r], row_of(t.scores, r), 3));
  for (int r = 0; r < 3; ++r)
    p.lines.push_back(
        compare(rows_name("weights", r), "printed", weights_printed[r], row_of(t.weights, r), 3));
  for (int r = 0; r < 3; ++r)
    p.lines.push_back(compare(rows_name("output", r), "printed", output[r], row_of(t.output, r), 3));
  p.lines.push_back(
      compare(rows_name("weights", 0), "its prose", {0.39, 0.22, 0.39}, row_of(t.weights, 0), 2));
  p.lines.push_back(
      compare(rows_name("weights", 2), "its prose", {0.27, 0.27, 0.46}, row_of(t.weights, 2), 2));
  // The prose gives no softmax of these scores, but one of scores that are divided again: one temperature
  // yields both rows.
  options.temperature = 1.29;
  nn::attention_forward(x, x, weights, options, parallel, t);
  p.lines.push_back(compare(rows_name("weights at temperature 1.29", 0), "its prose", {0.39, 0.22, 0.39},
                            row_of(t.weights, 0), 2));
  p.lines.push_back(compare(rows_name("weights at temperature 1.29", 2), "its prose", {0.27, 0.27, 0.46},
                            row_of(t.weights, 2), 2));
  p.remark =
      "The matrix that the chapter prints agrees with the program. Its prose names other weights for rows 0 "
      "and 2: not the softmax of these scores. Divided by 1.29 first, the scores give weights that round "
      "to both of its rows.";
  p.short_word = "prose says weights 0.39 0.22 0.39, its own code prints 0.401 0.198 0.401";
  return p;
}

nn::AttentionTrace one_hot(int d, base::Parallel& parallel) {
  nn::AttentionTrace t;
  t.q = t.k = identity(d);
  t.v = nn::Matrix(d, 4);
  for (std::size_t n = 0; n < t.v.size(); ++n) t.v.data()[n] = static_cast<float>(n);
  nn::attention_from_qkv({}, parallel, t);
  return t;
}

Preset one_hot_keys(base::Parallel& parallel) {
  Preset p{
      "One-hot keys", std::string(chapter) + ", 39.2",
      "page=worked;worked_x=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1;worked_w_q=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1;"
      "worked_w_k=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1;worked_w_v=0,1,2,3;4,5,6,7;8,9,10,11;12,13,14,15;"
      "worked_divide=true;worked_causal=false;worked_step=5;worked_stage=output;worked_row=0;worked_col=0"};
  const nn::AttentionTrace t = one_hot(4, parallel);
  p.lines.push_back(
      compare(rows_name("weights", 0), "printed", {0.355, 0.215, 0.215, 0.215}, row_of(t.weights, 0), 3));
  const NumberList output[] = {{5.163, 6.163, 7.163, 8.163},
                               {5.721, 6.721, 7.721, 8.721},
                               {6.279, 7.279, 8.279, 9.279},
                               {6.837, 7.837, 8.837, 9.837}};
  for (int r = 0; r < 4; ++r)
    p.lines.push_back(compare(rows_name("output", r), "printed", output[r], row_of(t.output, r), 3));
  p.lines.push_back(compare(rows_name("output", 0), "its comment: “recovers the value row”", row_of(t.v, 0),
                            row_of(t.output, 0), 3));
  NumberList diagonal;
  for (const int d : {2, 4, 8, 16, 64})
    diagonal.push_back(static_cast<double>(one_hot(d, parallel).weights.at(0, 0)));
  const bool sharper = std::is_sorted(diagonal.begin(), diagonal.end());
  PresetLine line = compare_words("diagonal for d = 2 4 8 16 64", "its prose", "sharper with d",
                                  sharper ? "sharper with d" : "flatter with d");
  line.here = numbers_text(diagonal, 3) + ": " + line.here;
  p.lines.push_back(line);
  p.remark =
      "With a weight of 0.355 on the matching key, every output row is a blend of all four value rows. "
      "One-hot keys "
      "have length 1, so the score gap is 1/√d: a higher dimension makes the diagonal flatter.";
  p.short_word = "“recovers the value row”, “sharper with d”: its numbers are blends, and get flatter";
  return p;
}

Preset two_relations() {
  Preset p{"Two relations, one head or two", std::string(chapter) + ", 39.7.1",
           "page=attention;d_model=4;heads=2;head=1;position=sinusoidal"};
  PresetLine line{PresetKind::printed, "final loss, one head", "printed", "0.3505", "", 0, true};
  p.lines.push_back(line);
  line.what = "final loss, two heads", line.printed = "0.3196";
  p.lines.push_back(line);
  // Only printed numbers are combined here: the ratio of the two losses.
  PresetLine ratio{
      PresetKind::printed, "two heads ÷ one head", "its prose, against a plateau", "near zero", "", 0, false};
  ratio.here = numbers_text({0.3196 / 0.3505}, 3) + " of the loss is left, by its own numbers";
  p.lines.push_back(ratio);
  p.remark =
      "The training itself is not repeated on this page. By the printed numbers, the second head lowers the "
      "loss by 9 %. 0.32 is far from zero. This toy task cannot reach zero, because two of its positions "
      "share one code and because a dot product cannot single out [1, 0] among random contents. The Training "
      "page repairs one at a time.";
  p.short_word = "prose says the loss goes “near zero”, its own output prints 0.3196 (one head: 0.3505)";
  return p;
}

Preset characters(base::Parallel& parallel) {
  Preset p{"22 characters, d_k = 16", std::string(chapter) + ", 39.5 and 39.6",
           "page=attention;sentence=the cat sat on the "
           "mat;tokenizer=chars;d_model=32;heads=2;head=1;mask=none;scale=true;"
           "temperature=1;position=none;query=0,5,10,15,21"};
  const auto tokens = nn::split_chars("the cat sat on the mat");
  const nn::Matrix x = nn::embed(tokens, 32, 7);
  nn::AttentionWeights weights = nn::random_attention_weights(32, 32, 7);
  for (nn::Matrix* w : {&weights.w_q, &weights.w_k, &weights.w_v}) {
    nn::Matrix narrow(32, 16);
    for (int r = 0; r < 32; ++r) std::copy_n(w->row(r).data(), 16, narrow.row(r).data());
    *w = narrow;
  }
  weights.w_o.resize(0, 0);
  nn::AttentionTrace t;
  nn::attention_forward(x, x, weights, {}, parallel, t);
  const auto shape = [](const nn::Matrix& m) {
    return NumberList{double(m.depth()), double(m.rows()), double(m.cols())};
  };
  p.lines.push_back(compare("tokens", "printed", {22}, {double(t.T)}, 0));
  p.lines.push_back(
      follows("distinct characters", "counted", {10}, {double(nn::distinct_tokens(tokens))}, 0));
  p.lines.push_back(compare("shape of the weights", "printed", {1, 22, 22}, shape(t.weights), 0));
  p.lines.push_back(compare("shape of the output", "printed", {1, 22, 16}, shape(t.output), 0));
  std::string chosen;
  for (const std::size_t i : {0u, 5u, 10u, 15u, 21u}) chosen += (chosen.empty() ? "" : "  ") + tokens[i].text;
  PresetLine characters = compare_words("characters at 0 5 10 15 21", "by its code", "t  a  t  t  t", chosen);
  characters.kind = PresetKind::formula;
  p.lines.push_back(characters);
  weights = nn::random_attention_weights(32, 32, 7);
  nn::AttentionOptions options;
  options.heads = 4;
  nn::attention_forward(x, x, weights, options, parallel, t);
  p.lines.push_back(compare("four heads: weights", "printed", {4, 22, 22}, shape(t.weights), 0));
  p.lines.push_back(compare("four heads: output", "printed", {1, 22, 32}, shape(t.output), 0));
  p.remark =
      "The weights of the chapter’s figure depend on the order of a Python set, which changes from run to "
      "run; "
      "shapes and positions do not.";
  return p;
}

Preset shape_check(base::Parallel& parallel) {
  Preset p{"Shape check 2×4×100, 5 heads", "Self-Attention and Positional Encoding, shape check",
           "page=attention;sentence=one two three "
           "four;tokenizer=words;d_model=100;heads=5;head=1;mask=valid_length;"
           "valid_length=3;scale=true;temperature=1;position=none"};
  nn::AttentionWeights weights = nn::random_attention_weights(100, 100, 7);
  nn::Matrix x(4, 100);
  x.fill(1);
  const int lengths[] = {3, 2};
  const NumberList rows[] = {{1. / 3, 1. / 3, 1. / 3, 0}, {0.5, 0.5, 0, 0}};
  for (int batch = 0; batch < 2; ++batch) {
    nn::AttentionOptions options;
    options.heads = 5;
    options.mask.valid_length = lengths[batch];
    nn::AttentionTrace t;
    nn::attention_forward(x, x, weights, options, parallel, t);
    const std::string part =
        "batch " + std::to_string(batch) + ", " + std::to_string(lengths[batch]) + " valid: ";
    p.lines.push_back(compare(part + "output", "its shape check", {4, 100},
                              {double(t.output.rows()), double(t.output.cols())}, 0));
    p.lines.push_back(follows(part + "weights", "follows from its formula", {5, 4, 4},
                              {double(t.weights.depth()), double(t.weights.rows()), double(t.weights.cols())},
                              0));
    p.lines.push_back(
        follows(part + "a row", "follows from its formula", rows[batch], row_of(t.weights, 0), 4));
  }
  p.remark =
      "X is all ones: every key is the same vector, so whatever the projections are, each valid key gets "
      "1/length.";
  return p;
}

Preset anagrams(base::Parallel& parallel) {
  Preset p{"Anagrams: the same set of rows", std::string(chapter) + ", 39.5.1",
           "page=order;sentence=the cat sat on the mat;tokenizer=words;position=none;mask=none"};
  const int sentences[3][6] = {{0, 1, 2, 3, 0, 4}, {0, 4, 2, 3, 0, 1}, {4, 0, 3, 2, 1, 0}};
  const NumberList printed[] = {{-0.167, -0.078, -0.049, -0.001, 0.091, -0.065, 0.206, -0.364},
                                {-0.167, -0.078, -0.049, -0.001, 0.091, -0.065, 0.206, -0.364},
                                {-0.560, 0.233, -0.404, -0.269, -0.026, -0.092, 0.193, -0.587}};
  const nn::Matrix embedding = matrix(5, 16, anagram_embedding);
  nn::AttentionWeights weights;
  weights.w_q = matrix(16, 8, anagram_w_q), weights.w_k = matrix(16, 8, anagram_w_k),
  weights.w_v = matrix(16, 8, anagram_w_v);
  std::vector<std::vector<NumberList>> sorted;
  for (int s = 0; s < 3; ++s) {
    nn::Matrix tokens(6, 16);
    for (int t = 0; t < 6; ++t) std::copy_n(embedding.row(sentences[s][t]).data(), 16, tokens.row(t).data());
    nn::AttentionTrace trace;
    nn::attention_forward(tokens, tokens, weights, {}, parallel, trace);
    p.lines.push_back(compare("sentence " + std::to_string(s + 1) + ", first row", "printed", printed[s],
                              row_of(trace.output, 0), 3));
    std::vector<NumberList> rows;
    for (int t = 0; t < 6; ++t) rows.push_back(row_of(trace.output, t));
    std::sort(rows.begin(), rows.end());
    sorted.push_back(rows);
  }
  for (int other : {1, 2}) {
    double gap = 0;
    for (std::size_t r = 0; r < 6; ++r) {
      for (std::size_t c = 0; c < 8; ++c)
        gap = std::max(gap, std::abs(sorted[0][r][c] - sorted[static_cast<std::size_t>(other)][r][c]));
    }
    PresetLine line = compare_words("same set of rows, 1 and " + std::to_string(other + 1), "printed", "True",
                                    gap < 1e-5 ? "True" : "False");
    line.gap = gap;
    p.lines.push_back(line);
  }
  p.remark =
      "Sentence 1: the cat sat on the mat; 2: the mat sat on the cat; 3: mat the on sat cat the. Without "
      "positions, the output rows are only permuted.";
  return p;
}

Preset causal_mask(base::Parallel& parallel) {
  Preset p{"Causal mask", "Self-attention and transformers, Masking the future",
           "page=attention;sentence=the cat sat still;tokenizer=words;mask=causal;heads=4;d_model=32"};
  nn::AttentionTrace t;
  t.q = t.k = t.v = nn::Matrix(4, 2);
  nn::AttentionOptions options;
  options.mask.causal = true;
  nn::attention_from_qkv(options, parallel, t);
  for (int r = 0; r < 4; ++r) {
    NumberList row(4, 0.0);
    std::fill_n(row.begin(), r + 1, 1.0 / (r + 1));
    p.lines.push_back(follows("equal scores, row " + std::to_string(r), "follows from its formula", row,
                              row_of(t.weights, r), 4));
  }
  p.remark = "A masked score is minus infinity: its weight is exactly 0, and the other keys share the row.";
  return p;
}

Preset variance() {
  Preset p{"Why √d_k: the variance", "Self-Attention, Multi-Head, Positional Encodings, Why √d_k?",
           "page=attention;scale=false"};
  constexpr int samples = 4000;
  for (const int d : {1, 4, 16, 64}) {
    std::vector<float> q(static_cast<std::size_t>(samples * d)), k(q.size());
    nn::Random(7, 1).normals(0, q), nn::Random(7, 2).normals(0, k);
    double sum = 0, squares = 0;
    for (int s = 0; s < samples; ++s) {
      double dot = 0;
      for (int c = 0; c < d; ++c)
        dot += static_cast<double>(q[static_cast<std::size_t>(s * d + c)]) *
               static_cast<double>(k[static_cast<std::size_t>(s * d + c)]);
      sum += dot, squares += dot * dot;
    }
    const double var = squares / samples - sum / samples * sum / samples;
    // Sampled: agrees within four standard errors of a variance, a little more for the long tails at small d.
    const double error = 4 * std::sqrt((2 + 6.0 / d) / samples);
    PresetLine line = follows("d_k = " + std::to_string(d) + ": q·k, and ÷ √d_k", "follows from its formula",
                              {double(d), 1}, {var, var / d}, 2);
    line.gap = std::abs(var / d - 1), line.agrees = line.gap <= error;
    p.lines.push_back(line);
  }
  p.remark =
      "Measured on 4000 random pairs, so it agrees within sampling noise. Without the division the variance "
      "of a score grows with d_k, and the softmax saturates.";
  return p;
}

Preset head_budget() {
  Preset p{"Parameters of one head or eight", std::string(chapter) + ", 39.7.1",
           "page=attention;d_model=64;heads=8;head=1"};
  for (const int d : {64, 512}) {
    nn::Matrix w(d, 64), split(d, 8);
    const double one = 2.0 * static_cast<double>(w.size()),
                 eight = 2.0 * 8 * static_cast<double>(split.size());
    p.lines.push_back(follows("d_model = " + std::to_string(d) + ": 1 × 64 and 8 × 8",
                              "follows from its formula", {2.0 * d * 64, 2.0 * d * 64}, {one, eight}, 0));
  }
  p.remark =
      "W_Q and W_K of one head of width 64, or of eight heads of width 8: the same number of parameters, but "
      "eight ways to compare tokens.";
  return p;
}

}  // namespace

std::vector<Preset> attention_presets(base::Parallel& parallel) {
  return {worked_example(parallel),
          one_hot_keys(parallel),
          two_relations(),
          characters(parallel),
          shape_check(parallel),
          anagrams(parallel),
          causal_mask(parallel),
          variance(),
          head_budget()};
}

}  // namespace headlight::scene
