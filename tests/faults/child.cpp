#include "faults/child.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <new>
#include <random>
#include <vector>

#include "support/scratch_folder.h"

namespace headlight::faults {

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What parent and child both see.
struct Common {
  Counts counts;
  bool kept;
};
Common& common() {
  static Common* const both = [] {
    void* const memory =
        ::mmap(nullptr, sizeof(Common), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return new (memory) Common{};
  }();
  return *both;
}

/// nlohmann::json needs memory to be destroyed, and ends the program when there is none; and where the memory
/// for an object ends, it leaves one that is none, and asserts. Both are known, and told apart from what is
/// ours.
constexpr int ended_by_json = 77;
[[noreturn]] void say_who_ended() {
  void* frames[32];
  const int count = ::backtrace(frames, 32);
  for (int i = 0; i < count; ++i) {
    Dl_info info{};
    if (::dladdr(frames[i], &info) == 0 || info.dli_sname == nullptr) continue;
    // Inlined, it has the name of the function that the value is in: scene_as_json() and the like.
    if (::strcasestr(info.dli_sname, "nlohmann") || ::strcasestr(info.dli_sname, "json"))
      ::_exit(ended_by_json);
  }
  std::abort();
}

/// Says at the end how many there were, for scripts/fuzz.
struct Tally {
  ~Tally() {
    if (std::getenv("HEADLIGHT_FAULTS") != nullptr && ::getpid() == owner)
      std::printf("Faults: %ld\n", children);
  }
  const pid_t owner = ::getpid();
  inline static long children = 0;
};

}  // namespace

Ended in_a_child(const std::function<int()>& work) {
  static const tests::ScratchFolder folder;
  static const Tally tally;
  ++Tally::children;
  const std::string out = (folder / "out").string(), err = (folder / "err").string();
  common() = {};
  std::fflush(nullptr);  // or the child would say it once more
  const pid_t child = ::fork();
  if (child < 0) std::abort();
  if (child == 0) {
    ::alarm(30);
    ::setenv("TMPDIR", folder.path().c_str(), 1);  // what it leaves there goes with the folder
    void* loaded[1];
    (void)::backtrace(loaded, 1);  // its library is there before memory ends
    std::set_terminate(say_who_ended);
    ::signal(SIGABRT, [](int) {  // an assertion of the library that failed
      ::signal(SIGABRT, SIG_DFL);
      say_who_ended();
    });
    constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND;
    ::dup2(::open(out.c_str(), flags, 0600), 1);
    ::dup2(::open(err.c_str(), flags, 0600), 2);
    [&]() noexcept {  // an exception ends it here, and not in the test
      const int status = work();
      if (const Counts counts = end(); !common().kept) common().counts = counts;
      std::fflush(nullptr);
      std::_Exit(status);
    }();
  }
  Ended ended;
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  if (WIFEXITED(status)) ended.status = WEXITSTATUS(status);
  ended.out = text_of(out), ended.err = text_of(err), ended.counts = common().counts;
  ended.by_json = ended.status == ended_by_json;
  return ended;
}

void keep_counts(const Counts& counts) {
  common() = {counts, true};
}

std::string words(const Plan& plan, long calls) {
  return std::string(name(plan.call)) + " " + std::to_string(plan.at) + " of " + std::to_string(calls) +
         (plan.stays ? " and all that follow" : "");
}

std::vector<long> chosen(long calls, Share share) {
  const char* const requested = std::getenv("HEADLIGHT_FAULTS");
  const long most = requested != nullptr ? share.many : share.few;
  std::vector<long> out;
  if (calls <= std::max(most, share.all) || (requested != nullptr && std::string(requested) == "all")) {
    for (long at = 1; at <= calls; ++at) out.push_back(at);
    return out;
  }
  if (const char* const dash = requested != nullptr ? std::strchr(requested, '-') : nullptr) {
    for (long at = std::max(1l, std::atol(requested)); at <= std::min(calls, std::atol(dash + 1)); ++at)
      out.push_back(at);
    return out;
  }
  if (requested == nullptr) {
    for (long i = 0; i < most; ++i) out.push_back(1 + (2 * i + 1) * calls / (2 * most));
    return out;
  }
  const long ends = most / 4, between = calls - 2 * ends, picked = most - 2 * ends;
  std::mt19937 random(chance());
  for (long at = 1; at <= ends; ++at) out.push_back(at);
  for (long i = 0; i < picked; ++i) {
    const long first = ends + 1 + i * between / picked, next = ends + 1 + (i + 1) * between / picked;
    out.push_back(first + static_cast<long>(random()) % std::max(1l, next - first));
  }
  for (long at = calls - ends + 1; at <= calls; ++at) out.push_back(at);
  return out;
}

unsigned chance() {
  const char* const requested = std::getenv("HEADLIGHT_FAULTS");
  return requested != nullptr ? static_cast<unsigned>(std::max(1l, std::atol(requested))) : 1;
}

bool is_one_line(const std::string& message) {
  return message.size() > 1 && message.size() < 600 && message.find('\n') == message.size() - 1;
}

}  // namespace headlight::faults
