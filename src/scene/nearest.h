// Which name was meant? For "did you mean" in the errors of settings, pages, commands and options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/one_line.h"

namespace headlight::scene {

/// The number of insertions, deletions, replacements and swaps of neighbours that turn a into b (optimal
/// string alignment), case ignored. O(|a|·|b|).
int edit_distance(std::string_view a, std::string_view b);

/// The name with the smallest edit distance, the first of several; empty when no name is near enough. A name
/// is near when at most a third of its letters (at least 1, at most 3) differ, or when it begins with
/// `wanted` (3 letters or more).
std::string nearest(std::string_view wanted, const std::vector<std::string>& names);

/// `. Did you mean "temperature"?`, or nothing when no name is near.
std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& names);

/// `unknown page "atention". Did you mean "attention"?` or, when no name is near, the known words: `unknown
/// value "x". Expected dark or light`.
std::string unknown_word(const char* kind, std::string_view text, const std::vector<std::string>& known);

using base::in_quotes;  // the name that was wanted

}  // namespace headlight::scene
