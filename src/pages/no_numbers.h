// Why a table has no numbers in a scene, in the words that its quantities and descriptions use. Tested in
// tests/scene/no_numbers_test.cpp.
#pragma once

#include <string>

#include "pages/tables.h"

namespace headlight::scene {

/// What follows "this scene has no NAME"; never empty.
std::string why_no_numbers(const Table& table, const TableSource& source);

/// Why a page has no such number, if nothing more is known: it does not show models of other programs, its
/// attention was saved, or its settings.
std::string why_none_here(Page page, const Scene& scene);

}  // namespace headlight::scene
