// The numbers behind the panels, by name: `headlight export` writes them, and the Export card copies them.
// A table belongs to a page and to the cards that show it; the first table of a card is its main one.
// Tested in tests/scene/tables_test.cpp, and against the cards in tests/pictures/figure_pages_test.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "io/tensor_view.h"
#include "scene/results.h"

namespace headlight::scene {

struct CostMeasurements;  // pages/cost/cost.h
struct TrainingSnapshot;  // pages/training/training.h

/// What tables are made from; it must outlive them.
struct TableSource {
  const Scene& scene;  // what is pinned and shown
  const Results& results;
  base::Parallel& parallel;
  const TrainingSnapshot* training = nullptr;  // null: nothing was trained
  const CostMeasurements* measured = nullptr;  // null: nothing was measured
  template <class R>
  const R* own() const {
    return results.own_as<R>();
  }
};

struct Numbers {
  io::AnyTensor tensor;
  std::vector<std::vector<std::string>> labels;  // names along the axes; an empty list: indices from 0
  std::shared_ptr<const void> keeps;             // owns what `tensor` points to when the results do not
};

/// Nothing: this scene has no such numbers (no learned positions, no measured times, …).
using MaybeNumbers = std::optional<Numbers>;

struct Table {
  const char* name;    // unique over all pages
  Page page;           // the scene must show this page, except for tables of Attention and Position
  const char* panels;  // names of cards, separated by spaces
  const char* about;   // one line
  MaybeNumbers (*make)(const TableSource& source);
  std::function<MaybeNumbers(const TableSource& source)> requested = {};  // used when `make` is null
  std::function<std::string(const TableSource& source)> why_none =
      {};  // what follows "this scene has no NAME"
  bool behind(std::string_view panel) const;
};

const std::vector<Table>& tables();
const Table* find_table(std::string_view name);
/// The tables of a page, or of one of its cards; `panel` empty: of the page.
std::vector<const Table*> tables_behind(Page page, std::string_view panel);

/// make(), with the table's name on the tensor; nothing when it has no element, as without a sentence.
MaybeNumbers numbers_of(const Table& table, const TableSource& source);

}  // namespace headlight::scene
