// What does an exception that nobody expected mean to the person in front of the program? Memory, threads and
// files can end anywhere; whoever stands at an edge (the command line, a job, a file that is opened) catches
// everything and says this. Tested in tests/base/caught_test.cpp.
#pragma once

#include <string>
#include <utility>

namespace headlight::base {

/// One line about the exception that is being handled. Only inside a catch block.
std::string caught_words();

/// The exception that is being handled says that there is no more memory: bad_alloc, or a size that no memory
/// could have. Only inside a catch block.
bool caught_out_of_memory();

/// problem = words(); where the words cannot be allocated either, the few that need no allocation. For
/// threads, which nothing may leave. Only inside a catch block.
template <class Words>
void tell_caught(std::string& problem, Words&& words) noexcept {
  try {
    problem = std::forward<Words>(words)();
  } catch (...) {
    problem.assign("no memory left", 14);  // stored in the string itself
  }
}

}  // namespace headlight::base
