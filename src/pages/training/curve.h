// The losses of a run as a curve of a few hundred points: each is the mean of some steps, with their range.
#pragma once

#include <algorithm>
#include <vector>

#include "pages/training/training.h"

namespace headlight::scene {

/// losses[i] belongs to step first + i. Returns at most `most` points, each for the same number of steps.
inline std::vector<CurvePoint> thinned(const std::vector<float>& losses, int first = 1, int most = 400) {
  const int count = static_cast<int>(losses.size()), width = std::max(1, (count + most - 1) / most);
  std::vector<CurvePoint> points;
  for (int begin = 0; begin < count; begin += width) {
    const int end = std::min(count, begin + width);
    CurvePoint point{first + (begin + end - 1) / 2, 0, losses[static_cast<std::size_t>(begin)],
                     losses[static_cast<std::size_t>(begin)]};
    double sum = 0;
    for (int i = begin; i < end; ++i) {
      const float loss = losses[static_cast<std::size_t>(i)];
      sum += static_cast<double>(loss);
      point.low = std::min(point.low, loss), point.high = std::max(point.high, loss);
    }
    point.value = static_cast<float>(sum / (end - begin));
    points.push_back(point);
  }
  return points;
}

}  // namespace headlight::scene
