// Names in the code say what a thing is. Words of speech are for texts: nothing is "told", "said", "asked" or
// "wished" in a name of src, and a function that may stop a computation is `keep_going`.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string source_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool in_name(char c) {
  return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// The names and keywords of C++ source, without those in comments and in texts.
std::vector<std::string_view> names_of(std::string_view source) {
  std::vector<std::string_view> out;
  const auto end_of = [&](std::string_view mark, std::size_t from) {
    const std::size_t at = source.find(mark, from);
    return at == std::string_view::npos ? source.size() : at + mark.size();
  };
  for (std::size_t i = 0; i < source.size();) {
    if (source.substr(i, 2) == "//") {
      i = end_of("\n", i);
    } else if (source.substr(i, 2) == "/*") {
      i = end_of("*/", i + 2);
    } else if (source.substr(i, 2) == "R\"") {
      const std::size_t open = source.find('(', i);
      i = end_of(")" + std::string(source.substr(i + 2, open - i - 2)) + "\"", open);
    } else if (source[i] == '"' || source[i] == '\'') {
      const char quote = source[i++];
      while (i < source.size() && source[i] != quote) i += source[i] == '\\' ? 2 : 1;
      ++i;
    } else if (in_name(source[i])) {
      const std::size_t from = i;
      // 1'000 is one number.
      while (i < source.size() &&
             (in_name(source[i]) ||
              (source[i] == '\'' && std::isdigit(static_cast<unsigned char>(source[from])) != 0)))
        ++i;
      out.push_back(source.substr(from, i - from));
    } else {
      ++i;
    }
  }
  return out;
}

/// "told_key" → told, key; "FigureWish" → figure, wish.
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> out(1);
  for (const char c : name) {
    if ((c == '_' || std::isupper(static_cast<unsigned char>(c)) != 0) && !out.back().empty())
      out.emplace_back();
    if (c != '_') out.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

TEST(Names, AreFoundInCodeAndNotInCommentsOrTexts) {
  const auto names = names_of(
      "int told_key = 1'000;  // said\nauto s = \"asked \\\" so\"; R\"x(wish)x\" + 'a' /* told */ + "
      "FigureWish{}");
  const std::vector<std::string_view> expected{"int", "told_key", "1'000", "auto", "s", "FigureWish"};
  EXPECT_EQ(names, expected);
  EXPECT_EQ(parts_of("told_key"), (std::vector<std::string>{"told", "key"}));
  EXPECT_EQ(parts_of("FigureWish"), (std::vector<std::string>{"figure", "wish"}));
}

TEST(Names, SayWhatAThingIs) {
  const std::set<std::string> speech{"told", "said", "asked", "wish", "wished", "wishes", "unkept"};
  std::size_t seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEADLIGHT_SOURCE_DIR) / "src")) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
    const std::string text = source_of(entry.path());
    for (const std::string_view name : names_of(text)) {
      ++seen;
      EXPECT_NE(name, "goes_on") << entry.path();
      for (const std::string& part : parts_of(name))
        EXPECT_FALSE(speech.contains(part)) << name << " in " << entry.path();
    }
  }
  EXPECT_GT(seen, 100000u);
}

}  // namespace
