#include "kit/page_view.h"

#include "pages/compare/compare.h"
#include "pages/compare/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName compare_tabs[] = {{"maps", "Two heads"},
                                    {"similarity", "Similarity"},
                                    {"roles", "Head roles"},
                                    {"apart", "Largest differences"},
                                    {"off", "Heads off"}};

std::string compare_quantity(const PageInput& in, const draw::Hit& hit) {
  const draw::Mark& mark = hit.mark;
  const nn::AttentionTrace& trace = in.results.attention;
  const bool pair = mark.query >= 0 && mark.query < trace.T && mark.key >= 0 && mark.key < trace.S;
  if (!pair || mark.part != draw::Part::cell || mark.head < 0) return {};
  return quantity("weight", {{"head", mark.head + 1}, {"query", mark.query}, {"key", mark.key}});
}

/// The maps show A and B, the tables every head of their layers.
bool compare_guided(const PageInput& in, std::string_view card) {
  const auto* r = in.own<scene::CompareResults>();
  if (!r) return false;
  const scene::Results& results = in.results;
  const auto guided = [&](int layer, int head) {
    return r->layered() ? results.guided(layer, head) : results.guided(head);
  };
  const auto of_layer = [&](int layer) {
    return results.guide.layer == (r->layered() ? layer : results.scene.weights_layer - 1);
  };
  const bool b_of_model = !r->other_seed;
  if (card == "maps") return guided(r->layer_a, r->a) || (b_of_model && guided(r->layer_b, r->b));
  return of_layer(r->layer_a) || (b_of_model && of_layer(r->layer_b));
}

constexpr CardControl own_controls[] = {{"bench_from", "maps"}};

constexpr SettingCards acts_on[] = {{"bench_other_seed", "maps similarity roles apart"},
                                    {"bench_seed_b", "maps apart"}};

constexpr PageQuestion compare_questions[] = {
    {.question = "How do I compare two heads?",
     .answer = "two heads, their difference and their similarity",
     .words = "difference similar similarity alike side",
     .place = "card maps"},
    {.question = "Where do two heads differ most?",
     .answer = "Compare: the pairs of tokens with the largest A − B",
     .words = "difference largest pairs apart disagree query key most",
     .place = "card apart"},
    {.question = "Which heads can be switched off?",
     .answer = "change of the output without each head",
     .words = "remove prune ablate ablation important head matter turn",
     .place = "card off",
     .set = "bench_off=1"},
    {.question = "What are the roles of heads?",
     .answer = "Compare: mean weights on five common targets, beside uniform attention",
     .words = "head role previous next first same token itself",
     .place = "card roles"},
    {.question = "How similar are two heads?",
     .answer = "Compare: the similarity of every pair of heads",
     .words = "alike same cosine correlation redundant duplicate",
     .place = "card similarity"},
};

}  // namespace

const PageView compare_view{
    .draw = compare_page,
    .question = compare_question,
    .tooltip = compare_tooltip,
    .status = compare_words,
    .describe = plain::describe_compare,
    .help = compare_help,
    .hint = "Click two heads to compare them. Switch heads off to see how much the output changes.",
    .also = "ablation entropy roles head bench compare",
    .questions = compare_questions,
    .quantity_under = compare_quantity,
    .finding = compare_finding,
    .marked = compare_marked,
    .shows_guided = compare_guided,
    .tabs = compare_tabs,
    .on_cards = own_controls,
    .acts_on = acts_on,
    .asks_itself = true,
    .asks_once = true,
};

}  // namespace headlight::views
