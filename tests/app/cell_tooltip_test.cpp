// A tooltip of a cell is on the screen, and neither in the row nor in the column of its cell; of anything
// else it covers neither the thing nor the pointer on it.
#include <gtest/gtest.h>

#include <cmath>

#include "screen/tooltip_place.h"

namespace headlight::screen {
namespace {

TEST(CellTooltip, LeavesTheRowAndTheColumnFree) {
  const ImVec2 screen{1280, 720}, extent{300, 28};
  for (float x = 100; x < 1200; x += 90) {
    for (float y = 60; y < 690; y += 45) {
      const draw::Box cell{x, y, 64, 24};
      const ImVec2 from = beside_cell(cell, extent, screen, 6);
      EXPECT_GE(from.x, 0);
      EXPECT_LE(from.x + extent.x, screen.x);
      EXPECT_LE(from.y + extent.y, screen.y);
      EXPECT_TRUE(from.y >= cell.bottom() || from.y + extent.y <= cell.y) << x << " " << y << ": in its row";
      EXPECT_TRUE(from.x >= cell.right() || from.x + extent.x <= cell.x)
          << x << " " << y << ": in its column";
    }
  }
}

TEST(Tooltip, CoversNeitherItsThingNorThePointer) {
  const ImVec2 screen{1280, 720}, extent{300, 60};
  for (const ImVec2 size : {ImVec2{20, 20}, ImVec2{400, 26}, ImVec2{30, 500}, ImVec2{900, 40}}) {
    for (float x = 0; x + size.x <= screen.x; x += 70) {
      for (float y = 0; y + size.y <= screen.y; y += 35) {
        for (const float along : {0.1f, 0.5f, 0.9f}) {
          const draw::Box box{x, y, size.x, size.y};
          const ImVec2 pointer{x + along * size.x, y + along * size.y};
          const ImVec2 from = beside_box(box, pointer, extent, screen, 6, 200);
          const ImVec2 to{from.x + extent.x, from.y + extent.y};
          EXPECT_TRUE(from.x >= 0 && from.y >= 0 && to.x <= screen.x && to.y <= screen.y);
          EXPECT_TRUE(from.x >= box.right() || to.x <= box.x || from.y >= box.bottom() || to.y <= box.y)
              << x << " " << y << " " << size.x;
          EXPECT_FALSE(pointer.x >= from.x && pointer.x <= to.x && pointer.y >= from.y && pointer.y <= to.y);
        }
      }
    }
  }
}

TEST(Tooltip, OfAWholeCardIsAtThePointer) {
  const ImVec2 from = beside_box({0, 0, 1280, 720}, {640, 300}, {300, 60}, {1280, 720}, 6, 200);
  EXPECT_LT(std::hypot(from.x - 640, from.y - 300), 40);
}

}  // namespace
}  // namespace headlight::screen
