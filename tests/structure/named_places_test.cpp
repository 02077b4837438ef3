// The files, functions and tests that docs/architecture.md and the headers name exist and are what they say.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
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
    std::string requested;
    std::size_t requested_end = 0;
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
        const std::string between = line.substr(requested_end, begin - requested_end);
        if (!requested.empty() && !before.empty() && (between == " in " || between == " of "))
          is_in(requested, before);
        requested.clear();
      } else if (std::regex_match(words, match, name)) {
        requested = match[2], requested_end = end;
        const bool there = line.compare(end, 6, " there") == 0;
        if (there && !before.empty() && fs::exists(files_of(before).front())) is_in(requested, before);
      } else {
        requested.clear();
        if (words.starts_with("src/")) before.clear(), folder = project() / words;
      }
    }
  }
  EXPECT_GT(seen, 25);
}

/// The files that a row of "Where is…" names, as patterns below the project: `src/kit/plot.*`, `*_command.*`
/// in the folder before it, or a folder with all that is in it.
std::vector<std::regex> homes() {
  static const std::regex quoted(R"(`([^`]+)`)"), file(R"([\w/]*\*?[\w/]*(\.(h|cpp|\*|txt)|\*))");
  std::ifstream in(project() / "docs" / "architecture.md");
  std::vector<std::regex> out;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) inside = line.starts_with("## Where is");
    if (!inside || !line.starts_with("| ")) continue;
    std::string folder;
    for (auto at = std::sregex_iterator(line.begin(), line.end(), quoted); at != std::sregex_iterator();
         ++at) {
      const std::string words = (*at)[1];
      std::string place;
      if (words.starts_with("src/")) {
        const bool whole =
            fs::is_directory(project() / std::regex_replace(words, std::regex("NAME"), "memory"));
        folder = whole ? words : words.substr(0, words.rfind('/'));
        place = whole ? words + "/**" : words;
      } else if (!folder.empty() && std::regex_match(words, file)) {
        place = folder + "/" + words;
      } else {
        continue;
      }
      std::string pattern;
      for (std::size_t i = 0; i < place.size(); ++i) {
        if (place.compare(i, 2, "**") == 0)
          pattern += ".*", ++i;
        else if (place[i] == '*')
          pattern += "[^/]*";
        else if (place.compare(i, 4, "NAME") == 0)
          pattern += "[a-z_]+", i += 3;
        else
          pattern += place[i] == '.' ? std::string("\\.") : std::string(1, place[i]);
      }
      out.emplace_back(pattern);
    }
  }
  return out;
}

/// Whoever looks for a file's purpose finds it by its row, and whoever adds a file says what it is for.
TEST(Layers, EverySourceHasARowInTheArchitecture) {
  const std::vector<std::regex> patterns = homes();
  EXPECT_GT(patterns.size(), 300u);
  const auto at_home = [&](const std::string& path) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::regex& one) { return std::regex_match(path, one); });
  };
  EXPECT_TRUE(at_home("src/kit/plot.cpp"));
  EXPECT_FALSE(at_home("src/kit/homeless.cpp"));
  for (const auto& entry : fs::recursive_directory_iterator(project() / "src")) {
    const std::string path = fs::relative(entry.path(), project()).generic_string();
    if (!entry.is_regular_file() || path.ends_with("CMakeLists.txt")) continue;
    EXPECT_TRUE(at_home(path)) << path << " is named by no row of docs/architecture.md";
  }
}

/// The comment at the beginning of a header, as one line.
std::string head_of(const fs::path& header) {
  std::ifstream in(header);
  std::string out;
  for (std::string line; std::getline(in, line) && line.starts_with("//");) out += line.substr(2);
  return out;
}

/// "the double twin (nn/reference.h)", "see canvas.h": a file that a comment names exists. With a folder it
/// is below the project, src or the comment's own folder; without one it has its name anywhere.
TEST(Layers, EveryFileThatACommentNamesExists) {
  static const std::regex comment(R"((^|\s)///?\s(.*))"), named(R"(([^\w./*]|^)((\w+/)*\w+\.(h|cpp|md))\b)");
  std::set<std::string> names;
  for (const char* folder : {"src", "tests", "docs", "scripts", "assets"})
    for (const auto& entry : fs::recursive_directory_iterator(project() / folder))
      names.insert(entry.path().filename().string());
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(project() / "src")) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".h" && ending != ".cpp") continue;
    std::ifstream in(entry.path());
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      std::smatch match;
      if (line.find("//") == std::string::npos || !std::regex_search(line, match, comment)) continue;
      const std::string words = match[2];
      for (auto at = std::sregex_iterator(words.begin(), words.end(), named); at != std::sregex_iterator();
           ++at) {
        const std::string file = (*at)[2];
        if (file == "area.h") continue;  // the height of a Box
        const bool there = file.find('/') == std::string::npos
                               ? names.count(file) > 0
                               : fs::exists(project() / file) || fs::exists(project() / "src" / file) ||
                                     fs::exists(entry.path().parent_path() / file) ||
                                     (file.starts_with("view/") && names.count(file.substr(5)) > 0);
        EXPECT_TRUE(there) << entry.path() << ":" << number << " names " << file;
        ++seen;
      }
    }
  }
  EXPECT_GT(seen, 500);
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
    const std::string message = head.substr(begin);
    const fs::path header = fs::relative(entry.path(), project() / "src");
    fs::path folder;
    for (auto at = std::sregex_iterator(message.begin(), message.end(), named); at != std::sregex_iterator();
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
      const bool whole_folder =
          message.find(test.parent_path().filename().string() + ".") != std::string::npos;
      EXPECT_TRUE(whole_folder || message.find(test.filename().string()) != std::string::npos)
          << header << " is tested in " << path << ", and says: " << message;
    }
  }
  EXPECT_GT(seen, 150);
}

}  // namespace
