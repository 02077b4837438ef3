// What the Export card makes of its choices, in the background: a picture, numbers or an animation, its
// file’s name, and what is said once it is there.
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "app/export_card.h"
#include "app/export_choices.h"
#include "io/files.h"
#include "pages/training/training.h"
#include "pictures/animate.h"
#include "pictures/export_numbers.h"
#include "pictures/pages.h"
#include "pictures/share_figure.h"
#include "scene/model_file.h"

namespace headlight::app {

namespace fs = std::filesystem;

using namespace export_choices;

std::size_t export_choices::kept_moments(const Session& session) {
  const auto run = session.training().latest();
  if (!run || run->runs.empty()) return 0;
  const auto last = run->runs.size() - 1;
  return run->runs[std::min(static_cast<std::size_t>(std::max(0, session.scene().training.run - 1)), last)]
      .film.size();
}

namespace {

// Results that are made this quickly are ready in the frame that requested them; others are made in the
// background.
constexpr std::chrono::milliseconds at_once{30};
constexpr const char* export_stopped = "the export was stopped";
struct ExportStopped {};

/// Removes what an export has written that was stopped as it ended. Several files are an animation, which
/// checks at each of them whether to continue.
void take_away(const MadeFile& made) {
  std::error_code failed;
  if (!made.first.empty() && made.first == made.last) fs::remove(made.first, failed);
}

fs::path usual_folder() {
  const char* home = std::getenv("HOME");
  const fs::path own = home != nullptr ? home : "";
  if (!own.is_absolute()) return fs::temp_directory_path();
  std::error_code ignored;
  return fs::is_directory(own / "Documents", ignored) ? own / "Documents" : own;
}

}  // namespace

fs::path free_sequence(const fs::path& path, int count) {
  return io::free_path(path, [count](const fs::path& name) {
    for (int i = 1; i <= count; ++i) {
      if (io::is_there(numbered(name, i))) return true;
    }
    return false;
  });
}

fs::path ExportCard::free(const fs::path& path) const {
  return is_sequence() ? free_sequence(path, frame_counts[static_cast<std::size_t>(frames_)])
                       : io::free_path(path);
}

bool ExportCard::shares() const {
  return panel() == share_name;
}

draw::FigureParts ExportCard::parts() const {
  draw::FigureParts out = has_parts() ? parts_ : draw::FigureParts{};
  out.square = out.square && has_cells();
  return out;
}

/// Suggests a file name; if another name was typed, only its ending follows the format.
void ExportCard::suggest(scene::Page page) {
  const std::string ending = endings[static_cast<std::size_t>(format_)];
  if (path_ != suggested_) {
    const fs::path typed = path_;
    bool known = false;
    for (const char* one : endings) known = known || typed.extension() == one;
    if (known) path_ = fs::path(typed).replace_extension(ending).string();
    return;
  }
  // The page has the name that its tab has.
  std::string name = std::string("headlight-") + page_info(page).room.title;
  for (char& c : name) c = c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!panel().empty()) name += "-" + (shares() ? "share" : panel());
  path_ = suggested_ = free((folder.empty() ? usual_folder() : folder) / (name + ending)).string();
}

FigureRequest ExportCard::request(const PageArea& page) const {
  return {.page = page_,
          .panel = panel(),
          .width = page.shown().w,
          .height = page.shown().h,
          .width_mm = widths_mm[static_cast<std::size_t>(width_)],
          .parts = parts(),
          .scale = scale_ + 1.0};
}

FileJob::Make ExportCard::picture(FigureFormat format, const fs::path& path, Session& session,
                                  const PageArea& page, draw::Point within) const {
  scene::Scene look;
  look.theme = light_ ? scene::ThemeName::light : scene::ThemeName::dark;
  const draw::Theme theme = figure_theme(look, transparent_);
  const views::PageInput on_screen = page.input(session, theme);
  const draw::Box map_view = on_screen.map_view;
  const double play = on_screen.play_position;
  double scale = share_scale * (scale_ + 1.0);
  return
      [=, shown = session.shown(), shares = shares(), request = request(page)](
          base::Parallel&, const std::function<bool(float)>& keep_going) mutable -> base::Result<MadeFile> {
        const scene::UseModels at_hand(shown.models.get());
        views::PageInput in = page_input(shown, theme);
        in.map_view = map_view, in.play_position = play;
        if (within.x > 0 && shares) {
          scale = static_cast<double>(std::min(within.x / share_size.x, within.y / share_size.y));
        } else if (within.x > 0) {
          request.scale = 1;
          const auto size = figure_size(request, in);
          if (!size) return base::Error{size.error()};
          request.scale = std::min(static_cast<double>(within.x) / size->pixels_wide,
                                   static_cast<double>(within.y) / size->pixels_high);
        }
        auto bytes = shares ? share_figure(share_size, scale, format, in) : page_figure(request, format, in);
        if (!bytes) return base::Error{bytes.error()};
        if (!keep_going(0.9f)) return base::Error{export_stopped};
        if (path.empty()) return MadeFile{.bytes = std::move(*bytes)};
        if (const base::Status written = io::write_file(path, *bytes); !written)
          return base::Error{written.error()};
        return MadeFile{path, path, {}};
      };
}

FileJob::Make ExportCard::numbers(const fs::path& path, Session& session) const {
  return
      [=, shown = session.shown(), tables = tables_shown(session.scene(), page_, shares() ? "map" : panel())](
          base::Parallel& parallel, const std::function<bool(float)>& keep_going) -> base::Result<MadeFile> {
        const scene::UseModels at_hand(shown.models.get());
        const auto check = [&](std::size_t) {
          if (!keep_going(0)) throw ExportStopped();
        };
        const scene::TableSource source{shown.scene, *shown.results, parallel, shown.training.get(),
                                        shown.measured.get()};
        try {
          if (path.empty()) {
            auto text = numbers_text(tables, source, check);
            if (!text) return base::Error{text.error()};
            return MadeFile{.bytes = std::move(*text)};
          }
          if (const base::Status written = write_numbers(tables, source, path, check); !written)
            return base::Error{written.error()};
        } catch (const ExportStopped&) {  // the unfinished file is removed
          return base::Error{export_stopped};
        }
        return MadeFile{path, path, {}};
      };
}

FileJob::Make ExportCard::animation(const fs::path& path, Session& session, const PageArea& page) const {
  AnimateOptions options;
  options.what = *motion_of(page_);
  options.figure = request(page);
  options.theme = light_ ? scene::ThemeName::light : scene::ThemeName::dark;
  options.transparent = transparent_;
  options.frames = frame_counts[static_cast<std::size_t>(frames_)];
  options.fps = frames_a_second[static_cast<std::size_t>(fps_)];
  options.out = path;
  if (kept_moments(session) > 0) {
    options.run = session.training().latest();
  } else if (options.what == Motion::film && options.figure.panel == "welcome") {
    options.figure.panel = "film";  // the card that replaces it once there is a run
  }
  return
      [options, scene = session.scene()](
          base::Parallel& parallel, const std::function<bool(float)>& keep_going) -> base::Result<MadeFile> {
        auto report = animate(scene, options, parallel, keep_going);
        if (!report) return base::Error{report.error()};
        return MadeFile{report->first, report->last, {}};
      };
}

/// `path` empty: copies to the clipboard.
void ExportCard::make(To to, const fs::path& path, Session& session, const PageArea& page) {
  FileJob::Work work{.what = "the picture", .smaller = "choose a smaller one", .make = {}};
  if (to == To::text_clipboard || (to == To::file && !is_picture() && !moves())) {
    work = {.what = "the file", .smaller = "export fewer numbers", .make = numbers(path, session)};
  } else if (to == To::file && moves()) {
    work = {.what = "the animation",
            .smaller = "use fewer or smaller frames",
            .make = animation(path, session, page)};
  } else {
    const FigureFormat format = to == To::file ? *figure_format(path) : FigureFormat::png;
    work.make = picture(format, path, session, page);
  }
  problem_.clear();
  const bool film = to == To::file && moves();
  Made& made = film ? film_ : still_;
  made.stopped = false;
  made.begun = choices();
  if (film) reported_ = -1, ended_.reset();
  if (!film) to_ = to, tells_end_ = false;
  made.job.start(std::move(work));
  if (!film) made.job.wait_for(at_once);
}

ExportCard::Writing ExportCard::writing() const {
  if (film_.job.running()) return {"An animation", film_.job.fraction()};
  if (still_.job.running() && to_ == To::file) return {"A file", still_.job.fraction()};
  return {};
}

void ExportCard::stop(Made& made) {
  made.stopped = true;
  made.job.stop();
}

namespace {

std::string written_path(const MadeFile& made) {
  return made.first.string() + (made.last == made.first ? "" : " … " + made.last.filename().string());
}

}  // namespace

/// The export is finished: reports where it is.
base::Status ExportCard::finish(const MadeFile& made, To to, Session& session, double now) {
  if (to == To::picture_clipboard) {
    if (!copy_picture) return base::Error{"pictures can be copied only from a window"};
    if (base::Status copied = copy_picture(made.bytes); !copied) return copied;
    session.say("copied the picture", now);
  } else if (to == To::text_clipboard) {
    ImGui::SetClipboardText(made.bytes.c_str());
    session.say("copied the numbers", now);
  } else {
    session.say("exported " + written_path(made), now);
  }
  return {};
}

void ExportCard::take(Made& made, To to, Session& session, screen::Ui& ui, bool open, double now) {
  const auto ended = made.job.take();
  if (!ended) return;
  const bool stopped = std::exchange(made.stopped, false);
  const bool late = stopped && *ended;  // it was ready before it could be stopped
  if (late) take_away(**ended);
  const base::Status status = !*ended ? base::Status(base::Error{ended->error()})
                              : late  ? base::Status(base::Error{export_stopped})
                                      : finish(**ended, to, session, now);
  const bool stated_in_card = !status && open && problem_.empty();
  const bool film = &made == &film_;
  const bool reported = film || std::exchange(tells_end_, false);
  if (reported && !stopped && !stated_in_card) {
    ended_ = Ended{film ? "The animation" : "The file", {}, {}};
    (status ? ended_->path : ended_->problem) = status ? written_path(**ended) : status.error();
  }
  if (stated_in_card) {
    problem_ = status.error();
  } else if (!status) {
    session.warn(status.error(), now);
  } else if (open && made.begun == choices() && problem_.empty()) {
    ui.focus.clear();
    ui.close_popup();
  }
}

void ExportCard::follow(Session& session, screen::Ui& ui, bool open, double now) {
  take(still_, to_, session, ui, open, now);
  take(film_, To::file, session, ui, open, now);
  if (open || !film_.job.running()) return;
  const int percent = static_cast<int>(100 * film_.job.fraction());
  if (std::exchange(reported_, percent) != percent)
    session.say("animation: " + std::to_string(percent) + " %", now);
}

}  // namespace headlight::app
