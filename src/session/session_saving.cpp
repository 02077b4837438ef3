// The session saves its scene automatically: in the background, and at its end.
#include "base/caught.h"
#include "io/descriptor.h"
#include "scene/model_file.h"
#include "scene/named_files.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "session/session.h"
#include "teach/lesson.h"

namespace headlight::app {

namespace {

constexpr double save_again = 20;  // seconds after a failure

}  // namespace

void Session::say_unsaved(double now) {
  if (unsaved_.empty()) return;
  warn("the scene and training runs are not being saved: " + unsaved_, now);
  unsaved_.clear();
}

/// Returns work that writes the scene as it is now, whenever it runs.
FileJob::Make Session::saving() const {
  const scene::UseModels at_hand(models_);
  return [scene = kept_ ? scene::with_look_of(*kept_, scene_) : scene_, named = scene_, path = autosave_,
          models = models_of_scene()](base::Parallel&,
                                      const std::function<bool(float)>&) -> base::Result<MadeFile> {
    const scene::UseModels known(models.get());
    try {
      if (const base::Status written = scene::save_state(scene, path); !written)
        return base::Error{written.error()};
    } catch (...) {
      return io::cannot("write", path, base::caught_words());
    }
    (void)scene::remember_files(named, path.parent_path());  // a list that cannot be kept is no loss
    return MadeFile{path, path, {}};
  };
}

/// Saves in the background: a slow disk delays no frame.
void Session::save_behind(double now) {
  if (autosave_.empty()) {
    save_at_ = -1;
    return say_unsaved(now);
  }
  if (saver_.running()) return;
  save_at_ = -1;
  try {
    saver_.start({.what = "saving", .smaller = "close other programs", .make = saving(), .threads = 1});
  } catch (...) {
    saved(io::cannot("write", autosave_, base::caught_words()), now);
  }
}

bool Session::saved(const base::Status& status, double now) {
  if (!status) {
    if (!save_failed_) warn("the scene is not being saved: " + status.error(), now);
    save_failed_ = true;                            // reported once
    if (save_at_ < 0) save_at_ = now + save_again;  // a later attempt may succeed
    return false;
  }
  save_failed_ = false;
  return true;
}

bool Session::save(double now) {
  saver_.wait();
  (void)saver_.take();  // the scene written now is newer
  if (autosave_.empty()) {
    save_at_ = -1;
    return say_unsaved(now), true;
  }
  save_at_ = -1;
  try {
    base::Parallel parallel(1);
    const auto written = saving()(parallel, {});
    return saved(written ? base::Status() : base::Error{written.error()}, now);
  } catch (...) {
    return saved(io::cannot("write", autosave_, base::caught_words()), now);
  }
}

}  // namespace headlight::app
