#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "kit/area_name.h"
#include "kit/words.h"
#include "pages/training/relations_words.h"
#include "pages/training/training.h"
#include "pages/training/view/cards.h"

namespace headlight::views {

using scene::CurvePoint;
using scene::RunSnapshot;

namespace {

constexpr float legend_row = 19, verdict_row = 17;
constexpr std::size_t most_verdicts = 12;

float legend_line(const TrainingView& view) {
  return text_line(view.pen, legend_row);
}

float verdict_line(const TrainingView& view) {
  return text_line(view.pen, verdict_row);
}

/// Of the card beside the losses; 0: there is no room for it there.
float printed_width(float width) {
  constexpr float least = 740, part = 0.44f;
  return width >= least ? std::round(width * part) : 0;
}

}  // namespace

/// The numbers of every run at one step; a click on a row chooses the run.
void training_legend(const TrainingView& view, Box area) {
  const Pen& pen = view.pen;
  const draw::Theme& theme = view.theme();
  const int columns = view.scored() ? 3 : 2;
  const draw::TextStyle quiet = words_style(theme.dim, small_size);
  const float widest = columns == 3 ? pen.canvas.text_width(view.snapshot.score_name, quiet) + 10 : 0;
  const float wide = std::max(std::clamp(area.w * 0.17f, 58.f, 104.f), std::min(widest, area.w * 0.26f));
  const auto right_of = [&](int column) {
    return area.right() - 8 - wide * static_cast<float>(columns - 1 - column);
  };
  const float names = right_of(0) - wide;
  Box row = area.cut_top(legend_line(view));
  const std::string when = view.lit_step >= 0 ? "nearest to step "
                           : view.newest      ? "latest, step "
                                              : "at step ";
  std::string of = when + with_commas(view.step());
  // The run goes on between two evaluations: its held-out numbers are of an earlier step.
  const CurvePoint* held = nearest_point(view.shown().validation, view.step());
  if (view.lit_step < 0 && view.newest && held && held->step != view.step()) {
    const std::string both =
        "training: step " + with_commas(view.step()) + ", held-out: step " + with_commas(held->step);
    if (pen.canvas.text_width(both, quiet) <= names - row.x - 8) of = both;
  }
  put(pen, {row.x + 8, row.centre().y}, of, quiet, names - row.x - 8);
  const std::array<std::string, 3> heads = {"training", "held-out", view.snapshot.score_name};
  for (int c = 0; c < columns; ++c)
    put(pen, {right_of(c), row.centre().y}, heads[static_cast<std::size_t>(c)], aligned(quiet, Align::right),
        wide - 8);
  for (int r = 0; r < static_cast<int>(view.snapshot.runs.size()); ++r) {
    const RunSnapshot& run = view.snapshot.runs[static_cast<std::size_t>(r)];
    row = area.cut_top(legend_line(view));
    run_row(view, row, r, names - row.x - 46);
    const draw::TextStyle number = aligned(mono_style(theme.text), Align::right);
    const auto write = [&](int column, const std::vector<CurvePoint>& curve, bool share) {
      const CurvePoint* p = nearest_point(curve, view.step());
      const double value = p ? static_cast<double>(p->value) : 0;
      put(pen, {right_of(column), row.centre().y},
          !p      ? "–"
          : share ? percent_words(value)
                  : loss_words(value),
          number, wide - 4);
    };
    write(0, run.loss, false), write(1, run.validation, false);
    if (columns == 3) write(2, run.score, true);
    const std::string of_run = " of run " + std::to_string(r + 1);
    name_area(pen, view.in, "loss" + of_run,
              {right_of(0) - wide + 8, row.y + 1, right_of(1) + 4 - (right_of(0) - wide + 8), row.h - 2});
    if (columns == 3)
      name_area(pen, view.in, "score" + of_run,
                {right_of(1) + 8, row.y + 1, right_of(2) + 4 - (right_of(1) + 8), row.h - 2});
  }
}

float training_legend_height(const TrainingView& view) {
  return legend_line(view) * static_cast<float>(view.snapshot.runs.size() + 1) + 8;
}

/// The name of a row, and the words that it shares with its neighbours, which stand above them.
struct VerdictName {
  std::string name, group;
};

VerdictName verdict_name(const std::string& what) {
  constexpr std::string_view batch = ", last batch", repaired = "2 heads, repaired ", held = ", held out";
  if (const std::size_t at = what.find(batch); at != std::string::npos)
    return {what.substr(0, at), what.substr(at + 2)};
  if (const std::size_t at = what.find(held); at != std::string::npos && what.starts_with(repaired)) {
    std::string name = what.substr(repaired.size(), at - repaired.size());
    if (const std::size_t plus = name.find('+'); plus != std::string::npos) name.replace(plus, 1, " + ");
    constexpr std::string_view places = "places";
    if (name.starts_with(places)) name.replace(0, places.size(), "position codes");
    return {name, "held-out loss of 2 heads, repaired:"};
  }
  return {what, ""};
}

float verdicts_height(const TrainingView& view) {
  const std::size_t count = std::min(most_verdicts, view.snapshot.verdicts.size());
  if (count == 0) return 0;
  std::size_t groups = 0;
  std::string last;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string group = verdict_name(view.snapshot.verdicts[i].what).group;
    groups += group != std::exchange(last, group) && !group.empty() ? 1 : 0;
  }
  return verdict_line(view) * static_cast<float>(count + groups + 1) + 8;
}

/// What came out here; of a repair it is a quantity.
std::string computed_loss(const TrainingView& view, const scene::TrainingVerdict& v) {
  constexpr std::string_view repaired = "2 heads, repaired ";
  std::string words = fixed(v.ours, 4);
  if (!view.in.stated || !v.what.starts_with(repaired)) return words;
  const std::string of = v.what.substr(repaired.size(), v.what.find(',', repaired.size()) - repaired.size());
  return view.in.noted("repair_loss of=" + of, v.ours, std::move(words));
}

void draw_verdicts(const TrainingView& view, Box area) {
  const Pen& pen = view.pen;
  const draw::Theme& theme = view.theme();
  const draw::TextStyle quiet = aligned(words_style(theme.dim, small_size), Align::right);
  const std::array<std::string, 3> heads = {"source", "computed", "difference"};
  std::array<float, 3> right{};  // of each column
  float x = area.right() - 8;
  for (std::size_t c = heads.size(); c-- > 0;) {
    right[c] = x;
    const float least = std::max(pen.canvas.text_width(heads[c], quiet),
                                 pen.canvas.text_width("+0.0000", mono_style(theme.text, small_size)));
    x -= std::max(std::ceil(least) + 10, std::min(area.w * 0.13f, 92.f));
  }
  const auto name_of = [&](Box line, const std::string& name, draw::Color color, float end) {
    put(pen, {line.x + 8, line.centre().y}, name, words_style(color, small_size), end - line.x - 8);
  };
  area.cut_top(4);
  const Box head = area.cut_top(verdict_line(view));
  name_of(head, "loss", theme.dim, x);
  for (std::size_t c = 0; c < heads.size(); ++c) put(pen, {right[c], head.centre().y}, heads[c], quiet);
  std::string last;
  for (std::size_t i = 0; i < std::min(most_verdicts, view.snapshot.verdicts.size()); ++i) {
    const scene::TrainingVerdict& v = view.snapshot.verdicts[i];
    const auto [name, group] = verdict_name(v.what);
    if (group != std::exchange(last, group) && !group.empty()) {
      const Box line = area.cut_top(verdict_line(view));
      if (group.find("repaired") != std::string::npos) {
        draw::Mark means;
        means.part = draw::Part::note, means.name = "what repaired means", means.area = line;
        means.note = std::string(scene::repaired_model) +
                     "with the changes that each row names; “none” is that model unchanged";
        pen.canvas.mark(means);
      }
      name_of(line, group, theme.dim, area.right());
      pen.canvas.mark({});
    }
    const Box line = area.cut_top(verdict_line(view));
    draw::Mark mark;  // what follows the name is in the tooltip
    mark.part = draw::Part::note, mark.name = "loss of " + v.what, mark.area = line;
    mark.note =
        v.what + "\nsource " + (v.has_printed ? fixed(v.printed, 4) : "–") + ", computed " + fixed(v.ours, 4);
    pen.canvas.mark(mark);
    name_of(line, name, theme.text, v.has_printed ? x : right[0]);
    const auto cell = [&](std::size_t c, const std::string& number, draw::Color color) {
      put(pen, {right[c], line.centre().y}, number, aligned(mono_style(color, small_size), Align::right));
    };
    cell(1, computed_loss(view, v), theme.text);
    if (v.has_printed)
      cell(0, fixed(v.printed, 4), theme.dim), cell(2, signed_text(v.ours - v.printed, 4), theme.dim);
    pen.canvas.mark({});
  }
}

float training_note_height(const TrainingView& view, float width) {
  if (view.snapshot.note.empty() || view.in.leaves_out("explanation")) return 0;
  return 8 + paragraph(view.pen, {}, width, view.snapshot.note, words_style(view.theme().dim),
                       most_note_lines, false);
}

bool training_has_printed(const TrainingView& view) {
  return !view.snapshot.verdicts.empty();
}

float training_printed_height(const TrainingView& view, float width) {
  return 2 * card_padding + 26 + verdicts_height(view) + training_note_height(view, width - 2 * card_padding);
}

void training_printed_card(const TrainingView& view, Box box) {
  Box inside = card(view.pen, box, {"Printed and computed losses", ""}, "printed");
  draw_verdicts(view, inside.cut_top(verdicts_height(view)));
  const float used = view.in.leaves_out("explanation")
                         ? 0
                         : paragraph(view.pen, {inside.x, inside.y + 8}, inside.w, view.snapshot.note,
                                     words_style(view.theme().dim), most_note_lines);
  // Beside the losses the card is as high as they are; a figure of it is not.
  if (const float left = inside.h - 8 - used; left > 0) view.pen.canvas.saved(left);
}

float training_curves_height(const TrainingView& view, float width, float plot) {
  const float head = 2 * card_padding + 42 + training_legend_height(view);
  return head + plot +
         (training_has_printed(view) ? 0 : training_note_height(view, width - 2 * card_padding));
}

float training_losses_height(const TrainingView& view, float width, float plot) {
  const float curves = training_curves_height(view, width, plot);
  if (!training_has_printed(view)) return curves;
  const float beside = printed_width(width);
  return beside > 0 ? std::max(curves, training_printed_height(view, beside))
                    : curves + card_gap + training_printed_height(view, width);
}

void training_losses(const TrainingView& view, Box box) {
  if (training_has_printed(view)) {
    const float beside = printed_width(box.w);
    training_printed_card(
        view, beside > 0 ? box.cut_right(beside) : box.cut_bottom(training_printed_height(view, box.w)));
    if (beside > 0) {
      box.cut_right(card_gap);
    } else {
      box.cut_bottom(card_gap);
    }
  }
  training_curves_card(view, box);
}

}  // namespace headlight::views
