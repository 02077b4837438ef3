// The Presets page: printed examples of the sources beside the computed numbers. Its settings are in
// settings.h. Tested in tests/scene/presets_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "pages/presets/settings.h"
#include "scene/page_results.h"

namespace headlight::scene {

struct Scene;
struct Results;

/// What our number is compared with.
enum class PresetKind {
  printed,  // the source has this number or these words: ours can be compared with it
  formula,  // the source has only a formula or code, and this is its result: no second opinion
};

/// A line of a source and our result beside it.
struct PresetLine {
  PresetKind kind = PresetKind::printed;
  std::string what;     // "weights, row 0"
  std::string by;       // who says so: "printed", "its prose", "by its formula"
  std::string printed;  // as printed, or what the formula gives
  std::string here;     // computed by the program; empty: not computed here
  double gap = 0;       // largest |printed − computed|
  bool agrees = true;   // within half a unit of the last printed decimal, or equal words
};

enum class Verdict {
  agrees,         // every printed line agrees, numbers or words, and there is one
  formula,        // the source prints no result
  differs,        // ours differs, which proves nothing: the source's own model is not available
  contradiction,  // what the source says contradicts what it prints elsewhere, or its numbers
};

struct Preset {
  std::string title, source;  // "Worked example", "Self-Attention chapter, 39.2.1"
  std::string set;            // settings that open it as a scene
  std::vector<PresetLine> lines;
  std::string remark;      // an error in the source, or what to look at
  std::string short_word;  // a contradiction in one line
  Verdict verdict = Verdict::agrees;
  double gap = 0;  // largest over the lines that agree
};

struct PresetsResults : PageResults {
  std::vector<Preset> presets;
  int agreeing = 0, formulas = 0, contradictions = 0, differing = 0;
};

/// For the scene's page `presets` only. The examples do not depend on the scene: they are computed once and
/// kept.
std::shared_ptr<const PresetsResults> compute_presets(const Scene& scene, const Results& results,
                                                      base::Parallel& parallel);

}  // namespace headlight::scene
