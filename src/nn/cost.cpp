#include "nn/cost.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nn/random.h"

namespace headlight::nn {

namespace {

using std::size_t;
using std::uint64_t;

/// A number that records its multiplications.
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

/// C = A B by the textbook loops.
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

/// Runs all steps; each multiplies one vector by W_h and one by W_x.
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
  const Grid x = grid(size.n + size.k - 1, size.d);  // including the zeros at the ends
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

/// Searches breadth first: where the information can be after each layer, and where it came from.
std::vector<Hop> convolution_chain(Architecture architecture, const LayerSize& size, int from, int to) {
  const KernelReach reach = kernel_reach(size.k, size.side);
  const long long base = gap_base(architecture, size.k, size.side);
  std::vector<std::vector<int>> came_from;  // for each layer, the source of each position; −1: not reached
  std::vector<int> reached(static_cast<size_t>(size.n), -1);
  reached[static_cast<size_t>(from)] = from;
  for (long long gap = 1; reached[static_cast<size_t>(to)] < 0 && gap < size.n; gap *= base) {
    std::vector<int> next(static_cast<size_t>(size.n), -1);
    bool further = false;
    for (int at = 0; at < size.n; ++at) {
      if (reached[static_cast<size_t>(at)] < 0) continue;
      // An output uses inputs up to `left` gaps before it, so information moves that far to the right.
      for (long long step = -reach.right; step <= reach.left; ++step) {
        const long long there = at + step * gap;
        if (there < 0 || there >= size.n) continue;
        int& source = next[static_cast<size_t>(there)];
        if (source < 0 || step == 0) source = at;
        further = further || reached[static_cast<size_t>(there)] < 0;
      }
    }
    if (!further && base == 1) break;
    came_from.push_back(next);
    reached = std::move(next);
  }
  if (from == to || reached[static_cast<size_t>(to)] < 0) return {};
  std::vector<Hop> hops(came_from.size());
  for (int layer = static_cast<int>(came_from.size()) - 1, position = to; layer >= 0; --layer) {
    hops[static_cast<size_t>(layer)] = {layer, position};
    position = came_from[static_cast<size_t>(layer)][static_cast<size_t>(position)];
  }
  return hops;
}

void check(const LayerSize& size) {
  HEADLIGHT_CHECK_OP(size.n, >=, 1);
  HEADLIGHT_CHECK_OP(size.d, >=, 1);
  HEADLIGHT_CHECK_OP(size.k, >=, 1);
}

}  // namespace

/// Returns how many layers connect the two ends of n positions, in the direction that takes longer; 0 =
/// never.
int layers_between_ends(Architecture architecture, const LayerSize& size) {
  if (size.n == 1 || size.k == 1) return 0;
  const KernelReach reach = kernel_reach(size.k, size.side);
  const int base = gap_base(architecture, size.k, size.side);
  if (base == 1) {
    const int shorter = reach.right > 0 ? std::min(reach.left, reach.right) : reach.left;
    return (size.n - 2 + shorter) / shorter;
  }
  int layers = 0;
  for (long long covered = 1; covered < size.n; covered *= base) ++layers;
  return layers;
}

LayerCost cost_of(Architecture architecture, const LayerSize& size) {
  check(size);
  const auto n = static_cast<uint64_t>(size.n), d = static_cast<uint64_t>(size.d),
             k = static_cast<uint64_t>(size.k);
  const int hop = size.n > 1 ? 1 : 0;
  switch (architecture) {
    case Architecture::self_attention:
      return {n * n * d, 2 * n * n * d, 4 * n * d * d, 1, hop};
    case Architecture::linear_attention:
      return {n * d * d, 2 * n * d * d, 4 * n * d * d, 1, hop};
    case Architecture::recurrence:
      return {n * d * d, 2 * n * d * d, 0, n, size.n - 1};
    case Architecture::convolution:
    case Architecture::dilated_convolution:
      return {k * n * d * d, k * n * d * d, 0, 1, layers_between_ends(architecture, size)};
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
    case Architecture::self_attention:
    case Architecture::linear_attention: {
      const Grid x = grid(size.n, size.d), w = grid(size.d, size.d);
      CountedCost counted;
      const Grid q = product(x, w), k = product(x, w), v = product(x, w);
      counted.projections = noted();
      Grid output;
      if (architecture == Architecture::self_attention) {
        const Grid scores = product(q, transposed(k));
        counted.first = noted();
        output = product(scores, v);
      } else {
        const Grid state = product(transposed(k), v);
        counted.first = noted();
        output = product(q, state);
      }
      counted.second = noted();
      product(output, w);
      counted.projections += noted();
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

HeadsCost heads_cost(const LayerSize& size, int heads) {
  check(size);
  HEADLIGHT_CHECK_OP(heads, >=, 1);
  HeadsCost cost;
  cost.heads = std::min(heads, size.d);
  cost.narrowest = size.d / cost.heads, cost.widest = (size.d + cost.heads - 1) / cost.heads;
  cost.multiplications = cost_of(Architecture::self_attention, size).whole();
  const auto n = static_cast<uint64_t>(size.n), d = static_cast<uint64_t>(size.d);
  cost.exponentials = static_cast<uint64_t>(cost.heads) * n * n;
  cost.parameters = 4 * d * d;
  return cost;
}

std::uint64_t count_heads_by_running(const LayerSize& size, int heads) {
  const int h = heads_cost(size, heads).heads;
  noted();
  const Grid x = grid(size.n, size.d);
  for (int head = 0; head < h; ++head) {
    const int width = size.d / h + (head < size.d % h ? 1 : 0);
    const Grid w = grid(size.d, width);
    const Grid q = product(x, w), k = product(x, w), v = product(x, w);
    product(product(q, transposed(k)), v);
  }
  product(x, grid(size.d, size.d));  // the concatenation times W_O
  return noted();
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
    case Architecture::linear_attention:  // through the one state to which every token is added
      if (from != to) hops.push_back({0, to});
      break;
    case Architecture::recurrence:
      for (int position = from + 1; position <= to; ++position) hops.push_back({0, position});
      break;
    case Architecture::convolution:
    case Architecture::dilated_convolution:
      return convolution_chain(architecture, size, from, to);
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
  const double bound = 1 / std::sqrt(static_cast<double>(d));  // like torch.nn.RNN
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
