// The cards below the comparison: why ÷√d_k, decoding one token at a time, a second sentence, a batch.
#include <algorithm>
#include <array>
#include <cmath>

#include "draw/pick_canvas.h"
#include "kit/choices.h"
#include "kit/curve.h"
#include "kit/matrix_panel.h"
#include "kit/words.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/view.h"

namespace headlight::views {

namespace {

// The colours of two curves that are neither roles nor verdicts: the first and second series.
draw::Color raw_color(const VariantsView& view) {
  return draw::series(view.theme(), 0);
}
draw::Color scaled_color(const VariantsView& view) {
  return draw::series(view.theme(), 1);
}

std::vector<std::string> labels(const std::vector<nn::Token>& tokens) {
  std::vector<std::string> out;
  for (const nn::Token& token : tokens) out.push_back(shown_token(token.text));
  return out;
}

using Measure = double (*)(const scene::DotProducts&);

/// One quantity plotted against d_k on a logarithmic axis, raw and scaled.
struct DotMeasure {
  const char* title;
  Measure raw, scaled;
  const char *raw_quantity, *scaled_quantity;
  bool logarithmic;
  double hi;
  const char* note;
};

/// A quantity of the widths, whose form is read once for all of them.
struct WidthNumber {
  const PageInput& in;
  const char* name;
  base::NumberForm form = in.numbers ? in.read(quantity(name, {{"d", 16}})).form : base::NumberForm{};
  std::string at(int width, double value) const {
    std::string words = base::written(value, form);
    if (in.said) in.noted(quantity(name, {{"d", width}}), value, words);
    return words;
  }
};

void dot_plot(const VariantsView& view, Box area, const DotMeasure& which) {
  const std::vector<scene::DotProducts>& dots = view.results.dots;
  // All of it has a name, clear of its words, so that an outline around it touches none of them.
  constexpr float beside = 5, above = 3, half_a_label = 10;
  view.pen.canvas.mark({.part = draw::Part::note,
                        .note = which.note,
                        .name = which.title,
                        .area = {area.x - beside, area.y - above, area.w + 2 * beside, area.h + 2 * above}});
  view.pen.canvas.mark({});
  const bool with_scaled = !view.in.leaves_out("scaled series");
  PlotWords words;
  words.title = which.title;
  std::vector<PlotPoint> raw, scaled, predicted;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const auto d_k = static_cast<double>(dots[i].d_k);
    raw.push_back({d_k, which.raw(dots[i])}), scaled.push_back({d_k, which.scaled(dots[i])});
    predicted.push_back({d_k, d_k});
    const bool every = area.w > 260 ? i % 2 == 0 || i + 1 == dots.size() : i % 4 == 0;
    if (every && !(area.w > 260 && i + 2 == dots.size()))
      words.x.push_back({d_k, std::to_string(dots[i].d_k)});
  }
  if (which.logarithmic) {
    words.y = {{1, "1"}, {16, "16"}, {256, "256"}};
  } else {
    words.y = {{0, "0"}, {which.hi / 2, brief(which.hi / 2, 3)}, {which.hi, brief(which.hi, 3)}};
  }
  const Box numbers = area.cut_bottom(16);
  area.cut_right(half_a_label);  // the last one is below the end of its axis
  const double last = dots.back().d_k;
  const Plot plot = framed_plot(
      view.pen, area,
      {{}, double(dots.front().d_k), last, which.logarithmic ? 0.25 : 0, which.hi, true, which.logarithmic},
      words);
  const Box& box = plot.box;
  if (box.w >= 10 && box.h >= 10) {
    // Mark the width of the scene's own heads among the sampled widths.
    if (view.results.d_k <= last) {
      const float x = plot.x(view.results.d_k);
      view.pen.canvas.line({x, box.y - 4}, {x, box.bottom()}, {view.theme().text, 1, 3});
    }
    if (which.logarithmic) {
      const std::array<PlotPoint, 2> one = {PlotPoint{double(dots.front().d_k), 1}, {last, 1}};
      curve(view.pen, plot, predicted, {view.theme().dim, 2, 4});
      curve(view.pen, plot, one, {view.theme().dim, 2, 4});
    }
    curve(view.pen, plot, raw, {raw_color(view)});
    if (with_scaled) curve(view.pen, plot, scaled, {scaled_color(view)});
  }
  const draw::TextStyle style = mono_style(raw_color(view), small_size);
  const WidthNumber raw_number{view.in, which.raw_quantity}, scaled_number{view.in, which.scaled_quantity};
  const std::string left = raw_number.at(dots.back().d_k, which.raw(dots.back()));
  const std::string right = with_scaled ? scaled_number.at(dots.back().d_k, which.scaled(dots.back())) : "";
  // Both numbers have room: the line begins further left, or its words are shorter.
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  constexpr float after_words = 6, after_number = 10;
  const auto width_of = [&](const std::string& where) {
    return view.pen.canvas.text_width(where, quiet) + after_words + view.pen.canvas.text_width(left, style) +
           after_number + view.pen.canvas.text_width(right, style);
  };
  const std::string width = std::to_string(dots.back().d_k) + ":";
  std::string where = "at d_k = " + width;
  if (width_of(where) > numbers.w) where = "at " + width;
  float x = std::max(numbers.x, std::min(box.x, numbers.right() - width_of(where)));
  x += put(view.pen, {x, numbers.centre().y}, where, quiet, numbers.right() - x) + after_words;
  x += put(view.pen, {x, numbers.centre().y}, left, style, numbers.right() - x) + after_number;
  if (with_scaled)
    put(view.pen, {x, numbers.centre().y}, right, mono_style(scaled_color(view), small_size),
        numbers.right() - x);
  if (box.w <= 10) return;
  column_marks(view.pen, box, dots.size(), [&](std::size_t i) {
    draw::Mark mark;
    mark.part = draw::Part::note;
    mark.name = std::string(which.title) + " at " + std::to_string(dots[i].d_k);
    mark.note =
        "d_k = " + std::to_string(dots[i].d_k) + "\nq·k: " + raw_number.at(dots[i].d_k, which.raw(dots[i]));
    if (with_scaled) mark.note += "\nq·k ÷ √d_k: " + scaled_number.at(dots[i].d_k, which.scaled(dots[i]));
    mark.note += std::string("\n") + which.note;
    return mark;
  });
}

constexpr std::array<DotMeasure, 4> dot_plots = {{
    {"variance of a score", [](const scene::DotProducts& d) { return d.variance; },
     [](const scene::DotProducts& d) { return d.scaled_variance; }, "dots_variance", "dots_scaled_variance",
     true, 1024, "dashed: predicted, d_k and 1"},
    {"largest weight", [](const scene::DotProducts& d) { return d.raw.largest; },
     [](const scene::DotProducts& d) { return d.scaled.largest; }, "dots_largest", "dots_scaled_largest",
     false, 1, "mean over 64 queries, 8 keys"},
    {"entropy, bits", [](const scene::DotProducts& d) { return d.raw.entropy_bits; },
     [](const scene::DotProducts& d) { return d.scaled.entropy_bits; }, "dots_entropy", "dots_scaled_entropy",
     false, 3, "at most log₂ 8 = 3 bits"},
    {"gradient of the softmax", [](const scene::DotProducts& d) { return d.raw.gradient; },
     [](const scene::DotProducts& d) { return d.scaled.gradient; }, "dots_gradient", "dots_scaled_gradient",
     false, 0.5, "Frobenius norm of ∂α/∂score = diag(α) − α αᵀ"},
}};

/// The one scale of the bars of all residuals: in decades from 1e−9 to 10, or linear from 0 where none is a
/// hundred times another one.
struct ResidualScale {
  static constexpr int first_decade = -9, last_decade = 1;
  double end = 0;  // of the linear one; 0: decades

  explicit ResidualScale(const std::vector<scene::Decoding::Step>& steps) {
    double least = 0, most = 0;
    for (const auto& step : steps) {
      for (const double one : {step.forgotten_residual, step.context_residual}) {
        if (!(one > 0)) continue;
        least = least > 0 ? std::min(least, one) : one, most = std::max(most, one);
      }
    }
    constexpr double alike = 100;
    if (most > 0.1 && most <= alike * least) end = most;
  }
  float length(double residual, float width) const {
    if (residual <= 0) return 0;
    const double part =
        end > 0 ? residual / end : (std::log10(residual) - first_decade) / (last_decade - first_decade);
    return width * static_cast<float>(std::clamp(part, 0.02, 1.0));
  }
  std::string text(double residual) const {
    return end > 0 && residual > 0 ? weight_text(residual, 2) : residual_text(residual);
  }
  std::string words() const { return end > 0 ? "bars: 0 to " + text(end) : "bars: 1e−9 to 10, logarithmic"; }
};

/// Draws the scale above the bars: its ends, and the decades as ticks down to `bottom`.
void residual_axis(const VariantsView& view, const ResidualScale& scale, Box axis, float bottom) {
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const float y = axis.centre().y;
  const std::string from = scale.end > 0 ? "0" : "1e−9", to = scale.end > 0 ? scale.text(scale.end) : "10";
  if (view.pen.canvas.text_width(from + " " + to, quiet) <= axis.w) {  // else the ticks alone
    const float left = put(view.pen, {axis.x, y}, from, quiet);
    const float right = put(view.pen, {axis.right(), y}, to, aligned(quiet, Align::right));
    const draw::TextStyle middle = aligned(quiet, Align::centre);
    if (scale.end <= 0 && axis.w / 2 > std::max(left, right) + view.pen.canvas.text_width("1e−4", quiet))
      put(view.pen, {axis.x + axis.w / 2, y}, "1e−4", middle);
  }
  const int ticks = scale.end > 0 ? 1 : ResidualScale::last_decade - ResidualScale::first_decade;
  for (int tick = 0; tick <= ticks; ++tick) {
    const float x = axis.x + axis.w * static_cast<float>(tick) / static_cast<float>(ticks);
    view.pen.canvas.line({x, axis.bottom()}, {x, bottom}, {view.theme().faint, 1});
  }
}

Choice step_choice(const VariantsView& view, std::size_t sentence, int by) {
  scene::IndexList lengths = view.in.scene.variants.batch_lengths;
  lengths.resize(2, view.results.batch_width);
  int& own = lengths[sentence];
  own = std::clamp(std::min(own, view.results.batch_width) + by, 0, scene::most_batch_tokens);
  std::string set = "variants_batch_lengths=" + std::to_string(lengths[0]) + "," + std::to_string(lengths[1]);
  return {by < 0 ? "−" : "+", std::move(set),
          std::string(by < 0 ? "shorter " : "longer ") + std::to_string(sentence + 1), false,
          by < 0 ? "one token fewer before padding" : "one token more before padding"};
}

/// How the map of a sentence is drawn so that the rows of both maps are level.
struct SameRows {
  float lower = 0;       // units that the map is moved down
  float most_cell = 64;  // largest size of its cells
};

/// Draws one sentence; returns the box of its cells.
Box one_sentence(const VariantsView& view, Box area, std::size_t n, const SameRows& rows) {
  const scene::BatchSentence& sentence = view.results.batch[n];
  const int width = view.results.batch_width;
  const Box more = button(view.pen, {area.right(), area.y}, step_choice(view, n, +1));
  const Box less = button(view.pen, {more.x - 6, area.y}, step_choice(view, n, -1));
  const std::string count = std::to_string(sentence.length) + " of " + std::to_string(sentence.tokens_in_all),
                    name = "sentence " + std::to_string(n + 1) + ": ";
  const draw::TextStyle strong = strong_style(view.theme().text, word_size);
  const float room = less.x - 8 - area.x;
  std::string words = name + count + " tokens before padding";
  for (const std::string& shorter : {name + count + " tokens", count + " tokens"})
    if (view.pen.canvas.text_width(words, strong) > room) words = shorter;
  put(view.pen, {area.x, area.y + 13}, words, strong, room);
  area.cut_top(34);
  const Box foot = area.cut_bottom(50);
  MatrixPanel map;
  map.values = sentence.weights.data(), map.rows = map.cols = width;
  map.version = view.in.results.version;
  map.row_names = labels(sentence.tokens);
  map.row_names.resize(static_cast<std::size_t>(width), "pad");
  map.col_names = map.row_names;
  const std::vector<base::Interval> allowed(static_cast<std::size_t>(width), {0, sentence.length});
  map.allowed = allowed;
  map.across.clear(), map.down.clear();
  map.most_cell = rows.most_cell;
  map.mark.part = draw::Part::note, map.mark.name = "batch " + std::to_string(n + 1);
  area.cut_top(rows.lower);
  const Box box = draw_matrix_panel(view.pen, area, map).cells;
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const std::string share = sentence.length == 0 ? "no token before padding: every row is zero"
                            : sentence.length == width
                                ? "no padding"
                                : "without the mask, padding would get " +
                                      view.in.text(quantity("batch_pad_share", {{"sentence", n + 1}})) +
                                      " of a row’s weight";
  float y = foot.y + 12;
  for (const std::string& line : wrap(view.pen, share, quiet, foot.w, 2)) {
    put(view.pen, {foot.x, y}, line, quiet, foot.w);
    y += 14;
  }
  if (sentence.length > 0) {
    const std::string by = view.in.text(quantity("batch_residual", {{"sentence", n + 1}}));
    const std::string whole = "Padding changes the valid rows by " + by;
    const bool fits = view.pen.canvas.text_width(whole, quiet) <= foot.w;
    put(view.pen, {foot.x, y}, fits ? whole : "Padding changes rows by " + by, quiet, foot.w);
  }
  return box;
}

/// What the batch and the second sentence are computed with, in a note of two lines.
std::string plain_words(const VariantsView& view, Box card) {
  constexpr float narrow = 480;
  const scene::VariantPosition position = view.results.plain_position;
  if (card.w < narrow) return "; not A or B: " + position_name(position) + ", not causal";
  return "; not A or B: " + position_name(position) +
         (position == scene::VariantPosition::none ? ", no causal mask" : " positions, no causal mask");
}

}  // namespace

void dots_card(const VariantsView& view, Box box) {
  Box inside = card(view.pen, box,
                    {"Why divide by √d_k",
                     "q·k of N(0, 1) vectors has variance d_k: the softmax saturates; mean of 512 products"},
                    "dots");
  const float y = inside.y + 6;
  float x = inside.x;
  x += legend(view.pen, {x, y}, raw_color(view), "q·k") + 16;
  if (!view.in.leaves_out("scaled series"))
    x += legend(view.pen, {x, y}, scaled_color(view), "q·k ÷ √d_k") + 16;
  const std::string rest = "dashed: predicted · vertical: d_k = " + std::to_string(view.results.d_k);
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const bool beside = x + view.pen.canvas.text_width(rest, quiet) <= inside.right();
  put(view.pen, {beside ? x : inside.x, beside ? y : y + 17}, rest, quiet, inside.w);
  inside.cut_top(beside ? 22.f : 39.f);
  // A high card has two plots per row, since curves in narrow frames look too steep.
  const int columns = inside.w >= 720 && inside.h < inside.w * 0.45f ? 4 : inside.w >= 340 ? 2 : 1;
  const int rows = 4 / columns;
  const float wide = (inside.w + 16) / static_cast<float>(columns),
              high = (inside.h + 10) / static_cast<float>(rows);
  for (int i = 0; i < 4; ++i) {
    dot_plot(view,
             {inside.x + static_cast<float>(i % columns) * wide,
              inside.y + static_cast<float>(i / columns) * high, wide - 16, high - 10},
             dot_plots[static_cast<std::size_t>(i)]);
  }
}

void decoding_card(const VariantsView& view, Box box) {
  const scene::Decoding& decoding = view.results.decoding;
  Box inside =
      card(view.pen, box,
           {"One token at a time",
            view.results.layer > 1
                ? "A’s positions, every layer causal and cached; the position grows by one per token"
                : "A’s positions, causal, keys and values cached; the position grows by one per token"},
           "decoding");
  if (!decoding.error.empty() || decoding.steps.empty()) {
    return placeholder(view.pen, inside, "A’s positions are not available", decoding.error);
  }
  const draw::TextStyle words = words_style(view.theme().text), number = mono_style(view.theme().text);
  const auto line = [&](const std::string& name, const char* quantity) {
    const Box row = inside.cut_top(20);
    put(view.pen, {row.x, row.centre().y}, name, words, row.w - 80);
    put(view.pen, {row.right(), row.centre().y}, view.in.text(quantity), aligned(number, Align::right), 76);
  };
  inside.cut_top(paragraph(view.pen, {inside.x, inside.y}, inside.w,
                           "Largest difference between decoding token by token and all at once",
                           words_style(view.theme().dim), 2) +
                 4);
  line("input X", "decoding_input");
  line("output", "decoding_residual");
  line("output if the position stays 0", "decoding_forgotten");
  inside.cut_top(8);
  const int room = std::max(0, static_cast<int>((inside.h - 16) / 18));
  const int steps = static_cast<int>(decoding.steps.size());
  const int shown = steps > room ? room - 1 : steps;  // the last line says how many are left out
  const float pitch =
      std::clamp((inside.h - 16) / static_cast<float>(std::max(1, std::min(shown + 1, steps))), 18.f, 36.f);
  const auto all = static_cast<int>(view.in.results.tokens_in_sentence);
  const std::string computed =
      steps < all ? "computed: the first " + std::to_string(steps) + " of " + std::to_string(all) : "";
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const float label = std::max(104.f, std::ceil(view.pen.canvas.text_width("token · position", quiet)) + 6),
              column = std::max(64.f, std::ceil(view.pen.canvas.text_width("right position", quiet)) + 10);
  if (shown < 1) return;
  const Box head = inside.cut_top(16);
  put(view.pen, {head.x, head.centre().y}, "token · position", quiet, label);
  const float width = std::max(0.f, head.w - label - 2 * column - 8);
  const ResidualScale scale(decoding.steps);
  residual_axis(view, scale, {head.x + label, head.y, width, head.h},
                head.bottom() + pitch * static_cast<float>(shown));
  // The words of a column have the colour of its bars.
  put(view.pen, {head.right(), head.centre().y}, "position 0",
      aligned(words_style(raw_color(view), small_size), Align::right), column);
  put(view.pen, {head.right() - column, head.centre().y}, "right position",
      aligned(words_style(scaled_color(view), small_size), Align::right), column - 6);
  for (int t = 0; t < shown; ++t) {
    const auto& step = decoding.steps[static_cast<std::size_t>(t)];
    const Box row = inside.cut_top(pitch);
    const float y = row.centre().y;
    const std::string offset = " · " + std::to_string(t);
    const float after = view.pen.canvas.text_width(offset, words);
    const float wide = put(view.pen, {row.x, y}, view.tokens[static_cast<std::size_t>(t)], literal(words),
                           label - after - 6);
    put(view.pen, {row.x + wide, y}, offset, quiet, after + 2);
    const Box track{row.x + label, y - 5, width, 10};
    // A bar alone is level with its words, and two are on both sides of their middle.
    const bool both = step.context_residual > 0 && step.forgotten_residual > 0;
    view.pen.canvas.rect({track.x, both ? track.y : y - 2, scale.length(step.forgotten_residual, width), 4},
                         raw_color(view), 2);
    view.pen.canvas.rect({track.x, both ? track.y + 6 : y - 2, scale.length(step.context_residual, width), 4},
                         scaled_color(view), 2);
    put(view.pen, {row.right(), y}, scale.text(step.forgotten_residual),
        aligned(mono_style(view.theme().dim, small_size), Align::right), column - 2);
    put(view.pen, {row.right() - column, y}, scale.text(step.context_residual),
        aligned(mono_style(view.theme().text, small_size), Align::right), column - 6);
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "decoded " + std::to_string(t), mark.area = row;
    mark.note = "token " + std::to_string(t) + " encoded at position " + std::to_string(t) +
                "\nits row of X, compared with all at once: " + residual_text(step.input_residual) +
                "\nthe head’s output: " + scale.text(step.context_residual) +
                "\nif the position stays 0: " + scale.text(step.forgotten_residual) + "\n" + scale.words();
    view.pen.canvas.mark(mark);
    view.pen.canvas.mark({});
  }
  std::string rest = shown < steps ? "… " + std::to_string(steps - shown) + " more tokens" : std::string();
  if (!computed.empty()) rest += (rest.empty() ? "" : "; ") + computed;
  if (inside.h >= 14) put(view.pen, {inside.x, inside.y + 9}, rest, quiet, inside.w);
}

void cross_card(const VariantsView& view, Box box) {
  const scene::CrossAttention& cross = view.results.cross;
  const int T = static_cast<int>(cross.queries.size()), S = static_cast<int>(cross.keys.size());
  const auto all = static_cast<int>(view.in.results.tokens_in_sentence);
  const std::string cut =
      T < all ? ", of the first " + std::to_string(T) + " tokens of " + std::to_string(all) : "";
  Box inside = card(view.pen, box,
                    {"Attention to a second sentence", "queries: the sentence; keys, values: the second; " +
                                                           std::to_string(T) + " × " + std::to_string(S) +
                                                           cut + plain_words(view, box)},
                    "cross");
  const std::string& second = view.in.scene.variants.sentence_kv;
  text_entry(
      view.pen, inside.cut_top(entry_height(view.pen)),
      {"variants_sentence_kv", second, "type a second sentence", "the second sentence: a click edits it"});
  inside.cut_top(8);
  if (cross.weights.empty()) {
    return placeholder(
        view.pen, inside, second.empty() ? "The second sentence is empty" : "The sentence is empty",
        second.empty() ? in_window(view.pen, "type one above") : in_window(view.pen, "type one"));
  }
  // A map of tokens outside the vocabulary looks like any other, so say how many there are.
  if (cross.unknown > 0)
    inside.cut_top(
        paragraph(view.pen, {inside.x, inside.y}, inside.w,
                  unknown_keys(view.in) + (cross.unknown > 1 ? ": to it they are one token, <unknown>" : ""),
                  words_style(view.theme().text, small_size), 2) +
        6);
  const Box foot = inside.cut_bottom(46);
  MatrixPanel map;
  map.values = cross.weights.data(), map.rows = T, map.cols = S;
  map.version = view.in.results.version;
  map.row_names = labels(cross.queries), map.col_names = labels(cross.keys);
  map.across = "key: second sentence →";
  // Square cells would make a long, narrow map of a long sentence and a short one.
  constexpr int many = 24, times = 3;
  map.stretched = (T >= many && T > times * S) || (S >= many && S > times * T);
  if (on_slide(view.pen)) map.most_cell = std::max(map.most_cell, inside.h), map.stretched = T > 1;
  map.mark.part = draw::Part::note, map.mark.name = "cross";
  const Box cells = draw_matrix_panel(view.pen, inside, map).cells;
  const float width = std::clamp(cells.w, std::min(150.f, foot.w), foot.w);
  const Box bar{std::clamp(cells.x, foot.x, foot.right() - width), std::min(cells.bottom() + 6, foot.y + 2),
                width, 8};
  color_bar(view.pen, bar, {draw::Colormap::weight, "0", "weight α", "1"});
  put(view.pen, {bar.x, bar.bottom() + 26},
      "entropy " + view.in.text("cross_entropy") + " of at most " + view.in.text("cross_most_entropy") +
          " bits",
      words_style(view.theme().dim, small_size), foot.right() - bar.x);
}

void batch_card(const VariantsView& view, Box box) {
  const auto tokens = static_cast<int>(view.in.results.tokens_in_sentence);
  const std::string cut_to =
      tokens > view.results.batch_width && view.results.batch_width == scene::most_batch_tokens
          ? ", the first of " + std::to_string(tokens)
          : "";
  Box inside = card(
      view.pen, box,
      {"Padding in a batch of two", "both sentences padded to " + std::to_string(view.results.batch_width) +
                                        " rows" + cut_to + ", padding keys masked" + plain_words(view, box)},
      "batch");
  if (view.results.batch.size() < 2) {
    return placeholder(view.pen, inside, "Both sentences are empty", in_window(view.pen, "type one"));
  }
  const bool beside = inside.w >= 420;
  const Box left = beside ? inside.cut_left((inside.w - 20) / 2) : inside.cut_top((inside.h - 12) / 2);
  if (beside) {
    inside.cut_left(20);
  } else {
    inside.cut_top(12);
  }
  SameRows rows[2];
  if (beside) {  // column labels may be slanted above only one of the maps
    draw::PickCanvas unseen({-1e6f, -1e6f}, view.pen.canvas);
    const VariantsView measured(unseen, view.in);
    const Box cells[] = {one_sentence(measured, left, 0, {}), one_sentence(measured, inside, 1, {})};
    const float top = std::max(cells[0].y, cells[1].y);
    // Cells are no larger than those of the smaller map.
    const float cell = std::min(std::max(cells[0].w, cells[0].h), std::max(cells[1].w, cells[1].h)) /
                       static_cast<float>(view.results.batch_width);
    for (int n : {0, 1}) rows[n] = {top - cells[n].y, cell};
  }
  one_sentence(view, left, 0, rows[0]);
  one_sentence(view, inside, 1, rows[1]);
}

}  // namespace headlight::views
