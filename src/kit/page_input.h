// The input of every page's view. A view reads these types and draws; it never computes what belongs to the
// core.
#pragma once

#include <algorithm>
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

/// The state that the picture moves from after the head, the pins or a setting changed. Only shapes move:
/// numbers are those of the results at once.
struct Motion {
  float part = 1;          // fraction of the movement, 0 … 1, slower towards its end; 1 = at rest
  int query = -1;          // pinned before; −1 = none
  std::vector<float> row;  // its weights by key before the change, for the heads shown then
};

struct PageInput {
  const scene::Scene& scene;      // the state of the controls; may be newer than the results
  const scene::Results& results;  // what was computed last
  const nn::CellTrace* cell;      // the pinned cell's arithmetic; null = none
  const draw::Hit* hover;         // under the pointer; null = nothing
  const draw::Theme& theme;
  bool column = true;         // there is room for a column of cards at the right; false: the settings take it
  draw::Box map_view;         // the part of the large map on view, in cells; w = 0: everything
  float busy = -1;            // fraction of the running computation that is done, 0 … 1; −1 = none runs
  double play_position = -1;  // fractional position while it is played, else −1
  float transition = 1;       // 0 … 1 after the page's step changed; 1 = at rest
  int dragged_slot = -1;      // the slot that is being dragged, on a page that has slots,
  int drop_slot = -1;         // the slot where it would be dropped now, −1: none,
  draw::Point dragged_at{};   // and the pointer
  int first_slot = -1;        // the first slot of a strip that was scrolled; −1: it follows the selection
  /// Times measured on this machine so far, for the Cost page; null = none yet.
  std::shared_ptr<const scene::CostMeasurements> measured = nullptr;
  /// The newest snapshot of a training run, for the Training page; null = nothing was trained yet.
  std::shared_ptr<const scene::TrainingSnapshot> training = nullptr;
  /// What is known about the newest sentence while the Attention page is computed; null = no more than
  /// `results`.
  const scene::Preview* preview = nullptr;
  /// The map of some heads of that sentence, before the others are computed; null = not yet.
  const scene::EarlyMap* early_map = nullptr;
  bool writing = false;  // the scene's model is generating text
  /// Reads quantities by name; null = every number is "–".
  scene::ReadNumber numbers = nullptr;
  /// Collects which quantities were written, and how; null = no collection.
  std::vector<scene::StatedNumber>* stated = nullptr;
  const Motion* motion = nullptr;  // null = at rest
  /// The height that the question takes above the cards on later screens, for a page whose first picture has
  /// the question as its title. 0: later screens have no question, or the page need not account for it.
  float question_above = 0;
  /// Is one card of the page shown alone, as large as the window allows?
  bool alone = false;
  /// Parts of cards that a lesson's step leaves out, by their names; null = nothing is left out.
  const std::vector<std::string>* without = nullptr;
  /// Is the window so small that its parts are smaller (FrameLayout::compact)? So is the question.
  bool compact = false;

  /// Is this part of a card left out?
  bool leaves_out(std::string_view part) const {
    return without && std::find(without->begin(), without->end(), part) != without->end();
  }

  /// Returns the number with this name, such as "entropy head=2", the same that lessons, claims and exports
  /// use. NaN when the scene has none.
  double value(std::string_view quantity) const {
    return numbers ? read(quantity).value : std::numeric_limits<double>::quiet_NaN();
  }
  /// Returns that number as its page writes it, without its unit, or in another form. "–" when there is none.
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
  /// The same, written by a page's own function, or by one of base/numbers.h that has no NumberForm.
  std::string text(std::string_view quantity, std::string (*words)(double)) const {
    const double number = value(quantity);
    return noted(quantity, number, std::isnan(number) ? "–" : words(number));
  }
  /// Describes the quantity, as lists of quantities do.
  std::string help(std::string_view quantity) const { return numbers ? read(quantity).help : ""; }
  /// Notes words that a view derived from value(), and returns them unchanged.
  std::string noted(std::string_view quantity, double value, std::string words) const {
    if (stated) stated->push_back({std::string(quantity), value, words});
    return words;
  }
  scene::NamedNumber read(std::string_view quantity) const {
    return numbers(quantity, {scene, results, training.get(), cell});
  }
  /// What the open page computed for itself, as exactly the type R; null when another page computed it.
  template <class R>
  const R* own() const {
    return results.own_as<R>();
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
