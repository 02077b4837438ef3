#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "pages/training/training.h"
#include "scene/named_number.h"

namespace headlight::scene {

std::vector<Table> training_tables();
std::span<const QuantityInfo> training_quantities();

namespace {

PageUses uses(const Scene& scene) {
  return {.sentence = scene.training.example < 0, .trains = true};
}

const char* heading(const Field& field, const Scene& scene) {
  const std::string_view name = field.name;
  if (!name.starts_with("training_")) return nullptr;
  // The page itself has the choice of the task.
  if (name == "training_task" || !training_applies(scene.training, name)) return "";
  return name == "training_activation" && !scene.training.feed_forward ? "" : nullptr;
}

std::vector<ChosenOf> chooses(const Scene& scene, const Results*) {
  const TrainingSettings& s = scene.training;
  const int runs = training_runs(s), run = std::clamp(s.run, 1, runs);
  const bool relations = s.task == TrainingTask::two_relations;
  const bool one_head = s.compare == TrainingCompare::one_head && run == 2;
  std::vector<ChosenOf> out = {{"training_run", 1, runs, "run"},
                               {"training_layer", 1, relations ? 1 : s.layers, "layer"},
                               {"training_head", 1,
                                relations  ? 2 - run % 2
                                : one_head ? 1
                                           : s.heads,
                                "head"},
                               {"training_shown_step", 0, s.steps + 1, "step"}};
  if (relations) out.push_back({"training_example", 0, 1000, "example"});  // its tokens are no words
  return out;
}

/// The steps of a run: the slider of the step goes from the latest to the run's end.
std::optional<Range> useful(const Field& field, const Scene& scene, const Results&) {
  if (std::string_view(field.name) != "training_shown_step") return {};
  return Range{field.min, static_cast<double>(scene.training.steps)};
}

/// The step shown is the newest, −1, or one of those that are kept of the run shown.
std::vector<int> possible(const Field& field, const QuantitySource& from) {
  if (std::string_view(field.name) != "training_shown_step") return {};
  if (!from.training || from.training->runs.empty()) return {};
  const int last = static_cast<int>(from.training->runs.size()) - 1;
  const int run = std::clamp(from.scene.training.run - 1, 0, last);
  std::vector<int> out = {-1};
  for (const FilmFrame& frame : from.training->runs[static_cast<std::size_t>(run)].film)
    out.push_back(frame.step);
  return out.size() > 1 ? out : std::vector<int>();
}

/// A run is not compared with an identical one.
bool offers(const Field& field, int word, const Scene& scene) {
  if (std::string_view(field.name) != "training_compare") return true;
  TrainingSettings possible = scene.training;
  possible.compare = static_cast<TrainingCompare>(word);
  repair(possible);
  return possible.compare == static_cast<TrainingCompare>(word);
}

void train_on(Scene& scene, const std::string& path) {
  scene.training.file = path;
  if (scene.training.task == TrainingTask::text) return;
  scene.training.task = TrainingTask::text;
  suggest(scene.training);
}

std::string_view first_table(const Scene& scene) {
  using Plot = TrainingPlot;
  const Plot plot = scene.training.plot;
  return plot == Plot::lengths ? "training_lengths" : plot == Plot::pruning ? "training_heads_removed" : "";
}

/// Every set of repairs of two relations, as its run is called.
constexpr const char* repairs[] = {"none",
                                   "places",
                                   "bias",
                                   "contents",
                                   "width",
                                   "places+bias",
                                   "places+contents",
                                   "places+width",
                                   "bias+contents",
                                   "bias+width",
                                   "contents+width",
                                   "places+bias+contents",
                                   "places+bias+width",
                                   "places+contents+width",
                                   "bias+contents+width",
                                   "all"};
constexpr ArgumentInfo arguments[] = {{.name = "of", .words = repairs},
                                      {.name = "removed", .noun = "number of removed heads"}};

/// Left and right walk the kept steps of the run on show, up and down its heads.
Scene walk_film(const Scene& scene, const QuantitySource& from, bool across, int by) {
  Scene next = scene;
  if (!from.training || from.training->runs.empty()) return next;
  const TrainingSnapshot& shown = *from.training;
  const int runs = static_cast<int>(shown.runs.size());
  const RunSnapshot& run = shown.runs[static_cast<std::size_t>(std::clamp(scene.training.run, 1, runs) - 1)];
  const int frames = static_cast<int>(run.film.size());
  if (across) {
    if (frames == 0) return next;
    const int at = shown_frame(run.film, scene.training.shown_step);
    const int to = std::clamp(at + by, 0, frames - 1);
    next.training.shown_step = to + 1 == frames ? -1 : run.film[static_cast<std::size_t>(to)].step;
    return next;
  }
  const int layers = std::max(1, run.config.layers), heads = std::max(1, run.config.heads);
  const int layer = std::clamp(scene.training.layer, 1, layers),
            head = std::clamp(scene.training.head, 1, heads);
  const int to = std::clamp((layer - 1) * heads + head - 1 + by, 0, layers * heads - 1);
  next.training.layer = to / heads + 1, next.training.head = to % heads + 1;
  return next;
}

constexpr SlideKeys film_keys{.card = "film", .words = "← → step · ↑ ↓ head", .walk = walk_film};

constexpr ArgumentDefault defaults[] = {{"run", "1"}};

}  // namespace

const PageRoom training_room{
    .page = Page::training,
    .group = PageGroup::train,
    .title = "Training",
    .about = "watch heads while they are trained",
    .uses = uses,
    .chips = {"training_d", "training_heads", "training_layers"},
    .heading = heading,
    .useful = useful,
    .offers = offers,
    .possible = possible,
    .tables = training_tables,
    .first_table = first_table,
    .quantities = training_quantities,
    .arguments = arguments,
    .defaults = defaults,
    .chooses = chooses,
    .train_on = train_on,
    .slide_keys = &film_keys,
};

}  // namespace headlight::scene
