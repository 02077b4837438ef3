// What a setting is: its name, its words, its range, and the types that a setting may have besides bool, int,
// double and std::string. Each struct of settings names its fields once, in a function fields(struct, visit).
#pragma once

#include <string>
#include <vector>

namespace headlight::nn {
struct ModelConfig;
}

namespace headlight::scene {

/// Masks that apply together; "none", "causal", "causal+window", …
struct MaskSet {
  bool causal = false, window = false, valid_length = false;
  bool operator==(const MaskSet&) const = default;
};

/// A short list of numbers, "0,5,10". For selections.
using IndexList = std::vector<int>;

/// The list of a scene in which no query was chosen: `auto` in text, null in JSON. pinned() in pinned.h says
/// which query is then shown. It is no index of a query, and differs from the empty list, which pins none.
inline constexpr int automatic_index = -2;
inline IndexList automatic_choice() {
  return {automatic_index};
}
inline bool is_automatic(const IndexList& list) {
  return list.size() == 1 && list.front() == automatic_index;
}

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

struct Scene;
struct Results;

/// Both ends belong to it.
struct Range {
  double min = 0, max = 0;
};

/// What a text names, so that a control can list or ask for it.
enum class TextNames {
  nothing,
  model,            // an included model, or a file with a model or saved attention
  saved_attention,  // a file
  text              // a file or a folder of texts
};

/// Which models give a setting, so that its own value does not count (given_by_model() in settings.h).
enum GivenBy : unsigned {
  own_model = 1,     // one of Headlight's
  own_head = 2,      // one of Headlight's whose head the Memory page can show
  shown_model = 4,   // an opened one, or saved attention, on pages that show it
  opened_model = 8,  // an opened one, on every page
};

struct Field {
  const char* name;   // stable: JSON, command line
  const char* label;  // in the panel
  const char* help;   // one line
  Group group = Group::none;
  /// The setting behind which it stands, in the panel and in files, where that is not the one listed before.
  const char* after = nullptr;
  const char* also = "";    // further words by which the palette finds it
  double min = 0, max = 0;  // numbers
  bool logarithmic = false;
  bool computes = false;  // results depend on it
  bool checked = false;   // check() in settings.h has a rule for it and other settings
  TextNames names = TextNames::nothing;
  unsigned given_by = 0;  // of GivenBy
  /// The number that one of Headlight's models has in place of the setting's, where it may be a fraction and
  /// the setting is a whole number. Null: every number of a model is possible for the setting.
  double (*model_number)(const nn::ModelConfig& config) = nullptr;

  // What its control depends on. A page has rules for its own settings in its PageRoom (pages/page.h).
  bool of_saved = true;              // false: saved attention has none of it
  bool of_saved_batch = false;       // has an effect only for saved attention of several sequences
  bool of_layer = false;             // has an effect only where a page shows one layer of the model
  bool of_random = false;            // only what is drawn at random depends on it: a model has none
  bool to_the_last = false;          // a number beyond the useful ones stands for the last of them
  bool long_words = false;           // its words do not fit beside each other
  bool labelled_by_heading = false;  // the heading above its control already says what it is
  const char* below_zero = nullptr;  // what a slider writes in the place of a number below 0,
  const char* at_zero = nullptr;     // and of 0
  /// False if the setting has no effect in this scene, so that no control is shown. Null: it always has one.
  bool (*applies)(const Scene& scene) = nullptr;
  /// The range of numbers that make a difference at present. Null: all from `min` to `max`.
  Range (*useful)(const Field& field, const Scene& scene, const Results& results) = nullptr;
  /// The only numbers that are possible. Null: every number in the range is.
  std::vector<int> (*possible)(const Scene& scene) = nullptr;
  /// False if the word with this index cannot be chosen at present. Null: every word can.
  bool (*offers)(int word, const Scene& scene, const Results& results) = nullptr;
};

/// The words of an enumeration, in the order of its values: `list` for scene files and the command line, and,
/// where a button writes one of them in another way than with blanks for underscores, `labels` for buttons.
/// Specialised beside each enumeration.
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
