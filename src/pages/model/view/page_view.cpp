#include "kit/page_view.h"

#include "kit/selection.h"
#include "pages/model/atlas.h"
#include "pages/model/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName model_tabs[] = {
    {"atlas", "All heads"}, {"head", "Chosen head"}, {"next", "Next token"}, {"check", "Saved attention"}};

// Its question is about all heads.
constexpr std::string_view no_sentence[] = {"atlas"};

/// All cards but that of the chosen head show every head of every layer.
bool model_guided(const PageInput& in, std::string_view card) {
  const bool all_heads = in.own<scene::AtlasResults>() && card != "head";
  return all_heads || chosen_head_guided(in);
}

constexpr const char* own_controls[] = {"model_order", "model_detail"};

constexpr PageQuestion model_questions[] = {
    {.question = "What does each head attend to?",
     .answer = "Model: every head of every layer, sorted by what it attends to",
     .words = "atlas all heads layers roles previous first induction overview which most token",
     .place = "card atlas"},
};

}  // namespace

const PageView model_view{
    .draw = model_page,
    .question = model_question,
    .tooltip = model_tooltip,
    .status = model_words,
    .describe = plain::describe_model,
    .help = model_help,
    .hint = "Click a head to see it large; click it again to open it on the Attention page.",
    .also = "atlas heads layers induction previous token roles predict prediction next logit lens",
    .questions = model_questions,
    .finding = model_finding,
    .shows_guided = model_guided,
    .tabs = model_tabs,
    .without_sentence = no_sentence,
    .on_cards = own_controls,
    .asks_itself = true,
};

}  // namespace headlight::views
