// Pictures as PNG: 8 bits a channel, RGB or RGBA, rows from the top, sRGB values as they stand. Metadata goes
// into tEXt, or into iTXt when it is not ASCII. Tested in tests/io/png_test.cpp.
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

/// The bytes of the file. A picture without pixels, or larger than PNG allows, is an error. `per_metre`:
/// pixels to the metre on paper; 0: not said.
base::Result<std::string> encode_png(const Image& image, const Metadata& metadata = {},
                                     unsigned per_metre = 0);

struct DecodedPng {
  Image image;  // as RGBA whatever the file held
  Metadata metadata;
};

/// `origin` names the file in errors. A picture that claims more pixels than so many bytes can hold is
/// refused before they are allocated.
base::Result<DecodedPng> decode_png(std::string_view bytes, const std::string& origin);

/// The first text of a PNG under `keyword`, empty when there is none. Chunk by chunk: no pixel is decoded,
/// and no other text unpacked. Errors: no PNG, cut short before such a text, a text that is damaged or would
/// be more than `max_bytes`.
base::Result<std::string> text_in_png(std::string_view bytes, const std::string& origin,
                                      std::string_view keyword,
                                      std::size_t max_bytes = std::size_t(16) << 20);

}  // namespace headlight::io
