#include "kit/page_view.h"

#include "pages/compare/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName compare_tabs[] = {
    {"maps", "Two heads"}, {"similarity", "Similarity"}, {"roles", "Head roles"}, {"off", "Heads off"}};

std::string compare_quantity(const PageInput& in, const draw::Hit& hit) {
  const draw::Mark& mark = hit.mark;
  const nn::AttentionTrace& trace = in.results.attention;
  const bool pair = mark.query >= 0 && mark.query < trace.T && mark.key >= 0 && mark.key < trace.S;
  if (!pair || mark.part != draw::Part::cell || mark.head < 0) return {};
  return quantity("weight", {{"head", mark.head + 1}, {"query", mark.query}, {"key", mark.key}});
}

constexpr const char* own_controls[] = {"bench_from"};

}  // namespace

const PageView compare_view{
    .draw = compare_page,
    .question = compare_question,
    .tooltip = compare_tooltip,
    .status = compare_words,
    .describe = plain::describe_compare,
    .help = compare_help,
    .hint = "Click two heads to compare them. Switch heads off to see how much the output changes.",
    .quantity_under = compare_quantity,
    .finding = compare_finding,
    .marked = compare_marked,
    .tabs = compare_tabs,
    .on_cards = own_controls,
    .asks_itself = true,
};

}  // namespace headlight::views
