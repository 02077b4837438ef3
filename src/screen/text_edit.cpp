#include "screen/text_edit.h"

#include <algorithm>

#include "base/utf8.h"

namespace headlight::screen {

namespace {

bool is_space(std::string_view text, std::size_t at) {
  return text[at] == ' ';
}

}  // namespace

std::string_view TextEdit::selected() const {
  return std::string_view(text_).substr(selection_begin(), selection_end() - selection_begin());
}

void TextEdit::set_text(std::string_view text) {
  text_ = base::well_formed(text);
  const std::size_t anchor = anchor_;
  place(caret_, false);
  const std::size_t caret = caret_;
  place(anchor, false);
  caret_ = caret;
}

void TextEdit::place(std::size_t at, bool select) {
  std::size_t boundary = 0;
  while (boundary < text_.size()) {
    const std::size_t after = next(boundary);
    if (after > at) break;
    boundary = after;
  }
  caret_ = boundary;
  if (!select) anchor_ = caret_;
}

void TextEdit::select_all() {
  anchor_ = 0, caret_ = text_.size();
}

void TextEdit::select_word(std::size_t at) {
  if (text_.empty()) return;
  place(std::min(at, text_.size() - 1), false);
  const bool space = is_space(text_, caret_);
  std::size_t begin = caret_, end = caret_;
  while (begin > 0 && is_space(text_, previous(begin)) == space) begin = previous(begin);
  while (end < text_.size() && is_space(text_, end) == space) end = next(end);
  anchor_ = begin, caret_ = end;
}

void TextEdit::backward(bool by_word, bool select) {
  if (!select && !by_word && anchor_ != caret_) {
    caret_ = anchor_ = selection_begin();
    return;
  }
  caret_ = by_word ? previous_word(caret_) : previous(caret_);
  if (!select) anchor_ = caret_;
}

void TextEdit::forward(bool by_word, bool select) {
  if (!select && !by_word && anchor_ != caret_) {
    caret_ = anchor_ = selection_end();
    return;
  }
  caret_ = by_word ? next_word(caret_) : next(caret_);
  if (!select) anchor_ = caret_;
}

void TextEdit::to_start(bool select) {
  caret_ = 0;
  if (!select) anchor_ = caret_;
}

void TextEdit::to_end(bool select) {
  caret_ = text_.size();
  if (!select) anchor_ = caret_;
}

void TextEdit::insert(std::string_view words) {
  std::string clean;
  for (const char32_t c : base::to_utf32(words)) {
    if (c == '\n' || c == '\t') {
      clean += ' ';
    } else if (c >= 0x20 && (c < 0x7F || c > 0x9F)) {
      base::append_utf8(clean, c);
    }
  }
  if (clean.empty()) return;
  const std::size_t begin = selection_begin();
  text_.replace(begin, selection_end() - begin, clean);
  // The inserted text may have joined the character after it (a base before its mark): the caret goes after
  // all of it.
  const std::size_t end = begin + clean.size();
  place(end, false);
  if (caret_ < end) caret_ = anchor_ = next(caret_);
}

void TextEdit::insert_line() {
  const std::size_t begin = selection_begin();
  text_.replace(begin, selection_end() - begin, "\n");
  place(begin + 1, false);
}

void TextEdit::erase_backward(bool by_word) {
  if (erase_selection()) return;
  erase(by_word ? previous_word(caret_) : previous(caret_), caret_);
}

void TextEdit::erase_forward(bool by_word) {
  if (erase_selection()) return;
  erase(caret_, by_word ? next_word(caret_) : next(caret_));
}

bool TextEdit::erase_selection() {
  if (caret_ == anchor_) return false;
  erase(selection_begin(), selection_end());
  return true;
}

void TextEdit::erase(std::size_t begin, std::size_t end) {
  text_.erase(begin, end - begin);
  place(begin, false);
}

std::size_t TextEdit::previous(std::size_t at) const {
  std::size_t boundary = 0;  // clusters are only known from the start
  while (boundary < at) {
    const std::size_t after = next(boundary);
    if (after >= at) break;
    boundary = after;
  }
  return boundary;
}

std::size_t TextEdit::next(std::size_t at) const {
  return at < text_.size() ? at + base::cluster_bytes(text_, at) : text_.size();
}

std::size_t TextEdit::previous_word(std::size_t at) const {
  while (at > 0 && text_[at - 1] == ' ') --at;
  while (at > 0 && text_[at - 1] != ' ') --at;
  return at;
}

std::size_t TextEdit::next_word(std::size_t at) const {
  while (at < text_.size() && text_[at] != ' ') ++at;
  while (at < text_.size() && text_[at] == ' ') ++at;
  return at;
}

}  // namespace headlight::screen
