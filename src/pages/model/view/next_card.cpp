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

constexpr float row_height = 18, strip_row = 24, wide_card = 800, buttons_row = control_height + 8;

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

/// Ten bars. The token that follows in the sentence is bright.
struct TokenList {
  const std::vector<scene::PredictedToken>& tokens;
  const char* numbers;    // the quantity of their probabilities
  bool compared = false;  // beside the probabilities those with the heads off, and the change
  bool drawn = false;     // beside the probabilities those with which they are drawn
};

void draw_list(const ModelView& view, const Predictions& p, const TokenList& list, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  const bool several = list.compared || list.drawn;  // the smallest have five decimals
  const float number =
      10 + pen.canvas.text_width(several ? "0.00000" : "0.0000", mono_style(pen.theme.text, word_size));
  const float numbers = number * (list.compared ? 3.f : list.drawn ? 2.f : 1.f);
  const float name = std::clamp((box.w - numbers) * 0.5f, 50.f, 130.f);
  const draw::Color fill = draw::color_of(pen.theme, draw::Colormap::weight, 0.8f, 0, 1);
  int rank = 0;
  for (const scene::PredictedToken& one : list.tokens) {
    const Box line = box.cut_top(row_height);
    if (box.h < -1) break;
    ++rank;
    const auto text = [&](const char* what) { return in.text(quantity(what, {{"rank", rank}})); };
    const auto place = static_cast<std::size_t>(rank) - 1;
    const bool truth = p.truth && p.truth->next == one.id;
    const bool cut = list.drawn && place < p.drawn.top.size() && p.drawn.top[place] <= 0;
    const draw::TextStyle figures = mono_style(truth ? pen.theme.text : pen.theme.dim, word_size);
    put(pen, {line.x, line.centre().y}, token_words(one.text),
        truth ? strong_style(pen.theme.text, word_size) : words_style(pen.theme.dim), name - 8);
    const Box track{line.x + name, line.centre().y - 4, std::max(8.f, line.w - name - numbers), 8};
    const auto bar = [&](float top, float high, double probability, draw::Color color) {
      pen.canvas.rect(
          {track.x, track.y + top, std::max(1.f, track.w * static_cast<float>(probability)), high}, color, 2);
    };
    pen.canvas.rect(track, pen.theme.faint, 3);
    if (list.compared && p.changed && place < p.changed->after.size()) {
      bar(0, 3, one.probability, pen.theme.dim);
      bar(4, 4, p.changed->after[place], fill);
    } else {
      bar(0, 8, one.probability, cut ? draw::mix(pen.theme.faint, pen.theme.dim, 0.4f) : fill);
    }
    const auto column = [&](float from_right, const std::string& words, const draw::TextStyle& style) {
      put(pen, {line.right() - from_right * number, line.centre().y}, words, aligned(style, Align::right));
    };
    if (list.compared) {
      column(2, text(list.numbers), mono_style(pen.theme.dim, word_size));
      column(1, text("model_after_probability"), figures);
      column(0, text("model_after_change"), figures);
    } else if (list.drawn) {
      const std::string name_of = quantity("model_drawn_probability", {{"rank", rank}});
      column(1, text(list.numbers), mono_style(pen.theme.dim, word_size));
      column(0, cut ? in.noted(name_of, 0, "cut") : in.text(name_of), figures);
    } else {
      column(0, text(list.numbers), figures);
    }
  }
}

/// Are some tokens cut from what can be drawn?
bool cuts(const ModelView& view, const Predictions& p) {
  const scene::ModelPageSettings& set = view.sheet.in.results.scene.model;
  return p.causal && (set.top_k > 0 || set.top_p < 1) && p.drawn.tokens < p.vocabulary;
}

void draw_top(const ModelView& view, const Predictions& p, Box box) {
  const PageInput& in = view.sheet.in;
  const bool drawn = !p.changed && cuts(view, p);
  std::string more = "of " + with_commas(p.vocabulary) + " in the vocabulary";
  if (p.changed) more = "all heads · changed · difference";
  if (drawn)
    more =
        "before, and as drawn: " + in.text("model_drawn_tokens") + " tokens, " + in.text("model_drawn_kept");
  heading(view.sheet.pen, box, p.causal ? "Next token" : "Token here", more);
  draw_list(view, p, {p.top, "model_next_probability", p.changed.has_value(), drawn}, box);
}

/// In place of the layers while heads are changed: what is most probable then.
void draw_changed(const ModelView& view, const Predictions& p, Box box) {
  const PageInput& in = view.sheet.in;
  const bool drawn = cuts(view, p);
  std::string title = "With " + changed_words(*p.changed, view.atlas.layers());
  heading(view.sheet.pen, box, title,
          drawn ? "as drawn: " + in.text("model_drawn_tokens") + " tokens, " + in.text("model_drawn_kept")
                : std::string());
  draw_list(view, p, {p.changed->top, "model_after_top", false, drawn}, box);
}

/// Of a masked model: the most probable tokens in the place of every mask.
void draw_masks(const ModelView& view, const Predictions& p, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  heading(pen, box, "At each mask", p.masks.empty() ? "the sentence has none" : "the most probable tokens");
  if (p.masks.empty()) {
    put(pen, {box.x, box.y + 10}, "Write [MASK] or <mask> where a token is to be predicted.",
        words_style(pen.theme.dim), box.w);
    return;
  }
  const float number = 10 + pen.canvas.text_width("0.0000", mono_style(pen.theme.text, word_size));
  const int columns = std::clamp(static_cast<int>(box.w / 150), 1, static_cast<int>(p.masks.size()));
  const int lines = (static_cast<int>(p.masks.size()) + columns - 1) / columns;
  const float wide = box.w / static_cast<float>(columns), high = box.h / static_cast<float>(lines);
  const int each = std::clamp(static_cast<int>(high / row_height) - 1, 1, scene::most_predicted);
  for (std::size_t m = 0; m < p.masks.size(); ++m) {
    const int at = static_cast<int>(m);
    Box part{box.x + static_cast<float>(at % columns) * wide, box.y + static_cast<float>(at / columns) * high,
             wide - 14, high};
    const Box head = part.cut_top(row_height);
    if (head.bottom() + row_height > box.bottom() + 1) return;
    draw::Mark mark;
    mark.part = draw::Part::query_token, mark.query = p.masks[m].position, mark.area = head;
    pen.canvas.mark(mark);
    put(pen, {head.x, head.centre().y}, "token " + std::to_string(p.masks[m].position),
        p.masks[m].position == p.position ? strong_style(pen.theme.query, word_size)
                                          : words_style(pen.theme.dim),
        head.w);
    pen.canvas.mark({});
    for (int rank = 1; rank <= std::min(each, static_cast<int>(p.masks[m].top.size())); ++rank) {
      const Box line = part.cut_top(row_height);
      put(pen, {line.x, line.centre().y},
          token_words(p.masks[m].top[static_cast<std::size_t>(rank) - 1].text), words_style(pen.theme.text),
          line.w - number);
      put(pen, {line.right(), line.centre().y},
          in.text(quantity("model_mask_probability", {{"mask", at + 1}, {"rank", rank}})),
          aligned(mono_style(pen.theme.dim, word_size), Align::right));
    }
  }
}

/// After how many layers which token is the most probable.
void draw_lens(const ModelView& view, const Predictions& p, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  const bool truth = p.truth.has_value() && box.w >= 280;
  heading(pen, box, "Logit lens",
          truth ? "after each layer; rank of " + in_quotes(token_words(p.truth_text))
                : "the most probable token after each layer");
  const int count = static_cast<int>(p.lens.size());
  const int rows = std::max(1, std::min(count, static_cast<int>(box.h / 16)));
  const int columns =
      std::max(1, std::min((count + rows - 1) / rows, static_cast<int>(box.w / (truth ? 200 : 110))));
  // Where not all fit, the last ones: they are what the prediction becomes.
  const int first = std::max(0, count - rows * columns);
  const float width = box.w / static_cast<float>(columns), number = 50, rank = truth ? 56 : 0, word = 92;
  for (int i = first; i < count; ++i) {
    const scene::PredictedToken& one = p.lens[static_cast<std::size_t>(i)].top.front();
    const int place = i - first;
    const Box line{box.x + static_cast<float>(place / rows) * width,
                   box.y + static_cast<float>(place % rows) * 16, width - 14, 16};
    const float y = line.centre().y;
    const bool same = !p.top.empty() && one.id == p.top.front().id;
    put(pen, {line.x + 18, y}, i == 0 ? "0" : std::to_string(i),
        aligned(words_style(pen.theme.dim, small_size), Align::right));
    put(pen, {line.x + 26, y}, token_words(one.text),
        same ? strong_style(pen.theme.text, word_size) : words_style(pen.theme.dim),
        std::min(word, line.w - 26 - number - rank));
    const Box track{line.x + 26 + word, y - 3, line.w - 26 - word - number - rank, 6};
    if (track.w >= 24) {
      pen.canvas.rect(track, pen.theme.faint, 3);
      pen.canvas.rect(
          {track.x, track.y, std::max(1.f, track.w * static_cast<float>(one.probability)), track.h},
          same ? draw::color_of(pen.theme, draw::Colormap::weight, 0.8f, 0, 1) : pen.theme.dim, 2);
    }
    put(pen, {line.right() - rank, y}, in.text(quantity("model_lens_probability", {{"layers", i}})),
        aligned(mono_style(pen.theme.dim, small_size), Align::right));
    if (truth)
      put(pen, {line.right(), y}, in.text(quantity("model_lens_true_rank", {{"layers", i}})),
          aligned(mono_style(pen.theme.dim, small_size), Align::right));
  }
}

/// Every token on a ground of the colour of its loss. A click pins it.
void draw_losses(const ModelView& view, const Predictions& p, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  if (!p.causal) return draw_masks(view, p, box);
  const bool changed = p.changed && p.changed->followers.size() == p.followers.size();
  if (changed) {
    heading(pen, box, "Change of the loss per token",
            "mean " + in.text("model_mean_loss") + " → " + in.text("model_after_mean_loss") + " nats (" +
                in.text("model_after_mean_loss_change") + ")");
  } else {
    heading(pen, box, "Loss per token",
            "mean " + in.text("model_mean_loss") + " nats; stronger colour: less expected");
  }
  if (p.followers.empty()) return;
  // The loss of each, or with changed heads how much more it is.
  std::vector<double> losses;
  for (std::size_t i = 0; i < p.followers.size(); ++i)
    losses.push_back(changed ? p.changed->followers[i].loss - p.followers[i].loss : p.followers[i].loss);
  double most = 0;
  for (const double loss : losses) {
    if (std::isfinite(loss)) most = std::max(most, std::abs(loss));
  }
  const auto top = static_cast<float>(std::max(changed ? 0.1 : 1.0, nice_ceiling(most)));
  const auto ground = [&](double value) {
    const float loss = std::isfinite(value) ? static_cast<float>(value) : top;
    return draw::color_of(pen.theme, changed ? draw::Colormap::signed_weight : draw::Colormap::weight, loss,
                          changed ? -top : 0, top);
  };
  if (changed) {
    const Box foot = box.cut_bottom(34);
    const std::string end = brief(static_cast<double>(top), 2);
    colour_bar(pen, {foot.x, foot.bottom() - 22, std::min(170.f, foot.w * 0.5f), 8},
               {draw::Colormap::signed_weight, "−" + end, "change in nats", "+" + end});
  }
  const auto mark_of = [&](int t) {
    draw::Mark mark;
    mark.part = draw::Part::query_token, mark.query = t;
    if (changed && t > 0) {
      const auto at = [&](const char* name) { return in.text(quantity(name, {{"query", t - 1}})); };
      mark.note = quoted_token(in, t) + ": loss " + at("model_loss") + " → " + at("model_after_loss") +
                  " nats (" + at("model_after_loss_change") + ")";
    }
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
      const draw::Color fill = t == 0 ? pen.theme.field : ground(losses[static_cast<std::size_t>(t - 1)]);
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
    pen.canvas.rect(cell, t == 0 ? pen.theme.field : ground(losses[static_cast<std::size_t>(t - 1)]));
    pen.canvas.mark({});
    if (t == p.position) pen.canvas.frame(cell.inset(-1), {pen.theme.query, 1.5f});
  }
}

std::string subtitle(const ModelView& view, const Predictions& p) {
  const PageInput& in = view.sheet.in;
  if (!p.change_problem.empty()) return p.change_problem;
  std::string words = (p.causal ? "after " : "in the place of ") + quoted_token(in, p.position) + " (token " +
                      std::to_string(p.position) + ", counted from 0)";
  if (p.truth)
    words += "; the sentence continues with " + in_quotes(token_words(p.truth_text)) + ": probability " +
             in.text("model_true_probability") + ", rank " + in.text("model_true_rank") + ", loss " +
             in.text("model_loss") + " nats";
  else if (!p.causal)
    words += "; the model attends to the tokens on both sides, and to this one unless it is a mask";
  return words;
}

std::vector<Choice> temperature_choices(const Predictions& p) {
  constexpr std::array<double, 3> temperatures{0.5, 1, 2};
  std::vector<Choice> choices;
  for (const double t : temperatures)
    choices.push_back({"τ " + brief(t, 3), "model_temperature=" + brief(t, 3),
                       "next temperature " + brief(t, 3), std::abs(p.temperature - t) < 1e-9,
                       "the logits are divided by " + brief(t, 3)});
  return choices;
}

/// Writing on, and all heads on again: what can be pressed beside the temperatures.
std::vector<Choice> write_choices(const ModelView& view, const Predictions& p) {
  const bool writing = view.sheet.in.writing;
  std::vector<Choice> out;
  if (!view.sheet.in.scene.model.off.empty())
    out.push_back({"All heads on", "model_off=", "all heads on", false, "every head as it was trained"});
  if (!p.causal) return out;
  if (!writing)
    out.push_back(
        {"One token", "", "write one token", false, "draws the next token and appends it to the sentence"});
  out.push_back(writing ? Choice{"Stop", "", "stop writing", true, "the text stays as it is"}
                        : Choice{"Continue", "", "continue text", false,
                                 "the model continues the sentence, token by token, until it is stopped"});
  return out;
}

}  // namespace

std::string changed_words(const scene::ChangedPredictions& changed, int layers) {
  if (changed.heads.size() != 1) return std::to_string(changed.heads.size()) + " heads off or scaled";
  const nn::HeadFactor& one = changed.heads.front();
  std::string words = "head " + std::to_string(one.head + 1);
  if (layers > 1) words += " of layer " + std::to_string(one.layer + 1);
  return words + (one.factor == 0 ? " off" : " × " + brief(one.factor, 3));
}

float next_height(const Predictions& predictions, float width) {
  if (!predictions.none.empty()) return 2 * card_padding + 44;
  const float head = 2 * card_padding + 48, parts = 24 + 10 * row_height;
  return width >= wide_card ? head + parts : head + buttons_row + 2 * parts + 120;
}

void next_card(const ModelView& view, const Predictions& p, Box box) {
  const Pen& pen = view.sheet.pen;
  const char* title = p.causal ? "What comes next?" : "What does the model predict here?";
  if (!p.none.empty()) {
    card(pen, box, {title, p.none}, "next");
    return;
  }
  const std::vector<Choice> choices = temperature_choices(p), more = write_choices(view, p);
  const bool wide = box.w >= wide_card;
  float controls = segmented_width(pen, choices);
  for (const Choice& one : more) controls += wide ? button_width(pen, one) + 8 : 0;
  Box inside = card(pen, box, {title, subtitle(view, p), controls}, "next");
  draw::Point corner = card_corner(box);
  corner.x = segmented(pen, corner, choices).x - 8;
  if (!wide && !more.empty()) {  // on a line of their own
    const Box line = inside.cut_top(buttons_row);
    corner = {line.right(), line.y};
  }
  for (std::size_t i = more.size(); i-- > 0;) corner.x = button(pen, corner, more[i]).x - 8;
  const auto middle = [&](Box part) { p.changed ? draw_changed(view, p, part) : draw_lens(view, p, part); };
  if (inside.w >= 770) {
    const float gap = 28, each = (inside.w - 2 * gap) / 3;
    draw_top(view, p, inside.cut_left(each));
    inside.cut_left(gap);
    middle(inside.cut_left(each));
    inside.cut_left(gap);
    draw_losses(view, p, inside);
    return;
  }
  const float part = 24 + 10 * row_height;
  draw_top(view, p, inside.cut_top(part));
  middle(inside.cut_top(part));
  draw_losses(view, p, inside);
}

}  // namespace headlight::views
