// The share of each part in what makes scores differ between keys, and the same layer with shuffled weights.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "nn/random.h"
#include "pages/order/order.h"

namespace headlight::scene {

namespace {

using std::size_t;

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
constexpr size_t most_shuffled = size_t(1) << 21;  // entries of W_Q and W_K: about 50 ms

/// The keys of every query among the first n tokens, and a plane [n, n] that is 0 elsewhere.
class CentredRows {
 public:
  CentredRows(const nn::AttentionTrace& trace, int n) : n_(n) {
    for (int i = 0; i < n; ++i) {
      const bool masked = static_cast<size_t>(i) < trace.allowed.size();
      keys_.push_back(
          base::intersect(masked ? trace.allowed[static_cast<size_t>(i)] : base::Interval{0, n}, {0, n}));
      pairs_ += keys_.back().size();
    }
    values_.resize(static_cast<size_t>(n) * static_cast<size_t>(n));
  }

  int pairs() const { return pairs_; }

  void clear() { std::fill(values_.begin(), values_.end(), 0.0); }
  /// Adds a plane [n, n].
  void add(const double* plane) {
    each([&](int i, int j, double& value) {
      value += plane[static_cast<size_t>(i) * static_cast<size_t>(n_) + static_cast<size_t>(j)];
    });
  }

  /// Subtracts from every row its mean over the keys of its query.
  void centre() {
    for (int i = 0; i < n_; ++i) {
      const base::Interval keys = keys_[static_cast<size_t>(i)];
      double* row = &values_[static_cast<size_t>(i) * static_cast<size_t>(n_)];
      double sum = 0;
      for (int j = keys.begin; j < keys.end; ++j) sum += row[j];
      for (int j = keys.begin; j < keys.end; ++j) row[j] -= sum / keys.size();
    }
  }

  double product(const CentredRows& other) const {
    double sum = 0;
    for (size_t i = 0; i < values_.size(); ++i) sum += values_[i] * other.values_[i];
    return sum;
  }

  /// The largest share of the squares that f(key − query) + g(query) explains, by least squares: subtracts
  /// the mean of every offset and of every row in turn until nothing changes.
  double share_by_offset() const {
    constexpr int most_turns = 200;
    constexpr double enough = 1e-10;
    CentredRows rest = *this;
    const double whole = product(*this);
    if (!(whole > 0) || !std::isfinite(whole)) return undefined;
    double left = whole;
    for (int turn = 0; turn < most_turns; ++turn) {
      rest.take_off_offsets();
      rest.centre();
      const double now = rest.product(rest);
      if (left - now <= enough * whole) break;
      left = now;
    }
    return 1 - left / whole;
  }

 private:
  template <class Do>
  void each(Do&& act) {
    for (int i = 0; i < n_; ++i) {
      const base::Interval keys = keys_[static_cast<size_t>(i)];
      for (int j = keys.begin; j < keys.end; ++j)
        act(i, j, values_[static_cast<size_t>(i) * static_cast<size_t>(n_) + static_cast<size_t>(j)]);
    }
  }

  void take_off_offsets() {
    std::vector<double> sum(2 * static_cast<size_t>(n_));
    std::vector<int> count(sum.size());
    const auto at = [&](int i, int j) { return static_cast<size_t>(j - i + n_); };
    each([&](int i, int j, double& value) { sum[at(i, j)] += value, ++count[at(i, j)]; });
    each([&](int i, int j, double& value) { value -= sum[at(i, j)] / count[at(i, j)]; });
  }

  int n_ = 0, pairs_ = 0;
  std::vector<base::Interval> keys_;
  std::vector<double> values_;
};

/// Shuffles the columns of a head [rows, d] in `weights` [rows, heads · d] (Fisher and Yates).
void shuffle_head(nn::Matrix& weights, int heads, int head, const nn::Random& random) {
  const int d = weights.cols() / heads;
  const auto entries = static_cast<std::uint32_t>(weights.rows()) * static_cast<std::uint32_t>(d);
  const auto entry = [&](std::uint32_t i) -> float& {
    return weights.at(static_cast<int>(i) / d, head * d + static_cast<int>(i) % d);
  };
  const auto first = static_cast<std::uint64_t>(head) * entries;
  for (std::uint32_t left = entries; left > 1; --left)
    std::swap(entry(left - 1), entry(random.below(first + left, left)));
}

}  // namespace

std::vector<PartShares> part_shares(std::span<const nn::MatrixF64> parts, const nn::AttentionTrace& trace) {
  std::vector<PartShares> out;
  if (parts.empty() || parts.front().empty()) return out;
  const int n = parts.front().rows();
  const CentredRows none(trace, n);
  for (int head = 0; head < parts.front().depth(); ++head) {
    PartShares& shares = out.emplace_back();
    CentredRows scores = none;
    for (const nn::MatrixF64& part : parts) scores.add(part.plane(head));
    scores.centre();
    const double squares = scores.product(scores);
    const bool differ = squares > 0 && std::isfinite(squares);
    shares.variance = none.pairs() > 0 ? squares / none.pairs() : undefined;
    shares.by_offset = undefined;
    for (size_t which = 0; which < parts.size(); ++which) {
      CentredRows part = none;
      part.add(parts[which].plane(head));
      part.centre();
      shares.part[which] = differ ? part.product(scores) / squares : undefined;
      if (which == 3) shares.by_offset = part.share_by_offset();
    }
  }
  return out;
}

bool shuffle_projections(int heads, nn::AttentionWeights& weights) {
  if (heads < 1 || weights.w_q.size() + weights.w_k.size() > most_shuffled) return false;
  std::uint64_t stream = 0;
  for (nn::Matrix* one : {&weights.w_q, &weights.w_k, &weights.b_q, &weights.b_k}) {
    const nn::Random random(0, ++stream);
    for (int head = 0; head < heads && !one->empty(); ++head) shuffle_head(*one, heads, head, random);
  }
  return true;
}

}  // namespace headlight::scene
