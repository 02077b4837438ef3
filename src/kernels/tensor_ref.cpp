#include "kernels/tensor_ref.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "base/check.h"
#include "base/one_line.h"
#include "kernels/tensor_reads.h"

namespace headlight::nn {

namespace {

using std::size_t;

constexpr size_t piece = 16384;  // numbers widened at once

/// Has no branches, and is correct while the processor flushes subnormal numbers: subnormal float16 numbers
/// are made from normal ones, fraction · 2⁻²⁴ = (1 + fraction / 1024) · 2⁻¹⁴ − 2⁻¹⁴.
float widened_half(std::uint16_t bits) {
  const std::uint32_t sign = (std::uint32_t(bits) & 0x8000u) << 16, magnitude = bits & 0x7FFFu;
  const std::uint32_t normal = (magnitude << 13) + (112u << 23);
  const float small = std::bit_cast<float>((magnitude << 13) + (113u << 23)) - 0x1p-14f;
  const std::uint32_t of_small = std::bit_cast<std::uint32_t>(small);
  const std::uint32_t wide = magnitude < 0x400u     ? of_small
                             : magnitude >= 0x7C00u ? normal + (112u << 23)
                                                    : normal;
  return std::bit_cast<float>(wide | sign);
}

/// Reads the contiguous elements [first, first + count). Elements that are widened are checked at the same
/// time.
base::Status read_run(const TensorRef& tensor, std::int64_t first, size_t count, Look look, float* to) {
  static thread_local std::vector<std::byte> stored;
  const size_t width = width_of(tensor.type);
  std::uint64_t at = tensor.begin + static_cast<std::uint64_t>(first) * width;
  bool sound = true;
  if (tensor.type == ElementType::f32) {
    if (const base::Status read = tensor.bytes->read(at, count * width, reinterpret_cast<std::byte*>(to));
        !read)
      return read;
    sound = look == Look::not_now || finite(to, count);
  } else {
    if (const std::byte* const there = tensor.bytes->in_memory(at, count * width)) {
      sound = widen(tensor.type, there, count, to);
      if (const base::Status status = tensor.bytes->unchanged(); !status) return status;
      count = 0;
    }
    stored.resize(piece * sizeof(double));
    for (size_t done = 0; done < count && sound; done += piece) {
      const size_t now = std::min(piece, count - done);
      if (const base::Status read = tensor.bytes->read(at, now * width, stored.data()); !read) return read;
      sound = widen(tensor.type, stored.data(), now, to + done);
      at += now * width;
    }
  }
  if (sound) return {};
  return base::Error{tensor.bytes->name() + ": tensor " + base::in_quotes(tensor.name) +
                     " has numbers that are not finite (NaN or infinite)"};
}

std::int64_t start_of_row(const TensorRef& tensor, int row) {
  if (tensor.group == 0) return row * tensor.row_step;
  return row / tensor.group * tensor.group_step + row % tensor.group * tensor.row_step;
}

/// Returns how many rows from `row` on are in its group.
int rows_left(const TensorRef& tensor, int row) {
  return tensor.group == 0 ? tensor.rows - row : tensor.group - row % tensor.group;
}

}  // namespace

bool finite(const float* x, size_t count) {
  constexpr std::uint32_t exponent = 0x7F800000u;
  std::uint32_t bad = 0;
  for (size_t i = 0; i < count; ++i)
    bad |= (std::bit_cast<std::uint32_t>(x[i]) & exponent) == exponent ? 1u : 0u;
  return bad == 0;
}

size_t width_of(ElementType type) {
  switch (type) {
    case ElementType::f32:
      return 4;
    case ElementType::f16:
    case ElementType::bf16:
      return 2;
    case ElementType::f64:
      return 8;
  }
  return 4;
}

bool widen(ElementType type, const std::byte* from, size_t count, float* to) {
  switch (type) {
    case ElementType::f32:
      if (count > 0) std::memcpy(to, from, count * sizeof(float));
      break;
    case ElementType::f16:
      for (size_t i = 0; i < count; ++i) {
        std::uint16_t bits;
        std::memcpy(&bits, from + 2 * i, sizeof bits);
        to[i] = widened_half(bits);
      }
      break;
    case ElementType::bf16:
      for (size_t i = 0; i < count; ++i) {
        std::uint16_t bits;
        std::memcpy(&bits, from + 2 * i, sizeof bits);
        to[i] = std::bit_cast<float>(std::uint32_t(bits) << 16);
      }
      break;
    case ElementType::f64:
      for (size_t i = 0; i < count; ++i) {
        double value;
        std::memcpy(&value, from + 8 * i, sizeof value);
        to[i] = static_cast<float>(value);
      }
      break;
  }
  return finite(to, count);
}

base::Status read_rows(const TensorRef& tensor, int begin, int end, float* to) {
  return read_rows(tensor, begin, end, Look::now, to);
}

base::Status read_columns(const TensorRef& tensor, int begin, int end, float* to) {
  return read_columns(tensor, begin, end, Look::now, to);
}

base::Status read_rows(const TensorRef& tensor, int begin, int end, Look look, float* to) {
  HEADLIGHT_CHECK(begin >= 0 && begin <= end && end <= tensor.rows);
  HEADLIGHT_CHECK(tensor.col_step == 1 || tensor.cols == 1);
  const auto cols = static_cast<size_t>(tensor.cols);
  const bool side_by_side = tensor.row_step == tensor.cols;
  for (int row = begin; row < end;) {
    const int now = side_by_side ? std::min(end - row, rows_left(tensor, row)) : 1;
    const size_t count = static_cast<size_t>(now) * cols;
    if (const base::Status read = read_run(tensor, start_of_row(tensor, row), count, look, to); !read)
      return read;
    to += count, row += now;
  }
  return {};
}

base::Status read_columns(const TensorRef& tensor, int begin, int end, Look look, float* to) {
  HEADLIGHT_CHECK(begin >= 0 && begin <= end && end <= tensor.cols);
  HEADLIGHT_CHECK_OP(tensor.row_step, ==, 1);
  const bool side_by_side = tensor.group == 0 && tensor.col_step == tensor.rows;
  if (side_by_side)
    return read_run(tensor, begin * tensor.col_step,
                    static_cast<size_t>(end - begin) * static_cast<size_t>(tensor.rows), look, to);
  // Reads a part of every stored row including the gaps between, since many small reads take longer.
  if (tensor.group == 0 && tensor.col_step <= 4 * tensor.rows && end > begin) {
    static thread_local std::vector<float> rows;
    const auto step = static_cast<size_t>(tensor.col_step), wanted = static_cast<size_t>(tensor.rows);
    const size_t count = static_cast<size_t>(end - begin - 1) * step + wanted;
    rows.resize(count);
    if (const base::Status read = read_run(tensor, begin * tensor.col_step, count, look, rows.data()); !read)
      return read;
    for (size_t i = 0; i < static_cast<size_t>(end - begin); ++i)
      std::copy_n(rows.data() + i * step, wanted, to + i * wanted);
    return {};
  }
  for (int col = begin; col < end; ++col) {
    for (int row = 0; row < tensor.rows;) {
      const int now = rows_left(tensor, row);
      if (const base::Status read = read_run(tensor, start_of_row(tensor, row) + col * tensor.col_step,
                                             static_cast<size_t>(now), look, to);
          !read)
        return read;
      to += now, row += now;
    }
  }
  return {};
}

namespace {

/// Returns `lines` lines of `length` contiguous numbers, each `step` numbers from the next.
InMemory lines_in_memory(const TensorRef& tensor, int lines, int length, std::int64_t step) {
  if (tensor.empty() || tensor.type != ElementType::f32 || tensor.group != 0 || step < length) return {};
  const auto numbers = static_cast<std::uint64_t>(lines - 1) * static_cast<std::uint64_t>(step) +
                       static_cast<std::uint64_t>(length);
  const std::byte* const at = tensor.bytes->in_memory(tensor.begin, numbers * sizeof(float));
  if (reinterpret_cast<std::uintptr_t>(at) % alignof(float) != 0) return {};
  return {reinterpret_cast<const float*>(at), static_cast<size_t>(step)};
}

}  // namespace

InMemory rows_in_memory(const TensorRef& tensor) {
  HEADLIGHT_CHECK(tensor.col_step == 1 || tensor.cols == 1);
  return lines_in_memory(tensor, tensor.rows, tensor.cols, tensor.row_step);
}

InMemory columns_in_memory(const TensorRef& tensor) {
  HEADLIGHT_CHECK_OP(tensor.row_step, ==, 1);
  return lines_in_memory(tensor, tensor.cols, tensor.rows, tensor.col_step);
}

base::Status check_finite(const TensorRef& tensor) {
  if (tensor.empty()) return {};
  const bool rows = tensor.col_step == 1 || tensor.cols == 1;
  const int lines = rows ? tensor.rows : tensor.cols, length = rows ? tensor.cols : tensor.rows;
  const int at_once = std::max(1, (1 << 18) / std::max(1, length));
  std::vector<float> values(static_cast<size_t>(std::min(lines, at_once)) * static_cast<size_t>(length));
  for (int line = 0; line < lines; line += at_once) {
    const int end = std::min(lines, line + at_once);
    const base::Status read =
        rows ? read_rows(tensor, line, end, values.data()) : read_columns(tensor, line, end, values.data());
    if (!read) return read;
  }
  return {};
}

}  // namespace headlight::nn
