// What the maps of A, B and their difference share: where their bars are, their scale, whether their cells
// have numbers. Tested in tests/views/variants_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/matrix_panel.h"
#include "pages/variants/view/view.h"

namespace headlight::views {

inline constexpr float table_height = 6 * 16;  // of the table of the difference, which is beside the controls
inline constexpr float title_height = 30, side_bar_height = 28;

/// Is this room for a map, with its labels and its bar, so low that captions and slanted names would take too
/// much of it?
inline bool is_low(draw::Box room) {
  constexpr float least = 260;
  return room.h < least;
}
/// The height that is left free below a map. A low card has its bar in one line, unless its scale is not 0–1
/// and the bar has to say so.
float room_of_bar(const VariantsView& view, bool low);
/// Draws the colour bar directly below the cells of a map, as long as the cells are wide, with the pinned
/// value marked. If there are masked cells, their legend is on the line of the captions. `area` is the room
/// for map and bar.
void bar_under(const VariantsView& view, draw::Box area, const MatrixPlace& place, const MatrixPanel& map,
               const ColorBar& words, bool low);
/// Frames the column of the pinned key where no query is pinned: with one, the panel marks their cell.
void frame_key(const VariantsView& view, const MatrixPlace& place, const MatrixPanel& map);
/// Writes numbers of a map, with a note, at the right end of the line of its captions, if they have room
/// there.
void say_numbers(const VariantsView& view, draw::Box area, const MatrixPlace& place, const std::string& words,
                 const char* note);
/// Writes an error in place of a map, on a few lines.
void say_error(const VariantsView& view, draw::Box area, const std::string& words);

/// Where the panel has its cells in this area.
draw::Box cells_of(const VariantsView& view, draw::Box area, MatrixPanel map);
/// The one scale of A, B and their difference.
scene::WeightScale side_scale(const VariantsView& view);
/// Do the cells have numbers? The longest are those of the difference, with a sign: where these do not fit, A
/// and B have none either, so that all can be compared.
bool sides_numbered(const VariantsView& view, draw::Box area, const MatrixPanel& map);
/// The same for cells of this width.
bool sides_numbered(const VariantsView& view, const MatrixPanel& map, float cell);
/// The side of the only cell in the map of one token, which is in the middle of a window's card; else 0.
float only_cell(const VariantsView& view, draw::Box& inside);

/// Names the side in a quantity.
inline std::string of_side(WhichSide which) {
  return which == WhichSide::a ? " side=a" : " side=b";
}

}  // namespace headlight::views
