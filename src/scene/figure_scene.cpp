#include "scene/figure_scene.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "io/files.h"
#include "io/gif.h"
#include "io/npz.h"
#include "scene/settings.h"

namespace headlight::scene {

namespace {

constexpr std::size_t largest_file = std::size_t(1) << 30;
constexpr const char* chunk = "headlight";
constexpr std::string_view scene_words = "headlight-scene ";  // before the scene, in a PDF and a GIF

bool starts_with(const std::string& text, std::string_view with) {
  return text.compare(0, with.size(), with) == 0;
}

base::Error no_scene(const std::string& origin, const char* what) {
  return {origin + ": this " + what + " has no scene of Headlight in it"};
}

base::Result<Scene> in_png(const std::string& bytes, const std::string& origin) {
  const auto picture = io::decode_png(bytes, origin);
  if (!picture) return base::Error{picture.error()};
  for (const auto& [keyword, text] : picture->metadata) {
    if (keyword == chunk) return from_json(text, origin);
  }
  return no_scene(origin, "picture");
}

base::Result<Scene> in_gif(const std::string& bytes, const std::string& origin) {
  const auto comment = io::gif_comment(bytes, origin, scene_words);
  if (!comment) return base::Error{comment.error()};
  if (comment->empty()) return no_scene(origin, "GIF");
  return from_json(comment->substr(scene_words.size()), origin);
}

/// The text between `from` and `to`; empty when either is missing.
std::string between(const std::string& bytes, std::string_view from, std::string_view to) {
  const std::size_t begin = bytes.find(from);
  if (begin == std::string::npos) return {};
  const std::size_t end = bytes.find(to, begin + from.size());
  if (end == std::string::npos) return {};
  return bytes.substr(begin + from.size(), end - begin - from.size());
}

std::string without_entities(std::string text) {
  constexpr std::pair<const char*, char> entities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}};  // & last
  for (const auto& [entity, c] : entities) {
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at)
      text.replace(at, std::string_view(entity).size(), 1, c);
  }
  return text;
}

base::Result<Scene> in_svg(const std::string& bytes, const std::string& origin) {
  const std::string text = between(bytes, "<metadata id=\"headlight-scene\">", "</metadata>");
  if (text.empty()) return no_scene(origin, "SVG");
  return from_json(without_entities(text), origin);
}

/// A literal string of a PDF, from behind its opening parenthesis.
std::string pdf_string(const std::string& bytes, std::size_t at) {
  std::string out;
  for (int depth = 1; at < bytes.size(); ++at) {
    char c = bytes[at];
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) break;
    if (c == '\\' && at + 1 < bytes.size()) {
      c = bytes[++at];
      if (c == 'n') c = '\n';
      if (c == '\n') continue;  // a line that goes on
    }
    out += c;
  }
  return out;
}

/// The ASCII of a hexadecimal string of a PDF, which is UTF-16, the high byte first.
std::string pdf_hex(const std::string& bytes, std::size_t at) {
  std::string out;
  for (; at + 4 <= bytes.size() && bytes[at] != '>'; at += 4)
    out += static_cast<char>(std::strtoul(bytes.substr(at + 2, 2).c_str(), nullptr, 16));
  return out;
}

/// "headlight-scene " as cairo writes it when the scene has a parenthesis or a backslash.
std::size_t find_in_hex(const std::string& bytes, std::string_view words) {
  for (const char* digits : {"0123456789abcdef", "0123456789ABCDEF"}) {
    std::string hex;
    for (const char c : words) hex += {'0', '0', digits[c >> 4], digits[c & 15]};
    if (const std::size_t at = bytes.find(hex); at != std::string::npos) return at + hex.size();
  }
  return std::string::npos;
}

base::Result<Scene> in_pdf(const std::string& bytes, const std::string& origin) {
  if (const std::size_t at = bytes.find("(" + std::string(scene_words)); at != std::string::npos)
    return from_json(pdf_string(bytes, at + 1 + scene_words.size()), origin);
  if (const std::size_t at = find_in_hex(bytes, scene_words); at != std::string::npos)
    return from_json(pdf_hex(bytes, at), origin);
  return no_scene(origin, "PDF");
}

/// A scene, or numbers that were exported with theirs.
base::Result<Scene> in_json(const std::string& bytes, const std::string& origin) {
  const auto json = nlohmann::json::parse(bytes, nullptr, false);
  if (!json.is_object() || json.contains("headlight")) return from_json(bytes, origin);
  const auto scene = json.find("scene");
  if (scene != json.end() && scene->is_object()) return from_json(scene->dump(), origin);
  if (json.contains("data") || json.contains("tensors")) return no_scene(origin, "file of numbers");
  return from_json(bytes, origin);
}

}  // namespace

std::string scene_as_json(const Scene& scene) {
  const auto json = nlohmann::ordered_json::parse(to_json(scene), nullptr, false);
  HEADLIGHT_CHECK(!json.is_discarded());
  return json.dump(-1, ' ', true);
}

io::Metadata png_metadata(const Scene& scene) {
  return {{"Software", "Headlight"}, {chunk, scene_as_json(scene)}};
}

std::string gif_comment(const Scene& scene) {
  return std::string(scene_words) + scene_as_json(scene);
}

base::Result<Scene> scene_in_bytes(const std::string& bytes, const std::string& origin) {
  if (starts_with(bytes, "\x89PNG")) return in_png(bytes, origin);
  if (starts_with(bytes, "%PDF-")) return in_pdf(bytes, origin);
  if (starts_with(bytes, "GIF8")) return in_gif(bytes, origin);
  if (starts_with(bytes, "PK")) {
    const auto text = io::read_zip_entry(bytes, "scene.json", origin);
    if (!text) return base::Error{text.error()};
    return from_json(*text, origin);
  }
  const std::size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string::npos && bytes[first] == '<') return in_svg(bytes, origin);
  return in_json(bytes, origin);
}

base::Result<Scene> scene_in_file(const std::filesystem::path& path) {
  const base::Result<std::string> bytes = io::read_file(path, largest_file);
  if (!bytes) return base::Error{bytes.error()};
  return scene_in_bytes(*bytes, path.string());
}

}  // namespace headlight::scene
