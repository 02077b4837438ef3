// What a page shows in place of its cards while it has no results. Tested in
// tests/views/attention_layout_test.cpp, compare_page_test.cpp and order_page_test.cpp.
#pragma once

#include <algorithm>
#include <string>

#include "kit/card.h"

namespace headlight::views {

struct NoResultsWords {
  const char* failed = "";                    // title when something failed; the problem follows
  const char *computing = "", *appears = "";  // title and line while the results are computed
  const char* sentence = "";                  // line below "Type a sentence"
};

/// Says that the results cannot be computed, that they are being computed, or what to type. `problem` is
/// empty unless something failed. Returns the height of the page.
inline float no_results(const Pen& pen, Box area, const std::string& problem, bool computing,
                        const NoResultsWords& words) {
  const Box all{area.x, area.y, area.w, std::max(area.h, 80.f)};
  if (!problem.empty()) {
    placeholder(pen, all, words.failed, problem);
  } else if (computing) {
    placeholder(pen, all, words.computing, words.appears);
  } else {
    placeholder(pen, all, "Type a sentence", words.sentence);
  }
  return area.h;
}

}  // namespace headlight::views
