// The entries of the palette, as data: every page, every setting with each of its words, every action, preset
// and everything else with a name; and the entry that a typed query means. Tested in
// tests/app/palette_test.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/actions.h"
#include "scene/results.h"
#include "scene/scene.h"
#include "session/model_list.h"

namespace headlight::app {

struct PaletteEntry {
  std::string title;
  std::string detail;  // text after the title
  std::string right;   // its kind, or its keys
  std::string words;   // more words that find it
  // Choosing the entry does one of these:
  std::optional<Action> action{};
  std::string set{};             // assignments "name=value;name=value"
  std::string fill{};            // the new query: a number or a text must be typed
  std::string other{};           // the name of something that the caller added (a lesson)
  std::filesystem::path open{};  // a model in a file or folder
  bool problem = false;          // it cannot be chosen; `detail` or `title` says why
  // A token of the sentence: found only by its own text or the word that it is a piece of, and by its place.
  std::string token{}, word{};
  std::string place{};
};

/// All entries for this scene. Settings that take a number or a text fill the query with their name.
std::vector<PaletteEntry> palette_entries(const scene::Scene& scene);

/// The models that can be chosen, without the sentences to try.
std::vector<PaletteEntry> model_entries(const std::vector<ModelChoice>& choices, const scene::Scene& scene);

/// Every token of the sentence, as a query and as a key, each with its position: choosing it selects it on
/// the open page, or on Attention where the page selects none. Says nothing of weights.
std::vector<PaletteEntry> token_entries(const scene::Scene& scene, const scene::Results& results);

/// A query that is an assignment: "heads 8", "heads = 8", "temperature 0.5", "sentence she said so". Reports
/// a value that does not fit. Nothing when the query does not begin with the name of a setting.
std::optional<PaletteEntry> typed_setting(const scene::Scene& scene, std::string_view query);

/// How well `query` matches the entry; 0 = not at all. Every word of the query must be in the title or in the
/// words, best at the start of one; upper and lower case are equal.
int score(std::string_view query, const PaletteEntry& entry);

/// The entries that match, best first; all of them for an empty query.
std::vector<const PaletteEntry*> found(std::string_view query, const std::vector<PaletteEntry>& entries);

/// The page that shows a setting; the scene's own page if it shows the setting, or if every page does.
scene::Page page_of(const scene::Field& field, const scene::Scene& scene);

}  // namespace headlight::app
