#include <algorithm>
#include <initializer_list>
#include <utility>

#include "pages/block/view/opened_flow.h"

namespace headlight::views {

using nn::NetworkStage;

namespace {

constexpr float top_lane = 14, sum_gap = 34;

/// The columns of a part of the layer, of the stages that it has.
class FlowBuilder {
 public:
  explicit FlowBuilder(const scene::OpenedBlock& block) : block_(block) {}

  void add(NetworkStage stage, bool sum = false) { add_slots({stage}, sum); }
  /// Those that are there, each in its slot.
  void add_slots(std::initializer_list<NetworkStage> stages, bool sum = false, int slots = 0) {
    FlowColumn column;
    column.slots = slots > 0 ? slots : static_cast<int>(stages.size()), column.sum = sum;
    int slot = 0;
    for (const NetworkStage stage : stages) {
      if (const scene::OpenedStage* found = block_.find(stage))
        column.items.push_back({FlowItem::Kind::stage, found, slot, 1});
      ++slot;
    }
    if (!column.items.empty()) row_.push_back(std::move(column));
  }
  void add_column(FlowColumn column) { row_.push_back(std::move(column)); }
  FlowRow take() { return std::move(row_); }

 private:
  const scene::OpenedBlock& block_;
  FlowRow row_;
};

FlowRow attention_row(const OpenedSelection& s) {
  const bool post = s.block.plan == nn::BlockPlan::post;
  FlowBuilder row(s.block);
  if (!post && s.block.plan != nn::BlockPlan::parallel_one_norm) row.add(NetworkStage::norm_1);
  row.add_slots({NetworkStage::q, NetworkStage::k, NetworkStage::v});
  row.add_slots({NetworkStage::q_norm, NetworkStage::k_norm}, false, 3);
  row.add_slots({NetworkStage::q_rope, NetworkStage::k_rope}, false, 3);
  FlowColumn weights{3, {{FlowItem::Kind::weights, nullptr, 0, 2}}, false};
  row.add_column(std::move(weights));
  row.add(NetworkStage::context);
  row.add(NetworkStage::attention);
  row.add(NetworkStage::norm_1_after);
  row.add(NetworkStage::sum_1, true);
  if (post) row.add(NetworkStage::norm_1);
  return row.take();
}

FlowColumn end_column(const OpenedSelection& s) {
  FlowColumn end;
  if (s.parallel()) end.items.push_back({FlowItem::Kind::stage, s.block.find(NetworkStage::sum_2), 0, 1});
  const auto next = [&end] { return static_cast<int>(end.items.size()); };
  if (s.block.layer + 1 < s.block.layers)
    end.items.push_back({FlowItem::Kind::layer_after, nullptr, next(), 1});
  for (const NetworkStage stage : {NetworkStage::final_norm, NetworkStage::logits}) {
    if (const auto* found = s.block.find(stage))
      end.items.push_back({FlowItem::Kind::stage, found, next(), 1});
  }
  end.slots = std::max(1, next()), end.chain = true;
  return end;
}

FlowRow mlp_row(const OpenedSelection& s) {
  const bool post = s.block.plan == nn::BlockPlan::post;
  FlowBuilder row(s.block);
  if (!post) row.add(NetworkStage::norm_2);
  if (s.block.gated) {
    row.add_slots({NetworkStage::gate, NetworkStage::up});
    row.add_slots({NetworkStage::gate_activated}, false, 2);
  } else {
    row.add(NetworkStage::up);
  }
  row.add(NetworkStage::hidden);
  row.add(NetworkStage::down);
  row.add(NetworkStage::norm_2_after);
  if (!s.parallel()) row.add(NetworkStage::sum_2, true);
  if (post) row.add(NetworkStage::norm_2);
  if (FlowColumn end = end_column(s); !s.parallel() && !end.items.empty()) row.add_column(std::move(end));
  return row.take();
}

/// The embedding's steps, of which the last is x itself; or x and the way back.
FlowColumn first_column(const OpenedSelection& s) {
  FlowColumn column;
  std::vector<const scene::OpenedStage*> before;
  for (const scene::OpenedStage& one : s.block.list) {
    if (one.stage < NetworkStage::input) before.push_back(&one);
  }
  if (!before.empty()) before.pop_back();
  before.push_back(s.block.find(NetworkStage::input));
  for (const auto* stage : before)
    column.items.push_back({FlowItem::Kind::stage, stage, static_cast<int>(column.items.size()), 1});
  if (s.block.layer > 0) column.items.push_back({FlowItem::Kind::layer_before, nullptr, 1, 1});
  column.slots = std::max(2, static_cast<int>(column.items.size())), column.chain = true;
  return column;
}

}  // namespace

void lay_out_flow(const OpenedSelection& sheet, Box box, Flow& flow) {
  flow.first = first_column(sheet);
  flow.attention = attention_row(sheet), flow.mlp = mlp_row(sheet);
  const bool parallel = sheet.parallel();
  if (sheet.block.plan == nn::BlockPlan::parallel_one_norm) {
    flow.shared.items.push_back({FlowItem::Kind::stage, sheet.block.find(NetworkStage::norm_1), 0, 1});
  }
  if (parallel) flow.last = end_column(sheet);
  const std::size_t across = std::max(flow.attention.size(), flow.mlp.size());
  const bool shared = !flow.shared.items.empty();
  const auto columns = static_cast<float>(1 + across + (shared ? 1u : 0u) + (parallel ? 1u : 0u));
  const float gap = std::clamp(box.w / columns * 0.2f, 10.f, 30.f);
  // Before what follows a parallel layer stands the sum.
  const float extra = parallel ? std::max(0.f, sum_gap - gap) : 0.f;
  const float w = (box.w - extra - gap * (columns - 1)) / columns;
  flow.residual_y = box.y + top_lane / 2;
  const float half = (box.h - 2 * top_lane) / 2;
  const float upper_y = box.y + top_lane, lower_y = upper_y + half + top_lane;
  flow.lane_y = lower_y - top_lane / 2 + 2;
  float x = box.x;
  // Two panels are each as high as one of the row, so that x is level with what follows it.
  const float first_high = flow.first.slots == 2 ? 2 * half + flow_slot_gap : box.h - top_lane;
  flow.first_at = {{x, upper_y, w, first_high}, &flow.first};
  x += w + gap;
  if (shared) {
    flow.shared_at = {{x, upper_y + (half + top_lane) / 2, w, half}, &flow.shared};
    x += w + gap;
  }
  for (std::size_t i = 0; i < flow.attention.size(); ++i)
    flow.upper.push_back({{x + static_cast<float>(i) * (w + gap), upper_y, w, half}, &flow.attention[i]});
  for (std::size_t i = 0; i < flow.mlp.size(); ++i)
    flow.lower.push_back({{x + static_cast<float>(i) * (w + gap), lower_y, w, half}, &flow.mlp[i]});
  flow.last_at = {{box.right() - w, upper_y, w, box.h - top_lane}, &flow.last};
}

}  // namespace headlight::views
