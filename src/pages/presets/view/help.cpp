// The mathematics of the page's panels: what is computed, what the symbols mean, and the source.
#include "kit/help.h"

#include "pages/presets/view/page.h"

namespace headlight::views {

namespace {

constexpr const char* vaswani = "Vaswani et al., Attention Is All You Need, 2017";

constexpr HelpEntry entries[] = {
    {"The verdict", "|printed − computed| ≤ ½ unit of the last printed decimal",
     "A printed number agrees when it is a correct rounding of Headlight’s. “formula”: the source has a "
     "formula or code but no number; its result is shown beside Headlight’s, which uses the same formula, so "
     "this is not a check. A contradiction is between two passages of a source, two sources, or words and "
     "numbers. An example differs when the source’s own model is not available and the one trained here "
     "behaves differently.",
     "the sources that each line names"},
    {"Where Headlight’s numbers come from", "A = softmax(Q Kᵀ / √d_k)",
     "They are computed when the page opens, by the layers and formulas of the other pages or by the "
     "arithmetic that the line names. Nothing is trained then: the results of the two trained examples at "
     "the end of the list were recorded in an earlier run, and a test trains them again.",
     vaswani},
};

}  // namespace

std::span<const HelpEntry> presets_help() {
  return entries;
}

}  // namespace headlight::views
