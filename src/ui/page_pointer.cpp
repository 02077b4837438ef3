// The effects of the pointer on the open page: hovering, clicks, drags, the wheel, and the tooltip.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "draw/boxes.h"
#include "kit/cell_text.h"
#include "kit/clock_face.h"
#include "kit/token_signs.h"
#include "session/gestures.h"
#include "session/training_commands.h"
#include "ui/cell_tooltip.h"
#include "ui/page_area.h"

namespace headlight::app {

namespace {

using draw::Part;

constexpr float drag_threshold = 4;  // units that the pointer may move in a click
constexpr float wheel_scroll = 60;   // units for each step of the wheel

bool same_thing(const draw::Mark& a, const draw::Mark& b) {
  return a.part == b.part && a.head == b.head && a.query == b.query && a.key == b.key && a.name == b.name;
}

/// Is it an edge of a strip of slots, which scrolls it?
bool scrolls_slots(const draw::Mark& mark) {
  return mark.name == "tokens before" || mark.name == "tokens after";
}

/// The cell of a heatmap that was hit; empty for a picture without such cells.
draw::Box cell_of(const draw::Hit& hit) {
  if (hit.map.w <= 0 || hit.along != 0) return {};
  const float wide = hit.map.w / hit.shown.w, high = hit.map.h / hit.shown.h;
  return {hit.map.x + (std::floor(hit.cell.x) - hit.shown.x) * wide,
          hit.map.y + (std::floor(hit.cell.y) - hit.shown.y) * high, wide, high};
}

/// The position of a point in a box, as fractions of its sides.
draw::Point on_box(draw::Point at, const draw::Box& box) {
  return {(at.x - box.x) / std::max(box.w, 1.f), (at.y - box.y) / std::max(box.h, 1.f)};
}

}  // namespace

int PageArea::drop_slot() const {
  if (!press_ || !press_->moved || press_->hit.mark.part != Part::slot) return -1;
  constexpr float reach = 24;  // units beside a slot that still count as the slot
  int best = -1;
  float nearest = reach;
  for (const auto& target : targets_) {
    if (target.mark.part != Part::slot || target.mark.set != press_->hit.mark.set) continue;
    if (const float away = draw::distance_from(target.box, press_->last); away < nearest)
      best = target.mark.query, nearest = away;
  }
  return best;
}

PageArea::SlotsFor PageArea::slots_now(const Session& session) const {
  const scene::Scene& scene = session.scene();
  return {.page = scene.page,
          .step = overlay.step,
          .query = scene.query,
          .order = scene.order.permutation,
          .ids = scene.token_ids,
          .sentence = scene.sentence,
          .model = scene.weights_file,
          .tokenizer = scene.tokenizer,
          .weights = scene.weights,
          .tokens = session.results().attention.T};
}

int PageArea::first_slot(const Session& session) const {
  return first_slot_ >= 0 && slots_for_ == slots_now(session) ? first_slot_ : -1;
}

PageArea::SlotsOnView PageArea::slots_on_view() const {
  SlotsOnView out;
  for (const auto& target : targets_) {
    const draw::Mark& mark = target.mark;
    if (mark.part == Part::slot) {
      out.first = out.first < 0 ? mark.query : std::min(out.first, mark.query);
      out.last = std::max(out.last, mark.query), out.count = mark.head;
    } else if (!scrolls_slots(mark)) {
      continue;
    }
    out.box = out.box.w > 0 ? draw::around_both(out.box, target.box) : target.box;
  }
  return out;
}

void PageArea::show_slots_from(const Session& session, int first) {
  first_slot_ = std::max(first, 0), slots_for_ = slots_now(session);
}

bool PageArea::scroll_slots(const Session& session, int by) {
  const SlotsOnView seen = slots_on_view();
  if (seen.first < 0 || (by < 0 ? seen.first == 0 : seen.last + 1 >= seen.count)) return false;
  followed_slot_.reset();
  show_slots_from(session, seen.first + by);
  return true;
}

void PageArea::wheel_on_slots(const Session& session, float steps) {
  constexpr float tokens = 2;  // for each step of the wheel; a touchpad sends fractions of steps
  const float turned = -steps * tokens;
  if (slot_wheel_ * turned < 0) slot_wheel_ = 0;
  slot_wheel_ += turned;
  const float whole = std::trunc(slot_wheel_ + std::copysign(1e-3f, slot_wheel_));
  if (whole == 0) return;
  slot_wheel_ -= whole;
  if (!scroll_slots(session, static_cast<int>(whole))) slot_wheel_ = 0;
}

/// Beams and arcs are zoomed and moved like the map: queries and keys together, along their one direction.
draw::Hit PageArea::on_picture(draw::Hit hit, bool across) const {
  if (hit.mark.part != Part::cell || hit.map.w > 0) return hit;
  for (const auto& target : targets_) {
    if (target.mark.part != Part::cell || target.mark.name.empty() || !target.box.has(hit.at)) continue;
    const auto tokens = static_cast<float>(map_tokens_), keys = static_cast<float>(map_keys_);
    const draw::Box all = map_turned_ ? draw::Box{0, 0, tokens, keys} : draw::Box{0, 0, keys, tokens};
    const draw::Box whole = map_view_.w > 0 ? map_view_ : all;
    const float part =
        across ? (hit.at.x - target.box.x) / target.box.w : (hit.at.y - target.box.y) / target.box.h;
    hit.map = target.box, hit.shown = whole, hit.along = across ? 1 : -1;
    hit.cell = {whole.x + part * whole.w, whole.y + part * whole.h};
  }
  return hit;
}

void PageArea::pointer(Session& session, const screen::Ui& ui, bool hovered, double now) {
  const draw::Point at = pointer_units();
  for (const screen::Click& click : ui.input.clicks()) {
    if (hovered && (click.button == 0 || click.button == 2) && !press_) {
      pressed(session, at, click.mods.shift, now);
      if (click.button == 2 && press_) press_->panning = press_->hit.mark.part == Part::cell;
    }
  }
  if (press_) {
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseDown(ImGuiMouseButton_Middle)) {
      dragged(session, at, now);
    } else {
      released(session, now);
    }
  }
  const float steps = ImGui::GetIO().MouseWheel;
  if (!hovered || steps == 0 || ImGui::GetIO().KeyCtrl) return;
  const SlotsOnView slots = slots_on_view();
  if (slots.overflows() && slots.box.has(at)) return wheel_on_slots(session, steps);
  slot_wheel_ = 0;
  if (hover_.mark.part == Part::cell && hover_.map.w > 0) {
    map_view_ = zoom(map_view_, whole_map(session), hover_.cell, steps);
  } else {
    wheel(steps, now);
  }
}

void PageArea::wheel(float steps, double now) {
  constexpr double pause = 0.3;  // seconds: one turn of the wheel changes the screen once
  const float room = ImGui::GetWindowHeight() / scale_;
  scroll_awaited_ = 0;           // the user has scrolled since
  if (!overlay.focus.empty()) {  // the part of a high card that a lesson shows alone
    stage_scroll_ = std::clamp(stage_scroll_ - steps * wheel_scroll * scale_, 0.f, stage_over_);
    return;
  }
  if (screens_.size() > 1) {
    const PageScreen& seen = screens_[static_cast<std::size_t>(screen_)];
    const bool first = scrolled_ <= seen.top + 1, last = scrolled_ + room >= seen.bottom - 1;
    if (steps < 0 ? last : first) {
      if (now - turned_ < pause) return;
      turned_ = now;
      return show_screen(screen_ + (steps < 0 ? 1 : -1));
    }
    scrolled_ -= steps * wheel_scroll;  // within its screen, to which the next frame limits it
    return;
  }
  ImGui::SetScrollY(ImGui::GetScrollY() - steps * wheel_scroll * scale_);
}

draw::Box PageArea::whole_map(const Session& session) const {
  const auto T = static_cast<float>(session.results().attention.T),
             S = static_cast<float>(session.results().attention.S);
  return map_turned_ ? draw::Box{0, 0, T, S} : draw::Box{0, 0, S, T};
}

void PageArea::pressed(Session& session, draw::Point at, bool extend, double now) {
  clicked_panel_ = panel_under_;
  press_ = Press{.hit = hover_, .at = at, .last = at, .extend = extend};
  clicked_ = hover_.mark;
  const draw::Mark& mark = hover_.mark;
  const scene::Scene& scene = session.scene();
  switch (mark.part) {
    case Part::plane:
      if (is_slider(mark) && ImGui::GetIO().MouseClickedLastCount[0] == 2) {
        press_->ignored = true;
        if (auto next = slider_default(scene, mark)) session.change(std::move(*next), "position", now);
        break;
      }
      [[fallthrough]];
    case Part::position_axis:
    case Part::offset_axis:
      if (auto next = drag(scene, mark, at)) session.change(*next, "position", now);
      break;
    case Part::overview:
      map_view_ = view_at(map_view_, whole_map(session), on_box(at, mark.area));
      break;
    case Part::clock:
      for (const auto& target : targets_) {
        const auto& omega = session.results().position.omega;
        if (!same_thing(target.mark, mark) || mark.key < 0 || mark.key >= static_cast<int>(omega.size()))
          continue;
        const double speed = omega[static_cast<std::size_t>(mark.key)];
        const bool true_speed = scene.positions.clock_speed == scene::ClockSpeed::true_speed;
        press_->hand.emplace(scene, target.box.centre(),
                             true_speed ? speed : views::logarithmic_speed(speed, omega.front()), at);
      }
      break;
    default:
      break;
  }
}

void PageArea::dragged(Session& session, draw::Point at, double now) {
  Press& press = *press_;
  press.moved = press.moved || std::hypot(at.x - press.at.x, at.y - press.at.y) > drag_threshold;
  if (!press.moved || press.ignored) return;
  const draw::Mark& mark = press.hit.mark;
  if (mark.part == Part::overview) {
    map_view_ = view_at(map_view_, whole_map(session), on_box(at, mark.area));
  } else if (mark.scrubs) {
    // Scrubbing: shows the kept step under the pointer, whatever was pressed first.
    if (under_.mark.scrubs) {
      if (auto next = click(session.scene(), session.results(), under_, false))
        session.change(std::move(*next), "scrub", now);
    }
  } else if (press.hand) {
    session.change(press.hand->move(session.scene(), at), "position", now);
  } else if (mark.part == Part::cell && map_view_.w > 0 && press.hit.map.w > 0) {
    press.panning = true;
    draw::Point moved{(press.last.x - at.x) / press.hit.map.w, (press.last.y - at.y) / press.hit.map.h};
    if (press.hit.along > 0) moved.y = moved.x;
    if (press.hit.along < 0) moved.x = moved.y;
    map_view_ = pan(map_view_, whole_map(session), {moved.x * map_view_.w, moved.y * map_view_.h});
  } else if (mark.part == Part::position_cell && press.hit.map.h > 0) {
    // The rows of P can be dragged like an axis.
    const auto first = static_cast<float>(session.scene().position_offset);
    draw::Mark rows{.part = Part::position_row,
                    .area = press.hit.map,
                    .from = first + press.hit.shown.y,
                    .to = first + press.hit.shown.bottom()};
    if (auto next = drag(session.scene(), rows, at)) session.change(*next, "position", now);
  } else if (auto next = drag(session.scene(), mark, at)) {
    session.change(*next, "position", now);
  }
  press.last = at;
}

void PageArea::released(Session& session, double now) {
  const int to = drop_slot();
  const Press press = *std::exchange(press_, std::nullopt);
  if (to >= 0) {
    if (auto next = reorder(session.scene(), press.hit.mark, to, press.hit.mark.head,
                            shown_order(session.results()))) {
      session.change(std::move(*next), "", now);
      if (first_slot_ >= 0) show_slots_from(session, first_slot_);  // the strip stays where the token went
    }
  }
  if (press.moved || press.panning) return;
  if ((press.hit.mark.part == Part::cell || press.hit.mark.part == Part::overview) && map_view_.w > 0 &&
      ImGui::GetIO().MouseClickedLastCount[0] == 2)
    map_view_ = {};
  act(session, press.hit, press.extend, now);
}

/// What a click changes is on another tab alone: the page shows that tab.
void PageArea::show_changed(const Session& session, const draw::Mark& mark) {
  const views::PageView& view = page_info(screens_of_).view;
  const std::string_view setting = std::string_view(mark.set).substr(0, mark.set.find('='));
  if (!overlay.focus.empty() ||
      views::changes_one_of(view, session.scene(), setting, cards_on_view(screens_of_)))
    return;
  const auto known = std::find_if(view.acts_on.begin(), view.acts_on.end(),
                                  [&](const views::SettingCards& one) { return one.setting == setting; });
  point_out("card " + std::string(known->cards.substr(0, known->cards.find(' '))));
}

void PageArea::act(Session& session, const draw::Hit& hit, bool extend, double now) {
  if (hit.mark.part == Part::number || hit.mark.part == Part::text) return begin_typing(session, hit.mark);
  if (scrolls_slots(hit.mark)) {
    scroll_slots(session, hit.mark.name == "tokens after" ? 5 : -5);
    return;
  }
  if (hit.mark.name == "measure times") return session.timing().start(session.scene().cost.d);
  if (hit.mark.name == "stop measuring") return session.timing().stop();
  if (hit.mark.name == "continue text") return session.write_on(false, now);
  if (hit.mark.name == "write one token") return session.write_on(true, now);
  if (hit.mark.name == "stop writing") return session.stop_writing();
  if (hit.mark.part == Part::control && training_command(session, hit.mark.name, now)) return;
  if (hit.mark.part == Part::control && hit.mark.set.empty()) {
    const nn::CellTrace* cell = session.cell();
    const scene::Results& results = session.results();
    if (!cell) return;
    const std::string& query = results.tokens[static_cast<std::size_t>(cell->query)].text;
    const std::string& key = results.tokens_of_keys()[static_cast<std::size_t>(cell->key)].text;
    if (hit.mark.name == "copy latex") {
      ImGui::SetClipboardText(views::cell_latex(*cell, query, key).c_str());
      session.say("copied the arithmetic as LaTeX", now);
    } else if (hit.mark.name == "copy numpy") {
      ImGui::SetClipboardText(views::cell_numpy(*cell, query, key).c_str());
      session.say("copied the arithmetic as a NumPy program", now);
    }
    return;
  }
  opened_from_ = hit.mark.part == Part::cell ? cell_of(hit) : draw::Box{};
  const SlotsOnView slots = slots_on_view();
  if (auto next = click(session.scene(), session.results(), hit, extend)) {
    session.change(std::move(*next), "", now);
    show_changed(session, hit.mark);
  }
  if (hit.mark.part != Part::slot) return;
  // The arrows go on from here, and the strip stays where it is.
  followed_slot_ = FollowedSlot{.mark = hit.mark, .awaited = true, .ring = false};
  if (slots.overflows()) show_slots_from(session, slots.first);
}

void PageArea::tooltip(const Session& session, screen::Ui& ui) const {
  if (press_) return;  // an object that is held or dragged is not covered
  if (ui.quiet()) return;
  const std::string words = views::with_signs_explained(
      page_info(session.scene().page).view.tooltip(input_of(session, ui.theme()), hover_));
  if (words.empty()) return;
  const auto pixels = [&](const draw::Box& box) {
    return draw::Box{origin_.x + box.x * scale_, origin_.y + box.y * scale_, box.w * scale_, box.h * scale_};
  };
  const draw::Box cell = cell_of(hover_);
  // For a cell of a large map: beside its row and its column.
  if (hover_.mark.part == Part::cell && cell.w > 0 && words.find('\n') == std::string::npos)
    return cell_tooltip(ui, words, pixels(cell));
  ui.tooltip(words, pixels(hover_.map.w > 0 ? cell : hover_.box));
}

}  // namespace headlight::app
