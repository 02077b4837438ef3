// One frame of the whole interface, built and ended without a display or OpenGL: the processor's work for
// each picture. Names of attention frames end in the number of tokens.
#include <benchmark/benchmark.h>

#include <iterator>
#include <string>

#include "bench/frames.h"

namespace headlight::app {
namespace {

void run(benchmark::State& state, const scene::Scene& scene) {
  Frames frames(scene);
  frames.warm_up();
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
  scene.attention.view = scene::AttentionView::ribbons;
  run(state, scene);
}
BENCHMARK(frame_ribbons)->Arg(22)->Arg(128)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// Every page in its initial state.
void frame_page(benchmark::State& state) {
  scene::Scene scene;
  scene.page = static_cast<scene::Page>(state.range(0));
  state.SetLabel(word(scene.page));
  run(state, scene);
}
BENCHMARK(frame_page)
    ->DenseRange(0, std::size(scene::Words<scene::Page>::list) - 1)
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

/// The Block page's other model, which is trained before the first measured frame.
void frame_encoder_decoder(benchmark::State& state) {
  scene::Scene scene;
  scene.page = scene::Page::block;
  scene.block.model = scene::BlockModel::encoder_decoder;
  run(state, scene);
}
BENCHMARK(frame_encoder_decoder)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// Like dragging a slider: every frame changes the scene, computes and draws.
void frame_changed(benchmark::State& state) {
  Frames frames(with_tokens(static_cast<int>(state.range(0))));
  frames.warm_up();
  for (auto _ : state) {
    frames.change();
    frames.frame();
  }
}
BENCHMARK(frame_changed)->Arg(6)->Arg(22)->Arg(128)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace headlight::app
