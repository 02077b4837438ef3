#include "kernels/kernels.h"

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace headlight::nn {

namespace kernels_generic {
extern const Kernels table;
}
#if defined(__x86_64__)
namespace kernels_v2 {
extern const Kernels table;
}
namespace kernels_v3 {
extern const Kernels table;
}
namespace kernels_v4 {
extern const Kernels table;
}
#endif

namespace {

/// From the best level to the simplest; the last one runs everywhere.
constexpr const char* levels[] = {"v4", "v3", "v2", "generic"};

std::atomic<const Kernels*>& in_use() {
  static std::atomic<const Kernels*> chosen{&choose_kernels(std::getenv("HEADLIGHT_ISA"))};
  return chosen;
}

}  // namespace

const Kernels* kernels_of(const char* level) {
  const std::string_view name = level;
  if (name == "generic") return &kernels_generic::table;
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  const bool v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  if (name == "v2" && v2) return &kernels_v2::table;
  if (name == "v3" && v3) return &kernels_v3::table;
  if (name == "v4" && v4) return &kernels_v4::table;
#endif
  return nullptr;
}

const Kernels& choose_kernels(const char* wanted) {
  const Kernels* best = nullptr;
  for (const char* level : levels) {
    const Kernels* found = kernels_of(level);
    if (found == nullptr) continue;
    if (wanted != nullptr && std::string_view(wanted) == level) return *found;
    if (best == nullptr) best = found;
  }
  return *best;
}

const Kernels& kernels() {
  return *in_use().load(std::memory_order_relaxed);
}

void use_kernels(const Kernels& chosen) {
  in_use().store(&chosen, std::memory_order_relaxed);
}

const char* instruction_set() {
  return kernels().name;
}

}  // namespace headlight::nn
