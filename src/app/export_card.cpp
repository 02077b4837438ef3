#include "app/export_card.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "app/export_choices.h"
#include "base/numbers.h"
#include "pages/cost/cost.h"
#include "pages/page.h"
#include "pictures/animate.h"
#include "pictures/export_numbers.h"
#include "pictures/guided_words.h"
#include "pictures/pages.h"
#include "pictures/share_figure.h"
#include "ui/folder_rows.h"
#include "ui/page_screens.h"

namespace headlight::app {

namespace fs = std::filesystem;

using namespace export_choices;

namespace {

constexpr const char* export_popup = "export";
constexpr float export_card_width = 620, preview_width = 340, padding = 24;  // units

/// "2 s", "0.5 s"
std::string seconds_words(double seconds) {
  return base::brief(seconds, 3) + " s";
}

}  // namespace

void ExportCard::bring_back(const ExportChoices& choices) {
  const auto take = [](int choice, std::size_t count, int& to) {
    if (choice >= 0 && choice < static_cast<int>(count)) to = choice;
  };
  take(choices.format, formats.size(), format_);
  take(choices.scale, picture_scales.size(), scale_);
  take(choices.width, widths.size(), width_);
  take(choices.frames, frame_words.size(), frames_);
  take(choices.fps, fps_words.size(), fps_);
  light_ = choices.light, transparent_ = choices.transparent, parts_ = choices.parts;
}

void ExportCard::choose(screen::Ui& ui) {
  ui.begin_flow();
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    const figure::Panel& panel = panels_[i];
    bool on = static_cast<int>(i) == chosen_;
    const std::string name = i == 0 ? "whole page" : panel.name;
    const std::string label = i == 0                     ? "Whole page"
                              : panel.name == share_name ? "Share card"
                                                         : card_name(panel.name, page_info(page_).view.tabs);
    if (ui.chip({.label = label, .help = panel.title, .name = name}, on)) {
      chosen_ = static_cast<int>(i);
      suggest(page_);
    }
  }
  ui.end_flow();
}

float ExportCard::tallest_options(bool animations) const {
  return static_cast<float>(animations ? 4 : 2) * choice_height_ + 2 * toggle_height_ + part_height_;
}

void ExportCard::picture_options(screen::Ui& ui) {
  constexpr float apart = 6;  // a label must not touch the choices above it
  const float top = ImGui::GetCursorPosY();
  if (!shares()) ui.gap(apart);
  if (!shares())
    ui.segmented({.name = "width", .options = widths, .label = moves() ? "width" : "printed width"}, width_);
  if (!shares()) choice_height_ = ImGui::GetCursorPosY() - top;
  if (format_ == 0 || moves()) {
    ui.gap(apart);
    ui.segmented({.name = "scale",
                  .options = picture_scales,
                  .label = width_ == 0 || shares() ? "pixels per unit" : "times 300 pixels per inch"},
                 scale_);
  }
  if (moves()) motion_options(ui);
  // The parts of a card have their room before one is chosen: the card does not grow. They are measured in
  // its first frame, which is not on screen yet.
  if (ImGui::IsWindowAppearing()) {
    const float above = ImGui::GetCursorPosY();
    part_options(ui);
    part_height_ = ImGui::GetCursorPosY() - above;
    ImGui::SetCursorPosY(above);
  }
  const float toggle = ImGui::GetCursorPosY();
  ui.toggle("light theme", light_, "for paper; the window keeps its theme");
  toggle_height_ = ImGui::GetCursorPosY() - toggle;
  if (endings[static_cast<std::size_t>(format_)] != std::string_view(".gif"))
    ui.toggle("transparent", transparent_, "without background and cards");
  if (!has_parts()) return;
  const float parts = ImGui::GetCursorPosY();
  part_options(ui);
  part_height_ = std::max(part_height_, ImGui::GetCursorPosY() - parts);
}

/// The parts of one card that are drawn: a click omits one.
void ExportCard::part_options(screen::Ui& ui) {
  const auto part = [&](const char* name, const char* help, bool& on) {
    ui.chip({.label = name, .help = help, .name = std::string("part ") + name}, on);
  };
  ui.label("shown in the picture", 14);
  ui.begin_flow();
  part("frame", "the outline of the card and its padding", parts_.frame);
  part("title", "the title and the line below it", parts_.title);
  part("selection", "frames and colours of pinned items", parts_.selection);
  part("hints", "notes on the picture", parts_.hints);
  if (has_cells()) part("square cells", "the height of the picture follows from them", parts_.square);
  ui.end_flow();
}

void ExportCard::motion_options(screen::Ui& ui) {
  const bool film = motion_of(page_) == Motion::film;
  if (ui.segmented({.name = "frames", .options = frame_words, .label = film ? "frames at most" : "frames"},
                   frames_) &&
      is_sequence())
    suggest(page_);
  ui.segmented({.name = "frames per second", .options = fps_words, .label = "frames per second"}, fps_);
}

/// The tables of the file, down to `bottom`, in pixels.
void ExportCard::contents(screen::Ui& ui, const Session& session, float bottom) const {
  const auto tables = tables_shown(session.scene(), page_, shares() ? "map" : panel());
  const std::string_view format = formats[static_cast<std::size_t>(format_)];
  const bool one = format == "CSV" || format == "NPY";
  ui.gap(6);
  ui.label(one ? "in the file" : "in the file, where the scene has them", 14);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (one && i == 1) ui.label("in NPZ and JSON files also", 14);
    const bool last = ImGui::GetCursorPosY() + ui.px(64) > bottom;  // two lines, and one that counts the rest
    if (last && i + 1 < tables.size())
      return ui.paragraph("and " + std::to_string(tables.size() - i) + " more tables");
    ui.paragraph(std::string(tables[i]->name) + ": " + tables[i]->about);
  }
}

/// The size that the picture will have, or why it cannot be made.
const base::Result<std::string>& ExportCard::size_line(Session& session, const PageArea& page) {
  const SizeFor wanted{page_,          chosen_,       format_, scale_,
                       width_,         transparent_,  parts(), session.results().version,
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
  const auto size = figure_size(request(page), page.input(session, theme));
  size_ = size ? base::Result<std::string>(size_words(*size, format)) : base::Error{size.error()};
  return size_;
}

void ExportCard::remarks(screen::Ui& ui, Session& session, const PageArea& page) {
  const bool filming = film_.job.running(), exporting = still_.job.running();
  if (filming)
    ui.progress(film_.job.fraction(),
                "animation: " + std::to_string(static_cast<int>(100 * film_.job.fraction())) + " %");
  if (exporting) return ui.paragraph("Exporting …");
  if (!problem_.empty()) return ui.problem(problem_);
  if (filming) return;
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
            "; the position moves by " + base::brief(frames / fps * session.scene().positions.play_speed, 3) +
            ". ";
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

/// A preview of the export, beside the choices; for numbers, the card that shows them.
void ExportCard::preview(screen::Ui& ui, Session& session, const PageArea& page, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const draw::Box pixels{at.x, at.y, ImGui::GetContentRegionAvail().x, height};
  if (pixels.w < 1 || pixels.h < 1) return;
  const draw::FigureParts shown = parts();
  std::string key = panel();
  for (const float one :
       {static_cast<float>(page_), static_cast<float>(width_), static_cast<float>(light_),
        static_cast<float>(transparent_), static_cast<float>(shown.frame), static_cast<float>(shown.title),
        static_cast<float>(shown.selection), static_cast<float>(shown.hints),
        static_cast<float>(shown.square), pixels.w, pixels.h})
    key += " " + std::to_string(one);
  key += " " + std::to_string(session.results().version);
  scene::Scene look;
  look.theme = light_ ? scene::ThemeName::light : scene::ThemeName::dark;
  preview_.frame(ui, pixels, figure_theme(look, false).window, key, [&] {
    return picture(FigureFormat::png, {}, session, page, {pixels.w, pixels.h});
  });
}

void ExportCard::buttons(screen::Ui& ui, Session& session, const PageArea& page, bool submitted) {
  ui.begin_flow();
  const bool filming = film_.job.running(), busy = still_.job.running() || (moves() && filming);
  // Why there is no picture stands above.
  const bool possible = busy || filming || !(is_picture() || moves()) || size_line(session, page);
  if ((ui.button({.label = "Export",
                  .help = possible ? std::string_view() : std::string_view(size_.error()),
                  .name = "write",
                  .enabled = !busy && possible,
                  .primary = true}) ||
       submitted) &&
      !busy && possible) {
    fs::path path = typed_path(typed_words(path_, suggested_));
    if (path.extension() != endings[static_cast<std::size_t>(format_)])
      path += endings[static_cast<std::size_t>(format_)];
    make(To::file, free(path), session, page);
  }
  if (filming || busy) {
    const bool stilling = still_.job.running(), both = filming && stilling;
    if (stilling && ui.button({.label = both ? to_ == To::file ? "Stop the file" : "Stop the copy" : "Stop",
                               .help = to_ == To::file ? "no file is written" : "nothing is copied"}))
      stop(still_);
    if (filming &&
        ui.button({.label = both ? "Stop the animation" : "Stop", .help = "the animation is not finished"}))
      stop(film_);
    if (ui.button({.label = "Close", .help = "continue the export"})) ui.close_popup();
    return ui.end_flow();
  }
  if (ui.button({.label = "Copy picture", .help = "to the clipboard, as PNG", .enabled = possible}))
    make(To::picture_clipboard, {}, session, page);
  if (ui.button({.label = "Copy numbers", .help = "to the clipboard, for a spreadsheet"}))
    make(To::text_clipboard, {}, session, page);
  if (ui.button({.label = "Cancel"})) ui.close_popup();
  ui.end_flow();
}

void ExportCard::frame(screen::Ui& ui, Session& session, const PageArea& page, double now) {
  if (std::exchange(opening_, false)) {
    page_ = session.scene().page;
    panels_ = {{}};
    // While a figure is drawn in the background, the preview would have to wait for it.
    if (!still_.job.running()) {
      // With square cells, the panels say which cards have any.
      FigureRequest whole{
          .page = page_, .width = page.shown().w, .height = page.shown().h, .parts = {.square = true}};
      for (figure::Panel& panel : page_panels(whole, page.input(session, ui.theme())))
        panels_.push_back(std::move(panel));
      if (scene::room_of(page_).uses(session.scene()).large_map)
        panels_.push_back(
            {share_name, "one sentence, one beam and one line of text, 1200 × 630 pixels, for sharing", {}});
    }
    chosen_ = 0;
    for (std::size_t i = 1; i < panels_.size(); ++i) {
      if (panels_[i].name == page.clicked_panel()) chosen_ = static_cast<int>(i);
    }
    problem_.clear();
    size_for_.reset();
    remark_height_ = 0;
    film_.begun.reset(), still_.begun.reset();
    if (!motion_of(page_) && moves()) format_ = 0;
    path_ = suggested_;
    suggest(page_);
    ui.open_popup(export_popup);
  }
  const bool beside = ImGui::GetIO().DisplaySize.x >= ui.px(export_card_width + preview_width + 2 * padding);
  if (!ui.begin_popup(export_popup, nullptr, export_card_width + (beside ? preview_width : 0))) {
    preview_.forget();
    return follow(session, ui, false, now);
  }
  follow(session, ui, true, now);
  const float first = ImGui::GetCursorPosY();
  if (beside) {
    ImGui::Columns(2, "preview", false);
    ImGui::SetColumnWidth(0, ui.px(export_card_width - padding));
  }
  ui.label(std::string("Export ") + page_info(page_).room.title, 18, draw::Font::semibold);
  ui.gap(4);
  choose(ui);
  ui.gap(4);
  const auto offered = std::span(formats).first(motion_of(page_) ? formats.size() : still_formats);
  if (ui.segmented({.name = "format", .options = offered, .helps = format_helps}, format_)) suggest(page_);
  const float top = ImGui::GetCursorPosY();
  const float options = tallest_options(motion_of(page_).has_value());
  if (is_picture() || moves()) {
    picture_options(ui);
  } else {
    contents(ui, session, top + options);
  }
  const float absent = std::max(0.f, top + options - ImGui::GetCursorPosY());
  ui.gap(4);
  if (ImGui::IsWindowAppearing()) ui.focus.take(ImGui::GetID("path"), true);
  const screen::Response typed = ui.text_field({.name = "path",
                                                .hint = "a path; ~ is your home folder",
                                                .height = 40,
                                                .size = 15,
                                                .select_name = true},
                                               path_);
  if (typed.changed) problem_.clear();
  const float remark = ImGui::GetCursorPosY();
  remarks(ui, session, page);
  remark_height_ = std::max(remark_height_, ImGui::GetCursorPosY() - remark);
  // The card keeps its size, whatever choices the format has, as far as the window is high enough: the
  // buttons stay at its foot, and on view.
  constexpr float buttons_room = 110;  // with the margins of card and window
  const float spare = ImGui::GetIO().DisplaySize.y - ui.px(buttons_room) - remark - remark_height_;
  ImGui::SetCursorPosY(remark + remark_height_ + std::clamp(absent, 0.f, std::max(0.f, spare)));
  buttons(ui, session, page, typed.submitted || ui.enter_is_free());
  if (beside) {
    const float height = std::round(ImGui::GetCursorPosY() - first - ImGui::GetStyle().ItemSpacing.y);
    ImGui::NextColumn();
    preview(ui, session, page, height);
    ImGui::Columns(1);
  }
  ui.end_popup();
}

}  // namespace headlight::app
