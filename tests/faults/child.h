// A copy of this process in which something is allowed to go wrong: what ends it ends nothing else. Begun
// from one thread only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "faults/failing_calls.h"

namespace headlight::faults {

struct Ended {
  int signal = 0;        // that ended it; SIGALRM: it took longer than half a minute; 0: it ended by itself
  int status = -1;       // its exit status
  bool by_json = false;  // memory ended while nlohmann::json was destroyed, which ends any program
  std::string out, err;
  Counts counts{};  // what end() returned
  long count(Call call) const { return counts[static_cast<std::size_t>(call)]; }
};

/// `work` returns the exit status; where it is to fail it calls begin(plan), and end() is called behind it.
/// Where it calls end() itself, keep_counts() takes what that returned.
Ended in_a_child(const std::function<int()>& work);
void keep_counts(const Counts& counts);

/// "open 3 of 17 and all that follow"
std::string words(const Plan& plan, long calls);

/// How many of the calls of a kind fail: by itself, and with HEADLIGHT_FAULTS.
struct Share {
  long few, many;
  long all = 0;  // where there are no more than these, every one
};
/// Which of `calls` fail, one after the other: `few` of them, evenly. HEADLIGHT_FAULTS=all: every one;
/// FIRST-LAST: those; a number: `many`, the first and the last ones, and others between them for every
/// number.
std::vector<long> chosen(long calls, Share share);

/// For what is drawn by chance: the number in HEADLIGHT_FAULTS, else 1.
unsigned chance();

/// Is it one line of less than 600 bytes, with its newline, as the program says what failed?
bool is_one_line(const std::string& message);

}  // namespace headlight::faults
