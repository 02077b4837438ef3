// The text field, and the editing that it shares with a slider's value: from keys and pointer to words,
// selection and caret. TextPainter paints the words during editing too, so emoji keep their colours and
// Arabic its shapes. The caret does not blink: a program at rest draws nothing.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "screen/caret_stops.h"
#include "screen/paint.h"
#include "screen/widgets.h"

namespace headlight::screen {

namespace {

constexpr float field_radius = 8;

}  // namespace

bool Ui::start_edit(ImGuiID id, std::string_view words) {
  if (edit_id_ != 0) return false;
  edit_id_ = id;
  edit_seen_ = true;
  edit_scroll_ = 0;
  edit_.set_text(words);
  const auto known = carets_.find(id);
  if (known == carets_.end()) {
    edit_.to_end(false);
  } else {
    edit_.place(known->second.anchor, false);
    edit_.place(known->second.caret, true);
  }
  return true;
}

void Ui::stop_edit() {
  if (edit_id_ != 0) carets_[edit_id_] = {edit_.caret(), edit_.anchor()};
  edit_id_ = 0;
}

bool Ui::edit_keys(char pasted_line) {
  const std::string before = edit_.text();
  if (!typed_.empty()) edit_.insert(base::to_utf8(typed_));
  for (const KeyPress& press : input.presses()) {
    const Mods& mods = press.mods;
    if (mods.alt || mods.super) continue;
    const bool ctrl = mods.ctrl, select = mods.shift;
    switch (press.key) {
      case Key::left:
      case Key::right: {
        // The arrow's direction on the screen: in Arabic and Hebrew, forward is to the left.
        const std::u32string around = base::to_utf32(edit_.text());
        const std::size_t index =
            base::to_utf32(std::string_view(edit_.text()).substr(0, edit_.caret())).size();
        bool leftwards = false;
        if (!around.empty()) {
          const auto spans = text.spans(edit_.text(), draw::Font::sans, 16);
          leftwards = spans[index > 0 ? index - 1 : 0].leftwards;
        }
        if ((press.key == Key::left) != leftwards) {
          edit_.backward(ctrl, select);
        } else {
          edit_.forward(ctrl, select);
        }
        break;
      }
      case Key::home:
        edit_.to_start(select);
        break;
      case Key::end:
        edit_.to_end(select);
        break;
      case Key::backspace:
        edit_.erase_backward(ctrl);
        break;
      case Key::del:
        edit_.erase_forward(ctrl);
        break;
      case Key::a:
        if (ctrl) edit_.select_all();
        break;
      case Key::c:
      case Key::x:
        if (!ctrl || edit_.selected().empty()) break;
        ImGui::SetClipboardText(std::string(edit_.selected()).c_str());
        if (press.key == Key::x) edit_.erase_selection();
        break;
      case Key::v:
        if (const char* pasted = ctrl ? ImGui::GetClipboardText() : nullptr) {
          std::string words(pasted);
          while (!words.empty() && (words.back() == '\n' || words.back() == '\r')) words.pop_back();
          std::replace(words.begin(), words.end(), '\n', pasted_line);
          edit_.insert(words);
        }
        break;
      default:
        break;
    }
  }
  return edit_.text() != before;
}

void Ui::edit_mouse(ImVec2 from, ImVec2 to, float origin, draw::Font font, float size, bool held) {
  if (!held) return;
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const std::vector<CaretStop> stops = caret_stops(edit_.text(), text.spans(edit_.text(), font, size));
  const CaretStop* best = &stops.front();
  for (const CaretStop& stop : stops) {
    if (std::abs(origin + stop.x - pointer.x) < std::abs(origin + best->x - pointer.x)) best = &stop;
  }
  const int clicks = clicks_in(from, to);
  if (clicks == 2) {
    edit_.select_word(best->byte);
  } else if (clicks >= 3) {
    edit_.select_all();
  } else if (clicks == 1) {
    edit_.place(best->byte, ImGui::GetIO().KeyShift);
  } else if (click_count_ == 1 && (pointer.x != click_at_.x || pointer.y != click_at_.y)) {
    edit_.place(best->byte, true);  // dragging selects
  }
}

void Ui::paint_edit(ImVec2 from, ImVec2 to, float padding, draw::Font font, float size, bool held,
                    float end) {
  const draw::Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float room = std::max(1.f, to.x - from.x - 2 * padding),
              caret_width = std::max(1.f, std::round(px(1.5f)));
  edit_mouse(from, to, from.x + padding - edit_scroll_, font, size, held);

  const std::string& words = edit_.text();
  const std::vector<text::CharacterSpan> spans = text.spans(words, font, size);
  const std::vector<CaretStop> stops = caret_stops(words, spans);
  const float caret = caret_at(stops, edit_.caret()), all = text.width(words, font, size);
  edit_scroll_ = std::clamp(edit_scroll_, caret - room + caret_width, caret);
  edit_scroll_ = std::round(std::clamp(edit_scroll_, 0.f, std::max(0.f, all + caret_width - room)));
  const float origin = from.x + padding - edit_scroll_, middle = std::round((from.y + to.y) / 2);

  const ImVec2 corner{to.x + end, to.y};
  list.AddRectFilled(from, corner, packed(t.field), px(field_radius));
  list.AddRect(from, corner, packed(t.accent), px(field_radius), 0, std::max(1.f, std::round(px(2))));
  list.PushClipRect({from.x + padding / 2, from.y}, {to.x - padding / 2, to.y}, true);
  const float above = middle - size * 0.72f, below = middle + size * 0.72f;
  std::size_t at = 0;
  for (const text::CharacterSpan& span : spans) {
    if (at >= edit_.selection_begin() && at < edit_.selection_end() && span.right > span.left) {
      list.AddRectFilled({origin + span.left, above}, {origin + span.right, below},
                         packed(draw::faded(t.accent, 0.4f)));
    }
    at += base::decode(words, at).bytes;
  }
  paint_words(origin, middle, words, font, size, t.text);
  const float x = std::round(origin + caret);
  list.AddRectFilled({x, above}, {x + caret_width, below}, packed(t.accent));
  list.PopClipRect();
}

Response Ui::text_field(const TextField& what, std::string& value) {
  Response out;
  const float size = px(what.size), padding = px(14);
  const Item it = item(what.name, what.width > 0 ? px(what.width - what.end) : 0, px(what.height), what.help,
                       true, true, Press::down);
  Item whole = it;
  whole.to.x += px(what.end);
  if (it.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (edit_id_ == it.id && !focus.has(it.id)) stop_edit();
  const auto select_name = [&] {
    const std::size_t slash = value.rfind('/'), name = slash == std::string::npos ? 0 : slash + 1;
    const std::size_t dot = value.rfind('.');
    edit_.place(name, false);
    edit_.place(dot != std::string::npos && dot > name ? dot : value.size(), true);
  };
  if (edit_id_ != it.id && focus.has(it.id) && start_edit(it.id, value)) {
    if (what.select_all) edit_.select_all();
    if (what.select_name) select_name();
  }
  out.hovered = it.hovered;
  out.active = edit_id_ == it.id;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (out.active) {
    edit_seen_ = true;
    if (edit_.text() != value) {  // changed by undo, or by another control
      edit_.set_text(value);
      if (what.select_name) select_name();  // the caret would stand anywhere in the new name
    }
    if (edit_keys(what.pasted_line)) {
      value = edit_.text();
      out.changed = true;
    }
    out.submitted = key(Key::enter) || key(Key::keypad_enter);
    paint_edit(it.from, it.to, padding, draw::Font::sans, size, it.held, px(what.end));
    if (what.problem)
      list.AddRect(whole.from, whole.to, packed(theme().bad), px(field_radius), 0,
                   std::max(1.f, std::floor(px(1.5f))));
    focus_ring(whole, px(field_radius));
    return out;
  }
  const draw::Theme& t = theme();
  list.AddRectFilled(whole.from, whole.to,
                     packed(it.hovered    ? t.field_hover
                            : what.dimmed ? t.window
                                          : t.field),
                     px(field_radius));
  list.AddRect(whole.from, whole.to, packed(what.problem ? t.bad : t.border), px(field_radius), 0,
               std::max(1.f, std::floor(px(what.problem ? 1.5f : 1))));
  float room = it.to.x - it.from.x - 2 * padding;
  const float middle = std::round((it.from.y + it.to.y) / 2);
  const float aside = text.width(what.aside, draw::Font::sans, px(12));
  if (!what.aside.empty() && room > 2 * aside) {
    paint_words(it.to.x - padding, middle, what.aside, draw::Font::sans, px(12), t.dim, draw::Align::right);
    room -= aside + padding;
  }
  const std::string_view shown = value.empty() ? what.hint : std::string_view(value);
  paint_words(it.from.x + padding, middle, text.fit(shown, draw::Font::sans, size, room), draw::Font::sans,
              size, what.dimmed || value.empty() ? t.dim : t.text);
  return out;
}

}  // namespace headlight::screen
