#include <string_view>

#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"

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

std::string_view first_table(const Scene& scene) {
  using Plot = TrainingPlot;
  const Plot plot = scene.training.plot;
  return plot == Plot::lengths ? "training_lengths" : plot == Plot::pruning ? "training_heads_removed" : "";
}

}  // namespace

const PageRoom training_room{
    .page = Page::training,
    .group = PageGroup::train,
    .title = "Training",
    .about = "watch heads while they are trained",
    .uses = uses,
    .chips = {"training_d", "training_heads", "training_layers"},
    .heading = heading,
    .tables = training_tables,
    .first_table = first_table,
    .quantities = training_quantities,
};

}  // namespace headlight::scene
