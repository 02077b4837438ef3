#include "kit/page_view.h"

#include "pages/block/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName block_tabs[] = {{"flow", "Block"},
                                  {"overview", "Every head"},
                                  {"map", "Matrix"},
                                  {"stream", "Residual stream"},
                                  {"encoder-decoder", "Encoder–decoder"},
                                  {"decoding", "Decoding"},
                                  {"mirrored", "Mirrored position"}};

constexpr const char* own_controls[] = {"block_model", "block_norm"};

constexpr PageQuestion block_questions[] = {
    {.question = "What is in a Transformer block?",
     .answer = "Block: every stage from the input to the output",
     .words = "residual norm feed-forward stream layer inside happens",
     .place = "card flow"},
};

}  // namespace

const PageView block_view{
    .draw = block_page,
    .question = block_question,
    .tooltip = block_tooltip,
    .status = block_words,
    .describe = plain::describe_block,
    .help = block_help,
    .hint = "Click a stage of the block to show its matrix large. Click a small map to show that head.",
    .also = "transformer layer norm residual feed-forward mlp stack",
    .questions = block_questions,
    .finding = block_finding,
    .tabs = block_tabs,
    .on_cards = own_controls,
};

}  // namespace headlight::views
