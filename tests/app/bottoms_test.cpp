// Cards that stand side by side end on one line, and so does the settings panel beside them, on every page
// that does not scroll and at every usual size of a window.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "pictures/pages.h"
#include "program.h"
#include "session/quick_training.h"
#include "support/page_name.h"

namespace headlight::app::bottoms_test {
namespace {

constexpr int sizes[][2] = {{1280, 720}, {1440, 900}, {1600, 1000}, {2560, 1440}, {3840, 2160}};
constexpr float half_a_unit = 0.5f;

class Bottoms : public tests::ProgramTest, public testing::WithParamInterface<scene::Page> {
 protected:
  void open(const scene::Scene& scene) {
    start(scene);
    if (scene.page == scene::Page::training) {
      session_->training().start(scene.training);
      ASSERT_TRUE(tests::soon([&] {
        const auto now = session_->training().latest();
        return now && now->state == scene::TrainingState::finished;
      }));
    }
    pilot_.frames(6);
  }

  /// The cards below which there is no other one.
  std::vector<PageArea::Card> lowest() {
    const std::vector<PageArea::Card>& all = shell_->page().placed_cards();
    std::vector<PageArea::Card> out;
    for (const PageArea::Card& one : all) {
      const bool above = std::any_of(all.begin(), all.end(), [&](const PageArea::Card& other) {
        return other.box.y >= one.box.bottom() - 1 && other.box.x < one.box.right() &&
               other.box.right() > one.box.x;
      });
      if (!above) out.push_back(one);
    }
    return out;
  }

  void check() {
    if (!shell_->page().cards_end()) return;  // the page goes on below the window
    const std::vector<PageArea::Card> cards = lowest();
    ASSERT_FALSE(cards.empty());
    const float line = cards.front().box.bottom();
    const float unit = shell_->ui().scale();
    for (const PageArea::Card& card : cards)
      EXPECT_NEAR(card.box.bottom(), line, half_a_unit * unit)
          << card.name << " beside " << cards.front().name;
    if (!shell_->settings().open()) return;
    const ImGuiWindow* panel = ImGui::FindWindowByName("settings");
    ASSERT_NE(panel, nullptr);
    EXPECT_NEAR(panel->Pos.y + panel->Size.y, line, half_a_unit * unit) << "the settings";
  }
};

TEST_P(Bottoms, OfCardsAndSettingsAreOnOneLine) {
  scene::Scene scene;
  scene.page = GetParam();
  scene.training = tests::quick_training(scene::TrainingTask::reverse, 40);
  open(scene);
  for (const auto& [hint, settings] : {std::pair{true, false}, {false, false}, {false, true}}) {
    if (!hint) (void)pilot_.click("hint/got it");  // where there is one
    if (settings) open_settings();
    for (const auto& [width, height] : sizes) {
      width_ = width, height_ = height;
      pilot_.frames(6);
      SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height) +
                   (settings ? " with settings" : "") + (hint ? " with a hint" : ""));
      check();
    }
  }
}

std::vector<scene::Page> all_pages() {
  std::vector<scene::Page> out;
  for (const PageInfo& info : pages()) out.push_back(info.page());
  return out;
}

INSTANTIATE_TEST_SUITE_P(Every, Bottoms, testing::ValuesIn(all_pages()),
                         [](const auto& one) { return std::string(scene::word(one.param)); });

}  // namespace
}  // namespace headlight::app::bottoms_test
