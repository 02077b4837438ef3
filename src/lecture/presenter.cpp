#include "lecture/presenter.h"

#include <imgui.h>

#include <algorithm>

#include "draw/both_canvas.h"
#include "draw/pick_canvas.h"
#include "pictures/pages.h"
#include "screen/screen_canvas.h"
#include "session/gestures.h"

namespace headlight::app {

void Presenter::show(const std::string& card, const screen::Ui& ui, double now) {
  if (!open_) focus_ = ui.focus, focus_kept_ = true;
  open_ = true;
  card_ = card;
  cards_known_ = false;
  chosen_for_ = {};
  hover_ = {};
  rest_.begin(now);
}

void Presenter::give_back_focus(screen::Ui& ui) {
  if (open_ || !focus_kept_) return;
  focus_kept_ = false;
  ui.focus = focus_;
  ui.focus.begin();
}

void Presenter::step(int by) {
  const int count = static_cast<int>(cards_.names.size());
  if (count == 0) return;
  const int place = std::max(0, cards_.place(card_));
  const std::string left = card_;
  card_ = cards_.names[static_cast<std::size_t>(((place + by) % count + count) % count)];
  // A strip that was asked for by itself is none of the slides.
  if (left != card_ && std::find(cards_.strips.begin(), cards_.strips.end(), left) != cards_.strips.end())
    std::erase(cards_.names, left);
}

void Presenter::lay_out(const views::PageInput& in, draw::Box window, draw::Canvas& measure) {
  const views::PageView& view = page_info(in.scene.page).view;
  if (!cards_known_ || cards_of_ != in.scene.page) {
    cards_ = cards_of(view, in, measure);
    cards_known_ = true, cards_of_ = in.scene.page;
  }
  const auto choose = [&] {
    const ChosenFor wanted{in.scene.page,          card_, window.w, window.h, in.results.attention.T,
                           in.scene.attention.view};
    if (wanted == chosen_for_)
      layout_ = placed_again(card_, draw_cards(view, in), layout_, least_text(window.h), measure);
    if (wanted != chosen_for_ || layout_.page.w <= 0)
      layout_ = present_layout(card_, view, in, window, measure);
    chosen_for_ = wanted;
  };
  // A strip is a slide only when it was asked for by itself.
  if (std::find(cards_.strips.begin(), cards_.strips.end(), card_) != cards_.strips.end() &&
      cards_.place(card_) < 0)
    cards_.names.push_back(card_);
  if (cards_.place(card_) < 0) card_ = cards_.hero;
  choose();
  if (layout_.page.w > 0) return;
  // A setting removed the card.
  cards_ = cards_of(view, in, measure);
  card_ = cards_.hero;
  choose();
}

void Presenter::frame(Session& session, const views::PageInput& page_input, screen::Ui& ui,
                      screen::HeatmapPainter& maps, draw::Box pixels, double now) {
  const views::PageView& view = page_info(page_input.scene.page).view;
  // A pixel is a unit: all sizes follow from the height of the window.
  screen::ScreenCanvas canvas(*ImGui::GetWindowDrawList(), {pixels.x, pixels.y}, 1, ui.text, maps);
  const draw::Box window{0, 0, pixels.w, pixels.h};
  views::PageInput in = page_input;
  lay_out(in, window, canvas);
  in.hover = hover_.mark.part == draw::Part::none ? nullptr : &hover_;
  in.column = layout_.column;
  const SlideFrame frame{page_info(in.scene.page).room.title,
                         std::max(0, cards_.place(card_)),
                         static_cast<int>(cards_.names.size()),
                         true,
                         card_,
                         layout_.head};
  present_frame(canvas, window, view, in, frame);
  const bool hidden = rest_.hidden(ui, now);
  if (layout_.page.w <= 0) return;

  const Placing& at = layout_.placing;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const draw::Point pointer{(mouse.x - pixels.x - at.shift.x) / at.scale,
                            (mouse.y - pixels.y - at.shift.y) / at.scale};
  PresentCanvas card(canvas, at);
  draw::PickCanvas pick(at.part.has(pointer) && !hidden ? pointer : draw::Point{-1e6f, -1e6f}, card);
  draw::BothCanvas both(card, pick);
  view.draw(both, layout_.page, in);
  card.finish();
  hover_ = pick.hit();
  if (ui.recorder) {
    const auto corner = [&](float x, float y) {
      return ImVec2(pixels.x + x * at.scale + at.shift.x, pixels.y + y * at.scale + at.shift.y);
    };
    ui.recorder->add("card", corner(at.part.x, at.part.y), corner(at.part.right(), at.part.bottom()));
  }
  for (const screen::Click& pressed : ui.input.clicks()) {
    if (pressed.button != 0 || hover_.mark.part == draw::Part::none) continue;
    if (auto next = app::click(session.scene(), session.results(), hover_, pressed.mods.shift))
      session.change(std::move(*next), "", now);
  }
}

}  // namespace headlight::app
