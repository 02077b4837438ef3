// Which heads, which map and which cell of the attention does the scene show? The window, the description,
// the tables and the numbers of lessons all use these functions. Tested in tests/scene/compute_test.cpp.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.h"
#include "nn/explain.h"
#include "scene/pinned.h"
#include "scene/results.h"

namespace headlight::scene {

/// True if the page shows several chosen heads as one map, and opens a cell of that map. Other pages use the
/// first of them.
constexpr bool combines_heads(Page page) {
  return has_trait(page, page_traits::combined);
}

/// [T, S] the map of these heads: the one head's own, or their mean or maximum, as the scene says; empty
/// without tokens.
nn::Matrix map_on_show(const Scene& scene, const nn::AttentionTrace& trace,
                       base::Parallel* parallel = nullptr);

/// The heads, 0-based, of the opened cell: on the Attention page one, or those that the map combines; on
/// pages that show one head, the first of them.
std::vector<int> heads_of_cell(const Scene& scene, int heads);

/// The opened key of a query: the pinned one, or the strongest key of those heads, combined as the scene
/// says; −1 when there is none.
int opened_key(const Scene& scene, const Results& results, int query);

/// The arithmetic of the pinned cell (last query; its strongest key when none is pinned): for the shown head,
/// or for the compared head whose map was clicked; for several, their mean or maximum. Null without tokens or
/// without a pinned query.
std::shared_ptr<const nn::CellTrace> explain_pinned(const Scene& scene, const Results& results);

}  // namespace headlight::scene
