#include "pages/presets/presets.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/numbers.h"
#include "pages/presets/list.h"
#include "scene/results.h"

namespace headlight::scene {

std::string numbers_text(const NumberList& numbers, int decimals) {
  std::string out;
  for (const double n : numbers) out += (out.empty() ? "" : "  ") + base::fixed(n, decimals);
  return out;
}

PresetLine compare(std::string what, std::string by, const NumberList& printed, const NumberList& here,
                   int decimals) {
  HEADLIGHT_CHECK_OP(printed.size(), ==, here.size());
  PresetLine line;
  line.what = std::move(what), line.by = std::move(by);
  line.printed = numbers_text(printed, decimals);
  double largest = 1;
  for (std::size_t n = 0; n < printed.size(); ++n) {
    line.gap = std::max(line.gap, std::abs(printed[n] - here[n]));
    largest = std::max(largest, std::abs(printed[n]));
  }
  line.agrees = line.gap <= (decimals == 0 ? 0 : 0.5 * std::pow(10.0, -decimals)) + 1e-6 * largest;
  line.here = numbers_text(here, line.agrees ? decimals : decimals + 1);
  return line;
}

PresetLine compare_words(std::string what, std::string by, std::string printed, std::string here) {
  PresetLine line;
  line.agrees = printed == here;
  line.what = std::move(what), line.by = std::move(by);
  line.printed = std::move(printed), line.here = std::move(here);
  return line;
}

PresetLine follows(std::string what, std::string by, const NumberList& given, const NumberList& here,
                   int decimals) {
  PresetLine line = compare(std::move(what), std::move(by), given, here, decimals);
  line.kind = PresetKind::formula;
  return line;
}

PresetLine against(std::string what, std::string by, std::string stated, std::string here) {
  PresetLine line;
  line.what = std::move(what), line.by = std::move(by);
  line.printed = std::move(stated), line.here = std::move(here);
  line.agrees = false, line.gap = -1;
  return line;
}

NumberList row_of(const nn::Matrix& m, int row) {
  const auto values = m.row(row);
  return {values.begin(), values.end()};
}

namespace {

PresetsResults all_presets(base::Parallel& parallel) {
  PresetsResults out;
  for (auto* list :
       {attention_presets, position_presets, cost_presets, stated_presets, layer_presets, exercise_presets}) {
    std::vector<Preset> some = list(parallel);
    std::move(some.begin(), some.end(), std::back_inserter(out.presets));
  }
  for (Preset& preset : out.presets) {
    bool all = true, any_printed = false;
    for (const PresetLine& line : preset.lines) {
      all = all && line.agrees;
      any_printed = any_printed || line.kind == PresetKind::printed;
      if (line.agrees) preset.gap = std::max(preset.gap, line.gap);
    }
    if (!any_printed) preset.verdict = Verdict::formula;
    // The preset itself claims a contradiction; a difference without one comes from another model.
    if (!all && preset.short_word.empty()) preset.verdict = Verdict::differs;
    if (!preset.short_word.empty()) preset.verdict = Verdict::contradiction;
    out.agreeing += preset.verdict == Verdict::agrees;
    out.formulas += preset.verdict == Verdict::formula;
    out.differing += preset.verdict == Verdict::differs;
    out.contradictions += preset.verdict == Verdict::contradiction;
  }
  HEADLIGHT_CHECK_OP(static_cast<int>(out.presets.size()), ==, number_of_presets);
  return out;
}

}  // namespace

std::shared_ptr<const PresetsResults> compute_presets(const Scene&, const Results&,
                                                      base::Parallel& parallel) {
  static const auto kept = std::make_shared<const PresetsResults>(all_presets(parallel));
  return kept;
}

}  // namespace headlight::scene
