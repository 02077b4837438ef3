#include "teach/view/lesson_panel.h"

#include <algorithm>
#include <vector>

#include "base/capitals.h"
#include "kit/words.h"
#include "teach/view/lesson_foot.h"
#include "teach/view/lesson_text.h"

namespace headlight::views {

namespace {

constexpr float design_width = 545;  // width of the panel that the sizes below are made for
constexpr float words_size_wanted = 25, title_ratio = 1.65f, least_title = 16;
constexpr float least_words = 10.5f;  // smallest type: text that does not fit scrolls
constexpr float foot_part = 1.15f;    // its type is about 0.6 as large as that of the words
constexpr float foot_height = 92, least_foot = 72, least_field = 28;
constexpr float least_lines = 2, least_controls = 44;  // beside what a step asks
constexpr float more_height = 20, more_line = 26,
                more_gap = 4;  // of the button that scrolls, and of its line

scene::WordRun plain(std::string text) {
  return {.text = std::move(text)};
}

/// The parts of a step, from the top: where there is no room for all of them, the last ones stay in place and
/// those above scroll.
enum class From { words, prediction, answer, question, task, next, end };

/// Everything above the bottom bar, at one size of type.
class Body {
 public:
  /// `notes`: the lecturer’s notes stand in the place of the words.
  Body(const Pen& pen, const LessonPanel& panel, float size, bool draw, int heading_lines, bool notes = false)
      : pen_(pen), panel_(panel), size_(size), draw_(draw), heading_lines_(heading_lines), notes_(notes) {}

  /// The parts from `first` up to `end`, which is not among them. Returns the height.
  float put(Box box, From first = From::words, From end = From::end) {
    at_ = box, top_ = box.y;
    const auto has = [&](From part) { return first <= part && part < end; };
    if (has(From::words)) notes_ ? notes() : all_words();
    if (has(From::prediction) && !panel_.predict.empty()) prediction();
    if (has(From::answer)) {
      for (const Runs& paragraph : panel_.reveal) {
        text(paragraph, words());
        skip(size_ * 0.62f);
      }
    }
    if (has(From::question) && !panel_.question.empty()) question();
    if (has(From::task) && !panel_.task.empty()) task();
    if (has(From::next) && !panel_.next_lesson.empty() && !panel_.hall) next_lesson();
    return at_.y - top_;
  }
  /// The area of the field in which the prediction is typed; empty: none.
  const Box& guess() const { return guess_; }
  /// Where text ends that continues below `bottom`: no line is cut, and no box around a question or a task,
  /// unless it is as high as the area from `top` on.
  float fold(float top, float bottom) const {
    float out = bottom;
    for (const Box& box : boxes_) {
      const bool cut = box.y < bottom && box.bottom() > bottom;
      if (cut && box.y > top + size_ && box.h <= bottom - top) out = std::min(out, box.y - size_ * 0.3f);
    }
    for (const Box& line : lines_) {
      const bool cut = line.y < bottom && line.bottom() > bottom;
      if (cut && line.y > top + size_) out = std::min(out, line.y);
    }
    return out;
  }

 private:
  /// Which lesson and step it is, the sentence, and the paragraphs.
  void all_words() {
    heading();
    text(panel_.title, {.size = size_ <= least_words ? least_title : size_ * title_ratio,
                        .leading = 1.16f,
                        .color = pen_.theme.text,
                        .strong = true});
    skip(size_ * 0.9f);
    if (!panel_.sentence.empty()) sentence();
    for (const Runs& paragraph : panel_.words) {
      text(paragraph, words());
      skip(size_ * 0.62f);
    }
  }
  /// A card with the lecturer’s notes.
  void notes() {
    boxed({0, 0, 0, 0}, [&] {
      const float size = std::max(size_ * 0.7f, 10.f);
      const draw::TextStyle style = strong_style(pen_.theme.dim, size);
      if (draw_)
        pen_.canvas.text({at_.x, at_.y + size * 0.6f},
                         draw::fit_text(pen_.canvas, "NOTES, N HIDES THEM", style, at_.w), style);
      skip(size * 1.6f);
      text({plain(panel_.notes)}, boxed_words());
    });
  }
  LessonText words() const {
    return {
        .size = size_, .color = draw::mix(pen_.theme.text, pen_.theme.dim, 0.35f), .alpha = panel_.appeared};
  }
  void skip(float height) { at_.cut_top(height); }
  /// The width of the rule at the left of a sentence or a box.
  float rule() const { return std::max(size_ * 0.12f, 2.f); }
  void text(const Runs& runs, LessonText look) {
    look.alpha = panel_.appeared;
    const float height = lesson_text(pen_, at_, runs, look, draw_), line = look.size * look.leading;
    for (float y = 0; y + line * 0.5f < height; y += line) lines_.push_back({at_.x, at_.y + y, at_.w, line});
    at_.cut_top(height);
  }

  /// The sentence as typed, with a rule at its left: the class makes predictions from it.
  void sentence() {
    const float indent = std::max(size_ * 0.48f, 8.f);
    constexpr int most = 4;
    const draw::TextStyle style =
        words_style(draw::faded(pen_.theme.text, panel_.appeared), std::max(size_, least_words));
    const float height =
        paragraph(pen_, {at_.x + indent, at_.y}, at_.w - indent, panel_.sentence, style, most, draw_);
    if (draw_)
      pen_.canvas.rect({at_.x, at_.y, rule(), height}, draw::faded(pen_.theme.border, panel_.appeared),
                       rule() / 2);
    skip(height + size_ * 0.62f);
  }

  /// Which lesson it is; on one line without its title.
  void heading() {
    if (heading_lines_ == 0) return;
    const float size = std::max(size_ * 0.56f, 12.f);
    std::string capitals = base::capitals(panel_.heading);
    if (heading_lines_ == 1) capitals.resize(std::min(capitals.size(), capitals.find(" · ")));
    const draw::TextStyle style = strong_style(pen_.theme.dim, size);
    for (const std::string& line : wrap(pen_, capitals, style, at_.w, 2)) {
      if (draw_)
        pen_.canvas.text({at_.x, at_.y + size * 0.6f}, draw::fit_text(pen_.canvas, line, style, at_.w),
                         style);
      skip(size * 1.4f);
    }
    skip(size * 0.7f);
  }

  /// A plain card around the text that `inside` draws.
  template <class Inside>
  void boxed(draw::Color bar, Inside inside) {
    const float margin = size_ * 0.85f;
    const Box outer = at_;
    // Measured first: the background is below the text.
    const bool draw = std::exchange(draw_, false);
    at_ = {outer.x + margin, outer.y + margin * 0.8f, outer.w - 2 * margin, outer.h};
    inside();
    const float height = at_.y - outer.y + margin * 0.8f;
    draw_ = draw;
    if (draw_) {
      pen_.canvas.rect({outer.x, outer.y, outer.w, height}, pen_.theme.field, size_ * 0.4f);
      if (bar.a > 0)
        pen_.canvas.rect({outer.x, outer.y + margin * 0.5f, rule(), height - margin}, bar, rule() / 2);
      at_ = {outer.x + margin, outer.y + margin * 0.8f, outer.w - 2 * margin, outer.h};
      inside();
    }
    boxes_.push_back({outer.x, outer.y, outer.w, height});
    at_ = outer;
    skip(height + size_ * 0.75f);
  }

  LessonText boxed_words() const {
    LessonText look = words();
    look.size *= 0.9f, look.color = pen_.theme.text;
    return look;
  }

  void prediction() {
    boxed(pen_.theme.accent, [&] {
      text(panel_.predict, boxed_words());
      if (panel_.hall) return;
      if (!panel_.covered) {
        if (panel_.guess.empty()) return;
        skip(size_ * 0.3f);
        LessonText quiet = boxed_words();
        quiet.color = pen_.theme.dim;
        return text({plain("Your prediction: "), {.text = panel_.guess, .emphasis = scene::Emphasis::bold}},
                    quiet);
      }
      skip(size_ * 0.5f);
      guess_ = {at_.x, at_.y, at_.w, std::max(least_field, size_ * 1.7f)};
      skip(guess_.h + size_ * 0.4f);
      const Runs hint = {{.text = panel_.typing ? "Enter" : "Space", .emphasis = scene::Emphasis::button},
                         plain(" reveals the answer")};
      if (draw_) {
        pen_.canvas.mark({.part = Part::control,
                          .note = "reveal what is covered",
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
      pen_.canvas.mark({.part = Part::control,
                        .note = "answer " + std::to_string(i + 1),
                        .name = name,
                        .area = box,
                        .item = i});
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
      if (done) runs.push_back(plain("the task was to "));  // what follows is an imperative
      runs.insert(runs.end(), panel_.task.begin(), panel_.task.end());
      text(runs, boxed_words());
    });
  }

  void next_lesson() {
    const Box outer = at_;
    const draw::Theme& theme = pen_.theme;
    LessonText look = boxed_words();
    look.strong = true;
    const float margin = size_ * 0.7f;
    const Runs runs = {plain("Next lesson: " + panel_.next_lesson + " →")};
    const Box inside{at_.x + margin, at_.y + margin * 0.7f, at_.w - 2 * margin, at_.h};
    const float height = lesson_text(pen_, inside, runs, look, false) + 1.4f * margin;
    if (draw_) {
      const Box box{outer.x, outer.y, outer.w, height};
      pen_.canvas.mark({.part = Part::control, .note = "Enter opens it", .name = "next lesson", .area = box});
      pen_.canvas.rect(box, pen_.over("next lesson") ? theme.field_hover : theme.field, size_ * 0.4f);
      pen_.canvas.frame(box, {theme.border, 1}, size_ * 0.4f);
      lesson_text(pen_, inside, runs, look);
      pen_.canvas.mark({});
    }
    skip(height + size_ * 0.5f);
  }

  const Pen& pen_;
  const LessonPanel& panel_;
  float size_;
  bool draw_;
  int heading_lines_;
  bool notes_;
  Box at_, guess_;
  std::vector<Box> boxes_, lines_;
  float top_ = 0;
};

/// From where on a step that has no room for all of it stays on view: as much as leaves some lines for the
/// words above, and in any case what the step asks.
From what_stays(const Pen& pen, const LessonPanel& panel, float size, Box rest) {
  const float least = more_line + 2 * least_lines * size * 1.45f;
  const auto fits = [&](From from) {
    const float height = Body(pen, panel, size, false, 0).put(rest, from);
    const bool there = from == From::prediction ? !panel.predict.empty()
                       : from == From::answer   ? !panel.reveal.empty()
                       : from == From::question ? !panel.question.empty()
                                                : !panel.task.empty();
    return there && height + least <= rest.h;
  };
  const From asks = panel.covered                                 ? From::prediction
                    : !panel.question.empty() && panel.chosen < 0 ? From::question
                                                                  : From::end;
  for (const From from : {From::prediction, From::answer, From::question, From::task}) {
    if (from <= asks && fits(from)) return from;
  }
  return asks;
}

}  // namespace

float lesson_panel_width(float window_width) {
  return std::clamp(window_width * 0.34f, std::min(280.f, window_width * 0.5f), 1400.f);
}

LessonPlaces lesson_panel(const Pen& pen, Box box, const LessonPanel& panel) {
  pen.canvas.rect(box, pen.theme.panel);
  pen.canvas.rect({box.right() - 1, box.y, 1, box.h}, pen.theme.border);
  const float part = box.w / design_width;
  const float big = std::max(1.f, foot_part * part);
  const float side = std::max(56 * part, 18.f), top = std::max(std::min(64 * part, box.h * 0.064f), 18.f);
  Box rest{box.x + side, box.y + top, box.w - 2 * side, box.h - top};
  const Box below = rest.cut_bottom(
      panel.hall ? top : std::clamp(box.h * 0.13f, least_foot, foot_height * std::max(1.f, part)));
  LessonPlaces places;
  if (panel.controls > 0) {
    places.controls = rest.cut_bottom(std::min(panel.controls, rest.h * 0.5f));
    rest.cut_bottom(10);
  }
  // As large as the width suggests; smaller while the words do not fit.
  float size = std::max(least_words, words_size_wanted * part);
  constexpr int whole_heading = 2;  // lines
  int heading = whole_heading;
  const float wanted_size = size;
  // In a low window, where their sheet would lie over what the step asks, notes take the place of the words.
  bool notes_instead = false;
  const auto body_of = [&](bool draw) { return Body(pen, panel, size, draw, heading, notes_instead); };
  const auto sheet = [&](bool draw) {
    return notes_instead ? 0 : lesson_notes(pen, rest, panel, size, draw);
  };
  const auto fits = [&] {
    // Where room is short, the space below the last box is not needed.
    const float after = heading < whole_heading ? size * 0.5f : 0;
    places.needed = body_of(false).put(rest) - after;
    return places.needed + sheet(false) <= rest.h;
  };
  const auto shrink = [&] {
    while (!fits() && size > least_words) size = std::max(least_words, size * 0.96f);
  };
  shrink();
  // The step comes before the lesson's name where that makes room for all of it.
  while (!fits() && heading > 0) --heading;
  if (!fits()) {
    heading = whole_heading;
    notes_instead = sheet(false) > 0;
    if (notes_instead) size = wanted_size;
    shrink();
  }
  rest.cut_bottom(std::min(sheet(true), rest.h * 0.6f));
  // A question, with its field or its choices, is on view before the paragraphs have their room.
  const bool scrolls = places.needed > rest.h + 1;
  From kept = From::end;
  if (scrolls) {
    kept = what_stays(pen, panel, size, rest);
    const float least = more_line + least_lines * size * 1.45f;
    const auto height = [&](From from) {
      if (from == From::end) return 0.f;
      return std::max(0.f, Body(pen, panel, size, false, 0).put(rest, from) - size * 0.5f);
    };
    // The settings of the step make room for what it asks, and scroll.
    const float lacks = height(kept) + least - rest.h;
    if (lacks > 0 && places.controls.h > 0) {
      const float given = std::clamp(places.controls.h - least_controls, 0.f, lacks);
      places.controls.cut_top(given), rest.h += given;
    }
    const Box stays = rest.cut_bottom(std::clamp(height(kept), 0.f, std::max(0.f, rest.h - least)));
    if (kept < From::end) {
      Body body(pen, panel, size, true, 0);
      pen.canvas.push_clip({box.x, stays.y, box.w, stays.h});
      body.put(stays, kept);
      pen.canvas.pop_clip();
      places.stays = stays;
      if (body.guess().bottom() <= stays.bottom()) places.guess = body.guess();
    }
    // The name of the lesson is the first to go.
    if (kept < From::end) heading = rest.h < 8 * size ? 0 : 1;
    places.needed = body_of(false).put(rest, From::words, kept);
  }
  // The button has its own line below text that scrolls, so it covers none of it.
  const bool more_below = scrolls && places.needed > rest.h + 1;
  const Box line = rest.cut_bottom(more_below ? std::min(more_line, rest.h * 0.5f) : 0);
  places.words = rest;
  const Box at{rest.x, rest.y - panel.scroll, rest.w, rest.h};
  float bottom = rest.bottom();
  if (more_below) {
    Body measured = body_of(false);
    measured.put(at, From::words, kept);
    bottom = measured.fold(rest.y, bottom);
  }
  places.shown = bottom - rest.y;
  const Box clip{box.x, rest.y - 6, box.w, bottom - rest.y + (scrolls ? 6.f : 12.f)};
  pen.canvas.push_clip(clip);
  Body body = body_of(true);
  body.put(at, From::words, kept);
  if (body.guess().y >= rest.y && body.guess().bottom() <= bottom && body.guess().h > 0)
    places.guess = body.guess();
  pen.canvas.pop_clip();
  if (places.needed - panel.scroll > rest.h + 1)
    lesson_more(
        pen, {line.x, line.bottom() - more_height - (kept < From::end ? more_gap : 0), line.w, more_height});
  if (!panel.hall) lesson_foot(pen, below, big, panel);
  return places;
}

}  // namespace headlight::views
