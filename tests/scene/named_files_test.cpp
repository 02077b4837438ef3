#include "scene/named_files.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>

#include "io/files.h"
#include "io/fingerprint.h"
#include "io/npz.h"
#include "scene/figure_scene.h"
#include "scene/model_file.h"
#include "scene/recent.h"
#include "scene/scene_line.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "scene/trained_model.h"
#include "support/scratch_folder.h"
#include "teach/lesson.h"

namespace headlight::scene {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* fingerprint_of_foobar = "85944171f73967e8";

class NamedFiles : public testing::Test {
 protected:
  NamedFiles() {
    ::setenv("XDG_STATE_HOME", (folder_ / "state").c_str(), 1);
    for (const char* name : {"home", "friend", "elsewhere", "state"}) fs::create_directory(folder_ / name);
    write("home/model.safetensors", "foobar");
    write("home/text.txt", "a text");
    scene_.weights = WeightsSource::file;
    scene_.weights_file = in("home/model.safetensors");
    scene_.training.file = in("home/text.txt");
  }
  void write(const std::string& name, const std::string& bytes) const {
    ASSERT_TRUE(io::write_file(folder_.path() / name, bytes));
  }
  std::string in(const std::string& name) const { return (folder_.path() / name).string(); }

  tests::ScratchFolder folder_;
  Scene scene_;
};

/// The name of an included model is no path: it stays what it is, wherever a scene goes.
TEST_F(NamedFiles, IncludedModelsAreNoFiles) {
  for (const char* name : included_models()) {
    Scene scene;
    scene.weights = WeightsSource::trained, scene.weights_file = name;
    EXPECT_EQ(without_folders(scene).weights_file, name);
    EXPECT_EQ(with_relative_paths(scene, folder_ / "home" / "scene.json").weights_file, name);
    use_paths_beside(scene, folder_ / "home" / "scene.json");
    EXPECT_EQ(scene.weights_file, name);
    EXPECT_EQ(find_files(scene, folder_ / "home"), "");
    EXPECT_EQ(scene.weights_file, name);
  }
}

TEST_F(NamedFiles, WhatLeavesHasNoFolder) {
  const Scene sent = without_folders(scene_);
  EXPECT_EQ(sent.weights_file, std::string("model.safetensors#") + fingerprint_of_foobar);
  EXPECT_THAT(sent.training.file, testing::MatchesRegex("text.txt#[0-9a-f]+"));
  EXPECT_EQ(without_folders(sent), sent) << "a name stays what it is";
  Scene gone = scene_;
  gone.weights_file = in("home/none.safetensors");
  EXPECT_EQ(without_folders(gone).weights_file, "none.safetensors#missing");
  EXPECT_EQ(without_folders(Scene{}), Scene{});

  const auto line = from_line(to_line(scene_));
  ASSERT_TRUE(line) << line.error();
  EXPECT_EQ(line->weights_file, sent.weights_file);
  for (const std::string& bytes : {scene_as_json(scene_), gif_comment(scene_), png_metadata(scene_)[1].second,
                                   *io::encode_npz({}, scene_as_json(scene_))})
    EXPECT_THAT(bytes, Not(HasSubstr(folder_.path().string())));
}

TEST_F(NamedFiles, BesideTheFigureAFileWithTheSameContentsIsTaken) {
  write("friend/figure.json", "{\"name\": \"q\", \"data\": [], \"scene\": " + scene_as_json(scene_) + "}");
  fs::remove(in("home/model.safetensors"));
  fs::remove(in("home/text.txt"));
  std::string missing;
  auto opened = scene_in_file(in("friend/figure.json"), io::Opens::files, &missing);
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_THAT(missing, AllOf(HasSubstr("\"model.safetensors\" is missing"), HasSubstr("beside the figure"),
                             HasSubstr("current folder"), HasSubstr("recent files")));
  EXPECT_LT(missing.size(), 300u);
  EXPECT_EQ(opened->heads, scene_.heads) << "the rest of the scene";
  EXPECT_EQ(model_of(*opened).error(), missing);

  write("friend/model.safetensors", "foobaz");
  opened = scene_in_file(in("friend/figure.json"), io::Opens::files, &missing);
  EXPECT_THAT(missing, HasSubstr("\"model.safetensors\" is missing")) << "other contents";
  EXPECT_THAT(opened->weights_file, HasSubstr("#"));

  write("friend/model.safetensors", "foobar");
  write("friend/text.txt", "a text");
  opened = scene_in_file(in("friend/figure.json"), io::Opens::files, &missing);
  EXPECT_EQ(missing, "");
  EXPECT_EQ(opened->weights_file, in("friend/model.safetensors"));
  EXPECT_EQ(opened->training.file, in("friend/text.txt"));
}

TEST_F(NamedFiles, RecentFilesAreFoundFromAnyFigure) {
  const Scene sent = without_folders(scene_);
  Scene opened = sent;
  EXPECT_NE(find_files(opened, folder_ / "elsewhere"), "");
  ASSERT_TRUE(remember_files(scene_, state_folder()));
  EXPECT_EQ(find_files(opened, folder_ / "elsewhere"), "");
  EXPECT_EQ(opened.weights_file, scene_.weights_file);
  EXPECT_EQ(opened.training.file, scene_.training.file);

  fs::remove_all(state_folder());
  Recent recent(list_of_scenes(state_folder()));
  ASSERT_TRUE(recent.remember(folder_.path() / "home" / "lecture.json"));
  opened = sent;
  EXPECT_EQ(find_files(opened, {}), "") << "beside a scene that was opened lately";
  EXPECT_EQ(opened.weights_file, scene_.weights_file);
}

TEST_F(NamedFiles, ASavedSceneHasPathsThatMoveWithIt) {
  fs::create_directory(folder_ / "home/runs");
  write("home/runs/deep.safetensors", "x");
  scene_.weights_file = in("home/runs/deep.safetensors");
  scene_.training.file = in("elsewhere/text.txt");
  write("elsewhere/text.txt", "a text");
  ASSERT_TRUE(save(scene_, folder_.path() / "home" / "scene.json"));
  const std::string text = *io::read_file(in("home/scene.json"));
  EXPECT_THAT(text, HasSubstr("\"runs/deep.safetensors\"")) << "below";
  EXPECT_THAT(text, HasSubstr(in("elsewhere/text.txt"))) << "not below";
  EXPECT_EQ(*load(folder_.path() / "home" / "scene.json"), scene_);
  fs::rename(in("home"), in("moved"));
  EXPECT_EQ(load(folder_.path() / "moved" / "scene.json")->weights_file, in("moved/runs/deep.safetensors"));
  EXPECT_EQ(scene_in_file(folder_.path() / "moved" / "scene.json")->weights_file,
            in("moved/runs/deep.safetensors"));
}

TEST_F(NamedFiles, TheSceneThatIsKeptByItselfHasPaths) {
  ASSERT_TRUE(save_state(scene_, state_file()));
  EXPECT_EQ(restore(state_file()).scene, scene_);
}

TEST_F(NamedFiles, ALessonFindsItsFilesBesideIt) {
  Lesson lesson;
  const Scene sent = without_folders(scene_);
  lesson.scene = {{"weights", "file"}, {"weights_file", sent.weights_file}};
  lesson.steps.resize(1);
  lesson.steps[0].scene = {{"training_file", sent.training.file}, {"sentence", "a#85944171f73967e8"}};
  fs::create_directory(in("home/texts"));
  write("home/texts/one.txt", "one");
  write("home/other.safetensors", "another");
  Scene more;
  more.training.file = in("home/texts"), more.model.beside = in("home/other.safetensors");
  const Scene sent_more = without_folders(more);
  lesson.steps.emplace_back().scene = {{"training_file", sent_more.training.file},
                                       {"model_beside", sent_more.model.beside}};
  find_files(lesson, folder_ / "home");
  EXPECT_EQ(lesson.steps[1].scene[0].second, more.training.file) << "a folder of texts";
  EXPECT_EQ(lesson.steps[1].scene[1].second, more.model.beside);
  EXPECT_EQ(lesson.scene[1].second, scene_.weights_file);
  EXPECT_EQ(lesson.steps[0].scene[0].second, scene_.training.file);
  EXPECT_EQ(lesson.steps[0].scene[1].second, "a#85944171f73967e8");
}

/// Names are all that these folders have of a model: what is in the files makes no difference here.
TEST_F(NamedFiles, AFolderIsAnotherOneWhenAnyOfItsFilesChanges) {
  const std::vector<std::vector<std::string>> folders{
      {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"},
      {"config.json", "model.safetensors.index.json", "model-00001-of-00002.safetensors",
       "model-00002-of-00002.safetensors", "vocab.json", "merges.txt"},
      {"config.json", "model.safetensors", "vocab.txt", "special_tokens_map.json"},
      {"ckpt.pt", "tokenizer.json"},
      {"stories.bin", "tok512.bin"},
      {"stories.bin", "tokenizer.bin"}};
  for (const auto& files : folders) {
    fs::remove_all(in("home/llm"));
    fs::create_directory(in("home/llm"));
    for (const std::string& name : files) write("home/llm/" + name, "old");
    scene_.weights_file = in("home/llm");
    const auto sent = [&] { return without_folders(scene_).weights_file; };
    for (const std::string& name : files) {
      SCOPED_TRACE(name);
      const std::string before = sent();
      const auto seen = identity_of(in("home/llm"));
      EXPECT_THAT(before, testing::MatchesRegex("llm#[0-9a-f]+"));
      EXPECT_NE(before, "llm#" + io::Fingerprint().text());
      EXPECT_EQ(sent(), before);
      EXPECT_EQ(identity_of(in("home/llm")), seen);
      // In place, of another size: nothing of the folder itself changes.
      std::ofstream(in("home/llm/" + name), std::ios::binary) << "a new one of " << name;
      EXPECT_NE(sent(), before);
      EXPECT_NE(identity_of(in("home/llm")), seen);
      Scene opened = scene_;
      opened.weights_file = before;
      EXPECT_NE(find_files(opened, folder_ / "home"), "");
      opened.weights_file = sent();
      EXPECT_EQ(find_files(opened, folder_ / "home"), "");
      EXPECT_EQ(opened.weights_file, in("home/llm"));
    }
  }
  fs::create_directory(in("home/empty"));
  scene_.weights_file = in("home/empty");
  EXPECT_EQ(without_folders(scene_).weights_file, "empty#missing");
}

/// A folder of texts is known by all its texts, those in folders below it too, and by nothing else in it.
TEST_F(NamedFiles, AFolderOfTextsIsFoundAgain) {
  fs::create_directories(in("home/texts/below"));
  for (const char* name : {"one.txt", "two.md", "below/three.txt", "picture.png"})
    write(std::string("home/texts/") + name, "old");
  scene_.training.file = in("home/texts");
  const auto sent = [&] { return without_folders(scene_).training.file; };
  const std::string before = sent();
  EXPECT_THAT(before, testing::MatchesRegex("texts#[0-9a-f]+"));
  write("home/texts/picture.png", "another picture");
  EXPECT_EQ(sent(), before);
  for (const char* name : {"one.txt", "two.md", "below/three.txt"}) {
    const std::string last = sent();
    write(std::string("home/texts/") + name, std::string("a new text for ") + name);
    EXPECT_NE(sent(), last) << name;
  }
  Scene opened = scene_;
  opened.training.file = before;
  EXPECT_THAT(find_files(opened, folder_ / "home"), HasSubstr("\"texts\" is missing")) << "other contents";
  opened.training.file = sent();
  EXPECT_EQ(find_files(opened, folder_ / "home"), "");
  EXPECT_EQ(opened.training.file, in("home/texts"));

  opened.training.file = sent();
  EXPECT_NE(find_files(opened, folder_ / "elsewhere"), "");
  ASSERT_TRUE(remember_files(scene_, state_folder()));
  EXPECT_EQ(find_files(opened, folder_ / "elsewhere"), "");
  EXPECT_EQ(opened.training.file, in("home/texts"));

  fs::create_directory(in("home/empty"));
  scene_.training.file = in("home/empty");
  EXPECT_EQ(sent(), "empty#missing");
}

/// A file of a model's folder stands for the folder.
TEST_F(NamedFiles, WhatBelongsToAFileIsWatchedToo) {
  fs::create_directory(in("home/llm"));
  for (const char* name : {"config.json", "model.safetensors", "tokenizer.json"})
    write(std::string("home/llm/") + name, "old");
  const auto seen = identity_of(in("home/llm/config.json"));
  std::ofstream(in("home/llm/tokenizer.json"), std::ios::binary) << "a new one";
  EXPECT_NE(identity_of(in("home/llm/config.json")), seen);
  const auto text = identity_of(in("home/text.txt"));
  write("home/tokenizer.json", "of nobody");
  EXPECT_EQ(identity_of(in("home/text.txt")), text);
}

TEST_F(NamedFiles, ADeviceIsNeitherReadNorTaken) {
  scene_.weights_file = "/dev/zero";
  EXPECT_EQ(without_folders(scene_).weights_file, "zero#missing");
  EXPECT_THAT(model_of(scene_).error(), HasSubstr("it is a device, not a file"));
}

}  // namespace
}  // namespace headlight::scene
