#include "kit/page_view.h"

#include "pages/worked/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName worked_tabs[] = {
    {"steps", "Steps"},       {"flow", "Every number"},       {"roles", "Roles"}, {"lookup", "Lookup"},
    {"number", "One number"}, {"printed", "Printed numbers"}, {"plane", "Arrows"}};

/// The number that is open belongs to the cards that show the arithmetic.
std::string worked_finding(const PageInput& in, std::string_view card) {
  return card == "number" ? worked_words(in) : worked_card_finding(in, card);
}

}  // namespace

const PageView worked_view{
    .draw = worked_page,
    .question = worked_question,
    .tooltip = worked_tooltip,
    .status = worked_words,
    .describe = plain::describe_worked,
    .help = worked_help,
    .hint = "Click a number of X or W and type another one. Every result is recomputed.",
    .finding = worked_finding,
    .tabs = worked_tabs,
    .hero = "flow",
};

}  // namespace headlight::views
