#include "tokenizers/regex_syntax.h"

#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "tokenizers/unicode.h"

namespace headlight::tokenizers {

namespace {

// The content of [ ].
constexpr const char* white =
    R"(\x{9}-\x{D}\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";
constexpr const char* not_white =
    R"(\x{0}-\x{8}\x{E}-\x{1F}\x{21}-\x{84}\x{86}-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027})"
    R"(\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{10FFFF})";
constexpr const char* word =
    R"(\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}\x{1F170}-\x{1F189})";
constexpr const char* hexadecimal = "0-9a-fA-F";
constexpr const char* punctuation = R"(\p{P}$+<=>^`|~)";

constexpr std::array<std::pair<std::string_view, std::string_view>, 28> categories = {{
    {"letter", "L"},
    {"mark", "M"},
    {"number", "N"},
    {"punctuation", "P"},
    {"punct", "P"},
    {"symbol", "S"},
    {"separator", "Z"},
    {"other", "C"},
    {"uppercaseletter", "Lu"},
    {"lowercaseletter", "Ll"},
    {"titlecaseletter", "Lt"},
    {"modifierletter", "Lm"},
    {"otherletter", "Lo"},
    {"nonspacingmark", "Mn"},
    {"spacingmark", "Mc"},
    {"enclosingmark", "Me"},
    {"decimalnumber", "Nd"},
    {"digit", "Nd"},
    {"letternumber", "Nl"},
    {"othernumber", "No"},
    {"connectorpunctuation", "Pc"},
    {"dashpunctuation", "Pd"},
    {"openpunctuation", "Ps"},
    {"closepunctuation", "Pe"},
    {"spaceseparator", "Zs"},
    {"control", "Cc"},
    {"format", "Cf"},
    {"unassigned", "Cn"},
}};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
char other_case(char c) {
  return static_cast<char>(c ^ 0x20);
}

class Translation {
 public:
  explicit Translation(std::string_view in) : in_(in) {}

  base::Result<std::string> all() {
    while (at_ < in_.size() && error_.empty()) one();
    if (!error_.empty()) return base::Error{error_};
    return std::move(out_);
  }

 private:
  struct Group {
    bool caseless;
    std::size_t begins;  // position in out_
  };

  char peek(std::size_t ahead = 0) const { return at_ + ahead < in_.size() ? in_[at_ + ahead] : '\0'; }
  bool begins(std::string_view what) const { return in_.substr(at_, what.size()) == what; }

  void one() {
    const char c = in_[at_];
    if (c == '\\') return escape();
    if (c == '[') {
      atom_ = out_.size();
      std::string inside;
      const bool negated = char_class(inside);
      out_ += (negated ? "[^" : "[") + inside + "]";
      return;
    }
    if (c == '(') return open();
    if (c == ')') {
      ++at_;
      if (!groups_.empty()) {
        caseless_ = groups_.back().caseless;
        atom_ = groups_.back().begins;
        groups_.pop_back();
      }
      out_ += ')';
      return;
    }
    if (c == '{') return repeat();
    if (c == '*' || c == '+' || c == '?' || c == '|' || c == '^' || c == '$') {
      out_ += c;
      ++at_;
      return;
    }
    atom_ = out_.size();
    if (caseless_ && is_letter(c)) {
      out_ += std::string("[") + c + other_case(c) + "]";
      ++at_;
      return;
    }
    const std::size_t length = utf8_length(c);
    out_ += in_.substr(at_, length);
    at_ += length;
  }

  /// Translates {n,m}; a + after it repeats it.
  void repeat() {
    std::size_t end = at_ + 1;
    while (end < in_.size() && (std::isdigit(static_cast<unsigned char>(in_[end])) != 0 || in_[end] == ','))
      ++end;
    const std::string_view inside = in_.substr(at_ + 1, end - at_ - 1);
    if (end >= in_.size() || in_[end] != '}' || inside.empty() || inside == ",") {
      atom_ = out_.size();
      out_ += "\\{";
      ++at_;
      return;
    }
    out_ += (inside[0] == ',' ? "{0" : "{") + std::string(inside) + "}";
    at_ = end + 1;
    if (peek() == '+') {
      out_.insert(atom_, "(?:");
      out_ += ')';
    }
  }

  void open() {
    groups_.push_back({caseless_, out_.size()});
    ++at_;
    out_ += '(';
    if (peek() != '?') return;
    if (begins("?<") && peek(2) != '=' && peek(2) != '!') {  // a name
      const std::size_t end = std::min(in_.find('>', at_), in_.size() - 1);
      out_ += in_.substr(at_, end + 1 - at_);
      at_ = end + 1;
      return;
    }
    if (begins("?#")) {
      const std::size_t end = std::min(in_.find(')', at_), in_.size());
      out_ += in_.substr(at_, end - at_);
      at_ = end;
      return;
    }
    // Options: i is translated, m is PCRE2's s.
    std::size_t end = at_ + 1;
    bool off = false, caseless = caseless_;
    std::string rest;
    for (; end < in_.size() && (in_[end] == '-' || is_letter(in_[end])); ++end) {
      if (in_[end] == '-') off = true;
      if (in_[end] == 'i') {
        caseless = !off;
      } else {
        rest += in_[end] == 'm' ? 's' : in_[end];
      }
    }
    const char closing = end < in_.size() ? in_[end] : '\0';
    if (end == at_ + 1 || (closing != ':' && closing != ')')) {
      // The marks of (?: (?= (?! (?> (?<= (?<! are not atoms.
      std::size_t marks = at_ + 1;
      while (marks < in_.size() && marks < at_ + 3 &&
             std::string_view(":=!><|").find(in_[marks]) != std::string_view::npos) {
        const bool last = in_[marks] != '<';
        ++marks;
        if (last) break;
      }
      out_ += in_.substr(at_, marks - at_);
      at_ = marks;
      return;
    }
    if (rest == "-") rest.clear();
    at_ = end + 1;
    caseless_ = caseless;
    out_ += "?" + rest;
    if (closing == ':') {
      out_ += ':';
      return;
    }
    groups_.pop_back();  // to the end of its group
    out_ += rest.empty() ? ":)" : ")";
  }

  void escape() {
    const char c = peek(1);
    const std::string in_word = std::string("[") + word + "]";
    const std::string behind = "(?<=" + in_word + ")", before = "(?=" + in_word + ")";
    const std::string not_behind = "(?<!" + in_word + ")", not_before = "(?!" + in_word + ")";
    atom_ = out_.size();
    if (c == 'b') {
      out_ += "(?:" + behind + not_before + "|" + not_behind + before + ")";
      at_ += 2;
    } else if (c == 'B') {
      out_ += "(?:" + behind + before + "|" + not_behind + not_before + ")";
      at_ += 2;
    } else if (const std::string inside = set(c); !inside.empty()) {
      out_ += "[" + inside + "]";
      at_ += 2;
    } else if (c == 'W' || c == 'H') {
      out_ += std::string("[^") + (c == 'W' ? word : hexadecimal) + "]";
      at_ += 2;
    } else {
      other_escape(out_);
    }
  }

  /// Returns the meaning of \c inside [ ]; empty: something else.
  static std::string set(char c) {
    switch (c) {
      case 's':
        return white;
      case 'S':
        return not_white;
      case 'w':
        return word;
      case 'h':
        return hexadecimal;
      default:
        return {};
    }
  }

  /// Translates \p{…}, \uHHHH, and everything that PCRE2 writes the same way.
  void other_escape(std::string& out) {
    const char c = peek(1);
    if (at_ + 1 >= in_.size()) {
      error_ = "it ends with \\";
      return;
    }
    if ((c == 'p' || c == 'P') && peek(2) == '{') {
      const std::size_t end = in_.find('}', at_);
      if (end != std::string_view::npos) {
        std::string_view name = in_.substr(at_ + 3, end - at_ - 3);
        bool negated = c == 'P';
        if (!name.empty() && name[0] == '^') negated = !negated, name.remove_prefix(1);
        out += (negated ? "\\P{" : "\\p{") + category(name) + "}";
        at_ = end + 1;
        return;
      }
    }
    if (c == 'u') {
      out += "\\x{" + std::string(in_.substr(at_ + 2, 4)) + "}";
      at_ = std::min(at_ + 6, in_.size());
      return;
    }
    if (c == 'x' && peek(2) == '{') {
      const std::size_t end = std::min(in_.find('}', at_), in_.size() - 1) + 1;
      out += in_.substr(at_, end - at_);
      at_ = end;
      return;
    }
    const std::size_t length = 1 + utf8_length(c);
    out += in_.substr(at_, length);
    at_ += length;
  }

  static std::string category(std::string_view name) {
    std::string plain;
    for (const char c : name) {
      if (c != '_' && c != ' ' && c != '-')
        plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    for (const auto& [longer, shorter] : categories) {
      if (plain == longer) return std::string(shorter);
    }
    return std::string(name);
  }

  /// Reads from [ to after its ]; appends the content. Returns true for [^ ].
  bool char_class(std::string& out, int depth = 0) {
    ++at_;
    const bool negated = peek() == '^';
    if (negated) ++at_;
    for (bool first = true; error_.empty(); first = false) {
      if (at_ >= in_.size()) {
        error_ = "a class has no ]";
      } else if (in_[at_] == ']' && !first) {
        ++at_;
        break;
      } else if (in_[at_] == ']') {
        out += "\\]";
        ++at_;
      } else if (begins("&&")) {
        error_ = "a class with &&";
      } else if (begins("[:") && in_.find(":]", at_) != std::string_view::npos) {
        posix(out);
      } else if (in_[at_] == '[') {
        if (depth > 20) error_ = "classes nest too deeply";
        if (error_.empty() && char_class(out, depth + 1)) error_ = "a negated class inside another";
      } else if (in_[at_] == '\\') {
        class_escape(out);
      } else {
        class_letter(out);
      }
    }
    return negated;
  }

  void posix(std::string& out) {
    const std::size_t end = in_.find(":]", at_) + 2;
    const std::string_view name = in_.substr(at_, end - at_);
    if (name == "[:space:]") {
      out += white;
    } else if (name == "[:punct:]") {
      out += punctuation;
    } else if (name == "[:word:]") {
      out += word;
    } else {
      out += name;
    }
    at_ = end;
  }

  void class_escape(std::string& out) {
    const char c = peek(1);
    if (const std::string inside = set(c); !inside.empty()) {
      out += inside;
      at_ += 2;
    } else if (c == 'W' || c == 'H') {
      error_ = std::string("\\") + c + " inside a class";
    } else {
      other_escape(out);
    }
  }

  void class_letter(std::string& out) {
    const char c = in_[at_];
    const char to = peek(2);
    const bool range = peek(1) == '-' && to != ']' && to != '\\' && to != '[' && to != '\0';
    if (caseless_ && is_letter(c)) {
      if (range && is_letter(to)) {
        out += {c, '-', to, other_case(c), '-', other_case(to)};
        at_ += 3;
        return;
      }
      if (!range) out += other_case(c);
    }
    const std::size_t length = utf8_length(c);
    out += in_.substr(at_, length);
    at_ += length;
  }

  std::string_view in_;
  std::string out_, error_;
  std::size_t at_ = 0, atom_ = 0;  // atom_: where the operand of a repetition begins in out_
  bool caseless_ = false;
  std::vector<Group> groups_;
};

}  // namespace

base::Result<std::string> to_pcre2(std::string_view expression) {
  return Translation(expression).all();
}

}  // namespace headlight::tokenizers
