// Is a text well-formed XML? Enough of the rules for files that we write ourselves: tags that nest,
// attributes that are quoted and named once, known entities, one root.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight::tests {

struct XmlCheck {
  std::string error;                           // empty: well-formed
  std::map<std::string, int> elements;         // how many of each name
  std::map<std::string, std::string> of_root;  // its attributes
};

inline XmlCheck check_xml(std::string_view text) {
  XmlCheck check;
  std::vector<std::string> open;
  std::size_t at = 0;
  bool rooted = false;
  auto fail = [&](const std::string& what) {
    check.error = what + " at byte " + std::to_string(at);
    return check;
  };
  auto entities_known = [](std::string_view words) {
    for (std::size_t i = words.find('&'); i != std::string_view::npos; i = words.find('&', i + 1)) {
      const std::string_view name = words.substr(i + 1, words.find(';', i) - i - 1);
      static const std::set<std::string_view> known = {"amp", "lt", "gt", "quot", "apos"};
      if (known.count(name) == 0 && name.substr(0, 1) != "#") return false;
    }
    return true;
  };
  while (at < text.size()) {
    const std::size_t tag = text.find('<', at);
    const std::string_view words = text.substr(at, tag - at);
    if (!entities_known(words)) return fail("an unknown entity");
    if (open.empty() && words.find_first_not_of(" \t\r\n") != std::string_view::npos)
      return fail("text outside the root");
    if (tag == std::string_view::npos) break;
    at = tag;
    if (text.substr(at, 2) == "<?") {
      const std::size_t end = text.find("?>", at);
      if (end == std::string_view::npos) return fail("an instruction without end");
      at = end + 2;
      continue;
    }
    if (text.substr(at, 4) == "<!--") {
      const std::size_t end = text.find("-->", at);
      if (end == std::string_view::npos) return fail("a comment without end");
      at = end + 3;
      continue;
    }
    const bool closing = text.substr(at, 2) == "</";
    std::size_t i = at + (closing ? 2 : 1);
    auto name = [&] {
      const std::size_t from = i;
      while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == ':' ||
                                 text[i] == '-' || text[i] == '_' || text[i] == '.')) {
        ++i;
      }
      return std::string(text.substr(from, i - from));
    };
    auto space = [&] {
      while (i < text.size() && std::isspace(static_cast<unsigned char>(text[i])) != 0) ++i;
    };
    const std::string element = name();
    if (element.empty()) return fail("a tag without a name");
    std::map<std::string, std::string> attributes;
    for (space(); i < text.size() && text[i] != '>' && text[i] != '/'; space()) {
      const std::string attribute = name();
      if (attribute.empty() || text.substr(i, 2) != "=\"") return fail("an attribute without a quoted value");
      const std::size_t end = text.find('"', i + 2);
      if (end == std::string_view::npos) return fail("a value without end");
      const std::string value(text.substr(i + 2, end - i - 2));
      if (value.find('<') != std::string::npos || !entities_known(value)) return fail("a value with < or &");
      if (!attributes.emplace(attribute, value).second) return fail("an attribute twice");
      i = end + 1;
    }
    const bool empty = text.substr(i, 2) == "/>";
    i += empty ? 2 : 1;
    if (i > text.size()) return fail("a tag without end");
    if (closing) {
      if (open.empty() || open.back() != element) return fail("</" + element + "> without its start");
      open.pop_back();
    } else {
      if (open.empty() && rooted) return fail("a second root");
      if (open.empty()) check.of_root = attributes;
      rooted = true;
      ++check.elements[element];
      if (!empty) open.push_back(element);
    }
    at = i;
  }
  if (!open.empty()) return fail("<" + open.back() + "> without its end");
  if (!rooted) return fail("no root");
  return check;
}

/// The text of XML character data; unknown entities do not change.
inline std::string from_xml(std::string_view text) {
  constexpr std::pair<std::string_view, char> entities[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t taken = 0;
    for (const auto& [entity, c] : entities) {
      if (text.substr(at, entity.size()) != entity) continue;
      out += c;
      taken = entity.size();
    }
    if (taken == 0) out += text[at];
    at += std::max<std::size_t>(1, taken);
  }
  return out;
}

}  // namespace headlight::tests
