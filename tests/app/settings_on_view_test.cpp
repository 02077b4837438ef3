// What the settings panel and the chips offer for a tab of a page changes something on it; what changes
// nothing there is marked, and changes something on another tab.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "draw/both_canvas.h"
#include "draw/no_canvas.h"
#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "pages/controls.h"
#include "pages/quantities.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "scene/shown.h"
#include "support/computed_scene.h"
#include "support/page_name.h"
#include "ui/frame_layout.h"
#include "ui/page_screens.h"
#include "ui/scene_chips.h"
#include "ui/scene_panel.h"

namespace headlight::app::settings_on_view_test {
namespace {

using scene::Scene;

/// Notes where each card begins among the lines that another canvas records, and adds to them the values of
/// maps, which it records without.
class Cards final : public draw::NoCanvas {
 public:
  explicit Cards(draw::RecordCanvas& record)
      : NoCanvas(record), record_(record), pick_({-1e6f, -1e6f}, record) {}
  void panel(draw::Box box, std::string_view name, std::string_view title) override {
    begins.emplace_back(name, record_.lines.size());
    pick_.panel(box, name, title);
  }
  void heatmap(draw::Box, const draw::Heatmap& map) override {
    double sum = 0;
    for (int r = 0; r < map.rows; ++r) {
      for (int c = 0; c < map.cols; ++c) {
        const auto value =
            static_cast<double>(map.values[static_cast<std::ptrdiff_t>(r) * map.row_stride + c]);
        if (std::isfinite(value)) sum = sum * 0.99 + value;
      }
    }
    record_.lines.push_back("values " + std::to_string(sum));
  }
  const std::vector<draw::PickCanvas::Panel>& cards() const { return pick_.panels(); }
  std::vector<std::pair<std::string, std::size_t>> begins;

 private:
  draw::RecordCanvas& record_;
  draw::PickCanvas pick_;
};

/// A page as it is drawn: its cards, each with all that is drawn on it, and its screens.
struct Drawn {
  std::map<std::string, std::string> cards;
  std::vector<std::vector<std::string>> screens;  // the names of their cards
};

struct Window {
  float width, height;
  bool column;         // the settings do not have the place of the cards beside the picture
  bool beside = true;  // cards are beside each other
};
constexpr Window windows[] = {
    {1600, 1000, true}, {1600, 1000, false}, {1280, 720, true}, {760, 620, true, false}};

/// A scene with its results.
struct Computed {
  Scene scene;
  scene::Results results;
  std::shared_ptr<const nn::CellTrace> cell;
  explicit Computed(const Scene& of) : scene(of) {
    scene::repair(scene);
    results = scene::known_results(scene);
    if (results.attention.T > 0) cell = scene::explain_pinned(scene, results);
  }
};

Drawn drawn(const Computed& shown, const Window& window) {
  const PageInfo& page = page_info(shown.scene.page);
  const SettingsPlace place = window.column ? SettingsPlace::closed : SettingsPlace::replaces_cards;
  const draw::Theme theme = draw::theme(true);
  views::PageInput in{shown.scene, shown.results, shown.cell.get(), nullptr, theme, window.column, {}};
  in.numbers = scene::read_quantity;
  constexpr float question_line = 48;
  float room = frame_layout(window.width, window.height, place, false, false, page.view.column).page.h;
  Drawn out;
  for (int pass = 0; pass < 2; ++pass) {
    const draw::Box area =
        frame_layout(window.width, window.height, place, false, pass > 0, page.view.column).page;
    draw::RecordCanvas record;
    Cards cards(record);
    draw::BothCanvas both(record, cards);
    room = area.h;
    draw::Box body{0, 0, area.w, area.h};
    if (!page.view.asks_itself) body.cut_top(question_line);
    const float high = page.view.draw(both, body, in) + (room - body.h);
    out = {};
    for (std::size_t i = 0; i < cards.begins.size(); ++i) {
      const std::size_t end = i + 1 < cards.begins.size() ? cards.begins[i + 1].second : record.lines.size();
      for (std::size_t line = cards.begins[i].second; line < end; ++line)
        out.cards[cards.begins[i].first] += record.lines[line] + "\n";
    }
    std::vector<std::string> all;
    for (const auto& [name, lines] : out.cards) all.push_back(name);
    if (high <= room + 0.5f) {
      out.screens = {all};
      break;
    }
    for (const PageScreen& screen : page_screens(cards.cards(), room)) out.screens.push_back(screen.cards);
  }
  return out;
}

/// Scenes that differ from this one in one setting.
std::vector<Scene> others(const Computed& shown, const std::string& name) {
  const Scene& scene = shown.scene;
  const scene::Setting& setting = *scene::find_setting(name);
  const scene::Range range = scene::useful_range(setting.field, scene, shown.results);
  const std::vector<int> possible = scene::possible_numbers(setting.field, {scene, shown.results});
  std::vector<std::string> values;
  const auto number = [&](double value) {
    values.push_back(setting.type == scene::Setting::Type::integer ? std::to_string(static_cast<int>(value))
                                                                   : std::to_string(value));
  };
  switch (setting.type) {
    case scene::Setting::Type::boolean:
      values = {"true", "false"};
      break;
    case scene::Setting::Type::word:
      for (std::size_t word = 0; word < setting.words().size(); ++word) {
        if (scene::offers(setting.field, static_cast<int>(word), scene, shown.results))
          values.emplace_back(setting.words()[word]);
      }
      break;
    case scene::Setting::Type::mask:
      values = {"causal"};
      break;
    case scene::Setting::Type::text:
      values = {"cat", "1.1", "2.3"};
      break;
    case scene::Setting::Type::list:
      values = {"1"};
      break;
    case scene::Setting::Type::integer:
    case scene::Setting::Type::number:
      for (const int value : possible) number(value);
      if (possible.empty()) {
        for (const double part : {0.5, 1.0, 0.0, 0.1}) number(range.min + part * (range.max - range.min));
      }
  }
  std::vector<Scene> out;
  for (const std::string& value : values) {
    Scene next = scene;
    if (scene::set_field(next, name + "=" + value) && setting.text(next) != setting.text(scene))
      out.push_back(next);
  }
  return out;
}

/// What a setting changes on a card is not always drawn: a low card leaves out the row of the shift; the seed
/// of sampling determines the token that is written next; a saved attention may not exist.
bool drawn_at_times(std::string_view name, const std::vector<std::string>& screen) {
  constexpr std::pair<std::string_view, std::string_view> all[] = {
      {"variants_shift", "difference"}, {"model_seed", "next"}, {"model_beside", "next"}};
  return std::any_of(std::begin(all), std::end(all), [&](const auto& one) {
    return one.first == name && std::find(screen.begin(), screen.end(), one.second) != screen.end();
  });
}

class SettingsOnView : public testing::TestWithParam<scene::Page> {};

/// What a page is looked at with, beside its defaults: choices that bring cards or settings with them.
std::vector<std::vector<std::string>> looks_of(scene::Page page) {
  std::vector<std::vector<std::string>> out = {{}};
  if (page == scene::Page::memory)
    out.insert(out.end(), {{"memory_network=binary"},
                           {"memory_dimension=32"},
                           {"memory_feature=random"},
                           {"memory_error_over=size"},
                           {"weights=trained"}});
  if (page == scene::Page::variants)
    out.insert(out.end(), {{"variants_b_mask=window_global"},
                           {"variants_b_mask=dilated"},
                           {"variants_b_mask=padding"},
                           {"variants_b_position=learned"},
                           {"variants_b_position=t5"},
                           {"variants_b_position=shaw"}});
  if (page == scene::Page::position) out.push_back({"p_axis=across"});
  if (page == scene::Page::compare) out.push_back({"bench_other_seed=true"});
  if (page == scene::Page::model || page == scene::Page::order || page == scene::Page::variants ||
      page == scene::Page::block)
    out.push_back({"weights=trained"});
  if (page == scene::Page::attention) out.insert(out.end(), {{"weights=trained"}, {"head=0"}});
  return out;
}

TEST_P(SettingsOnView, WhatIsOfferedChangesTheTabAndTheRestIsMarked) {
  const PageInfo& page = page_info(GetParam());
  if (GetParam() == scene::Page::training) return;  // its settings are those of the next run
  for (const std::vector<std::string>& look : looks_of(GetParam())) {
    Scene scene;
    scene.page = GetParam();
    for (const std::string& set : look) ASSERT_TRUE(scene::set_field(scene, set)) << set;
    const Computed before(scene);
    std::vector<Drawn> as_it_is;
    for (const Window& window : windows) as_it_is.push_back(drawn(before, window));
    for (const char* const name : settings_in_panel(before.scene)) {
      if (before.scene.weights != scene::WeightsSource::random &&
          scene::fixed_by_model(scene::find_setting(name)->field, before.scene))
        continue;  // it is listed, and cannot be changed
      SCOPED_TRACE(std::string(name) + (look.empty() ? "" : " with " + look.front()));
      std::vector<std::set<std::string>> changed(std::size(windows));
      for (const Scene& next : others(before, name)) {
        const Computed after(next);
        for (std::size_t w = 0; w < std::size(windows); ++w) {
          const Drawn now = drawn(after, windows[w]);
          for (const auto& [card, lines] : as_it_is[w].cards) {
            const auto found = now.cards.find(card);
            if (found == now.cards.end() || found->second != lines) changed[w].insert(card);
          }
        }
      }
      for (std::size_t w = 0; w < std::size(windows); ++w) {
        // In a narrow window the cards below another one move with its height.
        if (!windows[w].beside) continue;
        for (const std::vector<std::string>& screen : as_it_is[w].screens) {
          if (drawn_at_times(name, screen)) continue;
          const bool acts = std::any_of(screen.begin(), screen.end(),
                                        [&](const std::string& card) { return changed[w].contains(card); });
          EXPECT_EQ(views::changes_one_of(page.view, before.scene, name, screen), acts)
              << "at " << windows[w].width << (windows[w].column ? "" : " with settings") << " on the tab of "
              << testing::PrintToString(screen);
        }
      }
    }
  }
}

std::vector<scene::Page> all_pages() {
  std::vector<scene::Page> out;
  for (const PageInfo& page : pages()) out.push_back(page.page());
  return out;
}

TEST_P(SettingsOnView, TheSentenceIsUsedOnTheTabsThatSayNothing) {
  const PageInfo& page = page_info(GetParam());
  Scene scene;
  scene.page = GetParam();
  if (GetParam() == scene::Page::training || !page.room.uses(scene).sentence) return;
  Scene other = scene;
  other.sentence = "one dog ran to its house";
  const Computed before(scene), after(other);
  for (const Window& window : windows) {
    const Drawn is = drawn(before, window), now = drawn(after, window);
    for (const std::vector<std::string>& screen : is.screens) {
      const bool changes = std::any_of(screen.begin(), screen.end(), [&](const std::string& card) {
        const auto found = now.cards.find(card);
        return found == now.cards.end() || found->second != is.cards.at(card);
      });
      EXPECT_EQ(views::changes_one_of(page.view, before.scene, "sentence", screen), changes)
          << "at " << window.width << " on the tab of " << testing::PrintToString(screen);
    }
  }
}

/// The chips are of settings that act on the tab, three at most.
TEST_P(SettingsOnView, ChipsNameWhatActsOnTheTab) {
  const PageInfo& page = page_info(GetParam());
  Scene scene;
  scene.page = GetParam();
  const Computed shown(scene);
  for (const std::vector<std::string>& screen : drawn(shown, windows[0]).screens) {
    const std::vector<SceneChip> chips = scene_chips(shown.scene, shown.results, screen);
    EXPECT_LE(chips.size(), 3u);
    for (const SceneChip& chip : chips) {
      EXPECT_TRUE(chip.field[0] == '\0' || views::changes_one_of(page.view, shown.scene, chip.field, screen))
          << chip.field;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, SettingsOnView, testing::ValuesIn(all_pages()),
                         [](const auto& info) { return std::string(scene::word(info.param)); });

}  // namespace
}  // namespace headlight::app::settings_on_view_test
