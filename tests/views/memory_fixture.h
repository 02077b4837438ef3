// Results for the Memory page's tests, made by plain loops: the views know only types, so nothing here calls
// the core.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "kit/page_input.h"
#include "pages/memory/binary.h"
#include "pages/memory/experiments.h"
#include "pages/memory/memory.h"
#include "pages/memory/sizes.h"
#include "pages/memory/view/page.h"
#include "quantities.h"

namespace headlight::views::test {

struct MemoryScene {
  scene::Scene scene;
  scene::Results results;

  explicit MemoryScene(int tokens, const scene::MemorySettings& settings = {}) {
    scene.page = scene::Page::memory, scene.memory = settings;
    results.version = 5, results.scene = scene;
    for (int t = 0; t < tokens; ++t)
      results.tokens.push_back({t % 4 == 0 ? "the" : "word" + std::to_string(t), 0, 0, t % 4 == 0 ? 0 : t});
    auto out = std::make_shared<scene::MemoryResults>();
    if (tokens > 0) out->sentence = sentence(*out, std::min(tokens, scene::most_memory_tokens));
    store(*out);
    retrieve(*out);
    for (const int d : {settings.dimension, 10, 16, 50, 64})
      out->capacity.push_back({d, 0.14 * d, std::pow(2.0, d / 2.0), d < 20 ? std::nan("") : 7.0 * d});
    auto experiments = std::make_shared<scene::MemoryExperiments>();
    experiments->width = settings.width;
    for (int T = 4; T <= scene::longest_error; T *= 2) {
      const auto n = static_cast<std::uint64_t>(T), d = static_cast<std::uint64_t>(settings.width);
      experiments->errors.push_back({T, 0.25, 4.0 / T, 2 * n * n * d, 2 * n * d * d});
    }
    for (int distance = 0; distance < scene::influence_tokens; ++distance)
      experiments->influence.push_back({distance, std::pow(0.5, distance), 1.0 / scene::influence_tokens});
    out->experiments = experiments;
    auto sizes = std::make_shared<scene::SizeErrors>();
    sizes->width = settings.width, sizes->m = settings.features, sizes->r = settings.keys;
    sizes->at_m = 0.07, sizes->at_r = 0.6, sizes->elu1 = 0.25;
    for (int size = 1; size <= scene::most_memory_features; size *= 2) {
      const double keys = size > scene::size_tokens ? std::nan("") : size == scene::size_tokens ? 0 : 0.8;
      sizes->sizes.push_back({size, 0.5 / std::sqrt(size), keys});
    }
    out->sizes = sizes;
    out->binary = bits();
    results.memory = out;
  }

  PageInput input(float transition = 1) const {
    return with_numbers({.scene = scene,
                         .results = results,
                         .cell = nullptr,
                         .hover = nullptr,
                         .theme = draw::theme(scene.theme == scene::ThemeName::dark),
                         .map_view = {},
                         .transition = transition});
  }
  const scene::SentenceMemory& memory() const { return *results.memory->sentence; }

 private:
  static float number(int a, int b, int c) {
    return 2 * static_cast<float>(std::sin(1.7 * a + 2.9 * b + 0.61 * c * (b + 1) + 0.3));
  }

  std::shared_ptr<scene::SentenceMemory> sentence(scene::MemoryResults& out, int T) const {
    const int d = scene.memory.width;
    auto m = std::make_shared<scene::SentenceMemory>();
    out.step = std::min(scene.memory.step, T);
    for (nn::Matrix* matrix : {&m->q, &m->k, &m->v, &m->phi_q, &m->phi_k, &m->unit_q, &m->unit_k,
                               &m->linear_output, &m->softmax_output, &m->output_difference}) {
      *matrix = nn::Matrix(T, d);
    }
    m->linear = m->softmax = m->weight_difference = nn::Matrix(T, T), m->denominator = nn::Matrix(1, T);
    for (nn::FastWeightTrace<float>* trace : {&m->sum, &m->delta, &m->unit_sum})
      trace->states = nn::Matrix(T, d, d), trace->y = trace->found = nn::Matrix(T, d);
    for (int t = 0; t < T; ++t) {
      for (int c = 0; c < d; ++c) {
        m->phi_q.at(t, c) = m->unit_q.at(t, c) = std::abs(number(t, c, 1));
        m->phi_k.at(t, c) = m->unit_k.at(t, c) = std::abs(number(t, c, 2));
        m->v.at(t, c) = number(t, c, 3);
      }
      for (int j = 0; j <= t; ++j) {
        m->linear.at(t, j) = 1 / static_cast<float>(t + 1);
        m->softmax.at(t, j) = j == t ? 0.75f : 0.25f / static_cast<float>(std::max(1, t));
        m->weight_difference.at(t, j) = m->linear.at(t, j) - m->softmax.at(t, j);
      }
      m->denominator.at(0, t) = 2 + static_cast<float>(t);
      for (int r = 0; r < d; ++r) {
        m->linear_output.at(t, r) = number(t, r, 4), m->softmax_output.at(t, r) = number(t, r, 5);
        m->output_difference.at(t, r) = m->linear_output.at(t, r) - m->softmax_output.at(t, r);
        for (int c = 0; c < d; ++c) {
          const float before = t > 0 ? m->sum.states.at(t - 1, r, c) : 0;
          m->sum.states.at(t, r, c) = before + m->v.at(t, r) * m->phi_k.at(t, c);
          m->delta.states.at(t, r, c) = 0.5f * m->sum.states.at(t, r, c);
          m->largest_state[0] = std::max(m->largest_state[0], std::abs(m->sum.states.at(t, r, c)));
          m->sum.y.at(t, r) += m->sum.states.at(t, r, c) * m->phi_q.at(t, c);
        }
      }
    }
    m->largest_state[1] = m->largest_state[0] / 2, m->largest_vector[0] = m->largest_vector[1] = 2;
    m->largest_linear = 1, m->fast_residual = 2.5e-6, m->delta_residual = 3.5e-7,
    m->largest_difference = 1.25;
    m->sharpness_linear = 0.41, m->sharpness_softmax = 0.77;
    const int t = out.step - 1;
    out.written = nn::Matrix(d, d);
    for (int r = 0; r < d; ++r) {
      out.value.push_back(m->v.at(t, r));
      for (int c = 0; c < d; ++c) out.written.at(r, c) = m->v.at(t, r) * m->phi_k.at(t, c);
    }
    for (int n = 0; n <= t; ++n) {
      if (n % 4 == 0 && n > 0) {
        out.read_back[0].token = n, ++out.read_back[0].times;
      } else {
        out.read_back.push_back({n, 1, 1.5 + n, 0.25 * n});
      }
    }
    return m;
  }

  /// The first bits are wrong; an update a time mends one.
  std::shared_ptr<scene::BinaryRetrieval> bits() const {
    auto b = std::make_shared<scene::BinaryRetrieval>();
    b->bits = scene.memory.bits, b->patterns = scene.memory.patterns;
    b->flips = std::min(scene.memory.flips, b->bits);
    b->states = nn::Matrix(3, b->bits);
    for (int c = 0; c < b->bits; ++c) {
      b->states.at(0, c) = b->states.at(2, c) = c % 3 == 0 ? -1 : 1;
      b->states.at(1, c) = (c < b->flips ? -1 : 1) * b->states.at(0, c);
    }
    for (int n = 0; n <= 2 * b->bits; ++n) {
      const double wrong = std::max(0, b->flips - n);
      b->trace.overlap.push_back(1 - 2 * wrong / b->bits);
      b->trace.energy.push_back(-b->bits * b->trace.overlap.back() * b->trace.overlap.back() / 2);
    }
    b->trace.settled = true, b->trace.flipped = b->last_flip = b->flips;
    b->nearest_overlap = 1, b->probes = 100, b->recovered = 91;
    return b;
  }

  void store(scene::MemoryResults& out) const {
    const int N = scene.memory.patterns, d = scene.memory.dimension;
    auto stored = std::make_shared<scene::StoredPatterns>();
    stored->patterns = nn::MatrixF64(N, d);
    for (int n = 0; n < N; ++n) {
      stored->patterns.at(n, 0) = std::sqrt(d) * std::cos(6.283 * n / N);
      stored->patterns.at(n, 1) = std::sqrt(d) * std::sin(6.283 * n / N);
    }
    stored->probes = 100, stored->recovered = 37;
    if (d == 2) {
      stored->landscape = nn::Matrix(40, 40);
      for (int r = 0; r < 40; ++r) {
        for (int c = 0; c < 40; ++c) stored->landscape.at(r, c) = static_cast<float>(r * r + 2 * c) / 500;
      }
      stored->lowest = 0, stored->highest = 3.2;
      stored->contours.push_back({{-1, 0.5f}, {1, 0.5f}});
    }
    out.stored = stored;
  }

  void retrieve(scene::MemoryResults& out) const {
    constexpr int updates = scene::memory_updates;
    const int N = scene.memory.patterns, d = scene.memory.dimension;
    scene::Retrieval& r = out.retrieval;
    r.trace.states = nn::MatrixF64(updates + 1, 1, d);
    r.trace.energy = nn::MatrixF64(updates + 1, 1, 1);
    r.weights = nn::Matrix(updates, N), r.comparison = nn::Matrix(updates + 2, d);
    for (int n = 0; n <= updates; ++n) {
      const double left = std::pow(0.5, n);
      r.trace.energy.at(n, 0, 0) = 0.4 + left;
      r.trace.states.at(n, 0, 0) = (1 - left) * out.stored->patterns.at(0, 0) + left * scene.memory.probe_x;
      r.trace.states.at(n, 0, 1) = left * scene.memory.probe_y;
      r.distance.push_back(left);
      if (n < updates) r.weights.at(n, 0) = static_cast<float>(1 - 0.5 * left);
    }
    r.recovered_at = 4, r.effective = 1.1, r.attention_residual = 4.5e-8;
  }
};

}  // namespace headlight::views::test
