// Files in and out of a session.
#include "session/document.h"

#include <gmock/gmock.h>

#include <fstream>

#include "io/files.h"
#include "io/safetensors.h"
#include "scene/figure_scene.h"
#include "scene/scene_line.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "scene/trained_model.h"
#include "support/missing_cases.h"
#include "support/scratch_folder.h"

namespace headlight::app {
namespace {

namespace fs = std::filesystem;
using scene::Page;
using scene::Scene;
using testing::HasSubstr;

Scene sample(const std::string& sentence, int heads = 8) {
  Scene scene;
  scene.sentence = sentence;
  scene.heads = heads;
  return scene;
}

struct Opened {
  explicit Opened(const Scene& scene, const fs::path& folder = {})
      : session({.scene = scene, .autosave = {}}), document(session, folder) {}
  Session session;
  Document document;
};

TEST(Document, SavedAndOpenedAgain) {
  const tests::ScratchFolder folder;
  Opened one(sample("one"), folder.path());
  EXPECT_TRUE(one.document.path().empty());
  EXPECT_FALSE(one.document.changed());
  ASSERT_TRUE(one.document.save_as(folder / "one.json", 1));
  EXPECT_EQ(one.document.path(), folder / "one.json");
  Scene next = one.session.scene();
  next.seed = 3;
  one.session.change(next, "", 2);
  EXPECT_TRUE(one.document.changed());
  ASSERT_TRUE(one.document.open(folder / "one.json", 3));
  EXPECT_EQ(one.session.scene().seed, 7);
  EXPECT_FALSE(one.document.changed());
  one.session.undo(4);
  EXPECT_EQ(one.session.scene().seed, 3) << "opening loses nothing";
  EXPECT_EQ(one.document.recent(), std::vector<fs::path>{folder / "one.json"});
  EXPECT_EQ(Opened(Scene{}, folder.path()).document.recent(), std::vector<fs::path>{folder / "one.json"});
}

TEST(Document, TheLookIsTheReaders) {
  const tests::ScratchFolder folder;
  Scene theirs = sample("theirs");
  theirs.theme = scene::ThemeName::light;
  theirs.reduced_motion = false;
  theirs.page = Page::memory;
  ASSERT_TRUE(scene::save(theirs, folder / "theirs.json"));
  Scene mine;
  mine.reduced_motion = true;
  mine.interface_scale = 1.5;
  Opened one(mine);
  ASSERT_TRUE(one.document.open(folder / "theirs.json", 1));
  EXPECT_EQ(one.session.scene().page, Page::memory);
  EXPECT_EQ(one.session.scene().theme, scene::ThemeName::dark);
  EXPECT_TRUE(one.session.scene().reduced_motion);
  EXPECT_EQ(one.session.scene().interface_scale, 1.5);
  Scene look = one.session.scene();
  look.theme = scene::ThemeName::light;
  one.session.change(look, "", 2);
  EXPECT_FALSE(one.document.changed()) << "how it looks is not what was saved";
}

TEST(Document, AModelIsOpenedAndWhatIsNoneChangesNothing) {
  const tests::ScratchFolder folder;
  const fs::path file = folder / "m.safetensors";
  scene::TrainedModel model;
  model.title = "a model", model.task = "english", model.sentence = "the cat sat";
  model.encoder = std::make_shared<const nn::Encoder>(nn::word_vocabulary({"the", "cat", "sat"}));
  model.config.vocabulary = model.encoder->size();
  model.config.context = 8, model.config.d_model = 8, model.config.heads = 2, model.config.layers = 1;
  model.config.d_ff = 8;
  model.weights = nn::random_model(model.config, 3);
  ASSERT_TRUE(io::write_file(file, io::write_safetensors(scene::tensor_views(model.weights),
                                                         {{"headlight", scene::model_description(model)}})));
  Opened one(sample("stays"));
  ASSERT_TRUE(one.document.open(file, 1)) << one.session.message();
  EXPECT_EQ(one.session.scene().weights, scene::WeightsSource::file);
  EXPECT_EQ(one.session.scene().weights_file, file.string());
  EXPECT_EQ(one.session.scene().d_model, 8);
  EXPECT_EQ(one.session.scene().heads, 2);
  EXPECT_EQ(one.session.scene().sentence, "stays");
  EXPECT_THAT(one.session.message(), HasSubstr("a model"));
  EXPECT_TRUE(one.document.path().empty()) << "a model is no place to save a scene to";
  // As an argument of the program it brings what there is to see.
  const auto shown = scene::scene_in_file(file);
  ASSERT_TRUE(shown) << shown.error();
  EXPECT_EQ(shown->sentence, "the cat sat");
  EXPECT_EQ(shown->weights_file, file.string());
  EXPECT_EQ(shown->d_model, 8);

  const Scene before = one.session.scene();
  ASSERT_TRUE(io::write_file(folder / "other.safetensors", "this is no model"));
  EXPECT_FALSE(one.document.open(folder / "other.safetensors", 2));
  EXPECT_THAT(one.session.message(), HasSubstr("other.safetensors"));
  EXPECT_EQ(one.session.scene(), before);
  EXPECT_TRUE(one.document.drop({(folder / "other.safetensors").string()}, 3));
  EXPECT_EQ(one.session.scene(), before) << "the panel and the status line speak of the same model";
  EXPECT_FALSE(scene::scene_in_file(folder / "other.safetensors"));
}

TEST(Document, WhatFailsIsSaidAndTheSceneStays) {
  const tests::ScratchFolder folder;
  Opened one(sample("stays"));
  ASSERT_TRUE(io::write_file(folder / "bad.json", "{\"heads\":"));
  EXPECT_FALSE(one.document.open(folder / "bad.json", 1));
  EXPECT_THAT(one.session.message(), HasSubstr("bad.json"));
  EXPECT_FALSE(one.document.open(folder / "none.json", 1));
  EXPECT_FALSE(one.document.save_as(folder.path() / "no" / "such.json", 1));
  EXPECT_THAT(one.session.message(), HasSubstr("does not exist"));
  EXPECT_FALSE(one.document.open_line("headlight1:AAAA", 1));
  EXPECT_THAT(one.session.message(), HasSubstr("incomplete scene line"));
  EXPECT_EQ(one.session.scene().sentence, "stays");
  EXPECT_TRUE(one.document.path().empty());
}

TEST(Document, ALineOpensAndBelongsToNoFile) {
  const tests::ScratchFolder folder;
  Opened one(sample("before"));
  ASSERT_TRUE(one.document.save_as(folder / "before.json", 1));
  ASSERT_TRUE(one.document.open_line("look: " + scene::to_line(sample("from the chat", 2)), 2));
  EXPECT_EQ(one.session.scene().sentence, "from the chat");
  EXPECT_EQ(one.session.scene().heads, 2);
  EXPECT_TRUE(one.document.path().empty()) << "or Ctrl+S would overwrite the file that was open";
}

TEST(Document, DroppedFilesAreWhatTheyAre) {
  const tests::ScratchFolder folder;
  Opened one(Scene{});
  const auto drop = [&](const std::string& name) { return one.document.drop({(folder / name).string()}, 1); };
  ASSERT_TRUE(scene::save(sample("dropped"), folder / "a.JSON"));
  EXPECT_TRUE(drop("a.JSON"));
  EXPECT_EQ(one.session.scene().sentence, "dropped");
  ASSERT_TRUE(io::write_file(folder / "story.txt", "Once upon\na  time,\r\n\tthere was a head.\n"));
  EXPECT_TRUE(drop("story.txt"));
  EXPECT_EQ(one.session.scene().sentence, "Once upon a time, there was a head. ");
  ASSERT_TRUE(io::write_file(folder / "mail.txt", "Hi,\n" + scene::to_line(sample("in a mail")) + "\nBye"));
  EXPECT_TRUE(drop("mail.txt"));
  EXPECT_EQ(one.session.scene().sentence, "in a mail");
  std::string bytes;
  for (int i = 0; i < 20000; ++i) bytes += static_cast<char>(i * 2654435761u >> 13);
  ASSERT_TRUE(io::write_file(folder / "bin.txt", bytes));
  EXPECT_TRUE(drop("bin.txt"));
  EXPECT_EQ(one.session.scene().sentence, "in a mail");
  EXPECT_THAT(one.session.message(), HasSubstr("bin.txt is not a UTF-8 text"));
  ASSERT_TRUE(io::write_file(folder / "utf16.txt", std::string("\xff\xfeh\0e\0a\0d\0", 10)));
  EXPECT_TRUE(drop("utf16.txt"));
  EXPECT_EQ(one.session.scene().sentence, "in a mail");
  EXPECT_THAT(one.session.message(),
              HasSubstr("utf16.txt is not a UTF-8 text: it is UTF-16 text: save it as"));
  for (const char* empty : {"", " \r\n\t", "\xEF\xBB\xBF"}) {
    ASSERT_TRUE(io::write_file(folder / "empty.txt", empty));
    EXPECT_TRUE(drop("empty.txt"));
    EXPECT_EQ(one.session.scene().sentence, "in a mail");
    EXPECT_THAT(one.session.message(), HasSubstr("empty.txt has no words; the sentence stays as it is"));
  }
  ASSERT_TRUE(io::write_file(folder / "marked.txt",
                             "\xEF\xBB\xBF"
                             "a mark before it"));
  EXPECT_TRUE(drop("marked.txt"));
  EXPECT_EQ(one.session.scene().sentence, "a mark before it");
  ASSERT_TRUE(io::write_file(folder / "latin1.txt", "caf\xe9 au lait\n"));
  EXPECT_TRUE(drop("latin1.txt"));
  EXPECT_EQ(one.session.scene().sentence, "caf\xe9 au lait ");
  Scene training = one.session.scene();
  training.page = Page::training;
  one.session.change(training, "", 1);
  EXPECT_TRUE(drop("story.txt"));
  EXPECT_EQ(one.session.scene().training.file, (folder / "story.txt").string());
  EXPECT_EQ(one.session.scene().training.task, scene::TrainingTask::text);
  EXPECT_FALSE(drop("song.mp3"));
  EXPECT_FALSE(one.document.drop({}, 1));
  EXPECT_FALSE(one.document.drop({(folder / "song.mp3").string(), (folder / "a.JSON").string()}, 1));
  // A folder of texts is a text too, for Training alone.
  std::filesystem::create_directory(folder / "stories");
  EXPECT_TRUE(drop("stories"));
  EXPECT_EQ(one.session.scene().training.file, (folder / "stories").string());
  training.page = Page::attention;
  one.session.change(training, "", 1);
  EXPECT_FALSE(drop("stories"));
}

TEST(Document, OfSeveralDroppedFilesTheFirstIsTakenUnlessTheyAreAModel) {
  const tests::ScratchFolder folder;
  Opened one(Scene{});
  ASSERT_TRUE(scene::save(sample("the first"), folder / "a.json"));
  ASSERT_TRUE(scene::save(sample("the second"), folder / "b.json"));
  const auto at = [&](const char* name) { return (folder / name).string(); };
  EXPECT_TRUE(one.document.drop({at("a.json"), at("b.json"), at("c.json")}, 1));
  EXPECT_EQ(one.session.scene().sentence, "the first");
  EXPECT_THAT(one.session.message(), HasSubstr("opened "));
  EXPECT_THAT(one.session.message(), HasSubstr("2 other dropped files were not opened"));
  // A model's files, of which no single one is the model: here the folder is tried, and found damaged.
  ASSERT_TRUE(io::write_file(folder / "config.json", "{\"model_type\": \"gpt2\"}"));
  ASSERT_TRUE(io::write_file(folder / "tokenizer.json", "{}"));
  EXPECT_TRUE(one.document.drop({at("tokenizer.json"), at("config.json")}, 2));
  EXPECT_THAT(one.session.message(), HasSubstr(folder.path().filename().string()));
  EXPECT_EQ(one.session.message().find("other dropped"), std::string::npos);
  EXPECT_EQ(one.session.scene().sentence, "the first");
}

TEST(Document, AnOpenedSceneHasItsOwnTrainingSettings) {
  const tests::ScratchFolder folder;
  Scene saved;
  saved.training.task = scene::TrainingTask::text;
  saved.training.file = "/some/book.txt";
  saved.training.d_model = 48;
  saved.training.heads = 6;
  saved.training.steps = 123;
  ASSERT_TRUE(scene::save(saved, folder / "a.json"));
  Opened one(Scene{});
  ASSERT_TRUE(one.document.open(folder / "a.json", 1));
  EXPECT_EQ(one.session.scene().training, saved.training);
}

/// What an opened file asks for and does not have is said, of what is computed as soon as it is.
TEST(Document, WhatAnOpenedSceneAsksForAndDoesNotHaveIsSaid) {
  const tests::ScratchFolder folder;
  for (const tests::MissingCase& one : tests::missing_cases) {
    Opened it(sample("something else", 8));
    it.session.wait();
    std::ofstream(folder / "scene.json") << one.settings;
    ASSERT_TRUE(it.document.open(folder / "scene.json", 1)) << one.settings;
    it.session.update(1);
    it.document.update(1);
    it.session.wait();
    it.document.update(1);
    if (*one.line) {
      EXPECT_THAT(it.session.message(), HasSubstr("opened scene.json, but " + std::string(one.line)));
    } else {
      EXPECT_THAT(it.session.message(), HasSubstr("Ctrl + Z restores")) << one.settings;
    }
    it.session.say("another message", 2);
    it.document.update(2);
    EXPECT_EQ(it.session.message(), "another message") << "it is said once";
  }
}

/// The same for the file that the window was opened with; what is whole needs no words.
TEST(Document, WhatTheFileOfTheStartAsksForIsSaid) {
  for (const bool missing : {true, false}) {
    Scene scene;
    scene.page = Page::softmax, scene.softmax.scores = missing ? "bad" : "1;2";
    Session session({.scene = scene, .autosave = {}});
    Document document(session);
    document.opened_at_start("/somewhere/first.json", scene::chosen_in(scene), 1);
    session.wait();
    document.update(1);
    if (missing)
      EXPECT_THAT(session.message(), HasSubstr("opened first.json, but softmax_scores: expected"));
    else
      EXPECT_EQ(session.message(), "");
  }
}

/// It belongs to the scene that was opened, not to one that took its place.
TEST(Document, NothingIsSaidOfASceneThatIsGone) {
  const tests::ScratchFolder folder;
  Opened it(sample("something else"));
  it.session.wait();
  std::ofstream(folder / "scene.json") << R"({"page": "softmax", "softmax_scores": "bad"})";
  ASSERT_TRUE(it.document.open(folder / "scene.json", 1));
  it.session.change(sample("and now this"), "", 1);
  it.session.wait();
  it.document.update(1);
  EXPECT_THAT(it.session.message(), testing::Not(HasSubstr("softmax")));
}

}  // namespace
}  // namespace headlight::app
