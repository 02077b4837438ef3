#include "pages/cost/view/sheet.h"

#include <algorithm>
#include <cmath>

#include "kit/plot.h"

namespace headlight::views {

std::string of_model_words(const scene::CostResults& results) {
  if (results.model.empty()) return {};
  return "a standard layer with the width, heads and layers of " + results.model +
         (results.shared_keys ? ", whose heads share keys and values" : "") +
         (results.layers_differ ? ", whose layers differ in width" : "");
}

draw::Color layer_color(const draw::Theme& theme, nn::Architecture architecture) {
  switch (architecture) {
    case nn::Architecture::self_attention:
      return draw::series(theme, 0);
    case nn::Architecture::recurrence:
      return draw::series(theme, 4);
    case nn::Architecture::convolution:
    case nn::Architecture::dilated_convolution:
      return draw::series(theme, 1);
    case nn::Architecture::linear_attention:
      return draw::series(theme, 2);
  }
  return theme.text;
}

draw::Color tiled_color(const draw::Theme& theme) {
  return draw::series(theme, 5);
}

int layer_place(nn::Architecture architecture) {
  switch (architecture) {
    case nn::Architecture::self_attention:
      return 0;
    case nn::Architecture::convolution:
    case nn::Architecture::dilated_convolution:
      return 1;
    case nn::Architecture::linear_attention:
      return 2;
    case nn::Architecture::recurrence:
      return 3;
  }
  return 0;
}

const char* cost_name(nn::Architecture architecture) {
  switch (architecture) {
    case nn::Architecture::self_attention:
      return "attention";
    case nn::Architecture::recurrence:
      return "recurrence";
    case nn::Architecture::convolution:
      return "convolution";
    case nn::Architecture::dilated_convolution:
      return "dilated";
    case nn::Architecture::linear_attention:
      return "linear";
  }
  return "";
}

float put_number(const Pen& pen, Point at, double value, const draw::TextStyle& style, float width) {
  if (!std::isfinite(value)) return put(pen, at, std::isnan(value) ? "–" : fixed(value, 0), style, width);
  const std::string whole = with_commas(static_cast<long long>(value));
  draw::TextStyle smaller = style;
  for (; smaller.size >= small_size; smaller.size -= 0.5f) {
    if (pen.canvas.text_width(whole, smaller) <= width) return put(pen, at, whole, smaller, width);
  }
  smaller.size = small_size;
  return put(pen, at, power_words(value, 2), smaller, width);
}

void table_row(const Pen& pen, Point left, const std::vector<TableColumn>& columns,
               const std::vector<std::string>& cells, const draw::TextStyle& style) {
  for (std::size_t c = 0; c < columns.size() && c < cells.size(); ++c) {
    put(pen, {left.x + columns[c].right, left.y}, cells[c], aligned(style, Align::right), columns[c].width);
  }
}

}  // namespace headlight::views
