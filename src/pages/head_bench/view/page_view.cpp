#include "kit/page_view.h"

#include "pages/head_bench/view/page.h"

namespace headlight::views {

const PageView head_bench_view{
    .draw = bench_page,
    .question = bench_question,
    .tooltip = bench_tooltip,
    .status = bench_words,
    .describe = plain::describe_bench,
    .help = bench_help,
    .hint = "Click two heads to compare them. Switch heads off to see how much the output changes.",
    .asks_itself = true,
};

}  // namespace headlight::views
