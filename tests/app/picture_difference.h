// How far is one picture from another? For pictures that were drawn by the same program on other machines:
// another version of the software renderer, or other vector instructions, move a few edge pixels by a little.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "io/png.h"

namespace headlight::tests {

struct PictureDifference {
  std::size_t pixels = 0;  // that differ by more than `tolerance` in any channel
  double share = 0;        // of all pixels; 1 when the sizes differ
  int largest = 0;         // difference in one channel
  int x = -1, y = -1;      // the first pixel that differs, from the top left
  io::Image picture;       // `ours` faded, with what differs in red
};

/// Both pictures are RGBA.
inline PictureDifference picture_difference(const io::Image& baseline, const io::Image& ours, int tolerance) {
  PictureDifference found;
  found.picture = ours;
  if (baseline.width != ours.width || baseline.height != ours.height) {
    found.share = 1, found.largest = 255, found.x = found.y = 0;
    found.pixels = ours.pixels.size() / 4;
    return found;
  }
  for (std::size_t i = 0; i < ours.pixels.size(); i += 4) {
    int most = 0;
    for (std::size_t channel = 0; channel < 4; ++channel) {
      most = std::max(most, std::abs(int(ours.pixels[i + channel]) - int(baseline.pixels[i + channel])));
    }
    found.largest = std::max(found.largest, most);
    std::uint8_t* shown = &found.picture.pixels[i];
    if (most <= tolerance) {
      for (int channel = 0; channel < 3; ++channel) shown[channel] = std::uint8_t(96 + shown[channel] / 4);
      continue;
    }
    shown[0] = 230, shown[1] = shown[2] = 0;
    if (found.pixels++ == 0) {
      found.x = int(i / 4) % ours.width, found.y = int(i / 4) / ours.width;
    }
  }
  found.share = double(found.pixels) * 4 / double(std::max<std::size_t>(ours.pixels.size(), 4));
  return found;
}

}  // namespace headlight::tests
