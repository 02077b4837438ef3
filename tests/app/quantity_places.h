// Where a quantity stands on the screen that no page notes as one, and those that stand on none.
#pragma once

#include <span>

namespace headlight::app {

/// A text of the screen that has the number: wherever it is found, the number is that of the quantity.
struct NumberPlace {
  const char* quantity;  // "depth_cosine layer=4 residuals=with"
  const char* where;     // how screen_reader.h calls it: a card, "under NAME", "a cell of CARD[0, 0]",
                         // "status"; ends in '*': how that begins
  const char* words;     // of the text; '#': the number; '*': anything on the same line
};
std::span<const NumberPlace> number_places();

/// No text says which number it is: it is an element of tables, whose numbers the cards draw, or no card has
/// it.
struct NotNoted {
  const char* quantity;  // its name
  const char* tables;  // names of tables, apart by spaces: each value is, with or without its sign, in one of
                       // them; empty: none has it
  const char* why;
  bool alone = false;  // only the value without arguments is
};
std::span<const NotNoted> not_noted();

/// A quantity that some place writes with other digits or units than its own.
struct OtherForm {
  const char* quantity;
  const char* why;
};
std::span<const OtherForm> other_forms();

/// An element of a table that is a quantity.
struct NumberElement {
  const char* quantity;  // "weight head=2 query=1 key=3"
  const char* table;
  const char* place;  // along each axis from 0, or by its name, apart by '|'
};
std::span<const NumberElement> number_elements();

/// Tables whose numbers a card has beside those of the tables behind it.
struct CardNumbers {
  const char *page, *card;
  const char* tables;  // apart by spaces; "*": all of the page
};
std::span<const CardNumbers> card_numbers();

/// A number that has no name and is in no table.
struct Nameless {
  const char* page;   // "": any
  const char* words;  // a regular expression: numbers within what it finds
  const char* why;
};
std::span<const Nameless> nameless();

}  // namespace headlight::app
