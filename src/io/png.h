// Pictures as PNG: 8 bits per channel, RGB or RGBA, rows from the top, unconverted sRGB values. Metadata is
// stored as tEXt, or as iTXt if it is not ASCII. Tested in tests/io/png_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace headlight::io {

struct Image {
  int width = 0, height = 0;
  int channels = 4;                  // 3: RGB, 4: RGBA, not premultiplied
  std::vector<std::uint8_t> pixels;  // [height, width, channels]
  bool operator==(const Image&) const = default;
};

using Metadata = std::vector<std::pair<std::string, std::string>>;  // keyword (1–79 Latin letters) and text

/// Returns the bytes of the file. It is an error if the picture has no pixels, or is larger than PNG allows.
/// `per_metre`: pixels per metre on paper; 0: not set.
base::Result<std::string> encode_png(const Image& image, const Metadata& metadata = {},
                                     unsigned per_metre = 0);

struct DecodedPng {
  Image image;  // RGBA for every kind of file
  Metadata metadata;
};

/// `origin` names the file in errors. A picture that claims more pixels than its bytes can hold is refused
/// before they are allocated.
base::Result<DecodedPng> decode_png(std::string_view bytes, const std::string& origin);

/// Returns the first text of a PNG under `keyword`, empty if there is none. It skips from chunk to chunk: no
/// pixel is decoded, and no other text is unpacked. Errors: not a PNG, truncated before such a text, a text
/// that is damaged or larger than `max_bytes`.
base::Result<std::string> text_in_png(std::string_view bytes, const std::string& origin,
                                      std::string_view keyword,
                                      std::size_t max_bytes = std::size_t(16) << 20);

}  // namespace headlight::io
