#include "models/network_in_double.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace headlight::tests {

namespace {

using nn::BlockPlan;
using nn::NetworkStage;
using std::size_t;

struct Rows {
  int rows = 0, cols = 0;
  std::vector<double> values;
  double& at(int r, int c) {
    return values[static_cast<size_t>(r) * static_cast<size_t>(cols) + static_cast<size_t>(c)];
  }
  double at(int r, int c) const { return const_cast<Rows*>(this)->at(r, c); }
};

Rows make(int rows, int cols) {
  return {rows, cols, std::vector<double>(static_cast<size_t>(rows) * static_cast<size_t>(cols))};
}

Rows widened(const nn::Matrix& m) {
  return {m.rows(), m.cols(), {m.values().begin(), m.values().end()}};
}

/// [rows, cols] of the tensor, in whichever order its file has them.
Rows read(const nn::TensorRef& tensor) {
  Rows out = make(tensor.rows, tensor.cols);
  std::vector<float> values(out.values.size());
  const bool by_rows = tensor.col_step == 1 || tensor.cols == 1;
  const base::Status status = by_rows ? nn::read_rows(tensor, 0, tensor.rows, values.data())
                                      : nn::read_columns(tensor, 0, tensor.cols, values.data());
  EXPECT_TRUE(status) << status.error();
  for (int r = 0; r < out.rows; ++r) {
    for (int c = 0; c < out.cols; ++c)
      out.at(r, c) =
          static_cast<double>(values[static_cast<size_t>(by_rows ? r * out.cols + c : c * out.rows + r)]);
  }
  return out;
}

Rows linear(const nn::LinearRef& l, const Rows& x) {
  const Rows w = read(l.w), b = l.b.empty() ? Rows() : read(l.b);
  Rows y = make(x.rows, w.rows);
  for (int t = 0; t < x.rows; ++t) {
    for (int o = 0; o < w.rows; ++o) {
      double sum = b.values.empty() ? 0 : b.values[static_cast<size_t>(o)];
      for (int i = 0; i < w.cols; ++i) sum += w.at(o, i) * x.at(t, i);
      y.at(t, o) = sum;
    }
  }
  return y;
}

Rows normed(nn::NormKind kind, double eps, const nn::NormRef& norm, int parts, const Rows& x) {
  if (kind == nn::NormKind::none) return x;
  const Rows gamma = norm.gamma.empty() ? Rows() : read(norm.gamma),
             beta = norm.beta.empty() ? Rows() : read(norm.beta);
  Rows y = x;
  const int width = x.cols / parts;
  for (int t = 0; t < x.rows; ++t) {
    for (int from = 0; from < x.cols; from += width) {
      double mean = 0, square = 0;
      for (int i = 0; i < width; ++i) mean += x.at(t, from + i) / width;
      if (kind != nn::NormKind::layer) mean = 0;
      for (int i = 0; i < width; ++i) square += std::pow(x.at(t, from + i) - mean, 2) / width;
      for (int i = 0; i < width; ++i) {
        const auto at = static_cast<size_t>(i);
        double scale = gamma.values.empty() ? 1 : gamma.values[at];
        if (kind == nn::NormKind::rms_plus_one) scale += 1;
        y.at(t, from + i) = (x.at(t, from + i) - mean) / std::sqrt(square + eps) * scale +
                            (beta.values.empty() ? 0 : beta.values[at]);
      }
    }
  }
  return y;
}

double activated(nn::NetworkActivation activation, double x) {
  switch (activation) {
    case nn::NetworkActivation::relu:
      return std::max(0.0, x);
    case nn::NetworkActivation::gelu_erf:
      return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
    case nn::NetworkActivation::gelu_tanh:
      return x / 2 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
    case nn::NetworkActivation::gelu_quick:
      return x / (1 + std::exp(-1.702 * x));
    case nn::NetworkActivation::silu:
      return x / (1 + std::exp(-x));
    case nn::NetworkActivation::tanh:
      return std::tanh(x);
  }
  return x;
}

Rows activated(nn::NetworkActivation activation, Rows x) {
  for (double& value : x.values) value = activated(activation, value);
  return x;
}

Rows sum(const Rows& a, const Rows& b) {
  Rows out = a;
  for (size_t i = 0; i < out.values.size(); ++i) out.values[i] += b.values[i];
  return out;
}

Rows turned(const nn::NetworkRope& rope, int heads, const Rows& x) {
  const std::vector<double> f = nn::rope_frequencies(rope, x.rows);
  const double factor = rope.scaling.kind == nn::RopeScalingKind::yarn ? rope.scaling.attention_factor : 1;
  const bool halves = rope.pairs == nn::RopePairs::half;
  Rows y = x;
  const int d = x.cols / heads, pairs = rope.rotary_dim / 2;
  for (int t = 0; t < x.rows; ++t) {
    for (int h = 0; h < heads; ++h) {
      for (int j = 0; j < pairs; ++j) {
        const int a = h * d + (halves ? j : 2 * j), b = a + (halves ? pairs : 1);
        const double angle = t * f[static_cast<size_t>(j)], c = std::cos(angle) * factor,
                     s = std::sin(angle) * factor;
        y.at(t, a) = x.at(t, a) * c - x.at(t, b) * s;
        y.at(t, b) = x.at(t, a) * s + x.at(t, b) * c;
      }
    }
  }
  return y;
}

class Layer {
 public:
  Layer(const nn::Network& net, const nn::NetworkWeights& weights, const nn::NetworkInput& input, int l)
      : net_(net),
        all_(weights),
        w_(weights.layers[static_cast<size_t>(l)]),
        in_(input),
        l_(static_cast<size_t>(l)) {}

  DoubleStages run(const nn::NetworkStages& given) {
    if (l_ == 0) embedding(given);
    const Rows x = keep(NetworkStage::input, widened(given.of(NetworkStage::input)));
    Rows y;
    switch (net_.plan) {
      case BlockPlan::pre:
      case BlockPlan::sandwich: {
        const bool sandwich = net_.plan == BlockPlan::sandwich;
        Rows attended = attention(keep(NetworkStage::norm_1, norm(w_.norm_1, x)));
        if (sandwich) attended = keep(NetworkStage::norm_1_after, norm(w_.norm_1_after, attended));
        const Rows around = w_.residual.w.empty() ? x : keep(NetworkStage::bypass, linear(w_.residual, x));
        const Rows a = keep(NetworkStage::sum_1, sum(around, attended));
        Rows out = mlp(keep(NetworkStage::norm_2, norm(w_.norm_2, a)));
        if (sandwich) out = keep(NetworkStage::norm_2_after, norm(w_.norm_2_after, out));
        y = keep(NetworkStage::sum_2, sum(a, out));
        break;
      }
      case BlockPlan::post: {
        const Rows a =
            keep(NetworkStage::norm_1, norm(w_.norm_1, keep(NetworkStage::sum_1, sum(x, attention(x)))));
        y = keep(NetworkStage::norm_2, norm(w_.norm_2, keep(NetworkStage::sum_2, sum(a, mlp(a)))));
        break;
      }
      case BlockPlan::parallel_one_norm: {
        const Rows n = keep(NetworkStage::norm_1, norm(w_.norm_1, x));
        y = keep(NetworkStage::sum_2, sum(sum(x, attention(n)), mlp(n)));
        break;
      }
      case BlockPlan::parallel_two_norms: {
        const Rows attended = attention(keep(NetworkStage::norm_1, norm(w_.norm_1, x)));
        y = keep(NetworkStage::sum_2,
                 sum(sum(x, attended), mlp(keep(NetworkStage::norm_2, norm(w_.norm_2, x)))));
        break;
      }
    }
    if (l_ + 1 == net_.layers.size()) end(y);
    return std::move(out_);
  }

 private:
  Rows norm(const nn::NormRef& ref, const Rows& x) const { return normed(net_.norm, net_.eps, ref, 1, x); }
  const Rows& keep(NetworkStage stage, Rows rows) {
    Rows& kept = kept_[static_cast<size_t>(stage)] = std::move(rows);
    out_[static_cast<size_t>(stage)] = kept.values;
    return kept;
  }

  /// Its steps from the rows of the table; positions and types by what they add.
  void embedding(const nn::NetworkStages& given) {
    const Rows table = read(all_.embedding);
    Rows x = make(static_cast<int>(in_.ids.size()), table.cols);
    for (int t = 0; t < x.rows; ++t) {
      for (int c = 0; c < x.cols; ++c) x.at(t, c) = table.at(in_.ids[static_cast<size_t>(t)], c);
    }
    keep(NetworkStage::embedding, x);
    if (!all_.project_in.w.empty()) x = keep(NetworkStage::projected_in, linear(all_.project_in, x));
    if (net_.embedding_scale != 1) {
      for (double& value : x.values) value *= net_.embedding_scale;
      keep(NetworkStage::scaled, x);
    }
    if (net_.positions == nn::PositionKind::table) {
      const Rows rows = read(all_.positions);
      int seen = 0;
      for (int t = 0; t < x.rows; ++t) {
        const bool visible = in_.visible.empty() || in_.visible[static_cast<size_t>(t)] != 0;
        int row = t;
        if (net_.position_rule == nn::PositionRule::visible && !in_.visible.empty())
          row = visible ? seen++ : -1;
        if (net_.position_rule == nn::PositionRule::not_padding)
          row = in_.ids[static_cast<size_t>(t)] != net_.padding_id ? ++seen : 0;
        for (int c = 0; c < x.cols; ++c) x.at(t, c) += rows.at(row + net_.position_offset, c);
      }
      keep(NetworkStage::with_positions, x);
    } else if (net_.positions == nn::PositionKind::sinusoid) {
      x = keep(NetworkStage::with_positions, widened(given.of(NetworkStage::with_positions)));
    }
    if (net_.token_types > 0) {
      const Rows types = read(all_.token_types);
      for (int t = 0; t < x.rows; ++t) {
        const int type = in_.token_types.empty() ? 0 : in_.token_types[static_cast<size_t>(t)];
        for (int c = 0; c < x.cols; ++c) x.at(t, c) += types.at(type, c);
      }
      keep(NetworkStage::with_types, x);
    }
    if (net_.embedding_norm) keep(NetworkStage::embedding_norm, norm(all_.embedding_norm, x));
  }

  Rows attention(const Rows& x) {
    const nn::NetworkLayer& shape = net_.layers[l_];
    Rows q = keep(NetworkStage::q, linear(w_.q, x)), k = keep(NetworkStage::k, linear(w_.k, x));
    const Rows v = keep(NetworkStage::v, linear(w_.v, x));
    if (net_.qk_norm != nn::NormKind::none) {
      q = keep(NetworkStage::q_norm, normed(net_.qk_norm, net_.eps, w_.q_norm, shape.heads, q));
      k = keep(NetworkStage::k_norm, normed(net_.qk_norm, net_.eps, w_.k_norm, shape.kv_heads, k));
    }
    if (net_.rope.rotary_dim > 0) {
      q = keep(NetworkStage::q_rope, turned(net_.rope, shape.heads, q));
      k = keep(NetworkStage::k_rope, turned(net_.rope, shape.kv_heads, k));
    }
    const int T = x.rows, d = shape.head_dim;
    Rows context = make(T, shape.heads * d);
    for (int h = 0; h < shape.heads; ++h) {
      const int from = h / (shape.heads / shape.kv_heads) * d;
      for (int t = 0; t < T; ++t) {
        std::vector<double> weights(static_cast<size_t>(T), 0);
        double all = 0;
        for (int s = 0; s < T; ++s) {
          const bool seen = (!net_.causal || (s <= t && (shape.window == 0 || s > t - shape.window))) &&
                            (in_.visible.empty() || in_.visible[static_cast<size_t>(s)] != 0);
          if (!seen) continue;
          double score = 0;
          for (int i = 0; i < d; ++i) score += q.at(t, h * d + i) * k.at(s, from + i);
          score *= shape.scale;
          if (net_.score_cap > 0) score = net_.score_cap * std::tanh(score / net_.score_cap);
          all += weights[static_cast<size_t>(s)] = std::exp(score);
        }
        for (int s = 0; s < T && all > 0; ++s) {
          for (int i = 0; i < d; ++i)
            context.at(t, h * d + i) += weights[static_cast<size_t>(s)] / all * v.at(s, from + i);
        }
      }
    }
    return keep(NetworkStage::attention, linear(w_.o, keep(NetworkStage::context, context)));
  }

  Rows mlp(const Rows& x) {
    const Rows up = keep(NetworkStage::up, linear(w_.up, x));
    Rows hidden = activated(net_.activation, up);
    if (net_.gated) {
      const Rows gate = keep(NetworkStage::gate, linear(w_.gate, x));
      hidden = keep(NetworkStage::gate_activated, activated(net_.activation, gate));
      for (size_t i = 0; i < hidden.values.size(); ++i) hidden.values[i] *= up.values[i];
    }
    return keep(NetworkStage::down, linear(w_.down, keep(NetworkStage::hidden, hidden)));
  }

  void end(Rows x) {
    if (net_.final_norm) x = keep(NetworkStage::final_norm, norm(all_.final_norm, x));
    if (all_.head.w.empty()) return;
    if (!all_.head_transform.w.empty())
      x = normed(net_.norm, net_.head_eps, all_.head_norm, 1,
                 activated(net_.head_activation, linear(all_.head_transform, x)));
    if (!all_.project_out.w.empty()) x = linear(all_.project_out, x);
    Rows logits = linear(all_.head, x);
    for (double& value : logits.values)
      if (net_.logit_cap > 0) value = net_.logit_cap * std::tanh(value / net_.logit_cap);
    keep(NetworkStage::logits, logits);
  }

  const nn::Network& net_;
  const nn::NetworkWeights& all_;
  const nn::NetworkLayerWeights& w_;
  const nn::NetworkInput& in_;
  size_t l_;
  std::array<Rows, nn::network_stages> kept_;
  DoubleStages out_;
};

}  // namespace

DoubleStages stages_in_double(const nn::Network& network, const nn::NetworkWeights& weights,
                              const nn::NetworkInput& input, int l, const nn::NetworkStages& given) {
  return Layer(network, weights, input, l).run(given);
}

}  // namespace headlight::tests
