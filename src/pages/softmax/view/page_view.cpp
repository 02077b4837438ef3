#include "kit/page_view.h"

#include "pages/softmax/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName softmax_tabs[] = {
    {"softmax", "Scores to weights"}, {"arithmetic", "Arithmetic"}, {"temperature", "Temperature"}};

// The bars have a number each to type, and buttons for more and fewer of them.
constexpr CardControl own_controls[] = {{"softmax_scores", "softmax"}};

constexpr PageQuestion softmax_questions[] = {
    {.question = "What is entropy?",
     .answer = "H = −Σ α log₂ α, in bits: 0 for a single key, log₂ n for n equal weights",
     .words = "bits uncertainty spread sharp uniform mean means definition",
     .place = "card temperature"},
    {.question = "What does the temperature do?",
     .answer = "Softmax: drag the temperature and watch weights and entropy",
     .words = "sharp soft flat tau effect",
     .place = "card softmax"},
    {.question = "What are logits?",
     .answer = "a score before softmax: of a key (q·k ÷ √d_k), or of a token of the vocabulary",
     .words = "mean means definition term score nats logit",
     .place = "card softmax"},
    {.question = "What is the formula of softmax?",
     .answer = "αⱼ = exp(sⱼ ÷ τ) ÷ Σ exp(s): each step with its numbers",
     .words =
         "mean means definition term equation formula exp exponential normalise normalize sum computed works",
     .place = "card arithmetic"},
    {.question = "Why do the weights sum to 1?",
     .answer = "Softmax: every exponential is divided by the sum of all",
     .words = "add probability probabilities distribution normalise normalize row one",
     .place = "card arithmetic"},
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
    .on_cards = own_controls,
};

}  // namespace headlight::views
