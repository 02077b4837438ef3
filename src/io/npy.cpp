#include "io/npy.h"

#include <bit>

namespace headlight::io {

namespace {

// NumPy leaves room so that the first axis can grow without moving the data: 21 digits minus those in use.
constexpr std::size_t growth_digits = 21;

template <class E>
void write(const TensorView<E>& tensor, Sink sink) {
  static_assert(std::endian::native == std::endian::little);
  check_shape(tensor);
  sink(npy_header(npy_type<E>(), tensor.shape));
  sink({reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size_bytes()});
}

}  // namespace

std::string npy_header(const char* type, const std::vector<std::size_t>& shape) {
  std::string tuple = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    tuple += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  }
  tuple += shape.size() == 1 ? ",)" : ")";
  std::string text =
      std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': " + tuple + ", }";
  if (!shape.empty()) {
    const std::size_t digits = std::to_string(shape[0]).size();
    if (digits < growth_digits) text.append(growth_digits - digits, ' ');
  }
  const std::size_t prefix = 10, alignment = 64;
  text.append(alignment - (prefix + text.size() + 1) % alignment, ' ');
  text += '\n';
  HEADLIGHT_CHECK_OP(text.size(), <, std::size_t(65536));
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xFF);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

void write_npy(const TensorView<float>& tensor, Sink sink) {
  write(tensor, sink);
}
void write_npy(const TensorView<double>& tensor, Sink sink) {
  write(tensor, sink);
}
void write_npy(const TensorView<std::int64_t>& tensor, Sink sink) {
  write(tensor, sink);
}

}  // namespace headlight::io
