//  The one array type of the compute core: up to three axes, C order, 64-byte aligned. Its buffer is reused
// when a resize does not make it larger. Letters for shapes, everywhere in the compute core:
//   T queries · S keys · D model width · H heads · d width of a head · V vocabulary · L layers
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/check.h"

namespace headlight::nn {

template <class E>
class Tensor {
  static_assert(std::is_trivially_copyable_v<E>);

 public:
  using Element = E;
  Tensor() = default;
  Tensor(int rows, int cols) {
    resize(1, rows, cols);
    fill(E{});
  }
  Tensor(int depth, int rows, int cols) {
    resize(depth, rows, cols);
    fill(E{});
  }
  Tensor(const Tensor& other) { *this = other; }
  Tensor(Tensor&& other) noexcept { *this = std::move(other); }
  Tensor& operator=(const Tensor& other) {
    if (this == &other) return *this;
    resize(other.depth_, other.rows_, other.cols_);
    if (size() > 0) std::memcpy(data(), other.data(), size() * sizeof(E));
    return *this;
  }
  Tensor& operator=(Tensor&& other) noexcept {
    data_ = std::move(other.data_);
    capacity_ = std::exchange(other.capacity_, 0);
    depth_ = std::exchange(other.depth_, 0);
    rows_ = std::exchange(other.rows_, 0);
    cols_ = std::exchange(other.cols_, 0);
    return *this;
  }

  /// New shape; the elements are unspecified afterwards. Allocates only when the old buffer is too small.
  void resize(int depth, int rows, int cols) {
    HEADLIGHT_CHECK(depth >= 0 && rows >= 0 && cols >= 0);
    const std::size_t wanted = std::size_t(depth) * std::size_t(rows) * std::size_t(cols);
    if (wanted > capacity_) {
      data_.reset(static_cast<E*>(::operator new(wanted * sizeof(E), alignment)));
      capacity_ = wanted;
    }
    depth_ = depth, rows_ = rows, cols_ = cols;
  }
  void resize(int rows, int cols) { resize(1, rows, cols); }
  void fill(E value) { std::fill_n(data(), size(), value); }

  int depth() const { return depth_; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  std::size_t size() const { return std::size_t(depth_) * std::size_t(rows_) * std::size_t(cols_); }
  bool empty() const { return size() == 0; }

  E* data() { return data_.get(); }
  const E* data() const { return data_.get(); }
  std::span<E> values() { return {data(), size()}; }
  std::span<const E> values() const { return {data(), size()}; }

  E* plane(int n) { return data() + std::size_t(n) * std::size_t(rows_) * std::size_t(cols_); }
  const E* plane(int n) const { return const_cast<Tensor*>(this)->plane(n); }
  std::span<E> row(int n, int r) {
    return {plane(n) + std::size_t(r) * std::size_t(cols_), std::size_t(cols_)};
  }
  std::span<const E> row(int n, int r) const { return const_cast<Tensor*>(this)->row(n, r); }
  std::span<E> row(int r) { return row(0, r); }
  std::span<const E> row(int r) const { return row(0, r); }

  E& at(int n, int r, int c) {
    HEADLIGHT_CHECK(n >= 0 && n < depth_ && r >= 0 && r < rows_ && c >= 0 && c < cols_);
    return plane(n)[std::size_t(r) * std::size_t(cols_) + std::size_t(c)];
  }
  E at(int n, int r, int c) const { return const_cast<Tensor*>(this)->at(n, r, c); }
  E& at(int r, int c) { return at(0, r, c); }
  E at(int r, int c) const { return at(0, r, c); }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(E* p) const { ::operator delete(p, alignment); }
  };
  std::unique_ptr<E, Free> data_;
  std::size_t capacity_ = 0;
  int depth_ = 0, rows_ = 0, cols_ = 0;
};

using Matrix = Tensor<float>;
using MatrixF64 = Tensor<double>;

}  // namespace headlight::nn
