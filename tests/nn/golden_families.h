// Which families of the reference data can be run, and which cannot yet.
#pragma once

#include <ostream>

#include "nn/golden_case.h"

namespace headlight::tests {

struct Family {
  const char* name;  // as in the data
  const char* part;  // what of it is run; empty = all of it
  void (*run)(GoldenCase&);
};
inline void PrintTo(const Family& family, std::ostream* out) {
  *out << family.name;
}

/// What the program does not do yet: the family, or the part of it, is skipped by name.
struct Missing {
  const char* name;
  const char* reason;
};
inline void PrintTo(const Missing& missing, std::ostream* out) {
  *out << missing.name;
}

const std::vector<Family>& families();  // all of them
const std::vector<Family>& variant_families();
const std::vector<Family>& block_families();
const std::vector<Missing>& missing_families();

}  // namespace headlight::tests
