// The page in words.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/words.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "kit/verdict.h"
#include "pages/presets/presets.h"
#include "pages/presets/view/page.h"
#include "scene/mask_and_order.h"
#include "scene/pinned.h"

namespace headlight::views::plain {

std::string describe_presets(const PageInput& in, int) {
  if (!in.own<scene::PresetsResults>()) return {};
  const scene::PresetsResults& r = *in.own<scene::PresetsResults>();
  std::string out = base::counted(r.presets.size(), "example") + ": the source agrees with Headlight in " +
                    in.text("presets_agreeing") + ", contradicts itself, another source or the numbers in " +
                    in.text("presets_contradictions") + ", gives a formula without a printed number in " +
                    in.text("presets_formulas") + ", is not reproduced by a model trained here in " +
                    in.text("presets_differing") + "\n\n";
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < r.presets.size(); ++i) {
    const scene::Preset& p = r.presets[i];
    rows.push_back({std::to_string(i + 1), p.title,
                    p.verdict == scene::Verdict::agrees    ? "agrees"
                    : p.verdict == scene::Verdict::formula ? "formula"
                    : p.verdict == scene::Verdict::differs ? "differs"
                                                           : "contradiction: " + p.short_word});
  }
  out += table(rows);
  const auto open = static_cast<std::size_t>(in.scene.presets.shown - 1);
  if (open >= r.presets.size()) return out;
  const scene::Preset& p = r.presets[open];
  out += "\n" + std::to_string(open + 1) + ". " + p.title + " (" + p.source + ")\n";
  std::vector<std::vector<std::string>> lines{{"", "passage", "source", "Headlight", ""}};
  for (const scene::PresetLine& line : p.lines) {
    const bool printed = line.kind == scene::PresetKind::printed;
    lines.push_back({line.what, line.by, line.printed,
                     line.here.empty() ? "not computed on this page" : line.here,
                     line.here.empty() ? ""
                     : printed         ? line.agrees ? "agrees" : "differs"
                     : line.agrees     ? "same formula"
                                       : "differs"});
  }
  out += table(lines);
  if (!p.remark.empty()) out += "  " + p.remark + "\n";
  return out;
}

}  // namespace headlight::views::plain
