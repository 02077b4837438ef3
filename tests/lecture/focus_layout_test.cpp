// The layout in which some cards of a page are shown alone: on made-up pages whose best layout is known, and
// on the real ones of every step of every lesson.
#include "ui/focus_layout.h"

#include <gmock/gmock.h>

#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "pictures/pages.h"
#include "played_lessons.h"

namespace headlight::app {
namespace {

using draw::Box;

const PageOverlay one_card{.focus = {"card one"}};

/// A page with two cards side by side; `one` holds a line of `words` at `size`, cut when the card is narrow.
DrawPage two_cards(const std::string& words, float size) {
  return [=](draw::Canvas& canvas, Box area) {
    const Box one{0, 0, area.w / 2, 200}, two{area.w / 2, 0, area.w / 2, 200};
    const draw::TextStyle style{.size = size};
    canvas.panel(one, "one", "One");
    canvas.text({10, 50}, draw::fit_text(canvas, words, style, one.w - 20), style);
    canvas.panel(two, "two", "Two");
    canvas.text({two.x + 10, 50}, "a very small text that is in the other card", {.size = 3});
  };
}

TEST(FocusLayout, CountsWhatCanBeReadInTheChosenCardsAlone) {
  draw::RecordCanvas measure;
  const Legible seen = legible(one_card, two_cards("ab cd", 20), {0, 0, 1000, 500}, measure);
  EXPECT_EQ(seen.box, (Box{0, 0, 500, 200}));
  EXPECT_NEAR(seen.size, 20, 1e-9);
  EXPECT_EQ(seen.letters, 4);  // blanks are not read
  EXPECT_EQ(seen.cut, 0);
  EXPECT_EQ(legible({.focus = {"card none"}}, two_cards("x", 9), {0, 0, 900, 500}, measure).box.w, 0);
}

TEST(FocusLayout, SmallTypeCountsMoreThanLarge) {
  draw::RecordCanvas measure;
  const DrawPage page = [](draw::Canvas& canvas, Box) {
    canvas.panel({0, 0, 100, 100}, "one", "");
    canvas.text({10, 10}, "aaaa", {.size = 10});
    canvas.text({10, 50}, "aaaa", {.size = 30});
  };
  const double size = legible(one_card, page, {0, 0, 100, 100}, measure).size;
  EXPECT_GT(size, 10);
  EXPECT_LT(size, 15);
  EXPECT_EQ(legible(one_card, page, {0, 0, 100, 100}, measure).filled, (Box{10, 10, 0, 40}));
}

TEST(FocusLayout, ANarrowPageMakesItsTypeLarger) {
  draw::RecordCanvas measure;
  const Box room{0, 0, 1050, 1000};
  const DrawPage page = [](draw::Canvas& canvas, Box area) {
    canvas.panel({0, 0, area.w, 200}, "one", "One");
    canvas.text({10, 50}, "few", {.size = 13});
  };
  const Box best = focus_layout(one_card, page, room, measure);
  EXPECT_LT(best.w, room.w);
  const auto scale = [&](Box layout) {
    return closer_view(legible(one_card, page, layout, measure).box, room.w, room.h, 1).scale;
  };
  EXPECT_GT(scale(best), scale(room));
}

TEST(FocusLayout, ACardIsNeverDrawnSmallerBecauseItIsHigh) {
  const Box high{0, 0, 300, 2000};
  const View view = closer_view(high, 360, 360, 1);
  EXPECT_GE(view.scale, 0.9f);
  EXPECT_GT(view.shift.y, 0);  // it starts at its top
  // As far as it continues below, it scrolls.
  EXPECT_GT(focus_below(high, view, 360), 1400);
  EXPECT_EQ(focus_below({0, 0, 300, 100}, closer_view({0, 0, 300, 100}, 360, 360, 1), 360), 0);
}

TEST(FocusLayout, ASmallCardIsNotMuchLargerThanOnItsPage) {
  EXPECT_LE(closer_view({0, 0, 100, 100}, 850, 720, 1).scale, 1.5f);
  EXPECT_LE(closer_view({0, 0, 100, 100}, 850, 720, 2).scale, 3.f);
  // In a large window a small card grows with the words beside it.
  EXPECT_GE(closer_view({0, 0, 420, 370}, 2534, 2160, 2).scale, 4.2f);
}

TEST(FocusLayout, WordsAreNotCutForLargerType) {
  draw::RecordCanvas measure;
  const std::string words = "about sixty characters in one line, which a narrow card cuts";
  const DrawPage page = two_cards(words, 13);
  const Box best = focus_layout(one_card, page, {0, 0, 1050, 1000}, measure);
  EXPECT_EQ(legible(one_card, page, best, measure).cut, 0) << best.w;
  EXPECT_EQ(legible(one_card, page, {0, 0, 600, 600}, measure).cut, 1);
}

TEST(FocusLayout, WithoutAnyOfItsCardsItIsTheRoom) {
  draw::RecordCanvas measure;
  const Box room{0, 0, 700, 500};
  EXPECT_EQ(focus_layout({.focus = {"card none"}}, two_cards("x", 9), room, measure), room);
}

TEST(FocusLayout, CardsBesideTheFocusAreCoveredAndCannotBePointedAt) {
  draw::RecordCanvas measure;
  draw::PickCanvas pick({-1, -1}, measure);
  pick.panel({0, 0, 100, 300}, "map", "");
  pick.panel({110, 0, 100, 140}, "bars", "");
  pick.panel({110, 160, 100, 140}, "cell", "");
  pick.panel({300, 0, 100, 100}, "far", "");
  const PageThings page{pick.targets(), pick.panels()};
  const OverlayBoxes boxes = overlay_boxes({.focus = {"card map", "card bars"}}, page);
  EXPECT_EQ(boxes.focus, (Box{0, 0, 210, 300}));
  EXPECT_EQ(boxes.others, (std::vector<Box>{{110, 160, 100, 140}}));
  EXPECT_TRUE(boxes.covers_point({150, 200}));
  EXPECT_FALSE(boxes.covers_point({150, 100}));
  EXPECT_FALSE(boxes.covers_point({50, 200}));
}

/// Two heads and their difference, of which the step speaks, in a window of 640 × 360 units.
TEST(FocusLayout, TheCardOfAStepIsWholeInTheSmallestWindow) {
  draw::RecordCanvas measure;
  for (const LessonEntry& entry : list_lessons({})) {
    if (entry.name.find("many-heads") == std::string::npos) continue;
    lesson_test::Played& lesson = lesson_test::played(entry.name);
    lesson.player.go(3, 3);
    lesson.session.update(3);
    lesson.session.wait();
    const views::PageInput in = page_input(lesson.session, draw::theme(true));
    const DrawPage page = [&](draw::Canvas& canvas, Box area) {
      page_info(lesson.session.scene().page).view.draw(canvas, area, in);
    };
    const PageOverlay overlay{.focus = lesson.player.current().focus};
    const Box small{0, 0, 350, 322};
    const Legible seen = legible(overlay, page, focus_layout(overlay, page, small, measure), measure);
    ASSERT_GT(seen.box.w, 0);
    EXPECT_LE(seen.box.h * closer_view(seen.box, small.w, small.h, 1).scale, small.h);
    return;
  }
  FAIL() << "there is no such lesson";
}

TEST(FocusLayout, EveryStepOfEveryLessonIsWholeAndLargeEnoughAtTheUsualSizes) {
  draw::RecordCanvas measure;
  for (const LessonEntry& entry : list_lessons({})) {
    lesson_test::Played& lesson = lesson_test::played(entry.name);
    Session& session = lesson.session;
    LessonPlayer& player = lesson.player;
    for (int step = 0; step < player.steps(); ++step) {
      player.go(step, step);
      session.update(step);
      session.wait();
      EXPECT_FALSE(player.current().focus.empty()) << entry.name << ", step " << step + 1;
      if (player.current().focus == std::vector<std::string>{"card of the missing model"}) continue;
      const views::PageInput in = page_input(session, draw::theme(true));
      const DrawPage page = [&](draw::Canvas& canvas, Box area) {
        page_info(session.scene().page).view.draw(canvas, area, in);
      };
      const PageOverlay overlay{.focus = player.current().focus};
      // The page beside the panel of a window of 1600 × 1000, and of the smallest.
      for (const Box room : {Box{0, 0, 1056, 1000}, Box{0, 0, 431, 400}}) {
        const Legible seen = legible(overlay, page, focus_layout(overlay, page, room, measure), measure);
        const std::string where = entry.name + ", step " + std::to_string(step + 1) + ", room " +
                                  std::to_string(static_cast<int>(room.w));
        ASSERT_GT(seen.box.w, 0) << where;
        const float scale = closer_view(seen.box, room.w, room.h, 1).scale;
        EXPECT_LE(seen.box.w * scale, room.w) << where;
        // A card that is high scrolls in the smallest.
        if (room.h > 900) EXPECT_LE(seen.box.h * scale, room.h) << where;
        EXPECT_LE(seen.box.h * scale, room.h * 2.5f) << where;
        const double least = room.h > 900 ? 10.5 : 8.5;
        EXPECT_GT(seen.size * static_cast<double>(scale), least) << where;
      }
    }
  }
}

}  // namespace
}  // namespace headlight::app
