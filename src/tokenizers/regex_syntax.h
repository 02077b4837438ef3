// Translates the regular expressions of tokenizer.json (Oniguruma's syntax) to PCRE2's syntax.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace headlight::tokenizers {

/// Returns the same expression for PCRE2 with PCRE2_UTF, PCRE2_UCP and PCRE2_MULTILINE. These differences are
/// translated: \s is Unicode's White_Space (PCRE2 adds U+180E); \w and \b count marks and connectors as parts
/// of words; \h is a hexadecimal digit; in (?i…) only ASCII letters have two cases; (?m) lets . match line
/// ends; classes may contain classes; {n,m}+ is repeated, not possessive; categories may have long names. The
/// error says what is not supported (&& in classes, a negated class inside another).
base::Result<std::string> to_pcre2(std::string_view expression);

}  // namespace headlight::tokenizers
