#include "app/file_card.h"

#include <imgui.h>

#include <system_error>
#include <utility>

#include "io/files.h"
#include "models/opened_model.h"

namespace headlight::app {

namespace fs = std::filesystem;

namespace {

constexpr float file_card_width = 680, file_list_height = 340;  // units; ten rows
constexpr const char* file_popup = "files";

/// True if the file, or the target of a link, exists.
bool can_be_opened(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// True if folders with a model can be chosen.
bool opens_models(const FileCard::Question& question) {
  return question.purpose == FileCard::Purpose::open &&
         question.ending.find(".safetensors") != std::string::npos;
}

/// The first of several endings: the one that is added to a name without an ending.
std::string first_ending(const FileCard::Question& question) {
  return question.ending.substr(0, question.ending.find(' '));
}

}  // namespace

void FileCard::ask(Question question) {
  question_ = std::move(question);
  opening_ = true;
  problem_.clear();
  confirmed_.clear();
  type(question_.begin_with);
}

void FileCard::type(std::string path) {
  typed_ = offered_ = std::move(path);
  stale_ = true;
  ++field_;
}

void FileCard::look() {
  if (!std::exchange(stale_, false) && typed_ == listed_) return;
  listed_ = typed_;
  confirmed_.clear();
  const std::string words = typed_words(typed_, offered_);
  rows_ = folder_rows(words, question_.ending, problem_);
  for (FolderRow& row : rows_)
    row.model = row.folder && !row.above && opens_models(question_) && models::may_be_model(row.path);
  recent_rows_ = 0;
  if (question_.purpose == Purpose::open && typed_ == question_.begin_with) {
    for (const fs::path& path : question_.recent) {
      if (can_be_opened(path))
        rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(recent_rows_++), FolderRow{.path = path});
    }
  }
  // A file to open is selected in the list; a file to save is the typed one until an arrow selects another.
  const bool named = words.size() > folder_part(words).size();
  list_.select(question_.purpose == Purpose::open && (named || recent_rows_ > 0) && !rows_.empty() ? 0 : -1);
}

std::optional<fs::path> FileCard::take(int row) {
  if (row < 0 || row >= static_cast<int>(rows_.size())) return std::nullopt;
  const FolderRow chosen = rows_[static_cast<std::size_t>(row)];
  if (chosen.folder && !chosen.model) {
    std::string inside = chosen.path.string();
    if (inside.empty() || inside.back() != '/') inside += '/';
    const std::string words = typed_words(typed_, offered_);
    // The name of a file to save is kept when the folder changes.
    const std::string name =
        question_.purpose == Purpose::save ? words.substr(folder_part(words).size()) : std::string();
    type(inside + (is_folder(typed_path(words)) ? "" : name));
    return std::nullopt;
  }
  if (question_.purpose == Purpose::open) return chosen.path;
  type(chosen.path.string());
  return std::nullopt;
}

std::optional<fs::path> FileCard::take_typed() {
  if (typed_.empty()) return std::nullopt;
  fs::path path = typed_path(typed_words(typed_, offered_));
  if (is_folder(path)) {
    if (opens_models(question_) && models::may_be_model(path)) return path;
    if (typed_.back() != '/') type(typed_words(typed_, offered_) + "/");
    return std::nullopt;
  }
  if (question_.purpose == Purpose::open) {
    if (can_be_opened(path)) return path;
    problem_ = "there is no file " + path.string();
    return std::nullopt;
  }
  if (!path.has_extension()) path += first_ending(question_);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!is_folder(folder)) {
    problem_ = "there is no folder " + folder.string();
    return std::nullopt;
  }
  if (io::is_there(path) && confirmed_ != path.string()) {
    confirmed_ = path.string();
    return std::nullopt;
  }
  // Checked now, while the typed name can still be edited.
  if (const auto probe = io::NewFile::create(path); !probe) {
    problem_ = probe.error();
    return std::nullopt;
  }
  return path;
}

std::optional<fs::path> FileCard::frame(screen::Ui& ui) {
  if (std::exchange(opening_, false)) ui.open_popup(file_popup);
  if (!ui.begin_popup(file_popup, nullptr, file_card_width)) return std::nullopt;
  std::optional<fs::path> chosen;
  const bool saves = question_.purpose == Purpose::save;
  ui.label(question_.title, 18, draw::Font::semibold);
  ui.gap(8);
  ImGui::PushID(field_);
  if (ImGui::IsWindowAppearing() || !ui.focus.any()) ui.focus.take(ImGui::GetID("path"), true);
  const screen::Response typed = ui.text_field({.name = "path",
                                                .hint = "a path; ~ is your home folder",
                                                .height = 40,
                                                .size = 15,
                                                .select_name = saves},
                                               typed_);
  ImGui::PopID();
  if (typed.changed) problem_.clear();
  look();

  std::vector<Choice> rows;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const FolderRow& row = rows_[i];
    const bool recent = i < recent_rows_;
    rows.push_back({.title = row.above ? ".." : row.path.filename().string() + (row.folder ? "/" : ""),
                    .detail = recent ? row.path.parent_path().string() : "",
                    .right = recent       ? "recent"
                             : row.model  ? "model"
                             : row.folder ? "folder"
                                          : ""});
  }
  int taken = list_.frame(ui, "list", rows, list_room(ui, file_list_height, 232));
  if (taken >= 0) {
    chosen = take(taken);
  } else if (typed.submitted) {
    const fs::path path = typed_path(typed_words(typed_, offered_));
    const bool exact = !saves && can_be_opened(path) && !is_folder(path);
    chosen = list_.selected() >= 0 && !exact ? take(list_.selected()) : take_typed();
  }

  if (!confirmed_.empty()) {
    ui.problem(fs::path(confirmed_).filename().string() + " already exists: press Enter again to replace it");
  } else if (!problem_.empty()) {
    ui.problem(problem_);
  } else {
    ui.paragraph(saves ? "Enter saves; a name without an extension becomes " + first_ending(question_) +
                             (question_.hint.empty() ? "" : "; ") + question_.hint
                       : "Enter opens; arrow keys select; Esc cancels");
  }
  ui.begin_flow();
  if (ui.button({.label = saves ? "Save" : "Open", .name = "take", .primary = true})) {
    chosen = list_.selected() >= 0 && !saves ? take(list_.selected()) : take_typed();
  }
  if (ui.button({.label = "Cancel"})) ui.close_popup();
  ui.end_flow();
  if (chosen) {
    ui.focus.clear();
    ui.close_popup();
  }
  ui.end_popup();
  return chosen;
}

}  // namespace headlight::app
