#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "draw/colormap.h"
#include "kit/area_name.h"
#include "pages/worked/view/bands.h"
#include "pages/worked/worked.h"

namespace headlight::views {

namespace {

/// A matrix somewhere on the card.
struct Block {
  const nn::Matrix* values = nullptr;
  Box box;
  std::string name;
  Color color;
  bool turned = false;  // drawn with rows and columns exchanged
  bool weights = false, copy = false;
  bool numbered = false;        // the tokens' numbers are at its left
  const char* field = nullptr;  // its numbers can be typed into
  const char* stage_name = nullptr;
  WorkedStage stage = WorkedStage::q;  // when stage_name is not null
  int shown_step = 0;                  // the step with which it appears
  const char* formula = nullptr;
};

/// What one entry was made from, as parts of blocks: (which, row or column, index).
struct BlockPart {
  std::string block;
  int row = -1, col = -1;  // −1: all
};

std::vector<BlockPart> sources_of(WorkedEntry e) {
  switch (e.stage) {
    case WorkedStage::q:
      return {{"X", e.row, -1}, {"W_Q", -1, e.col}};
    case WorkedStage::k:
      return {{"X", e.row, -1}, {"W_K", -1, e.col}};
    case WorkedStage::v:
      return {{"X", e.row, -1}, {"W_V", -1, e.col}};
    case WorkedStage::products:
      return {{"Q", e.row, -1}, {"Kᵀ", e.col, -1}};
    case WorkedStage::scores:
      return {{"QKᵀ", e.row, e.col}};
    case WorkedStage::weights:
      return {{"S", e.row, -1}};
    case WorkedStage::output:
      break;
  }
  return {{"A", e.row, -1}, {"V", -1, e.col}};
}

/// The largest height of a row: in a large window the cells fill the card.
float most_row(const Pen& pen) {
  constexpr float on_paper = 46, on_screen = 80;
  return pen.canvas.plain() || on_slide(pen) ? on_paper : on_screen;
}

class Flow {
 public:
  Flow(const WorkedView& view, Box inside)
      : view_(view),
        layout_(flow_layout(view, inside.w)),
        bands_(bands_of(view, inside.w, layout_)),
        inside_(inside) {
    const float room = inside.h - labels_height(bands_), rows = rows_of_all(bands_);
    cell_h_ = std::clamp(room / rows, 16.f, most_row(view.pen));
    if (view.canvas().parts().square) make_square(room, rows);
  }

  void draw() {
    lay_out();
    entry_ = moving() ? current() : view_.chosen;
    sources_ = sources_of(entry_);
    for (const Block& block : blocks_) draw_block(block);
    draw_scale();
  }

 private:
  /// All cells as wide as the narrowest column has them, and as high.
  void make_square(float room, float rows) {
    float side = bands_.front().columns.front().cell;
    for (const CellBand& band : bands_) {
      for (const CellColumn& column : band.columns) side = std::min(side, column.cell);
    }
    view_.canvas().spare(room - rows * side);
    cell_h_ = side = std::min(side, std::max(8.f, room / rows));
    for (CellBand& band : bands_) {
      for (CellColumn& column : band.columns) column.cell = side;
    }
  }

  bool moving() const { return view_.in.transition < 1 && view_.in.transition >= 0; }

  /// While a step appears: the entry that is being made.
  WorkedEntry current() const {
    WorkedStage stage = view_.step == 1 ? WorkedStage::q : static_cast<WorkedStage>(view_.step + 1);
    const int rows = rows_of(view_.results, stage), cols = cols_of(view_.results, stage);
    const int n =
        std::min(static_cast<int>(view_.in.transition * static_cast<float>(rows * cols)), rows * cols - 1);
    return {stage, n / cols, n % cols};
  }

  /// How many rows and columns it takes is known from its numbers.
  void place(FlowMatrix which, Block block) {
    const std::optional<FlowPlace> at = flow_place(view_, layout_, which);
    if (!at) return;
    const int rows = block.values->rows(), cols = block.values->cols();
    block.box = block.turned ? placed(*at, cols, rows) : placed(*at, rows, cols);
    block.numbered = layout_ == FlowLayout::step ? at->column == 0
                                                 : which == FlowMatrix::x || which == FlowMatrix::q_again;
    blocks_.push_back(std::move(block));
  }
  Box placed(FlowPlace at, int rows, int cols) const {
    float top = inside_.y + flow_label_line;
    for (std::size_t b = 0; b < at.band; ++b)
      top += static_cast<float>(bands_[b].upper + bands_[b].lower) * cell_h_ + 2 * flow_label_line +
             flow_factor_gap + flow_band_gap;
    const CellBand& band = bands_[at.band];
    const int above = at.factor ? band.upper - rows : band.upper;
    top += static_cast<float>(above) * cell_h_ + (at.factor ? 0 : flow_label_line + flow_factor_gap);
    return {inside_.x + band.x(at.column), top, static_cast<float>(cols) * band.columns[at.column].cell,
            static_cast<float>(rows) * cell_h_};
  }

  void lay_out() {
    const scene::WorkedResults& r = view_.results;
    const draw::Theme& theme = view_.theme();
    place(FlowMatrix::x, {.values = &r.x, .name = "X", .color = theme.text, .field = "worked_x"});
    const struct {
      FlowMatrix factor, which;
      const char *weight, *name, *formula, *field;
      const nn::Matrix *w, *result;
      Color color;
      WorkedStage stage;
    } projections[] = {{FlowMatrix::w_q, FlowMatrix::q, "W_Q", "Q", "= X W_Q", "worked_w_q", &r.w_q,
                        &r.trace.q, theme.query, WorkedStage::q},
                       {FlowMatrix::w_k, FlowMatrix::k, "W_K", "K", "= X W_K", "worked_w_k", &r.w_k,
                        &r.trace.k, theme.key, WorkedStage::k},
                       {FlowMatrix::w_v, FlowMatrix::v, "W_V", "V", "= X W_V", "worked_w_v", &r.w_v,
                        &r.trace.v, theme.value, WorkedStage::v}};
    for (const auto& p : projections) {
      place(p.factor, {.values = p.w, .name = p.weight, .color = theme.text, .field = p.field});
      place(p.which, {.values = p.result,
                      .name = p.name,
                      .color = p.color,
                      .stage_name = p.name,
                      .stage = p.stage,
                      .shown_step = 1,
                      .formula = p.formula});
    }
    place(FlowMatrix::q_again,
          {.values = &r.trace.q, .name = "Q", .color = theme.query, .copy = true, .shown_step = 1});
    place(FlowMatrix::k_turned, {.values = &r.trace.k,
                                 .name = "Kᵀ",
                                 .color = theme.key,
                                 .turned = true,
                                 .copy = true,
                                 .shown_step = 1});
    const bool divided = r.trace.scale != 1 || r.trace.d_k == 1;
    const struct {
      FlowMatrix which;
      const char* name;
      const nn::Matrix* values;
      WorkedStage stage;
      const char* formula;
    } maps[] = {
        {FlowMatrix::products, "QKᵀ", &r.products, WorkedStage::products, "q · k"},
        {FlowMatrix::scores, "S", &r.trace.scores, WorkedStage::scores, divided ? "÷ √d_k" : "not divided"},
        {FlowMatrix::weights, "A", &r.trace.weights, WorkedStage::weights,
         layout_ == FlowLayout::three ? "= softmax(S)" : "softmax"}};
    for (const auto& m : maps) {
      place(m.which, {.values = m.values,
                      .name = m.name,
                      .color = theme.accent,
                      .weights = m.stage == WorkedStage::weights,
                      .stage_name = m.name,
                      .stage = m.stage,
                      .shown_step = step_of(m.stage),
                      .formula = m.formula});
    }
    place(FlowMatrix::v_again,
          {.values = &r.trace.v, .name = "V", .color = theme.value, .copy = true, .shown_step = 1});
    place(FlowMatrix::output, {.values = &r.trace.output,
                               .name = "O",
                               .color = theme.value,
                               .stage_name = "O",
                               .stage = WorkedStage::output,
                               .shown_step = 5,
                               .formula = "= A V"});
  }

  /// Is this element of the block one that the explained entry was made from?
  bool lit(const Block& block, int row, int col) const {
    if (step_of(entry_.stage) > view_.step) return false;
    // The second band repeats Q and V; a projection's arrows stay in the first one.
    const bool second = step_of(entry_.stage) > 1;
    if ((block.name == "Q" || block.name == "V") && block.copy != second) return false;
    return std::any_of(sources_.begin(), sources_.end(), [&](const BlockPart& l) {
      return l.block == block.name && (l.row < 0 || l.row == row) && (l.col < 0 || l.col == col);
    });
  }

  bool appeared(const Block& block, int n, int count) const {
    if (block.shown_step < view_.step) return true;
    if (block.shown_step > view_.step) return false;
    return !moving() || static_cast<float>(n) <= view_.in.transition * static_cast<float>(count);
  }

  /// The name of a matrix that can be typed as a whole: with another number of rows or columns.
  void draw_typed_title(const Block& block, Point at, const draw::TextStyle& style, float room) {
    constexpr float edge = 4;
    const draw::Theme& theme = view_.theme();
    const float width = view_.canvas().text_width(block.name, style);
    const Box box{at.x - edge, at.y - flow_label_line / 2 + 1, std::min(width, room) + 2 * edge,
                  flow_label_line - 2};
    Mark mark;
    mark.part = Part::text, mark.name = block.field, mark.set = block.field, mark.area = box;
    mark.note = "click to type the whole matrix: rows separated by ; and numbers by ,";
    view_.canvas().mark(mark);
    if (view_.pen.over(mark.name)) view_.canvas().rect(box, theme.field_hover, 4);
    put(view_.pen, at, block.name, style, room);
    // Dotted as an invitation.
    view_.canvas().line({at.x, box.bottom() + 1}, {at.x + std::min(width, room), box.bottom() + 1},
                        {theme.dim, 1, 2});
    view_.canvas().mark({});
  }

  void draw_title(const Block& block) {
    const draw::Theme& theme = view_.theme();
    const float y = block.box.y - flow_label_line / 2 - 1;
    const bool there = block.shown_step <= view_.step;
    const draw::TextStyle strong = strong_style(there ? block.color : theme.dim, 14);
    const float room = block.box.w + bands_.front().gap - 4;
    if (block.field && !view_.pen.canvas.plain() && !on_slide(view_.pen)) {
      draw_typed_title(block, {block.box.x, y}, strong, room);
      return;
    }
    const float w = put(view_.pen, {block.box.x, y}, block.name, strong, room);
    if (!block.formula) return;
    const draw::TextStyle quiet = words_style(theme.dim, small_size);
    if (w + 8 + view_.canvas().text_width(block.formula, quiet) <= room)
      view_.canvas().text({block.box.x + w + 8, y}, block.formula, quiet);
  }

  void draw_rows(const Block& block) {
    if (!block.numbered) return;
    for (int t = 0; t < view_.T(); ++t) {
      view_.canvas().text({block.box.x - 6, block.box.y + (static_cast<float>(t) + 0.5f) * cell_h_},
                          std::to_string(t), aligned(mono_style(view_.theme().dim, 12), Align::right));
    }
  }

  void draw_block(const Block& block) {
    draw_title(block);
    draw_rows(block);
    const int rows = block.values->rows(), cols = block.values->cols();
    float largest = 0;
    for (const float v : block.values->values())
      largest = std::max(largest, std::isfinite(v) ? std::abs(v) : 0.f);
    const float cell_w = block.box.w / static_cast<float>(block.turned ? rows : cols);
    const float size = text_size(block, cell_w);
    // With the frame of the chosen cell.
    constexpr float margin = 4;
    if (block.weights && block.shown_step <= view_.step)
      name_area(view_.pen, view_.in, "weights",
                {block.box.x - margin, block.box.y - margin, block.box.w + 2 * margin - 2,
                 cell_h_ * static_cast<float>(rows) + 2 * margin - 2});
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < cols; ++c) {
        const int across = block.turned ? r : c, down = block.turned ? c : r;
        const Box cell{block.box.x + static_cast<float>(across) * cell_w,
                       block.box.y + static_cast<float>(down) * cell_h_, cell_w - 2, cell_h_ - 2};
        draw_cell(block, {r, c, cell, largest, size});
      }
    }
  }

  /// Above the weights: what their colours mean. A step alone has no room there.
  void draw_scale() {
    if (layout_ == FlowLayout::step) return;
    for (const Block& block : blocks_) {
      if (!block.weights || block.shown_step > view_.step || cell_h_ * static_cast<float>(view_.T()) < 40)
        continue;
      const float width = std::min(block.box.w - 2, 160.f);
      color_bar(view_.pen, {block.box.x, block.box.y - flow_label_line - 34, width, 8},
                {draw::Colormap::weight, "0", width > 90 ? "weight" : "", "1"});
    }
  }

  struct Cell {
    int row, col;
    Box box;
    float largest, size;
  };

  Mark mark_of(const Block& block, const Cell& cell) const {
    Mark mark;
    mark.query = cell.row, mark.key = cell.col, mark.area = cell.box;
    const std::string place = std::to_string(cell.row) + " " + std::to_string(cell.col);
    if (block.field) {
      mark.part = Part::number, mark.set = block.field;
      mark.name = block.name + " " + place;
      mark.note = block.name + "[" + std::to_string(cell.row) + "," + std::to_string(cell.col) +
                  "] = " + worked_number(static_cast<double>(block.values->at(cell.row, cell.col))) +
                  "\nclick to type another number";
    } else if (block.stage_name && block.shown_step <= view_.step) {
      mark.part = Part::control, mark.head = static_cast<int>(block.stage);
      mark.name = std::string(block.stage_name) + " " + place;
      mark.set = std::string("worked_stage=") + scene::word(block.stage) +
                 ";worked_row=" + std::to_string(cell.row) + ";worked_col=" + std::to_string(cell.col);
    }
    return mark;
  }

  /// The largest size at which every number of the block fits its cell.
  float text_size(const Block& block, float cell_w) const {
    float widest = 1;
    for (const float v : block.values->values())
      widest = std::max(widest,
                        view_.canvas().text_width(worked_number(static_cast<double>(v)), mono_style({}, 10)));
    // Five units clear of the cell's edges; less, where it would be too small to be read.
    const float clear = 10 * (cell_w - 10) / widest, whole = 10 * (cell_w - 3) / widest;
    const float size = std::max(clear, std::min(whole, word_size));
    const float most = std::clamp(cell_h_ * 0.3f, 14.f, 28.f);  // large cells, large numbers
    return std::clamp(size, 4.f, std::min(most, cell_h_ * 0.6f));
  }

  void draw_cell(const Block& block, const Cell& cell) {
    draw::Canvas& canvas = view_.canvas();
    const draw::Theme& theme = view_.theme();
    const int n = cell.row * block.values->cols() + cell.col;
    const bool there = appeared(block, n, static_cast<int>(block.values->size()));
    canvas.mark(mark_of(block, cell));
    if (!there) {
      canvas.frame(cell.box, {theme.faint, 1, 3}, 3);
      canvas.mark({});
      return;
    }
    const float value = block.values->at(cell.row, cell.col);
    const WorkedEntry entry{block.stage, cell.row, cell.col};
    const bool blocked = block.stage_name && masked(view_.results, entry);
    Color ground = theme.field;
    if (block.weights) {
      ground = draw::color_of(theme, draw::Colormap::weight, value, 0, 1);
    } else if (!block.field && !std::isfinite(value)) {
      ground = draw::nan_color;
    } else if (!block.field) {
      ground = draw::color_of(theme, draw::Colormap::signed_weight, value, -cell.largest, cell.largest);
    }
    canvas.rect(cell.box, ground, 3);
    if (blocked) masked_area(view_.pen, cell.box);
    if (!blocked || block.weights)
      draw_number(cell, blocked ? 0 : static_cast<double>(value), blocked ? theme.mask : ground);
    const bool marks = marks_selection(view_.pen);
    if (marks && block.stage_name && entry == entry_) {
      canvas.frame(cell.box.inset(-1), {theme.text, 2.5f}, 4);
    } else if (marks && lit(block, cell.row, cell.col)) {
      canvas.frame(cell.box, {block.color == theme.text ? theme.accent : block.color, 2}, 3);
    } else {
      canvas.frame(cell.box, {theme.border, 1}, 3);
    }
    canvas.mark({});
  }

  void draw_number(const Cell& cell, double value, Color ground) {
    const draw::TextStyle style = aligned(mono_style(draw::readable_on(ground), cell.size), Align::centre);
    put(view_.pen, cell.box.centre(), worked_number(value), style, cell.box.w);
  }

  const WorkedView& view_;
  FlowLayout layout_;
  std::vector<CellBand> bands_;
  Box inside_;
  float cell_h_ = 28;
  std::vector<Block> blocks_;
  WorkedEntry entry_;
  std::vector<BlockPart> sources_;
};

constexpr float head_height = 18 + 16 + 8 + 2 * card_padding;

}  // namespace

float flow_height(const WorkedView& view, float width, float wanted) {
  const std::vector<CellBand> bands = rows_of_bands(view, flow_layout(view, width - 2 * card_padding));
  const float rows = rows_of_all(bands),
              frame = head_height + (width < 560 ? 16.f : 0.f) + labels_height(bands);
  // Rows of a step alone hold numbers as large as notes; a wide page has them to show every row.
  constexpr float narrow = 568;
  const float least = !view.one_step ? 19.f : width < narrow ? 23.f : 18.f;
  return std::clamp(wanted, frame + least * rows, frame + most_row(view.pen) * rows);
}

namespace {

/// What can be done with the matrices in view, and what their colours mean.
std::string flow_subtitle(const WorkedView& view, FlowLayout layout) {
  const bool all = layout != FlowLayout::step;
  const int step = view.step;
  const char* typed = all || step == 1 ? "edit X and W, " : step == 5 ? "edit X, " : "";
  const bool weights = all || step >= 4;
  return in_window(view.pen, (std::string(typed) + "click a result; ").c_str()) +
         "colours: ± the largest number of each matrix" + (weights ? ", A from 0 to 1" : "");
}

/// The arithmetic of the chosen number, at the right of the title: whole, or the number alone; nothing where
/// neither fits, on paper and slides, and in a lesson, which may cover that number.
std::string shown_equation(const WorkedView& view, float room) {
  if (view.pen.canvas.plain() || on_slide(view.pen) || view.in.without) return {};
  if (step_of(view.chosen.stage) > view.step) return {};
  for (const std::string& words :
       {equation(view.in, view.results, view.chosen), entry_words(view.in, view.results, view.chosen)}) {
    if (view.canvas().text_width(words, mono_style({}, title_size)) <= room) return words;
  }
  return {};
}

void draw_equation(const WorkedView& view, Box box, const CardHead& head) {
  constexpr float apart = 24;
  const float right = box.right() - card_padding - (head.controls > 0 ? head.controls + apart : 0);
  const float left = box.x + card_padding + view.canvas().text_width(head.title, strong_style({})) + apart;
  put(view.pen, {right, box.y + card_padding + text_line(view.pen, 16) / 2},
      shown_equation(view, right - left), aligned(mono_style(view.theme().text, title_size), Align::right));
}

}  // namespace

void flow_card(const WorkedView& view, Box box) {
  const std::string whole = "Every number from X to the output";
  const FlowLayout layout = flow_layout(view, box.w - 2 * card_padding);
  CardHead head{whole, flow_subtitle(view, layout)};
  if (layout == FlowLayout::step) {
    const auto steps = step_choices(view.in, true, "flow ");
    head.title = "Step " + std::to_string(view.step) + " of " + std::to_string(worked_steps) + ": " +
                 step_name(view.step);
    head.controls = segmented_width(view.pen, steps), head.called = whole;
    const Box inside = card(view.pen, box, head, "flow");
    segmented(view.pen, card_corner(box), steps);
    draw_equation(view, box, head);
    Flow(view, inside).draw();
    return;
  }
  const Box inside = card(view.pen, box, head, "flow");
  draw_equation(view, box, head);
  Flow(view, inside).draw();
}

}  // namespace headlight::views
