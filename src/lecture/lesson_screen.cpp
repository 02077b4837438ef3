#include "lecture/lesson_screen.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "draw/both_canvas.h"
#include "pictures/pages.h"
#include "screen/paint.h"
#include "screen/screen_canvas.h"
#include "ui/settings_panel.h"

namespace headlight::app {

namespace {

using screen::Key;

constexpr int frames_to_settle = 3;  // until a page knows its height
constexpr float controls_width = 320, least_controls = 0.85f, most_controls = 3.2f;
constexpr float least_typed = 13;  // font size of a prediction
constexpr float wheel_scroll = 48;

/// Cards of the page that show the same numbers as something covered, and that the step does not name itself.
std::vector<std::string> covered_with(const scene::LessonStep& step, const scene::Scene& scene) {
  constexpr std::array<const char*, 6> same_weights{"card map",   "card bars",     "card cell",
                                                    "card heads", "card matrices", "card kernels"};
  const auto in = [](const std::vector<std::string>& names, const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  // Parts of those cards by the first words of their names, as in ui/page_overlay.h: `cell 2 1`, `row 2`. The
  // card itself keeps what is beside such a part.
  struct PartOf {
    const char *begins, *card;
  };
  constexpr std::array<PartOf, 6> parts{{{"row ", "card map"},
                                         {"column ", "card map"},
                                         {"cell ", "card map"},
                                         {"bar ", "card bars"},
                                         {"map ", "card heads"},
                                         {"head ", "card heads"}}};
  const std::vector<std::string>& hide = step.predict->hide;
  const auto part_hidden_of = [&](const char* card) {
    return std::any_of(parts.begin(), parts.end(), [&](const PartOf& part) {
      return std::string_view(part.card) == card &&
             std::any_of(hide.begin(), hide.end(), [&](auto& name) { return name.starts_with(part.begins); });
    });
  };
  std::vector<std::string> out;
  bool covers = false;
  for (const char* name : same_weights) {
    const bool part = part_hidden_of(name);
    covers |= part || in(hide, name);
    if (part) continue;
    if (!in(hide, name) && !in(step.focus, name)) out.emplace_back(name);
  }
  const bool here = scene::room_of(scene.page).uses(scene).large_map;
  return covers && here ? out : std::vector<std::string>();
}

}  // namespace

void LessonScreen::open(const std::string& what, double now, int step) {
  auto opened = open_lesson(what, folder);
  if (!opened) return session_.warn(opened.error(), now);
  if (trying_ && player_.open()) player_.leave(now);  // the editor restores the user's own scene
  editor_.close(now);
  if (editor_.open()) return;
  trying_ = from_list_ = list_after_writing_ = false;
  player_.start(std::move(*opened), now, step);
}

void LessonScreen::write(const std::string& what, int step, double now) {
  editor_.keep(now);
  list_after_writing_ = false;
  auto lesson = what.empty() ? new_lesson(session_.scene(), folder) : lesson_to_write(what, folder);
  if (!lesson) return session_.warn(lesson.error(), now);
  if (what.empty() && page_)
    lesson->lesson.steps.front().focus = focus_on(page_->tab_cards(session_.scene().page));
  if (player_.open()) player_.leave(now);
  trying_ = false;
  editor_.start(std::move(*lesson), step, now);
}

void LessonScreen::leave(double now) {
  player_.leave(now);
  keep(now);
  if (std::exchange(from_list_, false)) open_list_ = true;
}

void LessonScreen::keep(double now) {
  editor_.keep(now);
  if (!std::exchange(progress_changed_, false)) return;
  // Another window may have played other lessons meanwhile.
  for (const auto& [name, step] : read_progress(folder)) progress_[name] = std::max(progress_[name], step);
  if (const base::Status written = write_progress(progress_, folder); !written)
    session_.warn(written.error(), now);
}

void LessonScreen::follow(double now) {
  if (const auto step = editor_.open() ? editor_.take_play() : std::nullopt) {
    editor_.keep(now);
    tried_step_ = *step;
    tried_ = {*step, editor_.draft().step(), session_.scene()};
    player_.start(editor_.playable(), now, *step);
    session_.keep_instead(editor_.before());  // the user's own scene, not the step
    trying_ = true;
  }
  if (trying_ && player_.open()) tried_step_ = player_.step();
  tried_.moved |= trying_ && tried_step_ != tried_.from;
  if (trying_ && !player_.open()) {
    trying_ = false;
    if (editor_.open()) editor_.come_back(tried_.moved ? tried_step_ : tried_.step, now);
    if (editor_.open() && !tried_.moved)
      session_.restore(scene::with_look_of(tried_.scene, session_.scene()), now);
  }
  if (!progress_known_) progress_ = read_progress(folder), progress_known_ = true;
  if (!player_.playing() || trying_) return;
  int& reached = progress_[progress_name(player_.entry())];
  if (player_.step() + 1 > reached) reached = player_.step() + 1, progress_changed_ = true;
}

const LessonEntry* LessonScreen::next_lesson() const {
  if (!player_.playing() || trying_ || player_.step() + 1 < player_.steps()) return nullptr;
  bool found = false;
  for (const LessonEntry& entry : entries_) {
    if (found && entry.problem.empty()) return &entry;
    found = found || progress_name(entry) == progress_name(player_.entry());
  }
  return nullptr;
}

void LessonScreen::begin(screen::Ui& ui, double now) {
  follow(now);
  forget_covered(now);
  player_.update();
  const bool elsewhere = session_.scene().page != list_page_;
  if (listing_ && elsewhere && !player_.playing() && !writing()) left_page_.reset();
  if (player_.playing() || writing() || elsewhere) listing_ = false;
  if (list_after_writing_ && !editor_.open() && !player_.open()) back_to_list(now);
  if (player_.playing() && entries_.empty()) entries_ = list_lessons(folder);
  if (input_.pressed(Key::tab) || input_.pressed(Key::tab, screen::shift_only)) by_keyboard_ = true;
  if (!input_.clicks().empty()) by_keyboard_ = false;
  if (!player_.open() || ui.typing()) return;
  const bool stepping = player_.playing() &&
                        (input_.pressed(Key::left) || input_.pressed(Key::right) ||
                         input_.pressed(Key::space) || input_.pressed(Key::home) || input_.pressed(Key::end));
  const bool returning = player_.exploring() && input_.pressed(Key::enter);
  const bool revealing = player_.covered() && input_.pressed(Key::space);
  if (((stepping || returning) && !by_keyboard_) || revealing) ui.focus.clear();
  if (player_.step() != shown_step_ || !player_.playing()) scroll_ = 0;
  if (std::exchange(notes_were_shown_, player_.notes_shown) != player_.notes_shown) scroll_ = 0;
  if (player_.playing() && player_.step() != shown_step_) bring_ = frames_to_settle, controls_height_ = 0;
  // What was covered is outlined once it is revealed.
  const bool covered = player_.playing() && player_.covered();
  if (std::exchange(was_covered_, covered) && !covered) bring_ = frames_to_settle;
  shown_step_ = player_.playing() ? player_.step() : -1;
}

std::string LessonScreen::heading() const {
  const int number = player_.entry().number;
  return (number > 0 ? "lesson " + std::to_string(number) + " · " : "") + player_.lesson().title;
}

/// The sentence if the panel repeats it: nobody can predict from a covered sentence, and a slide may show no
/// word of a new one. It remains when the answer is revealed, and is not repeated where it can be edited.
std::string LessonScreen::sentence_of(const scene::LessonStep& step) const {
  const scene::Scene& scene = session_.scene();
  const scene::PageUses uses = page_info(scene.page).room.uses(scene);
  if (!uses.sentence || uses.letters || !scene.token_ids.empty()) return "";
  const auto puts = [&](const char* setting) {
    return std::any_of(step.scene.begin(), step.scene.end(),
                       [&](auto& change) { return change.first == setting; });
  };
  const bool typed = std::find(step.controls.begin(), step.controls.end(), "sentence") != step.controls.end();
  constexpr std::size_t whole_in_field = 40;  // characters of a sentence that the field shows at once
  if (typed && scene.sentence.size() <= whole_in_field) return "";
  // Nothing can be predicted from it where no card of the step depends on it.
  const auto depends = [&view = page_info(scene.page).view](std::string_view thing) {
    constexpr std::string_view card = "card ";
    const auto& others = view.without_sentence;
    return !thing.starts_with(card) ||
           std::find(others.begin(), others.end(), thing.substr(card.size())) == others.end();
  };
  const bool matters = step.focus.empty() || std::any_of(step.focus.begin(), step.focus.end(), depends);
  return puts("sentence") || (matters && (step.predict || puts("page"))) ? scene.sentence : "";
}

views::LessonPanel LessonScreen::picture(double now) const {
  const scene::LessonStep& step = player_.current();
  const auto runs = [&](const std::string& words) { return player_.runs(words); };
  views::LessonPanel panel;
  panel.heading = heading();
  panel.title = runs(step.title);
  panel.sentence = sentence_of(step);
  for (const std::string& words : step.words) panel.words.push_back(runs(words));
  if (step.predict)
    panel.predict = runs(step.predict->ask), panel.covered = player_.covered(), panel.guess = player_.guess();
  if (!player_.covered()) {
    for (const std::string& words : step.reveal) panel.reveal.push_back(runs(words));
  }
  if (const LessonEntry* next = next_lesson()) panel.next_lesson = next->title;
  panel.trying = trying_, panel.hall = hall;
  if (step.question) {
    panel.question = runs(step.question->ask);
    for (const std::string& choice : step.question->choices) panel.choices.push_back(runs(choice));
    panel.chosen = player_.chosen(), panel.answer = step.question->answer - 1;
    panel.why = runs(step.question->why);
  }
  if (step.task) panel.task = runs(step.task->ask), panel.task_done = player_.task_done();
  panel.notes = player_.notes(), panel.notes_shown = player_.notes_shown && !player_.covered();
  panel.step = player_.step(), panel.steps = player_.steps();
  panel.appeared = player_.appeared(now);
  panel.scroll = scroll_;
  return panel;
}

/// A prediction is answered before the lesson goes on.
void LessonScreen::reveal_or_go_on(double now) {
  if (!player_.reveal(now)) player_.next(now);
}

void LessonScreen::say_covered(double now) {
  covered_message_ = "the answer is covered: press ";
  covered_message_ += predicting_ ? "Enter" : "Space";
  covered_message_ += " to reveal it";
  if (!trying_ && !hall) covered_message_ += ", or leave the lesson with “leave”";
  session_.say(covered_message_, now);
}

/// What was said about a covered answer goes when it is covered no longer.
void LessonScreen::forget_covered(double now) {
  if (covered_message_.empty() || (player_.open() && player_.covered())) return;
  if (session_.message() == covered_message_) session_.say("", now);
  covered_message_.clear();
}

/// The whole laboratory would show the answer on many cards and pages.
void LessonScreen::explore(double now) {
  if (player_.covered()) return say_covered(now);
  player_.explore(now);
}

void LessonScreen::act(const std::string& name, int item, double now) {
  if (name == "next step") return reveal_or_go_on(now);
  if (name == "previous step") return player_.previous(now);
  if (name == "explore") return explore(now);
  if (name == "back") return player_.come_back(now);
  if (name == "lecturer" && lecturer_window) return lecturer_window(now);
  if (name == "leave lesson") return leave(now);
  if (name == "next lesson") {
    if (const LessonEntry* next = next_lesson()) {
      const std::string what = next->number > 0 ? next->name : next->path.string();
      keep(now);
      const bool listed = from_list_;
      open(what, now);
      from_list_ = listed;
    }
    return;
  }
  if (name == "reveal") return static_cast<void>(player_.reveal(now));
  if (name == "more") return static_cast<void>(scroll_ += std::min(room_ * 0.8f, read_));
  if (name == "notes" && player_.covered()) return say_covered(now);  // they tell the answer
  if (name == "notes") return static_cast<void>(player_.notes_shown = !player_.notes_shown);
  if (name.starts_with("choice ")) return chose_ = true, player_.choose(item);
  if (name.starts_with("step ")) return player_.go(item, now);
}

void LessonScreen::panel(screen::Ui& ui, screen::HeatmapPainter& maps, draw::Box& rest, double now) {
  const float scale = ui.scale();
  const draw::Box pixels = rest.cut_left(std::round(views::lesson_panel_width(rest.w / scale) * scale));
  const draw::Box box{0, 0, pixels.w / scale, pixels.h / scale};
  views::LessonPlaces places;
  std::string acted;
  int acted_item = -1;
  if (ui.begin_panel("lesson", pixels, ui.theme().panel, 0, false)) {
    screen::ScreenCanvas canvas(*ImGui::GetWindowDrawList(), ImVec2(pixels.x, pixels.y), scale, ui.text,
                                maps);
    views::LessonPanel picture_now = picture(now);
    picture_now.typing = predicting_ = ui.typing() && player_.covered();
    const bool controls = !player_.current().controls.empty();
    // Their height is an estimate until they were drawn once.
    picture_now.controls = !controls ? 0
                           : controls_height_ > 0
                               ? controls_height_
                               : 58.f * static_cast<float>(player_.current().controls.size());
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool inside = ImGui::IsWindowHovered();
    draw::PickCanvas pick(inside ? draw::Point{(mouse.x - pixels.x) / scale, (mouse.y - pixels.y) / scale}
                                 : draw::Point{-1e6f, -1e6f},
                          canvas);
    draw::BothCanvas both(canvas, pick);
    places = views::lesson_panel({both, ui.theme(), &hover_}, box, picture_now);
    needed_ = places.needed, room_ = places.words.h, read_ = places.shown;
    // Why an answer is right stands below it, and may be below what is on view.
    if (std::exchange(chose_, false) && places.stays.h == 0) scroll_ = std::max(0.f, needed_ - room_);
    hover_ = pick.hit();
    for (const auto& target : pick.targets()) {
      ImGui::SetCursorScreenPos(ImVec2(pixels.x + target.box.x * scale, pixels.y + target.box.y * scale));
      const screen::Ui::Item item =
          ui.item(target.mark.name, target.box.w * scale, target.box.h * scale, target.mark.note);
      ui.focus_ring(item, 6 * scale);
      if (item.pressed) acted = target.mark.name, acted_item = target.mark.item;
    }
    if (places.guess.h > 0) {
      const draw::Box& at = places.guess;
      // Typed characters start a prediction without a click; a space reveals the answer until one was typed.
      if (!ui.typing() && !ui.typed().empty() && ui.typed().front() > U' ')
        ui.focus.take(ImGui::GetID("prediction"), true);
      ImGui::SetCursorScreenPos(ImVec2(pixels.x + at.x * scale, pixels.y + at.y * scale));
      if (ui.text_field({.name = "prediction",
                         .hint = "your prediction",
                         .help = "Enter reveals the answer",
                         .width = at.w,
                         .height = at.h,
                         .size = std::max(least_typed, at.h * 0.5f)},
                        player_.guess())
              .submitted)
        acted = "reveal";
      if (player_.guess() == " ") player_.guess().clear(), acted = "reveal";
    }
    if (places.controls.h > 0) hand_controls(ui, places.controls, {pixels.x, pixels.y}, now);
    if (inside && ImGui::GetIO().MouseWheel != 0) scroll_ -= ImGui::GetIO().MouseWheel * wheel_scroll;
    scroll_ = std::clamp(scroll_, 0.f, std::max(0.f, needed_ - room_));
  }
  ui.end_panel();
  if (acted.empty()) return;
  if (!by_keyboard_) ui.focus.clear();
  act(acted, acted_item, now);
}

/// The settings of the step, in the panel itself: they scroll when there is little room.
void LessonScreen::hand_controls(screen::Ui& ui, draw::Box units, draw::Point origin, double now) {
  const float scale = ui.scale();
  // Readable from the last row: they grow with the panel, as its words do.
  const float larger = std::clamp(units.w / controls_width, least_controls, most_controls);
  ImGui::SetCursorScreenPos(ImVec2(origin.x + units.x * scale, origin.y + units.y * scale));
  ImGui::BeginChild("controls", ImVec2(units.w * scale, units.h * scale), false, ImGuiWindowFlags_NoNav);
  ui.push_scope("controls");
  ui.enlarge(larger);
  lesson_controls(ui, player_.current().controls, session_, now);
  ui.enlarge(1 / larger);
  controls_height_ = std::ceil(ImGui::GetCursorPosY() / scale);
  ui.pop_scope();
  ImGui::EndChild();
}

PageOverlay LessonScreen::overlay(double now) {
  PageOverlay overlay;
  if (!player_.playing()) return overlay;
  const scene::LessonStep& step = player_.current();
  if (player_.covered()) {
    overlay.hide = step.predict->hide;
    overlay.hide_with = covered_with(step, session_.scene());
  } else {
    overlay.highlight = step.highlight;
  }
  overlay.says_absent = step.focus != std::vector<std::string>{scene::missing_model_card};
  overlay.focus = step.focus, overlay.without = step.without;
  overlay.step = player_.step();
  overlay.appeared = player_.appeared(now);
  overlay.bring = bring_ > 0;
  bring_ = std::max(0, bring_ - 1);
  return overlay;
}

void LessonScreen::cards(screen::Ui& ui, const PageArea& page, double now) {
  page_ = &page;
  if (std::exchange(open_list_, false)) {
    entries_ = list_lessons(folder);
    step_pictures_.clear();
    listing_ = list_appears_ = true;
    list_page_ = session_.scene().page;
  }
  if (std::exchange(open_add_, false)) {
    new_step_ = {};
    own_lessons();
    ui.open_popup("add view");
  }
  add(ui, page, now);
}

}  // namespace headlight::app
