#include "pages/attention/map_change.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "scene/shown.h"

namespace headlight::scene {

MapChange map_change(const Scene& scene, const Results& before, const Results& after) {
  MapChange out;
  const nn::AttentionTrace &a = before.attention, &b = after.attention;
  if (a.T == 0 || b.T == 0) {
    out.problem = "one side has no tokens";
  } else if (a.T != b.T || a.S != b.S) {
    out.problem =
        "before, there were " + std::to_string(a.T) + " tokens, now there are " + std::to_string(b.T);
  }
  if (!out.problem.empty()) return out;
  out.before = a.allowed, out.after = b.allowed;
  for (std::size_t q = 0; q < a.allowed.size() && q < b.allowed.size(); ++q) {
    const base::Interval from_a = a.allowed[q], from_b = b.allowed[q];
    out.allowed.push_back(from_a.size() == 0   ? from_b
                          : from_b.size() == 0 ? from_a
                                               : base::Interval{std::min(from_a.begin, from_b.begin),
                                                                std::max(from_a.end, from_b.end)});
  }
  const nn::Matrix from = map_on_show(scene, a);
  out.map = map_on_show(scene, b);
  for (int q = 0; q < out.map.rows(); ++q) {
    double row = 0;
    for (int k = 0; k < out.map.cols(); ++k) {
      float& value = out.map.at(q, k);
      value -= from.at(q, k);
      row += std::abs(static_cast<double>(value));
      if (std::abs(value) > out.largest || out.query < 0)
        out.largest = std::abs(value), out.query = q, out.key = k;
    }
    out.moved += row / 2;
  }
  out.moved /= out.map.rows();
  return out;
}

}  // namespace headlight::scene
