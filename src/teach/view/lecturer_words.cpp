#include "teach/view/lecturer_words.h"

#include <algorithm>

#include "teach/view/lesson_text.h"

namespace headlight::views {

namespace {

Runs plain_runs(std::string text) {
  return {{.text = std::move(text)}};
}

class LecturerBody {
 public:
  LecturerBody(const Pen& pen, Box box, const LecturerView& view, const LecturerWords& look)
      : pen_(pen),
        theme_(pen.theme),
        view_(view),
        slide_(view.slide),
        look_(look),
        at_(box),
        draw_(look.draw) {}

  /// Returns the height.
  float put() {
    const Box box = at_;
    notes(look_.size);
    const LessonText words{.size = std::max(least_lecturer_type, look_.size * 0.72f),
                           .leading = 1.4f,
                           .color = draw::mix(theme_.text, theme_.dim, 0.35f)};
    section("ON THE SLIDE", slide_.words, words);
    if (!slide_.predict.empty()) section("PREDICTION", {slide_.predict}, words);
    if (!view_.answer.empty())
      section(slide_.covered ? "COVERED UNTIL SPACE" : "REVEALED", view_.answer, words);
    if (!slide_.question.empty()) question(words);
    if (!slide_.task.empty()) section(slide_.task_done ? "TRY IT: DONE ✓" : "TRY IT", {slide_.task}, words);
    return at_.y - box.y;
  }

 private:
  float u(float units) const { return units * look_.large; }
  void word(draw::Point at, const std::string& words, const draw::TextStyle& style) {
    pen_.canvas.text(at, words, style);
  }
  void heading(Box& at, const std::string& words, bool draw) {
    lecturer_heading(pen_, at, words, look_.large, draw);
  }
  void notes(float size) {
    if (slide_.notes.empty()) {
      const LessonText quiet{.size = std::max(least_lecturer_type, size * 0.72f), .color = theme_.dim};
      at_.cut_top(lesson_text(pen_, at_, plain_runs("This step has no notes."), quiet, draw_) + u(16));
      return;
    }
    const float margin = u(16);
    const LessonText look{.size = size, .leading = 1.38f, .color = theme_.text};
    const auto lines = [&](Box in, bool draw) {
      const float top = in.y;
      heading(in, "NOTES", draw);
      for (std::size_t at = 0; at <= slide_.notes.size();) {
        const std::size_t end = std::min(slide_.notes.find('\n', at), slide_.notes.size());
        in.cut_top(lesson_text(pen_, in, plain_runs(slide_.notes.substr(at, end - at)), look, draw));
        at = end + 1;
      }
      return in.y - top;
    };
    const Box inside{at_.x + margin, at_.y + margin * 0.8f, at_.w - 2 * margin, at_.h};
    const float height = lines(inside, false) + 1.6f * margin;
    if (draw_) {
      pen_.canvas.rect({at_.x, at_.y, at_.w, height}, theme_.panel, u(10));
      pen_.canvas.frame({at_.x, at_.y, at_.w, height}, {theme_.border, 1}, u(10));
      pen_.canvas.rect({at_.x, at_.y + u(10), u(3), height - u(20)}, theme_.accent, u(1.5f));
      lines(inside, true);
    }
    at_.cut_top(height + u(18));
  }
  void section(const std::string& title, const std::vector<Runs>& paragraphs, const LessonText& look) {
    if (paragraphs.empty()) return;
    heading(at_, title, draw_);
    for (const Runs& paragraph : paragraphs)
      at_.cut_top(lesson_text(pen_, at_, paragraph, look, draw_) + look.size * 0.35f);
    at_.cut_top(look.size * 0.6f);
  }
  void question(const LessonText& look) {
    section("QUESTION", {slide_.question}, look);
    at_.y -= look.size * 0.6f;
    for (std::size_t i = 0; i < slide_.choices.size(); ++i) choice(i, look);
    if (!slide_.why.empty()) at_.cut_top(look.size * 0.35f);
    if (!slide_.why.empty()) at_.cut_top(lesson_text(pen_, at_, slide_.why, look, draw_));
    at_.cut_top(look.size * 0.9f);
  }
  /// The right choice is ticked, whether the class has answered or not.
  void choice(std::size_t i, const LessonText& look) {
    const float sign = look.size * 2.4f, margin = look.size * 0.22f;
    const Box inside{at_.x + sign, at_.y + margin, at_.w - sign, at_.h};
    const float height = lesson_text(pen_, inside, slide_.choices[i], look, false) + 2 * margin;
    if (draw_) {
      const std::string name = "choice " + std::to_string(i + 1);
      const bool open = slide_.chosen < 0, right = static_cast<int>(i) == slide_.answer;
      const Box row{at_.x, at_.y, at_.w, height};
      pen_.canvas.mark({.part = Part::control,
                        .note = "the answer of the class",
                        .name = name,
                        .area = row,
                        .item = static_cast<int>(i)});
      if ((pen_.over(name) && open) || static_cast<int>(i) == slide_.chosen)
        pen_.canvas.rect(row, theme_.field_hover, u(5));
      const float middle = at_.y + margin + look.size * look.leading / 2;
      word({at_.x + look.size * 0.35f, middle}, std::string(1, static_cast<char>('A' + i)),
           strong_style(theme_.dim, look.size));
      if (right) word({at_.x + look.size * 1.3f, middle}, "✓", strong_style(theme_.good, look.size));
      lesson_text(pen_, inside, slide_.choices[i], look);
      pen_.canvas.mark({});
    }
    at_.cut_top(height);
  }

  const Pen& pen_;
  const draw::Theme& theme_;
  const LecturerView& view_;
  const LessonPanel& slide_;
  const LecturerWords& look_;
  Box at_;
  bool draw_;
};

}  // namespace

void lecturer_heading(const Pen& pen, Box& at, const std::string& words, float large, bool draw) {
  const float size = std::max(least_lecturer_type, 13 * large);
  const draw::TextStyle style = strong_style(pen.theme.dim, size);
  if (draw)
    pen.canvas.text({at.x, at.y + size * 0.72f}, draw::fit_text(pen.canvas, words, style, at.w), style);
  at.cut_top(size * 1.8f);
}

float lecturer_words(const Pen& pen, Box box, const LecturerView& view, const LecturerWords& look) {
  return LecturerBody(pen, box, view, look).put();
}

}  // namespace headlight::views
