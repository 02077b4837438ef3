// What a figure of one card leaves out is gone, and everything else is as it was.
#include "io/files.h"
#include "pictured.h"
#include "scene/figure_scene.h"
#include "support/scratch_folder.h"

namespace headlight::app::figure_parts_test {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(FigureParts, AMapWithoutItsFrame) {
  const Pictured page(pinned());
  const std::string whole = page.svg("map", {}), bare = page.svg("map", {.frame = false});
  EXPECT_EQ(count(whole, "rx=\"12\""), 1u);
  EXPECT_EQ(count(bare, "rx=\"12\""), 0u);
  EXPECT_EQ(texts(bare).size(), texts(whole).size());
  // No wider than its card, and without the empty area at its edges.
  const draw::Box box = view_box(whole), inside = view_box(bare);
  EXPECT_LT(inside.h, box.h - 10);
  EXPECT_LT(inside.w, box.w - 10);
}

TEST(FigureParts, AMapWithoutItsTitle) {
  const Pictured page(pinned());
  const std::string whole = page.svg("map", {}), bare = page.svg("map", {.title = false});
  const std::string missing = gone(texts(whole), texts(bare));
  EXPECT_THAT(missing, HasSubstr("attend to?"));
  EXPECT_THAT(missing, HasSubstr("seed 7"));
  EXPECT_EQ(count(missing, "\n"), 5u) << "three pieces of the question and two lines below it:\n" << missing;
  EXPECT_THAT(gone(texts(bare), texts(whole)), IsEmpty()) << "all else has its place";
  EXPECT_EQ(lattices(bare, page.theme()), lattices(whole, page.theme()));
  // Lower by what the title took.
  EXPECT_LT(view_box(bare).h, view_box(whole).h - 40);
  EXPECT_EQ(view_box(bare).bottom(), view_box(whole).bottom());
}

TEST(FigureParts, AMapWithoutItsSelection) {
  const Pictured page(pinned());
  const std::string whole = page.svg("map", {}), bare = page.svg("map", {.selection = false});
  for (const draw::Color role : {page.theme().query, page.theme().key}) {
    EXPECT_GT(count(whole, hex(role)), 0u);
    EXPECT_EQ(count(bare, hex(role)), 0u);
  }
  EXPECT_EQ(count(whole, "<polygon") + count(whole, "<path"),
            count(bare, "<polygon") + count(bare, "<path") + 1)
      << "the mark on the colour bar";
  EXPECT_THAT(bare, HasSubstr("What does each query attend to?"));
  EXPECT_EQ(lattices(bare, page.theme()), lattices(whole, page.theme()));
  EXPECT_EQ(view_box(bare), view_box(whole));
  // The same head, the same numbers, at the same places.
  const std::string missing = gone(texts(whole), texts(bare));
  EXPECT_EQ(count(missing, "\n"), 3u) << "the pieces of the question:\n" << missing;
}

/// On these cards the colours of a query and its key, and of a position, stand for what is pinned alone: none
/// is left, and the picture keeps its size.
TEST(FigureParts, TheseCardsMarkNoSelection) {
  struct Case {
    scene::Page page;
    const char* card;
  };
  for (const Case one : {Case{scene::Page::attention, "bars"}, Case{scene::Page::compare, "maps"},
                         Case{scene::Page::order, "parts"}, Case{scene::Page::order, "rows"},
                         Case{scene::Page::order, "token-order"}, Case{scene::Page::position, "p"},
                         Case{scene::Page::position, "binary"}, Case{scene::Page::memory, "linear"},
                         Case{scene::Page::variants, "a"}, Case{scene::Page::model, "head"}}) {
    SCOPED_TRACE(one.card);
    const Pictured page(on(one.page));
    const std::string whole = page.svg(one.card, {}), bare = page.svg(one.card, {.selection = false});
    std::size_t before = 0;
    for (const draw::Color role : {page.theme().query, page.theme().key, page.theme().offset}) {
      before += count(whole, hex(role));
      EXPECT_EQ(count(bare, hex(role)), 0u) << hex(role);
    }
    EXPECT_GT(before, 0u);
    EXPECT_EQ(view_box(bare).w, view_box(whole).w);
    EXPECT_LE(view_box(bare).h, view_box(whole).h);
    EXPECT_LE(texts(bare).size(), texts(whole).size());
  }
}

TEST(FigureParts, AMapWithoutNotes) {
  const Pictured page(pinned());
  constexpr double wide = 170;
  const std::string whole = page.svg("map", {}, wide), bare = page.svg("map", {.hints = false}, wide);
  EXPECT_EQ(count(whole, "no number below"), 1u);
  EXPECT_EQ(count(bare, "no number below"), 0u);
  EXPECT_EQ(lattices(bare, page.theme()), lattices(whole, page.theme()));
  // Lines above the map make the card lower when they are gone, not the map higher.
  scene::Scene thinned = pinned();
  thinned.attention.least_weight = 0.1;
  const Pictured less(thinned);
  const std::string noted = less.svg("map", {}), plain = less.svg("map", {.hints = false});
  EXPECT_EQ(count(noted, "Not drawn: weights below"), 1u);
  EXPECT_EQ(count(plain, ">Not drawn"), 0u) << "as a line; titles of cells say it still";
  EXPECT_LT(view_box(plain).h, view_box(noted).h - 10);
  ASSERT_EQ(lattices(plain, less.theme()).size(), 1u);
  EXPECT_EQ(lattices(plain, less.theme())[0].h, lattices(noted, less.theme())[0].h);
}

TEST(FigureParts, TheLineBelowBeamsGoesWithTheNotes) {
  scene::Scene scene = pinned();
  scene.attention.view = scene::AttentionView::ribbons;
  const Pictured page(scene);
  const std::string whole = page.svg("map", {}), bare = page.svg("map", {.hints = false});
  EXPECT_GE(count(gone(texts(whole), texts(bare)), "\n"), 1u);
  EXPECT_THAT(gone(texts(bare), texts(whole)), IsEmpty()) << "the beams keep their places";
  EXPECT_LT(view_box(bare).h, view_box(whole).h - 20);
}

TEST(FigureParts, TheFigureStillHoldsItsScene) {
  const tests::ScratchFolder folder;
  const Pictured page(pinned());
  ASSERT_TRUE(io::write_file(folder / "a.svg", page.svg("map", {false, false, false, false, true})));
  const auto opened = scene::scene_in_file(folder / "a.svg");
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(*opened, page.scene());
}

TEST(FigureParts, NamesAreReadAndAnUnknownOneIsNamed) {
  Parts parts;
  EXPECT_TRUE(leave_out(parts, "title, hints"));
  EXPECT_EQ(parts, (Parts{.title = false, .hints = false}));
  const base::Status status = leave_out(parts, "frame,selektion");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error(),
            "\"selektion\" is not a part of a figure; it has frame, title, selection, hints. Did you mean "
            "\"selection\"?");
  EXPECT_FALSE(leave_out(parts, "title,,hints"));
}

/// Scores that are not divided, or have a temperature: without its title the figure still says it, once.
TEST(FigureParts, WhatIsUnusualAboutTheScoresIsSaidWithoutTheTitle) {
  // Words of the picture, without its scene; a line may break anywhere.
  const auto count = [](const std::string& svg, const std::string& words) {
    const std::string text = std::regex_replace(
        std::regex_replace(svg.substr(svg.find("</metadata>")), std::regex("<[^>]*>"), " "),
        std::regex("\\s+"), " ");
    int n = 0;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++n;
    return n;
  };
  for (const scene::AttentionView view : {scene::AttentionView::matrix, scene::AttentionView::ribbons}) {
    for (const scene::IndexList& heads : {scene::IndexList{1}, scene::IndexList{1, 2}}) {
      scene::Scene scene;
      scene.attention.view = view, scene.head = heads;
      scene.scale = false, scene.temperature = 2.5;
      const Pictured unusual(scene);
      for (const Parts& parts : {Parts{}, Parts{.title = false}, Parts{.title = false, .hints = false},
                                 Parts{.frame = false, .title = false, .selection = false, .hints = false}}) {
        const std::string svg = unusual.svg("map", parts);
        EXPECT_EQ(count(svg, "emperature 2.5"), 1) << parts.title << parts.hints;
        EXPECT_EQ(count(svg, "ot divided by"), 1) << parts.title << parts.hints;
      }
      scene.scale = true, scene.temperature = 1;
      const Pictured usual(scene);
      EXPECT_EQ(count(usual.svg("map", {.title = false}), "emperature"), 0);
      EXPECT_EQ(count(usual.svg("map", {.title = false, .hints = false}), "ot divided by"), 0);
    }
  }
}

}  // namespace headlight::app::figure_parts_test
