// The words of labels along the edges of a map, and how they are shortened: a label is whole, or has at least
// five letters and looks like no other one; else the position stands for it. Used by map_labels.cpp. Tested
// in tests/views/map_labels_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kit/map_labels.h"

namespace headlight::views::label {

inline constexpr std::size_t least_letters = 5;  // that are left of a word; fewer say less than its position
inline constexpr float least_on_paper = 7.5f;

/// Returns the size of labels. On paper they are as small as their columns, so that all columns have one.
float size_at(const Pen& pen, float pitch);
/// Returns the size that labels are drawn with, which is enlarged on a slide.
float size_on(const Pen& pen, float pitch);
/// Scales room for text of 12 units to the text on a slide.
float enlarged(const Pen& pen, float room);
/// Are there too many items to name them all? Then labels have their positions.
bool sparse(const Pen& pen, const TokenAxis& axis);

/// Do the labels of an edge have positions?
bool with_positions(const Pen& pen, const AxisNames& names, const TokenAxis& axis);

/// Returns the label of an item. Where only some tokens are named, it includes the token's position.
std::string label_of(const Pen& pen, const AxisNames& names, const TokenAxis& axis, int item);
TextStyle style_of(const Pen& pen, const AxisNames& names, const TokenAxis& axis, int item);

/// Returns the labels of items as they are written into the room of each. Only words are shortened, never
/// positions; different words that would look the same get their positions. `size` 0: the size of their
/// styles.
std::vector<std::string> shown(const Pen& pen, const AxisNames& names, const TokenAxis& axis,
                               const std::vector<int>& items, const std::vector<float>& rooms,
                               float size = 0);

/// Returns the room in which each of the labels is whole, or has five letters and looks like no other one.
float least_room(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const std::vector<int>& items,
                 float size);

/// Are five letters left of each of these words when they are cut to `most`, and does none look like another?
bool cut_well(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const std::vector<int>& items,
              float size, float most);

}  // namespace headlight::views::label
