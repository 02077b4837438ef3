#include "io/csv.h"

#include <algorithm>
#include <charconv>

namespace headlight::io {

namespace {

template <class N>
void append_number(std::string& out, N value) {
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

constexpr std::size_t piece_bytes = 65536;

/// Collects lines into pieces of a reasonable size for writing.
class Lines {
 public:
  explicit Lines(Sink sink) : sink_(sink) {}
  /// Writes the last piece. The destructor must not do it, since a sink may run out of memory.
  void end() { sink_(text); }
  void end_line() {
    text += '\n';
    if (text.size() < piece_bytes) return;
    sink_(text);
    text.clear();
  }
  std::string text;

 private:
  Sink sink_;
};

/// The same for numbers only, formatted directly into the buffer: gigabytes of them are common.
class NumberLines {
 public:
  explicit NumberLines(Sink sink) : sink_(sink), room_(piece_bytes), at_(room_.data()) {}
  void put(std::string_view text) {
    while (static_cast<std::size_t>(end() - at_) < text.size()) {
      const auto part = static_cast<std::size_t>(end() - at_);
      at_ = std::copy_n(text.data(), part, at_);
      text.remove_prefix(part);
      flush();
    }
    at_ = std::copy_n(text.data(), text.size(), at_);
  }
  template <class N>
  void put_number(N value, char behind) {
    constexpr std::ptrdiff_t longest = 32;  // of a number and the character after it
    if (end() - at_ < longest) flush();
    at_ = std::to_chars(at_, end(), value).ptr;
    *at_++ = behind;
  }

  /// Writes what is left in the buffer.
  void flush() {
    sink_({room_.data(), static_cast<std::size_t>(at_ - room_.data())});
    at_ = room_.data();
  }

 private:
  char* end() { return room_.data() + room_.size(); }

  Sink sink_;
  std::vector<char> room_;
  char* at_;
};

template <class E>
void write_grid(const TensorView<E>& tensor, Sink sink) {
  NumberLines lines(sink);
  const std::size_t columns = tensor.shape[1];
  for (std::size_t row = 0; row < tensor.shape[0]; ++row) {
    for (std::size_t column = 0; column < columns; ++column)
      lines.put_number(tensor.values[row * columns + column], column + 1 < columns ? ',' : '\n');
    if (columns == 0) lines.put("\n");
  }
  lines.flush();
}

template <class E>
void write_long(const TensorView<E>& tensor, Sink sink) {
  NumberLines lines(sink);
  for (const std::string& axis : tensor.axes) lines.put(axis + ',');
  lines.put("value\n");
  // All indices but the last are constant along a row; the last ones are the same in all rows.
  const std::size_t axes = tensor.shape.size(), columns = axes == 0 ? 1 : tensor.shape.back();
  std::vector<std::string> last(columns);
  for (std::size_t column = 0; column < columns && axes > 0; ++column) {
    append_number(last[column], column);
    last[column] += ',';
  }
  std::vector<std::size_t> index(axes == 0 ? 0 : axes - 1, 0);
  std::string row;
  for (std::size_t at = 0; at < tensor.values.size(); at += columns) {
    row.clear();
    for (const std::size_t i : index) {
      append_number(row, i);
      row += ',';
    }
    for (std::size_t column = 0; column < columns; ++column) {
      lines.put(row);
      lines.put(last[column]);
      lines.put_number(tensor.values[at + column], '\n');
    }
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < tensor.shape[axis]) break;
      index[axis] = 0;
    }
  }
  lines.flush();
}

template <class E>
void write_either(const TensorView<E>& tensor, Sink sink) {
  check_shape(tensor);
  if (tensor.shape.size() == 2) {
    write_grid(tensor, sink);
  } else {
    HEADLIGHT_CHECK_OP(tensor.axes.size(), ==, tensor.shape.size());
    write_long(tensor, sink);
  }
}

/// Returns a name as one cell, without tabs and line breaks.
std::string cell(const std::string& name) {
  std::string out = name;
  for (char& c : out) c = c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
  return out;
}

using Labels = std::vector<std::vector<std::string>>;

std::string label(const Labels& labels, std::size_t axis, std::size_t index) {
  if (axis < labels.size() && index < labels[axis].size()) return cell(labels[axis][index]);
  return std::to_string(index);
}

template <class E>
void write_labelled_grid(const TensorView<E>& tensor, const Labels& labels, Lines& lines) {
  lines.text += tensor.axes.size() == 2 ? cell(tensor.axes[0] + " \\ " + tensor.axes[1]) : "";
  for (std::size_t c = 0; c < tensor.shape[1]; ++c) lines.text += '\t' + label(labels, 1, c);
  lines.end_line();
  for (std::size_t r = 0; r < tensor.shape[0]; ++r) {
    lines.text += label(labels, 0, r);
    for (std::size_t c = 0; c < tensor.shape[1]; ++c) {
      lines.text += '\t';
      append_number(lines.text, tensor.values[r * tensor.shape[1] + c]);
    }
    lines.end_line();
  }
}

template <class E>
void write_labelled_list(const TensorView<E>& tensor, const Labels& labels, Lines& lines) {
  const auto named = [&](std::size_t axis) { return axis < labels.size() && !labels[axis].empty(); };
  for (std::size_t axis = 0; axis < tensor.axes.size(); ++axis)
    lines.text += tensor.axes[axis] + '\t' + (named(axis) ? "\t" : "");
  lines.text += "value";
  lines.end_line();
  std::vector<std::size_t> index(tensor.shape.size(), 0);
  for (const E value : tensor.values) {
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      append_number(lines.text, index[axis]);
      if (named(axis)) lines.text += '\t' + label(labels, axis, index[axis]);
      lines.text += '\t';
    }
    append_number(lines.text, value);
    lines.end_line();
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < tensor.shape[axis]) break;
      index[axis] = 0;
    }
  }
}

/// Returns a name as one cell of comma-separated text.
std::string quoted(const std::string& name) {
  std::string out = cell(name);
  if (out.find_first_of(",\"") == std::string::npos) return out;
  for (std::size_t at = 0; (at = out.find('"', at)) != std::string::npos; at += 2) out.insert(at, 1, '"');
  return '"' + out + '"';
}

template <class E>
void write_named_grid(const TensorView<E>& tensor, const Labels& labels, Lines& lines) {
  lines.text += quoted(tensor.axes[0]);
  for (std::size_t c = 0; c < tensor.shape[1]; ++c) lines.text += ',' + quoted(label(labels, 1, c));
  lines.end_line();
  for (std::size_t r = 0; r < tensor.shape[0]; ++r) {
    lines.text += quoted(label(labels, 0, r));
    for (std::size_t c = 0; c < tensor.shape[1]; ++c) {
      lines.text += ',';
      append_number(lines.text, tensor.values[r * tensor.shape[1] + c]);
    }
    lines.end_line();
  }
}

template <class E>
void write_named_list(const TensorView<E>& tensor, const Labels& labels, Lines& lines) {
  for (const std::string& axis : tensor.axes) lines.text += quoted(axis) + ',';
  lines.text += "value";
  lines.end_line();
  std::vector<std::size_t> index(tensor.shape.size(), 0);
  for (const E value : tensor.values) {
    for (std::size_t axis = 0; axis < index.size(); ++axis)
      lines.text += quoted(label(labels, axis, index[axis])) + ',';
    append_number(lines.text, value);
    lines.end_line();
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < tensor.shape[axis]) break;
      index[axis] = 0;
    }
  }
}

}  // namespace

void write_named_csv(const AnyTensor& any, const Labels& labels, Sink sink) {
  std::visit(
      [&](const auto& tensor) {
        check_shape(tensor);
        HEADLIGHT_CHECK_OP(tensor.axes.size(), ==, tensor.shape.size());
        Lines lines(sink);
        if (tensor.shape.size() == 2) {
          write_named_grid(tensor, labels, lines);
        } else {
          write_named_list(tensor, labels, lines);
        }
        lines.end();
      },
      any);
}

void write_csv(const TensorView<float>& tensor, Sink sink) {
  write_either(tensor, sink);
}
void write_csv(const TensorView<double>& tensor, Sink sink) {
  write_either(tensor, sink);
}
void write_csv(const TensorView<std::int64_t>& tensor, Sink sink) {
  write_either(tensor, sink);
}

void write_tsv(const AnyTensor& any, const Labels& labels, Sink sink) {
  std::visit(
      [&](const auto& tensor) {
        check_shape(tensor);
        Lines lines(sink);
        if (tensor.shape.size() == 2) {
          write_labelled_grid(tensor, labels, lines);
        } else {
          write_labelled_list(tensor, labels, lines);
        }
        lines.end();
      },
      any);
}

}  // namespace headlight::io
