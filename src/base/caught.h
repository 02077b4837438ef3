// What does an unexpected exception mean to the user? Memory, threads and files can run out anywhere. The
// outermost functions (the command line, a job, the opening of a file) catch everything and show this
// message. Tested in tests/base/caught_test.cpp.
#pragma once

#include <string>
#include <utility>

namespace headlight::base {

/// Returns one line about the exception that is being handled. Only inside a catch block.
std::string caught_words();

/// Returns whether the exception that is being handled means out of memory: bad_alloc, or an impossible size.
/// Only inside a catch block.
bool caught_out_of_memory();

/// Sets problem = words(); if the words cannot be allocated either, a short text that needs no allocation.
/// For threads, which no exception may leave. Only inside a catch block.
template <class Words>
void tell_caught(std::string& problem, Words&& words) noexcept {
  try {
    problem = std::forward<Words>(words)();
  } catch (...) {
    problem.assign("no memory left", 14);  // stored in the string itself
  }
}

}  // namespace headlight::base
