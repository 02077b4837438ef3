#include "command/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <optional>

#include "base/caught.h"
#include "base/stop_signals.h"
#include "command/commands.h"
#include "command/scene_commands.h"
#include "command/words.h"
#include "pages/earlier_names.h"
#include "pages/quantities.h"
#include "scene/model_file.h"
#include "scene/nearest.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::app {

namespace {

constexpr const char* about =
    "A laboratory for self-attention and positional encoding.\n"
    "Without a command, the window opens with SCENE.json, a model folder or the last scene.";
constexpr const char* examples =
    "Commands that show, export or train also take SCENE.json and --set. "
    "Without a file they start from the defaults:\n"
    "  headlight render --page attention --size 1600x1000 --scale 2 --theme light --out map.png\n"
    "  headlight export --what weights --set heads=8 --set mask=causal --out weights.npy\n"
    "  headlight describe --set \"sentence=the cat sat on the mat\" --set head=1\n"
    "  headlight render --model gpt2 --set weights_layer=5 --set head=2 --out head.png\n"
    "Of the settings, next, generate, compare and export --model use sentence and token_ids, "
    "next and generate also model_off; model, attention, export --attention and measure use none.\n"
    "`headlight fields` lists every setting. "
    "Exit status: 0 success, 1 a file or picture failed, 2 invalid arguments.";
constexpr const char* lesson_notes =
    "  headlight lesson clocks --step 3 --out step.png\n"
    "  headlight lesson clocks --handout > clocks.md\n"
    "  headlight lesson mine.json --check\n"
    "docs/lessons.md explains how to write a lesson.";
constexpr const char* common = "This command takes SCENE.json and --set name=value; see `headlight --help`.";

/// Refuses an empty name, which would mean the same as no option.
std::string named(const std::string& stated) {
  return stated.empty() ? "the name is missing" : std::string();
}

class CommandLine {
 public:
  CommandLine() : app_(about, "headlight") {
    common_options();
    render_command();
    export_command();
    animate_command();
    describe_command();
    scene_command();
    train_command();
    measure_command();
    lesson_of_window();
    lessons_command();
    lesson_command();
    model_command();
    next_command();
    generate_command();
    attention_command();
    compare_command();
    pages_command();
    quantities_command();
    fields_command();
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
      if (!command->parsed()) continue;
      if (!words_.start_lesson.empty() || words_.lecturer) {
        return complain(
            words_wrong,
            "--lesson opens a lesson in the window; `headlight lesson NAME` writes and checks one");
      }
      const scene::ModelsOnce models;
      const scene::UseModels at_hand(&models);
      if (command->get_name() == "train") return action();  // it saves before it ends
      const base::StopSignals signals(leave_at_once, leave_at_once);
      return action();
    }
    return open_window(words_);
  }

 private:
  /// Options of the window and of every command.
  void common_options() {
    app_.footer(examples);
    app_.set_version_flag("--version", std::string("headlight ") + HEADLIGHT_VERSION, "Print the version");
    app_.add_option("scene", words_.scene_file, "a saved scene, or a model: a folder or a file of it")
        ->type_name("SCENE.json")
        ->allow_extra_args(false);
    app_.add_option(
            "--model", words_.scene_model,
            "the weights: random, an included model, or a folder or file; as --set model=PATH, and with "
            "a guided model its guided head")
        ->type_name("PATH");
    app_.add_flag("--welcome", words_.welcome, "open the scene of the first start");
    app_.add_flag("--first-start", words_.first_start,
                  "start as at the first start: one sentence, one beam; with render: its picture");
    app_.add_option("--set", words_.sets, "change a setting; repeatable, applied in order after the file")
        ->type_name("name=value")
        ->allow_extra_args(false);
  }

  void render_command() {
    add("render", "write a page or one of its cards as a picture", render_notes,
        [this] { return render(words_); });
    command_->add_option("--page", words_.page, "the page; default: the scene’s")
        ->type_name("PAGE")
        ->check(named);
    picture_options("the picture: .png, .svg or .pdf");
    figure_options();
    card_option("--present", words_.present, "one card as a slide, for a lecture hall");
    command_->add_flag("--share", words_.share,
                       "one sentence, one beam and one line, 1200x630 unless --size");
    command_->add_flag(
        "--list-panels", words_.list,
        "print the names and titles of the page’s cards, and which of them --present cannot show");
  }

  void export_command() {
    add("export", "write numbers as .npy, .npz, .csv or .json", export_notes,
        [this] { return export_numbers(words_); });
    command_
        ->add_option("--what", words_.what,
                     "a table: weights, scores, q, k, v, output, positions, …; or a quantity: \"entropy "
                     "head=2\"; \"quantity NAME\" where a table has that name")
        ->type_name("NAME");
    card_option("--panel", words_.panel, "all tables of this card");
    command_->add_option("--page", words_.page, "all tables of this page; with --panel, the card’s page")
        ->type_name("PAGE")
        ->check(named);
    command_->add_flag("--measure", words_.measure, "Cost page: also measure the times");
    command_->add_flag("--list", words_.list, "print all tables; with --model, its arrays");
    command_->add_option("--model", words_.model, "a model from another program, whose arrays are written")
        ->type_name("PATH");
    command_->add_option("--out", words_.out, "the file; its extension determines the format")
        ->type_name("FILE");
    attention_options("attention that another program has saved");
  }

  void animate_command() {
    add("animate", "write the running clocks or the training film as .gif or numbered .png", animate_notes,
        [this] { return animate_page(words_); });
    command_->add_option("--what", words_.what, "clocks or film")->type_name("NAME");
    picture_options("the animation: .gif or .png");
    figure_options();
    command_->add_option("--frames", words_.frames, "number of frames, 2 to 2000")
        ->type_name("N")
        ->capture_default_str();
    command_->add_option("--fps", words_.fps, "frames per second, 1 to 50")
        ->type_name("N")
        ->capture_default_str();
  }

  void describe_command() {
    add("describe", "print a page as text", common, [this] { return describe_scene(words_); });
    command_->add_option("--page", words_.page, "the page; default: the scene’s")
        ->type_name("PAGE")
        ->check(named);
    command_->add_flag("--measure", words_.measure,
                       "Cost page: measure the times; Training page: train the run first");
    command_->add_option("--keys", words_.keys, "keys per query")->type_name("N")->capture_default_str();
  }

  void scene_command() {
    add("scene", "save the scene, to open it later or on another computer", scene_notes,
        [this] { return save_scene(words_); });
    command_->add_option("--page", words_.page, "the page; default: the scene’s")
        ->type_name("PAGE")
        ->check(named);
    command_->add_option("--out", words_.out, "the file: .json, or .zip with the model in it")
        ->type_name("FILE");
  }

  void train_command() {
    add("train", "train a model without the window; --set training_… defines it", train_notes,
        [this] { return train_model(words_); });
    command_->add_option("--task", words_.task, "two_relations, reverse, induction, english, pronouns, text")
        ->type_name("NAME");
    command_->add_option("--like", words_.like, "train with the settings of this model")->type_name("FILE");
    command_->add_flag("--prune", words_.prune, "also print the score with heads removed");
    command_->add_option("--seed", words_.seed, "seed of weights and batches")->type_name("N");
    command_->add_option("--steps", words_.steps, "number of weight updates")->type_name("N");
    command_
        ->add_option("--file", words_.file,
                     "text for the task `text`: a file, or a folder of .txt and .md files")
        ->type_name("FILE");
    command_->add_option("--out", words_.out, "the model: .safetensors")->type_name("FILE");
    command_->add_flag("--resume", words_.resume, "continue the run in the file");
    command_->add_flag("--keep-run", words_.keep_run, "also keep at the end what --resume needs");
    command_->add_flag("--float16", words_.float16, "store the weights of the model as float16");
    command_->add_option("--sentence", words_.first_sentence, "stored with the model: what to look at first")
        ->type_name("TEXT");
    command_->add_option("--look-at", words_.look_at, "stored with the model: what it shows")
        ->type_name("TEXT");
    command_
        ->add_option("--first", words_.first, "stored with the model: a setting that shows it; repeatable")
        ->type_name("name=value")
        ->allow_extra_args(false);
  }

  void measure_command() {
    add("measure", "measure a trained model: score, roles of heads, other lengths, heads removed",
        measure_notes, [this] { return measure_model(words_); });
    command_->add_option("model", words_.like, "name of an included model, or a .safetensors file")
        ->type_name("MODEL");
    command_->add_option("--file", words_.file, "the text on which it was trained: a file or a folder")
        ->type_name("FILE");
  }

  void lesson_of_window() {
    app_.add_option("--lesson", words_.start_lesson, "open this lesson: name, number or file")
        ->type_name("NAME");
    app_.add_flag(
        "--lecturer", words_.lecturer,
        "with --lesson: open the lecturer’s window too, on one screen as well (for sharing one window)");
  }

  void lessons_command() {
    add("lessons", "list the lessons", common, [this] {
      return list(words_, words_.quantities ? scene::describe_quantities({}, false) : lessons_text());
    });
    command_->add_flag("--figures", words_.quantities,
                       "list the quantities that a lesson can name, not the lessons");
  }

  void lesson_command() {
    add("lesson", "write a lesson as a handout or a step as a picture, or check a lesson", lesson_notes,
        [this] { return play_lesson(words_); });
    command_->add_option("name", words_.request.name, "the lesson: name, number or file")->type_name("NAME");
    command_->add_option("--step", words_.request.step, "counted from 1; default: the first")->type_name("N");
    command_->add_flag("--revealed", words_.request.revealed, "the step after Space");
    command_->add_flag("--notes", words_.request.notes, "include the lecturer’s notes");
    command_->add_flag("--lecturer", words_.request.lecturer, "the lecturer’s window instead of the slide");
    command_->add_flag("--handout", words_.handout,
                       "print the words, answers and notes of every step as Markdown");
    command_->add_flag("--check", words_.check,
                       "check every number and claim, and print those that do not hold");
    picture_options("the picture: .png");
  }

  void model_command() {
    add("model", "describe a model from another program or from Headlight", model_notes,
        [this] { return show_model(words_); });
    command_->add_option("path", words_.model, "a model folder or file")->type_name("PATH");
  }

  void next_command() {
    add("next", "list the next tokens that a model from another program predicts", next_notes,
        [this] { return next_token(words_); });
    model_options();
    command_->add_flag("--json", words_.json, "as JSON");
    command_->add_option("--top", words_.top, "number of tokens to list")
        ->type_name("N")
        ->capture_default_str();
    command_
        ->add_option("--temperature", words_.temperature,
                     "temperature of the softmax over the vocabulary; default: 1")
        ->type_name("T");
    cut_options();
  }

  void generate_command() {
    add("generate", "continue a text with a model from another program", generate_notes,
        [this] { return generate(words_); });
    model_options();
    command_->add_option("--prompt", words_.prompt, "the text to continue")
        ->type_name("TEXT")
        ->each([this](const std::string&) { words_.has_prompt = true; });
    command_->add_option("--tokens", words_.tokens, "maximum number of tokens to add")
        ->type_name("N")
        ->capture_default_str();
    command_->add_option("--temperature", words_.temperature, "0: always the most probable token; default: 0")
        ->type_name("T");
    cut_options();
    command_->add_option("--seed", words_.seed, "seed of the samples; default: 1")->type_name("N");
  }

  void attention_command() {
    add("attention", "describe a file of saved attention", attention_notes,
        [this] { return show_attention(words_); });
    command_->add_option("file", words_.attention, "an .npy, .npz, .safetensors or .pt file")
        ->type_name("FILE");
    reading_options();
    command_->add_flag("--json", words_.json, "as JSON");
  }

  void compare_command() {
    add("compare", "compare saved attention with a model, or with another file", compare_notes,
        [this] { return compare_attention(words_); });
    model_options();
    attention_options("attention that another program has saved; twice: two of them");
    command_->add_option("--tolerance", words_.tolerance, "what counts as rounding")->type_name("X");
    command_->add_flag("--json", words_.json, "as JSON");
  }

  void pages_command() {
    add("pages", "list the pages", common, [this] { return list(words_, page_names()); });
  }

  void quantities_command() {
    add("quantities", "list the numbers that lessons, claims and `export --what` can name", common, [this] {
      scene::Scene scene;
      if (const auto failure = set_option(scene, "page", words_.page))
        return complain(failure->status, failure->message);
      return list(words_, scene::describe_quantities(
                              words_.page.empty() ? std::nullopt : std::optional(scene.page), words_.json));
    });
    command_->add_option("--page", words_.page, "only those of this page")->type_name("PAGE")->check(named);
    command_->add_flag("--json", words_.json, "as JSON");
  }

  void fields_command() {
    add("fields", "list the settings", common,
        [this] { return list(words_, scene::describe_fields(words_.json)); });
    command_->add_flag("--json", words_.json, "as JSON");
  }

  void cut_options() {
    command_->add_option("--top-k", words_.top_k, "sample from the K most probable tokens; 0: from all")
        ->type_name("K")
        ->capture_default_str();
    command_->add_option("--top-p", words_.top_p, "sample from the smallest set with total probability P")
        ->type_name("P")
        ->capture_default_str();
  }
  void model_options() {
    command_->add_option("--model", words_.model, "a model folder or file")->type_name("PATH");
    command_->add_option("--ids", words_.ids, "token ids instead of a text: 5,17,2")
        ->type_name("LIST")
        ->each([this](const std::string&) { words_.has_ids = true; });
  }

  /// Options for reading a file of saved attention.
  void reading_options() {
    command_
        ->add_option("--entry", words_.entry,
                     "the array in the file, or the series of arrays; default: attention")
        ->type_name("NAME");
    command_
        ->add_option("--tokens", words_.token_file,
                     "a file of tokens, or none; default: the tokens stored with the attention")
        ->type_name("FILE");
    command_->add_flag("--any-rows", words_.any_rows, "accept rows that do not sum to 1");
  }
  void attention_options(const char* about_it) {
    command_->add_option("--attention", words_.attention, about_it)
        ->type_name("FILE")
        ->allow_extra_args(false);
    command_->add_option("--sequence", words_.sequence, "sequence of the batch, counted from 0")
        ->type_name("N");
    reading_options();
  }

  /// Takes a former name of the card, too.
  void card_option(const char* name, std::string& card, const char* about_it) {
    command_->add_option(name, card, about_it)
        ->type_name("NAME")
        ->transform([](const std::string& stated) { return scene::card_name_now(stated); })
        ->check(named);
  }

  /// Options that make a figure different from the window.
  void figure_options() {
    card_option("--panel", words_.panel, "one card of the page");
    command_->add_flag("--transparent", words_.transparent, "transparent, without background and cards");
    command_
        ->add_option("--without", words_.without,
                     "parts of a card to leave out: frame, title, selection (frames and colours of pinned "
                     "items), hints (notes); separated by commas")
        ->type_name("PARTS")
        ->each([this](const std::string&) { words_.has_without = true; });
    command_->add_flag("--square", words_.square,
                       "square cells of a card’s matrices; its height follows from them");
    command_->add_option("--width-mm", words_.width_mm, "printed width; text is sized to be readable at it")
        ->type_name("MM");
  }

  void picture_options(const char* out) {
    command_->add_option("--size", words_.size, "width and height at scale 1")
        ->type_name("WxH")
        ->capture_default_str()
        ->each([this](const std::string&) { words_.sized = true; });
    command_->add_option("--scale", words_.scale, "pixels per unit, 0.25 to 8")
        ->type_name("N")
        ->capture_default_str();
    command_->add_option("--theme", words_.theme, "dark or light; default: the scene’s")->type_name("THEME");
    command_->add_option("--out", words_.out, out)->type_name("FILE");
  }

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

  /// Rewrites the library's messages, "--set: 1 required name=value missing" and "--out: At Most 1 required
  /// but received 2".
  static std::string in_our_words(std::string message) {
    const std::string missing = ": 1 required ", end = " missing", twice = ": At Most 1 required";
    if (const std::size_t at = message.find(twice); at != std::string::npos) {
      return message.substr(0, at) + " can be given only once";
    }
    const std::size_t at = message.find(missing);
    if (at == std::string::npos || message.size() < at + missing.size() + end.size()) return message;
    message.erase(message.size() - end.size());
    return message.replace(at, missing.size(), " needs ");
  }

  /// Reports a word that is neither a command nor a scene, or an unknown option.
  std::optional<std::string> leftovers() const {
    std::vector<std::string> extras = app_.remaining(true);
    extras.erase(std::remove(extras.begin(), extras.end(), "--"), extras.end());
    for (const std::string& extra : extras) {
      if (extra.empty() || extra[0] != '-') continue;
      const std::string option = extra.substr(0, extra.find('='));
      return "unknown option " + scene::in_quotes(option) + scene::did_you_mean(option, options());
    }
    // A mistyped command looks like a scene file that does not exist.
    const std::string& file = words_.scene_file;
    std::error_code ignored;
    if (!has_command() && !file.empty() && file.find_first_of("./") == std::string::npos &&
        !std::filesystem::exists(file, ignored)) {
      const std::string suggestion = scene::did_you_mean(file, names_);
      return scene::in_quotes(file) + " is neither a command nor a file" + suggestion;
    }
    if (!extras.empty())
      return "only one scene can be given; what is " + scene::in_quotes(extras.front()) + "?";
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
  CLI::App* command_ = nullptr;  // the command being described
  std::vector<std::pair<CLI::App*, std::function<int()>>> actions_;
  std::vector<std::string> names_;
};

}  // namespace

int run_command_line(int argc, char** argv) {
  // If a file may not become larger (ulimit -f), its write fails with a message, instead of ending the
  // program.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return CommandLine().run(argc, argv);
  } catch (...) {
    return complain(world_failed, base::caught_words());
  }
}

}  // namespace headlight::app
