// A Block page whose every number is known.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "draw/theme.h"
#include "kit/page_input.h"
#include "pages/block/block.h"
#include "quantities.h"

namespace headlight::views::test {

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
    fill_tiles(r, heads);
    r.trace.output = rule(T, d, layers, 10);
    r.final_figures = {2.5f, 0, 1};
    r.stream.push_back({"input", 0.1, 1, 2.8});
    for (int l = 1; l <= layers; ++l) {
      r.stream.push_back({"layer " + std::to_string(l) + " attention", 0.1 * l, 1.0 + l, 3.0 + l});
      r.stream.push_back({"layer " + std::to_string(l) + " feed-forward", -0.1 * l, 2.0 + l, 4.0 + l});
    }
    if (r.final_norm) r.stream.push_back({"final norm", 0, 1, 2.83});
  }

  /// Of few tokens a tile is the map itself; of more, here, its first cells.
  static void fill_tiles(scene::BlockResults& r, int heads) {
    const int side = r.tiles.side = r.tiles.pitch = std::min(r.T, scene::most_tile_side(r.layers * heads));
    for (const auto& layer : r.trace.layers) {
      auto& allowed = r.tiles.allowed.emplace_back();
      for (int i = 0; i < scene::heads_a_sheet * side; ++i)
        allowed.push_back(r.trace.layers[0].attention.allowed[static_cast<std::size_t>(i % side)]);
      for (base::Interval& keys : allowed) keys.end = std::min(keys.end, side);
      auto& sheets = r.tiles.sheets.emplace_back();
      for (int h = 0; h < heads; ++h) {
        if (h % scene::heads_a_sheet == 0)
          sheets.emplace_back(std::min(scene::heads_a_sheet, heads - h) * side, side);
        for (int q = 0; q < side; ++q) {
          for (int k = 0; k < side; ++k)
            sheets.back().at(h % scene::heads_a_sheet * side + q, k) = layer.attention.weights.at(h, q, k);
        }
      }
    }
    r.largest_weight = 1;
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
    return with_numbers(
        {scene, results, nullptr, nullptr, draw::theme(scene.theme == scene::ThemeName::dark), true, {}});
  }
};

}  // namespace headlight::views::test
