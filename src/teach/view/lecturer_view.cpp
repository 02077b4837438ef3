#include "teach/view/lecturer_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "teach/view/lecturer_words.h"
#include "teach/view/lesson_text.h"

namespace headlight::views {

namespace {

constexpr float lecturer_width = 1280, lecturer_height = 720;  // the size that the sizes below are made for

class LecturerPainter {
 public:
  LecturerPainter(const Pen& pen, const LecturerView& view, float large)
      : pen_(pen), theme_(pen.theme), view_(view), slide_(view.slide), large_(large) {}

  LecturerPlaces paint(Box box) {
    pen_.canvas.rect(box, theme_.window);
    places_.large = large_;
    const float margin = u(24);
    Box rest{box.x + margin, box.y, box.w - 2 * margin, box.h};
    head(rest.cut_top(u(84)));
    pen_.canvas.rect({box.x, rest.y, box.w, 1}, theme_.border);
    foot(rest.cut_bottom(u(76)));
    pen_.canvas.rect({box.x, rest.bottom(), box.w, 1}, theme_.border);
    rest.cut_top(u(18)), rest.cut_bottom(u(18));
    list(rest.cut_left(std::max(u(236), box.w * 0.19f)));
    rest.cut_left(u(24));
    pictures(rest.cut_right(pictures_width(rest, box.w * 0.31f)));
    rest.cut_right(u(24));
    step(rest);
    return places_;
  }

 private:
  float u(float units) const { return units * large_; }
  float type(float size) const { return std::max(least_lecturer_type, size * large_); }
  void word(draw::Point at, const std::string& words, const draw::TextStyle& style, float room = 1e9f) {
    pen_.canvas.text(at, draw::fit_text(pen_.canvas, words, style, room), style);
  }
  float wide(const std::string& words, const draw::TextStyle& style) {
    return pen_.canvas.text_width(words, style);
  }
  /// Lines as full as possible; the last of `most` may be too long.
  std::vector<std::string> full_lines(std::string words, const draw::TextStyle& style, float room,
                                      std::size_t most) {
    std::vector<std::string> out;
    while (out.size() + 1 < most && wide(words, style) > room) {
      std::size_t cut = words.find(' ');
      for (std::size_t blank = cut; blank != std::string::npos; blank = words.find(' ', blank + 1))
        if (wide(words.substr(0, blank), style) <= room) cut = blank;
      if (cut == std::string::npos) break;
      out.push_back(words.substr(0, cut));
      words.erase(0, cut + 1);
    }
    out.push_back(std::move(words));
    return out;
  }
  void label(Box& at, const std::string& words) { lecturer_heading(pen_, at, words, large_); }

  // At the top: the lesson, the step, the elapsed time, the time of day.
  void head(Box box) {
    const float upper = box.y + u(30), lower = box.y + u(61);
    const draw::TextStyle number = aligned(mono_style(theme_.text, type(30)), Align::right);
    const draw::TextStyle quiet = aligned(words_style(theme_.dim, type(14)), Align::right);
    float right = box.right();
    if (!view_.clock.empty()) {
      word({right, upper}, view_.clock, number);
      word({right, lower}, "time of day", quiet);
      right -= std::max(wide(view_.clock, number), wide("time of day", quiet)) + u(44);
    }
    const std::string elapsed = elapsed_words(view_.seconds);
    word({right, upper}, elapsed, number);
    // The button beside the words that name the start of the clock.
    const draw::TextStyle press =
        aligned(strong_style(pen_.over("reset clock") ? theme_.text : theme_.accent, type(14)), Align::right);
    const float button = wide("Reset", press);
    pen_.canvas.mark({.part = Part::control,
                      .note = "count from now",
                      .name = "reset clock",
                      .area = {right - button - u(8), lower - u(14), button + u(16), u(28)}});
    word({right, lower}, "Reset", press);
    pen_.canvas.mark({});
    const std::string since = view_.reset ? "since the reset" : "since the lesson began";
    word({right - button - u(14), lower}, since, quiet);
    right -= std::max(wide(elapsed, number), button + u(14) + wide(since, quiet)) + u(32);
    const float room = right - box.x;
    std::string step = "Step " + std::to_string(slide_.step + 1) + " of " + std::to_string(slide_.steps);
    if (view_.exploring) step += ", exploring";
    word({box.x, upper}, step, strong_style(theme_.text, type(24)), room);
    const bool stated = !view_.stated.empty();
    word({box.x, lower}, stated ? view_.stated : slide_.heading,
         words_style(stated ? theme_.text : theme_.dim, type(15)), room);
  }

  struct Push {
    std::string words, hint, name, note;
    bool primary = false, works = true;
  };
  float width_of(const Push& push, bool hints) {
    const float key =
        hints && !push.hint.empty() ? wide(push.hint, words_style(theme_.dim, type(14))) + u(9) : 0;
    return wide(push.words, strong_style(theme_.text, type(16))) + key + u(34);
  }
  void put(const Push& push, Box box, bool hints) {
    const bool lit = pen_.over(push.name) && push.works;
    const draw::Color ground = push.primary && push.works ? theme_.accent
                               : lit                      ? theme_.field_hover
                                                          : theme_.field;
    const draw::Color pale = draw::faded(theme_.dim, 0.6f);
    const draw::Color ink = !push.works ? pale : push.primary ? theme_.on_accent : theme_.text;
    pen_.canvas.mark({.part = Part::control, .note = push.note, .name = push.name, .area = box});
    pen_.canvas.rect(box, push.primary && lit ? draw::mix(ground, theme_.panel, 0.12f) : ground, u(8));
    if (!push.primary || !push.works) pen_.canvas.frame(box, {theme_.border, 1}, u(8));
    const float middle = box.y + box.h / 2, left = box.x + u(17);
    const draw::TextStyle strong = strong_style(ink, type(16));
    word({left, middle}, push.words, strong);
    if (hints && !push.hint.empty())
      word({box.right() - u(17), middle}, push.hint,
           aligned(words_style(push.primary ? draw::faded(ink, 0.75f)
                               : push.works ? theme_.dim
                                            : pale,
                               type(14)),
                   Align::right));
    pen_.canvas.mark({});
  }

  // At the bottom: the buttons for moving through the lesson.
  void foot(Box box) {
    const bool first = slide_.step == 0, last = slide_.step + 1 >= slide_.steps;
    std::vector<Push> left, right;
    if (view_.exploring) {
      left.push_back(
          {"Back to the step", "Enter", "back", "the class sees the step again, exactly as it was", true});
    } else {
      left.push_back({"← Previous", "", "previous step", "previous step (←, PageUp)", false, !first});
      left.push_back({"Next →", "", "next step", "next step (→, PageDown)", !slide_.covered, !last});
      if (slide_.covered)
        left.push_back({"Reveal", "Space", "reveal", "show the class what is covered", true});
      if (!slide_.covered)  // the laboratory would show the answer
        right.push_back(
            {"Explore freely", "", "explore", "the class sees the whole laboratory; Enter returns"});
    }
    if (view_.swaps)
      right.push_back({"Swap screens", "", "swap screens", "the slide there, this window here"});
    right.push_back({"Close", "Esc", "close", "N then shows the notes in the first window"});
    const auto sum = [&](bool hints) {
      float all = 0;
      for (const auto* side : {&left, &right})
        for (const Push& push : *side) all += width_of(push, hints) + u(10);
      return all;
    };
    const bool hints = sum(true) <= box.w;
    const float top = box.y + (box.h - u(44)) / 2;
    float x = box.x;
    for (const Push& push : left) {
      const float width = width_of(push, hints);
      put(push, {x, top, width, u(44)}, hints);
      x += width + u(10);
    }
    x = box.right();
    for (auto push = right.rbegin(); push != right.rend(); ++push) {
      x -= width_of(*push, hints);
      put(*push, {x, top, width_of(*push, hints), u(44)}, hints);
      x -= u(10);
    }
  }

  struct Row {
    std::vector<std::string> lines;
    float top, height;
  };
  /// Makes the list begin with a whole row: the nearest one, but none so early that the last row would be
  /// cut.
  static float whole_row(const std::vector<Row>& rows, float from, float least_at_end) {
    const bool end = from >= least_at_end - 1;
    float best = 0;
    for (const Row& row : rows) {
      const bool nearer = std::abs(row.top - from) < std::abs(best - from);
      if (end ? best < least_at_end - 0.5f : nearer) best = row.top;
    }
    return best;
  }
  // At the left: all steps, with the current one visible.
  void list(Box box) {
    label(box, "STEPS");
    places_.list = box;
    const float size = type(15.5f), line = size * 1.32f, margin = u(7);
    const float number = wide(std::to_string(slide_.steps), strong_style(theme_.dim, size)) + u(22);
    std::vector<Row> rows;
    float top = 0;
    for (const std::string& title : view_.titles) {
      std::vector<std::string> lines =
          full_lines(title, strong_style(theme_.text, size), box.w - number - u(8), 3);
      const float height = std::max<float>(1, static_cast<float>(lines.size())) * line + 2 * margin;
      rows.push_back({std::move(lines), top, height});
      top += height;
    }
    places_.list_needed = top;
    const auto current = static_cast<std::size_t>(slide_.step);
    float from = std::max(0.f, view_.list_scroll);
    if (view_.list_scroll < 0 && current < rows.size())
      from = rows[current].top + rows[current].height / 2 - box.h / 2;
    from = whole_row(rows, std::clamp(from, 0.f, std::max(0.f, top - box.h)), top - box.h);
    places_.list_from = from;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Box row{box.x, box.y + rows[i].top - from, box.w, rows[i].height};
      if (row.y < box.y - 1 || row.bottom() > box.bottom() + 1) continue;  // only whole rows
      step_row(row, i, rows[i].lines, number, size);
    }
  }

  void step_row(Box row, std::size_t i, const std::vector<std::string>& lines, float number, float size) {
    const bool current = static_cast<int>(i) == slide_.step, past = static_cast<int>(i) < slide_.step;
    const std::string name = "step " + std::to_string(i + 1);
    pen_.canvas.mark({.part = Part::control, .name = name, .area = row, .item = static_cast<int>(i)});
    if (current || pen_.over(name))
      pen_.canvas.rect(row, current ? theme_.selected : theme_.field_hover, u(6));
    if (current) pen_.canvas.frame(row, {theme_.border, 1}, u(6));
    const draw::Color ink = current || !past ? theme_.text : theme_.dim;
    const float line = size * 1.32f;
    float middle = row.y + (row.h - line * static_cast<float>(lines.size())) / 2 + line / 2;
    word({row.x + number - u(11), middle}, std::to_string(i + 1),
         aligned(words_style(current ? theme_.text : theme_.dim, size), Align::right));
    const draw::TextStyle style = current ? strong_style(ink, size) : words_style(ink, size);
    for (const std::string& words : lines) {
      word({row.x + number, middle}, words, style, row.right() - row.x - number - u(8));
      middle += line;
    }
    pen_.canvas.mark({});
  }

  // At the right: the class's view, and the next step.
  bool last() const { return slide_.step + 1 >= slide_.steps; }
  std::vector<std::string> next_title(float room) {
    if (last()) return {};
    return full_lines(view_.titles[static_cast<std::size_t>(slide_.step + 1)],
                      strong_style(theme_.text, type(18)), room, 2);
  }
  /// Height of the text above and between the pictures.
  float beside_pictures(float width) {
    const float line = type(13) * 1.8f;
    const auto lines = static_cast<float>(next_title(width).size());
    return 2 * line + u(16) + (last() ? u(64) : type(18) * 1.35f * lines + u(6));
  }
  /// At most `most`, less if the pictures would be too high.
  float pictures_width(const Box& rest, float most) {
    const float count = last() ? 1 : 2;
    return std::clamp((rest.h - beside_pictures(most)) / count * view_.slide_aspect, most * 0.4f, most);
  }
  void pictures(Box box) {
    const float gap = u(16), size = type(18), count = last() ? 1 : 2;
    const float high = std::min(box.w / view_.slide_aspect, (box.h - beside_pictures(box.w)) / count);
    label(box, view_.exploring ? "THE CLASS EXPLORES WITH YOU" : "THE CLASS SEES");
    places_.slide = picture(box, high, view_.slide_aspect);
    box.cut_top(gap);
    label(box, last() ? "AFTER THIS STEP" : "NEXT");
    if (last()) return after_the_last(box);
    for (const std::string& line : next_title(box.w)) {
      word({box.x, box.y + size * 0.62f}, line, strong_style(theme_.text, size), box.w);
      box.cut_top(size * 1.35f);
    }
    box.cut_top(u(6));
    places_.next = picture(box, high, view_.slide_aspect);
  }
  Box picture(Box& box, float height, float aspect) {
    const Box at{box.x, box.y, height * aspect, height};
    pen_.canvas.rect(at, theme_.panel);
    pen_.canvas.frame(at, {theme_.border, 1});
    box.cut_top(height);
    return at;
  }
  void after_the_last(Box box) {
    if (slide_.next_lesson.empty() || view_.exploring) {
      word({box.x, box.y + type(17) * 0.7f}, "The lesson ends here.", words_style(theme_.text, type(17)),
           box.w);
      return;
    }
    const Box button{box.x, box.y, box.w, u(44)};
    pen_.canvas.mark(
        {.part = Part::control, .note = "Enter opens it", .name = "next lesson", .area = button});
    pen_.canvas.rect(button, pen_.over("next lesson") ? theme_.field_hover : theme_.field, u(8));
    pen_.canvas.frame(button, {theme_.border, 1}, u(8));
    word({button.x + u(14), button.y + button.h / 2}, "Next lesson: " + slide_.next_lesson,
         strong_style(theme_.text, type(15)), button.w - u(28));
    pen_.canvas.mark({});
  }

  // In the middle: the step itself.
  LecturerWords look(float size, bool draw) const { return {.size = size, .large = large_, .draw = draw}; }
  void step(Box box) {
    LessonText title{.size = type(27), .leading = 1.22f, .color = theme_.text, .strong = true};
    while (title.size > type(19) &&
           lesson_text(pen_, box, slide_.title, title, false) > 2.1f * title.size * 1.22f)
      title.size *= 0.95f;
    box.cut_top(lesson_text(pen_, box, slide_.title, title) + u(14));
    if (view_.controls > 0) {
      places_.controls = box.cut_bottom(std::min(view_.controls, box.h * 0.4f));
      box.cut_bottom(u(12));
    }
    places_.words = box;
    const float least = std::max(18.f, u(19));
    float size = u(29);
    while ((places_.needed = lecturer_words(pen_, box, view_, look(size, false))) > box.h && size > least)
      size = std::max(least, size * 0.96f);
    pen_.canvas.push_clip(box);
    lecturer_words(pen_, {box.x, box.y - view_.scroll, box.w, box.h}, view_, look(size, true));
    pen_.canvas.pop_clip();
    if (places_.needed - view_.scroll > box.h + 1) more({box.x, box.bottom() - u(30), box.w, u(28)});
  }

  /// A button that says that there is more below.
  void more(Box at) {
    const draw::TextStyle style = aligned(words_style(theme_.on_accent, type(14)), Align::centre);
    const float width = wide("↓ more", style) + u(24);
    const Box pill{at.right() - width, at.y, width, at.h};
    pen_.canvas.mark({.part = Part::control, .note = "the rest (↓)", .name = "more", .area = pill});
    pen_.canvas.rect(pill, theme_.accent, at.h / 2);
    word(pill.centre(), "↓ more", style);
    pen_.canvas.mark({});
  }

  const Pen& pen_;
  const draw::Theme& theme_;
  const LecturerView& view_;
  const LessonPanel& slide_;
  float large_;
  LecturerPlaces places_;
};

}  // namespace

std::string elapsed_words(int seconds) {
  char out[32];
  const int s = std::max(0, seconds), hours = s / 3600;
  if (hours > 0)
    std::snprintf(out, sizeof out, "%d:%02d:%02d", hours, s / 60 % 60, s % 60);
  else
    std::snprintf(out, sizeof out, "%d:%02d", s / 60, s % 60);
  return out;
}

LecturerPlaces lecturer_view(const Pen& pen, Box box, const LecturerView& view) {
  const float large = std::clamp(std::min(box.w / lecturer_width, box.h / lecturer_height), 0.75f, 4.f);
  return LecturerPainter(pen, view, large).paint(box);
}

}  // namespace headlight::views
