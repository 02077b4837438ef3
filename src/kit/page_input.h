// What every page is drawn from. A view reads types and draws; it never computes what belongs to the core.
#pragma once

#include <cmath>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draw/canvas.h"
#include "draw/pick_canvas.h"
#include "draw/theme.h"
#include "nn/explain.h"
#include "scene/named_number.h"
#include "scene/results.h"
#include "scene/scene.h"

namespace headlight::scene {
struct EarlyMap;  // scene/preview.h
struct Preview;
struct CostMeasurements;  // pages/cost/cost.h
struct TrainingSnapshot;  // pages/training/training.h
}  // namespace headlight::scene

namespace headlight::views {

/// What the picture moves from, after the head, what is pinned, or a setting was changed. Only shapes move:
/// numbers are at once those of the results.
struct Motion {
  float part = 1;          // of the way, 0 … 1, slower towards its end; 1 = at rest
  int query = -1;          // pinned before; −1 = none
  std::vector<float> row;  // its weights by key then, of the heads on show then
};

struct PageInput {
  const scene::Scene& scene;      // what the controls say; may be newer than the results
  const scene::Results& results;  // what was computed last
  const nn::CellTrace* cell;      // the pinned cell's arithmetic; null = none
  const draw::Hit* hover;         // under the pointer; null = nothing
  const draw::Theme& theme;
  bool column = true;         // room for a column of cards at the right; false: the settings have its place
  draw::Box map_view;         // the part of the large map on view, in cells; w = 0: everything
  float busy = -1;            // a computation runs: its fraction done, 0 … 1; −1 = none
  double play_position = -1;  // while the position runs: its fractional value, else −1
  float transition = 1;       // 0 … 1 since a step of the page was changed; 1 = at rest
  int dragged_slot = -1;      // the slot that is being dragged, on a page that has slots,
  int drop_slot = -1;         // the one that it would take now, −1: none,
  draw::Point dragged_at{};   // and the pointer
  /// Times of this machine for the Cost page, as far as they are measured; null = none yet.
  std::shared_ptr<const scene::CostMeasurements> measured = nullptr;
  /// The newest picture of a training run, for the Training page; null = nothing was trained yet.
  std::shared_ptr<const scene::TrainingSnapshot> training = nullptr;
  /// What is known of the newest sentence while the Attention page is computed; null = no more than
  /// `results`.
  const scene::Preview* preview = nullptr;
  /// Its map for some heads, before the others are computed; null = not yet.
  const scene::EarlyMap* early_map = nullptr;
  bool writing = false;  // the model of the scene writes on
  /// Reads quantities by name; null = every number is "–".
  scene::ReadNumber numbers = nullptr;
  /// Where it is noted which quantities were written, and how; null = nowhere.
  std::vector<scene::SaidNumber>* said = nullptr;
  const Motion* motion = nullptr;  // null = at rest
  /// Of a page whose first picture has the question in its title: what the question takes of the height of
  /// its later screens, where it stands above the cards. 0: they have no question, or it is not the page's
  /// matter.
  float question_above = 0;

  /// The page's number of this name, such as "entropy head=2": the one that lessons, claims and exports read.
  /// NaN where the scene has none.
  double value(std::string_view quantity) const {
    return numbers ? read(quantity).value : std::numeric_limits<double>::quiet_NaN();
  }
  /// It as its page writes it, without its unit; or in another form. "–" where there is none.
  std::string text(std::string_view quantity) const {
    if (!numbers) return "–";
    const scene::NamedNumber number = read(quantity);
    return noted(quantity, number.value, base::written(number.value, number.form));
  }
  std::string text(std::string_view quantity, base::NumberForm form) const {
    if (!numbers) return "–";
    const double value = read(quantity).value;
    return noted(quantity, value, base::written(value, form));
  }
  /// In words that are a page's own, or those of base/numbers.h that have no form.
  std::string text(std::string_view quantity, std::string (*words)(double)) const {
    const double number = value(quantity);
    return noted(quantity, number, std::isnan(number) ? "–" : words(number));
  }
  /// What it is, as lists of quantities say it.
  std::string help(std::string_view quantity) const { return numbers ? read(quantity).help : ""; }
  /// Words that a view made of value(), for the note alone.
  std::string noted(std::string_view quantity, double value, std::string words) const {
    if (said) said->push_back({std::string(quantity), value, words});
    return words;
  }
  scene::NamedNumber read(std::string_view quantity) const {
    return numbers(quantity, {scene, results, training.get(), cell});
  }
};

/// "weight head=2 query=0 key=1": heads count from 1.
inline std::string quantity(const char* name, std::initializer_list<std::pair<const char*, int>> arguments) {
  std::string out = name;
  for (const auto& [argument, value] : arguments)
    out.append(1, ' ').append(argument).append(1, '=').append(std::to_string(value));
  return out;
}

}  // namespace headlight::views
