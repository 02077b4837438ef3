#include "kit/page_view.h"

#include "pages/worked/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName worked_tabs[] = {
    {"steps", "Steps"},       {"flow", "Every number"},       {"roles", "Roles"}, {"lookup", "Lookup"},
    {"number", "One number"}, {"printed", "Printed numbers"}, {"plane", "Arrows"}};

constexpr CardControl own_controls[] = {{"worked_step", "steps"},
                                        {"worked_x", "flow"},
                                        {"worked_w_q", "flow"},
                                        {"worked_w_k", "flow"},
                                        {"worked_w_v", "flow"}};

constexpr SettingCards acts_on[] = {{"worked_temperature", "lookup"}, {"worked_reach", "plane"}};

constexpr PageQuestion worked_questions[] = {
    {.question = "How is attention computed?",
     .answer = "Worked example: every number from X to the output",
     .words = "step by hand formula calculate example",
     .place = "card flow"},
    {.question = "What is a query?",
     .answer = "q = x W_Q: a token’s vector that is compared with the key of every token",
     .words = "mean means definition term vector",
     .place = "card roles"},
    {.question = "What is a key?",
     .answer = "k = x W_K: the vector that every query is compared with, by q·k",
     .words = "mean means definition term vector",
     .place = "card roles"},
    {.question = "What is a value?",
     .answer = "v = x W_V: the vector that a weight multiplies; the weighted values add up to the output",
     .words = "mean means definition term vector",
     .place = "card roles"},
    {.question = "What is a head?",
     .answer = "one set of W_Q, W_K and W_V: its own weights for the same tokens",
     .words = "mean means definition term heads multi",
     .place = "card flow"},
};

constexpr std::string_view worked_no_slides[] = {"steps"};

}  // namespace

const PageView worked_view{
    .draw = worked_page,
    .question = worked_question,
    .tooltip = worked_tooltip,
    .status = worked_words,
    .describe = plain::describe_worked,
    .help = worked_help,
    .hint = "Click a number of X or W and type another one. Every result is recomputed.",
    .also = "example by hand arithmetic",
    .questions = worked_questions,
    .finding = worked_card_finding,
    .tabs = worked_tabs,
    .hero = "flow",
    .no_slides = worked_no_slides,
    .on_cards = own_controls,
    .acts_on = acts_on,
};

}  // namespace headlight::views
