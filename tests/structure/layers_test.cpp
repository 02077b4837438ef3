// The table of docs/architecture.md: a folder is a layer, and what it may include is written here.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Layer {
  std::set<std::string> ours;  // rooms of src
  std::set<std::string>
      libraries;  // first part of an include that is not ours and not the standard library's
};

const std::set<std::string> everything{
    "base",   "kernels", "nn",         "network", "train",          "tasks",
    "draw",   "text",    "io",         "models",  "dumps",          "tokenizers",
    "figure", "scene",   "kit",        "pages",   "pages/settings", "pages/view",
    "learn",  "teach",   "teach/view", "session", "pictures",       "screen",
    "ui",     "lecture", "app",        "command", "bench"};

std::set<std::string> all_but(std::initializer_list<const char*> rooms) {
  std::set<std::string> out = everything;
  for (const char* room : rooms) out.erase(room);
  return out;
}

/// What a window may know: nothing of the mathematics, nor of other people's files.
std::set<std::string> of_windows(std::initializer_list<const char*> above) {
  std::set<std::string> out =
      all_but({"kernels", "nn", "network", "train", "tasks", "dumps", "tokenizers", "command", "bench"});
  for (const char* room : above) out.erase(room);
  return out;
}

const std::map<std::string, Layer> table{
    {"base",
     {{"base"}, {"utf8proc.h", "sched.h", "immintrin.h", "fcntl.h", "signal.h", "unistd.h", "malloc.h"}}},
    {"kernels", {{"base", "kernels"}, {"immintrin.h", "xmmintrin.h"}}},
    {"nn", {{"base", "kernels", "nn"}, {"Eigen", "utf8proc.h"}}},
    {"network", {{"base", "kernels", "nn", "network"}, {}}},
    {"train", {{"base", "kernels", "nn", "train"}, {}}},
    {"tasks", {{"base", "nn", "train", "tasks"}, {"utf8proc.h"}}},
    {"draw", {{"base", "draw"}, {}}},
    {"text", {{"base", "draw", "text"}, {"hb", "ft2build.h", "fontconfig", "fribidi"}}},
    {"io",
     {{"base", "kernels", "io"},
      {"nlohmann", "png.h", "zlib.h", "zip.h", "gif_lib.h", "dirent.h", "fcntl.h", "signal.h", "unistd.h",
       "sys"}}},
    {"tokenizers", {{"base", "io", "tokenizers"}, {"nlohmann", "pcre2.h", "utf8proc.h"}}},
    {"models", {{"base", "network", "io", "models"}, {"nlohmann"}}},
    {"dumps", {{"base", "kernels", "nn", "io", "dumps"}, {"nlohmann"}}},
    {"figure", {{"base", "draw", "text", "figure"}, {"cairo", "ft2build.h"}}},
    {"scene",
     {{"base", "kernels", "nn", "network", "train", "tasks", "io", "models", "tokenizers", "dumps", "scene",
       "pages/settings"},
      {"nlohmann", "unistd.h", "fcntl.h", "stdio.h", "sys"}}},
    {"kit", {{"base", "draw", "kernels", "nn", "scene", "pages/settings", "kit"}, {}}},
    {"pages/settings", {{"base", "train", "tasks", "scene", "pages/settings"}, {}}},
    {"pages",
     {{"base", "kernels", "nn", "network", "train", "tasks", "io", "models", "dumps", "scene", "pages",
       "pages/settings"},
      {"nlohmann"}}},
    {"pages/view", {{"base", "draw", "nn", "scene", "pages", "pages/settings", "kit", "pages/view"}, {}}},
    {"learn", {{"base", "train", "tasks", "io", "scene", "pages", "pages/settings", "learn"}, {"nlohmann"}}},
    {"teach", {{"base", "io", "scene", "pages", "pages/settings", "teach"}, {"nlohmann"}}},
    {"teach/view", {{"base", "draw", "teach", "kit", "teach/view"}, {}}},
    {"screen",
     {{"base", "draw", "text", "screen"},
      {"glad", "GLFW", "GL", "EGL", "imgui", "backends", "ft2build.h", "unistd.h", "langinfo.h", "poll.h",
       "fcntl.h", "dlfcn.h", "xcb"}}},
    {"session",
     {{"base", "draw", "io", "models", "scene", "kit", "pages", "pages/settings", "learn", "teach",
       "session"},
      {"sys"}}},
    {"pictures",
     {{"base", "draw", "io", "figure", "scene", "kit", "pages", "pages/settings", "pages/view", "session",
       "pictures"},
      {"sys"}}},
    {"ui", {of_windows({"lecture", "app"}), {"imgui"}}},
    {"lecture", {of_windows({"app"}), {"imgui"}}},
    {"app", {of_windows({}), {"imgui"}}},
    {"command", {all_but({"bench"}), {"nlohmann", "CLI", "poll.h", "unistd.h", "sys"}}},
    {"bench", {everything, {"benchmark", "imgui", "dnnl.hpp", "oneapi", "valgrind"}}},
};

struct Include {
  fs::path file;
  int line;
  std::string what;
};

/// A plain search, before a regular expression that takes a hundred times as long.
bool has(const std::string& text, const char* words) {
  return text.find(words) != std::string::npos;
}

std::vector<Include> includes_of(const fs::path& folder) {
  static const std::regex pattern(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".h" && ending != ".cpp" && ending != ".inc") continue;
    std::ifstream in(entry.path());
    std::string text;
    for (int line = 1; std::getline(in, text); ++line) {
      std::smatch match;
      if (has(text, "include") && std::regex_search(text, match, pattern))
        found.push_back({entry.path(), line, match[1]});
    }
  }
  return found;
}

/// "imgui" for imgui.h and imgui_internal.h, "Eigen" for Eigen/Dense, "" for a standard header such as
/// <vector>.
std::string library_of(const std::string& include) {
  if (include.rfind("imgui", 0) == 0) return "imgui";
  if (include.rfind("cairo", 0) == 0) return "cairo";
  if (include.rfind("fribidi", 0) == 0) return "fribidi";
  if (include == "hb.h" || include.rfind("hb-", 0) == 0) return "hb";
  if (const auto slash = include.find('/'); slash != std::string::npos) return include.substr(0, slash);
  return include.find('.') == std::string::npos ? "" : include;
}

/// Of a path below src. A page has three rooms: its settings, what it computes, and what it draws.
std::string room_of(const std::string& path) {
  const std::string folder = path.substr(0, path.find('/'));
  const bool page = path.rfind("pages/", 0) == 0;
  if ((page || folder == "teach") && path.find("/view/") != std::string::npos) return folder + "/view";
  if (page && std::regex_search(path, std::regex(R"((settings\.(h|cpp)|pages/list\.h)$)")))
    return "pages/settings";
  return folder;
}

fs::path source() {
  return fs::path(HEADLIGHT_SOURCE_DIR) / "src";
}

TEST(Layers, EveryFolderIsInTheTable) {
  for (const auto& entry : fs::directory_iterator(source())) {
    if (!entry.is_directory() || fs::is_empty(entry.path())) continue;
    EXPECT_TRUE(table.count(entry.path().filename().string()))
        << entry.path() << " has no row in the table of layers";
  }
}

TEST(Layers, AFolderIncludesOnlyWhatItsRowAllows) {
  int seen = 0;
  std::set<std::string> rooms;
  for (const Include& include : includes_of(source())) {
    ++seen;
    const std::string name = room_of(fs::relative(include.file, source()).string());
    if (!table.count(name)) continue;  // said by the test before
    rooms.insert(name);
    const Layer& layer = table.at(name);
    const std::string where =
        include.file.string() + ":" + std::to_string(include.line) + " includes " + include.what;
    if (include.what.find('/') != std::string::npos && fs::exists(source() / include.what)) {
      const std::string known = room_of(include.what);
      EXPECT_TRUE(layer.ours.count(known)) << where << ": the layer " << name << " does not know " << known;
      continue;
    }
    const std::string library = library_of(include.what);
    EXPECT_TRUE(library.empty() || layer.libraries.count(library))
        << where << ": the layer " << name << " does not link " << library;
  }
  EXPECT_GT(seen, 50) << "the search found hardly any include lines";
  EXPECT_EQ(rooms.size(), table.size()) << "a row of the table has no files";
}

TEST(Layers, OpenGlStaysInAHandfulOfFiles) {
  std::set<fs::path> files;
  for (const Include& include : includes_of(source())) {
    if (include.what.rfind("glad/", 0) == 0 || include.what.rfind("GL/", 0) == 0) files.insert(include.file);
  }
  EXPECT_LE(files.size(), 9u);
  EXPECT_GE(files.size(), 1u);
}

/// The colour of the other position, i + δ, is no warning, no threshold and no second series.
TEST(Layers, TheColourOfTheOtherPositionMeansOnlyThat) {
  const std::set<std::string> own = {"clock_face.cpp", "lesson_text.cpp", "theme.cpp"};
  static const std::regex colour(R"(theme(\(\)|_)?\.offset\b)");
  int uses = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source())) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!has(text, ".offset") || !std::regex_search(text, colour)) continue;
    ++uses;
    const bool positions = entry.path().string().find("/pages/position/view/") != std::string::npos;
    EXPECT_TRUE(positions || own.contains(entry.path().filename().string())) << entry.path();
  }
  EXPECT_GE(uses, 5) << "the search does not find the page of positions";
}

/// Cells are drawn by one rule on all pages: that of kit/cells.h, which kit/matrix_panel.h follows, too.
TEST(Layers, PagesDrawCellsWithTheKit) {
  static const std::regex cells(R"((\.|->)heatmap\()");
  int files = 0;
  for (const char* folder : {"pages", "teach/view"}) {
    for (const auto& entry : fs::recursive_directory_iterator(source() / folder)) {
      const std::string ending = entry.path().extension().string();
      if (entry.path().string().find("/view/") == std::string::npos || (ending != ".h" && ending != ".cpp"))
        continue;
      std::ifstream in(entry.path());
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      EXPECT_FALSE(has(text, "heatmap(") && std::regex_search(text, cells))
          << entry.path() << ": src/kit/cells.h draws them";
      ++files;
    }
  }
  EXPECT_GT(files, 100);
}

/// What a file of the world says goes through one reader, which bounds it, and through its two functions for
/// numbers, which see the range first.
TEST(Layers, JsonIsReadInOnePlace) {
  static const std::regex reads(
      R"(([Jj]son|basic_json<>)\s*::\s*(parse|sax_parse|accept|from_\w+)\s*\()"
      R"(|\bget(_to|_ptr)?\s*<\s*(const\s+)?(std::)?(int|long|unsigned|short|float|double|size_t|u?int\d+_t|auto|number_)\b)"
      R"(|\.get_to\s*\()");
  int readers = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source())) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".h" && ending != ".cpp") continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.find("json") == std::string::npos && text.find("Json") == std::string::npos) continue;
    const bool the_reader = entry.path().filename() == "json_reader.cpp";
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      if (!std::regex_search(line, reads)) continue;
      ++readers;
      EXPECT_TRUE(the_reader) << entry.path() << ":" << number << ": " << line
                              << ": src/io/json_reader.h reads it";
    }
  }
  EXPECT_GE(readers, 4) << "the search does not find the reader itself";
}

/// The standard library's ends the program where memory ends.
TEST(Layers, FoldersAreListedInOnePlace) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source())) {
    if (!entry.is_regular_file() || entry.path().filename() == "folder.h") continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(text.find("directory_iterator"), std::string::npos) << entry.path() << ": see src/io/folder.h";
    ++files;
  }
  EXPECT_GT(files, 100);
}

/// Calls visit(path below src, number, line) for each line of the sources.
void each_line(const std::function<void(const std::string&, int, const std::string&)>& visit) {
  for (const auto& entry : fs::recursive_directory_iterator(source())) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".h" && ending != ".cpp") continue;
    const std::string path = fs::relative(entry.path(), source()).generic_string();
    std::ifstream in(entry.path());
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) visit(path, number, line);
  }
}

/// What is asked of a page is its row in the list, or a member of PageUses, PageRoom or PageView: nobody else
/// tells pages apart, or lists some of them.
TEST(Layers, NobodyElseTellsPagesApart) {
  static const std::regex asks(
      R"([=!]=\s*(scene::)?Page::|Page::\w+\s*[=!]=|case\s+(scene::)?Page::|Page::\w+,\s*(scene::)?Page::)");
  EXPECT_TRUE(std::regex_search("if (scene.page == scene::Page::cost)", asks));
  EXPECT_TRUE(std::regex_search("Page pages[] = {Page::model, Page::cost}", asks));
  each_line([&](const std::string& path, int number, const std::string& line) {
    if (has(line, "Page::") && std::regex_search(line, asks))
      ADD_FAILURE() << path << ":" << number << ": " << line;
  });
}

/// The names of the settings of pages, as the headers of the pages list them.
std::set<std::string> settings_of_pages() {
  static const std::regex name(R"re(Field\{\s*\.name = "([a-z0-9_]+)")re");
  std::set<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(source() / "pages")) {
    if (!entry.path().filename().string().ends_with("settings.h")) continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (auto at = std::sregex_iterator(text.begin(), text.end(), name); at != std::sregex_iterator(); ++at)
      out.insert((*at)[1]);
  }
  return out;
}

/// What is asked of a page's setting is a member of its Field, or of PageRoom: nobody else knows it by name.
/// Left out are texts that show how a command is used (they have a blank or a colon).
TEST(Layers, NobodyElseKnowsASettingOfAPageByName) {
  const std::set<std::string> names = settings_of_pages();
  EXPECT_GT(names.size(), 100u) << "the search does not find the lists of settings";
  static const std::regex literal(R"re("([a-z0-9_]+)(=[^" ]*)?")re");
  each_line([&](const std::string& path, int number, std::string line) {
    if (path.starts_with("pages/") || !has(line, "\"")) return;
    line.erase(std::min(line.find("//"), line.size()));
    for (auto at = std::sregex_iterator(line.begin(), line.end(), literal); at != std::sregex_iterator();
         ++at)
      if (names.count((*at)[1]) > 0) ADD_FAILURE() << path << ":" << number << ": " << line;
  });
}

/// What a page computed for itself is read in its folder.
TEST(Layers, NobodyElseReadsWhatAPageComputedForItself) {
  static const std::regex reads(R"((\bown|own_as)<[\w:]+Results>|own_as<(scene::)?Opened\w+>)");
  EXPECT_TRUE(std::regex_search("results.own_as<scene::WorkedResults>()", reads));
  each_line([&](const std::string& path, int number, const std::string& line) {
    if (path.starts_with("pages/") || !(has(line, "own<") || has(line, "own_as<"))) return;
    if (std::regex_search(line, reads)) ADD_FAILURE() << path << ":" << number << ": " << line;
  });
}

}  // namespace
