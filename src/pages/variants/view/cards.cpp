// The cards with other sentences: a second one to attend to, and a batch of two.
#include <algorithm>
#include <array>
#include <cmath>

#include "draw/pick_canvas.h"
#include "kit/choices.h"
#include "kit/matrix_panel.h"
#include "kit/words.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/view.h"

namespace headlight::views {

namespace {

std::vector<std::string> labels(const std::vector<nn::Token>& tokens) {
  std::vector<std::string> out;
  for (const nn::Token& token : tokens) out.push_back(shown_token(token.text));
  return out;
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
  // A slide states the scale in the words of its card: the rows need the height.
  const float bar_high = on_slide(view.pen) ? 0.f : 18.f;
  Box foot = area.cut_bottom(50 + bar_high);
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
  const Box bar = foot.cut_top(bar_high);
  if (bar.h > 0)
    low_color_bar(view.pen, {box.x, std::min(bar.y, box.bottom() + 2), std::max(box.w, 120.f), bar.h},
                  {draw::Colormap::weight, "0", "weight α", "1"});
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
                                        " rows" + cut_to + ", padding keys masked" + plain_words(view, box) +
                                        (on_slide(view.pen) ? "; colours: weight α from 0 to 1" : "")},
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
