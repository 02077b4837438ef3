#include <algorithm>
#include <array>
#include <cmath>

#include "kit/area_name.h"
#include "kit/map_labels.h"
#include "kit/plot.h"
#include "kit/sides.h"
#include "kit/weight_bar.h"
#include "pages/compare/compare.h"
#include "pages/compare/view/cards.h"

namespace headlight::views {

namespace {

constexpr float least_row = 24, usual_row = 28, most_row = 38;
constexpr float bar_row = 22, bar_gap = 20;
constexpr float two_from = 480;  // least width of the output card with two columns of bars
constexpr float chart = 170, least_chart = 96;
constexpr int most_bars = 24;  // heads with a bar in the output card

/// Draws a small button inside a row; `on` is its colour when it is chosen.
void pill(const Pen& pen, Box box, const Choice& choice, draw::Color on) {
  draw::Mark mark;
  mark.part = draw::Part::control, mark.set = choice.set, mark.name = choice.name, mark.note = choice.note;
  mark.area = box;
  pen.canvas.mark(mark);
  if (pen.canvas.plain()) {  // paper shows what is chosen, not the other choices
    const bool state = choice.label.size() > 1;
    if (choice.on || state)
      put(pen, box.centre(), choice.label,
          aligned(strong_style(choice.on ? on : pen.theme.dim, word_size), Align::centre), box.w - 2);
    pen.canvas.mark({});
    return;
  }
  pen.canvas.rect(box, choice.on ? on : pen.over(choice.name) ? pen.theme.field_hover : pen.theme.field, 5);
  put(pen, box.centre(), choice.label,
      aligned(words_style(choice.on ? draw::readable_on(on) : pen.theme.dim), Align::centre), box.w - 2);
  pen.canvas.mark({});
}

std::string note_of_listed(const CompareView& view, std::size_t listed) {
  if (static_cast<int>(listed) == view.heads()) return {};
  return std::to_string(listed) + " of " + std::to_string(view.heads()) +
         " heads: those with the largest change of the output";
}

/// Returns the role with its number, with the short name of its column when the full name does not fit.
std::string fitting_role(const CompareView& view, const nn::HeadRoles& roles, float width) {
  std::string words = strongest_role(view.results.uniform, roles, false);
  const int best = strongest_role_index(view.results.uniform, roles);
  if (best < 0 && view.one_token()) return "the only key";  // uniform attention has the same 1
  if (best < 0 || view.pen().canvas.text_width(words, words_style({})) <= width) return words;
  const RoleColumn& role = role_column(best);
  return words.replace(0, std::string_view(role.name).size(), role.narrow);
}

/// The widths of the columns in the table of roles.
struct Columns {
  float head = 0, role = 0, name = 0;
};

Columns columns_of(const Pen& pen, float width) {
  Columns out;
  out.head = pen.canvas.plain() && width < 400 ? 76.f : 92.f;
  out.name = width >= 700 ? 168.f : 0.f;
  out.role = std::min(190.f, (width - out.head - out.name) / role_count);
  return out;
}

/// Does a bold number say what a column of labels would say?
bool bold_role(const Pen& pen, const Columns& columns) {
  return pen.canvas.plain() && columns.name <= 0;
}

/// Returns the value of a full bar in the table of roles: the largest mean weight of a head, rounded up.
double whole_role_bar(const CompareView& view) {
  double most = 0;
  for (const nn::HeadRoles& roles : view.results.roles) {
    for (int i = 0; i < role_count; ++i) {
      const double value = roles.*role_column(i).value;
      if (std::isfinite(value) && !role_is_masked(view.results.uniform, i)) most = std::max(most, value);
    }
  }
  return most > 0 ? std::min(1.0, nice_ceiling(most)) : 1.0;
}

void role_row(const CompareView& view, Box row, int head, const Columns& columns, double whole) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const scene::CompareResults& r = view.results;
  const std::string number = std::to_string(head + 1);
  put(pen, {row.x + 22, row.centre().y}, number, aligned(strong_style(theme.text, 14), Align::right), 22);
  const float y = row.y + 4, h = row.h - 8;
  const float wide = columns.head < 92 ? 18.f : 24.f, apart = wide < 24 ? 0.f : 4.f;
  pill(pen, {row.x + 32, y, wide, h},
       {"A", "bench_a=" + number, "row A " + number, head == r.a, "head " + number + " becomes A"},
       side_color(theme, WhichSide::a));
  const std::string layer = view.stack() ? ";bench_layer_b=" + std::to_string(r.layer_a + 1) : std::string();
  pill(pen, {row.x + 32 + wide + apart, y, wide, h},
       {"B", "bench_b=" + number + layer, "row B " + number, head == r.b && view.same_layer(),
        "head " + number + (view.stack() ? " of " + view.layer_a() : "") + " becomes B"},
       side_color(theme, WhichSide::b));
  const nn::HeadRoles& roles = r.roles[static_cast<std::size_t>(head)];
  const int strongest = strongest_role_index(r.uniform, roles);
  for (int i = 0; i < role_count; ++i) {
    const double value = roles.*role_column(i).value;
    const Box cell{row.x + columns.head + static_cast<float>(i) * columns.role, row.y, columns.role - 6,
                   row.h};
    const Box track{cell.x, cell.centre().y + 7, cell.w, 3};
    if (role_is_masked(r.uniform, i)) {
      put(pen, {cell.x, cell.centre().y - 3}, "masked", words_style(theme.dim), cell.w);
      continue;
    }
    const bool known = std::isfinite(value);
    const Color color = i == strongest ? theme.text : theme.dim;
    pen.canvas.rect(track, theme.faint, 1);
    if (known)
      pen.canvas.rect(
          {track.x, track.y, track.w * static_cast<float>(std::clamp(value / whole, 0.0, 1.0)), track.h},
          color, 1);
    put(pen, {cell.x, cell.centre().y - 3},
        view.sheet.in.text(quantity(role_quantities[i], {{"head", head + 1}}), mean_weight_text),
        i != strongest            ? mono_style(theme.dim, 12)
        : bold_role(pen, columns) ? strong_style(theme.text, 14)
                                  : mono_style(theme.text, 14),
        cell.w);
  }
  if (columns.name > 0) {
    const float room = columns.name - 8;
    std::string words = fitting_role(view, roles, room);
    if (view.guided(r.layer_a, head)) {
      constexpr const char* guided = " · guided";
      // Below the heading "most above uniform" fewer words are enough; "guided" is never cut off.
      const bool none = strongest_role_index(r.uniform, roles) < 0 && !view.one_token();
      if (none && pen.canvas.text_width(words + guided, words_style({})) > room) words = "none far above";
      words += guided;
    }
    put(pen, {row.right(), row.centre().y}, words, aligned(words_style(theme.text), Align::right), room);
  }
}

constexpr float definition_line = 20, definition_gap = 4;

struct Definition {
  std::string what, words;
};

/// Returns the definitions of the columns.
std::vector<Definition> definitions(const CompareView& view) {
  std::vector<Definition> out;
  for (int i = 0; i < role_count; ++i) out.push_back({role_column(i).name, role_column(i).note});
  std::string uniform;
  for (int i = 0; i < role_count; ++i) {
    const double value = view.results.uniform.*role_column(i).value;
    uniform += std::string(i > 0 ? " · " : "") + role_column(i).narrow + ' ' +
               (role_is_masked(view.results.uniform, i) ? "masked"
                : std::isfinite(value)                  ? mean_weight_text(value)
                                                        : std::string("–"));
  }
  out.push_back({"uniform attention", "over the allowed keys, for comparison: " + uniform});
  return out;
}

/// Draws the definitions, or only returns their height; long ones take two lines.
float draw_definitions(const CompareView& view, Box inside, bool draw) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const float top = inside.y, name = std::min(140.f, inside.w * 0.35f);
  if (draw) pen.canvas.rect({inside.x, inside.y + 8, inside.w, 1}, theme.border);
  inside.cut_top(12);
  for (const Definition& one : definitions(view)) {
    const draw::TextStyle quiet = words_style(theme.dim);
    const std::vector<std::string> lines = wrap(pen, one.words, quiet, inside.w - name, 2);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const float y = inside.y + definition_line / 2;
      if (draw && i == 0) put(pen, {inside.x, y}, one.what, words_style(theme.text), name - 8);
      if (draw) put(pen, {inside.x + name, y}, lines[i], quiet, inside.w - name);
      inside.cut_top(i + 1 < lines.size() ? definition_line - definition_gap : definition_line);
    }
  }
  return inside.y - top;
}

}  // namespace

float compare_roles_height(const CompareView& view, bool tight) {
  const auto listed = listed_heads(view, most_listed_heads);
  return 2 * card_padding + 42 + 24 + (tight ? least_row : usual_row) * static_cast<float>(listed.size()) +
         (static_cast<int>(listed.size()) < view.heads() ? 20.f : 0.f) + 4;
}

void compare_roles_card(const CompareView& view, Box box) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const Columns columns = columns_of(pen, box.w - 2 * card_padding);
  // A narrow figure has no column of labels.
  const bool bold = bold_role(pen, columns);
  const auto named = listed_heads(view, most_listed_heads);
  const bool some = std::any_of(named.begin(), named.end(), [&](int head) {
    return strongest_role_index(view.results.uniform, view.results.roles[static_cast<std::size_t>(head)]) >=
           0;
  });
  const double whole = whole_role_bar(view);
  const std::string full_bar = whole < 1 ? "; full bar: " + brief(whole, 2) : std::string();
  Box inside =
      card(pen, box,
           {view.stack() ? "What does each head of " + view.layer_a() + " attend to?"
                         : std::string("What does each head attend to?"),
            (bold && !some ? "mean weight on five common targets; none far above uniform attention"
             : bold        ? "mean weight on five common targets; bold: the one most above uniform attention"
                           : "mean weight on five common targets; a label is only as strong as its number") +
                full_bar},
           "roles");
  const bool narrow = columns.role < 104;
  // Names in two lines where a narrow figure has no room for "same token".
  const bool two_lines = narrow && pen.canvas.plain() && !on_slide(pen);
  constexpr float second_line = 14;
  if (two_lines) pen.canvas.saved(-second_line), inside.cut_top(second_line);
  const Box header = inside.cut_top(24);
  put(pen, {header.x, header.y + 8}, "head", words_style(theme.dim, small_size), 50);
  for (int i = 0; i < role_count; ++i) {
    const RoleColumn& role = role_column(i);
    const Box cell{header.x + columns.head + static_cast<float>(i) * columns.role, header.y, columns.role - 6,
                   18};
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = std::string("role ") + role.narrow, mark.area = cell;
    mark.note = std::string(role.name) + "\n" + role.note;
    pen.canvas.mark(mark);
    const std::string name = narrow && !two_lines ? role.narrow : role.name;
    const std::size_t blank = two_lines ? name.find(' ') : std::string::npos;
    const draw::TextStyle quiet = words_style(theme.dim, small_size);
    if (blank != std::string::npos)
      put(pen, {cell.x, header.y + 8 - second_line}, name.substr(0, blank), quiet, columns.role - 2);
    put(pen, {cell.x, header.y + 8}, blank == std::string::npos ? name : name.substr(blank + 1), quiet,
        two_lines ? columns.role - 2 : cell.w);
    pen.canvas.mark({});
  }
  if (columns.name > 0)
    put(pen, {header.right(), header.y + 8}, "most above uniform",
        aligned(words_style(theme.dim, small_size), Align::right), columns.name - 8);
  const auto listed = listed_heads(view, most_listed_heads);
  const auto rows = static_cast<float>(listed.size());
  const float words = draw_definitions(view, inside, false);
  const bool defined = inside.h - words >= usual_row * rows;
  const float high = std::clamp((inside.h - (defined ? words : 24)) / rows, least_row, most_row);
  for (int i = 0; i < role_count; ++i)
    name_area(pen, view.sheet.in, std::string("weights on ") + role_column(i).narrow,
              {inside.x + columns.head + static_cast<float>(i) * columns.role - 4, inside.y + 1,
               columns.role - 1, high * rows - 2});
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const Box row = inside.cut_top(high);
    if (i > 0) pen.canvas.rect({row.x, row.y, row.w, 1}, draw::faded(theme.border, 0.6f));
    role_row(view, row, listed[i], columns, whole);
  }
  const std::string note = note_of_listed(view, listed.size());
  if (!note.empty()) {
    put(pen, {inside.x, inside.y + 10}, note, words_style(theme.dim, small_size), inside.w);
    inside.cut_top(20);
  }
  if (inside.h >= words) draw_definitions(view, inside, true);
}

namespace {

std::string all_off(const CompareView& view) {
  std::string out;
  for (int head = 1; head <= view.heads(); ++head) out += (head > 1 ? "," : "") + std::to_string(head);
  return "bench_off=" + out;
}

/// Returns the number of lines for `bars` bars: half of them if there is room for two columns.
std::size_t bar_lines(std::size_t bars, float width) {
  return bars > 4 && width >= two_from ? (bars + 1) / 2 : bars;
}

/// Returns the value of a full bar: the largest change, rounded up.
double whole_loss_bar(const CompareView& view) {
  double most = 0;
  for (const nn::HeadEffect& effect : view.results.effects) most = std::max(most, effect.share);
  return nice_ceiling(most);
}

/// Draws how much the output changes without each head, one bar per head. A click switches the head.
void loss_bars(const CompareView& view, Box all, const std::vector<int>& listed) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const auto& effects = view.results.effects;
  const double reach = whole_loss_bar(view);
  const std::size_t down = bar_lines(listed.size(), all.w);
  const float wide = down == listed.size() ? all.w : (all.w - bar_gap) / 2;
  for (std::size_t at = 0; at < listed.size(); ++at) {
    const int head = listed[at];
    const Box row{all.x + (at < down ? 0.f : wide + bar_gap), all.y + bar_row * static_cast<float>(at % down),
                  wide, bar_row};
    const bool on = view.on(head);
    const std::string number = std::to_string(head + 1);
    pill(pen, {row.x, row.y + 1, 74, row.h - 3},
         {number + (on ? " on" : " off"), toggled_off(view, head), "switch " + number, on,
          "head " + number + (on ? "\nclick: switch it off" : "\nclick: switch it on")},
         theme.accent);
    const Box track{row.x + 84, row.y + 5, std::max(10.f, row.w - 84 - 64), row.h - 11};
    pen.canvas.rect(track, theme.faint, 2);
    if (effects.empty()) continue;
    const nn::HeadEffect& effect = effects[static_cast<std::size_t>(head)];
    const bool known = !std::isnan(effect.share);  // an output of 0 has no share
    name_area(pen, view.sheet.in, "effect of head " + number,
              {track.x - 4, row.y, row.right() + 4 - (track.x - 4), row.h - 1});
    pen.canvas.rect(
        {track.x, track.y, track.w * static_cast<float>(known ? effect.share / reach : 0), track.h},
        on ? theme.text : theme.dim, 2);
    put(pen, {row.right(), row.y + row.h / 2 - 1},
        view.sheet.in.text(quantity("effect", {{"head", head + 1}})),
        aligned(mono_style(theme.text), Align::right), 58);
  }
}

/// Draws the norm of every token's change as vertical bars with the tokens below.
void change_bars(const CompareView& view, Box box) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const auto& change = view.results.token_change;
  const auto& norm = view.results.token_norm;
  const int n = static_cast<int>(change.size());
  if (n == 0 || box.h < 70) return;
  const double most = std::max(*std::max_element(change.begin(), change.end()), 1e-30);
  const double whole = std::max(*std::max_element(norm.begin(), norm.end()), most);
  TokenAxis axis;
  axis.role = Role::query, axis.first = 0, axis.last = n;
  box.cut_left(38);
  axis.pitch = std::min(120.f, box.w / static_cast<float>(n));
  axis.start = axis.low = box.x, axis.high = box.x + axis.pitch * static_cast<float>(n);
  // Mark the same query as the maps, even if it is not pinned.
  Selection selection = view.sheet.selection;
  selection.detail_query = view.query;
  selection.queries.assign(1, view.query);
  const Sheet of_shown_query{pen, view.sheet.in, selection, &view.sheet.trace()};
  constexpr int most_named = 40;  // more tokens have numbers below their bars
  RowPlan plan = plan_row(of_shown_query, axis, std::clamp(box.h * 0.24f, 24.f, 70.f));
  if (n > most_named) {
    plan = {};
    plan.numbers = true, plan.height = text_line(pen, small_size + 4);
  }
  box.cut_bottom(plan.height + 6);
  box.cut_top(10);
  const Plot plot{
      {box.x, box.y, axis.high - axis.low, box.h}, 0, static_cast<double>(n), 0, nice_ceiling(whole)};
  y_grid(pen, plot, {0, plot.to_y / 2, plot.to_y}, plot.to_y < 0.1 ? 3 : plot.to_y < 10 ? 2 : 0);
  const float wide = std::max(1.f, axis.pitch * (axis.pitch > 6 ? 0.66f : 1.f));
  for (int t = 0; t < n; ++t) {
    const float middle = axis.start + (static_cast<float>(t) + 0.5f) * axis.pitch;
    // Edges on whole units: bars that cover parts of pixels look like a pattern of their own.
    const float left = std::round(middle - wide / 2), broad = std::max(1.f, std::floor(wide));
    const auto i = static_cast<std::size_t>(t);
    const float top = plot.y(norm[i]), up = plot.y(change[i]), bottom = plot.box.bottom();
    if (axis.pitch >= 3) {
      draw::Mark mark;
      mark.part = draw::Part::note, mark.name = "token change " + std::to_string(t);
      mark.area = {middle - axis.pitch / 2, plot.box.y, axis.pitch, plot.box.h};
      mark.note = token_in_words(view.sheet.in, t) + "\nchange of its output " + fixed(change[i], 4) +
                  "\nnorm with all heads " + fixed(norm[i], 4);
      pen.canvas.mark(mark);
    }
    const float round = broad > 4 ? 2.f : 0.f;
    pen.canvas.rect({left, top, broad, bottom - top}, draw::faded(theme.dim, 0.55f), round);
    pen.canvas.rect({left, up, broad, bottom - up}, theme.text, round);
    pen.canvas.mark({});
  }
  labels_across(of_shown_query, axis, {plan, plot.box.bottom(), true});
}

}  // namespace

float compare_output_height(const CompareView& view, float width, bool tight) {
  if (view.saved()) return 2 * card_padding + 120;
  const std::size_t lines = bar_lines(listed_heads(view, most_bars).size(), width - 2 * card_padding);
  return 2 * card_padding + 42 + 20 + bar_row * static_cast<float>(lines) + 30 + 24 +
         (tight ? least_chart : chart);
}

void compare_output_card(const CompareView& view, Box box) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const scene::CompareResults& r = view.results;
  if (view.saved()) {
    placeholder(pen, card(pen, box, {"Switch heads off"}, "off"), "No output",
                "what a head adds needs v and W_O, which saved attention does not hold");
    return;
  }
  int off = 0;
  for (const unsigned char on : r.on) off += on ? 0 : 1;
  const std::array<Choice, 2> all = {
      Choice{"all on", "bench_off=", "all on", off == 0, "all heads contribute"},
      Choice{"all off", all_off(view), "all off", off == view.heads(), "no head contributes"}};
  Box inside = card(
      pen, box,
      {view.stack() ? "Switch heads of " + view.layer_a() + " off" : std::string("Switch heads off"),
       view.stack()
           ? "a head that is off adds 0 to the concatenation; output: that of this layer’s attention, on "
             "this card alone"
           : "a head that is off adds 0 to the concatenation, on this card alone",
       segmented_width(pen, all)},
      "off");
  segmented(pen, card_corner(box), all);
  const auto listed = listed_heads(view, most_bars);
  put(pen, {inside.x, inside.y + 8},
      "without the head: norm of the change ÷ norm of the output" +
          (r.effects.empty() ? std::string() : "; full bar: " + brief(whole_loss_bar(view), 2)),
      words_style(theme.dim, small_size), inside.w);
  inside.cut_top(20);
  const Box bars = inside.cut_top(bar_row * static_cast<float>(bar_lines(listed.size(), inside.w)));
  loss_bars(view, bars, listed);
  const std::string note = note_of_listed(view, listed.size());
  const float line = 30;
  Box stated = inside.cut_top(line);
  const std::string words =
      off == 0 ? "All heads are on" + (note.empty() ? std::string() : "; " + note)
               : std::to_string(off) + (off == 1 ? " head is off: " : " heads are off: ") +
                     (std::isnan(r.share)
                          ? std::string("with all of them the output is 0")
                          : "the output changes by " + view.sheet.in.text("bench_change") + " of its norm");
  put(pen, {stated.x, stated.y + line / 2}, words, strong_style(theme.text, 14), stated.w);
  put(pen, {inside.x, inside.y + 8},
      off == 0 ? std::string("norm of each token’s output")
               : "norm of each token’s change, in front of the norm of its output; " +
                     view.sheet.in.text("bench_norm") + " in all",
      words_style(theme.dim, small_size), inside.w);
  inside.cut_top(18);
  change_bars(view, inside);
}

}  // namespace headlight::views
