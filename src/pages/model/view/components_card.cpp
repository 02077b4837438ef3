// One query against all keys, component by component: what each component adds to q·k, sorted by what it adds
// for the opened key.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "kit/cells.h"
#include "kit/words.h"
#include "pages/model/view/page.h"

namespace headlight::views {

namespace {

constexpr float most_row = 56, least_row = 15, names_row = 18, bar_room = 34, number_width = 56,
                first_width = 64;

/// The keys that have a row: all that the query may attend to where they fit, else those with the largest
/// weights and the opened one, in the order of the sentence.
std::vector<int> keys_on_show(const ModelView& view, int query, int opened, int rows) {
  const nn::AttentionTrace& trace = view.sheet.trace();
  const auto [first, last] = keys_allowed(trace, query);
  std::vector<int> keys(static_cast<std::size_t>(std::max(0, last - first + 1)));
  std::iota(keys.begin(), keys.end(), first);
  std::erase_if(keys, [&](int key) { return !may_read(trace, query, key); });
  if (static_cast<int>(keys.size()) <= rows) return keys;
  const std::span<const float> weights = trace.weights.row(view.shown.head, query);
  const auto rank = [&](int key) {  // what is no number comes last
    const float weight = weights[static_cast<std::size_t>(key)];
    return std::isnan(weight) ? -1.f : weight;
  };
  std::stable_sort(keys.begin(), keys.end(), [&](int a, int b) {
    if ((a == opened) != (b == opened)) return a == opened;
    return rank(a) > rank(b);
  });
  keys.resize(static_cast<std::size_t>(std::max(1, rows)));
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// A key's numbers: q·k, the score, the weight; `in_row`: short enough for a column.
std::array<std::string, 3> numbers_of_key(const ModelView& view, int query, int key, bool in_row = false) {
  const PageInput& in = view.sheet.in;
  std::array<std::string, 3> out;
  constexpr std::array<const char*, 3> names{"dot", "score", "weight"};
  const auto name = [&](std::size_t i) {
    return quantity(names[i], {{"head", view.shown.head + 1}, {"query", query}, {"key", key}});
  };
  for (std::size_t i = 0; i < 2; ++i) out[i] = in.text(name(i));
  out[2] = in_row ? in.text(name(2), [](double weight) { return base::weight_in_cell(weight, 3); })
                  : in.text(name(2));
  return out;
}

/// "component 5: +1.204", the three that add most to this key, by the order of the opened one.
std::string row_note(const ModelView& view, const scene::HeadComponents& c, int query, int key) {
  const PageInput& in = view.sheet.in;
  const std::array<std::string, 3> numbers = numbers_of_key(view, query, key);
  std::string note = quoted_key(in, key) + ", key " + std::to_string(key) + "\nq·k " + numbers[0] +
                     ", score " + numbers[1] + ", weight " + numbers[2];
  const int shown = std::min(3, c.products.cols());
  for (int rank = 1; rank <= shown; ++rank) {
    note +=
        "\n" + component_name(in, view.details, view.shown.head, rank) + " adds " +
        in.text(quantity("model_component", {{"rank", rank}, {"head", view.shown.head + 1}, {"key", key}}));
  }
  return note;
}

/// Above each component its number, where there is room; else how many there are.
void draw_names(const ModelView& view, Box names, float from, float wide, int components) {
  const Pen& pen = view.sheet.pen;
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  const float each = wide / static_cast<float>(components);
  if (each < pen.canvas.text_width("000", quiet) + 4) {
    put(pen, {names.x + from, names.y + 7}, std::to_string(components) + " components, sorted", quiet, wide);
    return;
  }
  if (pen.canvas.text_width("component", quiet) <= from - 6)
    put(pen, {names.x, names.y + 7}, "component", quiet);
  for (int i = 0; i < components; ++i)
    put(pen, {names.x + from + (static_cast<float>(i) + 0.5f) * each, names.y + 7},
        view.sheet.in.text(
            quantity("model_component_index", {{"rank", i + 1}, {"head", view.shown.head + 1}})),
        aligned(quiet, Align::centre), each);
}

}  // namespace

std::string component_name(const PageInput& in, const scene::HeadDetails& details, int head, int rank) {
  const auto of = [&](const char* name) {
    return in.text(quantity(name, {{"rank", rank}, {"head", head + 1}}));
  };
  std::string name = "component " + of("model_component_index");
  const std::vector<int>& order = details.components[static_cast<std::size_t>(head)].order;
  const auto component = static_cast<std::size_t>(order[static_cast<std::size_t>(rank) - 1]);
  if (component >= details.turned.size()) return name;
  if (details.turned[component].pair < 0) return name + " (not turned by RoPE)";
  return name + " (RoPE pair " + of("model_component_pair") + ", " + of("model_component_turn") +
         " rad per position)";
}

std::string components_words(const ModelView& view) {
  const scene::HeadDetails& details = view.details;
  const auto head = static_cast<std::size_t>(view.shown.head);
  if (head >= details.components.size()) return "no query is pinned";
  const PageInput& in = view.sheet.in;
  return "what each component adds to q·k of query " + quoted_token(in, details.query) +
         "; those that add most for " + quoted_key(in, details.components[head].key) + " first";
}

void draw_components(const ModelView& view, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  const scene::HeadDetails& details = view.details;
  const auto head = static_cast<std::size_t>(view.shown.head);
  if (head >= details.components.size() || details.query >= view.sheet.trace().T) {
    invitation(pen, box, "No query is pinned", "click a row of the weights, or a token of the losses");
    return;
  }
  const scene::HeadComponents& c = details.components[head];
  const int d = c.products.cols(), query = details.query;
  const Box foot = box.cut_bottom(bar_room);
  const Box names = box.cut_top(names_row);
  const int fit = std::max(1, static_cast<int>(box.h / least_row));
  const std::vector<int> keys = keys_on_show(view, query, c.key, fit);
  const auto rows = static_cast<float>(std::max<std::size_t>(1, keys.size()));
  const float row = std::clamp(box.h / rows, least_row, most_row);
  float name = 0;
  for (const int key : keys)
    name = std::max(name, pen.canvas.text_width(key_label(in, key), literal(words_style(pen.theme.text))));
  name = std::clamp(name + 10, 40.f, box.w * 0.25f);
  // What the first component adds has a column where the strips keep enough room beside it.
  const float enough = std::clamp(5.5f * static_cast<float>(d), 100.f, 160.f);
  const bool first_shown = d > 1 && box.w - name - 3 * number_width - first_width >= enough;
  const float beside = 3 * number_width + (first_shown ? first_width : 0);
  const float strips = std::max(20.f, box.w - name - beside);
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  draw_names(view, names, name, strips - 8, d);
  constexpr std::array<const char*, 3> titles{"q·k", "score", "weight"};
  for (int i = 0; i < 3; ++i)
    put(pen, {box.right() - static_cast<float>(2 - i) * number_width, names.y + 7},
        titles[static_cast<std::size_t>(i)], aligned(quiet, Align::right));
  const float first_at = box.right() - 3 * number_width;
  if (first_shown)
    put(pen, {first_at, names.y + 7},
        pen.canvas.text_width("largest component", quiet) <= first_width - 4 ? "largest component"
                                                                             : "largest",
        aligned(quiet, Align::right), first_width - 4);
  // The step from the products to the weights has a name, clear of its numbers.
  constexpr float before = 9.5f, after = 6;
  const float numbers_from = box.right() - 3 * number_width + before;
  pen.canvas.mark(
      {.part = draw::Part::note,
       .name = "product to weight",
       .area = {numbers_from, names.y - 2, box.right() + after - numbers_from, names.h + 2 + row * rows}});
  pen.canvas.mark({});
  const auto limit = static_cast<float>(c.largest > 0 ? c.largest : 1);
  for (const int key : keys) {
    const Box line = box.cut_top(row);
    const bool opened = key == c.key;
    draw::Mark mark;
    mark.part = draw::Part::key_token, mark.key = key, mark.area = line;
    mark.note = row_note(view, c, query, key);
    pen.canvas.mark(mark);
    if (view.sheet.selection.hover_key == key) pen.canvas.rect(line, pen.theme.field_hover, 3);
    put(pen, {line.x, line.centre().y}, key_label(in, key),
        literal(opened ? strong_style(pen.theme.key, word_size) : words_style(pen.theme.text)), name - 8);
    const Box cells{line.x + name, line.y + 1, strips - 8, line.h - 2};
    draw_cells(pen, cells, with_signs(heat_of(c.products.row(key), 1, in.results.version), limit));
    pen.canvas.mark({});
    if (opened) pen.canvas.frame(cells.inset(-1), {pen.theme.key, 1.5f}, 2);
    if (first_shown)
      put(pen, {first_at, line.centre().y},
          in.text(quantity("model_component", {{"rank", 1}, {"head", view.shown.head + 1}, {"key", key}})),
          aligned(mono_style(opened ? pen.theme.text : pen.theme.dim, small_size), Align::right));
    const std::array<std::string, 3> numbers = numbers_of_key(view, query, key, true);
    for (int i = 0; i < 3; ++i)
      put(pen, {line.right() - static_cast<float>(2 - i) * number_width, line.centre().y},
          numbers[static_cast<std::size_t>(i)],
          aligned(mono_style(i == 2 || opened ? pen.theme.text : pen.theme.dim, small_size), Align::right));
  }
  const std::string end = in.text(quantity("model_component_limit", {{"head", view.shown.head + 1}}));
  const Box bar{foot.x, box.y + bar_room - 22, std::min(170.f, foot.w * 0.4f), 8};
  color_bar(pen, bar, {draw::Colormap::signed_weight, "−" + end, "q × k", "+" + end});
  const auto [first, last] = keys_allowed(view.sheet.trace(), query);
  const int all = last - first + 1;
  if (static_cast<int>(keys.size()) < all)
    put(pen, {bar.right() + 16, bar.centre().y},
        "the " + std::to_string(keys.size()) + " keys with the largest weights, of " + std::to_string(all),
        quiet, foot.right() - bar.right() - 16);
}

}  // namespace headlight::views
