// A Block page with the results that the program computes for it.
#pragma once

#include <algorithm>
#include <string>

#include "draw/theme.h"
#include "kit/page_input.h"
#include "pages/block/block.h"
#include "quantities.h"
#include "support/computed_scene.h"

namespace headlight::views::test {

/// T words, of which no two are the same; d = 8 where the heads divide it, else the heads.
inline scene::Scene block_scene(int T, int heads, const scene::BlockSettings& settings = {}) {
  scene::Scene scene = scene::page_scene(scene::Page::block);
  scene.block = settings;
  scene.heads = heads, scene.d_model = std::max(8, heads);
  scene.sentence.clear();
  for (int t = 0; t < T; ++t) scene.sentence += "token" + std::to_string(t) + " ";
  if (scene.d_model % heads != 0) scene.d_model = heads;
  scene::repair(scene);
  return scene;
}

struct BlockScene {
  scene::Scene scene;
  scene::Results results;

  BlockScene(int T, int heads, const scene::BlockSettings& settings = {})
      : BlockScene(block_scene(T, heads, settings)) {}
  explicit BlockScene(const scene::Scene& of) : scene(of), results(scene::known_results(of)) {}

  PageInput input() const {
    return with_numbers(
        {scene, results, nullptr, nullptr, draw::theme(scene.theme == scene::ThemeName::dark), true, {}});
  }
};

}  // namespace headlight::views::test
