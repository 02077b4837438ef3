// The encoder–decoder on the Block page: it fits at every size, its controls are real, a step that is not yet
// decoded shows nothing, and what it says is in its results.
#include "pages/block/view/encoder_decoder_page.h"

#include <gmock/gmock.h>

#include "base/numbers.h"
#include "draw/record_canvas.h"
#include "draw/theme.h"
#include "kit/page_input.h"
#include "page_checks.h"
#include "pages/block/encoder_decoder.h"
#include "pages/block/view/encoder_decoder_view.h"
#include "pages/block/view/page.h"
#include "quantities.h"
#include "support/computed_scene.h"

namespace headlight::views {
namespace {

using draw::Box;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// The word of the first n letters, by a model that was trained for so many steps: after a whole run it is
/// reversed exactly.
struct PairScene {
  scene::Scene scene;
  scene::Results results;

  explicit PairScene(int n, int layers = 1, int heads = 2, int training = scene::encoder_decoder_steps)
      : scene(scene::page_scene(
            scene::Page::block,
            {"block_model=encoder_decoder",
             "sentence=" + (n > 0 ? std::string("abcdefgh").substr(0, static_cast<std::size_t>(n)) : "1 2 3"),
             "block_encdec_layers=" + std::to_string(layers), "block_encdec_heads=" + std::to_string(heads),
             "block_encdec_training=" + std::to_string(training)})),
        results(scene::known_results(scene)) {
    results.version = 5;
  }
  const scene::EncoderDecoderResults& pair() const { return *results.own_as<scene::EncoderDecoderResults>(); }
  /// A weight of the cross-attention of the first head; step and position count from 1.
  double cross(int step, int position) const {
    return static_cast<double>(pair().cross[0].at(0, step - 1, position - 1));
  }

  PageInput input() const {
    return with_numbers(
        {scene, results, nullptr, nullptr, draw::theme(scene.theme == scene::ThemeName::dark), true, {}});
  }
};

std::vector<std::string> words_of(const draw::RecordCanvas& canvas) {
  std::vector<std::string> out;
  for (const auto& text : canvas.texts) out.push_back(text.words);
  return out;
}

std::string all_words(const PairScene& scene, Box area = {0, 0, 1340, 850}) {
  draw::RecordCanvas canvas;
  block_page(canvas, area, scene.input());
  std::string all;
  for (const std::string& words : words_of(canvas)) all += words + '\n';
  return all;
}

/// Without the colour bar and the legend, which are drawn as maps of one row.
std::vector<draw::RecordCanvas::Map> maps_of(const draw::RecordCanvas& canvas) {
  std::vector<draw::RecordCanvas::Map> out;
  for (const auto& map : canvas.maps) {
    if (map.map.rows > 1) out.push_back(map);
  }
  return out;
}

struct Size {
  float w, h;
};
constexpr Size sizes[] = {{1340, 850}, {1010, 590},  {640, 360},  {480, 700},
                          {960, 900},  {2400, 1400}, {3590, 2010}};

TEST(EncoderDecoderPage, FitsAtEverySize) {
  std::vector<PairScene> scenes;
  for (const int n : {0, 1, 5, 8}) scenes.emplace_back(n);
  scenes.emplace_back(8, 3, 4, 300);
  scenes.emplace_back(8, 2, 1, 300);
  scenes[3].scene.encoder_decoder.step = 3;
  for (const PairScene& s : scenes) {
    for (const Size size : sizes) {
      SCOPED_TRACE(std::to_string(s.results.own_as<scene::EncoderDecoderResults>()->n) + " letters, " +
                   std::to_string(s.scene.encoder_decoder.layers) + " layers at " + std::to_string(size.w));
      draw::RecordCanvas canvas;
      const Box area{100, 50, size.w, size.h};
      const float height = block_page(canvas, area, s.input());
      EXPECT_GE(height, size.h);
      test::expect_texts_apart(canvas, area, height);
      test::expect_controls_real(canvas, area, height);
      EXPECT_EQ(maps_of(canvas).size(), s.results.own_as<scene::EncoderDecoderResults>()->n > 0 ? 3u : 0u);
      for (const auto& map : canvas.maps) {
        EXPECT_GT(map.box.w, 0);
        EXPECT_GE(map.box.x, area.x);
        EXPECT_LE(map.box.right(), area.right());
        EXPECT_LE(map.box.bottom(), area.y + height);
      }
    }
  }
}

TEST(EncoderDecoderPage, TheFirstScreenHoldsEverything) {
  for (const Size size : {Size{1340, 850}, Size{1216, 602}}) {
    draw::RecordCanvas canvas;
    EXPECT_EQ(block_page(canvas, {0, 0, size.w, size.h}, PairScene(8).input()), size.h);
  }
}

TEST(EncoderDecoderPage, ThreeMapsWithTheirOwnShapesAndMask) {
  draw::RecordCanvas canvas;
  const PairScene shown(5);  // the maps that were recorded point into it
  block_page(canvas, {0, 0, 1340, 850}, shown.input());
  const auto maps = maps_of(canvas);
  ASSERT_EQ(maps.size(), 3u);
  EXPECT_TRUE(maps[0].map.allowed.empty() && maps[2].map.allowed.empty());
  ASSERT_EQ(maps[1].map.allowed.size(), 6u);
  EXPECT_EQ(maps[1].map.allowed[2], (base::Interval{0, 3}));
}

/// At step t the tokens of the steps before it and of its own are there, later ones are not.
TEST(EncoderDecoderPage, AStepShowsNoLaterToken) {
  PairScene s(5);  // edcba, then <end>
  s.scene.encoder_decoder.step = 2;
  draw::RecordCanvas canvas;
  block_page(canvas, {0, 0, 1340, 850}, s.input());
  std::vector<std::string> marks;
  for (const draw::Mark& mark : canvas.marks) marks.push_back(mark.name);
  EXPECT_THAT(marks, Contains("encdec step 2"));
  EXPECT_THAT(marks, Not(Contains("encdec step 3")));
  const std::string words = all_words(s);
  EXPECT_THAT(words, HasSubstr("Decoding, step 2 of 6"));
  EXPECT_THAT(words, HasSubstr("not decoded yet"));
  EXPECT_THAT(words, Not(HasSubstr("written backwards exactly\n")));
  s.scene.encoder_decoder.step = 99;  // beyond the last: the last
  EXPECT_THAT(all_words(s), HasSubstr("Decoding, step 6 of 6\nthe word is reversed exactly"));
  EXPECT_THAT(all_words(s), Not(HasSubstr("not decoded yet")));
}

TEST(EncoderDecoderPage, WhatIsSaidIsWhatWasComputed) {
  PairScene s(5);
  s.scene.encoder_decoder.step = 2;
  EXPECT_THAT(all_words(s), HasSubstr(base::weight_text(s.cross(2, 4), 2)));
  EXPECT_THAT(all_words(s), HasSubstr(base::fixed(s.pair().score.mirrored[0].weight, 3)));
  auto changed =
      std::make_shared<scene::EncoderDecoderResults>(*s.results.own_as<scene::EncoderDecoderResults>());
  changed->exact = false, changed->right = 3;
  changed->cross[0].at(0, 1, 0) = 0.95f;
  s.results.own = changed;
  std::string words = all_words(s);
  std::replace(words.begin(), words.end(), '\n', ' ');
  EXPECT_THAT(words, HasSubstr("0.95 to source position 1"));
  EXPECT_THAT(words, HasSubstr("and " + base::weight_text(s.cross(2, 4), 2) + " to source position 4"));
  s.scene.encoder_decoder.step = 6;
  EXPECT_THAT(all_words(s), HasSubstr("token 4 is the first wrong one"));
}

TEST(EncoderDecoderPage, ACellTellsItsWeight) {
  PairScene s(5);
  draw::Hit hit;
  hit.mark.part = draw::Part::note, hit.mark.name = "encdec cross", hit.mark.note = "Cross-attention";
  hit.map = {0, 0, 100, 100}, hit.cell = {3.5f, 1.5f};
  EXPECT_EQ(block_tooltip(s.input(), hit),
            "Cross-attention\nquery “e” 2 → key “d” 4: weight " + base::weight_text(s.cross(2, 4), 3));
  s.scene.encoder_decoder.step = 1;  // the row is covered
  EXPECT_EQ(block_tooltip(s.input(), hit), "Cross-attention");
  hit.mark.name = "encdec masked", hit.cell = {3.5f, 0.5f};
  EXPECT_THAT(block_tooltip(s.input(), hit), HasSubstr("masked"));
  EXPECT_THAT(block_words(s.input()),
              HasSubstr(std::to_string(s.pair().score.exact) + " of 256 held-out words"));
}

TEST(EncoderDecoderPage, WhileItIsTrainedThePageSaysSo) {
  PairScene s(5);
  s.results.own = nullptr;
  PageInput in = s.input();
  in.busy = 0.34f;
  draw::RecordCanvas canvas;
  EXPECT_EQ(block_page(canvas, {0, 0, 1340, 850}, in), 850);
  EXPECT_THAT(words_of(canvas), Contains("Training the encoder–decoder, 34 %"));
}

}  // namespace
}  // namespace headlight::views
