// Programs that are killed at any moment while they write: what was there before stays, or the new file is
// there and whole, and nothing that was said to be written is lost. HEADLIGHT_KILLS=N: N kills of each kind;
// HEADLIGHT_FAULTS=1, 2, …: at other moments each, and other sizes of a full disk.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <new>
#include <ostream>
#include <random>
#include <thread>

#include "faults/child.h"
#include "faults/command.h"
#include "io/files.h"
#include "learn/training_run.h"
#include "scene/figure_scene.h"
#include "scene/store.h"
#include "scene/window_files.h"
#include "session/lesson_library.h"
#include "session/quick_training.h"
#include "session/train_job.h"
#include "support/scratch_folder.h"

namespace headlight::faults {
namespace {

namespace fs = std::filesystem;
using scene::Scene;

int kills_of_each(int usual) {
  const char* const requested = std::getenv("HEADLIGHT_KILLS");
  return requested != nullptr ? std::max(1, std::atoi(requested)) : usual;
}

/// For scripts/fuzz.
void count_kills(int kills) {
  if (std::getenv("HEADLIGHT_KILLS") != nullptr) std::printf("Kills: %d\n", kills);
}

/// What parent and children both see.
using Stated = std::array<std::atomic<int>, 4>;
Stated& stated_in_common() {
  static Stated* const message = [] {
    void* const memory =
        ::mmap(nullptr, sizeof(Stated), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return new (memory) Stated{};
  }();
  return *message;
}

/// The n-th scene, told from any other, and each of another length.
Scene numbered(int n) {
  Scene scene;
  scene.sentence =
      "scene " + std::to_string(n) + " " + std::string(static_cast<std::size_t>(n * 7919 % 3000), 'x');
  scene.seed = n % 10'000;
  scene.heads = 1, scene.d_model = 4;
  return scene;
}
int number_of(const std::string& sentence) {
  return std::atoi(sentence.c_str() + 6);
}

/// A file that is written again and again.
struct Kind {
  const char* name;
  int kills;
  bool (*write)(const fs::path& folder, int n);
  /// The number of what is there; −1 for half a file.
  int (*read)(const fs::path& folder);
};
void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}

bool run_export(const fs::path& folder, int n, std::vector<std::string> words, const char* file) {
  const Scene scene = numbered(n);
  words.insert(words.end(),
               {"--set", "sentence=" + scene.sentence, "--set", "seed=" + std::to_string(scene.seed), "--set",
                "heads=1", "--set", "d_model=4", "--out", (folder / file).string()});
  return command(words) == 0;
}
/// Of a figure or an archive, by the scene inside.
int number_in(const fs::path& path, const char* end) {
  const auto bytes = io::read_file(path);
  if (!bytes) return -1;
  if (bytes->find(end) == std::string::npos) return -1;
  const auto scene = scene::scene_in_file(path);
  return scene ? number_of(scene->sentence) : -1;
}

scene::Lesson lesson(int n) {
  scene::Lesson out;
  out.title =
      "lesson " + std::to_string(n) + " " + std::string(static_cast<std::size_t>(n * 7919 % 3000), 'x');
  out.steps.resize(2);
  for (scene::LessonStep& step : out.steps) step.title = "step", step.words = {"words"};
  return out;
}

const Kind kinds[] = {
    {"scene", 40,
     [](const fs::path& folder, int n) {
       return static_cast<bool>(scene::save(numbered(n), folder / "file.json"));
     },
     [](const fs::path& folder) {
       const auto read = scene::load(folder / "file.json");
       return read && read->seed == number_of(read->sentence) % 10'000 ? number_of(read->sentence) : -1;
     }},
    {"figure", 16,
     [](const fs::path& folder, int n) {
       return run_export(folder, n, {"render", "--panel", "map", "--size", "100x80"}, "file.svg");
     },
     [](const fs::path& folder) { return number_in(folder / "file.svg", "</svg>"); }},
    {"archive", 24,
     [](const fs::path& folder, int n) {
       return run_export(folder, n, {"export", "--page", "attention"}, "file.npz");
     },
     [](const fs::path& folder) { return number_in(folder / "file.npz", "PK\x05\x06"); }},
    {"lesson", 40,
     [](const fs::path& folder, int n) {
       app::LessonToWrite what{.lesson = lesson(n), .path = folder / "file.json", .known = {}};
       bool changed = false;
       std::error_code missing;
       if (fs::exists(what.path, missing) && !app::take_over(what)) return false;
       return static_cast<bool>(app::write_lesson(what, changed)) && !changed;
     },
     [](const fs::path& folder) {
       const auto text = io::read_file(folder / "file.json");
       if (!text) return -1;
       const auto read = scene::lesson_from_json(*text, "file.json");
       return read ? std::atoi(read->title.c_str() + 7) : -1;
     }},
    {"run", 16,
     [](const fs::path& folder, int n) {
       base::Parallel alone(1);
       scene::TrainingSettings settings = tests::quick_training(scene::TrainingTask::reverse, 100);
       settings.seed = n % 10'000;
       const auto run = scene::start_training(settings, alone);
       if (!run) return false;
       const auto bytes = (*run)->file(0, true);
       return bytes && io::write_file(folder / "file.safetensors", *bytes);
     },
     [](const fs::path& folder) {
       base::Parallel alone(1);
       scene::TrainingSettings settings;
       const auto run = scene::continue_training((folder / "file.safetensors").string(), settings, alone);
       return run ? settings.seed : -1;
     }},
};

class Kills : public testing::TestWithParam<Kind> {};

TEST_P(Kills, OldOrNewAndNothingThatWasWrittenIsLost) {
  const Kind& kind = GetParam();
  const tests::ScratchFolder folder;
  std::atomic<int>& message = stated_in_common()[0];
  ASSERT_EQ(in_a_child([&] { return kind.write(folder.path(), 0) ? 0 : 1; }).status, 0);
  ASSERT_EQ(kind.read(folder.path()), 0);
  message = 0;
  std::mt19937 random(chance());
  int last = 0, written = 0;
  // More than these only where nothing was written between them: on a machine that has much else to do.
  const int kills = kills_of_each(kind.kills);
  int round = 0;
  for (; round < kills || (written == 0 && round < 10 * kills); ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (int n = last + 1;; ++n) {
        if (!kind.write(folder.path(), n)) ::_exit(1);
        message = n;
      }
    }
    // At any moment of the first writings: as soon as one was made, or a little later or earlier.
    const int wait = static_cast<int>(random() % 30'000);
    if (round % 3 == 0) {
      for (int i = 0; i < 100'000 && message.load() == last; ++i) ::usleep(100);
      ::usleep(static_cast<unsigned>(wait / 8));
    } else {
      ::usleep(static_cast<unsigned>(wait));
    }
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "a file could not be written";
    const int n = kind.read(folder.path());
    ASSERT_GE(n, message.load()) << "round " << round << ": half a file, or what was written is lost";
    ASSERT_LE(n, message.load() + 1) << "round " << round;
    written += n - last;
    message = last = n;
  }
  count_kills(round);
  EXPECT_GT(written, 0) << "it was killed before it wrote anything";
  EXPECT_LE(folder.files(), 1 + 1) << "what was begun is left";
}
INSTANTIATE_TEST_SUITE_P(Every, Kills, testing::ValuesIn(kinds),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

/// One window of two: keeps its scene, takes up its run or starts one, and trains until it is killed.
[[noreturn]] void be_a_window(const fs::path& first, int seed) {
  const scene::WindowFiles files = scene::window_files(first);
  if (files.scene.empty() || files.lock.state() != io::FileLock::State::taken) ::_exit(3);
  app::TrainJob job([] {}, files.training, 1, 0.002);
  job.select(scene::TrainingTask::reverse);
  job.wait();
  if (const auto taken = job.latest(); taken && taken->message.empty()) {
    seed = taken->settings.seed;
    job.resume();
  } else {
    scene::TrainingSettings settings = tests::quick_training(scene::TrainingTask::reverse, 100'000);
    settings.seed = seed;
    job.start(settings);
  }
  std::atomic<int>& message = stated_in_common()[static_cast<std::size_t>(seed)];
  for (int n = 0;; ++n) {
    if (const auto now = job.latest(); now && now->kept_step > message.load()) message = now->kept_step;
    if (n % 20 == 0) (void)scene::save_state(numbered(n), files.scene);
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
}

/// The step of each run, by its seed.
std::map<int, int> runs_in(const fs::path& folder) {
  std::map<int, int> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".safetensors") continue;
    scene::TrainingSettings settings;
    base::Parallel alone(1);
    const auto run = scene::continue_training(entry.path().string(), settings, alone);
    EXPECT_TRUE(run) << entry.path() << ": " << run.error();
    if (run) out[settings.seed] = std::max(out[settings.seed], (*run)->step());
  }
  return out;
}

/// A clock that was set may have given a file any time.
void set_any_time(const fs::path& path, std::mt19937& random) {
  const timespec times[2] = {{0, UTIME_OMIT}, {static_cast<time_t>(random() % 4'000'000'000u), 0}};
  (void)::utimensat(AT_FDCWD, path.c_str(), times, 0);
}

TEST(TwoWindows, TrainBothInOneFolderAndLoseNothingWhateverTheClockSays) {
  const tests::ScratchFolder folder;
  const fs::path first = folder / "scene.json";
  Stated& message = stated_in_common();
  for (std::atomic<int>& one : message) one = -1;
  std::mt19937 random(chance());
  std::map<int, int> before;
  int moved = 0;
  const int kills = kills_of_each(16);
  int round = 0;
  for (; round < kills || (moved <= 1 && round < 10 * kills); ++round) {
    pid_t windows[2];
    for (int i = 0; i < 2; ++i) {
      windows[i] = ::fork();
      ASSERT_GE(windows[i], 0);
      if (windows[i] == 0) be_a_window(first, 1 + i);
      // The seeds are told apart: the first one has its run before the second one starts.
      for (int wait = 0; round == 0 && wait < 100'000 && message[static_cast<std::size_t>(1 + i)] < 0; ++wait)
        ::usleep(200);
    }
    ::usleep(static_cast<unsigned>(random() % 120'000));
    for (const pid_t window : windows) {
      ::kill(window, SIGKILL);
      int status = 0;
      ASSERT_EQ(::waitpid(window, &status, 0), window);
      ASSERT_TRUE(WIFSIGNALED(status)) << "round " << round << ": status " << WEXITSTATUS(status);
    }
    const auto now = runs_in(folder.path());
    ASSERT_EQ(now.size(), 2u) << "round " << round;
    for (const auto& [seed, step] : now) {
      ASSERT_GE(step, message[static_cast<std::size_t>(seed)]) << "round " << round << ", run " << seed;
      ASSERT_GE(step, before[seed]) << "round " << round << ", run " << seed;
      moved += step > before[seed] ? 1 : 0;
    }
    before = now;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      EXPECT_EQ(entry.path().string().find("damaged"), std::string::npos) << entry.path();
      if (entry.path().extension() == ".json") {
        EXPECT_TRUE(scene::load(entry.path())) << entry.path();
      }
      set_any_time(entry.path(), random);
    }
  }
  count_kills(2 * round);
  EXPECT_GT(moved, 1);
}

/// The system allows no file beyond some bytes: the old file stays, whatever the limit is.
class FullDisk : public testing::TestWithParam<Kind> {
 protected:
  /// The status of writing the n-th file where none may have more bytes.
  static Ended write_within(const fs::path& folder, int n, rlim_t most) {
    return in_a_child([&] {
      ::signal(SIGXFSZ, SIG_IGN);  // as the program does
      const rlimit limit{most, most};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      return GetParam().write(folder, n) ? 0 : 1;
    });
  }
  static std::string only_file(const tests::ScratchFolder& folder) {
    EXPECT_EQ(folder.files(), 1);
    const auto bytes = io::read_file(fs::directory_iterator(folder.path())->path());
    EXPECT_TRUE(bytes);
    return bytes ? *bytes : "";
  }
};

TEST_P(FullDisk, TheOldFileStaysWhereverTheNewOneIsCut) {
  const tests::ScratchFolder folder, whole;
  for (const auto& [where, n] : {std::pair{&folder, 1}, std::pair{&whole, 2}})
    ASSERT_EQ(write_within(where->path(), n, RLIM_INFINITY).status, 0);
  const std::string old = only_file(folder), made = only_file(whole);
  ASSERT_NE(old, made);
  const long size = static_cast<long>(made.size());
  std::vector<long> limits = chosen(size - 1, {24, 64});
  limits.insert(limits.end(), {0, 1, size - 1});
  for (const long most : limits) {
    const Ended ended = write_within(folder.path(), 2, static_cast<rlim_t>(most));
    EXPECT_EQ(ended.signal, 0) << most;
    EXPECT_EQ(ended.status, 1) << most << " of " << size << ": " << ended.err;
    if (!ended.err.empty() && most >= 600) {  // of a command, and not cut itself
      EXPECT_TRUE(is_one_line(ended.err)) << ended.err;
      EXPECT_NE(ended.err.find("larger than the system allows"), std::string::npos) << ended.err;
    }
    ASSERT_TRUE(only_file(folder) == old) << most << " of " << size;
  }
  EXPECT_EQ(write_within(folder.path(), 2, static_cast<rlim_t>(size)).status, 0);
  EXPECT_TRUE(only_file(folder) == made);
}
INSTANTIATE_TEST_SUITE_P(Every, FullDisk, testing::ValuesIn(kinds),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace headlight::faults
