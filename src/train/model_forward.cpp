#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/flush.h"
#include "nn/positional.h"
#include "nn/relative.h"
#include "train/model.h"
#include "train/model_parts.h"

namespace headlight::nn {

namespace {

using std::size_t;

/// Buffers that a thread needs for its task.
struct ForwardScratch {
  Matrix keys, values, block, sums;
};

struct LayerPanels {
  Panels q, k, v, o, w_1, w_2;
};

/// Buffers that the calling thread keeps between batches.
struct ForwardWorkspace {
  std::vector<LayerPanels> layers;
  Panels head;
  std::vector<Packing> packings;
  std::vector<KeyRange> allowed;
  std::vector<double> losses;  // one for each task
  Matrix positions, bias;      // [T, D], [H, T, T]
  Matrix by_distance;          // [H, 2 T − 1], expanded to `bias`
  int alibi_heads = 0;         // number of heads if `bias` holds ALiBi's values; 0: it does not
  PositionalSpec positions_of;
  Turns turns;
};

ForwardWorkspace& forward_workspace() {
  static thread_local ForwardWorkspace mine;
  return mine;
}

ForwardScratch& forward_scratch() {
  static thread_local ForwardScratch mine;
  return mine;
}

void pack_weights(const Kernels& kernels, const ModelConfig& config, const ModelWeights& weights,
                  base::Parallel& parallel, ForwardWorkspace& work) {
  const size_t layers = weights.stack.layers.size();
  work.layers.resize(layers);
  work.packings.clear();
  const auto add = [&](const Matrix& w, bool transposed, Panels& to) {
    set_shape(kernels, transposed ? w.cols() : w.rows(), transposed ? w.rows() : w.cols(), to);
    work.packings.push_back({&w, transposed, &to, 0});
  };
  for (size_t l = 0; l < layers; ++l) {
    const BlockWeights& w = weights.stack.layers[l];
    LayerPanels& to = work.layers[l];
    add(w.attention.w_q, false, to.q), add(w.attention.w_k, false, to.k), add(w.attention.w_v, false, to.v);
    add(w.attention.w_o, false, to.o);
    if (config.feed_forward) add(w.w_1, false, to.w_1), add(w.w_2, false, to.w_2);
  }
  add(config.tied ? weights.wte : weights.w_head, config.tied, work.head);
  parallel.run(static_cast<int>(work.packings.size()),
               [&](int i) { run(kernels, work.packings[static_cast<size_t>(i)]); });
}

/// Runs spread() into the existing buffer.
void spread_again(int T, ForwardWorkspace& work) {
  work.alibi_heads = 0;
  work.bias.resize(work.by_distance.rows(), T, T);
  for (int head = 0; head < work.bias.depth(); ++head) {
    for (int i = 0; i < T; ++i) {
      std::copy_n(work.by_distance.row(head).data() + T - 1 - i, T, work.bias.row(head, i).data());
    }
  }
}

void prepare_positions(const ModelConfig& config, const ModelWeights& weights, int T,
                       base::Parallel& parallel, ForwardWorkspace& work) {
  if (config.positions == ModelPositions::sinusoidal) {
    const PositionalSpec spec{T, config.d_model, config.position_base, 0};
    if (work.positions.empty() || !(work.positions_of == spec)) {
      sinusoidal(spec, parallel, work.positions);
      work.positions_of = spec;
    }
  } else if (config.positions == ModelPositions::rope) {
    prepare(config, T, work.turns);
  } else if (config.positions == ModelPositions::t5) {
    T5Buckets buckets;
    buckets.bidirectional = !config.causal;
    work.by_distance.resize(config.heads, 2 * T - 1);
    for (int at = 0; at < 2 * T - 1; ++at) {
      const int bucket = t5_bucket(buckets, at - (T - 1));
      for (int head = 0; head < config.heads; ++head) {
        work.by_distance.at(head, at) = weights.t5_table.at(bucket, head);
      }
    }
    spread_again(T, work);
  } else if (config.positions == ModelPositions::alibi) {
    if (work.alibi_heads == config.heads && work.bias.rows() == T) return;
    work.by_distance = alibi_bias<float>(config.heads, T, T);
    spread_again(T, work);
    work.alibi_heads = config.heads;
  }
}

void resize_trace(const ModelConfig& config, const Batch& batch, ModelTrace& trace) {
  const int rows = batch.B * batch.T, D = config.d_model;
  const bool pre = config.norm == NormPlace::pre, post = config.norm == NormPlace::post;
  const bool fed = config.feed_forward;
  trace.B = batch.B, trace.T = batch.T;
  trace.layers.resize(static_cast<size_t>(config.layers));
  const auto only = [&](bool wanted, Matrix& m) { m.resize(wanted ? rows : 0, wanted ? D : 0); };
  for (ModelTrace::Layer& layer : trace.layers) {
    only(pre, layer.attention_input), only(post, layer.after_attention);
    only(pre && fed, layer.ffn_input), only(post && fed, layer.output), only(fed, layer.ffn_sum);
    for (Matrix* m : {&layer.q, &layer.k, &layer.v, &layer.context, &layer.attention_sum}) m->resize(rows, D);
    const int inner = fed ? config.d_ff : 0;
    layer.hidden.resize(fed ? rows : 0, inner), layer.activated.resize(fed ? rows : 0, inner);
    layer.weights.resize(batch.B * config.heads, batch.T, batch.T);
    layer.norm1.resize(2, rows), layer.norm2.resize(2, rows);
  }
  trace.embedded.resize(rows, D), trace.final_norm.resize(2, rows);
  only(config.norm != NormPlace::none, trace.final);
  trace.logits.resize(rows, config.vocabulary);
  const bool has_targets = !batch.targets.empty();
  trace.probabilities.resize(has_targets ? rows : 0, has_targets ? config.vocabulary : 0);
}

/// Takes some sequences through the whole model.
class ForwardTask {
 public:
  ForwardTask(const ModelConfig& config, const ModelWeights& weights, const Batch& batch,
              const SequenceGroups& groups, int group, const ForwardWorkspace& work, ModelTrace& trace)
      : config_(config),
        weights_(weights),
        batch_(batch),
        work_(work),
        trace_(trace),
        first_(groups.first(group)),
        end_(groups.end(group)),
        row_(first_ * batch.T),
        rows_((end_ - first_) * batch.T) {}

  double run() {
    embed();
    for (int l = 0; l < config_.layers; ++l) block(l);
    if (config_.norm != NormPlace::none) {
      norm(config_.layers == 0 ? trace_.embedded : trace_.output(config_.layers - 1), weights_.stack.lnf_g,
           weights_.stack.lnf_b, trace_.final_norm, trace_.final);
    }
    multiply(kernels_, rows_, in(trace_.last()), work_.head, nullptr, {}, out(trace_.logits));
    return batch_.targets.empty() ? 0 : loss();
  }

 private:
  ConstRows in(const Matrix& m) const { return rows_from(m, row_); }
  Rows out(Matrix& m) const { return rows_from(m, row_); }

  void embed() {
    const Matrix* positions = nullptr;
    if (config_.positions == ModelPositions::sinusoidal) positions = &work_.positions;
    if (config_.positions == ModelPositions::learned) positions = &weights_.wpe;
    for (int r = row_; r < row_ + rows_; ++r) {
      const float* token = weights_.wte.row(batch_.tokens[static_cast<size_t>(r)]).data();
      const float* position = positions != nullptr ? positions->row(r % batch_.T).data() : nullptr;
      float* x = trace_.embedded.row(r).data();
      for (int c = 0; c < config_.d_model; ++c) x[c] = token[c] + (position != nullptr ? position[c] : 0.0f);
    }
    if (batch_.dropout.rate > 0) drop(0, DropPlace::embedding, nullptr, trace_.embedded);
  }

  /// Applies dropout to the rows of y, then adds `stream` unless it is null.
  void drop(int l, DropPlace place, const Matrix* stream, Matrix& y) {
    DropoutRows dropout(batch_.dropout, l, place);
    for (int r = row_; r < row_ + rows_; ++r) {
      float* to = y.row(r).data();
      dropout.apply(static_cast<std::uint64_t>(r), to, y.cols(), to);
      if (stream == nullptr) continue;
      const float* from = stream->row(r).data();
      for (int c = 0; c < y.cols(); ++c) to[c] += from[c];
    }
  }

  /// sum = dropout(x · w + bias) + the residual stream.
  void sublayer(int l, DropPlace place, const Matrix& x, const Panels& w, const Matrix& bias,
                const Matrix& stream, Matrix& sum) {
    const bool drops = batch_.dropout.rate > 0;
    multiply(kernels_, rows_, in(x), w, &bias, config_.residual && !drops ? in(stream) : ConstRows(),
             out(sum));
    if (drops) drop(l, place, config_.residual ? &stream : nullptr, sum);
  }

  void norm(const Matrix& x, const Matrix& gamma, const Matrix& beta, Matrix& statistics, Matrix& y) {
    NormJob job{};
    job.x = in(x).data, job.y = out(y).data;
    job.gamma = gamma.data(), job.beta = beta.data();
    job.mean = statistics.row(0).data() + row_, job.inverse = statistics.row(1).data() + row_;
    job.eps = static_cast<float>(config_.eps);
    job.rows = rows_, job.width = config_.d_model;
    kernels_.norm(job);
  }

  void block(int l) {
    const BlockWeights& w = weights_.stack.layers[static_cast<size_t>(l)];
    const LayerPanels& panels = work_.layers[static_cast<size_t>(l)];
    ModelTrace::Layer& t = trace_.layers[static_cast<size_t>(l)];
    const bool pre = config_.norm == NormPlace::pre, post = config_.norm == NormPlace::post;
    const Matrix& input = trace_.input(l);
    if (pre) norm(input, w.ln1_g, w.ln1_b, t.norm1, t.attention_input);
    const ConstRows x = in(trace_.attention_input(l));
    multiply(kernels_, rows_, x, panels.q, &w.attention.b_q, {}, out(t.q));
    multiply(kernels_, rows_, x, panels.k, &w.attention.b_k, {}, out(t.k));
    multiply(kernels_, rows_, x, panels.v, &w.attention.b_v, {}, out(t.v));
    for (int b = first_; b < end_; ++b) attend(b, l, t);
    sublayer(l, DropPlace::attention_output, t.context, panels.o, w.attention.b_o, input, t.attention_sum);
    if (post) norm(t.attention_sum, w.ln1_g, w.ln1_b, t.norm1, t.after_attention);
    if (!config_.feed_forward) return;
    if (pre) norm(t.attention_sum, w.ln2_g, w.ln2_b, t.norm2, t.ffn_input);
    multiply(kernels_, rows_, in(trace_.ffn_input(l)), panels.w_1, &w.b_1, {}, out(t.hidden));
    kernels_.activate(static_cast<int>(config_.activation), in(t.hidden).data, out(t.activated).data,
                      static_cast<size_t>(rows_) * static_cast<size_t>(config_.d_ff));
    sublayer(l, DropPlace::ffn_output, t.activated, panels.w_2, w.b_2, trace_.after_attention(l), t.ffn_sum);
    if (post) norm(t.ffn_sum, w.ln2_g, w.ln2_b, t.norm2, t.output);
  }

  void attend(int b, int l, ModelTrace::Layer& t) {
    const int T = batch_.T, row = b * T, d = config_.d_model / config_.heads;
    if (config_.positions == ModelPositions::rope) {
      turn(work_.turns, false, config_.heads, T, rows_from(t.q, row));
      turn(work_.turns, false, config_.heads, T, rows_from(t.k, row));
    }
    ForwardScratch& scratch = forward_scratch();
    float* keys = floats(scratch.keys, packed_size(kernels_, d, T));
    float* values = floats(scratch.values, packed_size(kernels_, T, d));
    float* sums = floats(scratch.sums, 2 * max_block_rows);
    const size_t stride = static_cast<size_t>(config_.d_model);
    const EqualParts parts(T, max_block_rows);
    AttentionBlock block{};
    block.S = T, block.d_k = d, block.d_v = d;
    block.q_stride = stride, block.context_stride = stride;
    block.keys = keys, block.values = values;
    block.row_max = sums, block.row_sum = sums + max_block_rows;
    block.scratch = floats(scratch.block, attention_scratch(kernels_, std::min(T, max_block_rows), T, d));
    block.scale = 1 / std::sqrt(static_cast<float>(d));
    for (int head = 0; head < config_.heads; ++head) {
      const int col = head * d;
      kernels_.pack_transposed(t.k.row(row).data() + col, stride, d, T, keys);
      kernels_.pack(t.v.row(row).data() + col, stride, T, d, values);
      for (int i = 0; i < parts.parts; ++i) {
        const int query = parts.begin(i);
        block.rows = parts.begin(i + 1) - query;
        block.q = t.q.row(row + query).data() + col;
        block.allowed = work_.allowed.data() + query;
        const bool biased =
            config_.positions == ModelPositions::t5 || config_.positions == ModelPositions::alibi;
        block.add = biased ? work_.bias.row(head, query).data() : nullptr;
        block.weights = t.weights.row(b * config_.heads + head, query).data();
        block.context = t.context.row(row + query).data() + col;
        kernels_.attention(block);
      }
      if (batch_.dropout.rate > 0) drop_weights(b, l, head, t);
    }
  }

  /// Recomputes the context of one head from its weights after dropout.
  void drop_weights(int b, int l, int head, ModelTrace::Layer& t) {
    const int T = batch_.T, d = config_.d_model / config_.heads, plane = b * config_.heads + head;
    DropoutRows dropout(batch_.dropout, l, DropPlace::attention_weights);
    float* kept = floats(forward_scratch().block, static_cast<size_t>(T));
    for (int i = 0; i < T; ++i) {
      dropout.apply(
          static_cast<std::uint64_t>(plane) * static_cast<std::uint64_t>(T) + static_cast<std::uint64_t>(i),
          t.weights.row(plane, i).data(), T, kept);
      float* context = t.context.row(b * T + i).data() + head * d;
      std::fill_n(context, d, 0.0f);
      for (int j = 0; j < T; ++j) {
        const float* value = t.v.row(b * T + j).data() + head * d;
        if (kept[j] == 0) continue;
        for (int c = 0; c < d; ++c) context[c] += kept[j] * value[c];
      }
    }
  }

  /// Returns Σ −log softmax(logits)[target] over the rows with a target, and stores their probabilities.
  double loss() {
    double sum = 0;
    for (int r = row_; r < row_ + rows_; ++r) {
      const int target = batch_.targets[static_cast<size_t>(r)];
      if (target == no_target) continue;
      const float* logits = trace_.logits.row(r).data();
      const SoftmaxSum all = kernels_.softmax(logits, trace_.probabilities.row(r).data(), config_.vocabulary);
      sum += std::log(static_cast<double>(all.sum)) +
             (static_cast<double>(all.max) - static_cast<double>(logits[target]));
    }
    return sum;
  }

  const Kernels& kernels_ = kernels();
  const ModelConfig& config_;
  const ModelWeights& weights_;
  const Batch& batch_;
  const ForwardWorkspace& work_;
  ModelTrace& trace_;
  int first_, end_;  // sequences
  int row_, rows_;
};

/// Mean −log of the guided head's weights on the goals. A weight below the smallest normal float32 number
/// counts as that number.
double guide_loss(const ModelConfig& config, const Batch& batch, const ModelTrace& trace) {
  const Matrix& weights = trace.layers[static_cast<size_t>(batch.guide.layer)].weights;
  double sum = 0;
  for (int b = 0; b < batch.B; ++b) {
    for (int t = 0; t < batch.T; ++t) {
      const int goal = batch.goals[static_cast<size_t>(b * batch.T + t)];
      if (goal < 0) continue;
      const float weight = weights.at(b * config.heads + batch.guide.head, t, goal);
      sum -= std::log(static_cast<double>(std::max(weight, std::numeric_limits<float>::min())));
    }
  }
  return trace.goals > 0 ? sum / trace.goals : 0;
}

}  // namespace

void model_forward(const ModelConfig& config, const ModelWeights& weights, const Batch& batch,
                   base::Parallel& parallel, ModelTrace& trace) {
  check_batch(config, batch);
  HEADLIGHT_CHECK_OP(static_cast<int>(weights.stack.layers.size()), ==, config.layers);
  ForwardWorkspace& work = forward_workspace();
  resize_trace(config, batch, trace);
  pack_weights(kernels(), config, weights, parallel, work);
  prepare_positions(config, weights, batch.T, parallel, work);
  allowed_ranges(config, batch.T, work.allowed);
  const SequenceGroups groups(batch.B, batch.T);
  work.losses.assign(static_cast<size_t>(groups.count), 0);
  parallel.run(groups.count, [&](int group) {
    const FlushSubnormals flush;
    work.losses[static_cast<size_t>(group)] =
        ForwardTask(config, weights, batch, groups, group, work, trace).run();
  });
  trace.targets = 0;
  for (int target : batch.targets) trace.targets += target != no_target ? 1 : 0;
  double sum = 0;
  for (double loss : work.losses) sum += loss;
  trace.loss = trace.targets > 0 ? sum / trace.targets : 0;
  trace.goals = count_goals(batch);
  trace.guide_loss = trace.goals > 0 ? guide_loss(config, batch, trace) : 0;
}

}  // namespace headlight::nn
