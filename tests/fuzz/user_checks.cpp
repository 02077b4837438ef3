// What must hold after an action of the random user, and at the end of a sitting.
#include <imgui.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "fuzz/random_user.h"
#include "scene/scene_line.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "scene/undo.h"

namespace headlight::fuzz {

using screen::Key;
using Clock = std::chrono::steady_clock;

void RandomUser::check_vertices() {
  const ImDrawData* drawn = ImGui::GetDrawData();
  if (drawn == nullptr) return;
  for (int i = 0; i < drawn->CmdListsCount; ++i)
    for (const ImDrawVert& vertex : drawn->CmdLists[i]->VtxBuffer)
      if (!(std::abs(vertex.pos.x) < 1e7f && std::abs(vertex.pos.y) < 1e7f))
        return wrong("a vertex is not finite");
}

/// Nothing is held that nobody holds, and the widget that has the keyboard is one that can be seen.
void RandomUser::check_interface() {
  const ImGuiIO& io = ImGui::GetIO();
  if (!shell_->ui().focus.sound()) wrong("the focus is on nothing that can be seen, or a popup has no end");
  if (io.MouseDown[0] || io.MouseDown[1] || io.MouseDown[2]) wrong("a button of the mouse is still down");
  if (io.KeyCtrl || io.KeyShift || io.KeyAlt) wrong("a key is still down");
}

void RandomUser::check_round_trips() {
  scene::Scene scene = session_->scene();
  // Files are named without their folders.
  scene.weights_file.clear(), scene.training.file.clear(), scene.model.beside.clear();
  if (scene.weights == scene::WeightsSource::file) scene.weights = scene::WeightsSource::random;
  scene::repair(scene);
  const auto json = scene::from_json(scene::to_json(scene), "json");
  if (!json)
    wrong("its JSON is refused: " + json.error());
  else if (!(*json == scene))
    wrong("its JSON is another scene: " + scene::difference(*json, scene));
  const auto line = scene::from_line(scene::to_line(scene));
  if (!line)
    wrong("its line is refused: " + line.error());
  else if (!(*line == scene))
    wrong("its line is another scene: " + scene::difference(*line, scene));
}

/// Undone all the way it is the beginning, and redone all the way the end; what undo leaves alone aside.
void RandomUser::check_undo(const scene::Scene& beginning) {
  // A lesson gives back the scene in which it was opened.
  if (shell_->lessons().editor().open()) shell_->lessons().editor().close(now_);
  if (shell_->lessons().player().open()) shell_->lessons().player().leave(now_);
  // Escape leads out of everything that lies over the page.
  for (int i = 0; i < 12; ++i) {
    press(Key::escape);
    settle(3);
  }
  if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel))
    wrong("a popup is open after Escape");
  if (shell_->presenter().open()) wrong("a card is presented after Escape");
  screen_->input().focus(false);
  screen_->input().focus(true);
  settle(3);
  session_->training().pause();
  const Clock::time_point began = Clock::now();
  while ((session_->busy() >= 0 || !session_->loading().empty()) &&
         Clock::now() - began < std::chrono::seconds(20)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    session_->update(now_);
  }
  settle(2);
  const scene::Scene end = session_->scene();
  const auto alike = [this](scene::Scene wanted, const char* what) {
    scene::keep_surroundings(wanted, session_->scene());
    wanted.positions.play = session_->scene().positions.play;
    wanted.positions.index = session_->scene().positions.index;
    // A model that comes later, or to another page, brings columns of its own where nobody has chosen any.
    if (!began_whole_ || wanted.positions.columns == scene::Scene().positions.columns) {
      wanted.positions.columns = session_->scene().positions.columns;
      wanted.positions.pair = session_->scene().positions.pair;
    }
    if (!(wanted == session_->scene()))
      wrong(std::string(what) + scene::difference(wanted, session_->scene()));
  };
  int steps = 0;
  for (; session_->can_undo() && steps < 2'000; ++steps) session_->undo(now_);
  if (steps < 500) {  // as many are kept
    alike(beginning, "undone all the way it is not the beginning: ");
    // As often, and not further: what was undone before may be redone, too.
    for (; session_->can_redo() && steps > 0; --steps) session_->redo(now_);
    alike(end, "redone as often it is not the end: ");
  }
  settle(2);
}

}  // namespace headlight::fuzz
