// One frame of the whole interface, built and ended without a display or OpenGL: what the processor does for
// each picture. Names of attention frames end in the number of tokens.
#include <benchmark/benchmark.h>

#include <string>

#include "app/session.h"
#include "app/shell.h"
#include "screen/unseen_screen.h"

namespace headlight::app {
namespace {

class Frames {
 public:
  explicit Frames(const scene::Scene& scene) : session_({.scene = scene, .autosave = {}}) {
    session_.wait();
    for (int i = 0; i < 3; ++i) frame();  // glyphs are drawn once
  }
  void frame() {
    now_ += screen::UnseenScreen::seconds;
    screen_.frame(1600, 1000, [this] {
      shell_.frame({.width = 1600,
                    .height = 1000,
                    .display_scale = 1,
                    .seconds = screen::UnseenScreen::seconds,
                    .now = now_});
    });
  }
  /// The pointer moves over the page, so that tooltips and picking take part.
  void move_pointer(int step) {
    screen_.input.mouse_move(static_cast<float>(500 + step * 7 % 600),
                             static_cast<float>(300 + step * 3 % 500));
  }
  void change(double now) {
    scene::Scene next = session_.scene();
    next.temperature = next.temperature > 1.5 ? 1 : next.temperature + 0.001;
    session_.change(next, "temperature", now);
  }
  double now() const { return now_; }
  int vertices() const { return screen_.vertices(); }

 private:
  double now_ = 0;
  Session session_;
  screen::UnseenScreen screen_;
  Shell shell_{session_, screen_.input, screen_.textures};
};

scene::Scene with_tokens(int tokens) {
  scene::Scene scene;
  scene.sentence.clear();
  for (int i = 0; i < tokens; ++i) scene.sentence += (i == 0 ? "w" : " w") + std::to_string(i % 97);
  return scene;
}

void run(benchmark::State& state, const scene::Scene& scene) {
  Frames frames(scene);
  int step = 0;
  for (auto _ : state) {
    frames.move_pointer(step++);
    frames.frame();
  }
  state.counters["vertices"] = frames.vertices();
}

void frame_attention(benchmark::State& state) {
  run(state, with_tokens(static_cast<int>(state.range(0))));
}
BENCHMARK(frame_attention)->Arg(6)->Arg(22)->Arg(128)->Arg(512)->Unit(benchmark::kMicrosecond)->UseRealTime();

void frame_ribbons(benchmark::State& state) {
  scene::Scene scene = with_tokens(static_cast<int>(state.range(0)));
  scene.attention_view = scene::AttentionView::ribbons;
  run(state, scene);
}
BENCHMARK(frame_ribbons)->Arg(22)->Arg(128)->Unit(benchmark::kMicrosecond)->UseRealTime();

void frame_position(benchmark::State& state) {
  scene::Scene scene;
  scene.page = scene::Page::position;
  run(state, scene);
}
BENCHMARK(frame_position)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// As while a slider is dragged: every frame changes the scene, computes anew and draws.
void frame_changed(benchmark::State& state) {
  Frames frames(with_tokens(static_cast<int>(state.range(0))));
  for (auto _ : state) {
    frames.change(frames.now());
    frames.frame();
  }
}
BENCHMARK(frame_changed)->Arg(6)->Arg(22)->Arg(128)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace headlight::app
