// What the Variants page's results are held to: plain loops in double precision, from the definitions.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "nn/random.h"
#include "pages/compute.h"
#include "pages/variants/cards.h"
#include "pages/variants/variants.h"
#include "scene/settings.h"
#include "support/computed_scene.h"

namespace headlight::scene::by_hand {

using Position = VariantPosition;
using Mask = VariantMask;

inline Scene variants_scene() {
  Scene scene;
  scene.page = Page::variants;
  return scene;
}

inline std::string words(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += "w" + std::to_string(i) + " ";
  return out;
}

inline double p_at(int position, int c, int width, double base) {
  const double angle = position * std::pow(base, -2.0 * (c / 2) / width);
  return c % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

inline bool may(const Scene& scene, Mask mask, int i, int j) {
  const VariantsSettings& s = scene.variants;
  const int apart = std::abs(i - j), n = s.stride;
  switch (mask) {
    case Mask::none:
      return true;
    case Mask::causal:
      return j <= i;
    case Mask::padding:
      return j < s.valid;
    case Mask::window:
      return apart <= s.window;
    case Mask::window_global:
      return apart <= s.window || i < s.global_tokens || j < s.global_tokens;
    case Mask::dilated:
      return apart % n == 0 && apart / n <= s.window;
    case Mask::blocks:
      return i / n == j / n;
    case Mask::strided:
      return j <= i && (apart < n || apart % n == 0);
    case Mask::fixed:
      return j <= i && (i / n == j / n || j % n == n - 1);
    case Mask::random:
      break;
  }
  return false;
}

/// [T·T] scaled scores of one head with everything the scheme adds or turns, from the definitions.
inline std::vector<double> scores_of(const Scene& scene, const VariantSide& side,
                                     const VariantSideResults& result, const std::vector<nn::Token>& tokens,
                                     int head, int shift) {
  const int D = scene.d_model, H = scene.heads, d = D / H, T = static_cast<int>(tokens.size());
  const nn::Matrix e = nn::embed(tokens, D, static_cast<std::uint64_t>(scene.seed));
  const int d_in = side.position == Position::concat ? 2 * D : D;
  const nn::AttentionWeights w =
      nn::random_attention_weights(d_in, D, static_cast<std::uint64_t>(scene.seed));
  const nn::Matrix table = seeded_table(scene.seed, "learned positions", scene.variants.table_rows, D, 0.5);
  std::vector<std::vector<double>> q, k;
  for (int t = 0; t < T; ++t) {
    std::vector<double> x(static_cast<std::size_t>(d_in));
    for (int c = 0; c < D; ++c) {
      const auto at = static_cast<std::size_t>(c);
      x[at] = static_cast<double>(e.at(t, c));
      const double p = p_at(t + shift, c, D, scene.position_base);
      if (side.position == Position::sinusoidal) x[at] += p;
      if (side.position == Position::concat) x[at + static_cast<std::size_t>(D)] = p;
      if (side.position == Position::learned) x[at] += static_cast<double>(table.at(t + shift, c));
    }
    const auto project = [&](const nn::Matrix& m) {
      std::vector<double> out(static_cast<std::size_t>(d));
      for (int c = 0; c < d; ++c) {
        for (int n = 0; n < d_in; ++n)
          out[static_cast<std::size_t>(c)] +=
              x[static_cast<std::size_t>(n)] * static_cast<double>(m.at(n, head * d + c));
      }
      if (side.position != Position::rope && side.position != Position::rope_half) return out;
      const int pairs = d / 2;
      for (int j = 0; j < pairs; ++j) {
        const bool half = side.position == Position::rope_half;
        double& a = out[static_cast<std::size_t>(half ? j : 2 * j)];
        double& b = out[static_cast<std::size_t>(half ? j + pairs : 2 * j + 1)];
        const double angle = (t + shift) * std::pow(scene.position_base, -2.0 * j / (2 * pairs));
        const double turned = a * std::cos(angle) - b * std::sin(angle);
        b = a * std::sin(angle) + b * std::cos(angle);
        a = turned;
      }
      return out;
    };
    q.push_back(project(w.w_q)), k.push_back(project(w.w_k));
  }
  std::vector<double> out;
  for (int i = 0; i < T; ++i) {
    for (int j = 0; j < T; ++j) {
      const auto& a = q[static_cast<std::size_t>(i)];
      double score = std::inner_product(a.begin(), a.end(), k[static_cast<std::size_t>(j)].begin(), 0.0);
      if (side.scale) score /= std::sqrt(static_cast<double>(d));
      if (side.position == Position::alibi) score -= std::exp2(-8.0 * (head + 1) / H) * std::abs(i - j);
      if (side.position == Position::t5) {
        const int bucket = result.bucket[static_cast<std::size_t>(j - i + result.max_distance)];
        const nn::Matrix bias =
            seeded_table(scene.seed, "relative bias", scene.variants.buckets, scene.heads, 1);
        score += static_cast<double>(bias.at(bucket, head));
      }
      if (side.position == Position::shaw) {
        const int clip = scene.variants.clip;
        const nn::Matrix rows = seeded_table(scene.seed, "relative keys", 2 * clip + 1, d, 1);
        double added = 0;
        for (int c = 0; c < d; ++c)
          added += a[static_cast<std::size_t>(c)] *
                   static_cast<double>(rows.at(std::min(std::max(j - i, -clip), clip) + clip, c));
        score += side.scale ? added / std::sqrt(static_cast<double>(d)) : added;
      }
      out.push_back(score);
    }
  }
  return out;
}

}  // namespace headlight::scene::by_hand
