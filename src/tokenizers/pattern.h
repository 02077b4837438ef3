// What a tokenizer's file looks for in a text: letters as they stand, or a regular expression.
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
  /// {"String": "…"} or {"Regex": "…"}. A regular expression has to be one that PCRE2 can take
  /// (regex_syntax.h).
  static base::Result<Pattern> read(const io::Json* json, const std::string& where);
  static Pattern letters(std::string what);
  static base::Result<Pattern> regex(std::string_view expression, const std::string& where);

  /// Matches that do not overlap, from left to right, appended to `out`. `text` is well-formed. Neither the
  /// time (about ten seconds) nor the memory that an expression may take is without end: the error says so.
  base::Status find(std::string_view text, std::vector<Match>& out) const;

 private:
  struct Compiled;
  std::string letters_;
  std::string expression_;  // as the file has it
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace headlight::tokenizers
