#include "session/model_list.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/numbers.h"
#include "io/files.h"
#include "io/folder.h"
#include "models/opened_model.h"
#include "scene/model_folders.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_runs = 8, most_recent = 6;

constexpr std::pair<const char*, const char*> about[] = {
    {"small-english", "2 layers of 4 heads, trained on sentences of a small grammar"},
    {"pronouns-guided",
     "what does “it” stand for? One head was guided during training to attend to the answer"},
    {"pronouns-free", "the same task, with no head guided"},
    {"dictionary",
     "4 layers of 8 heads, trained on the definitions of WordNet: any text, in pieces of words"}};

constexpr ModelTry tries[] = {
    {"small-english", "the keys to the old cabinet are on the table .", 2, 3, 5, 1,
     "“cabinet” attends most to “keys”"},
    {"small-english", "the animal does not cross the street because it is too tired .", 2, 3, 8, 1,
     "“it” attends most to “animal”"},
    {"pronouns-guided", "the animal did not cross the street because it was too tired", 2, 1, 8, 1,
     "guided: “it” attends most to “animal”"},
    {"pronouns-guided", "the animal did not cross the street because it was too wide", 2, 1, 8, 6,
     "guided: “it” attends most to “street”"},
    {"pronouns-free", "the dog did not cross the road because it was too hungry", 2, 4, 8, 1,
     "“it” attends most to “dog”"},
    {"pronouns-free", "the horse did not cross the bridge because it was too icy", 2, 4, 8, 11,
     "“it” attends most to “icy”"},
    {"dictionary", "dog: a domestic animal that barks", 2, 4, 8, 2, "“animal” attends most to “:”"},
    {"dictionary", "the keys to the old cabinet are on the table", 4, 2, 10, 9,
     "“are” attends most to “et”, the end of “cabinet”"}};

bool there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

bool may_be_model(const fs::path& path) {
  std::error_code failed;
  return io::ending_of(path) == ".safetensors" || io::ending_of(path) == ".npy" ||
         io::ending_of(path) == ".npz" || fs::is_directory(path, failed) || models::may_be_model(path);
}

ModelChoice of_file(const fs::path& path, const char* where) {
  return {.what = ModelChoice::What::open_file,
          .title = models::model_name(path),
          .detail = path.parent_path().string(),
          .where = where,
          .path = path};
}

/// Runs that Training saved, newest first.
std::vector<fs::path> saved_runs(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  for (const std::string& name : io::names_in(folder)) {
    const fs::path path = folder / name;
    std::error_code unknown;
    const fs::file_time_type written = fs::last_write_time(path, unknown);
    if (!unknown && io::ending_of(path) == ".safetensors") found.emplace_back(written, path);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<fs::path> out;
  for (const auto& [written, path] : found) {
    if (out.size() < most_runs) out.push_back(path);
  }
  return out;
}

std::vector<std::string> assignments(const ModelTry& one) {
  return {std::string("model=") + one.model,
          std::string("sentence=") + one.sentence,
          "token_ids=",
          "page=attention",
          "weights_layer=" + std::to_string(one.layer),
          "head=" + std::to_string(one.head),
          "query=" + std::to_string(one.query),
          "key=-1"};
}

}  // namespace

std::span<const ModelTry> model_tries() {
  return tries;
}

std::vector<std::string> included_model_settings(const char* name) {
  std::vector<std::string> out{std::string("model=") + name};
  scene::Scene with;
  with.weights = scene::WeightsSource::trained, with.weights_file = name;
  if (const auto model = scene::model_of(with); model && *model && (*model)->guide.weight > 0) {
    out.push_back("weights_layer=" + std::to_string((*model)->guide.layer + 1));
    out.push_back("head=" + std::to_string((*model)->guide.head + 1));
  }
  return out;
}

std::vector<ModelChoice> model_choices(const scene::Scene& scene, const fs::path& runs,
                                       const std::vector<fs::path>& recent) {
  using What = ModelChoice::What;
  std::vector<ModelChoice> out;
  out.push_back({.what = What::ask_for_file,
                 .title = "open a folder or file…",
                 .detail = "a model from Headlight or from another program, or saved attention"});
  out.push_back(
      {.title = "random weights",
       .detail = "drawn from seed " + std::to_string(scene.seed) + "; d, heads and seed are sliders",
       .set = {"model=random"}});
  for (const char* name : scene::included_models()) {
    const auto words = std::find_if(std::begin(about), std::end(about),
                                    [&](const auto& row) { return std::string_view(row.first) == name; });
    out.push_back({.title = name,
                   .detail = words == std::end(about) ? "" : words->second,
                   .where = "included",
                   .set = included_model_settings(name)});
    for (const ModelTry& one : tries) {
      if (std::string_view(one.model) == name)
        out.push_back({.title = one.sentence, .where = one.shows, .set = assignments(one), .sentence = true});
    }
  }
  std::vector<fs::path> listed;
  for (const fs::path& path : saved_runs(runs)) {
    out.push_back(of_file(path, "my run"));
    listed.push_back(path);
  }
  for (const fs::path& path : scene::models_in_folders()) {
    const models::ModelSummary about_it = models::model_summary(path);
    ModelChoice choice = of_file(path, "in your folder");
    choice.detail = about_it.family + (about_it.family.empty() ? "" : ", ") +
                    base::megabyte_words(about_it.bytes, about_it.bytes < 1e7 ? 1 : 0);
    out.push_back(std::move(choice));
    listed.push_back(path);
  }
  std::size_t before = 0;
  for (const fs::path& path : recent) {
    const bool again = std::find(listed.begin(), listed.end(), path) != listed.end();
    if (again || before == most_recent || !there(path) || !may_be_model(path)) continue;
    out.push_back(of_file(path, "opened before"));
    ++before;
  }
  out.push_back({.what = What::settings,
                 .title = "settings of the model…",
                 .detail = "layer, width, heads, seed: the panel (Ctrl+B)"});
  return out;
}

bool in_use(const ModelChoice& choice, const scene::Scene& scene) {
  if (choice.what == ModelChoice::What::open_file)
    return scene.weights == scene::WeightsSource::file && scene.weights_file == choice.path.string();
  if (choice.set.empty()) return false;
  scene::Scene then = scene;
  for (const std::string& one : choice.set) {
    if (!scene::set_field(then, one)) return false;
  }
  // The first model is used if none is named.
  const auto file = [](const scene::Scene& s) {
    return s.weights == scene::WeightsSource::trained && s.weights_file.empty()
               ? std::string(scene::included_models()[0])
               : s.weights_file;
  };
  return then.weights == scene.weights &&
         (then.weights == scene::WeightsSource::random || file(then) == file(scene)) &&
         then.sentence == scene.sentence;
}

}  // namespace headlight::app
