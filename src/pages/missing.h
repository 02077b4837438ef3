// What a scene asks for that does not exist or is not used: heads, layers, tokens, numbers that repair() has
// changed, texts that cannot be read. The command line, opened files and the check of lessons all ask here,
// so that each tells the same. Tested in tests/scene/pinned_test.cpp, tests/command/command_missing_test.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scene/results.h"
#include "scene/settings.h"

namespace headlight::scene {

/// How many tokens a scene uses, of how many its sentence has.
struct TokensThere {
  int used = 0, in_sentence = 0;
  /// "the sentence has 6 tokens, 0 to 5"; "the first 11 tokens of the sentence are used, 0 to 10"; `first`:
  /// the number of the first one.
  std::string words(int first = 0) const;
};
TokensThere tokens_there(const Results& results);
/// Those that the results of this scene will have.
TokensThere tokens_there(const Scene& scene);

/// One line for each setting: "bench_a 9: there are 4 heads, 1 to 4; 4 is in its place". `scene` is valid,
/// see repair(); `given` are the settings as they were given, each once. Of the page's own choices and the
/// pinned tokens, a default value chooses nothing unless it was given. `results`: those of the scene; null:
/// what is known only when the scene is computed is left out.
std::vector<std::string> what_is_missing(const Scene& scene, std::span<const Given> given = {},
                                         const Results* results = nullptr);
/// Those lines that only the results tell.
std::vector<std::string> found_missing(const Results& results, std::span<const Given> given = {});

/// Without the settings that the scene's model gives: nobody chose them beside that model.
std::vector<Given> without_given_by_model(std::vector<Given> given, const Scene& scene);

}  // namespace headlight::scene
