// Tensors as JSON: {"name": …, "shape": […], "data": nested lists, "tokens": […]}. NaN and infinities, which
// JSON does not have, are null. Tested in tests/io/text_test.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "io/files.h"
#include "io/tensor_view.h"

namespace headlight::io {

/// Names of the entries of each axis; an empty list: they are counted from 0. Empty: no axis has names. They
/// are written as "labels": {"quantity": ["head", …]}, after "axes".
using AxisNames = std::vector<std::vector<std::string>>;

/// `tokens` may hold any bytes; ill-formed parts become U+FFFD. `scene` is JSON; it is written under "scene"
/// unless it is empty. `remarks` are notes about the numbers, written under "remarks" unless there are none.
void write_tensor_json(const AnyTensor& tensor, const std::vector<std::string>& tokens,
                       const std::string& scene, Sink sink, const std::vector<std::string>& remarks = {},
                       const AxisNames& names = {});

/// Writes several tensors: {"tensors": [{"name", "axes", "shape", "data"}, …], "tokens": […], "scene": {…}}.
void write_tensors_json(std::span<const AnyTensor> tensors, const std::vector<std::string>& tokens,
                        const std::string& scene, Sink sink, const std::vector<std::string>& remarks = {},
                        std::span<const AxisNames> names = {});

/// Returns JSON on one line, with ill-formed UTF-8 as U+FFFD and numbers that are not finite as null.
std::string json_text(const nlohmann::ordered_json& json);
/// Returns the fewest digits that read back as this number; null if it is not finite.
std::string json_number(double value);

}  // namespace headlight::io
