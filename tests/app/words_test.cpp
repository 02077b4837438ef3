// Is every text that users see plain technical English? The texts come from the doors of the program (fields,
// quantities, tables, pages as pictures and as text, palette, errors), from every string literal of src with
// two words in it, so that texts of rare states are in it, and from the lessons, README and docs.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/actions.h"
#include "app/doors.h"
#include "app/palette_entries.h"
#include "app/plain_words.h"
#include "io/files.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "pictures/pages.h"
#include "scene/settings.h"

namespace headlight::app {
namespace {

namespace fs = std::filesystem;
using scene::Page;
using scene::Scene;

struct Seen {
  std::string where, text;
};

/// Each finding once, with the place where it is.
void expect_plain(const std::vector<Seen>& texts, std::size_t at_least) {
  EXPECT_GE(texts.size(), at_least) << "the texts are collected";
  std::set<std::string> reported;
  for (const Seen& one : texts) {
    for (const std::string& found : tests::not_plain(one.text)) {
      if (reported.insert(found).second) ADD_FAILURE() << one.where << ": " << found;
    }
  }
}

std::string file_text(const fs::path& path) {
  const auto text = io::read_file(path, 1 << 24);
  EXPECT_TRUE(text) << path;
  return text ? *text : std::string();
}

/// The string literals of a C++ source, neighbours joined, without comments and includes.
std::vector<std::string> literals(const std::string& source) {
  std::vector<std::string> out;
  bool open = false;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    if (source.compare(i, 2, "//") == 0 || source.compare(i, 8, "#include") == 0) {
      i = std::min(source.find('\n', i), source.size());
    } else if (c == '\'' && i + 2 < source.size() &&
               (i == 0 || !std::isalnum(static_cast<unsigned char>(source[i - 1])))) {
      i = std::min(source.find('\'', source[i + 1] == '\\' ? i + 3 : i + 2), source.size());
      open = false;
    } else if (c == '"' && i > 0 && source[i - 1] == 'R') {
      const std::size_t bracket = source.find('(', i);
      const std::string close = ")" + source.substr(i + 1, bracket - i - 1) + "\"";
      const std::size_t end = source.find(close, bracket);
      out.push_back(source.substr(bracket + 1, end - bracket - 1));
      i = end + close.size() - 1;
      open = false;
    } else if (c == '"') {
      if (!open) out.emplace_back();
      for (++i; i < source.size() && source[i] != '"'; ++i) {
        if (source[i] == '\\' && source[i + 1] == 'n') {
          out.back() += '\n', ++i;
        } else {
          out.back() += source[i];
          if (source[i] == '\\') out.back() += source[++i];
        }
      }
      open = true;
    } else if (!std::isspace(static_cast<unsigned char>(c))) {
      open = false;
    }
  }
  return out;
}

TEST(PlainWords, TheRulesFindWhatTheyForbidAndLeaveTheRest) {
  for (const char* wrong :
       {"“cat” asks: whom do I attend to?", "the token in each seat", "One vector, three hats",
        "a value is to be had", "the lessons that come along", "where a token stands",
        "which keys a query may read", "the head looks at the token", "“cat” gives “on” 0.3 of its attention",
        "each measures likeness", "entropy, bit", "bytes a value", "\"x\" is none of a, b", "this is no GIF",
        "it goes on training", "the JSON ends in the middle", "than ours", "what the layer knows of order",
        "Where does each head look?"}) {
    EXPECT_FALSE(tests::not_plain(wrong).empty()) << wrong;
  }
  for (const char* right :
       {"cannot read the file", "the file is read at start", "what to look at first",
        "a token stands for a byte", "there is no key", "a query attends to a key", "ask a question",
        "gives the same rows as one pass", "the query is multiplied by the matrix and reads",
        "a standard deviation", "similarity, 3 bits"}) {
    EXPECT_TRUE(tests::not_plain(right).empty()) << right << ": " << tests::not_plain(right).front();
  }
}

TEST(PlainWords, OfEveryTextInTheSources) {
  std::vector<Seen> texts;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEADLIGHT_SOURCE_DIR) / "src")) {
    const std::string kind = entry.path().extension().string();
    if (kind != ".cpp" && kind != ".h") continue;
    for (std::string& text : literals(file_text(entry.path()))) {
      if (text.find(' ') != std::string::npos)
        texts.push_back({entry.path().lexically_relative(HEADLIGHT_SOURCE_DIR).string(), std::move(text)});
    }
  }
  expect_plain(texts, 3000);
}

TEST(PlainWords, OfLessonsAndDocuments) {
  const fs::path root = HEADLIGHT_SOURCE_DIR;
  std::vector<Seen> texts;
  const auto add = [&](const fs::path& path) {
    std::string text = file_text(path);
    // `code` names things as they are called; it is no sentence.
    for (std::size_t at = 0; (at = text.find('`', at)) != std::string::npos;) {
      const std::size_t end = text.find('`', at + 1);
      if (end == std::string::npos || end - at > 200) {
        ++at;
      } else {
        text.replace(at, end - at + 1, "code");
      }
    }
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find("\n\n", at), text.size());
      texts.push_back({path.filename().string(), text.substr(at, end - at)});
      at = end + 2;
    }
  };
  for (const char* name : {"README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/lessons.md"})
    add(root / name);
  for (const auto& entry : fs::directory_iterator(root / "assets/lessons")) add(entry.path());
  expect_plain(texts, 60);
}

TEST(PlainWords, OfFieldsQuantitiesTablesPagesAndThePalette) {
  std::vector<Seen> texts;
  const Scene standard;
  scene::fields(standard, [&](const scene::Field& field, const auto&) {
    texts.push_back({field.name, std::string(field.label) + ". " + field.help});
  });
  for (const scene::QuantityInfo& info : scene::quantities())
    texts.push_back({info.name, std::string(info.label) + ". " + info.help});
  for (const PageInfo& info : pages()) {
    texts.push_back(
        {info.room.title, std::string(info.room.title) + ". " + info.room.about + ". " + info.view.hint});
    for (const views::HelpEntry& entry : info.view.help())
      texts.push_back({entry.panel, std::string(entry.panel) + ". " + entry.meaning});
  }
  for (const PaletteEntry& entry : palette_entries(standard))
    texts.push_back({"palette", entry.title + ". " + entry.detail});
  for (const ActionInfo& info : actions()) texts.push_back({"actions", info.name});
  expect_plain(texts, 500);
}

TEST(PlainWords, OfEveryPageAsAPictureAndAsText) {
  std::vector<Seen> texts;
  for (const PageInfo& info : pages()) {
    if (info.page() == Page::training) continue;  // a run takes seconds; its literals are in the sources
    for (const char* set : {"mask=none", "mask=causal", "position=none", "head=0", "sentence=one"}) {
      Scene scene;
      scene.page = info.page();
      ASSERT_TRUE(scene::set_field(scene, set)) << set;
      const Doors doors(scene);
      texts.push_back({std::string(info.room.title) + " described", doors.described()});
      draw::RecordCanvas canvas;
      info.view.draw(canvas, {0, 0, 1400, 1600}, doors.input());
      for (const auto& text : canvas.texts) texts.push_back({info.room.title, text.words});
      for (const draw::Mark& mark : canvas.marks) texts.push_back({info.room.title, mark.note});
      texts.push_back({info.room.title, info.view.status ? info.view.status(doors.input()) : std::string()});
    }
  }
  expect_plain(texts, 2000);
}

TEST(PlainWords, OfWhatASettingRefuses) {
  std::vector<Seen> texts;
  for (const char* wrong :
       {"page=atention", "page=xyzzy", "haeds=8", "heads", "heads=5000", "heads=x", "mask=casual",
        "mask=none+causal", "mask=x", "theme=drak", "scale=maybe", "temperature=hot", "temperature=-1",
        "query=a,b", "head=0,1", "head=99999999999", "worked_x=1,0;0", "worked_x="}) {
    Scene scene;
    const base::Status status = scene::set_field(scene, wrong);
    if (!status) texts.push_back({wrong, status.error()});
  }
  for (const char* wrong :
       {"", "entropi", "entropy haed=2", "entropy head=x", "tokens = ", "tokens < many"}) {
    const auto quantity = scene::parse_quantity(wrong);
    if (!quantity) texts.push_back({wrong, quantity.error()});
  }
  expect_plain(texts, 18);
}

}  // namespace
}  // namespace headlight::app
