#include <algorithm>
#include <array>
#include <cmath>

#include "draw/colormap.h"
#include "kit/area_name.h"
#include "kit/verdict.h"
#include "pages/worked/view/view.h"
#include "pages/worked/worked.h"

namespace headlight::views {

namespace {

std::string vector_words(const nn::Matrix& m, int row) {
  std::string words = "[";
  for (int c = 0; c < m.cols(); ++c)
    words += (c ? ", " : "") + worked_number(static_cast<double>(m.at(row, c)));
  return words + "]";
}

/// The size, at most `most`, at which every row of `m` as words fits.
float fitting_size(const WorkedView& view, const nn::Matrix& m, float width, float most = word_size) {
  float widest = 1;
  for (int r = 0; r < m.rows(); ++r)
    widest = std::max(widest, view.canvas().text_width(vector_words(m, r), mono_style({}, 10)));
  return std::clamp(9.9f * width / widest, 7.f, most);
}

/// A row of cells with the vector's numbers, coloured as in the flow of the matrices.
void draw_vector(const WorkedView& view, Box box, const nn::Matrix& m, int row) {
  const float w = std::min(box.w / static_cast<float>(std::max(1, m.cols())), 62.f);
  float widest = 1;
  for (int c = 0; c < m.cols(); ++c)
    widest = std::max(widest, view.canvas().text_width(worked_number(static_cast<double>(m.at(row, c))),
                                                       mono_style({}, 10)));
  const float size = std::clamp(10 * (w - 6) / widest, 5.f, 13.f);
  float largest = 1e-6f;  // of all rows, so that a token keeps its colours beside the others
  for (const float value : m.values())
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  for (int c = 0; c < m.cols(); ++c) {
    const float value = m.at(row, c);
    const Color ground =
        draw::color_of(view.theme(), draw::Colormap::signed_weight, value, -largest, largest);
    const Box cell{box.x + static_cast<float>(c) * w, box.y, w - 2, box.h};
    view.canvas().rect(cell, ground, 3);
    view.canvas().frame(cell, {view.theme().border, 1}, 3);  // a zero has the colour of the card
    put(view.pen, cell.centre(), worked_number(static_cast<double>(value)),
        aligned(mono_style(draw::readable_on(ground), size), Align::centre), cell.w);
  }
}

/// A curve that leaves `a` and reaches `b` flat; in a window of so many segments that no kink shows.
void role_line(const WorkedView& view, Point a, Point b, float handle, draw::Stroke stroke) {
  if (view.canvas().plain()) {
    view.canvas().curve(a, {a.x + handle, a.y}, {b.x - handle, b.y}, b, stroke);
    return;
  }
  std::array<Point, 49> line;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(line.size() - 1), u = 1 - t;
    const float start = u * u * u, leave = 3 * u * u * t, reach = 3 * u * t * t, end = t * t * t;
    line[i] = {start * a.x + leave * (a.x + handle) + reach * (b.x - handle) + end * b.x,
               (start + leave) * a.y + (reach + end) * b.y};
  }
  view.canvas().polyline(line, stroke);
}

void draw_letter(const WorkedView& view, Point middle, const char* letter, Color color) {
  view.canvas().circle(middle, 12, color);
  put(view.pen, middle, letter, aligned(strong_style(draw::readable_on(color)), Align::centre));
}

}  // namespace

void roles_card(const WorkedView& view, Box box) {
  const draw::Theme& theme = view.theme();
  Box inside = card(
      view.pen, box,
      {"One vector, three roles", indexed("x", view.token) + " is projected to a query, a key and a value"},
      "roles");
  struct Role {
    const char *name, *letter, *weight, *use;
    Color color;
    const nn::Matrix& values;
  };
  const nn::AttentionTrace& t = view.results.trace;
  const std::array<Role, 3> roles{Role{"query", "q", "W_Q", "compared with every key", theme.query, t.q},
                                  Role{"key", "k", "W_K", "compared with every query", theme.key, t.k},
                                  Role{"value", "v", "W_V", "averaged into the outputs", theme.value, t.v}};
  const float left_w = std::clamp(inside.w * 0.3f, 70.f, 190.f);
  const Box left = inside.cut_left(left_w);
  const float cell_h = 24;
  const float cells_w = std::min(left.w - 8, 62.f * static_cast<float>(view.results.x.cols()));
  const Box from{left.x, left.centre().y - cell_h / 2, cells_w, cell_h};
  put(view.pen, {from.x, from.y - 12}, indexed("x", view.token), strong_style(theme.text), left.w);
  draw_vector(view, from, view.results.x, view.token);
  const float fan = std::clamp(inside.w * 0.2f, 36.f, 90.f);
  inside.cut_left(fan);
  const float row_h = std::min(inside.h / 3, 74.f);
  const float top = inside.centre().y - 1.5f * row_h;
  for (std::size_t n = 0; n < roles.size(); ++n) {
    const Role& role = roles[n];
    const Box row{inside.x, top + static_cast<float>(n) * row_h, inside.w, row_h};
    const float y = row.centre().y;
    const Point a{from.x + cells_w + 2, from.centre().y}, b{row.x - 4, y};
    role_line(view, a, b, fan * 0.6f, {role.color, 2});
    draw_letter(view, {row.x + 16, y}, role.letter, role.color);
    const float x = row.x + 40, width = row.right() - x;
    const float used = put(view.pen, {x, y - 13}, role.name, strong_style(role.color, 14), width);
    if (used + 10 + view.canvas().text_width(role.use, words_style(theme.dim)) <= width)
      put(view.pen, {x + used + 10, y - 13}, role.use, words_style(theme.dim), width - used - 10);
    draw_vector(view, {x, y - 2, width, std::min(22.f, row_h * 0.4f)}, role.values, view.token);
    const float vector_w = std::min(width, 62.f * static_cast<float>(role.values.cols()));
    const std::string formula =
        indexed(role.letter, view.token) + " = " + indexed("x", view.token) + " " + role.weight;
    const draw::TextStyle quiet = words_style(theme.dim);
    if (vector_w + 8 + view.canvas().text_width(formula, quiet) <= width)
      view.canvas().text({x + vector_w + 8, y - 2 + std::min(11.f, row_h * 0.2f)}, formula, quiet);
  }
}

int equal_keys(const scene::WorkedResults& r, int token) {
  const auto q = r.trace.q.row(token);
  const base::Interval allowed = r.trace.allowed[static_cast<std::size_t>(token)];
  int equal = 0;
  for (int j = 0; j < r.trace.S; ++j) {
    const auto k = r.trace.k.row(j);
    equal += allowed.has(j) && std::equal(q.begin(), q.end(), k.begin(), k.end()) ? 1 : 0;
  }
  return equal;
}

void lookup_card(const WorkedView& view, Box box) {
  const draw::Theme& theme = view.theme();
  const scene::WorkedResults& r = view.results;
  const double temperature = view.in.results.scene.worked.temperature;
  const std::array<Choice, 3> softness{
      Choice{
          "hard", "worked_temperature=0.02", "lookup hard", temperature == 0.02,
          "temperature 0.02: scores × 50; the best key gets nearly all the weight, unless another score is "
          "close or equal"},
      Choice{"1", "worked_temperature=1", "lookup one", temperature == 1,
             "temperature 1: the weights of attention itself"},
      Choice{"soft", "worked_temperature=20", "lookup soft", temperature == 20,
             "temperature 20: scores ÷ 20; the weights become more equal"}};
  Box inside =
      card(view.pen, box,
           {"Exact and soft lookup",
            "query: " + indexed("q", view.token) + " = " + vector_words(r.trace.q, view.token) +
                "; temperature " + brief(temperature, 3) + (r.settings.divide ? "; q · k ÷ √d_k" : "; q · k"),
            segmented_width(view.pen, softness)},
           "lookup");
  segmented(view.pen, card_corner(box), softness);
  const int T = view.T(), found = r.exact[static_cast<std::size_t>(view.token)];
  const int equal = equal_keys(r, view.token);
  // A card with room, as alone in a lesson, has type of up to 18 units and higher rows.
  constexpr float usual_row = 28, head = 18, answers = 42, largest = 1.5f, unit_width = 320;
  const float grown = std::clamp(
      std::min((inside.h - 6) / (head + answers + usual_row * static_cast<float>(T)), inside.w / unit_width),
      1.f, largest);
  const float size = 12 * grown, answer_h = 17 * grown;
  const float free = (inside.h - 6 - (head + answers) * grown) / static_cast<float>(T);
  const float row_h =
      std::clamp(free, grown > 1 ? usual_row * grown : 14.f, usual_row * (grown > 1 ? 2 * grown : 1));
  // key · value · exact · soft
  const float w = inside.w, key_w = w * 0.27f, value_w = w * 0.27f, exact_w = w * 0.14f;
  const float soft_x = inside.x + key_w + value_w + exact_w, soft_w = inside.right() - soft_x;
  const float exact_x = inside.x + key_w + value_w + exact_w / 2;
  Box line = inside.cut_top(head * grown);
  const draw::TextStyle quiet = words_style(theme.dim, small_size * grown);
  put(view.pen, {line.x, line.centre().y}, "key", quiet, key_w);
  put(view.pen, {line.x + key_w, line.centre().y}, "value", quiet, value_w);
  put(view.pen, {exact_x, line.centre().y}, "exact", aligned(quiet, Align::centre), exact_w);
  put(view.pen, {soft_x, line.centre().y}, "soft weight", quiet, soft_w);
  const float key_size = fitting_size(view, r.trace.k, key_w - 6, word_size * grown),
              value_size = fitting_size(view, r.trace.v, value_w - 6, word_size * grown),
              number_w = 42 * grown;
  name_area(view.pen, view.in, "soft weights",
            {soft_x - 4, inside.y, inside.right() - soft_x + 8, row_h * static_cast<float>(T)});
  for (int j = 0; j < T; ++j) {
    line = inside.cut_top(row_h);
    const float y = line.centre().y;
    const bool blocked = !r.trace.allowed[static_cast<std::size_t>(view.token)].has(j);
    if (j == found) view.canvas().rect({line.x - 4, line.y, line.w + 8, line.h}, theme.field, 4);
    put(view.pen, {line.x, y}, vector_words(r.trace.k, j), mono_style(theme.key, key_size), key_w - 6);
    put(view.pen, {line.x + key_w, y}, vector_words(r.trace.v, j), mono_style(theme.value, value_size),
        value_w - 6);
    put(view.pen, {exact_x, y},
        blocked      ? "masked"
        : j == found ? "1"
                     : "0",
        aligned(mono_style(j == found ? theme.text : theme.dim, size), Align::centre), exact_w);
    const float weight = r.soft.at(view.token, j), bar_w = std::max(0.f, soft_w - number_w - 4);
    const float bar_h = std::min(12 * grown, row_h - 4);
    view.canvas().rect({soft_x, y - bar_h / 2, bar_w, bar_h}, theme.faint, 3);
    if (weight > 0) view.canvas().rect({soft_x, y - bar_h / 2, bar_w * weight, bar_h}, theme.accent, 3);
    put(view.pen, {line.right(), y}, weight_text(static_cast<double>(weight)),
        aligned(mono_style(theme.text, size), Align::right), number_w);
  }
  inside.cut_top(6 * grown);
  const draw::TextStyle mono = mono_style(theme.text, size);
  Box answer = inside.cut_top(answer_h);
  put(view.pen, {answer.x, answer.centre().y},
      found < 0 ? "exact → no key equals the query"
                : "exact → " + vector_words(r.trace.v, found) +
                      (equal > 1 ? ", the first of " + std::to_string(equal) + " equal keys" : ""),
      mono, answer.w);
  answer = inside.cut_top(answer_h);
  const std::string soft = vector_words(r.soft_value, view.token);
  const float from = view.canvas().text_width("soft  → ", mono);
  name_area(view.pen, view.in, "soft result",
            {answer.x + from - 4, answer.y, view.canvas().text_width(soft, mono) + 8, answer.h});
  put(view.pen, {answer.x, answer.centre().y}, "soft  → " + soft, mono, answer.w);
}

void entry_card(const WorkedView& view, Box box) {
  const draw::Theme& theme = view.theme();
  const bool there = step_of(view.chosen.stage) <= view.step;
  Box inside = card(view.pen, box,
                    {there ? entry_words(view.in, view.results, view.chosen) : "Where a number comes from",
                     there ? "" : in_window(view.pen, "click a result")},
                    "number");
  if (!there) return;
  const auto lines = arithmetic(view.in, view.results, view.chosen);
  // The lines of a high card are larger and further apart, where all of them stay whole.
  constexpr float usual_line = 22, most_line = 44, foot = 30, between = 12;
  const auto count = static_cast<float>(std::max<std::size_t>(1, lines.size()));
  const float line_h = std::min(view.pen.canvas.plain() ? usual_line : most_line,
                                std::max(std::min(usual_line, inside.h / count), (inside.h - foot) / count));
  const bool larger =
      line_h > 1.3f * usual_line && std::all_of(lines.begin(), lines.end(), [&](const auto& l) {
        return view.canvas().text_width(l.words, mono_style({}, title_size)) +
                   view.canvas().text_width(l.value, mono_style({}, title_size)) + between <=
               inside.w;
      });
  for (const WorkedLine& l : lines) {
    const Box line = inside.cut_top(line_h);
    const float y = line.centre().y;
    if (l.result) view.canvas().line({line.x, line.y}, {line.right(), line.y}, {theme.border, 1});
    const float size = larger ? title_size : std::min(12.f, line_h * 0.62f);
    // The result is what the others add up to.
    const draw::TextStyle value =
        aligned(l.result ? mono_style(theme.text, larger ? size : size + 1) : mono_style(theme.dim, size),
                Align::right);
    const float used = put(view.pen, {line.right(), y}, l.value, value, line.w * 0.4f);
    put(view.pen, {line.x, y}, l.words, mono_style(l.result ? theme.text : theme.dim, size),
        line.w - used - between);
  }
  const std::string residual = "float32 error of the weights: " + view.in.text("worked_residual");
  // On a slide it is the line after the result: the foot of the card may be far below.
  const float foot_y = on_slide(view.pen) ? inside.y + line_h : inside.bottom() - 6;
  if (inside.h >= 24)
    put(view.pen, {inside.x, foot_y}, residual, words_style(theme.dim, small_size), inside.w);
}

void printed_card(const WorkedView& view, Box box) {
  const draw::Theme& theme = view.theme();
  const scene::WorkedResults& r = view.results;
  const bool disagrees =
      std::any_of(r.printed.begin(), r.printed.end(), [](const auto& p) { return !p.agrees; });
  Box inside = card(view.pen, box,
                    {disagrees ? "The source contradicts itself" : "As the source prints it",
                     r.one_hot_example ? "Self-Attention chapter, 39.2" : "Self-Attention chapter, 39.2.1"},
                    "printed");
  const float line_h =
      std::min(20.f, (inside.h - (r.one_hot_example ? 48 : 16)) / static_cast<float>(r.printed.size()));
  const auto words_of = [](const scene::WorkedPrinted& p) {
    return "row " + std::to_string(p.row) + ", " + p.by;
  };
  // A number with fewer decimals keeps their place, so that the points of all rows are one below the other.
  const auto numbers_of = [](const scene::WorkedPrinted& p, bool level) {
    std::string out;
    for (const double n : p.numbers)
      out += (out.empty() ? "" : p.agrees || !level ? "  " : "   ") + fixed(n, p.agrees ? 3 : 2);
    return out;
  };
  const auto verdict_stated = [](const scene::WorkedPrinted& p) {
    return p.agrees ? std::string("same") : "off by " + fixed(p.gap, 3);
  };
  const float disc = std::min(verdict_width, line_h - 2);
  const auto words_width = [&](const scene::WorkedPrinted& p) {
    return std::min(view.pen.canvas.text_width(words_of(p), words_style(theme.dim)), inside.w * 0.4f);
  };
  float common = 0;  // start of the numbers of all rows, where each has room for its verdict as well
  for (const scene::WorkedPrinted& p : r.printed) common = std::max(common, words_width(p));
  const bool level = std::all_of(r.printed.begin(), r.printed.end(), [&](const auto& p) {
    return view.pen.canvas.text_width(numbers_of(p, true), mono_style({}, 12)) <=
           inside.w - common - put_verdict_width(view.pen, verdict_stated(p), word_size, disc) - 20;
  });
  for (const scene::WorkedPrinted& p : r.printed) {
    const Box line = inside.cut_top(line_h);
    const float start = level ? common : words_width(p);
    const std::string numbers = numbers_of(p, level);
    const std::string words = words_of(p);
    draw::TextStyle figures = mono_style(theme.text, 12);
    const auto wide = [&](const std::string& what, const draw::TextStyle& style) {
      return view.pen.canvas.text_width(what, style);
    };
    // The numbers are whole; where a line is narrow, the verdict is short and they are smaller.
    std::string verdict = verdict_stated(p);
    const Verdict sign = verdict_of(p.agrees);
    const auto room = [&] {
      return line.w - start - put_verdict_width(view.pen, verdict, word_size, disc) - 20;
    };
    if (wide(numbers, figures) > room()) verdict = p.agrees ? "" : fixed(p.gap, 3);
    constexpr float least = 8.5f;
    if (wide(numbers, mono_style({}, least)) > room()) verdict.clear();  // its sign says it
    while (figures.size > least && wide(numbers, figures) > room()) figures.size -= 0.5f;
    const float y = line.centre().y;
    const float used = put_verdict(view.pen, {line.right(), y}, sign, verdict, word_size, disc);
    put(view.pen, {line.x, y}, words, words_style(theme.dim), start + 1);
    put(view.pen, {line.x + start + 10, y}, numbers, figures, line.w - start - used - 20);
  }
  if (!r.one_hot_example) return;
  inside.cut_top(6);
  const draw::TextStyle quiet = words_style(theme.text);
  for (const std::string& words : wrap(view.pen,
                                       "Its comment “each row recovers the matching value row” does not "
                                       "hold: a weight of 0.355 blends all four.",
                                       quiet, inside.w, 3))
    put(view.pen, {inside.x, inside.cut_top(16).centre().y}, words, quiet, inside.w);
}

}  // namespace headlight::views
