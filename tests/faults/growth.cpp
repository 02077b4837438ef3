// headlight_growth: what valgrind counts for scaling_test.cpp, the work on n and on 2n of everything that
// growing.cpp has. Dumps are named "NAME n" and "NAME 2n".
#include <algorithm>
#include <string>

#include "bench/callgrind.h"
#include "faults/growing.h"

int main() {
  for (const headlight::faults::Growing& one : headlight::faults::growing()) {
    one.work(std::max(1, one.n / 4))();  // tables that are made once are there
    for (const int times : {1, 2}) {
      const auto work = one.work(one.n * times);
      CALLGRIND_ZERO_STATS;
      CALLGRIND_TOGGLE_COLLECT;
      work();
      CALLGRIND_TOGGLE_COLLECT;
      const std::string name = std::string(one.name) + (times == 1 ? " n" : " 2n");
      CALLGRIND_DUMP_STATS_AT(name.c_str());
    }
  }
  return 0;
}
