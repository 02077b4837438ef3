#include "lecture/lecturer_screen.h"

#include <algorithm>
#include <cmath>

#include "draw/both_canvas.h"
#include "screen/screen_canvas.h"
#include "ui/settings_panel.h"

namespace headlight::app {

namespace {

using screen::Key;

constexpr float scroll_step = 56;                       // units
constexpr float slide_width = 1600, slide_margin = 24;  // units of a slide that is not on the screen
constexpr int picture_grain = 96;  // pixels: a small change of the window's size keeps the pictures

std::string plain_text(const std::vector<scene::WordRun>& runs) {
  std::string out;
  for (const scene::WordRun& run : runs) out += run.text;
  return out;
}

/// The card that a step shows alone; empty: it shows several, or the whole page.
std::string only_card(const scene::LessonStep& step) {
  if (step.focus.size() != 1 || !step.focus[0].starts_with("card ")) return {};
  return step.focus[0].substr(5);
}

}  // namespace

double LecturerScreen::elapsed(double now) const {
  return std::max(0.0, now - lessons_.player().counts_from());
}

views::LecturerView LecturerScreen::view(const Frame& frame) const {
  const LessonPlayer& player = lessons_.player();
  views::LecturerView out;
  out.slide = lessons_.picture(frame.now);
  out.slide.appeared = 1;
  if (!out.slide.heading.empty() && out.slide.heading[0] == 'l') out.slide.heading[0] = 'L';
  for (const std::string& words : player.current().reveal) out.answer.push_back(player.runs(words));
  for (const scene::LessonStep& step : player.lesson().steps) {
    const auto words = scene::parse_words(step.title);
    out.titles.push_back(words ? plain_text(scene::word_runs(*words, nullptr)) : step.title);
  }
  out.exploring = player.exploring();
  out.swaps = frame.swaps;
  out.clock = frame.clock;
  out.seconds = static_cast<int>(elapsed(frame.now));
  out.reset = player.clock_was_reset();
  out.slide_aspect = frame.slide_aspect;
  const bool controls = player.playing() && !player.current().controls.empty();
  if (controls)
    out.controls =
        controls_height_ > 0 ? controls_height_ : 58.f * static_cast<float>(player.current().controls.size());
  out.scroll = scroll_, out.list_scroll = list_scroll_;
  out.stated = session_.message();
  if (const auto line = out.stated.find('\n'); line != std::string::npos) out.stated.resize(line);
  return out;
}

LecturerScreen::Request LecturerScreen::frame(screen::Ui& ui, screen::HeatmapPainter& maps,
                                              const Frame& frame) {
  acted_ = false;
  LessonPlayer& player = lessons_.player();
  if (!player.open()) return Request::close;
  const int step = player.step() + (player.exploring() ? player.steps() : 0);
  if (step != shown_step_) scroll_ = 0, list_scroll_ = -1, controls_height_ = 0;
  shown_step_ = step;
  const auto request = keys(ui, frame.now);
  if (!player.open()) return Request::close;
  const draw::Mark pressed = paint(ui, maps, frame);
  const std::string& name = pressed.name;
  if (ui.wake_in) {
    const double seconds = elapsed(frame.now);
    ui.wake_in(std::floor(seconds) + 1.005 - seconds);
  }
  if (request) return *request;
  if (name.empty()) return Request::none;
  if (!by_keyboard_) ui.focus.clear();
  if (name == "close") return Request::close;
  if (name == "swap screens") return Request::swap_screens;
  if (name == "reset clock") {
    player.reset_clock(frame.now);
  } else if (name == "more") {
    scroll_ += places_.words.h * 0.8f;
  } else {
    acted_ = true;
    lessons_.act(name, pressed.item, frame.now);
  }
  return Request::none;
}

std::optional<LecturerScreen::Request> LecturerScreen::keys(screen::Ui& ui, double now) {
  const screen::InputQueue& input = ui.input;
  if (input.pressed(Key::tab) || input.pressed(Key::tab, screen::shift_only)) by_keyboard_ = true;
  if (!input.clicks().empty()) by_keyboard_ = false;
  if (ui.typing()) return std::nullopt;
  if (input.pressed(Key::escape) && ui.focus.any() && by_keyboard_)
    return std::nullopt;  // the key clears the focus
  if (input.pressed(Key::escape) || input.pressed(Key::n, screen::shift_only)) return Request::close;
  if (input.pressed(Key::f11)) return Request::fullscreen;
  if (!by_keyboard_ && !input.presses().empty()) ui.focus.clear();  // a clicked slider gets no arrows
  const bool on_control = by_keyboard_ && ui.focus.any();
  const bool own_arrows = by_keyboard_ && ui.focus.uses_arrows();
  if (!own_arrows) {
    scroll_ += scroll_step * static_cast<float>(input.pressed(Key::down) - input.pressed(Key::up));
  }
  if (on_control && input.pressed(Key::space)) return std::nullopt;  // the key presses the control
  if (lessons_.step_keys(input, {.arrows = own_arrows, .enter = on_control}, now)) acted_ = true;
  return std::nullopt;
}

draw::Mark LecturerScreen::paint(screen::Ui& ui, screen::HeatmapPainter& maps, const Frame& frame) {
  const float scale = ui.scale();
  const draw::Box pixels{0, 0, static_cast<float>(frame.width), static_cast<float>(frame.height)};
  draw::Mark acted;
  if (ui.begin_panel("lecturer", pixels, ui.theme().window, 0, false)) {
    screen::ScreenCanvas canvas(*ImGui::GetWindowDrawList(), ImVec2(0, 0), scale, ui.text, maps);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool inside = ImGui::IsWindowHovered();
    const draw::Point at = inside ? draw::Point{mouse.x / scale, mouse.y / scale} : draw::Point{-1e6f, -1e6f};
    draw::PickCanvas pick(at, canvas);
    draw::BothCanvas both(canvas, pick);
    places_ = views::lecturer_view({both, ui.theme(), &hover_}, {0, 0, pixels.w / scale, pixels.h / scale},
                                   view(frame));
    hover_ = pick.hit();
    pictures(ui, maps, frame);
    for (const auto& target : pick.targets()) {
      // An item that is scrolled out of view cannot be pressed.
      const bool in_words = target.mark.name.starts_with("choice ");
      if (in_words && (target.box.y < places_.words.y || target.box.bottom() > places_.words.bottom() + 1))
        continue;
      ImGui::SetCursorScreenPos(ImVec2(target.box.x * scale, target.box.y * scale));
      const screen::Ui::Item item =
          ui.item(target.mark.name, target.box.w * scale, target.box.h * scale, target.mark.note);
      ui.focus_ring(item, 8 * scale);
      if (item.pressed) acted = target.mark;
    }
    if (places_.controls.h > 0) hand_controls(ui, places_, frame.now);
    if (inside) wheel(at);
    scroll_ = std::clamp(scroll_, 0.f, std::max(0.f, places_.needed - places_.words.h));
  }
  ui.end_panel();
  return acted;
}

void LecturerScreen::wheel(draw::Point at) {
  const float turned = ImGui::GetIO().MouseWheel;
  if (turned == 0) return;
  if (places_.list.has(at)) {
    list_scroll_ = std::clamp(places_.list_from - turned * scroll_step * places_.large, 0.f,
                              std::max(0.f, places_.list_needed - places_.list.h));
  } else {
    scroll_ -= turned * scroll_step * places_.large;
  }
}

/// The words of another step when it opens; numbers as they are written in the lesson.
views::LessonPanel LecturerScreen::panel_of(int step) const {
  const scene::Lesson& lesson = lessons_.player().lesson();
  const scene::LessonStep& what = lesson.steps[static_cast<std::size_t>(step)];
  const auto runs = [](const std::string& words) {
    const auto paragraph = scene::parse_words(words);
    return paragraph ? scene::word_runs(*paragraph, nullptr) : views::Runs{{.text = words}};
  };
  views::LessonPanel panel;
  panel.hall = true;
  panel.heading = lessons_.heading();
  panel.title = runs(what.title);
  for (const std::string& words : what.words) panel.words.push_back(runs(words));
  if (what.predict) panel.predict = runs(what.predict->ask), panel.covered = true;
  if (what.question) {
    panel.question = runs(what.question->ask);
    for (const std::string& choice : what.question->choices) panel.choices.push_back(runs(choice));
  }
  if (what.task) panel.task = runs(what.task->ask);
  panel.step = step, panel.steps = static_cast<int>(lesson.steps.size());
  return panel;
}

/// Draws a step as the class will see it: its words, and its cards beside them.
void LecturerScreen::slide_of(int step, const draw::Box& box, screen::Ui& ui, screen::HeatmapPainter& maps) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float scale = box.w * ui.scale() / slide_width;  // pixels to a unit of the slide
  const ImVec2 corner(std::round(box.x * ui.scale()), std::round(box.y * ui.scale()));
  const float height = box.h * ui.scale() / scale, words = views::lesson_panel_width(slide_width);
  screen::ScreenCanvas canvas(list, corner, scale, ui.text, maps);
  canvas.push_clip({0, 0, slide_width, height});
  canvas.rect({0, 0, slide_width, height}, ui.theme().window);
  views::lesson_panel({canvas, ui.theme()}, {0, 0, words, height}, panel_of(step));
  canvas.pop_clip();
  const auto pixels = [&](float units) {
    return std::clamp(picture_grain * static_cast<int>(std::ceil(units * scale / picture_grain)),
                      picture_grain, 2400);
  };
  const ScenePictures::Size size{pixels(slide_width - words), pixels(height)};
  if (!pictures_ || !(picture_size_ == size)) {
    pictures_ = std::make_unique<ScenePictures>(textures_, wake_, size);
    picture_size_ = size;
  }
  const LessonPlayer& player = lessons_.player();
  const auto picture = pictures_->ask(player.scene_of(step), false,
                                      only_card(player.lesson().steps[static_cast<std::size_t>(step)]));
  const ImTextureID texture = pictures_->texture(*picture);
  if (!texture) return;
  // As large as possible, without distortion.
  const float margin = slide_margin * scale, left = corner.x + words * scale + margin;
  const float room_w = (slide_width - words) * scale - 2 * margin, room_h = height * scale - 2 * margin;
  const float fit =
      std::min(room_w / static_cast<float>(size.width), room_h / static_cast<float>(size.height));
  const float w = static_cast<float>(size.width) * fit, h = static_cast<float>(size.height) * fit;
  const float x = std::round(left + (room_w - w) / 2), y = std::round(corner.y + margin + (room_h - h) / 2);
  list.AddImage(texture, ImVec2(x, y), ImVec2(std::round(x + w), std::round(y + h)));
}

void LecturerScreen::pictures(screen::Ui& ui, screen::HeatmapPainter& maps, const Frame& frame) {
  const int step = lessons_.player().step();
  if (frame.slide) {
    const float scale = ui.scale();
    const draw::Box& box = places_.slide;
    ImGui::GetWindowDrawList()->AddImage(
        frame.slide, ImVec2(std::round(box.x * scale), std::round(box.y * scale)),
        ImVec2(std::round(box.right() * scale), std::round(box.bottom() * scale)), ImVec2(0, 1),
        ImVec2(1, 0));
  } else {
    slide_of(step, places_.slide, ui, maps);
  }
  if (places_.next.h > 0) slide_of(step + 1, places_.next, ui, maps);
  screen::ScreenCanvas canvas(*ImGui::GetWindowDrawList(), ImVec2(0, 0), ui.scale(), ui.text, maps);
  for (const draw::Box& box : {places_.slide, places_.next})
    if (box.h > 0) canvas.frame(box, {ui.theme().border, 1});
}

/// The settings of the step, as beside the slide.
void LecturerScreen::hand_controls(screen::Ui& ui, const views::LecturerPlaces& places, double now) {
  const float scale = ui.scale();
  const draw::Box& units = places.controls;
  ImGui::SetCursorScreenPos(ImVec2(units.x * scale, units.y * scale));
  ImGui::BeginChild("controls", ImVec2(units.w * scale, units.h * scale), false, ImGuiWindowFlags_NoNav);
  ui.push_scope("controls");
  const float large = std::max(1.f, places.large);
  ui.enlarge(large);
  const scene::Scene before = session_.scene();
  lesson_controls(ui, lessons_.player().current().controls, session_, now);
  if (session_.scene() != before) acted_ = true;
  ui.enlarge(1 / large);
  controls_height_ = std::ceil(ImGui::GetCursorPosY() / scale);
  ui.pop_scope();
  ImGui::EndChild();
}

}  // namespace headlight::app
