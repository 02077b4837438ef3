// The keyboard controls of the open page: how the focus moves through them, the keys that press or move them,
// and the field for a number of a matrix.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "pages/page.h"
#include "pages/quantities.h"
#include "screen/paint.h"
#include "session/gestures.h"
#include "ui/page_area.h"

namespace headlight::app {

namespace {

using draw::Part;

/// Edits of one number or text are one step of undo; edits of another one are another step.
std::string typing_label(const draw::Mark& mark) {
  return mark.set + ' ' + std::to_string(mark.query) + ' ' + std::to_string(mark.key);
}

/// The name of a number of a matrix, or of a slot.
std::string element_name(const draw::Mark& mark) {
  return mark.set + " " + std::to_string(mark.query) + "," + std::to_string(mark.key);
}

bool same_mark(const draw::Mark& a, const draw::Mark& b) {
  return a.part == b.part && a.head == b.head && a.name == b.name &&
         (a.part == Part::cell || a.part == Part::position_cell || (a.query == b.query && a.key == b.key));
}

}  // namespace

void PageArea::type(Session& session, screen::Ui& ui, double now) {
  if (!typing_ || typing_->frames++ == 0) return;  // the key that opened it is not input for it
  const bool text = typing_->mark.part == Part::text;
  // The text of a matrix, and its numbers: pasted lines are its rows.
  const std::string& before = typing_->before;
  const bool matrix = !text || (before.find(';') != std::string::npos && several_numbers(before));
  constexpr float least_number = 64, least_text = 200;  // units of the interface
  const float width = std::max(typing_->box.w * scale_ / ui.scale(), text ? least_text : least_number);
  const float from = text ? typing_->box.x * scale_ : typing_->box.centre().x * scale_ - ui.px(width / 2);
  ImGui::SetCursorScreenPos(
      ImVec2(origin_.x + from, origin_.y + typing_->box.centre().y * scale_ - ui.px(14)));
  const ImGuiID id = ImGui::GetID("number");
  if (typing_->frames == 2) ui.focus.take(id, true);
  const screen::Response typed = ui.text_field({.name = "number",
                                                .help = "Enter applies it",
                                                .width = width,
                                                .height = 28,
                                                .size = 13,
                                                .select_all = true,
                                                .pasted_line = matrix ? ';' : ' '},
                                               typing_->words);
  const bool escaped = ui.input.pressed(screen::Key::escape);
  const bool back = ui.input.pressed(screen::Key::tab, screen::shift_only);
  const bool tabbed = !text && (back || ui.input.pressed(screen::Key::tab));
  const bool submitted = typed.submitted || tabbed;
  const bool left = typing_->frames > 3 && !submitted && !ui.focus.has(id) && !ui.typing();
  // Several numbers replace the matrix: not before the last of them is typed.
  const bool several = !text && several_numbers(typing_->words);
  if (submitted || (several ? left : typed.changed)) {
    if (auto next = with_typed(session.scene(), typing_->mark, typing_->words)) {
      session.change(std::move(*next), typing_label(typing_->mark), now);
    } else if (submitted) {
      session.warn("“" + typing_->words + (text ? "” is not possible here" : "” is not a number") +
                       "; the value stays",
                   now);
    }
  }
  if (escaped) {
    if (auto next = with_typed(session.scene(), typing_->mark, typing_->before))
      session.change(std::move(*next), "", now);
  }
  if (submitted || left || escaped) {
    const draw::Mark mark = typing_->mark;
    typing_.reset();
    if (!tabbed) ui.focus.clear();
    const draw::Mark* next = tabbed ? number_beside(mark, back) : nullptr;
    // Tab takes the focus elsewhere at the end of this frame; the field of the number brings it back.
    if (next) begin_typing(session, *next);
  }
}

void PageArea::begin_typing(const Session& session, const draw::Mark& mark) {
  for (const auto& target : targets_) {
    const draw::Mark& there = target.mark;
    if (there.part != mark.part || there.set != mark.set || there.name != mark.name ||
        there.query != mark.query || there.key != mark.key)
      continue;
    const std::string words = typed_at(session.scene(), there);
    typing_ = Typing{there, target.box, words, words};
    return;
  }
}

const draw::Mark* PageArea::number_beside(const draw::Mark& mark, bool before) const {
  std::vector<const draw::Mark*> numbers;
  std::vector<std::string_view> matrices;
  for (const auto& target : targets_) {
    if (target.mark.part != Part::number) continue;
    numbers.push_back(&target.mark);
    if (std::find(matrices.begin(), matrices.end(), target.mark.set) == matrices.end())
      matrices.push_back(target.mark.set);
  }
  const auto place = [&](const draw::Mark& one) {
    const auto matrix = std::find(matrices.begin(), matrices.end(), one.set) - matrices.begin();
    return std::tuple(matrix, one.query, one.key);
  };
  const draw::Mark* out = nullptr;
  for (const draw::Mark* one : numbers) {
    const bool beyond = before ? place(*one) < place(mark) : place(mark) < place(*one);
    if (beyond && (!out || (before ? place(*out) < place(*one) : place(*one) < place(*out)))) out = one;
  }
  return out;
}

bool PageArea::corner_sign(screen::Ui& ui, draw::Canvas& canvas, const draw::PickCanvas& pick, bool hovered) {
  constexpr float size = 20, inside = 8, arm = 4, gap = 1.5f;
  // On the corner itself, where there is no segment and no title, in the margin between the cards.
  const auto box_of = [](const draw::Box& card) {
    return draw::Box{card.right() - inside, card.y - size + inside + 2, size, size};
  };
  if (!hovered || press_ || !overlay.focus.empty()) return signed_card_.clear(), false;
  const draw::Point at = pointer_units();
  const auto& panels = pick.panels();
  const auto named = [&](const std::string& name) {
    return std::find_if(panels.begin(), panels.end(),
                        [&](const draw::PickCanvas::Panel& panel) { return panel.name == name; });
  };
  auto card = named(signed_card_);
  if (signed_card_.empty() || card == panels.end() || !box_of(card->box).has(at)) {
    signed_card_ = panel_under_;
    card = named(signed_card_);
  }
  if (signed_card_.empty() || card == panels.end()) return false;
  const auto none = page_info(screens_of_).view.no_slides;
  if (std::find(none.begin(), none.end(), signed_card_) != none.end()) return signed_card_.clear(), false;
  const draw::Box box = box_of(card->box);
  const bool on = box.has(at);
  const draw::Theme& theme = ui.theme();
  canvas.rect(box, on ? theme.field_hover : theme.field, 6);
  canvas.frame(box, {theme.border, 1}, 6);
  const draw::Point c = box.centre();
  for (const float x : {-1.f, 1.f}) {
    for (const float y : {-1.f, 1.f}) {
      const draw::Point corner{c.x + x * (arm + gap), c.y + y * (arm + gap)};
      const draw::Point points[] = {{corner.x - x * arm, corner.y}, corner, {corner.x, corner.y - y * arm}};
      canvas.polyline(points, {on ? theme.text : theme.dim, 1.5f});
    }
  }
  if (ui.recorder) {
    ui.recorder->add("corner sign", ImVec2(origin_.x + box.x * scale_, origin_.y + box.y * scale_),
                     ImVec2(origin_.x + box.right() * scale_, origin_.y + box.bottom() * scale_));
  }
  if (!on) return false;
  panel_under_ = signed_card_;
  ui.tooltip("present this card (F5)",
             {origin_.x + box.x * scale_, origin_.y + box.y * scale_, box.w * scale_, box.h * scale_});
  for (const screen::Click& click : ui.input.clicks()) {
    if (click.button == 0) requested_card_ = signed_card_;
  }
  return true;
}

void PageArea::pick_things(const Session& session, screen::Ui& ui, draw::Canvas& canvas,
                           const draw::PickCanvas& pick, const NumberCanvas& numbers, bool hovered) {
  press_.reset(), hover_ = {}, signed_card_.clear();
  const draw::Theme& theme = ui.theme();
  if (ui.recorder) {
    const auto tell = [&](const std::string& name, const draw::Box& box) {
      ui.recorder->add(name, ImVec2(origin_.x + box.x * scale_, origin_.y + box.y * scale_),
                       ImVec2(origin_.x + box.right() * scale_, origin_.y + box.bottom() * scale_));
    };
    for (const auto& panel : pick.panels()) tell("card " + panel.name, panel.box);
    for (const auto& target : pick.targets()) {
      if (target.mark.part == Part::cell) tell("map " + std::to_string(target.mark.head + 1), target.box);
    }
    for (const auto& target : pick.targets()) {
      if (picking == Picking::part && target.mark.part == Part::query_token)
        tell("query " + std::to_string(target.mark.query), target.box);
    }
    for (const NumberCanvas::Number& number : numbers.numbers())
      tell("number " + number.quantity, number.box);
  }
  if (!hovered) return;
  const bool clicked = std::any_of(ui.input.clicks().begin(), ui.input.clicks().end(),
                                   [](const screen::Click& click) { return click.button == 0; });
  if (picking == Picking::card) {
    for (const auto& panel : pick.panels()) {
      if (panel.name.empty() || panel.name != pick.panel_under()) continue;
      canvas.frame({panel.box.x - 2, panel.box.y - 2, panel.box.w + 4, panel.box.h + 4}, {theme.focus, 3},
                   12);
      ui.tooltip(panel.title.empty() ? panel.name : panel.title);
      if (clicked) picked_ = Picked{panel.name, {}};
      return;
    }
    return;
  }
  const nn::AttentionTrace& trace = session.results().attention;
  const PageThings things{pick.targets(), pick.panels(), trace.T, trace.S, map_turned_};
  const NamedThing thing = thing_at(pointer_units(), under_, things);
  if (picking == Picking::part) {
    if (thing.name.empty()) return;
    canvas.frame({thing.box.x - 2, thing.box.y - 2, thing.box.w + 4, thing.box.h + 4}, {theme.focus, 2}, 4);
    ui.tooltip(thing.name, {}, true);
    if (clicked) picked_ = Picked{{}, {}, thing.name};
    return;
  }
  std::string quantity;
  draw::Box box;
  if (const NumberCanvas::Number* number = numbers.at(pointer_units())) {
    quantity = number->quantity, box = number->box;
  } else {
    const auto of_page = page_info(session.scene().page).view.quantity_under;
    if (of_page) quantity = of_page(input_of(session, theme), under_);
    for (const auto& target : pick.targets()) {
      if (same_mark(target.mark, under_.mark)) box = target.box;
    }
    box = under_.along != 0 ? draw::Box{under_.at.x - 14, under_.at.y - 8, 28, 16} : box_of(under_, box);
  }
  if (quantity.empty() || !scene::parse_quantity(quantity))
    return ui.tooltip("no number here that a lesson can name");
  const auto training = session.training().latest();
  const scene::NamedNumber value =
      scene::read_quantity(quantity, {session.scene(), session.results(), training.get(), session.cell()});
  if (std::isnan(value.value)) return;
  canvas.frame({box.x - 3, box.y - 2, box.w + 6, box.h + 4}, {theme.focus, 2}, 4);
  ui.tooltip(std::string(value.label) + ": " + base::written(value.value, value.form) + '\n' + quantity, {},
             true);  // so that the user can type the name
  if (clicked) picked_ = Picked{{}, quantity, thing.name.starts_with("card ") ? std::string() : thing.name};
}

void PageArea::controls(Session& session, screen::Ui& ui, double now) {
  ImGui::PushID("controls");
  follow_slot(session, ui);
  const scene::PageUses uses = scene::room_of(session.scene().page).uses(session.scene());
  bool moved = false;   // one move for each key: in its new slot the object would meet the same key again
  std::set<int> chips;  // a token's first mark is its chip; its labels at the maps are not separate stops
  // The visible screen comes first, then those after it, then those before; the visible screen stays the same
  // while the focus moves through its controls.
  std::vector<const draw::PickCanvas::Target*> order;
  for (const auto& target : targets_) order.push_back(&target);
  const bool by_screens = screens_.size() > 1 && overlay.focus.empty();
  if (by_screens && first_tabbed_ > 0 && first_tabbed_ < static_cast<int>(screens_.size()))
    std::stable_partition(order.begin(), order.end(), [&](const auto* target) {
      return target->box.y >= screens_[static_cast<std::size_t>(first_tabbed_)].top;
    });
  bool focused = false;
  for (const auto* one : order) {
    const auto& target = *one;
    const bool chip =
        uses.large_map && target.mark.part == Part::query_token && chips.insert(target.mark.query).second;
    const bool control = chip || target.mark.part == Part::control || target.mark.part == Part::head ||
                         target.mark.part == Part::number || target.mark.part == Part::text ||
                         target.mark.part == Part::slot || is_slider(target.mark);
    std::string name = target.mark.name;
    if (target.mark.part == Part::head) name = "head " + std::to_string(target.mark.head + 1);
    if (target.mark.part == Part::query_token) name = "query " + std::to_string(target.mark.query);
    if (target.mark.part == Part::clock) name = "clock " + std::to_string(target.mark.key);
    if (target.mark.part == Part::cell && target.mark.query < 0)
      name = "map " + std::to_string(target.mark.head + 1);
    if (target.mark.part == Part::text) name = target.mark.set;
    if (target.mark.part == Part::number || target.mark.part == Part::slot) name = element_name(target.mark);
    if (name.empty()) continue;
    const ImVec2 from(origin_.x + target.box.x * scale_, origin_.y + target.box.y * scale_);
    const ImVec2 to(from.x + target.box.w * scale_, from.y + target.box.h * scale_);
    if (ui.recorder) ui.recorder->add(name, from, to);
    if (!control || covered_.calms_point(target.box.centre())) continue;
    const ImGuiID id = ImGui::GetID(name.c_str());
    focused = focused || ui.focus.has(id);
    const bool slider = is_slider(target.mark);
    if (!ui.focus.add(id, slider || target.mark.part == Part::slot)) continue;
    if (ui.focus.arrived(id) && !typing_) {
      const float shown = ImGui::GetWindowHeight() / scale_, first = ImGui::GetScrollY() / scale_;
      scroll_awaited_ = 0;  // the user has gone on since
      if (target.box.y < first) {
        scroll_to(target.box.y);
      } else if (target.box.bottom() > first + shown) {
        scroll_to(target.box.bottom() - shown);
      }
    }
    if (ui.focus.ring(id)) {
      const float margin = 3 * scale_;
      ImGui::GetWindowDrawList()->AddRect(ImVec2(from.x - margin, from.y - margin),
                                          ImVec2(to.x + margin, to.y + margin),
                                          screen::packed(ui.theme().focus), 6 * scale_, 0, 2 * scale_);
    }
    if (slider) {
      using screen::Key;
      // As on every slider: Enter types its value, which is a number of the card.
      if (ui.input.pressed(Key::enter) || ui.input.pressed(Key::keypad_enter)) {
        const std::string setting = target.mark.set.substr(0, target.mark.set.find(' '));
        const auto value = std::find_if(targets_.begin(), targets_.end(), [&](const auto& other) {
          return other.mark.part == Part::number && other.mark.set == setting;
        });
        if (value != targets_.end()) begin_typing(session, value->mark);
      }
      const int steps = int(ui.input.pressed(Key::right) || ui.input.pressed(Key::up)) -
                        int(ui.input.pressed(Key::left) || ui.input.pressed(Key::down));
      if (auto next = step_slider(session.scene(), target.mark, steps))
        session.change(std::move(*next), target.mark.name, now);
      continue;
    }
    if (target.mark.part == Part::slot && !moved) moved = keys_on_slot(session, ui, target.mark, now);
    for (screen::Key key : {screen::Key::enter, screen::Key::keypad_enter, screen::Key::space}) {
      draw::Hit hit;
      hit.mark = target.mark;
      const bool alone = ui.input.pressed(key), more = ui.input.pressed(key, screen::shift_only);
      if (alone || more) act(session, hit, more, now);
      // A token that a key chose keeps the ring of the keyboard, and with it the next key.
      if ((alone || more) && followed_slot_) followed_slot_->ring = true;
    }
  }
  if (!focused) first_tabbed_ = by_screens ? screen_ : 0;
  ImGui::PopID();
}

namespace {

/// The slot that the arrows, Home and End lead to, pressed with these modifiers.
int slot_after(const screen::InputQueue& input, const draw::Mark& mark, screen::Mods mods) {
  using screen::Key;
  const int step = int(input.pressed(Key::right, mods) || input.pressed(Key::down, mods)) -
                   int(input.pressed(Key::left, mods) || input.pressed(Key::up, mods));
  if (input.pressed(Key::home, mods)) return 0;
  if (input.pressed(Key::end, mods)) return mark.head - 1;
  return std::clamp(mark.query + step, 0, mark.head - 1);
}

/// The scene with the token of a slot as its query.
std::optional<scene::Scene> with_slot(const Session& session, int slot) {
  const std::vector<int> order = shown_order(session.results());
  if (slot < 0 || slot >= static_cast<int>(order.size())) return std::nullopt;
  scene::Scene next = session.scene();
  next.query = {order[static_cast<std::size_t>(slot)]};
  return next;
}

}  // namespace

/// Arrows choose the next token, with Ctrl they move the token; the focus goes along.
bool PageArea::keys_on_slot(Session& session, screen::Ui& ui, const draw::Mark& mark, double now) {
  const int chosen = slot_after(ui.input, mark, {}), moved = slot_after(ui.input, mark, screen::ctrl_only);
  const int to = moved != mark.query ? moved : chosen;  // of `mark.head` slots, not all of them on view
  if (to == mark.query) return false;
  auto next = moved != mark.query
                  ? reorder(session.scene(), mark, to, mark.head, shown_order(session.results()))
                  : with_slot(session, to);
  if (!next) return false;
  session.change(std::move(*next), moved != mark.query ? "slots" : "arrows", now);
  const SlotsOnView seen = slots_on_view();
  FollowedSlot& followed = followed_slot_.emplace(FollowedSlot{mark});
  followed.mark.query = to;
  followed.awaited = to < seen.first || to > seen.last;
  // Until its new slot is on view, the focus stays where it is.
  if (!followed.awaited) ui.focus.take(ImGui::GetID(element_name(followed.mark).c_str()), true);
  if (seen.overflows()) {
    int first = seen.first;
    if (followed.awaited) first = to == seen.last + 1 ? std::min(first + 2, to) : to;
    show_slots_from(session, first);
  }
  return true;
}

void PageArea::follow_slot(const Session& session, screen::Ui& ui) {
  if (!followed_slot_) return;
  const SlotsOnView seen = slots_on_view();
  const int slot = followed_slot_->mark.query;
  const ImGuiID id = ImGui::GetID(element_name(followed_slot_->mark).c_str());
  // Gone with its tokens, or left by the user.
  if (slot >= seen.count || (!followed_slot_->awaited && !ui.focus.has(id))) return followed_slot_.reset();
  if (slot >= seen.first && slot <= seen.last) {
    if (std::exchange(followed_slot_->awaited, false)) ui.focus.take(id, followed_slot_->ring);
  } else if (first_slot(session) != slot) {
    followed_slot_->awaited = true;  // its words or those before it are wider than thought
    show_slots_from(session, slot);
  } else {
    followed_slot_.reset();
  }
}

}  // namespace headlight::app
