// headlight_user SEED SECONDS: sittings of a random user, each of 120 actions. Ends with a line of figures;
// exit status 1 when something broke, or when memory grew from the twentieth to the last of at least forty
// sittings.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "fuzz/random_user.h"
#include "support/scratch_folder.h"

namespace {

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "headlight_user SEED SECONDS\n");
    return 2;
  }
  const std::uint64_t seed = std::strtoull(argv[1], nullptr, 10);
  const double seconds = std::strtod(argv[2], nullptr);
  const auto began = std::chrono::steady_clock::now();
  const headlight::tests::ScratchFolder folder;
  headlight::fuzz::RandomUser user(seed, folder.path());
  int sittings = 0;
  double at_20 = 0;
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() < seconds) {
    user.sitting(120);
    if (++sittings == 20) at_20 = resident_megabytes();
  }
  const double at_end = resident_megabytes();
  const bool grown = sittings >= 40 && at_end > at_20 * 1.5 + 64;
  for (const std::string& problem : user.problems()) std::printf("%s\n", problem.c_str());
  std::printf(
      "User %llu: %d sittings, %ld actions, %ld frames, slowest frame %.0f ms (%s), memory %.0f MB after 20, "
      "%.0f MB at the end; %zu broken%s\n",
      static_cast<unsigned long long>(seed), sittings, user.actions(), user.frames(), user.slowest_ms(),
      user.slowest_after().c_str(), at_20, at_end, user.problems().size(), grown ? "; memory grew" : "");
  return user.problems().empty() && !grown ? 0 : 1;
}
