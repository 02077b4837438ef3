#include "train/two_relations.h"

#include <array>
#include <cmath>

#include "base/check.h"
#include "nn/random.h"

namespace headlight::nn {

namespace {

constexpr int T = 4;
constexpr int held_out_batches = 64, held_out_batch = 32;
constexpr std::uint64_t weights_stream = std::uint64_t{1} << 62;
constexpr std::uint64_t planted_index = std::uint64_t{1} << 40;

int width_in(const TwoRelationsSetup& setup) {
  return setup.repairs.places ? 6 : 4;
}
int width_of(const TwoRelationsSetup& setup) {
  return setup.repairs.width ? 8 : 4;
}

/// Returns the loss and, unless `gradients` is null, computes them, with every size known: D_in, W, heads.
template <class E, int D, int W, int H>
double loss_of(const TwoRelationsWeightsOf<E>& weights, const TwoRelationsBatch& batch, Tensor<E>& maps,
               TwoRelationsWeightsOf<E>* gradients) {
  constexpr int d = W / H;
  const E scale = E(1) / std::sqrt(E(d));
  const E mean = E(1) / static_cast<E>(batch.B * T * T);
  E w_q[D][W], w_k[D][W], b_q[W] = {}, g_q[D][W] = {}, g_k[D][W] = {}, g_b[W] = {};
  std::copy_n(weights.w_q.data(), D * W, &w_q[0][0]);
  std::copy_n(weights.w_k.data(), D * W, &w_k[0][0]);
  if (!weights.b_q.empty()) std::copy_n(weights.b_q.data(), W, b_q);
  maps.resize(batch.B * H, T, T);
  double loss = 0;
  for (int b = 0; b < batch.B; ++b) {
    E x[T][D], q[T][W], k[T][W], a[H][T][T], d_q[T][W] = {}, d_k[T][W] = {};
    for (int t = 0; t < T; ++t) {
      const float* row = batch.x.data() + static_cast<std::ptrdiff_t>((b * T + t) * D);
      for (int c = 0; c < D; ++c) x[t][c] = static_cast<E>(row[c]);
      for (int w = 0; w < W; ++w) q[t][w] = b_q[w], k[t][w] = 0;
      for (int c = 0; c < D; ++c) {
        for (int w = 0; w < W; ++w) q[t][w] += x[t][c] * w_q[c][w], k[t][w] += x[t][c] * w_k[c][w];
      }
    }
    for (int h = 0; h < H; ++h) {
      for (int t = 0; t < T; ++t) {
        E s[T], sum = 0;
        for (int u = 0; u < T; ++u) {
          s[u] = 0;
          for (int w = h * d; w < (h + 1) * d; ++w) s[u] += q[t][w] * k[u][w];
          s[u] *= scale;
        }
        const E largest = std::max(std::max(s[0], s[1]), std::max(s[2], s[3]));
        for (int u = 0; u < T; ++u) sum += s[u] = std::exp(s[u] - largest);
        for (int u = 0; u < T; ++u) a[h][t][u] = s[u] / sum;
      }
    }
    std::copy_n(&a[0][0][0], H * T * T, maps.plane(b * H));

    const int planted = batch.planted[static_cast<std::size_t>(b)];
    for (int h = 0; h < H; ++h) {
      const bool place = h == 0, content = h == H - 1;
      for (int t = 0; t < T; ++t) {
        E d_a[T], inner = 0;
        for (int u = 0; u < T; ++u) {
          const E from_place = a[h][t][u] - (u == 2 ? E(1) : E(0)),
                  from_content = a[h][t][u] - (u == planted ? E(1) : E(0));
          const E square =
              (place ? from_place * from_place : E(0)) + (content ? from_content * from_content : E(0));
          loss += static_cast<double>(square);
          d_a[u] = 2 * mean * ((place ? from_place : E(0)) + (content ? from_content : E(0)));
          inner += a[h][t][u] * d_a[u];
        }
        if (!gradients) continue;
        for (int u = 0; u < T; ++u) {
          const E d_s = scale * a[h][t][u] * (d_a[u] - inner);
          for (int w = h * d; w < (h + 1) * d; ++w) d_q[t][w] += d_s * k[u][w], d_k[u][w] += d_s * q[t][w];
        }
      }
    }
    if (!gradients) continue;
    for (int t = 0; t < T; ++t) {
      for (int c = 0; c < D; ++c) {
        for (int w = 0; w < W; ++w) g_q[c][w] += x[t][c] * d_q[t][w], g_k[c][w] += x[t][c] * d_k[t][w];
      }
      for (int w = 0; w < W; ++w) g_b[w] += d_q[t][w];
    }
  }
  if (gradients) {
    gradients->w_q.resize(D, W), gradients->w_k.resize(D, W);
    std::copy_n(&g_q[0][0], D * W, gradients->w_q.data());
    std::copy_n(&g_k[0][0], D * W, gradients->w_k.data());
    gradients->b_q.resize(weights.b_q.rows(), weights.b_q.cols());
    if (!weights.b_q.empty()) std::copy_n(g_b, W, gradients->b_q.data());
  }
  return loss / (batch.B * T * T);
}

template <class E>
void update(double rate, int step, const Tensor<E>& gradient, Tensor<E>& m, Tensor<E>& v, Tensor<E>& w) {
  constexpr double beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  HEADLIGHT_CHECK_OP(gradient.size(), ==, w.size());
  if (m.size() != w.size()) m = Tensor<E>(w.rows(), w.cols()), v = Tensor<E>(w.rows(), w.cols());
  const E m_share = static_cast<E>(1 / (1 - std::pow(beta1, step))),
          v_share = static_cast<E>(1 / (1 - std::pow(beta2, step)));
  for (std::size_t i = 0; i < w.size(); ++i) {
    const E g = gradient.data()[i];
    const E m_i = static_cast<E>(beta1) * m.data()[i] + static_cast<E>(1 - beta1) * g,
            v_i = static_cast<E>(beta2) * v.data()[i] + static_cast<E>(1 - beta2) * g * g;
    m.data()[i] = m_i, v.data()[i] = v_i;
    w.data()[i] -= static_cast<E>(rate) * (m_i * m_share) / (std::sqrt(v_i * v_share) + static_cast<E>(eps));
  }
}

void start(const TwoRelationsSetup& setup, std::uint64_t which, Matrix& w) {
  const double bound = 1 / std::sqrt(static_cast<double>(width_in(setup)));
  const Random random(setup.seed, weights_stream + which);
  for (std::size_t i = 0; i < w.size(); ++i) {
    w.data()[i] = static_cast<float>(bound * (2 * random.uniform(i) - 1));
  }
}

/// Returns permutation number n, below 24, of four.
std::array<int, T> order(std::uint32_t n) {
  std::array<int, T> left = {0, 1, 2, 3};
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t choices = 4 - i;
    std::swap(left[i], left[i + n % choices]);
    n /= choices;
  }
  return left;
}

}  // namespace

TwoRelationsWeights two_relations_start(const TwoRelationsSetup& setup) {
  HEADLIGHT_CHECK(setup.heads == 1 || setup.heads == 2);
  const int D = width_in(setup), W = width_of(setup);
  const std::uint64_t kind = static_cast<std::uint64_t>(setup.heads) * 8;
  TwoRelationsWeights weights;
  weights.w_q = Matrix(D, W), weights.w_k = Matrix(D, W);
  start(setup, kind, weights.w_q), start(setup, kind + 1, weights.w_k);
  if (setup.repairs.bias) weights.b_q = Matrix(1, W), start(setup, kind + 2, weights.b_q);
  return weights;
}

void two_relations_batch(const TwoRelationsSetup& setup, int step, TwoRelationsBatch& out) {
  const Random random(setup.seed, static_cast<std::uint64_t>(static_cast<std::int64_t>(step)));
  const int D = width_in(setup);
  out.B = setup.batch;
  out.x = Matrix(setup.batch * T, D);
  out.planted.resize(static_cast<std::size_t>(setup.batch));
  std::array<float, 2 * T> content{};
  for (int b = 0; b < setup.batch; ++b) {
    const auto item = static_cast<std::uint64_t>(b);
    int& planted = out.planted[static_cast<std::size_t>(b)];
    if (setup.repairs.contents) {
      static constexpr float around[T][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
      const std::array<int, T> which = order(random.below(planted_index + item, 24));
      for (std::size_t t = 0; t < T; ++t) {
        if (which[t] == 0) planted = static_cast<int>(t);
        content[2 * t] = around[which[t]][0], content[2 * t + 1] = around[which[t]][1];
      }
    } else {
      random.normals(2 * T * item, content);
      planted = static_cast<int>(random.below(planted_index + item, T));
      content[2 * static_cast<std::size_t>(planted)] = 1;
      content[2 * static_cast<std::size_t>(planted) + 1] = 0;
    }
    for (int t = 0; t < T; ++t) {
      const std::span<float> x = out.x.row(b * T + t);
      x[0] = content[2 * static_cast<std::size_t>(t)], x[1] = content[2 * static_cast<std::size_t>(t) + 1];
      if (2 + t < D) x[2 + static_cast<std::size_t>(t)] = 1;
    }
  }
}

template <class E>
double two_relations_loss(const TwoRelationsSetup& setup, const TwoRelationsWeightsOf<E>& weights,
                          const TwoRelationsBatch& batch, Tensor<E>& maps,
                          std::type_identity_t<TwoRelationsWeightsOf<E>>* gradients) {
  const int D = width_in(setup), W = width_of(setup);
  for (const Tensor<E>* w : {&weights.w_q, &weights.w_k}) {
    HEADLIGHT_CHECK_OP(w->rows(), ==, D);
    HEADLIGHT_CHECK_OP(w->cols(), ==, W);
  }
  HEADLIGHT_CHECK(weights.b_q.empty() || weights.b_q.cols() == W);
  HEADLIGHT_CHECK(batch.x.rows() == batch.B * T && batch.x.cols() == D);
  HEADLIGHT_CHECK_OP(batch.planted.size(), ==, static_cast<std::size_t>(batch.B));
  HEADLIGHT_CHECK(setup.heads == 1 || setup.heads == 2);
  const auto with_heads = [&]<int D_in, int width>() {
    return setup.heads == 1 ? loss_of<E, D_in, width, 1>(weights, batch, maps, gradients)
                            : loss_of<E, D_in, width, 2>(weights, batch, maps, gradients);
  };
  if (D == 6) return W == 8 ? with_heads.template operator()<6, 8>() : with_heads.template operator()<6, 4>();
  return W == 8 ? with_heads.template operator()<4, 8>() : with_heads.template operator()<4, 4>();
}

template <class E>
void two_relations_update(double rate, int step, const TwoRelationsWeightsOf<E>& gradients,
                          TwoRelationsWeightsOf<E>& m, TwoRelationsWeightsOf<E>& v,
                          TwoRelationsWeightsOf<E>& weights) {
  update(rate, step, gradients.w_q, m.w_q, v.w_q, weights.w_q);
  update(rate, step, gradients.w_k, m.w_k, v.w_k, weights.w_k);
  update(rate, step, gradients.b_q, m.b_q, v.b_q, weights.b_q);
}

template double two_relations_loss<float>(const TwoRelationsSetup&, const TwoRelationsWeights&,
                                          const TwoRelationsBatch&, Matrix&, TwoRelationsWeights*);
template double two_relations_loss<double>(const TwoRelationsSetup&, const TwoRelationsWeightsOf<double>&,
                                           const TwoRelationsBatch&, MatrixF64&,
                                           TwoRelationsWeightsOf<double>*);
template void two_relations_update<float>(double, int, const TwoRelationsWeights&, TwoRelationsWeights&,
                                          TwoRelationsWeights&, TwoRelationsWeights&);
template void two_relations_update<double>(double, int, const TwoRelationsWeightsOf<double>&,
                                           TwoRelationsWeightsOf<double>&, TwoRelationsWeightsOf<double>&,
                                           TwoRelationsWeightsOf<double>&);

TwoRelationsRun two_relations_run(const TwoRelationsSetup& setup) {
  TwoRelationsRun run;
  run.setup = setup, run.weights = two_relations_start(setup);
  return run;
}

void two_relations_step(TwoRelationsRun& run) {
  TwoRelationsBatch batch;
  Matrix maps;
  TwoRelationsWeights gradients;
  two_relations_batch(run.setup, ++run.step, batch);
  run.last_loss = two_relations_loss(run.setup, run.weights, batch, maps, &gradients);
  two_relations_update(run.setup.rate, run.step, gradients, run.m, run.v, run.weights);
}

std::vector<TwoRelationsBatch> two_relations_held_out_batches(const TwoRelationsSetup& setup) {
  TwoRelationsSetup held_out = setup;
  held_out.batch = held_out_batch;
  std::vector<TwoRelationsBatch> batches(held_out_batches);
  for (std::size_t n = 0; n < batches.size(); ++n)
    two_relations_batch(held_out, -1 - static_cast<int>(n), batches[n]);
  return batches;
}

TwoRelationsTerms two_relations_terms(const TwoRelationsRun& run) {
  return two_relations_terms(run, two_relations_held_out_batches(run.setup));
}

TwoRelationsTerms two_relations_terms(const TwoRelationsRun& run,
                                      const std::vector<TwoRelationsBatch>& held_out) {
  TwoRelationsSetup setup = run.setup;
  setup.batch = held_out_batch;
  Matrix maps;
  TwoRelationsTerms sum;
  for (const TwoRelationsBatch& batch : held_out) {
    (void)two_relations_loss(setup, run.weights, batch, maps, nullptr);
    for (int b = 0; b < batch.B; ++b) {
      const int first = b * setup.heads, last = first + setup.heads - 1,
                planted = batch.planted[static_cast<std::size_t>(b)];
      for (int t = 0; t < T; ++t) {
        for (int u = 0; u < T; ++u) {
          const double place = static_cast<double>(maps.at(first, t, u)) - (u == 2),
                       content = static_cast<double>(maps.at(last, t, u)) - (u == planted);
          sum.place += place * place, sum.content += content * content;
        }
      }
    }
  }
  const double elements = static_cast<double>(held_out.size()) * setup.batch * T * T;
  return {sum.place / elements, sum.content / elements};
}

double two_relations_held_out(const TwoRelationsRun& run) {
  return two_relations_terms(run).loss();
}

}  // namespace headlight::nn
