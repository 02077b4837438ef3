// Buttons, toggles, chips, choices, tabs and words. Metrics are logical units.
#include "screen/widgets.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "base/capitals.h"
#include "base/utf8.h"
#include "screen/paint.h"

namespace headlight::screen {

namespace {

constexpr float button_height = 30, chip_height = 27, segment_height = 32, row_height = 30, radius = 8;

/// The words, with their middle left out as far as they are wider than `width`; `size` and `width` in pixels.
std::string without_middle(TextPainter& text, std::string_view words, float size, float width) {
  std::string out(words);
  if (text.width(out, draw::Font::sans, size) <= width) return out;
  std::vector<std::size_t> ends;  // of the letters as a reader counts them
  for (std::size_t at = 0; at < words.size(); at += base::cluster_bytes(words, at)) ends.push_back(at);
  ends.push_back(words.size());
  const auto shortened = [&](std::size_t left) {
    const std::size_t before = ends[(left + 1) / 2], behind = ends[ends.size() - 1 - left / 2];
    return std::string(words.substr(0, before)) + "…" + std::string(words.substr(behind));
  };
  std::size_t fits = 2, not_any_more = ends.size();  // letters that remain
  while (fits + 1 < not_any_more) {
    const std::size_t left = (fits + not_any_more) / 2;
    (text.width(shortened(left), draw::Font::sans, size) <= width ? fits : not_any_more) = left;
  }
  return shortened(std::min(fits, ends.size() - 1));
}

/// Distributes `width` among the options: equal shares if every word fits, else each option's need and a
/// share of the rest; if that is too much, the longest are shortened first.
std::vector<float> shares(const std::vector<float>& needs, float width) {
  const float count = static_cast<float>(needs.size());
  float total = 0, largest = 0;
  for (const float need : needs) total += need, largest = std::max(largest, need);
  if (largest <= width / count) return std::vector<float>(needs.size(), width / count);
  std::vector<float> out = needs;
  if (total <= width) {
    for (float& share : out) share += (width - total) / count;
    return out;
  }
  std::vector<float> sorted = needs;
  std::sort(sorted.begin(), sorted.end());
  float left = width, most = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    most = left / static_cast<float>(sorted.size() - i);  // for each of the remaining ones
    if (sorted[i] > most) break;
    left -= sorted[i];
  }
  for (float& share : out) share = std::min(share, most);
  return out;
}

}  // namespace

void Ui::header(std::string_view words) {
  const Place at = place(0, px(26));
  const float size = px(11), spacing = px(0.9f);
  const float baseline = std::round((at.from.y + at.to.y) / 2 + size * capital_height / 2);
  float x = at.from.x;
  const std::string shown = base::capitals(words);
  for (std::size_t i = 0; i < shown.size();) {  // letter by letter, for the letter spacing
    const std::size_t bytes = base::cluster_bytes(shown, i);
    const std::string_view letter = std::string_view(shown).substr(i, bytes);
    text.draw(*ImGui::GetWindowDrawList(), x, baseline, letter, draw::Font::semibold, size,
              packed(theme().dim));
    x += text.width(letter, draw::Font::semibold, size) + spacing;
    i += bytes;
  }
}

void Ui::label(std::string_view words, float size, draw::Font font) {
  const Place at = place(std::ceil(typeset_width(words, font, px(size))), px(size * 1.5f));
  mathematics(at.from.x, (at.from.y + at.to.y) / 2, words, font, size, theme().text);
}

void Ui::lines(std::string_view words, float size, draw::Color color, bool typeset) {
  for (const std::string& line :
       wrapped(words, draw::Font::sans, px(size), ImGui::GetContentRegionAvail().x)) {
    const Place at = place(0, px(size * 1.45f) - ImGui::GetStyle().ItemSpacing.y);
    const float middle = (at.from.y + at.to.y) / 2;
    if (typeset)
      mathematics(at.from.x, middle, line, draw::Font::sans, size, color);
    else
      paint_words(at.from.x, middle, line, draw::Font::sans, px(size), color);
  }
}

void Ui::paragraph(std::string_view words, float size) {
  lines(words, size, theme().dim);
}

void Ui::problem(std::string_view words) {
  lines(words, 12, theme().bad);
  gap(8);
}

Response Ui::button(const Button& what) {
  const float size = px(flowing_ ? 13 : 13.5f), padding = px(11);
  const float natural = std::ceil(text.width(what.label, draw::Font::sans, size) + 2 * padding);
  const float width = what.width > 0 ? px(what.width) : natural;
  const float height = what.height > 0 ? what.height
                       : flowing_      ? chip_height
                                       : button_height;  // as high as the chips beside it
  const Item it =
      item(what.name.empty() ? what.label : what.name, width, px(height), what.help, false, what.enabled);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const draw::Theme& t = theme();
  const bool lit = it.hovered || it.held;
  draw::Color ground = it.held ? t.selected : lit ? t.field_hover : t.field;
  if (what.primary) ground = lit ? draw::mix(t.accent, t.text, 0.15f) : t.accent;
  draw::Color ink = what.primary ? t.on_accent : t.text;
  if (!what.enabled) {
    ink = draw::faded(t.dim, 0.6f);
    if (what.primary) ground = t.field;
  }
  if (!what.quiet || lit) {
    list.AddRectFilled(it.from, it.to, packed(ground), px(radius));
    if (!what.primary)
      list.AddRect(it.from, it.to, packed(t.border), px(radius), 0, std::max(1.f, std::floor(scale_)));
  }
  paint_words((it.from.x + it.to.x) / 2, (it.from.y + it.to.y) / 2,
              text.fit(what.label, draw::Font::sans, size, width - padding), draw::Font::sans, size, ink,
              draw::Align::centre);
  focus_ring(it, px(radius));
  return {.changed = it.pressed, .hovered = it.hovered};
}

Response Ui::toggle(std::string_view label, bool& value, std::string_view help) {
  const Item it = item(label, 0, px(row_height), help);
  if (it.pressed) value = !value;
  const draw::Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float width = px(34), height = px(20), middle = std::round((it.from.y + it.to.y) / 2);
  const ImVec2 from{it.to.x - width, middle - height / 2}, to{it.to.x, middle + height / 2};
  draw::Color ground = value ? t.accent : t.faint;
  if (it.hovered) ground = draw::mix(ground, t.text, 0.12f);
  list.AddRectFilled(from, to, packed(ground), height / 2);
  const float knob_x = value ? to.x - height / 2 : from.x + height / 2;
  list.AddCircleFilled({knob_x, middle}, height / 2 - px(2.5f), packed(value ? t.on_accent : t.dim), 0);
  mathematics(it.from.x, middle, fitted(label, draw::Font::sans, px(14), from.x - it.from.x - px(8)),
              draw::Font::sans, 14, t.text);
  focus_ring(it, px(radius));
  return {.changed = it.pressed, .hovered = it.hovered};
}

Response Ui::chip(const Chip& what, bool& value) {
  const float size = px(13), padding = px(10);
  // A chip is no wider than its line: its middle is left out, and its help has all of it.
  const float most = ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
  const std::string label = without_middle(text, what.label, size, std::max(most - 2 * padding, px(40)));
  // As wide as the chosen one, whose words are strong, so that nothing moves.
  const float width = std::ceil(text.width(label, draw::Font::semibold, size) + 2 * padding);
  std::string whole;  // its label is in its help when it is cut
  if (label != what.label)
    whole = std::string(what.label) + (what.help.empty() ? "" : "\n") + std::string(what.help);
  const Item it = item(what.name.empty() ? what.label : what.name, width, px(chip_height),
                       whole.empty() ? what.help : std::string_view(whole));
  if (it.pressed) value = !value;
  const draw::Theme& t = theme();
  // The chosen one looks like the chosen part of a segmented control, unless it has a colour of its own.
  const bool own = what.color.a > 0;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw::Color ground = it.hovered ? t.field_hover : t.field;
  if (value) ground = own ? draw::mix(ground, what.color, 0.22f) : t.selected;
  list.AddRectFilled(it.from, it.to, packed(ground), px(radius));
  const float line = std::max(1.f, std::round(px(value && own ? 1.5f : 1)));
  list.AddRect(it.from, it.to, packed(value && own ? what.color : t.border), px(radius), 0, line);
  paint_words((it.from.x + it.to.x) / 2, (it.from.y + it.to.y) / 2, label,
              value ? draw::Font::semibold : draw::Font::sans, size, value ? t.text : t.dim,
              draw::Align::centre);
  focus_ring(it, px(radius));
  return {.changed = it.pressed, .hovered = it.hovered};
}

Response Ui::segmented(const Segments& what, int& index) {
  const draw::Theme& t = theme();
  if (!what.label.empty()) {
    const Place above = place(0, px(20));
    mathematics(above.from.x, (above.from.y + above.to.y) / 2,
                fitted(what.label, draw::Font::sans, px(14), above.to.x - above.from.x), draw::Font::sans, 14,
                t.text);
  }
  const int count = static_cast<int>(what.options.size());
  if (count == 0) return {};
  constexpr float letters = 13.5f;
  const float size = px(letters), inset = px(3), padding = px(10), tight = px(4);
  std::vector<float> needs;
  float natural = 2 * inset;
  for (const std::string_view option : what.options) {
    const float wide = typeset_width(option, draw::Font::semibold, size);
    needs.push_back(wide + 2 * tight);
    natural += wide + 2 * padding;
  }
  const float width = what.width > 0 ? px(what.width) : what.width < 0 ? std::ceil(natural) : 0;
  const Item it =
      item(what.name, width, px(what.height > 0 ? what.height : segment_height), {}, true, true, Press::down);
  const std::vector<float> room = shares(needs, it.to.x - it.from.x - 2 * inset);

  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (!what.bare) {
    list.AddRectFilled(it.from, it.to, packed(t.field), px(radius));
    if (!t.dark)  // raised is hardly darker than the ground
      list.AddRect(it.from, it.to, packed(t.border), px(radius), 0, std::max(1.f, std::floor(scale_)));
  }
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const int before = index;
  float x = it.from.x + inset;
  for (int i = 0; i < count; ++i) {
    const std::string_view option = what.options[static_cast<std::size_t>(i)];
    const float next = x + room[static_cast<std::size_t>(i)];
    const bool under = it.hovered && pointer.x >= x && pointer.x < next;
    if (under && it.held && clicked_) index = i;
    const ImVec2 from{std::round(x), it.from.y + inset}, to{std::round(next), it.to.y - inset};
    if (recorder) recorder->add(std::string(what.name) + '/' + std::string(option), from, to);
    const bool chosen = i == index;
    if (chosen && !what.dimmed) {
      list.AddRectFilled(from, to, packed(t.selected), px(radius - 2));
      if (!t.dark)
        list.AddRect(from, to, packed(t.border), px(radius - 2), 0, std::max(1.f, std::floor(scale_)));
    } else if (under) {
      list.AddRectFilled(from, to, packed(t.field_hover), px(radius - 1));
    }
    const draw::Font font = chosen ? draw::Font::semibold : draw::Font::sans;
    const std::string shown = fitted(option, font, size, to.x - from.x - px(6));
    mathematics((from.x + to.x) / 2, (from.y + to.y) / 2, shown, font, letters,
                chosen && !what.dimmed ? t.text : t.dim, draw::Align::centre);
    const std::size_t which = static_cast<std::size_t>(i);
    std::string help(which < what.helps.size() ? what.helps[which] : std::string_view());
    if (shown != option) help = help.empty() ? std::string(option) : std::string(option) + ": " + help;
    maybe_tooltip(it.id + static_cast<ImGuiID>(i) + 1, under, help, box_of(it.from, it.to));
    x = next;
  }
  if (it.focused) {
    for (const KeyPress& press : input.presses()) {
      if (press.mods != Mods{}) continue;
      if (press.key == Key::left || press.key == Key::up) index = std::max(0, index - 1);
      if (press.key == Key::right || press.key == Key::down) index = std::min(count - 1, index + 1);
      if (press.key == Key::home) index = 0;
      if (press.key == Key::end) index = count - 1;
      // Space and Enter select the next option and wrap around at the end.
      const bool next = press.key == Key::space || press.key == Key::enter;
      if (next && focus.ring(it.id)) index = (index + 1) % count;
    }
  }
  focus_ring(it, px(radius));
  return {.changed = index != before, .hovered = it.hovered};
}

Response Ui::tab(std::string_view label, bool selected, std::string_view help) {
  constexpr float size = 14;
  const float padding = px(tab_padding);
  const float width = std::ceil(typeset_width(label, draw::Font::semibold, px(size)) + 2 * padding);
  const Item it = item(label, width, px(tab_height), help);
  const draw::Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  mathematics((it.from.x + it.to.x) / 2, (it.from.y + it.to.y) / 2, label,
              selected ? draw::Font::semibold : draw::Font::sans, size,
              selected || it.hovered ? t.text : t.dim, draw::Align::centre);
  if (selected || it.hovered) {
    const float thick = std::max(2.f, std::round(px(2)));
    list.AddRectFilled({it.from.x + padding, it.to.y - thick}, {it.to.x - padding, it.to.y},
                       packed(selected ? t.text : t.border));
  }
  if (focus.ring(it.id)) {  // drawn inside: the bar is as high as its tabs
    Item inner = it;
    inner.from = {it.from.x + px(4), it.from.y + px(5)}, inner.to = {it.to.x - px(4), it.to.y - px(5)};
    focus_ring(inner, px(5));
  }
  return {.changed = it.pressed, .hovered = it.hovered};
}

Response Ui::menu_item(std::string_view label, std::string_view shortcut, bool enabled) {
  const Item it = item(label, 0, px(row_height), {}, false, enabled);
  const draw::Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (it.hovered || it.held) list.AddRectFilled(it.from, it.to, packed(t.field_hover), px(radius - 1));
  const float middle = (it.from.y + it.to.y) / 2;
  const float taken = shortcut.empty() ? 0 : text.width(shortcut, draw::Font::mono, px(12)) + px(16);
  paint_words(it.from.x + px(9), middle,
              text.fit(label, draw::Font::sans, px(13.5f), it.to.x - it.from.x - px(18) - taken),
              draw::Font::sans, px(13.5f), enabled ? t.text : draw::faded(t.dim, 0.6f));
  paint_words(it.to.x - px(9), middle, shortcut, draw::Font::mono, px(12), t.dim, draw::Align::right);
  focus_ring(it, px(radius - 1));
  return {.changed = it.pressed, .hovered = it.hovered};
}

void Ui::progress(float fraction, std::string_view words) {
  const Place at = place(0, px(words.empty() ? 10 : 30));
  const draw::Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float thick = std::round(px(5)), top = at.to.y - thick - px(2);
  const float right = at.from.x + (at.to.x - at.from.x) * std::clamp(fraction, 0.f, 1.f);
  list.AddRectFilled({at.from.x, top}, {at.to.x, top + thick}, packed(t.faint), thick / 2);
  if (right - at.from.x >= 1)
    list.AddRectFilled({at.from.x, top}, {right, top + thick}, packed(t.accent), thick / 2);
  if (!words.empty()) {
    paint_words(at.from.x, at.from.y + px(10), text.fit(words, draw::Font::sans, px(13), at.to.x - at.from.x),
                draw::Font::sans, px(13), t.dim);
  }
}

}  // namespace headlight::screen
