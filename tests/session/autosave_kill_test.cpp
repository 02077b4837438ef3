// The file that keeps the scene, while the program that writes it is killed again and again: it always opens,
// and is one of the scenes that were saved, the last whole one or a newer.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <random>

#include "io/leftovers.h"
#include "scene/store.h"
#include "support/scratch_folder.h"

namespace headlight::app {
namespace {

/// The n-th scene: it can be told from any other, and its length changes so that every write is another size.
scene::Scene numbered(int n) {
  scene::Scene scene;
  scene.sentence =
      "scene " + std::to_string(n) + " " + std::string(static_cast<std::size_t>(n * 7919 % 20000), 'x');
  scene.seed = n % 10000;
  return scene;
}

int number_of(const scene::Scene& scene) {
  return std::atoi(scene.sentence.c_str() + 6);
}

/// What parent and child both see: the last scene whose save() returned.
std::atomic<int>* shared_counter() {
  void* memory =
      ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) std::atomic<int>(0);
}

TEST(Autosave, SurvivesAKillAtAnyMoment) {
  constexpr int kills = 250;
  const tests::ScratchFolder folder;
  const auto path = folder.path() / "state" / "scene.json";
  std::atomic<int>* saved = shared_counter();
  ASSERT_NE(saved, nullptr);
  std::mt19937 random(1);
  // How many saves a program may finish before it is killed, and how long after the last of them: on a busy
  // or sanitized machine the first save alone can take longer than any fixed time.
  std::uniform_int_distribution<int> whole_saves(0, 4), microseconds(0, 4000);
  ASSERT_TRUE(scene::save_state(numbered(0), path));
  int last = 0, longest_run = 0, interrupted = 0;
  for (int round = 0; round < kills; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (int n = last + 1;; ++n) {
        if (!scene::save_state(numbered(n), path)) ::_exit(1);
        saved->store(n);
      }
    }
    const int enough = saved->load() + whole_saves(random);
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (saved->load() < enough && std::chrono::steady_clock::now() < latest) ::usleep(100);
    ::usleep(static_cast<useconds_t>(microseconds(random)));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "a save failed";

    const scene::Restored restored = scene::restore(path);
    ASSERT_EQ(restored.message, "") << "round " << round;
    const int n = number_of(restored.scene);
    ASSERT_EQ(restored.scene, numbered(n)) << "round " << round;
    const int sure = saved->load();
    ASSERT_GE(n, sure) << "what was saved is lost";
    ASSERT_LE(n, sure + 1) << "a scene that nobody saved";
    interrupted += n == sure + 1;
    longest_run = std::max(longest_run, n - last);
    last = n;
    saved->store(n);
  }
  EXPECT_GT(longest_run, 1) << "the program was killed before it saved anything";
  EXPECT_GT(last, kills / 4);
  RecordProperty("scenes", last);
  RecordProperty("killed_between_rename_and_return", interrupted);
  // What a killed program began and never finished is taken away by the next one; nothing else lies there.
  namespace fs = std::filesystem;
  const auto files = [&] { return std::distance(fs::directory_iterator(path.parent_path()), {}); };
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::ofstream(path.parent_path() / io::name_of_begun_file()) << "half a scene";
    ::raise(SIGKILL);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_GT(files(), 1);
  io::remove_leftovers(path.parent_path());
  EXPECT_EQ(scene::restore(path).scene, numbered(last));
  EXPECT_EQ(files(), 1);
  ::munmap(static_cast<void*>(saved), sizeof *saved);
}

}  // namespace
}  // namespace headlight::app
