// Snapshots of training runs. By hand, because runs of hundreds of steps take seconds, and those that were
// paused or have failed cannot be had at will: losses that fall along a curve, maps that sharpen towards a
// pattern. trained() is a run that was made.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "pages/training/training.h"
#include "pages/training/view/page.h"
#include "quantities.h"
#include "session/train_now.h"

namespace headlight::views::test {

struct TrainingCase {
  scene::TrainingTask task = scene::TrainingTask::reverse;
  scene::TrainingState state = scene::TrainingState::running;
  int runs = 2, layers = 2, heads = 4, T = 12;
  int step = 480, steps = 1000;
  int frames = 25;      // kept so far
  int vocabulary = 26;  // texts that are handed out; 0: none
  bool long_words = false;
};

struct TrainingScene {
  scene::Scene scene;
  scene::Results results;
  std::shared_ptr<scene::TrainingSnapshot> snapshot;
  draw::Hit hover;
  bool hovering = false;

  /// Nothing was trained.
  TrainingScene() { scene.page = scene::Page::training; }

  explicit TrainingScene(const TrainingCase& c) : TrainingScene() {
    scene.training.task = c.task, scene.training.layers = c.layers, scene.training.heads = c.heads;
    scene.training.length = std::max(4, c.T), scene.training.steps = c.steps;
    snapshot = std::make_shared<scene::TrainingSnapshot>();
    scene::TrainingSnapshot& s = *snapshot;
    s.version = 5, s.state = c.state, s.settings = scene.training, s.step = c.step, s.steps = c.steps;
    s.tokens_per_second = 412000, s.seconds_left = c.state == scene::TrainingState::running ? 2.1 : 0;
    const bool seeds = c.task == scene::TrainingTask::two_relations;
    if (!seeds) s.score_name = "exact match", s.baselines = {{"chance", std::log(12.0)}};
    for (int t = 0; t < c.T; ++t) {
      s.example.push_back(text(t, c.long_words));
      s.wanted.push_back(t % 5 == 4 ? "" : text(c.T - 1 - t, c.long_words));
    }
    for (int v = 0; v < c.vocabulary; ++v) s.vocabulary.push_back(text(v, c.long_words));
    for (int r = 0; r < c.runs; ++r) add_run(c, r);
    if (seeds) add_verdicts();
  }

  static std::string text(int t, bool long_words) {
    if (long_words) return "extraordinarily" + std::to_string(t) + "long";
    return std::string(1, static_cast<char>('a' + (t * 7 + 3) % 26));
  }

  /// What run r's loss is at a step: falls early for run 0, stays high for others.
  static double loss_at(int r, int step, int steps) {
    const double t = static_cast<double>(step) / steps;
    const double floor = r == 0 ? 0.02 : 1.1 + 0.12 * r, top = 2.5;
    const double smooth = floor + (top - floor) / (1 + std::exp((t - 0.16 - 0.05 * r) * 34));
    return smooth * (1 + 0.03 * std::sin(step * 0.7 + r));
  }

  void add_run(const TrainingCase& c, int r) {
    static const char* names[] = {"4 heads, sinusoidal positions", "without positions",
                                  "1 head, repaired toy", "2 heads, repaired toy"};
    scene::RunSnapshot run;
    run.name = names[r % 4];
    run.config.layers = c.layers, run.config.heads = r == 2 ? 1 : c.heads, run.config.d_model = 32;
    run.config.causal =
        c.task != scene::TrainingTask::reverse && c.task != scene::TrainingTask::two_relations;
    run.step = c.step, run.rate = 3e-3;
    for (int step = 1; step <= c.step; step += std::max(1, c.step / 120)) {
      const auto loss = static_cast<float>(loss_at(r, step, c.steps));
      const float spread = 0.04f + 0.12f * loss;
      run.loss.push_back({step, loss, std::max(0.f, loss - spread), loss + spread});
    }
    for (int step = 0; step <= c.step; step += std::max(1, c.step / 24)) {
      const double loss = loss_at(r, step, c.steps) - 0.03 * std::sin(step * 0.7 + r);
      const auto value = static_cast<float>(std::max(0.001, loss));
      const auto wide = static_cast<float>(0.03 + 0.02 * std::sin(step * 0.31));
      run.validation.push_back({step, value, value * (1 - wide), value * (1 + 2 * wide)});
      const float score = static_cast<float>(1 / (1 + std::exp((loss - 0.6) * 6)));
      if (c.task != scene::TrainingTask::two_relations) run.score.push_back({step, score, score, score});
    }
    for (int f = 0; f < c.frames; ++f) {
      const int step = c.frames > 1 ? f * c.step / (c.frames - 1) : 0;
      run.film.push_back({step, std::make_shared<const nn::Matrix>(maps(run, c, r, step))});
    }
    for (int l = 0; l < c.layers; ++l) {
      for (int h = 0; h < run.config.heads; ++h) {
        static const char* roles[] = {"mirrored place", "previous token", "", "first token"};
        run.labels.push_back({l, h, roles[(l * 2 + h) % 4], 0.94 - 0.07 * h - 0.2 * l});
      }
    }
    for (int t = 0; t < c.T; ++t) {  // right at two places of three
      const int right = c.T - 1 - t;
      run.predicted.push_back(t % 3 == 2 ? (right + 1) % std::max(1, c.T) : right);
    }
    snapshot->runs.push_back(std::move(run));
  }

  static int target(int l, int h, int t, int T) {
    switch ((l * 2 + h) % 4) {
      case 0:
        return T - 1 - t;
      case 1:
        return std::max(0, t - 1);
      case 2:
        return (t * 5 + 2) % T;
      default:
        return 0;
    }
  }

  static nn::Matrix maps(const scene::RunSnapshot& run, const TrainingCase& c, int r, int step) {
    const int H = run.config.heads, T = c.T;
    nn::Matrix out(c.layers * H, T, T);
    const double sharp =
        r == 1 ? 0.4 : 7 / (1 + std::exp(-(static_cast<double>(step) / c.steps - 0.17) * 30));
    for (int p = 0; p < c.layers * H; ++p) {
      for (int q = 0; q < T; ++q) {
        const int readable = run.config.causal ? q + 1 : T;
        const int wanted = std::min(target(p / H, p % H, q, T), readable - 1);
        double sum = 0;
        std::vector<double> row;
        for (int k = 0; k < readable; ++k) {
          row.push_back(std::exp((k == wanted ? sharp : 0) + 0.6 * std::sin(3.1 * q + 1.7 * k * k + p)));
          sum += row.back();
        }
        for (int k = 0; k < readable; ++k)
          out.at(p, q, k) = static_cast<float>(row[static_cast<std::size_t>(k)] / sum);
      }
    }
    return out;
  }

  void add_verdicts() {
    scene::TrainingSnapshot& s = *snapshot;
    s.verdicts = {{"one head, last batch of 400 steps", 0.3505, 0.3512, true},
                  {"two heads, last batch of 400 steps", 0.3196, 0.3201, true},
                  {"one head, repaired, 32 seeds", 0, 0.2034, false},
                  {"two heads, repaired, 32 seeds", 0, 0.0004, false}};
    s.note =
        "The printed toy cannot reach 0: two of its four places share one code, and its query has no bias. "
        "With one-hot places and a bias two heads reach 0 and one head cannot, for every seed.";
  }

  scene::TrainingSnapshot& change() { return *snapshot; }

  PageInput input() const {
    PageInput in{scene,
                 results,
                 nullptr,
                 hovering ? &hover : nullptr,
                 draw::theme(scene.theme == scene::ThemeName::dark),
                 true,
                 {}};
    in.training = snapshot;
    in.numbers = scene::read_quantity;
    return in;
  }
};

/// What the trainer makes of sixty steps of a small model, and of the same one without positions.
inline TrainingScene trained() {
  TrainingScene s;
  scene::TrainingSettings& t = s.scene.training;
  t.task = scene::TrainingTask::reverse, t.compare = scene::TrainingCompare::no_positions;
  t.steps = 60, t.batch = 8, t.d_model = 16, t.heads = 2, t.layers = 1, t.length = 6;
  static const base::Result<scene::TrainingSnapshot> run = [&] {
    base::Parallel parallel(1);
    return app::train_now(s.scene, parallel);
  }();
  EXPECT_TRUE(run) << run.error();
  if (run) s.snapshot = std::make_shared<scene::TrainingSnapshot>(*run);
  return s;
}

inline TrainingScene failed() {
  TrainingCase c;
  c.state = scene::TrainingState::finished;
  TrainingScene s(c);
  s.snapshot->runs[1].stopped = "layer0_w_q is NaN after step 300; step 299 is kept";
  s.snapshot->runs[1].step = 300;
  auto& loss = s.snapshot->runs[1].loss;
  loss.resize(loss.size() / 2);
  loss.back().value = loss.back().low = loss.back().high = std::nanf("");
  return s;
}

inline TrainingScene relations() {
  TrainingCase c;
  c.task = scene::TrainingTask::two_relations, c.state = scene::TrainingState::paused;
  c.runs = 4, c.layers = 1, c.heads = 2, c.T = 4, c.step = c.steps = 400, c.vocabulary = 0;
  return TrainingScene(c);
}

inline TrainingScene english(int heads, int T, bool long_words) {
  TrainingCase c;
  c.task = scene::TrainingTask::english, c.heads = heads, c.layers = 3, c.T = T, c.frames = 60;
  c.long_words = long_words, c.vocabulary = 400;
  return TrainingScene(c);
}

struct Page {
  draw::RecordCanvas canvas;
  float height = 0;
};
inline Page page(const TrainingScene& s, float w = 1340, float h = 1100) {
  Page out;
  out.height = training_page(out.canvas, {0, 0, w, h}, s.input());
  return out;
}

inline draw::Mark control(const draw::RecordCanvas& canvas, const std::string& name) {
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.name == name) return mark;
  }
  return {};
}

/// Puts the pointer onto a point.
inline void hover(TrainingScene& s, draw::Point at) {
  draw::RecordCanvas measure;
  draw::PickCanvas pick(at, measure);
  training_page(pick, {0, 0, 1340, 1100}, s.input());
  s.hover = pick.hit(), s.hovering = true;
}

}  // namespace headlight::views::test
