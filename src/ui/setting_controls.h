// The controls of settings: each has that of its type, with the numbers and words that make a difference in
// the current scene. They change a copy of the scene; finish() gives it to the session. Tested in
// tests/app/pages_ui_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/setting.h"
#include "screen/widgets.h"
#include "session/session.h"

namespace headlight::app {

/// What a slider writes in the place of this number: "off"; empty: the number.
std::string_view word_for(const scene::Field& field, double value);

class SettingControls {
 public:
  /// `beside`: units of labels to the left of their tracks; 0: labels are above the tracks.
  explicit SettingControls(screen::Ui& ui, Session& session, float beside = 0)
      : next(session.scene()), ui_(ui), session_(session), beside_(beside) {}

  /// The changed copy, whose values show() is called with.
  scene::Scene next;

  /// Draws the control, or the value if a model gives it.
  template <class V>
  void show(const scene::Field& field, V& value) {
    note(field, given(field) ? reported(field) : control(field, value));
  }

  /// True if the scene's model gives this setting, such as the layer's sizes: it is shown, not set.
  bool given(const scene::Field& field) const;
  /// "Heads 12", for a list of such settings; empty if there is nothing to say of it.
  std::string given_words(const scene::Field& field) const;

  /// Makes the change.
  void finish(double now);

 private:
  const scene::Scene& before() const { return session_.scene(); }
  const scene::Results& results() const { return session_.results(); }
  void note(const scene::Field& field, const screen::Response& response);

  screen::Response reported(const scene::Field& field);
  screen::Response control(const scene::Field& field, bool& value);
  screen::Response control(const scene::Field& field, int& value);
  screen::Response control(const scene::Field& field, double& value);
  screen::Response control(const scene::Field& field, std::string& value);
  screen::Response control(const scene::Field& field, scene::MaskSet& value);
  screen::Response control(const scene::Field& field, scene::SettableWord& value);
  /// Chips of those that there are, one of which can be chosen; none where their number is not known.
  screen::Response control(const scene::Field& field, scene::IndexList& value);

  template <class N>
  screen::Response number(const scene::Field& field, N& value);
  /// A choice of one of many words, over several lines.
  screen::Response chips(const scene::Field& field, scene::SettableWord& value);
  /// A choice of the included models; none is selected while a run's weights are used.
  screen::Response included_models(std::string& value);
  void ask_for_file(const scene::Field& field);

  screen::Ui& ui_;
  Session& session_;
  float beside_;
  std::string changed_;  // name of the field, empty = none; it also names the drag that the change belongs to
  bool active_ = false;  // it is being dragged or typed into
};

}  // namespace headlight::app
