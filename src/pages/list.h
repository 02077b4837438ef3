// The pages, in the order of their tabs: PAGE(NAME, FOLDER). `NAME` is what scenes, lessons and the command
// line call it. What a page is stands in its folder: FOLDER_room in room.cpp, FOLDER_view in
// view/page_view.cpp.
#pragma once

#define HEADLIGHT_PAGES(PAGE) \
  PAGE(attention, attention)  \
  PAGE(position, position)    \
  PAGE(worked, worked)        \
  PAGE(softmax, softmax)      \
  PAGE(order, order)          \
  PAGE(variants, variants)    \
  PAGE(memory, memory)        \
  PAGE(cost, cost)            \
  PAGE(block, block)          \
  PAGE(bench, head_bench)     \
  PAGE(training, training)    \
  PAGE(presets, presets)
