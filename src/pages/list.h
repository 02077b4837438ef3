// The pages, in the order of their tabs: PAGE(NAME, FOLDER). `NAME` is what scenes, lessons and the command
// line call it. What a page is stands in its folder: FOLDER_room in room.cpp, FOLDER_view in
// view/page_view.cpp.
#pragma once

#define HEADLIGHT_PAGES(PAGE) \
  PAGE(attention, attention)  \
  PAGE(model, model)          \
  PAGE(bench, head_bench)     \
  PAGE(position, position)    \
  PAGE(order, order)          \
  PAGE(variants, variants)    \
  PAGE(block, block)          \
  PAGE(softmax, softmax)      \
  PAGE(worked, worked)        \
  PAGE(presets, presets)      \
  PAGE(training, training)    \
  PAGE(cost, cost)            \
  PAGE(memory, memory)
