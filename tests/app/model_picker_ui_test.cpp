// The card of models: every included sentence is one that its model knows and shows what is said of it; each
// entry is one click or Enter away, and back; what cannot be opened changes nothing.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "app/model_picker.h"
#include "program.h"
#include "scene/recent.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "session/training_commands.h"
#include "ui/scene_chips.h"

namespace headlight::app {
namespace {

namespace fs = std::filesystem;
using scene::Scene;
using screen::Key;
using testing::HasSubstr;

std::string quoted(const std::string& token) {
  return "“" + token + "”";
}

TEST(ModelTries, EveryWordIsKnownAndTheQueryAttendsMostToTheKeyThatIsNamed) {
  for (const ModelTry& one : model_tries()) {
    SCOPED_TRACE(std::string(one.model) + ": " + one.sentence);
    Scene scene;
    for (const std::string& set : {std::string("model=") + one.model, std::string("sentence=") + one.sentence,
                                   "weights_layer=" + std::to_string(one.layer)})
      ASSERT_TRUE(scene::set_field(scene, set)) << set;
    scene::adopt_model(scene);
    Session session({.scene = scene, .autosave = {}});
    session.wait();
    const scene::Results& results = session.results();
    ASSERT_EQ(session.failure(), "");
    ASSERT_EQ(results.known.size(), results.tokens.size());
    for (std::size_t i = 0; i < results.known.size(); ++i)
      EXPECT_TRUE(results.known[i]) << results.tokens[i].text;
    const auto row = results.attention.weights.row(one.head - 1, one.query);
    EXPECT_EQ(std::max_element(row.begin(), row.end()) - row.begin(), one.key);
    EXPECT_GT(row[static_cast<std::size_t>(one.key)], 0.85f);
    const auto token = [&](int i) {  // a piece begins with the space before its word
      const std::string& text = results.tokens[static_cast<std::size_t>(i)].text;
      return text.starts_with(' ') ? text.substr(1) : text;
    };
    EXPECT_THAT(one.shows,
                HasSubstr(quoted(token(one.query)) + " attends most to " + quoted(token(one.key))));
    EXPECT_EQ(results.guided(one.layer - 1, one.head - 1),
              std::string_view(one.shows).starts_with("guided: "));
  }
}

TEST(ModelTries, EveryIncludedModelHasOneOrTwo) {
  for (const char* name : scene::included_models()) {
    const auto tries = model_tries();
    const auto count = std::count_if(
        tries.begin(), tries.end(), [&](const ModelTry& one) { return std::string_view(one.model) == name; });
    EXPECT_GE(count, 1) << name;
    EXPECT_LE(count, 2) << name;
  }
}

class ModelPickerUi : public tests::ProgramTest {
 protected:
  ModelPickerUi() {
    ::setenv("XDG_STATE_HOME", folder_.path().c_str(), 1);
    ::setenv("XDG_DATA_HOME", (folder_.path() / "data").c_str(), 1);
    ::setenv("HEADLIGHT_MODELS", (folder_.path() / "models").c_str(), 1);
    start({}, {.folder = folder_.path()});
  }
  void open() { done(pilot_.click("tabs/scene weights")); }
  bool listed(const std::string& title) const { return pilot_.on_screen("models/list/" + title); }
  void choose(const std::string& title) { done(pilot_.click("models/list/" + title)); }
  static fs::path model_file() {
    return fs::path(HEADLIGHT_SOURCE_DIR) / "assets/models/pronouns-free.safetensors";
  }
};

TEST_F(ModelPickerUi, TheChipOpensItAndEscapeClosesIt) {
  const Scene before = scene();
  open();
  for (const char* title :
       {"random weights", "small-english", "pronouns-guided", "pronouns-free", "dictionary"})
    EXPECT_TRUE(listed(title)) << title << ": " << pilot_.inventory();
  pilot_.key(Key::escape);
  EXPECT_FALSE(listed("random weights"));
  EXPECT_EQ(scene(), before);
}

TEST_F(ModelPickerUi, OneClickChoosesAModelAndOneClickReturns) {
  open();
  choose("small-english");
  EXPECT_EQ(scene().weights_file, "small-english");
  EXPECT_EQ(scene().weights, scene::WeightsSource::trained);
  EXPECT_EQ(scene().d_model, 64);
  EXPECT_FALSE(listed("small-english"));
  open();
  choose("random weights");
  EXPECT_EQ(scene().weights, scene::WeightsSource::random);
  pilot_.key(Key::z, screen::ctrl_only);
  EXPECT_EQ(scene().weights_file, "small-english");
}

TEST_F(ModelPickerUi, AGuidedModelComesWithTheHeadThatWasGuided) {
  open();
  choose("pronouns-guided");
  EXPECT_EQ(scene().weights_file, "pronouns-guided");
  ASSERT_EQ(scene().head.size(), 1u);
  EXPECT_TRUE(session_->results().guided(scene().head.front() - 1));
  open();
  choose("pronouns-free");  // every head of it was free: the one that is shown stays
  EXPECT_EQ(scene().head, scene::IndexList{1});
}

TEST_F(ModelPickerUi, ASentenceIsChosenWithItsModelAndItsHead) {
  for (const std::pair<int, int>& size : {std::pair<int, int>{1280, 720}, std::pair<int, int>{1600, 1000}}) {
    width_ = size.first, height_ = size.second;
    for (const ModelTry& one : model_tries()) {
      start({}, {.folder = folder_.path()});
      open();
      choose("      " + quoted(one.sentence));
      EXPECT_EQ(scene().sentence, one.sentence);
      EXPECT_EQ(scene().weights_file, one.model);
      EXPECT_EQ(scene().weights_layer, one.layer);
      const nn::CellTrace* cell = session_->cell();
      ASSERT_NE(cell, nullptr);
      EXPECT_EQ(cell->head, one.head - 1);
      EXPECT_EQ(cell->query, one.query);
      EXPECT_EQ(cell->key, one.key) << one.sentence;
    }
  }
}

TEST_F(ModelPickerUi, ItLiesWithinTheWindowAndIsReadOnce) {
  width_ = 1280, height_ = 720;
  start({}, {.folder = folder_.path()});
  open();
  for (const auto& [name, item] : recorder_.items) {
    if (!name.starts_with("models/list/") || !pilot_.on_screen(name)) continue;
    EXPECT_GE(item.from.x, 0) << name;
    EXPECT_LE(item.to.x, 1280) << name;
    EXPECT_LE(item.clip_to.y, 720) << name;
  }
  // A file that appears while it is open is not looked for.
  fs::create_directories(runs_folder());
  fs::copy_file(model_file(), runs_folder() / "late.safetensors");
  pilot_.frames(10);
  EXPECT_FALSE(listed("late.safetensors"));
  pilot_.key(Key::escape);
  open();
  EXPECT_TRUE(listed("late.safetensors"));
}

TEST_F(ModelPickerUi, TheKeyboardIsEnough) {
  open();
  pilot_.key(Key::down);
  pilot_.key(Key::enter);
  EXPECT_EQ(scene().weights_file, scene::included_models()[0]);
  pilot_.key(Key::k, screen::ctrl_only);
  pilot_.type("choose a model");
  pilot_.key(Key::enter);
  ASSERT_TRUE(listed("random weights"));
  pilot_.key(Key::up);  // from the one in use
  pilot_.key(Key::enter);
  EXPECT_EQ(scene().weights, scene::WeightsSource::random);
}

TEST_F(ModelPickerUi, MyRunsAndWhatWasOpenedBeforeAreListedWhileTheyAreThere) {
  fs::create_directories(runs_folder());
  fs::copy_file(model_file(), runs_folder() / "mine.safetensors");
  const fs::path other = folder_.path() / "other.safetensors", gone = folder_.path() / "gone.safetensors";
  fs::copy_file(model_file(), other);
  fs::copy_file(model_file(), gone);
  scene::Recent recent(scene::list_of_scenes(folder_.path()));
  for (const fs::path& path : {other, gone, folder_.path() / "a.json"}) ASSERT_TRUE(recent.remember(path));
  fs::remove(gone);
  start({}, {.folder = folder_.path()});
  open();
  pilot_.key(Key::end);
  for (int i = 0; i < 20; ++i) pilot_.key(Key::down);
  EXPECT_TRUE(listed("mine.safetensors")) << pilot_.inventory();
  EXPECT_TRUE(listed("other.safetensors"));
  EXPECT_FALSE(listed("gone.safetensors"));
  EXPECT_FALSE(listed("a.json"));
  choose("other.safetensors");
  session_->wait();
  EXPECT_EQ(scene().weights, scene::WeightsSource::file);
  EXPECT_EQ(scene().weights_file, other.string());
  open();
  choose("mine.safetensors");
  EXPECT_EQ(scene().weights_file, (runs_folder() / "mine.safetensors").string());
}

TEST_F(ModelPickerUi, ModelsInTheUsersFolderAreListedWithTheirFamilyAndSize) {
  const fs::path model = folder_.path() / "models/tiny";
  fs::create_directories(model);
  std::ofstream(model / "config.json") << R"({"model_type": "gpt2"})";
  std::ofstream(model / "model.safetensors") << std::string(2'500'000, '.');
  const auto choices = model_choices(scene(), runs_folder(), {model});
  const auto listed_as = [&](const fs::path& path) {
    std::vector<ModelChoice> found;
    for (const ModelChoice& one : choices)
      if (one.path == path) found.push_back(one);
    return found;
  };
  ASSERT_EQ(listed_as(model).size(), 1u) << "once, although it was opened before";
  EXPECT_EQ(listed_as(model).front().title, "tiny");
  EXPECT_EQ(listed_as(model).front().detail, "GPT-2, 2.5 MB");
  EXPECT_EQ(listed_as(model).front().where, "in your folder");
  open();
  for (int i = 0; i < 20; ++i) pilot_.key(Key::down);
  EXPECT_TRUE(listed("tiny")) << pilot_.inventory();
  // It is found in the palette, too.
  pilot_.key(Key::escape);
  pilot_.key(Key::k, screen::ctrl_only);
  pilot_.type("tiny");
  EXPECT_NE(pilot_.inventory().find("tiny"), std::string::npos);
}

TEST_F(ModelPickerUi, WhatIsNoModelIsSaidInOneLineAndNothingIsLost) {
  fs::create_directories(runs_folder());
  std::ofstream(runs_folder() / "broken.safetensors") << "no model";
  start({}, {.folder = folder_.path()});
  const Scene before = scene();
  const auto version = session_->results().version;
  open();
  for (int i = 0; i < 20; ++i) pilot_.key(Key::down);
  choose("broken.safetensors");
  EXPECT_EQ(scene(), before);
  EXPECT_EQ(session_->results().version, version);
  EXPECT_THAT(session_->message(), HasSubstr("broken.safetensors"));
  EXPECT_EQ(session_->message().find('\n'), std::string::npos);
  EXPECT_LT(session_->message().size(), 600u);
}

TEST_F(ModelPickerUi, TheFirstAndTheLastRowOpenTheFileCardAndThePanel) {
  width_ = 1280, height_ = 720;
  start({}, {.folder = folder_.path()});
  open();
  for (int i = 0; i < 20; ++i) pilot_.key(Key::down);
  choose("settings of the model…");
  EXPECT_TRUE(pilot_.on_screen("settings/Heads"));
  open();
  choose("open a folder or file…");
  EXPECT_FALSE(listed("random weights"));
  EXPECT_TRUE(pilot_.on_screen("files/path")) << pilot_.inventory();
}

/// A model's own positions are named, where they are no setting of the scene.
TEST(ModelChips, SayHowTheModelEncodesPositions) {
  const auto position_with = [](const char* model) {
    Scene scene;
    scene.weights = scene::WeightsSource::trained, scene.weights_file = model;
    Session session({.scene = scene, .autosave = {}});
    session.wait();
    for (const SceneChip& chip : scene_chips(session.scene(), session.results()))
      if (std::string_view(chip.field) == "position") return chip.value;
    return std::string("no chip");
  };
  EXPECT_EQ(position_with("dictionary"), "RoPE");
  EXPECT_EQ(position_with("small-english"), "sin/cos");
}

/// A model whose first picture is computed has its name; one that cannot be used is not used.
TEST(ModelChips, NameAModelBeforeAnythingIsComputed) {
  Scene scene;
  scene.weights = scene::WeightsSource::file, scene.weights_file = "/models/gpt2";
  scene::Results none;
  const auto words = [&] {
    std::string all;
    for (const SceneChip& chip : scene_chips(scene, none)) all += chip.value + "\n";
    return all;
  };
  EXPECT_THAT(words(), testing::HasSubstr("gpt2\n"));
  EXPECT_THAT(words(), testing::Not(testing::HasSubstr("not used")));
  none.weights_problem = "no such file";
  EXPECT_THAT(words(), testing::HasSubstr("not used\n"));
}

}  // namespace
}  // namespace headlight::app
