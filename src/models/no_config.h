// What is said of weights whose description is missing, by whatever opens them. Tested in
// tests/models/open_test.cpp and tests/scene/model_file_test.cpp.
#pragma once

namespace headlight::models {

inline constexpr const char* no_config =
    "config.json, which says what its tensors are, is not beside it; put the model’s config.json into the "
    "same "
    "folder";

}  // namespace headlight::models
