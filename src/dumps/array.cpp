#include "dumps/array.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/one_line.h"
#include "base/utf8.h"
#include "io/file_bytes.h"

namespace headlight::dumps {

namespace {

constexpr std::uint64_t endless = ~std::uint64_t(0);

std::size_t size(std::int64_t n) {
  return static_cast<std::size_t>(n);
}

void swap_bytes(std::byte* bytes, std::size_t width, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) std::reverse(bytes + i * width, bytes + (i + 1) * width);
}

/// Widens `count` contiguous elements.
void widen(const Array& array, std::byte* from, std::size_t count, double* to) {
  if (array.swapped) swap_bytes(from, array.width, count);
  if (array.element == nn::ElementType::f64) {
    if (count > 0) std::memcpy(to, from, count * sizeof(double));
    return;
  }
  constexpr std::size_t piece = 1024;
  float narrow[piece];
  for (std::size_t done = 0; done < count; done += piece) {
    const std::size_t now = std::min(piece, count - done);
    nn::widen(array.element, from + done * array.width, now, narrow);
    for (std::size_t i = 0; i < now; ++i) to[done + i] = static_cast<double>(narrow[i]);
  }
}

/// Returns the elements from the first of the rows to the furthest.
std::uint64_t extent(std::int64_t rows, std::int64_t row_step, std::int64_t columns,
                     std::int64_t column_step) {
  return static_cast<std::uint64_t>((rows - 1) * row_step + (columns - 1) * column_step) + 1;
}

bool rows_lie_together(const Array& array) {
  if (array.rank() < 2) return true;
  const std::size_t r = array.rank() - 2, c = array.rank() - 1;
  if (array.shape[c] <= 1 || array.steps[c] == 1) return true;
  const std::uint64_t plane =
      static_cast<std::uint64_t>(array.shape[r]) * static_cast<std::uint64_t>(array.shape[c]);
  return extent(array.shape[r], array.steps[r], array.shape[c], array.steps[c]) <= 4 * plane + 1024;
}

}  // namespace

std::vector<std::int64_t> steps_of(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> steps(shape.size(), 1);
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return steps;  // the other sides may have any size
  for (std::size_t i = shape.size(); i-- > 1;) steps[i - 1] = steps[i] * std::max<std::int64_t>(shape[i], 1);
  return steps;
}

std::uint64_t count_of(const Array& array) {
  std::uint64_t count = 1;
  for (const std::int64_t side : array.shape)
    if (side == 0) return 0;
  for (const std::int64_t side : array.shape) {
    const auto sides = static_cast<std::uint64_t>(side);
    if (count > endless / sides) return endless;
    count *= sides;
  }
  return count;
}

std::uint64_t extent_of(const Array& array) {
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < array.rank(); ++i) {
    if (array.shape[i] == 0) return 0;
    last += static_cast<std::uint64_t>(array.shape[i] - 1) * static_cast<std::uint64_t>(array.steps[i]);
  }
  return last + 1;
}

std::string shape_words(const Array& array) {
  std::string text = "[";
  for (std::size_t i = 0; i < array.rank(); ++i) {
    if (i == 8) return text + ", …]";
    text += (i > 0 ? ", " : "") + std::to_string(array.shape[i]);
  }
  return text + "]";
}

Array entry_of(const Array& array, std::int64_t index) {
  Array out = array;
  out.begin += static_cast<std::uint64_t>(index * array.steps.at(0)) * array.width;
  out.shape.erase(out.shape.begin()), out.steps.erase(out.steps.begin());
  return out;
}

Array with_axis(Array array) {
  array.shape.insert(array.shape.begin(), 1), array.steps.insert(array.steps.begin(), 0);
  return array;
}

base::Status read_rows(const Array& matrix, std::int64_t first, std::int64_t count, std::span<double> to) {
  HEADLIGHT_CHECK_OP(matrix.rank(), ==, std::size_t(2));
  const std::int64_t columns = matrix.shape[1], row_step = matrix.steps[0], step = matrix.steps[1];
  HEADLIGHT_CHECK_OP(to.size(), ==, size(count * columns));
  if (to.empty()) return {};
  const auto read = [&](std::int64_t from, std::uint64_t elements, std::vector<std::byte>& bytes) {
    bytes.resize(static_cast<std::size_t>(elements) * matrix.width);
    return matrix.bytes->read(matrix.begin + static_cast<std::uint64_t>(from) * matrix.width, bytes.size(),
                              bytes.data());
  };
  std::vector<std::byte> bytes;
  const bool side_by_side = columns <= 1 || step == 1;
  if (side_by_side && row_step == columns) {
    if (const base::Status got = read(first * row_step, to.size(), bytes); !got) return got;
    widen(matrix, bytes.data(), to.size(), to.data());
    return {};
  }
  if (side_by_side) {
    for (std::int64_t r = 0; r < count; ++r) {
      if (const base::Status got = read((first + r) * row_step, size(columns), bytes); !got) return got;
      widen(matrix, bytes.data(), size(columns), to.data() + r * columns);
    }
    return {};
  }
  if (const base::Status got = read(first * row_step, extent(count, row_step, columns, step), bytes); !got)
    return got;
  std::vector<double> all(bytes.size() / matrix.width);
  widen(matrix, bytes.data(), all.size(), all.data());
  for (std::int64_t r = 0; r < count; ++r)
    for (std::int64_t c = 0; c < columns; ++c) to[size(r * columns + c)] = all[size(r * row_step + c * step)];
  return {};
}

base::Result<Array> settled(Array array, std::uint64_t& may_copy) {
  if (rows_lie_together(array)) return array;
  const std::uint64_t count = count_of(array), extent = extent_of(array);
  if (count > may_copy / array.width || extent > most_copied / array.width)
    return base::Error{array.bytes->name() + ": the rows of " + base::in_quotes(array.name) + " " +
                       shape_words(array) +
                       " lie scattered over more than 128 MiB; save a contiguous copy in C order"};
  std::vector<std::byte> all(static_cast<std::size_t>(extent) * array.width);
  if (const base::Status got = array.bytes->read(array.begin, all.size(), all.data()); !got)
    return base::Error{got.error()};
  may_copy -= count * array.width;
  std::string copied(static_cast<std::size_t>(count) * array.width, '\0');
  std::vector<std::int64_t> at(array.rank(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t from = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) from += at[axis] * array.steps[axis];
    std::memcpy(copied.data() + i * array.width, all.data() + size(from) * array.width, array.width);
    for (std::size_t axis = at.size(); axis-- > 0;) {
      if (++at[axis] < array.shape[axis]) break;
      at[axis] = 0;
    }
  }
  array.bytes = std::make_shared<const io::MemoryBytes>(std::move(copied), array.bytes->name());
  array.begin = 0, array.steps = steps_of(array.shape);
  return array;
}

base::Result<std::vector<Element>> elements_of(const Array& array, std::uint64_t most) {
  if (!array.problem.empty()) return base::Error{array.problem};
  const auto wrong = [&](const std::string& what) {
    return base::Error{array.bytes->name() + ": " + base::in_quotes(array.name) + " " + what};
  };
  const std::uint64_t count = count_of(array);
  if (count > most) return wrong("has " + std::to_string(count) + " entries, more than are supported");
  constexpr std::uint64_t most_bytes = std::uint64_t(16) << 20;
  if (count > 0 && extent_of(array) > most_bytes / std::max<std::size_t>(array.width, 1))
    return wrong("is larger than 16 MiB");
  std::vector<std::byte> bytes(static_cast<std::size_t>(count > 0 ? extent_of(array) : 0) * array.width);
  if (const base::Status got = array.bytes->read(array.begin, bytes.size(), bytes.data()); !got)
    return base::Error{got.error()};
  std::vector<Element> out(static_cast<std::size_t>(count));
  std::vector<std::int64_t> at(array.rank(), 0);
  for (Element& one : out) {
    std::int64_t from = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) from += at[axis] * array.steps[axis];
    std::byte* const begin = bytes.data() + size(from) * array.width;
    if (array.kind == 'S') {
      one.text.assign(reinterpret_cast<const char*>(begin), array.width);
      one.text.erase(one.text.find_last_not_of('\0') + 1);
    } else if (array.kind == 'U') {
      std::vector<std::uint32_t> letters(array.width / 4);
      if (!letters.empty()) std::memcpy(letters.data(), begin, array.width);
      if (array.swapped)
        swap_bytes(reinterpret_cast<std::byte*>(letters.data()), sizeof(std::uint32_t), letters.size());
      while (!letters.empty() && letters.back() == 0) letters.pop_back();
      for (const std::uint32_t letter : letters) {
        const bool sound = letter <= 0x10FFFF && (letter < 0xD800 || letter > 0xDFFF);
        base::append_utf8(one.text, static_cast<char32_t>(sound ? letter : 0xFFFD));
      }
    } else if (array.numbers) {
      std::vector<std::byte> copy(begin, begin + array.width);  // a copy, since widen() may swap its bytes
      widen(array, copy.data(), 1, &one.number);
    } else {
      std::uint64_t bits = 0;
      if (array.width > 8) return wrong("has the type " + array.type + ", which is not supported");
      for (std::size_t i = array.width; i-- > 0;)
        bits = bits << 8 | static_cast<std::uint64_t>(begin[array.swapped ? array.width - 1 - i : i]);
      const std::uint64_t sign = array.width > 0 ? std::uint64_t(1) << (8 * array.width - 1) : 0;
      if (array.kind == 'i' && (bits & sign) != 0 && array.width < 8) bits |= ~(2 * sign - 1);
      one.number = array.kind == 'i' ? static_cast<double>(static_cast<std::int64_t>(bits))
                                     : static_cast<double>(bits);
    }
    for (std::size_t axis = at.size(); axis-- > 0;) {
      if (++at[axis] < array.shape[axis]) break;
      at[axis] = 0;
    }
  }
  return out;
}

}  // namespace headlight::dumps
