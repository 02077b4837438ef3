// What the palette offers, as data: every page, every setting with each of its words, every action, preset
// and whatever else has a name. And which of it is meant by what is typed. Tested in
// tests/app/palette_test.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/actions.h"
#include "scene/scene.h"
#include "session/model_list.h"

namespace headlight::app {

struct PaletteEntry {
  std::string title;
  std::string detail;  // what stands behind the title
  std::string right;   // its kind, or its keys
  std::string words;   // more words by which it is found
  // Choosing it does one of these:
  std::optional<Action> action{};
  std::string set{};             // assignments "name=value;name=value"
  std::string fill{};            // the query becomes this: a number or a text is to be typed
  std::string other{};           // the name of something that the caller brought along (a lesson)
  std::filesystem::path open{};  // a model in a file or folder
  bool problem = false;          // it cannot be chosen; `detail` or `title` says why
};

/// All of it for this scene. Settings that take a number or a text fill the query with their name.
std::vector<PaletteEntry> palette_entries(const scene::Scene& scene);

/// The models that can be chosen, without the sentences to try.
std::vector<PaletteEntry> model_entries(const std::vector<ModelChoice>& choices, const scene::Scene& scene);

/// What is typed as an assignment: "heads 8", "heads = 8", "temperature 0.5", "sentence she said so". Says
/// what is wrong with a value that does not fit. Nothing when no setting's name begins it.
std::optional<PaletteEntry> typed_setting(const scene::Scene& scene, std::string_view query);

/// How well `query` finds the entry; 0 = not at all. Every word of the query is in the title or in the words,
/// best at the start of one; upper and lower case are the same.
int score(std::string_view query, const PaletteEntry& entry);

/// The entries that are found, best first; all of them for an empty query.
std::vector<const PaletteEntry*> found(std::string_view query, const std::vector<PaletteEntry>& entries);

/// The page on which a setting is to be seen; the scene's own page where it is seen there, or anywhere.
scene::Page page_of(const scene::Field& field, const scene::Scene& scene);

}  // namespace headlight::app
