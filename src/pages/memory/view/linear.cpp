// Linear attention beside softmax attention: weights above, output rows below, and what the two differ by.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "kit/choices.h"
#include "kit/matrix_panel.h"
#include "pages/memory/memory.h"
#include "pages/memory/view/view.h"

namespace headlight::views {

namespace {

constexpr float column_gap = 18, rows_gap = 8, header = 18, bar_height = 30;
constexpr float between = 6, upper_share = 0.585f;  // weights have more of a column than outputs
constexpr float wide_square = 480;                  // square cells of three columns are not too small
constexpr float tall_card = 1.1f;                   // from which the three pairs are below each other

/// `room`: a narrow title names only the feature map.
std::string linear_words(const MemoryView& view, float room) {
  if (view.settings.feature == scene::MemoryFeature::random)
    return "φ random, m = " + std::to_string(view.settings.features);
  const std::string map =
      view.settings.feature == scene::MemoryFeature::elu1 ? "φ = elu + 1" : "φ = identity";
  const float whole = view.pen.canvas.text_width("linear, " + map, strong_style({}, word_size));
  return whole <= room ? "linear, " + map : map;
}

std::string difference_title(const MemoryView& view, float room) {
  const std::string whole = "linear − softmax";
  const bool cut =
      !view.pen.canvas.plain() && view.pen.canvas.text_width(whole, strong_style({}, word_size)) > room;
  return cut ? "difference" : whole;
}

/// The least height of a map on paper: rows that can be told apart, up to a square map.
float least_on_paper(int tokens) {
  return std::min(8.f * static_cast<float>(tokens), 150.f);
}

/// The width of the column of tokens at the left: of the longest word and of its caption, as large as they
/// are drawn.
float pair_labels_width(const MemoryView& view, float whole) {
  constexpr float least = 58, margins = 20, most_part = 0.2f;
  float widest = view.pen.canvas.text_width("query ↓", words_style({}, small_size));
  for (int t = 0; t < view.tokens(); ++t)
    widest = std::max(widest, view.pen.canvas.text_width(view.token(t) + " " + std::to_string(t),
                                                         literal(strong_style({}, word_size))));
  return std::clamp(widest + margins, least, std::max(least, most_part * whole));
}

/// The weights of one kind of attention, or of their difference, and the outputs that follow.
struct MapAndOutput {
  std::string title, above, below;  // the names of the two maps say in tooltips and tests what they are
  std::string outputs_title;        // above the lower map
  std::string steps, output_steps;  // the names of the controls beside their rows begin with it; empty: none
  const nn::Matrix &weights, &outputs;
  std::span<const std::string> titles = {};  // of all three, which have one size
};

/// As a map of any page: keys above it, numbers while they fit, the step's row framed.
class WeightMap {
 public:
  WeightMap(const MemoryView& view, const Cells& shown) : view_(view) {
    map_.values = shown.values, map_.rows = shown.rows, map_.cols = shown.cols;
    map_.version = view.in.results.version;
    map_.lo = shown.lo, map_.hi = shown.hi, map_.map = shown.map;
    for (int r = 0; r < shown.rows; ++r) allowed_.push_back({0, std::min(r + 1, shown.cols)});
    map_.allowed = allowed_;
    map_.mark.part = draw::Part::note, map_.mark.name = shown.name;
    for (int t = 0; t < shown.cols; ++t) map_.col_names.push_back(view.token(t));
    map_.down.clear(), map_.across.clear();
    map_.query = view.step() - 1;
    map_.numbers = view.in.scene.cell_numbers;
    map_.stretched = true, map_.centred = false, map_.mask_name = false;
  }
  float square_height(float width) const { return views::square_height(view_.pen, width, map_); }
  /// `fitted`: its area has that height.
  Box draw(Box area, bool fitted = false) {
    map_.fitted = fitted;
    return draw_matrix_panel(view_.pen, area, map_).cells;
  }

 private:
  const MemoryView& view_;
  MatrixPanel map_;
  std::vector<base::Interval> allowed_;
};

/// The step's row, across a matrix.
void row_frame(const MemoryView& view, Box box) {
  if (!marks_selection(view.pen)) return;
  const float pitch = box.h / static_cast<float>(view.tokens());
  const Box row{box.x, box.y + pitch * static_cast<float>(view.step() - 1), box.w, pitch};
  const Box seen = row.h < 4 ? Box{row.x, row.centre().y - 2, row.w, 4} : row;
  view.pen.canvas.frame(seen.inset(-1), {view.theme().query, 1.5f}, 2);
}

/// Says that rows are queries, with the arrow alone where the word does not fit.
void put_caption(const Pen& pen, Point right, float width) {
  const draw::TextStyle quiet = aligned(words_style(pen.theme.dim, small_size), Align::right);
  const bool fits = pen.canvas.text_width("query ↓", quiet) <= width;
  put(pen, right, fits ? "query ↓" : "↓", quiet, width);
}

/// Weights above, outputs below: one of three columns, whose rows are named at the left of the first one.
/// Below each map `bars` are free for colour bars. Returns where the cells of both maps are.
struct MapsOfPair {
  Box weights, outputs;
};
MapsOfPair outputs_below(const MemoryView& view, Box box, Box labels, const MapAndOutput& pair,
                         const Cells& shown, const Cells& result, float upper_bar) {
  const Pen& pen = view.pen;
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const float line = text_line(pen, header), space = box.h - 2 * line - between - upper_bar - bar_height;
  put(pen, {box.x, box.y + line / 2 - 2}, pair.title,
      fitting_style(pen, pair.titles, strong_style(view.theme().text, word_size), box.w), box.w);
  // The panel keeps a margin at the left of its cells, where there are no names.
  constexpr float margin = 12;
  WeightMap map(view, shown);
  const bool square = pen.canvas.parts().square;
  const float upper = square ? map.square_height(box.w + margin) : space * upper_share;
  const Box cells_at = map.draw({box.x - margin, box.y + line, box.w + margin, upper}, square);
  Box low{box.x, box.bottom() - bar_height - space * (1 - upper_share), box.w, space * (1 - upper_share)};
  if (square) {  // cells of one size, and the card as high as they need
    const float side =
        std::min(cells_at.w / static_cast<float>(shown.cols), box.w / static_cast<float>(result.cols));
    low = {cells_at.x, cells_at.bottom() + upper_bar + between + line, side * static_cast<float>(result.cols),
           side * static_cast<float>(result.rows)};
    pen.canvas.spare(box.bottom() - bar_height - low.bottom());
  }
  put(pen, {low.x, low.y - line / 2 - 1}, pair.outputs_title, quiet, box.w);
  cells(view, low, result);
  row_frame(view, low);
  if (!pair.steps.empty()) {
    step_labels(view, {labels.x, cells_at.y, labels.w, cells_at.h}, pair.steps);
    step_labels(view, {labels.x, low.y, labels.w, low.h}, pair.output_steps);
    put_caption(pen, {labels.right() - 8, cells_at.y - 0.9f * text_line(pen, 10)}, labels.w);
  }
  return {cells_at, low};
}

/// Weights at the left, outputs at the right in the same rows: one of three below each other.
MapsOfPair outputs_beside(const MemoryView& view, Box box, const MapAndOutput& pair, const Cells& shown,
                          const Cells& result) {
  const Pen& pen = view.pen;
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const float line = text_line(pen, header);
  const Box words = box.cut_top(line), labels = box.cut_left(pair_labels_width(view, box.w));
  const auto T = static_cast<float>(shown.cols), d = static_cast<float>(result.cols);
  const float left = std::floor((box.w - column_gap) * std::clamp(T / (T + d), 0.6f, 0.75f));
  constexpr float margin = 12;
  const Box at = WeightMap(view, shown).draw({box.x - margin, box.y, left + margin, box.h});
  Box right{at.right() + column_gap, at.y, box.right() - at.right() - column_gap, at.h};
  if (pen.canvas.parts().square) right.w = std::min(right.w, d * at.h / static_cast<float>(result.rows));
  put(pen, {at.x, words.y + line / 2 - 2}, pair.title, strong_style(view.theme().text, word_size),
      right.x - at.x - 8);
  put(pen, {right.x, words.y + line / 2 - 2}, pair.outputs_title, quiet, right.w);
  cells(view, right, result);
  row_frame(view, right);
  step_labels(view, {labels.x, at.y, labels.w, at.h}, pair.steps);
  put_caption(pen, {labels.right() - 8, at.y - 0.9f * text_line(pen, 10)}, labels.w);
  return {at, right};
}

/// Do the words of a colour bar fit between the numbers at its ends? Otherwise they are on a line of their
/// own.
bool bar_words_fit(const MemoryView& view, const std::string& words, float width) {
  constexpr float ends = 84;  // both numbers, and blanks beside the words
  return view.pen.canvas.text_width(words, words_style(view.theme().dim, small_size)) + ends <= width;
}

/// The colour bar of the maps from `left` to `right`, directly below them.
void bar_below(const MemoryView& view, Box left, Box right, const Cells& scale, const std::string& words,
               bool own_line = false) {
  const Box bar{left.x, left.bottom() + 6, right.right() - left.x, 24};
  cells_bar(view, bar, scale, own_line ? "" : words);
  const float line = text_line(view.pen, 14);
  if (own_line)
    put(view.pen, {bar.centre().x, bar.y + 18 + 1.5f * line - 7}, words,
        aligned(words_style(view.theme().dim, small_size), Align::centre), bar.w);
}

}  // namespace

void memory_linear_card(const MemoryView& view, Box box) {
  const Pen& pen = view.pen;
  const scene::MemoryFeature chosen = view.in.scene.memory.feature;
  const std::array<Choice, 3> features = {
      Choice{"elu + 1", "memory_feature=elu1", "feature elu1", chosen == scene::MemoryFeature::elu1,
             "φ(x) = x + 1 above 0, exp(x) below: always positive"},
      Choice{"identity", "memory_feature=identity", "feature identity",
             chosen == scene::MemoryFeature::identity,
             "φ(x) = x: weights can be negative, and a row can sum to nearly 0"},
      Choice{"random", "memory_feature=random", "feature random", chosen == scene::MemoryFeature::random,
             "φ(x) = exp(ω·x′ − ‖x′‖²/2) ÷ √m, random ω: estimates the softmax’s exponential (Performer)"}};
  const scene::SentenceMemory* memory = view.results.sentence.get();
  std::string title = "Linear and softmax attention";
  std::vector<Choice> heads;  // of the model; the scene's head, as on the Attention page
  if (memory && memory->head > 0)
    heads = head_choices(view.in.results.scene.heads, memory->head - 1, 4, "memory head", "head");
  const float own = segmented_width(pen, features),
              with_heads = own + 8 + (heads.empty() ? 0 : segmented_width(pen, heads));
  if (pen.canvas.text_width(title, strong_style(view.theme().text)) + 24 + own > box.w - 2 * card_padding)
    title = "Linear and softmax";
  const bool beside =
      !heads.empty() && pen.canvas.text_width(title, strong_style(view.theme().text)) + 24 + with_heads <=
                            box.w - 2 * card_padding;
  std::string words = view.head_words();
  if (memory && memory->head == 0) words += ": q and k from the word alone, v from word and position";
  if (memory && memory->layer > 1) words += ": q, k and v of that layer";
  if (memory && memory->layer == 1) words += ": q and k from the word without its position, v with it";
  const float title_room = box.w - 2 * card_padding - (beside ? with_heads : own) - 12;
  if (title == "Linear and softmax attention" &&
      pen.canvas.text_width(title, strong_style({}, title_size)) > title_room)
    title = "Linear and softmax";
  Box inside = card(pen, box,
                    {title, words + "; causal; linear: φ(q)·φ(k) ÷ the row’s sum", beside ? with_heads : own},
                    "linear");
  const Box right = segmented(pen, card_corner(box), features);
  if (beside) segmented(pen, {right.x - 8, right.y}, heads);
  // A narrow and high card has the heads on a line of their own.
  constexpr float high_from = 600;
  if (!heads.empty() && !beside && !pen.canvas.plain() && !on_slide(pen) && box.h >= high_from &&
      segmented_width(pen, heads) <= inside.w) {
    segmented(pen, {inside.x + segmented_width(pen, heads), inside.y}, heads);
    inside.cut_top(control_height + 8);
  }
  if (!view.results.sentence) {
    placeholder(pen, inside, "No tokens", in_window(pen, "type a sentence above"));
    return;
  }
  const scene::SentenceMemory& m = *view.results.sentence;
  const int T = view.tokens(), d = m.q.cols();

  const std::string measure = "outputs differ by up to " + view.in.text("linear_difference") +
                              "; mean largest weight: linear " + view.in.text("linear_sharpness") +
                              ", softmax " + view.in.text("softmax_sharpness");
  const draw::TextStyle quiet = words_style(view.theme().dim);
  const std::vector<std::string> lines = wrap(pen, measure, quiet, inside.w, 2);
  const float pitch = text_line(pen, 16);
  Box foot = inside.cut_bottom(pitch * static_cast<float>(lines.size()));
  for (const std::string& words_of_line : lines) {
    const Box line = foot.cut_top(pitch);
    put(pen, {line.x, line.centre().y}, words_of_line, fitting_style(pen, lines, quiet, line.w), line.w);
  }
  const auto largest = [](const nn::Matrix& values) {
    float most = 0;
    for (const float value : values.values()) most = std::max(most, std::abs(value));
    return most;
  };
  // φ = identity may divide by next to nothing: what lies beyond 20 keeps the colour of 20.
  const float outputs = signed_limit(std::min(
      20.f, std::max({largest(m.linear_output), largest(m.softmax_output), largest(m.output_difference)})));
  const float apart = signed_limit(std::min(1.f, largest(m.weight_difference)));
  const bool has_signs = view.settings.feature == scene::MemoryFeature::identity;
  Cells weights;
  weights.rows = weights.cols = T, weights.causal = true;
  weights.hi = m.weights_end.end, weights.beyond = m.weights_end.above > 0;
  if (has_signs) weights.lo = -weights.hi, weights.map = draw::Colormap::signed_weight;

  const Cells differences = signed_cells(nullptr, T, T, apart, "");
  const Cells below = signed_cells(nullptr, T, d, outputs, "");
  if (constexpr float one_row = 300;
      T == 1 && inside.h > one_row + 100)  // maps of one cell are not made large
    placeholder(pen, inside.cut_bottom(inside.h - one_row), "One token attends only to itself",
                in_window(pen, "type a second word to compare the two"));
  inside.cut_bottom(4);
  if (pen.canvas.plain()) pen.canvas.saved(-2 * bar_height);  // the maps keep their height
  const Box labels = inside.cut_left(pair_labels_width(view, inside.w));
  const float column = (inside.w - 2 * column_gap) / 3;

  const bool under_each_other =
      pen.canvas.parts().square ? inside.w < wide_square : inside.h >= tall_card * inside.w;
  const MapAndOutput pairs[] = {
      {linear_words(view, under_each_other ? inside.w : column), "linear weights", "linear output", "outputs",
       "weights row ", "outputs row ", m.linear, m.linear_output},
      {"softmax", "softmax weights", "softmax output", "outputs", "", "", m.softmax, m.softmax_output},
      {difference_title(view, under_each_other ? inside.w : column), "weight difference", "output difference",
       "difference", "", "", m.weight_difference, m.output_difference}};
  const std::string titles[] = {pairs[0].title, pairs[1].title, pairs[2].title};
  // Beside each other, every map of weights has its bar below it; below each other, the two that share one
  // do.
  const char* of_differences = "Δ weights";
  // Words without room between the numbers have a line of their own, unless the rows would lose their names.
  const bool fit = under_each_other || bar_words_fit(view, of_differences, column);
  constexpr float named_row = 15, above_maps = 140;  // labels, titles, bars
  const bool own_line =
      !fit && (pen.canvas.plain() || inside.h >= 2 * named_row * static_cast<float>(T) + above_maps + 14);
  const float upper_bar = bar_height + (own_line ? text_line(pen, 14) : 0);
  const float high = (inside.h - 2 * rows_gap - 2 * bar_height) / 3;
  MapsOfPair at[3];
  for (int n = 0; n < 3; ++n) {
    MapAndOutput one = pairs[n];
    one.titles = titles;
    Cells shown = n < 2 ? weights : differences, result = below;
    shown.values = one.weights.data(), shown.name = one.above;
    result.values = one.outputs.data(), result.name = one.below;
    const auto before = static_cast<float>(n);
    if (under_each_other) {
      one.steps = n == 0 ? "weights row " : "weights row " + one.above + " ";
      const float top = inside.y + before * (high + rows_gap) + (n == 2 ? bar_height : 0);
      at[n] = outputs_beside(view, {labels.x, top, labels.w + inside.w, high}, one, shown, result);
    } else {
      at[n] = outputs_below(view, {inside.x + before * (column + column_gap), inside.y, column, inside.h},
                            labels, one, shown, result, upper_bar);
    }
  }
  // A figure is as high as the least maps need it.
  if (pen.canvas.plain() && under_each_other && !pen.canvas.parts().square)
    pen.canvas.saved(-3 * std::max(0.f, least_on_paper(T) - at[0].weights.h));
  const Box first_weights = under_each_other ? at[1].weights : at[0].weights;
  bar_below(view, first_weights, at[1].weights, weights,
            weights.hi == 1 && m.largest_linear > 1.0001f ? "weights, clipped" : "weights");
  bar_below(view, at[2].weights, at[2].weights, differences, fit || own_line ? of_differences : "", own_line);
  bar_below(view, under_each_other ? at[2].outputs : at[0].outputs, at[2].outputs, below,
            under_each_other ? "outputs" : "outputs and their difference");
}

}  // namespace headlight::views
