#include "app/export_card.h"

#include <imgui.h>

#include <array>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "app/export_numbers.h"
#include "app/folder_rows.h"
#include "app/pages.h"
#include "io/files.h"

namespace headlight::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* popup = "export";
constexpr float card_width = 620;  // units
constexpr std::array<std::string_view, 7> formats{"PNG", "SVG", "PDF", "CSV", "NPY", "NPZ", "JSON"};
constexpr std::array<const char*, 7> endings{".png", ".svg", ".pdf", ".csv", ".npy", ".npz", ".json"};
constexpr std::array<std::string_view, 7> format_helps{
    "pixels",
    "can be edited, every word is text",
    "for papers, the fonts are in it",
    "the first table behind the card, as text",
    "the first table behind the card, for NumPy",
    "all tables behind the card, for NumPy",
    "all tables behind the card",
};
constexpr std::array<std::string_view, 4> scales{"1×", "2×", "3×", "4×"};
constexpr std::array<std::string_view, 3> widths{"as on screen", "85 mm column", "170 mm page"};
constexpr std::array<double, 3> widths_mm{0, 85, 170};

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

}  // namespace

fs::path free_path(const fs::path& path) {
  std::error_code ignored;
  fs::path name = path;
  for (int number = 2; fs::exists(fs::symlink_status(name, ignored)); ++number) {
    name = path;
    name.replace_filename(path.stem().string() + "-" + std::to_string(number) + path.extension().string());
  }
  return name;
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
  if (!panel().empty()) name += "-" + panel();
  path_ = suggested_ = free_path((folder.empty() ? usual_folder() : folder) / (name + ending)).string();
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
                                              const PageArea& page) const {
  scene::Scene look;
  look.theme = light_ ? scene::ThemeName::light : scene::ThemeName::dark;
  const draw::Theme theme = figure_theme(look, transparent_);
  return page_figure(wish(page), format, page.input(session, theme));
}

base::Status ExportCard::write(const fs::path& path, Session& session, const PageArea& page) const {
  if (is_picture()) {
    const auto bytes = picture(*figure_format(path), session, page);
    return bytes ? io::write_file(path, *bytes) : base::Status(base::Error{bytes.error()});
  }
  base::Parallel parallel(1);
  const auto training = session.training().latest();
  const auto measured = session.timing().latest();
  return write_numbers(scene::tables_behind(page_, panel()),
                       source_of(session, parallel, training.get(), measured.get()), path);
}

base::Status ExportCard::copy_numbers(Session& session) const {
  base::Parallel parallel(1);
  const auto training = session.training().latest();
  const auto measured = session.timing().latest();
  const auto text = numbers_text(scene::tables_behind(page_, panel()),
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

void ExportCard::picture_options(screen::Ui& ui) {
  ui.segmented({.name = "width", .options = widths, .label = "width in print"}, width_);
  if (format_ == 0) {
    ui.segmented({.name = "scale",
                  .options = scales,
                  .label = width_ == 0 ? "pixels to the unit" : "times 300 pixels to the inch"},
                 scale_);
  }
  ui.toggle("light theme", light_, "as on paper, whatever the window's theme is");
  ui.toggle("transparent", transparent_, "no ground and no cards");
}

void ExportCard::frame(screen::Ui& ui, Session& session, const PageArea& page, double now) {
  if (std::exchange(opening_, false)) {
    page_ = session.scene().page;
    panels_ = {{}};
    FigureWish whole{.page = page_, .width = page.shown().w, .height = page.shown().h};
    for (figure::Panel& panel : page_panels(whole, page.input(session, ui.theme())))
      panels_.push_back(std::move(panel));
    chosen_ = 0;
    for (std::size_t i = 1; i < panels_.size(); ++i) {
      if (panels_[i].name == page.clicked_panel()) chosen_ = static_cast<int>(i);
    }
    problem_.clear();
    path_ = suggested_;
    suggest(page_);
    ui.open_popup(popup);
  }
  if (!ui.begin_popup(popup, nullptr, card_width)) return;
  ui.label(std::string("Export ") + page_info(page_).title, 18, draw::Font::semibold);
  ui.gap(4);
  choose(ui);
  ui.gap(4);
  if (ui.segmented({.name = "format", .options = formats, .helps = format_helps}, format_)) suggest(page_);
  if (is_picture()) picture_options(ui);
  ui.gap(4);
  if (ImGui::IsWindowAppearing()) ui.focus.take(ImGui::GetID("path"), true);
  const screen::Response typed = ui.text_field(
      {.name = "path", .hint = "a path; ~ is your own folder", .height = 40, .size = 15}, path_);
  if (typed.changed) problem_.clear();
  if (!problem_.empty()) {
    ui.problem(problem_);
  } else {
    ui.paragraph(
        "A file that is there stays: the new one is numbered. Pictures carry the scene, and open it again.");
  }
  ui.begin_flow();
  if (ui.button({.label = "Export", .name = "write", .primary = true}) || typed.submitted) {
    fs::path path = typed_path(path_);
    if (path.extension() != endings[static_cast<std::size_t>(format_)])
      path += endings[static_cast<std::size_t>(format_)];
    path = free_path(path);
    done(write(path, session, page), "exported " + path.string(), session, ui, now);
  }
  if (ui.button({.label = "Copy picture", .help = "onto the clipboard, as PNG"})) {
    const auto bytes = picture(FigureFormat::png, session, page);
    base::Status status = base::Error{bytes ? "pictures are copied from a window only" : bytes.error()};
    if (bytes && copy_picture) status = copy_picture(*bytes);
    done(status, "copied the picture", session, ui, now);
  }
  if (ui.button({.label = "Copy numbers", .help = "onto the clipboard, for a spreadsheet"}))
    done(copy_numbers(session), "copied the numbers", session, ui, now);
  if (ui.button({.label = "Cancel"})) ui.close_popup();
  ui.end_flow();
  ui.end_popup();
}

}  // namespace headlight::app
