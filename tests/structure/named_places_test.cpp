// The files, functions and tests that docs/architecture.md and the headers name exist and are what they say.
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

fs::path project() {
  return HEADLIGHT_SOURCE_DIR;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The files of a place: `src/kit/plot.*` has two.
std::vector<fs::path> files_of(const fs::path& place) {
  const std::string name = place.filename().string();
  const std::size_t star = name.find('*');
  if (star == std::string::npos) return {place};
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(place.parent_path())) {
    if (entry.path().filename().string().starts_with(name.substr(0, star))) out.push_back(entry.path());
  }
  return out;
}

/// `src/kit/plot.*`, `src/pages/NAME/tables.cpp`: NAME is any page.
TEST(Layers, EveryPlaceThatTheArchitectureNamesExists) {
  std::ifstream in(fs::path(HEADLIGHT_SOURCE_DIR) / "docs" / "architecture.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  static const std::regex place(R"(`((src|tests|docs|scripts|assets)/[^`]+)`)");
  int seen = 0;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), place); at != std::sregex_iterator(); ++at) {
    std::string path = std::regex_replace((*at)[1].str(), std::regex("NAME"), "memory");
    const std::size_t star = path.find('*');
    const fs::path whole = fs::path(HEADLIGHT_SOURCE_DIR) / path.substr(0, star);
    const fs::path folder = star == std::string::npos ? whole : whole.parent_path();
    const std::string begins = star == std::string::npos ? "" : whole.filename().string();
    bool found = star == std::string::npos && fs::exists(whole);
    if (star != std::string::npos && fs::is_directory(folder)) {
      for (const auto& entry : fs::directory_iterator(folder))
        found = found || entry.path().filename().string().rfind(begins, 0) == 0;
    }
    EXPECT_TRUE(found) << (*at)[1];
    ++seen;
  }
  EXPECT_GT(seen, 80);
}

/// Within a row a file without a folder, `beams*`, is in the folder of the one before it.
TEST(Layers, EveryShortNameInTheArchitectureIsInTheFolderBeforeIt) {
  std::ifstream in(fs::path(HEADLIGHT_SOURCE_DIR) / "docs" / "architecture.md");
  static const std::regex quoted(R"(`([^`]+)`)"), shorter(R"(([a-z_0-9]+)(\*|\.\*|\*?\.cpp|\.h))");
  int seen = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("| ", 0) != 0) continue;
    fs::path folder;
    for (auto at = std::sregex_iterator(line.begin(), line.end(), quoted); at != std::sregex_iterator();
         ++at) {
      const std::string name = std::regex_replace((*at)[1].str(), std::regex("NAME"), "memory");
      std::smatch match;
      if (name.rfind("src/", 0) == 0 || name.rfind("tests/", 0) == 0) {
        const fs::path place = fs::path(HEADLIGHT_SOURCE_DIR) / name;
        folder = fs::is_directory(place) ? place : place.parent_path();
      } else if (!folder.empty() && std::regex_match(name, match, shorter)) {
        bool found = false;
        for (const auto& entry : fs::directory_iterator(folder))
          found = found || entry.path().filename().string().rfind(match[1].str(), 0) == 0;
        EXPECT_TRUE(found) << name << " is not in " << folder << ": " << line;
        ++seen;
      }
    }
  }
  EXPECT_GT(seen, 100);
}

/// `other_model()` in `src/scene/trained_model.h`, or `keep_states()` there: the file has that name.
TEST(Layers, EveryNameBesideAFileInTheArchitectureIsInTheFile) {
  static const std::regex quoted(R"(`([^`]+)`)"), name(R"(([A-Za-z_]\w*::)*([A-Za-z_]\w*)(\(\))?)"),
      file(R"((src/)?[\w/]+\.(h|cpp|\*))");
  std::ifstream in(project() / "docs" / "architecture.md");
  int seen = 0;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| ")) continue;
    fs::path folder, before;
    std::string asked;
    std::size_t asked_end = 0;
    const auto is_in = [&](const std::string& what, const fs::path& place) {
      bool found = false;
      for (const fs::path& one : files_of(place))
        found = found || std::regex_search(text_of(one), std::regex("\\b" + what + "\\b"));
      EXPECT_TRUE(found) << what << " is not in " << place << ": " << line;
      ++seen;
    };
    for (auto at = std::sregex_iterator(line.begin(), line.end(), quoted); at != std::sregex_iterator();
         ++at) {
      const std::string words = std::regex_replace((*at)[1].str(), std::regex("NAME"), "memory");
      const auto begin = static_cast<std::size_t>(at->position()), end = begin + at->str().size();
      std::smatch match;
      if (std::regex_match(words, match, file)) {
        if (words.starts_with("src/"))
          before = project() / words, folder = before.parent_path();
        else
          before = folder.empty() ? fs::path() : folder / words;
        const std::string between = line.substr(asked_end, begin - asked_end);
        if (!asked.empty() && !before.empty() && (between == " in " || between == " of "))
          is_in(asked, before);
        asked.clear();
      } else if (std::regex_match(words, match, name)) {
        asked = match[2], asked_end = end;
        const bool there = line.compare(end, 6, " there") == 0;
        if (there && !before.empty() && fs::exists(files_of(before).front())) is_in(asked, before);
      } else {
        asked.clear();
        if (words.starts_with("src/")) before.clear(), folder = project() / words;
      }
    }
  }
  EXPECT_GT(seen, 25);
}

/// The comment at the beginning of a header, as one line.
std::string head_of(const fs::path& header) {
  std::ifstream in(header);
  std::string out;
  for (std::string line; std::getline(in, line) && line.starts_with("//");) out += line.substr(2);
  return out;
}

/// "Tested in tests/scene/a_test.cpp and b_test.cpp": these files exist, and a test that has the name of the
/// header and includes it is one of them.
TEST(Layers, WhereAHeaderSaysThatItIsTestedItIs) {
  std::map<std::string, std::vector<fs::path>> tests;
  for (const auto& entry : fs::recursive_directory_iterator(project() / "tests"))
    tests[entry.path().filename().string()].push_back(entry.path());
  static const std::regex named(R"([\w/]*\w\.(cpp|py|cmake)\b)");
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(project() / "src")) {
    if (entry.path().extension() != ".h") continue;
    const std::string head = head_of(entry.path());
    const std::size_t begin = head.find("Tested in tests/");
    if (begin == std::string::npos) continue;
    const std::string said = head.substr(begin);
    const fs::path header = fs::relative(entry.path(), project() / "src");
    fs::path folder;
    for (auto at = std::sregex_iterator(said.begin(), said.end(), named); at != std::sregex_iterator();
         ++at) {
      if (at->prefix().str().ends_with('*')) continue;  // several, such as position_*_test.cpp
      const fs::path file = at->str();
      if (file.has_parent_path()) folder = file.parent_path();
      EXPECT_TRUE(fs::exists(project() / folder / file.filename())) << header << " says " << file;
      ++seen;
    }
    for (const fs::path& test : tests[header.stem().string() + "_test.cpp"]) {
      const std::string path = fs::relative(test, project()).generic_string();
      if (text_of(test).find('"' + header.generic_string() + '"') == std::string::npos) continue;
      const bool whole_folder = said.find(test.parent_path().filename().string() + ".") != std::string::npos;
      EXPECT_TRUE(whole_folder || said.find(test.filename().string()) != std::string::npos)
          << header << " is tested in " << path << ", and says: " << said;
    }
  }
  EXPECT_GT(seen, 150);
}

}  // namespace
