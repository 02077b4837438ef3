#include "pictures/first_start_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <span>

#include "base/numbers.h"
#include "kit/beam.h"
#include "kit/selection.h"
#include "pictures/first_start_lines.h"
#include "scene/trained_model.h"

namespace headlight::app {

namespace {

using draw::Align;
using draw::Box;
using draw::Color;
using draw::Font;
using draw::Part;
using draw::Point;
using draw::TextStyle;
using views::Pen;

/// Sizes that follow from the window; `unit` is 1 at 1440 × 900.
struct Sizes {
  float unit, margin, sentence, finding, note, button;
};
Sizes sizes_of(Box window) {
  const float unit = std::clamp(std::min(window.w / 1440, window.h / 900), 0.42f, 2.6f);
  return {unit,
          std::max(12.f, 28 * unit),
          std::max(20.f, 44 * unit),
          std::max(15.f, 28 * unit),
          std::max(12.f, 17 * unit),
          std::max(13.f, 18 * unit)};
}

constexpr float least_weight = 0.001f;  // below this, a key has no arc

TextStyle style_of(const Run& run, float size) {
  return run.strong ? views::strong_style(run.color, size) : views::words_style(run.color, size);
}

/// Writes a centred line, in smaller letters if it is too long.
void write_runs(const Pen& pen, Point centre, std::span<const Run> runs, float size, float room) {
  const auto width = [&](float em) {
    float sum = 0;
    for (const Run& run : runs) sum += pen.canvas.text_width(run.words, style_of(run, em));
    return sum;
  };
  if (const float wide = width(size); wide > room) size = std::max(12.f, size * room / wide);
  float x = centre.x - std::min(width(size), room) / 2;
  const float right = centre.x + room / 2;
  for (const Run& run : runs) x += views::put(pen, {x, centre.y}, run.words, style_of(run, size), right - x);
}

/// Enlarges a short sentence up to twice, as far as the width allows, when nothing else needs the room.
void grow(const Pen& pen, const views::PageInput& in, Sizes& size, Box window) {
  constexpr float most = 2, filled = 0.9f;
  const Lines whole = lines_at(pen, in, size.sentence, 1e9f);
  if (whole.widths.empty() || whole.widths.front() <= 0) return;
  const float room = filled * (window.w - 2 * size.margin);
  const float larger = std::clamp(room / whole.widths.front(), 1.f, most);
  size.sentence *= larger;
  size.finding *= std::min(larger, 1.4f), size.note *= std::min(larger, 1.15f);
}

/// Draws the program's logo: a lamp that casts light.
void draw_lamp(const Pen& pen, Point c, float radius) {
  const Color light = draw::color_of(pen.theme, draw::Colormap::weight, pen.theme.dark ? 0.75f : 0.5f, 0, 1);
  const float reach = radius * 1.35f;
  const Point cone[] = {c, {c.x + reach, c.y - reach * 0.55f}, {c.x + reach, c.y + reach * 0.55f}};
  pen.canvas.polygon(cone, draw::mix(pen.theme.window, light, 0.75f));
  std::array<Point, 41> arc;
  for (std::size_t i = 0; i < arc.size(); ++i) {
    const float turn =
        0.6f + (6.2831853f - 1.2f) * static_cast<float>(i) / static_cast<float>(arc.size() - 1);
    arc[i] = {c.x + 0.78f * radius * std::cos(turn), c.y + 0.78f * radius * std::sin(turn)};
  }
  pen.canvas.polyline(arc, {pen.theme.text, radius * 0.36f});
  pen.canvas.circle(c, radius * 0.24f, pen.theme.text);
}

struct Press {
  const char *name, *label, *note;
  bool primary = false, on = false;
};

void draw_button(const Pen& pen, Box box, const Press& press, float size) {
  const draw::Theme& t = pen.theme;
  const bool over = pen.over(press.name);
  pen.canvas.mark({.part = Part::control, .note = press.note, .name = press.name, .area = box});
  const float radius = std::min(12.f, box.h * 0.22f);
  Color fill = over ? t.field_hover : t.panel;
  if (press.primary) fill = over ? draw::mix(t.text, t.panel, 0.12f) : t.text;
  if (press.on) fill = t.selected;
  pen.canvas.rect(box, fill, radius);
  if (!press.primary) pen.canvas.frame(box, {t.border, 1}, radius);
  TextStyle style =
      views::aligned(views::strong_style(press.primary ? t.panel : t.text, size), Align::centre);
  pen.canvas.text(box.centre(), press.label, style);
  pen.canvas.mark({});
}

/// Draws the choice of two words; the one in the sentence is highlighted.
void draw_choice(const Pen& pen, Point middle, float height, float size, bool second, Box within) {
  const draw::Theme& t = pen.theme;
  const TextStyle strong = views::aligned(views::strong_style(t.text, size), Align::centre);
  const char* words[] = {first_word, second_word};
  const float pad = 0.9f * size;
  const float widths[] = {pen.canvas.text_width(words[0], strong) + 2 * pad,
                          pen.canvas.text_width(words[1], strong) + 2 * pad};
  const float wide = widths[0] + widths[1];
  Box box{std::clamp(middle.x - wide / 2, within.x, std::max(within.x, within.right() - wide)),
          middle.y - height / 2, wide, height};
  const float radius = std::min(8.f, height * 0.28f);
  const std::string offer =
      "Replace “" + std::string(words[second ? 1 : 0]) + "” with “" + words[second ? 0 : 1] + "”";
  const TextStyle quiet = views::aligned(views::words_style(t.dim, size), Align::right);
  if (const float right = box.x - 0.8f * size; right - pen.canvas.text_width(offer, quiet) > within.x)
    pen.canvas.text({right, middle.y}, offer, quiet);
  pen.canvas.rect(box, t.field, radius);
  pen.canvas.frame(box, {t.border, 1}, radius);
  for (int i = 0; i < 2; ++i) {
    const Box part = box.cut_left(widths[i]);
    const bool on = second == (i == 1);
    const std::string note =
        on ? "in the sentence now" : "replace “" + std::string(words[1 - i]) + "” with “" + words[i] + "”";
    pen.canvas.mark({.part = Part::control, .note = note, .name = words[i], .area = part});
    if (on) {
      pen.canvas.rect(part.inset(2), t.selected, radius - 1);
      if (!t.dark) pen.canvas.frame(part.inset(2), {t.border, 1}, radius - 1);
    } else if (pen.over(words[i])) {
      pen.canvas.rect(part.inset(2), t.field_hover, radius - 1);
    }
    TextStyle style = on ? strong : views::aligned(views::words_style(t.dim, size), Align::centre);
    if (!on && pen.over(words[i])) style.color = t.text;
    pen.canvas.text(part.centre(), words[i], style);
    pen.canvas.mark({});
  }
}

}  // namespace

FirstStartPlaces draw_first_start(const Pen& pen, Box window, const views::PageInput& in,
                                  const FirstStartLook& look) {
  const draw::Theme& t = pen.theme;
  Sizes size = sizes_of(window);
  const bool paper = pen.canvas.plain() || !look.to_click;
  if (paper) grow(pen, in, size, window);
  FirstStartPlaces places;
  pen.canvas.rect(window, t.window, 0);
  const Box inner{window.x + size.margin, window.y, window.w - 2 * size.margin, window.h};

  const float lamp = std::max(10.f, 17 * size.unit), top = window.y + size.margin + lamp * 0.4f;
  draw_lamp(pen, {inner.x + lamp * 0.9f, top}, lamp);
  views::put(pen, {inner.x + 2.9f * lamp, top}, "Headlight", views::strong_style(t.text, size.button));

  const ShownRow row = shown_row(in);
  const TwoWords choice = two_words(in);

  // Lay out from the bottom upwards; the beam_height gets the height that is left.
  const float button = 2.7f * size.button, foot = 2.6f * size.note + 14 * size.unit;
  const float gap = std::clamp(0.03f * window.h, 6.f, 60.f);
  const float most_width = std::min(inner.w, std::max(560.f, 66 * size.note));
  const TextStyle quiet = views::words_style(t.dim, size.note);
  const std::string note = first_start_note(in);
  const auto note_lines = static_cast<std::size_t>(
      std::clamp(std::ceil(1.02f * pen.canvas.text_width(note, quiet) / most_width), 1.f, 3.f));
  std::vector<std::string> notes = in.results.tokens.empty()
                                       ? std::vector<std::string>{}
                                       : views::wrap(pen, note, quiet, most_width, note_lines);
  const std::string unknown = unknown_line(in);
  const std::string hint = !unknown.empty() ? unknown
                           : paper          ? ""
                                   : "Point at any word to move the beam. Press / to edit the sentence.";
  const float note_line = 1.5f * size.note;
  const float choice_height = std::max(26.f, 34 * size.unit);
  const float choice_row = (choice.token >= 0 && !paper) || look.editing ? choice_height + 0.35f * gap : 0;
  const float below = choice_row + 0.9f * gap + 1.5f * size.finding +
                      note_line * (static_cast<float>(notes.size()) + (hint.empty() ? 0.f : 1.f)) +
                      (paper ? gap : 1.2f * gap + button + gap + foot);
  const float header = top + lamp + 0.3f * gap - window.y;
  const float free = std::max(60.f, window.h - header - below);
  Lines lines = lines_of(pen, in, size.sentence, inner.w, 0.55f * free);
  leave_out(lines, 0.62f * free, row.query, row.key);
  const float step = lines.step();
  const float words_height = step * static_cast<float>(std::max<std::size_t>(1, lines.widths.size()));
  const float beam_room = std::max(24.f, free - words_height - 0.4f * lines.size);
  // On paper, where no beam leaves the first line, nothing is kept free above it.
  const bool flat = paper && row.query >= 0 && lines.words[static_cast<std::size_t>(row.query)].line > 0;
  const float beam_height =
      flat ? 0 : std::min({beam_room, (paper ? 0.45f : 0.32f) * window.h, 0.3f * window.w});
  const float spare = beam_room - beam_height;
  const float first_line =
      window.y + header + (paper ? 0.36f : 0.55f) * spare + beam_height + 0.4f * lines.size + step / 2;

  const float reach = std::max(200.f, 0.56f * window.w);
  const bool one_line = lines.widths.size() < 2;
  const float thick =
      std::min(std::clamp(size.unit, one_line ? 0.5f : 0.3f, 2.4f), lines.size / (one_line ? 34 : 44));
  const WordPlaces drawn{lines, window, first_line, beam_height, reach, thick};
  const auto box_of = [&](int i) { return drawn.box(i); };
  const auto place_of = [&](int query, int key) {
    return drawn.beam(query, key, row.weights[static_cast<std::size_t>(key)]);
  };

  // The light is behind the words. The other keys also have arcs, since the beam is not the whole truth.
  if (row.key >= 0) {
    places.beam = place_of(row.query, row.key);
    const bool leaves = look.last.there && look.last != places.beam;
    const BeamPlace now = between(look.before, leaves ? look.last : places.beam, look.moved);
    const Light light = light_of(t, now, thick, look.drawn);
    if (look.drawn > 0) draw_halo(pen, light, 46 * thick);
    const Color idle = t.dark ? t.dim : t.text;
    for (int i = 0; i < static_cast<int>(row.weights.size()); ++i) {
      const float weight = row.weights[static_cast<std::size_t>(i)];
      const PlacedWord &from = lines.words[static_cast<std::size_t>(row.query)],
                       &to = lines.words[static_cast<std::size_t>(i)];
      // Only the beam leads to the words of another line.
      if (i == row.key || !(weight >= least_weight) || !to.shown || !from.shown || to.line != from.line)
        continue;
      const float strength = (0.22f + 0.5f * std::sqrt(weight)) * look.drawn * (0.3f + 0.7f * look.moved);
      pen.canvas.polyline(place_of(row.query, i).path, {draw::mix(t.window, idle, std::min(0.8f, strength)),
                                                        std::max(1.f, 22 * weight * thick)});
    }
    if (look.drawn > 0) draw_layer(pen, light, 0, 1);
  }

  const Color lit = draw::color_of(t, draw::Colormap::weight, 0.96f, 0, 1);
  for (int i = 0; i < static_cast<int>(lines.words.size()); ++i) {
    const PlacedWord& word = lines.words[static_cast<std::size_t>(i)];
    if (!word.shown) continue;
    const Box box = box_of(i);
    const bool over = pen.hover && pen.hover->mark.part == Part::query_token && pen.hover->mark.query == i;
    const Color color = i == row.query ? t.query : i == row.key ? lit : over ? t.text : t.dim;
    const float half_gap = 0.14f * lines.size;
    pen.canvas.mark({.part = Part::query_token,
                     .query = i,
                     .name = "word " + std::to_string(i),
                     .area = {box.x - half_gap, box.y, box.w + 2 * half_gap, box.h}});
    const TextStyle style = views::literal(views::strong_style(color, lines.size));
    pen.canvas.text({box.x, box.centre().y}, word.text, style);
    const float thickness = std::max(2.f, 0.06f * lines.size), under = box.centre().y + 0.62f * lines.size;
    if (i == row.query) pen.canvas.rect({box.x, under, box.w, thickness}, t.query, thickness / 2);
    if (i == row.key)
      pen.canvas.rect({box.x, under + (i == row.query ? 1.6f * thickness : 0), box.w, thickness}, t.key,
                      thickness / 2);
    if (views::unknown_token(in, i) && i != row.query && i != row.key)
      views::mark_unknown(pen, {box.x, box.centre().y}, box.w, lines.size);
    pen.canvas.mark({});
  }

  for (std::size_t i = 0; i < lines.cut.size(); ++i) {
    if (!lines.cut[i]) continue;
    const float left = drawn.left(static_cast<int>(i)), away = 0.35f * lines.size;
    const Point at{lines.leftwards ? left - away : left + lines.widths[i] + away,
                   first_line + step * static_cast<float>(i)};
    pen.canvas.text(
        at, "…",
        views::aligned(views::strong_style(t.dim, lines.size), lines.leftwards ? Align::right : Align::left));
  }
  float y = first_line - step / 2 + words_height;
  if (look.editing) {
    const float wide = std::min(inner.w, std::max(420.f, 0.6f * window.w));
    places.field = {window.centre().x - wide / 2, y, wide, choice_height};
  } else if (choice_row > 0) {
    const Box word = box_of(choice.token);
    draw_choice(pen, {word.centre().x, y + choice_height / 2}, choice_height,
                std::max(13.f, 0.85f * size.button), choice.second, inner);
  }
  y += choice_row + 0.6f * gap + 0.75f * size.finding;
  write_runs(pen, {window.centre().x, y}, finding_runs(in), size.finding, inner.w);
  y += 0.75f * size.finding + 0.3f * gap + note_line / 2;
  if (!hint.empty()) notes.push_back(hint);
  for (const std::string& line : notes) {
    const std::string shown = draw::fit_text(pen.canvas, line, quiet, inner.w);
    pen.canvas.text({window.centre().x, y}, shown, views::aligned(quiet, Align::centre));
    y += note_line;
  }
  if (paper) return places;

  y += 1.2f * gap - note_line / 2 + std::min(0.2f * spare, 0.05f * window.h);
  const TextStyle label = views::strong_style(t.text, size.button);
  std::array<float, 3> widths{};
  const float between_buttons = std::max(8.f, 15 * size.unit);
  float wide = 2 * between_buttons;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    widths[i] = pen.canvas.text_width(first_start_controls[i].label, label) + 2.8f * size.button;
    wide += widths[i];
  }
  float x = window.centre().x - wide / 2;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const FirstStartControl& control = first_start_controls[i];
    draw_button(pen, {x, y, widths[i], button}, {control.name, control.label, control.note, i == 0},
                size.button);
    x += widths[i] + between_buttons;
  }

  const FirstStartControl& laboratory = first_start_controls[3];
  const float words = pen.canvas.text_width(laboratory.label, quiet);
  const float line = window.bottom() - foot + 0.6f * size.note;
  const Box box{window.centre().x - words / 2 - size.note, line - size.note, words + 2 * size.note,
                2.6f * size.note};
  pen.canvas.mark({.part = Part::control, .note = laboratory.note, .name = laboratory.name, .area = box});
  TextStyle open = views::aligned(quiet, Align::centre);
  if (pen.over(laboratory.name)) open.color = t.text;
  pen.canvas.text({window.centre().x, line}, laboratory.label, open);
  const float arm = 0.38f * size.note;
  const Point tip{window.centre().x, line + 1.25f * size.note};
  const Point chevron[] = {{tip.x - arm, tip.y - arm}, tip, {tip.x + arm, tip.y - arm}};
  pen.canvas.polyline(chevron, {open.color, std::max(1.5f, 1.6f * size.unit)});
  pen.canvas.mark({});
  return places;
}

}  // namespace headlight::app
