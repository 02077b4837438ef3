#include "session/document.h"

#include <algorithm>
#include <cctype>

#include "base/caught.h"
#include "base/utf8.h"
#include "base/words.h"
#include "io/files.h"
#include "io/mistaken.h"
#include "models/opened_model.h"
#include "pages/compute.h"
#include "pages/missing.h"
#include "pages/page.h"
#include "scene/figure_scene.h"
#include "scene/model_file.h"
#include "scene/named_files.h"
#include "scene/portable.h"
#include "scene/saved_attention.h"
#include "scene/scene_line.h"
#include "scene/settings.h"
#include "scene/store.h"

namespace headlight::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_text = 20000;  // bytes of a dropped text that become the sentence

/// True for a model of ours, a folder or file of another program's model, or attention that a program saved.
bool is_model(const fs::path& path) {
  std::error_code failed;
  return io::ending_of(path) == ".safetensors" || fs::is_directory(path, failed) ||
         models::may_be_model(path) || scene::is_saved_attention(path);
}

/// Text in UTF-8, and in other encodings that include ASCII, has almost no bytes below the blank except line
/// breaks and tabs; UTF-16 has many.
bool is_text(const std::string& bytes) {
  const auto odd = std::count_if(bytes.begin(), bytes.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && !std::isspace(static_cast<unsigned char>(c));
  });
  return odd * 500 <= static_cast<std::ptrdiff_t>(bytes.size());
}

/// True if a scene can be saved to this file again; a figure or a model cannot hold one.
bool holds_a_scene(const fs::path& path) {
  return io::ending_of(path) == ".json" || scene::is_portable_name(path);
}

/// The look of the interface stays the user's, whoever made the scene.
void keep_look(scene::Scene& scene, const scene::Scene& current) {
  const scene::Page page = scene.page;
  scene::keep_surroundings(scene, current);
  scene.page = page;
}

}  // namespace

Document::Document(Session& session, fs::path folder, fs::path path)
    : session_(session), recent_(scene::list_of_scenes(folder)), saved_(session.scene()) {
  if (!path.empty()) (void)recent_.remember(path);
  if (holds_a_scene(path)) path_ = std::move(path);
}

bool Document::changed() const {
  if (borrowed) return false;
  scene::Scene saved = saved_;
  scene::keep_surroundings(saved, session_.scene());
  saved.positions.play = session_.scene().positions.play;
  saved.positions.index = session_.scene().positions.index;
  return saved != session_.scene();
}

void Document::take(scene::Scene scene, double now) {
  keep_look(scene, session_.scene());
  session_.change(std::move(scene), "", now);
  if (!borrowed) saved_ = session_.scene();
}

/// "cannot open NAME: there is not enough memory"; inside a catch block.
void Document::say_caught(const char* what, const fs::path& path, double now) {
  session_.warn(io::cannot(what, path, base::caught_words()).message, now);
}

bool Document::open(const fs::path& path, double now) {
  try {
    return is_model(path) ? open_model(path, now) : open_file(path, now);
  } catch (...) {  // the previous scene is still whole
    say_caught("open", path, now);
    return false;
  }
}

bool Document::open_file(const fs::path& path, double now) {
  opening_.reset();
  std::string missing;
  base::Result<scene::Scene> opened = scene::scene_in_file(path, io::Opens::files, &missing);
  if (!opened) {
    session_.warn(opened.error(), now);
    return false;
  }
  std::vector<scene::Given> given = scene::chosen_in(*opened);
  take(std::move(*opened), now);
  if (!borrowed) path_ = holds_a_scene(path) ? path : fs::path();
  (void)recent_.remember(path);  // if the list cannot be kept, the file is opened nevertheless
  const std::string what = "opened " + path.filename().string();
  if (missing.empty())
    say_opened("opened " + path.string(), what, std::move(given), now);
  else
    session_.warn(what + ", but " + missing, now);
  return true;
}

namespace {

/// "a; b (and 2 more)"
std::string listed(const std::vector<std::string>& lines) {
  constexpr std::size_t most = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(most, lines.size()); ++i) out += (i == 0 ? "" : "; ") + lines[i];
  return out + (lines.size() > most ? " (and " + std::to_string(lines.size() - most) + " more)" : "");
}

}  // namespace

void Document::say_opened(const std::string& plain, const std::string& what, std::vector<scene::Given> given,
                          double now) {
  session_.say(plain + "; Ctrl + Z restores the previous scene", now);
  begin_to_say(what, std::move(given), now);
}

void Document::opened_at_start(const fs::path& file, std::vector<scene::Given> given, double now,
                               const std::string& stated) {
  if (!stated.empty()) session_.warn(stated, now);
  begin_to_say((stated.empty() ? "" : stated + "; ") + "opened " + file.filename().string(), std::move(given),
               now);
}

void Document::begin_to_say(const std::string& what, std::vector<scene::Given> given, double now) {
  const scene::Scene& scene = session_.scene();
  opening_ = {
      what, std::move(given), scene.page, scene.sentence, scene::model_file(scene), session_.undo_steps(),
      {}};
  say_missing(nullptr, now);
}

void Document::say_missing(const scene::Results* results, double now) {
  if (!session_.loading().empty()) return;  // what the model has is not known
  const scene::UseModels at_hand(session_.models());
  const scene::Scene& scene = session_.scene();
  auto lines = scene::what_is_missing(scene, scene::without_given_by_model(opening_->given, scene), results);
  if (lines.empty() || lines == opening_->stated) return;
  session_.warn(opening_->what + ", but " + listed(lines), now);
  opening_->stated = std::move(lines);
}

void Document::update(double now) {
  if (!opening_ || !session_.loading().empty()) return;
  const scene::Scene& scene = session_.scene();
  const bool same = opening_->page == scene.page && opening_->sentence == scene.sentence &&
                    opening_->model == scene::model_file(scene) &&
                    opening_->undo_steps == session_.undo_steps();
  if (same && session_.failure().empty()) {
    if (scene::key(session_.results().scene) != scene::key(scene)) return;
    say_missing(&session_.results(), now);
  }
  opening_.reset();
}

bool Document::open_model(const fs::path& path, double now) {
  return session_.open_model(
      path, [this, path] { (void)recent_.remember(path); }, now);
}

bool Document::save_as(const fs::path& path, double now) {
  try {
    return save_file(path, now);
  } catch (...) {  // the previous file is still whole
    say_caught("write", path, now);
    return false;
  }
}

bool Document::save_file(const fs::path& path, double now) {
  const bool portable = scene::is_portable_name(path);
  const base::Status saved =
      portable ? scene::save_portable(session_.scene(), path) : scene::save(session_.scene(), path);
  if (!saved) {
    session_.warn(saved.error(), now);
    return false;
  }
  if (!borrowed) path_ = path, saved_ = session_.scene();
  (void)recent_.remember(path);
  const bool holds = portable && session_.scene().weights != scene::WeightsSource::random;
  session_.say("saved as " + path.string() + (holds ? ", with its model" : ""), now);
  return true;
}

bool Document::open_line(const std::string& text, double now) {
  opening_.reset();
  base::Result<scene::Scene> opened = scene::from_line(text);
  if (!opened) {
    session_.warn(opened.error(), now);
    return false;
  }
  const std::string missing = scene::find_files(*opened, {});
  std::vector<scene::Given> given = scene::chosen_in(*opened);
  take(std::move(*opened), now);
  if (!borrowed) path_.clear();
  const std::string what = "opened the scene of the line";
  if (missing.empty())
    say_opened(what, what, std::move(given), now);
  else
    session_.warn(what + ", but " + missing, now);
  return true;
}

bool Document::drop_text(const fs::path& path, double now) {
  scene::Scene next = session_.scene();
  if (const auto train_on = scene::room_of(next.page).train_on) {
    train_on(next, path.string());
    session_.change(std::move(next), "", now);
    session_.say("the training text is " + path.string(), now);
    return true;
  }
  const base::Result<std::string> text = io::read_file(path, std::size_t(64) << 20);
  if (!text) {
    session_.warn(text.error(), now);
    return true;
  }
  if (!is_text(*text)) {
    const std::string is = io::mistaken_for(*text);
    session_.warn(path.filename().string() + " is not a UTF-8 text" +
                      (is.empty() ? "; a text file becomes the sentence" : ": " + is),
                  now);
    return true;
  }
  if (scene::has_line(*text)) return open_line(*text, now), true;
  constexpr std::string_view mark = "\xEF\xBB\xBF";  // of UTF-8, before the text
  std::string_view words = *text;
  if (words.starts_with(mark)) words.remove_prefix(mark.size());
  std::string sentence;
  for (const char c : base::beginning(words, longest_text)) {
    const bool blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!blank) sentence += c;
    if (blank && !sentence.empty() && sentence.back() != ' ') sentence += ' ';
  }
  if (sentence.empty()) {
    session_.warn(path.filename().string() + " has no words; the sentence stays as it is", now);
    return true;
  }
  next.sentence = std::move(sentence);
  session_.change(std::move(next), "", now);
  session_.say(
      (words.size() > longest_text ? "the sentence is the beginning of " : "the sentence is the text of ") +
          path.filename().string(),
      now);
  return true;
}

namespace {

/// The folder of files that together are a model, config.json among them. Nothing: they are not one model.
std::optional<fs::path> model_of(const std::vector<std::string>& paths) {
  const fs::path folder = fs::path(paths.front()).parent_path();
  bool described = false;
  for (const fs::path path : paths) {
    if (path.parent_path() != folder) return std::nullopt;
    described = described || path.filename() == "config.json";
  }
  return described && models::may_be_model(folder) ? std::optional(folder) : std::nullopt;
}

}  // namespace

bool Document::drop(const std::vector<std::string>& paths, double now) {
  if (paths.empty()) return false;
  const fs::path path = paths.size() > 1 ? model_of(paths).value_or(paths.front()) : fs::path(paths.front());
  try {
    if (!drop_file(path, now)) return false;
    if (paths.size() > 1 && path == paths.front())
      session_.warn(
          (session_.message().empty() ? path.filename().string() : session_.message()) + "; " +
              base::counted(paths.size() - 1, "other dropped file was", "other dropped files were") +
              " not opened",
          now);
  } catch (...) {
    say_caught("open", path, now);
  }
  return true;
}

bool Document::drop_file(const fs::path& path, double now) {
  const std::string ending = io::ending_of(path);
  if (models::may_be_model(path)) {
    open_model(path, now);
  } else if (ending == ".json" || ending == ".png" || ending == ".svg" || ending == ".pdf" ||
             ending == ".gif" || ending == ".npz" || ending == ".npy" || ending == scene::portable_ending) {
    open(path, now);
  } else if (ending == ".safetensors" &&
             scene::room_of(session_.scene().page).uses(session_.scene()).trains) {
    session_.training().open(path);
  } else if (ending == ".safetensors") {
    open_model(path, now);
  } else if (ending == ".txt" || ending == ".md" || ending == ".text") {
    drop_text(path, now);
  } else if (std::error_code unknown;
             fs::is_directory(path, unknown) && scene::room_of(session_.scene().page).train_on) {
    drop_text(path, now);
  } else {
    return false;
  }
  return true;
}

}  // namespace headlight::app
