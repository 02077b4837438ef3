#include "pictures/animate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <system_error>
#include <vector>

#include "io/files.h"
#include "io/gif.h"
#include "io/unfinished.h"
#include "kit/page_input.h"
#include "pages/compute.h"
#include "pages/page.h"
#include "pages/page_that.h"
#include "pages/quantities.h"
#include "pages/training/training.h"
#include "pages/training/view/cards.h"
#include "scene/figure_scene.h"
#include "scene/settings.h"
#include "session/train_now.h"

namespace headlight::app {

namespace {

namespace fs = std::filesystem;

constexpr float drawn_share = 0.8f;  // drawing's share of the work; the rest is writing

base::Error stopped() {
  return {"the animation was cancelled"};
}

std::uint32_t packed(draw::Color c) {
  return static_cast<std::uint32_t>(c.a) << 24 | static_cast<std::uint32_t>(c.r) << 16 |
         static_cast<std::uint32_t>(c.g) << 8 | c.b;
}

/// The inputs of every frame, and the frames so far.
struct AnimationFrames {
  const AnimateOptions& options;
  const draw::Theme& theme;
  base::Parallel& parallel;
  const std::function<bool(float)>& keep_going;
  std::vector<io::RunImage> frames = {};
  std::size_t bytes = 0;  // size of the frames

  bool reported(float fraction) const { return !keep_going || keep_going(fraction); }
  bool reported_drawn(std::size_t of) const {
    return reported(drawn_share * static_cast<float>(frames.size()) / static_cast<float>(of));
  }

  base::Status draw(const scene::Scene& scene, const scene::Results& results, double position,
                    std::shared_ptr<const scene::TrainingSnapshot> run) {
    const views::PageInput in{.scene = scene,
                              .results = results,
                              .cell = nullptr,
                              .hover = nullptr,
                              .theme = theme,
                              .map_view = {},
                              .play_position = position,
                              .training = std::move(run),
                              .numbers = scene::read_quantity};
    const auto frame = page_pixels(options.figure, in);
    if (!frame) return base::Error{frame.error()};
    frames.emplace_back(*frame);
    bytes += frames.back().runs().size() * sizeof(io::RunImage::Run);
    if (bytes <= options.most_bytes) return {};
    return base::Error{std::to_string(frames.size()) + " frames take more than " +
                       std::to_string(options.most_bytes >> 20) +
                       " MiB of memory: use fewer frames or a smaller scale"};
  }
};

base::Status clock_frames(scene::Scene shown, AnimationFrames& made) {
  shown.page = scene::page_that(&scene::PageUses::plays, shown);
  scene::repair(shown);  // a head of the page before may not exist here
  const AnimateOptions& options = made.options;
  const double start = shown.position_offset, first = shown.positions.index - start,
               around = std::max(1, shown.positions.count);
  std::shared_ptr<scene::Results> results;
  std::string computed;
  for (int i = 0; i < options.frames; ++i) {
    const double position = start + std::fmod(first + i * shown.positions.play_speed / options.fps, around);
    shown.positions.index = static_cast<int>(position);
    if (std::string wanted = scene::key(shown); !results || wanted != computed) {
      results = scene::compute_now(
          shown, made.parallel, [&](float) { return made.reported_drawn(1000); }, std::move(results));
      if (!results) return stopped();
      computed = std::move(wanted);
    }
    if (const base::Status drawn = made.draw(shown, *results, position, nullptr); !drawn) return drawn;
    if (!made.reported_drawn(static_cast<std::size_t>(options.frames))) return stopped();
  }
  return {};
}

/// Draws the kept steps of the given run, including the first and the last.
base::Status kept_frames(const scene::Scene& shown, const scene::Results& results, AnimationFrames& made) {
  const scene::TrainingSnapshot& run = *made.options.run;
  if (run.runs.empty()) return base::Error{"no run has been trained yet"};
  const auto which =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::max(1, shown.training.run)), 1, run.runs.size());
  const std::vector<scene::FilmFrame>& film = run.runs[which - 1].film;
  if (film.empty()) return base::Error{"this run has not kept any maps yet"};
  const std::vector<int> moments = views::film_columns(film, made.options.frames, -1);
  for (const int moment : moments) {
    const bool newest = moment + 1 == static_cast<int>(film.size());
    auto then = newest ? made.options.run
                       : std::make_shared<const scene::TrainingSnapshot>(
                             as_of(run, film[static_cast<std::size_t>(moment)].step));
    if (const base::Status drawn = made.draw(shown, results, -1, std::move(then)); !drawn) return drawn;
    if (!made.reported_drawn(moments.size())) return stopped();
  }
  return {};
}

base::Status film_frames(scene::Scene shown, AnimationFrames& made) {
  shown.page = scene::page_that(&scene::PageUses::trains, shown);
  scene::repair(shown);
  shown.training.shown_step = -1;
  const auto results =
      scene::compute_now(shown, made.parallel, [&](float) { return made.reported_drawn(1000); });
  if (!results) return stopped();
  if (made.options.run) return kept_frames(shown, *results, made);
  base::Status drawn;
  const auto trained = train_now(
      shown, made.parallel, made.options.frames - 1,
      [&](const scene::TrainingSnapshot& now) {
        if (!drawn) return;
        drawn = made.draw(shown, *results, -1, std::make_shared<const scene::TrainingSnapshot>(now));
      },
      [&](float fraction) { return drawn && made.reported(drawn_share * fraction); });
  if (!drawn) return drawn;
  return trained ? base::Status() : base::Status(base::Error{trained.error()});
}

/// Grows all frames to the size of the largest, with background below and at the right.
void make_equal(std::vector<io::RunImage>& frames, draw::Color ground) {
  int width = 0, height = 0;
  for (const io::RunImage& frame : frames)
    width = std::max(width, frame.width()), height = std::max(height, frame.height());
  for (io::RunImage& frame : frames) {
    if (frame.width() != width || frame.height() != height)
      frame = frame.grown(width, height, packed(ground));
  }
}

base::Status write_gif(const scene::Scene& scene, const AnimationFrames& made) {
  const fs::path& out = made.options.out;
  const auto bytes =
      io::encode_gif(made.frames, 1 / made.options.fps, scene::gif_comment(scene),
                     [&](float done) { return made.reported(drawn_share + (1 - drawn_share) * done); });
  if (!bytes) return base::Error{out.string() + ": " + bytes.error()};
  return io::write_file(out, *bytes);
}

base::Status write_sequence(const scene::Scene& scene, const AnimationFrames& made) {
  const io::Metadata metadata = scene::png_metadata(scene);
  const int count = static_cast<int>(made.frames.size());
  base::Status status;
  int written = 0;
  io::UnfinishedSequence unfinished;  // also removes the files when the program is told to end
  while (written < count && status) {
    const auto bytes = io::encode_png(made.frames[static_cast<std::size_t>(written)].image(), metadata);
    status = bytes ? unfinished.write(numbered(made.options.out, written + 1), *bytes)
                   : base::Status(base::Error{bytes.error()});
    if (!status) break;
    ++written;

    const float done = static_cast<float>(written) / static_cast<float>(count);
    if (!made.reported(drawn_share + (1 - drawn_share) * done)) status = stopped();
  }
  if (status) unfinished.whole();  // otherwise the written files are removed
  return status;
}

}  // namespace

std::optional<Motion> motion_of(scene::Page page) {
  const scene::PageUses uses = scene::room_of(page).uses({});
  if (uses.plays) return Motion::clocks;
  if (uses.trains) return Motion::film;
  return std::nullopt;
}

fs::path numbered(const fs::path& out, int number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "-%04d", number);
  fs::path name = out;
  name.replace_filename(out.stem().string() + digits + out.extension().string());
  return name;
}

scene::TrainingSnapshot as_of(const scene::TrainingSnapshot& run, int step) {
  scene::TrainingSnapshot out = run;
  out.state = scene::TrainingState::running;
  out.step = std::min(out.step, step);
  out.tokens_per_second = out.seconds_left = 0;
  out.verdicts.clear(), out.message.clear();
  const auto later = [step](const auto& point) { return point.step > step; };
  for (scene::RunSnapshot& one : out.runs) {
    std::erase_if(one.loss, later), std::erase_if(one.validation, later), std::erase_if(one.score, later);
    std::erase_if(one.film, later);
    if (one.step <= step) continue;
    // These values are known for the newest step only.
    one.step = step, one.rate = 0;
    one.labels.clear(), one.predicted.clear(), one.stopped.clear();
  }
  return out;
}

base::Result<AnimateReport> animate(const scene::Scene& scene, const AnimateOptions& options,
                                    base::Parallel& parallel, const std::function<bool(float)>& keep_going) {
  const bool gif = options.out.extension() == ".gif", clocks = options.what == Motion::clocks;
  if (const auto writable = io::NewFile::create(gif ? options.out : numbered(options.out, 1)); !writable)
    return base::Error{writable.error()};
  scene::Scene shown = scene;
  shown.theme = options.theme.value_or(scene.theme);
  shown.positions.play = false;
  const draw::Theme theme = figure_theme(shown, options.transparent && !gif);
  AnimateOptions wanted = options;
  wanted.figure.page = scene::page_that(clocks ? &scene::PageUses::plays : &scene::PageUses::trains, shown);
  AnimationFrames made{wanted, theme, parallel, keep_going};
  const base::Status drawn = clocks ? clock_frames(shown, made) : film_frames(shown, made);
  if (!drawn) return base::Error{drawn.error()};
  make_equal(made.frames, theme.window);
  const base::Status written = gif ? write_gif(scene, made) : write_sequence(scene, made);
  if (!written) return base::Error{written.error()};
  const int count = static_cast<int>(made.frames.size());
  return AnimateReport{count, made.frames[0].width(), made.frames[0].height(),
                       gif ? options.out : numbered(options.out, 1),
                       gif ? options.out : numbered(options.out, count)};
}

}  // namespace headlight::app
