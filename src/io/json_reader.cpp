#include "io/json_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/one_line.h"
#include "base/utf8.h"
#include "io/mistaken.h"

namespace headlight::io {

namespace {

/// Builds the value from the parser's events, without recursion; exceeding a limit stops it.
class Builder {
 public:
  explicit Builder(const JsonKind& kind) : kind_(kind) {}

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(Json::number_integer_t value) { return put(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return put(value); }
  bool number_float(Json::number_float_t value, const Json::string_t&) { return put(value); }
  bool string(Json::string_t& value) { return put(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // does not occur in text
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool key(Json::string_t& name) {
    if (!counted()) return false;
    // Appends without looking for the name first, which would make the time quadratic in their number.
    static_cast<Json::object_t::Container&>(open_.back()->get_ref<Json::object_t&>())
        .emplace_back(std::move(name), nullptr);
    return true;
  }
  bool end_object() {
    const auto& object = open_.back()->get_ref<const Json::object_t&>();
    names_.clear();
    for (const auto& member : object) names_.push_back(&member.first);
    std::sort(names_.begin(), names_.end(), [](const auto* a, const auto* b) { return *a < *b; });
    const auto twice = std::adjacent_find(names_.begin(), names_.end(),
                                          [](const auto* a, const auto* b) { return *a == *b; });
    if (twice != names_.end()) return problem_ = base::in_quotes(**twice) + " occurs twice", false;
    open_.pop_back();
    return true;
  }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) {
    constexpr int out_of_range = 406;  // a number outside the range of double
    if (error.id == out_of_range) {
      problem_ = "it contains a number that is too large";
    } else {
      byte_ = byte;
    }
    return false;
  }

  Json& value() { return value_; }
  const std::string& problem() const { return problem_; }  // a limit, or a rule of ours
  std::size_t byte() const { return byte_; }               // where the JSON is invalid, counted from 1

 private:
  bool counted() {
    if (count_++ < kind_.most_values) return true;
    problem_ = "it has more than " + std::to_string(kind_.most_values) + " values";
    return false;
  }

  bool put(Json value) {
    if (!counted()) return false;
    (void)place(std::move(value));
    return true;
  }

  bool open(Json value) {
    if (open_.size() >= static_cast<std::size_t>(kind_.deepest))
      return problem_ = std::string("it is nested more deeply than a ") + kind_.name + " can be", false;
    if (!counted()) return false;
    open_.push_back(place(std::move(value)));
    return true;
  }

  /// An open value keeps its address: nothing is added next to it before it is closed.
  Json* place(Json&& value) {
    if (open_.empty()) return value_ = std::move(value), &value_;
    Json& in = *open_.back();
    Json* to = nullptr;
    if (in.is_array()) {
      to = &in.get_ref<Json::array_t&>().emplace_back(nullptr);
    } else {
      to = &in.get_ref<Json::object_t&>().back().second;
    }
    *to = std::move(value);
    return to;
  }

  const JsonKind& kind_;
  Json value_;
  std::vector<Json*> open_;
  std::vector<const std::string*> names_;
  std::size_t count_ = 0, byte_ = 0;
  std::string problem_;
};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Scans a text, recognizing only strings and brackets.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  void blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool take(std::string_view words) {
    if (text_.substr(at_, words.size()) != words) return false;
    at_ += words.size();
    return true;
  }
  bool done() const { return at_ == text_.size(); }

  /// Reads from the opening quote to the closing one; returns what is between them.
  std::optional<std::string_view> string() {
    if (!take("\"")) return std::nullopt;
    const std::size_t begin = at_;
    while (true) {
      at_ = std::min(text_.find_first_of("\"\\", at_), text_.size());
      if (at_ >= text_.size()) return std::nullopt;
      if (text_[at_] == '"') return text_.substr(begin, at_++ - begin);
      at_ = std::min(at_ + 2, text_.size());
    }
  }

  /// Reads a value with its brackets; empty if it does not end.
  std::string_view value() {
    const std::size_t begin = at_;
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        if (!string()) return {};
        if (depth == 0) break;
        continue;
      }
      if (depth == 0 && (c == ',' || c == ']' || c == '}' || is_blank(c))) break;
      if (c == '[' || c == '{') ++depth;
      ++at_;
      if ((c == ']' || c == '}') && --depth == 0) break;
    }
    return depth == 0 ? text_.substr(begin, at_ - begin) : std::string_view();
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string found(const Json& json) {
  if (json.is_string()) return base::in_quotes(json.get_ref<const std::string&>());
  if (json.is_array()) return "a list";
  if (json.is_object()) return "an object";
  return json.dump();
}

base::Result<Json> read_json(std::string_view text, const std::string& origin, const JsonKind& kind) {
  const std::string name = kind.name;
  if (text.size() > kind.most_bytes) {
    return base::Error{origin + ": not a " + name + ": it is larger than " + std::to_string(kind.most_bytes) +
                       " bytes"};
  }
  Builder builder(kind);
  if (Json::sax_parse(text, &builder)) return std::move(builder.value());
  if (!builder.problem().empty()) return base::Error{origin + ": not a " + name + ": " + builder.problem()};
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return base::Error{kind.file ? origin + ": the file is empty: write a " + name + " to it first"
                                 : origin + ": not a " + name + ": it is empty"};
  }
  if (const std::string is = mistaken_for(text); !is.empty())
    return base::Error{origin + ": not a " + name + ": " + is};
  if (builder.byte() > text.size())
    return base::Error{origin + ": invalid JSON: unexpected end of " + (kind.file ? "file" : name)};
  const auto place = [&](std::size_t at) {
    const std::string_view before = text.substr(0, at);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    return "line " + std::to_string(line) + ", column " +
           std::to_string(before.size() - (before.rfind('\n') + 1) + 1);
  };
  const std::size_t stop = builder.byte() > 0 ? builder.byte() - 1 : 0;
  // The parser may stop behind the beginning of a character that is none.
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool json = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  for (std::size_t at = stop - std::min<std::size_t>(stop, 3); json && at <= stop && at < text.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    if ((begins || at == stop) && !base::decode(text, at).valid)
      return base::Error{origin + ": not UTF-8 at " + place(at) + (kind.file ? ": save it as UTF-8" : "")};
  }
  // Programs that write JSON carelessly write these.
  const auto letter = [&](std::size_t at) {
    return at < text.size() && (text[at] | 32) >= 'a' && (text[at] | 32) <= 'z';
  };
  std::size_t begin = stop, end = stop;
  while (begin > 0 && letter(begin - 1)) --begin;
  while (letter(end)) ++end;
  const std::string_view word = text.substr(begin, end - begin);
  for (const auto& [wrong, right] : {std::pair{"NaN", "a number"},
                                     {"Infinity", "a number"},
                                     {"True", "true"},
                                     {"False", "false"},
                                     {"None", "null"}}) {
    if (word == wrong)
      return base::Error{origin + ": " + wrong + " at " + place(begin) + " is not JSON: write " + right};
  }
  return base::Error{origin + ": invalid JSON at " + place(stop)};
}

base::Result<Json> read_json_object(std::string_view text, const std::string& origin, const JsonKind& kind) {
  base::Result<Json> json = read_json(text, origin, kind);
  if (json && !json->is_object())
    return base::Error{origin + ": not a " + kind.name + ": expected a JSON object, found " + found(*json)};
  return json;
}

std::vector<std::string_view> members_of(std::string_view text, std::span<const std::string_view> names) {
  std::vector<std::string_view> out(names.size());
  const std::vector<std::string_view> nothing = out;
  Scanner scanner(text);
  (void)scanner.take("\xEF\xBB\xBF");
  scanner.blanks();
  if (!scanner.take("{")) return nothing;
  do {
    scanner.blanks();
    if (scanner.take("}")) break;
    const auto name = scanner.string();
    scanner.blanks();
    if (!name || !scanner.take(":")) return nothing;
    scanner.blanks();
    const std::string_view value = scanner.value();
    if (value.empty()) return nothing;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (*name == names[i]) out[i] = value;
    }
    scanner.blanks();
    if (scanner.take("}")) break;
    if (!scanner.take(",")) return nothing;
  } while (true);
  scanner.blanks();
  return scanner.done() ? out : nothing;
}

const Json* member(const Json& json, std::string_view name) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(std::string(name));
  return found == json.end() ? nullptr : &*found;
}

std::optional<std::int64_t> whole_number(const Json& json, std::int64_t low, std::int64_t high) {
  if (json.is_number_unsigned()) {
    const auto value = json.get<std::uint64_t>();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
  }
  std::int64_t value = 0;
  if (json.is_number_integer()) {
    value = json.get<std::int64_t>();
  } else if (json.is_number_float()) {
    constexpr double exact = 9007199254740992.0;  // up to here every whole number is an exact double
    const auto number = json.get<double>();
    if (!(std::abs(number) <= exact) || number != std::trunc(number)) return std::nullopt;
    value = static_cast<std::int64_t>(number);
  } else {
    return std::nullopt;
  }
  return value >= low && value <= high ? std::optional(value) : std::nullopt;
}

std::optional<double> finite_number(const Json& json, double low, double high) {
  if (!json.is_number()) return std::nullopt;
  const auto value = json.get<double>();
  return std::isfinite(value) && value >= low && value <= high ? std::optional(value) : std::nullopt;
}

}  // namespace headlight::io
