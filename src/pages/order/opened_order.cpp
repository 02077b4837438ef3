#include "pages/order/opened_order.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/opened_model.h"
#include "network/network.h"
#include "nn/linear.h"
#include "nn/reference_variants.h"
#include "pages/opened_attention.h"
#include "scene/field_values.h"
#include "scene/mask_and_order.h"
#include "scene/results.h"

namespace headlight::scene {

namespace {

using nn::MatrixF64;
using std::size_t;

// For all heads together; tokens beyond these limits are left out. The parts are kept in double and as maps,
// five of each.
constexpr double most_permuted_weights = 1 << 19, most_split_weights = 1 << 18;
constexpr double most_split_products = 400e6;

template <class Fits>
int tokens_that_fit(int T, Fits&& fits) {
  int n = std::min(T, static_cast<int>(longest_list));
  while (n > 2 && !fits(static_cast<double>(n))) n = n > 64 ? n - n / 16 : n - 1;
  return n;
}

int permuted_tokens(const nn::NetworkLayer& layer, int T) {
  return tokens_that_fit(T, [&](double n) { return layer.heads * n * n <= most_permuted_weights; });
}

/// The positions that the model adds to its tokens, [n, width]: rows of its table, or sinusoids.
base::Result<nn::Matrix> added_positions(const OtherModel& other, std::span<const int> ids, int width) {
  const nn::Network& net = other.model->network;
  const nn::TensorRef& stored = other.model->weights.positions;
  const int n = static_cast<int>(ids.size());
  nn::Matrix p(n, width);
  if (net.positions == nn::PositionKind::table) {
    int before = 0;
    for (int t = 0; t < n; ++t) {
      int row = t;
      if (net.position_rule == nn::PositionRule::not_padding)
        row = ids[static_cast<size_t>(t)] != net.padding_id ? ++before : 0;
      row += net.position_offset;
      if (const base::Status read = nn::read_rows(stored, row, row + 1, p.row(t).data()); !read)
        return base::Error{read.error()};
    }
  } else if (net.positions == nn::PositionKind::sinusoid) {
    nn::Matrix f(1, stored.rows);
    if (const base::Status read = nn::read_rows(stored, 0, stored.rows, f.data()); !read)
      return base::Error{read.error()};
    for (int t = 0; t < n; ++t) {
      for (int j = 0; j < stored.rows; ++j) {
        const double angle = t * static_cast<double>(f.at(0, j));
        p.at(t, j) = static_cast<float>(std::sin(angle));
        p.at(t, stored.rows + j) = static_cast<float>(std::cos(angle));
      }
    }
  }
  return p;
}

/// y [n, out] = x [n, in] Wᵀ, with its bias.
base::Status project(const nn::LinearRef& linear, const MatrixF64& x, MatrixF64& y) {
  y.resize(x.rows(), linear.w.rows);
  y.fill(0);
  nn::Matrix row(1, std::max(linear.w.rows, linear.w.cols));
  const bool by_rows = linear.w.col_step == 1;
  for (int r = 0; r < (by_rows ? linear.w.rows : linear.w.cols); ++r) {
    const base::Status read = by_rows ? nn::read_rows(linear.w, r, r + 1, row.data())
                                      : nn::read_columns(linear.w, r, r + 1, row.data());
    if (!read) return read;
    for (int t = 0; t < x.rows(); ++t) {
      if (by_rows) {
        for (int c = 0; c < x.cols(); ++c) y.at(t, r) += static_cast<double>(row.at(0, c)) * x.at(t, c);
      } else {
        for (int c = 0; c < y.cols(); ++c) y.at(t, c) += static_cast<double>(row.at(0, c)) * x.at(t, r);
      }
    }
  }
  if (linear.b.empty()) return {};
  if (const base::Status read = nn::read_rows(linear.b, 0, linear.b.rows, row.data()); !read) return read;
  for (int t = 0; t < y.rows(); ++t)
    for (int c = 0; c < y.cols(); ++c) y.at(t, c) += static_cast<double>(row.at(0, c));
  return {};
}

/// The input from the tokens without their positions, [n, D].
base::Result<MatrixF64> content_of(const OtherModel& other, std::span<const int> ids) {
  const nn::Network& net = other.model->network;
  const nn::NetworkWeights& w = other.model->weights;
  const int n = static_cast<int>(ids.size());
  nn::Matrix embedded(n, w.embedding.cols);
  for (int t = 0; t < n; ++t) {
    const int id = ids[static_cast<size_t>(t)];
    if (const base::Status read = nn::read_rows(w.embedding, id, id + 1, embedded.row(t).data()); !read)
      return base::Error{read.error()};
  }
  MatrixF64 x = nn::widened(embedded);
  if (!w.project_in.w.empty()) {
    MatrixF64 wide;
    if (const base::Status read = project(w.project_in, x, wide); !read) return base::Error{read.error()};
    x = std::move(wide);
  }
  for (double& value : x.values()) value *= static_cast<double>(static_cast<float>(net.embedding_scale));
  if (net.token_types > 0) {
    nn::Matrix row(1, x.cols());
    const std::vector<int> types = nn::token_types_of(net, ids);
    for (int t = 0; t < n; ++t) {
      const int type = types[static_cast<size_t>(t)];
      if (const base::Status read = nn::read_rows(w.token_types, type, type + 1, row.data()); !read)
        return base::Error{read.error()};
      for (int c = 0; c < x.cols(); ++c) x.at(t, c) += static_cast<double>(row.at(0, c));
    }
  }
  return x;
}

/// The norm of a row, or of a head of it, that is the sum of two parts: both are divided by the deviation of
/// the sum.
struct NormOfSum {
  nn::NormKind kind = nn::NormKind::layer;
  double eps = 1e-5;
  int width = 0;
  nn::Matrix gamma, beta;  // [1, width] or empty

  /// Splits the norm of a sum into two parts; what the norm adds afterwards belongs to the content.
  void split(double* content, double* position) const {
    double mean_c = 0, mean_p = 0, square = 0;
    if (kind == nn::NormKind::layer) {
      for (int i = 0; i < width; ++i) mean_c += content[i] / width, mean_p += position[i] / width;
    }
    for (int i = 0; i < width; ++i) {
      content[i] -= mean_c, position[i] -= mean_p;
      square += (content[i] + position[i]) * (content[i] + position[i]);
    }
    const double inverse = 1 / std::sqrt(square / width + eps);
    for (int i = 0; i < width; ++i) {
      const double factor = (gamma.empty() ? 1.0 : static_cast<double>(gamma.at(0, i))) +
                            (kind == nn::NormKind::rms_plus_one ? (gamma.empty() ? 0.0 : 1.0) : 0.0);
      content[i] *= inverse * factor, position[i] *= inverse * factor;
      if (!beta.empty()) content[i] += static_cast<double>(beta.at(0, i));
    }
  }
};

base::Status split_norm(nn::NormKind kind, double eps, const nn::NormRef& norm, int width, MatrixF64& content,
                        MatrixF64& position) {
  if (kind == nn::NormKind::none) return {};
  NormOfSum of{kind, eps, width, {}, {}};
  for (const auto& [from, to] : {std::pair{&norm.gamma, &of.gamma}, std::pair{&norm.beta, &of.beta}}) {
    if (from->empty()) continue;
    to->resize(1, width);
    if (const base::Status read = nn::read_rows(*from, 0, width, to->data()); !read) return read;
  }
  for (size_t at = 0; at < content.size(); at += static_cast<size_t>(width))
    of.split(content.data() + at, position.data() + at);
  return {};
}

/// Rotates every head of x [n, H·d] by its position, in double.
void turn_heads(const nn::NetworkRope& rope, int length, int d, MatrixF64& x) {
  const std::vector<double> omega = nn::rope_frequencies(rope, length);
  const bool next = rope.pairs == nn::RopePairs::interleaved;
  const double factor = rope.scaling.kind == nn::RopeScalingKind::yarn ? rope.scaling.attention_factor : 1;
  const int pairs = rope.rotary_dim / 2;
  for (int t = 0; t < x.rows(); ++t) {
    for (int head = 0; head < x.cols(); head += d) {
      for (int j = 0; j < pairs; ++j) {
        const double angle = t * omega[static_cast<size_t>(j)], c = std::cos(angle) * factor,
                     s = std::sin(angle) * factor;
        double& a = x.at(t, head + (next ? 2 * j : j));
        double& b = x.at(t, head + (next ? 2 * j + 1 : j + pairs));
        const double left = a, right = b;
        a = left * c - right * s, b = left * s + right * c;
      }
    }
  }
}

/// [H, n, n] q_i · k_j.
MatrixF64 products_of(const MatrixF64& q, const MatrixF64& k, int heads) {
  MatrixF64 out;
  out.resize(heads, q.rows(), k.rows());
  const int d = q.cols() / heads;
  for (int head = 0; head < heads; ++head) {
    for (int i = 0; i < q.rows(); ++i) {
      for (int j = 0; j < k.rows(); ++j) {
        double sum = 0;
        for (int c = head * d; c < (head + 1) * d; ++c) sum += q.at(i, c) * k.at(j, c);
        out.at(head, i, j) = sum;
      }
    }
  }
  return out;
}

MatrixF64 added(MatrixF64 a, const MatrixF64& b) {
  for (size_t i = 0; i < a.size(); ++i) a.data()[i] += b.data()[i];
  return a;
}

/// The input of the first layer's projections.
struct FirstInput {
  const nn::Network& net;
  const nn::NetworkLayerWeights& layer;
  const MatrixF64 &content, &position;  // [n, D]
  int length = 0;                       // RoPE may depend on it
};

/// Sets the parts of the first layer's scores with these projections.
base::Status parts_with(const FirstInput& input, const nn::AttentionWeights& weights,
                        base::Parallel& parallel, OrderParts& out) {
  const nn::Network& net = input.net;
  const nn::NetworkLayer& shape = net.layers.front();
  const nn::Matrix none;
  MatrixF64 q_x, q_p, k_x, k_p;
  nn::linear(input.content, weights.w_q, weights.b_q, parallel, q_x);
  nn::linear(input.position, weights.w_q, none, parallel, q_p);
  nn::linear(input.content, weights.w_k, weights.b_k, parallel, k_x);
  nn::linear(input.position, weights.w_k, none, parallel, k_p);
  base::Status read = split_norm(net.qk_norm, net.eps, input.layer.q_norm, shape.head_dim, q_x, q_p);
  if (read) read = split_norm(net.qk_norm, net.eps, input.layer.k_norm, shape.head_dim, k_x, k_p);
  if (!read) return read;
  out.part[0] = products_of(q_x, k_x, shape.heads), out.part[1] = products_of(q_x, k_p, shape.heads);
  out.part[2] = products_of(q_p, k_x, shape.heads), out.part[3] = products_of(q_p, k_p, shape.heads);
  out.count = 4;
  if (net.rope.rotary_dim > 0) {
    MatrixF64 q = added(std::move(q_x), q_p), k = added(std::move(k_x), k_p);
    MatrixF64 straight = products_of(q, k, shape.heads);
    turn_heads(net.rope, input.length, shape.head_dim, q),
        turn_heads(net.rope, input.length, shape.head_dim, k);
    out.part[4] = products_of(q, k, shape.heads), out.count = 5;
    for (size_t i = 0; i < straight.size(); ++i) out.part[4].data()[i] -= straight.data()[i];
  }
  return {};
}

/// Splits the scores of the first layer. `trace` is the trace of all tokens, because RoPE may depend on their
/// number.
base::Status split_first_layer(const OtherModel& other, const nn::AttentionTrace& trace,
                               std::span<const int> ids, base::Parallel& parallel, OrderParts& out) {
  const nn::Network& net = other.model->network;
  const nn::NetworkWeights& w = other.model->weights;
  const nn::NetworkLayer& shape = net.layers.front();
  const double inner = static_cast<double>(shape.heads) * shape.head_dim;
  out.tokens = tokens_that_fit(trace.T, [&](double n) {
    return shape.heads * n * n <= most_split_weights &&
           n * (4 * net.width * inner + 5 * n * inner) <= most_split_products;
  });
  ids = ids.first(static_cast<size_t>(out.tokens));
  auto content = content_of(other, ids);
  if (!content) return base::Error{content.error()};
  const int width = content->cols();  // the first layer's, which may be narrower than the others
  const auto positions = added_positions(other, ids, width);
  if (!positions) return base::Error{positions.error()};
  MatrixF64 x = std::move(*content), p = nn::widened(*positions);
  base::Status read;
  if (net.embedding_norm) read = split_norm(net.norm, net.eps, w.embedding_norm, width, x, p);
  if (read && net.plan != nn::BlockPlan::post)
    read = split_norm(net.norm, net.eps, w.layers.front().norm_1, width, x, p);
  if (!read) return read;
  auto weights = opened_score_weights(other, 0);
  if (!weights) return base::Error{weights.error()};
  read = parts_with({net, w.layers.front(), x, p, trace.T}, *weights, parallel, out);
  if (!read) return read;
  complete_parts(trace, out);
  const double products = out.tokens * (4 * net.width * inner + 5 * out.tokens * inner);
  if (products > most_split_products / 4 || !shuffle_projections(shape.heads, *weights)) return {};
  OrderParts shuffled;
  read = parts_with({net, w.layers.front(), x, p, trace.T}, *weights, parallel, shuffled);
  if (!read) return read;
  shuffled.tokens = out.tokens;
  keep_shuffled(trace, std::move(shuffled), out);
  return {};
}

std::shared_ptr<const OrderResults> failed_order(const std::string& why) {
  auto out = std::make_shared<OrderResults>();
  out->problem = why;
  return out;
}

}  // namespace

std::shared_ptr<const OrderResults> compute_opened_order(const Scene& scene, const OtherModel& other,
                                                         const Results& results, base::Parallel& parallel,
                                                         const Progress& progress) {
  auto out = std::make_shared<OrderResults>();
  const nn::AttentionTrace& trace = results.attention;
  if (trace.T == 0) return out;
  const nn::Network& net = other.model->network;
  const int layer = shown_layer(other, scene);
  const int n = permuted_tokens(shown_layer_of(other, scene), trace.T);
  begin_order(scene, results, n, *out);
  out->opened = true, out->layer = layer + 1;
  out->added = net.positions != nn::PositionKind::none;
  out->learned_positions = net.positions == nn::PositionKind::table;
  out->relative_positions = net.rope.rotary_dim > 0;
  out->mask_before = layer > 0 && net.causal && n > 1;
  out->mask_knows_order = out->mask_before || (out->identity ? mask_depends_on_position(trace.allowed, n)
                                                             : reads_others(trace.allowed, out->order));

  const std::vector<int> ids = opened_ids(results.tokens);
  const std::vector<int> typed(ids.begin(), ids.begin() + n);
  std::vector<int> permuted;
  for (const int token : out->order) permuted.push_back(ids[static_cast<size_t>(token)]);
  const auto has_second = [&](const std::vector<int>& list) {
    const std::vector<int> types = nn::token_types_of(net, list);
    return std::find(types.begin(), types.end(), 1) != types.end();
  };
  out->token_types = has_second(typed) || has_second(permuted);
  const auto original = opened_pass(other, layer, typed, parallel, progress);
  if (!original) return failed_order(original.error());
  const auto moved = opened_pass(other, layer, permuted, parallel, progress);
  if (!moved) return failed_order(moved.error());
  out->float32 = order_residual((*original)->trace, (*moved)->trace, out->order);
  out->original = (*original)->trace.output, out->moved = (*moved)->trace.output;
  if (layer > 0) {
    out->parts.mixed = true;
  } else if (const base::Status split = split_first_layer(other, trace, ids, parallel, out->parts); !split) {
    return failed_order(other.model->path.string() + ": " + split.error());
  }
  return out;
}

double opened_order_work(const Scene& scene, const OtherModel& other, int tokens) {
  if (tokens == 0) return 0;
  return 2 * opened_work(scene, other, tokens) +
         (shown_layer(other, scene) == 0 ? 1.25 * most_split_products : 0);
}

}  // namespace headlight::scene
