#include "kit/page_view.h"

#include "pages/cost/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName cost_tabs[] = {{"table", "Operations"},
                                 {"paths", "Path length"},
                                 {"growth", "Cost by length"},
                                 {"memory", "Memory wall"},
                                 {"times", "Times"}};

constexpr CardControl own_controls[] = {{"cost_convolution", "paths"}, {"cost_kernel", "paths"}};

constexpr SettingCards acts_on[] = {{"cost_n", "growth table paths"},
                                    {"cost_d", "growth table memory"},
                                    {"cost_k", "growth table paths"},
                                    {"cost_from", "paths"},
                                    {"cost_to", "paths"},
                                    {"cost_batch", "memory"},
                                    {"cost_heads", "table memory"},
                                    {"cost_layers", "memory"},
                                    {"cost_bytes", "memory"}};

constexpr PageQuestion cost_questions[] = {
    {.question = "What does one layer cost?",
     .answer = "Cost: operations, path length, memory and time",
     .words = "expensive slow fast quadratic flops much long",
     .place = "card table"},
    {.question = "How many parameters does the attention of a layer have?",
     .answer = "Cost: W_Q, W_K, W_V and W_O together have 4 d², for any number of heads",
     .words = "parameter count size number weights many one multi-head heads",
     .place = "card table"},
    {.question = "Why is attention quadratic?",
     .answer = "Cost: every query is multiplied by every key, so the work grows with n²",
     .words = "complexity scaling scale square growth length long n²",
     .place = "card growth"},
    {.question = "How much memory does attention need?",
     .answer = "Cost: bytes of the attention maps, and of a tiled computation",
     .words = "bytes ram gpu vram gigabytes wall flash kv context length window longest",
     .place = "card memory"},
    {.question = "What is the maximum path length?",
     .answer = "Cost: the largest number of layers or steps between two connected positions",
     .words = "mean means definition term recurrent convolution rnn cnn",
     .place = "card paths"},
    {.question = "How long does attention take here?",
     .answer =
         "Cost: “Measure times” measures this machine; before that, the card shows the times of a source",
     .words = "time measure benchmark milliseconds speed cpu",
     .place = "card times"},
};

}  // namespace

const PageView cost_view{
    .draw = cost_page,
    .question = cost_question,
    .tooltip = cost_tooltip,
    .status = cost_words,
    .describe = plain::describe_cost,
    .help = cost_help,
    .hint = "Operations are counted by formula and, at a small size, by running the loops.",
    .also = "flops complexity memory quadratic speed slow",
    .questions = cost_questions,
    .finding = cost_finding,
    .tabs = cost_tabs,
    .on_cards = own_controls,
    .acts_on = acts_on,
};

}  // namespace headlight::views
