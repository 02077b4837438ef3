// Linear attention beside softmax attention: weights above, output rows below, and what the two differ by.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kit/choices.h"
#include "pages/memory/memory.h"
#include "pages/memory/view/view.h"

namespace headlight::views {

namespace {

constexpr float labels_width = 58, column_gap = 18, header = 18, bar_height = 30;

std::string linear_words(const MemoryView& view) {
  if (view.settings.feature == scene::MemoryFeature::random)
    return "φ random, m = " + std::to_string(view.settings.features);
  return view.settings.feature == scene::MemoryFeature::elu1 ? "linear, φ = elu + 1" : "linear, φ = identity";
}

/// The step's row, across a matrix.
void row_frame(const MemoryView& view, Box box) {
  if (!marks_selection(view.pen)) return;
  const float pitch = box.h / static_cast<float>(view.tokens());
  const Box row{box.x, box.y + pitch * static_cast<float>(view.step() - 1), box.w, pitch};
  const Box seen = row.h < 4 ? Box{row.x, row.centre().y - 2, row.w, 4} : row;
  view.pen.canvas.frame(seen.inset(-1), {view.theme().query, 1.5f}, 2);
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
    title = "Linear and softmax attention";
  const bool beside =
      !heads.empty() && pen.canvas.text_width(title, strong_style(view.theme().text)) + 24 + with_heads <=
                            box.w - 2 * card_padding;
  std::string words = view.head_words();
  if (memory && memory->head == 0) words += ": q and k from the word alone, v from word and position";
  if (memory && memory->layer > 1) words += ": q, k and v of that layer";
  if (memory && memory->layer == 1) words += ": q and k from the word without its position, v with it";
  Box inside = card(pen, box,
                    {title, words + "; φ(q)·φ(k) ÷ its row’s sum, or softmax(q·k ÷ √d_k); causal",
                     beside ? with_heads : own},
                    "linear");
  const Box right = segmented(pen, card_corner(box), features);
  if (beside) segmented(pen, {right.x - 8, right.y}, heads);
  if (!view.results.sentence) {
    placeholder(pen, inside, "No tokens", "type a sentence above");
    return;
  }
  const scene::SentenceMemory& m = *view.results.sentence;
  const int T = view.tokens(), d = m.q.cols();

  const std::string measure = "outputs differ by up to " + view.in.text("linear_difference") +
                              "; mean largest weight: linear " + view.in.text("linear_sharpness") +
                              ", softmax " + view.in.text("softmax_sharpness");
  const Box line = inside.cut_bottom(16);
  put(pen, {line.x, line.centre().y}, measure, words_style(view.theme().dim), line.w);
  if (constexpr float one_row = 300;
      T == 1 && inside.h > one_row + 100)  // maps of one cell are not made large
    placeholder(pen, inside.cut_bottom(inside.h - one_row), "One token attends only to itself",
                "type a second word to compare the two");
  inside.cut_bottom(4);
  Box bars = inside.cut_bottom(bar_height);
  const Box labels = inside.cut_left(labels_width);
  bars.cut_left(labels_width);

  const float column = (inside.w - 2 * column_gap) / 3;
  const float space = inside.h - 2 * header - 10;
  const float high = space * 0.6f, low = space - high;
  const Box top{labels.x, inside.y + header, labels.w, high};
  const Box bottom{labels.x, top.bottom() + 10 + header, labels.w, low};
  step_labels(view, top, "weights row ");
  step_labels(view, bottom, "outputs row ");

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

  struct Column {
    std::string title, above, below;
    const nn::Matrix &weights, &outputs;
  };
  const Column columns[] = {
      {linear_words(view), "linear weights", "linear output", m.linear, m.linear_output},
      {"softmax", "softmax weights", "softmax output", m.softmax, m.softmax_output},
      {"linear − softmax", "weight difference", "output difference", m.weight_difference,
       m.output_difference}};
  for (int n = 0; n < 3; ++n) {
    const Column& c = columns[n];
    const float x = inside.x + static_cast<float>(n) * (column + column_gap);
    const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
    put(pen, {x, inside.y + 7}, c.title, strong_style(view.theme().text, word_size), column);
    put(pen, {x, bottom.y - 10}, n < 2 ? "output rows" : "Δ outputs", quiet, column);
    Cells above = n < 2 ? weights : signed_cells(nullptr, T, T, apart, "");
    above.values = c.weights.data(), above.name = c.above, above.causal = true;
    cells(view, {x, top.y, column, high}, above);
    row_frame(view, {x, top.y, column, high});
    const Cells below = signed_cells(c.outputs.data(), T, d, outputs, c.below);
    cells(view, {x, bottom.y, column, low}, below);
    row_frame(view, {x, bottom.y, column, low});
    const Box bar{x, bars.y + 6, column, 24};
    if (n == 0)
      cells_bar(view, bar, weights,
                weights.hi == 1 && m.largest_linear > 1.0001f ? "weights, clipped" : "weights");
    if (n == 1) cells_bar(view, bar, below, "outputs, Δ");
    if (n == 2) cells_bar(view, bar, above, "Δ weights");
  }
  put(pen, {labels.right() - 8, top.y - 9}, "query ↓",
      aligned(words_style(view.theme().dim, small_size), Align::right), labels.w);
}

}  // namespace headlight::views
