#include "pages/attention/view/bars_panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "kit/map_labels.h"
#include "kit/weight_bar.h"
#include "kit/words.h"
#include "pages/attention/view/bar_rows.h"
#include "pages/attention/view/marginals.h"
#include "scene/hidden_tokens.h"

namespace headlight::views {

namespace {

constexpr std::size_t most_panels = 12;
constexpr float gutter = 34;             // left of the bars, for the axis
constexpr float heading = 17;            // above each of several panels
constexpr float least_plot = 36;         // least height of the bars in one of several panels
constexpr std::size_t most_grouped = 4;  // heads side by side in one group

/// Returns the queries to draw: the pinned ones, or the one under the pointer while none is pinned.
std::vector<int> drawn_queries(const Sheet& sheet) {
  const Selection& s = sheet.selection;
  if (s.queries.empty()) return s.hover_query >= 0 ? std::vector<int>{s.hover_query} : std::vector<int>{};
  std::vector<int> out = s.queries;
  if (out.size() > most_panels) out.erase(out.begin(), out.end() - most_panels);
  // Stacked panels follow the order of the sentence.
  std::sort(out.begin(), out.end());
  return out;
}

bool grouped(const Sheet& sheet) {
  return sheet.selection.kind == HeadsShown::several && sheet.selection.heads.size() <= most_grouped;
}

std::string title_of(const Sheet& sheet, const std::vector<int>& queries) {
  if (queries.empty()) return "Attention weights";
  if (queries.size() == 1) return "Attention weights of " + token_in_words(sheet, queries.front(), 110);
  return "Attention weights of " + std::to_string(sheet.selection.queries.size()) + " queries";
}

std::string subtitle_of(const Sheet& sheet, const std::vector<int>& queries) {
  const Selection& s = sheet.selection;
  if (queries.empty()) return "click a token, a row of the map or a label";
  const int query = s.detail_query >= 0 ? s.detail_query : queries.front();
  if (queries.size() == 1 && reads_nothing(sheet.trace(), query)) return "all keys are masked: no weights";
  const auto sum = [&] { return sheet.in.text(quantity("map_row_sum", {{"query", query}})); };
  const std::string whose = queries.size() > 1 ? " for query " + std::to_string(query) : "";
  if (s.kind == HeadsShown::one) {
    if (queries.size() > 1) return "weights over keys, summing to 1 for each query; one axis for all";
    return "weights over keys; they sum to " + sum();
  }
  const std::string combine = combine_phrase(sheet.in.scene.combine);
  if (grouped(sheet)) return "one bar per compared head; the line is their " + combine;
  std::string out = combine + " over " + (s.kind == HeadsShown::all ? "all " : "") +
                    std::to_string(s.heads.size()) + " heads (sum " + sum() + whose + ")";
  if (sheet.in.scene.combine == scene::Combine::max) out += "; largest weights need not sum to 1";
  return out;
}

class Bars {
 public:
  Bars(const Sheet& sheet, std::vector<int> queries) : sheet_(sheet), queries_(std::move(queries)) {
    decimals_ = weight_decimals(shown_scale(sheet).end);
    hidden_ = scene::hidden_tokens(sheet.in.scene, sheet.in.results);
    sort_keys();
    rows_.resize(queries_.size());
    double largest = 0;
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      const std::span<const float> row = combined_row(sheet_, queries_[i], rows_[i].room);
      rows_[i].combined = row;
      largest = std::max(largest, largest_of(row));
      if (!grouped(sheet_)) continue;
      for (int head : sheet_.selection.heads) {
        rows_[i].heads.push_back(sheet_.trace().weights.row(head, queries_[i]));
        largest = std::max(largest, largest_of(rows_[i].heads.back()));
      }
    }
    top_ = nice_ceiling(largest);
    for (const double at : {1.0, 0.5})
      gutter_ = std::max(gutter_, 8 + sheet_.pen.canvas.text_width(brief(top_ * at, 3), mono_style({}, 12)));
  }

  void draw(Box area) {
    const int keys = sheet_.trace().S;
    axis_.role = Role::key, axis_.last = keys;
    axis_.low = area.x + gutter_, axis_.high = area.right();
    axis_.pitch = std::min((area.w - gutter_) / static_cast<float>(keys), 120.f);
    axis_.high = axis_.low + axis_.pitch * static_cast<float>(keys);
    axis_.start = axis_.low;
    axis_.order = order_;
    AxisNames names = names_of(sheet_, Role::key);
    if (queries_.size() == 1 && !other_keys(sheet_.in)) names.own = sheet_.selection.detail_query;
    const float most_names = std::max(90.f, 7 * sheet_.pen.canvas.least_text());  // whole on a slide
    const RowPlan plan =
        plan_row(sheet_.pen, names, axis_,
                 std::clamp(area.h * (on_slide(sheet_.pen) ? 0.3f : 0.2f), 24.f, most_names));
    Box below = area.cut_bottom(plan.height + 6);
    const float each = area.h / static_cast<float>(queries_.size());
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      Box panel = area.cut_top(each);
      if (queries_.size() > 1) {
        const Box head = panel.cut_top(heading);
        const int query = queries_[i];
        put(sheet_.pen, {head.x + gutter_, head.y + 9}, "Query " + token_in_words(sheet_.in, query),
            query == sheet_.selection.detail_query && marks_selection(sheet_.pen)
                ? strong_style(sheet_.theme().query, small_size)
                : words_style(sheet_.theme().text, small_size),
            head.w - gutter_);
        panel.cut_bottom(5);
      } else {
        panel.cut_top(4);
      }
      panel_of(i, panel);
    }
    labels_across(sheet_.pen, names, axis_, {plan, below.y, true});
  }

 private:
  struct Row {
    std::vector<float> room;
    std::span<const float> combined;
    std::vector<std::span<const float>> heads;  // when grouped
  };

  static double largest_of(std::span<const float> row) {
    float out = 0;
    for (float weight : row) out = weight > out && std::isfinite(weight) ? weight : out;
    return static_cast<double>(out);
  }

  /// All panels share one order: that of the pinned query.
  void sort_keys() {
    if (!sheet_.in.scene.attention.bars_sorted) return;  // an empty order is the sentence's
    order_.resize(static_cast<std::size_t>(sheet_.trace().S));
    std::iota(order_.begin(), order_.end(), 0);
    const int leader = sheet_.selection.detail_query >= 0 ? sheet_.selection.detail_query : queries_.front();
    std::vector<float> room;
    const std::span<const float> row = combined_row(sheet_, leader, room);
    auto rank = [&](int key) {
      const float weight = row[static_cast<std::size_t>(key)];
      if (!may_read(sheet_.trace(), leader, key)) return -2.f;
      return std::isfinite(weight) ? weight : -1.f;
    };
    std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return rank(a) > rank(b); });
  }

  /// Has this key a bar? The scene can leave out keys and small weights.
  bool drawn(int key, float weight) const {
    return !hidden_.key(key) && !(weight < static_cast<float>(sheet_.in.scene.attention.least_weight));
  }

  float height_of(float weight, Box plot) const {
    if (!std::isfinite(weight)) return 3;
    return plot.h * static_cast<float>(std::clamp(static_cast<double>(weight) / top_, 0.0, 1.0));
  }

  void panel_of(std::size_t index, Box panel) {
    const draw::Theme& theme = sheet_.theme();
    draw::Canvas& canvas = sheet_.pen.canvas;
    const int query = queries_[index];
    const bool numbers_fit = axis_.pitch >= (decimals_ > 2 ? 33.f : 27.f) && panel.h >= 40;
    Box plot{axis_.low, panel.y, axis_.high - axis_.low, panel.h};
    plot.cut_top(queries_.size() == 1 || numbers_fit ? 15.f : 4.f);
    // Grid: zero, half and the top of the axis.
    const draw::TextStyle tick = aligned(mono_style(theme.dim, 12), Align::right);
    for (double at : {1.0, 0.5, 0.0}) {
      if (at > 0 && at < 1 && plot.h < 76) continue;
      const float y = plot.bottom() - plot.h * static_cast<float>(at);
      canvas.line({plot.x, y}, {panel.right(), y}, {at > 0 ? theme.faint : theme.border, 1});
      canvas.text({plot.x - 6, y}, brief(top_ * at, 3), tick);
    }
    canvas.line({plot.x, plot.bottom()}, {panel.right(), plot.bottom()}, {draw::faded(theme.dim, 0.6f), 1});
    if (reads_nothing(sheet_.trace(), query)) {
      masked_area(sheet_.pen, {plot.x, plot.bottom() - 5, plot.w, 5});
      put(sheet_.pen, {plot.centre().x, plot.y + plot.h * 0.75f}, "masked: this query may attend to no key",
          aligned(words_style(theme.dim), Align::centre), plot.w);
      return;
    }
    blocked_keys(query, plot);
    bars(index, plot, numbers_fit);
  }

  /// Darkens the masked keys on the axis.
  void blocked_keys(int query, Box plot) {
    if (!sheet_.selection.masked) return;
    const int keys = sheet_.trace().S;
    for (int from = 0; from < keys;) {
      int to = from;
      while (to < keys && !may_read(sheet_.trace(), query, axis_.token(to))) ++to;
      if (to > from) {
        masked_area(sheet_.pen, {plot.x + static_cast<float>(from) * axis_.pitch, plot.bottom() - 6,
                                 static_cast<float>(to - from) * axis_.pitch, 6});
      }
      from = std::max(to, from) + 1;
    }
  }

  void bars(std::size_t index, Box plot, bool numbers_fit) {
    const int keys = sheet_.trace().S, query = queries_[index];
    // Bars thinner than a unit share one, and the largest is drawn, so that a single spike stays visible.
    const int together = std::max(1, static_cast<int>(std::ceil(1.f / axis_.pitch)));
    const Row& row = rows_[index];
    int best = -1;
    for (int item = 0; item < keys; item += together) {
      int strongest = item;
      for (int other = item; other < std::min(keys, item + together); ++other) {
        if (row.combined[static_cast<std::size_t>(axis_.token(other))] >
            row.combined[static_cast<std::size_t>(axis_.token(strongest))])
          strongest = other;
      }
      const int key = axis_.token(strongest);
      const float weight = row.combined[static_cast<std::size_t>(key)];
      if (best < 0 || weight > row.combined[static_cast<std::size_t>(axis_.token(best))]) best = strongest;
      const Box slot{axis_.low + static_cast<float>(item) * axis_.pitch, plot.y - 4,
                     axis_.pitch * static_cast<float>(together), plot.h + 4};
      one_key(index, key, slot, plot);
      if (numbers_fit && !grouped(sheet_) && may_read(sheet_.trace(), query, key) && drawn(key, weight))
        number(key, weight, slot, plot);
    }
    constexpr float some_from = 16;  // pitch: narrower, a number would stand above its neighbours' bars
    if (numbers_fit || grouped(sheet_) || plot.h < 24) return;
    if (axis_.pitch >= some_from && queries_.size() == 1) {
      some_numbers(index, plot);
    } else if (best >= 0 &&
               drawn(axis_.token(best), row.combined[static_cast<std::size_t>(axis_.token(best))])) {
      strongest_number(index, best, plot);
    }
  }

  /// Writes the numbers that do not touch, the largest first, when there is no room for all of them.
  void some_numbers(std::size_t index, Box plot) {
    constexpr float size = 10, high = 12, apart = 2, least = 0.005f;
    const std::span<const float> row = rows_[index].combined;
    std::vector<int> items;
    for (int item = 0; item < sheet_.trace().S; ++item) {
      const int key = axis_.token(item);
      const float weight = row[static_cast<std::size_t>(key)];
      if (weight >= least && drawn(key, weight) && may_read(sheet_.trace(), queries_[index], key))
        items.push_back(item);
    }
    const auto weight_of = [&](int item) { return row[static_cast<std::size_t>(axis_.token(item))]; };
    std::stable_sort(items.begin(), items.end(), [&](int a, int b) { return weight_of(a) > weight_of(b); });
    std::vector<Box> taken;
    for (const int item : items) {
      const float weight = weight_of(item),
                  middle = axis_.low + (static_cast<float>(item) + 0.5f) * axis_.pitch;
      const std::string words = weight_in_cell(static_cast<double>(weight), decimals_);
      const float wide = sheet_.pen.canvas.text_width(words, mono_style({}, size)) + apart;
      const Box box{middle - wide / 2, plot.bottom() - height_of(weight, plot) - 8 - high / 2, wide, high};
      const bool free = std::none_of(taken.begin(), taken.end(), [&](const Box& other) {
        return box.x < other.right() && other.x < box.right() && box.y < other.bottom() &&
               other.y < box.bottom();
      });
      if (!free) continue;
      taken.push_back(box);
      number(axis_.token(item), weight, {middle - axis_.pitch / 2, plot.y - 4, axis_.pitch, plot.h + 4},
             plot);
    }
  }

  void one_key(std::size_t index, int key, Box slot, Box plot) {
    const draw::Theme& theme = sheet_.theme();
    draw::Canvas& canvas = sheet_.pen.canvas;
    const int query = queries_[index];
    const Row& row = rows_[index];
    const Selection& s = sheet_.selection;
    Mark mark;
    mark.part = Part::bar, mark.query = query, mark.key = key, mark.area = slot;
    if (s.kind == HeadsShown::one) mark.head = s.heads.front();
    canvas.mark(mark);
    const float wide = slot.w < 4 ? slot.w : std::min(slot.w * 0.72f, 64.f);
    const Box base{slot.centre().x - wide / 2, plot.bottom(), wide, 0};
    const bool over = sheet_.pen.hover && s.hover_query == query && s.hover_key == key;
    auto bar = [&](float x, float width, float weight, Color color) {
      if (!drawn(key, weight)) return;
      if (!std::isfinite(weight)) color = draw::nan_color;
      float height = height_of(weight, plot);
      if (weight > 0) height = std::max(height, 1.f);
      if (height <= 0) return;
      if (over) color = draw::mix(color, theme.text, 0.25f);
      canvas.rect({x, base.y - height, width, height}, color, width >= 6 ? std::min(3.f, height / 3) : 0.f);
    };
    if (row.heads.empty()) {
      bar(base.x, base.w, row.combined[static_cast<std::size_t>(key)],
          draw::color_of(theme, draw::Colormap::weight, theme.dark ? 0.8f : 0.72f, 0, 1));
    } else {
      const float each = base.w / static_cast<float>(row.heads.size());
      for (std::size_t n = 0; n < row.heads.size(); ++n) {
        bar(base.x + each * static_cast<float>(n), each > 3 ? each - 1 : each,
            row.heads[n][static_cast<std::size_t>(key)], draw::series(theme, s.heads[n]));
      }
      const float y = base.y - height_of(row.combined[static_cast<std::size_t>(key)], plot);
      if (slot.w >= 6 && may_read(sheet_.trace(), query, key) &&
          drawn(key, row.combined[static_cast<std::size_t>(key)]))
        canvas.line({base.x - 2, y}, {base.x + base.w + 2, y}, {theme.text, 1.5f});
    }
    canvas.mark({});
  }

  void number(int key, float weight, Box slot, Box plot) {
    const float size = slot.w >= 42 ? 12.f : 10.f;
    const bool opened = key == sheet_.selection.key;
    sheet_.pen.canvas.text(
        {slot.centre().x, plot.bottom() - height_of(weight, plot) - 8},
        weight_in_cell(static_cast<double>(weight), decimals_),
        aligned(mono_style(
                    opened ? sheet_.theme().text : draw::mix(sheet_.theme().text, sheet_.theme().dim, 0.5f),
                    size),
                Align::centre));
  }

  /// Writes the number of the largest bar when there is no room for all numbers.
  void strongest_number(std::size_t index, int item, Box plot) {
    const int key = axis_.token(item);
    const float weight = rows_[index].combined[static_cast<std::size_t>(key)];
    const std::string words = weight_text(static_cast<double>(weight), decimals_);
    const draw::TextStyle style = mono_style(sheet_.theme().text, 12);
    const float x = axis_.low + (static_cast<float>(item) + 0.5f) * axis_.pitch;
    const float width = sheet_.pen.canvas.text_width(words, style);
    const float y = plot.bottom() - height_of(weight, plot);
    // Write it beside the top of the bar, on the side where there is room.
    const bool right = x + axis_.pitch / 2 + width + 6 < plot.right();
    sheet_.pen.canvas.text(
        {right ? x + axis_.pitch / 2 + 3 : x - axis_.pitch / 2 - 3, std::min(y + 4, plot.bottom() - 6)},
        words, aligned(style, right ? Align::left : Align::right));
  }

  const Sheet& sheet_;
  std::vector<int> queries_, order_;
  scene::HiddenTokens hidden_;
  std::vector<Row> rows_;
  TokenAxis axis_;
  double top_ = 1;
  float gutter_ = gutter;  // room for the numbers of the axis
  int decimals_ = 2;
};

/// Can the weights be drawn as rows, with the keys' names at their left?
bool one_in_rows(const Sheet& sheet, const std::vector<int>& queries) {
  return queries.size() == 1 && !grouped(sheet) && !reads_nothing(sheet.trace(), queries.front());
}

/// Draws the meaning of the colours at the left and the order of the bars at the right.
void footer(const Sheet& sheet, Box row, const std::string& more) {
  const bool sorted = sheet.in.scene.attention.bars_sorted;
  const std::array<Choice, 2> order{
      Choice{"in order", "bars_sorted=false", "bars in order", !sorted, "keys in the order of the sentence"},
      Choice{"sorted", "bars_sorted=true", "bars sorted", sorted, "strongest key first"}};
  const Box box = segmented(sheet.pen, {row.right(), row.y}, order);
  float x = row.x;
  const float y = box.centre().y;
  put(sheet.pen, {x, y}, more, words_style(sheet.theme().dim, small_size), box.x - 8 - x);
  auto add = [&](Color color, const std::string& words) {
    if (x + legend_width(sheet.pen, words) + 8 < box.x) x += legend(sheet.pen, {x, y}, color, words) + 12;
  };
  if (grouped(sheet)) {
    float whole = 0;
    for (int head : sheet.selection.heads)
      whole += legend_width(sheet.pen, "head " + std::to_string(head + 1)) + 12;
    const std::string prefix = row.x + whole < box.x ? "head " : "";
    for (int head : sheet.selection.heads)
      add(draw::series(sheet.theme(), head), prefix + std::to_string(head + 1));
  }
}

}  // namespace

float bars_height(const Sheet& sheet) {
  const float panels = static_cast<float>(std::max<std::size_t>(1, drawn_queries(sheet).size()));
  const float frame = 2 * card_padding + 42 + control_height + 28;  // title, footer, labels
  return frame + (panels == 1 ? 84.f : panels * (heading + 5 + least_plot));
}

float most_bars_height(const Sheet& sheet) {
  constexpr float any = 1e5f, frame = 2 * card_padding + 42 + control_height;
  const std::vector<int> queries = drawn_queries(sheet);
  constexpr int most_in_rows = 400;  // keys; more are not all in rows in any window
  if (!one_in_rows(sheet, queries) || sheet.trace().S > most_in_rows) return any;
  std::vector<float> room;
  const std::span<const float> row = combined_row(sheet, queries.front(), room);
  const BarRows rows = bar_rows(sheet, {0, 0, 300, any}, queries.front(), row);
  return rows.keys.empty() ? any : frame + static_cast<float>(rows.keys.size()) * rows.height;
}

void draw_bars(const Sheet& sheet, Box box) {
  const std::vector<int> queries = drawn_queries(sheet);
  Box inside = card(sheet.pen, box, {title_of(sheet, queries), subtitle_of(sheet, queries), 0}, "bars");
  const Box foot = inside.cut_bottom(control_height - 4);
  inside.cut_bottom(4);
  if (queries.empty()) {
    invitation(sheet.pen, inside, "No query is pinned", "click a token to see its weights");
    return;
  }
  if (one_in_rows(sheet, queries)) {
    std::vector<float> room;
    const std::span<const float> row = combined_row(sheet, queries.front(), room);
    constexpr float one_row = 48, least_words = 90;  // of one key, whose row leaves the rest empty
    if (row.size() == 1 && inside.h > one_row + least_words && !sheet.pen.canvas.plain()) {
      const char* words = reads_nothing(sheet.trace(), queries.front()) ? "One key, and it is masked"
                          : row[0] == 1                                 ? "The weight of a single key is 1"
                                                                        : "There is only one key";
      placeholder(sheet.pen, inside.cut_bottom(inside.h - one_row), words,
                  in_window(sheet.pen, "type a second word to see how the weight is divided"));
    }
    if (const BarRows rows = bar_rows(sheet, inside, queries.front(), row); !rows.keys.empty()) {
      footer(sheet, foot, draw_bar_rows(sheet, inside, queries.front(), row, rows));
      return;
    }
  }
  Bars(sheet, queries).draw(inside);
  footer(sheet, foot, {});
}

}  // namespace headlight::views
