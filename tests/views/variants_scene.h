// A Variants page with the results that the program computes for it.
#pragma once

#include <cmath>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "kit/page_input.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/page.h"
#include "pages/variants/view/view.h"
#include "quantities.h"
#include "support/computed_scene.h"

namespace headlight::views::test {

inline scene::Scene variants_scene(int tokens, scene::VariantSide a, scene::VariantSide b, int heads = 4,
                                   int table_rows = scene::VariantsSettings().table_rows) {
  scene::Scene scene = scene::page_scene(scene::Page::variants);
  scene.heads = heads, scene.d_model = 8 * heads;
  scene.variants.a = a, scene.variants.b = b, scene.variants.table_rows = table_rows;
  const char* words[] = {"the ", "cat ", "antidisestablishmentarianism "};
  scene.sentence.clear();
  for (int t = 0; t < tokens; ++t) scene.sentence += words[t % 3];
  scene::repair(scene);
  return scene;
}

struct VariantsScene {
  scene::Scene scene;
  scene::Results results;
  std::shared_ptr<scene::VariantsResults> variants;  // of the results, for what a test changes
  draw::Hit hover;
  bool hovering = false;

  template <class... Settings>
  VariantsScene(int tokens, scene::VariantSide a, scene::VariantSide b, Settings... further)
      : VariantsScene(variants_scene(tokens, a, b, further...)) {}
  explicit VariantsScene(const scene::Scene& of) : scene(of), results(scene::known_results(of)) {
    variants = std::make_shared<scene::VariantsResults>(*results.own_as<scene::VariantsResults>());
    results.own = variants;
  }

  PageInput input() const {
    return with_numbers({scene,
                         results,
                         nullptr,
                         hovering ? &hover : nullptr,
                         draw::theme(scene.theme == scene::ThemeName::dark),
                         true,
                         {}});
  }
};

/// At which the page is drawn.
struct Size {
  float w, h;
};
inline constexpr Size sizes[] = {{1340, 850}, {1050, 590}, {640, 360},   {480, 700},
                                 {800, 600},  {940, 900},  {2400, 1400}, {3590, 2010}};

inline std::vector<VariantsScene> scenes() {
  using P = scene::VariantPosition;
  using M = scene::VariantMask;
  std::vector<VariantsScene> all;
  all.emplace_back(6, scene::VariantSide{M::none, P::rope, true},
                   scene::VariantSide{M::none, P::sinusoidal, true});
  all.emplace_back(6, scene::VariantSide{M::causal, P::t5, true},
                   scene::VariantSide{M::window_global, P::alibi, false});
  all.emplace_back(1, scene::VariantSide{M::none, P::none, true},
                   scene::VariantSide{M::none, P::learned, true});
  all.emplace_back(2, scene::VariantSide{M::none, P::concat, true},
                   scene::VariantSide{M::none, P::rope_half, true});
  all.emplace_back(6, scene::VariantSide{M::none, P::shaw, true},
                   scene::VariantSide{M::causal, P::shaw, false});
  all.emplace_back(23, scene::VariantSide{M::window_global, P::alibi, true},
                   scene::VariantSide{M::causal, P::t5, true}, 32);
  all.emplace_back(70, scene::VariantSide{M::window_global, P::rope, true},
                   scene::VariantSide{M::none, P::sinusoidal, true});
  all.emplace_back(500, scene::VariantSide{M::causal, P::learned, true},
                   scene::VariantSide{M::window_global, P::t5, true}, 4, 1024);
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (n % 2 == 1) all[n].scene.theme = scene::ThemeName::light;
    if (n == 1) all[n].scene.query = {2}, all[n].scene.key = 1;
    if (n == 5) all[n].scene.query_axis = scene::QueryAxis::columns;
  }
  // A side that cannot be computed: the table has fewer rows than there are tokens.
  all.emplace_back(6, scene::VariantSide{M::none, P::learned, true},
                   scene::VariantSide{M::causal, P::rope, true}, 4, 5);
  EXPECT_NE(all.back().variants->a.error, "");
  return all;
}

inline std::string name(const VariantsScene& s, Size size) {
  std::ostringstream out;
  out << s.variants->T << " tokens, " << side_name(s.variants->a.settings) << " at " << size.w << " × "
      << size.h;
  return out.str();
}

/// Mean over the rows of −Σ α log₂ α.
inline double mean_entropy(const nn::Matrix& weights) {
  double sum = 0;
  for (const float weight : weights.values()) {
    const auto a = static_cast<double>(weight);
    if (a > 0) sum -= a * std::log2(a);
  }
  return sum / weights.rows();
}

/// Of all scores: where no pair is masked.
inline double variance(const nn::Matrix& scores) {
  double sum = 0, squares = 0;
  for (const float score : scores.values()) {
    const auto s = static_cast<double>(score);
    sum += s, squares += s * s;
  }
  const auto n = static_cast<double>(scores.size());
  return squares / n - sum / n * (sum / n);
}

}  // namespace headlight::views::test
