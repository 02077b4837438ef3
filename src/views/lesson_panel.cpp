#include "views/lesson_panel.h"

#include <algorithm>

#include "views/lesson_text.h"

namespace headlight::views {

using draw::Align;
using draw::Box;
using draw::Part;

namespace {

constexpr float design_width = 545;  // of the panel that the sizes below are made for
constexpr float words_size_wanted = 21, title_ratio = 1.85f, least_title = 18;
constexpr float least_words = 12.5f;  // smaller than this nothing is written: it scrolls
constexpr float foot_height = 92;

scene::WordRun plain(std::string text) {
  return {.text = std::move(text)};
}

/// Everything above the foot at one size of type.
class Body {
 public:
  Body(const Pen& pen, const LessonPanel& panel, float size, bool draw)
      : pen_(pen), panel_(panel), size_(size), draw_(draw) {}

  /// Returns the height.
  float put(Box box) {
    at_ = box, top_ = box.y;
    heading();
    text(panel_.title, {.size = size_ <= least_words ? least_title : size_ * title_ratio,
                        .leading = 1.16f,
                        .color = pen_.theme.text,
                        .strong = true});
    skip(size_ * 0.9f);
    for (const Runs& paragraph : panel_.words) {
      text(paragraph, words());
      skip(size_ * 0.62f);
    }
    if (!panel_.predict.empty()) prediction();
    if (!panel_.question.empty()) question();
    if (!panel_.task.empty()) task();
    if (panel_.notes_shown && !panel_.notes.empty()) notes();
    return at_.y - top_;
  }

 private:
  LessonText words() const {
    return {
        .size = size_, .color = draw::mix(pen_.theme.text, pen_.theme.dim, 0.35f), .alpha = panel_.appeared};
  }
  void skip(float height) { at_.cut_top(height); }
  void text(const Runs& runs, LessonText look) {
    look.alpha = panel_.appeared;
    at_.cut_top(lesson_text(pen_, at_, runs, look, draw_));
  }

  void heading() {
    const float size = std::clamp(size_ * 0.56f, 9.5f, 15.f);
    std::string capitals;
    for (const char c : panel_.heading) capitals += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    const draw::TextStyle style = strong_style(pen_.theme.dim, size);
    for (const std::string& line : wrap(pen_, capitals, style, at_.w, 2)) {
      if (draw_)
        pen_.canvas.text({at_.x, at_.y + size * 0.6f}, draw::fit_text(pen_.canvas, line, style, at_.w),
                         style);
      skip(size * 1.4f);
    }
    skip(size * 0.7f);
  }

  /// A quiet card around what `inside` writes.
  template <class Inside>
  void boxed(draw::Color bar, Inside inside) {
    const float margin = size_ * 0.85f;
    const Box outer = at_;
    // Measured first: the ground lies beneath.
    const bool draw = std::exchange(draw_, false);
    at_ = {outer.x + margin, outer.y + margin * 0.8f, outer.w - 2 * margin, outer.h};
    inside();
    const float height = at_.y - outer.y + margin * 0.8f;
    draw_ = draw;
    if (draw_) {
      pen_.canvas.rect({outer.x, outer.y, outer.w, height}, pen_.theme.field, size_ * 0.4f);
      if (bar.a > 0) pen_.canvas.rect({outer.x, outer.y + margin * 0.5f, 3, height - margin}, bar, 1.5f);
      at_ = {outer.x + margin, outer.y + margin * 0.8f, outer.w - 2 * margin, outer.h};
      inside();
    }
    at_ = outer;
    skip(height + size_ * 0.75f);
  }

  LessonText boxed_words() const {
    LessonText look = words();
    look.size *= 0.9f, look.color = pen_.theme.text;
    return look;
  }

  void prediction() {
    boxed(pen_.theme.offset, [&] {
      text(panel_.predict, boxed_words());
      skip(size_ * 0.3f);
      const Runs hint = {{.text = "Space", .emphasis = scene::Emphasis::button}, plain(" shows it")};
      if (draw_) {
        pen_.canvas.mark({.part = Part::control,
                          .note = "show what is covered",
                          .name = "reveal",
                          .area = {at_.x, at_.y, at_.w, size_ * 1.3f}});
      }
      LessonText quiet = boxed_words();
      quiet.size *= 0.9f, quiet.color = pen_.theme.dim;
      text(hint, quiet);
      if (draw_) pen_.canvas.mark({});
    });
  }

  void question() {
    boxed({0, 0, 0, 0}, [&] {
      LessonText look = boxed_words();
      look.strong = true;
      text(panel_.question, look);
      skip(size_ * 0.35f);
      for (std::size_t i = 0; i < panel_.choices.size(); ++i) choice(static_cast<int>(i));
      if (panel_.chosen >= 0 && !panel_.why.empty()) {
        skip(size_ * 0.2f);
        text(panel_.why, boxed_words());
      }
    });
  }

  void choice(int i) {
    const draw::Theme& theme = pen_.theme;
    const Runs& runs = panel_.choices[static_cast<std::size_t>(i)];
    const bool answered = panel_.chosen >= 0, right = answered && i == panel_.answer,
               wrong = answered && i == panel_.chosen && i != panel_.answer;
    const std::string name = "choice " + std::to_string(i + 1);
    LessonText look = boxed_words();
    look.size *= 0.96f;
    const float sign = size_ * 1.45f, margin = size_ * 0.34f;
    Box inside{at_.x + sign, at_.y + margin, at_.w - sign - margin, at_.h};
    const float height = lesson_text(pen_, inside, runs, look, false) + 2 * margin;
    const Box box{at_.x, at_.y, at_.w, height};
    if (draw_) {
      pen_.canvas.mark(
          {.part = Part::control, .note = "answer " + std::to_string(i + 1), .name = name, .area = box});
      pen_.canvas.rect(box, pen_.over(name) && !answered ? theme.field_hover : theme.panel, size_ * 0.3f);
      pen_.canvas.frame(box,
                        {right   ? theme.good
                         : wrong ? theme.bad
                                 : theme.border,
                         right || wrong ? 2.f : 1.f},
                        size_ * 0.3f);
      const std::string letter = right ? "✓" : wrong ? "×" : std::string(1, static_cast<char>('A' + i));
      pen_.canvas.text({at_.x + sign / 2, at_.y + margin + look.size * look.leading / 2}, letter,
                       aligned(strong_style(right   ? theme.good
                                            : wrong ? theme.bad
                                                    : theme.dim,
                                            look.size),
                               Align::centre));
      lesson_text(pen_, inside, runs, look);
      pen_.canvas.mark({});
    }
    skip(height + size_ * 0.28f);
  }

  void task() {
    const bool done = panel_.task_done;
    boxed(done ? pen_.theme.good : pen_.theme.accent, [&] {
      Runs runs = {{.text = done ? "Done ✓ " : "Try it: ", .emphasis = scene::Emphasis::bold}};
      runs.insert(runs.end(), panel_.task.begin(), panel_.task.end());
      text(runs, boxed_words());
    });
  }

  void notes() {
    boxed(pen_.theme.dim, [&] {
      LessonText look = boxed_words();
      look.size = std::max(look.size * 0.86f, 11.f), look.color = pen_.theme.dim;
      text({{.text = "Notes ", .emphasis = scene::Emphasis::bold}, plain(panel_.notes)}, look);
    });
  }

  const Pen& pen_;
  const LessonPanel& panel_;
  float size_;
  bool draw_;
  Box at_;
  float top_ = 0;
};

/// There is more below: a click goes there, as the wheel does.
void more(const Pen& pen, Box at) {
  const draw::TextStyle style = aligned(words_style(pen.theme.on_accent, small_size), Align::centre);
  const float width = pen.canvas.text_width("↓ more", style) + 18;
  const Box pill{at.right() - width, at.y, width, at.h};
  pen.canvas.mark({.part = Part::control, .note = "the rest of the step", .name = "more", .area = pill});
  pen.canvas.rect(pill, pen.theme.accent, at.h / 2);
  pen.canvas.text(pill.centre(), "↓ more", style);
  pen.canvas.mark({});
}

draw::Box key_button(const Pen& pen, Box box, const char* sign, const char* name, const char* note,
                     bool works) {
  pen.canvas.mark({.part = Part::control, .note = note, .name = name, .area = box});
  pen.canvas.rect(box, pen.over(name) && works ? pen.theme.field_hover : pen.theme.field, 6);
  pen.canvas.frame(box, {pen.theme.border, 1}, 6);
  pen.canvas.text(box.centre(), sign,
                  aligned(words_style(works ? pen.theme.text : pen.theme.faint, 14), Align::centre));
  pen.canvas.mark({});
  return box;
}

/// A quiet word that acts; right-aligned at `right`. Returns the width taken.
float word_button(const Pen& pen, float right, float middle, const std::string& words, const char* name) {
  const draw::TextStyle style = words_style(pen.over(name) ? pen.theme.text : pen.theme.dim, 13);
  const float width = pen.canvas.text_width(words, style);
  pen.canvas.mark(
      {.part = Part::control, .name = name, .area = {right - width - 4, middle - 13, width + 8, 26}});
  pen.canvas.text({right - width, middle}, words, style);
  pen.canvas.mark({});
  return width;
}

void foot(const Pen& pen, Box box, const LessonPanel& panel) {
  const draw::Theme& theme = pen.theme;
  const float middle = box.y + 26;
  key_button(pen, {box.x, middle - 14, 34, 28}, "←", "previous step", "the step before (←, PageUp)",
             panel.step > 0);
  key_button(pen, {box.x + 42, middle - 14, 34, 28}, "→", "next step", "the next step (→, PageDown)",
             panel.step + 1 < panel.steps);
  const std::string where = "step " + std::to_string(panel.step + 1) + " of " + std::to_string(panel.steps);
  const draw::TextStyle quiet = words_style(theme.dim, 13);
  float left = box.x + 90;
  pen.canvas.text({left, middle}, where, quiet);
  left += pen.canvas.text_width(where, quiet) + 16;
  // As much of the rest as there is room for; keys do all of it.
  float right = box.right();
  const auto offer = [&](std::initializer_list<const char*> wordings, const char* name) {
    for (const char* words : wordings) {
      if (right - pen.canvas.text_width(words, quiet) < left) continue;
      right -= word_button(pen, right, middle, words, name) + 18;
      return;
    }
  };
  offer({"Esc to explore freely", "Esc explores", "Esc"}, "explore");
  if (!panel.notes.empty()) offer({panel.notes_shown ? "hide notes" : "notes", "N"}, "notes");
  offer({"leave"}, "leave lesson");

  const float gap = panel.steps > 24 ? 2.f : 5.f, count = static_cast<float>(panel.steps);
  const float width = (box.w - gap * (count - 1)) / count;
  for (int i = 0; i < panel.steps; ++i) {
    const Box dot{box.x + static_cast<float>(i) * (width + gap), middle + 29, width, 5};
    pen.canvas.mark({.part = Part::control,
                     .note = "step " + std::to_string(i + 1),
                     .name = "step " + std::to_string(i + 1),
                     .area = {dot.x, dot.y - 8, dot.w, 21}});
    pen.canvas.rect(dot, i <= panel.step ? theme.accent : theme.faint, 2.5f);
    pen.canvas.mark({});
  }
}

}  // namespace

float lesson_panel_width(float window_width) {
  return std::clamp(window_width * 0.34f, std::min(280.f, window_width * 0.5f), 820.f);
}

LessonPlaces lesson_panel(const Pen& pen, Box box, const LessonPanel& panel) {
  pen.canvas.rect(box, pen.theme.panel);
  pen.canvas.rect({box.right() - 1, box.y, 1, box.h}, pen.theme.border);
  const float part = box.w / design_width;
  const float side = std::clamp(56 * part, 18.f, 84.f), top = std::clamp(64 * part, 18.f, 84.f);
  Box rest{box.x + side, box.y + top, box.w - 2 * side, box.h - top};
  const Box below = rest.cut_bottom(foot_height);
  LessonPlaces places;
  if (panel.controls > 0) {
    places.controls = rest.cut_bottom(std::min(panel.controls, rest.h * 0.5f));
    rest.cut_bottom(10);
  }
  // As large as the width suggests; smaller while the words do not fit.
  float size = std::max(least_words, words_size_wanted * part);
  places.needed = Body(pen, panel, size, false).put(rest);
  while (places.needed > rest.h && size > least_words) {
    size = std::max(least_words, size * 0.96f);
    places.needed = Body(pen, panel, size, false).put(rest);
  }
  places.words = rest;
  const Box clip{box.x, rest.y - 6, box.w, rest.h + 12};
  pen.canvas.push_clip(clip);
  Body(pen, panel, size, true).put({rest.x, rest.y - panel.scroll, rest.w, rest.h});
  pen.canvas.pop_clip();
  if (places.needed - panel.scroll > rest.h + 1) more(pen, {rest.x, rest.bottom() - 14, rest.w, 20});
  foot(pen, below, panel);
  return places;
}

}  // namespace headlight::views
