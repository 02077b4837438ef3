#include "io/csv.h"

#include <charconv>

namespace headlight::io {

namespace {

template <class N>
void append_number(std::string& out, N value) {
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

/// Lines gathered into pieces of a size worth writing.
class Lines {
 public:
  explicit Lines(Sink sink) : sink_(sink) {}
  ~Lines() { sink_(text); }
  void end_line() {
    text += '\n';
    if (text.size() < 65536) return;
    sink_(text);
    text.clear();
  }
  std::string text;

 private:
  Sink sink_;
};

template <class E>
void write_grid(const TensorView<E>& tensor, Lines& lines) {
  const std::size_t columns = tensor.shape[1];
  for (std::size_t row = 0; row < tensor.shape[0]; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      if (column > 0) lines.text += ',';
      append_number(lines.text, tensor.values[row * columns + column]);
    }
    lines.end_line();
  }
}

template <class E>
void write_long(const TensorView<E>& tensor, Lines& lines) {
  for (const std::string& axis : tensor.axes) lines.text += axis + ',';
  lines.text += "value";
  lines.end_line();
  std::vector<std::size_t> index(tensor.shape.size(), 0);
  for (const E value : tensor.values) {
    for (const std::size_t i : index) {
      append_number(lines.text, i);
      lines.text += ',';
    }
    append_number(lines.text, value);
    lines.end_line();
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < tensor.shape[axis]) break;
      index[axis] = 0;
    }
  }
}

template <class E>
void write_either(const TensorView<E>& tensor, Sink sink) {
  check_shape(tensor);
  Lines lines(sink);
  if (tensor.shape.size() == 2) {
    write_grid(tensor, lines);
  } else {
    HEADLIGHT_CHECK_OP(tensor.axes.size(), ==, tensor.shape.size());
    write_long(tensor, lines);
  }
}

/// A name as one cell: no tab and no line break.
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

}  // namespace

void write_csv(const TensorView<float>& tensor, Sink sink) {
  write_either(tensor, sink);
}
void write_csv(const TensorView<double>& tensor, Sink sink) {
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
      },
      any);
}

}  // namespace headlight::io
