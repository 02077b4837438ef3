// The parts of the card What comes next?, and what they share.
#pragma once

#include <string>
#include <string_view>

#include "pages/model/view/page.h"

namespace headlight::views {

/// A colour bar and its words, below the losses.
inline constexpr float scale_row = 34;

/// A line of a list. Pictures, whose text may be larger than that of the window, have more room.
constexpr float row_of(bool plain) {
  return plain ? 26 : 18;
}

/// The title of a part, and beside it what is said of it; takes its line from the box.
inline constexpr float part_heading_height = 20;
void part_heading(const Pen& pen, draw::Box& box, std::string_view words, std::string_view more = {},
                  std::string_view shorter = {});

/// Every token on a ground of the colour of its loss, or of its change; a click pins it. Of a masked model
/// the most probable tokens in the place of every mask.
void draw_losses(const ModelView& view, const scene::Predictions& p, draw::Box box);

}  // namespace headlight::views
