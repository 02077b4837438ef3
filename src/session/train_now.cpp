#include "session/train_now.h"

#include <cstdint>

#include "learn/training_run.h"
#include "pages/training/training.h"

namespace headlight::app {

base::Result<scene::TrainingSnapshot> train_now(
    const scene::Scene& scene, base::Parallel& parallel, int pictures,
    const std::function<void(const scene::TrainingSnapshot&)>& seen,
    const std::function<bool(float)>& keep_going) {
  auto made = scene::start_training(scene.training, parallel,
                                    [&](float) { return !keep_going || keep_going(0); });  // a text is read
  if (!made) return base::Error{made.error()};
  scene::TrainingRun& run = **made;
  scene::TrainingLook look;
  look.run = scene.training.run - 1;
  look.example = scene.training.example;
  look.shown_step = scene.training.shown_step, look.plot = scene.training.plot;
  look.sentence = scene.sentence;
  run.look(look, parallel);
  std::uint64_t version = 0;
  const auto picture = [&] {
    scene::TrainingSnapshot snapshot;
    snapshot.version = ++version;
    snapshot.settings = scene.training;
    snapshot.step = run.step(), snapshot.steps = run.steps();
    snapshot.state =
        run.step() < run.steps() ? scene::TrainingState::running : scene::TrainingState::finished;
    run.fill(snapshot);
    return snapshot;
  };
  if (pictures > 0) seen(picture());
  int shown = 0;
  while (run.step() < run.steps() && run.advance(parallel)) {
    const std::int64_t due = static_cast<std::int64_t>(run.step()) * pictures / run.steps();
    if (due > shown) seen(picture()), shown = static_cast<int>(due);
    if (keep_going && !keep_going(static_cast<float>(run.step()) / static_cast<float>(run.steps())))
      return base::Error{"the training was stopped"};
  }
  return picture();
}

}  // namespace headlight::app
