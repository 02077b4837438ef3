#include "nn/explain.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace headlight::nn {

namespace {

constexpr double masked_score = -std::numeric_limits<double>::infinity();

double dot_product(const float* a, const float* b, int n) {
  double sum = 0;
  for (int c = 0; c < n; ++c) sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
  return sum;
}

double added_by_pairs(const PairMask* pairs, int head, int i, int j) {
  if (pairs == nullptr || pairs->add.empty()) return 0;
  return static_cast<double>(pairs->add.at(pairs->add.depth() == 1 ? 0 : head, i, j));
}

double capped(const AttentionTrace& trace, double score) {
  const auto cap = static_cast<double>(trace.score_cap);
  return cap > 0 ? cap * std::tanh(score / cap) : score;
}

bool may_read(const AttentionTrace& trace, const PairMask* pairs, int head, int i, int j) {
  if (!trace.allowed[static_cast<std::size_t>(i)].has(j)) return false;
  if (pairs == nullptr) return true;
  if (!pairs->allow.empty() && pairs->allow.at(pairs->allow.depth() == 1 ? 0 : head, i, j) == 0) return false;
  return added_by_pairs(pairs, head, i, j) != masked_score;
}

/// Scores and weights of one row in double.
struct Row {
  std::vector<double> scores, exponentials;  // [S]; an exponential is 0 where the key is masked
  double max = 0, sum = 0;
};

Row row_in_double(const AttentionTrace& trace, const PairMask* pairs, int head, int query, double divisor) {
  const auto S = static_cast<std::size_t>(trace.S);
  Row row{std::vector<double>(S), std::vector<double>(S, 0.0)};
  std::vector<char> allowed(S);
  double max = masked_score;
  for (std::size_t j = 0; j < S; ++j) {
    const int key = static_cast<int>(j);
    row.scores[j] =
        capped(trace, dot_product(trace.query(head, query), trace.key(head, key), trace.d_k) / divisor) +
        added_by_pairs(pairs, head, query, key);
    allowed[j] = may_read(trace, pairs, head, query, key);
    if (allowed[j] && !(row.scores[j] <= max)) max = row.scores[j];  // so a NaN becomes the maximum
  }
  if (max == masked_score) return row;
  row.max = max;
  for (std::size_t j = 0; j < S; ++j) {
    if (allowed[j]) row.exponentials[j] = std::exp(row.scores[j] - max);
    row.sum += row.exponentials[j];
  }
  return row;
}

double norm(const float* v, int n) {
  return std::sqrt(dot_product(v, v, n));
}

std::vector<double> widened(const float* v, int n) {
  return {v, v + n};
}

}  // namespace

CellTrace explain_cell(const AttentionTrace& trace, const AttentionOptions& options, int head, int query,
                       int key) {
  HEADLIGHT_CHECK(head >= 0 && head < trace.heads && query >= 0 && query < trace.T && key >= 0 &&
                  key < trace.S);
  CellTrace cell;
  cell.head = head, cell.query = query, cell.key = key;
  cell.q = widened(trace.query(head, query), trace.d_k);
  cell.k = widened(trace.key(head, key), trace.d_k);
  for (std::size_t c = 0; c < cell.q.size(); ++c) {
    cell.products.push_back(cell.q[c] * cell.k[c]);
    cell.dot += cell.products.back();
  }
  cell.temperature = options.temperature;
  if (options.divide_by_sqrt_d_k) cell.sqrt_d_k = std::sqrt(static_cast<double>(trace.d_k));
  cell.divisor = cell.sqrt_d_k * cell.temperature;
  if (!options.divide_by_sqrt_d_k) cell.divisor /= options.custom_scale;

  const Row row = row_in_double(trace, options.pairs, head, query, cell.divisor);
  const auto at = static_cast<std::size_t>(key);
  cell.cap = static_cast<double>(trace.score_cap);
  cell.add = added_by_pairs(options.pairs, head, query, key);
  cell.score = row.scores[at];
  cell.allowed = may_read(trace, options.pairs, head, query, key);
  cell.row_masked = row.sum == 0;
  cell.row_max = row.max;
  cell.exponential = row.exponentials[at];
  cell.row_sum = row.sum;

  cell.v = widened(trace.value(head, key), trace.d_v);
  cell.context.assign(static_cast<std::size_t>(trace.d_v), 0.0);
  double taken_in = 0;
  for (int j = 0; j < trace.S; ++j) {
    const double exponential = row.exponentials[static_cast<std::size_t>(j)];
    if (exponential == 0) continue;
    const double weight = exponential / row.sum;
    const float* value = trace.value(head, j);
    for (std::size_t c = 0; c < cell.context.size(); ++c)
      cell.context[c] += weight * static_cast<double>(value[c]);
    taken_in += weight * norm(value, trace.d_v);
    if (j == key) cell.weight = weight;
  }
  for (double component : cell.v) cell.weighted_v.push_back(cell.weight * component);
  if (taken_in > 0) cell.share = cell.weight * norm(trace.value(head, key), trace.d_v) / taken_in;
  double along = 0, length = 0;
  for (std::size_t c = 0; c < cell.context.size(); ++c) {
    along += cell.weighted_v[c] * cell.context[c];
    length += cell.context[c] * cell.context[c];
  }
  if (length > 0) cell.projection = along / length;
  cell.weight_f32 = trace.weights.at(head, query, key);
  cell.residual = static_cast<double>(cell.weight_f32) - cell.weight;
  return cell;
}

namespace {

/// `cell_of(head)` gives the weight of each.
template <class CellOf>
CellTrace combined(const std::vector<int>& heads, bool largest, int query, int key, CellOf cell_of) {
  HEADLIGHT_CHECK(!heads.empty());
  CellTrace out;
  out.query = query, out.key = key, out.largest = largest;
  out.allowed = false, out.row_masked = true;
  float sum = 0, most = 0;
  for (const int head : heads) {
    const CellTrace one = cell_of(head);
    out.heads.push_back({head, one.weight, one.weight_f32});
    out.allowed = out.allowed || one.allowed, out.row_masked = out.row_masked && one.row_masked;
    out.weight += one.weight;
    sum += one.weight_f32;
    // A NaN is kept, as on the map.
    if (out.heads.size() == 1 || one.weight_f32 > most || std::isnan(one.weight_f32)) {
      most = one.weight_f32;
      if (largest) out.head = head;
    }
  }
  if (largest) {
    for (const HeadWeight& one : out.heads) {
      if (one.head == out.head) out.weight = one.weight;
    }
    out.weight_f32 = most;
  } else {
    out.weight /= static_cast<double>(heads.size());
    out.weight_f32 = sum / static_cast<float>(heads.size());
  }
  out.residual = static_cast<double>(out.weight_f32) - out.weight;
  return out;
}

}  // namespace

CellTrace explain_combined(const AttentionTrace& trace, const AttentionOptions& options,
                           const std::vector<int>& heads, bool largest, int query, int key) {
  return combined(heads, largest, query, key,
                  [&](int head) { return explain_cell(trace, options, head, query, key); });
}

CellTrace given_cell(const AttentionTrace& trace, const std::vector<int>& heads, bool largest, int query,
                     int key) {
  CellTrace out = combined(heads, largest, query, key, [&](int head) {
    CellTrace one;
    one.weight_f32 = trace.weights.at(head, query, key), one.weight = static_cast<double>(one.weight_f32);
    const base::Interval keys = trace.allowed[static_cast<std::size_t>(query)];
    one.allowed = keys.has(key), one.row_masked = keys.size() == 0;
    return one;
  });
  if (heads.size() == 1) out.head = heads.front();
  return out;
}

namespace {

constexpr int block = 64;
using Block = Eigen::Array<float, block, 1>;
/// Below this, a weight is too close to the subnormal numbers to recover its score from its logarithm.
constexpr float smallest_with_logarithm = 1e-30f;

/// Sums over some of the allowed weights of one row; natural logarithms.
struct RowSums {
  float reference = 0;  // log of one of the weights: differences from it keep their digits in the sums
  double entropy = 0;   // Σ −A log A
  double log = 0,
         log_2 = 0;  // Σ (log A − reference) and Σ of its square, over the weights that have a logarithm
  std::size_t with_logarithm = 0;
  float largest = 0;
};

/// Adds weights that may be too small for a logarithm, or may be NaN.
void add_each(const float* weights, int count, RowSums& sums) {
  for (int j = 0; j < count; ++j) {
    const float a = weights[j];
    if (!(a < smallest_with_logarithm)) {
      const float l = std::log(a), difference = l - sums.reference;
      sums.entropy -= static_cast<double>(a * l);
      sums.log += static_cast<double>(difference);
      sums.log_2 += static_cast<double>(difference * difference);
      ++sums.with_logarithm;
    }
    sums.largest = std::max(sums.largest, a);
  }
}

void add_block(const float* weights, RowSums& sums) {
  const Eigen::Map<const Block> a(weights);
  const Block l = a.log();
  const float entropy = (a * l).sum();
  if (!(a.minCoeff() >= smallest_with_logarithm) || !std::isfinite(entropy))
    return add_each(weights, block, sums);
  const Block difference = l - sums.reference;
  sums.entropy -= static_cast<double>(entropy);
  sums.log += static_cast<double>(difference.sum());
  sums.log_2 += static_cast<double>(difference.square().sum());
  sums.with_logarithm += block;
  sums.largest = std::max(sums.largest, a.maxCoeff());
}

/// Returns the row's scaled scores from q and k, in float32.
Eigen::VectorXf scores_of_row(const AttentionTrace& trace, int head, int query, base::Interval keys) {
  using Keys = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Keys, 0, Eigen::OuterStride<>> k(trace.key(head, keys.begin), keys.size(), trace.d_k,
                                                          Eigen::OuterStride<>(trace.k.cols()));
  const Eigen::Map<const Eigen::VectorXf> q(trace.query(head, query), trace.d_k);
  Eigen::VectorXf scores = trace.scale * (k * q);
  if (const float cap = trace.score_cap; cap > 0) scores = (cap * (scores / cap).array().tanh()).matrix();
  return scores;
}

/// Sums over a block of rows of one head. Means and squared deviations of blocks are combined as by Chan,
/// Golub and LeVeque (1979), so that a large common score does not cost digits.
struct Sums {
  double entropy = 0;
  std::size_t readers = 0;  // queries that may attend to a key
  float largest = 0;
  double pairs = 0, mean = 0, squares = 0;  // Σ (score − mean)²

  void add(double n, double other_mean, double other_squares) {
    if (n == 0) return;
    const double delta = other_mean - mean, total = pairs + n;
    squares += other_squares + delta * delta * pairs * n / total;
    mean += delta * n / total;
    pairs = total;
  }
};

/// Returns the row's entropy in bits; NaN where the query may not attend to any key.
double add_row(const AttentionTrace& trace, const PairMask* pairs, int head, int query, Sums& sums) {
  const base::Interval keys = trace.allowed[static_cast<std::size_t>(query)];
  const float* weights = trace.weights.row(head, query).data();
  RowSums row;
  int j = keys.begin;
  if (j < keys.end && weights[j] >= smallest_with_logarithm) row.reference = std::log(weights[j]);
  for (; j + block <= keys.end; j += block) add_block(weights + j, row);
  if (j < keys.end) add_each(weights + j, keys.end - j, row);
  sums.largest = std::max(sums.largest, row.largest);

  const float row_sum = trace.row_sum.at(head, query);
  if (row_sum == 0) return std::numeric_limits<double>::quiet_NaN();  // no allowed key
  const double bits = row.entropy / std::numbers::ln2;
  sums.entropy += bits;
  ++sums.readers;
  // score = log A + log Σ exp(score − max) + max
  const double shift = std::log(static_cast<double>(row_sum)) +
                       static_cast<double>(trace.row_max.at(head, query)) +
                       static_cast<double>(row.reference);
  const auto n = static_cast<double>(row.with_logarithm);
  if (n > 0) sums.add(n, row.log / n + shift, std::max(0.0, row.log_2 - row.log * row.log / n));
  if (row.with_logarithm == static_cast<std::size_t>(keys.size())) return bits;
  const Eigen::VectorXf scores = scores_of_row(trace, head, query, keys);
  const auto reference = static_cast<double>(scores[0]);
  double count = 0, total = 0, squares = 0;
  for (int key = keys.begin; key < keys.end; ++key) {
    if (!(weights[key] < smallest_with_logarithm) || !may_read(trace, pairs, head, query, key)) continue;
    const double difference =
        static_cast<double>(scores[key - keys.begin]) + added_by_pairs(pairs, head, query, key) - reference;
    ++count, total += difference, squares += difference * difference;
  }
  if (count > 0) sums.add(count, reference + total / count, std::max(0.0, squares - total * total / count));
  return bits;
}

}  // namespace

std::vector<HeadSummary> summarize_weights(const AttentionTrace& trace, base::Parallel& parallel) {
  std::vector<HeadSummary> out(static_cast<std::size_t>(trace.heads));
  parallel.run(trace.heads, [&](int head) {
    HeadSummary& summary = out[static_cast<std::size_t>(head)];
    summary.score_variance = std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    int readers = 0;
    for (int query = 0; query < trace.T; ++query) {
      double bits = 0;
      float largest = 0;
      for (const float weight : trace.weights.row(head, query)) {
        const auto w = static_cast<double>(weight);
        if (w > 0) bits -= w * std::log2(w);
        largest = std::max(largest, weight);
      }
      summary.largest = std::max(summary.largest, largest);
      summary.row_entropy_bits.push_back(largest > 0 ? bits : std::numeric_limits<double>::quiet_NaN());
      if (largest > 0) sum += bits, ++readers;
    }
    if (readers > 0) summary.entropy_bits = sum / readers;
  });
  return out;
}

std::vector<HeadSummary> summarize_heads(const AttentionTrace& trace, base::Parallel& parallel,
                                         const PairMask* pairs) {
  // A task is about 64 Ki weights, whatever the number of threads.
  const int rows = std::clamp(65536 / std::max(trace.S, 1), 1, std::max(trace.T, 1));
  const int blocks = (trace.T + rows - 1) / rows;
  std::vector<Sums> parts(static_cast<std::size_t>(trace.heads) * static_cast<std::size_t>(blocks));
  std::vector<HeadSummary> summaries(static_cast<std::size_t>(trace.heads));
  for (HeadSummary& summary : summaries) summary.row_entropy_bits.resize(static_cast<std::size_t>(trace.T));
  parallel.run(trace.heads * blocks, [&](int task) {
    const int head = task / blocks, first = task % blocks * rows;
    std::vector<double>& entropies = summaries[static_cast<std::size_t>(head)].row_entropy_bits;
    for (int i = first; i < std::min(first + rows, trace.T); ++i) {
      entropies[static_cast<std::size_t>(i)] =
          add_row(trace, pairs, head, i, parts[static_cast<std::size_t>(task)]);
    }
  });
  for (int head = 0; head < trace.heads; ++head) {
    Sums sums;
    for (int b = 0; b < blocks; ++b) {
      const Sums& part = parts[static_cast<std::size_t>(head * blocks + b)];
      sums.entropy += part.entropy;
      sums.readers += part.readers;
      sums.largest = std::max(sums.largest, part.largest);
      sums.add(part.pairs, part.mean, part.squares);
    }
    HeadSummary& summary = summaries[static_cast<std::size_t>(head)];
    if (sums.readers > 0) summary.entropy_bits = sums.entropy / static_cast<double>(sums.readers);
    summary.largest = sums.largest;
    if (sums.pairs > 0) summary.score_variance = sums.squares / sums.pairs;
  }
  return summaries;
}

namespace {

/// Size of a piece of a [T, S] plane that stays in the cache while the heads are combined.
constexpr std::size_t piece = 4096;
constexpr std::size_t pieces_worth_sharing = 64;  // pieces; fewer take less time than waking another thread
using Values = Eigen::Map<Eigen::ArrayXf>;
using ConstValues = Eigen::Map<const Eigen::ArrayXf>;

template <class Join>
Matrix join_heads(const AttentionTrace& trace, const std::vector<int>& heads, base::Parallel* parallel,
                  Join join) {
  HEADLIGHT_CHECK(!heads.empty());
  for (int head : heads) HEADLIGHT_CHECK(head >= 0 && head < trace.heads);
  Matrix joined;
  joined.resize(trace.T, trace.S);
  const auto join_piece = [&](std::size_t at) {
    const auto count = static_cast<Eigen::Index>(std::min(piece, joined.size() - at));
    Values out(joined.data() + at, count);
    out = ConstValues(trace.weights.plane(heads[0]) + at, count);
    for (std::size_t n = 1; n < heads.size(); ++n)
      join(out, ConstValues(trace.weights.plane(heads[n]) + at, count));
  };
  const std::size_t pieces = (joined.size() + piece - 1) / piece;
  if (!parallel || pieces < pieces_worth_sharing) {
    for (std::size_t i = 0; i < pieces; ++i) join_piece(i * piece);
  } else {
    parallel->run(static_cast<int>(pieces), [&](int i) { join_piece(static_cast<std::size_t>(i) * piece); });
  }
  return joined;
}

}  // namespace

Matrix mean_of_heads(const AttentionTrace& trace, const std::vector<int>& heads, base::Parallel* parallel) {
  Matrix mean =
      join_heads(trace, heads, parallel, [](Values& sum, const ConstValues& weights) { sum += weights; });
  Values(mean.data(), static_cast<Eigen::Index>(mean.size())) /= static_cast<float>(heads.size());
  return mean;
}

Matrix max_of_heads(const AttentionTrace& trace, const std::vector<int>& heads, base::Parallel* parallel) {
  // The second term is 0, or NaN where either operand is NaN or infinite, so that such a value stays visible.
  return join_heads(trace, heads, parallel, [](Values& largest, const ConstValues& weights) {
    largest = largest.max(weights) + 0 * (largest + weights);
  });
}

std::vector<double> column_sums(const float* map, int T, int S) {
  std::vector<double> sums(static_cast<std::size_t>(S));
  Eigen::Map<Eigen::ArrayXd> out(sums.data(), S);
  for (int i = 0; i < T; ++i) out += ConstValues(map + static_cast<std::ptrdiff_t>(i) * S, S).cast<double>();
  return sums;
}

std::vector<double> row_entropies(const Matrix& map, base::Parallel* parallel) {
  std::vector<double> out(static_cast<std::size_t>(map.rows()));
  const int rows = std::clamp(16384 / std::max(map.cols(), 1), 1, std::max(map.rows(), 1));
  const int tasks = (map.rows() + rows - 1) / rows;
  const auto work = [&](int task) {
    for (int i = task * rows; i < std::min(map.rows(), (task + 1) * rows); ++i) {
      const float* weights = map.row(i).data();
      const int S = map.cols();
      RowSums row;
      int j = 0;
      for (; j + block <= S; j += block) add_block(weights + j, row);
      if (j < S) add_each(weights + j, S - j, row);
      out[static_cast<std::size_t>(i)] =
          row.largest > 0 ? row.entropy / std::numbers::ln2 : std::numeric_limits<double>::quiet_NaN();
    }
  };
  if (parallel && tasks > 1) {
    parallel->run(tasks, work);
  } else {
    for (int task = 0; task < tasks; ++task) work(task);
  }
  return out;
}

std::size_t count_nonfinite(const AttentionTrace& trace) {
  std::size_t count = 0;
  for (const Matrix* m : {&trace.weights, &trace.output}) {
    for (std::size_t at = 0; at < m->size(); at += piece) {
      const ConstValues values(m->data() + at, static_cast<Eigen::Index>(std::min(piece, m->size() - at)));
      if ((values * 0).sum() == 0) continue;  // 0 · x is 0 for what is finite, and NaN for the rest
      count += static_cast<std::size_t>((!values.isFinite()).count());
    }
  }
  return count;
}

}  // namespace headlight::nn
