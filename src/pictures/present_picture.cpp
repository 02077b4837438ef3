#include "pictures/present_picture.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/numbers.h"
#include "draw/no_canvas.h"
#include "draw/pick_canvas.h"
#include "kit/card.h"
#include "kit/selection.h"
#include "kit/weight_bar.h"
#include "pages/page.h"
#include "session/slide_keys.h"

namespace headlight::app {

namespace {

using draw::Box;
using draw::Point;

/// Everything around the card is measured in the smallest text.
float unit(Box window) {
  return least_text(window.h);
}
constexpr float margin = 1.6f, head = 3.3f, foot = 4.2f, sentence_size = 1.35f;
// The finding is the largest text but the title; it gets smaller down to `on_one_line` before it takes two.
constexpr float finding_size = 1.5f, on_one_line = 1.35f, finding_line = 1.25f, finding_middle = 1.95f;
constexpr float title_size = 40.f / 26, title_line = 2.1f, note_line = 1.35f, below_head = 1;
// Of the blank above and below the card, what a card without room for all of its words takes.
constexpr float above_spare = 0.5f, below_spare = 0.6f;
constexpr std::size_t most_notes = 2;  // lines

/// The keys that do something on a slide, and what they do.
std::string keys_of(const views::PageInput& in, const SlideFrame& frame) {
  const scene::Scene& scene = in.scene;
  const scene::PageUses uses = scene::room_of(scene.page).uses(scene);
  const scene::SlideKeys* const own = own_keys(scene, frame.card);
  const bool heads = walks_heads(scene, frame.card);
  std::string out = own          ? std::string(own->words) + " · "
                    : heads      ? "← → token · ↑ ↓ "
                    : uses.plays ? "← → position · ↑ ↓ pair · "
                    : uses.pins  ? "← ↑ ↓ → cell · "
                                 : "";
  if (uses.large_map && in.results.attention.heads > 1)
    out += "1–9 head · ";
  else if (heads)
    out += "head · ";
  if (uses.plays) out += "Space run · ";
  if (uses.large_map && frame.card == "map") out += "Space view · ";
  if (frame.count > 1) out += "Tab card · ";
  return out + "Esc leave";
}

struct Word {
  std::string before, text;  // what stands between it and the word before it
  draw::Color color{0, 0, 0, 0};
  float width = 0;  // with what is before it
};

/// The query and the key that are marked on the card, and so in the sentence; −1: none.
struct Marked {
  int query = -1, key = -1;
};
Marked marked_on(const std::string& card, const views::PageView& view, const views::PageInput& in) {
  Marked out;
  if (view.marked) {
    const auto [query, key] = view.marked(in, card);
    out = {query, key};
  } else if (scene::room_of(in.scene.page).uses(in.scene).pins) {
    const views::Selection selection = views::select(in);
    out = {selection.detail_query, selection.key};
  }
  if (views::other_keys(in)) out.key = -1;  // it is no word of this sentence
  // Where tokens are walked the map marks no cell: a key that the mask forbids is not marked either.
  const bool walked = walks_heads(in.scene, card);
  if (walked && out.key >= 0 && !views::may_read(in.results.attention, out.query, out.key)) out.key = -1;
  return out;
}

/// The tokens as they are in the sentence, with what is between them.
std::vector<Word> words_of(const views::Pen& pen, const views::PageInput& in, const Marked& marked,
                           const draw::TextStyle& style) {
  const auto& tokens = in.results.tokens;
  const std::string& sentence = in.results.scene.sentence;
  std::vector<Word> out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    // A blank within a token is one here: this is the sentence.
    const bool blank = tokens[i].text.size() > 1 && tokens[i].text[0] == ' ';
    const std::string text = blank ? tokens[i].text.substr(1) : tokens[i].text;
    Word word{blank && i > 0 ? " " : "", std::string(views::shown_token(text)), pen.theme.dim, 0};
    const bool in_order = i > 0 && tokens[i].begin >= tokens[i - 1].end && tokens[i].end <= sentence.size();
    const bool apart = tokens[i].end == 0;  // of saved attention, which has no sentence
    if (i > 0 && (apart || !in_order || tokens[i].begin > tokens[i - 1].end)) word.before = " ";
    const int at = static_cast<int>(i);
    if (marked.key == at) word.color = pen.theme.key;
    if (marked.query == at) word.color = pen.theme.query;
    draw::TextStyle look = style;
    if (word.color != pen.theme.dim) look.font = draw::Font::semibold;
    word.width = (word.before.empty() ? 0 : pen.canvas.text_width(" ", style)) +
                 pen.canvas.text_width(word.text, look);
    out.push_back(std::move(word));
  }
  return out;
}

/// Which words there is room for: all, else those around the query and the key, which come first.
std::vector<bool> words_shown(const std::vector<Word>& words, const Marked& marked, float width, float gap) {
  std::vector<bool> shown(words.size(), false);
  float room = width - 3 * gap;  // as many ellipses as there can be
  const auto take = [&](int i) {
    if (i < 0 || i >= static_cast<int>(words.size()) || shown[static_cast<std::size_t>(i)]) return true;
    const float wide = words[static_cast<std::size_t>(i)].width;
    if (wide > room) return false;
    room -= wide;
    shown[static_cast<std::size_t>(i)] = true;
    return true;
  };
  const int detail_query = std::max(0, marked.query);
  const int key = marked.key >= 0 ? marked.key : detail_query;
  for (int away = 0; away < static_cast<int>(words.size()); ++away) {
    for (const int i : {detail_query - away, key - away, detail_query + away, key + away}) {
      if (!take(i)) return shown;
    }
  }
  return shown;
}

/// Its em is `size`, or smaller down to `least` where it is long.
void write_sentence(const views::Pen& pen, Point at, float width, const views::PageInput& in,
                    const Marked& marked, float size, float least) {
  draw::TextStyle style = views::literal(views::words_style(pen.theme.dim, size));
  std::vector<Word> words = words_of(pen, in, marked, style);
  const auto width_of = [&words] {
    return std::accumulate(words.begin(), words.end(), 0.f,
                           [](float sum, const Word& word) { return sum + word.width; });
  };
  float whole = width_of();
  if (whole > width) {  // a smaller sentence comes before one with words left out
    style.size = size = std::max(least, std::floor(size * width / whole));
    words = words_of(pen, in, marked, style);
    whole = width_of();
  }
  const float gap = pen.canvas.text_width(" … ", style);
  const std::vector<bool> shown =
      whole <= width ? std::vector<bool>(words.size(), true) : words_shown(words, marked, width, gap);
  bool left_out = false;
  const float left = at.x;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!shown[i]) {
      left_out = true;
      continue;
    }
    if (std::exchange(left_out, false)) {
      const bool first = at.x == left;
      pen.canvas.text(at, first ? "…" : " …", style);
      at.x += pen.canvas.text_width(first ? "…" : " …", style);
    }
    const Word& word = words[i];
    if (at.x > left && !word.before.empty()) at.x += pen.canvas.text_width(" ", style);
    draw::TextStyle look = style;
    look.color = word.color;
    if (word.color != pen.theme.dim) look.font = draw::Font::semibold;
    pen.canvas.text(at, word.text, look);
    const float wide = pen.canvas.text_width(word.text, look);
    if (word.color != pen.theme.dim)
      pen.canvas.rect({at.x, at.y + 0.62f * size, wide, std::max(2.f, size / 12)}, word.color, 0);
    at.x += wide;
  }
  if (left_out) pen.canvas.text(at, " …", style);
}

/// The finding on one line, a little smaller where that helps, or on two of about the same length: it begins
/// at the left edge, below the card. Its em is u · finding_size or less.
std::vector<std::string> finding_lines(const views::Pen& pen, const std::string& words,
                                       draw::TextStyle& style, float width, float u) {
  const float wide = pen.canvas.text_width(words, style);
  if (wide <= width) return views::wrap(pen, words, style, width, 2);
  const float one = style.size * width / wide * 0.995f;
  style.size = on_one_line * u;
  if (one >= style.size) {
    style.size = one;
    return views::wrap(pen, words, style, width, 2);
  }
  // On two lines, as large as they hold all of it.
  const auto whole = [&](const std::vector<std::string>& lines) {
    return std::all_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return pen.canvas.text_width(line, style) <= width; });
  };
  std::vector<std::string> lines = views::wrap(pen, words, style, width, 2);
  while (!whole(lines) && style.size > u) {
    style.size = std::max(u, 0.95f * style.size);
    lines = views::wrap(pen, words, style, width, 2);
  }
  return lines;
}

/// The notes of a card on the lines that there is room for.
std::vector<std::string> note_lines(const views::Pen& pen, const std::string& notes, float width,
                                    float size) {
  if (notes.empty()) return {};
  return views::wrap(pen, notes, views::words_style(pen.theme.dim, size), width, most_notes);
}

/// "Head 1" on a slide with the map of one head of several; else nothing.
std::string head_shown(const views::PageInput& in, const std::string& card) {
  constexpr const char* of_one[] = {"map", "bars", "cell", "kernels"};
  if (in.results.attention.heads < 2 || !scene::room_of(in.scene.page).uses(in.scene).large_map ||
      std::find(std::begin(of_one), std::end(of_one), card) == std::end(of_one))
    return {};
  const views::Selection selection = views::select(in);
  const bool one = selection.kind == views::HeadsShown::one && selection.heads.size() == 1;
  return one ? "Head " + std::to_string(selection.heads.front() + 1) : std::string();
}

/// The question of the page, which is at the top of a slide that shows nothing of the sentence; else nothing.
std::string question_above(const views::PageView& view, const views::PageInput& in, const std::string& card) {
  const auto& without = view.without_sentence;
  const bool shows_it = std::find(without.begin(), without.end(), card) == without.end();
  const bool uses = scene::room_of(in.scene.page).uses(in.scene).sentence;
  return uses && shows_it && !in.results.tokens.empty() ? std::string() : view.question(in);
}

/// Title and notes, in the same place on all slides. A title that is already above it is not repeated.
void write_head(const views::Pen& pen, Box window, const SlideHead& head_words, const std::string& above) {
  const float u = unit(window), width = window.w - 2 * margin * u;
  Point at{window.x + margin * u, window.y + (head + title_line / 2) * u};
  const bool titled = head_words.title != above;
  if (titled && !head_words.title.empty()) {
    draw::TextStyle title = views::strong_style(pen.theme.text, title_size * u);
    if (const float wide = pen.canvas.text_width(head_words.title, title); wide > width)
      title.size = std::max(u, title.size * width / wide);
    pen.canvas.text(at, draw::fit_text(pen.canvas, head_words.title, title, width), title);
  }
  at.y = window.y + (head + (titled ? title_line : 0) + note_line / 2) * u;
  const draw::TextStyle quiet = views::words_style(pen.theme.dim, u);
  for (const std::string& line : note_lines(pen, head_words.notes, width, u)) {
    pen.canvas.text(at, draw::fit_text(pen.canvas, line, quiet, width), quiet);
    at.y += note_line * u;
  }
}

/// The words in quotation marks that are `name` have its colour.
void write_finding(const views::Pen& pen, Point at, const std::string& words, const draw::TextStyle& style,
                   const std::string& query, const std::string& key) {
  std::size_t from = 0;
  bool detail_query = false;  // the query comes first; a token that attends to itself is named twice
  while (from < words.size()) {
    std::size_t next = words.size();
    draw::TextStyle look = style;
    std::size_t length = 0;
    for (const bool of_query : {true, false}) {
      const std::string& name = of_query ? query : key;
      if (of_query && detail_query) continue;
      const std::size_t found = name.empty() ? std::string::npos : words.find(name, from);
      if (found >= next) continue;
      next = found, length = name.size();
      look.color = of_query ? pen.theme.query : pen.theme.key;
    }
    const std::string plain = words.substr(from, next - from);
    pen.canvas.text(at, plain, style);
    at.x += pen.canvas.text_width(plain, style);
    if (length == 0) return;
    detail_query = true;
    look.font = draw::Font::semibold;
    const std::string name = words.substr(next, length);
    pen.canvas.text(at, name, look);
    at.x += pen.canvas.text_width(name, look);
    from = next + length;
  }
}

}  // namespace

int PageCards::place(const std::string& name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

PageCards cards_of(const views::PageView& view, const views::PageInput& in, draw::Canvas& measure) {
  draw::PickCanvas pick({-2e6f, -2e6f}, measure);
  PresentCanvas canvas(pick, {});
  view.draw(canvas, {0, 0, 1600, 1000}, in);
  PageCards out;
  float largest = 0;
  for (const auto& panel : pick.panels()) {
    constexpr float least_high = 100;
    if (panel.name.empty() || out.place(panel.name) >= 0 || panel.box.w <= 1 || panel.box.h <= 1) continue;
    const auto& none = view.no_slides;
    if (std::find(none.begin(), none.end(), panel.name) != none.end()) continue;
    if (panel.box.h < least_high) {
      out.strips.push_back(panel.name);
      continue;
    }
    out.names.push_back(panel.name);
    if (panel.box.w * panel.box.h > largest) largest = panel.box.w * panel.box.h, out.hero = panel.name;
  }
  return out;
}

Box present_room(Box window, int notes, bool titled) {
  const float u = unit(window);
  Box room{window.x + margin * u, window.y, window.w - 2 * margin * u, window.h};
  room.cut_top((head + (titled ? title_line : 0) + note_line * static_cast<float>(notes) + below_head) * u);
  room.cut_bottom(foot * u);
  return room;
}

DrawCards draw_cards(const views::PageView& view, const views::PageInput& in) {
  return [&view, &in](draw::Canvas& canvas, Box area, bool column) {
    views::PageInput with = in;
    with.column = column;
    view.draw(canvas, area, with);
  };
}

CardLayout present_layout(const std::string& card, const views::PageView& view, const views::PageInput& in,
                          Box window, draw::Canvas& measure) {
  const views::Pen pen{measure, in.theme, nullptr};
  const float least = least_text(window.h);
  const auto lines_of = [&](const std::string& notes) {
    return static_cast<int>(note_lines(pen, notes, present_room(window).w, least).size());
  };
  draw::NoCanvas nothing(measure);
  Placing slide;
  slide.least = 1;  // the page knows by it that this is a slide
  PresentCanvas canvas(nothing, slide);
  draw_cards(view, in)(canvas, {0, 0, 1600, 1000}, true);
  // Notes may depend on the layout: they get the lines that they have in the one that is taken.
  const SlideHead found = canvas.head_of(card);
  const bool titled = found.title != question_above(view, in, card);
  int lines = lines_of(found.notes);
  CardPlaces known;
  for (;;) {
    const Box room = present_room(window, lines, titled);
    CardLayout out = present_layout(card, draw_cards(view, in), room, least, measure, known);
    // A table may need what is blank around the card: its rows are more than the space.
    constexpr float many = 1.2f;  // times the letters
    const Box larger{room.x, room.y - above_spare * least, room.w,
                     room.h + (above_spare + below_spare) * least};
    CardLayout tight = present_layout(card, draw_cards(view, in), larger, least, measure, known);
    if (static_cast<float>(tight.letters) > many * static_cast<float>(out.letters)) out = std::move(tight);
    const int needed = lines_of(out.head.notes);
    if (needed <= lines || out.page.w <= 0) return out;
    lines = needed;
  }
}

std::string finding(const views::PageView& view, const views::PageInput& in, std::string_view card) {
  const nn::CellTrace* cell = in.cell;
  const scene::PageUses uses = scene::room_of(in.scene.page).uses(in.scene);
  const std::string own = view.finding ? view.finding(in, card) : view.status(in);
  if (!uses.large_map || !cell || in.results.scene.page != in.scene.page) return own;
  if (view.finding && !own.empty()) return own;
  const std::string query = views::token_in_words(in, cell->query), key = views::key_in_words(in, cell->key);
  if (!cell->allowed) return query + " may not attend to " + key + ": masked";
  const bool one = cell->heads.size() <= 1 && cell->head >= 0;
  const auto at = [&](int i) {
    return one ? views::quantity("weight", {{"head", cell->head + 1}, {"query", cell->query}, {"key", i}})
               : views::quantity("map_weight", {{"query", cell->query}, {"key", i}});
  };
  // All weights of the row at once: it is drawn in every frame. As large as another one is not the most.
  std::vector<float> room;
  const views::Selection selection = views::select(in);
  const std::span<const float> row = one ? in.results.attention.weights.row(cell->head, cell->query)
                                         : views::combined_row(in, selection, cell->query, room);
  const float weight = row[static_cast<std::size_t>(cell->key)];
  const auto as_large = std::count_if(row.begin(), row.end(), [&](float w) { return w >= weight; });
  const bool most = row.size() > 1 && as_large == 1;
  return query + " attends " + (most ? "most " : "") + "to " + key + " with " +
         (one ? "" : std::string(views::combine_phrase(in.scene.combine)) + " ") + "weight " +
         in.text(
             at(cell->key),
             base::weight_form(card == "cell" ? 3 : views::shown_decimals(in)));  // as the card above has it
}

void present_frame(draw::Canvas& canvas, Box window, const views::PageView& view, const views::PageInput& in,
                   const SlideFrame& frame) {
  const views::Pen pen{canvas, in.theme, nullptr};
  const float u = unit(window);
  canvas.rect(window, in.theme.panel, 0);
  const Box inner{window.x + margin * u, window.y, window.w - 2 * margin * u, window.h};

  const draw::TextStyle quiet = views::words_style(in.theme.dim, u);
  std::string where = frame.place < 0 ? frame.page
                                      : frame.page + " · " + std::to_string(frame.place + 1) + " of " +
                                            std::to_string(frame.count);
  if (const std::string head = head_shown(in, frame.card); !head.empty()) where = head + " · " + where;
  const float top = window.y + head * u * 0.46f;
  canvas.text({inner.right(), top}, where, views::aligned(quiet, draw::Align::right));
  const float left = inner.w - canvas.text_width(where, quiet) - 2 * u;
  const Marked marked = marked_on(frame.card, view, in);
  const std::string above = question_above(view, in, frame.card);
  if (above.empty()) {
    write_sentence(pen, {inner.x, top}, left, in, marked, sentence_size * u, u);
  } else {
    views::put(pen, {inner.x, top}, above, views::strong_style(in.theme.text, sentence_size * u), left);
  }
  write_head(pen, window, frame.head, above);

  const float middle = window.bottom() - finding_middle * u;
  float right = 0;
  if (frame.keys) {
    const std::string keys = keys_of(in, frame);
    canvas.text({inner.right(), middle}, keys, views::aligned(quiet, draw::Align::right));
    right = canvas.text_width(keys, quiet) + 2 * u;
  }
  const std::string found = in.results.instead.empty() ? finding(view, in, frame.card) : in.results.instead;
  // The pair that the sentence names: of the selected cell, else the one that the card marks.
  const views::Selection selection = views::select(in);
  const auto name_of = [&](int token, bool key) {
    if (token < 0) return std::string();
    return key ? views::key_in_words(in, token) : views::token_in_words(in, token);
  };
  std::string query = name_of(selection.detail_query, false), key = name_of(selection.key, true);
  const auto named = [&] {
    // The query first: else they are the names of others.
    const std::size_t at = query.empty() ? found.npos : found.find(query);
    return at != found.npos && !key.empty() && found.find(key, at + query.size()) != found.npos;
  };
  if (!named()) query = name_of(marked.query, false), key = name_of(marked.key, true);
  if (!named()) query.clear(), key.clear();
  draw::TextStyle stated = views::words_style(in.theme.text, finding_size * u);
  const float room = inner.w - right;
  const std::vector<std::string> lines = finding_lines(pen, found, stated, room, u);
  const float line_height = finding_line * stated.size;
  float y = window.bottom() - finding_middle * u -
            static_cast<float>(lines.size() - (lines.empty() ? 0 : 1)) * 0.5f * line_height;
  for (const std::string& line : lines) {
    write_finding(pen, {inner.x, y}, draw::fit_text(canvas, line, stated, room), stated, query, key);
    y += line_height;
  }
}

}  // namespace headlight::app
