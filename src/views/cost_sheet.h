// What the cards of the Cost page are drawn from, and what they share: the colours of the layers, logarithmic
// axes, bytes and milliseconds as words. Tested in tests/views/cost_page_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "views/card.h"
#include "views/page_input.h"

namespace headlight::views {

struct CostSheet {
  Pen pen;
  const PageInput& in;
  const scene::CostResults& results;
  const scene::CostSettings& settings;  // those that the results were computed for
  const draw::Theme& theme() const { return pen.theme; }
};

/// The same layer has the same colour in every card.
draw::Color layer_color(const draw::Theme& theme, nn::Architecture architecture);
draw::Color tiled_color(const draw::Theme& theme);

void cost_table_card(const CostSheet& sheet, draw::Box box);
void cost_paths_card(const CostSheet& sheet, draw::Box box);
void cost_growth_card(const CostSheet& sheet, draw::Box box);
void cost_times_card(const CostSheet& sheet, draw::Box box);
void cost_memory_card(const CostSheet& sheet, draw::Box box);

/// Both axes logarithmic; y upwards.
struct LogPlot {
  draw::Box box;
  double from_x = 1, to_x = 10, from_y = 1, to_y = 10;  // all > 0
  float x(double value) const;
  float y(double value) const;  // kept within the box
  draw::Point at(double along, double up) const { return {x(along), y(up)}; }
};

/// Powers of two between the ends of the x axis, labelled as often as there is room; `name` below them.
void log_x_axis(const Pen& pen, const LogPlot& plot, const std::string& name);
struct LogTick {
  double value = 0;
  std::string words;
};
/// Grid lines; the words at the left where they do not touch.
void log_y_grid(const Pen& pen, const LogPlot& plot, const std::vector<LogTick>& ticks);

/// A line through points with a disc at each, or, for another machine's numbers, dashes and rings.
void log_line(const Pen& pen, const LogPlot& plot, const std::vector<draw::Point>& values, draw::Color color,
              bool ours = true);

/// Coloured squares and what they mean at the foot of `box`, in as many lines as it takes, cut from it. A
/// transparent colour: words alone.
struct LegendEntry {
  std::string words;
  draw::Color color;
};
void legend_lines(const Pen& pen, draw::Box& box, const std::vector<LegendEntry>& entries);

/// A tick in a green disc, or a cross in a red one.
void verdict_sign(const Pen& pen, draw::Point centre, bool good);

/// "512 B", "1.5 KiB", "64 GiB", "16 TiB": at most three digits before the unit changes.
std::string byte_words(double bytes);
/// "0.13", "5.9", "128": milliseconds in three digits at most.
std::string ms_words(double ms);

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
