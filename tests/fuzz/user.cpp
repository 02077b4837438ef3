// headlight_user SEED SECONDS [SITTINGS [FILES]]: sittings of a random user, each of 120 actions, for so
// long, and so many at least. FILES: a folder of more files that are dropped onto the window and begun from.
// Ends with the actions whose frames took longer than 100 ms, and a line of figures; exit status 1 when
// something broke, or when the program has more in memory after the last sitting than after the twentieth.
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "fuzz/random_user.h"
#include "support/scratch_folder.h"

extern "C" __attribute__((weak)) std::size_t __sanitizer_get_current_allocated_bytes();

namespace {

/// In use, without what the allocator keeps for later.
double megabytes_in_use() {
  const std::size_t bytes = __sanitizer_get_current_allocated_bytes
                                ? __sanitizer_get_current_allocated_bytes()
                                : mallinfo2().uordblks + mallinfo2().hblkhd;
  return static_cast<double>(bytes) / (1 << 20);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 5) {
    std::fprintf(stderr, "headlight_user SEED SECONDS [SITTINGS [FILES]]\n");
    return 2;
  }
  const std::uint64_t seed = std::strtoull(argv[1], nullptr, 10);
  const double seconds = std::strtod(argv[2], nullptr);
  const int least = argc > 3 ? std::atoi(argv[3]) : 1;
  const auto began = std::chrono::steady_clock::now();
  const headlight::tests::ScratchFolder folder;
  headlight::fuzz::RandomUser user(seed, folder.path(), false, argc > 4 ? argv[4] : "");
  int sittings = 0;
  std::vector<double> in_use;  // after every twentieth
  while (sittings < least ||
         std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() < seconds) {
    user.sitting(120);
    if (++sittings % 20 != 0) continue;
    user.leave();
    in_use.push_back(megabytes_in_use());
    std::printf("in use after %d sittings: %.1f MB\n", sittings, in_use.back());
    std::fflush(stdout);
  }
  // What was opened last may be kept; what is lost stays lost: the least of each half.
  const auto middle = in_use.begin() + static_cast<std::ptrdiff_t>(in_use.size() / 2);
  const double before = in_use.size() < 2 ? 0 : *std::min_element(in_use.begin(), middle),
               after = in_use.size() < 2 ? 0 : *std::min_element(middle, in_use.end());
  const bool grown = after > before * 1.1 + 8;
  for (const std::string& problem : user.problems()) std::printf("%s\n", problem.c_str());
  long slow = 0;
  for (const auto& [action, frames] : user.slow()) {
    std::printf("over 100 ms: %4ld frames, %6.0f ms at most, after %s\n", frames.frames, frames.most_ms,
                action.c_str());
    slow += frames.frames;
  }
  std::printf(
      "User %llu: %d sittings, %ld actions, %ld frames, %ld over 100 ms, slowest %.0f ms (%s), in use %.1f "
      "MB in the "
      "first half of the sittings, %.1f MB in the second; %zu broken%s\n",
      static_cast<unsigned long long>(seed), sittings, user.actions(), user.frames(), slow, user.slowest_ms(),
      user.slowest_after().c_str(), before, after, user.problems().size(), grown ? "; memory grew" : "");
  return user.problems().empty() && !grown ? 0 : 1;
}
