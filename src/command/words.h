// The arguments of the command line, and the steps that every command begins with. For command_line.cpp and
// words_*.cpp only.
#pragma once

#include <charconv>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "app/render.h"
#include "base/result.h"
#include "command/lesson_command.h"
#include "scene/scene.h"
#include "scene/settings.h"

namespace headlight::app {

inline constexpr int done = 0, world_failed = 1, words_wrong = 2;  // exit statuses

/// The arguments before they are interpreted.
struct Words {
  std::string scene_file, scene_model;
  std::vector<std::string> sets;
  std::string page, size = "1600x1000", scale = "1", theme, out, what, keys = "5";
  bool json = false, lecturer = false, welcome = false, first_start = false, share = false, measure = false;
  // of render, export and animate
  std::string panel, present, width_mm, without, frames = "50", fps = "25";
  bool sized = false, transparent = false, square = false, list = false, has_without = false;
  // of lesson
  std::string start_lesson;
  LessonRequest request;
  bool check = false, handout = false, quantities = false;
  // of train
  std::string task, like, seed, steps, file, first_sentence, look_at;
  std::vector<std::string> first;
  bool resume = false, keep_run = false, prune = false, float16 = false;
  // of model, next and generate
  std::string model, prompt, ids;
  bool has_prompt = false, has_ids = false;  // true even if they are empty
  std::string top = "10", tokens = "60", temperature, top_k = "0", top_p = "1";
  // of attention, compare and export --attention
  std::vector<std::string> attention;
  std::string entry, token_file, sequence, tolerance;
  bool any_rows = false;
};

/// An exit status and its message.
struct Failure {
  int status;
  std::string message;
};

/// Prints "headlight: MESSAGE" and returns the status.
int complain(int status, const std::string& message);
/// Prints an answer on standard output.
int say(const std::string& text);
/// The same for an answer that may be an error; prints nothing for an empty one.
int answer(const base::Result<std::string>& text);
void note(const std::string& text);

/// Applies --set in order. Rules between fields are checked when all are set; the error names the last --set
/// concerned.
std::optional<Failure> apply(const std::vector<std::string>& sets, scene::Scene& scene);
/// Adds what every --set gives to its setting; the last one counts.
void give(const std::vector<std::string>& sets, std::vector<scene::Given>& given);
/// The scene of a command: from the file, or the defaults, with every --set, on the page of --page. Notes
/// what it chooses that does not exist. `given` gets the settings that the file and the options give.
/// `for_its_model`: token ids are those of the model that the command opens itself.
std::optional<Failure> open_scene(const Words& words, scene::Scene& scene,
                                  std::vector<scene::Given>* given = nullptr, bool for_its_model = false);
/// An error if the scene's weights come from a file that cannot be used, for commands whose answer is
/// numbers.
std::optional<Failure> check_weights(const scene::Scene& scene);
/// The text that a command gives to a model of another program.
struct ModelInput {
  scene::Scene scene;  // from the file, or the defaults, with this text as its sentence or token_ids
  bool given = false;  // there was a text; else it is the default one
};
/// Reads the text from --ids, --prompt, --set token_ids, --set sentence or SCENE.json. Errors: two of these,
/// unless the second only changes the file; --set of a name that is not in `settings`.
std::optional<Failure> read_input(const Words& words, const std::vector<std::string>& settings,
                                  ModelInput& input);
/// An error for SCENE.json or --set with a command that does not use them.
std::optional<Failure> no_scene(const Words& words);
/// Sets the field `option` like --set, with the option's name in the error.
std::optional<Failure> set_option(scene::Scene& scene, const std::string& option, const std::string& value);
std::optional<Failure> check_ending(const std::string& out, std::initializer_list<const char*> endings);
/// Reads --size, --scale, --panel, … and, for read_picture, the file.
std::optional<Failure> read_look(const Words& words, RenderOptions& options);
std::optional<Failure> read_picture(const Words& words, RenderOptions& options);

// Commands that make figures and files of numbers (words_figures.cpp).
int render(const Words& words);
int export_numbers(const Words& words);
int save_scene(const Words& words);
int animate_page(const Words& words);
extern const char* const render_notes;
extern const char* const export_notes;
extern const char* const scene_notes;
extern const char* const animate_notes;

/// Removes half-written files and exits. Called from another thread than the one that writes.
[[noreturn]] void leave_at_once(int signal);

// Commands about trained models (words_train.cpp).
int train_model(const Words& words);
int measure_model(const Words& words);
extern const char* const train_notes;
extern const char* const measure_notes;

// Commands about other people's models (words_models.cpp).
int show_model(const Words& words);
int next_token(const Words& words);
int generate(const Words& words);
int export_of_model(const Words& words);
extern const char* const model_notes;
extern const char* const next_notes;
extern const char* const generate_notes;

// Commands about saved attention (words_dumps.cpp).
int show_attention(const Words& words);
int export_attention(const Words& words);
int compare_attention(const Words& words);
extern const char* const attention_notes;
extern const char* const compare_notes;

template <class Number>
bool read_number(const std::string& text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end;
}

}  // namespace headlight::app
