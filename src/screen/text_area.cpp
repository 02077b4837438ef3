// A paragraph of text that wraps. Editing and keys are those of the text field; Up and Down move from line to
// line, and at the first and the last line leave the arrows to other code.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "screen/caret_stops.h"
#include "screen/paint.h"
#include "screen/widgets.h"

namespace headlight::screen {

namespace {

constexpr float area_radius = 8, across = 10, down = 7, leading = 1.42f;

}  // namespace

/// The bytes of one line, including a line break or a blank at its end.
struct Ui::AreaLine {
  std::size_t from = 0, to = 0;
  std::string_view of(std::string_view words) const {
    std::string_view line = words.substr(from, to - from);
    if (line.ends_with('\n')) line.remove_suffix(1);
    return line;
  }
};

std::vector<Ui::AreaLine> Ui::lines_of(std::string_view words, draw::Font font, float size, float room) {
  std::vector<AreaLine> lines;
  for (std::size_t start = 0; start <= words.size();) {
    const std::size_t end = std::min(words.find('\n', start), words.size());
    // One layout of the paragraph gives the width of each part.
    const std::string_view paragraph = words.substr(start, end - start);
    const std::vector<text::CharacterSpan> spans = text.spans(paragraph, font, size);
    float line_left = 0;
    std::size_t line_from = 0, blank = 0, index = 0;  // `blank`: after the last blank of the line
    for (std::size_t at = 0; at < paragraph.size(); ++index) {
      const std::size_t next = at + base::decode(paragraph, at).bytes;
      const float right = index < spans.size() ? std::max(spans[index].left, spans[index].right) : 0;
      if (right - line_left > room && paragraph[at] != ' ' && at > line_from) {
        const std::size_t cut = blank > line_from ? blank : at;
        lines.push_back({start + line_from, start + cut});
        line_from = cut;
        std::size_t code_points = 0;
        for (std::size_t i = 0; i < cut; i += base::decode(paragraph, i).bytes) ++code_points;
        line_left = code_points < spans.size() ? std::min(spans[code_points].left, spans[code_points].right)
                                               : line_left;
      }
      if (paragraph[at] == ' ') blank = next;
      at = next;
    }
    const bool broken = end < words.size();
    lines.push_back({start + line_from, end + (broken ? 1 : 0)});
    if (!broken) break;
    start = end + 1;
  }
  return lines;
}

std::optional<std::size_t> Ui::caret_in(ImGuiID id) const {
  if (edit_id_ == id && id != 0) return edit_.caret();
  const auto known = carets_.find(id);
  return known == carets_.end() ? std::nullopt : std::optional(known->second.caret);
}

void Ui::place_caret(ImGuiID id, std::size_t byte) {
  carets_[id] = {byte, byte};
  if (edit_id_ == id) edit_.place(byte, false);
}

void Ui::move_between_lines(const std::vector<AreaLine>& lines, draw::Font font, float size) {
  const auto line_at = [&](std::size_t byte) {
    std::size_t line = 0;
    while (line + 1 < lines.size() && lines[line + 1].from <= byte) ++line;
    return line;
  };
  const auto stops_of = [&](std::size_t line) {
    const std::string_view words = lines[line].of(edit_.text());
    return caret_stops(words, text.spans(words, font, size));
  };
  for (const KeyPress& press : input.presses()) {
    const bool upwards = press.key == Key::up;
    if ((!upwards && press.key != Key::down) || press.mods.ctrl || press.mods.alt) continue;
    const std::size_t line = line_at(edit_.caret());
    if (upwards ? line == 0 : line + 1 >= lines.size()) {
      if (upwards) edit_.to_start(press.mods.shift);
      if (!upwards) edit_.to_end(press.mods.shift);
      continue;
    }
    const float x = caret_at(stops_of(line), edit_.caret() - lines[line].from);
    const std::size_t other = upwards ? line - 1 : line + 1;
    std::size_t best = lines[other].from;
    float nearest = std::numeric_limits<float>::max();
    for (const CaretStop& stop : stops_of(other)) {
      // After the blank at its end, a caret is on the next line.
      if (lines[other].from + stop.byte >= lines[other].to && other + 1 < lines.size()) break;
      if (std::abs(stop.x - x) < nearest)
        nearest = std::abs(stop.x - x), best = lines[other].from + stop.byte;
    }
    edit_.place(best, press.mods.shift);
  }
}

Response Ui::text_area(const TextArea& what, std::string& value) {
  Response out;
  const draw::Theme& t = theme();
  const draw::Font font = what.strong ? draw::Font::semibold : draw::Font::sans;
  const float size = px(what.size), pad_x = px(across), pad_y = px(down),
              high = std::round(px(what.size * leading));
  const ImGuiID id = ImGui::GetCurrentWindow()->GetID(what.name.data(), what.name.data() + what.name.size());
  const float width = what.width > 0 ? px(what.width) : std::floor(ImGui::GetContentRegionAvail().x);
  const float room = std::max(px(20), width - 2 * pad_x);
  std::vector<AreaLine> lines = lines_of(value, font, size, room);
  const float count = static_cast<float>(std::max(what.least_lines, static_cast<int>(lines.size())));
  const Item it = item(what.name, width, count * high + 2 * pad_y, what.help, true, true, Press::down);
  if (it.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (edit_id_ == id && !focus.has(id)) stop_edit();
  if (edit_id_ != id && focus.has(id) && start_edit(id, value) && what.select_all) edit_.select_all();
  out.hovered = it.hovered, out.active = edit_id_ == id;
  const float left = it.from.x + pad_x, top = it.from.y + pad_y;
  const auto line_stops = [&](const AreaLine& line, std::string_view words) {
    return caret_stops(line.of(words), text.spans(line.of(words), font, size));
  };

  if (out.active) {
    edit_seen_ = true;
    if (edit_.text() != value) edit_.set_text(value);
    move_between_lines(lines, font, size);
    const bool enter = key(Key::enter) || key(Key::keypad_enter);
    if (enter && what.lines) edit_.insert_line();
    out.submitted = enter && !what.lines;
    if (edit_keys() || (enter && what.lines)) {
      value = edit_.text();
      out.changed = true;
      lines = lines_of(value, font, size, room);
    }
    if (it.held) {
      const ImVec2 pointer = ImGui::GetIO().MousePos;
      const int row =
          std::clamp(static_cast<int>((pointer.y - top) / high), 0, static_cast<int>(lines.size()) - 1);
      const AreaLine& line = lines[static_cast<std::size_t>(row)];
      const std::vector<CaretStop> stops = line_stops(line, edit_.text());
      const CaretStop* best = &stops.front();
      for (const CaretStop& stop : stops) {
        if (std::abs(left + stop.x - pointer.x) < std::abs(left + best->x - pointer.x)) best = &stop;
      }
      const std::size_t byte = line.from + best->byte;
      const int clicks = clicks_in(it.from, it.to);
      if (clicks == 2) {
        edit_.select_word(byte);
      } else if (clicks >= 3) {
        edit_.select_all();
      } else if (clicks == 1) {
        edit_.place(byte, ImGui::GetIO().KeyShift);
      } else if (click_count_ == 1 && (pointer.x != click_at_.x || pointer.y != click_at_.y)) {
        edit_.place(byte, true);
      }
    }
  }

  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(it.from, it.to, packed(it.hovered && !out.active ? t.field_hover : t.field),
                     px(area_radius));
  list.AddRect(it.from, it.to, packed(out.active ? t.accent : t.border), px(area_radius), 0,
               std::max(1.f, std::round(px(out.active ? 2 : 1))));
  if (value.empty()) {
    paint_words(left, top + high / 2, text.fit(what.hint, draw::Font::sans, size, room), draw::Font::sans,
                size, t.dim);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const AreaLine& line = lines[i];
    const std::string_view words = line.of(value);
    const float middle = std::round(top + (static_cast<float>(i) + 0.5f) * high);
    const float above = middle - size * 0.72f, below = middle + size * 0.72f;
    std::vector<CaretStop> stops;
    const auto x_of = [&](std::size_t byte) {
      if (stops.empty()) stops = caret_stops(words, text.spans(words, font, size));
      return left + caret_at(stops, byte > line.from ? byte - line.from : 0);
    };
    if (out.active && edit_.selection_end() > line.from && edit_.selection_begin() < line.to) {
      const float from = x_of(edit_.selection_begin()), to = x_of(std::min(edit_.selection_end(), line.to));
      list.AddRectFilled({from, above}, {std::max(to, from + px(4)), below},
                         packed(draw::faded(t.accent, 0.4f)));
    }
    // The parts of a line in their tones; each has the same position as in the whole line.
    std::size_t at = line.from;
    const std::size_t end = line.from + words.size();
    while (at < end) {
      std::size_t next = end;
      bool quiet = false, wrong = false;
      for (const TextTone& tone : what.tones) {
        const bool inside = tone.from <= at && at < tone.to;
        quiet |= inside && tone.kind == TextTone::Kind::quiet;
        wrong |= inside && tone.kind == TextTone::Kind::wrong;
        for (const std::size_t edge : {tone.from, tone.to})
          if (edge > at && edge < next) next = edge;
      }
      const float from = at == line.from ? left : x_of(at);
      paint_words(from, middle, std::string_view(value).substr(at, next - at), font, size,
                  quiet ? t.dim : t.text);
      if (wrong) {
        const float thick = std::max(1.f, std::round(px(1.5f)));
        list.AddRectFilled({from, std::round(below - thick)}, {x_of(next), std::round(below)}, packed(t.bad));
      }
      at = next;
    }
    const bool last = i + 1 == lines.size();
    if (out.active && edit_.caret() >= line.from &&
        (last ? edit_.caret() <= line.to : edit_.caret() < line.to)) {
      const float x = std::round(x_of(edit_.caret())), thick = std::max(1.f, std::round(px(1.5f)));
      list.AddRectFilled({x, above}, {x + thick, below}, packed(t.accent));
    }
  }
  focus_ring(it, px(area_radius));
  return out;
}

}  // namespace headlight::screen
