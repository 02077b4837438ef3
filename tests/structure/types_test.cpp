// No type has two definitions under one name: two structs of one name in one namespace, in two files, are one
// to the linker, which keeps the functions of either. Read from the sources, so that types without functions
// are found, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// The text without comments, strings and lines of the preprocessor; lines stay lines.
std::string bare(const std::string& text) {
  static const std::regex noise(
      R"re(//[^\n]*|/\*[^]*?\*/|R"\w*\([^]*?\)\w*"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|(?:^|\n)[ \t]*#(?:\\\n|[^\n])*)re");
  std::string out;
  std::size_t at = 0;
  for (auto m = std::sregex_iterator(text.begin(), text.end(), noise); m != std::sregex_iterator(); ++m) {
    const std::string found = m->str();
    out += text.substr(at, static_cast<std::size_t>(m->position()) - at) + ' ' +
           std::string(static_cast<std::size_t>(std::count(found.begin(), found.end(), '\n')), '\n');
    at = static_cast<std::size_t>(m->position() + m->length());
  }
  return out + text.substr(at);
}

/// "headlight::views::Plot" for each type that a text defines outside unnamed namespaces, functions and other
/// types.
std::vector<std::string> types_of(const std::string& text) {
  static const std::regex token(R"([{};]|[^{};]+)");
  static const std::regex space(R"(\bnamespace\s*([\w:]*)\s*$)");
  static const std::regex type(
      R"(\b(struct|class|union|enum(?:\s+class)?)\s+(\w+)\s*(?:final\s*)?(?::[^:][^(]*)?$)");
  std::vector<std::string> stack, found;  // a namespace's name; "?" for every other brace
  std::string before;
  for (auto m = std::sregex_iterator(text.begin(), text.end(), token); m != std::sregex_iterator(); ++m) {
    const std::string part = m->str();
    if (part == "{") {
      std::smatch match;
      std::string name = "?";
      bool open = true;
      std::string place;
      for (const std::string& one : stack) open = open && one != "?", place += one + "::";
      if (std::regex_search(before, match, space)) {
        name = match[1].length() > 0 ? match[1].str() : "?";
      } else if (open && std::regex_search(before, match, type) &&
                 before.find("template") == std::string::npos) {
        found.push_back(place + match[2].str());
      }
      stack.push_back(name);
    } else if (part == "}" && !stack.empty()) {
      stack.pop_back();
    }
    before = part == "{" || part == "}" || part == ";" ? "" : part;
  }
  return found;
}

TEST(Types, AreFoundInSources) {
  const auto found = types_of(bare(R"(namespace a::b { struct One { struct Inside {}; }; // struct No {};
    namespace { struct Hidden {}; }  enum class Two : int { x }; class Three final : public One { }; }
    void f() { struct Local {}; } struct Declared; const char* s = "struct Text {";)"));
  EXPECT_EQ(found, (std::vector<std::string>{"a::b::One", "a::b::Two", "a::b::Three"}));
}

TEST(Types, HaveOneDefinition) {
  std::map<std::string, fs::path> first;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEADLIGHT_SOURCE_DIR) / "src")) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".h" && ending != ".cpp") continue;
    std::ifstream in(entry.path());
    for (const std::string& name : types_of(bare({std::istreambuf_iterator<char>(in), {}}))) {
      const auto [at, fresh] = first.emplace(name, entry.path());
      EXPECT_TRUE(fresh) << name << " is defined in " << at->second << " and in " << entry.path();
    }
  }
  EXPECT_GT(first.size(), 200u);
}

}  // namespace
