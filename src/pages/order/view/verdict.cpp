#include "kit/verdict.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kit/words.h"
#include "pages/order/order.h"
#include "pages/order/view/cards.h"
#include "scene/mask_and_order.h"

namespace headlight::views {

OrderView::OrderView(const Sheet& with, const scene::OrderResults& of) : sheet(with), results(of) {
  const nn::AttentionTrace& trace = with.trace();
  if (trace.heads > 0) head = scene::first_head(with.in.scene, trace.heads);
  const scene::Pinned pinned = scene::pinned(with.in.scene, trace.T, trace.S);
  if (pinned.detail_query < 0) return;
  query = pinned.detail_query, key = pinned.key;
  if (key < 0) {
    std::span<const float> row = trace.weights.row(head, query);
    // Of a long sentence only the first scores are split, and the pair that opens by itself is one of them.
    const auto split = static_cast<std::size_t>(std::max(0, of.parts.tokens));
    if (static_cast<std::size_t>(query) < split && split < row.size()) row = row.first(split);
    key = static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
  }
}

bool OrderView::positions_on() const {
  if (results.opened) return results.added;
  const scene::Scene& computed = sheet.in.results.scene;
  return computed.position != scene::Position::none && computed.position_scale != 0;
}

std::vector<int> OrderView::typed() const {
  std::vector<int> order(static_cast<std::size_t>(results.tokens));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::string OrderView::sentence(const std::vector<int>& order) const {
  std::string out;
  for (std::size_t i = 0; i < order.size() && out.size() < 400; ++i) {
    const bool spaced = results.opened || sheet.in.results.tokens_are == nn::VocabularyKind::words;
    out += (i > 0 && spaced ? " " : "") + token_label(sheet.in, order[i]);
  }
  return in_quotes(out);
}

draw::Color token_color(const draw::Theme& theme, int token) {
  const int at = token % token_colors;  // without the one that is near the query's colour
  return draw::series(theme, at < 3 ? at : at + 1);
}

namespace {

/// Names everything that depends on position: "A token at another position gets another encoding", and so on.
std::string causes(const OrderView& view) {
  const scene::OrderResults& r = view.results;
  const bool before = r.mask_before && !view.sheet.selection.masked;
  const std::string lets = before ? "the causal masks of earlier layers let " : "the mask lets ";
  if (view.places_matter() && r.mask_knows_order)
    return "A token at another position gets another encoding, and " + lets + "it attend to other tokens.";
  if (view.places_matter())
    return "A token at another position gets another encoding, so it is a different input.";
  if (r.mask_knows_order) return "No positions were added, but " + lets + "a token attend to other tokens.";
  return {};
}

/// The words while no token has moved.
std::string what_a_position_changes(const OrderView& view) {
  const std::string move = "Move a token to another position";
  const scene::OpenedLayer* opened = view.sheet.in.results.opened.get();
  const std::string what = opened && opened->rotary > 0 ? "rotation" : "encoding";
  if (view.sheet.pen.canvas.plain()) {  // nobody can move a token on paper
    const std::string there = "A token at another position ";
    if (view.places_matter() && view.results.mask_knows_order)
      return there + "has another " + what + ", may attend to other keys, and so has another output.";
    if (view.places_matter()) return there + "has another " + what + ", and so another output.";
    if (view.results.mask_knows_order)
      return "No positions are added, but the mask determines which keys a token may attend to.";
    return "Without positions, the order of the tokens does not change an output row.";
  }
  if (view.places_matter() && view.results.mask_knows_order)
    return move + ": its " + what + " and the keys it may attend to change, and so does its output.";
  if (view.places_matter()) return move + ": its " + what + " changes, and so does its output.";
  if (view.results.mask_knows_order)
    return move + ": no positions are added, but the mask determines which keys it may attend to.";
  return move + " and follow its output row. Without positions, the row itself does not change.";
}

bool all_outputs_are_zero(const scene::OrderResults& r) {
  return r.no_keys && r.float32.largest == 0;
}

}  // namespace

std::string change_text(const PageInput& in, const std::string& quantity) {
  constexpr int places = 3;
  const double value = in.value(quantity);
  return value >= 0.5 * std::pow(10, -places) ? in.text(quantity, base::decimals(places)) : in.text(quantity);
}

std::string same_unknown_words(const OrderView& view) {
  const PageInput& in = view.sheet.in;
  const std::vector<int>& order = view.results.order;
  int moved = 0, first = -1, other = -1;
  for (int position = 0; position < static_cast<int>(order.size()); ++position) {
    const int token = order[static_cast<std::size_t>(position)];
    if (token == position) continue;
    ++moved;
    if (first < 0 && in.results.unknown(token) && in.results.unknown(position))
      first = std::min(token, position), other = std::max(token, position);
  }
  if (first < 0) return {};
  return token_in_words(in, first) + " and " + token_in_words(in, other) +
         " are the same unknown token to this model" +
         (moved == 2 ? ": swapping them changes nothing but their positions" : "");
}

std::vector<std::string> position_causes(const PageInput& in, const scene::OrderResults& r) {
  const scene::Scene& computed = in.results.scene;
  const bool added =
      r.opened ? r.added : computed.position != scene::Position::none && computed.position_scale != 0;
  std::vector<std::string> out;
  if (all_outputs_are_zero(r)) return out;
  if (added) out.push_back(r.learned_positions ? "learned positions" : "positions");
  if (r.relative_positions) out.push_back("the model’s relative positions");
  if (r.token_types) out.push_back("token types");
  if (scene::mask_depends_on_position(in.results.attention.allowed, r.tokens)) out.push_back("a mask");
  if (r.mask_before) out.push_back("the causal masks of the earlier layers");
  return out;
}

namespace {

OrderVerdict verdict_of_rows(const OrderView& view) {
  const scene::OrderResults& r = view.results;
  const PageInput& in = view.sheet.in;
  const std::string apart = change_text(in, "order_difference");
  if (r.tokens == 1)
    return {Verdict::open, "One token has only one order",
            in_window(view.sheet.pen, "Type a second word above.")};
  if (all_outputs_are_zero(r))
    return {Verdict::open, "No: every key is masked",
            "No query attends to a key: every output row is 0 in every order."};
  if (r.identity) return {Verdict::open, "Original order", what_a_position_changes(view)};
  if (!std::isfinite(r.float32.output)) {
    return {Verdict::open, "The outputs are not finite",
            "Some outputs are NaN or infinite, so the rows cannot be compared."};
  }
  if (view.same() && r.bag.size() == 1 && r.rows_equal && !view.places_matter() && !r.token_types)
    return {Verdict::open, "No: all tokens are equal",
            "Without positions, equal tokens have equal output rows: no order changes them."};
  if (view.same()) {
    std::string words = "Each token keeps its output row: the same set of outputs, in another order.";
    if (r.float32.output > 0) words += " The remaining difference is float32 rounding.";
    const std::vector<std::string> causes = position_causes(in, r);
    if (causes.empty()) return {Verdict::open, "No: same rows, permuted", words};
    std::string depends;
    for (const std::string& cause : causes) depends += (depends.empty() ? "" : ", ") + cause;
    return {Verdict::open, "Not in this order: same rows, permuted",
            words + " Another order may change them: " + depends + "."};
  }
  const std::string part = in.text("order_share") + " of the largest output";
  const bool some = static_cast<std::size_t>(r.tokens) < in.results.tokens.size();
  const std::string words = "Rows differ by up to " + apart + ", " + part +
                            (some ? ", in the first " + std::to_string(r.tokens) + " tokens. " : ". ") +
                            causes(view);
  if (view.places_matter()) return {Verdict::open, "Yes: the rows change", words};
  if (r.mask_knows_order) return {Verdict::open, "Yes: the mask depends on position", words};
  return {Verdict::open, "Yes: the rows differ", "By up to " + apart + ", " + part + "."};
}

}  // namespace

OrderVerdict order_verdict(const OrderView& view) {
  OrderVerdict verdict = verdict_of_rows(view);
  if (const std::string same = same_unknown_words(view); !same.empty())
    verdict.words = same + ". " + verdict.words;
  return verdict;
}

namespace {

constexpr float line = 20, count_line = 26;  // of a table; of counts

void residual_table(const OrderView& view, Box& inside) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const float right = inside.right(), middle = right - std::min(92.f, inside.w * 0.26f);
  const draw::TextStyle quiet = words_style(theme.dim),
                        number = aligned(mono_style(theme.text), Align::right);
  const auto row = [&](const std::string& name, const std::string& single, const std::string& twice,
                       const draw::TextStyle& style) {
    // The larger words of a slide may leave no room; they would be drawn over the card below.
    if (on_slide(pen) && inside.h < line) return;
    const float y = inside.y + line / 2;
    put(pen, {inside.x, y}, name, quiet, middle - 78 - inside.x);
    put(pen, {middle, y}, single, style, 80);
    put(pen, {right, y}, twice, style, right - middle - 6);
    inside.cut_top(line);
  };
  const PageInput& in = view.sheet.in;
  // A long sentence has no second run in double precision.
  const bool twice = view.results.has_double;
  const auto both = [&](const std::string& name, const char* single, const char* second,
                        const draw::TextStyle& style) {
    row(name, twice ? change_text(in, single) : std::string(), change_text(in, twice ? second : single),
        style);
  };
  row("largest difference", twice ? "float32" : "", twice ? "double" : "float32",
      aligned(quiet, Align::right));
  both("output, A(πX) − πA(X)", "order_difference", "order_difference_double", number);
  // The word that the page's other cards imply is left out where the line is too short for it.
  const std::string weights = "attention weights, same permutation";
  const bool whole = pen.canvas.text_width(weights, quiet) <= middle - 78 - inside.x;
  both(whole ? weights : "weights, same permutation", "order_weights", "order_weights_double", number);
}

/// Writes "the ×2", "cat ×1", … as many as fit on `lines` lines, and how many more words there are. Returns
/// the number of lines.
int counts(const OrderView& view, Point at, float width, bool moved, int lines = 1) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const draw::TextStyle loud = words_style(theme.text), quiet = mono_style(theme.dim, small_size);
  struct Chip {
    std::string word, count;
    float width = 0;
  };
  constexpr float gap = 3, more = 62;  // more: room for the number of words left out
  std::vector<Chip> chips;
  for (const scene::OrderResults::Count& entry : view.results.bag) {
    // Words outside the vocabulary share one token, so the first of them must not stand for all.
    const bool unknown = view.sheet.in.results.unknown(entry.token);
    Chip chip{draw::fit_text(pen.canvas, unknown ? "<unknown>" : token_label(view.sheet.in, entry.token),
                             literal(loud), 90),
              "×" + std::to_string(moved ? entry.moved : entry.original)};
    chip.width =
        pen.canvas.text_width(chip.word, literal(loud)) + pen.canvas.text_width(chip.count, quiet) + 13;
    chips.push_back(std::move(chip));
  }
  // Is this the last line, with room for all the rest?
  const auto rest_fits = [&](std::size_t from) {
    float all = -gap;
    for (std::size_t i = from; i < chips.size(); ++i) all += chips[i].width + gap;
    return all <= width;
  };
  int line = 1;
  float x = at.x, end = at.x + width - (line == lines && !rest_fits(0) ? more : 0.f);
  for (std::size_t i = 0; i < chips.size(); ++i) {
    const Chip& chip = chips[i];
    if (x + chip.width > end && line < lines) {
      ++line, x = at.x, at.y += count_line;
      end = at.x + width - (line == lines && !rest_fits(i) ? more : 0.f);
    }
    if (x + chip.width > end) {
      put(pen, {x + 2, at.y}, "+ " + std::to_string(chips.size() - i) + " more", words_style(theme.dim),
          at.x + width - x - 2);
      break;
    }
    pen.canvas.rect({x, at.y - 11, chip.width, 22}, theme.field, 6);
    const float taken = put(pen, {x + 5, at.y}, chip.word, literal(loud));
    put(pen, {x + 8 + taken, at.y}, chip.count, quiet);
    x += chip.width + gap;
  }
  return line;
}

void draw_verdict_words(const OrderView& view, Box& inside) {
  const Pen& pen = view.pen();
  const OrderVerdict verdict = order_verdict(view);
  // An open verdict is neither right nor wrong and has no sign.
  const float sign = verdict.sign == Verdict::open ? 0.f : 26.f;
  if (sign > 0) verdict_sign(pen, {inside.x + 9, inside.y + 10}, verdict.sign);
  put(pen, {inside.x + sign, inside.y + 10}, verdict.title, strong_style(view.theme().text, 14),
      inside.w - sign);
  inside.cut_top(26);
  inside.cut_top(
      paragraph(pen, {inside.x, inside.y}, inside.w, verdict.words, words_style(view.theme().text), 4) + 8);
}

void bag_of_words(const OrderView& view, Box inside) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  bool equal = true;
  for (const auto& count : view.results.bag) equal = equal && count.original == count.moved;
  const float heading =
      put(pen, {inside.x, inside.y + 8}, "As a bag of words", strong_style(theme.text, 14), inside.w);
  put(pen, {inside.right(), inside.y + 8}, equal ? "the same counts" : "other counts",
      aligned(words_style(theme.dim), Align::right), inside.w - heading - 12);
  inside.cut_top(22);
  const float label = 72;
  if (inside.h < 48) {
    counts(view, {inside.x, inside.y + 11}, inside.w, true);
    return;
  }
  // A high card has several lines for either order.
  constexpr float below = 34;
  const int lines =
      pen.canvas.plain() ? 1 : std::max(1, static_cast<int>((inside.h - below) / (2 * count_line)));
  for (const bool moved : {false, true}) {
    put(pen, {inside.x, inside.y + 11}, moved ? "new order" : "original", words_style(theme.dim), label - 6);
    inside.cut_top(count_line * static_cast<float>(counts(view, {inside.x + label, inside.y + 11},
                                                          inside.w - label, moved, lines)));
  }
  inside.cut_top(4);
  if (inside.h >= 20)
    paragraph(
        pen, {inside.x, inside.y}, inside.w,
        equal ? "It only counts tokens, so the two orders are the same." : "These are not the same tokens.",
        words_style(theme.dim), static_cast<int>(inside.h / 17));
}

}  // namespace

void order_verdict_card(const OrderView& view, Box box, bool strip) {
  const Pen& pen = view.pen();
  const int layer = view.results.layer;
  const std::string upto = layer > 2 ? "layers 1 to " + std::to_string(layer) : "layers 1 and 2";
  const CardHead head =
      layer > 1 ? CardHead{"Is this model order-aware?",
                           "A is " + upto + ", run again; π is the permutation, X the words"}
                : CardHead{"Is this layer order-aware?", "A is the layer, π the permutation, X the input"};
  Box inside = card(pen, box, head, "verdict");
  if (strip) {
    constexpr float apart = 32;
    const float third = std::floor((inside.w - 2 * apart) / 3);
    Box words = inside.cut_left(third);
    draw_verdict_words(view, words);
    bag_of_words(view, inside.cut_right(third));
    Box table{inside.x + apart, inside.y, inside.w - 2 * apart, inside.h};
    return residual_table(view, table);
  }
  draw_verdict_words(view, inside);
  residual_table(view, inside);
  inside.cut_top(10);
  if (inside.h < 62) return;
  pen.canvas.rect({inside.x, inside.y, inside.w, 1}, view.theme().border);
  inside.cut_top(10);
  constexpr float bag = 102;  // the height of two short lines of counts with their words
  if (pen.canvas.plain() && view.results.tokens == 1) pen.canvas.saved(inside.h - bag);
  bag_of_words(view, inside);
}

}  // namespace headlight::views
