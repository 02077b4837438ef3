// What a setting is: its name, its words, its range, and the types that a setting may have besides bool, int,
// double and std::string. Each struct of settings names its fields once, in a function fields(struct, visit).
#pragma once

#include <string>
#include <vector>

namespace headlight::scene {

/// Masks that apply together; "none", "causal", "causal+window", …
struct MaskSet {
  bool causal = false, window = false, valid_length = false;
  bool operator==(const MaskSet&) const = default;
};

/// A short list of numbers, "0,5,10". For selections.
using IndexList = std::vector<int>;

/// The part of the settings panel that shows a field; `none`: its control is on the page, not in the panel.
enum class Group {
  none,
  model,
  position,
  scores,
  shown,
  encoding,
  motion,
  own,  // settings of one page
  interface
};

struct Field {
  const char* name;   // stable: JSON, command line
  const char* label;  // in the panel
  const char* help;   // one line
  Group group = Group::none;
  double min = 0, max = 0;  // numbers: both inclusive
  bool logarithmic = false;
  bool computes = false;  // results depend on it
};

/// The words of an enumeration, in the order of its values. Specialised below for each enumeration.
template <class E>
struct Words;
template <class E>
constexpr const char* word(E value) {
  return Words<E>::list[static_cast<int>(value)];
}
template <class E>
concept Worded = requires {
  Words<E>::list;
};

}  // namespace headlight::scene
