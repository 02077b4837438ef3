// The weights of A and B on the common targets, two bars for each: what a narrow card has of the table.
#include <algorithm>
#include <array>
#include <cmath>

#include "kit/area_name.h"
#include "kit/plot.h"
#include "kit/sides.h"
#include "pages/compare/compare.h"
#include "pages/compare/view/cards.h"

namespace headlight::views {

namespace {

constexpr float least_role_pair = 26, usual_role_pair = 32, most_role_pair = 52;

/// What a target has of one side.
struct SideRole {
  double value = 0, uniform = 0;
  std::string words;
  bool known() const { return std::isfinite(value); }
};

SideRole side_role(const CompareView& view, WhichSide which, int role) {
  const scene::CompareResults& r = view.results;
  const auto member = role_column(role).value;
  const bool a = which == WhichSide::a;
  SideRole out;
  out.value = (a ? r.roles[static_cast<std::size_t>(r.a)] : r.role_b).*member;
  out.uniform = (a ? r.uniform : r.uniform_b).*member;
  if (out.uniform == 0) {
    out.value = 0, out.words = "masked";
  } else if (a || view.same_layer()) {  // of other layers and seeds, no quantity has it
    out.words = view.sheet.in.text(quantity(role_quantities[role], {{"head", (a ? r.a : r.b) + 1}}),
                                   mean_weight_text);
  } else {
    out.words = out.known() ? mean_weight_text(out.value) : "–";
  }
  return out;
}

}  // namespace

float compare_role_pairs_height(const CompareView& view, bool tight) {
  return 2 * card_padding + 42 +
         text_line(view.pen(), tight ? least_role_pair : usual_role_pair) * static_cast<float>(role_count);
}

void compare_role_pairs_card(const CompareView& view, Box box) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  std::array<std::array<SideRole, 2>, role_count> all;
  double most = 0;
  for (int role = 0; role < role_count; ++role) {
    auto& of_role = all[static_cast<std::size_t>(role)];
    of_role = {side_role(view, WhichSide::a, role), side_role(view, WhichSide::b, role)};
    for (const SideRole& one : of_role) {
      if (one.known()) most = std::max(most, one.value);
    }
  }
  const double whole = most > 0 ? std::min(1.0, nice_ceiling(most)) : 1.0;
  Box inside =
      card(pen, box,
           {"What do A and B attend to?", "mean weight on five common targets; line: uniform" +
                                              (whole < 1 ? "; full bar: " + brief(whole, 2) : std::string())},
           "roles");
  const draw::TextStyle quiet = words_style(theme.dim, word_size),
                        figures = mono_style(theme.text, word_size);
  float name = 0, number = pen.canvas.text_width("0.000", figures);
  for (int role = 0; role < role_count; ++role) {
    name = std::max(name, pen.canvas.text_width(role_column(role).name, words_style(theme.text)));
    for (const SideRole& one : all[static_cast<std::size_t>(role)])
      number = std::max(number, pen.canvas.text_width(one.words, figures));
  }
  constexpr float after_name = 10, letter = 16, after_bar = 10;
  const float high = std::clamp(inside.h / static_cast<float>(role_count), text_line(pen, least_role_pair),
                                text_line(pen, most_role_pair));
  const float line = std::min(std::max(12.f, high * 0.38f), high / 2);
  for (int role = 0; role < role_count; ++role) {
    const Box row = inside.cut_top(high);
    Mark mark;
    mark.part = Part::note, mark.name = std::string("role ") + role_column(role).narrow, mark.area = row;
    mark.note = std::string(role_column(role).name) + "\n" + role_column(role).note;
    name_area(pen, view.sheet.in, std::string("weights on ") + role_column(role).narrow,
              {row.x + name + after_name - 2, row.y + 1, row.w - name - after_name + 4, row.h - 2});
    pen.canvas.mark(mark);
    put(pen, {row.x, row.centre().y}, role_column(role).name, words_style(theme.text), name + 2);
    for (const WhichSide which : {WhichSide::a, WhichSide::b}) {
      const bool a = which == WhichSide::a;
      const SideRole& one = all[static_cast<std::size_t>(role)][a ? 0 : 1];
      const float y = row.centre().y + (a ? -line / 2 : line / 2), x = row.x + name + after_name;
      put(pen, {x, y}, a ? "A" : "B", strong_style(side_color(theme, which), small_size), letter);
      const Box track{x + letter, y - 3.5f, std::max(8.f, row.right() - number - after_bar - x - letter), 7};
      const auto along = [&](double value) {
        return track.w * static_cast<float>(std::clamp(value / whole, 0.0, 1.0));
      };
      pen.canvas.rect(track, theme.faint, 2);
      if (one.known() && one.value > 0)
        pen.canvas.rect({track.x, track.y, std::max(1.f, along(one.value)), track.h},
                        side_color(theme, which), 2);
      if (std::isfinite(one.uniform) && one.uniform > 0 && one.uniform <= whole)
        pen.canvas.rect({track.x + along(one.uniform) - 1, track.y - 2, 2, track.h + 4}, theme.text);
      put(pen, {row.right(), y}, one.words, aligned(one.uniform == 0 ? quiet : figures, Align::right));
    }
    pen.canvas.mark({});
  }
}

}  // namespace headlight::views
