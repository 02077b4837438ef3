#include "kit/choices.h"

#include <array>

namespace headlight::views {

float button_flow(const Pen& pen, Point top_left, float width, const std::vector<Choice>& choices,
                  bool draw) {
  constexpr float gap = 6;
  float x = top_left.x, y = top_left.y;
  for (const Choice& choice : choices) {
    const float wide = button_width(pen, choice);
    if (x > top_left.x && x + wide > top_left.x + width) x = top_left.x, y += control_height + gap;
    if (draw) button(pen, {x + wide, y}, choice);
    x += wide + gap;
  }
  return y + control_height - top_left.y;
}

namespace {

/// What is numbered: "head", and the setting that chooses one.
struct Numbered {
  std::string noun, field;
  int count = 0, chosen = 0;  // 0-based
};

Choice choice_of(const Numbered& what, int item, std::string label, const std::string& name) {
  const std::string number = std::to_string(item + 1);
  return {std::move(label),
          what.field + "=" + number,
          name,
          item == what.chosen,
          what.noun + " " + number + " of " + std::to_string(what.count),
          true,
          item};
}

/// `before` is written before the first number, or before that of the chosen one between arrows.
std::vector<Choice> choices_of(const Numbered& what, int most, const std::string& name,
                               const std::string& before) {
  std::vector<Choice> out;
  const auto add = [&](int item, std::string label, const std::string& called) {
    out.push_back(choice_of(what, item, std::move(label), name + " " + called));
  };
  if (what.count <= most) {
    for (int item = 0; item < what.count; ++item)
      add(item, (item == 0 ? before : "") + std::to_string(item + 1), std::to_string(item + 1));
    return out;
  }
  const std::string number = std::to_string(what.chosen + 1);
  add((what.chosen + what.count - 1) % what.count, "‹", "before");
  add(what.chosen, before + number + " of " + std::to_string(what.count), number);
  add((what.chosen + 1) % what.count, "›", "after");
  return out;
}

}  // namespace

std::vector<Choice> head_choices(int heads, int chosen, int most, const std::string& name,
                                 const std::string& field) {
  return choices_of({"head", field, heads, chosen}, most, name, "");
}

std::vector<Choice> layer_choices(int layers, int chosen, int most, const std::string& name, bool brief) {
  std::vector<Choice> out =
      choices_of({"layer", "weights_layer", layers, chosen}, most, name, brief ? "" : "layer ");
  for (Choice& one : out) one.item = -1;  // no head
  return out;
}

float entry_height(const Pen& pen) {
  constexpr float field = 28;
  return pen.canvas.plain() || on_slide(pen) ? text_line(pen, 20) : field;
}

void control_area(const Pen& pen, const std::string& name, const std::string& set, const std::string& note,
                  Box area) {
  Mark mark;
  mark.part = Part::control, mark.name = name, mark.set = set, mark.note = note, mark.area = area;
  pen.canvas.mark(mark);
}

void text_entry(const Pen& pen, draw::Box box, const TextEntry& entry) {
  constexpr float side = 10, radius = 8;
  const bool field = !pen.canvas.plain() && !on_slide(pen), over = field && pen.over(entry.setting);
  const std::string words = entry.words.empty() ? entry.hint : field ? entry.words : in_quotes(entry.words);
  if (field) {
    pen.canvas.mark({.part = draw::Part::text,
                     .note = entry.note,
                     .set = entry.setting,
                     .name = entry.setting,
                     .area = box});
    pen.canvas.rect(box, over ? pen.theme.field_hover : pen.theme.field, radius);
    pen.canvas.frame(box, {pen.theme.border, 1}, radius);
    box = {box.x + side, box.y, box.w - 2 * side, box.h};
  }
  put(pen, {box.x, box.centre().y}, words, words_style(entry.words.empty() ? pen.theme.dim : pen.theme.text),
      box.w);
  if (field) pen.canvas.mark({});
}

void play_sign(const Pen& pen, Point centre, float size, bool running, draw::Color color) {
  const float half = size / 2;
  if (running) {
    pen.canvas.rect({centre.x - half, centre.y - half, size * 0.34f, size}, color, 1);
    pen.canvas.rect({centre.x + half - size * 0.34f, centre.y - half, size * 0.34f, size}, color, 1);
    return;
  }
  const std::array<Point, 3> triangle = {Point{centre.x - half * 0.8f, centre.y - half},
                                         Point{centre.x + half, centre.y},
                                         Point{centre.x - half * 0.8f, centre.y + half}};
  pen.canvas.polygon(triangle, color);
}

}  // namespace headlight::views
