// Readers of what Headlight itself writes: scenes, figures, lessons, runs, models, and the words of a person.
#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "fuzz/inputs.h"
#include "fuzz/targets.h"
#include "io/gif.h"
#include "io/npz.h"
#include "io/png.h"
#include "io/safetensors.h"
#include "learn/training_run.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "scene/figure_scene.h"
#include "scene/portable.h"
#include "scene/scene_line.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "scene/undo.h"
#include "support/model_files.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "tasks/task.h"
#include "teach/lesson.h"

namespace headlight::fuzz {

namespace {

namespace fs = std::filesystem;
using tests::ReferenceData;

std::string scene_holds(const base::Result<scene::Scene>& read) {
  if (!read) return unfit_error(read.error());
  scene::Scene scene = *read;
  scene.weights_file.clear(), scene.training.file.clear();  // lines name files without their folders
  if (scene.weights == scene::WeightsSource::file) scene.weights = scene::WeightsSource::random;
  scene::repair(scene);
  if (const base::Status status = scene::check(scene); !status) return "repaired, and yet: " + status.error();
  const auto again = scene::from_json(scene::to_json(scene), "again");
  if (!again) return "as JSON: " + again.error();
  if (!(*again == scene)) return "as JSON it is another: " + scene::difference(*again, scene);
  const auto line = scene::from_line(scene::to_line(scene));
  if (!line) return "as a line: " + line.error();
  if (!(*line == scene)) return "as a line it is another: " + scene::difference(*line, scene);
  return "";
}
std::string read_scene(Bytes bytes, const fs::path&) {
  return scene_holds(scene::from_json(bytes, "scene.json"));
}
std::string read_line(Bytes bytes, const fs::path&) {
  return scene_holds(scene::from_line(bytes));
}
std::string read_figure(Bytes bytes, const fs::path&) {
  return scene_holds(scene::scene_in_bytes(bytes, "figure"));
}
/// Whatever it says, nothing is written outside of the folder of models, nor more than it may hold.
std::string read_portable(Bytes bytes, const fs::path& folder) {
  const fs::path models = folder / "models";
  std::error_code ignored;
  fs::remove_all(models, ignored);
  write(folder / "scene.zip", bytes);
  const auto opened = scene::open_portable(folder / "scene.zip", models);
  std::uintmax_t written = 0;
  for (fs::recursive_directory_iterator it(models, ignored), end; !ignored && it != end;
       it.increment(ignored))
    if (it->is_regular_file()) written += it->file_size();
  if (written > bytes.size()) return "it wrote more than it holds";
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path() != models && entry.path() != folder / "scene.zip" && entry.path().extension() == ".zip")
      return "it wrote outside of the folder of models";
  return scene_holds(opened);
}
std::string read_setting(Bytes bytes, const fs::path&) {
  scene::Scene scene;
  const base::Status status = scene::set_field(scene, bytes);
  if (!status) return unfit_error(status.error());
  scene.weights_file.clear(), scene.training.file.clear();  // lines name files without their folders
  if (scene.weights == scene::WeightsSource::file) scene.weights = scene::WeightsSource::random;
  scene::repair(scene);
  if (const base::Status fits = scene::check(scene); !fits) return "repaired, and yet: " + fits.error();
  return "";
}
std::string read_claim(Bytes bytes, const fs::path&) {
  const auto quantity = scene::parse_quantity(bytes);
  if (!quantity) {
    if (std::string unfit = unfit_error(quantity.error()); !unfit.empty()) return unfit;
  } else if (const auto again = scene::parse_quantity(quantity->text());
             !again || again->text() != quantity->text()) {
    return "written and read again it is another: " + quantity->text();
  }
  const auto claim = scene::parse_claim(bytes);
  return claim ? "" : unfit_error(claim.error());
}

std::vector<std::string> some_scenes() {
  std::vector<std::string> out{scene::to_json(scene::Scene{})};
  scene::Scene scene;
  scene.sentence = "e\xcc\x81t\xc3\xa9 \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80 a b";
  for (const char* set : {"heads=8", "mask=causal+window", "head=1,2", "query=0,2", "worked_x=1,0;0,1",
                          "position=sinusoidal", "page=variants", "temperature=0.25", "token_ids=5,17,9"}) {
    (void)scene::set_field(scene, set);
    out.push_back(scene::to_json(scene));
  }
  return out;
}
std::vector<std::string> some_lines() {
  std::vector<std::string> out;
  for (const std::string& text : some_scenes())
    if (const auto scene = scene::from_json(text, "seed"))
      out.push_back("see " + scene::to_line(*scene) + " here");
  return out;
}
std::vector<std::string> some_figures() {
  std::vector<std::string> out;
  for (const std::string& json : some_scenes()) {
    out.push_back("<svg><metadata id=\"headlight-scene\">" + json + "</metadata></svg>");
    out.push_back("%PDF-1.7\n(headlight-scene " + json + ")");
    out.push_back(
        *io::encode_png(io::Image{1, 1, 4, std::vector<std::uint8_t>(4, 9)}, {{"headlight", json}}));
    const std::vector<io::RunImage> frames(1, io::RunImage(io::Image{1, 1, 4, {1, 2, 3, 255}}));
    out.push_back(*io::encode_gif(frames, 0.1, "headlight-scene " + json));
    out.push_back(*io::encode_npz({}, json));
    if (out.size() > 20) break;
  }
  return out;
}
std::vector<std::string> some_settings() {
  return {"heads=8",        "mask=causal+window",   "worked_x=1,0;0,1", "sentence=a b",
          "head=1,2",       "page=variants",        "temperature=0.5",  "query=3",
          "token_ids=5,17", "softmax_scores=1,2,3", "scale=false"};
}
std::vector<std::string> some_claims() {
  return {"entropy head=2",
          "weight query=1 key=0 head=1 > 0.401",
          "tokens = 6",
          "entropy head=1 < entropy head=2",
          "row_sum query=2 = 40 %",
          "largest_weight = 61,343"};
}

std::string read_lesson(Bytes bytes, const fs::path&) {
  const auto lesson = scene::lesson_from_json(bytes, "lesson.json");
  if (!lesson) return unfit_error(lesson.error());
  const auto again = scene::lesson_from_json(scene::to_json(*lesson), "again");
  if (!again) return "written and read again: " + again.error();
  if (scene::to_json(*again) != scene::to_json(*lesson)) return "written and read again it is another";
  if (scene::lesson_scenes(*lesson, scene::Scene{}).size() != lesson->steps.size())
    return "a step has no scene";
  return "";
}
std::vector<std::string> some_lessons() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(HEADLIGHT_SOURCE_DIR "/assets/lessons"))
    if (entry.path().extension() == ".json") out.push_back(file_text(entry.path()));
  std::sort(out.begin(), out.end());
  return out;
}

std::string read_own_model(Bytes bytes, const fs::path&) {
  const auto file = io::read_safetensors(bytes, "model.safetensors");
  if (!file) return unfit_error(file.error());
  const auto model = scene::read_model(*file, "model.safetensors");
  if (!model) return unfit_error(model.error());
  const std::string written = tests::bytes_of(*model);
  const auto file_again = io::read_safetensors(written, "again.safetensors");
  if (!file_again) return "what was written is refused: " + file_again.error();
  const auto again = scene::read_model(*file_again, "again.safetensors");
  if (!again) return "what was written is refused: " + again.error();
  return tests::bytes_of(*again) == written ? "" : "what was written is read as another model";
}
std::string read_run(Bytes bytes, const fs::path& folder) {
  write(folder / "run.safetensors", bytes);
  scene::TrainingSettings settings;
  const auto run = scene::continue_training((folder / "run.safetensors").string(), settings, cores());
  if (!run) return unfit_error(run.error());
  scene::TrainingSnapshot snapshot;
  (*run)->fill(snapshot);
  (*run)->look({0, 0, 5, "a b"}, cores());
  (*run)->rewind(3, cores());
  (*run)->fill(snapshot);
  const auto file = (*run)->file(0, true);
  if (!file) return unfit_error(file.error());
  // A run of two relations measures all its repairs whenever it is opened: once is enough for a sanitizer.
  if (file->find("two_relations") != std::string::npos) return "";
  write(folder / "again.safetensors", *file);
  const auto again = scene::continue_training((folder / "again.safetensors").string(), settings, cores());
  if (!again) return "what was written is refused: " + again.error();
  const auto file_again = (*again)->file(0, true);
  return file_again && *file_again == *file ? "" : "what was written is read as another run";
}
/// The smallest run of each kind, after a few steps.
std::vector<std::string> some_runs() {
  std::vector<std::string> out;
  for (const char* task : {"reverse", "induction", "two_relations"}) {
    scene::Scene scene;
    for (const std::string& set : {"training_task=" + std::string(task), std::string("training_d=8"),
                                   std::string("training_layers=1"), std::string("training_heads=1")})
      (void)scene::set_field(scene, set);
    scene::repair(scene);
    const auto run = scene::start_training(scene.training, cores());
    if (!run) continue;
    (*run)->advance(cores());
    if (const auto file = (*run)->file(0, true)) out.push_back(*file);
  }
  return out;
}
std::vector<std::string> some_own_models() {
  return some_runs();
}

std::string read_training_text(Bytes bytes, const fs::path&) {
  nn::TextTaskOptions options;
  options.length = 8;
  options.vocabulary = 300;
  const auto task = nn::text_task(bytes, options);
  return task ? "" : unfit_error(task.error());
}
std::vector<std::string> some_training_texts() {
  std::string long_text;
  for (int i = 0; i < 60; ++i) long_text += "the cat sat on the mat and the dog ran. ";
  return {long_text,
          "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q r s t"};
}

/// A small run, a small folder of another program, and a scene alone.
std::vector<std::string> some_portables() {
  static const tests::ScratchFolder folder;
  std::vector<std::string> out;
  const auto add = [&](const fs::path& model) {
    scene::Scene scene;
    scene.page = scene::Page::block, scene.token_ids = {1, 2, 3};
    if (!model.empty()) scene.weights = scene::WeightsSource::file, scene.weights_file = model.string();
    if (const auto bytes = scene::portable_bytes(scene)) out.push_back(*bytes);
  };
  add({});
  write(folder.path() / "run.safetensors", some_runs().front());
  add(folder.path() / "run.safetensors");
  if (!model_folders().empty()) add(model_folders().front().folder);
  return out;
}

constexpr Target own_table[] = {
    {"scene", "a scene's JSON", Form::json, 20'000, read_scene, some_scenes},
    {"line", "a scene as one line", Form::text, 20'000, read_line, some_lines},
    {"figure", "PNG, SVG, PDF, GIF and NPZ with a scene inside", Form::bytes, 20'000, read_figure,
     some_figures},
    {"portable", "a scene with its model in it", Form::zip, 400'000, read_portable, some_portables},
    {"setting", "name=value", Form::text, 400, read_setting, some_settings},
    {"claim", "named numbers and claims of lessons", Form::text, 400, read_claim, some_claims},
    {"lesson", "a lesson's JSON", Form::json, 60'000, read_lesson, some_lessons},
    {"own_model", "Headlight's model", Form::safetensors, 200'000, read_own_model, some_own_models},
    {"run", "a training run", Form::safetensors, 200'000, read_run, some_runs},
    {"training_text", "a text to train on", Form::text, 4'000, read_training_text, some_training_texts},
};

}  // namespace

std::span<const Target> own_targets() {
  return own_table;
}

}  // namespace headlight::fuzz
