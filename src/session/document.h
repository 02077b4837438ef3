// The file that the scene belongs to: opened, saved, pasted as a line, dropped onto the window. On an error
// the status line says what is wrong, and the scene does not change. Tested in
// tests/session/document_test.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scene/recent.h"
#include "scene/settings.h"
#include "session/session.h"

namespace headlight::app {

class Document {
 public:
  /// `folder` keeps the list of recent files; empty: nothing is kept. `path` is the file that the session's
  /// scene was opened from.
  explicit Document(Session& session, std::filesystem::path folder = {}, std::filesystem::path path = {});

  /// Empty: the scene was neither opened from a file nor saved to one.
  const std::filesystem::path& path() const { return path_; }
  /// True while the session's scene belongs to a lesson. Opening or saving then does not change path() and
  /// changed(): they describe the scene that comes back.
  bool borrowed = false;
  /// True if the scene differs from the one that was saved or opened. The look of the interface does not
  /// count.
  bool changed() const;
  const std::vector<std::filesystem::path>& recent() const { return recent_.files(); }

  /// Opens a scene, a figure with its scene, or a model, whose weights the pages then show. A file that is
  /// refused changes nothing.
  bool open(const std::filesystem::path& path, double now);
  /// If the name ends in .zip, the file holds the scene with its model (scene/portable.h).
  bool save_as(const std::filesystem::path& path, double now);
  /// A text that holds a scene line; `where`: "the clipboard".
  bool open_line(const std::string& text, double now);
  /// Files dropped onto the window. A scene, or a figure with its scene, is opened; a model's weights are
  /// shown; a text becomes the sentence or, on the Training page, the training text. Files of one model are
  /// opened as that model; of other files the first is used, and the message says so. False: no file is of a
  /// known kind.
  bool drop(const std::vector<std::string>& paths, double now);

  /// For the file that the session's scene was opened from, with the settings that were given at the start:
  /// says what they ask for and do not have.
  void opened_at_start(const std::filesystem::path& file, std::vector<scene::Given> given, double now,
                       const std::string& stated = "");
  /// Called once a frame: says what an opened scene asks for and does not have, when that is computed.
  void update(double now);

 private:
  /// An opened scene whose first computation has not arrived.
  struct Opening {
    std::string what;  // "opened lesson.json"
    std::vector<scene::Given> given;
    scene::Page page;
    std::string sentence, model;
    std::size_t undo_steps;  // more or fewer: the scene is no longer the file's
    std::vector<std::string> stated;
  };
  void take(scene::Scene scene, double now);
  void say_opened(const std::string& plain, const std::string& what, std::vector<scene::Given> given,
                  double now);
  void begin_to_say(const std::string& what, std::vector<scene::Given> given, double now);
  void say_missing(const scene::Results* results, double now);
  bool open_file(const std::filesystem::path& path, double now);
  bool save_file(const std::filesystem::path& path, double now);
  bool open_model(const std::filesystem::path& path, double now);
  bool drop_file(const std::filesystem::path& path, double now);
  void say_caught(const char* what, const std::filesystem::path& path, double now);
  bool drop_text(const std::filesystem::path& path, double now);

  Session& session_;
  scene::Recent recent_;
  std::filesystem::path path_;
  scene::Scene saved_;
  std::optional<Opening> opening_;
};

}  // namespace headlight::app
