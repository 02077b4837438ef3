// A model of another program in the program's own hands: opened behind the picture, looked at, taken back;
// and what cannot be opened leaves the picture as it was.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "pages/quantities.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "scene/trained_model.h"
#include "session/document.h"
#include "session/gestures.h"
#include "session/model_shelf.h"
#include "session/session.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "support/whole_model.h"

namespace headlight::app {
namespace {

using nlohmann::json;
using tests::ReferenceData;

class OpenedSession : public testing::Test {
 protected:
  const ReferenceData& data_ = ReferenceData::instance();
  std::string folder_of_ = data_.models() + "tiny-gpt2";
  json manifest_ = data_.json(folder_of_ + "/manifest.json");
  json variant_ = manifest_["variants"][0], case_ = manifest_["cases"][0];
  tests::Array golden_ = data_.array(
      folder_of_ + "/" +
      case_["expected"][variant_["expected"].get<std::string>()]["attentions"]["file"].get<std::string>());
  ModelShelf models_{[] {}, scene::load_model, std::chrono::milliseconds(1)};
  tests::ScratchFolder scratch_;
  std::filesystem::path path_ = tests::whole_model("tiny-gpt2", variant_["dir"], scratch_.path());

  static void settle(Session& session, const std::function<bool()>& reached) {
    for (int i = 0; i < 4000 && !reached(); ++i) {
      session.update(0);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(reached()) << session.message();
  }
  /// A session in which the model was dropped onto the window and the sentence of the case typed.
  void open(Session& session) {
    Document document(session, scratch_.path(), {});
    ASSERT_TRUE(document.drop({path_.string()}, 0));
    settle(session, [&] { return session.results().opened != nullptr; });
    scene::Scene next = session.scene();
    next.sentence = case_["text"];
    session.change(next, "sentence", 0);
    const auto T = static_cast<int>(case_["input_ids"].size());
    settle(session, [&] { return session.results().attention.T == T && session.results().opened; });
  }
  double golden(int layer, int head, int query, int key) const {
    const int H = golden_.dim(1), T = golden_.dim(2);
    return golden_.values[static_cast<std::size_t>(((layer * H + head) * T + query) * T + key)];
  }
  static double number(const Session& session, const std::string& name) {
    return scene::read_quantity(name, {session.scene(), session.results(), nullptr, session.cell()}).value;
  }
};

TEST_F(OpenedSession, ADroppedFolderIsShownWithTheNumbersOfTheReference) {
  Session session({.scene = {}, .models = &models_});
  open(session);
  const int layers = golden_.dim(0), heads = golden_.dim(1), T = golden_.dim(2);
  for (int layer = 0; layer < layers; ++layer) {
    scene::Scene next = session.scene();
    next.weights_layer = layer + 1;
    session.change(next, "", 0);
    settle(session, [&] { return session.results().opened && session.results().opened->layer == layer; });
    for (int head = 0; head < heads; ++head) {
      next = session.scene();
      next.head.clear();
      next = head_key(next, head + 1);
      session.change(next, "", 0);
      session.update(0);
      EXPECT_EQ(session.scene().head, scene::IndexList{head + 1});
      for (int key = 0; key < T; ++key) {
        const std::string at = " head=" + std::to_string(head + 1) + " query=" + std::to_string(T - 1) +
                               " key=" + std::to_string(key);
        EXPECT_NEAR(number(session, "weight" + at), golden(layer, head, T - 1, key), 2e-5);
        EXPECT_NEAR(number(session, "weight_in_double" + at), golden(layer, head, T - 1, key), 2e-5);
      }
    }
  }
}

TEST_F(OpenedSession, WhatGoesWrongIsSaidAndThePictureStays) {
  Session session({.scene = {}, .models = &models_});
  open(session);
  const auto version = session.results().version;
  scene::Scene next = session.scene();
  next.token_ids = {1, 99999999};
  session.change(next, "", 0);
  settle(session, [&] { return !session.failure().empty(); });
  EXPECT_EQ(session.results().version, version);
  EXPECT_NE(session.message().find("has no token 99999999"), std::string::npos) << session.message();
  EXPECT_EQ(session.message().find('\n'), std::string::npos);
  session.undo(0);
  settle(session, [&] { return session.failure().empty(); });

  // A folder that is no model, and one that is damaged.
  const scene::Scene before = session.scene();
  std::filesystem::create_directory(scratch_ / "empty");
  std::filesystem::copy(path_, scratch_ / "cut");
  std::filesystem::resize_file(scratch_ / "cut" / "model.safetensors", 1000);
  Document document(session, scratch_.path(), {});
  for (const char* bad : {"empty", "cut"}) {
    session.say("", 0);
    document.open(scratch_ / bad, 0);
    settle(session, [&] { return session.message().find(bad) != std::string::npos; });
    EXPECT_EQ(session.scene(), before);
    EXPECT_TRUE(session.results().opened);
  }
}

/// Before a model is there nobody knows how many heads it has.
TEST_F(OpenedSession, UndoLeadsToNoHeadThatTheModelHasNot) {
  Session session({.scene = {}, .models = &models_});
  scene::Scene next = session.scene();
  ASSERT_TRUE(scene::set_field(next, "model=" + path_.string()));
  session.change(next, "", 0);
  ASSERT_FALSE(session.results().opened);
  next = session.scene();
  next.head = {300};
  session.change(next, "", 10);
  ASSERT_EQ(session.scene().head, scene::IndexList{300});
  next = session.scene();
  next.temperature = 2;
  session.change(next, "", 20);
  settle(session, [&] { return session.results().opened != nullptr; });
  session.undo(30);
  settle(session, [&] { return session.results().scene == session.scene(); });
  EXPECT_EQ(session.failure(), "");
  EXPECT_EQ(session.scene().temperature, 1);
  EXPECT_TRUE(session.scene().head.empty());
}

TEST_F(OpenedSession, ATypedSentenceTakesThePlaceOfIds) {
  Session session({.scene = {}, .models = &models_});
  open(session);
  scene::Scene next = session.scene();
  next.token_ids = {1, 2, 3};
  session.change(next, "", 0);
  settle(session, [&] { return session.results().attention.T == 3; });
  next = session.scene();
  next.sentence += " ";
  session.change(next, "sentence", 0);
  settle(session, [&] { return session.results().attention.T > 3; });
  EXPECT_TRUE(session.scene().token_ids.empty());
}

TEST_F(OpenedSession, OtherPagesGoOnAndUndoTakesTheModelBack) {
  Session session({.scene = {}, .models = &models_});
  const scene::Scene first = session.scene();
  open(session);
  for (const scene::PageRoom* room : scene::rooms()) {
    if (room->uses(session.scene()).trains) continue;
    scene::Scene next = session.scene();
    next.page = room->page;
    session.change(next, "", 0);
    session.wait();
    EXPECT_EQ(session.failure(), "") << room->title;
  }
  while (session.can_undo()) session.undo(0);
  session.wait();
  EXPECT_EQ(session.scene().weights_file, first.weights_file);
  EXPECT_FALSE(session.results().opened);
}

TEST_F(OpenedSession, AModelIsThereAgainAfterARestart) {
  const std::filesystem::path kept = scratch_ / "scene.json";
  {
    Session session({.scene = {}, .autosave = kept, .models = &models_});
    open(session);
    scene::Scene next = session.scene();
    next.weights_layer = 2, next.head = {golden_.dim(1)};
    session.change(next, "", 0);
    session.wait();
    ASSERT_TRUE(session.save(0));
  }
  const auto scene = scene::load(kept);
  ASSERT_TRUE(scene) << scene.error();
  Session session({.scene = *scene, .models = &models_});
  settle(session, [&] { return session.results().opened != nullptr; });
  EXPECT_EQ(session.results().opened->layer, 1);
  EXPECT_EQ(session.scene().head, scene::IndexList{golden_.dim(1)});
}

}  // namespace
}  // namespace headlight::app
