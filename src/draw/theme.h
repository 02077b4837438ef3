// The colours that mean something, in one place, for both themes. The same thing has the same colour on every
// page: red is the query, indigo its keys, amber the offset position, green a product or a value.
#pragma once

#include "draw/geometry.h"

namespace headlight::draw {

struct Theme {
  bool dark = true;
  Color window, panel, border;      // behind the cards, the cards, their outline
  Color field, field_hover;         // buttons, inputs, chips at rest and under the pointer
  Color text, dim, faint;           // words, secondary words (4.5:1 on panel), grid lines and tracks
  Color accent, on_accent;          // the one accent, and text on it
  Color query, key, value, offset;  // red, indigo, green, amber
  Color good, bad;                  // a tick, a cross (never the only difference)
  Color mask, mask_stripe;          // blocked cells: ground and stripes
  Color focus;                      // keyboard focus ring
};

const Theme& theme(bool dark);

/// Ten colours that differ under the common colour blindnesses for lines, heads and columns; more wrap
/// around.
Color series(const Theme& theme, int index);

}  // namespace headlight::draw
