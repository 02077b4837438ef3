#include "kit/page_view.h"

#include "pages/softmax/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName softmax_tabs[] = {
    {"softmax", "Scores to weights"}, {"arithmetic", "Arithmetic"}, {"temperature", "Temperature"}};

constexpr PageQuestion softmax_questions[] = {
    {.question = "What is entropy?",
     .answer = "H = −Σ α log₂ α, in bits: 0 for a single key, log₂ n for n equal weights",
     .words = "bits uncertainty spread sharp uniform mean means definition",
     .place = "card temperature"},
    {.question = "What does the temperature do?",
     .answer = "Softmax: drag the temperature and watch weights and entropy",
     .words = "sharp soft flat tau effect",
     .place = "card softmax"},
    {.question = "What is a logit?",
     .answer = "a score before softmax: of a key (q·k ÷ √d_k), or of a token of the vocabulary",
     .words = "mean means definition term score nats lens",
     .place = "card softmax"},
};

}  // namespace

const PageView softmax_view{
    .draw = softmax_page,
    .question = softmax_question,
    .tooltip = softmax_tooltip,
    .status = softmax_words,
    .describe = plain::describe_softmax,
    .help = softmax_help,
    .hint = "Drag a score up or down. Its weight changes, and the other weights share the rest.",
    .also = "temperature scores exponential probabilities entropy",
    .questions = softmax_questions,
    .finding = softmax_finding,
    .tabs = softmax_tabs,
};

}  // namespace headlight::views
