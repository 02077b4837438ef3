// The loss of every token of the sentence, and of a masked model what is predicted at each mask.
#include <algorithm>
#include <cmath>

#include "pages/model/view/next_parts.h"

namespace headlight::views {

using scene::Predictions;

namespace {

constexpr float strip_row = 24;

draw::TextStyle number_style(const Pen& pen) {
  return mono_style(pen.theme.dim, small_size);
}

/// A box for each of `count` words, in lines, with `below` units under each line; empty when not all of them
/// fit.
template <class Width>
std::vector<Box> word_boxes(Box area, int count, float below, Width width) {
  std::vector<Box> boxes;
  const float line = strip_row + below;
  float x = 0, y = 0;
  for (int t = 0; t < count; ++t) {
    const float w = std::min(std::max(14.f, width(t)), area.w);
    if (x + w > area.w) x = 0, y += line;
    if (y + line > area.h + 1) return {};
    boxes.push_back({area.x + x, area.y + y, w, strip_row - 4});
    x += w + 3;
  }
  return boxes;
}

/// Of a masked model: the most probable tokens in the place of every mask.
void draw_masks(const ModelView& view, const Predictions& p, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  part_heading(pen, box, "At each mask",
               p.masks.empty() ? "the sentence has none" : "the most probable tokens");
  if (p.masks.empty()) {
    put(pen, {box.x, box.y + 10}, in_window(pen, "Write [MASK] or <mask> where a token is to be predicted."),
        words_style(pen.theme.dim), box.w);
    return;
  }
  const float number = 12 + pen.canvas.text_width("0.00000", mono_style(pen.theme.text, word_size));
  const int columns = std::clamp(static_cast<int>(box.w / 150), 1, static_cast<int>(p.masks.size()));
  const int lines = (static_cast<int>(p.masks.size()) + columns - 1) / columns;
  const float wide = box.w / static_cast<float>(columns), high = box.h / static_cast<float>(lines);
  const float row = row_of(pen.canvas.plain());
  const int each = std::clamp(static_cast<int>(high / row) - 1, 1, scene::most_predicted);
  for (std::size_t m = 0; m < p.masks.size(); ++m) {
    const int at = static_cast<int>(m);
    Box part{box.x + static_cast<float>(at % columns) * wide, box.y + static_cast<float>(at / columns) * high,
             wide - 14, high};
    const Box head = part.cut_top(row);
    if (head.bottom() + row > box.bottom() + 1) return;
    draw::Mark mark;
    mark.part = draw::Part::query_token, mark.query = p.masks[m].position, mark.area = head;
    pen.canvas.mark(mark);
    put(pen, {head.x, head.centre().y}, "token " + std::to_string(p.masks[m].position),
        p.masks[m].position == p.position ? strong_style(pen.theme.query, word_size)
                                          : words_style(pen.theme.dim),
        head.w);
    pen.canvas.mark({});
    for (int rank = 1; rank <= std::min(each, static_cast<int>(p.masks[m].top.size())); ++rank) {
      const Box line = part.cut_top(row);
      put(pen, {line.x, line.centre().y},
          shown_token(p.masks[m].top[static_cast<std::size_t>(rank) - 1].text),
          literal(words_style(pen.theme.text)), line.w - number);
      put(pen, {line.right(), line.centre().y},
          in.text(quantity("model_mask_probability", {{"mask", at + 1}, {"rank", rank}})),
          aligned(mono_style(pen.theme.dim, word_size), Align::right));
    }
  }
}

}  // namespace

void named_part(const Pen& pen, Box box, const char* name, const char* note) {
  constexpr float beside = 6, above = 1;
  pen.canvas.mark({.part = draw::Part::note,
                   .note = note,
                   .name = name,
                   .area = {box.x - beside, box.y - above, box.w + 2 * beside, box.h + above}});
  pen.canvas.mark({});
}

void part_heading(const Pen& pen, Box& box, std::string_view words, std::string_view more,
                  std::string_view shorter) {
  const Box line = box.cut_top(part_heading_height);
  const float width = put(pen, {line.x, line.y + 8}, words, strong_style(pen.theme.text, word_size), line.w);
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const float room = line.w - width - 8;
  if (!shorter.empty() && pen.canvas.text_width(more, quiet) > room) more = shorter;
  if (!more.empty()) put(pen, {line.x + width + 8, line.y + 8}, more, quiet, room);
}

void draw_losses(const ModelView& view, const Predictions& p, Box box, bool low) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  if (!p.causal) return draw_masks(view, p, box);
  const bool changed = p.changed && p.changed->followers.size() == p.followers.size();
  named_part(pen, box, "losses", "loss of each token");
  if (p.followers.empty())
    return part_heading(pen, box, "Loss per token",
                        pen.canvas.plain() ? "one token has none" : "of a second token: type one more word",
                        pen.canvas.plain() ? "" : "of a second token");
  // Where something follows below, the colour bar is beside the heading.
  const std::string unit = changed ? "change in nats" : "loss in nats";
  const float beside = 140 + pen.canvas.text_width(unit, words_style({}, small_size));
  Box heading = box.cut_top(part_heading_height);
  const bool barred = low && heading.w >= 1.9f * beside;
  const Box bar_row = barred ? heading.cut_right(beside) : Box{};
  if (barred) heading.cut_right(12);
  if (changed) {
    part_heading(pen, heading, "Change of the loss per token",
                 "mean " + in.text("model_mean_loss") + " → " + in.text("model_after_mean_loss") + " nats (" +
                     in.text("model_after_mean_loss_change") + ")",
                 "mean " + in.text("model_after_mean_loss_change") + " nats");
  } else {
    part_heading(pen, heading, "Loss per token", "mean " + in.text("model_mean_loss") + " nats");
  }
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
  if (!low) box.cut_bottom(scale_row);
  const auto scale_at = [&](float y) {
    const std::string end = brief(static_cast<double>(top), 2);
    const Box bar{box.x, y, std::min(170.f, box.w * 0.5f), 8};
    if (low) {
      if (!barred) return;
      Box row{bar_row.x, bar_row.y - 2, bar_row.w, part_heading_height};
      const float words = put(pen, {row.x, row.centre().y}, unit, words_style(pen.theme.dim, small_size)) + 8;
      row.cut_left(words);
      low_color_bar(pen, row,
                    {changed ? draw::Colormap::signed_weight : draw::Colormap::weight,
                     changed ? "−" + end : "0", "", changed ? "+" + end : end});
    } else if (changed) {
      color_bar(pen, bar, {draw::Colormap::signed_weight, "−" + end, unit, "+" + end});
    } else {
      color_bar(pen, bar, {draw::Colormap::weight, "0", unit, end});
    }
  };
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
  const auto number = [&](int t) {
    return in.text(quantity(changed ? "model_after_loss_change" : "model_loss", {{"query", t - 1}}));
  };
  // As words while there is room for all of them, each with its number below where that fits, too.
  for (const bool numbers : {true, false}) {
    const float below = numbers ? text_line(pen, 16) : 0;
    const std::vector<Box> boxes = word_boxes(box, T, below, [&](int t) {
      const float word = pen.canvas.text_width(token_label(in, t), literal(words_style(pen.theme.text))) + 10;
      return numbers && t > 0 ? std::max(word, pen.canvas.text_width(number(t), number_style(pen)) + 8)
                              : word;
    });
    if (boxes.empty()) continue;
    for (int t = 0; t < T; ++t) {
      const Box cell = boxes[static_cast<std::size_t>(t)];
      pen.canvas.mark(mark_of(t));
      const draw::Color fill = t == 0 ? pen.theme.field : ground(losses[static_cast<std::size_t>(t - 1)]);
      pen.canvas.rect(cell, fill, 4);
      pen.canvas.mark({});
      if (t == p.position) pen.canvas.frame(cell, {pen.theme.query, 1.5f}, 4);
      put(pen, cell.centre(), token_label(in, t),
          aligned(literal(words_style(t == 0 ? pen.theme.dim : draw::readable_on(fill))), Align::centre),
          cell.w - 4);
      if (numbers && t > 0)
        put(pen, {cell.centre().x, cell.bottom() + below / 2}, number(t),
            aligned(number_style(pen), Align::centre));
    }
    return scale_at(boxes.back().bottom() + below + 12);
  }
  // Else as a band of cells, lines one below the other.
  const int lines = std::clamp(static_cast<int>(box.h / strip_row), 1, 6);
  scale_at(box.y + static_cast<float>(lines) * strip_row + 8);
  const int across = (T + lines - 1) / lines;
  // Each line begins with the position of its first token.
  const draw::TextStyle first = aligned(words_style(pen.theme.dim, small_size), Align::right);
  const float numbers = pen.canvas.text_width(std::to_string(T - 1), first);
  for (int t = 0; t < T; t += across)
    put(pen, {box.x + numbers, box.y + static_cast<float>(t / across) * strip_row + (strip_row - 6) / 2},
        std::to_string(t), first);
  box.cut_left(numbers + 8);
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

}  // namespace headlight::views
