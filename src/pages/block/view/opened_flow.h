// The layout of a layer of another program's model as a flow of stages: two rows, attention and MLP, one
// after the other or side by side; on the left the input of the layer, on the right what follows. Tested in
// tests/views/opened_block_test.cpp.
#pragma once

#include <vector>

#include "pages/block/view/opened_view.h"

namespace headlight::views {

inline constexpr float flow_title_line = 16, flow_slot_gap = 4;

/// A panel of a column. The column has `slots` equal parts; the panel takes some of them.
struct FlowItem {
  enum class Kind { stage, weights, layer_before, layer_after } kind = Kind::stage;
  const scene::OpenedStage* stage = nullptr;
  int slot = 0, span = 1;
};
struct FlowColumn {
  int slots = 1;
  std::vector<FlowItem> items;
  bool sum = false;    // the residual joins before it
  bool chain = false;  // its panels follow one another, from top to bottom
};
using FlowRow = std::vector<FlowColumn>;

/// The places of a column's pictures, with the title above each.
struct PlacedColumn {
  draw::Box box;
  const FlowColumn* column = nullptr;
  draw::Box item(const FlowItem& item) const {
    const float pitch = (box.h + flow_slot_gap) / static_cast<float>(column->slots);
    return {box.x, box.y + pitch * static_cast<float>(item.slot), box.w,
            pitch * static_cast<float>(item.span) - flow_slot_gap};
  }
  /// The height at which a line enters slot `slot`: the middle of the picture of a panel with one slot.
  float axis(int slot) const {
    const draw::Box one = item({FlowItem::Kind::stage, nullptr, slot, 1});
    return one.y + flow_title_line + (one.h - flow_title_line) / 2;
  }
  const FlowItem* at(int slot) const {
    for (const FlowItem& one : column->items) {
      if (slot >= one.slot && slot < one.slot + one.span) return &one;
    }
    return nullptr;
  }
};

/// All columns of the layer, placed.
struct Flow {
  FlowColumn first, shared, last;  // shared: the one norm of a parallel layer; last: behind its sum
  FlowRow attention, mlp;
  PlacedColumn first_at, shared_at, last_at;
  std::vector<PlacedColumn> upper, lower;
  float residual_y = 0, lane_y = 0;  // above the first row, between the rows
};

/// Lays out into `flow`, whose columns refer to their own parts by address.
void lay_out_flow(const OpenedSelection& sheet, draw::Box box, Flow& flow);

}  // namespace headlight::views
