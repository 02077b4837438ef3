#include "pages/attention/view/beams.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "kit/beam.h"
#include "kit/weight_bar.h"
#include "pages/attention/view/beams_layout.h"
#include "pages/attention/view/pairs.h"
#include "scene/marginals.h"

namespace headlight::views {

namespace {

/// Returns the slots to label, so that no two labels are closer than `room`. Slots take precedence in the
/// order of `order`.
std::vector<std::size_t> kept_apart(const std::vector<BeamSlot>& slots, const std::vector<std::size_t>& order,
                                    float room) {
  std::vector<std::size_t> kept;
  for (const std::size_t i : order) {
    const bool clear = std::none_of(kept.begin(), kept.end(), [&](std::size_t other) {
      return std::abs(slots[i].middle() - slots[other].middle()) < room;
    });
    if (clear) kept.push_back(i);
  }
  return kept;
}

class Beams : private BeamsLayout {
 public:
  Beams(const Sheet& sheet, Box area, bool with_note) : BeamsLayout(sheet, area, with_note) {}

  void draw() {
    choose();
    place();
    pair_area(sheet_, weights_, {left_, body_.y, right_ - left_, body_.h}, "beams");
    sheet_.pen.canvas.push_clip({area_.x, body_.y - 8, area_.w, body_.h + 16});
    const bool only =
        sheet_.in.scene.attention.beams == scene::BeamsShown::chosen && selection().detail_query >= 0;
    for (std::size_t q = 0; q < queries_.size() && !only; ++q) {
      if (queries_[q].token != focus()) quiet_beams(q);
    }
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      if (queries_[q].token == focus()) lit_beams(q);
    }
    sheet_.pen.canvas.mark({});
    sheet_.pen.canvas.pop_clip();
    ends();
    numbers();
    label();
    if (with_note_) pair_note(sheet_, area_, caption());
  }
  std::string note_words() {
    choose();
    return caption();
  }

 private:
  void curve(const BeamCurve& line, Color color) {
    sheet_.pen.canvas.curve(line.a, line.control_a, line.control_b, line.b, {color, line.width});
  }

  void quiet_beams(std::size_t q) {
    const int query = queries_[q].token;
    const draw::Theme& theme = sheet_.theme();
    const bool pinned = selection().pinned(query), someone = focus() >= 0;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      const int key = keys_[k].token;
      const float weight = rows_[q][static_cast<std::size_t>(key)], shown = std::min(weight, 1.f);
      if (!is_drawn(query, key, weight)) continue;
      sheet_.pen.canvas.mark(pair_mark(weights_, query, key));
      const Color color = pinned ? draw::faded(draw::mix(theme.query, theme.key, 0.35f), 0.2f + 0.4f * shown)
                          : someone ? draw::faded(theme.text, 0.05f + 0.13f * shown)
                                    : draw::faded(theme.text, 0.08f + 0.42f * shown);
      curve(curve_of(q, k, weight), color);
    }
  }

  void lit_beams(std::size_t q) {
    const int query = queries_[q].token;
    std::vector<std::size_t> drawn;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      if (is_drawn(query, keys_[k].token, rows_[q][static_cast<std::size_t>(keys_[k].token)]))
        drawn.push_back(k);
    }
    const auto weight = [&](std::size_t k) { return rows_[q][static_cast<std::size_t>(keys_[k].token)]; };
    std::stable_sort(drawn.begin(), drawn.end(),
                     [&](std::size_t a, std::size_t b) { return weight(a) < weight(b); });
    // Keys of visible beams are named before others. Among many keys even the strongest beams are thin.
    const float named_from = drawn.empty() ? 0.f : std::min(0.05f, 0.1f * weight(drawn.back()));
    lit_keys_.clear();
    for (auto k = drawn.rbegin(); k != drawn.rend() && weight(*k) >= named_from; ++k)
      lit_keys_.push_back(keys_[*k].token);
    const std::vector<BeamCurve> from = curves_before();
    std::size_t rank = drawn.size();  // counts down: the drawn beams go from weakest to strongest
    const auto path_of = [&](std::size_t k) { return moving_curve(curve_of(q, k, weight(k)), from, --rank); };
    for (const std::size_t k : drawn) {
      const BeamCurve path = path_of(k);
      const bool strongest = k == drawn.back();
      if (strongest)
        labelled_ = {path.a, path.control_a, path.control_b, path.b}, label_key_ = keys_[k].token;
      if (beams_striped(sheet_)) {
        stripes(q, k);
      } else {
        gradient(path, pair_mark(weights_, query, keys_[k].token), strongest);
      }
    }
    // The chosen pair's number takes precedence over the strongest, and the one under the pointer over both.
    for (const auto& [other, key] : {std::pair{selection().detail_query, selection().key},
                                     std::pair{selection().hover_query, selection().hover_key}}) {
      for (const std::size_t k : drawn) {
        if (other != query || key != keys_[k].token) continue;
        const BeamCurve path = curve_of(q, k, weight(k));
        labelled_ = {path.a, path.control_a, path.control_b, path.b}, label_key_ = keys_[k].token;
      }
    }
  }

  /// Returns the beams of the previously pinned query, the strongest first; none at rest.
  std::vector<BeamCurve> curves_before() const {
    const Motion* motion = sheet_.in.motion;
    std::vector<BeamCurve> out;
    if (!motion || motion->row.size() != static_cast<std::size_t>(sheet_.trace().S) || sheet_.shown ||
        selection().hover_query >= 0)
      return out;
    const auto before = std::find_if(queries_.begin(), queries_.end(),
                                     [&](const BeamSlot& slot) { return slot.token == motion->query; });
    if (before == queries_.end()) return out;
    const auto q = static_cast<std::size_t>(before - queries_.begin());
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      const float weight = motion->row[static_cast<std::size_t>(keys_[k].token)];
      if (is_drawn(motion->query, keys_[k].token, weight)) out.push_back(curve_of(q, k, weight));
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const BeamCurve& a, const BeamCurve& b) { return a.width > b.width; });
    return out;
  }

  /// Moves the strongest beam from where the strongest was, the next from the next. A beam without a
  /// counterpart opens.
  BeamCurve moving_curve(BeamCurve to, const std::vector<BeamCurve>& from, std::size_t rank) const {
    if (from.empty()) return to;
    const float part = sheet_.in.motion->part;
    BeamCurve start = rank < from.size() ? from[rank] : to;
    if (rank >= from.size()) start.width = 0;
    const auto between = [part](float a, float b) { return a + (b - a) * part; };
    for (Point BeamCurve::*point :
         {&BeamCurve::a, &BeamCurve::control_a, &BeamCurve::control_b, &BeamCurve::b}) {
      (to.*point).x = between((start.*point).x, (to.*point).x);
      (to.*point).y = between((start.*point).y, (to.*point).y);
    }
    to.width = between(start.width, to.width);
    return to;
  }

  void gradient(const BeamCurve& line, const Mark& mark, bool strongest) {
    const Color a = lit(sheet_, sheet_.theme().query), b = lit(sheet_, sheet_.theme().key);
    draw::Canvas& canvas = sheet_.pen.canvas;
    const std::vector<Point> path =
        cubic_path(line.a, line.control_a, line.control_b, line.b, line.width < 3 ? 1.f : 0.2f);
    const Beam beam{.width_a = line.width, .width_b = line.width, .a = a, .b = b};
    canvas.mark({});
    if (strongest && line.width >= 3)
      draw_halo(canvas, path, beam,
                {.layers = 3, .step = std::min(4.5f, line.width * 0.3f), .opacity = 0.1f});
    canvas.mark(mark);
    // Under a thin beam, draw a line that is easier to hit with the pointer.
    if (line.width < 8) curve(line, draw::faded(draw::mix(a, b, 0.5f), 0.5f));
    draw_beam(canvas, path, beam);
  }

  /// Draws the heads' contributions to the mean as stripes, one above the other.
  void stripes(std::size_t q, std::size_t k) {
    const int query = queries_[q].token, key = keys_[k].token;
    const std::vector<int>& heads = selection().heads;
    const float whole = rows_[q][static_cast<std::size_t>(key)];
    float before = 0;
    // Draw the whole beam first, so that contributions too thin for a stripe remain visible.
    sheet_.pen.canvas.mark(pair_mark(weights_, query, key));
    curve(curve_of(q, k, whole), draw::mix(sheet_.theme().panel, sheet_.theme().text, 0.4f));
    for (const int head : heads) {
      const float weight = sheet_.trace().weights.row(head, query)[static_cast<std::size_t>(key)] /
                           static_cast<float>(heads.size());
      const float aside = unit_ * (before + weight / 2 - whole / 2);
      before += weight;
      if (!(weight > 0) || unit_ * weight < 0.15f) continue;
      Mark mark = pair_mark(weights_, query, key);
      mark.head = head;
      sheet_.pen.canvas.mark(mark);
      curve(curve_of(q, k, weight, aside), draw::faded(draw::series(sheet_.theme(), head), 0.9f));
    }
  }

  /// Returns the labels to write, the chosen ones first.
  std::vector<std::size_t> labels(const std::vector<BeamSlot>& slots, std::span<const int> first) const {
    std::vector<std::size_t> order;
    for (const int token : first) {
      for (std::size_t i = 0; i < slots.size(); ++i) {
        if (slots[i].token == token && std::find(order.begin(), order.end(), i) == order.end())
          order.push_back(i);
      }
    }
    // Then come the tall ones: a key that receives much is named before its neighbour.
    std::vector<std::size_t> rest(slots.size());
    std::iota(rest.begin(), rest.end(), std::size_t{0});
    std::stable_sort(rest.begin(), rest.end(), [&](std::size_t a, std::size_t b) {
      const auto high = [&](std::size_t i) { return std::round((slots[i].high - slots[i].low) * 100); };
      return high(a) > high(b);
    });
    for (const std::size_t i : rest) {
      if (std::find(order.begin(), order.end(), i) == order.end()) order.push_back(i);
    }
    return kept_apart(slots, order, beam_line_height - 1);
  }

  void bar(const BeamSlot& slot, float x, Color color) {
    const float high = std::max(slot.high - slot.low, 1.f);
    sheet_.pen.canvas.rect({x, slot.middle() - high / 2, beam_bar_width, high}, color, 2);
  }

  /// Draws the bars and the words beside them.
  void ends() {
    const draw::Theme& theme = sheet_.theme();
    draw::Canvas& canvas = sheet_.pen.canvas;
    const Color idle = draw::mix(theme.panel, theme.text, 0.28f);
    const int chosen_key = focus() == selection().detail_query ? selection().key : label_key_;
    const float y = std::max(area_.y + 7, top_ - 12);
    const draw::TextStyle quiet = words_style(theme.dim);
    put(sheet_.pen, {left_ - beam_bar_width - 10, y}, "query", aligned(quiet, Align::right),
        query_room_ + 10);
    put(sheet_.pen, {right_ + beam_bar_width + 10, y}, "key", quiet, key_room_);
    const auto token = [&](Part part, const BeamSlot& slot, Box box) {
      Mark mark;
      mark.part = part, mark.area = box;
      (part == Part::query_token ? mark.query : mark.key) = slot.token;
      canvas.mark(mark);
    };
    const auto area = [](const BeamSlot& slot, float x, float wide) {
      const float high = std::max({slot.high - slot.low, slot.pitch * 0.9f, 8.f});
      return Box{x, slot.middle() - high / 2, wide, high};
    };
    std::vector<int> first{selection().detail_query, selection().hover_query};
    first.insert(first.end(), selection().queries.begin(), selection().queries.end());
    const std::vector<std::size_t> left = labels(queries_, first);
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      const BeamSlot& slot = queries_[i];
      const bool lit = slot.token == focus(), pinned = selection().pinned(slot.token);
      token(Part::query_token, slot,
            area(slot, left_ - beam_bar_width - 10 - query_room_, query_room_ + 10 + beam_bar_width));
      bar(slot, left_ - beam_bar_width, lit || pinned ? theme.query : idle);
      if (std::find(left.begin(), left.end(), i) != left.end()) {
        const float size = size_of(slot, lit);
        label_of(slot, Role::query, {left_ - beam_bar_width - 10, slot.middle()},
                 aligned(lit ? strong_style(theme.query, size)
                             : words_style(pinned ? theme.query : theme.text, size),
                         Align::right),
                 query_room_);
      }
      canvas.mark({});
    }
    std::vector<int> keys{chosen_key, selection().hover_key};
    keys.insert(keys.end(), lit_keys_.begin(), lit_keys_.end());
    written_keys_ = labels(keys_, keys);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const BeamSlot& slot = keys_[i];
      const bool chosen = focus() >= 0 && slot.token == chosen_key,
                 over = slot.token == selection().hover_key;
      token(Part::key_token, slot, area(slot, right_, beam_bar_width + 10 + key_room_));
      bar(slot, right_, chosen ? theme.key : over ? theme.dim : idle);
      if (std::find(written_keys_.begin(), written_keys_.end(), i) != written_keys_.end()) {
        const float size = size_of(slot, chosen);
        label_of(slot, Role::key, {right_ + beam_bar_width + 10, slot.middle()},
                 chosen ? strong_style(theme.key, size) : words_style(theme.text, size), key_room_);
      }
      canvas.mark({});
    }
  }

  void label_of(const BeamSlot& slot, Role role, Point at, const draw::TextStyle& style, float room) {
    const bool own = role == Role::key && other_keys(sheet_.in);  // the keys have their own tokens
    if (!around_ && !cut_keys_ && !own) {
      token_at(sheet_, at, slot.token, style, room);
      return;
    }
    put(sheet_.pen, at, words_of(slot.token, role), literal(style), room);
  }

  /// Writes what each key receives, or the lit query's weights when not all queries are drawn.
  void numbers() {
    if (number_room_ <= 0) return;
    const draw::Theme& theme = sheet_.theme();
    const scene::Marginals all = scene::marginals_on_show(
        sheet_.in.scene, sheet_.in.results, selection().heads, selection().kind == HeadsShown::all);
    const bool only =
        sheet_.in.scene.attention.beams == scene::BeamsShown::chosen && selection().detail_query >= 0;
    const bool every = !only && range_.whole && !around_ && !cut_keys_ &&
                       all.received.size() == static_cast<std::size_t>(sheet_.trace().S);
    if (!every && focus() < 0) return;
    const float x = right_ + beam_bar_width + 10 + key_room_ + number_room_;
    const float y = std::max(area_.y + 7, top_ - 12);
    put(sheet_.pen, {x, y}, every ? "received" : "weight", aligned(words_style(theme.dim), Align::right),
        number_room_);
    if (!every && reads_nothing(sheet_.trace(), focus())) return;
    for (const std::size_t i : written_keys_) {
      const int key = keys_[i].token;
      if (!every && !may_read(sheet_.trace(), focus(), key)) continue;
      std::string words;
      if (every) {
        const double value = all.received[static_cast<std::size_t>(key)];
        words = std::isfinite(value) ? fixed(value, 2) : "–";
        if (sheet_.in.stated) sheet_.in.noted(quantity("received", {{"key", key}}), value, words);
      } else if (weights_.at(focus(), key) >= unwritten_weight(weight_decimals(shown_scale(sheet_).end))) {
        words = pair_weight_words(sheet_, weights_, focus(), key);
      }
      const bool chosen = key == selection().key && focus() >= 0;
      put(sheet_.pen, {x, keys_[i].middle()}, words,
          aligned(mono_style(chosen ? theme.text : theme.dim), Align::right), number_room_);
    }
  }

  void label() {
    if (focus() < 0) return;
    if (label_key_ >= 0) {
      const std::vector<Point> path = cubic_path(labelled_[0], labelled_[1], labelled_[2], labelled_[3], 1);
      value_label(sheet_, along(path, 0.5f), pair_weight_words(sheet_, weights_, focus(), label_key_),
                  body_.h >= 260 ? 18.f : 12.f, {left_, body_.y, right_ - left_, body_.h});
    } else if (reads_nothing(sheet_.trace(), focus())) {
      for (const BeamSlot& slot : queries_) {
        if (slot.token == focus())
          put(sheet_.pen, {left_ + 8, slot.middle()}, "masked: attends to no key",
              words_style(sheet_.theme().dim), right_ - left_ - 16);
      }
    }
  }

  std::string caption() const {
    std::string words;
    const auto say = [&](const std::string& more) { words += (words.empty() ? "" : " ") + more; };
    const std::string least = brief(static_cast<double>(least_drawn(sheet_)), 2);
    if (around_ && !queries_.empty()) {
      say("Queries " + std::to_string(queries_.front().token) + "–" + std::to_string(queries_.back().token) +
          " of " + std::to_string(sheet_.trace().T) +
          (selection().detail_query >= queries_.front().token &&
                   selection().detail_query <= queries_.back().token
               ? ", around " + token_in_words(sheet_.in, selection().detail_query)
               : std::string()) +
          ".");
      const std::string first =
          selection().detail_query >= 0
              ? "those of " + token_in_words(sheet_.in, selection().detail_query) + " first, "
              : "";
      say(cut_keys_
              ? std::to_string(keys_.size()) + " keys: " + first + "then those with the largest weights."
              : "Keys that receive a beam.");
    } else if (!range_.whole) {
      say("Zoomed: " + std::to_string(queries_.size()) + " of " + std::to_string(sheet_.trace().T) +
          " queries.");
    }
    say(few_.empty() ? "Beams below " + least + " are not drawn."
                     : "Beams below " + least + " are not drawn, except the strongest of " +
                           token_in_words(sheet_.in, selection().detail_query) + ".");
    if (!mean()) say("The widths of a query can sum to more than 1: largest over heads.");
    return words;
  }

  std::vector<std::size_t> written_keys_;
  std::array<Point, 4> labelled_{};
  int label_key_ = -1;
  std::vector<int> lit_keys_;  // keys of the lit query, the strongest first
};

/// Has each head a colour of its own? There are eight colours.
bool have_colours_of_their_own(const std::vector<int>& heads) {
  unsigned taken = 0;
  for (const int head : heads) {
    const unsigned bit = 1u << (head % 8);
    if ((taken & bit) != 0) return false;
    taken |= bit;
  }
  return true;
}

}  // namespace

bool beams_striped(const Sheet& sheet) {
  return sheet.selection.kind != HeadsShown::one && sheet.in.scene.combine == scene::Combine::mean &&
         have_colours_of_their_own(sheet.selection.heads);
}

std::vector<Choice> beam_choices(const Sheet& sheet) {
  if (sheet.selection.detail_query < 0) return {};
  const bool all = sheet.in.scene.attention.beams == scene::BeamsShown::all;
  return {Choice{"all queries", "beams=all", "beams all", all, "the beams of all queries"},
          Choice{"only " + quoted_token(sheet, sheet.selection.detail_query, 90), "beams=chosen",
                 "beams chosen", !all, "the beams of the pinned query alone"}};
}

std::string beams_note(const Sheet& sheet) {
  return Beams(sheet, {}, false).note_words();
}

void draw_beams(const Sheet& sheet, Box area, bool with_note) {
  Beams(sheet, area, with_note).draw();
}

}  // namespace headlight::views
