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

void write_grid(const TensorView<float>& tensor, Lines& lines) {
  const std::size_t columns = tensor.shape[1];
  for (std::size_t row = 0; row < tensor.shape[0]; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      if (column > 0) lines.text += ',';
      append_number(lines.text, tensor.values[row * columns + column]);
    }
    lines.end_line();
  }
}

void write_long(const TensorView<float>& tensor, Lines& lines) {
  for (const std::string& axis : tensor.axes) lines.text += axis + ',';
  lines.text += "value";
  lines.end_line();
  std::vector<std::size_t> index(tensor.shape.size(), 0);
  for (const float value : tensor.values) {
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

}  // namespace

void write_csv(const TensorView<float>& tensor, Sink sink) {
  check_shape(tensor);
  Lines lines(sink);
  if (tensor.shape.size() == 2) {
    write_grid(tensor, lines);
  } else {
    HEADLIGHT_CHECK_OP(tensor.axes.size(), ==, tensor.shape.size());
    write_long(tensor, lines);
  }
}

}  // namespace headlight::io
