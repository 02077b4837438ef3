#include "support/reference_model.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "nn/positional.h"
#include "nn/reference_variants.h"

namespace headlight::nn {

namespace {

using std::size_t;

MatrixF64 project(const MatrixF64& x, const MatrixF64& w, const MatrixF64& b) {
  MatrixF64 y(x.rows(), w.cols());
  for (int t = 0; t < x.rows(); ++t) {
    for (int i = 0; i < x.cols(); ++i) {
      for (int o = 0; o < w.cols(); ++o) y.at(t, o) += x.at(t, i) * w.at(i, o);
    }
    for (int o = 0; !b.empty() && o < w.cols(); ++o) y.at(t, o) += b.at(0, o);
  }
  return y;
}

MatrixF64 normalized(const MatrixF64& x, const MatrixF64& gamma, const MatrixF64& beta, double eps) {
  MatrixF64 y(x.rows(), x.cols());
  for (int t = 0; t < x.rows(); ++t) {
    double mean = 0, variance = 0;
    for (double value : x.row(t)) mean += value / x.cols();
    for (double value : x.row(t)) variance += (value - mean) * (value - mean) / x.cols();
    for (int c = 0; c < x.cols(); ++c) {
      y.at(t, c) = (x.at(t, c) - mean) / std::sqrt(variance + eps) * gamma.at(0, c) + beta.at(0, c);
    }
  }
  return y;
}

MatrixF64 sum_of(const MatrixF64& a, const MatrixF64& b) {
  MatrixF64 sum = a;
  for (size_t i = 0; i < sum.size(); ++i) sum.data()[i] += b.data()[i];
  return sum;
}

MatrixF64 transposed(const MatrixF64& m) {
  MatrixF64 out(m.cols(), m.rows());
  for (int r = 0; r < m.rows(); ++r) {
    for (int c = 0; c < m.cols(); ++c) out.at(c, r) = m.at(r, c);
  }
  return out;
}

/// The forward and backward pass of one sequence.
class Sequence {
 public:
  Sequence(const ModelConfig& config, const ModelWeightsF64& weights, std::vector<int> tokens, int place,
           const Dropout& dropout, base::Parallel& threads)
      : config_(config),
        w_(weights),
        place_(place),
        dropout_(dropout),
        tokens_(std::move(tokens)),
        T_(static_cast<int>(tokens_.size())),
        threads_(threads) {
    options_.attention.heads = config.heads;
    options_.attention.mask.causal = config.causal;
    options_.norm = config.norm, options_.activation = config.activation, options_.eps = config.eps;
    options_.residual = config.residual, options_.feed_forward = config.feed_forward;
    if (config.positions == ModelPositions::rope) {
      RopeSpec& rope = options_.attention.rope.emplace();
      rope.pairs = config.rope_pairs, rope.base = config.position_base;
    }
    buckets_.bidirectional = !config.causal;
  }

  MatrixF64 forward() {
    MatrixF64 x = embedded();
    const MatrixF64 bias = score_bias();
    traces_.resize(w_.layers.size());
    for (size_t l = 0; l < traces_.size(); ++l) {
      block(x, static_cast<int>(l), bias.empty() ? nullptr : &bias, traces_[l]);
      x = traces_[l].output;
    }
    before_norm_ = x;
    final_ = config_.norm == NormPlace::none ? x : normalized(x, w_.lnf_g, w_.lnf_b, config_.eps);
    return project(final_, config_.tied ? transposed(w_.wte) : w_.w_head, {});
  }

  /// Returns Σ −log A[q, goal] of the guided head.
  double guide_loss(const Guide& guide, std::span<const int> goals) const {
    double sum = 0;
    for (int t = 0; t < T_; ++t) {
      const int goal = goals[static_cast<size_t>(t)];
      if (goal >= 0) sum -= std::log(weights_of(guide).at(guide.head, t, goal));
    }
    return sum;
  }

  /// Computes d (share · Σ −log A[q, goal]) / d A for the guided layer.
  void follow(const Guide& guide, std::span<const int> goals, double share) {
    const MatrixF64& a = weights_of(guide);
    guided_layer_ = guide.layer;
    d_weights_ = MatrixF64(a.depth(), T_, T_);
    for (int t = 0; t < T_; ++t) {
      const int goal = goals[static_cast<size_t>(t)];
      if (goal >= 0) d_weights_.at(guide.head, t, goal) = -share / a.at(guide.head, t, goal);
    }
  }

  /// Adds to the gradients.
  void backward(const MatrixF64& d_logits, ModelWeightsF64& g) {
    MatrixF64 d_final, d_head, dx, d_gamma, d_beta;
    linear_backward<double>(final_, config_.tied ? transposed(w_.wte) : w_.w_head, d_logits, threads_,
                            &d_final, d_head, nullptr);
    if (config_.tied) {
      add(transposed(d_head), g.wte);
    } else {
      add(d_head, g.w_head);
    }
    if (config_.norm == NormPlace::none) {
      dx = d_final;
    } else {
      layer_norm_backward(before_norm_, w_.lnf_g, config_.eps, d_final, dx, d_gamma, d_beta);
      add(d_gamma, g.lnf_g), add(d_beta, g.lnf_b);
    }
    for (size_t l = traces_.size(); l-- > 0;) {
      BlockGradients<double> block;
      block_backward(w_.layers[l], options_, traces_[l], dx, threads_, block,
                     static_cast<int>(l) == guided_layer_ ? &d_weights_ : nullptr);
      std::vector<const MatrixF64*> from;
      tensors(std::as_const(block.weights), [&](const char*, const MatrixF64& m) { from.push_back(&m); });
      size_t n = 0;
      tensors(g.layers[l], [&](const char*, MatrixF64& m) { add(*from[n++], m); });
      if (config_.positions == ModelPositions::t5) {
        MatrixF64 d_table;
        t5_bias_backward(buckets_, block.scores, 0, d_table);
        add(d_table, g.t5_table);
      }
      dx = block.x;
    }
    dx = times(dx, kept(0, DropPlace::embedding, place_ * T_, T_, dx.cols()));
    MatrixF64 d_table(w_.wte.rows(), w_.wte.cols());
    embedding_backward(tokens_, dx, d_table);
    add(d_table, g.wte);
    for (int t = 0; config_.positions == ModelPositions::learned && t < T_; ++t) {
      for (int c = 0; c < dx.cols(); ++c) g.wpe.at(t, c) += dx.at(t, c);
    }
  }

 private:
  const MatrixF64& weights_of(const Guide& guide) const {
    return traces_[static_cast<size_t>(guide.layer)].attention.weights;
  }

  static void add(const MatrixF64& more, MatrixF64& sum) {
    HEADLIGHT_CHECK_OP(more.size(), ==, sum.size());
    for (size_t i = 0; i < sum.size(); ++i) sum.data()[i] += more.data()[i];
  }

  MatrixF64 embedded() const {
    MatrixF64 x(T_, config_.d_model);
    MatrixF64 positions = w_.wpe;
    if (config_.positions == ModelPositions::sinusoidal) {
      positions = sinusoidal_f64({T_, config_.d_model, config_.position_base, 0});
    }
    for (int t = 0; t < T_; ++t) {
      for (int c = 0; c < config_.d_model; ++c) {
        x.at(t, c) =
            w_.wte.at(tokens_[static_cast<size_t>(t)], c) + (positions.empty() ? 0 : positions.at(t, c));
      }
    }
    return times(x, kept(0, DropPlace::embedding, place_ * T_, T_, config_.d_model));
  }

  MatrixF64 score_bias() const {
    if (config_.positions == ModelPositions::alibi) {
      return spread(alibi_bias<double>(config_.heads, T_, T_), T_, T_);
    }
    if (config_.positions != ModelPositions::t5) return {};
    MatrixF64 bias(config_.heads, T_, T_);
    for (int head = 0; head < config_.heads; ++head) {
      for (int i = 0; i < T_; ++i) {
        for (int j = 0; j < T_; ++j) bias.at(head, i, j) = w_.t5_table.at(t5_bucket(buckets_, j - i), head);
      }
    }
    return bias;
  }

  void attend(const MatrixF64& x, int layer, const MatrixF64* bias, AttentionTraceF64& trace) {
    const AttentionWeightsF64& w = w_.layers[static_cast<size_t>(layer)].attention;
    MatrixF64 q = project(x, w.w_q, w.b_q), k = project(x, w.w_k, w.b_k);
    const std::optional<RopeSpec>& rope = options_.attention.rope;
    if (rope) rotate(*rope, config_.heads, q), rotate(*rope, config_.heads, k);
    trace = attention_from_qkv_f64(q, k, project(x, w.w_v, w.b_v), options_.attention, bias);
    drop_weights(layer, trace);
    trace.output = project(trace.context, w.w_o, w.b_o);
  }

  /// Returns the dropout factors of some rows of this sequence: 0 or 1 / (1 − rate). Empty without dropout.
  MatrixF64 kept(int layer, DropPlace place, int first, int rows, int cols) const {
    if (dropout_.rate == 0) return {};
    MatrixF64 out(rows, cols);
    out.fill(1);
    DropoutRows dropout(dropout_, layer, place);
    for (int r = 0; r < rows; ++r)
      dropout.apply(static_cast<std::uint64_t>(first + r), out.row(r).data(), cols, out.row(r).data());
    return out;
  }

  static MatrixF64 times(const MatrixF64& x, const MatrixF64& factors) {
    MatrixF64 out = x;
    for (size_t i = 0; i < factors.size(); ++i) out.data()[i] *= factors.data()[i];
    return out;
  }

  /// Recomputes the context from the weights after dropout.
  void drop_weights(int layer, AttentionTraceF64& t) const {
    const int H = config_.heads, d = config_.d_model / H;
    const MatrixF64 flat = kept(layer, DropPlace::attention_weights, place_ * H * T_, H * T_, T_);
    if (flat.empty()) return;
    t.kept = MatrixF64(H, T_, T_);
    std::copy_n(flat.data(), flat.size(), t.kept.data());
    t.context.fill(0);
    for (int head = 0; head < H; ++head) {
      for (int i = 0; i < T_; ++i) {
        for (int j = 0; j < T_; ++j) {
          const double weight = t.weights.at(head, i, j) * t.kept.at(head, i, j);
          for (int c = head * d; c < (head + 1) * d; ++c) t.context.at(i, c) += weight * t.v.at(j, c);
        }
      }
    }
  }

  void block(const MatrixF64& x, int layer, const MatrixF64* bias, BlockTrace<double>& t) {
    const BlockWeightsF64& w = w_.layers[static_cast<size_t>(layer)];
    const auto norm = [&](NormPlace place, const MatrixF64& from, const MatrixF64& gamma,
                          const MatrixF64& beta) {
      return config_.norm == place ? normalized(from, gamma, beta, config_.eps) : from;
    };
    const auto join = [&](const MatrixF64& stream, const MatrixF64& more) {
      return config_.residual ? sum_of(stream, more) : more;
    };
    const int D = x.cols();
    t.input = x;
    t.attention_input = norm(NormPlace::pre, x, w.ln1_g, w.ln1_b);
    attend(t.attention_input, layer, bias, t.attention);
    t.kept_attention = kept(layer, DropPlace::attention_output, place_ * T_, T_, D);
    t.attention_sum = join(x, times(t.attention.output, t.kept_attention));
    t.after_attention = norm(NormPlace::post, t.attention_sum, w.ln1_g, w.ln1_b);
    t.output = t.after_attention;
    if (!config_.feed_forward) return;
    t.ffn_input = norm(NormPlace::pre, t.after_attention, w.ln2_g, w.ln2_b);
    t.hidden = project(t.ffn_input, w.w_1, w.b_1);
    activate(config_.activation, t.hidden, threads_, t.activated);
    t.kept_ffn = kept(layer, DropPlace::ffn_output, place_ * T_, T_, D);
    t.ffn_sum = join(t.after_attention, times(project(t.activated, w.w_2, w.b_2), t.kept_ffn));
    t.output = norm(NormPlace::post, t.ffn_sum, w.ln2_g, w.ln2_b);
  }

  const ModelConfig& config_;
  const ModelWeightsF64& w_;
  int place_;  // index of the sequence in its batch
  const Dropout& dropout_;
  std::vector<int> tokens_;
  int T_;
  BlockOptions options_;
  T5Buckets buckets_;
  base::Parallel& threads_;
  std::vector<BlockTrace<double>> traces_;
  MatrixF64 before_norm_, final_;
  MatrixF64 d_weights_;  // [H, T, T] for the guided layer
  int guided_layer_ = -1;
};

}  // namespace

ModelWeightsF64 widened(const ModelWeights& weights) {
  ModelWeightsF64 wide;
  wide.wte = widened(weights.wte), wide.wpe = widened(weights.wpe);
  wide.t5_table = widened(weights.t5_table);
  for (const BlockWeights& layer : weights.stack.layers) wide.layers.push_back(widened(layer));
  wide.lnf_g = widened(weights.stack.lnf_g), wide.lnf_b = widened(weights.stack.lnf_b);
  wide.w_head = widened(weights.w_head);
  return wide;
}

double model_f64(const ModelConfig& config, const ModelWeightsF64& weights, const Batch& batch,
                 MatrixF64* logits, ModelWeightsF64* gradients) {
  base::Parallel alone(1);
  std::vector<Sequence> sequences;
  sequences.reserve(static_cast<size_t>(batch.B));
  MatrixF64 all(batch.B * batch.T, config.vocabulary), d_logits;
  const size_t size = static_cast<size_t>(batch.T) * static_cast<size_t>(config.vocabulary);
  for (int b = 0; b < batch.B; ++b) {
    const auto first = batch.tokens.begin() + b * batch.T;
    sequences.emplace_back(config, weights, std::vector<int>(first, first + batch.T), b, batch.dropout,
                           alone);
    const MatrixF64 mine = sequences.back().forward();
    std::copy_n(mine.data(), size, all.row(b * batch.T).data());
  }
  double loss = batch.targets.empty() ? 0 : cross_entropy(all, batch.targets, d_logits);
  if (const auto goals = static_cast<double>(
          std::count_if(batch.goals.begin(), batch.goals.end(), [](int goal) { return goal >= 0; }));
      batch.guided() && goals > 0) {
    const double share = batch.guide.weight / goals;
    for (int b = 0; b < batch.B; ++b) {
      const std::span<const int> mine(batch.goals.data() + b * batch.T, static_cast<size_t>(batch.T));
      Sequence& sequence = sequences[static_cast<size_t>(b)];
      loss += share * sequence.guide_loss(batch.guide, mine);
      sequence.follow(batch.guide, mine, share);
    }
  }
  if (gradients != nullptr) {
    *gradients = weights;
    tensors(*gradients, [](const std::string&, MatrixF64& tensor) { tensor.fill(0); });
    for (int b = 0; b < batch.B; ++b) {
      MatrixF64 mine(batch.T, config.vocabulary);
      std::copy_n(d_logits.row(b * batch.T).data(), size, mine.data());
      sequences[static_cast<size_t>(b)].backward(mine, *gradients);
    }
  }
  if (logits != nullptr) *logits = std::move(all);
  return loss;
}

}  // namespace headlight::nn
