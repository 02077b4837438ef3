#include "pages/attention/view/arcs_layout.h"

#include <cmath>

#include "draw/turned.h"
#include "kit/beam.h"
#include "pages/attention/view/marginals.h"

namespace headlight::views {

namespace {

constexpr float half_turn = 3.14159265f;
constexpr float skipped = 18;  // gap where words are left out
constexpr int largest_part = 26;
constexpr std::size_t least_part = 9;  // even where that many words are too long to lie flat
constexpr float flat_size = 14;        // of the words of a part
constexpr std::size_t most_keys_named = 10, most_queries_named = 6;

}  // namespace

void ArcsLayout::choose() {
  const bool on_word = sheet_.in.hover && sheet_.in.hover->mark.part == Part::query_token;
  focus_ = on_word && selection().hover_query >= 0 ? selection().hover_query : selection().detail_query;
  const PairRange range = pairs_on_view(sheet_);
  const int first = std::min(range.first_query, range.first_key),
            last = std::max(range.last_query, range.last_key);
  zoomed_ = !range.whole;
  if (last - first <= most_whole) {
    for (int token = first; token < last; ++token) {
      if (!hidden_.key(token)) tokens_.push_back(token);
    }
    return;
  }
  part_ = true;
  const auto most = static_cast<std::size_t>(std::clamp(area_.w / 58, 6.f, static_cast<float>(largest_part)));
  const int detail_query = selection().detail_query;
  float taken = 0;
  const auto add = [&](int token) {
    if (token < 0 || token >= sheet_.trace().T || hidden_.key(token) || tokens_.size() >= most ||
        std::find(tokens_.begin(), tokens_.end(), token) != tokens_.end())
      return;
    // No more words than lie flat.
    const float wide = width_of(token, flat_size) + flat_size * 0.7f + skipped;
    if (tokens_.size() >= least_part && taken + wide > area_.w - 8) return;
    taken += wide;
    tokens_.push_back(token);
  };
  if (detail_query < 0) {
    for (int token = first; token < last; ++token) add(token);
    return;
  }
  add(detail_query), add(selection().key);
  const std::span<const float> row = weights_.row(detail_query);
  std::vector<int> keys = strongest_keys(sheet_, detail_query, row, most_keys_named);
  float drawn = 0, whole = 0;
  for (const float weight : row) whole += weight, drawn += weight >= least_drawn(sheet_) ? weight : 0.f;
  const bool thin = drawn < whole / 2;  // independent of the pointer, so that the words stay the same
  if (thin && focus_ == detail_query) few_ = keys;
  if (!thin)
    std::erase_if(keys, [&](int key) { return row[static_cast<std::size_t>(key)] < least_drawn(sheet_); });
  const std::vector<int> queries = strongest_queries(detail_query);
  constexpr std::size_t first_queries = 2, first_keys = 5;  // before other words
  for (std::size_t i = 0; i < std::min(keys.size(), first_keys); ++i) {
    if (i < std::min(queries.size(), first_queries)) add(queries[i]);
    add(keys[i]);
  }
  add(detail_query - 1), add(detail_query + 1);
  for (std::size_t i = 0; i < std::max(keys.size(), queries.size()); ++i) {
    if (i < queries.size()) add(queries[i]);
    if (i < keys.size()) add(keys[i]);
  }
  for (int away = 1; away <= largest_part; ++away) add(detail_query - away), add(detail_query + away);
  std::sort(tokens_.begin(), tokens_.end());
}

std::vector<int> ArcsLayout::strongest_queries(int key) const {
  std::vector<std::pair<float, int>> all;
  if (key >= sheet_.trace().S) return {};
  for (int query = 0; query < sheet_.trace().T; ++query) {
    const float weight = may_read(sheet_.trace(), query, key) ? weights_.at(query, key) : 0;
    if (weight >= least_drawn(sheet_)) all.push_back({-weight, query});
  }
  const std::size_t count = std::min(all.size(), most_queries_named);
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end());
  std::vector<int> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(all[i].second);
  return out;
}

void ArcsLayout::place() {
  const std::size_t n = tokens_.size();
  const auto count = static_cast<float>(n);
  float skips_wide = 0;
  for (std::size_t i = 0; i < n; ++i) skips_wide += skips(i) ? skipped : 0;
  const float room = area_.w - skips_wide - 8;
  for (const float size : {18.f, 14.f, 12.f}) {
    float sum = 0;
    widths_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) sum += widths_[i] = width_of(tokens_[i], size);
    const float least = size * 0.7f;
    size_ = size;
    if (sum + least * count > room) continue;
    // Spread the words evenly, but keep a short sentence together.
    const float gap = std::min((room - sum) / count, std::max(44.f, 0.12f * area_.w));
    float x = area_.centre().x - (sum + gap * (count - 1) + skips_wide) / 2;
    for (std::size_t i = 0; i < n; ++i) {
      if (skips(i)) x += skipped;
      at_.push_back(x + widths_[i] / 2);
      x += widths_[i] + gap;
    }
    line_ = size + 14;
    place_lines();
    return;
  }
  place_slanted();
  place_lines();
}

/// Places the words under their columns, each on a line that leads down to the left.
void ArcsLayout::place_slanted() {
  const std::size_t n = tokens_.size();
  slanted_ = true;
  size_ = std::max(12.f, sheet_.pen.canvas.least_text());
  float longest = 0, skips_wide = 0;
  widths_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    longest = std::max(longest, widths_[i] = width_of(tokens_[i], size_));
    skips_wide += skips(i) ? skipped : 0;
  }
  const float sine = draw::turned({0, 0}, 0, 1, draw::slanted).x,
              cosine = draw::turned({0, 0}, 0, 1, draw::slanted).y;
  line_ = std::min(std::ceil(longest * sine + size_ * cosine), std::clamp(body_.h * 0.25f, 24.f, 110.f)) + 14;
  slant_ = line_ * cosine / sine;
  pitch_ = (area_.w - skips_wide - 8 - slant_) / std::max(static_cast<float>(n), 1.f);
  float x = area_.x + 4 + slant_;
  for (std::size_t i = 0; i < n; ++i) {
    if (skips(i)) x += skipped;
    at_.push_back(x + pitch_ / 2);
    x += pitch_;
  }
}

/// Returns the widths of the widest arcs of a word: above among weights of 0.05 or more, below among all that
/// are drawn.
std::pair<float, float> ArcsLayout::widths_of_arcs(int word) const {
  float above = 0, below = 0;
  for (std::size_t i = 0; i < tokens_.size() && word >= 0 && has(word); ++i) {
    const float wide = std::abs(at_[i] - at_[place_of(word)]);
    const int token = tokens_[i];
    if (token < sheet_.trace().S && may_read(sheet_.trace(), word, token) &&
        weights_.at(word, token) >= 0.05f)
      above = std::max(above, wide);
    if (word < sheet_.trace().S && may_read(sheet_.trace(), token, word) &&
        weights_.at(token, word) >= least_drawn(sheet_))
      below = std::max(below, wide);
  }
  return {above, below};
}

/// Divides the height between the arcs above and below the words. Below, the words leave the room that the
/// pinned word's arcs need; above, the longest lit arc takes the whole height. The words do not move with the
/// pointer.
void ArcsLayout::place_lines() {
  using scene::ArcsShown;
  const float rest = std::max(body_.h - line_, 20.f);
  const auto [lit, lit_below] = widths_of_arcs(focus_);
  const float all = at_.size() > 1 ? at_.back() - at_.front() : 1.f;
  widest_ = std::max({lit, all * 0.25f, 1.f});
  widest_below_ = std::max({lit_below, all * 0.25f, 1.f});
  const ArcsShown shown = sheet_.in.scene.attention.arcs;
  const bool pinned = selection().detail_query >= 0;
  const float below = 0.8f * widths_of_arcs(selection().detail_query).second + 50;
  const bool nothing_below = shown == ArcsShown::attends_to || (!pinned && !marks_selection(sheet_.pen));
  below_ = nothing_below                               ? 0.f
           : pinned && shown == ArcsShown::attended_by ? rest
           : pinned                                    ? std::clamp(below, rest * 0.12f, rest * 0.36f)
                                                       : rest * 0.24f;
  above_ = rest - below_;
  words_top_ = body_.y + above_;
}

/// Returns the height of an arc: longer arcs are higher, and short ones are not too flat.
float ArcsLayout::height_of(float wide, bool above) const {
  const float most = std::max((above ? above_ : below_) - (above ? thickest_arc / 2 + 12 : 26.f), 6.f);
  const float part = std::min(wide / (above ? widest_ : widest_below_), 1.f);
  return std::min(most * std::pow(part, 0.8f), 0.8f * wide + 4);
}

float ArcsLayout::top_of(const Arc& arc) const {
  const float wide = std::abs(at_[arc.query] - at_[arc.key]);
  return arc.above ? words_top_ - height_of(wide, true) : words_top_ + line_ + height_of(wide, false);
}
std::vector<Point> ArcsLayout::path_of(const Arc& arc) const {
  const float a = foot_of(arc.query, arc.above), b = foot_of(arc.key, arc.above), half = (b - a) / 2;
  const float y = arc.above ? words_top_ : words_top_ + line_;
  return arc_path({a + half, y}, half, top_of(arc) - y, half_turn, 0);
}

}  // namespace headlight::views
