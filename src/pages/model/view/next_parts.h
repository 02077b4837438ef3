// The parts of the card What comes next?, and shared drawing functions.
#pragma once

#include <string>
#include <string_view>

#include "pages/model/view/page.h"

namespace headlight::views {

/// The height of a colour bar with its words, below the losses.
inline constexpr float scale_row = 34;

/// The height of a line in a list. Pictures have more room, because their text may be larger than the
/// window's.
constexpr float row_of(bool plain) {
  return plain ? 26 : 18;
}

/// Draws the title of a part and a remark beside it, and takes this line from the box.
inline constexpr float part_heading_height = 20;
void part_heading(const Pen& pen, draw::Box& box, std::string_view words, std::string_view more = {},
                  std::string_view shorter = {});

/// Marks a part of the card, which a lesson can outline by its name.
void named_part(const Pen& pen, draw::Box box, const char* name, const char* note);

/// Draws every token on a background in the colour of its loss, or of its change; a click pins the token. For
/// a masked model, the most probable tokens in place of every mask.
/// `low`: the colour bar is beside the heading, because something follows below.
void draw_losses(const ModelView& view, const scene::Predictions& p, draw::Box box, bool low = false);

/// The height of draw_each(), and where no text is enlarged.
float each_height(const Pen& pen);
inline constexpr float each_height_in_window = 120;
/// Draws the most probable tokens after each token, a column for each: as many as fit, around the one that is
/// shown. A tick where the sentence continues that way; a click pins the token.
void draw_each(const ModelView& view, const scene::Predictions& p, draw::Box box);

}  // namespace headlight::views
