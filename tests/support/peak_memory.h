// The most memory that the process ever held, in MB.
#pragma once

#include <sys/resource.h>

namespace headlight::tests {

inline double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace headlight::tests
