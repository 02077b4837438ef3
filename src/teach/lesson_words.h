// The words of a lesson: a line of text with marks for emphasis, and with numbers that are computed.
//
//   **bold**                       [query: cat] [key: …] [value: …] [offset: …]   in the colour of its role
//   $q·k / √d_k$                   mathematics: _x and _{xy} are subscripts, ^x and ^{xy} superscripts
//   [button: sin/cos]              looks like a button of the program
//   {0.401 = worked_weight row=0 col=0}   a number: the scene's, with as many decimals as written
//   {0.401 at start = worked_weight row=0 col=0}   a number of the step's initial scene: it is
//                                  checked there, and remains as written when a setting changes
//   {0.5 > entropy head=2}         a bound: the number as written exceeds the quantity (<: is below it)
//   {2017}                         a number that is not computed: a year, a place
//
// A backslash removes the meaning of the next character. Tested in tests/scene/lesson_words_test.cpp.
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
  int script = 0;       // −1 subscript, +1 superscript
  bool counts = false;  // a number that is computed
  bool operator==(const WordRun&) const = default;
};

/// A number in the words.
struct WordNumber {
  WrittenNumber written;
  std::optional<Claim> claim;  // the quantity that the number claims to be; none: not computed
  bool at_start = false;       // for the step's initial scene: in later scenes the number remains as written
  std::size_t from = 0, to = 0;  // its bytes in the text, braces included
};

/// A run, or the number in its place.
struct WordPart {
  WordRun run;
  std::optional<WordNumber> number;
};
using Paragraph = std::vector<WordPart>;

/// The error says what is wrong, and quotes the text near it.
base::Result<Paragraph> parse_words(std::string_view text);

/// The numbers in braces of a lecturer's notes, in their order; everything else in notes is plain text. The
/// error is that of the first number that cannot be read.
base::Result<std::vector<WordNumber>> numbers_of_notes(std::string_view notes);
/// The notes as they are shown, with the numbers of the scene as word_runs() has them. Notes with braces that
/// are no numbers remain as they are.
std::string notes_text(const std::string& notes, const QuantitySource* from);

/// Fills in numbers from the scene; numbers that it does not have, and all without a source, remain as
/// written.
std::vector<WordRun> word_runs(const Paragraph& paragraph, const QuantitySource* from);

}  // namespace headlight::scene
