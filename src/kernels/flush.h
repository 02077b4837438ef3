// Rows with a sharp maximum contain many numbers below the normal range, and the processor is fifteen times
// slower with such numbers.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#endif

namespace headlight::nn {

/// While an object of this class exists, its thread treats subnormal numbers as 0 and writes 0 in their
/// place; the destructor restores the previous mode.
class FlushSubnormals {
 public:
#if defined(__x86_64__)
  FlushSubnormals() : before_(_mm_getcsr()) {
    _mm_setcsr(before_ | 0x8040);
  }  // FTZ and DAZ
  ~FlushSubnormals() {
    _mm_setcsr(before_);
  }
#elif defined(__aarch64__)
  FlushSubnormals() {
    asm volatile("mrs %0, fpcr" : "=r"(before_));
    asm volatile("msr fpcr, %0" ::"r"(before_ | (std::uint64_t(1) << 24)));
  }
  ~FlushSubnormals() {
    asm volatile("msr fpcr, %0" ::"r"(before_));
  }
#else
  FlushSubnormals() {}
  ~FlushSubnormals() {}
#endif
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
#if defined(__x86_64__)
  unsigned before_;
#elif defined(__aarch64__)
  std::uint64_t before_;
#endif
};

}  // namespace headlight::nn
