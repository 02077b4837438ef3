#include "io/tensor_json.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace headlight::io {

namespace {

template <class E>
class NestedLists {
 public:
  NestedLists(const TensorView<E>& tensor, Sink sink) : tensor_(tensor), sink_(sink) {
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

  void write_number(E value) {
    if constexpr (std::is_floating_point_v<E>) {
      if (!std::isfinite(value)) {
        text_ += "null";
        return;
      }
    }
    char digits[32];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }

  const TensorView<E>& tensor_;
  Sink sink_;
  std::string text_;
  std::size_t next_ = 0;
};

}  // namespace

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

namespace {

/// "name": …, "shape": […], "data": …
void write_body(const AnyTensor& any, bool axes, Sink sink) {
  std::visit(
      [&](const auto& tensor) {
        check_shape(tensor);
        std::string head = "{\"name\":" + json_string(tensor.name);
        if (axes) {
          head += ",\"axes\":[";
          for (std::size_t i = 0; i < tensor.axes.size(); ++i)
            head += (i > 0 ? "," : "") + json_string(tensor.axes[i]);
          head += "]";
        }
        head += ",\"shape\":[";
        for (std::size_t i = 0; i < tensor.shape.size(); ++i)
          head += (i > 0 ? "," : "") + std::to_string(tensor.shape[i]);
        sink(head + "],\"data\":");
        NestedLists(tensor, sink);
      },
      any);
}

std::string tail(const std::vector<std::string>& tokens, const std::string& scene,
                 const std::vector<std::string>& remarks) {
  std::string out = ",\"tokens\":[";
  for (std::size_t i = 0; i < tokens.size(); ++i) out += (i > 0 ? "," : "") + json_string(tokens[i]);
  out += "]";
  for (std::size_t i = 0; i < remarks.size(); ++i)
    out += (i == 0 ? ",\"remarks\":[" : ",") + json_string(remarks[i]);
  if (!remarks.empty()) out += ']';
  if (!scene.empty()) out += ",\"scene\":" + scene;
  return out + "}\n";
}

}  // namespace

void write_tensor_json(const AnyTensor& tensor, const std::vector<std::string>& tokens,
                       const std::string& scene, Sink sink, const std::vector<std::string>& remarks) {
  write_body(tensor, false, sink);
  sink(tail(tokens, scene, remarks));
}

void write_tensors_json(std::span<const AnyTensor> tensors, const std::vector<std::string>& tokens,
                        const std::string& scene, Sink sink, const std::vector<std::string>& remarks) {
  sink("{\"tensors\":[");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (i > 0) sink(",\n");
    write_body(tensors[i], true, sink);
    sink("}");
  }
  sink("]" + tail(tokens, scene, remarks));
}

}  // namespace headlight::io
