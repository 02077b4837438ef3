// A Memory page with the results that the program computes for it.
#pragma once

#include <string>

#include "kit/page_input.h"
#include "pages/memory/binary.h"
#include "pages/memory/experiments.h"
#include "pages/memory/memory.h"
#include "pages/memory/sizes.h"
#include "pages/memory/view/page.h"
#include "quantities.h"
#include "support/computed_scene.h"

namespace headlight::views::test {

/// Every fourth word is "the", the others are all different.
inline scene::Scene memory_scene(int tokens, const scene::MemorySettings& settings) {
  scene::Scene scene = scene::page_scene(scene::Page::memory);
  scene.memory = settings;
  scene.sentence.clear();
  for (int t = 0; t < tokens; ++t) scene.sentence += t % 4 == 0 ? "the " : "word" + std::to_string(t) + " ";
  scene::repair(scene);
  return scene;
}

struct MemoryScene {
  scene::Scene scene;
  scene::Results results;

  explicit MemoryScene(int tokens, const scene::MemorySettings& settings = {})
      : MemoryScene(memory_scene(tokens, settings)) {}
  explicit MemoryScene(const scene::Scene& of) : scene(of), results(scene::known_results(of)) {}

  PageInput input(float transition = 1) const {
    return with_numbers({.scene = scene,
                         .results = results,
                         .cell = nullptr,
                         .hover = nullptr,
                         .theme = draw::theme(scene.theme == scene::ThemeName::dark),
                         .map_view = {},
                         .transition = transition});
  }
  const scene::SentenceMemory& memory() const { return *results.own_as<scene::MemoryResults>()->sentence; }
};

}  // namespace headlight::views::test
