#include "app/pages.h"

#include "views/attention_page.h"
#include "views/attention_words.h"
#include "views/position_page.h"

namespace headlight::app {

namespace {

constexpr PageInfo all_pages[] = {
    {scene::Page::attention, "Attention", "which token attends to which, in every head",
     views::attention_page, views::attention_tooltip, views::cell_words},
    {scene::Page::position, "Position", "how positions become vectors: columns, clocks, rotations",
     views::position_page, views::position_tooltip, views::position_words},
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

}  // namespace headlight::app
