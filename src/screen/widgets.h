// Our own controls, painted on ImGui's windows and behaviours: sliders with editable values, segmented
// choices, toggles, chips, buttons, tabs, a text field for any Unicode, tooltips, and one keyboard focus for
// all of them. They are placed at ImGui's cursor and advance it; sizes are logical units × scale; they are as
// wide as the rest of the line unless stated otherwise. A widget is named by its label (or `name`), unique
// within its scope; scripts and tests use paths like "settings/heads" (pilot.h). Every widget returns a
// Response.
//
//   ui.begin(theme, scale, now);                 // after ImGui::NewFrame()
//   if (ui.begin_panel("settings", box, theme.panel, 20)) {
//     ui.header("model");
//     if (ui.slider({.label = "heads", .min = 1, .max = 16, .allowed = divisors}, heads)) …
//   }
//   ui.end_panel();
//   ui.end();                                    // before ImGui::Render()
//
// Keyboard: Tab and Shift+Tab move the focus, Space or Enter presses, arrows change a value, Enter on a
// slider starts typing a value. Tested in tests/screen/widgets_test.cpp.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "draw/theme.h"
#include "screen/focus.h"
#include "screen/input.h"
#include "screen/recorder.h"
#include "screen/text_edit.h"
#include "screen/text_painter.h"

namespace headlight::screen {

struct Response {
  bool changed = false;    // the value changed, or the button was pressed, in this frame
  bool active = false;     // it is being dragged or typed into: all changes until the end are one undo step
  bool submitted = false;  // Enter in a text field
  bool hovered = false;
  explicit operator bool() const { return changed; }
};

struct Slider {
  std::string_view label;
  double min = 0, max = 1;
  bool logarithmic = false;  // min may be 0 or less: then the distance from min is scaled
  bool integer = false;
  std::span<const int>
      allowed;             // only these values, in order (divisors); min, max and integer are then ignored
  double fallback = 0;     // value set by a double click
  std::string_view help;   // one line, shown after a moment under the pointer
  std::string_view shown;  // shown instead of the number, e.g. "1.0×"; empty: the number
  bool enabled = true;     // false: the value is only displayed
  float beside = 0;  // all on one line, with this many units for the label; 0: the label is above the track
};

struct Segments {
  std::string_view name;
  std::span<const std::string_view> options;
  std::string_view label;                   // above it; empty: none
  std::span<const std::string_view> helps;  // for each option; may be shorter
  float width = 0;                          // 0: the rest of the line; −1: as needed by the words
  bool dimmed = false;                      // usable, but without effect here
  bool bare = false;                        // no background of its own: it is inside a field
  float height = 0;                         // 0: the usual height
};

struct Button {
  std::string_view label;
  std::string_view help;
  std::string_view name;  // empty: the label
  bool enabled = true;
  bool primary = false;  // filled with the accent colour
  bool quiet = false;    // no background until it is hovered
  float width = 0;       // 0: as needed by the label
  float height = 0;      // 0: the usual height
};

struct Chip {
  std::string_view label;
  std::string_view help;
  std::string_view name;          // empty: the label
  draw::Color color{0, 0, 0, 0};  // of its outline while it is on; transparent: the accent
};

struct TextField {
  std::string_view name;
  std::string_view hint;  // shown while it is empty
  std::string_view help;
  float width = 0;  // 0: the rest of the line
  float height = 40;
  float size = 17;           // font size of the words
  std::string_view aside;    // dimmer text at the right end while it is not being edited
  bool dimmed = false;       // editable, but without effect here
  bool problem = false;      // its content is not in effect: outlined
  bool select_all = false;   // selects everything when it gets the focus, so that typing replaces it
  bool select_name = false;  // the same for a path's last name, without its extension
  float end = 0;             // units kept free at its right end for the caller
  char pasted_line = ' ';    // replaces a line break of a pasted text: ';' for a matrix
};

/// A part of a text that is displayed differently.
struct TextTone {
  std::size_t from = 0, to = 0;  // bytes
  enum class Kind { quiet, wrong } kind = Kind::quiet;
};

/// A paragraph whose height follows its lines.
struct TextArea {
  std::string_view name;
  std::string_view hint;  // shown while it is empty
  std::string_view help;
  float width = 0;  // 0: the rest of the line
  float size = 14;  // font size of the words
  int least_lines = 1;
  bool lines = false;       // Enter starts a new line; else it is reported as `submitted`
  bool select_all = false;  // as for a text field
  bool strong = false;      // semibold
  std::span<const TextTone> tones = {};
};

class Ui {
 public:
  /// Both must outlive this object. It replaces the queue's character map, to receive characters beyond 16
  /// bits, which ImGui cannot hold.
  Ui(TextPainter& text_painter, InputQueue& input_queue);
  ~Ui();
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  /// `now`: seconds on a steady clock.
  void begin(const draw::Theme& theme, float scale, double now);
  void end();
  /// Call it instead of end() when an exception left windows open: it closes them, and discards the typed
  /// characters.
  void abandon();

  TextPainter& text;
  InputQueue& input;
  Focus focus;
  Recorder* recorder = nullptr;                 // null: no script or test is recording
  std::function<void(double seconds)> wake_in;  // requests a frame within this time, even if nothing happens
  std::function<void(const std::string&)>
      report;  // one line for the status bar, for example that the typed text is not a number

  const draw::Theme& theme() const { return *theme_; }
  float scale() const { return scale_; }
  /// Enlarges all later widgets by this factor; the caller undoes it with 1 / times.
  void enlarge(float times) { scale_ *= times; }
  float px(float logical) const { return logical * scale_; }
  /// Returns whether a text field or a slider's value is being edited: it receives letters and arrows.
  bool typing() const { return edit_id_ != 0; }
  /// Returns whether no text field and no widget with the ring uses Enter, so that a card's first button may.
  bool enter_is_free() const;
  /// Returns whether Esc ended the editing of a slider's value in this frame, so that it has no other effect.
  bool escape_used() const { return escape_used_; }

  // Layout. A panel is a scrolling region of the screen; `pixels` is in pixels, `padding` in logical units.
  bool begin_panel(const char* name, draw::Box pixels, draw::Color ground, float padding,
                   bool scrolls = true);
  void end_panel();
  void open_popup(const char* name);
  /// Opens below `below` (pixels; their right edges align), or, if `below` is null, in the middle of the
  /// screen and darkening the rest. Esc closes it. Call end_popup() only if this returned true.
  bool begin_popup(const char* name, const draw::Box* below, float width);
  void end_popup();
  void close_popup();
  /// Moves the current panel behind all others.
  void to_back();
  /// Prefixes names until pop_scope() with "name/".
  void push_scope(std::string_view name);
  void pop_scope();
  /// Places chips and buttons until end_flow() side by side, with wrapping.
  void begin_flow(float gap = 8);
  void end_flow();
  void gap(float logical);

  // Words.
  void header(std::string_view words);  // small letter-spaced capitals
  void label(std::string_view words, float size = 14, draw::Font font = draw::Font::sans);
  void paragraph(std::string_view words, float size = 13);  // dim, wrapped
  void problem(std::string_view words);                     // the same in the error colour
  void prose(std::string_view words, float size = 13) {
    lines(words, size, theme().text, true);
  }  // the same, not dim, with its mathematics typeset
  /// Shows a tooltip above everything, in this frame, next to the box that it describes (in pixels; without a
  /// size: next to the pointer); '
  /// ' starts a line. For things that are not widgets.
  void tooltip(std::string_view lines, draw::Box about = {},
               bool literal = false);  // literal: without subscripts and superscripts
  /// Returns whether the pointer has not moved since a click or a key press: then nothing under it gets a
  /// tooltip.
  bool quiet() const { return near_pointer(quiet_at_); }
  /// The same for the last click only.
  bool rests_since_click() const { return near_pointer(click_at_); }

  /// Returns the characters typed in this frame, whoever uses them.
  const std::u32string& typed() const { return typed_; }

  // Controls.
  Response slider(const Slider& what, double& value);
  Response slider(const Slider& what, int& value);
  Response segmented(const Segments& what, int& index);
  Response toggle(std::string_view label, bool& value, std::string_view help = {});
  Response chip(const Chip& what, bool& value);
  Response button(const Button& what);
  Response tab(std::string_view label, bool selected, std::string_view help = {});
  Response menu_item(std::string_view label, std::string_view shortcut = {}, bool enabled = true);
  Response text_field(const TextField& what, std::string& value);
  Response text_area(const TextArea& what, std::string& value);  // text_area.cpp
  /// Returns the caret of a text field or area, in bytes, now or at its last use; nothing: it was never
  /// edited.
  std::optional<std::size_t> caret_in(ImGuiID id) const;
  void place_caret(ImGuiID id, std::size_t byte);
  void progress(float fraction, std::string_view words);  // 0 … 1

  // For controls that the app paints itself; these sizes are pixels.
  struct Item {
    ImGuiID id = 0;
    ImVec2 from, to;
    bool hovered = false, held = false;
    bool pressed = false;  // clicked, or Space or Enter while focused
    bool focused = false;
    bool visible = true;
  };
  enum class Press { click, down };  // when `pressed` is reported for the mouse
  Item item(std::string_view name, float width, float height, std::string_view help, bool uses_arrows = false,
            bool enabled = true, Press press = Press::click);
  void focus_ring(const Item& item, float radius);
  /// x and y in pixels, the size in logical units; left-aligned at x, or centred there, …; `middle` is the
  /// vertical middle of a capital letter.
  void words(float x, float middle, std::string_view words, draw::Font font, float size, draw::Color color,
             draw::Align align = draw::Align::left) {
    paint_words(x, middle, words, font, px(size), color, align);
  }
  /// The same with subscripts and superscripts (draw/scripts.h): for our own words, not for text that was
  /// typed or opened. Labels, options, tabs and tooltips use it too; quoted text in them does not change.
  void mathematics(float x, float middle, std::string_view words, draw::Font font, float size,
                   draw::Color color, draw::Align align = draw::Align::left);
  float typeset_width(std::string_view words, draw::Font font, float size) const;  // in pixels; the size too
  /// Returns as much of the words as fits, measured as typeset.
  std::string fitted(std::string_view words, draw::Font font, float size, float room) const;

 private:
  struct Drag {
    ImGuiID id = 0;
    float grab = 0, start = 0;
    bool moved = false, ignored = false;
  };
  struct Place {
    ImVec2 from, to;
  };
  struct Mapping;
  Place place(float width, float height);
  void paint_words(float x, float middle, std::string_view words, draw::Font font, float size,
                   draw::Color color,
                   draw::Align align = draw::Align::left);  // the size in pixels
  void typeset(ImDrawList& list, float x, float middle, std::string_view words, draw::Font font, float size,
               draw::Color color, draw::Align align = draw::Align::left);  // the size in pixels
  bool behave(ImGuiID id, ImVec2 from, ImVec2 to, bool& hovered, bool& held, Press press);
  int clicks_in(ImVec2 from, ImVec2 to) const;  // 1, 2, 3 if the left button was pressed there in this frame
  bool near_pointer(ImVec2 at) const;
  void maybe_tooltip(ImGuiID id, bool hovered, std::string_view help, draw::Box about);
  void paint_tooltip();
  void shadow(float rounding);  // around the card that is being drawn
  std::vector<std::string> wrapped(std::string_view words, draw::Font font, float px, float width);
  bool key(Key key, Mods mods = {}) const;

  void lines(std::string_view words, float size, draw::Color color, bool typeset = false);

  // Slider (slider.cpp).
  Response reported(const Slider& what, double value);
  bool slide(const Slider& what, const Mapping& map, const Item& track, double& value);
  bool step_by_keys(const Mapping& map, const Item& track, double& value);
  bool type_value(const Slider& what, const Mapping& map, ImGuiID id, Place box, double& value);

  struct AreaLine;
  std::vector<AreaLine> lines_of(std::string_view words, draw::Font font, float size, float room);
  void move_between_lines(const std::vector<AreaLine>& lines, draw::Font font, float size);

  // Editing (text_field.cpp).
  bool start_edit(ImGuiID id,
                  std::string_view words);  // returns false if another edit must end first; called again in
                                            // the next frame
  void stop_edit();
  bool edit_keys(char pasted_line = ' ');
  void edit_mouse(ImVec2 from, ImVec2 to, float origin, draw::Font font, float size, bool held);
  void paint_edit(ImVec2 from, ImVec2 to, float padding, draw::Font font, float size, bool held,
                  float end = 0);

  const draw::Theme* theme_ = nullptr;
  float scale_ = 1;
  double now_ = 0;
  std::u32string typed_;  // this frame's characters

  Drag drag_;
  double click_time_ = -1;
  ImVec2 click_at_{-1e9f, -1e9f};
  int click_count_ = 0;
  ImVec2 quiet_at_{-1e6f, -1e6f};  // where the pointer was at the last click or key
  bool clicked_ = false;           // the left button was pressed in this frame

  ImGuiID hover_id_ = 0;
  double hover_since_ = 0;
  bool hover_seen_ = false;
  std::string tooltip_, hover_help_;
  bool tooltip_literal_ = false;
  draw::Box tooltip_about_, hover_about_;

  TextEdit edit_;
  ImGuiID edit_id_ = 0;
  ImGuiID open_later_ = 0;  // a value that was clicked while another was being edited
  bool edit_seen_ = false, escape_used_ = false;
  float edit_scroll_ = 0;
  struct Caret {
    std::size_t caret, anchor;
  };
  std::unordered_map<ImGuiID, Caret> carets_;  // last caret positions of text fields

  bool flowing_ = false, flow_started_ = false;
  float flow_gap_ = 8;
};

/// Height of a tab, and the padding on both sides of its word.
inline constexpr float tab_height = 40, tab_padding = 14;

/// Returns a slider's value for editing: whole numbers without decimals, others with about three digits. The
/// slider displays the same with commas between thousands, which may also be typed.
std::string value_text(double value, bool integer);

}  // namespace headlight::screen
