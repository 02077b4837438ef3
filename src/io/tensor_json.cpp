#include "io/tensor_json.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace headlight::io {

namespace {

class NestedLists {
 public:
  NestedLists(const TensorView<float>& tensor, Sink sink) : tensor_(tensor), sink_(sink) {
    write(0);
    sink_(text_);
  }

 private:
  void write(std::size_t axis) {
    if (axis == tensor_.shape.size()) return write_number(tensor_.values[next_++]);
    text_ += '[';
    for (std::size_t i = 0; i < tensor_.shape[axis]; ++i) {
      if (i > 0) text_ += ',';
      write(axis + 1);
    }
    text_ += ']';
    if (text_.size() < 65536) return;
    sink_(text_);
    text_.clear();
  }

  void write_number(float value) {
    if (!std::isfinite(value)) {
      text_ += "null";
      return;
    }
    char digits[32];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }

  const TensorView<float>& tensor_;
  Sink sink_;
  std::string text_;
  std::size_t next_ = 0;
};

}  // namespace

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void write_tensor_json(const TensorView<float>& tensor, const std::vector<std::string>& tokens, Sink sink) {
  check_shape(tensor);
  std::string head = "{\"name\":" + json_string(tensor.name) + ",\"shape\":[";
  for (std::size_t i = 0; i < tensor.shape.size(); ++i)
    head += (i > 0 ? "," : "") + std::to_string(tensor.shape[i]);
  sink(head + "],\"data\":");
  NestedLists(tensor, sink);
  std::string tail = ",\"tokens\":[";
  for (std::size_t i = 0; i < tokens.size(); ++i) tail += (i > 0 ? "," : "") + json_string(tokens[i]);
  sink(tail + "]}\n");
}

}  // namespace headlight::io
