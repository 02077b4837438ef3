// The frame of the widgets: layout, behaviours, focus, tooltips. The widgets themselves are in widgets.cpp,
// slider.cpp and text_field.cpp.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "draw/scripts.h"
#include "screen/paint.h"
#include "screen/tooltip_place.h"
#include "screen/widgets.h"

namespace headlight::screen {

namespace {

constexpr double tooltip_delay = 0.5;
constexpr double double_click_time = 0.4;

}  // namespace

Ui::Ui(TextPainter& text_painter, InputQueue& input_queue) : text(text_painter), input(input_queue) {
  input.set_character_map([this](char32_t c) {
    typed_ += c;
    return c <= 0xFFFF ? c : base::replacement_character;
  });
}

Ui::~Ui() {
  input.set_character_map({});
}

void Ui::begin(const draw::Theme& theme, float scale, double now) {
  theme_ = &theme;
  scale_ = scale;
  now_ = now;
  clicked_ = false;
  for (const Click& click : input.clicks()) {
    if (click.button != 0) continue;
    const bool near = std::hypot(click.at.x - click_at_.x, click.at.y - click_at_.y) <= px(5);
    click_count_ = near && now - click_time_ <= double_click_time ? click_count_ + 1 : 1;
    click_time_ = now;
    click_at_ = click.at;
    clicked_ = true;
  }
  if (!input.clicks().empty() || !input.presses().empty()) quiet_at_ = ImGui::GetIO().MousePos;
  if (drag_.id != 0 && !ImGui::IsMouseDown(0)) drag_ = {};

  ImGuiStyle& style = ImGui::GetStyle();
  style.ItemSpacing = {px(8), px(6)};
  style.WindowPadding = {0, 0};
  style.WindowRounding = style.WindowBorderSize = style.ChildBorderSize = 0;
  style.WindowMinSize = {1, 1};
  style.PopupRounding = px(8);
  style.PopupBorderSize = std::max(1.f, std::floor(scale));
  style.ScrollbarSize = px(10);
  style.ScrollbarRounding = px(5);
  const auto set = [&style](ImGuiCol which, draw::Color color) {
    style.Colors[which] = ImGui::ColorConvertU32ToFloat4(packed(color));
  };
  set(ImGuiCol_ScrollbarBg, draw::Color{0, 0, 0, 0});
  set(ImGuiCol_ScrollbarGrab, theme.faint);
  set(ImGuiCol_ScrollbarGrabHovered, theme.dim);
  set(ImGuiCol_ScrollbarGrabActive, theme.dim);
  set(ImGuiCol_PopupBg, theme.panel);
  set(ImGuiCol_Border, theme.border);
  draw::Color dimmed = theme.window;
  dimmed.a = 128;
  set(ImGuiCol_ModalWindowDimBg, dimmed);
  // A dropped frame has not shown any of the open cards; ImGui asserts that the topmost of them was shown
  // before another window returns.
  for (ImGuiPopupData& popup : ImGui::GetCurrentContext()->OpenPopupStack)
    if (popup.Window != nullptr) popup.Window->WasActive = true;
  focus.begin();
}

void Ui::end() {
  if (edit_id_ != 0) {
    ImGui::GetCurrentContext()->WantTextInputNextFrame = 1;
    if (!edit_seen_) stop_edit();  // its widget no longer exists
  }
  edit_seen_ = false;

  int steps = 0;
  for (const KeyPress& press : input.presses()) {
    if (press.key == Key::tab && press.mods == Mods{}) steps = 1;
    if (press.key == Key::tab && press.mods == shift_only) steps = -1;
  }
  if (key(Key::escape) && !escape_used_) focus.clear();
  escape_used_ = false;
  focus.end(steps, clicked_);

  if (quiet()) tooltip_.clear(), hover_help_.clear();
  if (!hover_seen_ || quiet()) hover_id_ = 0;
  hover_seen_ = false;
  if (hover_id_ != 0 && !hover_help_.empty() && tooltip_.empty()) {
    const double left = tooltip_delay - (now_ - hover_since_);
    if (left <= 0) {
      tooltip_ = hover_help_, tooltip_about_ = hover_about_, tooltip_literal_ = false;
    } else if (wake_in && left <= tooltip_delay) {
      wake_in(left);
    }
  }
  if (!tooltip_.empty()) paint_tooltip();
  tooltip_.clear();
  typed_.clear();
}

void Ui::abandon() {
  ImGui::ErrorCheckEndFrameRecover(nullptr);
  if (recorder) recorder->scope.clear();
  flowing_ = false;
  edit_seen_ = escape_used_ = hover_seen_ = false;
  tooltip_.clear();
  typed_.clear();
}

bool Ui::key(Key key, Mods mods) const {
  return input.pressed(key, mods);
}

bool Ui::begin_panel(const char* name, draw::Box pixels, draw::Color ground, float padding, bool scrolls) {
  ImGui::SetNextWindowPos({pixels.x, pixels.y});
  ImGui::SetNextWindowSize({std::max(1.f, pixels.w), std::max(1.f, pixels.h)});
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                           ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                           ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBringToFrontOnFocus |
                           ImGuiWindowFlags_NoFocusOnAppearing;  // else it would close an open menu
  if (!scrolls) flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(std::round(px(padding)), std::round(px(padding))));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, packed(ground));
  const bool shown = ImGui::Begin(name, nullptr, flags);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  push_scope(name);
  return shown;
}

void Ui::end_panel() {
  pop_scope();
  ImGui::End();
}

void Ui::open_popup(const char* name) {
  ImGui::OpenPopup(name);
}

bool Ui::begin_popup(const char* name, const draw::Box* below, float width) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  if (below) {
    ImGui::SetNextWindowPos({below->right(), below->bottom() + px(4)}, ImGuiCond_Always, {1, 0});
  } else {
    // A little above the middle; even the tallest card keeps a distance from the top edge.
    ImGui::SetNextWindowPos({screen.x / 2, screen.y * 0.48f}, ImGuiCond_Always, {0.5f, 0.5f});
  }
  const float padding = px(below ? 8 : 24);
  ImGui::SetNextWindowSizeConstraints({px(width), 0}, {px(width), screen.y * 0.9f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding, padding));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(12));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize,
                      ImGui::GetStyle().PopupBorderSize);  // a modal one is a window
  const ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                 ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                 ImGuiWindowFlags_NoNav | ImGuiWindowFlags_AlwaysAutoResize;
  const bool open = below ? ImGui::BeginPopup(name, flags) : ImGui::BeginPopupModal(name, nullptr, flags);
  ImGui::PopStyleVar(3);
  if (!open) return false;
  shadow(below ? px(8) : px(12));
  focus.push_layer();
  push_scope(name);
  if (key(Key::escape) && !ImGui::IsWindowAppearing()) ImGui::CloseCurrentPopup();
  return true;
}

void Ui::shadow(float rounding) {
  constexpr int rings = 6;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  list.PushClipRectFullScreen();
  float clear = 1;
  for (int ring = rings; ring >= 1; --ring) {
    clear *= 0.95f;
    const float out = px(2.f * static_cast<float>(ring) - 1);
    list.AddRect({at.x - out, at.y - out}, {at.x + size.x + out, at.y + size.y + out},
                 packed(draw::Color{0, 0, 0, static_cast<std::uint8_t>(std::lround(255 * (1 - clear)))}),
                 rounding + out, 0, px(2));
  }
  list.PopClipRect();
}

void Ui::end_popup() {
  // It is being closed: the edit in it ends now, so that the page receives the next frame's keys.
  if (key(Key::escape) && !ImGui::IsWindowAppearing()) edit_seen_ = false;
  pop_scope();
  focus.pop_layer();
  ImGui::EndPopup();
}

void Ui::close_popup() {
  edit_seen_ = false;  // as in end_popup()
  ImGui::CloseCurrentPopup();
}

void Ui::to_back() {
  ImGui::BringWindowToDisplayBack(ImGui::GetCurrentWindow());
}

void Ui::push_scope(std::string_view name) {
  ImGui::PushID(name.data(), name.data() + name.size());
  if (recorder) recorder->scope.emplace_back(name);
}

void Ui::pop_scope() {
  ImGui::PopID();
  if (recorder && !recorder->scope.empty()) recorder->scope.pop_back();
}

void Ui::begin_flow(float gap) {
  flowing_ = true, flow_started_ = false, flow_gap_ = gap;
}
void Ui::end_flow() {
  flowing_ = false;
}
void Ui::gap(float logical) {
  ImGui::Dummy({0, std::max(0.f, px(logical) - ImGui::GetStyle().ItemSpacing.y)});
}

Ui::Place Ui::place(float width, float height) {
  const float wide = width > 0 ? std::round(width) : std::floor(ImGui::GetContentRegionAvail().x);
  const ImGuiWindow& window = *ImGui::GetCurrentWindow();
  if (flowing_) {
    const float next = window.DC.CursorPosPrevLine.x + px(flow_gap_);
    if (flow_started_ && next + wide <= window.WorkRect.Max.x) ImGui::SameLine(0, px(flow_gap_));
    flow_started_ = true;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 from{std::round(at.x), std::round(at.y)};
  const ImVec2 size{std::max(1.f, wide), std::max(1.f, std::round(height))};
  ImGui::ItemSize(size);
  return {from, {from.x + size.x, from.y + size.y}};
}

bool Ui::behave(ImGuiID id, ImVec2 from, ImVec2 to, bool& hovered, bool& held, Press press) {
  const ImRect box(from, to);
  if (!ImGui::ItemAdd(box, id)) {
    hovered = held = false;
    return false;
  }
  const ImGuiButtonFlags flags = press == Press::down ? int{ImGuiButtonFlags_PressedOnClick} : 0;
  return ImGui::ButtonBehavior(box, id, &hovered, &held, flags | ImGuiButtonFlags_NoNavFocus);
}

int Ui::clicks_in(ImVec2 from, ImVec2 to) const {
  const bool inside =
      click_at_.x >= from.x && click_at_.x < to.x && click_at_.y >= from.y && click_at_.y < to.y;
  return clicked_ && inside ? click_count_ : 0;
}

Ui::Item Ui::item(std::string_view name, float width, float height, std::string_view help, bool uses_arrows,
                  bool enabled, Press press) {
  Item out;
  out.id = ImGui::GetCurrentWindow()->GetID(name.data(), name.data() + name.size());
  const Place at = place(width, height);
  out.from = at.from, out.to = at.to;
  if (recorder) recorder->add(name, out.from, out.to);
  out.visible = ImGui::IsRectVisible(out.from, out.to);
  if (!enabled) {
    bool hovered = false;
    if (ImGui::ItemAdd(ImRect(out.from, out.to), out.id))
      hovered = ImGui::ItemHoverable(ImRect(out.from, out.to), 0);
    maybe_tooltip(out.id, hovered, help, box_of(out.from, out.to));
    return out;
  }
  out.pressed = behave(out.id, out.from, out.to, out.hovered, out.held, press);
  if (clicked_ && out.held) focus.take(out.id, false);
  out.focused = focus.add(out.id, uses_arrows);
  if (focus.arrived(out.id)) {
    ImGui::ScrollToBringRectIntoView(ImGui::GetCurrentWindow(), ImRect(out.from, out.to));
  }
  if (focus.ring(out.id) && !typing() && (key(Key::space) || key(Key::enter) || key(Key::keypad_enter)))
    out.pressed = true;
  maybe_tooltip(out.id, out.hovered && !out.held, help, box_of(out.from, out.to));
  return out;
}

bool Ui::enter_is_free() const {
  if (typing() || focus.presses()) return false;
  const auto presses = input.presses();
  return std::any_of(presses.begin(), presses.end(), [](const KeyPress& press) {
    return (press.key == Key::enter || press.key == Key::keypad_enter) && press.mods == Mods{};
  });
}

void Ui::focus_ring(const Item& item, float radius) {
  if (!focus.ring(item.id)) return;
  const float out = px(2), width = std::max(2.f, std::round(px(2)));
  ImGui::GetWindowDrawList()->AddRect({item.from.x - out, item.from.y - out},
                                      {item.to.x + out, item.to.y + out}, packed(theme().focus),
                                      radius > 0 ? radius + out : 0, 0, width);
}

void Ui::paint_words(float x, float middle, std::string_view words, draw::Font font, float size,
                     draw::Color color, draw::Align align) {
  if (align != draw::Align::left) {
    const float width = text.width(words, font, size);
    x -= align == draw::Align::centre ? width / 2 : width;
  }
  text.draw(*ImGui::GetWindowDrawList(), x, middle + size * capital_height / 2, words, font, size,
            packed(color));
}

float Ui::typeset_width(std::string_view words, draw::Font font, float size) const {
  if (words.find_first_of("_^") == std::string_view::npos) return text.width(words, font, size);
  float width = 0;
  for (const draw::ScriptPiece& piece : draw::script_pieces(words))
    width += text.width(piece.words, font, piece.script != 0 ? size * draw::script_size : size);
  return width;
}

std::string Ui::fitted(std::string_view words, draw::Font font, float size, float room) const {
  return typeset_width(words, font, size) <= room ? std::string(words) : text.fit(words, font, size, room);
}

void Ui::typeset(ImDrawList& list, float x, float middle, std::string_view words, draw::Font font, float size,
                 draw::Color color, draw::Align align) {
  if (align != draw::Align::left) {
    const float width = typeset_width(words, font, size);
    x -= align == draw::Align::centre ? width / 2 : width;
  }
  const float baseline = middle + size * capital_height / 2;
  if (words.find_first_of("_^") == std::string_view::npos) {
    text.draw(list, x, baseline, words, font, size, packed(color));
    return;
  }
  for (const draw::ScriptPiece& piece : draw::script_pieces(words)) {
    const float em = piece.script != 0 ? size * draw::script_size : size;
    const float lift = piece.script < 0 ? draw::script_below : piece.script > 0 ? -draw::script_above : 0;
    text.draw(list, x, baseline + lift * size, piece.words, font, em, packed(color));
    x += text.width(piece.words, font, em);
  }
}

void Ui::mathematics(float x, float middle, std::string_view words, draw::Font font, float size,
                     draw::Color color, draw::Align align) {
  typeset(*ImGui::GetWindowDrawList(), x, middle, words, font, px(size), color, align);
}

bool Ui::near_pointer(ImVec2 at) const {
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  return std::hypot(pointer.x - at.x, pointer.y - at.y) < px(3);
}

void Ui::maybe_tooltip(ImGuiID id, bool hovered, std::string_view help, draw::Box about) {
  if (!hovered || help.empty()) return;
  if (hover_id_ != id || clicked_) {
    hover_id_ = id;
    hover_since_ = clicked_ ? now_ + 1e9 : now_;  // a click has its own effect, so no tooltip follows it
  }
  hover_seen_ = true;
  hover_help_ = help, hover_about_ = about;
}

void Ui::tooltip(std::string_view lines, draw::Box about, bool literal) {
  tooltip_ = lines, tooltip_about_ = about, tooltip_literal_ = literal;
}

std::vector<std::string> Ui::wrapped(std::string_view words, draw::Font font, float size, float width) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find('\n', at), words.size());
    std::string line;
    for (std::size_t word = at; word < end;) {
      const std::size_t stop = std::min(words.find(' ', word), end);
      const std::string longer = line.empty() ? std::string(words.substr(word, stop - word))
                                              : line + ' ' + std::string(words.substr(word, stop - word));
      if (!line.empty() && text.width(longer, font, size) > width) {
        out.push_back(line);
        line = words.substr(word, stop - word);
      } else {
        line = longer;
      }
      word = stop + 1;
    }
    out.push_back(text.fit(line, font, size, width));
    at = end + 1;
  }
  return out;
}

void Ui::paint_tooltip() {
  const float size = px(12.5f), line_height = std::round(px(18)), padding = px(9);
  const ImVec2 screen = ImGui::GetIO().DisplaySize, pointer = ImGui::GetIO().MousePos;
  const std::vector<std::string> lines =
      wrapped(tooltip_, draw::Font::sans, size, std::min(px(340), screen.x * 0.8f));
  float width = 0;
  for (const std::string& line : lines) width = std::max(width, text.width(line, draw::Font::sans, size));
  const ImVec2 extent{std::ceil(width + 2 * padding),
                      std::ceil(line_height * static_cast<float>(lines.size()) + 1.4f * padding)};
  const ImVec2 from = beside_box(tooltip_about_, pointer, extent, screen, px(6), px(200));
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const ImVec2 to{from.x + extent.x, from.y + extent.y};
  list.AddRectFilled(from, to, packed(theme().field_hover), px(6));
  list.AddRect(from, to, packed(theme().border), px(6), 0, std::max(1.f, std::floor(scale_)));
  float middle = from.y + 0.7f * padding + line_height / 2;
  bool quoted = false;
  for (const std::string& line : lines) {
    if (quoted || tooltip_literal_)
      text.draw(list, from.x + padding, middle + size * capital_height / 2, line, draw::Font::sans, size,
                packed(theme().text));
    else
      typeset(list, from.x + padding, middle, line, draw::Font::sans, size, theme().text);
    quoted = draw::open_quotation(line, quoted);
    middle += line_height;
  }
}

}  // namespace headlight::screen
