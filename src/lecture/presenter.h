// One card of the open page, alone in the whole window: which card, its neighbours, the pointer on it. The
// page itself, its focus and its scroll position remain unchanged. Tested in
// tests/lecture/present_ui_test.cpp.
#pragma once

#include <string>

#include "pages/page_that.h"
#include "pictures/present_picture.h"
#include "screen/heatmap_painter.h"
#include "screen/pointer_rest.h"
#include "screen/widgets.h"
#include "session/session.h"

namespace headlight::app {

class Presenter {
 public:
  bool open() const { return open_; }
  /// Shows `card`; empty: the card that the page's question is about.
  void show(const std::string& card, const screen::Ui& ui, double now);
  void close() { open_ = false; }
  /// Moves to the next card of the page, or to the previous one; wraps around.
  void step(int by);
  const std::string& card() const { return card_; }

  /// Draws into `pixels`, the whole window. `in`: the input that the page is drawn from.
  void frame(Session& session, const views::PageInput& in, screen::Ui& ui, screen::HeatmapPainter& maps,
             draw::Box pixels, double now);

  /// Call at the beginning of the page's first frame afterwards: restores the focus.
  void give_back_focus(screen::Ui& ui);

 private:
  /// The conditions that the layout was chosen for: moving a pin or a slider does not rearrange the card.
  struct ChosenFor {
    scene::Page page = scene::default_page;
    std::string card;
    float width = 0, height = 0;
    int tokens = 0;
    scene::AttentionView view = scene::AttentionView::matrix;
    bool operator==(const ChosenFor&) const = default;
  };
  void lay_out(const views::PageInput& in, draw::Box window, draw::Canvas& measure);

  bool open_ = false;
  std::string card_;
  PageCards cards_;
  scene::Page cards_of_ = scene::default_page;
  bool cards_known_ = false;
  ChosenFor chosen_for_;
  CardLayout layout_;
  draw::Hit hover_;
  screen::PointerRest rest_;
  screen::Focus focus_;
  bool focus_kept_ = false;
};

}  // namespace headlight::app
