// What a tokenizer's file searches for in a text: literal characters, or a regular expression.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json_reader.h"

namespace headlight::tokenizers {

struct Match {
  std::size_t begin = 0, end = 0;
};

class Pattern {
 public:
  Pattern() = default;  // finds nothing
  /// Reads {"String": "…"} or {"Regex": "…"}. A regular expression must be one that PCRE2 supports
  /// (regex_syntax.h).
  static base::Result<Pattern> read(const io::Json* json, const std::string& where);
  static Pattern letters(std::string what);
  static base::Result<Pattern> regex(std::string_view expression, const std::string& where);

  /// Appends all non-overlapping matches, from left to right, to `out`. `text` must be well-formed. The time
  /// (about ten seconds) and the memory of an expression are limited; exceeding a limit is an error.
  base::Status find(std::string_view text, std::vector<Match>& out) const;

 private:
  struct Compiled;
  std::string letters_;
  std::string expression_;  // as in the file
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace headlight::tokenizers
