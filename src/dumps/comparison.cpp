#include "dumps/comparison.h"

#include <algorithm>

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
                           const OtherRows& other, bool other_is_a, std::vector<HeadDifference>& heads) {
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
        Difference d = largest_difference(other_is_a ? others : own, other_is_a ? own : others, s.keys);
        d.query += first;
        if (first == 0 || d.difference > one.largest.difference) one.largest = d;
      }
      heads.push_back(one);
    }
  }
  return {};
}

std::string not_comparable(const Dump& a, const Dump& b) {
  if (a.shape == b.shape) return {};
  return a.file + " has the shape " + shape_words(a.shape) + ", " + b.file + " " + shape_words(b.shape) +
         " [layers, sequences, heads, queries, keys]: they cannot be compared";
}

}  // namespace headlight::dumps
