// The Block page: it fits at every size, its controls are real, what it says is in the trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "block_fixture.h"
#include "draw/pick_canvas.h"
#include "kit/cells.h"
#include "kit/page_input.h"
#include "page_checks.h"
#include "pages/block/block.h"
#include "pages/block/view/page.h"
#include "pages/block/view/view.h"

namespace headlight::views::block_page_test {
namespace {

using draw::Box;
using scene::BlockStage;
using test::BlockScene;
using test::says;

struct Size {
  float w, h;
};
constexpr Size sizes[] = {{1340, 850}, {1050, 590},  {640, 360},  {480, 700},
                          {960, 900},  {2400, 1400}, {3590, 2010}};

std::vector<BlockScene> scenes() {
  std::vector<BlockScene> all;
  scene::BlockSettings s;
  all.emplace_back(6, 4, s);
  s.norm = scene::BlockNorm::post, s.causal = true, s.layers = 12, s.layer = 12, s.head = 16;
  all.emplace_back(128, 16, s);
  s = {}, s.layers = 1, s.head = 1000;
  all.emplace_back(1, 1, s);
  s = {}, s.layers = 2, s.layer = 2, s.activation = scene::BlockActivation::relu;
  all.emplace_back(2, 64, s);
  all.emplace_back(30, 8);
  all.back().scene.theme = scene::ThemeName::light;
  return all;
}

TEST(BlockPage, FitsAtEverySize) {
  for (const BlockScene& s : scenes()) {
    for (const Size size : sizes) {
      SCOPED_TRACE(std::to_string(s.results.own_as<scene::BlockResults>()->T) + " tokens at " +
                   std::to_string(size.w));
      draw::RecordCanvas canvas;
      const Box area{100, 50, size.w, size.h};
      const float height = block_page(canvas, area, s.input());
      EXPECT_GE(height, size.h);
      test::expect_texts_apart(canvas, area, height);
      test::expect_controls_real(canvas, area, height);
      for (const auto& map : canvas.maps) {
        EXPECT_GT(map.box.w, 0);
        EXPECT_GT(map.box.h, 0);
        EXPECT_GE(map.box.x, area.x);
        EXPECT_LE(map.box.right(), area.right());
        EXPECT_LE(map.box.bottom(), area.y + height);
      }
    }
  }
}

TEST(BlockPage, TheFirstScreenHoldsEverything) {
  draw::RecordCanvas canvas;
  EXPECT_EQ(block_page(canvas, {0, 0, 1340, 850}, BlockScene(6, 4).input()), 850);
}

/// The frame of the picture that is shown large ends below the letters of its title.
TEST(BlockPage, NoFrameCutsATitle) {
  for (const auto& [w, h] : {std::pair{560.f, 300.f}, {1216.f, 560.f}, {1340.f, 850.f}}) {
    draw::RecordCanvas canvas;
    block_page(canvas, {0, 0, w, h}, BlockScene(6, 8).input());
    const draw::RecordCanvas::Map* large = nullptr;
    for (const auto& map : canvas.maps) {
      if (!large && map.map.rows == 6 && map.map.cols == 6) large = &map;  // of the flow, which comes first
    }
    ASSERT_NE(large, nullptr);
    const auto title = std::find_if(canvas.texts.begin(), canvas.texts.end(), [](const auto& text) {
      return text.words.starts_with("weights") && text.style.font == draw::Font::semibold;
    });
    ASSERT_NE(title, canvas.texts.end());
    constexpr float frame = 3, below_middle = 0.58f;  // of the em: where letters end
    EXPECT_LE(title->at.y + below_middle * title->style.size, large->box.y - frame);
  }
}

/// Eight heads of six layers on the second screen of a low window, and on the first of a large one.
TEST(BlockPage, TheHeadsAreLargeEnoughToRead) {
  for (const auto& [w, h] : {std::pair{1216.f, 560.f}, {1536.f, 850.f}}) {
    draw::RecordCanvas canvas;
    block_page(canvas, {0, 0, w, h}, BlockScene(6, 8).input());
    const draw::Mark* head = test::marked(canvas, "layer 6 head 8");
    ASSERT_NE(head, nullptr);
    EXPECT_GE(head->area.w, 36) << w;
  }
}

TEST(BlockPage, StagesStandInTheOrderOfTheNorm) {
  const auto titles = [](scene::BlockNorm norm, int layer) {
    scene::BlockSettings s;
    s.norm = norm, s.layer = layer;
    const BlockScene scene(6, 4, s);
    const PageInput in = scene.input();
    std::vector<std::string> all;
    for (const BlockPanel& panel : block_panels(BlockSelection(in))) all.push_back(panel.title);
    return all;
  };
  using List = std::vector<std::string>;
  EXPECT_EQ(titles(scene::BlockNorm::pre, 1),
            (List{"x: tokens + positions", "norm 1", "weights, head 1", "attention", "+ x: a", "norm 2",
                  "hidden, GELU", "feed-forward", "+ a: y", ""}));
  EXPECT_EQ(titles(scene::BlockNorm::post, 6),
            (List{"x: from layer 5", "weights, head 1", "attention", "+ x", "norm 1: a", "hidden, GELU",
                  "feed-forward", "+ a", "norm 2: y"}));
  EXPECT_EQ(titles(scene::BlockNorm::pre, 6).back(), "final norm");
}

TEST(BlockPage, EveryStageCanBeShownLarge) {
  for (const auto norm : {scene::BlockNorm::pre, scene::BlockNorm::post}) {
    scene::BlockSettings settings;
    settings.norm = norm, settings.layer = 6;  // the last: there is a final norm with pre
    BlockScene s(6, 4, settings);
    const std::vector<BlockPanel> panels = [&] {
      const PageInput in = s.input();
      return block_panels(BlockSelection(in));
    }();
    for (const BlockPanel& panel : panels) {
      SCOPED_TRACE(panel.title);
      // What a click on its picture says is what shows it.
      draw::RecordCanvas measure;
      draw::PickCanvas pick({-1, -1}, measure);
      s.scene.block.shown = scene::BlockShown::weights;
      block_page(pick, {0, 0, 1340, 850}, s.input());
      std::string set;
      for (const auto& target : pick.targets())
        if (target.mark.name == panel.name) set = target.mark.set;
      EXPECT_EQ(set, std::string("block_stage=") + scene::word(panel.shown));
      s.scene.block.shown = panel.shown;
      draw::RecordCanvas canvas;
      block_page(canvas, {0, 0, 1340, 850}, s.input());
      test::expect_texts_apart(canvas, {0, 0, 1340, 850}, 2000);
      float largest = 0;
      const float* values = nullptr;
      for (const auto& map : canvas.maps) {
        if (map.box.w * map.box.h > largest) largest = map.box.w * map.box.h, values = map.map.values;
      }
      EXPECT_EQ(values,
                panel.kind == BlockPanel::Kind::map
                    ? s.results.own_as<scene::BlockResults>()->trace.layers[5].attention.weights.plane(0)
                    : panel.values->data());
    }
    s.scene.block.shown = scene::BlockShown::final_norm, s.scene.block.layer = 1;
    const PageInput in = s.input();
    const std::vector<BlockPanel> first = block_panels(BlockSelection(in));
    EXPECT_EQ(shown_panel(BlockSelection(in), first).kind, BlockPanel::Kind::map) << "not of this layer";
  }
}

TEST(BlockPage, LettersBesideTheMapAreWritten) {
  for (const int T : {12, 17, 24, 35}) {
    scene::Scene letters = test::block_scene(T, 4);
    letters.sentence.clear();
    for (int t = 0; t < T; ++t) letters.sentence += std::string(1, static_cast<char>('a' + t % 26)) + " ";
    const BlockScene s(letters);
    for (const Size size : {Size{1020, 670}, Size{1340, 850}, Size{640, 360}}) {
      SCOPED_TRACE(std::to_string(T) + " at " + std::to_string(size.w));
      draw::RecordCanvas canvas;
      block_page(canvas, {0, 0, size.w, size.h}, s.input());
      for (const auto& text : canvas.texts)
        EXPECT_FALSE(text.words.ends_with("…") && text.words.size() < 7) << text.words;
    }
  }
}

TEST(BlockPage, EveryPictureShowsItsOwnMatrixOnItsOwnScale) {
  scene::BlockSettings settings;
  settings.layer = 3;
  const BlockScene s(6, 4, settings);
  draw::RecordCanvas canvas;
  block_page(canvas, {0, 0, 1340, 850}, s.input());
  int matrices = 0, small_maps = 0, tiles = 0;
  for (const auto& map : canvas.maps) {
    tiles += map.map.rows == 4 * 6 && map.map.hi == 1;  // a layer's four heads stand on one sheet
    if (map.map.rows != 6) continue;
    if (map.map.map != draw::Colormap::signed_weight) {
      EXPECT_EQ(map.map.lo, 0);
      EXPECT_EQ(map.map.hi, 1);
      ++small_maps;
      continue;
    }
    ++matrices;
    bool known = false;
    for (int stage = 0; stage < scene::block_stages; ++stage) {
      const auto which = static_cast<BlockStage>(stage);
      if (map.map.values != s.results.own_as<scene::BlockResults>()->stage(2, which).data()) continue;
      known = true;
      EXPECT_EQ(map.map.hi, s.results.own_as<scene::BlockResults>()->statistics_of(2, which).largest);
      EXPECT_EQ(map.map.lo, -map.map.hi);
    }
    EXPECT_TRUE(known);
  }
  EXPECT_EQ(matrices, 8);
  EXPECT_EQ(small_maps, 2);  // the large one and the one in the flow
  EXPECT_EQ(tiles, 6 * 4);
}

TEST(BlockPage, AllMapsOfWeightsHaveTheScaleOfTheScene) {
  BlockScene s(16, 4);
  std::vector<float> weights;  // of so few tokens every point of a tile is one
  for (const auto& layer : s.results.own_as<scene::BlockResults>()->trace.layers) {
    const auto of_layer = layer.attention.weights.values();
    weights.insert(weights.end(), of_layer.begin(), of_layer.end());
  }
  const auto [scale, above] = test::expected_scale(weights);
  ASSERT_LT(scale, 1);
  EXPECT_GE(above, 0);
  const std::string automatic = (above > 0 ? "0 … ≥ " : "0 … ") + brief(static_cast<double>(scale), 2);
  for (const auto& [kind, end, words] : {std::tuple{scene::MapScale::by_length, 1.f, std::string("0 … 1")},
                                         std::tuple{scene::MapScale::automatic, scale, automatic},
                                         std::tuple{scene::MapScale::log, 1.f, std::string("≤ 10⁻⁴ … 1")}}) {
    s.scene.map_scale = kind;
    draw::RecordCanvas canvas;
    block_page(canvas, {0, 0, 1340, 850}, s.input());
    int maps = 0;
    for (const auto& map : canvas.maps) {
      if (map.map.map != draw::Colormap::weight || map.map.rows == 1) continue;
      EXPECT_FLOAT_EQ(map.map.hi, end);
      EXPECT_EQ(map.map.decades > 0, kind == scene::MapScale::log);
      ++maps;
    }
    EXPECT_EQ(maps, 6 * 4 + 2);
    EXPECT_TRUE(says(canvas, words)) << words;
  }
}

/// The rows of both lines of pictures have names, and the weights names of their columns as well.
TEST(BlockPage, BothRowsOfTheFlowNameTheirTokensAndTheWeightsTheirKeys) {
  const BlockScene s(4, 4);
  draw::RecordCanvas canvas;
  block_page(canvas, {0, 0, 1340, 850}, s.input());
  float weights = -1;
  for (const auto& map : canvas.maps) {
    if (map.map.map != draw::Colormap::weight || map.map.rows != 4) continue;
    weights = std::max(weights, map.box.w);
    if (weights == map.box.w && map.box.y < 300) {
      for (const auto& other : canvas.maps) {
        if (other.map.map == draw::Colormap::signed_weight && std::abs(other.box.y - map.box.y) < 1)
          EXPECT_EQ(other.box.h, map.box.h) << "as high as the pictures beside it";
      }
    }
  }
  EXPECT_GT(weights, 0);
  const std::string token = shown_token(s.results.tokens[1].text);
  int right = 0, centred = 0;
  for (const auto& text : canvas.texts) {
    if (text.words != token || text.at.y > 480) continue;
    right += text.style.align == draw::Align::right;
    centred += text.style.align == draw::Align::centre;
  }
  EXPECT_EQ(right, 2);
  EXPECT_EQ(centred, 1);
}

/// Each stage up to its own largest element, or all up to the largest of all, as the bar says.
TEST(BlockPage, TheStagesHaveTheirOwnScalesOrOne) {
  BlockScene s(6, 4);
  for (const bool common : {false, true}) {
    s.scene.block.scale = common ? scene::BlockScale::common : scene::BlockScale::own;
    draw::RecordCanvas canvas;
    block_page(canvas, {0, 0, 1340, 850}, s.input());
    std::set<float> ends;
    float largest = 0;
    for (const auto& map : canvas.maps) {
      if (map.map.map != draw::Colormap::signed_weight || map.map.rows != 6) continue;
      ends.insert(map.map.hi);
      const std::size_t count =
          static_cast<std::size_t>(map.map.rows) * static_cast<std::size_t>(map.map.cols);
      largest = std::max(largest, largest_magnitude({map.map.values, count}));
    }
    ASSERT_FALSE(ends.empty());
    EXPECT_FLOAT_EQ(*ends.rbegin(), largest);
    EXPECT_EQ(ends.size() == 1, common);
    EXPECT_TRUE(says(canvas, common ? "one ± scale" : "each with its own ± scale"));
    EXPECT_EQ(says(canvas, "+" + fixed(static_cast<double>(largest), 2)), common);
    int chosen = 0;
    for (const draw::Mark& mark : canvas.marks) chosen += mark.set.starts_with("block_scale=");
    EXPECT_EQ(chosen, 2);
  }
}

TEST(BlockPage, OneClickOpensAnyHeadOfAnyLayer) {
  const BlockScene s(6, 4);
  draw::RecordCanvas canvas;
  block_page(canvas, {0, 0, 1340, 850}, s.input());
  int found = 0;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.set.find(";block_head=") != std::string::npos) ++found;
    if (mark.name != "layer 5 head 3") continue;
    EXPECT_EQ(mark.set, "block_layer=5;block_head=3;block_stage=weights");
  }
  EXPECT_EQ(found, 24);
}

/// Each head of each layer: its control, apart from the others, and its own picture under it.
void expect_every_head(const BlockScene& s, Size size) {
  SCOPED_TRACE(std::to_string(s.results.own_as<scene::BlockResults>()->layers) + " layers at " +
               std::to_string(size.w));
  draw::RecordCanvas canvas;
  const PageInput in = s.input();
  const float height = block_page(canvas, {0, 0, size.w, size.h}, in);
  const BlockSelection block(in);
  std::map<std::string, Box> areas;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.set.find(";block_head=") != std::string::npos) areas[mark.set] = mark.area;
  }
  ASSERT_EQ(areas.size(),
            static_cast<std::size_t>(block.heads * s.results.own_as<scene::BlockResults>()->layers));
  std::map<std::pair<int, int>, int> places;  // every tile begins in a square of its own
  const float least = areas.begin()->second.w, low = areas.begin()->second.h;  // they may be oblong
  EXPECT_GE(least, 6.5f);
  for (const auto& [set, area] : areas) {
    EXPECT_GE(area.w, 6.5f) << set;
    EXPECT_GE(area.h, 6.5f) << set;
    EXPECT_LE(area.bottom(), height);
    EXPECT_LE(area.right(), size.w);
    EXPECT_EQ((places[{static_cast<int>(area.centre().x / (least + 1)),
                       static_cast<int>(area.centre().y / (low + 1))}]++),
              0)
        << set;
  }
  for (int n = 0; n < 30; ++n) {
    const int layer = n * 7 % s.results.own_as<scene::BlockResults>()->layers, head = n * 131 % block.heads;
    const std::string set = "block_layer=" + std::to_string(layer + 1) +
                            ";block_head=" + std::to_string(head + 1) + ";block_stage=weights";
    ASSERT_TRUE(areas.count(set)) << set;
    draw::PickCanvas pick(areas[set].centre(), canvas);
    block_page(pick, {0, 0, size.w, size.h}, in);
    EXPECT_EQ(pick.hit().mark.set, set);
    const nn::Matrix& sheet =
        s.results.own_as<scene::BlockResults>()
            ->tiles.sheets[static_cast<std::size_t>(layer)][static_cast<std::size_t>(head / 32)];
    bool own = false;
    for (const auto& map : canvas.maps) {
      own =
          own || (map.map.values == sheet.data() && map.box.x == areas[set].x && map.box.y == areas[set].y &&
                  map.map.view.y == static_cast<float>(head % 32 * sheet.cols()));
    }
    EXPECT_TRUE(own) << set;
  }
}

TEST(BlockPage, OneClickReachesAnyHeadOfAnyLayerHoweverManyThereAre) {
  scene::BlockSettings settings;
  for (const auto& [layers, heads] : {std::pair{6, 17}, {12, 128}, {12, 256}, {3, 1024}, {1, 1}}) {
    settings.layers = layers;
    const BlockScene s(2, heads, settings);
    for (const Size size : {Size{1340, 850}, Size{1010, 560}, Size{352, 230}, Size{3590, 2010}})
      expect_every_head(s, size);
  }
}

TEST(BlockPage, NoNumberIsCutOnANarrowPage) {
  const BlockScene first(6, 4);
  for (const float w : {352.f, 480.f, 640.f}) {
    draw::RecordCanvas canvas;
    block_page(canvas, {0, 0, w, 300}, first.input());
    for (const auto& text : canvas.texts) {
      const bool number = std::any_of(text.words.begin(), text.words.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
      EXPECT_FALSE(number && text.words.ends_with("…")) << text.words << " at " << w;
    }
    const scene::ElementStatistics& input =
        first.results.own_as<scene::BlockResults>()->statistics_of(0, BlockStage::input);
    const std::string deviation = fixed(input.deviation, 2);
    EXPECT_TRUE(says(canvas, "std " + deviation) || (w < 400 && says(canvas, "σ " + deviation)));
    EXPECT_EQ(says(canvas, "σ "), w < 400) << "where there is no room for the word";
    EXPECT_TRUE(says(canvas, "±" + fixed(static_cast<double>(input.largest), 2)));
  }
}

TEST(BlockPage, GridNumbersAreNotRounded) {
  BlockScene s(6, 4);
  auto r = std::make_shared<scene::BlockResults>(*s.results.own_as<scene::BlockResults>());
  for (nn::StageStatistics& stage : r->stream) stage.variance = 2.4 * 2.4;  // the axis ends at 2.5
  s.results.own = r;
  draw::RecordCanvas canvas;
  block_page(canvas, {0, 0, 1340, 850}, s.input());
  EXPECT_TRUE(says(canvas, "1.25"));
}

TEST(BlockPage, ATokenAttendsToItselfToo) {
  const auto message = [](int tokens, const char* words) {
    const BlockScene s(tokens, 4);
    draw::RecordCanvas canvas;
    block_page(canvas, {0, 0, 1340, 850}, s.input());
    return says(canvas, words);
  };
  EXPECT_TRUE(message(6, "every token attends to all tokens"));
  EXPECT_FALSE(message(6, "every other"));
  EXPECT_TRUE(message(1, "pre-norm: a = x"));
  EXPECT_FALSE(message(1, "every token")) << "there is only one";
}

TEST(BlockPage, SaysTheNumbers) {
  const BlockScene s(6, 4);
  draw::RecordCanvas canvas;
  block_page(canvas, {0, 0, 1340, 850}, s.input());
  // The input is x: its largest component, and the mean norm of its rows.
  const nn::Matrix& x = s.results.x;
  double largest = 0, norms = 0;
  for (int t = 0; t < 6; ++t) {
    double squares = 0;
    for (const float value : x.row(t)) {
      largest = std::max(largest, std::abs(static_cast<double>(value)));
      squares += static_cast<double>(value) * static_cast<double>(value);
    }
    norms += std::sqrt(squares) / 6;
  }
  EXPECT_TRUE(says(canvas, "±" + fixed(largest, 2)));
  const nn::Matrix& weights = s.results.own_as<scene::BlockResults>()->trace.layers[0].attention.weights;
  for (int key = 0; key < 6; ++key)
    EXPECT_TRUE(says(canvas, fixed(static_cast<double>(weights.at(0, 2, key)), 2)));
  EXPECT_TRUE(says(canvas, "6 × 8, hidden 6 × 32"));
  EXPECT_TRUE(says(canvas, fixed(norms, 2) + " at the input"));
  EXPECT_TRUE(says(canvas, "query ↓  key →"));
  const auto norm = [&](std::size_t stage) {
    return s.input().text("stream_norm stage=" + std::to_string(stage));
  };
  const std::size_t last =
      s.input().results.own_as<scene::BlockResults>()->stream.size() - 1;  // after the final norm
  EXPECT_NE(norm(last), norm(last - 1));
  EXPECT_NE(block_words(s.input()).find("norm of a token " + fixed(norms, 2) + " → " + norm(last - 1)),
            std::string::npos);
}

TEST(BlockPage, ThePointerReadsValues) {
  scene::BlockSettings settings;
  settings.causal = true;
  const BlockScene s(6, 4, settings);
  draw::RecordCanvas canvas;
  const Box area{0, 0, 1340, 850};
  block_page(canvas, area, s.input());
  const auto tooltip_at = [&](const draw::Heatmap& wanted, int col, int row, float least) {
    for (const auto& map : canvas.maps) {
      if (map.map.values != wanted.values || map.map.rows != wanted.rows || map.box.w < least) continue;
      draw::PickCanvas pick(draw::cell_box(map.box, map.map, col, row).centre(), canvas);
      block_page(pick, area, s.input());
      return block_tooltip(s.input(), pick.hit());
    }
    return std::string("no such map");
  };
  draw::Heatmap wanted;
  wanted.values = s.results.own_as<scene::BlockResults>()->trace.layers[0].attention.weights.data(),
  wanted.rows = 6;
  const std::string open = tooltip_at(wanted, 1, 3, 150), masked = tooltip_at(wanted, 4, 3, 150);
  EXPECT_NE(open.find("“token3” 3 → key “token1” 1"), std::string::npos) << open;
  const auto weight = static_cast<double>(
      s.results.own_as<scene::BlockResults>()->trace.layers[0].attention.weights.at(0, 3, 1));
  EXPECT_NE(open.find("α = " + fixed(weight, 2)), std::string::npos) << open;
  EXPECT_NE(masked.find("masked"), std::string::npos) << masked;
  const nn::Matrix& output = s.results.own_as<scene::BlockResults>()->stage(0, BlockStage::ffn_sum);
  wanted.values = output.data();
  const std::string value = tooltip_at(wanted, 5, 2, 20);
  EXPECT_NE(value.find("component 5: " + fixed(static_cast<double>(output.at(2, 5)), 4)), std::string::npos)
      << value;
}

TEST(BlockPage, WhatIsLeftOutIsSaid) {
  scene::BlockSettings settings;
  settings.layers = 12;
  const BlockScene s(150, 256, settings);
  const int T = s.results.own_as<scene::BlockResults>()->T;
  ASSERT_LT(T, 150);
  draw::RecordCanvas canvas;
  block_page(canvas, {0, 0, 1340, 850}, s.input());
  EXPECT_TRUE(says(canvas, "the first " + std::to_string(T) + " of 150 tokens"));
  EXPECT_TRUE(says(canvas, "its 256 heads"));
  EXPECT_NE(block_words(s.input()).find(std::to_string(150 - T) + " tokens omitted"), std::string::npos);
  const BlockScene wide(2, 1024, settings);
  const int layers = wide.results.own_as<scene::BlockResults>()->layers;
  ASSERT_LT(layers, 11);
  draw::RecordCanvas other;
  block_page(other, {0, 0, 1340, 850}, wide.input());
  EXPECT_TRUE(says(other, std::to_string(12 - layers) + " more layers"));
}

TEST(BlockPage, NothingToShow) {
  BlockScene s(0, 4);
  draw::RecordCanvas canvas;
  EXPECT_EQ(block_page(canvas, {0, 0, 800, 500}, s.input()), 500);
  EXPECT_TRUE(says(canvas, "No tokens"));
  s.results.own = nullptr;
  draw::RecordCanvas again;
  block_page(again, {0, 0, 800, 500}, s.input());
  EXPECT_TRUE(says(again, "being computed"));
  EXPECT_EQ(block_words(s.input()), "");
  EXPECT_EQ(block_tooltip(s.input(), {}), "");
}

}  // namespace
}  // namespace headlight::views::block_page_test
