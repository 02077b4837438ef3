#include "nn/cost.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nn/random.h"

namespace headlight::nn {

namespace {

using std::size_t;
using std::uint64_t;

/// A number that notes its multiplications.
class Tallied {
 public:
  Tallied(double value = 0) : value_(value) {}  // NOLINT: stands in for a double
  friend Tallied operator*(const Tallied& a, const Tallied& b) {
    ++multiplications;
    return a.value_ * b.value_;
  }
  Tallied& operator+=(const Tallied& other) {
    value_ += other.value_;
    return *this;
  }
  static thread_local uint64_t multiplications;

 private:
  double value_;
};
thread_local uint64_t Tallied::multiplications = 0;

using Grid = std::vector<std::vector<Tallied>>;

Grid grid(int rows, int cols, double value = 1) {
  return Grid(static_cast<size_t>(rows), std::vector<Tallied>(static_cast<size_t>(cols), value));
}

uint64_t noted() {
  return std::exchange(Tallied::multiplications, 0);
}

/// C = A B, the loops as they stand in a book.
Grid product(const Grid& a, const Grid& b) {
  Grid c = grid(static_cast<int>(a.size()), static_cast<int>(b[0].size()), 0);
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < b[0].size(); ++j) {
      for (size_t n = 0; n < b.size(); ++n) c[i][j] += a[i][n] * b[n][j];
    }
  }
  return c;
}

Grid transposed(const Grid& a) {
  Grid t = grid(static_cast<int>(a[0].size()), static_cast<int>(a.size()));
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < a[0].size(); ++j) t[j][i] = a[i][j];
  }
  return t;
}

/// The rows of all the steps; each is a vector times W_h and a vector times W_x.
CountedCost run_recurrence(const LayerSize& size) {
  CountedCost counted;
  const Grid w_h = grid(size.d, size.d), w_x = grid(size.d, size.d), x = grid(1, size.d);
  Grid h = grid(1, size.d, 0);
  for (int t = 0; t < size.n; ++t) {
    Grid next = product(h, w_h);
    counted.first += noted();
    const Grid in = product(x, w_x);
    counted.second += noted();
    for (int c = 0; c < size.d; ++c) next[0][static_cast<size_t>(c)] += in[0][static_cast<size_t>(c)];
    h = next;
  }
  return counted;
}

CountedCost run_convolution(const LayerSize& size) {
  const Grid x = grid(size.n + size.k - 1, size.d);  // zeros at the ends included
  const std::vector<Grid> kernel(static_cast<size_t>(size.k), grid(size.d, size.d));
  Grid y = grid(size.n, size.d, 0);
  for (int t = 0; t < size.n; ++t) {
    for (int tap = 0; tap < size.k; ++tap) {
      const Grid part = product({x[static_cast<size_t>(t + tap)]}, kernel[static_cast<size_t>(tap)]);
      for (int c = 0; c < size.d; ++c) {
        y[static_cast<size_t>(t)][static_cast<size_t>(c)] += part[0][static_cast<size_t>(c)];
      }
    }
  }
  CountedCost counted;
  counted.first = noted();
  return counted;
}

void check(const LayerSize& size) {
  HEADLIGHT_CHECK_OP(size.n, >=, 1);
  HEADLIGHT_CHECK_OP(size.d, >=, 1);
  HEADLIGHT_CHECK_OP(size.k, >=, 1);
}

}  // namespace

LayerCost cost_of(Architecture architecture, const LayerSize& size) {
  check(size);
  const auto n = static_cast<uint64_t>(size.n), d = static_cast<uint64_t>(size.d),
             k = static_cast<uint64_t>(size.k);
  switch (architecture) {
    case Architecture::self_attention:
      return {n * n * d, 2 * n * n * d, 1, 1};
    case Architecture::recurrence:
      return {n * d * d, 2 * n * d * d, n, static_cast<double>(n)};
    case Architecture::convolution:
      return {k * n * d * d, k * n * d * d, 1, static_cast<double>(n) / static_cast<double>(k)};
    case Architecture::dilated_convolution:
      return {k * n * d * d, k * n * d * d, 1,
              k == 1 ? static_cast<double>(n)
                     : std::log(static_cast<double>(n)) / std::log(static_cast<double>(k))};
  }
  return {};
}

std::uint64_t linear_attention_multiplications(const LayerSize& size) {
  check(size);
  return 2 * static_cast<uint64_t>(size.n) * static_cast<uint64_t>(size.d) * static_cast<uint64_t>(size.d);
}

CountedCost count_by_running(Architecture architecture, const LayerSize& size) {
  check(size);
  noted();
  switch (architecture) {
    case Architecture::self_attention: {
      const Grid q = grid(size.n, size.d), k = grid(size.n, size.d), v = grid(size.n, size.d);
      CountedCost counted;
      const Grid scores = product(q, transposed(k));
      counted.first = noted();
      product(scores, v);
      counted.second = noted();
      return counted;
    }
    case Architecture::recurrence:
      return run_recurrence(size);
    case Architecture::convolution:
    case Architecture::dilated_convolution:
      return run_convolution(size);
  }
  return {};
}

CountedCost count_linear_attention_by_running(const LayerSize& size) {
  check(size);
  noted();
  const Grid q = grid(size.n, size.d), k = grid(size.n, size.d), v = grid(size.n, size.d);
  CountedCost counted;
  const Grid state = product(transposed(k), v);
  counted.first = noted();
  product(q, state);
  counted.second = noted();
  return counted;
}

int receptive_field(int layers, int k) {
  return 1 + layers * (k - 1);
}

std::vector<Hop> hop_chain(Architecture architecture, const LayerSize& size, int from, int to) {
  check(size);
  HEADLIGHT_CHECK(from >= 0 && from < size.n && to >= 0 && to < size.n);
  std::vector<Hop> hops;
  switch (architecture) {
    case Architecture::self_attention:
      if (from != to) hops.push_back({0, to});
      break;
    case Architecture::recurrence:
      for (int position = from + 1; position <= to; ++position) hops.push_back({0, position});
      break;
    case Architecture::convolution: {
      // An output reads k/2 positions to its left, so information moves that far to the right.
      const int reach = to > from ? size.k / 2 : (size.k - 1) / 2;
      if (reach == 0) break;
      for (int position = from, layer = 0; position != to; ++layer) {
        position = to > from ? std::min(to, position + reach) : std::max(to, position - reach);
        hops.push_back({layer, position});
      }
      break;
    }
    case Architecture::dilated_convolution: {
      if (size.k == 1) break;
      int left = to - from, position = from;
      long long step = 1;
      for (int layer = 0; left > 0; ++layer) {
        position += static_cast<int>(left % size.k * step);
        hops.push_back({layer, position});
        left /= size.k, step *= size.k;
      }
      break;
    }
  }
  return hops;
}

std::uint64_t attention_map_bytes(std::uint64_t T, std::uint64_t batch, std::uint64_t heads,
                                  std::uint64_t layers, std::uint64_t bytes_per_value) {
  return batch * heads * layers * bytes_per_value * T * T;
}

RecurrenceWeights random_recurrence_weights(int d_in, int d, std::uint64_t seed) {
  HEADLIGHT_CHECK_OP(d_in, >=, 1);
  HEADLIGHT_CHECK_OP(d, >=, 1);
  RecurrenceWeights weights;
  const double bound = 1 / std::sqrt(static_cast<double>(d));  // as torch.nn.RNN draws them
  uint64_t stream = 0x524E4E;
  const auto draw = [&](int rows, int cols) {
    Matrix w(rows, cols);
    const Random random(seed, stream++);
    for (size_t i = 0; i < w.size(); ++i)
      w.data()[i] = static_cast<float>(bound * (2 * random.uniform(i) - 1));
    return w;
  };
  weights.w_x = draw(d_in, d), weights.w_h = draw(d, d), weights.b = draw(1, d);
  return weights;
}

void recurrence(const Matrix& x, const RecurrenceWeights& weights, Matrix& h) {
  const int d = weights.w_h.cols();
  HEADLIGHT_CHECK_OP(x.cols(), ==, weights.w_x.rows());
  HEADLIGHT_CHECK_OP(weights.w_x.cols(), ==, d);
  HEADLIGHT_CHECK_OP(weights.w_h.rows(), ==, d);
  h.resize(x.rows(), d);
  const auto add = [d](const float* in, const Matrix& w, float* out) {
    for (int r = 0; r < w.rows(); ++r) {
      const float factor = in[r];
      const float* row = w.row(r).data();
      for (int c = 0; c < d; ++c) out[c] += factor * row[c];
    }
  };
  for (int t = 0; t < x.rows(); ++t) {
    float* now = h.row(t).data();
    if (weights.b.empty()) {
      std::fill_n(now, static_cast<size_t>(d), 0.0f);
    } else {
      std::copy_n(weights.b.data(), static_cast<size_t>(d), now);
    }
    add(x.row(t).data(), weights.w_x, now);
    if (t > 0) add(h.row(t - 1).data(), weights.w_h, now);
    for (int c = 0; c < d; ++c) now[c] = std::tanh(now[c]);
  }
}

}  // namespace headlight::nn
