// One line about a cell of a map, beside the pointer and outside the cell's row and column, so that it covers
// nothing that it explains.
#pragma once

#include <string_view>

#include "draw/geometry.h"
#include "screen/widgets.h"

namespace headlight::app {

void cell_tooltip(screen::Ui& ui, std::string_view line, draw::Box cell);

}  // namespace headlight::app
