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

constexpr CardControl own_controls[] = {
    {"block_model", "flow"}, {"block_norm", "flow"}, {"block_encdec_step", "decoding"}};

constexpr PageQuestion block_questions[] = {
    {.question = "What is in a Transformer block?",
     .answer = "Block: every stage from the input to the output",
     .words = "residual norm feed-forward stream layer inside happens",
     .place = "card flow"},
    {.question = "What is the residual stream?",
     .answer = "Block: the vector of each token, to which every part of the block adds its result",
     .words = "mean means definition term skip connection connections add sum",
     .place = "card stream"},
    {.question = "What does layer norm do?",
     .answer = "Block: before or after each part, a token’s vector is normalized, then scaled and shifted",
     .words = "normalization normalisation layernorm rmsnorm pre-norm post-norm normalize",
     .place = "card flow"},
    {.question = "What does the feed-forward network do?",
     .answer = "Block: linear layers and an activation, applied to each token separately",
     .words = "mlp ffn feedforward perceptron activation gelu relu",
     .place = "card flow"},
    {.question = "What is an encoder–decoder?",
     .answer = "Block: a model whose decoder attends to the output of its encoder",
     .words = "mean means definition term encoder decoder seq2seq translation cross-attention two stacks",
     .place = "card encoder-decoder",
     .set = "block_model=encoder_decoder"},
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
