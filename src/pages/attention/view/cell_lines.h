// What the card of the opened cell says of it, line by line: from q · k to the weight, and what follows from
// it.
#pragma once

#include <string>
#include <vector>

#include "pages/attention/view/words.h"

namespace headlight::views {

struct CellLine {
  std::string words, value;
  bool weight = false;  // the resulting weight: drawn like its cell
  bool quiet = false;
  int head = -1;  // a click shows this head alone
  enum class Control { none, divides, temperature } control = Control::none;
  std::string explains;  // the quantity that the tooltip explains
};

std::vector<CellLine> cell_lines(const Sheet& sheet);
/// The steps from q · k to the score that settings change, without numbers: for a card of no single cell.
/// None on paper, on a slide and of saved attention.
std::vector<CellLine> score_controls(const Sheet& sheet);
/// The lines below them: how far float32 is off, and the share of the value.
std::vector<CellLine> cell_results(const PageInput& in, const nn::CellTrace& cell);

}  // namespace headlight::views
