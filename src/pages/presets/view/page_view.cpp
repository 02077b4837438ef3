#include "kit/page_view.h"

#include "pages/presets/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName presets_tabs[] = {
    {"list", "Examples"}, {"contradictions", "Contradictions"}, {"preset", "Chosen example"}};

std::string presets_finding(const PageInput& in, std::string_view card) {
  if (card == "preset") return preset_finding(in);
  return "Of " + in.text("presets_examples") + " examples, " + in.text("presets_agreeing") +
         " agree with what the source prints and " + in.text("presets_contradictions") +
         " show a contradiction in it";
}

constexpr SettingCards acts_on[] = {{"presets_shown", "preset list"}};

constexpr PageQuestion presets_questions[] = {
    {.question = "Which papers is this from?",
     .answer = "References: every example with its source, beside Headlight’s numbers",
     .words = "paper who invented inventor attention source sources reference references citation cite book "
              "literature vaswani figure",
     .place = "card list"},
    {.question = "Where do the sources contradict each other?",
     .answer = "References: what two sources, or a text and its own figure, say differently",
     .words = "contradiction contradictions error errors mistake wrong disagree",
     .place = "card contradictions"},
};

}  // namespace

const PageView presets_view{
    .draw = presets_page,
    .question = presets_question,
    .tooltip = presets_tooltip,
    .status = presets_words,
    .describe = plain::describe_presets,
    .help = presets_help,
    .hint = "Click an example to compare the source’s numbers with Headlight’s.",
    .also = "examples papers figures references",
    .questions = presets_questions,
    .finding = presets_finding,
    .tabs = presets_tabs,
    .acts_on = acts_on,
};

}  // namespace headlight::views
