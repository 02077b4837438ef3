// The scene that a figure carries, so that it can be reopened: in the metadata of an SVG, a PDF's keywords, a
// PNG's text chunk "headlight", a GIF's comment, beside exported numbers in JSON and NPZ. Tested in
// tests/scene/figure_scene_test.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "io/descriptor.h"
#include "io/png.h"
#include "scene/scene.h"

namespace headlight::scene {

/// The scene as one line of JSON in ASCII, whatever its sentence is. Files are named without their folders
/// (named_files.h).
std::string scene_as_json(const Scene& scene);
/// What a PNG says of itself: its program and its scene.
io::Metadata png_metadata(const Scene& scene);
/// The comment of an animation.
std::string gif_comment(const Scene& scene);

/// The scene of a saved scene, or of a file that Headlight made: .png, .svg, .pdf, .gif, .npz, .json; of a
/// .safetensors, and of a folder or file of another program's model, the scene that shows the model. What any
/// other file is, is seen from its bytes. A file without a scene is an error that says so.
///
/// Files that the scene names are looked for (find_files()); `missing` gets the line about one that is not
/// found. `opens`: a pipe has to be asked for.
base::Result<Scene> scene_in_file(const std::filesystem::path& path, io::Opens opens = io::Opens::files,
                                  std::string* missing = nullptr);
base::Result<Scene> scene_in_bytes(const std::string& bytes, const std::string& origin);

}  // namespace headlight::scene
