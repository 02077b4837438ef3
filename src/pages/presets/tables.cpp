// The tables of the page: the numbers behind its cards.
#include <algorithm>
#include <limits>

#include "pages/presets/presets.h"
#include "pages/table_parts.h"

namespace headlight::scene {

namespace {

MaybeNumbers presets(const TableSource& s) {
  const auto* r = s.own<PresetsResults>();
  if (!r) return std::nullopt;
  Columns out{
      {"printed lines", "printed lines that agree", "formula lines", "largest difference", "contradiction"},
      {}};
  Names names;
  for (const Preset& preset : r->presets) {
    const auto lines = [&](auto&& wanted) {
      return std::count_if(preset.lines.begin(), preset.lines.end(), wanted);
    };
    out.row(lines([](const PresetLine& l) { return l.kind == PresetKind::printed; }),
            lines([](const PresetLine& l) { return l.kind == PresetKind::printed && l.agrees; }),
            lines([](const PresetLine& l) { return l.kind == PresetKind::formula; }), preset.gap,
            preset.verdict == Verdict::contradiction);
    names.push_back(preset.title);
  }
  return out.take("preset", names);
}

MaybeNumbers preset(const TableSource& s) {
  const auto* r = s.own<PresetsResults>();
  if (!r || r->presets.empty()) return std::nullopt;
  const auto& all = r->presets;
  const Preset& shown = all[std::min(count(std::max(1, s.scene.presets.shown)) - 1, all.size() - 1)];
  Columns out{{"printed", "gap", "agrees"}, {}};  // lines of formulas are not printed, and agree with nothing
  Names names;
  for (const PresetLine& line : shown.lines) {
    const bool printed = line.kind == PresetKind::printed;
    out.row(printed, line.gap < 0 ? std::numeric_limits<double>::quiet_NaN() : line.gap,
            printed ? line.agrees : std::numeric_limits<double>::quiet_NaN());
    names.push_back(line.what);
  }
  return out.take("line", names);
}

}  // namespace

std::vector<Table> presets_tables() {
  constexpr Page page = Page::presets;
  return {
      {"presets", page, "list contradictions",
       "per example: lines that are printed, lines that agree, lines that follow from a formula", presets},
      {"preset", page, "preset", "lines of the example shown", preset},
  };
}

}  // namespace headlight::scene
