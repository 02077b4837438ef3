// A person who does anything: clicks, drags, turns the wheel, types, pastes, resizes, changes pages and
// settings, drops files, takes other models, plays lessons, presents, trains, opens the lecturer's window,
// undoes, on the real interface, without a window. Seeded: the same seed is the same person, up to
// what background work has finished in between.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/shell.h"
#include "fuzz/belongings.h"
#include "fuzz/mutate.h"
#include "fuzz/user_screen.h"
#include "lecture/lecturer_screen.h"
#include "screen/recorder.h"
#include "session/model_shelf.h"
#include "session/session.h"

namespace headlight::fuzz {

class RandomUser {
 public:
  /// Autosave, runs and the file card stay in `folder`, which is the user's own. `drawn`: by OpenGL. `more`:
  /// files that are dropped and begun from, too, or a folder of them.
  RandomUser(std::uint64_t seed, std::filesystem::path folder, bool drawn = false,
             const std::filesystem::path& more = {});
  ~RandomUser();

  /// One sitting: begins as begin_with() says, acts so many times, then undoes everything. What broke a
  /// promise is in problems().
  void sitting(int actions);
  /// Closes the program: what it had in memory is given back.
  void leave() { end(); }

  const std::vector<std::string>& problems() const { return problems_; }
  long actions() const { return actions_; }
  long frames() const { return frames_; }
  double slowest_ms() const { return slowest_ms_; }
  const std::string& slowest_after() const { return slowest_after_; }
  /// Frames that took longer than 100 ms, by the action before them.
  struct Slow {
    long frames = 0;
    double most_ms = 0;
  };
  const std::map<std::string, Slow>& slow() const { return slow_; }

 private:
  /// By turns: the beginning, what the last sitting left, the next hostile state, the next model or saved
  /// attention.
  scene::Scene begin_with();
  void start(const scene::Scene& scene);
  void end();
  void frame();
  void lecturer_frame();
  void settle(int frames = 1);
  void act();
  void click();
  void drag();
  void press(screen::Key key, unsigned mods = 0);
  void hold(unsigned mods, bool down);
  void change_a_setting();
  void resize();
  void drop();
  void take_a_model();
  void play_a_lesson();
  void train();
  /// The lecturer's window, with an ImGui context of its own, beside the one for the class.
  void lecturer();
  /// A widget or mark that can be seen; null: there is none.
  const screen::Recorder::Item* any_item();
  std::string any_text();
  float fraction() { return static_cast<float>(dice_.below(10'001)) / 10'000; }

  void check_vertices();
  void check_interface();
  void check_round_trips();
  void check_undo(const scene::Scene& beginning);
  void wrong(const std::string& what);

  Dice dice_;
  std::filesystem::path folder_;
  bool drawn_, began_whole_ = true;
  std::unique_ptr<UserScreen> screen_;
  screen::Recorder recorder_;
  Belongings belongings_;
  std::unique_ptr<app::ModelShelf> models_;
  std::unique_ptr<scene::UseModels> at_hand_;
  std::unique_ptr<app::Session> session_;
  std::unique_ptr<app::Shell> shell_;
  struct SecondWindow;
  std::unique_ptr<SecondWindow> second_;
  int width_ = 1600, height_ = 1000;
  float display_scale_ = 1;
  double now_ = 0;
  std::string last_;                // action
  std::vector<std::string> trail_;  // the actions of this sitting
  std::vector<std::string> problems_;
  long actions_ = 0, frames_ = 0;
  std::size_t sittings_ = 0;
  std::map<std::string, Slow> slow_;
  double slowest_ms_ = 0;
  std::string slowest_after_;
};

}  // namespace headlight::fuzz
