// What the model predicts at the chosen token: the ten most probable tokens, the most probable one after each
// layer, and the loss of every token of the sentence.
#include <algorithm>
#include <array>
#include <cmath>

#include "pages/model/view/page.h"

namespace headlight::views {

using draw::Align;
using draw::Box;
using scene::Predictions;

namespace {

constexpr float row_height = 18, strip_row = 24;

std::string token_words(const std::string& text) {
  return shown_token(text);
}

void heading(const Pen& pen, Box& box, std::string_view words, std::string_view more = {}) {
  const Box line = box.cut_top(20);
  const float width = put(pen, {line.x, line.y + 8}, words, strong_style(pen.theme.text, word_size), line.w);
  if (!more.empty())
    put(pen, {line.x + width + 8, line.y + 8}, more, words_style(pen.theme.dim, small_size),
        line.w - width - 8);
}

/// Ten bars. The token that follows in the sentence has a tick.
void draw_top(const ModelView& view, const Predictions& p, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  heading(pen, box, p.causal ? "Next token" : "Token here",
          "of " + with_commas(p.vocabulary) + " in the vocabulary");
  const float name = std::clamp(box.w * 0.34f, 60.f, 130.f);
  const float number = 10 + pen.canvas.text_width("0.0000", mono_style(pen.theme.text, word_size));
  int rank = 0;
  for (const scene::PredictedToken& one : p.top) {
    const Box line = box.cut_top(row_height);
    if (box.h < -1) break;
    ++rank;
    const bool truth = p.truth && p.truth->next == one.id;
    put(pen, {line.x, line.centre().y}, token_words(one.text),
        truth ? strong_style(pen.theme.text, word_size) : words_style(pen.theme.dim), name - 8);
    const Box track{line.x + name, line.centre().y - 4, std::max(8.f, line.w - name - number), 8};
    pen.canvas.rect(track, pen.theme.faint, 3);
    pen.canvas.rect({track.x, track.y, std::max(1.f, track.w * static_cast<float>(one.probability)), track.h},
                    draw::color_of(pen.theme, draw::Colormap::weight, 0.8f, 0, 1), 3);
    put(pen, {line.right(), line.centre().y}, in.text(quantity("model_next_probability", {{"rank", rank}})),
        aligned(mono_style(truth ? pen.theme.text : pen.theme.dim, word_size), Align::right));
  }
}

/// After how many layers which token is the most probable.
void draw_lens(const ModelView& view, const Predictions& p, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  heading(pen, box, "After each layer", "the head applied to the hidden state");
  const int count = static_cast<int>(p.lens.size());
  const int rows = std::max(1, std::min(count, static_cast<int>(box.h / 16)));
  const int columns = std::max(1, std::min((count + rows - 1) / rows, static_cast<int>(box.w / 110)));
  // Where not all fit, the last ones: they are what the prediction becomes.
  const int first = std::max(0, count - rows * columns);
  const float width = box.w / static_cast<float>(columns);
  for (int i = first; i < count; ++i) {
    const scene::PredictedToken& one = p.lens[static_cast<std::size_t>(i)];
    const int place = i - first;
    const Box line{box.x + static_cast<float>(place / rows) * width,
                   box.y + static_cast<float>(place % rows) * 16, width - 14, 16};
    const float y = line.centre().y;
    const bool same = !p.top.empty() && one.id == p.top.front().id;
    put(pen, {line.x + 18, y}, i == 0 ? "0" : std::to_string(i),
        aligned(words_style(pen.theme.dim, small_size), Align::right));
    put(pen, {line.x + 26, y}, token_words(one.text),
        same ? strong_style(pen.theme.text, word_size) : words_style(pen.theme.dim), line.w - 26 - 40);
    put(pen, {line.right(), y}, in.text(quantity("model_lens_probability", {{"layers", i}})),
        aligned(mono_style(pen.theme.dim, small_size), Align::right));
  }
}

/// Every token on a ground that is the brighter, the larger its loss. A click pins it.
void draw_losses(const ModelView& view, const Predictions& p, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  if (!p.causal) {
    heading(pen, box, "Loss per token");
    put(pen, {box.x, box.y + 10},
        "This model predicts masked tokens: it has no loss per token of a sentence.",
        words_style(pen.theme.dim), box.w);
    return;
  }
  heading(pen, box, "Loss per token",
          "mean " + in.text("model_mean_loss") + " nats; brighter: less expected");
  if (p.followers.empty()) return;
  double most = 0;
  for (const nn::Follower& one : p.followers) {
    if (std::isfinite(one.loss)) most = std::max(most, one.loss);
  }
  const auto top = static_cast<float>(std::max(1.0, nice_ceiling(most)));
  const auto ground = [&](const nn::Follower& one) {
    const float loss = std::isfinite(one.loss) ? static_cast<float>(one.loss) : top;
    return draw::color_of(pen.theme, draw::Colormap::weight, loss, 0, top);
  };
  const auto mark_of = [&](int t) {
    draw::Mark mark;
    mark.part = draw::Part::query_token, mark.query = t;
    return mark;
  };
  const int T = static_cast<int>(p.followers.size()) + 1;
  const draw::TextStyle style = words_style(pen.theme.text);
  // As words while there is room for all of them.
  std::vector<Box> boxes;
  float x = 0, y = 0;
  for (int t = 0; t < T; ++t) {
    const float w = std::min(std::max(14.f, pen.canvas.text_width(token_label(in, t), style) + 10), box.w);
    if (x + w > box.w) x = 0, y += strip_row;
    boxes.push_back({box.x + x, box.y + y, w, strip_row - 4});
    x += w + 3;
    if (y + strip_row > box.h) break;
  }
  if (static_cast<int>(boxes.size()) == T && y + strip_row <= box.h + 1) {
    for (int t = 0; t < T; ++t) {
      const Box cell = boxes[static_cast<std::size_t>(t)];
      pen.canvas.mark(mark_of(t));
      const draw::Color fill =
          t == 0 ? pen.theme.field : ground(p.followers[static_cast<std::size_t>(t - 1)]);
      pen.canvas.rect(cell, fill, 4);
      pen.canvas.mark({});
      if (t == p.position) pen.canvas.frame(cell, {pen.theme.query, 1.5f}, 4);
      put(pen, cell.centre(), token_label(in, t),
          aligned(words_style(t == 0 ? pen.theme.dim : draw::readable_on(fill)), Align::centre), cell.w - 4);
    }
    return;
  }
  // Else as a band of cells, lines one below the other.
  const int lines = std::clamp(static_cast<int>(box.h / strip_row), 1, 6);
  const int across = (T + lines - 1) / lines;
  const float w = box.w / static_cast<float>(across);
  for (int t = 0; t < T; ++t) {
    const Box cell{box.x + static_cast<float>(t % across) * w,
                   box.y + static_cast<float>(t / across) * strip_row, std::max(1.f, w - (w > 4 ? 1.f : 0.f)),
                   strip_row - 6};
    pen.canvas.mark(mark_of(t));
    pen.canvas.rect(cell, t == 0 ? pen.theme.field : ground(p.followers[static_cast<std::size_t>(t - 1)]));
    pen.canvas.mark({});
    if (t == p.position) pen.canvas.frame(cell.inset(-1), {pen.theme.query, 1.5f});
  }
}

std::string subtitle(const ModelView& view, const Predictions& p) {
  const PageInput& in = view.sheet.in;
  std::string words = (p.causal ? "after " : "in the place of ") + quoted_token(in, p.position) + " (token " +
                      std::to_string(p.position) + ", counted from 0)";
  if (p.truth)
    words += "; the sentence continues with " + in_quotes(token_words(p.truth_text)) + ": probability " +
             in.text("model_true_probability") + ", rank " + in.text("model_true_rank") + ", loss " +
             in.text("model_loss") + " nats";
  else if (!p.causal)
    words += "; the model sees the tokens on both sides, and this one unless it is a mask";
  return words;
}

}  // namespace

float next_height(const Predictions& predictions, float width) {
  if (!predictions.none.empty()) return 2 * card_padding + 44;
  const float head = 2 * card_padding + 48, parts = 24 + 10 * row_height;
  return width >= 800 ? head + parts : head + 2 * parts + 120;
}

void next_card(const ModelView& view, const Predictions& p, Box box) {
  const Pen& pen = view.sheet.pen;
  const char* title = p.causal ? "What comes next?" : "What does the model predict here?";
  if (!p.none.empty()) {
    card(pen, box, {title, p.none}, "next");
    return;
  }
  constexpr std::array<double, 3> temperatures{0.5, 1, 2};
  std::vector<Choice> choices;
  for (const double t : temperatures)
    choices.push_back({"τ " + brief(t, 3), "model_temperature=" + brief(t, 3),
                       "next temperature " + brief(t, 3), std::abs(p.temperature - t) < 1e-9,
                       "the logits are divided by " + brief(t, 3)});
  Box inside = card(pen, box, {title, subtitle(view, p), segmented_width(pen, choices)}, "next");
  segmented(pen, card_corner(box), choices);
  if (inside.w >= 770) {
    const float gap = 28, each = (inside.w - 2 * gap) / 3;
    draw_top(view, p, inside.cut_left(each));
    inside.cut_left(gap);
    draw_lens(view, p, inside.cut_left(each));
    inside.cut_left(gap);
    draw_losses(view, p, inside);
    return;
  }
  const float part = 24 + 10 * row_height;
  draw_top(view, p, inside.cut_top(part));
  draw_lens(view, p, inside.cut_top(part));
  draw_losses(view, p, inside);
}

}  // namespace headlight::views
