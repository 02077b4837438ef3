#include "command/commands.h"
#include "command/progress_line.h"
#include "pages/compute.h"
#include "pages/cost/cost.h"
#include "pages/missing.h"
#include "pages/page.h"
#include "pages/training/training.h"
#include "pictures/describe.h"
#include "scene/settings.h"
#include "scene/shown.h"
#include "session/train_now.h"

namespace headlight::app {

scene::CostMeasurements measured_times(int d, base::Parallel& parallel) {
  scene::CostMeasurements out;
  out.d = d, out.fraction = 1;
  const std::vector<int> lengths = scene::lengths_to_measure(d);
  out.lengths = static_cast<int>(lengths.size());
  for (const int T : lengths) out.rows.push_back(scene::measure_cost(T, d, parallel, [] { return true; }));
  return out;
}

base::Result<std::string> describe(const scene::Scene& scene, int keys, std::string& note, bool measure) {
  base::Parallel parallel;
  scene::Scene whole = scene;
  scene::repair(whole);
  const std::shared_ptr<const scene::Results> results = scene::compute_now(whole, parallel, nullptr);
  if (!results->failure.empty()) return base::Error{results->failure};
  const auto cell = scene::explain_pinned(whole, *results);
  note = shortened(*results);
  for (const std::string& words : scene::found_missing(*results)) note += (note.empty() ? "" : "; ") + words;
  const scene::PageUses uses = scene::room_of(whole.page).uses(whole);
  std::shared_ptr<const scene::CostMeasurements> measured;
  std::shared_ptr<const scene::TrainingSnapshot> training;
  if (measure && uses.measures)
    measured = std::make_shared<scene::CostMeasurements>(measured_times(whole.cost.d, parallel));
  if (measure && uses.trains) {
    ProgressLine progress;
    auto trained = train_now(whole, parallel, 0, {}, [&](float part) {
      progress.done("training", static_cast<double>(part));
      return true;
    });
    if (!trained) return base::Error{trained.error()};
    training = std::make_shared<scene::TrainingSnapshot>(std::move(*trained));
  }
  // A cell is described only if it is pinned; else it is merely the strongest one.
  return describe_page({.scene = whole,
                        .results = *results,
                        .cell = whole.key >= 0 ? cell.get() : nullptr,
                        .hover = nullptr,
                        .theme = draw::theme(true),
                        .map_view = {},
                        .measured = measured,
                        .training = training},
                       keys);
}

}  // namespace headlight::app
