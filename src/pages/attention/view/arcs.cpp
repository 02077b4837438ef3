#include "pages/attention/view/arcs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "draw/turned.h"
#include "kit/beam.h"
#include "pages/attention/view/arcs_labels.h"
#include "pages/attention/view/arcs_layout.h"

namespace headlight::views {

namespace {

constexpr float pi = 3.14159265f;
constexpr float note = 20;  // the last line

class Arcs : private ArcsLayout {
 public:
  Arcs(const Sheet& sheet, Box area, bool with_note) : ArcsLayout(sheet, area, with_note) {}

  void draw() {
    body_ = area_;
    if (with_note_) body_.cut_bottom(note);
    choose();
    place();
    pair_area(sheet_, weights_, body_, "arcs");
    // The light extends a little beyond the picture.
    sheet_.pen.canvas.push_clip({body_.x - 12, body_.y - 30, body_.w + 24, body_.h + 34});
    quiet_arcs();
    if (focus_ >= 0) {
      if (down()) arcs_below();
      if (up()) arcs_above();
    }
    sheet_.pen.canvas.mark({});
    sheet_.pen.canvas.pop_clip();
    words();
    labels();
    if (with_note_) pair_note(sheet_, area_, caption());
  }
  std::string note_words() {
    choose();
    return caption();
  }

 private:
  /// Draws the arcs of all other pairs, above the words.
  void quiet_arcs() {
    if (!up()) return;
    const draw::Theme& theme = sheet_.theme();
    for (std::size_t q = 0; q < tokens_.size(); ++q) {
      if (tokens_[q] == focus_ || tokens_[q] >= sheet_.trace().T) continue;
      const std::span<const float> row = weights_.row(tokens_[q]);
      for (std::size_t k = 0; k < tokens_.size(); ++k) {
        const int query = tokens_[q], key = tokens_[k];
        if (key >= sheet_.trace().S || !may_read(sheet_.trace(), query, key)) continue;
        const float weight = row[static_cast<std::size_t>(key)];
        if (!(weight >= least_drawn(sheet_))) continue;
        const float shown = std::min(weight, 1.f);
        const bool under = over(query, key);
        const Color color = under         ? draw::faded(draw::mix(theme.query, theme.key, 0.5f), 0.8f)
                            : focus_ >= 0 ? draw::faded(theme.text, 0.04f + 0.09f * shown)
                                          : draw::faded(theme.text, 0.06f + 0.4f * shown);
        const Arc arc{q, k, weight, true};
        if (q == k && focus_ >= 0) continue;  // rings of other words would hide the feet of the arcs
        if (q == k) {
          ring(arc, color, false);
        } else {
          sheet_.pen.canvas.mark(pair_mark(weights_, query, key));
          half_ellipse(arc, {color, thickness(weight)});
        }
      }
    }
  }

  /// Draws thin arcs as two cubics, each within a thousandth of its quarter ellipse, and thick arcs as one
  /// shape.
  void half_ellipse(const Arc& arc, draw::Stroke stroke) {
    const float wide = std::abs(at_[arc.query] - at_[arc.key]);
    if (wide < stroke.width + 4) {
      // There is no room for an inner edge: fill the outer one.
      const float foot = arc.above ? words_top_ : words_top_ + line_, out = stroke.width / 2;
      const float high = top_of(arc) - foot + (arc.above ? -out : out);
      sheet_.pen.canvas.polygon(
          arc_path({(foot_of(arc.query, arc.above) + foot_of(arc.key, arc.above)) / 2, foot}, wide / 2 + out,
                   high, pi, 0),
          stroke.color);
      return;
    }
    if (stroke.width >= 2) {
      sheet_.pen.canvas.polyline(path_of(arc), stroke);
      return;
    }
    constexpr float k = 0.5522848f;
    const float a = foot_of(arc.query, arc.above), b = foot_of(arc.key, arc.above), c = (a + b) / 2,
                r = (b - a) / 2;
    const float y = arc.above ? words_top_ : words_top_ + line_, top = top_of(arc), h = top - y;
    sheet_.pen.canvas.curve({a, y}, {a, y + k * h}, {c - k * r, top}, {c, top}, stroke);
    sheet_.pen.canvas.curve({c, top}, {c + k * r, top}, {b, y + k * h}, {b, y}, stroke);
  }

  /// Draws the weight of a token on itself. The inner radius is the same for all weights.
  void ring(const Arc& arc, Color color, bool lit) {
    const int token = tokens_[arc.query];
    const float thick = thickness(arc.weight), radius = 10 + thick / 2, outer = radius + thick / 2;
    const Point centre{at_[arc.query], words_top_ - outer - 2};
    Mark mark = pair_mark(weights_, token, token);
    mark.area = {centre.x - outer, centre.y - outer, 2 * outer, 2 * outer};
    sheet_.pen.canvas.mark(mark);
    if (lit) {  // arcs behind it are hidden in its hole and below it
      sheet_.pen.canvas.circle(centre, outer + 1.5f, sheet_.theme().panel);
      sheet_.pen.canvas.rect({centre.x - outer / 2, centre.y, outer, words_top_ - centre.y},
                             sheet_.theme().panel);
    }
    sheet_.pen.canvas.ring(centre, radius, {color, thick});
    if (lit)
      labels_.push_back(
          {arc_path(centre, radius, radius, pi / 2, pi * 2.5f), arc, {centre.x, centre.y - outer}});
  }

  void lit_arc(const Arc& arc, bool strongest) {
    const Color a = lit(sheet_, sheet_.theme().query), b = lit(sheet_, sheet_.theme().key);
    draw::Canvas& canvas = sheet_.pen.canvas;
    const float thick = thickness(arc.weight);
    const std::vector<Point> path = path_of(arc);
    const Beam beam{.width_a = thick, .width_b = thick, .a = a, .b = b};
    canvas.mark({});
    if (strongest && thick >= 3) {
      const float step = std::clamp(thick * 0.12f, 0.8f, 2.6f);
      draw_halo(canvas, path, beam,
                {.layers = 18,
                 .step = step,
                 .opacity = sheet_.theme().dark ? 0.018f : 0.014f,
                 .round_a = true,
                 .round_b = true});
    }
    canvas.mark(pair_mark(weights_, tokens_[arc.query], tokens_[arc.key]));
    if (thick < 8) half_ellipse(arc, {draw::faded(draw::mix(a, b, 0.5f), 0.5f), thick});
    draw_beam(canvas, path, beam);
    if (strongest && thick >= 8)
      canvas.polyline(path,
                      {draw::faded(draw::rgb(0xffffff), sheet_.theme().dark ? 0.55f : 0.35f), thick * 0.12f});
    labels_.push_back({path, arc, {(at_[arc.query] + at_[arc.key]) / 2, top_of(arc)}});
    if (strongest) strongest_ = {tokens_[arc.query], tokens_[arc.key]};
  }

  void arcs_above() {
    std::vector<Arc> all;
    const std::size_t q = place_of(focus_);
    if (!has(focus_)) return;
    const std::span<const float> row = weights_.row(focus_);
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (tokens_[k] >= sheet_.trace().S || !may_read(sheet_.trace(), focus_, tokens_[k])) continue;
      const float weight = row[static_cast<std::size_t>(tokens_[k])];
      if (weight >= least_drawn(sheet_) || is_pinned(focus_, tokens_[k]) ||
          std::find(few_.begin(), few_.end(), tokens_[k]) != few_.end())
        all.push_back({q, k, weight, true});
    }
    draw_all(all);
  }

  void arcs_below() {
    if (!has(focus_) || focus_ >= sheet_.trace().S) return;
    std::vector<Arc> all;
    const std::size_t k = place_of(focus_);
    for (std::size_t q = 0; q < tokens_.size(); ++q) {
      if (q == k || tokens_[q] >= sheet_.trace().T || !may_read(sheet_.trace(), tokens_[q], focus_)) continue;
      const float weight = weights_.at(tokens_[q], focus_);
      if (weight >= least_drawn(sheet_)) all.push_back({q, k, weight, false});
    }
    draw_all(all);
  }

  void draw_all(std::vector<Arc>& all) {
    std::stable_sort(all.begin(), all.end(), [](const Arc& a, const Arc& b) { return a.weight < b.weight; });
    for (const Arc& arc : all) {
      if (arc.query == arc.key) {
        ring(arc, lit(sheet_, draw::mix(sheet_.theme().query, sheet_.theme().key, 0.5f)), true);
      } else {
        lit_arc(arc, arc.above && &arc == &all.back());
      }
    }
  }

  /// Returns the words in the order in which they take their room: the lit one and those that its arcs
  /// lead to come first.
  std::vector<std::size_t> by_rank() const {
    std::vector<float> rank(tokens_.size(), 0);
    for (const Label& label : labels_) {
      for (const std::size_t i : {label.arc.query, label.arc.key})
        rank[i] = std::max(rank[i], 1 + label.arc.weight);
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      rank[i] = tokens_[i] == focus_ ? 4 : tokens_[i] == selection().key ? 3 : rank[i];
    std::vector<std::size_t> order(tokens_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rank[a] > rank[b]; });
    return order;
  }

  /// The area of a flat word is its part of the line. That of a slanted one, written or not, is the top of
  /// its column: the letters of words to the right are further down.
  Mark word_mark(std::size_t i) const {
    const float half = slanted_ ? pitch_ / 2 : widths_[i] / 2 + 4;
    Mark mark;
    mark.part = Part::query_token, mark.query = tokens_[i];
    mark.area = {at_[i] - half, words_top_, 2 * half, slanted_ ? std::min(size_ + 2, line_) : line_};
    return mark;
  }

  /// Returns the places of the slanted words that are written: the first in rank that have room.
  std::vector<std::size_t> written_places() const {
    std::vector<std::size_t> written;
    for (const std::size_t i : by_rank()) {
      const auto touches = [&](std::size_t other) { return std::abs(at_[other] - at_[i]) < size_ * 1.4f; };
      if (std::none_of(written.begin(), written.end(), touches)) written.push_back(i);
    }
    return written;
  }

  draw::TextStyle word_style(std::size_t i) const {
    const draw::Theme& theme = sheet_.theme();
    const int token = tokens_[i];
    const bool mine = token == focus_, pinned = selection().pinned(token);
    const Color color = mine || pinned                                                       ? theme.query
                        : is_key(token)                                                      ? theme.key
                        : token == selection().hover_key || token == selection().hover_query ? theme.text
                        : focus_ >= 0 ? draw::mix(theme.dim, theme.text, 0.55f)
                                      : theme.text;
    return mine || is_key(token) ? strong_style(color, size_) : words_style(color, size_);
  }
  bool is_key(int token) const {
    return token != focus_ && focus_ == selection().detail_query && token == selection().key;
  }

  void words() {
    draw::Canvas& canvas = sheet_.pen.canvas;
    const float y = words_top_ + line_ / 2;
    if (slanted_) {
      slanted_words();
    } else {
      for (const std::size_t i : by_rank()) {
        const draw::TextStyle style = word_style(i);
        canvas.mark(word_mark(i));
        word(i, {at_[i], y}, aligned(style, Align::centre), widths_[i] + 8);
        if (tokens_[i] == focus_ || is_key(tokens_[i]))
          canvas.rect({at_[i] - widths_[i] / 2, y + size_ * 0.62f, widths_[i], 2}, style.color, 1);
      }
    }
    canvas.mark({});
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      if (!skips(i)) continue;
      const float a = slanted_ ? at_[i - 1] : at_[i - 1] + widths_[i - 1] / 2;
      const float b = slanted_ ? at_[i] : at_[i] - widths_[i] / 2;
      for (const float step : {-5.f, 0.f, 5.f})
        canvas.circle({(a + b) / 2 + step, slanted_ ? words_top_ + 6 : y}, 1.2f, sheet_.theme().dim);
    }
  }

  /// The pointer meets the top of a column first, then letters, then a line that leads to a foot. The Tab key
  /// meets the columns in their order.
  void slanted_words() {
    const std::vector<std::size_t> written = written_places();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      sheet_.pen.canvas.mark(word_mark(i));
      if (std::find(written.begin(), written.end(), i) == written.end()) lead_line(i, 0, sheet_.theme().dim);
    }
    for (const std::size_t i : written) {
      Mark letters = word_mark(i);
      letters.area = {};
      sheet_.pen.canvas.mark(letters);
      slanted_word(i, word_style(i));
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) sheet_.pen.canvas.mark(word_mark(i));
  }

  /// The word ends under the arcs above it.
  void slanted_word(std::size_t i, draw::TextStyle style) {
    style.turn = draw::slanted, style.align = Align::right;
    const float before = size_ * 0.45f, room = long_line() - before;
    word(i, along_line(i, before), style, room - 4);
    lead_line(i, before + std::min(widths_[i], room) + 5,
              tokens_[i] == focus_ ? style.color : sheet_.theme().dim);
  }

  /// Where arcs below belong to the word, leads from its column, or from the end of its letters, to them.
  void lead_line(std::size_t i, float from, Color color) {
    const bool arcs = std::any_of(labels_.begin(), labels_.end(), [i](const Label& label) {
      return !label.arc.above && (label.arc.query == i || label.arc.key == i);
    });
    if (arcs && from < long_line())
      sheet_.pen.canvas.line(along_line(i, from), along_line(i, long_line()), {draw::faded(color, 0.6f), 1});
  }

  /// The slanted line of a word: from the top of its column to its foot.
  float long_line() const { return line_ / downwards().y; }
  Point along_line(std::size_t i, float by) const {
    return {at_[i] + by * downwards().x, words_top_ + by * downwards().y};
  }
  static Point downwards() { return draw::turned({0, 0}, -1, 0, draw::slanted); }

  void word(std::size_t i, Point at, const draw::TextStyle& style, float room) {
    if (part_) {
      put(sheet_.pen, at, words_of(tokens_[i]), literal(style), room);
    } else {
      token_at(sheet_, at, tokens_[i], style, room);
    }
  }

  struct Label {
    std::vector<Point> path;  // the arc or the ring
    Arc arc;
    Point top;  // its farthest point from the words, where its weight is written large
  };
  using Pair = std::pair<int, int>;  // query and key
  Pair pair_of(const Label& label) const { return {tokens_[label.arc.query], tokens_[label.arc.key]}; }
  bool is_pinned(int query, int key) const {
    return query == selection().detail_query && key == selection().key;
  }

  /// Returns the pair whose weight is written large: the one under the pointer, else the pinned one; where
  /// no key is pinned, or another word is pointed at, the strongest.
  Pair emphasized() const {
    const auto drawn = [this](Pair pair) {
      return std::any_of(labels_.begin(), labels_.end(),
                         [&](const Label& one) { return pair_of(one) == pair; });
    };
    const Pair pointed{selection().hover_query, selection().hover_key};
    if (drawn(pointed)) return pointed;
    const Pair pinned{selection().detail_query, selection().key};
    return drawn(pinned) || (focus_ == pinned.first && pinned.second >= 0) ? pinned : strongest_;
  }

  /// Writes the weights at the tops of their own arcs, the emphasized one first, then the largest. A label
  /// that would cover another, or be nearer to another arc, is left out.
  void labels() {
    const Pair large = emphasized();
    std::stable_sort(labels_.begin(), labels_.end(), [&](const Label& a, const Label& b) {
      const bool first = pair_of(a) == large;
      return first != (pair_of(b) == large) ? first : a.arc.weight > b.arc.weight;
    });
    const float top = std::max(area_.y, body_.y);
    ArcLabels places({area_.x, top, area_.w, body_.bottom() - top});
    places.keep_free({area_.x, words_top_, area_.w, line_});
    for (const Label& label : labels_) places.add(label.path, thickness(label.arc.weight) / 2);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const Label& label = labels_[i];
      const auto [query, key] = pair_of(label);
      const bool emphasize = pair_of(label) == large;
      if (!emphasize && label.arc.weight < 0.03f && !over(query, key)) continue;
      const std::string words = pair_weight_words(sheet_, weights_, query, key);
      if (emphasize) {
        places.keep_free(value_label(sheet_, label.top, words, above_ >= 200 ? 18.f : 12.f, body_));
        continue;
      }
      const draw::TextStyle style =
          aligned(mono_style(over(query, key) ? sheet_.theme().text : sheet_.theme().dim), Align::centre);
      const auto box =
          places.place(i, sheet_.pen.canvas.text_width(words, style) + 6, text_line(sheet_.pen, 14));
      if (!box) continue;
      sheet_.pen.canvas.rect(*box, sheet_.theme().panel, 4);
      sheet_.pen.canvas.text(box->centre(), words, style);
    }
  }

  std::string caption() const {
    std::string words;
    const auto say = [&](const std::string& more) { words += (words.empty() ? "" : " ") + more; };
    const std::string all = std::to_string(sheet_.trace().T);
    if (focus_ < 0 && !sheet_.pen.canvas.plain()) say("Click a word to see its arcs.");
    const std::string least = brief(static_cast<double>(least_drawn(sheet_)), 2);
    if (part_ && !tokens_.empty())
      say(selection().detail_query >= 0 ? std::to_string(tokens_.size()) + " of " + all + " tokens: " +
                                              token_in_words(sheet_.in, selection().detail_query) +
                                              ", its strongest keys and queries, its neighbours."
                                        : "Tokens " + std::to_string(tokens_.front()) + "–" +
                                              std::to_string(tokens_.back()) + " of " + all + ".");
    else if (zoomed_)
      say("Zoomed: " + std::to_string(tokens_.size()) + " of " + all + " tokens.");
    if (focus_ >= 0 && reads_nothing(sheet_.trace(), focus_))
      say(token_in_words(sheet_.in, focus_) + " is masked: it attends to no key.");
    if (!part_) say("An arc is as thick as its weight.");
    const std::string rings = focus_ >= 0 ? ", rings of other words" : "";
    say("Not drawn: " + std::string(few_.empty() ? "weights below " : "most weights below ") + least + rings +
        ".");
    return words;
  }

  std::vector<Label> labels_;
  Pair strongest_{-1, -1};  // of the arcs above the words
};

}  // namespace

std::vector<Choice> arc_choices(const Sheet& sheet) {
  if (sheet.selection.detail_query < 0) return {};
  using scene::ArcsShown;
  const ArcsShown now = sheet.in.scene.attention.arcs;
  return {Choice{"both", "arcs=both", "arcs both", now == ArcsShown::both,
                 "above: attends to; below: attended by"},
          Choice{"attends to", "arcs=attends_to", "arcs attends to", now == ArcsShown::attends_to,
                 "what the pinned word attends to"},
          Choice{"attended by", "arcs=attended_by", "arcs attended by", now == ArcsShown::attended_by,
                 "which queries attend to the pinned word"}};
}

std::string arcs_note(const Sheet& sheet, float width) {
  return Arcs(sheet, {0, 0, width, 0}, false).note_words();
}

void draw_arcs(const Sheet& sheet, Box area, bool with_note) {
  Arcs(sheet, area, with_note).draw();
}

}  // namespace headlight::views
