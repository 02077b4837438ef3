// The pages, in the order of their tabs: PAGE(NAME, WORD, TRAITS). NAME is the page's name in the code and
// the name of its folder. WORD is its name in scenes, lessons and on the command line, which also accept
// NAME. TRAITS is what the code below the pages needs to know about it: none, or page_traits joined by |. The
// folder of a page defines NAME_room in room.cpp and NAME_view in view/page_view.cpp.
#pragma once

namespace headlight::scene::page_traits {

inline constexpr unsigned none = 0;
inline constexpr unsigned opened = 1;    // shows a model of another program
inline constexpr unsigned saved = 2;     // shows saved attention: needs only weights
inline constexpr unsigned combined = 4;  // shows several chosen heads as one map
inline constexpr unsigned predicts = 8;  // shows what follows the sentence: without a choice its last query

}  // namespace headlight::scene::page_traits

#define HEADLIGHT_PAGES(PAGE)                           \
  PAGE(attention, attention, opened | saved | combined) \
  PAGE(model, model, opened | saved | predicts)         \
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
