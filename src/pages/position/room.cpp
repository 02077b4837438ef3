#include <algorithm>
#include <string_view>

#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/own_positions.h"
#include "scene/trained_model.h"

namespace headlight::scene {

std::vector<Table> position_tables();
std::span<const QuantityInfo> position_quantities();

namespace {

PageUses uses(const Scene&) {
  return {.plays = true, .model_positions = true};
}

const char* heading(const Field& field, const Scene& scene) {
  const std::string_view name = field.name;
  if (const auto other = shown_other_model(scene)) {  // width and frequencies are the model's
    if (name == "d_model" || name == "position_base") return "";
    const OwnPositions own = own_positions(*other);
    // A table has no frequencies and so no clocks; a short table shows all of its rows.
    if (own.source == PositionSource::table) {
      if (name == "position_pair" || name == "clock_speed" || name == "play_speed") return "";
      if (name == "positions" && own.rows <= scene.positions.count) return "";
    }
  }
  const bool shared = name == "d_model" || name == "position_base" || name == "position_offset";
  return shared ? "encoding" : nullptr;
}

constexpr ArgumentInfo arguments[] = {{.name = "a", .noun = "row"}, {.name = "b", .noun = "row"}};

std::optional<Range> useful(const Field& field, const Scene& scene, const Results&) {
  const std::string_view name = field.name;
  const double last = scene.positions.count - 1;
  if (name == "position_index")
    return Range{static_cast<double>(scene.position_offset), scene.position_offset + last};
  if (name == "position_delta") return Range{-std::max(1.0, last), std::max(1.0, last)};
  if (name == "position_pair") return Range{field.min, std::max(1.0, position_columns(scene) / 2 - 1.0)};
  return {};
}

constexpr ArgumentDefault defaults[] = {{"a", "0"}, {"b", "1"}, {"col", "0"}};

}  // namespace

const PageRoom position_room{
    .page = Page::position,
    .group = PageGroup::explore,
    .title = "Positions",
    .about = "how positions become vectors: columns, clocks, rotations",
    .uses = uses,
    .chips = {"position_base", "d_model", "positions"},
    .heading = heading,
    .useful = useful,
    .tables = position_tables,
    .quantities = position_quantities,
    .arguments = arguments,
    .defaults = defaults,
    .computed_for_all = true,
};

}  // namespace headlight::scene
