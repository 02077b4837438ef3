#include "app/pages.h"

#include "app/session.h"
#include "kit/page_input.h"
#include "pages/attention/view/page.h"
#include "pages/attention/view/words.h"
#include "pages/block/view/page.h"
#include "pages/cost/view/page.h"
#include "pages/head_bench/view/page.h"
#include "pages/memory/view/page.h"
#include "pages/order/view/page.h"
#include "pages/position/view/page.h"
#include "pages/presets/view/page.h"
#include "pages/training/view/page.h"
#include "pages/variants/view/page.h"
#include "pages/worked/view/page.h"

namespace headlight::app {

namespace {

constexpr PageInfo all_pages[] = {
    {scene::Page::attention, "Attention", "which token attends to which, in every head",
     views::attention_page, views::attention_tooltip, views::cell_words},
    {scene::Page::position, "Position", "how positions become vectors: columns, clocks, rotations",
     views::position_page, views::position_tooltip, views::position_words},
    {scene::Page::worked, "Worked example", "attention small enough to trace every number",
     views::worked_page, views::worked_tooltip, views::worked_words},
    {scene::Page::order, "Order", "shuffle the tokens; what changes, and what does not", views::order_page,
     views::order_tooltip, views::order_words},
    {scene::Page::variants, "Variants", "two settings of one sentence, side by side", views::variants_page,
     views::variants_tooltip, views::variants_words},
    {scene::Page::memory, "Memory", "linear attention, fast weights, Hopfield retrieval", views::memory_page,
     views::memory_tooltip, views::memory_words},
    {scene::Page::cost, "Cost", "operations, steps, paths, bytes and measured time", views::cost_page,
     views::cost_tooltip, views::cost_words},
    {scene::Page::block, "Block", "a Transformer block and a stack of them", views::block_page,
     views::block_tooltip, views::block_words},
    {scene::Page::bench, "Head bench", "two heads compared; heads switched off", views::bench_page,
     views::bench_tooltip, views::bench_words},
    {scene::Page::training, "Training", "heads learn while you watch", views::training_page,
     views::training_tooltip, views::training_words},
    {scene::Page::presets, "Presets", "examples of the sources with a verdict", views::presets_page,
     views::presets_tooltip, views::presets_words},

};

}  // namespace

std::span<const PageInfo> pages() {
  return all_pages;
}

const PageInfo& page_info(scene::Page page) {
  for (const PageInfo& info : all_pages) {
    if (info.page == page) return info;
  }
  return all_pages[0];
}

views::PageInput page_input(const Session& session, const draw::Theme& theme) {
  return {.scene = session.scene(),
          .results = session.results(),
          .cell = session.cell(),
          .hover = nullptr,
          .theme = theme,
          .map_view = {},
          .measured = session.timing().latest(),
          .training = session.training().latest()};
}

}  // namespace headlight::app
