// The encoder–decoder on the Block page: it fits at every size, its controls are real, a step that is not yet
// decoded shows nothing, and what it says is in its results.
#include "pages/block/view/encoder_decoder_page.h"

#include <gmock/gmock.h>

#include "draw/record_canvas.h"
#include "draw/theme.h"
#include "kit/page_input.h"
#include "page_checks.h"
#include "pages/block/encoder_decoder.h"
#include "pages/block/view/encoder_decoder_view.h"
#include "pages/block/view/page.h"
#include "pages/variants/variants.h"
#include "quantities.h"

namespace headlight::views {
namespace {

using draw::Box;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

nn::Matrix spread(int heads, int rows, int cols, bool causal) {
  nn::Matrix m(heads, rows, cols);
  for (int h = 0; h < heads; ++h) {
    for (int r = 0; r < rows; ++r) {
      const int keys = causal ? r + 1 : cols;
      for (int c = 0; c < keys; ++c) m.at(h, r, c) = 1.f / static_cast<float>(keys);
    }
  }
  return m;
}

/// A word of n letters that is decoded rightly; the attention over the source is on n + 1 − t with 0.9.
struct PairScene {
  scene::Scene scene;
  scene::Results results;

  explicit PairScene(int n, int layers = 1, int heads = 2) {
    scene.page = scene::Page::block;
    scene.block.model = scene::BlockModel::encoder_decoder;
    scene::EncoderDecoderSettings& s = scene.encoder_decoder;
    s.layers = layers, s.heads = heads;
    results.version = 5, results.scene = scene;
    auto r = std::make_shared<scene::EncoderDecoderResults>();
    r->settings = s, r->parameters = 23296, r->n = n;
    r->score.words = 256, r->score.exact = 255, r->score.loss = 0.0021;
    for (int i = 0; i < layers * heads; ++i) r->score.mirrored.push_back({0.81 + 0.01 * i, 0.98, 0.4});
    if (n > 0) decode(*r, n, layers, heads);
    results.own = r;
  }

  static void decode(scene::EncoderDecoderResults& r, int n, int layers, int heads) {
    const std::string letters = "abcdefgh";
    for (int i = 0; i < n; ++i)
      r.source_names.emplace_back(1, letters[static_cast<std::size_t>(i)]), r.source.push_back(i + 2);
    r.decoded_names.assign(r.source_names.rbegin(), r.source_names.rend());
    r.decoded.assign(r.source.rbegin(), r.source.rend());
    r.target_names = {"<begin>"}, r.target = {0};
    r.target_names.insert(r.target_names.end(), r.decoded_names.begin(), r.decoded_names.end());
    r.target.insert(r.target.end(), r.decoded.begin(), r.decoded.end());
    r.source_names.push_back("<end>"), r.decoded_names.push_back("<end>");
    r.source.push_back(1), r.decoded.push_back(1);
    r.exact = true, r.right = n + 1;
    for (int l = 0; l < layers; ++l) {
      r.encoder.push_back(spread(heads, n + 1, n + 1, false));
      r.masked.push_back(spread(heads, n + 1, n + 1, true));
      r.cross.push_back(spread(heads, n + 1, n + 1, false));
      for (int h = 0; h < heads; ++h) {
        for (int t = 0; t < n; ++t) {
          for (int c = 0; c <= n; ++c)
            r.cross.back().at(h, t, c) = c == n - 1 - t ? 0.9f : 0.1f / static_cast<float>(n);
        }
      }
    }
    for (int t = 0; t <= n; ++t) {
      r.earlier.push_back({0, t + 1});
      auto& all = r.candidates.emplace_back();
      all.push_back(
          {r.decoded[static_cast<std::size_t>(t)], r.decoded_names[static_cast<std::size_t>(t)], 0.96});
      for (const char* other : {"q", "w", "z", "k"}) all.push_back({9, other, 0.01});
    }
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
  scenes.emplace_back(8, 3, 4);
  scenes.emplace_back(8, 2, 1);
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
  EXPECT_THAT(all_words(s), HasSubstr("0.90"));
  EXPECT_THAT(all_words(s), HasSubstr("0.81"));
  auto changed =
      std::make_shared<scene::EncoderDecoderResults>(*s.results.own_as<scene::EncoderDecoderResults>());
  changed->exact = false, changed->right = 3;
  changed->cross[0].at(0, 1, 0) = 0.95f;
  s.results.own = changed;
  std::string words = all_words(s);
  std::replace(words.begin(), words.end(), '\n', ' ');
  EXPECT_THAT(words, HasSubstr("0.95 to source position 1"));
  EXPECT_THAT(words, HasSubstr("and 0.90 to source position 4"));
  s.scene.encoder_decoder.step = 6;
  EXPECT_THAT(all_words(s), HasSubstr("token 4 is the first wrong one"));
}

TEST(EncoderDecoderPage, ACellTellsItsWeight) {
  PairScene s(5);
  draw::Hit hit;
  hit.mark.part = draw::Part::note, hit.mark.name = "encdec cross", hit.mark.note = "Cross-attention";
  hit.map = {0, 0, 100, 100}, hit.cell = {3.5f, 1.5f};
  EXPECT_EQ(block_tooltip(s.input(), hit), "Cross-attention\nquery 2 “e” → key 4 “d”: weight 0.90");
  s.scene.encoder_decoder.step = 1;  // the row is covered
  EXPECT_EQ(block_tooltip(s.input(), hit), "Cross-attention");
  hit.mark.name = "encdec masked", hit.cell = {3.5f, 0.5f};
  EXPECT_THAT(block_tooltip(s.input(), hit), HasSubstr("masked"));
  EXPECT_THAT(block_words(s.input()), HasSubstr("255 of 256 held-out words"));
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
