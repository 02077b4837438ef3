// Saved attention in the real interface: opened by a drop, by the file card's way and from the picker, drawn
// on every page that shows it, taken back; what is none leaves the picture as it was.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "draw/record_canvas.h"
#include "dumps/saved.h"
#include "pictures/describe.h"
#include "pictures/page_figure.h"
#include "pictures/pages.h"
#include "pictures/share_figure.h"
#include "program.h"
#include "scene/figure_scene.h"
#include "scene/saved_attention.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "scene/trained_model.h"
#include "session/document.h"
#include "support/reference_data.h"

namespace headlight::app {
namespace {

using nlohmann::json;
using scene::Page;
using scene::Scene;
using screen::Key;
using testing::HasSubstr;
using testing::Not;

class SavedAttentionUi : public tests::ProgramTest {
 protected:
  SavedAttentionUi() {
    ::setenv("XDG_STATE_HOME", folder_.path().c_str(), 1);
    const tests::ReferenceData& data = tests::ReferenceData::instance();
    if (!data.bytes("dumps/manifest.json")) return;
    dumps_ = data.on_disk("dumps");
    manifest_ = data.json("dumps/manifest.json");
  }
  std::filesystem::path dump(const std::string& path) const { return dumps_ / path; }
  void open(const std::filesystem::path& path) {
    shell_->desk().document().drop({path.string()}, now_);
    session_->wait();
    pilot_.frames(3);
  }
  std::string message() const { return describe_session(*session_, 3); }

  std::filesystem::path dumps_;
  json manifest_;
};

TEST_F(SavedAttentionUi, ADropShowsItAndThePickerTakesItBack) {
  start({}, {.folder = folder_.path()});
  const std::string sentence = scene().sentence;
  open(dump("npz-stacked/dump.npz"));
  ASSERT_TRUE(session_->results().opened && session_->results().opened->saved);
  EXPECT_THAT(session_->message(), HasSubstr("saved in float32"));
  EXPECT_THAT(message(), HasSubstr("7 tokens, dump.npz (saved attention, float32), layer 1 of 2, 4 heads"));
  EXPECT_THAT(message(), HasSubstr("because"));
  // Its tokens are shown and cannot be typed over.
  done(pilot_.click("top/sentence"));
  pilot_.type("x");
  EXPECT_EQ(scene().sentence, sentence);
  EXPECT_TRUE(session_->results().opened);
  pilot_.key(Key::escape);
  // A digit chooses a head, a click another layer's map of the Model page.
  pilot_.key(Key::digit_3);
  EXPECT_EQ(scene().head, scene::IndexList{3});
  done(pilot_.click("tabs/scene weights"));
  done(pilot_.click("models/list/random weights"));
  EXPECT_FALSE(session_->results().opened);
  EXPECT_EQ(session_->results().tokens.size(), 6u);
  done(pilot_.click("tabs/scene weights"));
  done(pilot_.click("models/list/dump.npz"));
  session_->wait();
  pilot_.frames(3);
  ASSERT_TRUE(session_->results().opened);
  EXPECT_EQ(session_->results().tokens.size(), 7u);
}

/// The window opens before the file is read, with random weights in its place; they have fewer heads.
TEST_F(SavedAttentionUi, TheFirstFrameHasAHeadThatOnlyTheFileHas) {
  constexpr std::size_t heads = 12, T = 400;
  std::vector<float> weights(heads * T * T, 0.f);
  for (std::size_t row = 0; row < heads * T; ++row) weights[row * T + row % T] = 1;
  const std::filesystem::path large = folder_ / "large.npy";
  tests::put(large, tests::npy_bytes("<f4", "(12, 400, 400)", tests::raw(weights)));
  int shown = 0;
  for (const PageInfo& page : pages()) {
    SCOPED_TRACE(static_cast<int>(page.page()));
    Scene scene;
    ASSERT_TRUE(scene::set_field(scene, "attention=" + large.string()));
    scene.page = page.page(), scene.head = {11}, scene.query = {399};
    shell_.reset();
    session_ = std::make_unique<Session>(Session::Start{.scene = scene, .autosave = {}});
    shell_ =
        std::make_unique<Shell>(*session_, input_, screen_.textures, DeskStart{.folder = folder_.path()});
    shell_->ui().recorder = &recorder_;
    pilot_.frames(2);
    session_->wait();
    pilot_.frames(2);
    if (!session_->results().opened) continue;  // of random weights there is no such head
    EXPECT_EQ(session_->scene().head, scene::IndexList{11});
    ++shown;
  }
  EXPECT_GE(shown, 3);
}

TEST_F(SavedAttentionUi, EverySoundOneIsDrawnOnEveryPageThatShowsIt) {
  int drawn = 0;
  for (const json& entry : manifest_.at("cases")) {
    if (entry.at("expect") != "ok") continue;
    SCOPED_TRACE(entry.at("id").get<std::string>());
    Scene scene;
    ASSERT_TRUE(scene::set_field(scene, "attention=" + dump(entry.at("path")).string()));
    for (const Page page : {Page::attention, Page::model, Page::compare}) {
      scene.page = page;
      for (const auto view :
           {scene::AttentionView::matrix, scene::AttentionView::ribbons, scene::AttentionView::arcs}) {
        if (page != Page::attention && view != scene::AttentionView::matrix) continue;
        scene.attention.view = view;
        start(scene, {.folder = folder_.path()});
        ASSERT_TRUE(session_->results().opened) << session_->message();
        pilot_.frames(2);
        const std::string words = message();
        EXPECT_THAT(words, HasSubstr("saved attention"));
        EXPECT_THAT(words, Not(HasSubstr("nan")));
        ++drawn;
      }
    }
  }
  EXPECT_GT(drawn, 100);
}

/// In the figure of the page and in its description, with the same words.
TEST_F(SavedAttentionUi, APageThatCannotShowItSaysSoAtEveryDoor) {
  Scene scene;
  ASSERT_TRUE(scene::set_field(scene, "attention=" + dump("npz-stacked/dump.npz").string()));
  for (const Page page : {Page::block, Page::order, Page::position, Page::variants, Page::memory}) {
    scene.page = page;
    start(scene, {.folder = folder_.path()});
    pilot_.frames(2);
    const std::string& words = session_->results().instead;
    ASSERT_THAT(words, HasSubstr("dump.npz holds no model."));
    EXPECT_THAT(message(), HasSubstr(words + "\n"));
    const auto picture = page_figure({.page = page, .width = 1600, .height = 1000}, FigureFormat::svg,
                                     page_input(*session_, draw::theme(true)));
    ASSERT_TRUE(picture) << picture.error();
    EXPECT_THAT(*picture, HasSubstr("This page shows ")) << scene::word(page);
    EXPECT_THAT(*picture, HasSubstr("or choose Attention, Model or Compare."));
  }
}

TEST_F(SavedAttentionUi, WhatIsNoneIsOneLineAndThePictureStays) {
  start({}, {.folder = folder_.path()});
  open(dump("npy-cross/cross.npy"));
  const Scene before = scene();
  const auto version = session_->results().version;
  for (const json& entry : manifest_.at("cases")) {
    if (entry.at("expect") != "error") continue;
    SCOPED_TRACE(entry.at("id").get<std::string>());
    session_->say("", now_);
    shell_->desk().document().drop({dump(entry.at("path")).string()}, now_);
    session_->wait();
    EXPECT_NE(session_->message(), "");
    EXPECT_EQ(session_->message().find('\n'), std::string::npos);
    EXPECT_EQ(scene(), before);
    EXPECT_EQ(session_->results().version, version);
  }
  EXPECT_THAT(message(), HasSubstr("5 queries, 9 keys"));
}

TEST_F(SavedAttentionUi, CrossAttentionHasTwoLinesOfWords) {
  Scene scene;
  ASSERT_TRUE(scene::set_field(scene, "attention=" + dump("npy-cross/cross.npy").string()));
  scene.query = {1}, scene.key = 8;
  start(scene, {.folder = folder_.path()});
  EXPECT_THAT(message(), HasSubstr("chat     → was"));
  const nn::CellTrace* cell = session_->cell();
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->key, 8);
  // One line of words is not to be had.
  const auto card =
      share_figure({1200, 630}, 1, FigureFormat::png, shell_->page().input(*session_, shell_->theme()));
  ASSERT_FALSE(card);
  EXPECT_THAT(card.error(), HasSubstr("different tokens"));
}

TEST_F(SavedAttentionUi, ItIsKeptInTheSceneFile) {
  Scene scene;
  ASSERT_TRUE(scene::set_field(scene, "attention=" + dump("pt-dict/dump.pt").string()));
  scene.weights_layer = 2;
  const auto path = folder_ / "scene.json";
  ASSERT_TRUE(scene::save(scene, path));
  const auto again = scene::load(path);
  ASSERT_TRUE(again) << again.error();
  start(*again, {.folder = folder_.path()});
  ASSERT_TRUE(session_->results().opened);
  EXPECT_EQ(session_->results().opened->layer, 1);
  const auto named = scene::scene_in_file(dump("pt-dict/dump.pt"));
  ASSERT_TRUE(named) << named.error();
  EXPECT_TRUE(scene::saved_attention(*named));
}

TEST_F(SavedAttentionUi, ARunOfOnesOwnIsChosenInThePanelAndSaidInFull) {
  Scene scene;
  scene.page = Page::model;
  ASSERT_TRUE(scene::set_field(scene, "attention=" + dump("npy-lhtt/attention.npy").string()));
  ASSERT_TRUE(scene::set_field(scene, "model_beside=" + dump("npy-lhtt/attention.npy").string()));
  start(scene, {.folder = folder_.path()});
  EXPECT_THAT(message(), HasSubstr("beside attention.npy: the same numbers in every layer"));
  scene.model.beside = dump("npy-htt/layer3.npy").string();
  start(scene, {.folder = folder_.path()});
  EXPECT_THAT(message(), HasSubstr("they cannot be compared"));
}

/// Without q and k there are neither components nor a plane: the weights are shown, and it is said why.
TEST_F(SavedAttentionUi, WithoutQueriesAndKeysTheHeadShowsItsWeightsAndSaysWhy) {
  for (const char* detail : {"components", "plane"}) {
    Scene scene;
    ASSERT_TRUE(scene::set_field(scene, "attention=" + dump("npy-lhtt/attention.npy").string()));
    ASSERT_TRUE(scene::set_field(scene, std::string("model_detail=") + detail));
    scene.page = Page::model;
    start(scene, {.folder = folder_.path()});
    EXPECT_THAT(message(), HasSubstr("no q × k and no plane: the file holds no q and k"));
    draw::RecordCanvas canvas;
    page_info(Page::model).view.draw(canvas, {0, 0, 1340, 850}, page_input(*session_, draw::theme(true)));
    std::string words;
    for (const auto& text : canvas.texts) words += text.words + " ";
    EXPECT_THAT(words, HasSubstr("no q × k and no plane: the file holds no q and k"));
    EXPECT_THAT(words, HasSubstr("weight on the previous token"));
    bool weights = false;
    for (const auto& map : canvas.maps)
      weights |= map.map.values == session_->results().attention.weights.plane(0);
    EXPECT_TRUE(weights);
  }
}

TEST_F(SavedAttentionUi, FiltersAreSaidOnThePicture) {
  Scene scene;
  ASSERT_TRUE(scene::set_field(scene, "attention=" + dump("npy-lhtt/attention.npy").string()));
  scene.shown_tokens = "cat mat", scene.attention.least_weight = 0.05;
  for (const auto view :
       {scene::AttentionView::matrix, scene::AttentionView::ribbons, scene::AttentionView::arcs}) {
    scene.attention.view = view;
    start(scene, {.folder = folder_.path()});
    EXPECT_THAT(message(), HasSubstr("not drawn: 6 of 8 queries, 6 of 8 keys, weights below 0.05"));
  }
  scene.shown_tokens = "none of them";  // an empty picture is drawn, too
  for (const auto view :
       {scene::AttentionView::matrix, scene::AttentionView::ribbons, scene::AttentionView::arcs}) {
    scene.attention.view = view;
    start(scene, {.folder = folder_.path()});
    EXPECT_THAT(message(), HasSubstr("8 of 8 keys"));
  }
}

/// The ramp of differences has its limits as numbers, a tick a decade and a mark where rounding ends.
TEST_F(SavedAttentionUi, TheRampOfDifferencesTellsItsLimits) {
  Scene scene;
  scene.page = Page::model;
  ASSERT_TRUE(scene::set_field(scene, "attention=" + dump("npy-lhtt/attention.npy").string()));
  ASSERT_TRUE(scene::set_field(scene, "model_beside=" + dump("npy-lhtt/attention.npy").string()));
  start(scene, {.folder = folder_.path()});
  pilot_.frames(3);
  draw::RecordCanvas canvas;
  page_info(Page::model).view.draw(canvas, {0, 0, 1536, 882}, page_input(*session_, draw::theme(true)));
  const auto message = [&](const std::string& words) {
    return std::find_if(canvas.texts.begin(), canvas.texts.end(),
                        [&](const auto& text) { return text.words.starts_with(words); });
  };
  ASSERT_NE(message("|a − b|, log"), canvas.texts.end());
  EXPECT_NE(message("≤ 1e−10"), canvas.texts.end());  // six decades below what rounding explains, 10⁻⁴
  EXPECT_NE(message("▼ rounding ends"), canvas.texts.end()) << "nothing is framed";
  const float below = message("|a − b|, log")->at.y;
  int ticks = 0;
  for (const std::string& line : canvas.lines) {
    float x = 0, y = 0, to_x = 0, to_y = 0;
    if (std::sscanf(line.c_str(), "line %f %f %f %f", &x, &y, &to_x, &to_y) == 4)
      ticks += x == to_x && to_y - y == 3 && std::abs(y - below) < 14;
  }
  EXPECT_EQ(ticks, 7);
}

}  // namespace
}  // namespace headlight::app
