#include "command/scene_commands.h"

#include <utility>

#include "app/window_app.h"
#include "base/stop_signals.h"
#include "command/commands.h"
#include "command/lesson_command.h"
#include "lecture/first_start.h"
#include "scene/nearest.h"
#include "scene/recent.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "scene/window_files.h"
#include "screen/window.h"

namespace headlight::app {

int open_window(const Words& words) {
  LaunchOptions launch;
  if (!words.start_lesson.empty()) {
    if (const auto known = known_lesson(words.start_lesson); !known)
      return complain(world_failed, "--lesson: " + known.error());
  }
  launch.file = words.scene_file;
  launch.kept = scene::window_files(scene::state_file());
  launch.message = launch.kept.message;
  const bool requested = !words.scene_file.empty() || !words.scene_model.empty() || !words.sets.empty() ||
                         !words.start_lesson.empty() || words.welcome;
  launch.first_start =
      words.first_start || (!requested && FirstStart::due(launch.kept, scene::state_folder()));
  launch.as_left = !requested && !launch.first_start;
  if (words.scene_file.empty()) {
    scene::Restored restored = scene::restore(launch.kept);
    launch.scene = std::move(restored.scene);
    launch.message = std::move(restored.message);
  }
  if (const auto failure = open_scene(words, launch.scene, &launch.given))
    return complain(failure->status, failure->message);
  launch.lesson = words.start_lesson;
  launch.lecturer = words.lecturer;
  const base::StopSignals signals([](int) { screen::Window::wake(); }, leave_at_once);
  return run_window(launch);
}

int describe_scene(const Words& words) {
  scene::Scene scene;
  int keys = 0;
  if (!read_number(words.keys, keys) || keys < 1) {
    return complain(words_wrong,
                    "--keys: " + scene::in_quotes(words.keys) + " is not a positive whole number");
  }
  if (const auto failure = open_scene(words, scene)) return complain(failure->status, failure->message);
  if (const auto failure = check_weights(scene)) return complain(failure->status, failure->message);
  std::string remark;
  const auto text = describe(scene, keys, remark, words.measure);
  if (!text) return complain(world_failed, text.error());
  note(remark);
  return say(*text);
}

int list(const Words& words, const std::string& text) {
  scene::Scene scene;
  if (const auto failure = open_scene(words, scene)) return complain(failure->status, failure->message);
  return say(text);
}

std::string page_names() {
  std::string text;
  for (const char* name : scene::Words<scene::Page>::list) text += std::string(name) + "\n";
  return text;
}

int play_lesson(const Words& words) {
  if (words.request.name.empty())
    return complain(words_wrong,
                    "lesson requires a name, a number or a file; `headlight lessons` lists them");
  if (const auto known = known_lesson(words.request.name); !known)
    return complain(world_failed, known.error());
  if (words.check) {
    const auto found = check_lesson(words.request.name);
    if (!found) return complain(world_failed, found.error());
    const bool holds = found->problems.empty();
    const int stated = say((holds ? "every number and claim holds\n" : found->problems) + found->advice);
    return stated == done && !holds ? world_failed : stated;
  }
  if (words.handout) {
    const auto text = lesson_handout(words.request.name);
    return text ? say(*text) : complain(world_failed, text.error());
  }
  if (words.out.empty())
    return complain(words_wrong, "lesson requires --out FILE (.png), --handout or --check");
  scene::Scene look;
  RenderOptions options;
  if (const auto failure = read_picture(words, options)) return complain(failure->status, failure->message);
  if (const auto failure = open_scene(words, look)) return complain(failure->status, failure->message);
  if (const auto failure = set_option(look, "theme", words.theme))
    return complain(failure->status, failure->message);
  const base::Status status = render_lesson(words.request, look, options);
  return status ? done : complain(world_failed, status.error());
}

}  // namespace headlight::app
