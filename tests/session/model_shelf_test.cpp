// Models on their way: the picture stays until they are there, and follows their files by itself.
#include "session/model_shelf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "io/files.h"
#include "io/npy.h"
#include "pages/model/atlas.h"
#include "scene/named_files.h"
#include "scene/settings.h"
#include "session/document.h"
#include "session/session.h"
#include "support/model_files.h"
#include "support/scratch_folder.h"

namespace headlight::app {
namespace {

using namespace std::chrono_literals;
using scene::Scene;
using scene::WeightsSource;
using testing::HasSubstr;
using tests::small_model;
using tests::write_model;

/// A disk that answers when it is let: each file is held up until open(path), or until its load is given up.
class SlowDisk {
 public:
  LoadModel loader() {
    return [this](const std::string& path, const scene::ModelProgress& progress) -> scene::LoadedModel {
      {
        std::unique_lock lock(mutex_);
        ++requested_[path];
        while (!open_[path]) {
          if (!progress(0.25f)) return base::Error{"cancelled"};
          changed_.wait_for(lock, 2ms);
        }
      }
      return scene::load_model(path);
    };
  }
  void open(const std::filesystem::path& path) {
    const std::lock_guard lock(mutex_);
    open_[path.string()] = true;
    changed_.notify_all();
  }
  int requested(const std::filesystem::path& path) {
    const std::lock_guard lock(mutex_);
    return requested_[path.string()];
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, bool> open_;
  std::map<std::string, int> requested_;
};

Scene showing(const std::filesystem::path& path) {
  Scene scene;
  scene.weights = WeightsSource::file, scene.weights_file = path.string();
  return scene;
}

/// Frames until something holds; for half a minute at most.
template <class Holds>
bool frames_until(Session& session, Holds&& holds) {
  const auto deadline = std::chrono::steady_clock::now() + 30s;
  while (!holds() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(1ms);
    session.update(1);
  }
  return holds();
}

std::string title(const Session& session) {
  return session.results().model ? session.results().model->title : std::string();
}

class Shelf : public testing::Test {
 protected:
  const tests::ScratchFolder folder_;
  SlowDisk disk_;
  std::atomic<int> woken_{0};
  ModelShelf slow_{[this] { ++woken_; }, disk_.loader(), 5ms};
  ModelShelf shelf_{[this] { ++woken_; }, scene::load_model, 5ms};
};

TEST_F(Shelf, TheFrameGoesOnWhileAModelIsOnItsWayAndThePictureFollows) {
  const auto path = folder_ / "m.safetensors";
  write_model(path, small_model("slow"));
  Session session({.scene = {}, .models = &slow_});
  const auto before = session.results().version;
  const io::ReadCount read = io::read_count();
  session.change(showing(path), "", 1);
  for (int frame = 0; frame < 20; ++frame) {
    session.update(1);
    ASSERT_EQ(session.results().version, before) << "the old picture stays";
    ASSERT_EQ(session.busy(), -1) << "nothing is computed without the model";
    ASSERT_THAT(session.loading(), HasSubstr("loading m.safetensors"));
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_TRUE(frames_until(session, [&] { return session.loading().ends_with("25 %"); }))
      << session.loading();
  EXPECT_EQ(io::read_count().opened, read.opened);
  // What else is changed meanwhile is kept; what the model gives comes with it.
  Scene next = session.scene();
  next.temperature = 2;
  session.change(next, "", 1);
  disk_.open(path);
  ASSERT_TRUE(frames_until(session, [&] { return title(session) == "slow"; }));
  EXPECT_EQ(session.loading(), "");
  EXPECT_EQ(session.scene().d_model, 8);
  EXPECT_EQ(session.scene().heads, 2);
  EXPECT_EQ(session.scene().temperature, 2);
  EXPECT_TRUE(session.scene().mask.causal);
  EXPECT_EQ(session.results().attention.heads, 2);
  EXPECT_GT(woken_, 0);
}

TEST_F(Shelf, OfTwoChangesWhileLoadingTheNewestWins) {
  const auto first = folder_ / "a.safetensors", second = folder_ / "b.safetensors";
  write_model(first, small_model("first"));
  write_model(second, small_model("second", 12, 3));
  Session session({.scene = {}, .models = &slow_});
  session.change(showing(first), "", 1);
  session.update(1);
  Scene next = session.scene();
  next.weights_file = second.string();
  session.change(next, "", 1);
  session.update(1);
  disk_.open(second);
  ASSERT_TRUE(frames_until(session, [&] { return title(session) == "second"; })) << "the first still hangs";
  disk_.open(first);
  for (int frame = 0; frame < 20; ++frame) session.update(1), std::this_thread::sleep_for(1ms);
  EXPECT_EQ(title(session), "second");
  EXPECT_EQ(session.scene().d_model, 12);
  // Back at once: both are known.
  session.undo(2);
  session.undo(2);
  session.update(2);
  EXPECT_EQ(session.scene(), Scene{});
  session.redo(3), session.redo(3);
  session.update(3);
  EXPECT_EQ(title(session), "second") << "no file had to be waited for";
}

TEST_F(Shelf, AFileThatIsWrittenOverIsLoadedAgainByItself) {
  const auto path = folder_ / "m.safetensors";
  write_model(path, small_model("old"));
  Session session({.scene = showing(path), .models = &shelf_});
  ASSERT_TRUE(frames_until(session, [&] { return title(session) == "old"; }));
  const auto version = session.results().version;
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now());  // only touched
  std::this_thread::sleep_for(100ms);
  session.update(1);
  EXPECT_EQ(session.results().version, version);
  EXPECT_EQ(session.message(), "");
  write_model(path, small_model("new", 12, 3));
  ASSERT_TRUE(frames_until(session, [&] { return title(session) == "new"; }));
  EXPECT_EQ(session.message(), "m.safetensors was overwritten and has been reloaded");
  EXPECT_EQ(session.scene().d_model, 12) << "the scene is repaired for it";
  EXPECT_EQ(session.results().attention.heads, 3);
}

TEST_F(Shelf, OfAFileThatIsGoneOrSpoiledTheModelStaysAndThatIsSaid) {
  const auto path = folder_ / "m.safetensors";
  const std::string whole = tests::bytes_of(small_model("good"));
  tests::write_bytes(path, whole);
  Session session({.scene = showing(path), .models = &shelf_});
  ASSERT_TRUE(frames_until(session, [&] { return title(session) == "good"; }));
  const auto version = session.results().version;
  tests::write_bytes(path, whole.substr(0, whole.size() - 40));
  ASSERT_TRUE(frames_until(session, [&] { return !session.message().empty(); }));
  EXPECT_THAT(session.message(), HasSubstr("; the model loaded before is still used"));
  Scene next = session.scene();
  next.seed = 99;
  session.change(next, "", 1);  // repaired with the model that stays
  session.update(1);
  EXPECT_EQ(title(session), "good");
  EXPECT_EQ(session.scene().d_model, 8);
  std::filesystem::remove(path);
  ASSERT_TRUE(frames_until(session, [&] { return session.message().find("cannot read") == 0; }))
      << session.message();
  tests::write_bytes(path, whole);
  ASSERT_TRUE(frames_until(session, [&] { return session.message().find("again") != std::string::npos; }));
  EXPECT_EQ(session.message(), "m.safetensors holds the same model again");
  EXPECT_EQ(session.results().version > version, session.results().scene.seed == 99);
}

TEST_F(Shelf, ARefusedFileThatIsMendedIsRead) {
  const auto path = folder_ / "m.safetensors";
  const std::string whole = tests::bytes_of(small_model("mended"));
  std::string damaged = whole;
  damaged[9] = '!';  // in the header
  tests::write_bytes(path, damaged);
  Session session({.scene = showing(path), .models = &shelf_});
  ASSERT_TRUE(frames_until(session, [&] { return !session.results().weights_problem.empty(); }));
  EXPECT_EQ(session.results().model, nullptr);
  tests::write_bytes(path, whole);  // in place, of the same size
  ASSERT_TRUE(frames_until(session, [&] { return title(session) == "mended"; }));
  EXPECT_EQ(session.results().weights_problem, "");
}

TEST_F(Shelf, AModelIsOpenedBehindThePictureAndWhatIsNoneChangesNothing) {
  const auto path = folder_ / "m.safetensors", none = folder_ / "none.safetensors";
  write_model(path, small_model("opened"));
  tests::write_bytes(none, "no model at all");
  Session session({.scene = {}, .models = &slow_});
  Document document(session);
  const Scene before = session.scene();
  document.open(none, 1);
  session.update(1);
  EXPECT_THAT(session.loading(), HasSubstr("none.safetensors"));
  disk_.open(none);
  ASSERT_TRUE(frames_until(session, [&] { return !session.message().empty(); }));
  EXPECT_THAT(session.message(), HasSubstr("none.safetensors"));
  EXPECT_EQ(session.scene(), before);
  document.open(path, 1);
  EXPECT_EQ(session.scene(), before);
  disk_.open(path);
  ASSERT_TRUE(frames_until(session, [&] { return title(session) == "opened"; }));
  EXPECT_THAT(session.message(), HasSubstr("the weights are those of"));
  EXPECT_EQ(session.scene().d_model, 8) << "with the settings it was trained with";
  session.undo(2);
  EXPECT_EQ(session.scene(), before);
}

TEST_F(Shelf, LoadingCanBeStopped) {
  const auto path = folder_ / "m.safetensors";
  write_model(path, small_model("stopped"));
  Session session({.scene = {}, .models = &slow_});
  Document document(session);
  const Scene before = session.scene();
  session.stop_loading(1);
  EXPECT_EQ(session.message(), "") << "nothing is being loaded";
  document.open(path, 1);
  session.update(1);
  session.stop_loading(1);
  EXPECT_EQ(session.loading(), "");
  EXPECT_EQ(session.message(), "m.safetensors was not opened");
  EXPECT_EQ(session.scene(), before);
  Scene next = showing(path);
  next.temperature = 2;
  session.change(next, "", 2);
  session.update(2);
  ASSERT_THAT(session.loading(), HasSubstr("m.safetensors"));
  session.stop_loading(2);
  session.update(2);
  EXPECT_EQ(session.loading(), "");
  EXPECT_EQ(session.scene().weights, before.weights);
  EXPECT_EQ(session.scene().weights_file, before.weights_file);
  EXPECT_EQ(session.scene().temperature, 2) << "what else was set stays";
  // A program that starts with the file has no other picture.
  Session first({.scene = showing(path), .models = &slow_});
  first.update(3);
  ASSERT_THAT(first.loading(), HasSubstr("m.safetensors"));
  first.stop_loading(3);
  ASSERT_TRUE(frames_until(first, [&] { return first.results().attention.T > 0; }));
  EXPECT_EQ(first.scene().weights, WeightsSource::random);
}

/// The model before it is not chosen again: its settings do not replace those of the user.
TEST_F(Shelf, StoppedItLeavesTheSettingsOfTheModelBefore) {
  const auto path = folder_ / "m.safetensors";
  write_model(path, small_model("stopped"));
  Scene own;
  own.weights = WeightsSource::trained;
  Session session({.scene = own, .models = &slow_});
  ASSERT_TRUE(frames_until(session, [&] { return session.results().attention.T > 0; }));
  Scene next = session.scene();
  next.temperature = 2, next.mask.causal = !next.mask.causal;
  session.change(next, "", 1);
  const Scene before = session.scene();
  EXPECT_EQ(before.temperature, 2);
  next.weights = WeightsSource::file, next.weights_file = path.string();
  session.change(next, "", 2);
  session.update(2);
  ASSERT_THAT(session.loading(), HasSubstr("m.safetensors"));
  session.stop_loading(3);
  EXPECT_EQ(session.loading(), "");
  EXPECT_EQ(session.scene(), before);
}

/// Saved attention of one layer with four heads over six tokens, every weight the same.
void write_attention(const std::filesystem::path& path, float weight) {
  const std::vector<float> values(4 * 6 * 6, weight);
  std::string npy;
  const io::TensorView<float> tensor{
      .name = "attention", .shape = {1, 4, 6, 6}, .values = values, .axes = {}};
  io::write_npy(tensor, [&](std::string_view bytes) { npy += bytes; });
  ASSERT_TRUE(io::write_file(path.string(), npy));
}

TEST_F(Shelf, WhatThePageComparesWithLoadsBehindThePictureAndIsFollowed) {
  const auto path = folder_ / "run.npy";
  write_attention(path, 0.25f);
  Scene scene;
  scene.page = scene::Page::model, scene.model.beside = path.string();
  Session session({.scene = scene, .models = &slow_});
  const auto check = [&]() -> const scene::Check* {
    const auto* own = session.results().own_as<scene::AtlasResults>();
    return own ? own->check.get() : nullptr;
  };
  ASSERT_TRUE(frames_until(session, [&] { return check() && session.loading().ends_with("25 %"); }));
  EXPECT_THAT(session.loading(), HasSubstr("loading run.npy"));
  EXPECT_THAT(check()->problem, HasSubstr("is being loaded"));
  EXPECT_EQ(session.results().attention.heads, 4) << "the picture does not wait for it";
  disk_.open(path);
  ASSERT_TRUE(frames_until(session, [&] { return check() && check()->problem.empty(); }));
  EXPECT_EQ(check()->largest.b, 0.25);
  EXPECT_EQ(session.loading(), "");
  write_attention(path, 0.125f);
  ASSERT_TRUE(frames_until(session, [&] { return check() && check()->largest.b == 0.125; }));
  EXPECT_EQ(session.message(), "run.npy was overwritten and has been reloaded");
  const int requested = disk_.requested(path);
  scene.page = scene::Page::attention;  // nothing is compared there
  session.change(scene, "", 2);
  std::filesystem::remove(path);
  for (int frame = 0; frame < 20; ++frame) session.update(2), std::this_thread::sleep_for(2ms);
  EXPECT_EQ(disk_.requested(path), requested);
}

/// A scene that was saved with a model has settings of its own, which the model's do not replace.
TEST_F(Shelf, AnOpenedSceneKeepsItsOwnSettings) {
  const auto path = folder_ / "m.safetensors";
  write_model(path, small_model("a model"));
  for (ModelShelf* const models : {&shelf_, static_cast<ModelShelf*>(nullptr)}) {
    Session session({.scene = {}, .models = models});
    Scene saved = showing(path);
    saved.d_model = 8, saved.heads = 2, saved.temperature = 3, saved.position_scale = 0.5;
    session.change(saved, "", 1);
    session.update(1);
    ASSERT_TRUE(frames_until(session, [&] { return title(session) == "a model"; }));
    EXPECT_EQ(session.scene().temperature, 3);
    EXPECT_EQ(session.scene().position_scale, 0.5);
  }
}

/// A disk that never answers, not even to say that nobody wants its file any more.
TEST(ModelShelf, ClosesThoughAFileNeverComes) {
  struct Dead {
    std::mutex mutex;
    std::condition_variable end;
    bool ended = false, over = false;
  };
  const auto dead = std::make_shared<Dead>();
  const auto start = std::chrono::steady_clock::now();
  {
    ModelShelf shelf([] {},
                     [dead](const std::string&, const scene::ModelProgress&) -> scene::LoadedModel {
                       std::unique_lock lock(dead->mutex);
                       dead->end.wait(lock, [&] { return dead->ended; });
                       dead->over = true;
                       dead->end.notify_all();
                       return base::Error{"nothing"};
                     });
    Session session({.scene = showing("/nowhere/m.safetensors"), .models = &shelf});
    session.update(1);
    EXPECT_THAT(session.loading(), HasSubstr("loading m.safetensors"));
    EXPECT_EQ(session.results().attention.T, 0) << "the window opens at once, without tokens";
    Scene next = session.scene();
    next.weights = WeightsSource::random;
    session.change(next, "", 1);
    session.update(1);
    EXPECT_GT(session.results().attention.T, 0) << "nothing else waits for it";
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
  std::unique_lock lock(dead->mutex);
  dead->ended = true;
  dead->end.notify_all();
  dead->end.wait(lock, [&] { return dead->over; });
}

}  // namespace
}  // namespace headlight::app
