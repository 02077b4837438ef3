// Keeps freed memory for reuse, for a program that soon needs as much again. Tested by its purpose: the
// processor time of the tests, and of a typed character (scripts/measure_window).
#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace headlight::base {

/// Call it once, before there are threads. Results are freed and recomputed with every change of a setting.
/// By default the C library returns large blocks to the system, and each of their pages is then cleared and
/// mapped again. After this call, the program keeps up to 256 MiB and takes blocks below 32 MiB, the maximum
/// in glibc, from it. Does nothing with another C library.
inline void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int mib = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, 32 * mib);
  ::mallopt(M_TRIM_THRESHOLD, 256 * mib);
  ::mallopt(M_TOP_PAD, 16 * mib);
#endif
}

}  // namespace headlight::base
