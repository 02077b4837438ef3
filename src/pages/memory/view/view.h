// What the cards of the Memory page share: the results they show, matrices as cells of colour, and the cards
// themselves, one file each. Every card draws into `box`; where they stand is page.cpp's business.
// Tested in tests/views/memory_page_test.cpp.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "kit/card.h"
#include "kit/page_input.h"
#include "pages/memory/binary.h"
#include "pages/memory/memory.h"
#include "pages/memory/sizes.h"

namespace headlight::views {

struct MemoryView {
  const PageInput& in;
  Pen pen;
  const scene::MemoryResults& results;
  const scene::MemorySettings& settings;  // that the results were computed for

  const draw::Theme& theme() const { return pen.theme; }
  int step() const { return results.step; }
  int tokens() const { return results.sentence ? results.sentence->q.rows() : 0; }
  std::string token(int t) const { return shown_token(in.results.tokens[static_cast<std::size_t>(t)].text); }
  /// "layer 2, head 3 of the model", or where else the head is from.
  std::string head_words() const;
  bool delta() const { return settings.write == scene::MemoryWrite::delta; }
  /// The scale that goes with the dimension of the patterns.
  double attention_beta() const;
};

/// A matrix in cells of colour. `name` says in tooltips and tests what it is; empty: no tooltip.
struct Cells {
  const float* values = nullptr;
  int rows = 0, cols = 0;
  float lo = 0, hi = 1;
  draw::Colormap map = draw::Colormap::weight;
  std::string name;
  bool beyond = false;      // some magnitudes lie above `hi`
  bool causal = false;      // cells above the diagonal are masked
  bool transposed = false;  // rows of values run across
  int decimals = -1;        // of its numbers in a window: every cell has one; −1: those that fit
  int on_slides = -1;       // decimals on a slide of any size; −1: those of every map
};
/// The decimals, at most 2, with which the numbers of all these values fit into such cells; −1: none fits.
int fitting_decimals(const MemoryView& view, draw::Point cell,
                     std::initializer_list<std::span<const float>> values);
/// Values from −limit to limit on the diverging map.
Cells signed_cells(const float* values, int rows, int cols, float limit, std::string name);
/// Draws it; with two decimals in the cells where they fit.
void cells(const MemoryView& view, draw::Box box, const Cells& what);
/// The colour bar of a matrix in `box`, at its top: 8 units and a line of words, 24 units in all; the short
/// words where the others do not fit.
void cells_bar(const MemoryView& view, draw::Box box, const Cells& what, const std::string& words,
               const std::string& short_words = {});
/// The limits of a signed matrix: the next round number; 1 for nothing.
float signed_limit(float largest);

/// A field and its value as text: "memory_beta=0.70711".
std::string assignment(const char* field, double value);

/// Tokens of the sentence as labels down the side of a matrix, the one of the current step in red; a click
/// makes it the current step.
void step_labels(const MemoryView& view, draw::Box column, const std::string& control_prefix);

void memory_linear_card(const MemoryView& view, draw::Box box);
void memory_fast_card(const MemoryView& view, draw::Box box);
void memory_read_back(const MemoryView& view, draw::Box box);  // a part of the fast weights' card
void memory_landscape_card(const MemoryView& view, draw::Box box);
void memory_retrieval_card(const MemoryView& view, draw::Box box);
/// Both in one card, the page's main picture: the landscape, and at its right what its probe retrieves.
void memory_landscape_and_retrieval(const MemoryView& view, draw::Box box);
/// The parts of these cards, each with its title: of a card of their own, or of that one.
enum class MemoryPart { card, part };
void memory_retrieval(const MemoryView& view, draw::Box box, MemoryPart as);
/// The network of 1982 in the place of the other; `networks` switch between them.
void memory_binary(const MemoryView& view, draw::Box box, const std::vector<Choice>& networks, MemoryPart as);
inline draw::Box memory_box(const MemoryView& view, draw::Box box, const CardHead& head,
                            std::string_view name, MemoryPart as) {
  return as == MemoryPart::part ? card_part(view.pen, box, head, name) : card(view.pen, box, head, name);
}
void memory_readings_card(const MemoryView& view, draw::Box box);
/// "148", "2,981", "7.9·10¹³": patterns that can be stored.
std::string memory_count(double value);
void memory_lineage_card(const MemoryView& view, draw::Box box);
void memory_error_card(const MemoryView& view, draw::Box box);
/// The same card over numbers of features and of projected keys.
void memory_sizes_card(const MemoryView& view, draw::Box box, const std::vector<Choice>& over);
void memory_influence_card(const MemoryView& view, draw::Box box);

/// What the tooltip says of a cell of a matrix that cells() drew under a name; empty for anything else.
std::string memory_cell_words(const PageInput& in, const draw::Hit& hit);

/// At the foot of the landscape: settings to try.
inline constexpr float landscape_foot = control_height + 8;

}  // namespace headlight::views
