// What the figures of every card of every page leave out: frames, titles, notes, selections and buttons.
#include <algorithm>

#include "draw/no_canvas.h"
#include "pictured.h"
#include "support/page_name.h"

namespace headlight::app::figure_parts_test {

using testing::IsEmpty;

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
    if (!page_figure(page.request(card.name, {}, 170), FigureFormat::svg, page.input()))
      continue;  // too high
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
  scene.positions.index = other ? 9 : 5;
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
    if (!page_figure(one.request(card.name, bare, 170), FigureFormat::svg, one.input()))
      continue;  // too high
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
      if (!page_figure(page.request(card.name, {}, 170), FigureFormat::svg, page.input()))
        continue;  // too high
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

}  // namespace headlight::app::figure_parts_test
