// Peaky rows are full of numbers below the normal range, and the processor is fifteen times slower with
// those.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#endif

namespace headlight::nn {

/// While it lives, this thread takes subnormal numbers for 0 and writes 0 for them; then all is as before.
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
