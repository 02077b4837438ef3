#include <algorithm>
#include <cmath>

#include "pages/order/order.h"
#include "pages/order/view/cards.h"

namespace headlight::views {

namespace {

constexpr float chip_height = 30, chip_gap = 6, widest_word = 140;

std::string list_words(const std::vector<int>& order) {
  std::string out;
  for (const int i : order) out += (out.empty() ? "" : ",") + std::to_string(i);
  return out;
}

draw::TextStyle word_look(Color color) {
  return literal(words_style(color, 14));
}
draw::TextStyle number_look(Color color) {
  return words_style(color, 12);
}

float chip_width(const OrderView& view, int position) {
  const int token = view.results.order[static_cast<std::size_t>(position)];
  const Color any = view.theme().text;
  return std::ceil(
      18 + 12 + 5 +
      std::min(widest_word, view.canvas().text_width(token_label(view.sheet.in, token), word_look(any))) +
      view.canvas().text_width(std::to_string(token), number_look(any)));
}

/// Draws the contents of a chip: the colour of the token's line, its word, and its position as typed.
void chip_words(const OrderView& view, Box box, int token, Color word, Color number) {
  const Point sign{box.x + 13, box.centre().y};
  const Color own = token_color(view.theme(), token);
  if (second_round(token)) {
    view.canvas().rect({sign.x - 3.5f, sign.y - 3.5f, 7, 7}, own, 1);
  } else {
    view.canvas().circle(sign, 4, own);
  }
  const float width = put(view.pen(), {box.x + 23, box.centre().y}, token_label(view.sheet.in, token),
                          word_look(word), widest_word);
  if (view.sheet.in.results.unknown(token))
    mark_unknown(view.pen(), {box.x + 23, box.centre().y}, width, word_look(word).size);
  put(view.pen(), {box.x + 28 + width, box.centre().y + 1}, std::to_string(token), number_look(number));
}

/// Draws a token at its position. While it is dragged, its position is an outline, and a bar shows where it
/// would be inserted.
void draw_chip(const OrderView& view, Box box, int position) {
  const draw::Theme& theme = view.theme();
  const int token = view.results.order[static_cast<std::size_t>(position)];
  const draw::Hit* hover = view.pen().hover;
  const bool over = hover && hover->mark.part == Part::slot && hover->mark.query == position;
  const int from = view.sheet.in.dragged_slot, to = view.sheet.in.drop_slot;
  const bool dragged = from == position, moved = token != position;
  Mark mark;
  mark.part = Part::slot, mark.set = "order_permutation", mark.query = position;
  mark.head = view.results.tokens, mark.area = box;
  mark.note = quoted_token(view.sheet.in, token) + " at position " + std::to_string(position) +
              (moved ? ", originally at position " + std::to_string(token) : ", original position") +
              unknown_words(view.sheet.in, token);
  mark.note += "\nclick: follow it";
  if (view.results.tokens > 1) mark.note += "\ndrag, or Ctrl + arrow keys: move it to another position";
  view.canvas().mark(mark);
  if (dragged) {
    view.canvas().frame(box, {theme.accent, 1, 4}, 8);
    chip_words(view, box, token, theme.dim, theme.dim);
  } else {
    view.canvas().rect(box, over ? theme.field_hover : theme.field, 8);
    const bool requested = token == view.query && marks_selection(view.pen());
    view.canvas().frame(box, {requested ? theme.query : theme.border, requested ? 1.5f : 1.f}, 8);
    chip_words(view, box, token, requested ? theme.query : theme.text, moved ? theme.text : theme.dim);
  }
  view.canvas().mark({});
  if (from >= 0 && to == position && to != from) {
    const float x = to < from ? box.x - chip_gap / 2 : box.right() + chip_gap / 2;
    view.canvas().rect({x - 1.5f, box.y - 3, 3, box.h + 6}, theme.accent, 1.5f);
  }
}

struct ChipLines {
  float height = 0;
  int first = 0, last = 0;  // the chips, from … to
  std::vector<Box> boxes;
};

std::vector<float> chip_widths(const OrderView& view) {
  std::vector<float> out;
  for (int position = 0; position < view.results.tokens; ++position)
    out.push_back(chip_width(view, position));
  return out;
}

constexpr float edge_room = 62;  // of the number of tokens before or after the chips on view

/// The room of a strip of chips: its first line begins after the number of tokens before it, its last line
/// ends before the number of those that follow. Both keep their places while the strip scrolls.
struct StripRoom {
  Point at;
  float width = 0;
  int most_lines = 1;
  bool edges = false;  // the chips do not fit
};

/// Places lines of chips from position `first` on.
ChipLines chip_lines(const std::vector<float>& widths, int first, const StripRoom& strip) {
  ChipLines out{.first = first, .last = first};
  const auto count = static_cast<int>(widths.size());
  const auto [at, width, most_lines, edges] = strip;
  float x = at.x + (edges ? edge_room : 0), y = at.y;
  for (int line = 1; out.last < count; ++out.last) {
    const float wide = std::min(widths[static_cast<std::size_t>(out.last)], width);
    const float room = line == most_lines && edges ? width - edge_room : width;
    if (x > at.x && x + wide > at.x + room && out.last > first) {
      if (line == most_lines) break;
      x = at.x, y += chip_height + chip_gap, ++line;
    }
    out.boxes.push_back({x, y, wide, chip_height});
    x += wide + chip_gap;
  }
  out.height = y + chip_height - at.y;
  return out;
}

/// Returns the lines that are on view: where the strip was scrolled to, else those with the chosen token.
ChipLines chips_on_view(const OrderView& view, StripRoom strip) {
  const std::vector<float> widths = chip_widths(view);
  ChipLines out = chip_lines(widths, 0, strip);
  const int count = view.results.tokens;
  if (out.last == count) return out;
  strip.edges = true;
  out = chip_lines(widths, 0, strip);
  int until = view.sheet.in.first_slot;  // the last position that has to be on view
  const bool scrolled = until >= 0;
  if (scrolled) {
    out = chip_lines(widths, std::min(until, count - 1), strip);
    until = -1;
  } else if (view.query >= 0) {
    const auto found = std::find(view.results.order.begin(), view.results.order.end(), view.query);
    until = static_cast<int>(found - view.results.order.begin());
  }
  while (until < count && out.last <= until) out = chip_lines(widths, out.first + 1, strip);
  // The end of the strip has no empty room.
  while (out.first > 0 && out.last == count) {
    ChipLines before = chip_lines(widths, out.first - 1, strip);
    if (before.last < count) break;
    out = std::move(before);
  }
  return out;
}

/// Draws one end of a strip that does not fit: how many tokens there are beyond it, a button that scrolls to
/// them. At the end of the strip it stays, pale, under a pointer that clicks once more.
void strip_edge(const OrderView& view, Point at, int count, bool before) {
  const std::string number = std::to_string(count);
  if (view.canvas().plain() || on_slide(view.pen())) {
    if (count == 0) return;
    put(view.pen(), {at.x + 4, at.y + chip_height / 2}, before ? number + " …" : "… " + number,
        words_style(view.theme().dim), edge_room - 8);
    return;
  }
  const Pen& pen = view.pen();
  const std::string name = before ? "tokens before" : "tokens after";
  const Box box{at.x, at.y + (chip_height - control_height) / 2, edge_room - chip_gap, control_height};
  if (count > 0)
    control_area(
        pen, name, "",
        number + (before ? " tokens before" : " more tokens") + "\nclick, or turn the wheel over the strip",
        box);
  pen.canvas.rect(box, count > 0 && pen.over(name) ? pen.theme.field_hover : pen.theme.field, 6);
  pen.canvas.frame(box, {pen.theme.border, 1}, 6);
  const Color color = count > 0 ? pen.theme.text : draw::faded(pen.theme.dim, 0.6f);
  pen.canvas.text(box.centre(), before ? "‹ " + number : number + " ›",
                  aligned(words_style(color), Align::centre));
  pen.canvas.mark({});
}

/// Draws lines of chips.
ChipLines chips(const OrderView& view, const StripRoom& strip, bool draw) {
  ChipLines lines = chips_on_view(view, strip);
  if (!draw || lines.boxes.empty()) return lines;
  for (std::size_t i = 0; i < lines.boxes.size(); ++i)
    draw_chip(view, lines.boxes[i], lines.first + static_cast<int>(i));
  const int more = view.results.tokens - lines.last;
  if (lines.first == 0 && more == 0) return lines;
  const Point at = strip.at;
  strip_edge(view, at, lines.first, true);
  strip_edge(view, {at.x + strip.width - edge_room + chip_gap, lines.boxes.back().y}, more, false);
  return lines;
}

/// Returns the least width in which as many chips take no more lines, so that the last line is about as long
/// as the others.
float even_width(const OrderView& view, float width, int most_lines) {
  constexpr float step = 12;
  const ChipLines whole = chips(view, {{}, width, most_lines}, false);
  if (whole.height <= chip_height) return width;
  const auto holds = [&](float narrower) {
    const ChipLines lines = chips(view, {{}, narrower, most_lines}, false);
    return lines.height <= whole.height && lines.boxes.size() >= whole.boxes.size();
  };
  float out = width;
  while (out > width / 2 && holds(out - step)) out -= step;
  return out;
}

}  // namespace

void order_dragged_token(const OrderView& view) {
  const int position = view.sheet.in.dragged_slot;
  if (position < 0 || position >= view.results.tokens) return;
  const draw::Theme& theme = view.theme();
  const int token = view.results.order[static_cast<std::size_t>(position)];
  const Point at = view.sheet.in.dragged_at;
  const float width = chip_width(view, position);
  const Box box{at.x - width / 2, at.y - chip_height / 2, width, chip_height};
  view.canvas().rect(box, draw::faded(theme.accent, 0.92f), 8);
  chip_words(view, box, token, theme.on_accent, theme.on_accent);
}

namespace {

/// Returns the assignments of the new order, the order it comes from, and the step that starts the animation.
std::string moving_to(const OrderView& view, const std::vector<int>& order) {
  return "order_permutation=" + list_words(order) + ";order_from=" + list_words(view.results.order) +
         ";order_step=" + std::to_string((view.sheet.in.scene.order.step + 1) % 10000);
}

/// Is the sentence the one of the anagrams below?
bool is_example(const OrderView& view) {
  const scene::Scene& s = view.sheet.in.scene;
  return !view.results.opened && s.sentence == "the cat sat on the mat" &&
         s.tokenizer == scene::Tokenizer::words;
}

std::vector<Choice> shuffles(const OrderView& view) {
  if (view.results.tokens < 2) return {};  // one token has one order
  return {{"Shuffle", moving_to(view, view.results.next), "shuffle", false,
           "a new order; the same clicks always give the same orders"},
          {"Reverse", moving_to(view, view.results.reversed), "reverse", false, "the last token first"},
          {"Original", moving_to(view, {}), "as typed", view.results.identity && !is_example(view),
           "every token back to its original position"}};
}

std::vector<Choice> anagrams(const OrderView& view) {
  if (view.results.opened) return {};  // its tokenizer may not produce six tokens
  const bool own = is_example(view);
  const std::string note =
      own ? "the same six words"
          : "replaces the sentence with “the cat sat on the mat”, in this order; Ctrl + Z "
            "restores the sentence";
  const auto one = [&](const char* words, const std::vector<int>& order) {
    return Choice{"“" + std::string(words) + "”",
                  "sentence=the cat sat on the mat;tokenizer=words;" + moving_to(view, order),
                  std::string("anagram ") + words,
                  own && (view.results.order == order || (order.empty() && view.results.identity)), note};
  };
  return {one("the cat sat on the mat", {}), one("the mat sat on the cat", {0, 5, 2, 3, 4, 1}),
          one("mat the on sat cat the", {5, 0, 3, 2, 1, 4})};
}

std::vector<Choice> positions(const OrderView& view) {
  if (view.results.opened) return {};  // the model has its own positions, which cannot be removed
  const scene::Position now = view.sheet.in.scene.position;
  std::vector<Choice> out = {
      {view.results.relative_positions ? "none added" : "no positions", "position=none", "positions none",
       now == scene::Position::none,
       view.results.relative_positions
           ? "nothing is added to the tokens; the model’s own relative positions remain in its scores"
           : "the output of a token does not depend on its position"},
      {view.results.learned_positions ? "learned" : "sin/cos", "position=sinusoidal", "positions sinusoidal",
       now == scene::Position::sinusoidal,
       view.results.learned_positions ? "the row of the model’s table for the position is added to the token"
                                      : "the encoding of the position is added to the token"}};
  if (now == scene::Position::sinusoidal_concat || !view.sheet.in.results.model)
    out.push_back({"concat", "position=sinusoidal_concat", "positions concat",
                   now == scene::Position::sinusoidal_concat,
                   "the encoding of the position is concatenated to the token"});
  return out;
}

}  // namespace

float token_order_card(const OrderView& view, Box box, int lines, bool draw, bool part) {
  const Pen& pen = view.pen();
  const auto choices = positions(view);
  const float controls = choices.empty() ? 0.f : segmented_width(pen, choices);
  const bool plain = pen.canvas.plain();
  const bool beside = plain || box.w - 2 * card_padding > controls + 190;
  const std::string same = same_unknown_words(view);
  const bool some = view.results.tokens < static_cast<int>(view.sheet.in.results.tokens.size());
  // In a low window the rows have the line that says what the tooltip of a chip also says.
  const bool silent = lines == 1 && beside && !some && same.empty() && view.results.tokens > 1;
  float y = box.y + card_padding + (beside ? 22.f : 18.f) + (silent ? 0.f : 16.f) + 8;
  Box inside = box.inset(card_padding);
  if (draw) {
    std::string more = "click a token to follow it, or drag it to another position";
    const int all = view.sheet.trace().T;
    const std::string first =
        "the first " + std::to_string(view.results.tokens) + " of " + std::to_string(all) + " tokens";
    if (view.results.tokens == 1) {
      more = "nothing to permute: one token has one order";
    } else if (plain) {
      more = "the number is the token’s original position";
      if (some) more = first + "; " + more;
    } else if (some) {
      more = first + "; drag one to another position";
    } else if (pen.canvas.text_width(more, words_style(view.theme().dim)) > inside.w) {
      more = "drag a token to another position";  // the card has only one line
    }
    if (!same.empty()) more = same;
    if (silent) more.clear();
    const CardHead head{"Token order", more, beside ? controls : 0};
    if (part) {
      pen.canvas.panel(box, "token-order", head.title);
      Box words = inside;
      card_head(pen, words, head);
    } else {
      card(pen, box, head, "token-order");
    }
    progress_line(pen, box, view.sheet.in.busy);
    if (beside && !choices.empty()) segmented(pen, card_corner(box), choices);
  }
  if (!beside) {
    if (draw && !choices.empty())
      segmented(pen, {std::min(inside.x + controls, inside.right() + 4), y}, choices);
    y += control_height + 10;
  }
  std::vector<Choice> ways = shuffles(view);
  const auto presets = anagrams(view);
  // The presets are at the right of the same line if all fit.
  float all = 0, half = 0, tokens = 0;
  for (const Choice& c : ways) half += button_width(pen, c) + 6;
  for (const Choice& c : presets) all += button_width(pen, c) + 6;
  for (int position = 0; position < view.results.tokens; ++position)
    tokens += chip_width(view, position) + chip_gap;
  if (!plain && tokens + 24 + half + all <= inside.w) {  // a short sentence leaves room for everything
    chips(view, {{inside.x, y}, inside.w, lines}, draw);
    const float middle = y + (chip_height - control_height) / 2;
    if (draw) {
      button_flow(pen, {inside.right() - all - half + 6, middle}, half, ways);
      button_flow(pen, {inside.right() - all + 6, middle}, all + 6, presets);
    }
    return y + chip_height + card_padding - box.y;
  }
  // In a narrow window the tokens have the shuffles beside them, and the presets are below both.
  if (!plain && half + all + 24 > inside.w && tokens + 24 + half <= inside.w && all - 6 <= inside.w) {
    chips(view, {{inside.x, y}, inside.w, lines}, draw);
    const float middle = y + (chip_height - control_height) / 2;
    if (draw) button_flow(pen, {inside.right() - half + 6, middle}, half, ways);
    y += chip_height + 8;
    return y + button_flow(pen, {inside.x, y}, inside.w, presets, draw) + card_padding - box.y;
  }
  y +=
      chips(view, {{inside.x, y}, plain ? even_width(view, inside.w, lines) : inside.w, lines}, draw).height +
      12;
  if (plain) return y - 12 + card_padding - box.y;
  if (half + all + 24 <= inside.w) {
    if (draw) {
      button_flow(pen, {inside.x, y}, inside.w, ways);
      button_flow(pen, {inside.right() - all + 6, y}, all + 6, presets);
    }
    return y + control_height + card_padding - box.y;
  }
  y += button_flow(pen, {inside.x, y}, inside.w, ways, draw) + 6;
  y += button_flow(pen, {inside.x, y}, inside.w, presets, draw);
  return y + card_padding - box.y;
}

}  // namespace headlight::views
