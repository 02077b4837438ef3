#include <string>
#include <string_view>

#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "pages/worked/worked.h"

namespace headlight::scene {

std::vector<Table> worked_tables();
std::span<const QuantityInfo> worked_quantities();

namespace {

PageUses uses(const Scene&) {
  return {.sentence = false};
}

void compute(const Scene& scene, base::Parallel& parallel, const Progress&, Results& results) {
  results.own = compute_worked(scene, results, parallel);
}

std::string problem(const Field& field, const Results& results) {
  const auto* r = results.own_as<WorkedResults>();
  return r && std::string_view(field.name) == r->problem_field ? r->problem : std::string();
}

bool names_cell(const Scene& scene, std::string_view quantity) {
  switch (scene.worked.stage) {
    case WorkedStage::q:
      return quantity == "worked_q";
    case WorkedStage::k:
      return quantity == "worked_k";
    case WorkedStage::v:
      return quantity == "worked_v";
    case WorkedStage::products:
      return quantity == "worked_product";
    case WorkedStage::scores:
      return quantity == "worked_score";
    case WorkedStage::weights:
      return quantity == "worked_weight";
    case WorkedStage::output:
      return quantity == "worked_output";
  }
  return false;
}
std::optional<FramedCell> framed_cell(const Scene& scene, const Results& results) {
  const auto* own = results.own_as<WorkedResults>();
  const auto [row, col] =
      own ? chosen_element(scene.worked, *own) : std::pair(scene.worked.row, scene.worked.col);
  return FramedCell{-1, row, col};
}

std::vector<ChosenOf> chooses(const Scene& scene, const Results* results) {
  const auto* own = results ? results->own_as<WorkedResults>() : nullptr;
  if (!own) return {};
  const nn::Matrix& m = matrix_of(*own, scene.worked.stage);
  return {{"worked_row", 0, m.rows(), "row"}, {"worked_col", 0, m.cols(), "column"}};
}
constexpr const char* cell_cards[] = {"card flow", "card number"};
constexpr PageFrame frame{.names = names_cell, .cell = framed_cell, .cards = cell_cards};

}  // namespace

const PageRoom worked_room{
    .page = Page::worked,
    .group = PageGroup::learn,
    .title = "Worked example",
    .about = "attention small enough to trace every number",
    .uses = uses,
    .chips = {"worked_divide", "worked_causal", "worked_temperature"},
    .problem = problem,
    .compute = compute,
    .keep_last_good = keep_last_good,
    .tables = worked_tables,
    .quantities = worked_quantities,
    .moving_step = "worked_step",
    .chooses = chooses,
    .frame = &frame,
};

}  // namespace headlight::scene
