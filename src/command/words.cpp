#include "command/words.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/one_line.h"
#include "base/trimmed.h"
#include "dumps/dump.h"
#include "io/descriptor.h"
#include "io/mistaken.h"
#include "models/opened_model.h"
#include "pages/compute.h"
#include "pages/missing.h"
#include "pages/page.h"
#include "scene/figure_scene.h"
#include "scene/layer_input.h"
#include "scene/nearest.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "session/model_list.h"

namespace headlight::app {

namespace {

std::string name_of(const std::string& assignment) {
  return assignment.substr(0, assignment.find('='));
}

/// Reports a text that no tokenizer can split: the model is given ids instead.
std::string unused_sentence(const scene::Scene& scene, const std::string& assignment) {
  if (!assignment.starts_with("sentence=") || scene.token_ids.empty()) return {};
  const auto other = scene::shown_other_model(scene);
  if (!other || other->tokenizer || !other->problem.empty()) return {};  // check_weights() reports it
  return "--set " + base::shortened(assignment) + ": not used: " + base::shortened(scene.weights_file) +
         " has no tokenizer beside it; its tokens are ids " + scene::get_field(scene, "token_ids");
}

Failure not_used(const std::string& name, const std::vector<std::string>& settings) {
  std::string all;
  for (const std::string& one : settings)
    all += (all.empty() ? "" : &one == &settings.back() ? " or " : ", ") + one;
  return {words_wrong,
          "--set " + scene::in_quotes(name) + ": with --model the model decides; " + all + " can be set"};
}

std::optional<Failure> read_ids(const Words& words, std::vector<int>& ids) {
  ids.clear();
  std::size_t from = 0;
  while (from <= words.ids.size()) {
    const std::size_t comma = std::min(words.ids.find(',', from), words.ids.size());
    int id = 0;
    if (!read_number(words.ids.substr(from, comma - from), id) || id < 0)
      return Failure{words_wrong,
                     "--ids: " + scene::in_quotes(words.ids) + " is not a list of token ids such as 5,17,2"};
    ids.push_back(id);
    from = comma + 1;
  }
  return std::nullopt;
}

/// Writes to standard output, which the caller may have made non-blocking: then this waits.
bool write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
      (void)::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<Failure> apply(const std::vector<std::string>& sets, scene::Scene& scene) {
  std::string blamed;
  for (const std::string& assignment : sets) {
    const scene::Scene before = scene;
    if (const base::Status status = scene::set_field(scene, assignment); !status) {
      return Failure{words_wrong, "--set: " + status.error()};
    }
    const std::string name = name_of(assignment);
    if (name == "weights" || name == "weights_file" || name == "model" || name == "attention") {
      scene::adopt_model(scene);
      // A given sentence is the one to use, even if the model cannot encode it.
      if (before.sentence != scene::Scene{}.sentence)
        scene.sentence = before.sentence, scene.token_ids = before.token_ids;
    } else if (const std::string kept = scene::kept_by_model(before, scene);
               !kept.empty() && !scene::chooses_of_model(name)) {
      return Failure{words_wrong, "--set " + base::shortened(assignment) + ": " + kept};
    }
    if (name == "heads" || name == "d_model") blamed = "--set " + base::shortened(assignment) + ": ";
  }
  if (const base::Status status = scene::check(scene); !status)
    return Failure{words_wrong, blamed + status.error()};
  scene::repair(scene);
  for (const std::string& assignment : sets) note(unused_sentence(scene, assignment));
  return std::nullopt;
}

void give(const std::vector<std::string>& sets, std::vector<scene::Given>& given) {
  for (const std::string& assignment : sets) {
    const std::string name = name_of(assignment);
    std::erase_if(given, [&](const scene::Given& one) { return one.first == name; });
    given.emplace_back(name, assignment.substr(std::min(name.size() + 1, assignment.size())));
  }
}

/// Prints one line whatever the message holds: a file name may have line breaks, or four thousand letters.
int complain(int status, const std::string& message) {
  std::fprintf(stderr, "headlight: %s\n", base::one_line(message).c_str());
  return status;
}

int say(const std::string& text) {
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  if (std::fflush(stdout) == 0 && write_out(terminal ? base::for_terminal(text) : text)) return done;
  return complain(world_failed, std::string("cannot write to standard output: ") + std::strerror(errno));
}

int answer(const base::Result<std::string>& text) {
  if (!text) return complain(world_failed, text.error());
  return text->empty() ? done : say(*text);
}

void note(const std::string& text) {
  if (!text.empty()) complain(done, "note: " + text);
}

namespace {

/// The model, and with an included guided one the guided head, as when it is chosen in the window.
std::vector<std::string> assignments_of_model(const std::string& model) {
  for (const char* name : scene::included_models()) {
    if (model == name) return included_model_settings(name);
  }
  return {"model=" + model};
}

}  // namespace

std::optional<Failure> open_scene(const Words& words, scene::Scene& scene,
                                  std::vector<scene::Given>* all_given, bool for_its_model) {
  std::string look_at, first;
  std::vector<scene::Given> given;
  if (words.welcome || words.first_start) {
    scene = scene::first_scene(look_at);
    first = scene.sentence;
  }
  if (!words.scene_file.empty()) {
    base::Result<scene::Scene> loaded = scene::scene_in_file(words.scene_file, io::Opens::files_and_pipes);
    if (!loaded) return Failure{world_failed, loaded.error()};
    scene = std::move(*loaded);
    given = scene::chosen_in(scene);
  }
  std::vector<std::string> sets = words.sets;
  if (!words.scene_model.empty()) {
    // The head of a file is not replaced by the guided one.
    const auto chosen = words.scene_file.empty() ? assignments_of_model(words.scene_model)
                                                 : std::vector<std::string>{"model=" + words.scene_model};
    sets.insert(sets.begin(), chosen.begin(), chosen.end());
  }
  std::vector<std::string> assigned;
  for (const std::string& assignment : sets) assigned.push_back(name_of(assignment));
  // Of the page that is asked for, not of the one in the file. A name that is no page is reported below.
  if (scene::Scene requested = scene; !words.page.empty() && !set_option(requested, "page", words.page))
    sets.push_back("page=" + words.page);
  const auto sets_any = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* name) {
      return std::find(assigned.begin(), assigned.end(), name) != assigned.end();
    });
  };
  // With another model, other numbers exist.
  if (sets_any({"model", "attention", "weights", "weights_file"})) given.clear();
  auto failure = app::apply(sets, scene);
  if (!failure) failure = set_option(scene, "page", words.page);
  if (!failure) {
    given = scene::without_given_by_model(std::move(given), scene);
    give(sets, given);
    const bool requested = !words.scene_file.empty() || !sets.empty();
    for (const std::string& line :
         requested ? scene::what_is_missing(scene, given) : std::vector<std::string>()) {
      if (for_its_model && line.starts_with("token_ids ")) continue;
      const bool here =
          std::find(assigned.begin(), assigned.end(), line.substr(0, line.find(' '))) != assigned.end();
      note(here || words.scene_file.empty() ? line : base::shortened(words.scene_file) + ": " + line);
    }
  }
  // The note is about that sentence.
  if (!failure && scene.sentence == first) note(look_at);
  if (all_given) *all_given = std::move(given);
  return failure;
}

std::optional<Failure> read_input(const Words& words, const std::vector<std::string>& settings,
                                  ModelInput& input) {
  bool sentence = false, token_ids = false;
  for (const std::string& set : words.sets) {
    const std::string name = set.substr(0, set.find('='));
    if (std::find(settings.begin(), settings.end(), name) == settings.end()) return not_used(name, settings);
    if (name == "sentence") sentence = true;
    if (name == "token_ids") {  // empty or −1: the sentence is used
      const std::string_view ids =
          base::trimmed(std::string_view(set).substr(std::min(name.size() + 1, set.size())));
      token_ids = !ids.empty() && ids != "-1";
    }
  }
  std::vector<std::string> texts;
  if (words.has_prompt) texts.emplace_back("--prompt");
  if (words.has_ids) texts.emplace_back("--ids");
  if (sentence) texts.emplace_back("--set sentence");
  if (token_ids) texts.emplace_back("--set token_ids");
  const bool outside = words.has_prompt || words.has_ids;
  if (outside && !words.scene_file.empty()) texts.push_back(scene::in_quotes(words.scene_file));
  if (texts.size() > 1)
    return Failure{words_wrong, texts[0] + " and " + texts[1] + " are two texts; give one of them"};
  std::vector<int> ids;
  if (words.has_ids) {
    if (auto failure = read_ids(words, ids)) return failure;
  }
  if (auto failure = open_scene(words, input.scene, nullptr, true)) return failure;
  if (words.has_prompt) input.scene.sentence = words.prompt;
  if (words.has_prompt || sentence) input.scene.token_ids.clear();
  if (words.has_ids) input.scene.token_ids = ids;
  input.given = !texts.empty() || !words.scene_file.empty();
  return std::nullopt;
}

std::optional<Failure> no_scene(const Words& words) {
  if (!words.scene_file.empty())
    return Failure{words_wrong,
                   scene::in_quotes(words.scene_file) +
                       ": this command takes no scene; put a text with spaces in quotation marks"};
  if (!words.sets.empty())
    return Failure{words_wrong,
                   "--set " + scene::in_quotes(words.sets.front()) + ": this command takes no settings"};
  return std::nullopt;
}

std::optional<Failure> check_weights(const scene::Scene& scene) {
  const auto model = scene::model_of(scene);
  if (model) {
    if (const auto other = scene::shown_other_model(scene)) {
      const auto tokens = scene::tokens_for(*other, scene.sentence, scene.token_ids);
      if (!tokens) return Failure{world_failed, tokens.error()};
      if (!other->problem.empty()) note(other->problem + "; tokens are given by their ids");
    }
    if (*model && !(*model)->not_finite.empty()) note((*model)->path + ": " + (*model)->not_finite);
    return std::nullopt;
  }
  if (scene.weights == scene::WeightsSource::file && scene.weights_file.empty())
    return Failure{world_failed,
                   "weights=file requires --set weights_file=FILE with a model from `headlight train`"};
  // For a model of another program or saved attention, the error itself says what to do. A .safetensors file
  // that is neither was meant to be one of Headlight's.
  const std::filesystem::path path(scene.weights_file);
  if (io::says_what_to_do(model.error()) || models::may_be_model(path) ||
      !models::folder_without_model(path).empty() ||
      (dumps::may_be_dump(path) && path.extension() != ".safetensors"))
    return Failure{world_failed, model.error()};
  std::error_code failed;
  const auto type = std::filesystem::status(path, failed).type();
  if (type == std::filesystem::file_type::directory)
    return Failure{world_failed, io::path_text(path) +
                                     ": this folder has no config.json, which says what its tensors are; put "
                                     "the model’s config.json into the same folder"};
  if (type == std::filesystem::file_type::not_found) return Failure{world_failed, model.error()};
  return Failure{world_failed, model.error() +
                                   "; use a model from `headlight train` or a folder of another program’s "
                                   "model, or set weights=random"};
}

std::optional<Failure> check_ending(const std::string& out, std::initializer_list<const char*> endings) {
  const std::string ending = std::filesystem::path(out).extension().string();
  std::string all;
  for (const char* one : endings) {
    if (ending == one) return std::nullopt;
    all += (all.empty() ? "" : one == *(endings.end() - 1) ? " or " : ", ") + std::string(one);
  }
  return Failure{words_wrong,
                 "--out " + base::shortened(out) + ": the extension determines the format: " + all};
}

std::optional<Failure> set_option(scene::Scene& scene, const std::string& option, const std::string& value) {
  if (value.empty()) return std::nullopt;
  const base::Status status = scene::set_field(scene, option + "=" + value);
  if (!status) return Failure{words_wrong, "--" + status.error()};
  return std::nullopt;
}

}  // namespace headlight::app
