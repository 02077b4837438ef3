#include "io/run_image.h"

#include "base/check.h"

namespace headlight::io {

RunImage::RunImage(const Image& image) : width_(image.width), height_(image.height) {
  const auto channels = static_cast<std::size_t>(image.channels);
  HEADLIGHT_CHECK(image.pixels.size() ==
                  static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * channels);
  const std::uint8_t* p = image.pixels.data();
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x, p += channels) {
      const std::uint32_t alpha = channels == 4 ? p[3] : 255u;
      const std::uint32_t color =
          alpha << 24 | static_cast<std::uint32_t>(p[0]) << 16 | static_cast<std::uint32_t>(p[1]) << 8 | p[2];
      if (x == 0 || runs_.back().color != color) runs_.push_back({color, 0});
      ++runs_.back().length;
    }
  }
  runs_.shrink_to_fit();
}

Image RunImage::image() const {
  Image out{width_, height_, 4, {}};
  out.pixels.reserve(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * 4);
  for (const Run& run : runs_) {
    const auto byte = [&](int shift) { return static_cast<std::uint8_t>(run.color >> shift); };
    for (std::uint32_t i = 0; i < run.length; ++i)
      out.pixels.insert(out.pixels.end(), {byte(16), byte(8), byte(0), byte(24)});
  }
  return out;
}

RunImage RunImage::grown(int width, int height, std::uint32_t color) const {
  HEADLIGHT_CHECK(width >= width_ && height >= height_);
  RunImage out;
  out.width_ = width, out.height_ = height;
  std::uint32_t x = 0;
  for (const Run& run : runs_) {
    out.runs_.push_back(run);
    x += run.length;
    if (x < static_cast<std::uint32_t>(width_)) continue;
    if (width > width_) out.runs_.push_back({color, static_cast<std::uint32_t>(width - width_)});
    x = 0;
  }
  for (int y = height_; y < height && width > 0; ++y)
    out.runs_.push_back({color, static_cast<std::uint32_t>(width)});
  return out;
}

}  // namespace headlight::io
