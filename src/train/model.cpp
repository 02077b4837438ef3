#include "train/model.h"

#include <algorithm>
#include <cmath>

#include "nn/positional.h"
#include "nn/random.h"
#include "nn/relative.h"
#include "train/model_parts.h"

namespace headlight::nn {

using std::size_t;

void prepare(const ModelConfig& config, int T, Turns& turns) {
  const int d = config.d_model / config.heads;
  const double base = config.position_base;
  turns.pairs = config.rope_pairs;  // the angles are the same for both
  if (turns.T >= T && turns.d == d && turns.base == base) return;
  const int pairs = d / 2;
  turns.T = T, turns.d = d, turns.base = base;
  turns.cosines.resize(T, pairs), turns.sines.resize(T, pairs);
  const std::vector<double> omega = frequencies(std::max(1, 2 * pairs), base);
  for (int t = 0; t < T; ++t) {
    for (int j = 0; j < pairs; ++j) {
      const Rotation r = rotation(t, omega[static_cast<size_t>(j)]);
      turns.cosines.row(t)[static_cast<size_t>(j)] = static_cast<float>(r[0][0]);
      turns.sines.row(t)[static_cast<size_t>(j)] = static_cast<float>(r[0][1]);
    }
  }
}

void turn(const Turns& turns, bool back, int heads, int T, Rows x) {
  const int pairs = turns.d / 2;
  const bool half = turns.pairs == RopePairs::half;
  const int step = half ? 1 : 2, across = half ? pairs : 1;
  for (int t = 0; t < T; ++t) {
    const float* cosine = turns.cosines.row(t).data();
    const float* sine = turns.sines.row(t).data();
    for (int head = 0; head < heads; ++head) {
      float* a = x.data + static_cast<size_t>(t) * x.stride + head * turns.d;
      for (int j = 0; j < pairs; ++j, a += step) {
        const float s = back ? -sine[j] : sine[j], first = a[0], second = a[across];
        a[0] = first * cosine[j] - second * s;
        a[across] = first * s + second * cosine[j];
      }
    }
  }
}

void allowed_ranges(const ModelConfig& config, int T, std::vector<KeyRange>& ranges) {
  ranges.resize(static_cast<size_t>(T));
  for (int i = 0; i < T; ++i) ranges[static_cast<size_t>(i)] = {0, config.causal ? i + 1 : T};
}

void check_batch(const ModelConfig& config, const Batch& batch) {
  HEADLIGHT_CHECK(batch.B >= 1 && batch.T >= 1);
  const size_t rows = static_cast<size_t>(batch.B) * static_cast<size_t>(batch.T);
  HEADLIGHT_CHECK_OP(batch.tokens.size(), ==, rows);
  HEADLIGHT_CHECK(batch.targets.empty() || batch.targets.size() == rows);
  if (config.positions == ModelPositions::learned) HEADLIGHT_CHECK_OP(batch.T, <=, config.context);
  HEADLIGHT_CHECK_OP(config.d_model % config.heads, ==, 0);
  const auto known = [&](int token) { return token >= 0 && token < config.vocabulary; };
  for (int token : batch.tokens) HEADLIGHT_CHECK(known(token));
  for (int target : batch.targets) HEADLIGHT_CHECK(target == no_target || known(target));
  HEADLIGHT_CHECK(batch.dropout.rate >= 0 && batch.dropout.rate < 1);
  if (!batch.guided()) return;
  HEADLIGHT_CHECK_OP(batch.goals.size(), ==, rows);
  HEADLIGHT_CHECK(batch.guide.layer >= 0 && batch.guide.layer < config.layers);
  HEADLIGHT_CHECK(batch.guide.head >= 0 && batch.guide.head < config.heads);
  for (size_t r = 0; r < rows; ++r) {
    const int last = config.causal ? static_cast<int>(r) % batch.T : batch.T - 1;
    HEADLIGHT_CHECK(batch.goals[r] >= -1 && batch.goals[r] <= last);
  }
}

int count_goals(const Batch& batch) {
  if (!batch.guided()) return 0;
  return static_cast<int>(
      std::count_if(batch.goals.begin(), batch.goals.end(), [](int goal) { return goal >= 0; }));
}

std::size_t parameters(const ModelConfig& config) {
  size_t count = 0;
  for (const TensorShape& shape : tensor_shapes(config))
    count += static_cast<size_t>(shape.rows) * static_cast<size_t>(shape.cols);
  return count;
}

std::vector<TensorShape> tensor_shapes(const ModelConfig& config) {
  const int D = config.d_model, inner = config.d_ff;
  const bool normed = config.norm != NormPlace::none;
  std::vector<TensorShape> shapes;
  const auto add = [&](std::string name, int rows, int cols) {
    if (rows > 0 && cols > 0) shapes.push_back({std::move(name), rows, cols});
  };
  add("wte", config.vocabulary, D);
  if (config.positions == ModelPositions::learned) add("wpe", config.context, D);
  if (config.positions == ModelPositions::t5) add("t5_table", T5Buckets{}.count, config.heads);
  for (int l = 0; l < config.layers; ++l) {
    const auto in_layer = [&](const char* name, int rows, int cols) {
      add("layer" + std::to_string(l) + '_' + name, rows, cols);
    };
    for (const char* name : {"w_q", "w_k", "w_v", "w_o"}) in_layer(name, D, D);
    if (config.attention_bias) {
      for (const char* name : {"b_q", "b_k", "b_v", "b_o"}) in_layer(name, 1, D);
    }
    if (config.feed_forward) {
      in_layer("w_1", D, inner), in_layer("b_1", 1, inner);
      in_layer("w_2", inner, D), in_layer("b_2", 1, D);
    }
    if (!normed) continue;
    for (const char* name : {"ln1_g", "ln1_b"}) in_layer(name, 1, D);
    for (const char* name : {"ln2_g", "ln2_b"}) in_layer(name, config.feed_forward ? 1 : 0, D);
  }
  add("lnf_g", normed ? 1 : 0, D), add("lnf_b", normed ? 1 : 0, D);
  if (!config.tied) add("w_head", D, config.vocabulary);
  return shapes;
}

namespace {

/// Empties the tensors of parts that the model does not have.
void leave_out(const ModelConfig& config, ModelWeights& w) {
  const bool normed = config.norm != NormPlace::none;
  for (BlockWeights& layer : w.stack.layers) {
    if (!config.feed_forward) layer.w_1 = layer.b_1 = layer.w_2 = layer.b_2 = Matrix();
    if (!normed) layer.ln1_g = layer.ln1_b = Matrix();
    if (!normed || !config.feed_forward) layer.ln2_g = layer.ln2_b = Matrix();
  }
  if (!normed) w.stack.lnf_g = w.stack.lnf_b = Matrix();
}

}  // namespace

ModelWeights random_model(const ModelConfig& config, std::uint64_t seed) {
  HEADLIGHT_CHECK(config.vocabulary >= 1 && config.context >= 1 && config.heads >= 1);
  HEADLIGHT_CHECK_OP(config.d_model % config.heads, ==, 0);
  constexpr std::uint64_t first_stream = std::uint64_t(1) << 32;  // after the streams of the layers
  ModelWeights w;
  // GPT-2's 0.02 is meant for a width of 768; a narrow model that starts with such small weights makes no
  // progress for many steps.
  const float wider = std::sqrt(768.0f / static_cast<float>(config.d_model));
  const auto draw = [&](std::uint64_t stream, int rows, int cols, float deviation) {
    Matrix m(rows, cols);
    const Random random(seed, first_stream + stream);
    for (int r = 0; r < rows; ++r) {
      random.normals(static_cast<std::uint64_t>(r) << 32, m.row(r));
      for (float& value : m.row(r)) value *= deviation;
    }
    return m;
  };
  // Next to sines and cosines of size 1, small embeddings would hardly matter; a tied head could not use
  // large ones.
  const bool beside_sines = config.positions == ModelPositions::sinusoidal && !config.tied;
  w.wte = draw(1, config.vocabulary, config.d_model, beside_sines ? 0.5f : 0.02f * wider);
  if (config.positions == ModelPositions::learned)
    w.wpe = draw(2, config.context, config.d_model, 0.02f * wider);
  if (config.positions == ModelPositions::t5) w.t5_table = draw(3, T5Buckets{}.count, config.heads, 0.02f);
  w.stack =
      random_stack_weights(config.layers, config.d_model, config.d_ff, BlockInit::normal_0_02, true, seed);
  for (BlockWeights& layer : w.stack.layers) {
    AttentionWeights& a = layer.attention;
    for (Matrix* m : {&a.w_q, &a.w_k, &a.w_v, &a.w_o, &layer.w_1, &layer.w_2}) {
      for (float& value : m->values()) value *= wider;
    }
  }
  if (!config.attention_bias) {
    for (BlockWeights& layer : w.stack.layers) {
      AttentionWeights& a = layer.attention;
      a.b_q = a.b_k = a.b_v = a.b_o = Matrix();
    }
  }
  leave_out(config, w);
  if (!config.tied) w.w_head = draw(4, config.d_model, config.vocabulary, 0.02f * wider);
  return w;
}

ModelWeights zero_model(const ModelConfig& config) {
  HEADLIGHT_CHECK_OP(config.layers, >=, 0);
  const int D = config.d_model;
  ModelWeights w;
  w.wte = Matrix(config.vocabulary, D);
  if (config.positions == ModelPositions::learned) w.wpe = Matrix(config.context, D);
  if (config.positions == ModelPositions::t5) w.t5_table = Matrix(T5Buckets{}.count, config.heads);
  for (int l = 0; l < config.layers; ++l) {
    BlockWeights& layer = w.stack.layers.emplace_back();
    AttentionWeights& a = layer.attention;
    a.w_q = a.w_k = a.w_v = a.w_o = Matrix(D, D);
    if (config.attention_bias) a.b_q = a.b_k = a.b_v = a.b_o = Matrix(1, D);
    layer.w_1 = Matrix(D, config.d_ff), layer.b_1 = Matrix(1, config.d_ff);
    layer.w_2 = Matrix(config.d_ff, D), layer.b_2 = Matrix(1, D);
    layer.ln1_g = layer.ln1_b = layer.ln2_g = layer.ln2_b = Matrix(1, D);
  }
  w.stack.lnf_g = w.stack.lnf_b = Matrix(1, D);
  if (!config.tied) w.w_head = Matrix(D, config.vocabulary);
  leave_out(config, w);
  return w;
}

}  // namespace headlight::nn
