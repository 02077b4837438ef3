#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "base/one_line.h"
#include "base/utf8.h"
#include "tokenizers/normalizer.h"
#include "tokenizers/unicode.h"

namespace headlight::tokenizers {

namespace {

std::optional<std::string> from_base64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    std::uint32_t value = 0;
    if (c >= 'A' && c <= 'Z')
      value = static_cast<std::uint32_t>(c - 'A');
    else if (c >= 'a' && c <= 'z')
      value = static_cast<std::uint32_t>(c - 'a') + 26;
    else if (c >= '0' && c <= '9')
      value = static_cast<std::uint32_t>(c - '0') + 52;
    else if (c == '+')
      value = 62;
    else if (c == '/')
      value = 63;
    else
      return std::nullopt;
    bits = bits << 6 | value;
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>(bits >> count & 0xFF);
    }
  }
  return out;
}

/// A unit of a double array (darts-clone): label or value, whether a word ends, the offset to the children.
struct Unit {
  std::uint32_t bits;
  bool ends() const { return (bits >> 8 & 1) != 0; }
  std::uint32_t value() const { return bits & 0x7FFFFFFFu; }
  std::uint32_t label() const { return bits & 0x800000FFu; }
  std::uint32_t offset() const { return bits >> 10 << ((bits & 0x200u) >> 6); }
};

struct Precompiled : Normalizer {
  std::vector<Unit> units;
  std::string texts;  // each ends with a zero byte

  /// Returns the replacement of `part`: that of its shortest prefix in the table.
  std::optional<std::string_view> replacement(std::string_view part) const {
    std::size_t node = 0;
    if (units.empty()) return std::nullopt;
    node ^= units[0].offset();
    for (const char c : part) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte == 0) return std::nullopt;
      node ^= byte;
      if (node >= units.size() || units[node].label() != byte) return std::nullopt;
      const Unit unit = units[node];
      node ^= unit.offset();
      if (!unit.ends()) continue;
      if (node >= units.size() || units[node].value() >= texts.size()) return std::nullopt;
      const std::string_view rest = std::string_view(texts).substr(units[node].value());
      return rest.substr(0, rest.find('\0'));
    }
    return std::nullopt;
  }

  base::Status apply(AlignedText& text) const override {
    constexpr std::size_t looked_up_whole = 5;  // bytes that are looked up as a whole
    AlignedText out;
    out.reserve(text.text.size());
    for (std::size_t at = 0; at < text.text.size();) {
      const std::size_t end = at + base::cluster_bytes(text.text, at);
      const std::string_view cluster = std::string_view(text.text).substr(at, end - at);
      if (cluster.size() <= looked_up_whole) {
        if (const auto whole = replacement(cluster)) {
          replace(out, text, at, end, *whole);
          at = end;
          continue;
        }
      }
      while (at < end) {
        const std::size_t next = at + utf8_length(text.text[at]);
        if (const auto one = replacement(std::string_view(text.text).substr(at, next - at))) {
          replace(out, text, at, next, *one);
        } else {
          out.keep(text, at, next);
        }
        at = next;
      }
    }
    text = std::move(out);
    return {};
  }

  static void replace(AlignedText& out, const AlignedText& text, std::size_t begin, std::size_t end,
                      std::string_view by) {
    if (std::string_view(text.text).substr(begin, end - begin) == by) {
      out.keep(text, begin, end);
    } else {
      out.put(by, text.range(begin, end));
    }
  }
};

}  // namespace

NormalizerRead read_precompiled(const std::string& base64, const std::string& where) {
  const auto broken = [&](const char* what) {
    return base::Error{base::one_line(where + ": precompiled_charsmap: " + what)};
  };
  const auto bytes = from_base64(base64);
  if (!bytes) return broken("expected base64");
  auto table = std::make_shared<Precompiled>();
  if (bytes->empty()) return std::shared_ptr<const Normalizer>(table);
  std::uint32_t size = 0;
  if (bytes->size() < sizeof size) return broken("it ends before its table");
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>((*bytes)[at + i]);
    return value;
  };
  size = word(0);
  if (size % 4 != 0 || size > bytes->size() - 4) return broken("its table is longer than its data");
  for (std::size_t at = 4; at < 4 + std::size_t(size); at += 4) table->units.push_back({word(at)});
  table->texts = bytes->substr(4 + size);
  if (first_bad_byte(table->texts)) return broken("its replacements are not UTF-8");
  return std::shared_ptr<const Normalizer>(table);
}

}  // namespace headlight::tokenizers
