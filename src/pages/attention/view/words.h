// The words of the Attention page for what is under the pointer, and for the status line. They use only the
// results. Tested in tests/views/attention_words_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "draw/pick_canvas.h"
#include "kit/card.h"
#include "kit/page_input.h"

namespace headlight::views {

/// Returns 'row “sat”, column “cat”: 0.312 (head 2)'. `head` is 0-based; −1: the shown heads combined. Empty
/// when an index is out of range.
std::string cell_words(const PageInput& in, int head, int query, int key);
/// The same for the opened cell, for the status line; empty when no cell is open.
std::string cell_words(const PageInput& in);

/// Says what the filters leave out of the map: "not drawn: 2 of 8 queries, 2 of 8 keys, weights below 0.05;
/// 43.0 % of the row of “cat”". Empty: nothing.
std::string hidden_words(const PageInput& in);

/// Returns the finding of a card's slide: for the heads, which of them has the lowest entropy. Empty: the
/// opened cell is the finding.
std::string attention_finding(const PageInput& in, std::string_view card);

/// Adds an area whose tooltip explains this quantity.
void explains_mark(const Pen& pen, const std::string& quantity, draw::Box area);

/// Returns the lines of the tooltip for any mark of the Attention page, the mark's own note first. Empty: no
/// tooltip.
std::string attention_tooltip(const PageInput& in, const draw::Hit& hit);

}  // namespace headlight::views
