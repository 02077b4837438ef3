// The file that keeps a training run, while the program that trains is killed again and again: it always
// opens, and no step that was said to be kept is lost.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <new>
#include <random>
#include <thread>

#include "session/train_job.h"
#include "support/scratch_folder.h"

namespace headlight::app {
namespace {

using scene::TrainingTask;

scene::TrainingSettings settings() {
  scene::TrainingSettings s;
  s.d_model = 16, s.heads = 2, s.layers = 1, s.length = 6, s.steps = 100000, s.batch = 2;
  return s;
}

/// What parent and child both see: the newest step that was said to be kept.
std::atomic<int>* shared_counter() {
  void* memory =
      ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) std::atomic<int>(-1);
}

/// The program: takes up its run, or starts it, and trains until it is killed.
[[noreturn]] void train(const std::filesystem::path& kept, std::atomic<int>& message) {
  TrainJob job([] {}, kept, 1, 0.002);
  job.select(TrainingTask::reverse);
  job.wait();
  if (const auto taken = job.latest(); taken && taken->message.empty()) {
    job.resume();
  } else {
    if (message.load() >= 0) ::_exit(2);  // there was one
    job.start(settings());
  }
  for (;;) {
    if (const auto now = job.latest(); now && now->kept_step > message.load()) message.store(now->kept_step);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

TEST(TrainKill, NothingThatWasKeptIsLost) {
  constexpr int kills = 40;
  const tests::ScratchFolder folder;
  const auto kept = folder / "training.safetensors", file = folder / "training-reverse.safetensors";
  std::atomic<int>* message = shared_counter();
  ASSERT_NE(message, nullptr);
  std::mt19937 random(1);
  // The first is killed as soon as it has kept something. Of the others every second one is killed at any
  // moment within four times as long, and every second one a moment after it kept something new: so, however
  // busy the machine is, half of them get on.
  int longest = 60'000'000;  // microseconds
  int last = -1, moved = 0;
  for (int round = 0; round < kills; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) train(kept, *message);
    const auto start = std::chrono::steady_clock::now();
    const auto since = [&] {
      return static_cast<int>((std::chrono::steady_clock::now() - start) / std::chrono::microseconds(1));
    };
    const int wait = std::uniform_int_distribution<int>(0, longest)(random);
    if (round == 0) {
      while (message->load() < 0 && since() < longest) ::usleep(200);
      longest = std::max(60'000, 4 * since());
    } else if (round % 2 == 0) {
      while (since() < wait) ::usleep(200);
    } else {
      const int before = message->load();
      while (message->load() == before && since() < 60'000'000) ::usleep(200);
      ::usleep(static_cast<unsigned>(wait / 16));
    }
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the run of last time was not taken up";
    if (message->load() < 0 && !std::filesystem::exists(file)) continue;  // killed before the first saving
    scene::TrainingSettings read;
    base::Parallel parallel(1);
    const auto run = scene::continue_training(file.string(), read, parallel);
    ASSERT_TRUE(run) << "round " << round << ": " << run.error();
    EXPECT_EQ(read, settings());
    ASSERT_GE((*run)->step(), message->load()) << "round " << round;
    ASSERT_GE((*run)->step(), last) << "round " << round;
    moved += (*run)->step() > last ? 1 : 0;
    last = (*run)->step();
  }
  EXPECT_GT(moved, kills / 4) << "it was always killed before it had kept anything new";
  RecordProperty("steps", last);
  ::munmap(static_cast<void*>(message), sizeof *message);
}

}  // namespace
}  // namespace headlight::app
