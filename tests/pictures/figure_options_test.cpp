// What can be chosen of a figure: a column of a page, one card, a transparent ground; and what is then whole
// and can be read.
#include <gmock/gmock.h>

#include <cstdio>
#include <regex>
#include <set>

#include "app/render.h"
#include "figure_words.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "support/scratch_folder.h"
#include "support/xml.h"

namespace headlight::app::figure_test {
namespace {

using testing::HasSubstr;

TEST(FigureOptions, AColumnIsAsWideAndItsWordsCanBeRead) {
  const tests::ScratchFolder folder;
  const scene::Scene scene = on(scene::Page::attention);
  const std::string svg = written(scene, {.panel = "map", .width_mm = 85}, folder / "map.svg");
  const tests::XmlCheck xml = tests::check_xml(svg);
  EXPECT_EQ(xml.of_root.at("width"), "85mm");
  float x = 0, y = 0, w = 0, h = 0;
  ASSERT_EQ(std::sscanf(xml.of_root.at("viewBox").c_str(), "%f %f %f %f", &x, &y, &w, &h), 4);
  static const std::regex size("font-size=\"([0-9.]+)\"");
  for (std::sregex_iterator at(svg.begin(), svg.end(), size), end; at != end; ++at) {
    const double points = std::stod((*at)[1]) * 85 / double(w) * 72 / 25.4;
    EXPECT_GT(points, 5.4);
    EXPECT_LT(points, 12);
  }
  EXPECT_EQ(svg.find(">Ribbons<"), std::string::npos) << "no buttons on paper";
  const auto png =
      io::decode_png(written(scene, {.panel = "map", .width_mm = 85}, folder / "map.png"), "map.png");
  ASSERT_TRUE(png);
  EXPECT_EQ(png->image.width, 1004) << "85 mm at 300 to the inch";
}

TEST(FigureOptions, TheNumbersOfTheWorkedExampleCanBeReadInAColumn) {
  const tests::ScratchFolder folder;
  const std::string svg =
      written(on(scene::Page::worked), {.panel = "flow", .width_mm = 85}, folder / "flow.svg");
  const tests::XmlCheck xml = tests::check_xml(svg);
  float x = 0, y = 0, w = 0, h = 0;
  ASSERT_EQ(std::sscanf(xml.of_root.at("viewBox").c_str(), "%f %f %f %f", &x, &y, &w, &h), 4);
  EXPECT_LT(h, 1.7f * w) << "still a column of a page";
  static const std::regex size("font-size=\"([0-9.]+)\"");
  int sizes = 0;
  for (std::sregex_iterator at(svg.begin(), svg.end(), size), end; at != end; ++at, ++sizes)
    EXPECT_GT(std::stod((*at)[1]) * 85 / double(w) * 72 / 25.4, 5) << "points; the smallest is an index";
  EXPECT_GT(sizes, 0);
}

TEST(FigureOptions, AColumnOfCompareNamesItsHeadsAndEveryToken) {
  scene::Scene scene = on(scene::Page::compare);
  scene.sentence = "the animal did not cross the street because it was too tired today";
  ASSERT_TRUE(scene::set_field(scene, "bench_from=stack"));
  ASSERT_TRUE(scene::set_field(scene, "bench_layer_a=2"));
  ASSERT_TRUE(scene::set_field(scene, "bench_a=4"));
  const tests::ScratchFolder folder;
  RenderOptions options;
  options.panel = "maps", options.width_mm = 85;
  const std::string svg = written(scene, options, folder / "maps.svg");
  const auto times = [&](const std::string& words) {
    int count = 0;
    for (std::size_t at = svg.find(">" + words + "<"); at != std::string::npos;
         at = svg.find(">" + words + "<", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(times("A: layer 2, head 4"), 1);
  // A row and a column of each of three maps; “the” is there twice.
  for (const char* word : {"animal", "because", "today", "was"}) EXPECT_EQ(times(word), 6) << word;
  EXPECT_EQ(times("the"), 12);
  EXPECT_EQ(svg.find("…"), std::string::npos);
}

/// What is said above a printed map is whole, and takes nothing from the map.
TEST(FigureOptions, AColumnOfTheMapSaysWhatItsWordsAre) {
  scene::Scene scene = on(scene::Page::attention);
  ASSERT_TRUE(scene::set_field(scene, "model=pronouns-guided"));
  scene.sentence = "the cat sat on the mat because it was soft";
  scene::repair(scene);
  const tests::ScratchFolder folder;
  const std::string svg = written(scene, {.panel = "map", .width_mm = 85}, folder / "map.svg");
  std::string all;
  for (const Word& word : words_of(svg)) all += word.text + " ";
  EXPECT_THAT(all, testing::HasSubstr("treated as <unknown>"));
  EXPECT_THAT(all, testing::HasSubstr("Rows: queries"));
  EXPECT_EQ(all.find("…"), std::string::npos) << all;
  const auto height = [&](const std::string& sentence) {
    scene.sentence = sentence;
    return io::decode_png(written(scene, {.panel = "map", .width_mm = 85}, folder / "map.png"), "map.png")
        ->image.height;
  };
  EXPECT_GT(height("the cat sat on the mat because it was soft"),
            height("the dog and the cat and the dog and the cat"));
}

TEST(FigureOptions, NoFigureHasButtons) {
  const tests::ScratchFolder folder;
  const auto words = [&](scene::Page page, const char* panel, double width_mm) {
    std::set<std::string> out;
    for (const Word& word :
         words_of(written(on(page), {.panel = panel, .width_mm = width_mm}, folder / "a.svg")))
      out.insert(word.text);
    return out;
  };
  for (const double width_mm : {0.0, 170.0}) {
    EXPECT_EQ(words(scene::Page::position, "clocks", width_mm).count("Play"), 0u);
    EXPECT_EQ(words(scene::Page::variants, "a", width_mm).count("ALiBi"), 0u);
  }
  EXPECT_EQ(words(scene::Page::order, "parts", 85).count("head 1"), 1u) << "which head it is, is still said";
  // A title that made room for buttons has that room.
  EXPECT_EQ(words(scene::Page::cost, "paths", 85).count("Path length"), 1u);
}

/// Of one token a printed card says only what is so, and is no higher than that.
TEST(FigureOptions, ACardOfOneTokenIsAsLowAsItsWords) {
  const tests::ScratchFolder folder;
  const auto height = [&](const std::string& sentence) {
    scene::Scene scene = on(scene::Page::attention);
    scene.sentence = sentence;
    scene::repair(scene);
    return io::decode_png(written(scene, {.panel = "kernels", .width_mm = 85}, folder / "k.png"), "k.png")
        ->image.height;
  };
  EXPECT_LT(2 * height("cat"), height("the cat sat on the mat"));
}

/// A column of a page has no room for the words below three colour bars, so they are below each other.
TEST(FigureOptions, NarrowColourBarsKeepTheirWords) {
  const tests::ScratchFolder folder;
  for (const bool square : {false, true}) {
    RenderOptions options{.panel = "linear", .width_mm = 85};
    options.parts.square = square;
    std::set<std::string> message;
    for (const Word& word : words_of(written(on(scene::Page::memory), options, folder / "l.svg")))
      message.insert(word.text);
    for (const char* words : {"weights", "outputs", "Δ weights"})
      EXPECT_EQ(message.count(words), 1u) << words;
  }
}

/// Cards whose titles are drawn by their pages have titles in lists.
TEST(FigureOptions, EveryCardInAListHasATitle) {
  const std::string list = list_panels(on(scene::Page::variants), {.page = scene::Page::variants});
  EXPECT_THAT(list, HasSubstr("a\tA: RoPE · no mask"));
  EXPECT_EQ(list.find("\t\n"), std::string::npos) << list;
}

TEST(FigureOptions, TransparentFiguresHaveNoGround) {
  const tests::ScratchFolder folder;
  const auto png = io::decode_png(
      written(on(scene::Page::position), {.panel = "clocks", .transparent = true}, folder / "c.png"),
      "c.png");
  ASSERT_TRUE(png);
  std::size_t clear = 0, solid = 0;
  for (std::size_t i = 3; i < png->image.pixels.size(); i += 4) {
    clear += png->image.pixels[i] == 0;
    solid += png->image.pixels[i] == 255;
  }
  EXPECT_GT(clear, png->image.pixels.size() / 4 / 2);
  EXPECT_GT(solid, 1000u);
}

TEST(FigureOptions, AnUnknownCardIsAnsweredWithThoseThatThereAre) {
  const tests::ScratchFolder folder;
  const base::Status status = render_page(
      on(scene::Page::position), {.page = scene::Page::position, .out = folder / "a.svg", .panel = "clock"});
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error(), HasSubstr("has no card \"clock\"; it has p, columns, clocks"));
  EXPECT_THAT(status.error(), HasSubstr("Did you mean \"clocks\"?"));
  EXPECT_EQ(folder.files(), 0);
}

}  // namespace
}  // namespace headlight::app::figure_test
