// headlight_count: the program that scripts/check_cost runs under valgrind. It does each thing a number of
// times and tells callgrind, by client requests, where it begins and what it was; without valgrind nothing is
// counted.
//
//   headlight_count                 everything, in this order
//   headlight_count frame/order …   only these
//   headlight_count --list          their names
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/callgrind.h"
#include "bench/forward_pass.h"
#include "bench/frames.h"
#include "bench/training_step.h"
#include "io/files.h"
#include "io/npy.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight {
namespace {

constexpr int one_thread = 1;

/// Counts what `work` does in this thread, `times` times; the report line has its name and number.
void count(const std::string& name, int times, const std::function<void()>& work) {
  CALLGRIND_ZERO_STATS;
  CALLGRIND_TOGGLE_COLLECT;
  for (int i = 0; i < times; ++i) work();
  CALLGRIND_TOGGLE_COLLECT;
  const std::string label = name + " " + std::to_string(times);
  CALLGRIND_DUMP_STATS_AT(label.c_str());
}

/// Counts a frame while the pointer moves over the page: nothing changes, every picture is built again.
/// `open`: done before, such as playing a lesson.
void count_frames(
    const std::string& name, const scene::Scene& scene,
    const std::function<void(app::Frames&)>& open = [](app::Frames&) {}) {
  constexpr int frames = 2;
  app::Frames window(scene, one_thread);
  window.without_times();
  open(window);
  window.warm_up();
  int step = 0;
  const auto frame = [&] {
    window.move_pointer(step++);
    window.frame();
  };
  // Tooltips and highlights need glyphs of their own.
  for (int i = 0; i < frames; ++i) frame();
  step = 0;
  count(name, frames, frame);
}

void count_change() {
  constexpr int frames = 2;
  app::Frames window(app::with_tokens(22), one_thread);
  window.without_times();
  window.warm_up();
  const auto change = [&] {
    window.change();
    window.frame();
  };
  // The first changes need glyphs that the title and the numbers have not had before.
  for (int i = 0; i < 4; ++i) change();
  count("change", frames, change);
}

/// The Model page for GPT-2's shape: 12 layers of 12 heads. 128 tokens only, because the file is also read
/// under valgrind; the small pictures of longer texts have no more pixels.
void count_heads() {
  constexpr std::size_t layers = 12, heads = 12, T = 128;
  std::vector<float> weights(layers * heads * T * T, 0.f);
  for (std::size_t row = 0; row < layers * heads * T; ++row) {
    const std::size_t query = row % T, key = query * (row / T % heads) / heads;
    weights[row * T + query] += 0.25f, weights[row * T + key] += 0.75f;
  }
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "headlight-144-heads.npy";
  scene::Scene scene;
  std::string bytes = io::npy_header("<f4", {layers, heads, T, T});
  bytes.append(reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(float));
  if (!io::write_file(file, bytes) || !scene::set_field(scene, "attention=" + file.string())) return;
  scene.page = scene::Page::model;
  count_frames("frame/144_heads", scene);
  std::filesystem::remove(file);
}

/// From nothing to the first picture: the included model, its results, fonts, glyphs, one frame.
void count_start() {
  std::unique_ptr<app::Frames> window;
  count("start", 1, [&] {
    std::string look_at;
    window = std::make_unique<app::Frames>(scene::first_scene(look_at), one_thread);
    window->without_times();
    window->frame();
  });
}

/// (T, d, heads) = (256, 256, 8).
void count_forward() {
  nn::ForwardPass pass(256, 256, 8, one_thread);
  count("forward", 1, [&] { pass.run(); });
}

/// One sequence only, because valgrind is slow with fused multiplications.
void count_training_step() {
  nn::TrainingStep step(true, one_thread, 1);
  count("training", 1, [&] { step.run(); });
}

struct Counted {
  std::string name;
  std::function<void()> run;
};

std::vector<Counted> everything() {
  std::vector<Counted> all;
  all.push_back({"start", count_start});  // first: nothing is in memory yet
  for (const app::PageInfo& page : app::pages()) {
    const std::string name = std::string("frame/") + word(page.page());
    all.push_back({name, [name, which = page.page()] {
                     scene::Scene scene;
                     scene.page = which;
                     count_frames(name, scene);
                   }});
  }
  all.push_back(
      {"frame/lesson", [] { count_frames("frame/lesson", {}, [](app::Frames& w) { w.play("1"); }); }});
  all.push_back(
      {"frame/lessons", [] { count_frames("frame/lessons", {}, [](app::Frames& w) { w.list_lessons(); }); }});
  all.push_back({"frame/512_tokens", [] { count_frames("frame/512_tokens", app::with_tokens(512)); }});
  all.push_back({"frame/144_heads", count_heads});
  all.push_back({"change", count_change});
  all.push_back({"forward", count_forward});
  all.push_back({"training", count_training_step});
  return all;
}

}  // namespace
}  // namespace headlight

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  if (wanted == std::vector<std::string>{"--list"}) {
    for (const headlight::Counted& one : headlight::everything()) std::puts(one.name.c_str());
    return 0;
  }
  std::size_t found = 0;
  for (const headlight::Counted& one : headlight::everything()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), one.name) == wanted.end()) continue;
    ++found;
    one.run();
  }
  if (found >= std::max<std::size_t>(wanted.size(), 1)) return 0;
  std::fprintf(stderr, "headlight_count: there is no such thing to count; it knows:");
  for (const headlight::Counted& one : headlight::everything()) std::fprintf(stderr, " %s", one.name.c_str());
  std::fprintf(stderr, "\n");
  return 2;
}
