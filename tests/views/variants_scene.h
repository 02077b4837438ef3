// A scene of the Variants page with results from plain loops, so that the page is tested without the core.
// The numbers are no attention of anything; what is drawn must be these numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "kit/page_input.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/page.h"
#include "pages/variants/view/view.h"
#include "quantities.h"

namespace headlight::views::test {

struct VariantsScene {
  scene::Scene scene;
  scene::Results results;
  std::shared_ptr<scene::VariantsResults> variants = std::make_shared<scene::VariantsResults>();
  draw::Hit hover;
  bool hovering = false;

  VariantsScene(int tokens, scene::VariantSide a, scene::VariantSide b, int heads = 4) {
    scene.page = scene::Page::variants;
    scene.heads = heads;
    scene.variants.a = a, scene.variants.b = b;
    results.version = 1, results.scene = scene;
    for (int t = 0; t < tokens; ++t) {
      nn::Token token;
      token.text = t % 3 == 2 ? "antidisestablishmentarianism" : t % 3 == 1 ? "cat" : "the";
      results.tokens.push_back(token);
    }
    results.tokens_in_sentence = results.tokens.size();
    results.attention.T = results.attention.S = tokens;
    results.attention.heads = heads;
    variants->T = tokens;
    variants->heads = heads, variants->d_k = 8;
    fill(variants->a, a, 1), fill(variants->b, b, 2);
    subtract();
    further();
    results.variants = variants;
  }

  /// A number between 0 and 1 that no two places share.
  static float some(int i, int j, int salt) {
    return static_cast<float>(std::fmod(0.5 + 0.6180339887 * (i * 31 + j * 7 + salt * 13), 1.0));
  }

  bool allowed(const scene::VariantSide& side, int i, int j) const {
    if (side.mask == scene::VariantMask::none) return true;
    if (side.mask == scene::VariantMask::causal) return j <= i;
    return std::abs(i - j) <= 1 || i == 0 || j == 0;  // anything else: window + global
  }

  void fill(scene::VariantSideResults& side, scene::VariantSide settings, int salt) {
    const int T = variants->T;
    side.settings = settings;
    side.weights.resize(T, T), side.scores.resize(T, T);
    for (int i = 0; i < T; ++i) {
      float sum = 0;
      for (int j = 0; j < T; ++j) sum += allowed(settings, i, j) ? some(i, j, salt) : 0;
      for (int j = 0; j < T; ++j) {
        const bool may = allowed(settings, i, j);
        side.allow.push_back(may);
        side.weights.at(i, j) = may ? some(i, j, salt) / sum : 0;
        side.scores.at(i, j) = std::log(some(i, j, salt) + 1e-3f);
        side.allowed += may;
      }
      if (settings.mask == scene::VariantMask::none) side.intervals.push_back({0, T});
      if (settings.mask == scene::VariantMask::causal) side.intervals.push_back({0, i + 1});
    }
    side.entropy_bits = 1.25 * salt, side.largest = 0.4375 * salt, side.score_variance = 2.5 * salt;
    side.score_magnitude = 3;
    const bool relative = settings.position != scene::VariantPosition::sinusoidal;
    for (int s = 0; s <= 64; ++s)
      side.shifts.push_back({s, relative ? 2.4e-7 : 0.1 * std::sqrt(s), relative ? 1e-8 : 0.01 * s});
    side.shift = side.shifts[static_cast<std::size_t>(scene.variants.shift)];
    switch (settings.position) {
      case scene::VariantPosition::none:
        break;
      case scene::VariantPosition::sinusoidal:
      case scene::VariantPosition::concat:
      case scene::VariantPosition::learned:
        side.table_rows = settings.position == scene::VariantPosition::learned ? 128 : 0;
        side.p = some_matrix(T, 32, 3), side.p_shifted = some_matrix(T, 32, 4);
        break;
      case scene::VariantPosition::t5:
        side.bias = some_matrix(T, T, 5);
        side.bucket_count = 8, side.max_distance = 16;
        for (int distance = -16; distance <= 16; ++distance)
          side.bucket.push_back((distance > 0 ? 4 : 0) + std::min(3, std::abs(distance)));
        for (int bucket = 0; bucket < 8; ++bucket) side.bucket_bias.push_back(some(bucket, 0, 6));
        break;
      case scene::VariantPosition::alibi:
        side.bias = some_matrix(T, T, 7);
        for (int h = 0; h < variants->heads; ++h)
          side.slopes.push_back(std::exp2(-8.0 * (h + 1) / variants->heads));
        break;
      case scene::VariantPosition::shaw:
        side.bias = some_matrix(T, T, 11);
        side.clip = scene.variants.clip, side.by_clipped = some_matrix(T, 2 * side.clip + 1, 12);
        break;
      case scene::VariantPosition::rope:
      case scene::VariantPosition::rope_half:
        side.rotary_dim = 8;
        side.omega = {1, 0.1, 0.01, 0.001};
        break;
    }
  }

  static nn::Matrix some_matrix(int rows, int cols, int salt) {
    nn::Matrix out;
    out.resize(rows, cols);
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < cols; ++c) out.at(r, c) = 2 * some(r, c, salt) - 1;
    }
    return out;
  }

  void subtract() {
    const int T = variants->T;
    scene::VariantDifference& d = variants->difference;
    d.weights.resize(T, T);
    for (int i = 0; i < T; ++i) {
      for (int j = 0; j < T; ++j) {
        d.weights.at(i, j) = variants->a.weights.at(i, j) - variants->b.weights.at(i, j);
        const auto at = static_cast<std::size_t>(i * T + j);
        d.allow.push_back(variants->a.allow[at] | variants->b.allow[at]);
        if (std::abs(d.weights.at(i, j)) > static_cast<float>(d.largest))
          d.largest = std::abs(static_cast<double>(d.weights.at(i, j))), d.query = i, d.key = j;
      }
    }
    d.moved = 0.375;
  }

  void further() {
    variants->batch_width = 4;
    for (int n = 0; n < 2; ++n) {
      scene::BatchSentence sentence;
      sentence.length = 3 - n;
      sentence.tokens.resize(static_cast<std::size_t>(sentence.length), nn::Token{"word", 0, 4, 0});
      sentence.weights = some_matrix(4, 4, 8 + n);
      sentence.pad_share = 0.125 * (n + 1), sentence.residual = 6e-8;
      variants->batch.push_back(sentence);
    }
    variants->cross.queries = results.tokens;
    if (variants->cross.queries.size() > 64) variants->cross.queries.resize(64);
    variants->cross.keys.resize(7, nn::Token{"mot", 0, 3, 0});
    variants->cross.weights = some_matrix(static_cast<int>(variants->cross.queries.size()), 7, 10);
    for (float& weight : variants->cross.weights.values()) weight = std::abs(weight);  // none is negative
    variants->cross.entropy_bits = 2.34;
    for (int t = 0; t < std::min(variants->T, 64); ++t)
      variants->decoding.steps.push_back({0, t == 0 ? 0 : 1.2e-7, 0.01 * t});
    for (int d = 1; d <= scene::most_dot_width; d *= 2) {
      scene::DotProducts row;
      row.d_k = d, row.variance = 1.01 * d, row.scaled_variance = 1.01;
      row.raw = {0.9, 0.3, 0.1}, row.scaled = {0.35, 2.5, 0.36};
      variants->dots.push_back(row);
    }
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
                   scene::VariantSide{M::window_global, P::t5, true});
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (n % 2 == 1) all[n].scene.theme = scene::ThemeName::light;
    if (n == 1) all[n].scene.query = {2}, all[n].scene.key = 1;
    if (n == 5) all[n].scene.query_axis = scene::QueryAxis::columns;
  }
  // A side that cannot be computed.
  all.emplace_back(6, scene::VariantSide{M::none, P::learned, true},
                   scene::VariantSide{M::causal, P::rope, true});
  scene::VariantsResults& failed = *all.back().variants;
  failed.a = {};
  failed.a.settings = {M::none, P::learned, true};
  failed.a.error = failed.decoding.error =
      "learned positions 0 to 5 are needed, but the table has rows 0 to 4; shorten the text or change the "
      "offset";
  failed.difference = {};
  return all;
}

inline std::string name(const VariantsScene& s, Size size) {
  std::ostringstream out;
  out << s.variants->T << " tokens, " << side_name(s.variants->a.settings) << " at " << size.w << " × "
      << size.h;
  return out.str();
}

}  // namespace headlight::views::test
