// What a program gets back from the C library when it frees memory and soon wants as much again. Tested by
// what it is for: the processor time of the tests, and of a typed character (scripts/measure_window).
#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace headlight::base {

/// Called once, before there are threads. Results are freed and computed anew with every change of a setting;
/// by default the C library returns blocks of that size to the system, and each of their pages is then
/// cleared and mapped again. Up to 256 MiB stay with the program instead, and blocks below 32 MiB, the most
/// that glibc allows here, come from it. Does nothing with another C library.
inline void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int mib = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, 32 * mib);
  ::mallopt(M_TRIM_THRESHOLD, 256 * mib);
  ::mallopt(M_TOP_PAD, 16 * mib);
#endif
}

}  // namespace headlight::base
