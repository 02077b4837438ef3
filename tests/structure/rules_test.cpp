// The rules of CONTRIBUTING.md that can be counted: names of types, parameters of a function, lines of a
// file.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <string>

namespace {

namespace fs = std::filesystem;

constexpr int most_parameters = 9, most_lines = 540, most_lines_of_a_test = 640;

void each_source(const char* folder,
                 const std::function<void(const std::string&, const std::string&)>& visit) {
  const fs::path project = HEADLIGHT_SOURCE_DIR;
  for (const auto& entry : fs::recursive_directory_iterator(project / folder)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".h" && ending != ".cpp") continue;
    std::ifstream in(entry.path());
    visit(fs::relative(entry.path(), project).generic_string(), {std::istreambuf_iterator<char>(in), {}});
  }
}

/// Counts what commas separate outside of brackets.
int parts_of(const std::string& list) {
  int depth = 0, parts = 1;
  for (const char c : list) {
    if (c == '(' || c == '<' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == '}') --depth;
    parts += c == ',' && depth == 0 ? 1 : 0;
  }
  return parts;
}

/// The largest number of parameters among the functions that a header declares.
int most_declared(const std::string& header) {
  static const std::regex comment(R"(//[^\n]*)"), named(R"([\w>&*] [&*]*\w+\()"),
      ended(R"(\s*(const)?\s*(noexcept)?\s*(override)?\s*(= 0)?\s*;)");
  const std::string text = std::regex_replace(header, comment, "");
  int most = 0;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), named); at != std::sregex_iterator(); ++at) {
    const auto begin = static_cast<std::size_t>(at->position() + at->length());
    std::size_t end = begin;
    for (int depth = 1; end < text.size(); ++end) {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    const std::string after = text.substr(std::min(text.size(), end + 1), 40);
    if (std::regex_search(after, ended, std::regex_constants::match_continuous))
      most = std::max(most, parts_of(text.substr(begin, end - begin)));
  }
  return most;
}

TEST(Rules, AFunctionHasFewParameters) {
  EXPECT_EQ(most_declared(
                "int f(std::pair<int, int> a,  // with b, c\n  std::function<void(int, int)> d = {}) const;"),
            2);
  int most = 0;
  each_source("src", [&](const std::string& path, const std::string& text) {
    if (!path.ends_with(".h")) return;
    const int count = most_declared(text);
    EXPECT_LE(count, most_parameters) << path;
    most = std::max(most, count);
  });
  EXPECT_EQ(most, most_parameters) << "CONTRIBUTING.md and this test can say fewer";
}

TEST(Rules, AFileIsNotLong) {
  const auto count = [](const char* folder, int allowed) {
    each_source(folder, [&](const std::string& path, const std::string& text) {
      EXPECT_LE(std::count(text.begin(), text.end(), '\n'), allowed) << path << ": split it by noun";
    });
  };
  count("src", most_lines);
  count("tests", most_lines_of_a_test);
}

TEST(Rules, NoTypeIsNamedAfterNothing) {
  static const std::regex named(R"((class|struct)\s+(\w*(Manager|Helper|Util|Context))\b)");
  int contexts = 0;
  each_source("src", [&](const std::string& path, const std::string& text) {
    for (auto at = std::sregex_iterator(text.begin(), text.end(), named); at != std::sregex_iterator();
         ++at) {
      EXPECT_EQ((*at)[2], "HeadlessContext") << path;
      ++contexts;
    }
  });
  EXPECT_GE(contexts, 1) << "the search does not find OpenGL's";
}

}  // namespace
