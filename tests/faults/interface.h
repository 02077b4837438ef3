// The interface of a window without one, for a child in which calls fail: the session and the shell as
// run_window() has them, with a folder for the state and one for the user's files.
#pragma once

#include <filesystem>
#include <string>

#include "app/shell.h"
#include "faults/failing_calls.h"
#include "scene/trained_model.h"
#include "screen/pilot.h"
#include "screen/recorder.h"
#include "screen/unseen_screen.h"
#include "session/model_shelf.h"
#include "session/session.h"

namespace headlight::faults {

class Interface {
 public:
  Interface(const std::filesystem::path& folder, const scene::Scene& scene)
      : Interface(folder, scene,
                  {.autosave = folder / "state" / "scene.json",
                   .training = folder / "state" / "training.safetensors"},
                  {.folder = folder / "state", .file = folder / "scene.json"}) {
    shell.lessons().folder = folder / "lessons";
  }
  /// `kept` and `desk` have the paths that are kept, and why none is.
  Interface(const std::filesystem::path& folder, const scene::Scene& scene, const app::Session::Start& kept,
            const app::DeskStart& desk)
      : session({.scene = scene,
                 .autosave = kept.autosave,
                 .training = kept.training,
                 .unsaved = kept.unsaved,
                 .threads = 1,
                 .models = &models}),
        shell(session, screen.input, screen.textures, desk) {
    shell.ui().recorder = &recorder;
    shell.exporter().folder = folder;
    pilot.frames(3);
  }

  void frame() {
    now += screen::UnseenScreen::seconds;
    screen.frame(1600, 1000, [this] {
      const Counted counted;
      shell.frame({.width = 1600,
                   .height = 1000,
                   .display_scale = 1,
                   .seconds = screen::UnseenScreen::seconds,
                   .now = now});
    });
  }

  /// Time passes in which no frame was due.
  void rest(double seconds) {
    now += seconds;
    pilot.frames(3);
  }

  double now = 0;
  screen::UnseenScreen screen;
  screen::Recorder recorder;
  app::ModelShelf models{[] {}};
  const scene::UseModels at_hand{&models};
  app::Session session;
  app::Shell shell;
  screen::Pilot pilot{screen.input, recorder, [this] { frame(); }};
};

}  // namespace headlight::faults
