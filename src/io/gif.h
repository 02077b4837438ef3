// Frames as an animated GIF (written by giflib): one palette of at most 256 colours, made from all frames, so
// that nothing flickers; it repeats for ever. The same frames give the same bytes. Tested in
// tests/io/gif_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/png.h"

namespace headlight::io {

/// All frames have the size and the channels of the first; alpha is left out. `seconds` is how long each is
/// shown; GIF counts hundredths, and the sum of all stays right. Errors: no frame, larger than 65535 pixels.
base::Result<std::string> encode_gif(std::span<const Image> frames, double seconds);

/// Which of 256 colours or fewer are nearest to what is there, by median cut: the box of colours with the
/// largest spread is split at its median until there are enough. Colours are 0xRRGGBB.
std::vector<std::uint32_t> palette_of(std::span<const Image> frames, std::size_t most = 256);

}  // namespace headlight::io
