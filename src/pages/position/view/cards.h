// The cards of the Position page, one file each. Every function draws one card into `box`; what must stand on
// the first screen and what follows below is page.cpp's business. Tested in
// tests/views/position_*_test.cpp.
#pragma once

#include "kit/cells.h"
#include "kit/curve.h"
#include "kit/plot.h"
#include "pages/position/view/view.h"

namespace headlight::views {

/// P as a heatmap, row = position, column = encoding dimension; the rows of i and i + δ framed, the plotted
/// columns marked.
void p_map_card(const PositionView& view, draw::Box box);
/// The same without a card, and its title. `with_wave`: with positions across the wave is below P.
void p_map(const PositionView& view, draw::Box inside);
CardHead p_map_head(const PositionView& view, bool with_wave);

/// Are the positions of P across? A learned table has no pairs, so its positions are rows.
bool p_across(const PositionView& view);
/// P with its positions across, and `with_wave` the wave of the chosen pair below it, both on one axis.
/// `for_columns`: the wave is what the page has as the card of the plotted columns.
void p_over_waves(const PositionView& view, draw::Box inside, bool with_wave, bool for_columns);
/// Is there a wave, and is the inside of a card of this height high enough for it?
bool room_for_wave(const PositionView& view, float height);

/// The cells of P, whose colours end at ±limit; and drawn so that each answers to the pointer.
draw::Heatmap p_heat(const PositionView& view, float limit);
void draw_p_cells(const PositionView& view, draw::Box box, const draw::Heatmap& heat);

/// A column as a smooth curve; one that turns faster than can be drawn is a band, as its values fill it.
void column_wave(const PositionView& view, const Plot& plot, int column, draw::Stroke stroke);

/// The plotted columns as curves along the positions, in a card and as a part of the card of P.
void columns_plot_card(const PositionView& view, draw::Box box);
void columns_plot_part(const PositionView& view, draw::Box box);

/// One clock for each pair of columns, at its true speed.
void clocks_card(const PositionView& view, draw::Box box);

/// R(δω) · p(i) = p(i + δ) in numbers for the chosen pair, and how well it holds for all.
void rotation_card(const PositionView& view, draw::Box box);

/// The chosen pair's clock at two positions: the same offset sweeps the same arc.
void same_arc_card(const PositionView& view, draw::Box box);

/// Positions as binary digits beside rows of P, and the table of 0 to 7.
void binary_card(const PositionView& view, draw::Box box);

/// One sinusoid, sine and cosine, all frequencies.
void build_up_card(const PositionView& view, draw::Box box);

/// [x; p] W beside x W₁ + p W₂ for one token: concatenating a position adds two projections.
void concat_card(const PositionView& view, draw::Box box);

/// The nearest other row of every row, and p_i · p_j by distance.
void uniqueness_card(const PositionView& view, draw::Box box);

}  // namespace headlight::views
