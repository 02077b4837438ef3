#include "ui/cell_tooltip.h"

#include <algorithm>
#include <cmath>

#include "screen/paint.h"
#include "screen/tooltip_place.h"

namespace headlight::app {

void cell_tooltip(screen::Ui& ui, std::string_view line, draw::Box cell) {
  const float size = ui.px(14), padding = ui.px(9), high = ui.px(28);
  const ImVec2 window = ImGui::GetIO().DisplaySize, pointer = ImGui::GetIO().MousePos;
  const std::string words = ui.text.fit(line, draw::Font::sans, size, window.x - 2 * padding);
  const ImVec2 extent{std::ceil(ui.text.width(words, draw::Font::sans, size) + 2 * padding),
                      std::round(high)};
  // If cells are smaller than the pointer's arrow, the area of the arrow must stay free.
  const float left = std::min(cell.x, pointer.x), top = std::min(cell.y, pointer.y);
  const draw::Box free{left, top, std::max(cell.right(), pointer.x + ui.px(10)) - left,
                       std::max(cell.bottom(), pointer.y + ui.px(14)) - top};
  const ImVec2 from = screen::beside_cell(free, extent, window, ui.px(6)),
               to{from.x + extent.x, from.y + extent.y};
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(from, to, screen::packed(ui.theme().field_hover), ui.px(6));
  list.AddRect(from, to, screen::packed(ui.theme().border), ui.px(6), 0,
               std::max(1.f, std::floor(ui.scale())));
  ui.text.draw(list, from.x + padding, (from.y + to.y) / 2 + size * screen::capital_height / 2, words,
               draw::Font::sans, size, screen::packed(ui.theme().text));
}

}  // namespace headlight::app
