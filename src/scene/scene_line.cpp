#include "scene/scene_line.h"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "io/deflate.h"
#include "scene/named_files.h"
#include "scene/scene_json.h"
#include "scene/settings.h"

namespace headlight::scene {

namespace {

using io::Json;

constexpr std::string_view prefix = "headlight1:", any_version = "headlight";
constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr const char* origin = "the line";

std::string base64url(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j <= count; ++j) out += letters[group >> (18 - 6 * j) & 63];
  }
  return out;
}

/// The value of a letter; −1 for any other character.
int value_of(char c) {
  static const auto values = [] {
    std::array<signed char, 256> table;
    table.fill(-1);
    for (std::size_t i = 0; i < letters.size(); ++i)
      table[static_cast<unsigned char>(letters[i])] = static_cast<signed char>(i);
    return table;
  }();
  return values[static_cast<unsigned char>(c)];
}

/// `text` has letters only.
std::optional<std::string> from_base64url(std::string_view text) {
  std::string out;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    group = group << 6 | static_cast<std::uint32_t>(value_of(c));
    if ((bits += 6) >= 8) out += static_cast<char>(group >> (bits -= 8) & 255);
  }
  if (bits >= 6) return std::nullopt;  // a letter that carries no byte
  return out;
}

bool is_letter(char c) {
  return value_of(c) >= 0;
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// The letters after the prefix up to the first other character; with `over_blanks`, blanks are skipped.
std::string letters_of(std::string_view text, bool over_blanks) {
  std::string out;
  for (const char c : text) {
    if (is_letter(c)) {
      out += c;
    } else if (!over_blanks || !is_blank(c)) {
      break;
    }
  }
  return out;
}

base::Result<std::string> unpack(const std::string& packed) {
  const std::optional<std::string> bytes = from_base64url(packed);
  if (!bytes) return base::Error{"it ends unexpectedly"};
  return io::inflated(*bytes, largest_scene);
}

/// "headlight2:" when the text contains a line of another version.
std::string other_version(std::string_view text) {
  for (std::size_t at = text.find(any_version); at != std::string_view::npos;
       at = text.find(any_version, at + 1)) {
    std::size_t end = at + any_version.size();
    const std::size_t digits = end;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end > digits && end < text.size() && text[end] == ':') return std::string(text.substr(at, end - at));
  }
  return {};
}

}  // namespace

std::string to_line(const Scene& scene) {
  const Json all = as_json(without_folders(scene));
  static const Json defaults = as_json(written_defaults());
  Json changed = Json::object();
  for (const auto& item : all.items()) {
    if (!defaults.contains(item.key()) || defaults[item.key()] != item.value())
      changed[item.key()] = item.value();
  }
  return std::string(prefix) + base64url(io::deflated(changed.dump()));
}

bool has_line(std::string_view text) {
  const std::size_t at = text.find(prefix);
  return at != std::string_view::npos && at + prefix.size() < text.size() &&
         is_letter(text[at + prefix.size()]);
}

base::Result<Scene> from_line(std::string_view text) {
  if (!has_line(text)) {
    if (const std::string version = other_version(text); !version.empty() && version + ":" != prefix)
      return base::Error{"this line has a newer format (" + version + "); this program reads headlight1"};
    return base::Error{"not a scene line: a scene line is headlight1: followed by letters"};
  }
  const std::string_view behind = text.substr(text.find(prefix) + prefix.size());
  base::Result<std::string> json = unpack(letters_of(behind, false));
  if (!json) {
    // The line is broken over several lines. Words after it are not part of it, so the short way is tried
    // first.
    if (base::Result<std::string> joined = unpack(letters_of(behind, true)); joined) json = std::move(joined);
  }
  if (!json) return base::Error{"incomplete scene line: " + json.error() + "; copy it again"};
  return from_json(*json, origin);
}

}  // namespace headlight::scene
