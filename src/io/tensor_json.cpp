#include "io/tensor_json.h"

#include <algorithm>
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

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

namespace {

/// "name": …, "shape": […], "data": …
void write_body(const AnyTensor& any, bool axes, const AxisNames& names, Sink sink) {
  std::visit(
      [&](const auto& tensor) {
        check_shape(tensor);
        std::string head = "{\"name\":" + json_text(tensor.name);
        nlohmann::ordered_json labels = nlohmann::ordered_json::object();
        for (std::size_t axis = 0; axis < std::min(names.size(), tensor.axes.size()); ++axis) {
          if (!names[axis].empty()) labels[tensor.axes[axis]] = names[axis];
        }
        if (axes || !labels.empty()) head += ",\"axes\":" + json_text(tensor.axes);
        if (!labels.empty()) head += ",\"labels\":" + json_text(labels);
        sink(head + ",\"shape\":" + json_text(tensor.shape) + ",\"data\":");
        NestedLists(tensor, sink);
      },
      any);
}

std::string tail(const std::vector<std::string>& tokens, const std::string& scene,
                 const std::vector<std::string>& remarks) {
  std::string out = ",\"tokens\":" + json_text(tokens);
  if (!remarks.empty()) out += ",\"remarks\":" + json_text(remarks);
  if (!scene.empty()) out += ",\"scene\":" + scene;
  return out + "}\n";
}

}  // namespace

void write_tensor_json(const AnyTensor& tensor, const std::vector<std::string>& tokens,
                       const std::string& scene, Sink sink, const std::vector<std::string>& remarks,
                       const AxisNames& names) {
  write_body(tensor, false, names, sink);
  sink(tail(tokens, scene, remarks));
}

void write_tensors_json(std::span<const AnyTensor> tensors, const std::vector<std::string>& tokens,
                        const std::string& scene, Sink sink, const std::vector<std::string>& remarks,
                        std::span<const AxisNames> names) {
  sink("{\"tensors\":[");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (i > 0) sink(",\n");
    write_body(tensors[i], true, i < names.size() ? names[i] : AxisNames(), sink);
    sink("}");
  }
  sink("]" + tail(tokens, scene, remarks));
}

}  // namespace headlight::io
