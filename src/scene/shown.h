// Which heads, which map and which cell of the attention does the scene show? Every door asks here: the
// window, the description, the tables and the numbers of lessons. Tested in tests/scene/compute_test.cpp.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.h"
#include "nn/explain.h"
#include "scene/pinned.h"
#include "scene/results.h"

namespace headlight::scene {

/// Where several heads are chosen: the page shows them as one map, and opens a cell of that map. Elsewhere
/// the first of them is meant.
constexpr bool combines_heads(Page page) {
  return has_trait(page, page_traits::combined);
}

/// [T, S] the map of these: the one head's own, or their mean or largest, as the scene says; empty without
/// tokens.
nn::Matrix map_on_show(const Scene& scene, const nn::AttentionTrace& trace,
                       base::Parallel* parallel = nullptr);

/// The heads, 0-based, that the opened cell is of: on the Attention page one, or those that the map combines;
/// the first of them on the pages that show one head.
std::vector<int> heads_of_cell(const Scene& scene, int heads);

/// The opened key of a query: the pinned one, or the strongest of those heads, combined as the scene says; −1
/// where there is none.
int opened_key(const Scene& scene, const Results& results, int query);

/// Arithmetic of the pinned cell (last query; its strongest key when none is pinned): of the head that is
/// shown, or of the one compared head whose map was clicked; of several, their mean or largest. Null without
/// tokens or without a pinned query.
std::shared_ptr<const nn::CellTrace> explain_pinned(const Scene& scene, const Results& results);

}  // namespace headlight::scene
