// The Memory page's numbers, each checked by another way to it: plain loops in double precision.
#include "pages/memory/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "memory_scene.h"
#include "nn/hopfield.h"
#include "pages/compute.h"
#include "scene/map_scale.h"
#include "scene/results.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene::memory_test {
namespace {

using tests::at;
using tests::memory_scene;

base::Parallel& parallel() {
  static base::Parallel threads(1);
  return threads;
}

std::shared_ptr<const MemoryResults> memory_of(const Scene& scene) {
  const auto results = compute_now(scene, parallel(), nullptr);
  EXPECT_TRUE(results && results->own_as<MemoryResults>());
  return {results, results->own_as<MemoryResults>()};
}

std::string words(int count) {
  std::string out;
  for (int n = 0; n < count; ++n) out += "w" + std::to_string(n % 37) + ' ';
  return out;
}

double phi(MemoryFeature feature, double x) {
  if (feature == MemoryFeature::identity) return x;
  return x > 0 ? x + 1 : std::exp(x);
}

double kernel(const SentenceMemory& m, MemoryFeature feature, int i, int j) {
  double sum = 0;
  for (int c = 0; c < m.q.cols(); ++c) sum += phi(feature, at(m.q, i, c)) * phi(feature, at(m.k, j, c));
  return sum;
}

/// Of a long sentence the colours end at the smallest round number that at most 1 % of the weights exceed.
TEST(Memory, ColoursOfTheWeightsEndWhereFewAreAbove) {
  for (const char* feature : {"elu1", "identity"}) {
    for (const int tokens : {6, unit_scale_tokens, unit_scale_tokens + 1, 120}) {
      Scene scene = memory_scene({std::string("memory_feature=") + feature, "tokenizer=words"});
      scene.sentence = words(tokens);
      const auto results = memory_of(scene);
      const SentenceMemory& m = *results->sentence;
      if (tokens <= unit_scale_tokens) {
        EXPECT_EQ(m.weights_end.end, 1) << tokens;
        continue;
      }
      const auto above = [&](double end) {
        int count = 0, all = 0;
        for (int t = 0; t < tokens; ++t) {
          for (int key = 0; key <= t; ++key) {
            for (const nn::Matrix* weights : {&m.linear, &m.softmax})
              count += std::abs(at(*weights, t, key)) > end, ++all;
          }
        }
        return static_cast<double>(count) / all;
      };
      const double end = static_cast<double>(m.weights_end.end);
      EXPECT_NEAR(m.weights_end.above, above(end), 1e-9) << feature << " " << tokens;
      EXPECT_TRUE(end == 1 || above(end) <= 0.01) << feature << " " << tokens;
      double lower = 0;  // the round number before it: 1, 2, 5, 10 …
      for (double ten = 1e-6; ten < 1; ten *= 10) {
        for (const double step : {ten, 2 * ten, 5 * ten})
          if (step < end * 0.99) lower = step;
      }
      EXPECT_GT(above(lower), 0.01) << feature << " " << tokens << ": it could end at " << lower;
    }
  }
}

TEST(Memory, LinearAndSoftmaxAttentionAreTheirFormulas) {
  for (const auto feature : {MemoryFeature::elu1, MemoryFeature::identity}) {
    const auto r =
        memory_of(memory_scene({std::string("memory_feature=") + word(feature), "memory_width=5"}));
    const SentenceMemory& m = *r->sentence;
    ASSERT_EQ(m.q.rows(), 6);
    ASSERT_EQ(m.q.cols(), 5);
    double largest = 0, linear_peaks = 0, softmax_peaks = 0;
    for (int i = 0; i < 6; ++i) {
      double linear_sum = 0, softmax_sum = 0;
      std::vector<double> linear, softmax;
      for (int j = 0; j <= i; ++j) {
        double dot = 0;
        for (int c = 0; c < 5; ++c) dot += at(m.q, i, c) * at(m.k, j, c);
        linear.push_back(kernel(m, feature, i, j)), linear_sum += linear.back();
        softmax.push_back(std::exp(dot / std::sqrt(5.0))), softmax_sum += softmax.back();
      }
      for (int j = 0; j < 6; ++j) {
        const std::size_t n = static_cast<std::size_t>(j);
        const double expected = j <= i ? linear[n] / linear_sum : 0;
        EXPECT_NEAR(at(m.linear, i, j), expected, 2e-5 * std::max(1.0, std::abs(expected)));
        EXPECT_NEAR(at(m.softmax, i, j), j <= i ? softmax[n] / softmax_sum : 0, 1e-6);
        EXPECT_EQ(m.weight_difference.at(i, j), m.linear.at(i, j) - m.softmax.at(i, j));
      }
      EXPECT_NEAR(at(m.denominator, 0, i), linear_sum, 1e-4);
      softmax_peaks += *std::max_element(softmax.begin(), softmax.end()) / softmax_sum;
      double peak = -1e9;
      for (const double weight : linear) peak = std::max(peak, weight / linear_sum);
      linear_peaks += peak;
      for (int c = 0; c < 5; ++c) {
        double linear_out = 0, softmax_out = 0;
        for (int j = 0; j <= i; ++j) {
          linear_out += linear[static_cast<std::size_t>(j)] / linear_sum * at(m.v, j, c);
          softmax_out += softmax[static_cast<std::size_t>(j)] / softmax_sum * at(m.v, j, c);
        }
        EXPECT_NEAR(at(m.linear_output, i, c), linear_out, 2e-5 * std::max(1.0, std::abs(linear_out)));
        EXPECT_NEAR(at(m.softmax_output, i, c), softmax_out, 1e-5);
        largest = std::max(largest, std::abs(linear_out - softmax_out));
      }
    }
    EXPECT_NEAR(m.largest_difference, largest, 1e-4 * largest);
    EXPECT_NEAR(m.sharpness_linear, linear_peaks / 6, 1e-5 * std::max(1.0, linear_peaks));
    EXPECT_NEAR(m.sharpness_softmax, softmax_peaks / 6, 1e-6);
  }
}

TEST(Memory, TheFastWeightsAreTheSumOfOuterProducts) {
  for (const int step : {1, 3, 6}) {
    const auto r = memory_of(memory_scene({"memory_step=" + std::to_string(step)}));
    const SentenceMemory& m = *r->sentence;
    EXPECT_EQ(r->step, step);
    for (int row = 0; row < 4; ++row) {
      double y = 0;
      for (int col = 0; col < 4; ++col) {
        double state = 0;
        for (int t = 0; t < step; ++t) state += at(m.v, t, row) * phi(MemoryFeature::elu1, at(m.k, t, col));
        EXPECT_NEAR(static_cast<double>(m.sum.states.at(step - 1, row, col)), state, 1e-4);
        EXPECT_NEAR(at(r->written, row, col),
                    at(m.v, step - 1, row) * phi(MemoryFeature::elu1, at(m.k, step - 1, col)), 1e-5);
        y += state * phi(MemoryFeature::elu1, at(m.q, step - 1, col));
      }
      EXPECT_NEAR(at(m.sum.y, step - 1, row), y, 1e-4);
      // Divided by Σ φ(q)·φ(k) it is the row of linear attention: two ways to the same number.
      EXPECT_NEAR(at(m.sum.y, step - 1, row) / at(m.denominator, 0, step - 1),
                  at(m.linear_output, step - 1, row), 1e-5);
    }
    EXPECT_GT(m.fast_residual, 0);
    EXPECT_LT(m.fast_residual, 1e-4);
    EXPECT_LT(m.delta_residual, 1e-5);
  }
}

TEST(Memory, AWordThatComesBackHasItsKeyAgainAndANewValue) {
  const SentenceMemory& m = *memory_of(memory_scene({}))->sentence;  // "the" is 0 and 4
  double apart = 0;
  for (int c = 0; c < 4; ++c) {
    EXPECT_EQ(m.k.at(0, c), m.k.at(4, c));
    EXPECT_EQ(m.q.at(0, c), m.q.at(4, c));
    apart += std::abs(at(m.v, 0, c) - at(m.v, 4, c));
  }
  EXPECT_GT(apart, 0.1);
}

TEST(Memory, TheDeltaRuleReplacesWhatStandsAtARepeatedKey) {
  for (const char* feature : {"memory_feature=elu1", "memory_feature=identity"}) {
    const auto r =
        memory_of(memory_scene({feature, "memory_width=8", "memory_step=5", "memory_write=delta"}));
    const SentenceMemory& m = *r->sentence;
    ASSERT_EQ(r->read_back.size(), 4u);  // the, cat, sat, on
    const ReadBack& the = r->read_back[0];
    EXPECT_EQ(the.token, 4);
    EXPECT_EQ(the.times, 2);
    EXPECT_LT(the.delta, 1e-5);
    EXPECT_GT(the.sum, 0.1);
    for (const ReadBack& entry : r->read_back) {
      // The sum rule by all pairs: Σ v_j (φ_j · φ).
      double off = 0, whole = 0;
      for (int c = 0; c < 8; ++c) {
        double read = 0;
        for (int j = 0; j < 5; ++j) {
          double dot = 0;
          for (int n = 0; n < 8; ++n) dot += at(m.unit_k, j, n) * at(m.unit_k, entry.token, n);
          read += at(m.v, j, c) * dot;
        }
        off += std::pow(read - at(m.v, entry.token, c), 2), whole += std::pow(at(m.v, entry.token, c), 2);
      }
      EXPECT_NEAR(entry.sum, std::sqrt(off / whole), 1e-5);
    }
    // What is written is what is missing at the key.
    for (int c = 0; c < 8; ++c) {
      double found = 0;
      for (int n = 0; n < 8; ++n)
        found += static_cast<double>(m.delta.states.at(3, c, n)) * at(m.unit_k, 4, n);
      EXPECT_NEAR(static_cast<double>(r->value[static_cast<std::size_t>(c)]), at(m.v, 4, c) - found, 1e-5);
    }
  }
}

TEST(Memory, BehindTheFirstLayerAWordThatComesBackHasAnotherKey) {
  Scene scene = memory_scene({"weights=trained", "weights_file=small-english"});
  adopt_model(scene);
  for (const int layer : {1, 2}) {
    scene.sentence = "the dog the cat", scene.weights_layer = layer, scene.memory.step = 4;
    repair(scene);
    const auto entries = memory_of(scene)->read_back;
    EXPECT_EQ(entries.size(), layer == 1 ? 3u : 4u);
    EXPECT_EQ(entries[0].times, layer == 1 ? 2 : 1);
  }
}

/// E of the paper, written out.
double energy(const nn::MatrixF64& x, double beta, const std::vector<double>& state) {
  double sum = 0, square = 0, largest = 0;
  for (int n = 0; n < x.rows(); ++n) {
    double dot = 0, length = 0;
    for (int c = 0; c < x.cols(); ++c) {
      dot += x.at(n, c) * state[static_cast<std::size_t>(c)];
      length += x.at(n, c) * x.at(n, c);
    }
    sum += std::exp(beta * dot);
    largest = std::max(largest, length);
  }
  for (const double value : state) square += value * value;
  return -std::log(sum) / beta + square / 2 + std::log(static_cast<double>(x.rows())) / beta + largest / 2;
}

TEST(Memory, TheEnergyNeverRisesAndIsTheFormula) {
  for (const char* dimension : {"memory_dimension=2", "memory_dimension=3", "memory_dimension=16"}) {
    for (const char* beta : {"memory_beta=0.05", "memory_beta=0.7", "memory_beta=2", "memory_beta=8"}) {
      const auto r = memory_of(memory_scene({dimension, beta, "memory_patterns=9"}));
      const nn::HopfieldTrace<double>& trace = r->retrieval.trace;
      const double b = std::atof(beta + 12);
      for (int step = 0; step <= memory_updates; ++step) {
        const auto state = trace.states.row(step, 0);
        EXPECT_NEAR(trace.energy.at(step, 0), energy(r->stored->patterns, b, {state.begin(), state.end()}),
                    1e-8);
        for (int c = 0; c < trace.states.cols(); ++c) {
          EXPECT_EQ(r->retrieval.comparison.at(step + 1, c), static_cast<float>(trace.states.at(step, 0, c)));
        }
        if (step > 0) {
          EXPECT_LE(trace.energy.at(step, 0), trace.energy.at(step - 1, 0) + 1e-12);
        }
      }
    }
  }
}

TEST(Memory, OneStepIsAttention) {
  for (const int d : {2, 4, 16, 64}) {
    const auto r = memory_of(memory_scene({"memory_dimension=" + std::to_string(d), "memory_patterns=20",
                                           "memory_beta=" + std::to_string(1 / std::sqrt(d))}));
    EXPECT_LT(r->retrieval.attention_residual, 1e-5);
    const nn::MatrixF64& x = r->stored->patterns;
    double sum = 0;
    std::vector<double> weight, out(static_cast<std::size_t>(d));
    for (int n = 0; n < 20; ++n) {
      double dot = 0;
      for (int c = 0; c < d; ++c) dot += x.at(n, c) * r->retrieval.trace.states.at(0, 0, c);
      weight.push_back(std::exp(dot / std::sqrt(d))), sum += weight.back();
    }
    for (int c = 0; c < d; ++c) {
      double expected = 0;
      for (int n = 0; n < 20; ++n) expected += weight[static_cast<std::size_t>(n)] / sum * x.at(n, c);
      EXPECT_NEAR(at(r->retrieval.one_step, 0, c), expected, 1e-5);
      EXPECT_NEAR(r->retrieval.trace.states.at(1, 0, c), expected, 1e-5);
    }
  }
}

TEST(Memory, TheLandscapeIsTheEnergyAndItsContoursAreLevel) {
  const auto r = memory_of(memory_scene({"memory_beta=8"}));
  const StoredPatterns& stored = *r->stored;
  const nn::Matrix& map = stored.landscape;
  ASSERT_GT(map.rows(), 60);
  for (const int row : {0, 17, map.rows() - 1}) {
    for (const int col : {0, 31, map.cols() - 1}) {
      const double x = memory_reach * (2.0 * col / (map.cols() - 1) - 1);
      const double y = memory_reach * (1 - 2.0 * row / (map.rows() - 1));
      EXPECT_NEAR(at(map, row, col), energy(stored.patterns, 8, {x, y}), 1e-5);
    }
  }
  ASSERT_GE(stored.contours.size(), 11u);  // one for each level at least
  EXPECT_LT(stored.contours.size(), 60u) << "its pieces are joined";
  std::size_t points = 0;
  for (const Contour& line : stored.contours) {
    ASSERT_GE(line.size(), 2u);
    points += line.size();
    const auto energy_at = [&](const std::array<float, 2>& p) {
      return energy(stored.patterns, 8, {static_cast<double>(p[0]), static_cast<double>(p[1])});
    };
    const double first = energy_at(line.front());
    EXPECT_GE(first, stored.lowest);
    EXPECT_LE(first, stored.highest);
    for (std::size_t i = 0; i < line.size(); ++i) {
      EXPECT_LE(std::max(std::abs(line[i][0]), std::abs(line[i][1])), memory_reach + 1e-6);
      EXPECT_NEAR(energy_at(line[i]), first, 0.01) << "one line, one energy";
      if (i > 0) {
        const float step = std::hypot(line[i][0] - line[i - 1][0], line[i][1] - line[i - 1][1]);
        EXPECT_LT(step, 2.9 * memory_reach / (map.rows() - 1)) << "within one cell";
      }
    }
    // It ends on the border or where it began.
    const auto on_border = [](const std::array<float, 2>& p) {
      return std::max(std::abs(p[0]), std::abs(p[1])) > memory_reach - 1e-5;
    };
    EXPECT_TRUE(line.front() == line.back() || (on_border(line.front()) && on_border(line.back())));
  }
  EXPECT_GT(points, 1000u);
  EXPECT_TRUE(memory_of(memory_scene({"memory_dimension=3"}))->stored->landscape.empty());
}

TEST(Memory, SharpRetrievalFindsThePatternAndAFlatOneDoesNot) {
  const auto sharp = memory_of(memory_scene({"memory_beta=8", "memory_noise=0.2"}));
  EXPECT_GE(sharp->retrieval.recovered_at, 1);
  EXPECT_LT(sharp->retrieval.effective, 1.1);
  EXPECT_LT(sharp->retrieval.distance.back(), recovery_radius);
  EXPECT_GT(sharp->stored->recovered, 85);
  const auto flat = memory_of(memory_scene({"memory_beta=0.1"}));
  EXPECT_EQ(flat->retrieval.recovered_at, -1);
  EXPECT_GT(flat->retrieval.effective, 5.5);
  EXPECT_EQ(flat->stored->recovered, 0);
  // Without noise every probe is its pattern and stays there.
  EXPECT_EQ(memory_of(memory_scene({"memory_beta=30", "memory_noise=0"}))->stored->recovered, 100);
  // In many dimensions a large exponent tells many patterns apart.
  const auto many = memory_of(memory_scene({"memory_dimension=64", "memory_patterns=64", "memory_beta=2"}));
  EXPECT_EQ(many->stored->recovered, 100);
  EXPECT_EQ(many->retrieval.nearest, 0);
}

TEST(Memory, PatternsLieOnTheSphereAndTheSecondMovesToTheFirst) {
  const auto apart = [](const char* closeness, const char* dimension) {
    const auto r = memory_of(memory_scene({closeness, dimension}));
    const nn::MatrixF64& x = r->stored->patterns;
    double distance = 0;
    for (int n = 0; n < x.rows(); ++n) {
      double square = 0;
      for (const double value : x.row(n)) square += value * value;
      EXPECT_NEAR(square, x.cols(), 1e-9);
    }
    for (int c = 0; c < x.cols(); ++c) distance += std::pow(x.at(0, c) - x.at(1, c), 2);
    return std::sqrt(distance);
  };
  for (const char* dimension : {"memory_dimension=2", "memory_dimension=12"}) {
    EXPECT_GT(apart("memory_closeness=0", dimension), apart("memory_closeness=0.6", dimension));
    EXPECT_NEAR(apart("memory_closeness=1", dimension), 0, 1e-9);
  }
}

TEST(Memory, CapacitiesAreThoseOfTheLiterature) {
  const auto r = memory_of(memory_scene({"memory_dimension=5"}));
  ASSERT_EQ(r->capacity.size(), 5u);
  EXPECT_EQ(r->capacity[0].dimension, 5);
  EXPECT_NEAR(r->capacity[0].classical, 0.7, 1e-12);
  EXPECT_NEAR(r->capacity[0].binary, std::pow(2.0, 2.5), 1e-9);
  EXPECT_TRUE(std::isnan(r->capacity[0].proven)) << "theorem 3 says nothing of five dimensions";
  const double classical[] = {1.4, 2.24, 7, 8.96};
  const double binary[] = {32, 256, 33554432, 4294967296};
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_NEAR(r->capacity[n + 1].classical, classical[n], 1e-9);
    EXPECT_NEAR(r->capacity[n + 1].binary, binary[n], binary[n] * 1e-9);
    const int d = r->capacity[n + 1].dimension;
    EXPECT_EQ(std::isnan(r->capacity[n + 1].proven), std::isnan(nn::hopfield_capacity_2020(d, {})));
  }
}

TEST(Memory, EveryLengthAndBothEndsOfEverySettingCompute) {
  for (const int T : {0, 1, 2, 500, 700}) {
    const auto r = memory_of(memory_scene({"sentence=" + words(T), "memory_step=512"}));
    EXPECT_EQ(r->step, std::min(T, most_memory_tokens));
    EXPECT_EQ(r->sentence == nullptr, T == 0);
    EXPECT_EQ(r->retrieval.distance.size(), static_cast<std::size_t>(memory_updates + 1));
  }
  MemorySettings settings;
  std::vector<std::string> ends;
  list_fields(settings, [&](const Field& field, const auto& value) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) {
      for (const double end : {field.min, field.max}) {
        char assignment[80];
        std::snprintf(assignment, sizeof assignment, "%s=%.12g", field.name, end);
        ends.emplace_back(assignment);
      }
    }
  });
  EXPECT_EQ(ends.size(), 28u);
  for (const std::string& end : ends) {
    for (const char* dimension : {"memory_width=3", "memory_dimension=2", "memory_dimension=64"}) {
      const auto r = memory_of(memory_scene({dimension, end, "d_model=1", "heads=1"}));
      for (const double distance : r->retrieval.distance) EXPECT_TRUE(std::isfinite(distance)) << end;
      for (const ReadBack& entry : r->read_back) EXPECT_TRUE(std::isfinite(entry.sum)) << end;
    }
  }
}

TEST(Memory, WhatAChangeLeavesAsItIsIsNotComputedAgain) {
  const auto first = memory_of(memory_scene({}));
  const auto step = memory_of(memory_scene({"memory_step=2"}));
  EXPECT_EQ(step->sentence, first->sentence);
  EXPECT_EQ(step->stored, first->stored);
  EXPECT_EQ(step->experiments, first->experiments);
  const auto sharper = memory_of(memory_scene({"memory_beta=2"}));
  EXPECT_EQ(sharper->sentence, first->sentence);
  EXPECT_NE(sharper->stored, first->stored);
  EXPECT_EQ(sharper->experiments, first->experiments);
  const auto wider = memory_of(memory_scene({"memory_width=5"}));
  EXPECT_NE(wider->sentence, first->sentence);
  EXPECT_NE(wider->experiments, first->experiments);
}

}  // namespace
}  // namespace headlight::scene::memory_test
