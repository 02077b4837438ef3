// The Compare page with the results that the program computes for it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "kit/page_input.h"
#include "lab_fixture.h"
#include "pages/compare/compare.h"
#include "pages/compare/view/page.h"

namespace headlight::views::compare_page_test {

/// Heads of a causal stack's layers, 0-based, in place of those of the one layer.
struct StackOf {
  int layers = 0, layer_a = 0, layer_b = 0;  // layers 0: the one layer
};

struct CompareFixture : AttentionFixture {
  /// Heads `a` and `b`, and those in `off`, are 0-based.
  explicit CompareFixture(const Case& what = {}, int a = 0, int b = 1, const std::vector<int>& off = {},
                          const StackOf& stack = {})
      : AttentionFixture(with_heads(what, a, b, off, stack)) {}
  static Case with_heads(Case what, int a, int b, const std::vector<int>& off, const StackOf& stack) {
    what.page = scene::Page::compare;
    const auto set = [&](const char* name, int value) {
      what.settings.push_back(name + ("=" + std::to_string(value)));
    };
    set("bench_a", std::min(a, what.heads - 1) + 1), set("bench_b", std::min(b, what.heads - 1) + 1);
    std::string list;
    for (const int head : off) list += (list.empty() ? "" : ",") + std::to_string(head + 1);
    what.settings.push_back("bench_off=" + list);
    if (stack.layers > 0) {
      what.settings.push_back("bench_from=stack"), what.settings.push_back("block_causal=true");
      set("block_layers", stack.layers);
      set("bench_layer_a", stack.layer_a + 1), set("bench_layer_b", stack.layer_b + 1);
    }
    return what;
  }
  Drawn draw_at(float width, float height) { return drawn(compare_page, input(), width, height); }
  const nn::Matrix& weights_of(int layer) const {
    return results.own_as<scene::CompareResults>()
        ->stack->trace.layers[static_cast<std::size_t>(layer)]
        .attention.weights;
  }
  float weight(int layer, int head, int i, int j) const { return weights_of(layer).at(head, i, j); }
  const scene::CompareResults& compared() const { return *results.own_as<scene::CompareResults>(); }
};

struct Size {
  float width, height;
};
inline constexpr Size sizes[] = {{640, 360}, {1050, 590}, {1340, 850}, {2400, 1400}, {3600, 2000}};

}  // namespace headlight::views::compare_page_test
