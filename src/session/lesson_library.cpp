#include "session/lesson_library.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/embedded.h"
#include "base/utf8.h"
#include "io/files.h"
#include "io/folder.h"
#include "pages/controls.h"
#include "scene/named_files.h"
#include "scene/nearest.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "teach/lesson_draft.h"

namespace headlight::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view shipped_folder = "lessons/", ending = ".json";
constexpr std::size_t largest_file = std::size_t(4) << 20;
constexpr std::size_t most_controls = 4;
constexpr const char* progress_file = "progress.txt";

std::string_view shipped_text(const std::string& file) {
  const auto bytes = base::embedded(file);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// "lessons/03-many-heads.json" becomes "many-heads", number 3.
LessonEntry shipped_entry(std::string_view file) {
  LessonEntry entry;
  std::string_view name = file.substr(shipped_folder.size());
  name.remove_suffix(ending.size());
  const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), entry.number);
  const std::size_t digits = static_cast<std::size_t>(rest - name.data());
  if (error == std::errc() && digits < name.size() && name[digits] == '-') name.remove_prefix(digits + 1);
  entry.name = name;
  return entry;
}

std::vector<std::string_view> shipped_files() {
  std::vector<std::string_view> files;
  for (const std::string_view name : base::embedded_names()) {
    if (name.starts_with(shipped_folder)) files.push_back(name);
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Would a picture of this step show what it covers until it is answered, or what another step with the same
/// scene covers?
bool tells(const scene::Lesson& lesson, const std::vector<scene::Scene>& scenes, std::size_t shown) {
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    const scene::LessonStep& step = lesson.steps[i];
    if (!step.predict || step.predict->hide.empty()) continue;
    if (i == shown) return true;
    if (scenes[i] != scenes[shown]) continue;
    const std::vector<std::string>& focus = lesson.steps[shown].focus;
    constexpr std::string_view card = "card ";
    // Parts such as cells may be on any card.
    const auto shows = [&](const std::string& hidden) {
      return focus.empty() || !hidden.starts_with(card) ||
             std::find(focus.begin(), focus.end(), hidden) != focus.end();
    };
    if (std::any_of(step.predict->hide.begin(), step.predict->hide.end(), shows)) return true;
  }
  return false;
}

/// The step of the lesson's picture: the marked one, else the first whose page shows more without a run than
/// Training does, else the first; of all these and the other steps, the first that shows nothing that is
/// covered until it is answered, if there is one.
std::size_t pictured_step(const scene::Lesson& lesson, const std::vector<scene::Scene>& scenes) {
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    if (lesson.steps[i].picture) wanted.push_back(i);
  }
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    if (scene::room_of(scenes[i].page).group != scene::PageGroup::train) wanted.push_back(i);
  }
  for (std::size_t i = 0; i < scenes.size(); ++i) wanted.push_back(i);
  const auto found = std::find_if(wanted.begin(), wanted.end(),
                                  [&](std::size_t step) { return !tells(lesson, scenes, step); });
  return found == wanted.end() ? wanted.front() : *found;
}

/// Finds out whether the model that the lesson needs is here, and what its first step then shows.
void look_for_model(const scene::Lesson& lesson, LessonEntry& entry) {
  const bool lacks = scene::lacks_model(lesson);
  entry.missing = lacks ? "needs the model folder " + scene::in_quotes(lesson.needs->name) +
                              ", which is not here; the lesson says how to get it"
                        : "";
  scene::Lesson found = lacks ? scene::lesson_of_missing_model(lesson) : lesson;
  if (!entry.path.empty()) scene::find_files(found, entry.path.parent_path());
  const std::vector<scene::Scene> scenes = scene::lesson_scenes(found, scene::Scene{});
  const std::size_t shown = pictured_step(found, scenes);
  entry.shown = scenes[shown], entry.card.clear();
  entry.covered = tells(found, scenes, shown);
  constexpr std::string_view card = "card ";
  const std::vector<std::string>& focus = found.steps[shown].focus;
  if (!focus.empty() && focus.front().starts_with(card)) entry.card = focus.front().substr(card.size());
}

void describe(const base::Result<scene::Lesson>& lesson, LessonEntry& entry) {
  if (lesson) {
    entry.title = lesson->title, entry.about = lesson->about;
    entry.steps = static_cast<int>(lesson->steps.size()), entry.minutes = minutes_of(*lesson);
    look_for_model(*lesson, entry);
  } else {
    entry.title = entry.name, entry.problem = lesson.error();
  }
}

/// The lessons are part of the program, so they are read once; models may be added or removed.
std::vector<LessonEntry> shipped_lessons() {
  struct Shipped {
    LessonEntry entry;
    std::optional<scene::Lesson> needs_model;
  };
  static const std::vector<Shipped> lessons = [] {
    std::vector<Shipped> all;
    for (const std::string_view file : shipped_files()) {
      Shipped one{shipped_entry(file), {}};
      auto lesson = scene::lesson_from_json(shipped_text(std::string(file)), std::string(file));
      describe(lesson, one.entry);
      if (lesson && lesson->needs) one.needs_model = std::move(*lesson);
      all.push_back(std::move(one));
    }
    return all;
  }();
  std::vector<LessonEntry> out;
  for (const Shipped& one : lessons) {
    out.push_back(one.entry);
    if (one.needs_model) look_for_model(*one.needs_model, out.back());
  }
  return out;
}

base::Result<scene::Lesson> read_own(const fs::path& path) {
  const base::Result<std::string> text = io::read_file(path, largest_file);
  if (!text) return base::Error{text.error()};
  return scene::lesson_from_json(*text, path.string());
}

int word_count(const std::string& text) {
  return 1 + static_cast<int>(std::count(text.begin(), text.end(), ' '));
}

}  // namespace

fs::path lessons_folder() {
  const fs::path state = scene::state_file();
  return state.empty() ? fs::path() : state.parent_path() / "lessons";
}

std::string file_name_of(const std::string& title) {
  std::string name;
  for (const char c : title) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (byte | 32) >= 'a' && (byte | 32) <= 'z';
    if (letter || (byte >= '0' && byte <= '9') || byte >= 0x80) {
      name += letter ? static_cast<char>(byte | 32) : c;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  name = std::string(base::beginning(name, 100));
  return name.empty() ? "lesson" : name;
}

std::vector<LessonEntry> list_lessons(const fs::path& folder) {
  std::vector<LessonEntry> all = shipped_lessons();
  const std::size_t shipped = all.size();
  if (folder.empty()) return all;
  for (const std::string& name : io::names_in(folder)) {
    LessonEntry entry;
    entry.path = folder / name;
    if (entry.path.extension() != ending) continue;
    entry.name = entry.path.stem().string();
    describe(read_own(entry.path), entry);
    all.push_back(std::move(entry));
  }
  std::sort(all.begin() + static_cast<std::ptrdiff_t>(shipped), all.end(),
            [](const LessonEntry& a, const LessonEntry& b) { return a.name < b.name; });
  return all;
}

OpenedLesson as_played(OpenedLesson opened) {
  if (!opened.lesson.needs) return opened;
  look_for_model(opened.lesson, opened.entry);
  if (!opened.entry.missing.empty()) opened.lesson = scene::lesson_of_missing_model(opened.lesson);
  return opened;
}

base::Result<OpenedLesson> open_lesson(const std::string& what, const fs::path& folder) {
  auto opened = read_lesson(what, folder);
  if (!opened) return opened;
  return as_played(std::move(*opened));
}

base::Result<OpenedLesson> read_lesson(const std::string& what, const fs::path& folder) {
  std::vector<std::string> names;
  for (const std::string_view file : shipped_files()) {
    LessonEntry entry = shipped_entry(file);
    names.push_back(entry.name);
    if (what != entry.name && what != std::to_string(entry.number)) continue;
    auto lesson = scene::lesson_from_json(shipped_text(std::string(file)), std::string(file));
    if (!lesson) return base::Error{lesson.error()};
    entry.title = lesson->title, entry.about = lesson->about;
    return OpenedLesson{std::move(*lesson), std::move(entry)};
  }
  std::error_code none;
  fs::path path = what;
  if (!fs::is_regular_file(path, none) && !folder.empty()) {
    const fs::path own = folder / (what + std::string(ending));
    if (fs::is_regular_file(own, none)) path = own;
  }
  const bool plain_name = what.find_first_of("./") == std::string::npos;
  if (plain_name && !fs::is_regular_file(path, none)) {
    const std::string suggestion = scene::did_you_mean(what, names);
    return base::Error{"no lesson " + scene::in_quotes(what) +
                       (suggestion.empty() ? ". `headlight lessons` lists them all." : suggestion)};
  }
  auto lesson = read_own(path);
  if (!lesson) return base::Error{lesson.error()};
  OpenedLesson opened;
  opened.lesson = std::move(*lesson);
  scene::find_files(opened.lesson, path.parent_path());
  opened.entry.path = path, opened.entry.name = path.stem().string();
  opened.entry.title = opened.lesson.title, opened.entry.about = opened.lesson.about;
  return opened;
}

std::vector<std::string> focus_on(const std::vector<std::string>& cards) {
  std::vector<std::string> focus;
  for (const std::string& card : cards) focus.push_back("card " + card);
  return focus;
}

std::vector<std::string> controls_for(const scene::SceneChanges& changes, const scene::Scene& view) {
  std::vector<std::string> names;
  for (const scene::Setting& one : scene::settings()) {
    const scene::Field& field = one.field;
    if (field.group == scene::Group::none || names.size() >= most_controls) continue;
    if (heading_of(field, view).empty()) continue;  // it belongs to another page or has no effect on this one
    const bool changed = std::any_of(changes.begin(), changes.end(),
                                     [&](const auto& change) { return change.first == field.name; });
    if (changed) names.emplace_back(field.name);
  }
  return names;
}

int minutes_of(const scene::Lesson& lesson) {
  constexpr double words_per_minute = 120, look = 0.4, answer = 0.6;  // minutes
  double minutes = 0;
  for (const scene::LessonStep& step : lesson.steps) {
    int words = word_count(step.title);
    for (const std::string& text : step.words) words += word_count(text);
    for (const std::string& text : step.reveal) words += word_count(text);
    minutes += words / words_per_minute + look;
    minutes += answer *
               (int(step.predict.has_value()) + int(step.question.has_value()) + int(step.task.has_value()));
  }
  return std::max(1, static_cast<int>(std::lround(minutes)));
}

base::Result<LessonToWrite> lesson_to_write(const std::string& what, const fs::path& folder) {
  const auto opened = read_lesson(what, folder);
  if (!opened) return base::Error{opened.error()};
  LessonToWrite out;
  if (opened->entry.number > 0) {
    if (folder.empty()) return base::Error{"there is no folder for lessons because HOME is not set"};
    out.lesson = opened->lesson;
    out.lesson.title += ", my copy";
    out.path = io::free_path(folder / (opened->entry.name + "-copy" + std::string(ending)));
    return out;
  }
  auto text = io::read_file(opened->entry.path, largest_file);
  if (!text) return base::Error{text.error()};
  auto lesson = scene::lesson_from_json(*text, opened->entry.path.string());
  if (!lesson) return base::Error{lesson.error()};
  out.lesson = std::move(*lesson), out.path = opened->entry.path, out.known = std::move(*text);
  return out;
}

base::Result<LessonToWrite> new_lesson(const scene::Scene& view, const fs::path& folder) {
  if (folder.empty()) return base::Error{"there is no folder for lessons because HOME is not set"};
  LessonToWrite out;
  out.lesson.title = "My lesson";
  out.lesson = scene::with_view_added(std::move(out.lesson), -1, view, folder);
  out.path = io::free_path(folder / (file_name_of(out.lesson.title) + std::string(ending)));
  return out;
}

base::Status write_lesson(LessonToWrite& what, bool& changed) {
  std::error_code failed;
  changed = false;
  const bool there = fs::exists(what.path, failed);
  if (there) {
    const auto text = io::read_file(what.path, largest_file);
    if (!text) return base::Error{text.error()};
    changed = *text != what.known;
    if (changed) return base::Error{what.path.filename().string() + " was changed by another program"};
  }
  fs::create_directories(what.path.parent_path(), failed);
  std::string text = scene::to_json(scene::finished(what.lesson));
  if (const base::Status written = io::write_file(what.path, text); !written) return written;
  what.known = std::move(text);
  return {};
}

base::Status take_over(LessonToWrite& what) {
  auto text = io::read_file(what.path, largest_file);
  if (!text) return base::Error{text.error()};
  what.known = std::move(*text);
  return {};
}

base::Status write_lesson_aside(LessonToWrite& what) {
  LessonToWrite aside = what;
  aside.path =
      io::free_path(what.path.parent_path() / (what.path.stem().string() + "-mine" + std::string(ending)));
  aside.known.clear();
  bool changed = false;
  if (const base::Status written = write_lesson(aside, changed); !written) return written;
  what = std::move(aside);
  return {};
}

std::string progress_name(const LessonEntry& entry) {
  return entry.number > 0 ? entry.name : entry.path.filename().string();
}

LessonProgress read_progress(const fs::path& folder) {
  LessonProgress progress;
  if (folder.empty()) return progress;
  const auto text = io::read_file(folder / progress_file, std::size_t(1) << 16);
  if (!text) return progress;
  std::size_t at = 0;
  while (at < text->size()) {
    const std::size_t end = std::min(text->find('\n', at), text->size()), tab = text->find('\t', at);
    if (tab < end) {
      int step = 0;
      std::from_chars(text->data() + tab + 1, text->data() + end, step);
      if (step > 0 && step <= 500) progress[text->substr(at, tab - at)] = step;
    }
    at = end + 1;
  }
  return progress;
}

base::Status write_progress(const LessonProgress& progress, const fs::path& folder) {
  if (folder.empty()) return {};
  std::error_code failed;
  fs::create_directories(folder, failed);
  std::string text;
  for (const auto& [name, step] : progress) text += name + '\t' + std::to_string(step) + '\n';
  return io::write_file(folder / progress_file, text);
}

base::Result<AddedStep> add_view(const NewStep& step, const scene::Scene& view, const fs::path& folder) {
  if (folder.empty()) return base::Error{"there is no folder for lessons because HOME is not set"};
  fs::path path = step.file.empty() ? folder / (file_name_of(step.lesson) + std::string(ending)) : step.file;
  scene::Lesson lesson;
  lesson.title = step.lesson.empty() ? "My lesson" : step.lesson;
  std::error_code failed;
  if (step.fresh) {
    path = io::free_path(path);
  } else if (!step.file.empty() || fs::exists(path, failed)) {
    auto before = read_own(path);
    // A file that cannot be read may be somebody's work: it is not overwritten.
    if (!before) return base::Error{before.error()};
    if (step.file.empty() && before->title != lesson.title) {
      path = io::free_path(path);
    } else {
      lesson = std::move(*before);
    }
  }
  scene::Lesson as_played = lesson;
  scene::find_files(as_played, folder);
  const scene::Scene last = lesson.steps.empty() ? scene::written_defaults()
                                                 : scene::lesson_scenes(as_played, scene::Scene{}).back();
  scene::LessonStep added;
  // A lesson is made to be passed on: it names files without their folders.
  added.scene = scene::changes_between(scene::without_folders(last), scene::without_folders(view));
  added.controls = step.controls.empty() ? controls_for(added.scene, view) : step.controls;
  added.title = scene::without_marks(step.title);
  if (added.title.empty()) added.title = "Step " + std::to_string(lesson.steps.size() + 1);
  if (!step.words.empty()) added.words = {scene::without_marks(step.words)};
  added.focus = step.focus;
  lesson.steps.push_back(std::move(added));
  fs::create_directories(folder, failed);
  if (const base::Status written = io::write_file(path, scene::to_json(lesson)); !written)
    return base::Error{written.error()};
  return AddedStep{path, static_cast<int>(lesson.steps.size()), lesson.title};
}

}  // namespace headlight::app
