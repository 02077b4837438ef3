#include "app/export_card.h"

#include <imgui.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <span>
#include <system_error>
#include <utility>

#include "app/export_numbers.h"
#include "app/folder_rows.h"
#include "app/guided_words.h"
#include "app/pages.h"
#include "app/share_figure.h"
#include "base/caught.h"
#include "base/numbers.h"
#include "io/files.h"
#include "pages/cost/cost.h"
#include "pages/page.h"
#include "pages/training/training.h"

namespace headlight::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* popup = "export";
constexpr const char* share_name = "share card";
constexpr float card_width = 620;  // units
constexpr std::array<std::string_view, 9> formats{"PNG", "SVG",  "PDF", "CSV",         "NPY",
                                                  "NPZ", "JSON", "GIF", "PNG sequence"};
constexpr std::size_t still_formats = 7;  // on a page where nothing moves
constexpr std::array<const char*, 9> endings{".png", ".svg",  ".pdf", ".csv", ".npy",
                                             ".npz", ".json", ".gif", ".png"};
constexpr std::array<std::string_view, 9> format_helps{
    "pixels",
    "editable; every word is text",
    "for papers; fonts are embedded",
    "the first table of the card, as text",
    "the first table of the card, for NumPy",
    "all tables of the card, for NumPy",
    "all tables of the card",
    "a repeating animation with at most 256 colours",
    "an animation as numbered pictures",
};
constexpr std::array<std::string_view, 4> scales{"1×", "2×", "3×", "4×"};
constexpr std::array<std::string_view, 3> widths{"as on screen", "85 mm column", "170 mm page"};
constexpr std::array<double, 3> widths_mm{0, 85, 170};
constexpr std::array<std::string_view, 4> frame_words{"25", "50", "100", "200"},
    fps_words{"5", "10", "25", "50"};
constexpr std::array<int, 4> frame_counts{25, 50, 100, 200}, frames_a_second{5, 10, 25, 50};

fs::path usual_folder() {
  const char* home = std::getenv("HOME");
  const fs::path own = home != nullptr ? home : "";
  if (!own.is_absolute()) return fs::temp_directory_path();
  std::error_code ignored;
  return fs::is_directory(own / "Documents", ignored) ? own / "Documents" : own;
}

scene::TableSource source_of(Session& session, base::Parallel& parallel,
                             const scene::TrainingSnapshot* training,
                             const scene::CostMeasurements* measured) {
  return {session.scene(), session.results(), parallel, training, measured};
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

template <class Taken>
fs::path first_free(const fs::path& path, const Taken& taken) {
  fs::path name = path;
  for (int number = 2; taken(name); ++number) {
    name = path;
    name.replace_filename(path.stem().string() + "-" + std::to_string(number) + path.extension().string());
  }
  return name;
}

/// "2 s", "0.5 s"
std::string seconds_words(double seconds) {
  return base::brief(seconds, 3) + " s";
}

/// Moments of the run that is shown that a film can show.
std::size_t kept_moments(const Session& session) {
  const auto run = session.training().latest();
  if (!run || run->runs.empty()) return 0;
  const auto last = run->runs.size() - 1;
  return run->runs[std::min(static_cast<std::size_t>(std::max(0, session.scene().training.run - 1)), last)]
      .film.size();
}

}  // namespace

fs::path free_path(const fs::path& path) {
  return first_free(path, is_there);
}

fs::path free_sequence(const fs::path& path, int count) {
  return first_free(path, [count](const fs::path& name) {
    for (int i = 1; i <= count; ++i) {
      if (is_there(numbered(name, i))) return true;
    }
    return false;
  });
}

fs::path ExportCard::free(const fs::path& path) const {
  return is_sequence() ? free_sequence(path, frame_counts[static_cast<std::size_t>(frames_)])
                       : free_path(path);
}

bool ExportCard::shares() const {
  return panel() == share_name;
}

/// A name for the file, unless another was typed; then only its ending follows the format.
void ExportCard::suggest(scene::Page page) {
  const std::string ending = endings[static_cast<std::size_t>(format_)];
  if (path_ != suggested_) {
    const fs::path typed = path_;
    bool known = false;
    for (const char* one : endings) known = known || typed.extension() == one;
    if (known) path_ = fs::path(typed).replace_extension(ending).string();
    return;
  }
  std::string name = std::string("headlight-") + scene::word(page);
  if (!panel().empty()) name += "-" + (shares() ? "share" : panel());
  path_ = suggested_ = free((folder.empty() ? usual_folder() : folder) / (name + ending)).string();
}

FigureWish ExportCard::wish(const PageArea& page) const {
  return {.page = page_,
          .panel = panel(),
          .width = page.shown().w,
          .height = page.shown().h,
          .width_mm = widths_mm[static_cast<std::size_t>(width_)],
          .scale = scale_ + 1.0};
}

base::Result<std::string> ExportCard::picture(FigureFormat format, Session& session,
                                              const PageArea& page) const try {
  scene::Scene look;
  look.theme = light_ ? scene::ThemeName::light : scene::ThemeName::dark;
  const draw::Theme theme = figure_theme(look, transparent_);
  if (shares())
    return share_figure(share_size, share_scale * (scale_ + 1.0), format, page.input(session, theme));
  return page_figure(wish(page), format, page.input(session, theme));
} catch (...) {
  return base::Error{"cannot create the picture: " + base::caught_words()};
}

base::Status ExportCard::write(const fs::path& path, Session& session, const PageArea& page) const {
  try {
    return write_whole(path, session, page);
  } catch (...) {  // nothing of the file is there
    return io::cannot("write", path, base::caught_words());
  }
}

base::Status ExportCard::write_whole(const fs::path& path, Session& session, const PageArea& page) const {
  if (is_picture()) {
    const auto bytes = picture(*figure_format(path), session, page);
    return bytes ? io::write_file(path, *bytes) : base::Status(base::Error{bytes.error()});
  }
  base::Parallel parallel(1);
  const auto training = session.training().latest();
  const auto measured = session.timing().latest();
  return write_numbers(tables_shown(session.scene(), page_, shares() ? "map" : panel()),
                       source_of(session, parallel, training.get(), measured.get()), path);
}

void ExportCard::animate_to(const fs::path& path, Session& session, const PageArea& page) {
  AnimateOptions options;
  options.what = *motion_of(page_);
  options.figure = wish(page);
  options.theme = light_ ? scene::ThemeName::light : scene::ThemeName::dark;
  options.transparent = transparent_;
  options.frames = frame_counts[static_cast<std::size_t>(frames_)];
  options.fps = frames_a_second[static_cast<std::size_t>(fps_)];
  options.out = path;
  if (kept_moments(session) > 0) {
    options.run = session.training().latest();
  } else if (options.what == Motion::film && options.figure.panel == "welcome") {
    options.figure.panel = "film";  // what stands there once there is a run
  }
  problem_.clear();
  told_ = -1;
  animated_ = choices();
  job_.start(session.scene(), options);
}

void ExportCard::follow(Session& session, screen::Ui& ui, bool open, double now) {
  if (const auto ended = job_.take()) {
    if (!*ended && open && problem_.empty()) {
      problem_ = ended->error();
    } else if (!*ended) {
      session.say(ended->error(), now);
    } else {
      const AnimateReport& report = **ended;
      session.say("exported " + report.first.string() +
                      (report.last == report.first ? "" : " … " + report.last.filename().string()),
                  now);
      if (!open || animated_ != choices() || !problem_.empty()) return;
      ui.focus.clear();
      ui.close_popup();
    }
  }
  if (open || !job_.running()) return;
  const int percent = static_cast<int>(100 * job_.fraction());
  if (std::exchange(told_, percent) != percent)
    session.say("animation: " + std::to_string(percent) + " %", now);
}

base::Status ExportCard::copy_numbers(Session& session) const {
  base::Parallel parallel(1);
  const auto training = session.training().latest();
  const auto measured = session.timing().latest();
  const auto text = numbers_text(tables_shown(session.scene(), page_, shares() ? "map" : panel()),
                                 source_of(session, parallel, training.get(), measured.get()));
  if (!text) return base::Error{text.error()};
  ImGui::SetClipboardText(text->c_str());
  return {};
}

void ExportCard::done(const base::Status& status, const std::string& words, Session& session, screen::Ui& ui,
                      double now) {
  problem_ = status ? "" : status.error();
  if (!status) return;
  session.say(words, now);
  ui.focus.clear();
  ui.close_popup();
}

void ExportCard::choose(screen::Ui& ui) {
  ui.begin_flow();
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    const figure::Panel& panel = panels_[i];
    bool on = static_cast<int>(i) == chosen_;
    const std::string label = i == 0 ? "whole page" : panel.name;
    if (ui.chip({.label = label, .help = panel.title, .name = label}, on)) {
      chosen_ = static_cast<int>(i);
      suggest(page_);
    }
  }
  ui.end_flow();
}

float ExportCard::tallest_options(bool animations) const {
  return static_cast<float>(animations ? 4 : 2) * choice_height_ + 2 * toggle_height_;
}

void ExportCard::picture_options(screen::Ui& ui) {
  const float top = ImGui::GetCursorPosY();
  if (!shares()) ui.segmented({.name = "width", .options = widths, .label = "printed width"}, width_);
  if (!shares()) choice_height_ = ImGui::GetCursorPosY() - top;
  if (format_ == 0 || moves()) {
    ui.segmented({.name = "scale",
                  .options = scales,
                  .label = width_ == 0 || shares() ? "pixels per unit" : "times 300 pixels per inch"},
                 scale_);
  }
  if (moves()) motion_options(ui);
  const float toggle = ImGui::GetCursorPosY();
  ui.toggle("light theme", light_, "for paper, whatever the theme of the window");
  toggle_height_ = ImGui::GetCursorPosY() - toggle;
  if (endings[static_cast<std::size_t>(format_)] != std::string_view(".gif"))
    ui.toggle("transparent", transparent_, "without background and cards");
}

void ExportCard::motion_options(screen::Ui& ui) {
  const bool film = motion_of(page_) == Motion::film;
  if (ui.segmented({.name = "frames", .options = frame_words, .label = film ? "frames at most" : "frames"},
                   frames_) &&
      is_sequence())
    suggest(page_);
  ui.segmented({.name = "frames per second", .options = fps_words, .label = "frames per second"}, fps_);
}

/// How large the picture becomes, or why it cannot be made.
const base::Result<std::string>& ExportCard::size_line(Session& session, const PageArea& page) {
  const SizeFor wanted{page_,          chosen_,       format_, scale_, width_, session.results().version,
                       page.shown().w, page.shown().h};
  if (size_for_ == wanted) return size_;
  size_for_ = wanted;
  const FigureFormat format =
      figure_format(std::string("figure") + endings[static_cast<std::size_t>(format_)])
          .value_or(FigureFormat::png);
  if (shares()) {
    const double scale = share_scale * (scale_ + 1.0);
    const auto pixels = [&](float units) {
      return static_cast<int>(std::lround(static_cast<double>(units) * scale));
    };
    size_ = size_words({share_size.x, share_size.y, pixels(share_size.x), pixels(share_size.y)}, format);
    return size_;
  }
  const draw::Theme theme = figure_theme(session.scene(), transparent_);
  const auto size = figure_size(wish(page), page.input(session, theme));
  size_ = size ? base::Result<std::string>(size_words(*size, format)) : base::Error{size.error()};
  return size_;
}

void ExportCard::remarks(screen::Ui& ui, Session& session, const PageArea& page) {
  if (job_.running()) {
    ui.progress(job_.fraction(),
                "animation: " + std::to_string(static_cast<int>(100 * job_.fraction())) + " %");
  }
  if (!problem_.empty()) return ui.problem(problem_);
  if (job_.running()) return;
  std::string size;
  if (is_picture() || moves()) {
    const base::Result<std::string>& line = size_line(session, page);
    if (!line) return ui.problem(line.error());
    size = "Size: " + *line + ". ";
  }
  const std::string usual = "Existing files are kept: the new one is numbered. ";
  if (!moves()) {
    const std::string guided = guided_words(page_input(session, ui.theme()), panel());
    return ui.paragraph(size + guided + usual + "Pictures contain the scene: open one to restore it.");
  }
  int frames = frame_counts[static_cast<std::size_t>(frames_)];
  const double fps = frames_a_second[static_cast<std::size_t>(fps_)];
  std::string words;
  if (motion_of(page_) == Motion::clocks) {
    words = std::to_string(frames) + " frames take " + seconds_words(frames / fps) +
            "; the position moves by " + base::brief(frames / fps * session.scene().play_speed, 3) + ". ";
  } else if (const std::size_t kept = kept_moments(session); kept > 0) {
    frames = std::min(frames, static_cast<int>(kept));
    words = "The run has kept " + std::to_string(kept) + (kept == 1 ? " moment: " : " moments: ") +
            std::to_string(frames) + (frames == 1 ? " frame, " : " frames, ") + seconds_words(frames / fps) +
            ". ";
  } else {
    words = "No run has been trained yet: one with these settings will be trained. ";
  }
  ui.paragraph(size + words + usual);
}

void ExportCard::buttons(screen::Ui& ui, Session& session, const PageArea& page, bool submitted, double now) {
  ui.begin_flow();
  const bool busy = moves() && job_.running();
  if ((ui.button({.label = "Export", .name = "write", .enabled = !busy, .primary = true}) || submitted) &&
      !busy) {
    fs::path path = typed_path(typed_words(path_, suggested_));
    if (path.extension() != endings[static_cast<std::size_t>(format_)])
      path += endings[static_cast<std::size_t>(format_)];
    path = free(path);
    if (moves()) {
      animate_to(path, session, page);
    } else {
      done(write(path, session, page), "exported " + path.string(), session, ui, now);
    }
  }
  if (job_.running()) {
    if (ui.button({.label = "Stop", .help = "the animation is not finished"})) job_.stop();
    if (ui.button({.label = "Close", .help = "continue the animation"})) ui.close_popup();
    ui.end_flow();
    return;
  }
  if (ui.button({.label = "Copy picture", .help = "to the clipboard, as PNG"})) {
    const auto bytes = picture(FigureFormat::png, session, page);
    base::Status status = base::Error{bytes ? "pictures can be copied only from a window" : bytes.error()};
    if (bytes && copy_picture) status = copy_picture(*bytes);
    done(status, "copied the picture", session, ui, now);
  }
  if (ui.button({.label = "Copy numbers", .help = "to the clipboard, for a spreadsheet"}))
    done(copy_numbers(session), "copied the numbers", session, ui, now);
  if (ui.button({.label = "Cancel"})) ui.close_popup();
  ui.end_flow();
}

void ExportCard::frame(screen::Ui& ui, Session& session, const PageArea& page, double now) {
  if (std::exchange(opening_, false)) {
    page_ = session.scene().page;
    panels_ = {{}};
    FigureWish whole{.page = page_, .width = page.shown().w, .height = page.shown().h};
    for (figure::Panel& panel : page_panels(whole, page.input(session, ui.theme())))
      panels_.push_back(std::move(panel));
    if (scene::room_of(page_).uses(session.scene()).large_map)
      panels_.push_back(
          {share_name, "one sentence, one beam and one line, 1200 × 630, to be shown elsewhere", {}});
    chosen_ = 0;
    for (std::size_t i = 1; i < panels_.size(); ++i) {
      if (panels_[i].name == page.clicked_panel()) chosen_ = static_cast<int>(i);
    }
    problem_.clear();
    size_for_.reset();
    remark_height_ = 0;
    animated_.reset();
    if (!motion_of(page_) && moves()) format_ = 0;
    path_ = suggested_;
    suggest(page_);
    ui.open_popup(popup);
  }
  if (!ui.begin_popup(popup, nullptr, card_width)) return follow(session, ui, false, now);
  follow(session, ui, true, now);
  ui.label(std::string("Export ") + page_info(page_).room.title, 18, draw::Font::semibold);
  ui.gap(4);
  choose(ui);
  ui.gap(4);
  const auto offered = std::span(formats).first(motion_of(page_) ? formats.size() : still_formats);
  if (ui.segmented({.name = "format", .options = offered, .helps = format_helps}, format_)) suggest(page_);
  // The card keeps its size, whatever the format has to choose.
  const float top = ImGui::GetCursorPosY();
  if (is_picture() || moves()) picture_options(ui);
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + tallest_options(motion_of(page_).has_value())));
  ui.gap(4);
  if (ImGui::IsWindowAppearing()) ui.focus.take(ImGui::GetID("path"), true);
  const screen::Response typed = ui.text_field(
      {.name = "path", .hint = "a path; ~ is your home folder", .height = 40, .size = 15}, path_);
  if (typed.changed) problem_.clear();
  const float remark = ImGui::GetCursorPosY();
  remarks(ui, session, page);
  remark_height_ = std::max(remark_height_, ImGui::GetCursorPosY() - remark);
  ImGui::SetCursorPosY(remark + remark_height_);
  buttons(ui, session, page, typed.submitted || ui.enter_is_free(), now);
  ui.end_popup();
}

}  // namespace headlight::app
