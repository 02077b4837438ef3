// `headlight model`, `next`, `generate` and `export --model`: checks the arguments and runs the commands.
#include <algorithm>
#include <filesystem>

#include "command/models_command.h"
#include "command/words.h"
#include "pages/model/heads_off.h"
#include "scene/figure_scene.h"
#include "scene/nearest.h"

namespace headlight::app {

namespace {

std::optional<Failure> need_model(const Words& words) {
  if (!words.model.empty()) return std::nullopt;
  return Failure{words_wrong,
                 "--model requires a folder with config.json and model.safetensors, or a file: .safetensors, "
                 "ckpt.pt, .bin"};
}

template <class Number>
std::optional<Failure> read_option(const char* option, const std::string& text, Number low, Number high,
                                   Number& out) {
  if (text.empty() || (read_number(text, out) && out >= low && out <= high)) return std::nullopt;
  const auto shown = [](Number value) {
    std::string digits = std::to_string(value);
    if (digits.find('.') != std::string::npos) digits.erase(digits.find_last_not_of('0') + 1);
    return digits.back() == '.' ? digits.substr(0, digits.size() - 1) : digits;
  };
  return Failure{words_wrong, std::string(option) + ": " + scene::in_quotes(text) + " is not a number from " +
                                  shown(low) + " to " + shown(high)};
}

}  // namespace

const char* const model_notes =
    "  headlight model gpt2\n"
    "Hugging Face folders, nanoGPT checkpoints and llama2.c .bin files are supported; nothing in them is "
    "executed.";
const char* const next_notes =
    "  headlight next --model gpt2 --set \"sentence=the cat sat on the\" --top 5\n"
    "  headlight next --model bert-base-uncased --set \"sentence=the cat [MASK] on the mat\"\n"
    "  headlight next --model gpt2 --set \"sentence=the cat sat on the\" --set model_off=5.2 --json\n"
    "Of the settings, sentence, token_ids and model_off are used. One text is given: --set sentence, --set "
    "token_ids, --ids or SCENE.json. "
    "model_off=5.2 sets the output of head 2 of layer 5 to 0, 5.2:0.5 halves it. "
    "Loss is −ln p in nats. As JSON the --top most probable tokens are given for every position. "
    "With --top-k or --top-p there is also the probability with which each token is sampled. A model "
    "without a tokenizer takes --ids or --set token_ids=5,17,9.";
const char* const generate_notes =
    "  headlight generate --model gpt2 --prompt \"Once upon a time\" --tokens 60\n"
    "  headlight generate --model gpt2 --prompt \"Once\" --temperature 0.8 --top-k 40 --seed 3\n"
    "  headlight generate --model gpt2 --prompt \"Once\" --set model_off=5.2\n"
    "model_off=5.2 sets the output of head 2 of layer 5 to 0, 5.2:0.5 halves it. One text is given: "
    "--prompt, "
    "--ids, --set sentence or --set token_ids.";

int show_model(const Words& words) {
  if (const auto failure = no_scene(words)) return complain(failure->status, failure->message);
  if (words.model.empty())
    return complain(words_wrong, "model requires a folder or a file; see `headlight model --help`");
  return answer(describe_model(words.model));
}

int next_token(const Words& words) {
  NextRequest request;
  if (const auto failure = need_model(words)) return complain(failure->status, failure->message);
  ModelInput input;
  if (const auto failure = read_input(words, {"sentence", "token_ids", scene::heads_off_setting}, input))
    return complain(failure->status, failure->message);
  request.model = words.model, request.text = input.scene.sentence, request.ids = input.scene.token_ids;
  request.off = input.scene.model.off;
  request.json = words.json;
  if (const auto failure = read_option("--top", words.top, 1, 1000, request.top))
    return complain(failure->status, failure->message);
  std::optional<Failure> failure =
      read_option("--temperature", words.temperature, 0.0, 100.0, request.temperature);
  if (!failure) failure = read_option("--top-k", words.top_k, 0, 1'000'000, request.top_k);
  if (!failure) failure = read_option("--top-p", words.top_p, 0.0, 1.0, request.top_p);
  return failure ? complain(failure->status, failure->message) : answer(next_tokens(request));
}

int export_of_model(const Words& words) {
  const std::vector<std::string>& names = model_array_names();
  if (words.list) {
    std::string all;
    for (const std::string& name : names) all += name + "\n";
    return say(all);
  }
  if (!words.panel.empty() || !words.page.empty() || words.measure)
    return complain(words_wrong,
                    "export --model writes arrays of the model: --what names one, no page or card");
  if (words.out.empty())
    return complain(words_wrong, "export needs --out FILE (.npy, .npz, .csv or .json; tokens .json or .txt)");
  if (!words.what.empty() && std::find(names.begin(), names.end(), words.what) == names.end())
    return complain(words_wrong, "--what: a model has no " + scene::in_quotes(words.what) +
                                     "; `headlight export --model FOLDER --list` names its arrays" +
                                     scene::did_you_mean(words.what, names));
  const auto ending = words.what.empty()       ? check_ending(words.out, {".npz", ".json"})
                      : words.what == "tokens" ? check_ending(words.out, {".json", ".txt"})
                                               : check_ending(words.out, {".npy", ".npz", ".csv", ".json"});
  if (ending && words.what.empty())
    return complain(words_wrong, "--out " + scene::in_quotes(words.out) +
                                     ": without --what all arrays are written, into .npz or .json");
  if (ending) return complain(ending->status, ending->message);
  ModelInput input;
  if (const auto failure = read_input(words, {"sentence", "token_ids"}, input))
    return complain(failure->status, failure->message);
  scene::Scene& scene = input.scene;
  std::error_code failed;
  scene.weights = scene::WeightsSource::file;
  scene.weights_file = std::filesystem::absolute(words.model, failed).string();
  ExportModelRequest request{.model = words.model,
                             .out = words.out,
                             .text = scene.sentence,
                             .scene = scene::scene_as_json(scene),
                             .ids = scene.token_ids,
                             .what = words.what};
  const base::Status status = export_model(request);
  return status ? done : complain(world_failed, status.error());
}

int generate(const Words& words) {
  GenerateRequest request;
  if (!words.scene_file.empty())
    if (const auto failure = no_scene(words)) return complain(failure->status, failure->message);
  if (const auto failure = need_model(words)) return complain(failure->status, failure->message);
  ModelInput input;
  if (const auto failure = read_input(words, {"sentence", "token_ids", scene::heads_off_setting}, input))
    return complain(failure->status, failure->message);
  request.model = words.model, request.ids = input.scene.token_ids, request.off = input.scene.model.off;
  if (input.given) request.prompt = input.scene.sentence;
  std::optional<Failure> failure = read_option("--tokens", words.tokens, 0, 100'000, request.tokens);
  if (!failure)
    failure = read_option("--temperature", words.temperature, 0.0, 100.0, request.sampling.temperature);
  if (!failure) failure = read_option("--top-k", words.top_k, 0, 1'000'000, request.sampling.top_k);
  if (!failure) failure = read_option("--top-p", words.top_p, 0.0, 1.0, request.sampling.top_p);
  if (!failure)
    failure = read_option("--seed", words.seed, std::uint64_t{0}, ~std::uint64_t{0}, request.seed);
  return failure ? complain(failure->status, failure->message) : answer(generate_text(request));
}

}  // namespace headlight::app
