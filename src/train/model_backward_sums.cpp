// The second pass: every matrix sums inputᵀ · gradient over all rows, one tile of the matrix at a time, in
// the order of the rows; norms and positions sum what the tasks of the first pass have stored.
#include <algorithm>

#include "nn/relative.h"
#include "train/model_backward.h"

namespace headlight::nn {

namespace {

using std::size_t;

/// Of this thread: room for the transposed tile.
Matrix& sum_panel() {
  static thread_local Matrix mine;
  return mine;
}

}  // namespace

void list_sums(const ModelConfig& config, const ModelTrace& trace, ModelWeights& g, BackwardWorkspace& work) {
  work.sums.clear();
  const auto add = [&](const Matrix* a, ConstRows b, Matrix& w, Matrix* bias, bool embedding = false) {
    const EqualParts rows(w.rows(), 96), cols(w.cols(), 64);
    for (int i = 0; i < rows.parts; ++i) {
      for (int j = 0; j < w.cols(); j += 64) {
        work.sums.push_back({a, b, &w, i == 0 && bias != nullptr && !bias->empty() ? bias : nullptr,
                             rows.begin(i), rows.begin(i + 1) - rows.begin(i), j, std::min(64, w.cols() - j),
                             embedding});
      }
    }
  };
  const ConstRows d_logits = rows_from(work.d_logits, 0), final = rows_from(trace.last(), 0);
  add(config.tied ? &work.d_logits : nullptr, final, g.wte, nullptr, true);
  if (!config.tied) add(&trace.last(), d_logits, g.w_head, nullptr);
  const int D = config.d_model;
  for (int l = config.layers - 1; l >= 0; --l) {
    BlockWeights& w = g.stack.layers[static_cast<size_t>(l)];
    const ModelTrace::Layer& t = trace.layers[static_cast<size_t>(l)];
    const LayerBack& back = work.layers[static_cast<size_t>(l)];
    if (config.feed_forward) {
      add(&t.activated, rows_from(back.at_2(), 0), w.w_2, &w.b_2);
      add(&trace.ffn_input(l), rows_from(back.d_hidden, 0), w.w_1, &w.b_1);
    }
    add(&t.context, rows_from(back.at_o(), 0), w.attention.w_o, &w.attention.b_o);
    ConstRows d = rows_from(back.d_qkv, 0);
    add(&trace.attention_input(l), d, w.attention.w_q, &w.attention.b_q);
    d.data += D;
    add(&trace.attention_input(l), d, w.attention.w_k, &w.attention.b_k);
    d.data += D;
    add(&trace.attention_input(l), d, w.attention.w_v, &w.attention.b_v);
  }
}

void compute_sum(const Kernels& kernels, const Batch& batch, const BackwardWorkspace& work,
                 const WeightSum& sum) {
  const int depth = sum.a != nullptr ? batch.B * batch.T : 0;
  TransposedJob job{};
  if (sum.a != nullptr) job.a = sum.a->data() + sum.row, job.a_stride = static_cast<size_t>(sum.a->cols());
  job.b = sum.b.data + sum.col, job.b_stride = sum.b.stride;
  job.c = sum.w->row(sum.row).data() + sum.col, job.c_stride = static_cast<size_t>(sum.w->cols());
  job.rows = sum.rows, job.cols = sum.cols, job.depth = depth;
  job.scratch =
      floats(sum_panel(), static_cast<size_t>(transposed_depth) * static_cast<size_t>(kernels.panel));
  kernels.transposed(job);
  if (sum.bias != nullptr) {
    float* to = sum.bias->data() + sum.col;
    std::fill_n(to, sum.cols, 0.0f);
    kernels.column_sums(job.b, job.b_stride, batch.B * batch.T, sum.cols, to);
  }
  if (!sum.embedding) return;
  for (size_t r = 0; r < batch.tokens.size(); ++r) {
    const int token = batch.tokens[r];
    if (token < sum.row || token >= sum.row + sum.rows) continue;
    const float* d = work.d_embedded.row(static_cast<int>(r)).data() + sum.col;
    float* to = sum.w->row(token).data() + sum.col;
    for (int c = 0; c < sum.cols; ++c) to[c] += d[c];
  }
}

void sum_norms(const ModelConfig& config, const BackwardWorkspace& work, ModelWeights& g) {
  const int D = config.d_model;
  const auto sum = [&](int which, Matrix& gamma, Matrix& beta) {
    if (gamma.empty()) return;
    gamma.fill(0), beta.fill(0);
    for (int task = 0; task < work.norms.depth(); ++task) {
      const float* from = work.norms.row(task, which).data();
      for (int c = 0; c < D; ++c) gamma.data()[c] += from[c], beta.data()[c] += from[D + c];
    }
  };
  for (int l = 0; l < config.layers; ++l) {
    BlockWeights& w = g.stack.layers[static_cast<size_t>(l)];
    sum(2 * l, w.ln1_g, w.ln1_b), sum(2 * l + 1, w.ln2_g, w.ln2_b);
  }
  sum(2 * config.layers, g.stack.lnf_g, g.stack.lnf_b);
}

void sum_positions(const ModelConfig& config, const Batch& batch, const BackwardWorkspace& work,
                   ModelWeights& g) {
  if (config.positions == ModelPositions::learned) {
    g.wpe.fill(0);
    for (int r = 0; r < batch.B * batch.T; ++r) {
      const float* d = work.d_embedded.row(r).data();
      float* to = g.wpe.row(r % batch.T).data();
      for (int c = 0; c < config.d_model; ++c) to[c] += d[c];
    }
  }
  if (config.positions != ModelPositions::t5) return;
  g.t5_table.fill(0);
  T5Buckets buckets;
  buckets.bidirectional = !config.causal;
  for (int at = 0; at < 2 * batch.T - 1; ++at) {
    const int bucket = t5_bucket(buckets, at - (batch.T - 1));
    for (int task = 0; task < work.distances.depth(); ++task) {
      for (int head = 0; head < config.heads; ++head) {
        g.t5_table.row(bucket)[static_cast<size_t>(head)] +=
            work.distances.row(task, head)[static_cast<size_t>(at)];
      }
    }
  }
}

}  // namespace headlight::nn
