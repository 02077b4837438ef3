// A scene as a JSON value, for code that writes it in its own way: on one line, or only the fields that
// differ from the defaults. Tested in tests/scene/json_test.cpp, scene_line_test.cpp and
// figure_scene_test.cpp.
#pragma once

#include "io/json_reader.h"
#include "scene/scene.h"

namespace headlight::scene {

inline constexpr std::size_t largest_scene = std::size_t(16) << 20;  // bytes of JSON
/// A scene consists of its settings, some of which are lists of at most 4,096 numbers, and one sentence.
inline constexpr io::JsonKind scene_kind{"scene", 4, largest_scene, 100'000, true};

/// The value that to_json() writes.
io::Json as_json(const Scene& scene);

}  // namespace headlight::scene
