// What the cards of the Cost page are drawn from, and what they share: the colours of the layers, logarithmic
// axes, bytes and milliseconds as words. Tested in tests/views/cost_page_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kit/card.h"
#include "kit/page_input.h"
#include "pages/cost/cost.h"

namespace headlight::views {

struct CostSheet {
  Pen pen;
  const PageInput& in;
  const scene::CostResults& results;
  const scene::CostSettings& settings;  // those that the results were computed for
  const draw::Theme& theme() const { return pen.theme; }
};

/// Whose sizes these are, and what of that model a standard layer leaves out; empty: nobody's.
std::string of_model_words(const scene::CostResults& results);

/// The same layer has the same colour in every card.
draw::Color layer_color(const draw::Theme& theme, nn::Architecture architecture);
draw::Color tiled_color(const draw::Theme& theme);
/// Their dash and mark (kit/plot.h), the same in all plots of the page.
int layer_place(nn::Architecture architecture);
inline constexpr int tiled_place = 1;  // no plot has it beside a convolution

/// The height that the table needs alone in a column of this width.
float cost_table_height(const CostSheet& sheet, float width);
void cost_table_card(const CostSheet& sheet, draw::Box box);
void cost_paths_card(const CostSheet& sheet, draw::Box box);
void cost_growth_card(const CostSheet& sheet, draw::Box box);
void cost_times_card(const CostSheet& sheet, draw::Box box);
void cost_memory_card(const CostSheet& sheet, draw::Box box);

/// A card with a plot, a table and a paragraph at its foot.
struct PlotAndTable {
  std::string foot;
  void (*plot)(const CostSheet& sheet, draw::Box box);
  void (*table)(const CostSheet& sheet, draw::Box box);
  float narrow_part = 0;   // of the width, for the plot beside the table of a narrow card
  float table_height = 0;  // the plot above the table leaves this height
  float tight_gap = 20;    // between them, where the table has little room
};
/// Draws the plot beside the table, or above it where the card is too narrow.
void plot_beside_table(const CostSheet& sheet, draw::Box inside, const PlotAndTable& what);

/// Of the longest sequence that was measured, else of the longest that the course prints.
std::string cost_times_finding(const PageInput& in);

/// A count: with commas, in smaller letters where they are too wide, else as "2.06·10¹²". Returns the width.
float put_number(const Pen& pen, draw::Point at, double value, const draw::TextStyle& style, float width);

/// A row of cells, right-aligned at `right` edges; words that do not fit are shortened.
struct TableColumn {
  std::string head;
  float right = 0;  // distance of its right edge from the table's left one
  float width = 0;
};
void table_row(const Pen& pen, draw::Point left, const std::vector<TableColumn>& columns,
               const std::vector<std::string>& cells, const draw::TextStyle& style);

}  // namespace headlight::views
