#include "scene/figure_scene.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "io/files.h"
#include "io/gif.h"
#include "io/mistaken.h"
#include "io/npz.h"
#include "models/opened_model.h"
#include "scene/field_values.h"
#include "scene/named_files.h"
#include "scene/portable.h"
#include "scene/saved_attention.h"
#include "scene/scene_json.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

constexpr std::size_t largest_file = std::size_t(1) << 28;
constexpr std::size_t longest_entity = 6;  // "&quot;"
constexpr const char* chunk = "headlight";
constexpr std::string_view scene_words = "headlight-scene ";  // before the scene, in a PDF and a GIF

bool starts_with(const std::string& text, std::string_view with) {
  return text.compare(0, with.size(), with) == 0;
}

base::Error no_scene(const std::string& origin, const char* what) {
  return {origin + ": this " + what + " contains no Headlight scene"};
}

base::Error too_large(const std::string& origin) {
  return {origin + ": its scene is larger than " + std::to_string(largest_scene) + " bytes"};
}

base::Result<Scene> in_png(const std::string& bytes, const std::string& origin) {
  const auto text = io::text_in_png(bytes, origin, chunk);
  if (!text) return base::Error{text.error()};
  if (text->empty()) return no_scene(origin, "picture");
  return from_json(*text, origin);
}

base::Result<Scene> in_gif(const std::string& bytes, const std::string& origin) {
  const auto comment = io::gif_comment(bytes, origin, scene_words);
  if (!comment) return base::Error{comment.error()};
  if (comment->empty()) return no_scene(origin, "GIF");
  return from_json(comment->substr(scene_words.size()), origin);
}

/// The text between `from` and `to`; empty when either is missing.
std::string_view between(std::string_view bytes, std::string_view from, std::string_view to) {
  const std::size_t begin = bytes.find(from);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = bytes.find(to, begin + from.size());
  if (end == std::string_view::npos) return {};
  return bytes.substr(begin + from.size(), end - begin - from.size());
}

/// Works in one pass, so that "&amp;lt;" becomes "&lt;".
std::string without_entities(std::string_view text) {
  constexpr std::pair<std::string_view, char> entities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}};
  std::string out;
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('&'), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    std::size_t taken = 1;
    char c = '&';
    for (const auto& [entity, meant] : entities) {
      if (text.starts_with(entity)) taken = entity.size(), c = meant;
    }
    out += c;
    text.remove_prefix(taken);
  }
  return out;
}

base::Result<Scene> in_svg(const std::string& bytes, const std::string& origin) {
  const std::string_view text = between(bytes, "<metadata id=\"headlight-scene\">", "</metadata>");
  if (const std::string is = io::mistaken_for(bytes); text.empty() && !is.empty())
    return base::Error{origin + ": not a scene: " + is};
  if (text.empty()) return no_scene(origin, "SVG");
  if (text.size() > longest_entity * largest_scene) return too_large(origin);
  return from_json(without_entities(text), origin);
}

/// A literal string of a PDF, from after its opening parenthesis; stops as soon as it is too large.
std::string pdf_string(const std::string& bytes, std::size_t at) {
  std::string out;
  for (int depth = 1; at < bytes.size() && out.size() <= largest_scene; ++at) {
    char c = bytes[at];
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) break;
    if (c == '\\' && at + 1 < bytes.size()) {
      c = bytes[++at];
      if (c == 'n') c = '\n';
      if (c == '\n') continue;  // a continued line
    }
    out += c;
  }
  return out;
}

/// The ASCII of a hexadecimal string of a PDF, which is UTF-16 with the high byte first.
std::string pdf_hex(const std::string& bytes, std::size_t at) {
  std::string out;
  for (; at + 4 <= bytes.size() && bytes[at] != '>' && out.size() <= largest_scene; at += 4) {
    unsigned value = 0;
    std::from_chars(bytes.data() + at + 2, bytes.data() + at + 4, value, 16);
    out += static_cast<char>(value);
  }
  return out;
}

/// Finds "headlight-scene " as cairo writes it when the scene has a parenthesis or a backslash.
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

/// Reads a scene, or exported numbers that carry their scene.
base::Result<Scene> in_json(const std::string& bytes, const std::string& origin) {
  constexpr std::string_view names[] = {"headlight", "scene", "data", "tensors"};
  const std::vector<std::string_view> members = io::members_of(bytes, names);
  const std::string_view version = members[0], scene = members[1];
  if (version.empty() && scene.starts_with('{')) return from_json(scene, origin);
  if (version.empty() && !(members[2].empty() && members[3].empty()))
    return no_scene(origin, "file of numbers");
  return from_json(bytes, origin);
}

}  // namespace

std::string scene_as_json(const Scene& scene) {
  return as_json(without_folders(scene)).dump(-1, ' ', true);
}

io::Metadata png_metadata(const Scene& scene) {
  return {{"Software", "Headlight"}, {chunk, scene_as_json(scene)}};
}

std::string gif_comment(const Scene& scene) {
  return std::string(scene_words) + scene_as_json(scene);
}

namespace {

/// An archive of numbers may be larger than memory; only its scene is read.
base::Result<bool> is_archive(const std::filesystem::path& path) {
  const auto file = io::open_to_read(path);
  if (!file) return base::Error{file.error()};
  char begin[2] = {};
  return io::read_some(file->descriptor, begin, sizeof begin) == 2 && begin[0] == 'P' && begin[1] == 'K';
}

base::Result<Scene> read_scene(const std::filesystem::path& path, io::Opens opens) {
  std::error_code unknown;
  if (!std::filesystem::is_fifo(path, unknown)) {
    const auto archive = is_archive(path);
    if (!archive) return base::Error{archive.error()};
    if (*archive && holds_model(path)) return open_portable(path, folder_of_portable_models());
    if (*archive) {
      const auto text = io::read_zip_entry(path, "scene.json");
      if (!text) return base::Error{text.error()};
      return from_json(*text, path.string());
    }
  }
  const base::Result<std::string> bytes = io::read_file(path, largest_file, opens);
  if (!bytes) return base::Error{bytes.error()};
  return scene_in_bytes(*bytes, path.string());
}

}  // namespace

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

namespace {

base::Result<Scene> scene_of_model_file(const std::filesystem::path& path) {
  const auto model = model_at(path.string());
  if (!model) return base::Error{model.error()};
  std::error_code failed;
  return scene_of_model(WeightsSource::file, std::filesystem::absolute(path, failed).string(), **model);
}

}  // namespace

base::Result<Scene> scene_in_file(const std::filesystem::path& path, io::Opens opens, std::string* missing) {
  if (missing) missing->clear();
  std::error_code unknown;  // when a folder is not a model, its error names the folder inside it that is
  if (io::ending_of(path) == ".safetensors" || models::may_be_model(path) || is_saved_attention(path) ||
      std::filesystem::is_directory(path, unknown))
    return scene_of_model_file(path);
  base::Result<Scene> scene = read_scene(path, opens);
  if (!scene) return scene;
  use_paths_beside(*scene, path);
  std::string problem = find_files(*scene, path.parent_path());
  if (missing) *missing = std::move(problem);
  return scene;
}

}  // namespace headlight::scene
