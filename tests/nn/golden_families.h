// Which families of the reference data are run.
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

const std::vector<Family>& families();  // all of them
const std::vector<Family>& variant_families();
const std::vector<Family>& block_families();

}  // namespace headlight::tests
