#include "teach/view/lesson_foot.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kit/words.h"
#include "teach/view/lesson_text.h"

namespace headlight::views {

float lesson_notes(const Pen& pen, Box box, const LessonPanel& panel, float size, bool draw) {
  if (!panel.notes_shown || panel.notes.empty() || panel.hall) return 0;
  const float side = box.x, margin = size * 0.6f;  // the sheet goes to the panel's edge
  LessonText look{.size = std::max(size * 0.76f, 12.f), .color = pen.theme.text};
  const Runs words = {{.text = panel.notes}};
  const float heading = look.size * 1.5f;
  const float height = heading + lesson_text(pen, box, words, look, false) + 2 * margin;
  if (draw) {
    Box sheet{0, box.bottom() - height, box.w + 2 * side, height};
    pen.canvas.rect(sheet, pen.theme.field);
    pen.canvas.rect({sheet.x, sheet.y, sheet.w, 2}, pen.theme.border);
    Box inside{box.x, sheet.y + margin, box.w, height};
    const draw::TextStyle style = strong_style(pen.theme.dim, std::max(look.size * 0.8f, 12.f));
    pen.canvas.text({inside.x, inside.y + heading * 0.4f},
                    draw::fit_text(pen.canvas, "NOTES FOR THE LECTURER", style, inside.w), style);
    inside.cut_top(heading);
    lesson_text(pen, inside, words, look);
  }
  return height + margin;
}

void lesson_more(const Pen& pen, Box at) {
  const draw::TextStyle style = aligned(words_style(pen.theme.on_accent, small_size), Align::centre);
  const float width = pen.canvas.text_width("↓ more", style) + 18;
  const Box pill{at.right() - width, at.y, width, at.h};
  pen.canvas.mark({.part = Part::control, .note = "the rest of the step", .name = "more", .area = pill});
  pen.canvas.rect(pill, pen.theme.accent, at.h / 2);
  pen.canvas.text(pill.centre(), "↓ more", style);
  pen.canvas.mark({});
}

namespace {

/// `big`: scale on a large panel.
draw::Box key_button(const Pen& pen, Box box, float big, const char* sign, const char* name, const char* note,
                     bool works) {
  pen.canvas.mark({.part = Part::control, .note = note, .name = name, .area = box});
  pen.canvas.rect(box, pen.over(name) && works ? pen.theme.field_hover : pen.theme.field, 6 * big);
  pen.canvas.frame(box, {pen.theme.border, 1}, 6 * big);
  pen.canvas.text(box.centre(), sign,
                  aligned(words_style(works ? pen.theme.text : draw::faded(pen.theme.dim, 0.6f), 14 * big),
                          Align::centre));
  pen.canvas.mark({});
  return box;
}

/// An icon of two windows, one in front of the other: the lecturer's window.
void lecturer_button(const Pen& pen, Box box, float big) {
  key_button(pen, box, big, "", "lecturer",
             "a window for the lecturer on a second screen: notes, next step, clock (Shift + N)", true);
  const draw::Point c = box.centre();
  const draw::Stroke stroke{pen.theme.text, 1.25f * big};
  const float w = 11 * big, h = 8 * big;
  pen.canvas.frame({c.x - 1.5f * big, c.y - 6.5f * big, w, h}, stroke, 1.5f * big);
  const Box front{c.x - 9 * big, c.y - 1.5f * big, w, h};
  pen.canvas.rect(front, pen.over("lecturer") ? pen.theme.field_hover : pen.theme.field);
  pen.canvas.frame(front, stroke, 1.5f * big);
}

/// A plain word that acts as a button; right-aligned at `right`. Returns its width.
float word_button(const Pen& pen, float right, float middle, float big, const std::string& words,
                  const char* name) {
  const draw::TextStyle style = words_style(pen.over(name) ? pen.theme.text : pen.theme.dim, 13 * big);
  const float width = pen.canvas.text_width(words, style);
  pen.canvas.mark({.part = Part::control,
                   .name = name,
                   .area = {right - width - 4 * big, middle - 13 * big, width + 8 * big, 26 * big}});
  pen.canvas.text({right - width, middle}, words, style);
  pen.canvas.mark({});
  return width;
}

}  // namespace

void lesson_foot(const Pen& pen, Box box, float big, const LessonPanel& panel) {
  const draw::Theme& theme = pen.theme;
  const float middle = box.y + std::min(26 * big, box.h * 0.32f), key = 34 * big;
  Box button{box.x, middle - 14 * big, key, 28 * big};
  key_button(pen, button, big, "←", "previous step", "previous step (←, PageUp)", panel.step > 0);
  button.x += key + 8 * big;
  key_button(pen, button, big, "→", "next step", "next step (→, PageDown)", panel.step + 1 < panel.steps);
  const draw::TextStyle quiet = words_style(theme.dim, 13 * big);
  // The wording must fit beside the last step's number, and with a step's notes, so that it is the same in
  // all steps.
  const std::string of = " of " + std::to_string(panel.steps);
  const float where_wide = pen.canvas.text_width("step " + std::to_string(panel.steps) + of, quiet);
  const float least = 2 * key + 8 * big + 14 * big + where_wide + 16 * big +
                      pen.canvas.text_width("explore", quiet) + 36 * big;
  if (least + key + 8 * big <= box.w) {
    button.x += key + 8 * big;
    lecturer_button(pen, button, big);
  }
  const float where = button.right() + 14 * big;
  // As many words as there is room for; keys do everything.
  struct Words {
    const char *step, *explore, *notes, *leave, *edit;
  };
  const Words shorter[] = {{"step ", "Esc to explore freely", "notes", "leave", "Esc back to the editor"},
                           {"step ", "Esc to explore", "notes", "leave", "Esc back to the editor"},
                           {"step ", "Esc explore", "notes", "leave", "Esc to the editor"},
                           {"step ", "explore", "notes", "leave", "Esc to the editor"},
                           {"", "explore", "notes", "leave", "Esc edit"},
                           {"", "explore", "N", "leave", "Esc edit"},
                           {"", "explore", "", "leave", "edit"},
                           {"", "", "", "leave", "edit"}};
  for (const Words& words : shorter) {
    const bool last = &words == &shorter[std::size(shorter) - 1];
    const std::string notes = panel.notes_shown && words.notes[0] == 'n' ? "hide notes" : words.notes;
    const std::pair<std::string, const char*> buttons[] = {
        {panel.trying ? "" : words.explore, "explore"},
        {notes, "notes"},
        {panel.trying ? words.edit : words.leave, "leave lesson"}};
    float right = box.right();
    for (const auto& [says, name] : buttons) {
      if (!says.empty()) right -= pen.canvas.text_width(says, quiet) + 18 * big;
    }
    const float left =
        where + pen.canvas.text_width(words.step + std::to_string(panel.steps) + of, quiet) + 16 * big;
    if (right + 18 * big < left && !last) continue;
    pen.canvas.text({where, middle}, words.step + std::to_string(panel.step + 1) + of, quiet);
    right = box.right();
    for (const auto& [says, name] : buttons) {
      if (says.empty() || (name == buttons[1].second && panel.notes.empty())) continue;
      right -= word_button(pen, right, middle, big, says, name) + 18 * big;
    }
    break;
  }

  const float gap = panel.steps > 24 ? 2.f : 5 * big, count = static_cast<float>(panel.steps);
  const float width = (box.w - gap * (count - 1)) / count;
  for (int i = 0; i < panel.steps; ++i) {
    const Box dot{box.x + static_cast<float>(i) * (width + gap), middle + 29 * big, width, 5 * big};
    pen.canvas.mark({.part = Part::control,
                     .note = "step " + std::to_string(i + 1),
                     .name = "step " + std::to_string(i + 1),
                     .area = {dot.x, dot.y - 8, dot.w, dot.h + 16},
                     .item = i});
    pen.canvas.rect(dot, i <= panel.step ? theme.accent : theme.faint, dot.h / 2);
    pen.canvas.mark({});
  }
}

}  // namespace headlight::views
