// The layers: a folder is a layer, and what it may include is in the table of docs/architecture.md, which is
// read here.
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

/// What an include line of each library begins with, by the name that the table has for it.
const std::map<std::string, std::set<std::string>> headers_of{
    {"utf8proc", {"utf8proc.h"}},
    {"Eigen", {"Eigen"}},
    {"JSON", {"nlohmann"}},
    {"PNG", {"png.h"}},
    {"zlib", {"zlib.h"}},
    {"giflib", {"gif_lib.h"}},
    {"libzip", {"zip.h"}},
    {"HarfBuzz", {"hb"}},
    {"fribidi", {"fribidi"}},
    {"FreeType", {"ft2build.h"}},
    {"fontconfig", {"fontconfig"}},
    {"PCRE2", {"pcre2.h"}},
    {"cairo", {"cairo"}},
    {"glad", {"glad", "GL"}},
    {"GLFW", {"GLFW"}},
    {"EGL", {"EGL"}},
    {"ImGui", {"imgui", "backends"}},
    {"XCB", {"xcb"}},
    {"CLI11", {"CLI"}},
    {"Google Benchmark", {"benchmark"}},
    {"oneDNN", {"dnnl.hpp", "oneapi"}},
    {"valgrind", {"valgrind"}},
    {"intrinsics", {"immintrin.h", "xmmintrin.h"}},
    {"POSIX",
     {"sched.h", "fcntl.h", "signal.h", "unistd.h", "malloc.h", "dirent.h", "stdio.h", "langinfo.h", "poll.h",
      "dlfcn.h", "sys"}},
};

std::vector<std::string> split(const std::string& text, const std::string& at) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(at, begin)) != std::string::npos; begin = end + at.size())
    out.push_back(text.substr(begin, end - begin));
  out.push_back(text.substr(begin));
  return out;
}

/// "base" of `src/base`, "pages/view" of `src/pages/NAME/view`.
std::string room_named(const std::string& cell) {
  if (cell.find("settings.h") != std::string::npos) return "pages/settings";
  const std::size_t from = cell.find("`src/") + 5;
  std::string out = cell.substr(from, cell.find('`', from) - from);
  if (const std::size_t name = out.find("/NAME"); name != std::string::npos) out.erase(name, 5);
  return out;
}

/// The table "Layers" of docs/architecture.md. In its column "knows" are rooms, "all above" with what is left
/// out after "but", and "the same" as in the row before. Every room knows itself, and who knows the scene
/// knows the pages' settings, which are a part of it.
std::map<std::string, Layer> read_table() {
  std::ifstream in(fs::path(HEADLIGHT_SOURCE_DIR) / "docs" / "architecture.md");
  std::vector<std::vector<std::string>> rows;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) inside = line.starts_with("## Layers");
    if (inside && std::regex_search(line, std::regex(R"(^\| \d+ \|)"))) rows.push_back(split(line, " | "));
  }
  std::set<std::string> rooms, above, left_out;
  for (const auto& row : rows) rooms.insert(room_named(row.at(1)));
  static const std::regex quoted("`[^`]*`"), word(R"([a-z]+(/[a-z]+)?)"), views(R"((pages) and their views)");
  static const std::set<std::string> between{"types", "of",  "and",  "the", "mathematics", "all",
                                             "above", "but", "same", "a",   "s",           "settings"};
  std::map<std::string, Layer> out;
  for (const auto& row : rows) {
    const std::string name = room_named(row.at(1));
    Layer& layer = out[name];
    std::string knows = std::regex_replace(row.at(2), quoted, "");
    knows = std::regex_replace(knows, views, "$1, pages/view");
    const bool all = knows.find("all") != std::string::npos,
               same = knows.find("the same") != std::string::npos;
    if (!same) left_out.clear();
    bool but = false;
    for (auto at = std::sregex_iterator(knows.begin(), knows.end(), word); at != std::sregex_iterator();
         ++at) {
      but = but || at->str() == "but";
      if (rooms.count(at->str()) > 0)
        (but ? left_out : layer.ours).insert(at->str());
      else
        EXPECT_TRUE(between.count(at->str()) > 0) << "“" << at->str() << "” is no layer: " << row.at(2);
    }
    if (all || same) {
      layer.ours = above;
      for (const std::string& room : left_out) layer.ours.erase(room);
    }
    layer.ours.insert(name), above.insert(name);
    if (layer.ours.count("scene") > 0) layer.ours.insert("pages/settings");
    if (row.at(3) == "–") continue;
    for (const std::string& library : split(row.at(3), ", ")) {
      EXPECT_EQ(headers_of.count(library), 1u) << "“" << library << "” is no library that the test knows";
      if (headers_of.count(library) > 0)
        layer.libraries.insert(headers_of.at(library).begin(), headers_of.at(library).end());
    }
  }
  return out;
}

const std::map<std::string, Layer> table = read_table();

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

/// A page that uses another one says so: NEEDS in its CMakeLists.txt, which also makes it link that page.
TEST(Layers, APageIncludesOnlyThePagesThatItNeeds) {
  const fs::path pages = source() / "pages";
  static const std::regex needs(R"(NEEDS ([a-z_ ]+))");
  int seen = 0;
  for (const Include& include : includes_of(pages)) {
    const std::string from = fs::relative(include.file, pages).generic_string();
    if (from.find('/') == std::string::npos || !include.what.starts_with("pages/")) continue;
    const std::string own = from.substr(0, from.find('/')), path = include.what.substr(6);
    if (path.find('/') == std::string::npos) continue;
    const std::string other = path.substr(0, path.find('/'));
    if (other == own || path.ends_with("settings.h")) continue;
    ++seen;
    std::ifstream in(pages / own / "CMakeLists.txt");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    std::smatch match;
    const bool needed = std::regex_search(text, match, needs) &&
                        (' ' + match[1].str() + ' ').find(' ' + other + ' ') != std::string::npos;
    EXPECT_TRUE(needed) << include.file << ":" << include.line << " includes " << include.what << ", and "
                        << own << " does not have " << other << " among its NEEDS";
  }
  EXPECT_GE(seen, 2) << "the search does not find the pages that use another one";
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
/// names one. Two places do: the page of a new scene (default_page is the same), and measurements of one
/// page.
TEST(Layers, NobodyElseTellsPagesApart) {
  static const std::regex names(R"(\bPage::[a-z]\w*)");
  EXPECT_TRUE(std::regex_search("if (scene.page == scene::Page::cost)", names));
  EXPECT_TRUE(std::regex_search("     Page::attention},", names));
  EXPECT_TRUE(std::regex_search("next.page = scene::Page::attention;", names));
  EXPECT_FALSE(std::regex_search("PageUses::Model::none", names));
  int seen = 0;
  each_line([&](const std::string& path, int number, const std::string& line) {
    if (!has(line, "Page::") || !std::regex_search(line, names)) return;
    ++seen;
    const bool home = path.starts_with("pages/") || path.starts_with("bench/") ||
                      (path == "scene/scene.h" && line.find("  Page page = ") == 0);
    EXPECT_TRUE(home) << path << ":" << number << ": " << line;
  });
  EXPECT_GT(seen, 10) << "the search does not find the pages' own rooms";
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
/// Left out are texts that show how a command is used (they have a blank or a colon), and names that are
/// words of other lists, too: of descriptions, marks and buttons.
TEST(Layers, NobodyElseKnowsASettingOfAPageByName) {
  std::set<std::string> names = settings_of_pages();
  EXPECT_GT(names.size(), 100u) << "the search does not find the lists of settings";
  for (const char* const word : {"arcs", "beams", "matrix", "play", "positions"}) names.erase(word);
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
