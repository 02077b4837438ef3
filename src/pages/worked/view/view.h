// What the cards of the Worked example page share: the results, the entry that is explained, and how a number
// and a matrix are drawn. Tested in tests/views/worked_page_test.cpp.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "kit/card.h"
#include "kit/page_input.h"
#include "pages/worked/worked.h"

namespace headlight::views {

using scene::WorkedStage;

/// One entry of one result.
struct WorkedEntry {
  WorkedStage stage = WorkedStage::output;
  int row = 0, col = 0;
  bool operator==(const WorkedEntry&) const = default;
};

struct WorkedView {
  const Pen& pen;
  const PageInput& in;
  const scene::WorkedResults& results;
  int step = 5;           // results up to this step are shown
  WorkedEntry chosen;     // under the pointer, or clicked
  int token = 0;          // the token whose query is used
  bool one_step = false;  // not all matrices fit: the picture has those of the chosen step alone
  draw::Canvas& canvas() const { return pen.canvas; }
  const draw::Theme& theme() const { return pen.theme; }
  int T() const { return results.trace.T; }
};

/// 1 … 5
int step_of(WorkedStage stage);
/// "Q", "S", "A" …; "Q Kᵀ" for the products.
const char* name_of(WorkedStage stage);
int rows_of(const scene::WorkedResults& results, WorkedStage stage);
int cols_of(const scene::WorkedResults& results, WorkedStage stage);
float value_of(const scene::WorkedResults& results, WorkedEntry entry);
bool masked(const scene::WorkedResults& results, WorkedEntry entry);

/// The token's name, "x₀", "q₂".
std::string indexed(const char* letter, int index);
/// Whole numbers without decimals, others with three.
std::string worked_number(double value);

/// One term of a sum, or one line of an arithmetic: where it came from, and its number.
struct WorkedLine {
  std::string words, value;
  bool result = false;
};
/// The arithmetic of one entry, with all its terms.
std::vector<WorkedLine> arithmetic(const PageInput& in, const scene::WorkedResults& results,
                                   WorkedEntry entry);
/// The same as one equation: "O[0,0] = 0.401 × 1 + 0.198 × 0 + 0.401 × 1 = 0.802".
std::string equation(const PageInput& in, const scene::WorkedResults& results, WorkedEntry entry);
/// "A[0, 2] = 0.401"
std::string entry_words(const PageInput& in, const scene::WorkedResults& results, WorkedEntry entry);

/// Shows the results up to one of the steps: buttons named "step 1" … after `before`.
constexpr int worked_steps = 5;
std::array<Choice, worked_steps> step_choices(const PageInput& in, bool short_names,
                                              const std::string& before = {});
/// "multiply" is step 2.
std::string step_name(int step);

/// The cards. Each fills its box.
float flow_height(const WorkedView& view, float width, float wanted);
void flow_card(const WorkedView& view, draw::Box box);
void entry_card(const WorkedView& view, draw::Box box);
void plane_card(const WorkedView& view, draw::Box box);
void roles_card(const WorkedView& view, draw::Box box);
void lookup_card(const WorkedView& view, draw::Box box);
/// The allowed keys that equal the query of `token`; a dictionary takes the first.
int equal_keys(const scene::WorkedResults& r, int token);
void printed_card(const WorkedView& view, draw::Box box);

}  // namespace headlight::views
