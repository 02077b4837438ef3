// The packed files of tests (format: tests/reference/pack.py).
#pragma once

#include <map>
#include <optional>
#include <string>

namespace headlight::tests {

/// Nothing: there is no such file.
std::optional<std::string> file_bytes(const std::string& path);

/// Names and bytes of a pack's files. Throws std::runtime_error when it is missing or none.
std::map<std::string, std::string> read_pack(const std::string& path);

}  // namespace headlight::tests
