#include "app/animate.h"

#include <cmath>
#include <cstdio>

#include "app/session.h"
#include "app/train_now.h"
#include "io/files.h"
#include "io/gif.h"
#include "scene/figure_scene.h"

namespace headlight::app {

namespace {

namespace fs = std::filesystem;

/// "clocks.png" → "clocks-0007.png"
fs::path numbered(const fs::path& out, std::size_t number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "-%04zu", number);
  fs::path name = out;
  name.replace_filename(out.stem().string() + digits + out.extension().string());
  return name;
}

/// Frames as large as the largest: what is missing below and at the right is ground.
void make_equal(std::vector<io::Image>& frames, draw::Color ground) {
  int width = 0, height = 0;
  for (const io::Image& frame : frames)
    width = std::max(width, frame.width), height = std::max(height, frame.height);
  for (io::Image& frame : frames) {
    if (frame.width == width && frame.height == height) continue;
    io::Image larger{width, height, 4, {}};
    for (int i = 0; i < width * height; ++i)
      larger.pixels.insert(larger.pixels.end(), {ground.r, ground.g, ground.b, ground.a});
    const auto row = static_cast<std::size_t>(frame.width) * 4;
    for (std::size_t y = 0; y < static_cast<std::size_t>(frame.height); ++y)
      std::copy_n(&frame.pixels[y * row], row, &larger.pixels[y * static_cast<std::size_t>(width) * 4]);
    frame = std::move(larger);
  }
}

base::Result<std::vector<io::Image>> clock_frames(const scene::Scene& scene, const AnimateOptions& options,
                                                  const draw::Theme& theme) {
  scene::Scene shown = scene;
  shown.page = scene::Page::position;
  shown.play = false;
  Session session({.scene = shown, .autosave = {}});
  session.wait();
  std::vector<io::Image> frames;
  for (int i = 0; i < options.frames; ++i) {
    const double position = std::fmod(scene.position_index + i * scene.play_speed / options.fps,
                                      static_cast<double>(std::max(1, scene.positions)));
    shown.position_index = static_cast<int>(position);
    session.advance(shown);
    session.wait();
    const views::PageInput in{.scene = session.scene(),
                              .results = session.results(),
                              .cell = session.cell(),
                              .hover = nullptr,
                              .theme = theme,
                              .map_view = {},
                              .play_position = position};
    auto frame = page_pixels(options.figure, in);
    if (!frame) return base::Error{frame.error()};
    frames.push_back(std::move(*frame));
  }
  return frames;
}

base::Result<std::vector<io::Image>> film_frames(const scene::Scene& scene, const AnimateOptions& options,
                                                 const draw::Theme& theme) {
  scene::Scene shown = scene;
  shown.page = scene::Page::training;
  Session session({.scene = shown, .autosave = {}});
  session.wait();
  base::Parallel parallel;
  std::vector<io::Image> frames;
  std::string problem;
  const auto trained =
      train_now(shown, parallel, options.frames - 1, [&](const scene::TrainingSnapshot& snapshot) {
        const views::PageInput in{.scene = session.scene(),
                                  .results = session.results(),
                                  .cell = nullptr,
                                  .hover = nullptr,
                                  .theme = theme,
                                  .map_view = {},
                                  .training = std::make_shared<const scene::TrainingSnapshot>(snapshot)};
        auto frame = page_pixels(options.figure, in);
        if (frame) {
          frames.push_back(std::move(*frame));
        } else {
          problem = frame.error();
        }
      });
  if (!trained) return base::Error{trained.error()};
  if (!problem.empty()) return base::Error{problem};
  return frames;
}

std::string described(std::size_t frames, const io::Image& first, const std::string& where) {
  return std::to_string(frames) + " frames of " + std::to_string(first.width) + " × " +
         std::to_string(first.height) + " pixels: " + where + "\n";
}

}  // namespace

base::Result<std::string> animate(const scene::Scene& scene, const AnimateOptions& options) {
  const bool gif = options.out.extension() == ".gif";
  if (const auto writable = io::NewFile::create(gif ? options.out : numbered(options.out, 1)); !writable)
    return base::Error{writable.error()};
  const draw::Theme theme = figure_theme(scene, options.transparent && !gif);
  AnimateOptions wanted = options;
  const bool clocks = options.what == Motion::clocks;
  wanted.figure.plain = true;
  wanted.figure.page = clocks ? scene::Page::position : scene::Page::training;
  if (wanted.figure.panel.empty()) wanted.figure.panel = clocks ? "clocks" : "film";
  auto frames = clocks ? clock_frames(scene, wanted, theme) : film_frames(scene, wanted, theme);
  if (!frames) return base::Error{frames.error()};
  make_equal(*frames, theme.window);
  if (gif) {
    const auto bytes = io::encode_gif(*frames, 1 / options.fps);
    if (!bytes) return base::Error{options.out.string() + ": " + bytes.error()};
    if (const auto written = io::write_file(options.out, *bytes); !written)
      return base::Error{written.error()};
    return described(frames->size(), frames->front(), options.out.string());
  }
  for (std::size_t i = 0; i < frames->size(); ++i) {
    const auto bytes = io::encode_png((*frames)[i], scene::png_metadata(scene));
    if (!bytes) return base::Error{bytes.error()};
    if (const auto written = io::write_file(numbered(options.out, i + 1), *bytes); !written)
      return base::Error{written.error()};
  }
  return described(
      frames->size(), frames->front(),
      numbered(options.out, 1).string() + " … " + numbered(options.out, frames->size()).string());
}

}  // namespace headlight::app
