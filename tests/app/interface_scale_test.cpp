// How large the interface is: as asked, as far as the window has room, and larger on a large screen.
#include "program.h"

namespace headlight::app::interface_scale_test {
namespace {

using scene::Scene;

class InterfaceScale : public tests::ProgramTest {
 protected:
  InterfaceScale() { start({}); }
};

TEST_F(InterfaceScale, TheInterfaceIsNoLargerThanItsWindowHasRoomFor) {
  Scene next;
  next.interface_scale = 3;
  start(next);
  EXPECT_EQ(shell_->ui().scale(), 2.5f);  // 1600×1000 is 640×400 units of 2.5 pixels
  next.interface_scale = 2;
  start(next);
  EXPECT_EQ(shell_->ui().scale(), 2.f);
}

TEST_F(InterfaceScale, OnALargeScreenTheAskedScaleIsAddedToWhatHasGrown) {
  width_ = 3840, height_ = 2160;
  Scene next;
  float before = 0;
  for (const double requested : {0.5, 0.9, 1.0, 1.25, 2.0}) {
    next.interface_scale = requested;
    start(next);
    EXPECT_GT(shell_->ui().scale(), before + 0.1f) << "larger is larger: " << requested;
    before = shell_->ui().scale();
  }
  EXPECT_NEAR(before, 2.477f, 0.001f);  // 2 and 3840 / 2600 − 1
}

TEST_F(InterfaceScale, OnALargeScreenEverythingGrowsAlike) {
  EXPECT_EQ(growth(1600, 1000), 1);
  EXPECT_EQ(growth(640, 400), 1);
  width_ = 3840, height_ = 2160;
  Scene next;
  for (const scene::Page page : {scene::Page::attention, scene::Page::compare, scene::Page::block}) {
    next.page = page;
    start(next);
    const float scale = shell_->ui().scale();
    EXPECT_GT(scale, 1.4f);
    // What is left of the window beside bars and settings is a page of the usual size: it grows no further.
    const auto& tab = recorder_.items.at("tabs/Attention");
    EXPECT_NEAR(tab.to.y - tab.from.y, 40 * scale, 2);
    EXPECT_LT(enlargement(page, static_cast<float>(width_) / scale - 376,
                          static_cast<float>(height_) / scale - 118),
              1.02f);
  }
  next.interface_scale = 0.5;
  const float scale = shell_->ui().scale();
  start(next);
  EXPECT_NEAR(shell_->ui().scale(), scale / 2, 1e-4) << "a smaller interface is still asked for by hand";
}

}  // namespace
}  // namespace headlight::app::interface_scale_test
