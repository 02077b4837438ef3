// The file that the scene belongs to: opened, saved, pasted as a line, dropped onto the window. What goes
// wrong is said in the status line, and the scene stays. Tested in tests/session/document_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scene/recent.h"
#include "session/session.h"

namespace headlight::app {

class Document {
 public:
  /// `folder` keeps the list of recent files; empty: nothing is kept. `path`: the file that the session's
  /// scene was opened from.
  explicit Document(Session& session, std::filesystem::path folder = {}, std::filesystem::path path = {});

  /// Empty: the scene was not opened from a file, nor saved to one.
  const std::filesystem::path& path() const { return path_; }
  /// The session's scene belongs to a lesson for now. What is opened or saved then leaves path() and
  /// changed() as they are: they are those of the scene that comes back.
  bool borrowed = false;
  /// What was saved or opened is no longer what is there. The look of the interface is no part of it.
  bool changed() const;
  const std::vector<std::filesystem::path>& recent() const { return recent_.files(); }

  /// A scene, a figure with its scene, or a model, whose weights the pages show then. What is refused changes
  /// nothing.
  bool open(const std::filesystem::path& path, double now);
  /// A name that ends in .zip: the scene with its model in itself (scene/portable.h).
  bool save_as(const std::filesystem::path& path, double now);
  /// A text that holds a scene line; `where`: "the clipboard".
  bool open_line(const std::string& text, double now);
  /// Files dropped onto the window. A scene, or a figure with its scene, is opened, a model's weights are
  /// shown, a text becomes the sentence, or on the Training page what is learned. Files of one model are the
  /// model; of others the first is taken, which is said. False: nothing that is known here.
  bool drop(const std::vector<std::string>& paths, double now);

 private:
  void take(scene::Scene scene, double now);
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
};

}  // namespace headlight::app
