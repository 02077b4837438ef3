#include "pages/attention/view/beams_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pages/attention/view/marginals.h"

namespace headlight::views {

namespace {

constexpr int neighbours = 11;        // queries drawn for a long sentence: the pinned one and ten others
constexpr int most_keys = 28;         // keys drawn when there are more than most_whole
constexpr std::size_t at_least = 10;  // beams of the pinned query, even if small
constexpr float heading_height = 24, note_height = 20;

}  // namespace

void BeamsLayout::choose() {
  range_ = pairs_on_view(sheet_);
  int from = range_.first_query, to = range_.last_query;
  if (to - from > most_whole) {
    around_ = true;
    const int centre = selection().detail_query >= 0 ? selection().detail_query : from;
    from = std::clamp(centre - neighbours / 2, from, to - neighbours);
    to = from + neighbours;
  }
  for (int query = from; query < to; ++query) {
    if (!hidden_.query(query)) queries_.push_back({query, 0, 0, 0});
  }
  const int count = range_.last_key - range_.first_key;
  if (count <= most_whole) {
    for (int key = range_.first_key; key < range_.last_key; ++key) {
      if (!hidden_.key(key)) keys_.push_back({key, 0, 0, 0});
    }
  } else {
    choose_keys();
  }
  rows_.reserve(queries_.size());
  for (const BeamSlot& query : queries_) {
    const std::span<const float> row = weights_.row(query.token);
    rows_.emplace_back(row.begin(), row.end());
    // These values only set positions, so NaN and infinity become 0.
    for (float& weight : rows_.back()) weight = std::isfinite(weight) ? weight : 0.f;
  }
  if (selection().detail_query >= 0) few_ = few_of(selection().detail_query);
}

/// Returns the strongest keys of a query in a long sentence if its drawn beams would have less than half of
/// its weight; else none.
std::vector<int> BeamsLayout::few_of(int query) {
  const std::span<const float> row = weights_.row(query);
  float drawn = 0, all = 0;
  for (const float weight : row) all += weight, drawn += weight >= least_drawn(sheet_) ? weight : 0.f;
  if (drawn >= all / 2 || static_cast<int>(row.size()) <= most_whole) return {};
  return strongest_keys(sheet_, query, row, at_least);
}

/// Chooses among many keys those with drawn beams: the pinned query's first, then those with the largest
/// weights.
void BeamsLayout::choose_keys() {
  struct Wanted {
    int key;
    float most;
  };
  std::vector<Wanted> all;
  const int detail_query = selection().detail_query;
  const std::vector<int> few = detail_query >= 0 ? few_of(detail_query) : std::vector<int>{};
  for (int key = range_.first_key; key < range_.last_key; ++key) {
    if (hidden_.key(key)) continue;
    float most = key == selection().key ? 100.f : 0.f;
    for (const BeamSlot& query : queries_) {
      const float weight = weights_.row(query.token)[static_cast<std::size_t>(key)];
      if (!(weight >= least_drawn(sheet_))) continue;
      most = std::max(most, weight + (query.token == detail_query ? 2.f : 0.f));
    }
    if (std::find(few.begin(), few.end(), key) != few.end()) most = std::max(most, 2.f);
    if (most > 0) all.push_back({key, most});
  }
  if (all.size() > static_cast<std::size_t>(most_keys)) {
    cut_keys_ = true;
    std::nth_element(all.begin(), all.begin() + most_keys, all.end(),
                     [](const Wanted& a, const Wanted& b) { return a.most > b.most; });
    all.resize(static_cast<std::size_t>(most_keys));
  }
  std::sort(all.begin(), all.end(), [](const Wanted& a, const Wanted& b) { return a.key < b.key; });
  for (const Wanted& one : all) keys_.push_back({one.key, 0, 0, 0});
}

bool BeamsLayout::is_drawn(int query, int key, float weight) const {
  if (!(weight > 0) || !may_read(sheet_.trace(), query, key)) return false;
  return weight >= least_drawn(sheet_) ||
         (query == selection().detail_query && std::find(few_.begin(), few_.end(), key) != few_.end());
}

/// Places the bars. Their heights are proportional to the weights, with the same scale on both sides.
void BeamsLayout::place() {
  body_ = area_;
  body_.cut_top(heading_height);
  body_.cut_bottom(with_note_ ? note_height : 4.f);
  const std::size_t Q = queries_.size(), K = keys_.size();
  sums_.assign(Q, 0), received_.assign(K, 0);
  for (std::size_t q = 0; q < Q; ++q) {
    sums_[q] = std::accumulate(rows_[q].begin(), rows_[q].end(), 0.f);
    for (std::size_t k = 0; k < K; ++k) received_[k] += rows_[q][static_cast<std::size_t>(keys_[k].token)];
  }
  const float largest = std::max(1.f, Q > 0 ? *std::max_element(sums_.begin(), sums_.end()) : 1.f);
  const float most = std::max(44.f, body_.h * 0.09f);
  const float pitch =
      std::min(body_.h / static_cast<float>(std::max<std::size_t>(Q, 1)), most * largest * 1.7f);
  const float slots = static_cast<float>(std::max<std::size_t>(K, 1));
  const float gap = std::min(12.f, 0.25f * body_.h / slots),
              least = std::min(beam_line_height, 0.5f * body_.h / slots);
  const auto high = [&](float unit) {
    float sum = 0;
    for (const float r : received_) sum += std::max(unit * r + gap, least);
    return sum;
  };
  float low_unit = 0, high_unit = std::min(0.75f * pitch / largest, most);
  if (high(high_unit) > body_.h) {
    for (int i = 0; i < 20; ++i) {
      const float middle = (low_unit + high_unit) / 2;
      (high(middle) > body_.h ? high_unit : low_unit) = middle;
    }
    high_unit = low_unit;
  }
  unit_ = high_unit;
  const float column = pitch * static_cast<float>(Q), filled = high(unit_);
  const float spare = std::max(0.f, column - filled) / slots;
  float y = body_.y + (body_.h - column) / 2;
  for (std::size_t q = 0; q < Q; ++q, y += pitch) {
    const float half = unit_ * sums_[q] / 2;
    queries_[q].low = y + pitch / 2 - half, queries_[q].high = y + pitch / 2 + half,
    queries_[q].pitch = pitch;
  }
  top_ = body_.y + (body_.h - column) / 2;
  y = body_.y + (body_.h - std::max(column, filled)) / 2;
  top_ = std::min(top_, y);
  for (std::size_t k = 0; k < K; ++k) {
    const float slot = std::max(unit_ * received_[k] + gap, least) + spare, half = unit_ * received_[k] / 2;
    keys_[k].low = y + slot / 2 - half, keys_[k].high = y + slot / 2 + half, keys_[k].pitch = slot;
    y += slot;
  }
  place_columns();
  // Beams begin in the order of the keys and end in the order of the queries.
  starts_.assign(Q * K, 0), ends_.assign(Q * K, 0);
  std::vector<float> taken(K, 0);
  for (std::size_t q = 0; q < Q; ++q) {
    float before = 0;
    int next = 0;
    for (std::size_t k = 0; k < K; ++k) {
      for (; next < keys_[k].token; ++next) before += rows_[q][static_cast<std::size_t>(next)];
      const float weight = rows_[q][static_cast<std::size_t>(keys_[k].token)];
      starts_[q * K + k] = queries_[q].low + unit_ * (before + weight / 2);
      ends_[q * K + k] = keys_[k].low + unit_ * (taken[k] + weight / 2);
      taken[k] += weight;
    }
  }
}

void BeamsLayout::place_columns() {
  const float most = std::clamp(area_.w * 0.2f, 24.f, 170.f);
  const auto widest = [&](const std::vector<BeamSlot>& slots, Role role) {
    float width = 24;
    for (const BeamSlot& slot : slots)
      width = std::max(width, sheet_.pen.canvas.text_width(words_of(slot.token, role),
                                                           literal(strong_style({}, size_of(slot, true)))));
    return std::min(std::ceil(width), most);
  };
  query_room_ = widest(queries_, Role::query), key_room_ = widest(keys_, Role::key);
  number_room_ = area_.w >= 420 ? 60.f : 0.f;
  left_ = area_.x + query_room_ + 10 + beam_bar_width;
  right_ = area_.right() - number_room_ - key_room_ - 12 - beam_bar_width;
  // A wide card would make the curves flat, so their span is limited in proportion to the height.
  const float span = std::min(right_ - left_, std::max(260.f, body_.h * 1.5f));
  const float spare = std::max(0.f, (right_ - left_ - span) / 2);
  left_ += spare, right_ -= spare;
}

std::string BeamsLayout::words_of(int token, Role role) const {
  return (role == Role::key ? key_label(sheet_.in, token) : token_label(sheet_.in, token)) +
         (around_ || cut_keys_ ? " " + std::to_string(token) : std::string());
}
BeamsLayout::BeamCurve BeamsLayout::curve_of(std::size_t q, std::size_t k, float weight, float aside) const {
  BeamCurve out;
  const std::size_t i = q * keys_.size() + k;
  out.a = {left_, starts_[i] + aside}, out.b = {right_, ends_[i] + aside};
  const float half = (out.b.x - out.a.x) / 2;
  out.control_a = {out.a.x + half, out.a.y}, out.control_b = {out.b.x - half, out.b.y};
  out.width = std::max(0.6f, unit_ * weight);
  return out;
}
}  // namespace headlight::views
