#include "kit/page_view.h"

#include "kit/selection.h"
#include "pages/attention/view/page.h"
#include "pages/attention/view/words.h"

namespace headlight::views {

namespace {

constexpr TabName attention_tabs[] = {{"map", "Attention map"},      {"heads", "Heads"},
                                      {"bars", "Attention weights"}, {"cell", "One weight"},
                                      {"matrices", "Matrices"},      {"kernels", "Weights by offset"}};

std::string attention_quantity(const PageInput& in, const draw::Hit& hit) {
  const draw::Mark& mark = hit.mark;
  const nn::AttentionTrace& trace = in.results.attention;
  const bool pair = mark.query >= 0 && mark.query < trace.T && mark.key >= 0 && mark.key < trace.S;
  if (!pair || (mark.part != draw::Part::cell && mark.part != draw::Part::bar)) return {};
  // A map of several combined heads has weights of its own.
  if (mark.head < 0) return quantity("map_weight", {{"query", mark.query}, {"key", mark.key}});
  return quantity("weight", {{"head", mark.head + 1}, {"query", mark.query}, {"key", mark.key}});
}

/// The small maps show every head of the layer.
bool attention_guided(const PageInput& in, std::string_view card) {
  if (card.empty() || card == "heads") return in.results.guided(in.results.guide.head);
  return chosen_head_guided(in);
}

constexpr const char* own_controls[] = {"query_axis"};

}  // namespace

const PageView attention_view{
    .draw = attention_page,
    .question = attention_question,
    .tooltip = attention_tooltip,
    .status = cell_words,
    .describe = plain::describe_attention,
    .help = attention_help,
    .hint =
        "Click a weight to see how it is computed; arrow keys move. Ctrl + K finds pages, settings and "
        "answers.",
    .quantity_under = attention_quantity,
    .finding = attention_finding,
    .shows_guided = attention_guided,
    .tabs = attention_tabs,
    .on_cards = own_controls,
    .fills = true,
    .asks_itself = true,
    .tells_model = true,
};

}  // namespace headlight::views
