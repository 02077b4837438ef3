// Checks for programming errors: an impossible shape or index. The check stays on in release builds, prints
// what was compared, and stops the program. User errors are not checked here; they are a base::Error
// (result.h).
#pragma once

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

namespace headlight::base {

[[noreturn]] inline void check_failed(const char* file, int line, const char* text,
                                      const std::string& values) {
  std::fprintf(stderr, "headlight: internal error: %s:%d: %s%s%s\n", file, line, text,
               values.empty() ? "" : ": ", values.c_str());
  std::abort();
}

template <class A, class B>
std::string show_pair(const A& a, const B& b) {
  std::ostringstream out;
  out << a << " against " << b;
  return out.str();
}

}  // namespace headlight::base

#define HEADLIGHT_CHECK(condition)                                                         \
  do {                                                                                     \
    if (!(condition)) ::headlight::base::check_failed(__FILE__, __LINE__, #condition, {}); \
  } while (false)

/// HEADLIGHT_CHECK_OP(rows, ==, x.rows()) prints both values when it fails.
#define HEADLIGHT_CHECK_OP(a, op, b)                                           \
  do {                                                                         \
    if (!((a)op(b)))                                                           \
      ::headlight::base::check_failed(__FILE__, __LINE__, #a " " #op " " #b,   \
                                      ::headlight::base::show_pair((a), (b))); \
  } while (false)
