#include "network/network.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "network/network_parts.h"

namespace headlight::nn {

namespace {

using std::size_t;

base::Error given_up() {
  return {"cancelled"};
}

/// Applies the head over the vocabulary to states after the final norm.
base::Status vocabulary_logits(const Network& net, const NetworkWeights& w, const Matrix& x,
                               base::Parallel& parallel, Matrix& logits) {
  Matrix y = x, next;
  if (!w.head_transform.w.empty()) {
    if (const base::Status status = apply(w.head_transform, y, parallel, next); !status) return status;
    activate(net.head_activation, parallel, next);
    if (const base::Status status = normalise({net.norm, net.head_eps, 1}, w.head_norm, next, y); !status)
      return status;
  }
  if (!w.project_out.w.empty()) {
    if (const base::Status status = apply(w.project_out, y, parallel, next); !status) return status;
    std::swap(y, next);
  }
  if (const base::Status status = apply(w.head, y, parallel, logits); !status) return status;
  if (net.logit_cap > 0) {
    const auto cap = static_cast<float>(net.logit_cap);
    for (float& logit : logits.values()) logit = cap * std::tanh(logit / cap);
  }
  return {};
}

/// One pass over new tokens, which follow those of the cache.
class Pass {
 public:
  Pass(const Network& network, const NetworkWeights& weights, const NetworkInput& input,
       base::Parallel& parallel, NetworkTrace& trace, const NetworkKeeps& keeps, NetworkCache* cache)
      : net_(network),
        w_(weights),
        in_(input),
        parallel_(parallel),
        trace_(trace),
        keeps_(keeps),
        cache_(cache) {
    T_ = static_cast<int>(input.ids.size());
    past_ = cache != nullptr ? static_cast<int>(cache->ids.size()) : 0;
  }

  base::Status run(const std::function<bool(float)>& keep_going) {
    prepare();
    if (const base::Status status = check_input(); !status) return status;
    NetworkStages* const stages = keeps_.stages && keeps_.layer == 0 ? &trace_.stages : nullptr;
    const std::span<const int> before = cache_ != nullptr ? cache_->ids : std::span<const int>();
    if (const base::Status status = embed(net_, w_, in_, before, parallel_, x_, stages); !status)
      return status;
    turns_ = rope_turns(net_.rope, past_, T_, past_ + T_);
    const size_t layers = net_.layers.size();
    const size_t end = keeps_.layer < 0 ? layers : static_cast<size_t>(keeps_.layer) + 1;
    for (size_t l = 0; l < end; ++l) {
      watch_stream(l);
      keep_state(l);
      if (const base::Status status = layer(l); !status) return status;
      if (keep_going && !keep_going(static_cast<float>(l + 1) / static_cast<float>(end + 1)))
        return given_up();
    }
    if (keeps_.layer >= 0) return end_stages();
    watch_stream(layers);
    if (net_.final_norm) {
      if (const base::Status status = normalise(norm_of(net_), w_.final_norm, x_, x_); !status) return status;
      watch_stream(layers + 1);
    }
    keep_state(layers);
    return heads();
  }

  base::Status run_layer(const Matrix& x) {
    HEADLIGHT_CHECK_OP(keeps_.layer, >=, 0);
    prepare();
    if (const base::Status status = check_input(); !status) return status;
    HEADLIGHT_CHECK_OP(x.rows(), ==, T_);
    x_ = x;
    turns_ = rope_turns(net_.rope, past_, T_, past_ + T_);
    const auto l = static_cast<size_t>(keeps_.layer);
    keep_state(l);
    if (const base::Status status = layer(l); !status) return status;
    watch_stream(l + 1);
    return end_stages();
  }

 private:
  void prepare() {
    const size_t layers = net_.layers.size();
    HEADLIGHT_CHECK_OP(layers, ==, w_.layers.size());
    trace_.T = T_, trace_.S = past_ + T_;
    const bool one = keeps_.layer >= 0;
    if (one) HEADLIGHT_CHECK_OP(static_cast<size_t>(keeps_.layer), <, layers);
    if (keeps_.stages) HEADLIGHT_CHECK(one);
    trace_.stages.clear();
    const size_t listed = one ? 1 : layers;
    trace_.attentions.resize(keeps_.attentions ? listed : 0);
    trace_.scores.resize(keeps_.scores ? listed : 0);
    trace_.states.resize(!keeps_.states ? 0 : one ? 1 : layers + 1);
    for (auto* list : {&trace_.q, &trace_.k, &trace_.v}) list->resize(keeps_.projections ? listed : 0);
    for (auto* list : {&trace_.inputs, &trace_.contexts, &trace_.outputs})
      list->resize(keeps_.parts ? listed : 0);
    for (Matrix* end : {&trace_.logits, &trace_.pooled, &trace_.relation, &trace_.sentence})
      end->resize(0, 0, 0);
    if (cache_ != nullptr) cache_->k.resize(layers), cache_->v.resize(layers);
  }

  base::Status check_input() const {
    if (T_ == 0) return base::Error{"there are no tokens to compute"};
    if (!in_.visible.empty()) HEADLIGHT_CHECK_OP(in_.visible.size(), ==, in_.ids.size());
    if (!in_.token_types.empty()) HEADLIGHT_CHECK_OP(in_.token_types.size(), ==, in_.ids.size());
    if (net_.most_tokens > 0 && past_ + T_ > net_.most_tokens)
      return base::Error{"the text has " + std::to_string(past_ + T_) +
                         " tokens; this model has positions for " + std::to_string(net_.most_tokens) +
                         " at most"};
    for (size_t t = 0; t < in_.ids.size(); ++t) {
      if (in_.ids[t] < 0 || in_.ids[t] >= net_.vocabulary)
        return base::Error{"token " + std::to_string(t + 1) + " has id " + std::to_string(in_.ids[t]) +
                           "; the vocabulary of this model has ids 0 to " +
                           std::to_string(net_.vocabulary - 1)};
      if (!in_.token_types.empty() &&
          (in_.token_types[t] < 0 || in_.token_types[t] >= std::max(1, net_.token_types)))
        return base::Error{"token " + std::to_string(t + 1) + " has type " +
                           std::to_string(in_.token_types[t]) + "; this model has types 0 to " +
                           std::to_string(std::max(1, net_.token_types) - 1)};
    }
    return {};
  }

  /// Layer l is kept, and its index in each list.
  bool kept(size_t l) const { return keeps_.layer < 0 || l == static_cast<size_t>(keeps_.layer); }
  size_t slot(size_t l) const { return keeps_.layer < 0 ? l : 0; }

  void watch_stream(size_t index) const {
    if (keeps_.watch_stream) keeps_.watch_stream(static_cast<int>(index), x_);
  }
  void keep_state(size_t l) {
    if (keeps_.states && kept(l)) trace_.states[slot(l)] = x_;
  }

  /// The stages of layer l are kept.
  bool noted(size_t l) const { return keeps_.stages && kept(l); }
  void note(size_t l, NetworkStage stage, const Matrix& values) {
    if (noted(l)) trace_.stages.of(stage) = values;
  }

  /// Computes the stages after the last layer, if its stages are kept.
  base::Status end_stages() {
    if (!keeps_.stages || static_cast<size_t>(keeps_.layer) + 1 != net_.layers.size()) return {};
    Matrix& normed = trace_.stages.of(NetworkStage::final_norm);
    if (net_.final_norm) {
      if (const base::Status status = normalise(norm_of(net_), w_.final_norm, x_, normed); !status)
        return status;
    }
    if (!keeps_.logits || w_.head.w.empty()) return {};
    return vocabulary_logits(net_, w_, net_.final_norm ? normed : x_, parallel_,
                             trace_.stages.of(NetworkStage::logits));
  }

  /// Replaces x by the output of layer l.
  base::Status layer(size_t l) {
    using Stage = NetworkStage;
    const NetworkLayerWeights& w = w_.layers[l];
    const BlockPlan plan = net_.plan;
    Matrix normed, mlp_in, attended, out;
    note(l, Stage::input, x_);
    if (plan == BlockPlan::post) {
      if (const base::Status status = attention(l, x_, attended); !status) return status;
      add(attended, x_);
      note(l, Stage::sum_1, x_);
      if (const base::Status status = normalise(norm_of(net_), w.norm_1, x_, x_); !status) return status;
      note(l, Stage::norm_1, x_);
      if (const base::Status status = mlp(l, x_, out); !status) return status;
      add(out, x_);
      note(l, Stage::sum_2, x_);
      const base::Status status = normalise(norm_of(net_), w.norm_2, x_, x_);
      note(l, Stage::norm_2, x_);
      return status;
    }
    if (const base::Status status = normalise(norm_of(net_), w.norm_1, x_, normed); !status) return status;
    note(l, Stage::norm_1, normed);
    if (const base::Status status = attention(l, normed, attended); !status) return status;
    if (plan == BlockPlan::sandwich) {
      if (const base::Status status = normalise(norm_of(net_), w.norm_1_after, attended, attended); !status)
        return status;
      note(l, Stage::norm_1_after, attended);
    }
    const bool parallel = plan == BlockPlan::parallel_one_norm || plan == BlockPlan::parallel_two_norms;
    if (plan == BlockPlan::parallel_one_norm) {
      mlp_in = std::move(normed);
    } else if (parallel) {
      if (const base::Status status = normalise(norm_of(net_), w.norm_2, x_, mlp_in); !status) return status;
      note(l, Stage::norm_2, mlp_in);
    }
    if (!w.residual.w.empty()) {
      Matrix around;
      if (const base::Status status = apply(w.residual, x_, parallel_, around); !status) return status;
      std::swap(x_, around);
      note(l, Stage::bypass, x_);
    }
    add(attended, x_);
    if (!parallel) {
      note(l, Stage::sum_1, x_);
      if (const base::Status status = normalise(norm_of(net_), w.norm_2, x_, mlp_in); !status) return status;
      note(l, Stage::norm_2, mlp_in);
    }
    if (const base::Status status = mlp(l, mlp_in, out); !status) return status;
    if (plan == BlockPlan::sandwich) {
      if (const base::Status status = normalise(norm_of(net_), w.norm_2_after, out, out); !status)
        return status;
      note(l, Stage::norm_2_after, out);
    }
    add(out, x_);
    note(l, Stage::sum_2, x_);
    return {};
  }

  base::Status attention(size_t l, const Matrix& x, Matrix& y) {
    const NetworkLayerWeights& w = w_.layers[l];
    const NetworkLayer& shape = net_.layers[l];
    const Applied projections[] = {{&w.q, &q_}, {&w.k, &k_}, {&w.v, &v_}};
    if (const base::Status status = apply_all(projections, x, parallel_); !status) return status;
    note(l, NetworkStage::q, q_), note(l, NetworkStage::k, k_), note(l, NetworkStage::v, v_);
    const NormSpec of_q{net_.qk_norm, net_.eps, shape.heads}, of_k{net_.qk_norm, net_.eps, shape.kv_heads};
    if (const base::Status status = normalise(of_q, w.q_norm, q_, q_); !status) return status;
    if (const base::Status status = normalise(of_k, w.k_norm, k_, k_); !status) return status;
    if (net_.qk_norm != NormKind::none) note(l, NetworkStage::q_norm, q_), note(l, NetworkStage::k_norm, k_);
    turn(net_.rope, turns_, shape.heads, q_);
    turn(net_.rope, turns_, shape.kv_heads, k_);
    if (net_.rope.rotary_dim > 0) note(l, NetworkStage::q_rope, q_), note(l, NetworkStage::k_rope, k_);
    const Matrix *keys = &k_, *values = &v_;
    if (cache_ != nullptr) {
      append(k_, cache_->k[l]), append(v_, cache_->v[l]);
      keys = &cache_->k[l], values = &cache_->v[l];
    }
    const NetworkAttention attention{&q_, keys, values, shape, net_.causal, net_.score_cap, in_.visible};
    const bool keep = kept(l);
    const size_t at = slot(l);
    Matrix& weights = keeps_.attentions && keep ? trace_.attentions[at] : weights_;
    attend(attention, parallel_, weights, keeps_.scores && keep ? &trace_.scores[at] : nullptr, context_);
    if (keeps_.watch) keeps_.watch(static_cast<int>(l), weights);
    if (keeps_.projections && keep) trace_.q[at] = q_, trace_.k[at] = k_, trace_.v[at] = v_;
    scale_heads(static_cast<int>(l), shape);
    note(l, NetworkStage::context, context_);
    const base::Status status = apply(w.o, context_, parallel_, y);
    note(l, NetworkStage::attention, y);
    if (status && keeps_.parts && keep)
      trace_.inputs[at] = x, trace_.contexts[at] = context_, trace_.outputs[at] = y;
    return status;
  }

  void scale_heads(int layer, const NetworkLayer& shape) {
    for (const HeadFactor& one : in_.factors) {
      if (one.layer != layer) continue;
      HEADLIGHT_CHECK(one.head >= 0 && one.head < shape.heads);
      for (int t = 0; t < T_; ++t) {
        const std::span<float> part = context_.row(t).subspan(static_cast<size_t>(one.head * shape.head_dim),
                                                              static_cast<size_t>(shape.head_dim));
        for (float& value : part) value *= static_cast<float>(one.factor);
      }
    }
  }

  static void append(const Matrix& rows, Matrix& to) {
    Matrix all;
    all.resize(to.rows() + rows.rows(), rows.cols());
    std::copy_n(to.data(), to.size(), all.data());
    std::copy_n(rows.data(), rows.size(), all.data() + to.size());
    std::swap(all, to);
  }

  base::Status mlp(size_t l, const Matrix& x, Matrix& y) {
    using Stage = NetworkStage;
    const NetworkLayerWeights& w = w_.layers[l];
    if (const base::Status status = apply(w.up, x, parallel_, up_); !status) return status;
    note(l, Stage::up, up_);
    if (net_.gated) {
      if (const base::Status status = apply(w.gate, x, parallel_, gate_); !status) return status;
      note(l, Stage::gate, gate_);
      activate(net_.activation, parallel_, gate_);
      note(l, Stage::gate_activated, gate_);
      for (size_t i = 0; i < up_.size(); ++i) up_.data()[i] *= gate_.data()[i];
    } else {
      activate(net_.activation, parallel_, up_);
    }
    note(l, Stage::hidden, up_);
    const base::Status status = apply(w.down, up_, parallel_, y);
    note(l, Stage::down, y);
    return status;
  }

  base::Status heads() {
    if (!keeps_.logits) return {};
    if (!w_.sentence.w.empty()) {
      if (const base::Status status = sentence(); !status) return status;
    }
    if (!w_.pooler.w.empty()) {
      Matrix first(1, x_.cols());
      std::copy_n(x_.data(), first.size(), first.data());
      if (const base::Status status = apply(w_.pooler, first, parallel_, trace_.pooled); !status)
        return status;
      activate(NetworkActivation::tanh, parallel_, trace_.pooled);
      if (!w_.relation.w.empty()) {
        if (const base::Status status = apply(w_.relation, trace_.pooled, parallel_, trace_.relation);
            !status)
          return status;
      }
    }
    if (w_.head.w.empty()) return {};
    return vocabulary_logits(net_, w_, x_, parallel_, trace_.logits);
  }

  /// Sums over the visible tokens.
  base::Status sentence() {
    Matrix sum(1, x_.cols());
    int count = 0;
    for (int t = 0; t < T_; ++t) {
      if (!in_.visible.empty() && in_.visible[static_cast<size_t>(t)] == 0) continue;
      ++count;
      for (int c = 0; c < x_.cols(); ++c) sum.data()[c] += x_.row(t)[static_cast<size_t>(c)];
    }
    for (float& value : sum.values()) value /= std::sqrt(static_cast<float>(std::max(1, count)));
    Matrix& y = trace_.sentence;
    if (const base::Status status = apply(w_.sentence, sum, parallel_, y); !status) return status;
    activate(NetworkActivation::tanh, parallel_, y);
    double square = 0;
    for (const float value : y.values()) square += static_cast<double>(value) * static_cast<double>(value);
    if (square > 0) {
      for (float& value : y.values())
        value = static_cast<float>(static_cast<double>(value) / std::sqrt(square));
    }
    return {};
  }

  const Network& net_;
  const NetworkWeights& w_;
  const NetworkInput& in_;
  base::Parallel& parallel_;
  NetworkTrace& trace_;
  const NetworkKeeps& keeps_;
  NetworkCache* cache_;
  int T_ = 0, past_ = 0;
  Matrix x_, q_, k_, v_, weights_, context_, up_, gate_;
  RopeTurns turns_;
};

}  // namespace

base::Status network_forward(const Network& network, const NetworkWeights& weights, const NetworkInput& input,
                             base::Parallel& parallel, NetworkTrace& trace, const NetworkKeeps& keeps,
                             const std::function<bool(float)>& keep_going) {
  return Pass(network, weights, input, parallel, trace, keeps, nullptr).run(keep_going);
}

base::Status network_layer(const Network& network, const NetworkWeights& weights, const NetworkInput& input,
                           const Matrix& x, base::Parallel& parallel, NetworkTrace& trace,
                           const NetworkKeeps& keeps) {
  return Pass(network, weights, input, parallel, trace, keeps, nullptr).run_layer(x);
}

base::Status network_logits(const Network& network, const NetworkWeights& weights, const Matrix& states,
                            bool normed, base::Parallel& parallel, Matrix& logits) {
  if (weights.head.w.empty()) return base::Error{"this network has no head over a vocabulary"};
  if (normed || !network.final_norm) return vocabulary_logits(network, weights, states, parallel, logits);
  Matrix x;
  if (const base::Status status = normalise({network.norm, network.eps, 1}, weights.final_norm, states, x);
      !status)
    return status;
  return vocabulary_logits(network, weights, x, parallel, logits);
}

bool has_steps(const Network& network) {
  return network.causal && network.rope.scaling.kind != RopeScalingKind::dynamic &&
         network.position_rule != PositionRule::not_padding;
}

base::Status network_step(const Network& network, const NetworkWeights& weights, std::span<const int> next,
                          base::Parallel& parallel, NetworkCache& cache, NetworkTrace& trace,
                          const NetworkKeeps& keeps) {
  if (!has_steps(network))
    return base::Error{"this model must process a text as a whole: it cannot continue from earlier tokens"};
  NetworkInput input;
  input.ids = next, input.factors = cache.factors;
  const size_t before = cache.ids.size();
  if (const base::Status status = Pass(network, weights, input, parallel, trace, keeps, &cache).run({});
      !status) {
    // Removes what the layers have already appended.
    for (auto* kept : {&cache.k, &cache.v}) {
      for (Matrix& rows : *kept) {
        Matrix old;
        old.resize(static_cast<int>(before), rows.cols());
        std::copy_n(rows.data(), std::min(old.size(), rows.size()), old.data());
        rows = std::move(old);
      }
    }
    return status;
  }
  cache.ids.insert(cache.ids.end(), next.begin(), next.end());
  return {};
}

}  // namespace headlight::nn
