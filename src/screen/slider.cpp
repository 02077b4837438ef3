// The slider: a track to drag, a value to type. Positions along the track are t in 0 … 1.
#include <imgui_internal.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/numbers.h"
#include "screen/paint.h"
#include "screen/widgets.h"

namespace headlight::screen {

namespace {

// 46 units from one slider to the next; the label stands nearer to its own track than to the one above.
constexpr float label_size = 14, label_height = 24, label_top = 4, track_height = 16, knob_radius = 7;
constexpr float line_pitch = 30;  // where all of a slider stands on one line

/// The power of ten at or below x > 0.
double power_of_ten_below(double x) {
  return std::pow(10.0, std::floor(std::log10(x) + 1e-9));
}

double to_multiple(double value, double of) {
  // Dividing by a whole number keeps 0.1 steps exact in the last digit shown.
  return of < 1 ? std::round(value * std::round(1 / of)) / std::round(1 / of) : std::round(value / of) * of;
}

/// Without the commas between its thousands, if that is what all its commas are.
std::string without_commas(std::string_view words) {
  const std::size_t whole = std::min(words.find('.'), words.size());
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != ',') {
      out += words[i];
      continue;
    }
    const bool between = i > 0 && i < whole && (words[i - 1] >= '0' && words[i - 1] <= '9');
    if (!between || (whole - i) % 4 != 0) return std::string(words);
  }
  return out;
}

bool parse_number(std::string_view typed, double& value) {
  // A minus sign is as good as a hyphen.
  constexpr std::string_view minus = "−";
  std::string text(typed);
  if (const auto at = text.find(minus); at != std::string::npos) text.replace(at, minus.size(), "-");
  std::string_view words = text;
  while (!words.empty() && words.front() == ' ') words.remove_prefix(1);
  while (!words.empty() && words.back() == ' ') words.remove_suffix(1);
  if (!words.empty() && words.front() == '+') words.remove_prefix(1);
  const std::string number = without_commas(words);
  const char* last = number.data() + number.size();
  const auto [end, error] = std::from_chars(number.data(), last, value);
  return error == std::errc() && end == last && std::isfinite(value) && !number.empty();
}

/// As the slider shows it, but for the commas between thousands.
std::string number_words(double value, bool integer) {
  const double size = std::abs(value);
  if (integer || !std::isfinite(value) || size >= 1000) return base::fixed(value, 0);
  if (size >= 100) return base::fixed(value, 1);
  return size >= 0.1 || size == 0 ? base::fixed(value, 2) : base::brief(value, 3);
}

std::string shown_value(double value, bool integer) {
  if (std::abs(value) >= 1000 && std::abs(value) < 1e15) return base::with_commas(std::llround(value));
  return number_words(value, integer);
}

}  // namespace

std::string value_text(double value, bool integer) {
  return base::with_hyphen(number_words(value, integer));
}

/// Between values and places on the track.
struct Ui::Mapping {
  const Slider& slider;
  double min, max;
  bool integer;

  explicit Mapping(const Slider& s)
      : slider(s),
        min(s.allowed.empty() ? s.min : s.allowed.front()),
        max(s.allowed.empty() ? s.max : s.allowed.back()),
        integer(s.integer || !s.allowed.empty()) {}

  bool shifted() const { return min <= 0; }  // logarithmic from 0: by log(1 + v − min)
  int nearest_allowed(double value) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(slider.allowed.size()); ++i) {
      const auto at = [this](int k) { return slider.allowed[static_cast<std::size_t>(k)]; };
      if (std::abs(at(i) - value) < std::abs(at(best) - value)) best = i;
    }
    return best;
  }

  double t_of(double value) const {
    if (!(max > min)) return 0;
    value = std::clamp(std::isnan(value) ? min : value, min, max);
    if (!slider.allowed.empty())
      return nearest_allowed(value) / static_cast<double>(slider.allowed.size() - 1);
    if (!slider.logarithmic) return (value - min) / (max - min);
    return shifted() ? std::log1p(value - min) / std::log1p(max - min)
                     : std::log(value / min) / std::log(max / min);
  }

  /// The value at t, as round as a track of `pixels` allows.
  double value_at(double t, double pixels) const {
    if (t <= 0) return min;
    if (t >= 1) return max;
    if (!slider.allowed.empty()) {
      const auto last = static_cast<double>(slider.allowed.size() - 1);
      return slider.allowed[static_cast<std::size_t>(std::lround(t * last))];
    }
    double value = min + t * (max - min), slope = max - min;  // slope: dv/dt
    if (slider.logarithmic) {
      const double range = shifted() ? std::log1p(max - min) : std::log(max / min);
      value = shifted() ? min + std::expm1(t * range) : min * std::exp(t * range);
      slope = range * (shifted() ? value - min + 1 : value);
    }
    if (integer) return std::clamp(std::round(value), min, max);
    return std::clamp(to_multiple(value, power_of_ten_below(slope / std::max(1.0, pixels))), min, max);
  }

  /// One press of an arrow key: a round step, on a logarithmic track about a tenth of the value.
  double stepped(double value, int steps) const {
    if (!slider.allowed.empty()) {
      const int last = static_cast<int>(slider.allowed.size()) - 1;
      return slider.allowed[static_cast<std::size_t>(std::clamp(nearest_allowed(value) + steps, 0, last))];
    }
    if (integer) return std::clamp(std::round(value) + steps, min, max);
    double step = power_of_ten_below((max - min) / 100);
    if (slider.logarithmic) {
      // Downwards from 1.00 the next tenth is of what lies below.
      const double size = std::abs(value) * (steps < 0 ? 0.999 : 1.0);
      step = power_of_ten_below(std::max(size, shifted() ? (max - min) * 1e-6 : min)) / 10;
    }
    return std::clamp(to_multiple(value + steps * step, step), min, max);
  }

  /// What was typed or came from elsewhere, made a value that the slider may have.
  double admitted(double value) const {
    if (!slider.allowed.empty()) return slider.allowed[static_cast<std::size_t>(nearest_allowed(value))];
    return std::clamp(integer ? std::round(value) : value, min, max);
  }

  std::string wanted() const {
    if (slider.allowed.empty()) {
      const char* kind = integer ? "a whole number" : "a number";
      return std::string(kind) + " from " + shown_value(min, integer) + " to " + shown_value(max, integer);
    }
    std::string out = "one of";
    const std::size_t shown = std::min<std::size_t>(slider.allowed.size(), 12);
    for (std::size_t i = 0; i < shown; ++i) out += (i ? ", " : " ") + std::to_string(slider.allowed[i]);
    return shown < slider.allowed.size() ? out + ", …" : out;
  }
};

Response Ui::slider(const Slider& what, int& value) {
  Slider whole = what;
  whole.integer = true;
  double number = value;
  const Response out = slider(whole, number);
  if (out.changed) value = static_cast<int>(std::lround(number));
  return out;
}

Response Ui::reported(const Slider& what, double value) {
  const float size = px(label_size);
  const Item it = item(what.label, 0, px(26), what.help, false, false);
  const std::string shown = what.shown.empty() ? shown_value(value, what.integer) : std::string(what.shown);
  const float middle = (it.from.y + it.to.y) / 2, used = text.width(shown, draw::Font::mono, size);
  mathematics(it.from.x, middle,
              fitted(what.label, draw::Font::sans, size, it.to.x - it.from.x - used - px(8)),
              draw::Font::sans, label_size, theme().dim);
  paint_words(it.to.x, middle, shown, draw::Font::mono, size, theme().dim, draw::Align::right);
  return {};
}

Response Ui::slider(const Slider& what, double& value) {
  if (!what.enabled) return reported(what, value);
  const Mapping map(what);
  const double before = value;
  const float size = px(label_size);
  const draw::Theme& t = theme();
  const std::string shown = what.shown.empty() ? shown_value(value, map.integer) : std::string(what.shown);
  const float value_width = std::max(text.width(shown, draw::Font::mono, size), px(28));

  // A label that is longer than its room stands above the track.
  const bool one_line =
      what.beside > 0 && typeset_width(what.label, draw::Font::sans, size) <= px(what.beside - 8);
  Place line = place(0, px(label_height) - ImGui::GetStyle().ItemSpacing.y);
  Item track;
  if (one_line) {
    const ImVec2 next = ImGui::GetCursorScreenPos();
    const float left = line.from.x + px(what.beside),
                right = line.to.x - std::max(value_width, px(48)) - px(10);
    line.to.y = line.from.y + px(label_height);
    ImGui::SetCursorScreenPos({left, line.from.y + px(label_height - track_height) / 2});
    track = item(what.label, std::max(px(24), right - left), px(track_height), what.help, true, true,
                 Press::down);
    ImGui::SetCursorScreenPos({next.x, line.from.y + px(line_pitch)});
  } else {
    line = {{line.from.x, line.from.y + px(label_top)}, {line.to.x, line.from.y + px(label_height)}};
    track = item(what.label, 0, px(track_height), what.help, true, true, Press::down);
  }
  const bool was_editing = edit_id_ == track.id;
  const float number_width = was_editing ? std::max(value_width, px(76)) : value_width + px(4);
  const Place number{{line.to.x - number_width, line.from.y - px(2)}, {line.to.x, line.to.y + px(2)}};
  const ImVec2 label_to{one_line ? track.from.x - px(6) : number.from.x - px(6), line.to.y};
  const ImGuiID number_id = track.id + 1;
  if (recorder) recorder->add(std::string(what.label) + "/value", number.from, number.to);

  // The value is a place to click, the label one to double-click; neither is a stop of the Tab key.
  bool number_hovered = false, number_held = false, label_hovered = false, label_held = false;
  bool open = behave(number_id, number.from, number.to, number_hovered, number_held, Press::click);
  behave(track.id + 2, line.from, label_to, label_hovered, label_held, Press::click);
  maybe_tooltip(track.id, (number_hovered || label_hovered) && !typing(), what.help,
                box_of(line.from, line.to));
  if (clicked_ && (label_held || number_held)) focus.take(track.id, false);
  const bool with_ctrl = ImGui::GetIO().KeyCtrl;
  open = open || (track.held && clicked_ && with_ctrl);
  for (const KeyPress& press : input.presses()) {
    const bool enter = press.key == Key::enter || press.key == Key::keypad_enter;
    open = open || (enter && press.mods == Mods{} && track.focused && !typing());
  }

  bool active = false;
  if (open_later_ == track.id) {
    open_later_ = 0;
    open = true;
  }
  if (open && !was_editing) {
    focus.take(track.id, focus.ring(track.id));
    if (start_edit(track.id, value_text(value, map.integer))) {
      edit_.select_all();
    } else {
      open_later_ = track.id;
    }
  } else if (was_editing) {
    active = type_value(what, map, track.id, number, value);
  } else if (clicks_in(line.from, label_to) == 2 && label_held) {
    value = map.admitted(what.fallback);
  } else {
    active = slide(what, map, track, value) || step_by_keys(map, track, value);
  }

  const bool editing = edit_id_ == track.id;
  const float middle = (line.from.y + line.to.y) / 2;
  mathematics(line.from.x, middle, fitted(what.label, draw::Font::sans, size, label_to.x - line.from.x),
              draw::Font::sans, label_size, t.text);
  if (editing) {
    const float wide = std::max(value_width, px(76));
    paint_edit({line.to.x - wide, number.from.y}, number.to, px(6), draw::Font::mono, size,
               number_held && !open);
  } else {
    const std::string now = value == before ? shown : shown_value(value, map.integer);
    paint_words(line.to.x, middle, now, draw::Font::mono, size, number_hovered ? t.accent : t.text,
                draw::Align::right);
    if (number_hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  }

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = std::round((track.from.y + track.to.y) / 2), half = px(2), r = px(knob_radius);
  const float x =
      track.from.x + r + static_cast<float>(map.t_of(value)) * (track.to.x - track.from.x - 2 * r);
  list.AddRectFilled({track.from.x, y - half}, {track.to.x, y + half}, packed(t.faint), half);
  if (x - track.from.x > 1)
    list.AddRectFilled({track.from.x, y - half}, {x, y + half}, packed(t.accent), half);
  const float edge = std::max(1.f, px(t.dark ? 1 : 1.25f));
  list.AddCircleFilled({x, y}, r + edge, packed(draw::faded(t.dark ? t.panel : t.dim, t.dark ? 1 : 0.45f)),
                       0);
  list.AddCircleFilled({x, y}, track.hovered || track.held ? r + px(1) : r, packed(draw::rgb(0xffffff)), 0);
  if (focus.ring(track.id) && !editing) {
    list.AddCircle({x, y}, r + px(3), packed(t.focus), 0, std::max(2.f, px(2)));
  }
  return {.changed = value != before, .active = active || editing, .hovered = track.hovered};
}

bool Ui::slide(const Slider& what, const Mapping& map, const Item& track, double& value) {
  const float r = px(knob_radius), begin = track.from.x + r, end = std::max(begin + 1, track.to.x - r);
  // What a script drags from end to end: from the knob's first place to its last.
  if (recorder) recorder->add(what.label, {begin, track.from.y}, {end, track.to.y});
  const float pointer = ImGui::GetIO().MousePos.x;
  if (track.held && clicked_) {
    const float knob = begin + static_cast<float>(map.t_of(value)) * (end - begin);
    const bool on_knob = std::abs(pointer - knob) <= r + px(2);
    drag_ = {track.id, on_knob ? knob - pointer : 0, pointer, !on_knob, false};
    if (click_count_ == 2) {
      value = map.admitted(what.fallback);
      drag_.ignored = true;
    }
  }
  if (drag_.id != track.id) return false;
  if (!track.held) {
    drag_ = {};
    return false;
  }
  drag_.moved = drag_.moved || pointer != drag_.start;
  if (drag_.moved && !drag_.ignored) {
    value = map.value_at((pointer + drag_.grab - begin) / (end - begin), end - begin);
  }
  return true;
}

bool Ui::step_by_keys(const Mapping& map, const Item& track, double& value) {
  const ImGuiIO& io = ImGui::GetIO();
  if (track.hovered && io.KeyCtrl && io.MouseWheel != 0) {
    value = map.stepped(value, io.MouseWheel > 0 ? 1 : -1);
    return true;
  }
  if (!track.focused) return false;
  bool stepped = false;
  for (const KeyPress& press : input.presses()) {
    const int size = press.mods == shift_only ? 10 : 1;
    if (press.mods != Mods{} && press.mods != shift_only) continue;
    const double before = value;
    if (press.key == Key::right || press.key == Key::up) value = map.stepped(value, size);
    if (press.key == Key::left || press.key == Key::down) value = map.stepped(value, -size);
    if (press.key == Key::home) value = map.min;
    if (press.key == Key::end) value = map.max;
    stepped = stepped || value != before;
  }
  return stepped;
}

bool Ui::type_value(const Slider& what, const Mapping& map, ImGuiID id, Place box, double& value) {
  edit_seen_ = true;
  if (key(Key::escape)) {
    escape_used_ = true;  // the slider keeps the focus
    stop_edit();
    return false;
  }
  edit_keys();
  bool done = !focus.has(id) || key(Key::enter) || key(Key::keypad_enter);
  for (const KeyPress& press : input.presses()) done = done || press.key == Key::tab;
  const bool elsewhere = clicked_ && clicks_in(box.from, box.to) == 0;
  if (!done && !elsewhere) return true;

  const std::string typed = edit_.text();
  stop_edit();
  double number = 0;
  const std::string name(what.label);
  if (!parse_number(typed, number)) {
    if (report) {
      report(name + ": " + map.wanted() + " is required, not “" + typed + "”; the value stays " +
             shown_value(value, map.integer));
    }
    return false;
  }
  const double admitted = map.admitted(number);
  if (admitted != number && report) {
    report(name + ": " + map.wanted() + " is required; " + typed + " became " +
           shown_value(admitted, map.integer));
  }
  value = admitted;
  return false;
}

}  // namespace headlight::screen
