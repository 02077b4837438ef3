// Writing on in the session: token by token behind the sentence, stopped by a button, by whoever types, by
// what cannot be continued; the whole text is taken back by undo.
#include "session/write_job.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "scene/layer_input.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "session/session.h"
#include "train/model.h"

namespace headlight::app {
namespace {

class Writing : public testing::Test {
 protected:
  void set(const std::vector<std::string>& assignments) {
    scene::Scene scene = session_.scene();
    scene.page = scene::Page::model;
    for (const std::string& assignment : assignments)
      ASSERT_TRUE(scene::set_field(scene, assignment)) << assignment;
    scene::repair(scene);
    session_.change(scene, "", now_);
    session_.wait();
  }
  /// Frames go by until it is so.
  void until(const std::function<bool()>& reached) {
    for (int i = 0; i < 8000 && !reached(); ++i) {
      session_.update(now_ += 0.05);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(reached()) << session_.message();
  }
  int tokens() const { return static_cast<int>(scene::tokens_of(session_.scene()).size()); }

  double now_ = 100;
  Session session_{{.scene = {}, .autosave = {}}};
};

TEST_F(Writing, OneTokenIsTheMostProbableAndIsPinned) {
  set({"model=dictionary", "sentence=a large", "model_top_k=1"});
  const auto before = scene::tokens_of(session_.scene());
  const auto model = *scene::model_of(session_.scene());
  nn::Batch batch;
  batch.B = 1, batch.T = static_cast<int>(before.size());
  for (const nn::Token& token : before) batch.tokens.push_back(token.piece);
  nn::ModelTrace trace;
  base::Parallel parallel(1);
  nn::model_forward(model->config, model->weights, batch, parallel, trace);
  const auto row = trace.logits.row(batch.T - 1);
  const int wanted = static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
  session_.write_on(true, now_);
  EXPECT_TRUE(session_.writing());
  until([&] { return !session_.writing(); });
  const auto after = scene::tokens_of(session_.scene());
  ASSERT_EQ(after.size(), before.size() + 1);
  EXPECT_EQ(after.back().piece, wanted);
  EXPECT_EQ(session_.scene().query, (scene::IndexList{batch.T}));
  until([&] { return session_.results().tokens.size() == after.size(); });
}

TEST_F(Writing, GoesOnUntilItIsStoppedAndIsTakenBackAsOne) {
  set({"model=dictionary", "sentence=a large animal"});
  const std::string start = session_.scene().sentence;
  session_.write_on(false, now_);
  until([&] { return tokens() >= 8; });
  EXPECT_TRUE(session_.writing());
  session_.stop_writing();
  EXPECT_FALSE(session_.writing());
  const std::string written = session_.scene().sentence;
  EXPECT_TRUE(written.starts_with(start)) << written;
  for (int i = 0; i < 20; ++i) session_.update(now_ += 0.5);
  EXPECT_EQ(session_.scene().sentence, written) << "nothing is written after that";
  session_.undo(now_);
  EXPECT_EQ(session_.scene().sentence, start);
}

TEST_F(Writing, WhoeverTypesStopsIt) {
  set({"model=dictionary", "sentence=a large animal"});
  session_.write_on(false, now_);
  until([&] { return tokens() >= 5; });
  set({"sentence=water"});
  until([&] { return !session_.writing(); });
  for (int i = 0; i < 20; ++i) session_.update(now_ += 0.5);
  EXPECT_EQ(session_.scene().sentence, "water");
}

TEST_F(Writing, WhatPredictsNothingSaysSo) {
  set({"weights=random"});
  session_.write_on(true, now_);
  EXPECT_FALSE(session_.writing());
  EXPECT_NE(session_.message().find("random weights predict no token"), std::string::npos);
  set({"model=pronouns-guided"});
  session_.write_on(true, now_);
  until([&] { return !session_.writing(); });
  EXPECT_NE(session_.message().find("does not predict the next token"), std::string::npos);
  set({"model=dictionary", "model_off=7.1"});
  session_.write_on(true, now_);
  EXPECT_FALSE(session_.writing());
  EXPECT_NE(session_.message().find("model_off 7.1: there "), std::string::npos);
}

}  // namespace
}  // namespace headlight::app
