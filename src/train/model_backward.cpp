// The backward pass through the model takes two passes over the batch. First, every task takes its sequences
// from the logits to the embedding and stores the gradient at every weight matrix's output. The second pass
// is in model_backward_sums.cpp.
#include "train/model_backward.h"

#include <cmath>

#include "kernels/flush.h"

namespace headlight::nn {

namespace {

using std::size_t;

BackwardWorkspace& workspace() {
  static thread_local BackwardWorkspace mine;
  return mine;
}

struct TaskScratch {
  Matrix d_output, d_input, d_context, d_activated, head, scores, dropped;
};

TaskScratch& task_scratch() {
  static thread_local TaskScratch mine;
  return mine;
}

void pack_weights(const Kernels& kernels, const ModelConfig& config, const ModelWeights& weights,
                  base::Parallel& parallel, BackwardWorkspace& work) {
  work.packings.clear();
  const auto add = [&](const Matrix& w, Panels& to) {
    set_shape(kernels, w.cols(), w.rows(), to);
    work.packings.push_back({&w, true, &to, 0});
  };
  const int D = config.d_model;
  for (size_t l = 0; l < weights.stack.layers.size(); ++l) {
    const BlockWeights& w = weights.stack.layers[l];
    LayerBack& to = work.layers[l];
    set_shape(kernels, 3 * D, D, to.qkv);
    work.packings.push_back({&w.attention.w_q, true, &to.qkv, 0});
    work.packings.push_back({&w.attention.w_k, true, &to.qkv, D});
    work.packings.push_back({&w.attention.w_v, true, &to.qkv, 2 * D});
    add(w.attention.w_o, to.o);
    if (config.feed_forward) add(w.w_1, to.w_1), add(w.w_2, to.w_2);
  }
  if (config.tied) {
    set_shape(kernels, config.vocabulary, D, work.head);
    work.packings.push_back({&weights.wte, false, &work.head, 0});
  } else {
    add(weights.w_head, work.head);
  }
  parallel.run(static_cast<int>(work.packings.size()),
               [&](int i) { run(kernels, work.packings[static_cast<size_t>(i)]); });
}

void resize(const ModelConfig& config, const Batch& batch, const SequenceGroups& groups,
            BackwardWorkspace& work) {
  const int rows = batch.B * batch.T, D = config.d_model;
  work.layers.resize(static_cast<size_t>(config.layers));
  for (LayerBack& layer : work.layers) {
    layer.d_qkv.resize(rows, 3 * D);
    layer.d_attention_sum.resize(rows, D), layer.d_ffn_sum.resize(rows, D);
    layer.d_hidden.resize(rows, config.d_ff);
    const int dropped = batch.dropout.rate > 0 ? rows : 0;
    layer.d_attended.resize(dropped, dropped > 0 ? D : 0), layer.d_fed.resize(dropped, dropped > 0 ? D : 0);
  }
  work.d_logits.resize(rows, config.vocabulary);
  work.d_embedded.resize(rows, D);
  work.norms.resize(groups.count, 2 * config.layers + 1, 2 * D);
  if (config.positions == ModelPositions::t5) {
    work.distances.resize(groups.count, config.heads, 2 * batch.T - 1);
  }
}

/// Takes some sequences from the logits back to the embedding.
class BackwardTask {
 public:
  BackwardTask(const ModelConfig& config, const ModelWeights& weights, const Batch& batch,
               const SequenceGroups& groups, int group, const ModelTrace& trace, BackwardWorkspace& work)
      : config_(config),
        weights_(weights),
        batch_(batch),
        trace_(trace),
        work_(work),
        group_(group),
        first_(groups.first(group)),
        end_(groups.end(group)),
        row_(first_ * batch.T),
        rows_((end_ - first_) * batch.T) {
    const int D = config.d_model, most = groups.most_rows();
    scratch_.d_output.resize(most, D), scratch_.d_input.resize(most, D), scratch_.d_context.resize(most, D);
    scratch_.d_activated.resize(most, config.d_ff);
  }

  void run() {
    float* norms = work_.norms.plane(group_);
    std::fill_n(norms, static_cast<size_t>(work_.norms.rows()) * static_cast<size_t>(work_.norms.cols()),
                0.0f);
    if (config_.positions == ModelPositions::t5) {
      std::fill_n(work_.distances.plane(group_),
                  static_cast<size_t>(work_.distances.rows()) * static_cast<size_t>(work_.distances.cols()),
                  0.0f);
    }
    logits();
    const int last = config_.layers - 1;
    const bool normed = config_.norm != NormPlace::none;
    multiply(kernels_, rows_, in(work_.d_logits), work_.head, nullptr, {},
             normed ? mine(scratch_.d_input) : output_gradient(last));
    if (normed) {
      norm(last < 0 ? trace_.embedded : trace_.output(last), trace_.final_norm, weights_.stack.lnf_g,
           2 * config_.layers, mine(scratch_.d_input), {}, output_gradient(last));
    }
    for (int l = last; l >= 0; --l) block(l);
    if (batch_.dropout.rate > 0) drop(0, DropPlace::embedding, work_.d_embedded, work_.d_embedded);
  }

 private:
  ConstRows in(const Matrix& m) const { return rows_from(m, row_); }
  Rows out(Matrix& m) const { return rows_from(m, row_); }
  static Rows mine(Matrix& m) { return rows_from(m, 0); }

  /// Returns where the gradient of a layer's output is stored; −1 is the embedding.
  Rows output_gradient(int l) {
    if (l < 0) return out(work_.d_embedded);
    if (config_.norm == NormPlace::post) return mine(scratch_.d_output);
    LayerBack& layer = work_.layers[static_cast<size_t>(l)];
    return out(config_.feed_forward ? layer.d_ffn_sum : layer.d_attention_sum);
  }

  /// Computes the gradient before dropout from the gradient after it; both may be the same matrix.
  void drop(int l, DropPlace place, const Matrix& behind, Matrix& before) {
    DropoutRows dropout(batch_.dropout, l, place);
    for (int r = row_; r < row_ + rows_; ++r)
      dropout.apply(static_cast<std::uint64_t>(r), behind.row(r).data(), behind.cols(), before.row(r).data());
  }

  /// (softmax − 1 at the target) / number of targets; 0 for rows without a target.
  void logits() {
    const float share = trace_.targets > 0 ? 1.0f / static_cast<float>(trace_.targets) : 0.0f;
    const int V = config_.vocabulary;
    for (int r = row_; r < row_ + rows_; ++r) {
      const int target = batch_.targets[static_cast<size_t>(r)];
      float* d = work_.d_logits.row(r).data();
      if (target == no_target) {
        std::fill_n(d, V, 0.0f);
        continue;
      }
      const float* p = trace_.probabilities.row(r).data();
      for (int c = 0; c < V; ++c) d[c] = p[c] * share;
      d[target] = (p[target] - 1) * share;
    }
  }

  void norm(const Matrix& x, const Matrix& statistics, const Matrix& gamma, int which, ConstRows dy,
            ConstRows add, Rows dx) {
    NormGradient job{};
    job.x = in(x).data, job.gamma = gamma.data();
    job.mean = statistics.row(0).data() + row_, job.inverse = statistics.row(1).data() + row_;
    job.dy = dy.data, job.add = add.data, job.dx = dx.data;
    job.d_gamma = work_.norms.row(group_, which).data();
    job.d_beta = job.d_gamma + config_.d_model;
    job.rows = rows_, job.width = config_.d_model;
    kernels_.norm_gradient(job);
  }

  void block(int l) {
    const BlockWeights& w = weights_.stack.layers[static_cast<size_t>(l)];
    const ModelTrace::Layer& t = trace_.layers[static_cast<size_t>(l)];
    LayerBack& back = work_.layers[static_cast<size_t>(l)];
    const bool pre = config_.norm == NormPlace::pre, post = config_.norm == NormPlace::post;
    const Rows d_attention = out(back.d_attention_sum), d_input = mine(scratch_.d_input);
    if (config_.feed_forward) {
      feed_forward(l);
    } else if (post) {
      norm(t.attention_sum, t.norm1, w.ln1_g, 2 * l, output_gradient(l), {}, d_attention);
    }
    if (batch_.dropout.rate > 0) drop(l, DropPlace::attention_output, back.d_attention_sum, back.d_attended);
    multiply(kernels_, rows_, in(back.at_o()), back.o, nullptr, {}, mine(scratch_.d_context));
    for (int b = first_; b < end_; ++b) attend(b, l, t, back);
    const ConstRows around = config_.residual ? ConstRows(d_attention) : ConstRows();
    if (pre) {
      multiply(kernels_, rows_, out(back.d_qkv), back.qkv, nullptr, {}, d_input);
      norm(trace_.input(l), t.norm1, w.ln1_g, 2 * l, d_input, around, output_gradient(l - 1));
    } else {
      multiply(kernels_, rows_, out(back.d_qkv), back.qkv, nullptr, around, output_gradient(l - 1));
    }
  }

  /// From the output of the layer to the sum after its attention.
  void feed_forward(int l) {
    const BlockWeights& w = weights_.stack.layers[static_cast<size_t>(l)];
    const ModelTrace::Layer& t = trace_.layers[static_cast<size_t>(l)];
    LayerBack& back = work_.layers[static_cast<size_t>(l)];
    const Rows d_sum = out(back.d_ffn_sum), d_attention = out(back.d_attention_sum);
    const Rows d_input = mine(scratch_.d_input);
    if (config_.norm == NormPlace::post)
      norm(t.ffn_sum, t.norm2, w.ln2_g, 2 * l + 1, output_gradient(l), {}, d_sum);
    if (batch_.dropout.rate > 0) drop(l, DropPlace::ffn_output, back.d_ffn_sum, back.d_fed);
    multiply(kernels_, rows_, in(back.at_2()), back.w_2, nullptr, {}, mine(scratch_.d_activated));
    kernels_.activation_gradient(static_cast<int>(config_.activation), in(t.hidden).data,
                                 scratch_.d_activated.data(), out(back.d_hidden).data,
                                 static_cast<size_t>(rows_) * static_cast<size_t>(config_.d_ff));
    const ConstRows around = config_.residual ? ConstRows(d_sum) : ConstRows();
    const Rows to = config_.norm == NormPlace::none ? d_attention : d_input;
    const bool pre = config_.norm == NormPlace::pre;
    multiply(kernels_, rows_, out(back.d_hidden), back.w_1, nullptr, pre ? ConstRows() : around, to);
    if (pre) norm(t.attention_sum, t.norm2, w.ln2_g, 2 * l + 1, d_input, around, d_attention);
    if (config_.norm == NormPlace::post)
      norm(t.attention_sum, t.norm1, w.ln1_g, 2 * l, d_input, {}, d_attention);
  }

  void attend(int b, int l, const ModelTrace::Layer& t, LayerBack& back) {
    const int T = batch_.T, row = b * T, D = config_.d_model, d = D / config_.heads;
    const bool t5 = config_.positions == ModelPositions::t5;
    const size_t stride = static_cast<size_t>(D);
    HeadGradient job{};
    job.T = T, job.S = T, job.d_k_width = d, job.d_v_width = d;
    job.q_stride = job.k_stride = job.v_stride = job.d_context_stride = stride;
    job.d_q_stride = job.d_k_stride = job.d_v_stride = 3 * stride;
    job.allowed = work_.allowed.data();
    job.scale = 1 / std::sqrt(static_cast<float>(d));
    job.scratch = floats(scratch_.head, head_gradient_scratch(kernels_, T, T, d, d));
    if (t5) {
      scratch_.scores.resize(T, T);
      job.d_scores = scratch_.scores.data();
    }
    for (int head = 0; head < config_.heads; ++head) {
      const size_t col = static_cast<size_t>(head) * static_cast<size_t>(d);
      job.q = t.q.row(row).data() + col, job.k = t.k.row(row).data() + col, job.v = t.v.row(row).data() + col;
      job.d_context = scratch_.d_context.row(row - row_).data() + col;
      job.weights = t.weights.plane(b * config_.heads + head);
      job.d_q = back.d_qkv.row(row).data() + col, job.d_k = job.d_q + D, job.d_v = job.d_k + D;
      const bool guided = trace_.goals > 0 && l == batch_.guide.layer && head == batch_.guide.head;
      job.goals = guided ? batch_.goals.data() + row : nullptr;
      job.pull = guided ? static_cast<float>(batch_.guide.weight / trace_.goals) : 0;
      if (batch_.dropout.rate > 0) {
        through_dropout(l, b * config_.heads + head, job);
      } else {
        kernels_.head_gradient(job);
      }
      if (t5) sum_by_distance(head);
    }
    if (config_.positions != ModelPositions::rope) return;
    Rows turned = rows_from(back.d_qkv, row);
    turn(work_.turns, true, config_.heads, T, turned);
    turned.data += D;
    turn(work_.turns, true, config_.heads, T, turned);
  }

  /// The same as head_gradient, for weights with dropout, m = 0 or 1 / (1 − rate):
  ///   dV = (A m)ᵀ dC,  dA = m (dC Vᵀ),  dS = A (dA − Σ A dA), then as without dropout.
  void through_dropout(int l, int plane, const HeadGradient& job) {
    const int T = job.T, d = job.d_k_width;
    DropoutRows dropout(batch_.dropout, l, DropPlace::attention_weights);
    scratch_.dropped.resize(2, T);
    float *kept = scratch_.dropped.row(0).data(), *d_scores = scratch_.dropped.row(1).data();
    const auto at = [](int row, size_t stride) { return static_cast<size_t>(row) * stride; };
    for (int t = 0; t < T; ++t) {
      std::fill_n(job.d_q + at(t, job.d_q_stride), d, 0.0f);
      std::fill_n(job.d_k + at(t, job.d_k_stride), d, 0.0f);
      std::fill_n(job.d_v + at(t, job.d_v_stride), d, 0.0f);
    }
    for (int i = 0; i < T; ++i) {
      const float* weights = job.weights + at(i, static_cast<size_t>(T));
      const float* d_context = job.d_context + at(i, job.d_context_stride);
      const auto row =
          static_cast<std::uint64_t>(plane) * static_cast<std::uint64_t>(T) + static_cast<std::uint64_t>(i);
      std::fill_n(kept, T, 1.0f);
      dropout.apply(row, kept, T, kept);
      float mean = 0;
      for (int j = 0; j < T; ++j) {
        const float* v = job.v + at(j, job.v_stride);
        float* d_v = job.d_v + at(j, job.d_v_stride);
        const float passed = weights[j] * kept[j];
        float d_weight = 0;
        for (int c = 0; c < d; ++c) d_weight += d_context[c] * v[c], d_v[c] += passed * d_context[c];
        d_scores[j] = kept[j] * d_weight;
        mean += weights[j] * d_scores[j];
      }
      const int goal = job.goals != nullptr ? job.goals[i] : -1;
      if (goal >= 0) mean -= job.pull;
      for (int j = 0; j < T; ++j) d_scores[j] = weights[j] * (d_scores[j] - mean);
      if (goal >= 0) d_scores[goal] -= job.pull;
      if (job.d_scores != nullptr) std::copy_n(d_scores, T, job.d_scores + at(i, static_cast<size_t>(T)));
      const float* q = job.q + at(i, job.q_stride);
      float* d_q = job.d_q + at(i, job.d_q_stride);
      for (int j = 0; j < T; ++j) {
        const float s = d_scores[j] * job.scale;
        const float* k = job.k + at(j, job.k_stride);
        float* d_k = job.d_k + at(j, job.d_k_stride);
        for (int c = 0; c < d; ++c) d_q[c] += s * k[c], d_k[c] += s * q[c];
      }
    }
  }

  void sum_by_distance(int head) {
    const int T = batch_.T;
    float* sums = work_.distances.row(group_, head).data();
    for (int i = 0; i < T; ++i) {
      const float* d = scratch_.scores.row(i).data();
      float* to = sums + T - 1 - i;
      for (int j = 0; j < T; ++j) to[j] += d[j];
    }
  }

  const Kernels& kernels_ = kernels();
  const ModelConfig& config_;
  const ModelWeights& weights_;
  const Batch& batch_;
  const ModelTrace& trace_;
  BackwardWorkspace& work_;
  TaskScratch& scratch_ = task_scratch();
  int group_, first_, end_, row_, rows_;
};

/// Gives the gradients the shapes of the config, whatever shapes they had.
void shape_gradients(const ModelConfig& config, const ModelWeights& weights, ModelWeights& g) {
  g.stack.layers.resize(static_cast<size_t>(config.layers));
  const auto like = [](const Matrix& w, Matrix& to) { to.resize(w.empty() ? 0 : w.rows(), w.cols()); };
  like(weights.wte, g.wte), like(weights.wpe, g.wpe), like(weights.t5_table, g.t5_table);
  like(weights.stack.lnf_g, g.stack.lnf_g), like(weights.stack.lnf_b, g.stack.lnf_b);
  like(weights.w_head, g.w_head);
  for (size_t l = 0; l < g.stack.layers.size(); ++l) {
    const BlockWeights& w = weights.stack.layers[l];
    BlockWeights& to = g.stack.layers[l];
    const AttentionWeights& a = w.attention;
    AttentionWeights& b = to.attention;
    like(a.w_q, b.w_q), like(a.w_k, b.w_k), like(a.w_v, b.w_v), like(a.w_o, b.w_o);
    like(a.b_q, b.b_q), like(a.b_k, b.b_k), like(a.b_v, b.b_v), like(a.b_o, b.b_o);
    like(w.w_1, to.w_1), like(w.b_1, to.b_1), like(w.w_2, to.w_2), like(w.b_2, to.b_2);
    like(w.ln1_g, to.ln1_g), like(w.ln1_b, to.ln1_b), like(w.ln2_g, to.ln2_g), like(w.ln2_b, to.ln2_b);
  }
}

}  // namespace

void model_backward(const ModelConfig& config, const ModelWeights& weights, const Batch& batch,
                    const ModelTrace& trace, base::Parallel& parallel, ModelWeights& gradients) {
  check_batch(config, batch);
  HEADLIGHT_CHECK(!batch.targets.empty());
  HEADLIGHT_CHECK(trace.B == batch.B && trace.T == batch.T && !trace.probabilities.empty());
  HEADLIGHT_CHECK_OP(trace.goals, ==, count_goals(batch));
  const Kernels& kernels = headlight::nn::kernels();
  BackwardWorkspace& work = workspace();
  const SequenceGroups groups(batch.B, batch.T);
  resize(config, batch, groups, work);
  shape_gradients(config, weights, gradients);
  pack_weights(kernels, config, weights, parallel, work);
  allowed_ranges(config, batch.T, work.allowed);
  if (config.positions == ModelPositions::rope) {
    prepare(config, batch.T, work.turns);
  }
  parallel.run(groups.count, [&](int group) {
    const FlushSubnormals flush;
    BackwardTask(config, weights, batch, groups, group, trace, work).run();
  });
  list_sums(config, trace, gradients, work);
  const int matrices = static_cast<int>(work.sums.size());
  parallel.run(matrices + 2, [&](int task) {
    const FlushSubnormals flush;
    if (task < matrices) return compute_sum(kernels, batch, work, work.sums[static_cast<size_t>(task)]);
    if (task == matrices) return sum_norms(config, work, gradients);
    sum_positions(config, batch, work, gradients);
  });
}

}  // namespace headlight::nn
