// Before and after, side by side.
#include "app/compare.h"

#include <gmock/gmock.h>

#include "scene/settings.h"
#include "session/session.h"

namespace headlight::app {
namespace {

using scene::Page;
using scene::Scene;
using testing::HasSubstr;

Scene sample(const std::string& sentence, int heads) {
  Scene scene;
  scene.sentence = sentence;
  scene.heads = heads;
  return scene;
}

TEST(Compare, BothSidesAreComputedOnEveryPageAndLookAtTheSameThing) {
  Scene scene = sample("the cat sat on the mat", 4);
  Session live({.scene = scene, .autosave = {}});
  Compare compare;
  EXPECT_FALSE(compare.active());
  compare.keep(live, 0);
  Scene next = live.scene();
  next.heads = 8;
  next.mask.causal = true;
  live.change(next, "", 1);
  live.update(1);
  const auto changed = differences(scene, live.scene());
  ASSERT_EQ(changed.size(), 2u);
  EXPECT_EQ(changed[0].label, "Heads");
  EXPECT_EQ(changed[0].before, "4");
  EXPECT_EQ(changed[0].after, "8");
  EXPECT_EQ(changed[1].after, "causal");
  double now = 2;
  compare.key_pressed(live, now);  // shows “before”
  for (int page = 0; page < static_cast<int>(std::size(scene::Words<Page>::list)); ++page) {
    next = live.scene();
    next.page = static_cast<Page>(page);
    next.query = {page % 5};
    live.change(next, "", now += 10);
    live.update(now);
    compare.follow(live, now);
    Session& before = compare.side(live);
    if (next.page == Page::training) {
      EXPECT_EQ(&before, &live);
      continue;
    }
    ASSERT_NE(&before, &live);
    before.wait();
    EXPECT_EQ(before.scene().page, next.page);
    EXPECT_EQ(before.scene().query, next.query) << "the pin is the same";
    EXPECT_EQ(before.scene().heads, 4);
    EXPECT_EQ(before.results().scene.heads, 4);
    EXPECT_EQ(live.results().scene.heads, 8);
    // What it shows is what that scene computes by itself.
    Session alone({.scene = before.scene(), .autosave = {}});
    alone.wait();
    const auto &a = alone.results().attention.weights, &b = before.results().attention.weights;
    ASSERT_EQ(a.size(), b.size());
    EXPECT_TRUE(std::equal(a.data(), a.data() + a.size(), b.data())) << page;
  }
}

TEST(Compare, PinsOnBeforeArePinsEverywhereAndItsNumbersStay) {
  Session live({.scene = sample("the cat sat on the mat", 4), .autosave = {}});
  Compare compare;
  compare.keep(live, 0);
  compare.key_pressed(live, 0);
  compare.follow(live, 1);
  Scene there = compare.side(live).scene();
  there.query = {3};
  there.key = 2;
  compare.side(live).change(there, "", 1);
  compare.settle(live, 1);
  EXPECT_EQ(live.scene().query, scene::IndexList{3});
  EXPECT_EQ(live.scene().key, 2);
  there = compare.side(live).scene();
  there.heads = 2;
  compare.side(live).change(there, "", 2);
  compare.settle(live, 2);
  EXPECT_EQ(live.scene().heads, 4);
  EXPECT_THAT(live.message(), HasSubstr("cannot be changed"));
  compare.follow(live, 3);
  EXPECT_EQ(compare.side(live).scene().heads, 4);
  compare.drop();
  EXPECT_EQ(&compare.side(live), &live);
}

TEST(Compare, TheKeySwitchesAndHeldOnlyWhileItIsHeld) {
  Session live({.scene = sample("a b", 2), .autosave = {}});
  Compare compare;
  compare.key_pressed(live, 0);
  EXPECT_TRUE(compare.active());
  EXPECT_FALSE(compare.shows_before(live));
  compare.key_held(false, 0.1);
  compare.key_pressed(live, 1);
  EXPECT_TRUE(compare.shows_before(live));
  compare.key_held(true, 1.1);
  compare.key_held(false, 1.2);  // a tap
  EXPECT_TRUE(compare.shows_before(live));
  compare.key_pressed(live, 2);
  EXPECT_FALSE(compare.shows_before(live));
  compare.key_held(true, 2.5);
  compare.key_held(false, 3);  // held for a second
  EXPECT_TRUE(compare.shows_before(live));
}

}  // namespace
}  // namespace headlight::app
