// The colours with a meaning, in one place, for both themes. Colour is data; everything else is grey. The
// same thing has the same colour on every page: the query is red, its keys are blue, a value is turquoise. A
// role colours words, frames and lines, never the fill of a number. Tested in tests/draw/colormap_test.cpp
// and colour_vision_test.cpp.
#pragma once

#include "draw/colormap.h"
#include "draw/geometry.h"

namespace headlight::draw {

struct Theme {
  bool dark = true;
  Color window, panel, border;      // the background behind the cards, the cards, their outline
  Color field, field_hover;         // buttons, inputs, chips: normal and under the pointer
  Color selected;                   // the chosen part of a choice; only `text` is drawn on it
  Color text, dim, faint;           // words, secondary words (4.5:1 on panel), grid lines and tracks
  Color accent, on_accent;          // what is on, filled or chosen, and text on it: also grey
  Color query, key, value, offset;  // red, blue, turquoise; the other position, straw
  Color good, bad;                  // a tick, a cross (colour is never the only difference)
  Color mask;                       // masked cells, like a hole in the panel
  Color focus;                      // keyboard focus ring
  Colormap weight = Colormap::weight_dark, signed_weight = Colormap::signed_dark;
};

/// The colour ramp of attention weights and of signed values: Headlight's own, or a common one.
enum class Ramp { headlight, viridis, cividis };

const Theme& theme(bool dark, Ramp ramp = Ramp::headlight);

/// Returns the theme's concrete map for this one.
Colormap resolved(Colormap map, const Theme& theme);
/// Returns color_of() for that map.
Color color_of(const Theme& theme, Colormap map, float value, float lo, float hi);

/// Eight colours that can be distinguished under the common colour blindnesses, from each other and from the
/// roles, for lines, heads and columns; larger indices wrap around.
Color series(const Theme& theme, int index);

}  // namespace headlight::draw
