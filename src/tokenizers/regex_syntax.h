// Regular expressions as tokenizer.json has them (Oniguruma's syntax) in PCRE2's words.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace headlight::tokenizers {

/// The same expression for PCRE2 with PCRE2_UTF, PCRE2_UCP and PCRE2_MULTILINE. What differs and is written
/// out: \s is Unicode's White_Space (PCRE2 adds U+180E); \w and \b count marks and connectors as parts of
/// words; \h is a hexadecimal digit; in (?i…) only ASCII letters have two cases; (?m) lets . match line ends;
/// classes inside classes; {n,m}+ is repeated, not possessive; long names of categories. The error says what
/// is not supported
/// (&& in classes, a negated class inside another).
base::Result<std::string> to_pcre2(std::string_view expression);

}  // namespace headlight::tokenizers
