// The pages, in the order of their tabs: PAGE(NAME, WORD, TRAITS). The code and the folder call a page NAME,
// scenes, lessons and the command line call it WORD, and understand NAME. TRAITS is what the scene below the
// pages has to know of it: none, or page_traits with | between them. What a page is stands in its folder:
// NAME_room in room.cpp, NAME_view in view/page_view.cpp.
#pragma once

namespace headlight::scene::page_traits {

inline constexpr unsigned none = 0;
inline constexpr unsigned opened = 1;    // shows a model of another program
inline constexpr unsigned saved = 2;     // shows saved attention: needs only weights
inline constexpr unsigned combined = 4;  // shows several chosen heads as one map

}  // namespace headlight::scene::page_traits

#define HEADLIGHT_PAGES(PAGE)                           \
  PAGE(attention, attention, opened | saved | combined) \
  PAGE(model, model, opened | saved)                    \
  PAGE(compare, bench, opened | saved)                  \
  PAGE(position, position, opened)                      \
  PAGE(order, order, opened)                            \
  PAGE(variants, variants, none)                        \
  PAGE(block, block, opened)                            \
  PAGE(softmax, softmax, none)                          \
  PAGE(worked, worked, none)                            \
  PAGE(presets, presets, none)                          \
  PAGE(training, training, none)                        \
  PAGE(cost, cost, none)                                \
  PAGE(memory, memory, none)
