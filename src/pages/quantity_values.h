// What the quantities of all pages share: access to elements that may not exist.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/tensor.h"
#include "pages/quantities.h"
#include "scene/pinned.h"
#include "scene/results.h"

namespace headlight::scene {

// The forms of numbers, for the lists of the pages.
using base::compact_form;
using base::decimals;
using base::length_form;
using base::loss_form;
using base::percent;
using base::rounding_form;
using base::significant;
using base::weight_form;
using base::whole_form;
using base::with_sign;

inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

template <class R>
const R* QuantitySource::own() const {
  return results.own_as<R>();
}

inline const nn::AttentionTrace& trace(const QuantitySource& s) {
  return s.results.attention;
}

/// NaN outside the tensor.
template <class E>
double element(const nn::Tensor<E>& m, int n, int r, int c) {
  if (n < 0 || n >= m.depth() || r < 0 || r >= m.rows() || c < 0 || c >= m.cols()) return no_value;
  return static_cast<double>(m.at(n, r, c));
}
template <class E>
double element(const nn::Tensor<E>& m, int r, int c) {
  return element(m, 0, r, c);
}

/// Entry `at` of a list, counted from 0; NaN outside.
template <class List>
double entry(const List& list, int at) {
  return at >= 0 && static_cast<std::size_t>(at) < list.size()
             ? static_cast<double>(list[static_cast<std::size_t>(at)])
             : no_value;
}

/// Largest |a − b| over two rows of m; NaN when one does not exist.
inline double row_difference(const nn::Matrix& m, int a, int b) {
  if (a < 0 || b < 0 || a >= m.rows() || b >= m.rows()) return no_value;
  double worst = 0;
  for (int c = 0; c < m.cols(); ++c)
    worst = std::max(worst, std::abs(static_cast<double>(m.at(a, c)) - static_cast<double>(m.at(b, c))));
  return worst;
}

/// The head of a quantity, 0-based: its argument, or the head on the large map.
inline int head_of(const Quantity& f, const QuantitySource& s, const char* name = "head") {
  return f.number(name, first_head(s.scene, s.results.attention.heads) + 1) - 1;
}
/// The query of a quantity: its argument, or the last pinned query.
inline int query_of(const Quantity& f, const QuantitySource& s) {
  return f.number("query", pinned(s.scene, s.results.attention.T, s.results.attention.S).detail_query);
}
int key_of(const Quantity& f, const QuantitySource& s);  // the argument, the pinned one, or the strongest

/// Entropy of a row of weights, in bits.
double entropy_bits(const float* row, int count);

}  // namespace headlight::scene
