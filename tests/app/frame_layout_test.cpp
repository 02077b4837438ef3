// Where the parts of the window stand, and when the panel of settings is open.
#include "ui/frame_layout.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "ui/scene_panel.h"

namespace headlight::app {
namespace {

bool apart(const draw::Box& a, const draw::Box& b) {
  return a.w <= 0 || b.w <= 0 || a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y ||
         b.bottom() <= a.y;
}

TEST(FrameLayout, PartsNeitherOverlapNorLeaveTheWindow) {
  for (const auto& [w, h] : {std::pair{640.f, 360.f},
                             {959.f, 800.f},
                             {960.f, 560.f},
                             {1280.f, 720.f},
                             {1439.f, 900.f},
                             {1440.f, 900.f},
                             {1600.f, 1000.f},
                             {2036.f, 1132.f}}) {
    for (const auto& [open, tabs] : {std::pair{false, false}, {true, false}, {false, true}, {true, true}}) {
      SCOPED_TRACE(testing::Message() << w << " × " << h << (open ? ", open" : "") << (tabs ? ", tabs" : ""));
      const FrameLayout at =
          frame_layout(w, h, open ? SettingsPlace::replaces_cards : SettingsPlace::closed, false, tabs);
      std::vector<draw::Box> parts{at.rail, at.top, at.tabs, at.page, at.status};
      if (!at.compact) parts.push_back(at.panel);  // over the page in a small window
      for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_GE(parts[i].x, 0);
        EXPECT_LE(parts[i].right(), w);
        EXPECT_LE(parts[i].bottom(), h);
        for (std::size_t j = 0; j < i; ++j) EXPECT_TRUE(apart(parts[i], parts[j])) << i << " " << j;
      }
      EXPECT_EQ(at.panel.w > 0, open);
      EXPECT_GT(at.page.h, h * 0.75f);
    }
  }
}

TEST(FrameLayout, TheFrameIsAsItWasDesigned) {
  constexpr SettingsPlace closed = SettingsPlace::closed, replacing = SettingsPlace::replaces_cards,
                          third = SettingsPlace::third_column;
  const FrameLayout at = frame_layout(1280, 720, replacing);
  EXPECT_EQ(at.rail.w, 64);
  EXPECT_EQ(at.page.y, 96);
  EXPECT_EQ(at.panel, (draw::Box{984, 104, 280, 586}));
  EXPECT_EQ(at.page.right(), 984) << "a page without its column ends where the panel begins";
  const FrameLayout tabs = frame_layout(1280, 720, replacing, false, true);
  EXPECT_EQ(tabs.status, (draw::Box{64, 684, 1216, 36})) << "one line for the tabs and the status";
  EXPECT_EQ(tabs.panel.bottom(), 676) << "where the cards end";
  EXPECT_EQ(frame_layout(1600, 1000, replacing).panel.w, 280);
  EXPECT_EQ(frame_layout(1600, 1000, replacing, false, false, true).panel.w, 376)
      << "in the place of its cards";
  EXPECT_EQ(frame_layout(1600, 1000, third).panel.w, 296);
  EXPECT_TRUE(frame_layout(959, 900, closed).compact);
  EXPECT_TRUE(frame_layout(1280, 559, closed).compact);
  EXPECT_EQ(frame_layout(640, 360, closed).rail.w, 48);
}

/// Sliders are the purpose of the program: with random weights they are open where there is room.
TEST(ScenePanel, IsOpenBesideTheCardsWhereTheSettingsDetermineTheNumbers) {
  scene::Scene scene;
  const auto place = [&](float width) {
    ScenePanel panel;
    panel.follow(scene, width);
    return panel.place();
  };
  EXPECT_EQ(place(1439), SettingsPlace::closed);
  EXPECT_EQ(place(1440), SettingsPlace::third_column);
  scene.weights = scene::WeightsSource::trained;
  EXPECT_EQ(place(1999), SettingsPlace::closed) << "a model has its own numbers";
  EXPECT_EQ(place(2000), SettingsPlace::third_column);
  scene.weights = scene::WeightsSource::random;
  scene.page = scene::Page::cost;  // which no model computes
  EXPECT_EQ(place(1999), SettingsPlace::closed);
  scene.page = scene::Page::presets;  // which has no settings
  EXPECT_EQ(place(2000), SettingsPlace::closed);
  scene.page = scene::Page::softmax;  // whose few controls take no column from it
  EXPECT_LT(settings_in_panel(scene).size(), 4u);
  EXPECT_EQ(place(3840), SettingsPlace::closed);
  scene.page = scene::Page::position;  // a page of sliders
  EXPECT_EQ(place(1279), SettingsPlace::closed);
  EXPECT_EQ(place(1280), SettingsPlace::replaces_cards);
  EXPECT_EQ(place(1440), SettingsPlace::third_column);
}

/// Other masks and schemes have other settings; the panel neither opens nor closes for them.
TEST(ScenePanel, OnVariantsStaysAsItIsWhateverTheSidesAre) {
  scene::Scene scene;
  scene.page = scene::Page::variants;
  for (const scene::VariantPosition position : {scene::VariantPosition::rope, scene::VariantPosition::none,
                                                scene::VariantPosition::t5, scene::VariantPosition::shaw}) {
    for (const scene::VariantMask mask : {scene::VariantMask::none, scene::VariantMask::window_global}) {
      scene.variants.a = {mask, position, true};
      ScenePanel panel;
      panel.follow(scene, 1600);
      EXPECT_EQ(panel.place(), SettingsPlace::third_column) << static_cast<int>(position);
    }
  }
}

TEST(ScenePanel, DoesNotCloseOrMoveUnderThePointerThatChoosesAModelInIt) {
  ScenePanel panel;
  scene::Scene scene;
  const auto follow = [&] {
    panel.follow(scene, 1600);
    return panel.place();
  };
  EXPECT_EQ(follow(), SettingsPlace::third_column);
  scene.weights = scene::WeightsSource::trained;
  EXPECT_EQ(follow(), SettingsPlace::third_column);
  EXPECT_EQ(follow(), SettingsPlace::third_column) << "in the frames after it, too";
  scene.page = scene::Page::compare;
  EXPECT_EQ(follow(), SettingsPlace::closed) << "another page has its own state";
  scene.page = scene::Page::attention;
  EXPECT_EQ(follow(), SettingsPlace::closed);
  scene.weights = scene::WeightsSource::random;
  EXPECT_EQ(follow(), SettingsPlace::third_column);
  scene.weights = scene::WeightsSource::trained;
  EXPECT_EQ(follow(), SettingsPlace::third_column);
  panel.follow(scene, 700);
  EXPECT_EQ(panel.place(), SettingsPlace::closed) << "it does not lie over a small page";
  scene.weights = scene::WeightsSource::random;
  EXPECT_EQ(follow(), SettingsPlace::third_column);
  scene.weights = scene::WeightsSource::trained;
  EXPECT_EQ(follow(), SettingsPlace::third_column);
  panel.toggle();
  EXPECT_EQ(follow(), SettingsPlace::closed);
  EXPECT_EQ(panel.by_hand(), std::optional(false));
  panel.toggle();
  EXPECT_EQ(follow(), SettingsPlace::replaces_cards)
      << "opened again, it has the place that it has with a model";
}

TEST(ScenePanel, OpensByHandAndEscClosesOnlyThat) {
  ScenePanel panel;
  scene::Scene scene;
  panel.follow(scene, 1600);
  EXPECT_FALSE(panel.dismiss()) << "it is open by itself";
  panel.follow(scene, 1200);
  EXPECT_FALSE(panel.open());
  panel.show("mask");
  panel.follow(scene, 1200);
  EXPECT_TRUE(panel.open());
  EXPECT_EQ(panel.take_wanted(), "mask");
  EXPECT_EQ(panel.take_wanted(), "");
  panel.show("weights");
  panel.follow(scene, 1200);
  EXPECT_TRUE(panel.open()) << "another chip shows another part of it";
  EXPECT_TRUE(panel.dismiss());
  panel.follow(scene, 1200);
  EXPECT_FALSE(panel.open());
  panel.show("mask");
  panel.follow(scene, 1200);
  panel.show("mask");
  panel.follow(scene, 1200);
  EXPECT_FALSE(panel.open()) << "the same chip closes it";
}

TEST(ScenePanel, StaysAsItWasLeftWhateverTheWeights) {
  ScenePanel panel;
  scene::Scene scene;
  const auto follow = [&] {
    panel.follow(scene, 2560);
    return panel.open();
  };
  EXPECT_TRUE(follow());
  panel.toggle();
  EXPECT_FALSE(follow());
  scene.weights = scene::WeightsSource::trained;
  EXPECT_FALSE(follow()) << "other weights are no reason to take the room again";
  panel.toggle();
  EXPECT_TRUE(follow());
  scene.weights = scene::WeightsSource::random;
  EXPECT_TRUE(follow());
}

}  // namespace
}  // namespace headlight::app
