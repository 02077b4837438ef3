// Writes frames as an animated GIF (with giflib): one palette of at most 256 colours, made from all frames,
// so that nothing flickers; it repeats forever. The same frames give the same bytes. Tested in
// tests/io/gif_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/run_image.h"

namespace headlight::io {

/// All frames must have the size of the first; alpha is ignored. `seconds` is how long each frame is shown;
/// GIF counts hundredths, and rounding errors do not add up. `comment`, in ASCII, is stored in the file;
/// empty: no comment. `keep_going` receives the fraction done; false stops the work. Errors: no frame, larger
/// than 65535 pixels, stopped.
base::Result<std::string> encode_gif(std::span<const RunImage> frames, double seconds,
                                     const std::string& comment = {},
                                     const std::function<bool(float)>& keep_going = {});

/// Returns the first comment of a GIF that starts with `begin`, since other tools also add comments; empty if
/// there is none. No image is decoded. `origin` names the file in errors.
base::Result<std::string> gif_comment(std::string_view bytes, const std::string& origin,
                                      std::string_view begin = {});

/// Returns at most `most` colours near those in the frames, by median cut: the box of colours with the
/// largest spread is split at its median until there are enough boxes. Colours are 0xRRGGBB.
std::vector<std::uint32_t> palette_of(std::span<const RunImage> frames, std::size_t most = 256);

}  // namespace headlight::io
