// Square cells are squares, and the height of the figure follows from what it holds.
#include "draw/no_canvas.h"
#include "pictured.h"

namespace headlight::app::figure_parts_test {

using testing::HasSubstr;

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
  const auto low = figure_size(page.request("map", {.square = true}), part),
             whole = figure_size(page.request("map", {.square = true}), page.input());
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
  const auto figure = page_figure(page.request("clocks", {.square = true}), FigureFormat::svg, page.input());
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
  bool reported = false;  // what is free of the height
  bool plain() const override { return true; }
  Parts parts() const override { return {.square = true}; }
  void panel(draw::Box, std::string_view name, std::string_view) override { here_ = name == card_; }
  void spare(float) override { reported |= here_; }
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
      EXPECT_TRUE(canvas.reported) << width;
      EXPECT_FALSE(canvas.shapes.empty()) << width;
      for (const float shape : canvas.shapes) EXPECT_NEAR(shape, 1, 0.01) << width;
    }
    for (const double wide : {85., 170.}) {
      const auto size = figure_size(page.request(one.card, {.square = true}, wide), page.input());
      if (size) {
        EXPECT_GT(size->high_mm, 15) << "the card is not folded up";
        EXPECT_LT(size->high_mm, 247);
      } else {
        EXPECT_THAT(size.error(), HasSubstr("choose a smaller width, or leave out --square"));
      }
    }
  }
}

}  // namespace headlight::app::figure_parts_test
