#include "kit/page_view.h"

#include "pages/model/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName model_tabs[] = {
    {"atlas", "All heads"}, {"head", "Chosen head"}, {"next", "Next token"}, {"check", "Saved attention"}};

// Its question is about all heads.
constexpr std::string_view no_sentence[] = {"atlas"};

constexpr const char* own_controls[] = {"model_order", "model_detail"};

}  // namespace

const PageView model_view{
    .draw = model_page,
    .question = model_question,
    .tooltip = model_tooltip,
    .status = model_words,
    .describe = plain::describe_model,
    .help = model_help,
    .hint = "Click a head to see it large; click it again to open it on the Attention page.",
    .finding = model_finding,
    .tabs = model_tabs,
    .without_sentence = no_sentence,
    .on_cards = own_controls,
    .asks_itself = true,
};

}  // namespace headlight::views
