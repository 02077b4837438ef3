// Pictures of scenes for the lists of lessons and steps and for the lecturer's window. Each is made once, in
// the background, one after the other, and keeps the results that it was drawn from. A request never waits. A
// scene whose page shows a run is drawn without one. Tested in tests/lecture/lesson_list_test.cpp.
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
  /// `wake` is called from the worker when a picture is ready; `textures` outlives this.
  explicit ScenePictures(
      screen::Textures& textures, std::function<void()> wake = [] {})
      : ScenePictures(textures, std::move(wake), {width, height}) {}
  /// The size of each picture in pixels: the size at which it is shown, because pictures are not filtered.
  struct Size {
    int width = 0, height = 0;
    bool operator==(const Size&) const = default;
  };
  ScenePictures(screen::Textures& textures, std::function<void()> wake, Size size);
  ~ScenePictures();
  ScenePictures(const ScenePictures&) = delete;
  ScenePictures& operator=(const ScenePictures&) = delete;

  static constexpr int width = 288, height = 180;  // pixels, unless another size is given

  class Picture {
   public:
    const scene::Scene& scene() const { return scene_; }
    /// Null until they are ready, and if the scene cannot be computed, the results are too large to keep, or
    /// they were not requested.
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

  /// The picture of this scene, in its theme; if there is none, it is made soon. `card`: shows only the card
  /// of its page that has this name or this text in its title; if there is none, the page.
  std::shared_ptr<Picture> ask(const scene::Scene& scene, bool with_results = false,
                               const std::string& card = {});
  /// Drops pictures with results, which may be large, if nobody holds them.
  void forget_results();
  /// Its texture, in the size of all pictures; null until it is ready.
  ImTextureID texture(Picture& picture);
  /// Waits until nothing is being made. For pictures and tests.
  void wait();

 private:
  void work();
  void drop_if(const std::function<bool(const Picture&)>& unwanted);
  void make(Picture& picture) const;

  static constexpr std::size_t most_kept = 96;
  const Size size_;
  screen::Textures& textures_;
  std::function<void()> wake_;
  std::deque<std::shared_ptr<Picture>> kept_;  // newest first
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Picture>> wanted_;
  bool working_ = false;
  std::atomic<bool> ends_{false};
  std::thread thread_;  // started with the first picture
};

}  // namespace headlight::app
