// The flow drawn: panels, arrows and sums, and the card around them.
#include "pages/block/view/opened_flow.h"

#include <algorithm>
#include <array>

#include "kit/cells.h"
#include "pages/block/view/encoder_decoder_view.h"
#include "pages/block/view/matrix_card.h"

namespace headlight::views {

using nn::NetworkStage;

namespace {

class FlowPainter {
 public:
  explicit FlowPainter(const OpenedView& sheet) : sheet_(sheet), pen_(sheet.pen) {}

  void panel(const FlowItem& item, Box box) const {
    if (item.kind == FlowItem::Kind::stage) return stage(*item.stage, box);
    if (item.kind == FlowItem::Kind::weights) return weights(box);
    if (!pen_.canvas.plain()) door(item.kind == FlowItem::Kind::layer_after, box);
  }
  void column(const PlacedColumn& placed) const {
    for (const FlowItem& item : placed.column->items) panel(item, placed.item(item));
  }

  void line(Point a, Point b) const { pen_.canvas.line(a, b, {pen_.theme.dim, 1.5f}); }
  void arrow(Point a, Point b) const { pointer(b, a); }
  /// A line from `from`, horizontal, with its head at `tip`.
  void pointer(Point tip, Point from) const {
    line(from, tip);
    const float back = tip.x > from.x ? tip.x - 5 : tip.x + 5;
    const std::array<Point, 3> head = {tip, Point{back, tip.y - 3}, Point{back, tip.y + 3}};
    pen_.canvas.polygon(head, pen_.theme.dim);
  }
  void sum_sign(Point c) const {
    pen_.canvas.circle(c, 7, pen_.theme.panel);
    pen_.canvas.ring(c, 6.5f, {pen_.theme.dim, 1.5f});
    line({c.x - 3.5f, c.y}, {c.x + 3.5f, c.y});
    line({c.x, c.y - 3.5f}, {c.x, c.y + 3.5f});
  }

  /// Lines between two columns of a row. A slot without a panel is passed through.
  void connect(const PlacedColumn& from, const PlacedColumn& to) const {
    const float left = from.box.right() + 3, right = to.box.x - 3;
    const int a = from.column->slots, b = to.column->slots;
    if (to.column->chain) {
      const float bus = (left + right) / 2, begin = from.axis(0), end = to.axis(0);
      line({left, begin}, {bus, begin});
      line({bus, begin}, {bus, end});
      return arrow({bus, end}, {right, end});
    }
    if (a == b) {
      for (int slot = 0; slot < a; ++slot) {
        const float y = from.axis(slot);
        // What the slot carries comes from further left.
        if (!from.at(slot)) line({from.box.x - 3, y}, {left, y});
        if (to.at(slot))
          arrow({left, y}, {right, y});
        else
          line({left, y}, {right, y});
      }
      return;
    }
    const float bus = (left + right) / 2;
    const PlacedColumn& many = a > b ? from : to;
    const float one_y = (a > b ? to : from).axis(0);
    float low = one_y, high = one_y;
    for (int slot = 0; slot < many.column->slots; ++slot) {
      const FlowItem* item = many.at(slot);
      if (item && item->slot != slot) continue;  // the rest of a panel of several slots
      float y = many.axis(slot);
      if (item && item->span > 1) y = (many.axis(slot) + many.axis(slot + item->span - 1)) / 2;
      low = std::min(low, y), high = std::max(high, y);
      if (a > b) {
        if (!item) line({from.box.x - 3, y}, {left, y});
        line({left, y}, {bus, y});
      } else {
        arrow({bus, y}, {right, y});
      }
    }
    line({bus, low}, {bus, high});
    if (a > b)
      arrow({bus, one_y}, {right, one_y});
    else
      line({left, one_y}, {bus, one_y});
  }

  /// A stage that lies on a line, by its name: a click shows it large.
  void on_line(Point at, NetworkStage stage) const {
    const scene::OpenedStage* one = sheet_.block.find(stage);
    if (!one) return;
    const draw::TextStyle style = aligned(strong_style(pen_.theme.text, 12), Align::centre);
    const std::string words = one->formula + " " + stage_text(sheet_.in, "block_stage_rms", *one);
    const float wide = pen_.canvas.text_width(words, style) + 14;
    draw::Mark mark;
    mark.part = draw::Part::control, mark.name = std::string("stage ") + scene::word(one->shown);
    mark.set = std::string("block_stage=") + scene::word(one->shown);
    mark.note = one->title + ": " + one->formula + "\nclick: show it large";
    mark.area = {at.x - wide / 2, at.y - 7, wide, 14};
    pen_.canvas.mark(mark);
    pen_.canvas.rect(mark.area, pen_.over(mark.name) ? pen_.theme.field_hover : pen_.theme.field, 5);
    pen_.canvas.text(at, words, style);
    pen_.canvas.mark({});
  }

 private:
  /// With the number as it is written elsewhere or, where that has no room, with two digits.
  void title(Box box, const std::string& words, const std::string& number, const std::string& shorter) const {
    const draw::TextStyle heading = strong_style(pen_.theme.text, 12);
    const draw::TextStyle figures = aligned(mono_style(pen_.theme.dim, small_size), Align::right);
    const float y = box.y + 6;  // above the frame of the picture that is shown large
    const float taken = put(pen_, {box.x, y}, words, heading, box.w);
    for (const std::string& one : {number, shorter}) {
      if (taken + 6 + pen_.canvas.text_width(one, figures) > box.w) continue;
      put(pen_, {box.right(), y}, one, figures);
      break;
    }
  }

  void stage(const scene::OpenedStage& one, Box box) const {
    const std::string rms = stage_text(sheet_.in, "block_stage_rms", one);
    title(box, one.title, rms, brief(one.rms, 2));
    box.cut_top(flow_title_line);
    draw::Mark mark;
    mark.part = draw::Part::control, mark.name = std::string("stage ") + scene::word(one.shown);
    mark.set = std::string("block_stage=") + scene::word(one.shown);
    mark.note = one.title + ": " + one.formula + "\nclick: show it large";
    const nn::Matrix& m = sheet_.block.values(one);
    draw::Heatmap map;
    map.version = sheet_.in.results.version;
    map.values = m.data(), map.rows = m.rows(), map.cols = map.row_stride = m.cols();
    const double end = sheet_.scale_stage(one).largest;
    const auto largest = static_cast<float>(end > 0 ? end : 1);
    map.lo = -largest, map.hi = largest, map.map = draw::Colormap::signed_weight, map.gaps = false;
    picture(mark, map, box, sheet_.shown == &one);
  }

  /// What lies between q, k and the weights.
  std::string score_words() const {
    const scene::OpenedLayer* opened = sheet_.in.results.opened.get();
    if (!opened) return "softmax(q·k)";
    std::string out = "softmax of q·k × " + brief(opened->scale, 4);
    if (opened->cap > 0) out += ", soft cap " + brief(opened->cap, 4);
    if (opened->causal) out += opened->window > 0 ? ", causal, " + window_words(sheet_.in) : ", causal";
    return out;
  }

  void weights(Box box) const {
    const std::string head = "head " + std::to_string(sheet_.head + 1);
    const std::string whole = "weights, " + head;
    title(box, pen_.canvas.text_width(whole, strong_style({}, 12)) <= box.w ? whole : head, "", "");
    box.cut_top(flow_title_line);
    draw::Mark mark;
    mark.part = draw::Part::control, mark.name = "stage weights", mark.set = "block_stage=weights";
    mark.note = "weights of head " + std::to_string(sheet_.head + 1) + ": " + score_words() +
                "\nclick: show them large";
    picture(mark, head_map(sheet_.in, sheet_.attention, sheet_.head, sheet_.scale()), box,
            sheet_.shown == nullptr);
  }

  void picture(const draw::Mark& mark, const draw::Heatmap& map, Box box, bool large) const {
    if (box.w < 4 || box.h < 4) return;
    draw_cells(pen_, box, map, mark);
    const bool over = pen_.over(mark.name);
    pen_.canvas.frame(box, {over ? pen_.theme.text : pen_.theme.border, over ? 1.5f : 1.f});
    if (large && marks_selection(pen_)) pen_.canvas.frame(box.inset(-2), {pen_.theme.focus, 2}, 2);
  }

  void door(bool after, Box box) const {
    box.cut_top(flow_title_line);
    if (box.h > 40) box = {box.x, box.y + (box.h - 40) / 2, box.w, 40};
    const int layer = sheet_.block.layer + (after ? 2 : 0);
    draw::Mark mark;
    mark.part = draw::Part::control, mark.area = box;
    mark.name = after ? "next layer" : "previous layer";
    mark.set = "weights_layer=" + std::to_string(layer);
    mark.note = after ? "show the next layer" : "show the layer before";
    pen_.canvas.mark(mark);
    pen_.canvas.rect(box, pen_.over(mark.name) ? pen_.theme.field_hover : pen_.theme.field, 6);
    const std::string number = std::to_string(layer);
    const std::string whole = after ? "layer " + number + " →" : "← layer " + number;
    const draw::TextStyle style = aligned(words_style(pen_.theme.text), Align::centre);
    const bool fits = pen_.canvas.text_width(whole, style) <= box.w - 8;
    put(pen_, box.centre(), fits ? whole : after ? number + " →" : "← " + number, style, box.w);
    pen_.canvas.mark({});
  }

  const OpenedView& sheet_;
  const Pen& pen_;
};

/// The lines of a row and the sums in it, to which the residual comes down from `residual_y`.
void row_lines(const FlowPainter& paint, const std::vector<PlacedColumn>& row, float residual_y) {
  for (std::size_t i = 1; i < row.size(); ++i) {
    paint.connect(row[i - 1], row[i]);
    if (!row[i].column->sum) continue;
    const Point c{(row[i - 1].box.right() + row[i].box.x) / 2, row[i].axis(0)};
    paint.line({c.x, residual_y}, {c.x, c.y - 7});
    paint.sum_sign(c);
  }
}

/// x of the first sum of a row; 0: there is none.
float sum_x(const std::vector<PlacedColumn>& row) {
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i].column->sum) return (row[i - 1].box.right() + row[i].box.x) / 2;
  }
  return 0;
}

/// A line that comes in from the left into a column, to each of its slots.
void enter(const FlowPainter& paint, float bus, float from_y, const PlacedColumn& to) {
  float low = from_y, high = from_y;
  for (const FlowItem& item : to.column->items) {
    if (to.column->chain && item.slot > 0) break;
    const float y = to.axis(item.slot);
    low = std::min(low, y), high = std::max(high, y);
    paint.arrow({bus, y}, {to.box.x - 3, y});
  }
  paint.line({bus, low}, {bus, high});
}

/// From each panel of a chain to the next, along its left or right edge, where there are no words.
void chain_lines(const FlowPainter& paint, const PlacedColumn& column, bool at_left) {
  const Box box = column.box;
  const float edge = at_left ? box.x : box.right(), lane = at_left ? edge - 7 : edge + 7;
  for (std::size_t i = 1; i < column.column->items.size(); ++i) {
    const FlowItem &above = column.column->items[i - 1], &below = column.column->items[i];
    if (below.kind != FlowItem::Kind::stage) continue;
    const float from = column.axis(above.slot) + 4, to = column.axis(below.slot) - 4;
    paint.line({edge, from}, {lane, from});
    paint.line({lane, from}, {lane, to});
    paint.pointer({edge + (at_left ? -1.f : 1.f), to}, {lane, to});
  }
}

float slot_of_x(const Flow& flow) {
  for (const FlowItem& item : flow.first.items) {
    if (item.kind == FlowItem::Kind::stage && item.stage->stage == NetworkStage::input)
      return flow.first_at.axis(item.slot);
  }
  return flow.first_at.axis(0);
}

/// The stream from x into both parts one after the other.
void sequential_lines(const FlowPainter& paint, const Flow& flow) {
  const PlacedColumn& first = flow.upper.front();
  const float bus = flow.first_at.box.right() + (first.box.x - flow.first_at.box.right()) * 0.27f;
  const float x_y = slot_of_x(flow);
  paint.line({flow.first_at.box.right() + 3, x_y}, {bus, x_y});
  enter(paint, bus, x_y, first);
  paint.line({bus, x_y}, {bus, flow.residual_y});
  paint.line({bus, flow.residual_y}, {sum_x(flow.upper), flow.residual_y});
  paint.on_line({(bus + sum_x(flow.upper)) / 2, flow.residual_y}, NetworkStage::bypass);
  row_lines(paint, flow.upper, flow.residual_y);
  // a goes back along the lane between the rows to the second one, and to its sum.
  const PlacedColumn &a = flow.upper.back(), &second = flow.lower.front();
  const float room = first.box.x - flow.first_at.box.right();
  const float out = a.box.right() + 7, in = second.box.x - std::max(7.f, 0.36f * room);  // beside the bus
  paint.line({a.box.right(), a.axis(0)}, {out, a.axis(0)});
  paint.line({out, a.axis(0)}, {out, flow.lane_y});
  paint.line({std::max(out, sum_x(flow.lower)), flow.lane_y}, {in, flow.lane_y});
  enter(paint, in, flow.lane_y, second);
  row_lines(paint, flow.lower, flow.lane_y);
}

/// The stream from x into both parts at once, and their sum with it.
void parallel_lines(const FlowPainter& paint, const Flow& flow) {
  const bool shared = !flow.shared.items.empty();
  const PlacedColumn& first = shared ? flow.shared_at : flow.upper.front();
  const float bus = flow.first_at.box.right() + (first.box.x - flow.first_at.box.right()) * 0.4f;
  const float x_y = slot_of_x(flow);
  paint.line({flow.first_at.box.right() + 3, x_y}, {bus, x_y});
  if (shared) {
    enter(paint, bus, x_y, flow.shared_at);
    const float from = flow.shared_at.box.right(), y = flow.shared_at.axis(0);
    const float fork = (from + flow.upper.front().box.x) / 2;
    paint.line({from + 3, y}, {fork, y});
    enter(paint, fork, y, flow.upper.front());
    enter(paint, fork, y, flow.lower.front());
  } else {
    enter(paint, bus, x_y, flow.upper.front());
    enter(paint, bus, x_y, flow.lower.front());
  }
  row_lines(paint, flow.upper, 0);
  row_lines(paint, flow.lower, 0);
  const Box last = flow.last_at.box;
  const float sum_x = last.x - 15, join = sum_x - 13, y_y = flow.last_at.axis(0);
  const float middle = flow.lane_y;
  for (const PlacedColumn* row_end : {&flow.upper.back(), &flow.lower.back()}) {
    paint.line({row_end->box.right() + 3, row_end->axis(0)}, {join, row_end->axis(0)});
    paint.line({join, row_end->axis(0)}, {join, middle});
  }
  paint.line({join, middle}, {sum_x - 7, middle});
  paint.line({bus, x_y}, {bus, flow.residual_y});
  paint.line({bus, flow.residual_y}, {sum_x, flow.residual_y});
  paint.line({sum_x, flow.residual_y}, {sum_x, middle - 7});
  paint.sum_sign({sum_x, middle});
  const float out = sum_x + 7;
  paint.line({out, middle}, {out + 2, middle});
  paint.line({out + 2, middle}, {out + 2, y_y});
  paint.arrow({out + 2, y_y}, {last.x - 3, y_y});
}

std::string shapes_words(const OpenedView& sheet, bool short_one) {
  const auto cols = [&](NetworkStage stage) {
    const auto* found = sheet.block.find(stage);
    return found ? std::to_string(sheet.block.values(*found).cols()) : std::string("–");
  };
  const std::string d = cols(NetworkStage::input), out = cols(NetworkStage::sum_2), q = cols(NetworkStage::q),
                    k = cols(NetworkStage::k);
  std::string shape =
      std::to_string(sheet.attention.T) + " tokens × " + d + (out == d ? "" : " → " + out) + " components, ";
  if (q != d || k != d) shape += q == k ? "q, k and v " + q + ", " : "q " + q + ", k and v " + k + ", ";
  shape += "hidden " + cols(NetworkStage::hidden);
  return short_one ? shape : "beside a title: RMS, mean over the tokens · " + shape;
}

}  // namespace

std::string stage_text(const PageInput& in, const char* quantity, const scene::OpenedStage& stage) {
  return in.text(std::string(quantity) + " of=" + scene::word(stage.shown));
}

std::string plan_words(const scene::OpenedBlock& block) {
  std::string words = plan_words(block.plan);
  const std::string plain = "a = x + ";
  const std::size_t at = words.find(plain);
  if (block.find(NetworkStage::bypass) && at != std::string::npos)
    words.replace(at, plain.size(), "a = W_R x + ");
  return words;
}

std::string plan_words(nn::BlockPlan plan) {
  switch (plan) {
    case nn::BlockPlan::pre:
      return "pre-norm: a = x + attn(N₁ x), y = a + mlp(N₂ a)";
    case nn::BlockPlan::post:
      return "post-norm: a = N₁(x + attn x), y = N₂(a + mlp a)";
    case nn::BlockPlan::parallel_one_norm:
      return "parallel, one norm: y = x + attn(N x) + mlp(N x)";
    case nn::BlockPlan::parallel_two_norms:
      return "parallel, two norms: y = x + attn(N₁ x) + mlp(N₂ x)";
    case nn::BlockPlan::sandwich:
      return "four norms: a = x + N₁′(attn(N₁ x)), y = a + N₂′(mlp(N₂ a))";
  }
  return {};
}

void opened_flow_card(const OpenedView& sheet, Box box) {
  const Pen& pen = sheet.pen;
  std::string which = sheet.layer_words();
  which.front() = 'L';
  const std::vector<Choice> models = block_model_choices(scene::BlockModel::stack);
  const float controls = segmented_width(pen, models);
  const auto fits = [&](const std::string& title) {
    return pen.canvas.text_width(title, strong_style({})) + controls + 8 <= box.w - 2 * card_padding;
  };
  const bool switched = !pen.canvas.plain() && fits(which);
  if (const std::string whole = which + ", stage by stage"; fits(whole)) which = whole;
  Box inside = card(pen, box, {which, plan_words(sheet.block), switched ? controls : 0}, "flow");
  if (switched) segmented(pen, card_corner(box), models);
  Box foot = inside.cut_bottom(pen.canvas.plain() ? 26.f : 30.f);
  Box scale_row = foot;
  scale_row.cut_top(4);
  std::string end;
  if (common_scale(sheet.in) && !sheet.block.list.empty())
    end = stage_text(sheet.in, "block_stage_largest", sheet.scale_stage(sheet.block.list.front()));
  const float beside = stage_scale_bar(pen, sheet.in, scale_row, end);
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const float words_x = beside + 10, room = foot.right() - words_x;
  std::string words = shapes_words(sheet, false);
  if (!sheet.block.logits_note.empty()) words += " · " + sheet.block.logits_note;
  if (pen.canvas.text_width(words, quiet) > room) words = shapes_words(sheet, true);
  put(pen, {words_x, foot.y + 10}, words, quiet, room);
  inside.cut_bottom(4);

  Flow flow;
  lay_out_flow(sheet, inside, flow);
  const FlowPainter paint(sheet);
  if (sheet.parallel())
    parallel_lines(paint, flow);
  else
    sequential_lines(paint, flow);
  chain_lines(paint, flow.first_at, true);
  if (sheet.parallel())
    chain_lines(paint, flow.last_at, false);
  else if (flow.lower.back().column->chain)
    chain_lines(paint, flow.lower.back(), false);
  paint.column(flow.first_at);
  if (!flow.shared.items.empty()) paint.column(flow.shared_at);
  for (const PlacedColumn& column : flow.upper) paint.column(column);
  for (const PlacedColumn& column : flow.lower) paint.column(column);
  if (sheet.parallel()) paint.column(flow.last_at);
}

}  // namespace headlight::views
