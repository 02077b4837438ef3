// The colours that mean something, in one place, for both themes. Colour is data; all else is grey. The same
// thing has the same colour on every page: red is the query, blue its keys, turquoise a value; a role colours
// words, frames and lines, never the fill of a number. Tested in tests/draw/colormap_test.cpp and
// colour_vision_test.cpp.
#pragma once

#include "draw/colormap.h"
#include "draw/geometry.h"

namespace headlight::draw {

struct Theme {
  bool dark = true;
  Color window, panel, border;      // behind the cards, the cards, their outline
  Color field, field_hover;         // buttons, inputs, chips at rest and under the pointer
  Color selected;                   // the chosen part of a choice; only `text` is written on it
  Color text, dim, faint;           // words, secondary words (4.5:1 on panel), grid lines and tracks
  Color accent, on_accent;          // what is on, filled or chosen, and text on it: grey, too
  Color query, key, value, offset;  // red, blue, turquoise; the other position, straw
  Color good, bad;                  // a tick, a cross (never the only difference)
  Color mask;                       // masked cells: as if the panel had a hole
  Color focus;                      // keyboard focus ring
  Colormap weight = Colormap::weight_dark, signed_weight = Colormap::signed_dark;
};

/// Of attention weights and of signed values: Headlight's own, or one that is common elsewhere.
enum class Ramp { headlight, viridis, cividis };

const Theme& theme(bool dark, Ramp ramp = Ramp::headlight);

/// The concrete map that the theme has for this one.
Colormap resolved(Colormap map, const Theme& theme);
/// color_of() of that map.
Color color_of(const Theme& theme, Colormap map, float value, float lo, float hi);

/// Eight colours that differ under the common colour blindnesses, from each other and from the roles, for
/// lines, heads and columns; more wrap around.
Color series(const Theme& theme, int index);

}  // namespace headlight::draw
