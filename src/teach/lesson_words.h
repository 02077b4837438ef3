// The words of a lesson: a line of text with marks for what stands out, and with numbers that are computed.
//
//   **bold**                       [query: cat] [key: …] [value: …] [offset: …]   in the colour of its role
//   $q·k / √d_k$                   mathematics: _x and _{xy} below the line, ^x and ^{xy} above it
//   [button: sin/cos]              as a button of the program looks
//   {0.401 = worked_weight row=0 col=0}   a number: the scene's, with as many decimals as written
//   {0.401 at start = worked_weight row=0 col=0}   a number of the scene that the step opens with: it is
//                                  checked there, and stays as written when a setting changes
//   {0.5 > entropy head=2}         a bound: the number as written, larger (or with <, smaller) than the
//   figure {2017}                         a number that is not computed: a year, a place
//
// A backslash takes the meaning from the sign after it. Tested in tests/scene/lesson_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pages/quantities.h"

namespace headlight::scene {

enum class Emphasis { plain, bold, query, key, value, offset, button };

/// A piece of a paragraph in one style.
struct WordRun {
  std::string text;
  Emphasis emphasis = Emphasis::plain;
  bool maths = false;
  int script = 0;       // −1 below the line, +1 above it
  bool counts = false;  // a number that is computed
  bool operator==(const WordRun&) const = default;
};

/// A number in the words.
struct WordNumber {
  WrittenNumber written;
  std::optional<Claim> claim;    // what it is said to be; none: not computed
  bool at_start = false;         // of the scene that the step opens with: later scenes leave it as written
  std::size_t from = 0, to = 0;  // its bytes in the text, braces included
};

/// A run, or the number that takes its place.
struct WordPart {
  WordRun run;
  std::optional<WordNumber> number;
};
using Paragraph = std::vector<WordPart>;

/// The error says what is wrong and near what.
base::Result<Paragraph> parse_words(std::string_view text);

/// Numbers filled in from the scene; those that it has not, and all without a source, as they are written.
std::vector<WordRun> word_runs(const Paragraph& paragraph, const QuantitySource* from);

}  // namespace headlight::scene
