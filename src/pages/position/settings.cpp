#include "pages/position/settings.h"

#include <algorithm>
#include <vector>

#include "scene/other_model.h"
#include "scene/own_positions.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {

void repair_positions(Scene& scene) {
  PositionSettings& p = scene.positions;
  const bool plotted = !p.columns.empty();
  static const IndexList usual = PositionSettings().columns;
  const bool untouched = p.columns == usual;
  int width = position_columns(scene);
  // A page that does not show the opened model keeps the columns that were chosen for its P.
  if (const auto other = other_model(scene); other && !shows_other_models(scene.page))
    width = std::max(width, own_positions(*other).columns);
  std::erase_if(p.columns, [width](int column) { return column < 0 || column >= width; });
  if (plotted && p.columns.empty()) {  // all were beyond the width: the last four take their place
    for (int c = std::max(0, width - 4); c < width; ++c) p.columns.push_back(c);
  }
  // The user has not chosen columns: for a model, some that rotate are chosen.
  if (const auto shown = untouched ? shown_other_model(scene) : nullptr) {
    const std::vector<int> turning = turning_columns(*shown, p.columns, p.count);
    if (!turning.empty()) {
      p.columns = turning;
      if (p.pair == usual.front() / 2) p.pair = turning[turning.size() / 2] / 2;
    }
  }
  std::sort(p.columns.begin(), p.columns.end());
  p.columns.erase(std::unique(p.columns.begin(), p.columns.end()), p.columns.end());
  // A pair is a sine and a cosine; a width of 1 has half a pair, which stays pair 0.
  p.pair = std::min(p.pair, std::max(0, width / 2 - 1));
  p.index = std::clamp(p.index, scene.position_offset, scene.position_offset + p.count - 1);
  p.delta = std::clamp(p.delta, 1 - p.count, p.count - 1);
}

std::string positions_there(const Scene& scene, const Scene& requested, std::string_view name) {
  const int count = scene.positions.count;
  if (const int pairs = std::max(1, position_columns(scene) / 2); name == "position_pair")
    return requested.positions.pair >= pairs ? what_exists(0, pairs, "pair") : std::string();
  if (name == "position_index") return what_exists(scene.position_offset, count, "position");
  return name == "position_delta" ? what_exists(1 - count, 2 * count - 1, "offset") : std::string();
}

std::string columns_left_out(const Scene& scene, const Scene& requested, std::string_view name) {
  if (name != "position_columns") return {};
  const int columns = position_columns(scene);
  std::vector<int> missing;
  for (const int number : requested.positions.columns) {
    if (number >= columns) missing.push_back(number);
  }
  return missing.empty() ? std::string() : missing_line(name, missing, what_exists(0, columns, "column"), "");
}

}  // namespace headlight::scene
