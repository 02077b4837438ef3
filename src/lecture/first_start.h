// The first start: the whole window shows one sentence and the light from one word to another, until the user
// takes one of four ways out of it. It works on its own session, so that the open scene does not change until
// then. Tested in tests/lecture/first_start_test.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "pictures/first_start_picture.h"
#include "scene/window_files.h"
#include "screen/heatmap_painter.h"
#include "screen/widgets.h"
#include "session/session.h"

namespace headlight::app {

/// The ways out, in the order of first_start_controls.
enum class WayOut { own_sentence, lesson, training, laboratory };

class FirstStart {
 public:
  /// `folder`: the state folder, which remembers that the first start was left; empty: nowhere.
  explicit FirstStart(
      std::filesystem::path folder = {}, std::function<void()> wake = [] {})
      : folder_(std::move(folder)), wake_(std::move(wake)) {}

  /// True if a window that was started without arguments begins with the first start: no earlier window kept
  /// anything, no other window is open, and the first start was never left. If nothing can be written, that
  /// is unknown, and the first start comes back.
  static bool due(const scene::WindowFiles& kept, const std::filesystem::path& folder);

  bool open() const { return session_ != nullptr; }
  /// Starts from the beginning with this scene. `continues`: the laboratory continues with its sentence and
  /// query.
  void show(scene::Scene scene, const Session& live, screen::Ui& ui, bool continues = false);
  /// Draws into the whole window. `at_once`: no motion. Returns the way out that was taken: then the first
  /// start is left for good.
  std::optional<WayOut> frame(screen::Ui& ui, screen::HeatmapPainter& maps, draw::Box pixels, double now,
                              bool at_once);
  /// Leaves it as the last way out does.
  void leave(screen::Ui& ui);
  /// True while the beam is drawn or moves.
  bool moving() const { return moving_; }

  /// The input of its view, while it is open.
  views::PageInput input(const draw::Theme& theme) const;
  /// The scene at the time when it was left.
  const scene::Scene& scene() const { return scene_; }
  /// True if the laboratory continues with that scene.
  bool continues() const { return continues_; }

 private:
  void keys(screen::Ui& ui, double now, std::optional<WayOut>& out);
  void ask(int query, double now);
  void write(std::string sentence, double now);
  void place_query(double now);
  FirstStartLook look(double now, bool at_once);

  std::filesystem::path folder_;
  std::function<void()> wake_;
  std::unique_ptr<Session> session_;
  scene::Scene scene_;
  bool continues_ = false, moving_ = false, editing_ = false, edit_begins_ = false;
  bool written_ = false;  // the sentence's query has no position yet
  draw::Hit hover_;
  draw::Point pointer_;               // in the last frame
  bool pointer_seen_ = false;         // false before the first frame: the initial position selects no word
  double began_ = -1, moved_ = -1e9;  // when the beam began, and when it left its last place
  BeamPlace rest_, before_;           // where the beam rests, and where it was when it left
  draw::Point size_;                  // of the window at that time: a change of size moves the beam at once
};

}  // namespace headlight::app
