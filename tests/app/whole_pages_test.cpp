// What every page keeps at the usual sizes of a window, also while a hint or a notice takes a line of it:
// numbers are whole, every screen has a name, and no screen is nearly empty. A low window has the page's
// picture whole, and a wide one every card at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "draw/both_canvas.h"
#include "draw/no_canvas.h"
#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "figure/svg_canvas.h"
#include "kit/card.h"
#include "kit/page_input.h"
#include "pages/quantities.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "session/quick_training.h"
#include "session/session.h"
#include "support/page_name.h"
#include "ui/frame_layout.h"
#include "ui/page_area.h"
#include "ui/page_screens.h"
#include "ui/scene_panel.h"

namespace headlight::app {
namespace {

constexpr float strip = 40, question_line = 48, small_question = 38;
constexpr float sizes[][2] = {{1280, 720}, {1440, 900}, {1600, 1000}, {1707, 960}, {1920, 1080}};

/// Where the settings of a page can be in a window of this width.
std::vector<SettingsPlace> places(scene::Page page, float width) {
  std::vector<SettingsPlace> out = {SettingsPlace::closed, SettingsPlace::replaces_cards};
  if (!scene::room_of(page).chips[0]) return {SettingsPlace::closed};  // it has no settings
  scene::Scene scene;
  scene.page = page;
  ScenePanel panel;
  panel.hold(true);
  panel.follow(scene, width);
  if (panel.place() == SettingsPlace::third_column) out.push_back(SettingsPlace::third_column);
  return out;
}

const char* words_of(SettingsPlace place) {
  if (place == SettingsPlace::closed) return "";
  return place == SettingsPlace::third_column ? " with settings beside the cards" : " with settings";
}

/// Units; the numbers of small cells may be smaller than words.
constexpr float least_words = 12, least_number = 8.35f;

struct Written {
  std::string words;
  float size = 0;
};

/// Texts with the widths that they have on the screen.
class Texts final : public draw::NoCanvas {
 public:
  explicit Texts(const draw::Theme& theme) : NoCanvas(real_), real_(theme), pick_({-1e6f, -1e6f}, real_) {}
  std::vector<std::string> words;
  std::vector<Written> small, headings;
  std::vector<std::string> labels;  // of rows and columns of maps
  /// The cards on which controls set a field alone; those that choose several at once are pictures.
  std::map<std::string, std::set<std::string>> fields;
  const std::vector<draw::PickCanvas::Panel>& cards() const { return pick_.panels(); }

  void text(draw::Point, std::string_view what, const draw::TextStyle& style) override {
    words.emplace_back(what);
    if (style.turn != 0 || labelled_) labels.emplace_back(what);
    constexpr float heading = 17;
    if (style.font == draw::Font::semibold && style.size > heading)
      headings.push_back({std::string(what), style.size});
    const float least = style.font == draw::Font::mono ? least_number : least_words;
    if (style.size < least - 0.01f) small.push_back({std::string(what), style.size});
  }
  void mark(const draw::Mark& mark) override {
    labelled_ = mark.part == draw::Part::query_token || mark.part == draw::Part::key_token;
    const bool typed = mark.part == draw::Part::number || mark.part == draw::Part::text;
    std::string field = mark.set.substr(0, typed ? mark.set.size() : mark.set.find('='));
    while (field.ends_with(' ')) field.pop_back();
    const bool several = std::count(mark.set.begin(), mark.set.end(), '=') > 1;
    if (!scene::find_setting(field) || several || mark.area.w <= 0) return;
    std::string card;
    for (const auto& panel : cards())
      if (panel.box.has(mark.area.centre())) card = panel.name;
    fields[field].insert(card);
  }
  void panel(draw::Box box, std::string_view name, std::string_view title) override {
    pick_.panel(box, name, title);
  }

 private:
  figure::SvgCanvas real_;
  draw::PickCanvas pick_;
  bool labelled_ = false;
};

bool cut_number(const std::string& words) {
  const bool begins = std::isdigit(static_cast<unsigned char>(words[0])) || words.starts_with("−") ||
                      words.starts_with("-") || words.starts_with("+");
  return begins && words.ends_with("…");
}

/// A page in a window of this size, as PageArea lays it out: its texts, and its screens.
struct Laid {
  std::vector<std::string> texts;
  std::vector<Written> small;  // too small to be read
  std::vector<std::string> labels;
  std::map<std::string, std::set<std::string>> fields;  // as in Texts
  std::vector<PageScreen> screens;
  std::vector<draw::PickCanvas::Panel> cards;
  float room = 0;  // for a screen
};

class WholePages : public testing::TestWithParam<scene::Page> {
 protected:
  void compute(const std::vector<std::string>& sets) {
    scene::Scene scene;
    scene.page = GetParam();
    if (scene.page == scene::Page::training)
      scene.training = tests::quick_training(scene::TrainingTask::reverse, 40),
      scene.training.compare = scene::TrainingCompare::no_positions;
    for (const std::string& set : sets) ASSERT_TRUE(scene::set_field(scene, set)) << set;
    session_ = std::make_unique<Session>(Session::Start{.scene = scene, .autosave = {}});
    session_->wait();
    if (scene.page != scene::Page::training) return;
    session_->training().start(scene.training);
    ASSERT_TRUE(tests::soon([&] {
      const auto now = session_->training().latest();
      return now && now->state == scene::TrainingState::finished;
    }));
  }

  /// As PageArea makes it.
  views::PageInput input_for(const FrameLayout& at, SettingsPlace panel, const draw::Theme& theme) const {
    views::PageInput in{session_->scene(),
                        session_->results(),
                        session_->cell(),
                        nullptr,
                        theme,
                        at.compact || panel != SettingsPlace::replaces_cards,
                        {}};
    in.compact = at.compact;
    in.numbers = scene::read_quantity;
    in.training = session_->training().latest();
    return in;
  }

  Laid lay_out(float width, float height, SettingsPlace panel) const {
    const PageInfo& page = page_info(GetParam());
    const FrameLayout at = frame_layout(width, height, panel, false, false, page.view.column);
    const draw::Theme theme = draw::theme(true);
    const views::PageInput in = input_for(at, panel, theme);
    Laid out;
    float room = at.page.h;
    for (int pass = 0; pass < 2; ++pass) {  // with a line of tabs where it needs one
      Texts canvas(theme);
      draw::Box body{0, 0, at.page.w, room};
      if (!page.view.asks_itself) body.cut_top(question_line);
      const float high = page.view.draw(canvas, body, in) + (room - body.h);
      out.texts = canvas.words, out.small = canvas.small, out.labels = canvas.labels,
      out.fields = canvas.fields, out.room = room;
      out.cards = canvas.cards();
      if (pass > 0) {
        out.screens = page_screens(canvas.cards(), room);
      } else if (high <= room + 0.5f) {
        break;
      }
      room = frame_layout(width, height, panel, false, true, page.view.column).page.h;
    }
    return out;
  }

  /// For each size, with and without the settings, and with a strip at the foot.
  template <class Check>
  void at_every_size(Check&& check) const {
    for (const auto& [width, height] : sizes) {
      for (const SettingsPlace panel : places(GetParam(), width)) {
        for (const float lower : {0.f, strip}) {
          SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height - lower) + words_of(panel));
          check(lay_out(width, height - lower, panel));
        }
      }
    }
  }

  std::unique_ptr<Session> session_;
};

/// What a page is looked at with, beside its defaults.
std::vector<std::vector<std::string>> looks_of(scene::Page page) {
  std::vector<std::vector<std::string>> out = {{}};
  if (page == scene::Page::training)
    out = {{"training_beside=losses"},
           {"training_beside=losses", "training_plot=lengths"},
           {"training_beside=losses", "training_plot=pruning"}};
  if (page == scene::Page::block) out.push_back({"block_model=encoder_decoder"});
  if (page == scene::Page::cost) out.push_back({"cost_n=100000", "cost_d=4096"});
  if (page != scene::Page::training && scene::room_of(page).uses({}).sentence) {
    std::string sentence = "sentence=";
    for (int i = 0; i < 120; ++i) sentence += i % 3 == 0 ? "the " : i % 3 == 1 ? "animal " : "because ";
    out.push_back({sentence, "tokenizer=words"});
  }
  return out;
}

TEST_P(WholePages, NumbersAreNotCutAndEveryScreenHasAName) {
  for (const auto& look : looks_of(GetParam())) {
    compute(look);
    at_every_size([&](const Laid& page) {
      for (const std::string& words : page.texts) EXPECT_FALSE(!words.empty() && cut_number(words)) << words;
      std::set<std::string> names;
      const PageInfo& info = page_info(GetParam());
      for (const PageScreen& screen : page.screens) {
        const std::string name = screen_name(screen, info.view.tabs, info.room.title);
        EXPECT_FALSE(name.empty());
        EXPECT_LE(std::count(name.begin(), name.end(), ' '), 2) << name;
        EXPECT_TRUE(names.insert(name).second || page.screens.size() < 2) << name << " twice";
      }
    });
  }
}

TEST_P(WholePages, EveryCardOfAListHasANameOfItsOwn) {
  std::set<std::string> names;
  const auto tabs = page_info(GetParam()).view.tabs;
  for (const views::TabName& tab : tabs)
    EXPECT_TRUE(names.insert(card_name(tab.card, tabs)).second)
        << tab.card << " has the name of another card";
  EXPECT_EQ(card_name("none of the page", tabs), "none of the page");
}

TEST_P(WholePages, TextIsLargeEnoughToBeRead) {
  for (const auto& look : looks_of(GetParam())) {
    compute(look);
    at_every_size([&](const Laid& page) {
      for (const Written& text : page.small) ADD_FAILURE() << text.words << ": " << text.size << " units";
    });
  }
}

TEST_P(WholePages, ALabelOfAMapIsWholeOrHasFiveLettersAtLeast) {
  if (!scene::room_of(GetParam()).uses({}).sentence || GetParam() == scene::Page::training) return;
  constexpr std::string_view ellipsis = "…";
  for (const char* sentence : {"the animal did not cross the street because it was too tired today",
                               "the cat chased the mouse again", "transformers transform transformations"}) {
    compute({std::string("sentence=") + sentence, "tokenizer=words"});
    for (const auto& [width, height] :
         {std::pair{640.f, 360.f}, {853.f, 480.f}, {1067.f, 667.f}, {1280.f, 720.f}}) {
      for (const std::string& label : lay_out(width, height, SettingsPlace::closed).labels) {
        const std::size_t cut = label.find(ellipsis);
        if (cut == std::string::npos) continue;
        EXPECT_GE(cut, 5U) << label << " at " << width << " in " << sentence;
      }
    }
  }
}

TEST_P(WholePages, WhatTheSettingsLeaveToTheCardsIsOnOne) {
  const PageInfo& info = page_info(GetParam());
  for (const auto& [setting, card] : info.view.on_cards) {
    EXPECT_NE(scene::find_setting(setting), nullptr) << setting;
    for (const char* chip : info.room.chips)
      EXPECT_FALSE(chip && setting == chip) << setting << " is not in the settings";
  }
  // A control is there where it makes a difference: how heads are combined, when there are several.
  std::map<std::string, std::vector<std::string>> needs = {
      {"combine", {"head=0"}},
      {"weights_layer", {"weights=trained"}},
      {"block_encdec_step", {"block_model=encoder_decoder"}}};
  for (const char* matrix : {"worked_x", "worked_w_q", "worked_w_k", "worked_w_v"})
    needs[matrix] = {"worked_step=1"};  // a narrow picture has one step alone
  for (const auto& [name, card] : info.view.on_cards) {
    const std::string setting(name), place(card);
    if (setting == "worked_step") continue;  // its buttons choose the result of the step with it
    compute(needs[setting]);
    at_every_size([&](const Laid& page) {
      const auto found = page.fields.find(setting);
      ASSERT_NE(found, page.fields.end()) << setting;
      EXPECT_TRUE(found->second.contains(place))
          << setting << " on " << testing::PrintToString(found->second);
    });
  }
}

/// The panel takes the place of the column of cards, so that what one looks at does not move.
TEST_P(WholePages, ThePictureStaysWhereItIsWhenTheSettingsOpen) {
  const bool map = GetParam() == scene::Page::attention;
  if (!map && GetParam() != scene::Page::position) return;
  compute({});
  for (const auto& [width, height] : sizes) {
    if (!map && height < 900) continue;  // where P has no column beside it
    const auto picture = [&, w = width, h = height](SettingsPlace settings) {
      const Laid page = lay_out(w, h, settings);
      const auto card = std::find_if(page.cards.begin(), page.cards.end(),
                                     [&](const auto& one) { return one.name == (map ? "map" : "p"); });
      return card == page.cards.end() ? draw::Box{} : card->box;
    };
    const draw::Box alone = picture(SettingsPlace::closed);
    EXPECT_GT(alone.w, 0);
    EXPECT_EQ(picture(SettingsPlace::replaces_cards), alone) << width << " x " << height;
  }
}

/// Settings that may be in two places, and why.
constexpr const char *of_a_picture =
                         "a click on a thing of a picture chooses it, in each picture that has it",
                     *examples = "buttons with a few values worth seeing; the slider takes every value";
constexpr std::pair<std::string_view, const char*> twice[] = {
    {"page", "a chosen head is opened on its page"},
    {"head", of_a_picture},
    {"bench_a", of_a_picture},
    {"bench_b", of_a_picture},
    {"block_layer", of_a_picture},
    {"cost_from", of_a_picture},
    {"cost_to", of_a_picture},
    {"memory_step", of_a_picture},
    {"presets_shown", of_a_picture},
    {"training_run", of_a_picture},
    {"memory_beta", examples},
    {"memory_dimension", examples},
    {"softmax_temperature", examples},
    {"variants_shift", examples},
    {"worked_temperature", examples},
};

TEST_P(WholePages, EachControlStandsOnce) {
  const auto may_be_twice = [](std::string_view setting) {
    return std::any_of(std::begin(twice), std::end(twice),
                       [&](const auto& one) { return one.first == setting; });
  };
  std::vector<std::vector<std::string>> looks = looks_of(GetParam());
  if (GetParam() == scene::Page::attention)
    looks.insert(looks.end(), {{"head=1"}, {"head=1,2"}, {"head=0"}, {"head=1", "query=", "key=-1"}});
  for (const auto& look : looks) {
    compute(look);
    at_every_size([&](const Laid& page) {
      for (const std::string setting : settings_in_panel(session_->scene())) {
        const auto found = page.fields.find(setting);
        EXPECT_TRUE(may_be_twice(setting) || found == page.fields.end())
            << setting << " is in the settings and on " << testing::PrintToString(found->second);
      }
      for (const auto& [setting, cards] : page.fields) {
        EXPECT_TRUE(cards.size() == 1 || may_be_twice(setting))
            << setting << " is on " << testing::PrintToString(cards);
      }
    });
  }
}

/// Nothing that is set on a card disappears with what the page shows.
TEST_P(WholePages, WhatChangesTheScoresIsOnTheCardOfTheCellWhateverIsShown) {
  if (GetParam() != scene::Page::attention) return;
  for (const std::vector<std::string>& look : {std::vector<std::string>{"head=1"},
                                               {"head=0"},
                                               {"head=1,2"},
                                               {"head=1", "query=", "key=-1"},
                                               {"scale=false", "temperature=0.3333"}}) {
    compute(look);
    at_every_size([&](const Laid& page) {
      for (const char* setting : {"scale", "temperature"}) {
        const auto found = page.fields.find(setting);
        ASSERT_NE(found, page.fields.end()) << setting;
        EXPECT_EQ(found->second, std::set<std::string>{"cell"}) << setting;
      }
    });
  }
}

TEST_P(WholePages, ScreensAreWholeAndFilled) {
  for (const auto& look : looks_of(GetParam())) {
    compute(look);
    at_every_size([&](const Laid& page) {
      constexpr float low = 560;  // a strip takes a line of a low window: the numbers of an example scroll
      if (page.screens.size() < 2 || (GetParam() == scene::Page::presets && page.room < low)) return;
      const PageScreen& first = page.screens.front();
      EXPECT_LE(first.bottom, page.room) << first.card << " is cut";
      EXPECT_GE(first.bottom, 0.8f * page.room) << first.card << " leaves the screen empty";
    });
  }
}

TEST_P(WholePages, ALowWindowShowsThePictureWhole) {
  compute({});
  // 1280 × 720 at scale 2.
  const FrameLayout at = frame_layout(640, 360, SettingsPlace::closed, false);
  const PageInfo& page = page_info(GetParam());
  if (page.page() == scene::Page::presets) return;  // its picture is a list, which scrolls
  const draw::Theme theme = draw::theme(true);
  views::PageInput in{session_->scene(), session_->results(), session_->cell(), nullptr, theme, true, {}};
  in.compact = at.compact;
  in.numbers = scene::read_quantity, in.training = session_->training().latest();
  const auto cards = [&](draw::Box area) {
    Texts canvas(theme);
    if (!page.view.asks_itself) area.cut_top(small_question);
    page.view.draw(canvas, area, in);
    return canvas.cards();
  };
  constexpr float least = 0.65f;
  const float size = fitting_size(cards, {0, 0, at.page.w, at.page.h}, page.view.hero, least);
  const float room = at.page.h / size;
  const auto laid = cards({0, 0, at.page.w / size, room});
  std::string hero(page.view.hero);
  if (hero.empty()) hero = page_screens(laid, room).front().card;
  const auto card = std::find_if(laid.begin(), laid.end(), [&](const auto& one) { return one.name == hero; });
  ASSERT_NE(card, laid.end()) << hero;
  EXPECT_LE(card->box.bottom(), room + 0.5f) << hero << " at " << size;
  EXPECT_GE(card->box.h, room * 0.4f) << hero << " is small";
}

/// The cards that are one picture: of three maps with one pointer, none is the other's support.
std::set<std::string> hero_of(scene::Page page) {
  switch (page) {
    case scene::Page::attention:
      return {"map"};
    case scene::Page::model:
      return {"atlas", "head"};  // the heads, and the chosen one large
    case scene::Page::compare:
      return {"maps"};
    case scene::Page::position:
      return {"p"};
    case scene::Page::order:
      return {"rows"};
    case scene::Page::variants:
      return {"a", "b", "difference"};
    case scene::Page::memory:
      return {"landscape"};
    case scene::Page::cost:
      return {"growth"};
    case scene::Page::block:
      return {"flow", "map"};  // the stages, and the chosen one large
    case scene::Page::worked:
      return {"steps", "flow"};
    case scene::Page::presets:
      return {"list", "preset"};
    case scene::Page::training:
      return {"header", "film", "map"};  // the heads at every step, and the chosen one large
    case scene::Page::softmax:
      return {"softmax"};
  }
  return {};
}

/// The share of the window that the page's first picture has at least, in hundredths: more in a large window,
/// and less where the settings are beside the page. Block has less in a large window: its residual stream
/// stands beside the chosen matrix.
/// From 2560 units on, the settings are beside the page as it opens, and the picture has as much as in a low
/// window. Worked has less: a tab of its small tables would be nearly empty, so they are a strip below.
int least_share(scene::Page page, float width, float height, SettingsPlace panel) {
  constexpr float large = 1000, largest = 2560;
  if (width >= largest) return page == scene::Page::worked ? 51 : 55;
  if (panel != SettingsPlace::closed) return width < third_column_from ? 54 : 45;
  if (height < large) return 55;
  return page == scene::Page::block ? 56 : 59;
}

/// Of all the window, not only of the page. A question above the picture is the picture's title.
TEST_P(WholePages, ThePictureOfThePageHasMostOfTheWindow) {
  compute({});
  struct Look {
    float width, height;
    SettingsPlace panel;
  };
  std::vector<Look> looks = {
      {1280, 720, SettingsPlace::closed},          {1600, 1000, SettingsPlace::closed},
      {1600, 1000, SettingsPlace::replaces_cards}, {1440, 900, SettingsPlace::third_column},
      {1600, 1000, SettingsPlace::third_column},   {2560, 1440, SettingsPlace::third_column},
      {2600, 1462, SettingsPlace::third_column}};
  if (page_info(GetParam()).view.sliders) looks.push_back({1280, 720, SettingsPlace::replaces_cards});
  for (const Look& look : looks) {
    const std::vector<SettingsPlace> possible = places(GetParam(), look.width);
    if (std::find(possible.begin(), possible.end(), look.panel) == possible.end()) continue;
    SCOPED_TRACE(std::to_string(look.width) + words_of(look.panel));
    const Laid page = lay_out(look.width, look.height, look.panel);
    const std::set<std::string> hero = hero_of(GetParam());
    const bool question_above = !page_info(GetParam()).view.asks_itself;
    float shown = 0, left = 1e6f, right = 0;
    std::set<std::string> others;
    const auto in_hero = [&](const draw::PickCanvas::Panel& card) {
      return std::any_of(page.cards.begin(), page.cards.end(), [&](const draw::PickCanvas::Panel& one) {
        return hero.contains(one.name) && one.box.x <= card.box.x && one.box.y <= card.box.y &&
               one.box.right() >= card.box.right() && one.box.bottom() >= card.box.bottom();
      });
    };
    for (const auto& card : page.cards) {
      if (card.box.y > page.room - 40) continue;  // on another screen
      if (hero.contains(card.name)) {
        shown += card.box.w * (std::min(card.box.bottom(), page.room) - card.box.y);
        left = std::min(left, card.box.x), right = std::max(right, card.box.right());
      } else if (!in_hero(card)) {  // a part of the picture is no card beside it
        others.insert(card.name);
      }
    }
    if (question_above) shown += question_line * (right - left);
    EXPECT_GE(100 * shown / (look.width * look.height),
              static_cast<float>(least_share(GetParam(), look.width, look.height, look.panel)));
    // In a large window Compare has the heads that are switched off beside its three supporting cards.
    const bool strip = GetParam() == scene::Page::worked && look.width >= 2560,
               beside = GetParam() == scene::Page::compare && look.width >= 2560;
    EXPECT_LE(others.size(), strip ? 5u : beside ? 4u : 3u) << testing::PrintToString(others);
  }
}

/// The question of the page: 28 units, and 18 in a compact window, whatever the page and its sentence.
TEST_P(WholePages, TheQuestionHasOneSizeInAWindow) {
  std::vector<std::vector<std::string>> looks = looks_of(GetParam());
  if (GetParam() != scene::Page::training && scene::room_of(GetParam()).uses({}).sentence)
    looks.push_back({"sentence=cat", "tokenizer=words"});
  const PageInfo& page = page_info(GetParam());
  for (const auto& look : looks) {
    compute(look);
    for (const auto& [width, height] : {std::pair{640.f, 360.f},
                                        {853.f, 480.f},
                                        {959.f, 900.f},
                                        {960.f, 560.f},
                                        {1067.f, 667.f},
                                        {1280.f, 559.f},
                                        {1280.f, 720.f},
                                        {1600.f, 1000.f},
                                        {2560.f, 1440.f}}) {
      for (const SettingsPlace panel : places(GetParam(), width)) {
        SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height) + words_of(panel));
        const FrameLayout at = frame_layout(width, height, panel, false, false, page.view.column);
        const draw::Theme theme = draw::theme(true);
        const views::PageInput in = input_for(at, panel, theme);
        Texts canvas(theme);
        draw::Box body{0, 0, at.page.w, at.page.h};
        const std::string question = page.view.question(in);
        if (page.view.asks_itself) {
          page.view.draw(canvas, body, in);
        } else {
          views::page_question({canvas, theme}, body, {.words = question, .compact = in.compact}, body.h);
        }
        int parts = 0;
        for (const Written& one : canvas.headings) {
          if (question.find(one.words.substr(0, one.words.find("…"))) == std::string::npos) continue;
          ++parts;
          EXPECT_EQ(one.size, width < 960 || height < 560 ? 18 : 28) << one.words;
          EXPECT_EQ(one.words.find("…"), std::string::npos) << one.words;
        }
        EXPECT_GT(parts, 0) << question;
      }
    }
  }
}

/// With the settings: the picture and its support, and on one more screen all the others.
TEST_P(WholePages, ALargeWindowHasOneMoreScreenAtMostWhichItFills) {
  for (const auto& look : looks_of(GetParam())) {
    compute(look);
    for (const auto& [width, height] : {std::pair{2560.f, 1440.f}, {2600.f, 1462.f}}) {
      SCOPED_TRACE(width);
      const Laid page = lay_out(width, height, SettingsPlace::third_column);
      ASSERT_LE(page.screens.size(), 2u) << page.screens.back().card;
      if (page.screens.size() < 2) continue;
      const PageScreen& last = page.screens.back();
      const float question = page_info(GetParam()).view.asks_itself ? question_line : 0;
      EXPECT_GE(last.bottom - last.top, 0.9f * (page.room - question_line)) << last.card;
      EXPECT_LE(last.bottom - last.top, page.room + question) << last.card;
    }
  }
}

std::vector<scene::Page> all_pages() {
  std::vector<scene::Page> out;
  for (const PageInfo& info : pages()) out.push_back(info.page());
  return out;
}

INSTANTIATE_TEST_SUITE_P(Every, WholePages, testing::ValuesIn(all_pages()),
                         [](const auto& one) { return std::string(scene::word(one.param)); });

}  // namespace
}  // namespace headlight::app
