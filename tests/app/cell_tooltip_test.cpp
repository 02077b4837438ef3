// A tooltip of a cell is on the screen, and neither in the row nor in the column of its cell.
#include "app/cell_tooltip.h"

#include <gtest/gtest.h>

namespace headlight::app {
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

}  // namespace
}  // namespace headlight::app
