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

constexpr CardControl own_controls[] = {
    {"model_order", "atlas"}, {"model_detail", "head"}, {"model_score", "head"}};

constexpr std::string_view of_layers = "atlas head";
constexpr SettingCards acts_on[] = {
    {"weights_layer", of_layers},   {"position", of_layers},      {"position_scale", of_layers},
    {"position_offset", of_layers}, {"position_base", of_layers}, {"scale", of_layers},
    {"temperature", of_layers},     {"mask", of_layers},          {"model_temperature", "next"},
    {"model_top_k", "next"},        {"model_top_p", "next"},      {"model_seed", "next"}};

constexpr PageQuestion model_questions[] = {
    {.question = "What does each head attend to?",
     .answer = "Model: every head of every layer, sorted by what it attends to",
     .words = "atlas all heads layers roles previous first induction overview which most token",
     .place = "card atlas"},
    {.question = "Which token does the model predict next?",
     .answer = "Model: the most probable next tokens, and what each layer would predict",
     .words = "prediction predicts probability token word logits distribution top lens layer guess",
     .place = "card next"},
    {.question = "What does the model predict after each token?",
     .answer = "Model: the four most probable tokens after every token of the sentence",
     .words = "every word likeliest next continues tick probability columns",
     .place = "card next"},
    {.question = "Which heads are induction heads?",
     .answer = "Model: every head sorted by the weight on the token after an earlier same one",
     .words = "induction copy copying repeat pattern",
     .place = "card atlas",
     .set = "model_score=induction;model_order=score"},
    {.question = "Which heads attend to the previous token?",
     .answer = "Model: every head sorted by the weight on the token before",
     .words = "before prior shift offset",
     .place = "card atlas",
     .set = "model_score=previous;model_order=score"},
    {.question = "Which heads are most similar?",
     .answer = "Model: the heads with the most similar maps, beside the chosen head",
     .words = "similar alike same cosine redundant duplicate like",
     .place = "card head"},
    {.question = "What changes when a head is switched off?",
     .answer = "Model: switch the chosen head off and see the prediction change",
     .words = "ablate ablation remove zero off intervention causal effect patch",
     .place = "card head"},
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
    .acts_on = acts_on,
    .asks_itself = true,
};

}  // namespace headlight::views
