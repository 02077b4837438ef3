// The first start: the whole window is one sentence and the light from one word to another, until one of four
// ways is taken out of it. It works on a session of its own, so that the open scene stays as it is until
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
  /// `folder`: the state folder, where it is kept that it was left once; empty: nowhere.
  explicit FirstStart(
      std::filesystem::path folder = {}, std::function<void()> wake = [] {})
      : folder_(std::move(folder)), wake_(std::move(wake)) {}

  /// Does a window that was asked for nothing begin with it? Only where nothing is kept of an earlier one, no
  /// other one is open, and none has left it. Where nothing can be written, that cannot be known, and it
  /// comes back.
  static bool due(const scene::WindowFiles& kept, const std::filesystem::path& folder);

  bool open() const { return session_ != nullptr; }
  /// From the beginning, with this scene. `goes_on`: the laboratory that follows has its sentence and query.
  void show(scene::Scene scene, const Session& live, screen::Ui& ui, bool goes_on = false);
  /// Into the whole window. `at_once`: nothing moves. The way out that was taken: then it is left, for good.
  std::optional<WayOut> frame(screen::Ui& ui, screen::HeatmapPainter& maps, draw::Box pixels, double now,
                              bool at_once);
  /// As by its last way out.
  void leave(screen::Ui& ui);
  /// The beam is drawn, or on its way.
  bool moving() const { return moving_; }

  /// What is drawn, while it is open.
  views::PageInput input(const draw::Theme& theme) const;
  /// The scene with which it was left.
  const scene::Scene& scene() const { return scene_; }
  /// Does the laboratory that follows go on with that scene?
  bool goes_on() const { return goes_on_; }

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
  bool goes_on_ = false, moving_ = false, editing_ = false, edit_begins_ = false;
  bool written_ = false;  // a sentence whose query has no place yet
  draw::Hit hover_;
  draw::Point pointer_;               // in the frame before,
  bool pointer_seen_ = false;         // if there was one: where it rests at the beginning means no word
  double began_ = -1, moved_ = -1e9;  // when the beam was begun, and when it left its last place
  BeamPlace rest_, before_;           // where it rests, and where it was when it left
  draw::Point size_;                  // of the window then: another one moves it at once
};

}  // namespace headlight::app
