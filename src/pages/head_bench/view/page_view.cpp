#include "kit/page_view.h"

#include "pages/head_bench/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName head_bench_tabs[] = {
    {"maps", "Two heads"}, {"similarity", "Similarity"}, {"roles", "Head roles"}, {"off", "Heads off"}};

std::string bench_quantity(const PageInput& in, const draw::Hit& hit) {
  const draw::Mark& mark = hit.mark;
  const nn::AttentionTrace& trace = in.results.attention;
  const bool pair = mark.query >= 0 && mark.query < trace.T && mark.key >= 0 && mark.key < trace.S;
  if (!pair || mark.part != draw::Part::cell || mark.head < 0) return {};
  return quantity("weight", {{"head", mark.head + 1}, {"query", mark.query}, {"key", mark.key}});
}

constexpr const char* own_controls[] = {"bench_from"};

}  // namespace

const PageView head_bench_view{
    .draw = bench_page,
    .question = bench_question,
    .tooltip = bench_tooltip,
    .status = bench_words,
    .describe = plain::describe_bench,
    .help = bench_help,
    .hint = "Click two heads to compare them. Switch heads off to see how much the output changes.",
    .quantity_under = bench_quantity,
    .finding = bench_finding,
    .marked = bench_marked,
    .tabs = head_bench_tabs,
    .on_cards = own_controls,
    .asks_itself = true,
};

}  // namespace headlight::views
