// Inputs that were found, in tests/fuzz/corpus.pack: names are TARGET/WHAT (tests/reference/pack.py writes
// and lists such files).
#pragma once

#include <string>
#include <vector>

namespace headlight::fuzz {

std::vector<std::string> corpus_of(const std::string& target);

/// The beginning of an input, for a message.
std::string shown_bytes(const std::string& bytes);

}  // namespace headlight::fuzz
