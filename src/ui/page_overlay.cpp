#include "ui/page_overlay.h"

#include <imgui.h>

#include <algorithm>

#include "draw/boxes.h"
#include "kit/card.h"
#include "kit/page_input.h"
#include "kit/words.h"
#include "ui/page_area.h"

namespace headlight::app {

namespace {

using draw::Box;
using draw::Point;

/// Units around cards that are shown alone.
float view_margin_in(float width) {
  return width < 500 ? 8.f : 22.f;
}

}  // namespace

void keep_covered(views::PageInput& in, const PageOverlay& overlay) {
  in.without = &overlay.without;
  const bool in_map = std::any_of(overlay.hide.begin(), overlay.hide.end(),
                                  [](const std::string& name) { return of_large_map(name); });
  if (in_map && in.scene.key < 0) in.cell = nullptr;
}

bool OverlayBoxes::covers_point(draw::Point at) const {
  if (nothing) return true;
  const auto there = [&](const Box& box) { return box.has(at); };
  return std::any_of(covers.begin(), covers.end(), there) ||
         std::any_of(plates.begin(), plates.end(), there) || std::any_of(others.begin(), others.end(), there);
}

bool OverlayBoxes::calms_point(draw::Point at) const {
  return covers_point(at) ||
         std::any_of(calm.begin(), calm.end(), [&](const Box& box) { return box.has(at); });
}

bool OverlayBoxes::cover_all(const std::vector<Box>& shown) const {
  return !shown.empty() && std::all_of(shown.begin(), shown.end(), [&](const Box& box) {
    return std::any_of(covers.begin(), covers.end(), [&](const Box& cover) {
      return cover.x <= box.x && cover.y <= box.y && cover.right() >= box.right() &&
             cover.bottom() >= box.bottom();
    });
  });
}

float OverlayBoxes::top() const {
  float top = 1e9f;
  for (const auto* boxes : {&covers, &plates, &outlines}) {
    for (const Box& box : *boxes) top = std::min(top, box.y);
  }
  return top < 1e9f ? top : 0;
}

std::vector<Box> focus_boxes(const PageOverlay& overlay, const PageThings& page) {
  std::vector<Box> out;
  for (const std::string& name : overlay.focus) {
    const std::vector<Box> found = boxes_of(name, page);
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

Box focus_box(const PageOverlay& overlay, const PageThings& page) {
  Box all;
  for (const Box& box : focus_boxes(overlay, page)) {
    all = all.w > 0 ? draw::around_both(all, box) : box;
  }
  return all;
}

View closer_view(Box box, float width, float height, float scale) {
  // Cards are about as large as on their page, so that their small type is not larger than the words beside
  // them. Where a card has no room at the least size it scrolls; only one that is too wide is drawn smaller.
  constexpr float least = 0.9f, most_usual = 1.5f, least_wide = 0.6f;
  const float most = most_usual * std::max(1.f, std::min(width / 850, height / 720) / scale);
  const float margin = view_margin_in(width / scale);
  const float across = width / (box.w + 2 * margin), down = height / (box.h + 2 * margin);
  View view;
  view.scale = std::clamp(std::min(across, down), least * scale, most * scale);
  if (view.scale > across) view.scale = std::max(across, least_wide * scale);
  view.shift = {width / 2 - box.centre().x * view.scale, height / 2 - box.centre().y * view.scale};
  // A box that is too high starts at its top, one that is too wide at its left.
  if (box.h * view.scale > height) view.shift.y = (margin - box.y) * view.scale;
  if (box.w * view.scale > width) view.shift.x = (margin - box.x) * view.scale;
  return view;
}

float focus_below(Box box, const View& view, float height) {
  const float below = box.bottom() * view.scale + view.shift.y - height;
  return below > 0 ? below + 8 * view.scale : 0;
}

OverlayBoxes overlay_boxes(const PageOverlay& overlay, const PageThings& page) {
  OverlayBoxes out;
  const auto find = [&](const std::vector<std::string>& names, std::vector<Box>& boxes) {
    for (const std::string& name : names) {
      const std::vector<Box> found = boxes_of(name, page);
      if (found.empty()) out.missing.push_back(name);
      boxes.insert(boxes.end(), found.begin(), found.end());
    }
  };
  for (const std::string& name : overlay.hide) {
    const bool card = name.starts_with("card ");
    if (card) {
      find({name}, out.covers);
      continue;
    }
    std::vector<Box> parts;
    find({name}, parts);
    // Whatever cannot be covered by itself is covered with its whole card: the sentence was changed so that
    // the row is gone, or the weights are shown as beams.
    if (parts.empty() || (of_large_map(name) && !has_cells(page))) {
      for (const std::string& whole :
           overlay.focus.empty() ? std::vector<std::string>{"card map"} : overlay.focus) {
        const std::vector<Box> found = boxes_of(whole, page);
        out.covers.insert(out.covers.end(), found.begin(), found.end());
      }
    }
    // The frame of a pinned row or cell lies on its edge.
    const float frame = of_large_map(name) || name.starts_with("cells ") ? 3 : 0;
    for (const Box& part : parts)
      out.plates.push_back({part.x - frame, part.y - frame, part.w + 2 * frame, part.h + 2 * frame});
    beside_the_map(name, page, out.plates);
  }
  for (const auto& panel : page.panels) {
    if (std::any_of(out.plates.begin(), out.plates.end(),
                    [&](const Box& plate) { return panel.box.has(plate.centre()); }))
      out.calm.push_back(panel.box);
  }
  for (const std::string& name : overlay.hide_with) {
    const std::vector<Box> found = boxes_of(name, page);
    out.covers.insert(out.covers.end(), found.begin(), found.end());
  }
  find(overlay.highlight, out.outlines);
  std::vector<Box> shown;
  find(overlay.focus, shown);
  out.focus = focus_box(overlay, page);
  out.nothing = !overlay.focus.empty() && out.focus.w <= 0;
  for (const auto& panel : page.panels) {
    const auto meets = [&](const Box& box) {
      return panel.box.x < box.right() && box.x < panel.box.right() && panel.box.y < box.bottom() &&
             box.y < panel.box.bottom();
    };
    if (meets(out.focus) && std::none_of(shown.begin(), shown.end(), meets)) out.others.push_back(panel.box);
  }
  return out;
}

namespace {

/// An empty stage is not left without a word.
void say_absent(draw::Canvas& canvas, const PageOverlay& overlay, Box page, const draw::Theme& theme) {
  constexpr float margin = 24, widest = 520;
  canvas.rect(page, theme.window);
  if (!overlay.says_absent) return;
  std::string words;
  for (const std::string& name : overlay.focus) words += (words.empty() ? "" : ", ") + views::in_quotes(name);
  words += overlay.focus.size() == 1 ? " is not on this page now." : " are not on this page now.";
  views::paragraph({canvas, theme}, {page.x + margin, page.y + 2 * margin},
                   std::min(widest, page.w - 2 * margin), words, views::words_style(theme.dim, 14), 4);
}

/// A calm plate with a question mark. The question itself, and the key for its answer, are beside the page.
void plate(draw::Canvas& canvas, Box cover, Box seen, const draw::Theme& theme) {
  constexpr float most = 40, least = 8, radius = 5;
  const float round = std::min(radius, std::min(cover.w, cover.h) / 3);
  canvas.rect(cover, theme.field, round);
  if (round >= radius) canvas.frame(cover.inset(0.5f), {theme.border, 1}, round);
  const float size = std::min({most, seen.h * 0.62f, seen.w * 0.8f});
  if (size < least) return;
  canvas.text(seen.centre(), "?", views::aligned(views::strong_style(theme.dim, size), draw::Align::centre));
}

}  // namespace

void paint_overlay(draw::Canvas& canvas, const OverlayBoxes& boxes, const PageOverlay& overlay, Box page,
                   Box seen, const draw::Theme& theme) {
  // A high cover continues below the window: its sign is in the part that is on view. Of a cover on another
  // screen of the page, or of its last units, no sign is drawn.
  constexpr float least_shown = 24;
  const auto part_on_view = [&](const Box& cover) {
    const Box on_view = draw::common_part(cover, seen);
    return on_view.w > 0 && on_view.h > std::min(least_shown, cover.h - 1) ? on_view : Box{};
  };
  for (const Box& cover : boxes.covers) {
    // Half of the frame of what is selected lies outside of its card.
    constexpr float beyond = -2;
    canvas.rect(cover.inset(beyond), theme.window, views::card_radius);
    canvas.rect(cover, theme.panel, views::card_radius);
    const Box sign = part_on_view(cover);
    const float size = std::clamp(sign.h * 0.2f, 16.f, 64.f);
    if (sign.h > size && sign.w > size)
      canvas.text(sign.centre(), "?",
                  views::aligned(views::strong_style(theme.dim, size), draw::Align::centre));
  }
  for (const Box& box : boxes.plates) plate(canvas, box, part_on_view(box), theme);
  for (const Box& box : boxes.outlines) {
    // The lines of a table are close to each other: the outline of one is thinner, and clear of its
    // neighbours.
    constexpr float low = 20;
    const bool line = box.h < low;
    const float apart = line ? 1.f : 3.f;
    canvas.frame(box.inset(-apart),
                 {draw::faded(theme.focus, overlay.appeared * overlay.outline), line ? 2.f : 3.f},
                 views::card_radius + 1);
  }
  for (const Box& box : boxes.others) canvas.rect({box.x - 2, box.y - 2, box.w + 4, box.h + 4}, theme.window);
  if (boxes.nothing) say_absent(canvas, overlay, page, theme);
  // Hides everything outside the focus, outlines included.
  if (boxes.focus.w > 0) {
    const Box in{boxes.focus.x - 5, boxes.focus.y - 5, boxes.focus.w + 10, boxes.focus.h + 10};
    canvas.rect({page.x, page.y, page.w, in.y - page.y}, theme.window);
    canvas.rect({page.x, in.bottom(), page.w, page.bottom() - in.bottom()}, theme.window);
    canvas.rect({page.x, in.y, in.x - page.x, in.h}, theme.window);
    canvas.rect({in.right(), in.y, page.right() - in.right(), in.h}, theme.window);
  }
  // A new step fades in from the background of the page.
  if (overlay.appeared < 1) canvas.rect(page, draw::faded(theme.window, 0.75f * (1 - overlay.appeared)));
}

void PageArea::outline(const Session& session, double now) {
  constexpr double shown = 2, fades = 0.6, awaited = 10;  // seconds
  PointedOut& out = pointed_out_;
  if (out.place.empty()) return;
  const bool rests = session.scene().reduced_motion, seen = out.since >= 0;
  out.now = now;
  if (out.requested < 0) out.requested = now;
  const double left = seen ? out.since + shown - now : shown;
  const bool over = seen ? (rests ? out.left : left <= 0) : now > out.requested + awaited;
  if (over || !overlay.focus.empty()) return static_cast<void>(out = {});
  overlay.highlight.push_back(out.place);
  overlay.outline = rests ? 1.f : static_cast<float>(std::clamp(left / fades, 0.0, 1.0));
  if (seen && out.bring > 0) overlay.bring = true, --out.bring;
  out.moves = !seen || out.bring > 0 || !rests;
}

/// A card that is higher than its area scrolls to what is outlined on it.
void PageArea::bring_outlined(const std::vector<draw::Box>& outlines, float from, float height) {
  if (outlines.empty() || stage_over_ <= 0) return;
  Box all = outlines.front();
  for (const Box& box : outlines) all = draw::around_both(all, box);
  constexpr float above = 12, below = 40;  // clear of the words about what is below
  const float top = (all.y - above) * scale_ + origin_.y - from,
              bottom = (all.bottom() + below) * scale_ + origin_.y - from;
  // Its beginning, where not all of it has room.
  const float wanted = std::min(top, std::max(0.f, bottom - height) + std::min(top, 0.f));
  stage_scroll_ = std::clamp(stage_scroll_ + wanted, 0.f, stage_over_);
}

void PageArea::lay_over(const Session& session, draw::Canvas& canvas, const draw::PickCanvas& pick,
                        draw::Box page, const draw::Theme& theme) {
  const nn::AttentionTrace& trace = session.results().attention;
  const PageThings things{pick.targets(), pick.panels(), trace.T, trace.S, map_turned_};
  const OverlayBoxes boxes = overlay_boxes(overlay, things);
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  paint_overlay(canvas, boxes, overlay, page,
                {(at.x - origin_.x) / scale_, (at.y - origin_.y) / scale_, size.x / scale_, size.y / scale_},
                theme);
  // What is covered has nothing below it to scroll to.
  if (boxes.cover_all(focus_boxes(overlay, things))) stage_over_ = 0;
  not_on_page_ = boxes.missing;
  if (!pointed_out_.place.empty() && boxes.missing.empty() && pointed_out_.since < 0)
    pointed_out_.since = pointed_out_.now;
  covered_ = boxes;
  if (boxes.calms_point(pointer_units())) hover_ = {};
  if (!overlay.bring) return;
  if (!overlay.focus.empty()) return bring_outlined(boxes.outlines, at.y, size.y);
  if (screens_.size() > 1) {
    show_screen(screen_at(screens_, boxes.top()));
    if (screen_room_ > 0) {  // a screen that is whole in the window does not scroll
      scrolled_ = std::max(scrolled_, boxes.top() - views::card_gap);
      keep_to_screen(screen_room_);
    }
  } else {
    ImGui::SetScrollY(std::max(0.f, (boxes.top() - views::card_gap) * scale_));
  }
}

}  // namespace headlight::app
