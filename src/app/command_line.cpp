#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <functional>
#include <new>
#include <optional>

#include "app/commands.h"
#include "app/render.h"
#include "app/window_app.h"
#include "scene/nearest.h"
#include "scene/settings.h"
#include "scene/store.h"

namespace headlight::app {

namespace {

constexpr int done = 0, world_failed = 1, words_wrong = 2;
constexpr int smallest_side = 64, largest_side = 16384;  // pixels of a picture
constexpr double smallest_scale = 0.25, largest_scale = 8;

/// What was said, before it is understood.
struct Words {
  std::string scene_file;
  std::vector<std::string> sets;
  std::string page, size = "1600x1000", scale = "1", theme, out, what, keys = "5";
  bool json = false;
};

/// An exit status and the line that goes with it.
struct Failure {
  int status;
  std::string message;
};

/// One line whatever the message holds: a file name may have line breaks in it.
int complain(int status, const std::string& message) {
  std::string line;
  for (const char c : message) line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  std::fprintf(stderr, "headlight: %s\n", line.c_str());
  return status;
}

int say(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return done;
  return complain(world_failed, std::string("cannot write to standard output: ") + std::strerror(errno));
}

void note(const std::string& text) {
  if (!text.empty()) complain(done, "note: " + text);
}

/// Applies --set in order; rules between fields are checked when all are in place and blamed on the last of
/// those concerned.
std::optional<Failure> apply(const std::vector<std::string>& sets, scene::Scene& scene) {
  std::string blamed;
  for (const std::string& assignment : sets) {
    if (const base::Status status = scene::set_field(scene, assignment); !status) {
      return Failure{words_wrong, "--set: " + status.error()};
    }
    const std::string name = assignment.substr(0, assignment.find('='));
    if (name == "heads" || name == "d_model" || name == "head") blamed = "--set " + assignment + ": ";
  }
  if (const base::Status status = scene::check(scene); !status)
    return Failure{words_wrong, blamed + status.error()};
  scene::repair(scene);
  return std::nullopt;
}

/// The scene of a command: the file, or the defaults, with every --set.
std::optional<Failure> open_scene(const Words& words, scene::Scene& scene) {
  if (!words.scene_file.empty()) {
    base::Result<scene::Scene> loaded = scene::load(words.scene_file);
    if (!loaded) return Failure{world_failed, loaded.error()};
    scene = std::move(*loaded);
  }
  return apply(words.sets, scene);
}

int open_window(const Words& words) {
  LaunchOptions launch;
  launch.file = words.scene_file;
  if (words.scene_file.empty()) {
    scene::Restored restored = scene::restore(scene::state_file());
    launch.scene = std::move(restored.scene);
    launch.message = std::move(restored.message);
  }
  if (const auto failure = open_scene(words, launch.scene))
    return complain(failure->status, failure->message);
  return run_window(launch);
}

template <class Number>
bool read_number(const std::string& text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end;
}

bool read_size(const std::string& text, RenderOptions& options) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) return false;
  return read_number(text.substr(0, cross), options.width) &&
         read_number(text.substr(cross + 1), options.height);
}

std::optional<Failure> check_ending(const std::string& out, std::initializer_list<const char*> endings) {
  const std::string ending = std::filesystem::path(out).extension().string();
  std::string all;
  for (const char* one : endings) {
    if (ending == one) return std::nullopt;
    all += (all.empty() ? "" : one == *(endings.end() - 1) ? " or " : ", ") + std::string(one);
  }
  return Failure{words_wrong, "--out " + out + ": the ending decides the format: " + all};
}

/// Sets the field `option` as --set would, with the option's name in the error.
std::optional<Failure> set_option(scene::Scene& scene, const std::string& option, const std::string& value) {
  if (value.empty()) return std::nullopt;
  const base::Status status = scene::set_field(scene, option + "=" + value);
  if (!status) return Failure{words_wrong, "--" + status.error()};
  return std::nullopt;
}

std::optional<Failure> read_picture(const Words& words, RenderOptions& options) {
  if (words.out.empty()) return Failure{words_wrong, "render needs --out FILE (.png, .svg or .pdf)"};
  options.out = words.out;
  if (auto failure = check_ending(words.out, {".png", ".svg", ".pdf"})) return failure;
  if (!read_size(words.size, options)) {
    return Failure{words_wrong,
                   "--size: " + scene::in_quotes(words.size) + " is not WIDTHxHEIGHT, such as 1600x1000"};
  }
  if (!read_number(words.scale, options.scale) ||
      !(options.scale >= smallest_scale && options.scale <= largest_scale)) {
    return Failure{words_wrong,
                   "--scale: " + scene::in_quotes(words.scale) + " is not a number from 0.25 to 8"};
  }
  for (const int side : {options.width, options.height}) {
    const double pixels = side * options.scale;
    if (side < smallest_side || pixels > largest_side) {
      return Failure{words_wrong, "--size: " + words.size + " is out of range, each side " +
                                      std::to_string(smallest_side) + " to " +
                                      std::to_string(static_cast<int>(largest_side / options.scale)) +
                                      " at this --scale"};
    }
  }
  return std::nullopt;
}

int render(const Words& words) {
  scene::Scene scene;
  RenderOptions options;
  if (const auto failure = read_picture(words, options)) return complain(failure->status, failure->message);
  if (const auto failure = open_scene(words, scene)) return complain(failure->status, failure->message);
  if (const auto failure = set_option(scene, "page", words.page))
    return complain(failure->status, failure->message);
  if (const auto failure = set_option(scene, "theme", words.theme))
    return complain(failure->status, failure->message);
  options.page = scene.page;
  const base::Status status = render_page(scene, options);
  return status ? done : complain(world_failed, status.error());
}

int export_numbers(const Words& words) {
  const std::vector<std::string>& names = export_names();
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  if (words.what.empty()) return complain(words_wrong, "export needs --what, one of " + all);
  if (std::find(names.begin(), names.end(), words.what) == names.end()) {
    return complain(words_wrong, "--what: " + scene::in_quotes(words.what) + " is none of " + all +
                                     scene::did_you_mean(words.what, names));
  }
  if (words.out.empty()) return complain(words_wrong, "export needs --out FILE (.npy, .csv or .json)");
  if (const auto failure = check_ending(words.out, {".npy", ".csv", ".json"})) {
    return complain(failure->status, failure->message);
  }
  scene::Scene scene;
  if (const auto failure = open_scene(words, scene)) return complain(failure->status, failure->message);
  std::string remark;
  const base::Status status = export_tensor(scene, words.what, words.out, remark);
  if (!status) return complain(world_failed, status.error());
  note(remark);
  return done;
}

int describe_scene(const Words& words) {
  scene::Scene scene;
  int keys = 0;
  if (!read_number(words.keys, keys) || keys < 1) {
    return complain(words_wrong,
                    "--keys: " + scene::in_quotes(words.keys) + " is not a whole number from 1 on");
  }
  if (const auto failure = open_scene(words, scene)) return complain(failure->status, failure->message);
  std::string remark;
  const std::string text = describe(scene, keys, remark);
  note(remark);
  return say(text);
}

/// Answers that do not depend on a scene still check it: a wrong --set is wrong everywhere.
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

constexpr const char* about =
    "A laboratory for self-attention and positional encoding.\n"
    "Without a command the window opens, with SCENE.json or as it was left last time.";
constexpr const char* examples =
    "Every command takes SCENE.json and --set too, and starts from the defaults without a file:\n"
    "  headlight render --page attention --size 1600x1000 --scale 2 --theme light --out map.png\n"
    "  headlight export --what weights --set heads=8 --set mask=causal --out weights.npy\n"
    "  headlight describe --set \"sentence=the cat sat on the mat\" --set head=1\n"
    "`headlight fields` lists every setting. Exit status: 0 done, 1 a file or picture failed, 2 wrong words.";
constexpr const char* export_layout =
    "Shapes: weights and scores (layers = 1, heads, queries, keys); q, k and v (layers = 1, heads, tokens, "
    "d_k);\n"
    "output (tokens, d_model); positions (positions, d_model). Scores are scaled, before the mask.\n"
    "  .npy   NumPy 1.0, float32, C order\n"
    "  .csv   two axes: a plain grid without headings; four: layer,head,query,key,value (q, k, v:\n"
    "         layer,head,token,component,value), one number a line, counted from 0\n"
    "  .json  {\"name\", \"shape\", \"data\": nested lists, \"tokens\"}; NaN and infinities are null\n"
    "All heads are written. Every command takes SCENE.json and --set; see `headlight --help`.";
constexpr const char* common = "Every command takes SCENE.json and --set name=value; see `headlight --help`.";

class CommandLine {
 public:
  CommandLine() : app_(about, "headlight") {
    app_.footer(examples);
    app_.set_version_flag("--version", std::string("headlight ") + HEADLIGHT_VERSION, "Print the version");
    app_.add_option("scene", words_.scene_file, "a saved scene")
        ->type_name("SCENE.json")
        ->allow_extra_args(false);
    app_.add_option("--set", words_.sets, "change a setting; repeatable, applied in order after the file")
        ->type_name("name=value")
        ->allow_extra_args(false);
    add("render", "write a page as a picture", common, [this] { return render(words_); });
    command_->add_option("--page", words_.page, "the page; default: the scene's")->type_name("PAGE");
    command_->add_option("--size", words_.size, "width and height at scale 1")
        ->type_name("WxH")
        ->capture_default_str();
    command_->add_option("--scale", words_.scale, "pixels for each unit, 0.25 to 8")
        ->type_name("N")
        ->capture_default_str();
    command_->add_option("--theme", words_.theme, "dark or light; default: the scene's")->type_name("THEME");
    command_->add_option("--out", words_.out, "the picture: .png, .svg or .pdf")->type_name("FILE");
    add("export", "write numbers as .npy, .csv or .json", export_layout,
        [this] { return export_numbers(words_); });
    command_->add_option("--what", words_.what, "weights, scores, q, k, v, output or positions")
        ->type_name("NAME");
    command_->add_option("--out", words_.out, "the file; its ending decides the format")->type_name("FILE");
    add("describe", "print every query's strongest keys", common, [this] { return describe_scene(words_); });
    command_->add_option("--keys", words_.keys, "keys for each query")->type_name("N")->capture_default_str();
    add("pages", "list the pages", common, [this] { return list(words_, page_names()); });
    add("fields", "list the settings", common,
        [this] { return list(words_, scene::describe_fields(words_.json)); });
    command_->add_flag("--json", words_.json, "as JSON");
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return say(app_.help());
    } catch (const CLI::CallForVersion& version) {
      return say(std::string(version.what()) + "\n");
    } catch (const CLI::ParseError& error) {
      return complain(words_wrong, in_our_words(error.what()));
    }
    if (const auto problem = leftovers()) return complain(words_wrong, *problem);
    for (const auto& [command, action] : actions_) {
      if (command->parsed()) return action();
    }
    return open_window(words_);
  }

 private:
  void add(const char* name, const char* about_it, const char* footer, std::function<int()> action) {
    command_ = app_.add_subcommand(name, about_it);
    command_->footer(footer);
    command_->fallthrough();
    command_->allow_extras();
    app_.allow_extras();
    app_.require_subcommand(0, 1);
    actions_.emplace_back(command_, std::move(action));
    names_.emplace_back(name);
  }

  bool has_command() const {
    return std::any_of(actions_.begin(), actions_.end(),
                       [](const auto& action) { return action.first->parsed(); });
  }

  /// The library says "--set: 1 required name=value missing" and "--out: At Most 1 required but received 2".
  static std::string in_our_words(std::string message) {
    const std::string missing = ": 1 required ", end = " missing", twice = ": At Most 1 required";
    if (const std::size_t at = message.find(twice); at != std::string::npos) {
      return message.substr(0, at) + " may be given only once";
    }
    const std::size_t at = message.find(missing);
    if (at == std::string::npos || message.size() < at + missing.size() + end.size()) return message;
    message.erase(message.size() - end.size());
    return message.replace(at, missing.size(), " needs ");
  }

  /// A word that is neither a command nor a scene, or an option that nobody knows.
  std::optional<std::string> leftovers() const {
    std::vector<std::string> extras = app_.remaining(true);
    extras.erase(std::remove(extras.begin(), extras.end(), "--"), extras.end());
    for (const std::string& extra : extras) {
      if (extra.empty() || extra[0] != '-') continue;
      const std::string option = extra.substr(0, extra.find('='));
      return "unknown option " + scene::in_quotes(option) + scene::did_you_mean(option, options());
    }
    // A mistyped command is taken for a scene file that is not there.
    const std::string& file = words_.scene_file;
    std::error_code ignored;
    if (!has_command() && !file.empty() && file.find_first_of("./") == std::string::npos &&
        !std::filesystem::exists(file, ignored)) {
      const std::string suggestion = scene::did_you_mean(file, names_);
      return scene::in_quotes(file) + " is neither a command nor a file" + suggestion;
    }
    if (!extras.empty()) return "one scene at most; what is " + scene::in_quotes(extras.front()) + "?";
    return std::nullopt;
  }

  std::vector<std::string> options() const {
    std::vector<std::string> names;
    auto collect = [&](const CLI::App& app) {
      for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      }
    };
    for (const auto& [command, action] : actions_) {
      if (command->parsed()) collect(*command);
    }
    collect(app_);
    return names;
  }

  Words words_;
  CLI::App app_;
  CLI::App* command_ = nullptr;  // the one being described
  std::vector<std::pair<CLI::App*, std::function<int()>>> actions_;
  std::vector<std::string> names_;
};

}  // namespace

int run_command_line(int argc, char** argv) {
  try {
    return CommandLine().run(argc, argv);
  } catch (const std::bad_alloc&) {
    return complain(world_failed, "out of memory");
  } catch (const std::exception& error) {
    return complain(world_failed, error.what());
  }
}

}  // namespace headlight::app
