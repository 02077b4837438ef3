// One line of text while it is being edited: the caret, the selection, and the effect of keys on them. It is
// independent of fonts and windows. The caret is always between two characters as a reader counts them (a
// letter with its marks, an emoji sequence). The app handles undo, since it keeps whole scenes. Tested in
// tests/screen/text_edit_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight::screen {

class TextEdit {
 public:
  const std::string& text() const { return text_; }
  std::size_t caret() const { return caret_; }  // bytes from the start of text()
  std::size_t anchor() const {
    return anchor_;
  }  // the other end of the selection; the caret if nothing is selected
  std::size_t selection_begin() const { return caret_ < anchor_ ? caret_ : anchor_; }
  std::size_t selection_end() const { return caret_ < anchor_ ? anchor_ : caret_; }
  std::string_view selected() const;

  /// Ill-formed bytes become U+FFFD. The caret keeps its position, or moves to the end if the text is
  /// shorter.
  void set_text(std::string_view text);
  /// Moves the caret to the character boundary at or before `at`; `select` keeps the anchor.
  void place(std::size_t at, bool select);
  void select_all();
  void select_word(std::size_t at);

  void backward(bool by_word, bool select);
  void forward(bool by_word, bool select);
  void to_start(bool select);
  void to_end(bool select);

  /// Replaces the selection. Line breaks and tabs become spaces; other control characters are dropped.
  void insert(std::string_view words);
  void insert_line();  // inserts a line break, where lines are allowed
  void erase_backward(bool by_word);
  void erase_forward(bool by_word);
  bool erase_selection();  // returns false if nothing is selected

 private:
  std::size_t previous(std::size_t at) const;
  std::size_t next(std::size_t at) const;
  std::size_t previous_word(std::size_t at) const;
  std::size_t next_word(std::size_t at) const;
  void erase(std::size_t begin, std::size_t end);

  std::string text_;
  std::size_t caret_ = 0, anchor_ = 0;
};

}  // namespace headlight::screen
