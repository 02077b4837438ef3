// See map_words.h.
#include "pages/compare/view/map_words.h"

#include <algorithm>
#include <cmath>

#include "kit/plain_text.h"
#include "kit/sides.h"
#include "kit/weight_bar.h"
#include "pages/block/block.h"
#include "pages/compare/compare.h"
#include "scene/trained_model.h"

namespace headlight::views {

void compare_cell_line(const CompareView& view, Box row) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  if (view.query < 0) return;
  const float y = row.y + row.h / 2;
  // Of pairs with the same difference none has the largest one.
  const bool widest = view.results.largest > 0 && view.query == view.results.largest_query &&
                      view.key == view.results.largest_key && view.results.largest_pairs == 1;
  const std::vector<int>& of_rows = view.results.largest_keys;
  const auto apart_at = [&](int key) {
    return std::abs(static_cast<double>(view.weight_a(view.query, key)) -
                    static_cast<double>(view.weight_b(view.query, key)));
  };
  bool of_row = view.results.largest > 0 && view.query < static_cast<int>(of_rows.size()) &&
                view.key == of_rows[static_cast<std::size_t>(view.query)];
  const double rounding = scene::rounding_below(apart_at(view.key));
  for (int key = 0; of_row && key < view.sheet.trace().S; ++key)
    of_row = key == view.key || apart_at(key) < apart_at(view.key) - rounding;
  const double a = static_cast<double>(view.weight_a(view.query, view.key)),
               b = static_cast<double>(view.weight_b(view.query, view.key));
  const std::string pair = pair_in_words(view.sheet.in, view.query, view.key);
  const draw::TextStyle quiet = words_style(theme.dim);
  const int decimals = view.decimals();  // as in the cells
  constexpr float before_number = 7;
  float before_name = 20, apart = 16;
  const auto fits = [&] {
    const float letters = pen.canvas.text_width("A − BAB", quiet) + 3 * (before_number + before_name);
    const float digits = pen.canvas.text_width("0", mono_style({})) * static_cast<float>(3 * decimals + 7);
    return letters + digits + apart + pen.canvas.text_width(pair, quiet) <= row.w;
  };
  if (!fits()) before_name = 11, apart = 8;
  struct Number {
    std::string of, words;
    draw::Color color;
  };
  const std::array<Number, 3> numbers = {
      Number{"A − B", difference_text(a, b, decimals), theme.text},
      Number{"B", weight_text(b, decimals), side_color(theme, WhichSide::b)},
      Number{"A", weight_text(a, decimals), side_color(theme, WhichSide::a)}};
  float wide = 0;  // used so far, from the right
  const auto before = [&](const std::string& words, const draw::TextStyle& style, float gap) {
    wide += put(pen, {row.right() - wide, y}, words, aligned(style, Align::right), row.w - wide) + gap;
  };
  for (const Number& one : numbers) {
    before(one.words, mono_style(one.color), before_number);
    before(one.of, words_style(one.color), before_name);
  }
  // A difference that the numbers do not show is not called the largest.
  double most = 0;
  if (view.query < static_cast<int>(of_rows.size())) {
    const int key = std::max(0, of_rows[static_cast<std::size_t>(view.query)]);
    most = std::abs(static_cast<double>(view.weight_a(view.query, key)) -
                    static_cast<double>(view.weight_b(view.query, key)));
  }
  const bool alike = most < 0.5 * std::pow(10, -decimals);
  const std::string below =
      "  the rows differ by less than " + fixed(0.5 * std::pow(10, -decimals), decimals + 1);
  const std::string rank = pen.canvas.plain() && !on_slide(pen) ? ""
                           : most == 0                          ? "  the row is the same in both heads"
                           : alike                              ? below
                           : widest                             ? "  the largest difference"
                           : of_row && a != b                   ? "  the largest difference of the row"
                                                                : "";
  const float room = row.w - wide - apart;
  const bool ranked = pen.canvas.text_width(pair + rank, quiet) <= room;  // else only the tokens
  put(pen, {row.x, y}, ranked ? pair + rank : pair, quiet, room);
}

namespace {

constexpr int most_segments = 8;
constexpr float choosers_gap = 6;

/// Draws the choice of one layer or head (0-based): all where they fit, else the chosen one and steps to its
/// neighbours.
void one_of(const CompareView& view, Point at, float width, int count, int chosen, const std::string& name,
            const std::string& field, const char* what) {
  const Pen& pen = view.pen();
  auto choices = head_choices(count, chosen, most_segments, name, field);
  if (segmented_width(pen, choices) > width) choices = head_choices(count, chosen, 0, name, field);
  for (Choice& choice : choices) {
    const std::string number = choice.set.substr(choice.set.find('=') + 1);
    choice.note = std::string(what) + " " + number + " of " + std::to_string(count);
  }
  segmented(pen, {at.x + segmented_width(pen, choices), at.y}, choices);
}

/// Returns "layer 2, head 4", or only the head when there is one layer.
std::string place_words(const CompareView& view, std::string name) {
  if (view.stack()) {
    name.insert(name.find(" head"), ",");
    return name;
  }
  const std::string layer = layer_words(view.sheet.in);
  return layer.empty() ? name : layer + ", " + name;
}

struct RoleWords {
  const nn::HeadRoles& uniform;
  std::string before;
  bool guided = false;
};
std::string role_line(const CompareView& view, float width, const nn::HeadRoles& roles,
                      const RoleWords& words) {
  const std::string after = words.guided ? " · guided during training" : "";
  const std::string role = words.before + strongest_role(words.uniform, roles) + after;
  if (view.canvas().text_width(role, words_style({})) <= width) return role;
  return words.before + strongest_role(words.uniform, roles, false) + after;
}

}  // namespace

std::string compare_printed_title(const CompareView& view, WhichSide which) {
  const bool a = which == WhichSide::a;
  return (a ? "A: " : "B: ") + place_words(view, a ? view.name_a() : view.name_b());
}

void compare_chooser(const CompareView& view, Point at, float width, WhichSide which, int layer, int head) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const bool a = which == WhichSide::a;
  const std::string letter = a ? "A" : "B", field = a ? "a" : "b";
  const float badge_room = view.stack() ? 20 : 26;
  if (pen.canvas.plain()) {
    const std::string titles[] = {compare_printed_title(view, WhichSide::a),
                                  compare_printed_title(view, WhichSide::b)};
    put(pen, {at.x, at.y + control_height / 2}, titles[a ? 0 : 1],
        fitting_style(pen, titles, strong_style(theme.text, 14), width), width);
    return;
  }
  side_badge(pen, {at.x + 9, at.y + control_height / 2}, which);
  at.x += badge_room, width -= badge_room;
  if (view.stack()) {
    const float before = 33;
    put(pen, {at.x, at.y + control_height / 2}, "layer", words_style(theme.dim), before);
    one_of(view, {at.x + before, at.y}, width - before, view.results.layers(), layer, "layer " + letter,
           "bench_layer_" + field, "layer");
    at.y += control_height + choosers_gap;
    put(pen, {at.x, at.y + control_height / 2}, "head", words_style(theme.dim), before);
    one_of(view, {at.x + before, at.y}, width - before, view.heads(), head, letter, "bench_" + field, "head");
  } else {
    one_of(view, at, width, view.heads(), head, letter, "bench_" + field, "head");
  }
}

float compare_choosers_more(const CompareView& view) {
  return view.stack() && !view.pen().canvas.plain() ? control_height + choosers_gap : 0;
}

float compare_role_height(const Pen& pen) {
  return text_line(pen, 14) + 8;
}

void compare_role_lines(const CompareView& view, std::array<Box, 3>& place) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const scene::CompareResults& r = view.results;
  const float role_high = compare_role_height(pen), middle = text_line(pen, 14) / 2 + 1;
  const std::string seed =
      !r.other_seed ? ""
                    : (view.sheet.in.results.model && !view.stack() ? "random weights, seed " : "seed ") +
                          std::to_string(view.sheet.in.results.scene.compare.seed_b) + " · ";
  std::string signs = "above 0: more weight in A; below 0: more in B";
  if (pen.canvas.text_width(signs, words_style({})) > place[2].w) signs = "above 0: more in A";
  const std::string words[] = {role_line(view, place[0].w, r.roles[static_cast<std::size_t>(r.a)],
                                         {r.uniform, "", view.guided(r.layer_a, r.a)}),
                               role_line(view, place[1].w, r.role_b,
                                         {r.uniform_b, seed, !r.other_seed && view.guided(r.layer_b, r.b)}),
                               signs};
  const float narrowest = std::min({place[0].w, place[1].w, place[2].w});
  const draw::TextStyle style = fitting_style(pen, words, words_style(theme.dim), narrowest);
  const auto line = [&](std::size_t i, float y) {
    put(pen, {place[i].x, y + middle}, words[i], style, place[i].w);
  };
  line(0, place[0].y), line(1, place[1].y);
  const bool hints = with_hints(pen), below = place[2].y > place[0].y;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i < 2 || hints || !below) place[i].cut_top(role_high);
  }
  if (!hints) return;
  line(2, place[2].y - role_high);
}

}  // namespace headlight::views
