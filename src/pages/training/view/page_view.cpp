#include "kit/page_view.h"

#include "pages/training/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName training_tabs[] = {{"header", "Run"},
                                     {"film", "Film of heads"},
                                     {"map", "Chosen head"},
                                     {"loss", "Losses"},
                                     {"printed", "Printed losses"}};

}  // namespace

const PageView training_view{
    .draw = training_page,
    .question = training_question,
    .tooltip = training_tooltip,
    .status = training_words,
    .describe = plain::describe_training,
    .help = training_help,
    .hint = "Choose a task to train. Click a map of the film to show that head at that step.",
    .finding = training_finding,
    .tabs = training_tabs,
    .hero = "film",
};

}  // namespace headlight::views
