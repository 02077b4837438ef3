// Every page with what the core really computes, at both ends of every setting: it is drawn, nothing is lost
// beyond its edges, and whatever can be pointed at says something.
#include <gtest/gtest.h>

#include <cmath>

#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "pictures/pages.h"
#include "scene/field_values.h"
#include "scene/settings.h"
#include "support/page_name.h"
#include "support/sanitized.h"

namespace headlight::app {
namespace {

void expect_drawn(scene::Scene scene, const std::string& what) {
  SCOPED_TRACE(what + " on " + scene::word(scene.page));
  scene::repair(scene);
  static base::Parallel parallel(1);
  const auto results = scene::compute_now(scene, parallel, {});
  ASSERT_TRUE(results);
  const draw::Theme theme = draw::theme(true);
  views::PageInput in{scene, *results, nullptr, nullptr, theme, true, {}};
  in.numbers = scene::read_quantity;
  static int turn = 0;  // with a sanitizer the widths take turns
  ++turn;
  for (const float width : {352.f, 1010.f}) {
    if (tests::sanitized && (turn % 2 == 0) != (width < 400)) continue;
    draw::RecordCanvas canvas;
    const PageInfo& page = page_info(scene.page);
    const float height = page.view.draw(canvas, {0, 0, width, 560}, in);
    EXPECT_GE(height, 560);
    EXPECT_FALSE(canvas.texts.empty());
    for (const auto& text : canvas.texts) {
      EXPECT_LE(text.box.right(), width + 0.01f) << text.words;
      EXPECT_LE(text.box.bottom(), height + 0.01f) << text.words;
      EXPECT_EQ(text.words.find("NaN"), std::string::npos) << text.words;
    }
    for (const auto& map : canvas.maps) EXPECT_TRUE(std::isfinite(map.map.hi));
    const auto sane = [](const std::string& words) { return words.find("NaN") == std::string::npos; };
    EXPECT_TRUE(sane(page.view.status(in))) << page.view.status(in);
    int pointed = 0;
    for (const draw::Mark& mark : canvas.marks) {
      if (mark.area.w <= 0 || ++pointed % (tests::sanitized ? 160 : 40) != 1) continue;
      draw::PickCanvas pick(mark.area.centre(), canvas);
      page.view.draw(pick, {0, 0, width, 560}, in);
      const std::string words = page.view.tooltip(in, pick.hit());
      EXPECT_TRUE(sane(words)) << words;
      if (pick.hit().mark.part == draw::Part::cell || pick.hit().mark.part == draw::Part::bar) {
        EXPECT_NE(words, "") << pick.hit().mark.name;
      }
    }
  }
}

/// The ends of what a field can have: its first and last number, each of its words.
template <class Value>
std::vector<std::string> ends_of(const scene::Field& field, [[maybe_unused]] const Value& value) {
  std::vector<std::string> ends;
  if constexpr (std::same_as<Value, scene::Word>) {
    for (const char* word : value.list()) ends.push_back(word);
  } else if constexpr (std::is_same_v<Value, bool>) {
    ends = {"true", "false"};
  } else if constexpr (std::is_same_v<Value, int>) {
    ends = {std::to_string(static_cast<int>(field.min)), std::to_string(static_cast<int>(field.max))};
  } else if constexpr (std::is_same_v<Value, double>) {
    ends = {scene::number_text(field.min), scene::number_text(field.max)};
  }
  return ends;
}

/// Those of its own; the Attention page has those that it shares with others.
bool belongs(const scene::Field& field, scene::Page page) {
  const std::string_view name = field.name;
  if (name == "page" || field.group == scene::Group::interface) return false;
  return scene::own_page(field).value_or(scene::Page::attention) == page;
}

class PageAtTheEnds : public testing::TestWithParam<scene::Page> {};

TEST_P(PageAtTheEnds, OfEverySettingOfItsOwn) {
  const scene::Scene fresh;
  scene::fields(fresh, [&](const scene::Field& field, const auto& value) {
    if (!belongs(field, GetParam())) return;
    for (const std::string& end : ends_of(field, value)) {
      scene::Scene scene;
      scene.page = GetParam();
      const std::string set = std::string(field.name) + "=" + end;
      ASSERT_TRUE(scene::set_field(scene, set)) << set;
      expect_drawn(scene, set);
    }
  });
}

TEST_P(PageAtTheEnds, OfTheSentenceTheWidthAndTheHeads) {
  const scene::Page page = GetParam();
  std::string longer;
  for (int i = 0; i < 500; ++i) longer += "w" + std::to_string(i % 60) + " ";
  const std::string hebrew = "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D a";
  for (const std::string& sentence : {std::string(), std::string(" "), std::string("one"), hebrew}) {
    for (const auto& [d, heads] : {std::pair{1, 1}, {2, 2}, {1023, 1}, {1023, 1023}, {1024, 1024}}) {
      // Wide layers take the time: each has one sentence with tokens, and the widest none, too.
      if (d > 2 && sentence != hebrew && !(heads == 1024 && sentence.empty())) continue;
      scene::Scene scene;
      scene.page = page, scene.sentence = sentence, scene.d_model = d, scene.heads = heads;
      scene.block.layers = 2;
      expect_drawn(scene, "d " + std::to_string(d) + ", " + std::to_string(heads) + " heads");
    }
  }
  scene::Scene scene;
  scene.page = page, scene.sentence = longer;
  expect_drawn(scene, "500 tokens");
}

std::vector<scene::Page> every_page() {
  std::vector<scene::Page> out;
  for (const PageInfo& info : pages()) out.push_back(info.page());
  return out;
}

INSTANTIATE_TEST_SUITE_P(Every, PageAtTheEnds, testing::ValuesIn(every_page()),
                         [](const auto& one) { return std::string(scene::word(one.param)); });

}  // namespace
}  // namespace headlight::app
