// The most probable tokens after each token of the sentence.
#include <algorithm>

#include "kit/area_name.h"
#include "pages/model/view/next_parts.h"

namespace headlight::views {

using scene::Predictions;

namespace {

constexpr float each_row = 19, each_name = 20, each_gutter = 14, each_apart = 8;
constexpr float least_each = 84, most_each = 132, usual_bar = 3;

/// Which tokens have a column, and how wide each is.
struct EachPlan {
  int first = 0, count = 0;
  float width = 0;
};

EachPlan plan_each(const ModelView& view, const Predictions& p, float width) {
  const Pen& pen = view.sheet.pen;
  const int T = static_cast<int>(p.after_each.size());
  const draw::TextStyle style = literal(strong_style({}, word_size));
  const float number = pen.canvas.text_width("0.00", mono_style({}, word_size));
  float longest = 0;  // of the columns that would fit at their least width
  const int most = std::max(1, static_cast<int>(width / least_each));
  const auto first_of = [&](int count) {
    return std::clamp(p.position - count / 2, 0, std::max(0, T - count));
  };
  for (int t = first_of(most); t < std::min(T, first_of(most) + most); ++t) {
    for (const scene::PredictedToken& one : p.after_each[static_cast<std::size_t>(t)])
      longest = std::max(longest, pen.canvas.text_width(shown_token(one.text), style));
  }
  const float wanted = std::clamp(each_gutter + longest + 10 + number + each_apart, least_each, most_each);
  EachPlan out;
  out.count = std::clamp(static_cast<int>(width / wanted), 1, std::max(1, T));
  out.width = std::min(width / static_cast<float>(out.count), most_each);
  out.first = first_of(out.count);
  return out;
}

/// A tick whose middle is there, 9 units wide.
void small_tick(const Pen& pen, draw::Point at) {
  const draw::Point points[] = {
      {at.x - 4.5f, at.y + 0.5f}, {at.x - 1.5f, at.y + 3.5f}, {at.x + 4.5f, at.y - 3.5f}};
  pen.canvas.polyline(points, {pen.theme.good, 2});
}

/// The column of one token.
void draw_each_column(const ModelView& view, const Predictions& p, int token, Box column) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  const bool chosen = token == p.position;
  draw::Mark mark;
  mark.part = draw::Part::query_token, mark.query = token, mark.area = column;
  pen.canvas.mark(mark);
  if (chosen && marks_selection(pen)) pen.canvas.rect(column, pen.theme.field, 8);
  Box inside{column.x + each_gutter, column.y, column.w - each_gutter - each_apart, column.h};
  const Box head = inside.cut_top(text_line(pen, each_name));
  put(pen, {head.x, head.centre().y}, token_label(in, token),
      literal(strong_style(chosen ? pen.theme.query : pen.theme.text, word_size)), head.w);
  const bool followed = static_cast<std::size_t>(token) < p.followers.size();
  const int next = followed ? p.followers[static_cast<std::size_t>(token)].next : -1;
  const draw::Color fill = draw::color_of(pen.theme, draw::Colormap::weight, 0.8f, 0, 1);
  int rank = 0;
  for (const scene::PredictedToken& one : p.after_each[static_cast<std::size_t>(token)]) {
    const Box line = inside.cut_top(text_line(pen, each_row));
    ++rank;
    const bool truth = followed && one.id == next;
    const float y = line.y + (line.h - usual_bar - 2) / 2;
    const std::string name = quantity("model_likely", {{"query", token}, {"rank", rank}});
    const std::string number = in.noted(name, one.probability, weight_in_cell(one.probability, 2));
    const draw::TextStyle figures =
        aligned(mono_style(truth ? pen.theme.text : pen.theme.dim, word_size), Align::right);
    put(pen, {line.right(), y}, number, figures);
    put(pen, {line.x, y}, shown_token(one.text),
        literal(truth ? strong_style(pen.theme.text, word_size) : words_style(pen.theme.dim)),
        line.w - pen.canvas.text_width(number, figures) - 5);
    if (truth) small_tick(pen, {line.x - 8, y});
    const Box track{line.x, line.bottom() - usual_bar - 1, line.w, usual_bar};
    pen.canvas.rect(track, pen.theme.faint, 1);
    pen.canvas.rect({track.x, track.y,
                     std::max(1.f, track.w * static_cast<float>(std::min(1.0, one.probability))), track.h},
                    fill, 1);
  }
  pen.canvas.mark({});
}

}  // namespace

float each_height(const Pen& pen) {
  return part_heading_height + text_line(pen, each_name) +
         static_cast<float>(scene::most_after_each) * text_line(pen, each_row) + 4;
}

void draw_each(const ModelView& view, const Predictions& p, Box box) {
  const Pen& pen = view.sheet.pen;
  if (p.after_each.empty()) return;
  const int T = static_cast<int>(p.after_each.size());
  const EachPlan plan = plan_each(view, p, box.w);
  box.h = std::min(box.h, each_height(pen));
  named_part(pen, box, "each", "the most probable tokens after each token");
  // A lesson that covers the list of the next tokens covers this one, too: it has the same answer.
  for (const char* covered : {"next: list", "next: values"}) name_area(pen, view.sheet.in, covered, box);
  std::string words = "the most probable; a tick: the sentence continues with it",
              fewer = "tick: the next token";
  if (plan.count < T) {
    const std::string of = std::to_string(plan.count) + " of " + std::to_string(T) + " tokens, around " +
                           quoted_token(view.sheet.in, p.position);
    words += " · " + of, fewer = of;
  }
  part_heading(pen, box, p.changed ? "After each token, all heads on" : "After each token", words, fewer);
  for (int i = 0; i < plan.count; ++i)
    draw_each_column(view, p, plan.first + i,
                     {box.x + static_cast<float>(i) * plan.width, box.y - 2, plan.width - 2, box.h + 2});
}

}  // namespace headlight::views
