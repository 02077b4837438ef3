// The Block page: a stack of Transformer blocks, stage by stage.
// Tested in tests/views/block_page_test.cpp.
#pragma once

#include <span>
#include <string>

#include "kit/help.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Draws the page into `area`, laid out for its width. Returns the height that it needs; if this exceeds
/// area.h, the window scrolls.
float block_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// The question that the page answers.
std::string block_question(const PageInput& in);
/// Lines for the tooltip of any mark of the page; empty: none.
std::string block_tooltip(const PageInput& in, const draw::Hit& hit);
/// One line for the status bar.
std::string block_words(const PageInput& in);
std::string block_finding(const PageInput& in, std::string_view card);

/// The mathematics of its panels.
std::span<const HelpEntry> block_help();

namespace plain {
/// The page in words.
std::string describe_block(const PageInput& in, int keys);
}  // namespace plain

}  // namespace headlight::views
