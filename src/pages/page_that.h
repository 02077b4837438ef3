// Which page to open where a page cannot show something, and which one shows a run or plays: by what pages
// use, never by name. Tested in tests/scene/pages_test.cpp.
#pragma once

#include "pages/page.h"

namespace headlight::scene {

/// The page of a new scene. It is opened for what the open page does not show: the weights of any model and
/// any saved attention.
inline constexpr Page default_page = Page::attention;

/// The first page that has this use as the scene is set; the default page if none has it.
Page page_that(bool PageUses::*use, const Scene& scene = {});

}  // namespace headlight::scene
