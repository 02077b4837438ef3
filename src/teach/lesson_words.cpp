#include "teach/lesson_words.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/utf8.h"
#include "scene/nearest.h"

namespace headlight::scene {

namespace {

constexpr std::pair<std::string_view, Emphasis> roles[] = {{"query", Emphasis::query},
                                                           {"key", Emphasis::key},
                                                           {"value", Emphasis::value},
                                                           {"offset", Emphasis::offset},
                                                           {"button", Emphasis::button}};

constexpr std::size_t longest_role = 24;  // of a mistyped role

class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  base::Result<Paragraph> read() {
    while (at_ < text_.size() && error_.empty()) {
      const char c = text_[at_];
      if (c == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        take();
      } else if (text_.substr(at_).starts_with("**")) {
        flush(), at_ += 2;
        style_.emphasis = style_.emphasis == Emphasis::bold ? Emphasis::plain : Emphasis::bold;
      } else if (c == '$') {
        flush(), ++at_;
        style_.maths = !style_.maths;
      } else if (c == '[') {
        role();
      } else if (c == ']' && inside_role_) {
        flush(), ++at_;
        style_.emphasis = Emphasis::plain, inside_role_ = false;
      } else if (c == '{') {
        number();
      } else if (style_.maths && (c == '_' || c == '^')) {
        script();
      } else {
        take();
      }
    }
    flush();
    if (error_.empty() && style_.emphasis == Emphasis::bold) error_ = "** is not closed";
    if (error_.empty() && style_.maths) error_ = "$ is not closed";
    if (error_.empty() && inside_role_) error_ = "[ is not closed";
    if (!error_.empty()) return base::Error{error_};
    return std::move(out_);
  }

 private:
  void take() {
    const std::size_t bytes = base::decode(text_, at_).bytes;
    style_.text.append(text_.substr(at_, bytes));
    at_ += bytes;
  }

  void flush() {
    if (!style_.text.empty()) out_.push_back({style_, std::nullopt});
    style_.text.clear();
  }

  std::string near() const { return in_quotes(text_.substr(at_, 24)); }

  void role() {
    // No role is longer, so a distant colon is ignored.
    const std::string_view near_by = text_.substr(at_, 1 + longest_role + 1);
    const std::size_t colon = near_by.find(':');
    for (const auto& [word, emphasis] : roles) {
      if (colon == std::string_view::npos || near_by.substr(1, colon - 1) != word) continue;
      if (inside_role_ || style_.emphasis == Emphasis::bold) {
        error_ = "a [ inside another mark at " + near();
        return;
      }
      flush();
      at_ += colon + 1;
      while (at_ < text_.size() && text_[at_] == ' ') ++at_;
      style_.emphasis = emphasis, inside_role_ = true;
      return;
    }
    // [0.39, 0.22] is not a mark; a mistyped role is an error.
    if (colon != std::string_view::npos && colon < near_by.find_first_of("] ")) {
      error_ = "expected [query: …], [key: …], [value: …], [offset: …] or [button: …], found " + near();
      return;
    }
    take();
  }

  void number() {
    const std::size_t end = text_.find('}', at_);
    if (end == std::string_view::npos) {
      error_ = "{ is not closed at " + near();
      return;
    }
    flush();
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    std::size_t sign = std::string_view::npos;
    for (const std::string_view relation : {" = ", " < ", " > "})
      sign = std::min(sign, inside.find(relation));
    WordNumber number;
    std::string_view digits = inside.substr(0, sign);
    constexpr std::string_view at_start = " at start";
    if (sign != std::string_view::npos && inside[sign + 1] == '=' && digits.ends_with(at_start)) {
      digits.remove_suffix(at_start.size());
      number.at_start = true;
    }
    auto written = parse_number(digits);
    if (!written) {
      error_ = written.error();
      return;
    }
    number.written = std::move(*written);
    if (sign != std::string_view::npos) {
      auto quantity = parse_quantity(inside.substr(sign + 3));
      if (!quantity) {
        error_ = quantity.error();
        return;
      }
      // "0.5 > entropy" means that the quantity is below 0.5.
      const char relation = inside[sign + 1];
      number.claim = Claim{std::move(*quantity),
                           relation == '>'   ? Relation::below
                           : relation == '<' ? Relation::above
                                             : Relation::equal,
                           number.written, std::nullopt};
    }
    number.from = at_, number.to = end + 1;
    WordRun run = style_;
    run.text = number.written.text;
    if (run.text.starts_with('-')) run.text.replace(0, 1, "−");
    run.counts = number.claim.has_value() && !number.at_start;
    out_.push_back({std::move(run), std::move(number)});
    at_ = end + 1;
  }

  /// One character, or the text in braces, as a subscript or superscript.
  void script() {
    flush();
    style_.script = text_[at_] == '_' ? -1 : 1;
    ++at_;
    if (at_ < text_.size() && text_[at_] == '{') {
      const std::size_t end = text_.find('}', at_);
      if (end == std::string_view::npos) {
        error_ = "{ is not closed at " + near();
        return;
      }
      style_.text = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else if (at_ < text_.size()) {
      take();
    }
    flush();
    style_.script = 0;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  WordRun style_;
  bool inside_role_ = false;
  Paragraph out_;
  std::string error_;
};

}  // namespace

base::Result<Paragraph> parse_words(std::string_view text) {
  return WordReader(text).read();
}

base::Result<std::vector<WordNumber>> numbers_of_notes(std::string_view notes) {
  std::vector<WordNumber> out;
  for (std::size_t at = 0; (at = notes.find('{', at)) != std::string_view::npos;) {
    if (at > 0 && notes[at - 1] == '\\') {  // the character itself
      ++at;
      continue;
    }
    const std::size_t end = std::min(notes.find('}', at), notes.size() - 1) + 1;
    auto parsed = parse_words(notes.substr(at, end - at));
    if (!parsed) return base::Error{parsed.error()};
    WordNumber number = std::move(*parsed->front().number);
    number.from = at, number.to = end;
    out.push_back(std::move(number));
    at = end;
  }
  return out;
}

std::string notes_text(const std::string& notes, const QuantitySource* from) {
  const auto numbers = numbers_of_notes(notes);
  if (!numbers) return notes;
  std::string out;
  std::size_t at = 0;
  const auto plain = [&](std::size_t to) {
    for (; at < to; ++at)
      if (notes.compare(at, 2, "\\{") != 0) out += notes[at];
  };
  for (const WordNumber& number : *numbers) {
    plain(number.from);
    const auto runs = word_runs(*parse_words(notes.substr(number.from, number.to - number.from)), from);
    for (const WordRun& run : runs) out += run.text;
    at = number.to;
  }
  plain(notes.size());
  return out;
}

std::vector<WordRun> word_runs(const Paragraph& paragraph, const QuantitySource* from) {
  std::vector<WordRun> out;
  for (const WordPart& part : paragraph) {
    out.push_back(part.run);
    if (!part.number || !part.number->claim || !from || part.number->at_start ||
        part.number->claim->relation != Relation::equal)
      continue;
    const double value = quantity_value(part.number->claim->left, *from);
    if (!std::isnan(value)) {
      out.back().text = written_like(value, part.number->written);
    } else if (names_nothing(part.number->claim->left, *from)) {
      out.back().text = "–";  // a token or head that does not exist has no number
    }
  }
  return out;
}

}  // namespace headlight::scene
