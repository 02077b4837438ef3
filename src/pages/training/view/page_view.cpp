#include "kit/page_view.h"

#include "pages/training/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName training_tabs[] = {{"header", "Run"},
                                     {"film", "Film of heads"},
                                     {"map", "Chosen head"},
                                     {"loss", "Losses"},
                                     {"printed", "Printed losses"}};

constexpr PageQuestion training_questions[] = {
    {.question = "How does a head learn?",
     .answer = "Training: train a model and watch its heads",
     .words = "train own model learned learning run backpropagation gradient descent optimizer adam",
     .place = "card film"},
    {.question = "How do I stop training?",
     .answer = "Training: Pause keeps the run, and Resume continues it",
     .words = "pause halt end interrupt resume continue cancel",
     .place = "card header"},
    {.question = "Which step was best?",
     .answer = "Training: the lowest held-out loss is marked; a click or L shows the kept step nearest to it",
     .words = "best lowest minimum held-out validation loss early stopping overfitting",
     .place = "card loss"},
    {.question = "What does “mirror” mean?",
     .answer = "Training: the mean weight of a query on the key at the mirrored position",
     .words = "reverse role score head previous first itself",
     .place = "card film"},
    {.question = "How do I train a model of my own?",
     .answer = "Training: choose a task, then press Train",
     .words = "train run start begin learn new own text teach",
     .place = "card header"},
    {.question = "What is the loss?",
     .answer =
         "Training: −ln of the probability of the right token, on average; the perplexity is e to this power",
     .words = "mean means definition term perplexity cross-entropy nats error falls held-out curve",
     .place = "card loss"},
};

constexpr std::string_view training_no_slides[] = {"header"};

}  // namespace

const PageView training_view{
    .draw = training_page,
    .question = training_question,
    .tooltip = training_tooltip,
    .status = training_words,
    .describe = plain::describe_training,
    .help = training_help,
    .hint = "Choose a task to train. Click a map of the film to show that head at that step.",
    .also = "learn loss gradient train adam",
    .questions = training_questions,
    .finding = training_finding,
    .tabs = training_tabs,
    .hero = "film",
    .no_slides = training_no_slides,
};

}  // namespace headlight::views
