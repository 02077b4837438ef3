// What the model predicts at the chosen token: the ten most probable tokens, the most probable one after each
// layer. What there is of all tokens is in next_losses.cpp.
#include <algorithm>
#include <array>
#include <cmath>

#include "kit/area_name.h"
#include "pages/model/view/next_parts.h"

namespace headlight::views {

using scene::Predictions;

namespace {

constexpr const char* after_top = "model_after_top";  // the quantity of the second list
constexpr float wide_card = 800, buttons_row = control_height + 8;
// The least width of a card with the most probable tokens after each token, and the height of the losses
// then.
constexpr float each_from = 1080, least_losses = 52, above_columns = 8, numbers_of_losses = 16;
constexpr float ends_row = 14;         // below bars: what their ends are
constexpr float lens_with_rank = 280;  // least width of the layers with the rank of the next token
constexpr float lens_headings = 16;    // above the layers: what each column is

float list_height(bool plain) {
  return 24 + 10 * row_of(plain) + ends_row;
}

float lens_row(bool plain) {
  return plain ? row_of(true) : 16.f;
}

/// What the layers take in one column.
float lens_needs(const Predictions& p, bool plain) {
  return part_heading_height + lens_headings + static_cast<float>(p.lens.size()) * lens_row(plain) + ends_row;
}

/// Of what is in the middle of a narrow card: no more than it needs.
float middle_height(const Predictions& p, bool plain) {
  if (p.changed) return list_height(plain);
  const auto layers = static_cast<float>(p.lens.size());
  return std::min(list_height(plain), 28 + lens_headings + layers * lens_row(plain) + ends_row);
}

/// The same of the losses: words in lines while they are few, else bands.
float losses_height(const Predictions& p, bool plain) {
  constexpr float words_a_line = 6;
  const float line = plain ? 44.f : 24.f;  // a picture has the number of each below its word
  const auto tokens = static_cast<float>(p.causal ? p.followers.size() + 1 : 24);
  return 24 + scale_row + std::min(4.f, std::ceil(tokens / words_a_line)) * line;
}

/// What the ends of bars are, below the last of them.
void draw_ends(const Pen& pen, float x, float right, float y) {
  const draw::TextStyle style = words_style(pen.theme.dim, small_size);
  put(pen, {x, y}, "0", style);
  put(pen, {right, y}, "1", aligned(style, Align::right));
}

/// Ten bars. The token that follows in the sentence is bright.
struct TokenList {
  const std::vector<scene::PredictedToken>& tokens;
  const char* numbers;  // the quantity of their probabilities
  std::string title, more;
  std::vector<std::string> columns;  // what the numbers are, where there are several columns
  bool compared = false;             // beside the probabilities those with the heads off, and the change
  bool drawn = false;                // beside the probabilities those with which they are drawn
  std::vector<std::string> above{};  // columns of the list whose bars these are compared with
};

/// Where bars from 0 to 1 begin and how long they are, left of columns of numbers.
struct Bars {
  float name = 0, length = 0, number = 0;
};

Bars bars_of(const Pen& pen, float width, int columns) {
  Bars out;
  // The smallest have five decimals: they stay clear of the bars.
  out.number = 12 + pen.canvas.text_width("0.00000", mono_style(pen.theme.text, word_size));
  const float numbers = out.number * static_cast<float>(columns);
  out.name = std::clamp((width - numbers) * 0.5f, 50.f, 130.f);
  out.length = std::max(8.f, width - out.name - numbers);
  return out;
}

/// The title, and above each column of numbers what it is.
void list_heading(const Pen& pen, const TokenList& list, Box& box, float number) {
  if (list.columns.empty()) return part_heading(pen, box, list.title, list.more);
  const Box line = box.cut_top(20);
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const auto count = static_cast<float>(list.columns.size());
  const float room = line.w - count * number;
  const float taken =
      put(pen, {line.x, line.y + 8}, list.title, strong_style(pen.theme.text, word_size), room);
  if (const float left = room - taken - 8; pen.canvas.text_width(list.more, quiet) <= left)
    put(pen, {line.x + taken + 8, line.y + 8}, list.more, quiet, left);
  for (std::size_t i = 0; i < list.columns.size(); ++i)
    put(pen, {line.right() - (count - 1 - static_cast<float>(i)) * number, line.y + 8}, list.columns[i],
        aligned(quiet, Align::right), number - 4);
}

void draw_list(const ModelView& view, const Predictions& p, const TokenList& list, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  const std::vector<std::string>& headings = list.above.empty() ? list.columns : list.above;
  Bars place_of_bars = bars_of(pen, box.w, std::max<int>(1, static_cast<int>(headings.size())));
  // What is above a column is whole, too.
  for (const std::string& heading : headings) {
    const float more = pen.canvas.text_width(heading, words_style({}, small_size)) + 5 - place_of_bars.number;
    if (more <= 0) continue;
    place_of_bars.number += more;
    place_of_bars.length = std::max(8.f, place_of_bars.length - more * static_cast<float>(headings.size()));
  }
  const float name = place_of_bars.name, bars = place_of_bars.length, number = place_of_bars.number;
  const float row = row_of(pen.canvas.plain());
  const draw::Color fill = draw::color_of(pen.theme, draw::Colormap::weight, 0.8f, 0, 1);
  list_heading(pen, list, box, number);
  int rank = 0;
  const float first = box.y,
              numbers_of_list = number * static_cast<float>(std::max<std::size_t>(1, list.columns.size()));
  for (const scene::PredictedToken& one : list.tokens) {
    const Box line = box.cut_top(row);
    if (box.h < -1) break;
    ++rank;
    const auto text = [&](const char* what) { return in.text(quantity(what, {{"rank", rank}})); };
    const auto place = static_cast<std::size_t>(rank) - 1;
    const bool truth = p.truth && p.truth->next == one.id;
    const bool cut = list.drawn && place < p.drawn.top.size() && p.drawn.top[place] <= 0;
    const draw::TextStyle figures = mono_style(truth ? pen.theme.text : pen.theme.dim, word_size);
    put(pen, {line.x, line.centre().y}, shown_token(one.text),
        literal(truth ? strong_style(pen.theme.text, word_size) : words_style(pen.theme.dim)), name - 8);
    const Box track{line.x + name, line.centre().y - 4, bars, 8};
    const auto bar = [&](float top, float high, double probability, draw::Color color) {
      pen.canvas.rect(
          {track.x, track.y + top, std::max(1.f, track.w * static_cast<float>(probability)), high}, color, 2);
    };
    pen.canvas.rect(track, pen.theme.faint, 3);
    if (list.compared && p.changed && place < p.changed->after.size()) {
      bar(0, 3, one.probability, pen.theme.dim);
      bar(4, 4, p.changed->after[place], fill);
    } else {
      bar(0, 8, one.probability, cut ? draw::mix(pen.theme.faint, pen.theme.dim, 0.4f) : fill);
    }
    const auto column = [&](float from_right, const std::string& words, const draw::TextStyle& style) {
      put(pen, {line.right() - from_right * number, line.centre().y}, words, aligned(style, Align::right));
    };
    if (list.compared) {
      column(2, text(list.numbers), mono_style(pen.theme.dim, word_size));
      column(1, text("model_after_probability"), figures);
      column(0, text("model_after_change"), figures);
    } else if (list.drawn) {
      const std::string name_of = quantity("model_drawn_probability", {{"rank", rank}});
      column(1, text(list.numbers), mono_style(pen.theme.dim, word_size));
      column(0, cut ? in.noted(name_of, 0, "cut") : in.text(name_of), figures);
    } else {
      column(0, text(list.numbers), figures);
    }
  }
  const float all = box.y - first, margin = 4, right = box.right() + margin;
  const auto named = [&](const char* what, float from, float to) {
    name_area(pen, in, std::string(list.numbers == after_top ? "after: " : "next: ") + what,
              {from, first, to - from, all});
  };
  named("list", box.x - margin, right);
  named("bars", box.x + name - margin, box.right() - numbers_of_list);
  named("values", box.x + name - margin, right);
  if (list.compared) named("changes", box.right() - 2 * number + margin, right);
  if (rank > 0 && bars >= 24 && box.h >= ends_row - 2)
    draw_ends(pen, box.x + name, box.x + name + bars, box.y + 6);
}

/// Are some tokens cut from what can be drawn?
bool cuts(const ModelView& view, const Predictions& p) {
  const scene::ModelPageSettings& set = view.sheet.in.results.scene.model;
  return p.causal && (set.top_k > 0 || set.top_p < 1) && p.drawn.tokens < p.vocabulary;
}

std::string drawn_words(const PageInput& in) {
  return in.text("model_drawn_tokens") + " tokens can be sampled, " + in.text("model_drawn_kept");
}

/// "head off", "2 scaled", "3 changed"
std::string changed_label(const scene::ChangedPredictions& changed) {
  const std::size_t count = changed.heads.size();
  const auto off = static_cast<std::size_t>(std::count_if(
      changed.heads.begin(), changed.heads.end(), [](const nn::HeadFactor& one) { return one.factor == 0; }));
  return (count == 1 ? "head" : std::to_string(count)) + (off == count ? " off"
                                                          : off == 0   ? " scaled"
                                                                       : " changed");
}

std::vector<std::string> compared_columns(const scene::ChangedPredictions& changed) {
  return {"all heads", changed_label(changed), "change"};
}

void draw_top(const ModelView& view, const Predictions& p, Box box) {
  const PageInput& in = view.sheet.in;
  TokenList list{p.top, "model_next_probability", p.causal ? "Next token" : "Token here", {}, {}, false,
                 false};
  list.compared = p.changed.has_value(), list.drawn = !p.changed && cuts(view, p);
  list.more = "of " + with_commas(p.vocabulary) + " in the vocabulary";
  if (list.compared) {
    list.more = "grey: all heads · coloured: " + changed_label(*p.changed);
    list.columns = compared_columns(*p.changed);
  } else if (list.drawn) {
    list.more = drawn_words(in);
    list.columns = {"before", "as sampled"};
  }
  draw_list(view, p, list, box);
}

/// In place of the layers while heads are changed: what is most probable then.
void draw_changed(const ModelView& view, const Predictions& p, Box box) {
  TokenList list{
      p.changed->top, after_top,    "With " + changed_words(*p.changed, view.atlas.layers()), {}, {},
      false,          cuts(view, p)};
  if (list.drawn) list.more = drawn_words(view.sheet.in), list.columns = {"before", "as sampled"};
  list.above = compared_columns(*p.changed);  // as long as the bars of the first list
  draw_list(view, p, list, box);
}

/// How the layers of the logit lens share a box: in columns, with smaller rows or without the rank of the
/// next token of the text where that leaves room for all.
struct LensPlan {
  bool rank = false;
  float row = 16;
  int rows = 1, columns = 1;
  bool holds(int layers) const { return rows * columns >= layers; }
};

LensPlan plan_lens(Box box, int layers, bool rank, bool plain) {
  LensPlan plan;
  for (const bool with_rank : {true, false}) {
    if (with_rank && (!rank || box.w < lens_with_rank)) continue;
    for (const float smaller : {0.f, 1.5f, 3.f}) {
      plan.rank = with_rank, plan.row = lens_row(plain) - smaller;
      plan.rows = std::max(1, std::min(layers, static_cast<int>((box.h - ends_row) / plan.row)));
      plan.columns = std::max(1, std::min((layers + plan.rows - 1) / plan.rows,
                                          static_cast<int>(box.w / (with_rank ? 200 : 110))));
      if (plan.holds(layers)) return plan;
    }
  }
  return plan;
}

/// After how many layers which token is the most probable.
void draw_lens(const ModelView& view, const Predictions& p, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  const int count = static_cast<int>(p.lens.size());
  Box inner = box;
  inner.cut_top(part_heading_height + lens_headings);
  const LensPlan plan = plan_lens(inner, count, p.truth.has_value(), pen.canvas.plain());
  Box drawn = box;
  drawn.h = std::min(box.h, inner.y - box.y + static_cast<float>(plan.rows) * plan.row + ends_row);
  named_part(pen, drawn, "lens", "the most probable token after each layer");
  const auto [truth, high, rows, columns] = plan;
  // Where not all fit, the last ones: they are what the prediction becomes.
  const int first = std::max(0, count - rows * columns);
  const std::string left_out = first == 0   ? ""
                               : first == 1 ? "; layer 0 does not fit"
                                            : "; layers 0 to " + std::to_string(first - 1) + " do not fit";
  part_heading(
      pen, box, "Logit lens",
      (truth ? "after each layer; rank of " + in_quotes(shown_token(p.truth_text)) : "after each layer") +
          left_out);
  const Box headings = box.cut_top(lens_headings);
  // One column has its bars below those of the next token, as long as they are.
  const bool one_column = columns == 1 && box.w >= 280;
  const Bars below = bars_of(pen, box.w, cuts(view, p) || truth ? 2 : 1);
  const float gap = one_column ? 0.f : 14.f, width = box.w / static_cast<float>(columns);
  const float from_left =
      std::max(32.f, 8 + pen.canvas.text_width("layer", words_style(pen.theme.dim, small_size)));
  const float word = one_column ? below.name - from_left : 92.f;
  // The smallest have four decimals, a rank up to six digits and a comma.
  const float rank =
      truth ? std::max(56.f, 10 + pen.canvas.text_width("000,000", mono_style(pen.theme.dim, small_size)))
            : 0;
  const float number =
      one_column
          ? box.w - below.name - below.length - rank
          : std::max(50.f, 10 + pen.canvas.text_width("0.00000", mono_style(pen.theme.dim, small_size)));
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  for (int i = first; i < count; i += rows) {
    const float x = headings.x + static_cast<float>((i - first) / rows) * width, right = x + width - gap;
    const float y = headings.y + 6;
    put(pen, {x, y}, "layer", quiet);
    put(pen, {x + from_left, y}, "most probable", quiet, right - x - from_left - number - rank);
    put(pen, {right - rank, y}, "probability", aligned(quiet, Align::right));
    if (truth) put(pen, {right, y}, "rank", aligned(quiet, Align::right));
  }
  name_area(pen, in, "layers", {box.x - 4, box.y, box.w + 8, static_cast<float>(rows) * high});
  for (int i = first; i < count; ++i) {
    const scene::PredictedToken& one = p.lens[static_cast<std::size_t>(i)].top.front();
    const int place = i - first;
    const Box line{box.x + static_cast<float>(place / rows) * width,
                   box.y + static_cast<float>(place % rows) * high, width - gap, high};
    const float y = line.centre().y;
    const bool same = !p.top.empty() && one.id == p.top.front().id;
    put(pen, {line.x + 18, y}, std::to_string(i), aligned(quiet, Align::right));
    put(pen, {line.x + from_left, y}, shown_token(one.text),
        literal(same ? strong_style(pen.theme.text, word_size) : words_style(pen.theme.dim)),
        std::min(word, line.w - from_left - number - rank));
    const Box track{line.x + from_left + word, y - 3, line.w - from_left - word - number - rank, 6};
    if (track.w >= 24) {
      pen.canvas.rect(track, pen.theme.faint, 3);
      pen.canvas.rect(
          {track.x, track.y, std::max(1.f, track.w * static_cast<float>(one.probability)), track.h},
          same ? draw::color_of(pen.theme, draw::Colormap::weight, 0.8f, 0, 1) : pen.theme.dim, 2);
    }
    const bool last = place % rows == rows - 1 || i == count - 1;
    if (last && track.w >= 24) draw_ends(pen, track.x, track.right(), line.bottom() + 6);
    put(pen, {line.right() - rank, y}, in.text(quantity("model_lens_probability", {{"layers", i}})),
        aligned(mono_style(pen.theme.dim, small_size), Align::right));
    if (truth)
      put(pen, {line.right(), y}, in.text(quantity("model_lens_true_rank", {{"layers", i}})),
          aligned(mono_style(pen.theme.dim, small_size), Align::right));
  }
}

std::string subtitle(const ModelView& view, const Predictions& p) {
  const PageInput& in = view.sheet.in;
  if (!p.change_problem.empty()) return p.change_problem;
  std::string words = (p.causal ? "after " : "in place of ") + quoted_token(in, p.position) + " " +
                      std::to_string(p.position) + " (counted from 0)";
  if (p.truth)
    words += "; the sentence continues with " + in_quotes(shown_token(p.truth_text)) + ": probability " +
             in.text("model_true_probability") + ", rank " + in.text("model_true_rank") + ", loss " +
             in.text("model_loss") + " nats";
  else if (!p.causal)
    words += "; the model sees the tokens on both sides, and this one unless a mask is in its place";
  return words;
}

std::vector<Choice> temperature_choices(const Predictions& p) {
  constexpr std::array<double, 3> temperatures{0.5, 1, 2};
  std::vector<Choice> choices;
  for (const double t : temperatures)
    choices.push_back({"τ " + brief(t, 3), "model_temperature=" + brief(t, 3),
                       "next temperature " + brief(t, 3), std::abs(p.temperature - t) < 1e-9,
                       "sampling temperature: the logits are divided by " + brief(t, 3)});
  return choices;
}

/// Writing on, and all heads on again: what can be pressed beside the temperatures.
std::vector<Choice> write_choices(const ModelView& view, const Predictions& p) {
  const bool writing = view.sheet.in.writing;
  std::vector<Choice> out;
  if (!view.sheet.in.scene.model.off.empty())
    out.push_back({"All heads on", "model_off=", "all heads on", false, "every head as it was trained"});
  if (!p.causal) return out;
  if (!writing)
    out.push_back(
        {"Sample one token", "", "write one token", false,
         "draws the next token with the probabilities at temperature τ and appends it to the sentence"});
  out.push_back(writing ? Choice{"Stop", "", "stop writing", true, "the text stays as it is"}
                        : Choice{"Continue", "", "continue text", false,
                                 "the model continues the sentence, token by token, until it is stopped"});
  return out;
}

}  // namespace

std::string changed_words(const scene::ChangedPredictions& changed, int layers) {
  if (changed.heads.size() != 1) {
    const auto is_off = [](const nn::HeadFactor& one) { return one.factor == 0; };
    const bool off = std::all_of(changed.heads.begin(), changed.heads.end(), is_off),
               scaled = std::none_of(changed.heads.begin(), changed.heads.end(), is_off);
    return std::to_string(changed.heads.size()) + " heads " +
           (off      ? "off"
            : scaled ? "scaled"
                     : "off or scaled");
  }
  const nn::HeadFactor& one = changed.heads.front();
  std::string words = "head " + std::to_string(one.head + 1);
  if (layers > 1) words += " of layer " + std::to_string(one.layer + 1);
  return words + (one.factor == 0 ? " off" : " × " + brief(one.factor, 3));
}

float next_height(const Predictions& predictions, float width, bool plain) {
  const float head = 2 * card_padding + 48, parts = list_height(plain);
  const bool each = !plain && predictions.causal && predictions.after_each.size() > 1;
  if (width >= wide_card)
    return head + parts + (each && width - 2 * card_padding >= each_from ? above_columns : 0.f);
  constexpr float second_line = 18;  // of what is said below the title
  return head + second_line + (plain ? 0.f : buttons_row) + parts + middle_height(predictions, plain) +
         losses_height(predictions, plain) +
         (each ? each_height_in_window + above_columns + numbers_of_losses : 0.f);
}

void next_card(const ModelView& view, const Predictions& p, Box box) {
  const Pen& pen = view.sheet.pen;
  const char* title = p.causal ? "What comes next?" : "What does the model predict here?";
  const std::vector<Choice> choices = temperature_choices(p), more = write_choices(view, p);
  const bool wide = box.w >= wide_card;
  float controls = segmented_width(pen, choices);
  for (const Choice& one : more) controls += wide ? button_width(pen, one) + 8 : 0;
  Box inside = card(pen, box, {title, subtitle(view, p), controls}, "next");
  draw::Point corner = card_corner(box);
  corner.x = segmented(pen, corner, choices).x - 8;
  if (!wide && !more.empty() && !pen.canvas.plain()) {  // on a line of their own
    const Box line = inside.cut_top(buttons_row);
    corner = {line.right(), line.y};
  }
  for (std::size_t i = more.size(); i-- > 0;) corner.x = button(pen, corner, more[i]).x - 8;
  const auto middle = [&](Box part) { p.changed ? draw_changed(view, p, part) : draw_lens(view, p, part); };
  const bool plain = pen.canvas.plain();
  const float gap = 28, lens = middle_height(p, plain);
  // In a picture, few layers leave room for the losses below them, and the bars become longer. The numbers of
  // losses have lines of their own.
  if (inside.w >= 770 && plain && lens + gap + losses_height(p, plain) <= inside.h) {
    draw_top(view, p, inside.cut_left((inside.w - gap) / 2));
    inside.cut_left(gap);
    middle(inside.cut_top(lens));
    inside.cut_top(gap);
    draw_losses(view, p, inside);
    return;
  }
  if (inside.w >= each_from && !plain && p.causal && p.after_each.size() > 1 &&
      inside.h > each_height(pen) + least_losses) {
    // The lists are as wide as they need, and the columns of all tokens have the rest: below the layers, too,
    // where these are few.
    const float list = std::clamp(inside.w * 0.26f, lens_with_rank, 380.f), each = each_height(pen);
    draw_top(view, p, inside.cut_left(list));
    inside.cut_left(gap);
    const bool few = !p.changed && lens_needs(p, plain) <= inside.h - each;
    if (few) draw_each(view, p, inside.cut_bottom(each));
    middle(inside.cut_left(list));
    inside.cut_left(gap);
    if (!few) draw_each(view, p, inside.cut_bottom(each)), inside.cut_bottom(8);
    draw_losses(view, p, inside, true);
    return;
  }
  if (inside.w >= 770) {
    // The layers have room for the rank of the next token; the losses take more lines instead.
    const float all = inside.w - 2 * gap;
    const float layers = plain && p.truth && !p.changed ? std::max(all / 3, lens_with_rank) : all / 3;
    draw_top(view, p, inside.cut_left((all - layers) / 2));
    inside.cut_left(gap);
    // A picture has no card wide enough for the columns of all tokens, but room below few layers, and often
    // below few losses.
    const bool columns = plain && !p.changed && p.causal && p.after_each.size() > 1;
    const float each = columns ? each_height(pen) : 0, apart = 12;
    const bool below_layers = columns && lens + apart + each <= inside.h;
    const bool below_both = below_layers && losses_height(p, plain) + apart + each <= inside.h;
    if (below_both) draw_each(view, p, inside.cut_bottom(each));
    Box part = inside.cut_left(layers);
    if (below_layers && !below_both) draw_each(view, p, part.cut_bottom(each));
    middle(part);
    inside.cut_left(gap);
    draw_losses(view, p, inside);
    return;
  }
  draw_top(view, p, inside.cut_top(list_height(plain)));
  middle(inside.cut_top(middle_height(p, plain)));
  if (!plain && p.causal && p.after_each.size() > 1) {
    draw_each(view, p, inside.cut_bottom(each_height(pen)));
    inside.cut_bottom(above_columns);
  }
  draw_losses(view, p, inside);
}

}  // namespace headlight::views
