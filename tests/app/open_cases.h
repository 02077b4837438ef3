// Every page in the scenes of quantity_cases.h with its doors open: what quantity_doors_test.cpp and
// quantity_screen_test.cpp compare.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "quantity_cases.h"
#include "screen_reader.h"
#include "written_numbers.h"

namespace headlight::app {

/// A case with its doors open.
struct OpenCase {
  NumberCase one;
  std::unique_ptr<Doors> doors;
  Screen screen;
};

/// Of a page, computed and read once for the program.
const std::vector<OpenCase>& cases_of(scene::Page page);

/// The name of a quantity alone, and with a few values of each argument.
std::vector<std::string> requested(const scene::QuantityInfo& info, const Doors& doors);

/// The elements of the tables of a page, sorted; with the largest magnitude of each, which ends its colour
/// bar.
std::vector<double> elements_of(const Doors& doors, const std::vector<const scene::Table*>& tables,
                                bool with_largest);
bool among(const std::vector<double>& sorted, double value, double tolerance);
bool among(const std::vector<double>& sorted, const WrittenAs& number);

/// One test for each page that has quantities.
class QuantityDoors : public testing::TestWithParam<scene::Page> {};

}  // namespace headlight::app
