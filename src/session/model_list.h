// The models that can be chosen: random weights, included models with sentences worth trying, models that
// Training saved, those in the user's folders of models, and models that were opened before. Files are only
// listed here; of a model in such a folder its config.json is read. Tested in
// tests/app/model_picker_ui_test.cpp.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace headlight::app {

/// A sentence to try with an included model, and what it shows: the query attends most to the key.
struct ModelTry {
  const char* model;
  const char* sentence;
  int layer, head;  // both counted from 1
  int query, key;   // tokens, counted from 0
  const char* shows;
};
/// The tests check these against the models: each word must be in the model's vocabulary.
std::span<const ModelTry> model_tries();

struct ModelChoice {
  enum class What { set, open_file, ask_for_file, settings };
  What what = What::set;
  std::string title;
  std::string detail;  // what it is, one line
  std::string where;   // where it comes from: "included", "my run", "in your folder", "opened before"
  std::vector<std::string> set;  // assignments that choose it, in order
  std::filesystem::path path;    // of a file or folder
  bool sentence = false;         // true: a sentence to try with the model above it
  bool operator==(const ModelChoice&) const = default;
};

/// The assignments that choose an included model, in order: its name and, for a guided model, the guided
/// head, which is its purpose.
std::vector<std::string> included_model_settings(const char* name);

/// `runs`: the folder in which Training saves models; `recent`: models that were opened before, newest first.
/// Files that no longer exist are not listed.
std::vector<ModelChoice> model_choices(const scene::Scene& scene, const std::filesystem::path& runs,
                                       const std::vector<std::filesystem::path>& recent);

/// True if the scene uses this model and the sentence to try. Head, layer and query may have changed since.
bool in_use(const ModelChoice& choice, const scene::Scene& scene);

}  // namespace headlight::app
