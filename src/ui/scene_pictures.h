// Pictures of scenes, as the lists of lessons and steps and the lecturer's window have them, each made once,
// in the background, one after the other, with the results it was drawn of. Asking never waits. A scene whose
// page shows a run is drawn without one. Tested in tests/lecture/lesson_editor_test.cpp.
#pragma once

#include <imgui.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "io/png.h"
#include "scene/results.h"
#include "scene/scene.h"
#include "screen/textures.h"

namespace headlight::app {

class ScenePictures {
 public:
  /// `wake` is called from the worker when a picture is there; `textures` outlives this.
  explicit ScenePictures(
      screen::Textures& textures, std::function<void()> wake = [] {})
      : ScenePictures(textures, std::move(wake), {width, height}) {}
  /// Pixels of each picture; as small as they are shown, because they are not filtered.
  struct Size {
    int width = 0, height = 0;
    bool operator==(const Size&) const = default;
  };
  ScenePictures(screen::Textures& textures, std::function<void()> wake, Size size);
  ~ScenePictures();
  ScenePictures(const ScenePictures&) = delete;
  ScenePictures& operator=(const ScenePictures&) = delete;

  static constexpr int width = 288, height = 180;  // pixels, unless others are wanted

  class Picture {
   public:
    const scene::Scene& scene() const { return scene_; }
    /// Null until they are there, where the scene cannot be computed, where they are larger than is kept, or
    /// where they were not asked for.
    const scene::Results* results() const { return ready_ ? results_.get() : nullptr; }
    bool ready() const { return ready_; }

   private:
    friend class ScenePictures;
    scene::Scene scene_;
    std::string card_;
    bool with_results_ = false;
    std::shared_ptr<const scene::Results> results_;
    io::Image image_;
    ImTextureID texture_{};
    std::atomic<bool> ready_{false};
  };

  /// The picture of this scene, in its theme; made soon where there is none. `card`: of its page only the
  /// card of this name, or with this in its title; where there is none, the page.
  std::shared_ptr<Picture> ask(const scene::Scene& scene, bool with_results = false,
                               const std::string& card = {});
  /// Pictures with results, which may be large, are dropped where nobody holds them.
  void forget_results();
  /// Its texture, as large as all of them; null until it is there.
  ImTextureID texture(Picture& picture);
  /// Until nothing is being made. For pictures and tests.
  void wait();

 private:
  void work();
  void drop_if(const std::function<bool(const Picture&)>& unwanted);
  void make(Picture& picture) const;

  static constexpr std::size_t most_kept = 96;
  const Size size_;
  screen::Textures& textures_;
  std::function<void()> wake_;
  std::deque<std::shared_ptr<Picture>> kept_;  // the newest first
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Picture>> wanted_;
  bool working_ = false;
  std::atomic<bool> ends_{false};
  std::thread thread_;  // started with the first picture
};

}  // namespace headlight::app
