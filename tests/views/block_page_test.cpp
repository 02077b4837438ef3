// The Block page: it fits at every size, its controls are real, what it says is in the trace.
#include "views/block_page.h"

#include <gtest/gtest.h>

#include <cmath>

#include "draw/pick_canvas.h"
#include "page_checks.h"
#include "views/block_sheet.h"

namespace headlight::views {
namespace {

using draw::Box;
using scene::BlockStage;
using test::says;

/// A page whose matrices are filled by a rule, so that every number on it is known.
struct BlockScene {
  scene::Scene scene;
  scene::Results results;

  BlockScene(int T, int heads, const scene::BlockSettings& settings = {}) {
    scene.page = scene::Page::block;
    scene.block = settings;
    results.version = 3, results.scene = scene;
    for (int t = 0; t < T; ++t) results.tokens.push_back({"token" + std::to_string(t), 0, 0, t});
    auto r = std::make_shared<scene::BlockResults>();
    r->T = T;
    if (T > 0) fill(*r, heads);
    results.block = r;
  }

  void fill(scene::BlockResults& r, int heads) {
    const int T = r.T, d = 8, layers = scene.block.layers;
    r.layers = layers;
    r.final_norm = scene.block.norm == scene::BlockNorm::pre;
    r.trace.layers.resize(static_cast<std::size_t>(layers));
    for (int l = 0; l < layers; ++l) {
      auto& t = r.trace.layers[static_cast<std::size_t>(l)];
      int stage = 0;
      for (nn::Matrix* m :
           {&t.input, &t.attention_input, &t.attention.output, &t.attention_sum, &t.after_attention,
            &t.ffn_input, &t.activated, &t.ffn_output, &t.ffn_sum, &t.output}) {
        *m = rule(T, m == &t.activated ? 4 * d : d, l, stage++);
      }
      t.attention.T = t.attention.S = T, t.attention.heads = heads;
      t.attention.weights = nn::Matrix(heads, T, T);
      t.attention.weights.fill(0);
      for (int q = 0; q < T; ++q) {
        const int readable = scene.block.causal ? q + 1 : T;
        t.attention.allowed.push_back({0, readable});
        for (int h = 0; h < heads; ++h) {
          for (int k = 0; k < readable; ++k)
            t.attention.weights.at(h, q, k) = 1.f / static_cast<float>(readable);
        }
      }
      auto& figures = r.figures.emplace_back();
      for (int s = 0; s < scene::block_stages; ++s)
        figures[static_cast<std::size_t>(s)] = {0.25f * static_cast<float>(s + 1), 0.1, 0.5 + l};
    }
    r.trace.output = rule(T, d, layers, 10);
    r.final_figures = {2.5f, 0, 1};
    r.stream.push_back({"input", 0.1, 1, 2.8});
    for (int l = 1; l <= layers; ++l) {
      r.stream.push_back({"layer " + std::to_string(l) + " attention", 0.1 * l, 1.0 + l, 3.0 + l});
      r.stream.push_back({"layer " + std::to_string(l) + " feed-forward", -0.1 * l, 2.0 + l, 4.0 + l});
    }
    if (r.final_norm) r.stream.push_back({"final norm", 0, 1, 2.83});
  }

  static nn::Matrix rule(int rows, int cols, int layer, int stage) {
    nn::Matrix m(rows, cols);
    for (int i = 0; i < rows; ++i) {
      for (int c = 0; c < cols; ++c)
        m.at(i, c) = static_cast<float>(layer + 0.1 * stage) * std::sin(static_cast<float>(i * cols + c));
    }
    return m;
  }

  PageInput input() const {
    return {scene, results, nullptr, nullptr, draw::theme(scene.theme == scene::ThemeName::dark), {}};
  }
};

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
      SCOPED_TRACE(std::to_string(s.results.block->T) + " tokens at " + std::to_string(size.w));
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

TEST(BlockPage, EveryPictureShowsItsOwnMatrixOnItsOwnScale) {
  scene::BlockSettings settings;
  settings.layer = 3;
  const BlockScene s(6, 4, settings);
  draw::RecordCanvas canvas;
  block_page(canvas, {0, 0, 1340, 850}, s.input());
  int matrices = 0, small_maps = 0;
  for (const auto& map : canvas.maps) {
    if (map.map.rows != 6) continue;
    if (map.map.map != draw::Colormap::diverging) {
      EXPECT_EQ(map.map.lo, 0);
      EXPECT_EQ(map.map.hi, 1);
      ++small_maps;
      continue;
    }
    ++matrices;
    bool known = false;
    for (int stage = 0; stage < scene::block_stages; ++stage) {
      const auto which = static_cast<BlockStage>(stage);
      if (map.map.values != s.results.block->stage(2, which).data()) continue;
      known = true;
      EXPECT_EQ(map.map.hi, s.results.block->figures_of(2, which).largest);
      EXPECT_EQ(map.map.lo, -map.map.hi);
    }
    EXPECT_TRUE(known);
  }
  EXPECT_EQ(matrices, 8);
  EXPECT_EQ(small_maps, 6 * 4 + 2);  // the overview, the large one and the one in the flow
}

TEST(BlockPage, OneClickOpensAnyHeadOfAnyLayer) {
  const BlockScene s(6, 4);
  draw::RecordCanvas canvas;
  block_page(canvas, {0, 0, 1340, 850}, s.input());
  int found = 0;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.set.find(";block_head=") != std::string::npos) ++found;
    if (mark.name != "layer 5 head 3") continue;
    EXPECT_EQ(mark.set, "block_layer=5;block_head=3");
  }
  EXPECT_EQ(found, 24);
}

TEST(BlockPage, SaysTheNumbers) {
  const BlockScene s(6, 4);
  draw::RecordCanvas canvas;
  block_page(canvas, {0, 0, 1340, 850}, s.input());
  EXPECT_TRUE(says(canvas, "±0.25"));  // the input's largest
  EXPECT_TRUE(says(canvas, "0.17"));   // each of six weights
  EXPECT_TRUE(says(canvas, "6 × 8, hidden 6 × 32"));
  EXPECT_TRUE(says(canvas, "2.8 at the input"));
  EXPECT_TRUE(says(canvas, "query ↓  key →"));
  EXPECT_NE(block_words(s.input()).find("norm of a token 2.8 → 2.83"), std::string::npos);
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
  wanted.values = s.results.block->trace.layers[0].attention.weights.data(), wanted.rows = 6;
  const std::string open = tooltip_at(wanted, 1, 3, 150), masked = tooltip_at(wanted, 4, 3, 150);
  EXPECT_NE(open.find("“token3” → key 1 “token1”"), std::string::npos) << open;
  EXPECT_NE(open.find("α = 0.2500"), std::string::npos) << open;
  EXPECT_NE(masked.find("masked"), std::string::npos) << masked;
  const nn::Matrix& output = s.results.block->stage(0, BlockStage::ffn_sum);
  wanted.values = output.data();
  const std::string value = tooltip_at(wanted, 5, 2, 20);
  EXPECT_NE(value.find("component 5: " + fixed(static_cast<double>(output.at(2, 5)), 4)), std::string::npos)
      << value;
}

TEST(BlockPage, WhatIsLeftOutIsSaid) {
  BlockScene s(30, 64);
  auto r = std::make_shared<scene::BlockResults>(*s.results.block);
  r->tokens_left_out = 470, r->layers_left_out = 6;
  s.results.block = r;
  draw::RecordCanvas canvas;
  block_page(canvas, {0, 0, 1340, 850}, s.input());
  EXPECT_TRUE(says(canvas, "the first 30 of 500 tokens"));
  EXPECT_TRUE(says(canvas, "the first 16 of 64 heads"));
  EXPECT_NE(block_words(s.input()).find("470 tokens left out"), std::string::npos);
}

TEST(BlockPage, NothingToShow) {
  BlockScene s(0, 4);
  draw::RecordCanvas canvas;
  EXPECT_EQ(block_page(canvas, {0, 0, 800, 500}, s.input()), 500);
  EXPECT_TRUE(says(canvas, "No tokens"));
  s.results.block = nullptr;
  draw::RecordCanvas again;
  block_page(again, {0, 0, 800, 500}, s.input());
  EXPECT_TRUE(says(again, "being computed"));
  EXPECT_EQ(block_words(s.input()), "");
  EXPECT_EQ(block_tooltip(s.input(), {}), "");
}

}  // namespace
}  // namespace headlight::views
