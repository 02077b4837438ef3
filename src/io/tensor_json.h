// Tensors as JSON: {"name": …, "shape": […], "data": nested lists, "tokens": […]}. NaN and infinities, which
// JSON lacks, are null. Tested in tests/io/text_test.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "io/files.h"
#include "io/tensor_view.h"

namespace headlight::io {

/// `tokens` may hold any bytes; ill-formed parts become U+FFFD. `scene` is JSON, and stands under "scene"
/// when it is not empty. `remarks`: what must be said of the numbers, under "remarks" where there is
/// anything.
void write_tensor_json(const AnyTensor& tensor, const std::vector<std::string>& tokens,
                       const std::string& scene, Sink sink, const std::vector<std::string>& remarks = {});

/// Several: {"tensors": [{"name", "axes", "shape", "data"}, …], "tokens": […], "scene": {…}}.
void write_tensors_json(std::span<const AnyTensor> tensors, const std::vector<std::string>& tokens,
                        const std::string& scene, Sink sink, const std::vector<std::string>& remarks = {});

/// JSON on one line, ill-formed UTF-8 as U+FFFD and what is not finite as null.
std::string json_text(const nlohmann::ordered_json& json);
/// The shortest digits that are this number; null for what is not finite.
std::string json_number(double value);

}  // namespace headlight::io
