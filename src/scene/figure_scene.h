// The scene that a figure carries, so that it can be reopened. It is in the metadata of an SVG, the keywords
// of a PDF, the text chunk "headlight" of a PNG and the comment of a GIF, and beside exported numbers in JSON
// and NPZ. Tested in tests/scene/figure_scene_test.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "io/descriptor.h"
#include "io/png.h"
#include "scene/scene.h"

namespace headlight::scene {

/// The scene as one line of JSON in ASCII, whatever characters its sentence has. Files are named without
/// their folders (named_files.h).
std::string scene_as_json(const Scene& scene);
/// The metadata of a PNG: its program and its scene.
io::Metadata png_metadata(const Scene& scene);
/// The comment of an animation.
std::string gif_comment(const Scene& scene);

/// Returns the scene of a saved scene, or of a file that Headlight made: .png, .svg, .pdf, .gif, .npz, .json.
/// For a .safetensors, and for a folder or file of another program's model, returns the scene that shows the
/// model. The type of any other file is recognised from its bytes. A file without a scene is an error that
/// says so.
///
/// Looks for the files that the scene names (find_files()); `missing` gets the line about one that is not
/// found. `opens`: whether `path` may be a pipe.
base::Result<Scene> scene_in_file(const std::filesystem::path& path, io::Opens opens = io::Opens::files,
                                  std::string* missing = nullptr);
base::Result<Scene> scene_in_bytes(const std::string& bytes, const std::string& origin);

}  // namespace headlight::scene
