// Frames as an animated GIF (written by giflib): one palette of at most 256 colours, made from all frames, so
// that nothing flickers; it repeats for ever. The same frames give the same bytes. Tested in
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

/// All frames have the size of the first; alpha is left out. `seconds` is how long each is shown; GIF counts
/// hundredths, and the sum of all stays right. `comment`, in ASCII, is what the file says of itself; empty:
/// nothing. `goes_on` is told the fraction done; false stops the work. Errors: no frame, larger than 65535
/// pixels, stopped.
base::Result<std::string> encode_gif(std::span<const RunImage> frames, double seconds,
                                     const std::string& comment = {},
                                     const std::function<bool(float)>& goes_on = {});

/// The first comment of a GIF that starts with `begin`, empty when there is none: other tools put theirs in,
/// too. No image is decoded. `origin` names the file in errors.
base::Result<std::string> gif_comment(std::string_view bytes, const std::string& origin,
                                      std::string_view begin = {});

/// Which of 256 colours or fewer are nearest to what is there, by median cut: the box of colours with the
/// largest spread is split at its median until there are enough. Colours are 0xRRGGBB.
std::vector<std::uint32_t> palette_of(std::span<const RunImage> frames, std::size_t most = 256);

}  // namespace headlight::io
