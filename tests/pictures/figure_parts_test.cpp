// What a figure of one card leaves out is gone, and everything else is as it was; square cells are squares,
// and the height of the figure follows from what it holds.
#include <gmock/gmock.h>

#include <cstdio>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "draw/no_canvas.h"
#include "io/files.h"
#include "pictures/page_figure.h"
#include "pictures/pages.h"
#include "scene/figure_scene.h"
#include "session/session.h"
#include "support/page_name.h"
#include "support/scratch_folder.h"
#include "support/xml.h"

namespace headlight::app::figure_parts_test {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Parts = draw::FigureParts;

/// A page that is computed once, and figures of it on paper.
class Pictured {
 public:
  explicit Pictured(scene::Scene scene) {
    scene.theme = scene::ThemeName::light;
    page_ = scene.page;
    session_ = std::make_unique<Session>(Session::Start{.scene = scene, .autosave = {}});
    session_->wait();
    theme_ = figure_theme(session_->scene(), false);
  }
  FigureWish wish(const std::string& panel, const Parts& parts, double width_mm = 85) const {
    return {.page = page_, .panel = panel, .width_mm = width_mm, .parts = parts};
  }
  std::string svg(const std::string& panel, const Parts& parts, double width_mm = 85) const {
    const auto bytes = page_figure(wish(panel, parts, width_mm), FigureFormat::svg, input());
    EXPECT_TRUE(bytes) << bytes.error();
    return bytes ? *bytes : "";
  }
  FigureSize size(const std::string& panel, const Parts& parts, double width_mm = 85) const {
    const auto out = figure_size(wish(panel, parts, width_mm), input());
    EXPECT_TRUE(out) << out.error();
    return out ? *out : FigureSize{};
  }
  std::vector<figure::Panel> cards(const Parts& parts = {}) const {
    return page_panels(wish("", parts, 0), input());
  }
  views::PageInput input() const { return page_input(*session_, theme_); }
  const draw::Theme& theme() const { return theme_; }
  const scene::Scene& scene() const { return session_->scene(); }

 private:
  scene::Page page_ = scene::Page::attention;
  std::unique_ptr<Session> session_;
  draw::Theme theme_;
};

scene::Scene on(scene::Page page) {
  scene::Scene scene;
  scene.page = page;
  scene.training.steps = 12, scene.training.batch = 2, scene.training.d_model = 16;
  scene.training.layers = 1, scene.training.length = 8;
  return scene;
}
scene::Scene pinned() {
  scene::Scene scene = on(scene::Page::attention);
  scene.query = {1}, scene.key = 2;
  return scene;
}

/// Every text with its place, "x y words".
std::set<std::string> texts(const std::string& svg) {
  static const std::regex pattern("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\"[^>]*>([^<]*)</text>");
  std::set<std::string> out;
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at)
    out.insert((*at)[1].str() + " " + (*at)[2].str() + " " + (*at)[3].str());
  return out;
}
/// Those of `a` that are not in `b`, in one line.
std::string gone(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::string out;
  for (const std::string& one : a) {
    if (!b.count(one)) out += one + "\n";
  }
  return out;
}
std::size_t count(const std::string& in, const std::string& what) {
  std::size_t out = 0;
  for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++out;
  return out;
}
std::string hex(draw::Color color) {
  char out[8];
  std::snprintf(out, sizeof out, "#%02x%02x%02x", color.r, color.g, color.b);
  return out;
}
draw::Box view_box(const std::string& svg) {
  draw::Box out;
  const tests::XmlCheck xml = tests::check_xml(svg);
  EXPECT_EQ(xml.error, "");
  std::sscanf(xml.of_root.at("viewBox").c_str(), "%f %f %f %f", &out.x, &out.y, &out.w, &out.h);
  return out;
}
/// The grounds of maps with a lattice: as wide and high as all of their cells.
std::vector<draw::Box> lattices(const std::string& svg, const draw::Theme& theme) {
  const std::regex pattern(
      "<rect x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" width=\"([0-9.]+)\" height=\"([0-9.]+)\" fill=\"" +
      hex(theme.border) + "\" fill-opacity=\"0.6\"");
  std::vector<draw::Box> out;
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at)
    out.push_back({std::stof((*at)[1]), std::stof((*at)[2]), std::stof((*at)[3]), std::stof((*at)[4])});
  return out;
}

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
  thinned.least_weight = 0.1;
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
  scene.attention_view = scene::AttentionView::ribbons;
  const Pictured page(scene);
  const std::string whole = page.svg("map", {}), bare = page.svg("map", {.hints = false});
  EXPECT_GE(count(gone(texts(whole), texts(bare)), "\n"), 1u);
  EXPECT_THAT(gone(texts(bare), texts(whole)), IsEmpty()) << "the beams keep their places";
  EXPECT_LT(view_box(bare).h, view_box(whole).h - 20);
}

TEST(FigureParts, SquareCellsAreSquaresAndNothingIsEmpty) {
  const Pictured page(pinned());
  for (const double wide : {85., 120., 170.}) {
    const std::string svg = page.svg("map", {.square = true}, wide);
    const auto maps = lattices(svg, page.theme());
    ASSERT_EQ(maps.size(), 1u);
    EXPECT_EQ(maps[0].w, maps[0].h) << "six tokens by six";
    const draw::Box box = view_box(svg);
    EXPECT_GT(maps[0].w, wide < 150 ? 0.75f * box.w : 0.5f * box.w) << "as wide as the card";
    // Below the map come the bar and its numbers, or sums by key as well, and the padding.
    EXPECT_LT(box.bottom() - maps[0].bottom(), 110);
    EXPECT_EQ(svg.find("Head 2"), std::string::npos) << "no neighbour lies beneath a card that became higher";
  }
}

/// The height follows from the shape of the map: of a few rows on view it is low.
TEST(FigureParts, SquareCellsOfAWideMapMakeALowFigure) {
  const Pictured page(pinned());
  views::PageInput part = page.input();
  part.map_view = {0, 1, 6, 2};
  const auto low = figure_size(page.wish("map", {.square = true}), part),
             whole = figure_size(page.wish("map", {.square = true}), page.input());
  ASSERT_TRUE(low && whole);
  EXPECT_NEAR(low->wide_mm, whole->wide_mm, 0.01);
  EXPECT_LT(low->high_mm, 0.6 * whole->high_mm);
}

TEST(FigureParts, MapsOfOneCardAreSquareTogether) {
  const Pictured compare(on(scene::Page::compare)), order(on(scene::Page::order));
  const auto squares = [](const Pictured& page, const char* card, double wide) {
    const auto maps = lattices(page.svg(card, {.square = true}, wide), page.theme());
    for (const draw::Box& map : maps) EXPECT_EQ(map.w, map.h) << card;
    return maps;
  };
  for (const double wide : {85., 174.}) {
    const auto all = squares(compare, "maps", wide);
    ASSERT_EQ(all.size(), 3u);
    for (const draw::Box& map : all) EXPECT_EQ(map.w, all[0].w) << wide;
    for (const draw::Box& map : all) EXPECT_EQ(map.y, all[0].y) << wide << ": no part of the figure is empty";
  }
  const auto parts = squares(order, "parts", 85);
  ASSERT_EQ(parts.size(), 4u);
  for (const draw::Box& map : parts) EXPECT_EQ(map.w, parts[0].w);
}

TEST(FigureParts, ACardWithoutAMatrixHasNoCellsToBeSquare) {
  const Pictured page(on(scene::Page::position));
  const auto figure = page_figure(page.wish("clocks", {.square = true}), FigureFormat::svg, page.input());
  ASSERT_FALSE(figure);
  EXPECT_EQ(figure.error(), "the cells of the card \"clocks\" cannot be made square");
  for (const figure::Panel& card : page.cards({.square = true}))
    EXPECT_EQ(card.spare.has_value(), card.name == "p") << card.name;
}

/// The cells of the matrices of one card, width over height; the numbers of a worked example are cells, too.
class CellShapes final : public draw::NoCanvas {
 public:
  explicit CellShapes(std::string card) : card_(std::move(card)) {}
  std::vector<float> shapes;
  bool told = false;  // what is free of the height
  bool plain() const override { return true; }
  Parts parts() const override { return {.square = true}; }
  void panel(draw::Box, std::string_view name, std::string_view) override { here_ = name == card_; }
  void spare(float) override { told |= here_; }
  void heatmap(draw::Box box, const draw::Heatmap& map) override {
    if (!here_ || map.rows < 2 || map.cols < 2) return;  // a vector, a colour bar
    const auto across = static_cast<float>(map.transposed ? map.rows : map.cols),
               down = static_cast<float>(map.transposed ? map.cols : map.rows);
    shapes.push_back(box.w / across / (box.h / down));
  }
  void rect(draw::Box box, draw::Color, float radius) override {
    if (here_ && card_ == "flow" && radius == 3 && box.h > 4) shapes.push_back(box.w / box.h);
  }

 private:
  std::string card_;
  bool here_ = false;
};

/// Wherever a matrix with labels is drawn its cells can be squares, and the card is as high as they need.
TEST(FigureParts, CellsAreSquareWhereverAMatrixIs) {
  struct Case {
    scene::Page page;
    const char* card;
  };
  for (const Case& one :
       {Case{scene::Page::order, "rows"}, Case{scene::Page::position, "p"}, Case{scene::Page::memory, "fast"},
        Case{scene::Page::memory, "linear"}, Case{scene::Page::compare, "similarity"},
        Case{scene::Page::block, "flow"}, Case{scene::Page::worked, "flow"}}) {
    SCOPED_TRACE(std::string(scene::word(one.page)) + "/" + one.card);
    const Pictured page(on(one.page));
    for (const float width : {420.f, 1000.f, 1600.f}) {
      CellShapes canvas(one.card);
      page_info(one.page).view.draw(canvas, {0, 0, width, 900}, page.input());
      EXPECT_TRUE(canvas.told) << width;
      EXPECT_FALSE(canvas.shapes.empty()) << width;
      for (const float shape : canvas.shapes) EXPECT_NEAR(shape, 1, 0.01) << width;
    }
    for (const double wide : {85., 170.}) {
      const auto size = figure_size(page.wish(one.card, {.square = true}, wide), page.input());
      if (size) {
        EXPECT_GT(size->high_mm, 15) << "the card is not folded up";
        EXPECT_LT(size->high_mm, 247);
      } else {
        EXPECT_THAT(size.error(), HasSubstr("choose a smaller width, or leave out --square"));
      }
    }
  }
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

class PartsOfEveryPage : public testing::TestWithParam<scene::Page> {};

std::vector<scene::Page> all_pages() {
  std::vector<scene::Page> all;
  for (const PageInfo& info : pages()) all.push_back(info.page());
  return all;
}

/// Of every card: without its frame there is no ground of a card, without its title it is lower and has no
/// other words, and every figure is sound.
TEST_P(PartsOfEveryPage, FramesAndTitlesOfItsCards) {
  const Pictured page(on(GetParam()));
  for (const figure::Panel& card : page.cards()) {
    if (!page_figure(page.wish(card.name, {}, 170), FigureFormat::svg, page.input())) continue;  // too high
    SCOPED_TRACE(card.name);
    const std::string whole = page.svg(card.name, {}, 170),
                      unframed = page.svg(card.name, {.frame = false}, 170),
                      untitled = page.svg(card.name, {.title = false}, 170);
    EXPECT_EQ(count(unframed, "rx=\"12\""), 0u);
    EXPECT_EQ(view_box(unframed).w > 0, true);
    // Where a part of the page's width was wanted, the page may be laid out otherwise: as many words.
    if (view_box(untitled).w == view_box(whole).w) {
      EXPECT_THAT(gone(texts(untitled), texts(whole)), IsEmpty());
      EXPECT_LE(view_box(untitled).h, view_box(whole).h);
      EXPECT_LE(texts(untitled).size(), texts(whole).size());
    }
  }
}

/// What is drawn of a figure: without its scene, and without what is said of marks under a pointer.
std::string drawing(std::string svg) {
  for (const char* element : {"metadata", "title"}) {
    const std::string begin = std::string("<") + element, end = std::string("</") + element + ">";
    for (std::size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at)) {
      const std::size_t last = svg.find(end, at);
      if (last == std::string::npos) break;
      svg.erase(at, last + end.size() - at);
    }
  }
  return svg;
}

/// The same page with other things pinned.
scene::Scene pinned_on(scene::Page page, bool other) {
  scene::Scene scene = on(page);
  scene.query = {other ? 3 : 1}, scene.key = other ? 4 : 2;
  scene.position_index = other ? 9 : 5;
  scene.memory.step = other ? 5 : 3;
  scene.worked.row = scene.worked.col = other ? 1 : 0;
  return scene;
}

/// These cards show what is pinned itself, so their pictures differ with it.
const std::set<std::string>& about_what_is_pinned() {
  static const std::set<std::string> cards{
      "attention/bars",     // the weights of the query
      "attention/cell",     // the arithmetic of the pair
      "attention/kernels",  // the weights of the query by offset, beside those of another one
      "order/parts",        // below the maps: the parts of the score of the pair
      "position/clocks",    // hands at position i
      "position/rotation",  // p(i) and p(i + δ)
      "position/build-up",  // which positions resemble i
      "position/same-arc",  // the arc from i
      "memory/fast",        // W before and after the step
      "worked/number",      // the arithmetic of the entry
      "worked/plane",       // the query of the token among all keys
      "worked/roles",       // the three vectors of the token
      "worked/lookup",      // what the query of the token finds
  };
  return cards;
}

/// Without the selection nothing says what was pinned, but on cards that are about it.
TEST_P(PartsOfEveryPage, WithoutTheSelectionNothingTellsWhatIsPinned) {
  const Pictured one(pinned_on(GetParam(), false)), other(pinned_on(GetParam(), true));
  for (const figure::Panel& card : one.cards()) {
    const Parts bare{.selection = false};
    if (!page_figure(one.wish(card.name, bare, 170), FigureFormat::svg, one.input())) continue;  // too high
    SCOPED_TRACE(card.name);
    const bool same = drawing(one.svg(card.name, bare, 170)) == drawing(other.svg(card.name, bare, 170));
    const std::string name = std::string(scene::word(GetParam())) + "/" + card.name;
    EXPECT_EQ(same, about_what_is_pinned().count(name) == 0) << name;
  }
}

/// Of a page on paper, the names of the controls that have the ground of a button.
class Widgets final : public draw::NoCanvas {
 public:
  std::set<std::string> names;
  bool plain() const override { return true; }
  void mark(const draw::Mark& mark) override { now_ = mark; }
  void rect(draw::Box box, draw::Color, float radius) override {
    const bool control = now_.part == draw::Part::control || now_.part == draw::Part::note;
    // The ground of a small picture, of a key to curves, and of the row of a list that is shown beside it.
    const bool content = std::any_of(std::begin(content_), std::end(content_),
                                     [&](const char* name) { return now_.name.starts_with(name); });
    if (control && !content && radius >= 5 && box == now_.area) names.insert(now_.name);
  }

  void ring(draw::Point, float, draw::Stroke) override {  // the knob of a bar that is dragged
    if (now_.name.starts_with("score ")) names.insert(now_.name);
  }

 private:
  static constexpr const char* content_[] = {"matrix ", "col ", "run ", "preset "};
  draw::Mark now_;
};

/// Buttons, choices and steps that nobody can press are not drawn on paper: of a control its place is left,
/// or a part of the picture.
TEST_P(PartsOfEveryPage, NoButtonsOnPaper) {
  const Pictured page(on(GetParam()));
  for (const float width : {420.f, 1000.f, 1600.f}) {
    Widgets canvas;
    page_info(GetParam()).view.draw(canvas, {0, 0, width, 900}, page.input());
    EXPECT_THAT(canvas.names, IsEmpty()) << width << ": " << testing::PrintToString(canvas.names);
  }
}

/// The switch of the notes does something on the cards that have some, and adds no words anywhere.
TEST(FigureParts, NotesGoFromTheCardsOfManyPages) {
  std::vector<std::string> fewer;
  for (const scene::Page one : all_pages()) {
    const Pictured page(on(one));
    for (const figure::Panel& card : page.cards()) {
      if (!page_figure(page.wish(card.name, {}, 170), FigureFormat::svg, page.input())) continue;  // too high
      const std::string whole = page.svg(card.name, {}, 170),
                        bare = page.svg(card.name, {.hints = false}, 170);
      EXPECT_LE(texts(bare).size(), texts(whole).size() + 4) << card.name;  // ticks of a larger picture
      if (texts(bare).size() < texts(whole).size()) fewer.push_back(card.name);
    }
  }
  EXPECT_GE(fewer.size(), 12u) << testing::PrintToString(fewer);
}

INSTANTIATE_TEST_SUITE_P(Pages, PartsOfEveryPage, testing::ValuesIn(all_pages()),
                         [](const auto& one) { return std::string(scene::word(one.param)); });

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
      scene.attention_view = view, scene.head = heads;
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
