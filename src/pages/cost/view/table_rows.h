// What the rows of the Cost page's table say: their words and their numbers, without a place. Tested in
// tests/views/cost_page_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pages/cost/cost.h"
#include "pages/cost/view/sheet.h"

namespace headlight::views {

/// One layer, or self-attention in several heads.
enum class CostRowKind { layer, heads };

struct CostRow {
  nn::Architecture architecture;
  const char* name;
  const char* leading;  // as the table of the paper has it
  const char* counted;  // multiply-adds of the loops
  const char* whole;    // the same with the projections
  const char* reason;
  CostRowKind kind = CostRowKind::layer;
};

inline constexpr CostRow cost_rows[] = {
    {nn::Architecture::convolution, "Convolution", "k n d²", "k n d²", "k n d²",
     "for each of n outputs: k inputs, each times a d × d matrix"},
    {nn::Architecture::recurrence, "Recurrence", "n d²", "2 n d²", "2 n d²",
     "for each of n steps: the state times W_h and the input times W_x, both d × d"},
    {nn::Architecture::self_attention, "Self-attention", "n² d", "2 n² d", "2 n² d + 4 n d²",
     "Q Kᵀ and A V: n × n products of d components, twice"},
    {nn::Architecture::self_attention, "in heads", "n² d", "2 n² d", "2 n² d + 4 n d²",
     "for each head: n × n products of its own width, twice; the widths add up to d", CostRowKind::heads},
    {nn::Architecture::linear_attention, "Linear attention", "n d²", "2 n d²", "2 n d² + 4 n d²",
     "in one head: Kᵀ V and its product with Q, d × d numbers for each of n tokens, twice\nin h heads d/h × "
     "d/h numbers in each: 2 n d²/h\nwithout its normaliser, n d"},
};

std::string whole_words(std::uint64_t value);
/// "n = 6, d = 32", with k if the layer has a kernel.
std::string size_words(const nn::LayerSize& size, bool with_kernel);
std::string name_of(const CostSheet& sheet, const CostRow& row);
/// The quantity `name` of the row's layer.
std::string of_layer(const char* name, const CostRow& row);

/// What a row shows of its layer.
struct CostCounts {
  nn::LayerSize at;  // where the loops ran
  std::uint64_t shown = 0, by_running = 0, by_formula = 0, whole = 0;
  bool agrees = true;
};

CostCounts counts_of(const CostSheet& sheet, const CostRow& row);
std::string counted_words(const CostRow& row, const CostCounts& counts);

struct CostPathEntry {
  std::string value, words;
};
std::vector<CostPathEntry> path_entries(const CostSheet& sheet, const CostRow& row);

/// What is told under the pointer.
void note_on(const Pen& pen, draw::Box area, const std::string& name, const std::string& words);
void notes_of(const CostSheet& sheet, const CostRow& row, draw::Box operations, draw::Box counted,
              draw::Box whole, draw::Box path);

}  // namespace headlight::views
