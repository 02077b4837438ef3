// What the pages do with the pointer and the keys, and which settings stand beside them.
#include <set>
#include <string>

#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "kit/numbers.h"
#include "pages/worked/worked.h"
#include "pictures/pages.h"
#include "program.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "ui/setting_controls.h"

namespace headlight::app {
namespace {

using scene::Scene;
using screen::Key;

class Pages : public tests::ProgramTest {
 protected:
  Pages() { start({}); }
  /// The last tab of Variants in a window of 1280x720, by the mouse.
  Scene at_the_second_sentence() {
    Scene scene;
    scene.page = scene::Page::variants;
    width_ = 1280, height_ = 720;
    start(scene);
    done(pilot_.click("page/screens/Second sentence"));
    pilot_.frames(3);
    return scene;
  }
};

/// On a screen after the first, below the page's question.
TEST_F(Pages, TheSecondSentenceIsTypedOnItsCard) {
  const Scene next = at_the_second_sentence();
  done(pilot_.click("page/variants_sentence_kv"));
  pilot_.frames(3);
  pilot_.type("big dogs; d_model=8");
  EXPECT_EQ(scene().variants.sentence_kv, "big dogs; d_model=8");
  EXPECT_EQ(scene().d_model, next.d_model);
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_FALSE(shell_->ui().typing());
  pilot_.key(Key::z, screen::ctrl_only);
  EXPECT_EQ(scene().variants.sentence_kv, next.variants.sentence_kv);
  // Esc brings back what stood there.
  done(pilot_.click("page/variants_sentence_kv"));
  pilot_.frames(3);
  pilot_.type("x");
  pilot_.key(Key::escape);
  EXPECT_EQ(scene().variants.sentence_kv, next.variants.sentence_kv);
}

/// The question above later screens takes nothing from the first one: the roles of the heads stay beneath the
/// maps where there is room for both.
TEST_F(Pages, TheFirstScreenHoldsWhatFits) {
  std::string unused;
  Scene next = scene::first_scene(unused);
  next.page = scene::Page::compare;
  start(next);
  pilot_.frames(5);
  EXPECT_TRUE(pilot_.on_screen("page/screens/Two heads")) << pilot_.inventory();
  EXPECT_TRUE(pilot_.on_screen("page/screens/Heads off"));
  EXPECT_FALSE(pilot_.on_screen("page/screens/Head roles"));
}

/// Of a long sentence 65 offsets are on view, and among them the one that is spoken of.
TEST_F(Pages, TheOffsetThatIsSpokenOfIsOnView) {
  Scene next;
  for (int i = 0; i < 90; ++i) next.sentence += " w" + std::to_string(i * i % 37);
  int far = 0;
  for (int query = 0; query < 90; query += 7) {
    next.query = {query}, next.attention.other_query = 89 - query;
    session_->change(next, "", now_);
    session_->wait();
    const views::PageInput in = shell_->page().input(*session_, draw::theme(true));
    const int offset = static_cast<int>(in.value("kernel_offset"));
    far += std::abs(offset) > 32;
    draw::RecordCanvas measure;
    draw::PickCanvas pick({-1e6f, -1e6f}, measure);
    page_info(scene::Page::attention).view.draw(pick, {0, 0, 1300, 800}, in);
    const std::string wanted = ", offset " + views::fixed(offset, 0) + ":";
    const auto message = std::count_if(pick.targets().begin(), pick.targets().end(), [&](const auto& target) {
      return target.mark.note.find(wanted) != std::string::npos;
    });
    EXPECT_EQ(message, 2) << query << wanted;
  }
  EXPECT_GT(far, 0) << "no offset was beyond the usual ones";
}

/// The Tab key goes through the controls of the tab that is seen before it goes to another one.
TEST_F(Pages, TheTabKeyBeginsWithWhatIsSeen) {
  at_the_second_sentence();
  const float line = shell_->page().first_line();
  EXPECT_GT(line, 0);
  // To the first control of the page, and through those of this tab; then the next tab, which is the first.
  int presses = 0;
  do {
    pilot_.key(Key::tab);
    ++presses;
  } while (presses < 100 && shell_->page().first_line() == line);
  EXPECT_LT(presses, 60);
  EXPECT_EQ(shell_->page().first_line(), 0);
  pilot_.key(Key::tab, screen::shift_only);  // the last control of the tab that was seen
  pilot_.frames(3);
  EXPECT_EQ(shell_->page().first_line(), line);
}

TEST_F(Pages, AMatrixThatCannotBeReadLeavesTheLastGoodNumbers) {
  Scene next;
  next.page = scene::Page::worked;
  start(next);
  open_settings();
  const auto type = [&](const char* matrix) {
    done(pilot_.click("page/worked_x"));
    pilot_.frames(3);
    pilot_.type(matrix);
    pilot_.key(Key::enter);
    pilot_.frames(2);
  };
  type("2,0;0,1;1,1");
  ASSERT_EQ(session_->results().own_as<scene::WorkedResults>()->x.at(0, 0), 2.f);
  type("2,0;a");
  const auto& worked = *session_->results().own_as<scene::WorkedResults>();
  EXPECT_NE(worked.problem.find("row 1"), std::string::npos) << worked.problem;
  EXPECT_STREQ(worked.problem_field, "worked_x");
  EXPECT_EQ(worked.x.at(0, 0), 2.f);
  EXPECT_EQ(worked.x.rows(), 3);
  EXPECT_TRUE(pilot_.on_screen("page/O 0 0"));
  done(pilot_.click("settings/Divide by √d_k"));  // acts on what is shown
  EXPECT_EQ(session_->results().own_as<scene::WorkedResults>()->trace.scale, 1.f);
  EXPECT_EQ(session_->results().own_as<scene::WorkedResults>()->x.at(0, 0), 2.f);
}

TEST_F(Pages, ChangingTheWidthBringsTheHeadsBack) {
  open_settings();
  done(pilot_.drag("settings/Model width d", 0.5f, 0.93f));
  const int high = scene().d_model;
  EXPECT_GT(high, 32);
  done(pilot_.fill("settings/Model width d/value", "30"));
  pilot_.key(Key::enter);
  EXPECT_EQ(scene().d_model, 30);
  EXPECT_EQ(scene().heads, 3);
  done(pilot_.double_click("settings/Model width d"));
  EXPECT_EQ(scene().d_model, 32);
  EXPECT_EQ(scene().heads, 4);
}

TEST_F(Pages, GroupsWithoutEffectAreNotShown) {
  const auto shows = [&](scene::Page page, const char* path, auto change) {
    Scene next;
    next.page = page;
    change(next);
    start(next);
    open_settings();
    return pilot_.on_screen(path);
  };
  const auto as_it_is = [](Scene&) {};
  const auto of_stack = [](Scene& s) { s.compare.from = scene::CompareFrom::stack; };
  EXPECT_TRUE(shows(scene::Page::compare, "settings/Temperature", as_it_is));
  EXPECT_FALSE(shows(scene::Page::compare, "settings/Temperature", of_stack));
  EXPECT_TRUE(shows(scene::Page::order, "settings/Heads", as_it_is));
  EXPECT_FALSE(shows(scene::Page::memory, "settings/Heads", as_it_is));
  const auto trained = [](Scene& s) { s.training.steps = 12, s.training.batch = 8; };
  EXPECT_TRUE(shows(scene::Page::training, "settings/Learning rate", trained));
  EXPECT_FALSE(shows(scene::Page::training, "settings/Temperature", trained));
  EXPECT_FALSE(shows(scene::Page::attention, "settings/Learning rate", as_it_is));
}

TEST_F(Pages, EscapeInASlidersValueKeepsItsFocus) {
  open_settings();
  done(pilot_.click("settings/Strength/value"));
  pilot_.type("9");
  pilot_.key(Key::escape);
  EXPECT_EQ(scene().position_scale, 1);
  EXPECT_TRUE(shell_->ui().focus.any());
  pilot_.key(Key::right);
  EXPECT_GT(scene().position_scale, 1);
  pilot_.key(Key::escape);
  EXPECT_FALSE(shell_->ui().focus.any());
}

TEST_F(Pages, ReducedMotionLeavesNothingMovingByItself) {
  Scene next;
  next.page = scene::Page::worked;
  start(next);
  const auto to_step = [&](int step) {
    Scene other = scene();
    other.worked.step = step;
    session_->change(other, "", now_);
    pilot_.frames(1);
  };
  to_step(2);
  EXPECT_TRUE(shell_->moving());
  next.reduced_motion = true;
  start(next);
  to_step(2);
  EXPECT_FALSE(shell_->moving());
}

TEST_F(Pages, EveryPageAsksAQuestionOfItsOwn) {
  std::set<std::string> requested;
  for (const PageInfo& page : pages()) {
    Scene next;
    next.page = page.page();
    next.training.steps = 12, next.training.batch = 8;  // the page has a run
    start(next);
    const std::string question = page.view.question(page_input(*session_, shell_->theme()));
    EXPECT_TRUE(question.ends_with("?")) << page.room.title << ": " << question;
    EXPECT_TRUE(requested.insert(question).second) << question;
  }
  Scene next;
  next.query = {4};
  start(next);
  const auto question = [&] {
    return page_info(scene().page).view.question(page_input(*session_, shell_->theme()));
  };
  EXPECT_EQ(question(), "What does “the” 4 attend to?") << "there are two";
  done(pilot_.click("page/query 5"));
  EXPECT_EQ(question(), "What does “mat” attend to?") << "it names what is pinned";
}

TEST_F(Pages, ANumberOfAMatrixIsTypedInPlace) {
  Scene next;
  next.page = scene::Page::worked;
  start(next);
  done(pilot_.click("page/worked_x 0,1"));
  pilot_.type("2.5");  // in place of what stood there
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_EQ(scene::get_field(scene(), "worked_x"), "1,2.5;0,1;1,1");
  done(pilot_.click("page/worked_x 0,1"));
  pilot_.key(Key::end);
  pilot_.type("7");  // behind it
  EXPECT_EQ(scene::get_field(scene(), "worked_x"), "1,2.57;0,1;1,1");
  pilot_.key(Key::escape);
  pilot_.frames(3);
  EXPECT_EQ(scene::get_field(scene(), "worked_x"), "1,2.5;0,1;1,1");
}

/// In a narrow window the settings take the place of the cards, and have the controls of these.
TEST_F(Pages, TheSettingsHaveTheControlsOfTheCardsWhosePlaceTheyTake) {
  for (const int width : {1280, 2560}) {
    width_ = width, height_ = width * 9 / 16;
    start({});
    open_settings();
    const auto in_panel = [&](const std::string& label) {
      return recorder_.items.contains("settings/" + label);
    };
    recorder_.items.clear();
    pilot_.frames(2);
    EXPECT_EQ(in_panel("Temperature"), width == 1280) << pilot_.inventory();
    EXPECT_EQ(in_panel("Divide by √d_k"), width == 1280);
    EXPECT_FALSE(in_panel("query_axis")) << "the map is on view";
  }
}

/// Whichever tab was open last: what the weights changed is on view.
TEST_F(Pages, TrainedWeightsOpenTheMapThatTheyChange) {
  ::setenv("XDG_STATE_HOME", folder_.path().c_str(), 1);
  width_ = 1280, height_ = 720;
  Scene next;
  next.training.steps = 2, next.training.d_model = 16, next.training.heads = 2, next.training.batch = 4;
  start(next);
  done(pilot_.click("page/screens/Matrices · Weights by offset"));
  pilot_.frames(3);
  ASSERT_GT(shell_->page().screen(), 0);
  next.page = scene::Page::training;
  session_->change(next, "", now_);
  session_->wait();
  pilot_.frames(3);
  done(pilot_.click("page/training use weights"));
  session_->training().wait();
  pilot_.frames(2);
  session_->wait();
  pilot_.frames(30);
  EXPECT_EQ(scene().page, scene::Page::attention);
  EXPECT_EQ(scene().weights, scene::WeightsSource::trained);
  EXPECT_EQ(shell_->page().screen(), 0);
  ::unsetenv("XDG_STATE_HOME");
}

/// As in every table: Tab goes on to the next number, Shift + Tab back, and what was typed stays.
TEST_F(Pages, TabGoesFromNumberToNumberOfAMatrix) {
  Scene next;
  next.page = scene::Page::worked;
  start(next);
  const auto tab = [&](screen::Mods mods = {}) {
    pilot_.key(Key::tab, mods);
    pilot_.frames(6);
  };
  done(pilot_.click("page/worked_x 0,1"));
  pilot_.frames(3);
  pilot_.type("7");
  tab();
  pilot_.type("8");
  tab();
  tab(screen::shift_only);
  tab(screen::shift_only);
  tab(screen::shift_only);
  pilot_.type("6");
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_EQ(scene::get_field(scene(), "worked_x"), "6,7;8,1;1,1");
  // From the last number of a matrix to the first one of the next.
  done(pilot_.click("page/worked_x 2,1"));
  pilot_.frames(3);
  tab();
  pilot_.type("5");
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_EQ(scene::get_field(scene(), "worked_w_q"), "5,0;0,1");
  // A pasted matrix replaces the whole one.
  ImGui::SetClipboardText("1 2\n3 4");
  done(pilot_.click("page/worked_w_k 1,0"));
  pilot_.frames(3);
  pilot_.key(Key::v, screen::ctrl_only);
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_EQ(scene::get_field(scene(), "worked_w_k"), "1,2;3,4");
}

TEST_F(Pages, WhatAModelGivesIsPaleAndClicksOnItDoNothing) {
  std::string unused;
  Scene next = scene::first_scene(unused);
  ASSERT_EQ(next.weights, scene::WeightsSource::trained);
  start(next);
  pilot_.key(Key::b, screen::ctrl_only);
  for (const char* name : {"settings/Heads", "settings/Seed"}) EXPECT_FALSE(pilot_.on_screen(name)) << name;
  next.page = scene::Page::block;
  start(next);
  const auto norm = scene().block.norm;
  done(pilot_.click(norm == scene::BlockNorm::pre ? "page/post norm" : "page/pre norm"));
  EXPECT_EQ(session_->message(), "") << "nothing was asked for";
  EXPECT_EQ(scene().block.norm, norm);
}

/// Every control there is a setting: what is worth trying is in the lessons and at the first start.
TEST_F(Pages, ThePanelOffersNothingToTry) {
  for (const scene::Page page : {scene::Page::attention, scene::Page::position}) {
    Scene next;
    next.page = page;
    start(next);
    if (!pilot_.on_screen("settings/First position")) pilot_.key(Key::b, screen::ctrl_only);
    ASSERT_TRUE(pilot_.on_screen("settings/First position"));
    for (const char* name : {"settings/shuffle", "settings/another seed", "settings/one more head",
                             "settings/22 characters", "settings/30 → 35", "settings/short wavelengths"})
      EXPECT_FALSE(pilot_.on_screen(name)) << name;
  }
}

TEST(SettingWords, NeverHaveAnUnderscore) {
  const Scene scene;
  scene::fields(scene, [](const scene::Field& field, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::same_as<Value, scene::Word>) {
      for (int i = 0; i < static_cast<int>(value.list().size()); ++i)
        EXPECT_EQ(value.label(i).find('_'), std::string::npos) << field.name << " " << value.label(i);
    }
  });
}

TEST_F(Pages, ASliderHasAWordForANumberThatIsNone) {
  const scene::Field& cut = scene::find_setting("model_top_k")->field;
  EXPECT_EQ(word_for(cut, 0), "off");
  EXPECT_EQ(word_for(cut, 5), "");
  const scene::Field& step = scene::find_setting("training_shown_step")->field;
  EXPECT_EQ(word_for(step, -1), "latest");
  EXPECT_EQ(word_for(step, 0), "");
}

TEST_F(Pages, TheLastLayerIsWhereItsSlidersEnd) {
  std::string unused;
  Scene next = scene::first_scene(unused);
  start(next);
  ASSERT_TRUE(session_->results().model);
  const int layers = session_->results().model->config.layers;
  open_settings();
  done(pilot_.drag("settings/Layer", 0.f, 1.f));
  EXPECT_EQ(scene().weights_layer, layers);
  next.page = scene::Page::block, next.block.layer = 1;
  start(next);
  open_settings();
  done(pilot_.drag("settings/Layer shown", 0.f, 0.5f));
  EXPECT_LE(scene().block.layer, layers);
  done(pilot_.drag("settings/Layer shown", 0.f, 1.f));
  EXPECT_EQ(scene().block.layer, layers);
  next = {};
  next.page = scene::Page::block, next.block.layers = 3, next.block.layer = 9;
  start(next);
  open_settings();
  done(pilot_.click("settings/Layer shown", 1.f));
  pilot_.key(Key::left);
  EXPECT_EQ(scene().block.layer, 2) << "from the third, the last there is";
}

TEST_F(Pages, AnIncludedModelIsChosenInThePanel) {
  std::string unused;
  start(scene::first_scene(unused));
  ASSERT_EQ(scene().weights_file, "pronouns-guided");
  EXPECT_TRUE(session_->results().guided(0));
  pilot_.key(Key::b, screen::ctrl_only);
  done(pilot_.click("settings/model pronouns-free"));
  EXPECT_EQ(scene().weights_file, "pronouns-free");
  EXPECT_FALSE(session_->results().guided(0));
  done(pilot_.click("settings/model small-english"));
  EXPECT_EQ(scene().d_model, 64);
  EXPECT_TRUE(scene().mask.causal);
  pilot_.key(Key::z, screen::ctrl_only);
  EXPECT_EQ(scene().weights_file, "pronouns-free");
  EXPECT_FALSE(scene().mask.causal);
  // As from the list of models: a guided one with its guided head, wherever one was.
  Scene elsewhere = scene();
  elsewhere.weights_layer = 1, elsewhere.head = {3};
  session_->change(elsewhere, "", now_);
  pilot_.frames(3);
  done(pilot_.click("settings/model pronouns-guided"));
  ASSERT_EQ(scene().head.size(), 1u);
  EXPECT_TRUE(session_->results().guided(scene().head.front() - 1));
  EXPECT_EQ(scene().weights_layer, 2);
}

TEST_F(Pages, AStageOfTheBlockIsShownLarge) {
  Scene next;
  next.page = scene::Page::block;
  start(next);
  done(pilot_.click("page/stage norm 1"));
  EXPECT_EQ(scene().block.shown, scene::BlockShown::norm_1);
  done(pilot_.click("page/stage x: tokens + positions"));
  EXPECT_EQ(scene().block.shown, scene::BlockShown::x);
  done(pilot_.click("page/layer 2 head 3"));
  EXPECT_EQ(scene().block.shown, scene::BlockShown::weights);
  EXPECT_EQ(scene().block.layer, 2);
}

}  // namespace
}  // namespace headlight::app
