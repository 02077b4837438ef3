// What the cards of what each side applies draw into. Tested in tests/views/variants_page_test.cpp.
#pragma once

#include <string>

#include "pages/variants/view/view.h"

namespace headlight::views {

/// Names the side in a quantity.
inline std::string of_side_of(const VariantsView& view, const scene::VariantSideResults& side) {
  return &side == &view.results.a ? " side=a" : " side=b";
}

void bias_map(const VariantsView& view, draw::Box area, const scene::VariantSideResults& side);
/// Plots the bucket against the distance, as steps, and marks how far the exact buckets reach.
void bucket_plot(const VariantsView& view, draw::Box area, const scene::VariantSideResults& side);
void slopes(const VariantsView& view, draw::Box area, const scene::VariantSideResults& side);
/// Draws what each query adds to a score, by the clipped distance of the key, in one row per query.
void clipped_distances(const VariantsView& view, draw::Box area, const scene::VariantSideResults& side);
/// Draws clocks, with a row for each pair and a column for each token.
void clocks(const VariantsView& view, draw::Box area, const scene::VariantSideResults& side);

}  // namespace headlight::views
