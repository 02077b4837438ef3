// Is the program built with a sanitizer? Then code runs up to ten times slower: a test that repeats the same
// code for many sizes or seeds may do with fewer.
#pragma once

namespace headlight::tests {

#ifdef HEADLIGHT_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace headlight::tests
