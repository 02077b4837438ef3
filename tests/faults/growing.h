// Work on something of size n, for every kind of size that comes from outside: what n and 2n cost says how
// the work grows. Counted are allocations and bytes (scaling_test.cpp) and, under valgrind, instructions
// (headlight_growth); times are never looked at.
#pragma once

#include <functional>
#include <span>

namespace headlight::faults {

struct Growing {
  const char* name;  // "json nesting"
  int n;
  /// What twice the size may cost at most, in what once costs: 2 is linear; some more where tables double.
  double most;
  /// Made ready for a size; what it returns is the work that is counted.
  std::function<void()> (*work)(int n);
};
std::span<const Growing> growing();

}  // namespace headlight::faults
