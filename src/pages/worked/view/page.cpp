#include "pages/worked/view/page.h"

#include <algorithm>
#include <cmath>

#include "kit/card.h"
#include "kit/columns.h"
#include "kit/page_input.h"
#include "kit/words.h"
#include "pages/worked/view/view.h"
#include "pages/worked/worked.h"

namespace headlight::views {

using scene::WorkedResults;

namespace {

constexpr const char* three_tokens =
    "worked_x=1,0;0,1;1,1;worked_w_q=1,0;0,1;worked_w_k=1,0;0,1;worked_w_v=1,0;0,2;worked_divide=true;"
    "worked_causal=false;worked_row=0;worked_col=0;worked_reach=2.5";
constexpr const char* one_hot_keys =
    "worked_x=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1;worked_w_q=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1;"
    "worked_w_k=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1;worked_w_v=0,1,2,3;4,5,6,7;8,9,10,11;12,13,14,15;"
    "worked_divide=true;worked_causal=false;worked_row=0;worked_col=0";

/// The chosen entry, inside the result it belongs to. What is under the pointer comes first.
WorkedEntry chosen_in(const PageInput& in, const WorkedResults& results) {
  const scene::WorkedSettings& settings = in.scene.worked;
  WorkedEntry entry{settings.stage, settings.row, settings.col};
  if (in.hover && in.hover->mark.part == draw::Part::control && in.hover->mark.head >= 0 &&
      in.hover->mark.head <= static_cast<int>(WorkedStage::output))
    entry = {static_cast<WorkedStage>(in.hover->mark.head), in.hover->mark.query, in.hover->mark.key};
  entry.row = std::clamp(entry.row, 0, rows_of(results, entry.stage) - 1);
  entry.col = std::clamp(entry.col, 0, cols_of(results, entry.stage) - 1);
  return entry;
}

std::string sentence_of(const WorkedResults& r, int step) {
  const std::string d = std::to_string(r.trace.d_k);
  switch (step) {
    case 1:
      return "Each token’s row of X is multiplied by three matrices, which give its query, key and value.";
    case 2:
      return "Every query is compared with every key: one dot product per pair, one row per query.";
    case 3: {
      std::string words =
          r.trace.scale == 1 && r.trace.d_k != 1
              ? "The products are not divided: the division by √d_k is switched off."
              : "All products are divided by √d_k = √" + d + " = " + worked_number(r.sqrt_d_k) + ".";
      const bool causal = std::any_of(r.trace.allowed.begin(), r.trace.allowed.end(),
                                      [&](base::Interval i) { return i.size() < r.trace.T; });
      return words + (causal ? " The mask removes later keys." : "");
    }
    case 4:
      return "The softmax turns each row of scores into weights that add up to 1.";
    default:
      return "Each output row is the average of the values, weighted by the row of A.";
  }
}

constexpr float one_line_width = 940, low_from = 560;
constexpr float all_from = 1700;  // below, the picture would be a third of the page

/// The sentence stands beside the steps, or below them on a line or two.
float sentence_height(const Pen& pen, float width, const std::string& sentence) {
  const float whole = pen.canvas.text_width(sentence, words_style({}, 14));
  const float below = whole > width - 2 * card_padding ? 44.f : 26.f;
  return 2 * card_padding + 22 + 8 + control_height + (width >= one_line_width ? 0.f : below);
}

void draw_head(const Pen& pen, Box box, const PageInput& in, const WorkedResults& r) {
  const Choice three{"three tokens", three_tokens, "three tokens", !r.printed.empty() && !r.one_hot_example,
                     "the example of the Self-Attention chapter, 39.2.1"};
  const Choice hot{"one-hot keys", one_hot_keys, "one-hot keys", r.one_hot_example,
                   "Q = K = I₄, V = 0 … 15: the check in the Self-Attention chapter, 39.2"};
  const float controls = button_width(pen, three) + 8 + button_width(pen, hot);
  const float room = box.w - 2 * card_padding - controls - 8;
  const bool fits = pen.canvas.plain() || pen.canvas.text_width("Worked example", strong_style({})) <= room;
  const int step = in.scene.worked.step;
  if (pen.canvas.plain()) {  // without the buttons
    const Box inside =
        card(pen, box, {"Step " + std::to_string(step) + " of 5: " + step_name(step)}, "steps");
    paragraph(pen, {inside.x, inside.y + 4}, inside.w, sentence_of(r, step), words_style(pen.theme.text, 14),
              2);
    return;
  }
  Box inside = card(pen, box, {fits ? "Worked example" : "Example", "", controls}, "steps");
  const draw::Point corner = card_corner(box);
  const Box right = button(pen, corner, hot);
  button(pen, {right.x - 8, corner.y}, three);
  auto steps = step_choices(in, false);
  if (segmented_width(pen, steps) > inside.w) steps = step_choices(in, true);
  const float width = segmented_width(pen, steps);
  const Box row = inside.cut_top(control_height);
  segmented(pen, {row.x + width, row.y}, steps);
  const draw::TextStyle style = words_style(pen.theme.text, 14);
  const std::string words = sentence_of(r, step);
  if (box.w >= one_line_width) {
    put(pen, {row.x + width + 16, row.centre().y}, words, style, row.w - width - 16);
    return;
  }
  float y = row.bottom() + 16;
  for (const std::string& line : wrap(pen, words, style, row.w, 2)) {
    put(pen, {row.x, y}, line, style, row.w);
    y += 18;
  }
}

/// What is wrong with what was typed, and what is shown instead.
void draw_problem(const Pen& pen, Box box, const WorkedResults& r) {
  pen.canvas.rect(box, draw::faded(pen.theme.bad, 0.12f), card_radius);
  pen.canvas.frame(box, {pen.theme.bad, 1}, card_radius);
  const Box inside = box.inset(card_padding);
  const scene::WorkedSettings example;
  const bool starting = r.settings.x == example.x && r.settings.w_q == example.w_q &&
                        r.settings.w_k == example.w_k && r.settings.w_v == example.w_v;
  const std::string instead = std::string("Shown instead: ") +
                              (starting ? "the three tokens of the example." : "the last valid input.");
  const draw::TextStyle style = words_style(pen.theme.text, 14);
  const float after = put(pen, {inside.x, inside.centre().y}, r.problem, style, inside.w) + 16;
  const float room = inside.w - after;
  if (pen.canvas.text_width(instead, style) <= room)
    put(pen, {inside.x + after, inside.centre().y}, instead, words_style(pen.theme.dim, 14), room);
}

/// The page in one, or in two columns.
struct Layout {
  bool two = false;
  float side = 0;  // width of the right column
};

Layout layout_for(Box area, bool plain) {
  if (area.w < 900) return {};
  if (!plain && area.w >= columns_from) return {true, side_column};
  // In a low window the picture has most of it: beside it is no card of what the source prints, whose rows
  // are wide.
  if (!plain && area.h < low_from) return {true, std::round(std::clamp(area.w * 0.25f, 340.f, 620.f))};
  constexpr float least = 330, of_printed = 384;  // the rows of what the source prints
  const float narrowest = std::clamp(area.w * 0.29f, least, of_printed);
  return {true, std::round(std::clamp(area.w * (plain ? 0.31f : 0.25f), narrowest, 620.f))};
}

/// On a narrow page the numbers of all matrices would run together, in a low window their last rows would be
/// below its edge.
bool shows_one_step(const WorkedView& view, Box area, Box rest, const Layout& layout) {
  constexpr float all_matrices_from = 600, below_the_card = 8;
  if (view.pen.canvas.plain()) return false;
  const float width = rest.w - (layout.two ? layout.side + card_gap : 0);
  return area.w < all_matrices_from || flow_height(view, width, 0) > rest.h + below_the_card;
}

struct Heights {
  float entry = 0, printed = 0, below = 0;  // 0: there is no such card
};

/// Two screens of whole cards: the picture in `left` with what there is room for in `right`, and below them
/// the others, in windows `room` high. `low`: the sentence of the step where the steps are beside the
/// picture. Returns the lower edge.
float two_screens(const WorkedView& view, Box left, Box right, const Heights& heights, const std::string& low,
                  float room_below) {
  constexpr float least_plane = 290, least_roles = 190;
  left.h = right.h = std::max(left.h, flow_height(view, left.w, left.h));
  Box below{left.x, left.bottom() + card_gap, right.right() - left.x, heights.below};
  flow_card(view, left);
  if (!low.empty()) {
    draw_head(view.pen, right.cut_top(sentence_height(view.pen, right.w, low)), view.in, view.results);
    right.cut_top(card_gap);
  }
  const bool plane = right.h >= heights.entry + card_gap + least_plane;
  const float room = right.h - heights.entry - card_gap - (plane ? least_plane + card_gap : 0);
  const bool has_printed = heights.printed > 0, beside = has_printed && room >= heights.printed;
  if (beside) {
    printed_card(view, right.cut_bottom(heights.printed));
    right.cut_bottom(card_gap);
  }
  entry_card(view, plane ? right.cut_top(heights.entry) : right);
  if (plane) right.cut_top(card_gap), plane_card(view, right);
  const int columns = plane ? 2 : 3;
  if (has_printed && !beside) below.h = std::max(below.h, least_roles + card_gap + heights.printed);
  constexpr float most = 1.5f;  // its tables do not grow
  float rows[] = {room_below, below.h};
  fill_screens(view.pen, rows, room_below, 0, most);
  below.h = rows[1];
  Box first = column_of(below, 0, columns);
  if (has_printed && !beside) {
    printed_card(view, first.cut_bottom(heights.printed));
    first.cut_bottom(card_gap);
  }
  roles_card(view, first);
  lookup_card(view, column_of(below, 1, columns));
  if (!plane) plane_card(view, column_of(below, 2, columns));
  return below.bottom();
}

}  // namespace

std::string worked_question(const PageInput&) {
  return "How is every number computed?";
}

float worked_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  const Pen pen{canvas, in.theme, in.hover};
  Box rest = area.inset(card_gap);
  if (!in.own<scene::WorkedResults>() || rest.w < 120) {
    placeholder(pen, area, "Worked example", "being computed");
    return area.h;
  }
  const WorkedResults& r = *in.own<scene::WorkedResults>();
  const std::string sentence = sentence_of(r, in.scene.worked.step);
  const bool low = area.h < low_from;  // the steps then stand beside the picture or below it
  if (!low) {
    draw_head(pen, rest.cut_top(sentence_height(pen, rest.w, sentence)), in, r);
    rest.cut_top(card_gap);
  }
  if (!r.problem.empty()) {
    draw_problem(pen, rest.cut_top(2 * card_padding + 18), r);
    rest.cut_top(card_gap);
  }
  const float top_of_cards = rest.y;
  WorkedView view{pen, in, r, in.scene.worked.step, chosen_in(in, r), 0};
  view.token = std::clamp(in.scene.worked.row, 0, view.T() - 1);
  const Layout layout = layout_for(area, canvas.plain());
  const bool large = !canvas.plain() && area.w >= columns_from;  // the tables are a strip below the picture
  view.one_step = shows_one_step(view, area, rest, layout);
  const float entry_h = 2 * card_padding + 26 + 22 * static_cast<float>(std::max(view.T(), 4) + 1) + 18;
  const float printed_h = r.printed.empty()
                              ? 0
                              : 2 * card_padding + 42 + 20 * static_cast<float>(r.printed.size()) +
                                    (r.one_hot_example ? 60.f : 8.f);
  const float lookup_h = 2 * card_padding + 46 + 18 + 42 + 20 * static_cast<float>(view.T());
  const float bottom_h = large ? lookup_h : std::max(lookup_h, 210.f);
  if (layout.two) {
    Box right = rest.cut_right(layout.side);
    rest.cut_right(card_gap);
    const float flow_h = flow_height(view, rest.w, rest.h - card_gap - bottom_h);
    const float whole = std::max({rest.h, flow_h + card_gap + bottom_h,
                                  entry_h + printed_h + 2 * card_gap + 300 +
                                      (low ? sentence_height(pen, layout.side, sentence) + card_gap : 0)});
    if (whole > rest.h || area.w < all_from) {
      const float end = two_screens(view, rest, right, {entry_h, printed_h, std::max(bottom_h, 320.f)},
                                    low ? sentence : std::string(), area.h - 2 * card_gap);
      return std::max(area.h, end + card_gap - area.y);
    }
    right.h = rest.h = whole;
    flow_card(view, rest.cut_top(flow_h));
    rest.cut_top(card_gap);
    Box roles = rest.cut_left(std::floor((rest.w - card_gap) * 0.48f));
    rest.cut_left(card_gap);
    roles_card(view, roles);
    lookup_card(view, rest);
    if (low) {
      draw_head(pen, right.cut_top(sentence_height(pen, right.w, sentence)), in, r);
      right.cut_top(card_gap);
    }
    entry_card(view, right.cut_top(entry_h));
    right.cut_top(card_gap);
    if (printed_h > 0) {
      printed_card(view, right.cut_bottom(printed_h));
      right.cut_bottom(card_gap);
    }
    plane_card(view, right);
    return std::max(area.h, top_of_cards + whole + card_gap - area.y);
  }
  Stack stack(rest);
  flow_card(view, stack.next(flow_height(view, rest.w, hero_height(pen, rest.h, 420, 220))));
  if (low) draw_head(pen, stack.next(sentence_height(pen, rest.w, sentence)), in, r);
  entry_card(view, stack.next(entry_h));
  if (printed_h > 0) printed_card(view, stack.next(printed_h));
  plane_card(view, stack.next(std::min(360.f, 0.5f * rest.w + 90)));
  roles_card(view, stack.next(250));
  lookup_card(view, stack.next(lookup_h));
  return std::max(area.h, stack.y() - area.y);
}

std::string worked_tooltip(const PageInput& in, const draw::Hit& hit) {
  const WorkedResults* r = in.own<scene::WorkedResults>();
  if (hit.mark.part != draw::Part::control || hit.mark.head < 0 || !r) return hit.mark.note;
  const WorkedEntry entry{static_cast<WorkedStage>(hit.mark.head), hit.mark.query, hit.mark.key};
  if (entry.row >= rows_of(*r, entry.stage) || entry.col >= cols_of(*r, entry.stage)) return {};
  std::string words = entry_words(in, *r, entry);
  for (const WorkedLine& line : arithmetic(in, *r, entry)) {
    if (!line.result) words += "\n" + line.words + " → " + line.value;
  }
  return words;
}

namespace {

/// "[1, 0]", a row of a matrix by its quantity.
std::string row_words(const PageInput& in, const char* of, int row, int cols) {
  std::string out;
  for (int c = 0; c < cols; ++c)
    out += (c > 0 ? ", " : "[") + in.text(quantity(of, {{"row", row}, {"col", c}}));
  return out + "]";
}

/// The row of weights that is shown, and the row of the output that it gives.
std::string flow_finding(const PageInput& in, const WorkedResults& r, int token) {
  constexpr int most_shown = 4;  // longer rows are no sentence
  if (r.trace.S > most_shown || r.trace.output.cols() > most_shown) return worked_words(in);
  const std::string row = std::to_string(token);
  return "Row " + row + " of A is " + row_words(in, "worked_weight", token, r.trace.S) + ", so row " + row +
         " of O is " + row_words(in, "worked_output", token, r.trace.output.cols());
}

/// The keys with the largest and the smallest product.
std::string plane_finding(const PageInput& in, const WorkedResults& r, int token) {
  if (r.trace.d_k != 2) return {};
  int most = -1, least = -1;
  for (int j = 0; j < r.trace.S; ++j) {
    if (!r.trace.allowed[static_cast<std::size_t>(token)].has(j)) continue;
    if (most < 0 || r.products.at(token, j) > r.products.at(token, most)) most = j;
    if (least < 0 || r.products.at(token, j) < r.products.at(token, least)) least = j;
  }
  if (most < 0) return {};
  const auto product = [&](int j) {
    return indexed("k", j) + " is " + in.text(quantity("worked_product", {{"row", token}, {"col", j}})) +
           ", with weight " + in.text(quantity("worked_weight", {{"row", token}, {"col", j}}));
  };
  const std::string words = "The product of " + indexed("q", token) + " with " + product(most);
  return r.products.at(token, most) == r.products.at(token, least) ? words
                                                                   : words + "; that with " + product(least);
}

std::string lookup_finding(const PageInput& in, const WorkedResults& r, int token) {
  const int found = r.exact[static_cast<std::size_t>(token)];
  int most = 0;
  for (int j = 1; j < r.trace.S; ++j) most = r.soft.at(token, j) > r.soft.at(token, most) ? j : most;
  const int key = found >= 0 ? found : most;
  const std::string weight = in.text(quantity("worked_soft", {{"row", token}, {"col", key}}));
  if (found >= 0) {
    const int equal = equal_keys(r, token);
    return "The exact lookup of " + indexed("q", token) + " finds " + indexed("k", key) +
           (equal > 1 ? ", the first of " + std::to_string(equal) + " equal keys" : " alone") +
           "; the soft lookup assigns it weight " + weight;
  }
  const auto row = r.soft.row(token);
  const bool shared = std::count_if(row.begin(), row.end(), [&](auto w) {
                        return std::abs(static_cast<double>(w - row[static_cast<std::size_t>(key)])) < 1e-6;
                      }) > 1;
  return "No key equals " + indexed("q", token) + "; the soft lookup assigns " +
         (shared ? "weight " + weight + " to " + indexed("k", key) + " and as much to another key"
                 : "the largest weight, " + weight + ", to " + indexed("k", key));
}

/// The number that is explained, as the sum or the quotient that it is.
std::string number_finding(const PageInput& in, const WorkedResults& r) {
  const WorkedEntry entry = chosen_in(in, r);
  if (r.trace.d_k == 0 || step_of(entry.stage) > in.scene.worked.step) return {};
  const std::string whole = entry_words(in, r, entry);  // "O[0,0] = 0.802"
  const std::size_t equals = whole.find(" = ");
  const std::vector<WorkedLine> lines = arithmetic(in, r, entry);
  if (masked(r, entry)) return "K" + lines.front().words.substr(1) + ": " + whole;
  const std::string result = whole.substr(equals), name = whole.substr(0, equals) + " = ";
  if (entry.stage == WorkedStage::scores)
    return lines[1].value == "÷ 1" ? name + lines[0].value + ", not divided by √d_k"
                                   : name + lines[0].value + " ÷ " + lines[1].value + result;
  if (entry.stage == WorkedStage::weights) return name + lines[2].value + " ÷ " + lines[3].value + result;
  const std::size_t terms = lines.size() - 1;
  constexpr std::size_t most_shown = 5;  // longer sums are no sentence
  if (terms > most_shown)
    return whole.substr(0, equals) + " is a sum of " + std::to_string(terms) + " products, " +
           whole.substr(equals + 3);
  std::string sum;
  constexpr std::string_view minus = "−";
  for (std::size_t i = 0; i < terms; ++i) {
    const std::string& value = lines[i].value;
    const bool negative = i > 0 && value.starts_with(minus);
    sum += (i == 0 ? "" : negative ? " − " : " + ") + (negative ? value.substr(minus.size()) : value);
  }
  return name + sum + (terms > 1 ? result : "");
}

std::string printed_finding_of(const WorkedResults& r) {
  int other = 0;
  double gap = 0;
  for (const scene::WorkedPrinted& p : r.printed) {
    if (!p.agrees) ++other, gap = std::max(gap, p.gap);
  }
  const std::string all = std::to_string(r.printed.size());
  return other == 0 ? "All " + all + " printed rows agree with the computed ones"
                    : std::to_string(other) + " of " + all +
                          " printed rows differ from the computed ones, by up to " + fixed(gap, 3);
}

}  // namespace

std::string worked_card_finding(const PageInput& in, std::string_view card) {
  const WorkedResults* r = in.own<scene::WorkedResults>();
  if (!r || !r->problem.empty() || r->x.rows() == 0) return {};
  const int token = std::clamp(in.scene.worked.row, 0, r->x.rows() - 1);
  if (card == "plane") return plane_finding(in, *r, token);
  if (card == "lookup") return lookup_finding(in, *r, token);
  if (card == "printed") return r->printed.empty() ? std::string() : printed_finding_of(*r);
  if (card == "flow") return flow_finding(in, *r, token);
  if (card == "number") return number_finding(in, *r);
  if (card != "roles") return {};
  const int most = std::max({r->trace.q.cols(), r->trace.k.cols(), r->trace.v.cols()});
  constexpr int most_shown = 4;  // longer vectors are no sentence
  if (most > most_shown)
    return indexed("x", token) + " has " + std::to_string(r->x.cols()) + " elements, its query and key " +
           std::to_string(r->trace.q.cols()) + ", its value " + std::to_string(r->trace.v.cols());
  return "The query of " + indexed("x", token) + " is " +
         row_words(in, "worked_q", token, r->trace.q.cols()) + ", its key " +
         row_words(in, "worked_k", token, r->trace.k.cols()) + ", its value " +
         row_words(in, "worked_v", token, r->trace.v.cols());
}

std::string worked_words(const PageInput& in) {
  const WorkedResults* r = in.own<scene::WorkedResults>();
  if (!r) return {};
  if (!r->problem.empty()) return r->problem;
  return entry_words(in, *r, chosen_in(in, *r));
}

}  // namespace headlight::views
