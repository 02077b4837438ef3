#include "dumps/comparison.h"

#include <algorithm>
#include <limits>

namespace headlight::dumps {

std::string rougher(const Dump& a, const Dump& b) {
  return run_rounding(b.precision) > run_rounding(a.precision) ? b.precision : a.precision;
}

Comparison comparison_in(const std::string& type) {
  return {type, run_rounding(type), storage_rounding(type), {}};
}

const HeadDifference& largest_of(const Comparison& c) {
  return *std::max_element(c.heads.begin(), c.heads.end(),
                           [](const HeadDifference& x, const HeadDifference& y) {
                             return x.largest.difference < y.largest.difference;
                           });
}

const HeadDifference* first_beyond(const Comparison& c) {
  const HeadDifference* first = nullptr;
  for (const HeadDifference& one : c.heads) {
    if (!(one.largest.difference > c.tolerance) || (first != nullptr && one.layer > first->layer)) continue;
    if (first == nullptr || one.largest.difference > first->largest.difference) first = &one;
  }
  return first;
}

base::Status compare_layer(const Dump& dump, int layer, int first_sequence, int last_sequence,
                           const OtherRows& other, bool other_is_a, std::span<const std::uint8_t> visible,
                           std::vector<HeadDifference>& heads) {
  const DumpShape& s = dump.shape;
  std::vector<double> own, others;
  for (int sequence = first_sequence; sequence < last_sequence; ++sequence) {
    for (int head = 0; head < s.heads; ++head) {
      HeadDifference one{layer, sequence, head, {}};
      for (int first = 0; first < s.queries; first += dump.rows_at_once()) {
        const int now = std::min(dump.rows_at_once(), s.queries - first);
        own.resize(static_cast<std::size_t>(now) * static_cast<std::size_t>(s.keys));
        others.resize(own.size());
        if (const base::Status read = dump.rows(layer, sequence, head, first, now, own); !read) return read;
        if (const base::Status read = other(layer, sequence, head, first, now, others); !read) return read;
        for (int r = 0; r < now; ++r) {
          if (visible.empty() || visible[static_cast<std::size_t>(first + r)] != 0) continue;
          const auto begin = static_cast<std::ptrdiff_t>(r) * s.keys;
          std::copy_n(own.begin() + begin, s.keys, others.begin() + begin);
        }
        Difference d = largest_difference(other_is_a ? others : own, other_is_a ? own : others, s.keys);
        d.query += first;
        if (first == 0 || d.difference > one.largest.difference) one.largest = d;
      }
      heads.push_back(one);
    }
  }
  return {};
}

base::Result<std::vector<std::uint8_t>> visible_positions(const Dump& dump, int sequence) {
  const int T = dump.shape.keys;
  if (dump.shape.queries != T) return std::vector<std::uint8_t>();
  const auto size = static_cast<std::size_t>(T);
  std::vector<int> last_query(size, -1);  // last query that attends to the key in some head; −1: none
  std::vector<std::uint8_t> spread(size,
                                   1);  // a query with equal weights on all keys that it attends to
  std::vector<double> rows;
  for (int layer = 0; layer < dump.shape.layers; ++layer) {
    for (int head = 0; head < dump.shape.heads; ++head) {
      for (int first = 0; first < T; first += dump.rows_at_once()) {
        const int now = std::min(dump.rows_at_once(), T - first);
        rows.resize(static_cast<std::size_t>(now) * size);
        if (const base::Status read = dump.rows(layer, sequence, head, first, now, rows); !read)
          return base::Error{read.error()};
        for (int query = first; query < first + now; ++query) {
          const double* row = &rows[static_cast<std::size_t>(query - first) * size];
          double least = std::numeric_limits<double>::infinity(), most = 0;
          for (std::size_t key = 0; key < size; ++key) {
            if (row[key] == 0) continue;
            last_query[key] = std::max(last_query[key], query);
            least = std::min(least, row[key]), most = std::max(most, row[key]);
          }
          if (most > 1.001 * least) spread[static_cast<std::size_t>(query)] = 0;
        }
      }
      // Nearly always clear after one head: the last query attends to the first key, and some query to the
      // last.
      if (last_query.front() == T - 1 && last_query.back() >= 0) return std::vector<std::uint8_t>();
    }
  }
  std::vector<std::uint8_t> visible(size, 1);
  int end = T;
  while (end > 0 && last_query[static_cast<std::size_t>(end - 1)] < 0)
    visible[static_cast<std::size_t>(--end)] = 0;
  int begin = 0, latest = -1;  // the last query that attends to one of the first keys
  for (int key = 0; key + 1 < end && spread[static_cast<std::size_t>(key)] != 0; ++key) {
    latest = std::max(latest, last_query[static_cast<std::size_t>(key)]);
    if (latest <= key) begin = key + 1;
  }
  std::fill_n(visible.begin(), begin, std::uint8_t{0});
  if (end == 0 || (begin == 0 && end == T)) return std::vector<std::uint8_t>();
  return visible;
}

std::string padding_words(std::span<const std::uint8_t> visible) {
  const auto count = std::count(visible.begin(), visible.end(), std::uint8_t{0});
  if (count == 0) return {};
  return std::to_string(count) + (count == 1 ? " position of padding is" : " positions of padding are") +
         " left out";
}

std::string not_comparable(const Dump& a, const Dump& b) {
  if (a.shape == b.shape) return {};
  return a.file + " has the shape " + shape_words(a.shape) + ", " + b.file + " " + shape_words(b.shape) +
         " [layers, sequences, heads, queries, keys]: they cannot be compared";
}

}  // namespace headlight::dumps
