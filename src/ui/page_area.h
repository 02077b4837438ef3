// The open page on screen: its view, and the pointer and keys that act on it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "draw/pick_canvas.h"
#include "draw/theme.h"
#include "kit/page_input.h"
#include "pages/page_that.h"
#include "pictures/pages.h"
#include "screen/heatmap_painter.h"
#include "screen/pointer_rest.h"
#include "screen/widgets.h"
#include "session/gestures.h"
#include "session/session.h"
#include "ui/focus_layout.h"
#include "ui/kept_view.h"
#include "ui/number_canvas.h"
#include "ui/page_overlay.h"
#include "ui/page_screens.h"

namespace headlight::app {

/// The factor by which everything grows on a large screen, whose size is in units of interface scale 1: bars,
/// settings and pages alike. At least 1; 1 up to about 2600 × 1440, where a page has its cards in two
/// columns.
float growth(float width, float height);

/// The factor by which a page is drawn larger than the rest of the interface in an area in units: pages of
/// cards and tables, which show no more on a larger screen, grow with it; pages of maps use the area for
/// their cells. At least 1.
float enlargement(scene::Page page, float width, float height);

class PageArea {
 public:
  /// Draws the session's page into the rest of the current ImGui window and acts on the pointer. Controls of
  /// the page can have the keyboard focus, and scripts find them as "page/NAME".
  void frame(Session& session, screen::Ui& ui, screen::HeatmapPainter& maps, double now);

  /// The visible screen of a page that is cut into screens, from 0.
  int screen() const { return screens_.size() > 1 ? screen_ : 0; }
  /// The cards of the tab of `page` that was open last, if it is not the first: a step of a lesson shows them
  /// alone, since it opens the page at its first tab.
  std::vector<std::string> tab_cards(scene::Page page) const {
    const auto found = tab_cards_.find(page);
    return found == tab_cards_.end() ? std::vector<std::string>() : found->second;
  }
  /// The cards of `page` that were on view last: those of its open tab. Empty: all that it has, or none yet.
  std::span<const std::string> cards_on_view(scene::Page page) const {
    const auto found = on_view_.find(page);
    return found == on_view_.end() ? std::span<const std::string>() : std::span(found->second);
  }
  /// The tabs of the pages and the part of the map; bring_back() shows them again at the next start, as soon
  /// as the page has them.
  KeptView kept_view() const;
  void bring_back(const KeptView& view);
  /// The status line's text about the pinned query and key.
  std::string status(const Session& session, const draw::Theme& theme) const;

  /// Advances everything that moves without input, by the time since the last frame: the position while it
  /// plays, the transition after a step was changed, the motion after a change of the head, a pin or a
  /// setting. A change during a motion ends it. True while something moves.
  bool animate(Session& session, float seconds);

  const draw::Hit& hover() const { return hover_; }
  /// While a lesson is edited, a click only reports which card, part or number of the page it hit.
  enum class Picking { none, card, part, number } picking = Picking::none;
  struct Picked {
    std::string card, quantity;  // one of them is empty, or both
    std::string part = {};       // what can be covered or outlined there, by its name; empty: nothing
  };
  std::optional<Picked> take_picked() { return std::exchange(picked_, std::nullopt); }
  /// The cards of the page in the last frame: their names, each once.
  const std::vector<std::string>& cards() const { return cards_; }
  /// The lesson's overlay of the page, and the names in it that are not on the page.
  PageOverlay overlay;
  /// Brings a named place into view and outlines it for two seconds or, with reduced motion, until the next
  /// input. `place` as in PageOverlay::highlight.
  void point_out(const std::string& place) { pointed_out_ = {.place = place, .bring = frames_to_settle}; }
  /// Ends a resting outline, because something was pressed.
  void let_go() { pointed_out_.left = pointed_out_.since >= 0; }
  /// The outline still moves: another frame is needed.
  bool pointing_out() const { return !pointed_out_.place.empty() && pointed_out_.moves; }
  /// The page has room for its column of cards at the right; else the settings panel is there.
  bool column = true;
  /// A lesson is played: a pointer that rests is hidden.
  bool lesson = false;
  /// The window's parts are smaller (FrameLayout).
  bool compact = false;
  /// The line at the bottom of the area, in units, that the tabs of a page's screens share with the status.
  struct Foot {
    float status = 0;   // its height when there are no tabs; 0: it is no part of the area
    float tabs = 40;    // its height when there are
    float reserve = 0;  // the width that is left to the status at the right of the tabs
  };
  Foot foot;
  /// The part of that line that the tabs took in the last frame, in pixels; empty: there are none.
  const draw::Box& tabs_box() const { return tabs_box_; }
  const std::vector<std::string>& not_on_page() const { return not_on_page_; }
  const draw::Box& map_view() const { return map_view_; }

  // For exports: the input that the page was drawn from, with nothing under the pointer; its size in units;
  // and the card that was clicked last.
  views::PageInput input(const Session& session, const draw::Theme& theme) const;
  const draw::Box& shown() const { return shown_; }
  /// The line of the page, in units, at the top of the window; for a page that is cut into screens.
  float first_line() const { return scrolled_; }
  const std::string& clicked_panel() const { return clicked_panel_; }
  /// The cards of the last frame that are on view, in pixels; a part of a card is none.
  struct Card {
    std::string name;
    draw::Box box;
  };
  const std::vector<Card>& placed_cards() const { return placed_cards_; }
  /// The line on which the lowest of them ends; nothing where the page goes on below the window.
  std::optional<float> cards_end() const;
  /// The card under the pointer; empty: none.
  const std::string& panel_under() const { return panel_under_; }
  /// The card whose corner was clicked to show it alone; once.
  std::string take_requested_card() { return std::exchange(requested_card_, {}); }

 private:
  /// A number of a matrix, or a text, that is being edited.
  struct Typing {
    draw::Mark mark;
    draw::Box box;
    std::string words;
    std::string before;  // the text that Esc restores
    int frames = 0;      // since it was opened
  };
  /// A place that is being outlined.
  struct PointedOut {
    std::string place;
    double requested = -1, since = -1, now = 0;  // times; `since`: it is on the page, −1: not yet
    int bring = 0;                               // frames in which it comes into view
    bool moves = true, left = false;             // left: something was pressed
  };
  /// Adds the outline to the overlay.
  void outline(const Session& session, double now);
  static constexpr int frames_to_settle = 3;  // until a page knows its height
  /// The conditions that the layout of the focus was chosen for.
  struct FocusFor {
    scene::Page page = scene::default_page;
    std::vector<std::string> focus;
    int step = -1;
    draw::Box room;
    bool operator==(const FocusFor&) const = default;
  };
  /// The conditions that the size of a page in a low window was chosen for.
  struct FittingFor {
    scene::Page page = scene::default_page;
    std::uint64_t version = 0;
    draw::Box room;
    float scale = 0;
    bool operator==(const FittingFor&) const = default;
  };
  struct Press {
    draw::Hit hit;
    draw::Point at, last;
    bool moved = false;
    bool extend = false;
    std::optional<HandDrag> hand;
    bool panning = false;
    bool ignored = false;  // moving on has no effect
  };
  /// The conditions that a strip of slots was scrolled for.
  struct SlotsFor {
    scene::Page page = scene::default_page;
    int step = -1;  // of the lesson
    scene::IndexList query, order, ids;
    std::string sentence, model;
    scene::Tokenizer tokenizer = scene::Tokenizer::words;
    scene::WeightsSource weights = scene::WeightsSource::random;
    int tokens = 0;
    bool operator==(const SlotsFor&) const = default;
  };
  /// The slots that the last frame showed.
  struct SlotsOnView {
    int first = -1, last = -1;  // −1: there are none
    int count = 0;              // of all of them
    draw::Box box;              // around them and the edges of their strip
    bool overflows() const { return first > 0 || (first == 0 && last + 1 < count); }
  };
  /// A slot that keeps the focus wherever its strip is scrolled.
  struct FollowedSlot {
    draw::Mark mark;
    bool awaited = false;  // it takes the focus as soon as it is on view
    bool ring = true;      // a slot that was clicked has none
  };
  views::PageInput input_of(const Session& session, const draw::Theme& theme) const;
  void forget_other_map(const Session& session);
  void note_cards_on_view();
  void take_marks(const Session& session, const screen::Ui& ui, const draw::PickCanvas& pick);
  /// `top` and `bottom` of the visible part of the page, in its units.
  void take_cards(const draw::PickCanvas& pick, float top, float bottom);
  void pointer(Session& session, const screen::Ui& ui, bool hovered, double now);
  void controls(Session& session, screen::Ui& ui, double now);
  /// For a page that is cut into screens: selects the screen with a control that was scrolled into view. The
  /// page begins at the top of the screen or, in a screen higher than `room` units, where it was scrolled.
  void keep_to_screen(float room);
  void show_screen(int screen);
  /// Notes where the page is scrolled to, and brings it back to where bring_back() wants it, until the user
  /// scrolls or opens another page.
  void follow_scroll(scene::Page page, bool by_screens, bool busy);
  /// Shows the tab that the page had when it was left, or keeps the one that it has now.
  void follow_tab(scene::Page page, const std::vector<draw::PickCanvas::Panel>& cards, bool by_screens,
                  bool busy);
  /// Makes the line `top` of the page the first visible one.
  void scroll_to(float top);
  /// The factor by which a page is drawn smaller than the rest of the interface, so that a low window shows
  /// its picture.
  float fitting(const Session& session, screen::Ui& ui, screen::HeatmapPainter& maps, draw::Box room);
  /// The height of the page's question, in units. On screens after the first it is drawn here, above the
  /// cards; on the first one the page draws it.
  float question_above(screen::Ui& ui, screen::HeatmapPainter& maps, const PageInfo& page,
                       const views::PageInput& in, draw::Point corner, draw::Box area) const;
  /// Draws the tabs of the screens, in a line below the page.
  /// `beside`: units at the right of the tabs that another control takes.
  /// Returns the width that they take, in units.
  float screen_tabs(screen::Ui& ui, const PageInfo& page, ImVec2 at, float beside);
  bool needs_pause(const Session& session) const;
  void pause_button(Session& session, screen::Ui& ui, ImVec2 at, double now);
  /// The wheel outside of maps: scrolls within a high screen, else moves from one screen to the next.
  void wheel(float steps, double now);
  bool look_closer(const Session& session, screen::Ui& ui, screen::HeatmapPainter& maps, draw::Box& inner,
                   ImVec2 space);
  void lay_over(const Session& session, draw::Canvas& canvas, const draw::PickCanvas& pick, draw::Box page,
                const draw::Theme& theme);
  void bring_outlined(const std::vector<draw::Box>& outlines, float from, float height);
  /// Draws a sign at the corner of the card under the pointer; a click shows the card alone. True: the
  /// pointer is on it.
  bool corner_sign(screen::Ui& ui, draw::Canvas& canvas, const draw::PickCanvas& pick, bool hovered);
  void tooltip(const Session& session, screen::Ui& ui) const;
  void pick_things(const Session& session, screen::Ui& ui, draw::Canvas& canvas, const draw::PickCanvas& pick,
                   const NumberCanvas& numbers, bool hovered);
  bool run(Session& session, float seconds);
  void follow(const Session& session, float seconds);
  bool may_move(const Session& session) const;
  void keep_row(const views::PageInput& in);
  void opened_cell_rises(draw::Canvas& canvas, const draw::PickCanvas& pick, const draw::Theme& theme) const;
  int drop_slot() const;
  SlotsFor slots_now(const Session& session) const;
  /// The first slot of a strip that was scrolled; −1: it follows the selection.
  int first_slot(const Session& session) const;
  SlotsOnView slots_on_view() const;
  void show_slots_from(const Session& session, int first);
  /// Scrolls a strip of slots that does not fit. False: it does, or has no more in that direction.
  bool scroll_slots(const Session& session, int by);
  /// The wheel on such a strip, which takes all of it: also fractions of a token, and at an end.
  void wheel_on_slots(const Session& session, float steps);
  /// Keeps the slot that was chosen or moved on view, and the focus on it.
  void follow_slot(const Session& session, screen::Ui& ui);
  /// The keys of a slot with the focus: another one is chosen, or its token moves there. False: no such key.
  bool keys_on_slot(Session& session, screen::Ui& ui, const draw::Mark& mark, double now);
  void type(Session& session, screen::Ui& ui, double now);
  /// Opens the field for the number or the text of a mark, if it is on the page.
  void begin_typing(const Session& session, const draw::Mark& mark);
  /// The number after this one, or before it, row by row and then in the next matrix; null: there is none.
  const draw::Mark* number_beside(const draw::Mark& mark, bool before) const;
  void pressed(Session& session, draw::Point at, bool extend, double now);
  void dragged(Session& session, draw::Point at, double now);
  void released(Session& session, double now);
  void act(Session& session, const draw::Hit& hit, bool extend, double now);
  void show_changed(const Session& session, const draw::Mark& mark);
  draw::Point pointer_units() const;
  draw::Hit on_picture(draw::Hit hit, bool across) const;
  /// The large map in cells, transposed if the queries run across.
  draw::Box whole_map(const Session& session) const;

  draw::Hit hover_, under_;  // the highlighted object; the object under the pointer, also during a drag
  std::vector<draw::PickCanvas::Target> targets_;
  std::vector<std::string> not_on_page_;
  screen::PointerRest rest_;
  draw::Box tabs_box_;
  OverlayBoxes covered_;  // by the overlay of the last frame
  std::optional<Press> press_;
  draw::Mark clicked_;  // the last clicked mark; part none: nothing of the page
  std::optional<Typing> typing_;
  std::string step_;  // the page's moving_step in the last frame
  std::optional<scene::Page> step_page_;
  float transition_ = 1;
  /// The state that the last frame showed.
  struct Seen {
    scene::Scene scene;
    std::string sentence;  // of the results
    std::uint64_t version = 0;
    int tokens = 0, keys = 0;
  };
  std::optional<Seen> seen_;
  float unchanged_ = 0;    // seconds since the shown state changed
  bool awaited_ = false;   // the last change may move, and its result is still being computed
  bool row_kept_ = false;  // at_rest_ belongs to the shown state
  float moved_ = 1;        // 0 … 1 of the duration of a motion
  views::Motion at_rest_;  // the pinned row of the last picture at rest
  views::Motion motion_;   // from the row that was shown before
  draw::Box opened_from_;  // the clicked cell, in units of the page; empty: none
  draw::Box map_view_;
  int map_tokens_ = 0, map_keys_ = 0;  // of the picture that map_view_ belongs to
  bool map_turned_ = false;
  double running_ = -1;              // position with its fraction, while it plays
  float heights_[16] = {};           // needed by each page, from the frame before
  std::vector<PageScreen> screens_;  // of a page that is higher than the window, from the frame before
  scene::Page screens_of_ = scene::default_page;
  int screen_ = 0;                           // the visible one
  std::map<scene::Page, std::string> tabs_;  // of pages whose tab is not the first: a card of the tab
  int tab_awaited_ = 0;                  // frames in which the page’s tab of tabs_ is brought to the top
  std::optional<KeptView> map_awaited_;  // the map of this part is not computed yet
  int first_tabbed_ = 0;                 // the screen whose controls the Tab key reaches first
  float scrolled_ = 0;                   // where the page was put in the last frame, in units of the page
  float screen_room_ = 0;                // height of the window of the screen, in units; 0: no screens
  float top_ = 0;           // the line at the top of the page, whichever way it scrolls, in units
  int scroll_awaited_ = 0;  // frames in which scroll_kept_ is brought to the top
  float scroll_kept_ = 0;
  std::optional<scene::Page> scroll_page_;  // the page that it belongs to; none: the first one that is shown
  float requested_ = -1;                    // a line that the next frame shows at the top; −1: none
  int first_slot_ = -1;                     // of a strip that was scrolled for slots_for_
  SlotsFor slots_for_;
  float slot_wheel_ = 0;  // what the wheel has turned beyond whole tokens
  std::optional<FollowedSlot> followed_slot_;
  double turned_ = -1;  // when the wheel last changed the screen
  draw::Box shown_{0, 0, 1600, 1000};
  std::string panel_under_, clicked_panel_, requested_card_;
  std::vector<std::string> cards_;
  std::vector<Card> placed_cards_;
  bool cut_below_ = false;  // a card is cut at the lower edge of the window
  std::map<scene::Page, std::vector<std::string>> tab_cards_, on_view_;
  std::optional<Picked> picked_;
  std::string signed_card_;  // the card with the sign
  PointedOut pointed_out_;
  FocusFor focus_for_;
  std::optional<std::uint64_t> absent_in_;  // the results whose page has none of the cards of the focus
  FittingFor fitting_for_;
  float fitting_ = 1;
  draw::Box focus_layout_;
  float stage_scroll_ = 0, stage_over_ = 0;  // pixels of the focus above the window; most of them
  draw::Point origin_;
  float scale_ = 1;  // pixels to a unit of the page
};

}  // namespace headlight::app
