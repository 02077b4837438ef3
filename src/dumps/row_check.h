// Are the numbers of a dump attention weights? Every number is checked once.
#pragma once

#include "base/result.h"
#include "dumps/dump.h"

namespace headlight::dumps {

/// NaN, infinite and negative weights are an error with their place; so are rows that do not sum to one,
/// unless `any_rows`. Sets tolerance, sums and remarks.
base::Status check_rows(Dump& dump, bool any_rows);
/// For q and k: numbers that are not finite are an error. Sets tolerance and sums.
base::Status check_vectors(Dump& dump, const Layers& layers);

/// Returns how far from one the sum of a valid row of stored numbers may be.
double row_tolerance(const std::string& type);

}  // namespace headlight::dumps
