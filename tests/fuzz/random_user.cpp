#include "fuzz/random_user.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "pictures/pages.h"
#include "scene/scene_line.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "screen/unseen_screen.h"

namespace headlight::fuzz {

namespace {

using screen::Key;
using Clock = std::chrono::steady_clock;

constexpr unsigned ctrl = 1, shift = 2, alt = 4;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

constexpr const char* bits[] = {"the cat sat ",
                                "tired",
                                "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7 ",
                                "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d ",
                                "e\xcc\x81\xcc\x81\xcc\x81",
                                "\xe4\xb8\xad\xe6\x96\x87",
                                "\xe2\x80\xae",
                                "1e308",
                                "nan",
                                "-1",
                                "0",
                                "99999999999",
                                "heads 8",
                                "1,0;0,1",
                                "0.5",
                                ";;",
                                "\"",
                                "<&>",
                                "\xef\xbf\xbd",
                                "17",
                                "1e-45"};

}  // namespace

struct RandomUser::SecondWindow {
  SecondWindow(app::Session& session, app::LessonScreen& lessons)
      : text(screen.textures), ui(text, screen.input), content(session, lessons, screen.textures, [] {}) {}

  screen::UnseenScreen screen;
  screen::TextPainter text;
  screen::HeatmapPainter maps;
  screen::Ui ui;
  app::LecturerScreen content;
};

RandomUser::RandomUser(std::uint64_t seed, std::filesystem::path folder, bool drawn,
                       const std::filesystem::path& more)
    : dice_(seed), folder_(std::move(folder)), drawn_(drawn) {
  // Runs are saved beside the state and listed from there: nobody's own, and the same on every machine.
  ::setenv("XDG_STATE_HOME", folder_.c_str(), 1);
  std::filesystem::create_directory(folder_ / "files");
  std::filesystem::current_path(folder_);  // names that are typed without a folder are the user's own, too
  belongings_ = belongings(folder_ / "files", dice_);
  if (more.empty()) return;
  for (const auto& entry : std::filesystem::directory_iterator(more)) {
    belongings_.files.push_back(entry.path());
    belongings_.scenes.push_back(entry.path());
    belongings_.models.push_back(entry.path().string());
  }
}
RandomUser::~RandomUser() {
  end();
}

void RandomUser::end() {
  second_.reset();
  if (screen_) screen_->use();
  shell_.reset();
  session_.reset();
  at_hand_.reset();
  models_.reset();
  screen_.reset();
}

void RandomUser::wrong(const std::string& what) {
  if (problems_.size() >= 20) return;
  std::string trail;
  for (std::size_t i = trail_.size() > 6 ? trail_.size() - 6 : 0; i < trail_.size(); ++i)
    trail += trail_[i] + "; ";
  problems_.push_back(what + " after " + trail + scene::to_line(session_->scene()));
}

void RandomUser::start(const scene::Scene& scene) {
  end();
  recorder_ = {};
  trail_.clear();
  screen_ = drawn_ ? drawn_user_screen() : unseen_user_screen();
  if (!screen_) {
    screen_ = unseen_user_screen();
    problems_.push_back("there is no OpenGL to draw with");
  }
  models_ = std::make_unique<app::ModelShelf>([] {});
  at_hand_ = std::make_unique<scene::UseModels>(models_.get());
  session_ = std::make_unique<app::Session>(app::Session::Start{.scene = scene,
                                                                .autosave = folder_ / "scene.json",
                                                                .training = folder_ / "training.safetensors",
                                                                .models = models_.get()});
  app::DeskStart desk;
  desk.folder = folder_;
  shell_ = std::make_unique<app::Shell>(*session_, screen_->input(), screen_->textures(), std::move(desk));
  shell_->ui().recorder = &recorder_;
  settle(3);
}

void RandomUser::frame() {
  const Clock::time_point begin = Clock::now();
  now_ += screen::UnseenScreen::seconds;
  const std::string failed = screen_->frame(width_, height_, *shell_, [this] {
    shell_->frame({.width = width_,
                   .height = height_,
                   .display_scale = display_scale_,
                   .seconds = screen::UnseenScreen::seconds,
                   .now = now_});
  });
  if (!failed.empty()) wrong(failed);
  lecturer_frame();
  const double took = milliseconds_since(begin);
  ++frames_;
  if (took > slowest_ms_) slowest_ms_ = took, slowest_after_ = last_;
  if (took <= 100) return;
  // By the kind of action and what it was done to, without numbers.
  std::string action = last_.substr(0, 40);
  std::erase_if(action, [](char c) { return c >= '0' && c <= '9'; });
  Slow& slow = slow_[action];
  ++slow.frames, slow.most_ms = std::max(slow.most_ms, took);
}

/// A frame of the lecturer's window; it closes with the lesson.
void RandomUser::lecturer_frame() {
  if (!second_) return;
  if (!shell_->lessons().player().open()) {
    second_.reset();
    return screen_->use();
  }
  SecondWindow& second = *second_;
  second.screen.frame(1280, 720, [&] {
    second.ui.begin(shell_->theme(), 1, now_);
    second.maps.begin_frame();
    second.maps.set_theme(shell_->theme());
    (void)second.content.frame(second.ui, second.maps,
                               {.width = 1280, .height = 720, .clock = "14:05", .now = now_});
    second.ui.end();
  });
  check_vertices();  // of this window
  screen_->use();
}

void RandomUser::settle(int frames) {
  for (int i = 0; i < 300 && (i < frames || screen_->input().pending()); ++i) frame();
}

const screen::Recorder::Item* RandomUser::any_item() {
  std::vector<const std::pair<const std::string, screen::Recorder::Item>*> seen;
  for (const auto& entry : recorder_.items) {
    const screen::Recorder::Item& item = entry.second;
    const float x = (item.from.x + item.to.x) / 2, y = (item.from.y + item.to.y) / 2;
    if (item.frame >= ImGui::GetFrameCount() - 1 && x >= item.clip_from.x && x < item.clip_to.x &&
        y >= item.clip_from.y && y < item.clip_to.y)
      seen.push_back(&entry);
  }
  if (seen.empty()) return nullptr;
  const auto* chosen = seen[dice_.below(seen.size())];
  last_ += chosen->first;
  return &chosen->second;
}

std::string RandomUser::any_text() {
  std::string text;
  for (std::size_t i = 1 + dice_.below(4); i > 0; --i) text += bits[dice_.below(std::size(bits))];
  if (!dice_.one_in(60)) return text;
  std::string longer;
  for (int i = 0; i < 100; ++i) longer += text + " ";
  return longer;
}

void RandomUser::hold(unsigned mods, bool down) {
  if (mods & ctrl) screen_->input().key(Key::ctrl, down);
  if (mods & shift) screen_->input().key(Key::shift, down);
  if (mods & alt) screen_->input().key(Key::alt, down);
}
void RandomUser::press(Key key, unsigned mods) {
  hold(mods, true);
  screen_->input().key(key, true);
  screen_->input().key(key, false);
  hold(mods, false);
}

void RandomUser::click() {
  const screen::Recorder::Item* item = any_item();
  if (item == nullptr) return settle();
  screen_->input().mouse_move(item->from.x + (item->to.x - item->from.x) * fraction(),
                              item->from.y + (item->to.y - item->from.y) * fraction());
  const unsigned mods = dice_.one_in(8) ? static_cast<unsigned>(dice_.below(8)) : 0;
  const int button = dice_.one_in(12) ? 1 + static_cast<int>(dice_.below(2)) : 0;
  hold(mods, true);
  for (int presses = dice_.one_in(8) ? 2 : 1; presses > 0; --presses) {
    screen_->input().mouse_button(button, true);
    screen_->input().mouse_button(button, false);
  }
  hold(mods, false);
  settle(dice_.one_in(4) ? 20 : 2);
}

void RandomUser::drag() {
  const screen::Recorder::Item* item = any_item();
  if (item == nullptr) return settle();
  const ImVec2 from = item->from, to = item->to;
  const float x = fraction(), y = fraction(), to_x = fraction() * 1.4f - 0.2f,
              to_y = fraction() * 1.4f - 0.2f;
  screen_->input().mouse_move(from.x + (to.x - from.x) * x, from.y + (to.y - from.y) * y);
  settle();
  screen_->input().mouse_button(0, true);
  settle();
  for (int i = 1; i <= 4; ++i) {
    const float part = static_cast<float>(i) / 4;
    screen_->input().mouse_move(from.x + (to.x - from.x) * (x + (to_x - x) * part),
                                from.y + (to.y - from.y) * (y + (to_y - y) * part));
    settle();
  }
  screen_->input().mouse_button(0, false);
  settle(2);
}

void RandomUser::resize() {
  const auto side = [this](int least, int most) {
    return least + static_cast<int>(dice_.below(static_cast<std::size_t>(most - least)));
  };
  width_ = dice_.one_in(5) ? side(1, 300) : side(200, 2600);
  height_ = dice_.one_in(5) ? side(1, 200) : side(150, 1650);
  if (dice_.one_in(2)) width_ = 1600, height_ = 1000;
  display_scale_ = dice_.one_in(4) ? 0.5f + fraction() * 2.5f : 1.f;
  last_ += std::to_string(width_) + "x" + std::to_string(height_);
  settle(2);
}

/// To one end of its range, as a file or the command line may set it. What takes long on purpose is left out.
void RandomUser::change_a_setting() {
  std::vector<scene::Field> all;
  scene::fields(session_->scene(), [&](const scene::Field& field, const auto&) { all.push_back(field); });
  const scene::Field& field = all[dice_.below(all.size())];
  const std::string name = field.name;
  if (!(field.max > field.min) || name == "cost_n" || name == "training_steps" || name == "weights_file")
    return settle();
  char value[64];
  std::snprintf(value, sizeof value, "%.17g", dice_.one_in(2) ? field.min : field.max);
  last_ += name + "=" + value;
  scene::Scene next = session_->scene();
  if (scene::set_field(next, name + "=" + value)) session_->change(next, "", now_);
  settle(2);
}

void RandomUser::drop() {
  std::vector<std::string> paths;
  for (std::size_t i = dice_.one_in(6) ? 2 : 1; i > 0; --i)
    paths.push_back(belongings_.files[dice_.below(belongings_.files.size())].string());
  last_ += paths.front();
  (void)shell_->desk().document().drop(paths, now_);
  settle(2);
}

void RandomUser::take_a_model() {
  std::string value = dice_.one_in(3) ? "random" : dice_.one_in(3) ? "trained" : "";
  if (value.empty()) value = belongings_.models[dice_.below(belongings_.models.size())];
  last_ += value;
  scene::Scene next = session_->scene();
  if (scene::set_field(next, "model=" + value)) session_->change(next, "", now_);
  if (dice_.one_in(2)) {  // until it is there; else something else happens first
    for (int i = 0; i < 200 && !session_->loading().empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      frame();
    }
  }
  settle(2);
}

void RandomUser::play_a_lesson() {
  app::LessonScreen& lessons = shell_->lessons();
  const std::string which = dice_.one_in(3)
                                ? std::to_string(dice_.below(13))
                                : belongings_.lessons[dice_.below(belongings_.lessons.size())].string();
  last_ += which;
  if (dice_.one_in(5)) {
    lessons.write(dice_.one_in(2) ? which : "", 0, now_);
  } else {
    lessons.open(which, now_);
  }
  settle(3);
  if (dice_.one_in(2)) lecturer();
}

void RandomUser::lecturer() {
  if (second_ || !shell_->lessons().player().open()) {
    second_.reset();
    return screen_->use();
  }
  second_ = std::make_unique<SecondWindow>(*session_, shell_->lessons());
  screen_->use();
  settle(2);
}

void RandomUser::train() {
  app::TrainJob& training = session_->training();
  scene::TrainingSettings small = session_->scene().training;
  small.d_model = 8, small.heads = 1, small.layers = 1, small.length = 6, small.batch = 2, small.steps = 30;
  small.compare = scene::TrainingCompare::nothing;
  switch (dice_.below(6)) {
    case 0: {
      scene::Scene next = session_->scene();
      next.page = scene::Page::training;
      session_->change(next, "", now_);
      break;
    }
    case 1:
      training.pause();
      break;
    case 2:
      training.step();
      break;
    case 3:
      training.rewind(static_cast<int>(dice_.below(40)));
      break;
    default:
      training.start(small);
  }
  settle(2);
}

void RandomUser::act() {
  ++actions_;
  last_.clear();
  const std::size_t kind = dice_.below(112);
  if (kind >= 100) {
    if (kind < 104) {
      last_ = "drop ";
      drop();
    } else if (kind < 107) {
      last_ = "model ";
      take_a_model();
    } else if (kind < 109) {
      last_ = "lesson ";
      play_a_lesson();
    } else if (kind < 110) {
      last_ = "present";
      press(Key::f5);
      settle(3);
    } else {
      last_ = "train";
      train();
    }
  } else if (kind < 38) {
    last_ = "click ";
    click();
  } else if (kind < 50) {
    last_ = "drag ";
    drag();
  } else if (kind < 58) {
    last_ = "wheel ";
    if (const auto* item = any_item())
      screen_->input().mouse_move((item->from.x + item->to.x) / 2, (item->from.y + item->to.y) / 2);
    settle();
    screen_->input().wheel(static_cast<float>(dice_.below(3)) - 1, static_cast<float>(dice_.below(21)) - 10);
    settle(2);
  } else if (kind < 72) {
    const auto key = static_cast<Key>(1 + dice_.below(screen::key_count - 1));
    const unsigned mods = dice_.one_in(3) ? static_cast<unsigned>(dice_.below(8)) : 0;
    last_ = "key " + std::to_string(static_cast<int>(key)) + " with " + std::to_string(mods);
    press(key, mods);
    settle(2);
  } else if (kind < 80) {
    last_ = "type";
    screen_->input().type(any_text());
    settle(2);
    if (dice_.one_in(2)) press(Key::enter);
    settle(2);
  } else if (kind < 84) {
    last_ = "resize ";
    resize();
  } else if (kind < 86) {
    last_ = "leave";
    screen_->input().mouse_leave();
    settle();
  } else if (kind < 88) {
    last_ = "focus";
    screen_->input().focus(false);
    screen_->input().focus(true);
    settle();
  } else if (kind < 91) {
    last_ = "page";
    press(dice_.one_in(2) ? Key::page_up : Key::page_down, ctrl);
    settle(2);
  } else if (kind < 93) {
    last_ = "undo or redo";
    press(Key::z, dice_.one_in(3) ? ctrl | shift : ctrl);
    settle(2);
  } else if (kind < 95) {
    last_ = "paste";
    screen_->clipboard() =
        dice_.one_in(3) ? scene::to_line(session_->scene()).substr(0, dice_.below(400)) : any_text();
    press(Key::v, ctrl);
    settle(2);
  } else if (kind < 97) {
    last_ = "escape";
    press(Key::escape);
    settle(2);
  } else {
    last_ = "set ";
    change_a_setting();
  }
  trail_.push_back(last_);
}

scene::Scene RandomUser::begin_with() {
  const std::size_t turn = sittings_++ / 4;
  const auto autosave = folder_ / "scene.json";
  switch ((sittings_ - 1) % 4) {
    case 1:
      return scene::restore(autosave).scene;
    case 2: {
      std::error_code failed;
      std::filesystem::copy_file(belongings_.scenes[turn % belongings_.scenes.size()], autosave,
                                 std::filesystem::copy_options::overwrite_existing, failed);
      return scene::restore(autosave).scene;
    }
    case 3: {
      scene::Scene scene;
      (void)scene::set_field(scene, "model=" + belongings_.models[turn % belongings_.models.size()]);
      scene.page = app::pages()[dice_.below(app::pages().size())].page();
      scene.head = {1 + static_cast<int>(dice_.below(12))}, scene.query = {static_cast<int>(dice_.below(40))};
      if (dice_.one_in(2)) scene.sentence = any_text() + any_text();
      return scene;
    }
    default:
      return {};
  }
}

void RandomUser::sitting(int actions) {
  start(begin_with());
  began_whole_ = session_->loading().empty();
  const scene::Scene beginning = session_->scene();
  for (int i = 1; i <= actions; ++i) {
    act();
    check_vertices();
    if (i % 10 == 0) check_round_trips(), check_interface();
  }
  check_undo(beginning);
}

}  // namespace headlight::fuzz
