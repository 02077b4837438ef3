// `headlight attention`, `compare` and `export --attention`: checks the arguments and runs the commands.
#include <algorithm>

#include "base/one_line.h"
#include "command/dumps_command.h"
#include "command/words.h"
#include "scene/nearest.h"

namespace headlight::app {

namespace {

using Opened = std::shared_ptr<const dumps::Dump>;

dumps::DumpOptions options_of(const Words& words) {
  return {.any_rows = words.any_rows, .entry = words.entry, .tokens = words.token_file};
}

base::Result<Opened> open(const std::string& file, const Words& words) {
  return dumps::open_dump(file, options_of(words));
}

/// Reads --sequence, the index in a batch.
std::optional<Failure> read_sequence(const Words& words, const dumps::Dump& dump,
                                     std::optional<int>& sequence) {
  if (words.sequence.empty()) return std::nullopt;
  int number = 0;
  if (!read_number(words.sequence, number) || number < 0 || number >= dump.shape.batch)
    return Failure{words_wrong, "--sequence: " + scene::in_quotes(words.sequence) + " is not a sequence of " +
                                    dump.path.string() + ", which has 0 to " +
                                    std::to_string(dump.shape.batch - 1)};
  sequence = number;
  return std::nullopt;
}

constexpr const char* kinds[] = {"weights", "entropy", "roles", "tokens"};

}  // namespace

const char* const attention_notes =
    "  headlight attention attentions.npz\n"
    ".npy, .npz, .safetensors and .pt files from torch.save are accepted; nothing in them is executed. "
    "Attention is one "
    "array\n"
    "[layers, batch, heads, queries, keys], or fewer axes from the left; an array for each layer "
    "(attentions.N, "
    "attn_N,\n"
    "blocks.N.attn.hook_pattern); or q and k, with scale and causal. Tokens are in the file, or in "
    "tokens.json "
    "or\n"
    "tokens.txt beside it. `headlight export --attention FILE` and `headlight compare` accept the same "
    "files.";
const char* const compare_notes =
    "  headlight compare --model gpt2 --attention attentions.npz\n"
    "  headlight compare --model gpt2 --attention attentions.npz --set \"sentence=the cat sat\"\n"
    "  headlight compare --attention before.npz --attention after.npz --json\n"
    "Differences up to 0.0001 count as rounding where the file holds float32 or float64, up to 0.01 with\n"
    "float16 and up to 0.05 with bfloat16; --tolerance sets another limit. Without --ids and a sentence the\n"
    "tokens of the file are used.\n"
    "Layers and heads count from 1, with --json from 0; sequences, queries and keys from 0.";

int show_attention(const Words& words) {
  if (const auto failure = no_scene(words)) return complain(failure->status, failure->message);
  if (words.attention.empty())
    return complain(words_wrong, "attention needs a file: .npy, .npz, .safetensors or .pt");
  if (words.attention.size() > 1)
    return complain(words_wrong, "one file at most; what is " + scene::in_quotes(words.attention[1]) + "?");
  const auto dump = open(words.attention.front(), words);
  if (!dump) return complain(world_failed, dump.error());
  return say(describe_dump(**dump, words.json));
}

int export_attention(const Words& words) {
  const std::string all = "weights, entropy, roles or tokens";
  if (words.attention.size() > 1) return complain(words_wrong, "--attention may be given only once");
  if (!words.sets.empty() || !words.scene_file.empty())
    return complain(words_wrong,
                    "export --attention writes what is in the file; SCENE.json and --set are not used");
  if (!words.model.empty())
    return complain(words_wrong,
                    "--attention and --model are two sources of numbers; `headlight compare` takes both");
  if (words.what.empty()) return complain(words_wrong, "export --attention needs --what: " + all);
  if (std::find(std::begin(kinds), std::end(kinds), words.what) == std::end(kinds)) {
    const std::vector<std::string> known(std::begin(kinds), std::end(kinds));
    return complain(words_wrong,
                    "--what: saved attention has no " + scene::in_quotes(words.what) + ", but " + all +
                        scene::did_you_mean(words.what, known) +
                        "; `headlight export --page attention --set model=FILE` has all numbers of that "
                        "page");
  }
  const bool tokens = words.what == "tokens", roles = words.what == "roles";
  if (words.out.empty() && !tokens && !roles)
    return complain(words_wrong, "export needs --out FILE (.npy, .npz, .csv or .json)");
  if (!words.out.empty()) {
    if (const auto failure = tokens ? check_ending(words.out, {".json", ".txt"})
                                    : check_ending(words.out, {".npy", ".npz", ".csv", ".json"}))
      return complain(failure->status, failure->message);
  }
  const auto dump = open(words.attention.front(), words);
  if (!dump) return complain(world_failed, dump.error());
  ExportDumpRequest request{words.what, words.out, {}};
  if (const auto failure = read_sequence(words, **dump, request.sequence))
    return complain(failure->status, failure->message);
  const auto text = export_dump(**dump, request);
  const int status = answer(text);
  if (status == done)
    for (const std::string& remark : (*dump)->remarks) note((*dump)->file + ": " + remark);
  return status;
}

int compare_attention(const Words& words) {
  const std::size_t files = words.attention.size();
  if (files == 0 || files > 2 || (files == 1) == words.model.empty())
    return complain(words_wrong,
                    "compare needs --model FOLDER and --attention FILE, or --attention FILE twice");
  CompareRequest request;
  request.json = words.json;
  if (!words.tolerance.empty()) {
    double tolerance = 0;
    if (!read_number(words.tolerance, tolerance) || !(tolerance >= 0 && tolerance <= 1))
      return complain(words_wrong,
                      "--tolerance: " + scene::in_quotes(words.tolerance) + " is not a number from 0 to 1");
    request.tolerance = tolerance;
  }
  ModelSide side{words.model, {}, {}};
  if (files == 2 && (!words.sets.empty() || words.has_ids || !words.scene_file.empty()))
    return complain(words_wrong,
                    "two files are compared as they are: SCENE.json, --set and --ids are for a model");
  if (files == 1) {
    ModelInput input;
    if (const auto failure = read_input(words, {"sentence", "token_ids"}, input))
      return complain(failure->status, failure->message);
    side.ids = input.scene.token_ids;
    if (input.given) side.text = input.scene.sentence;
  }
  const auto dump = open(words.attention.front(), words);
  if (!dump) return complain(world_failed, dump.error());
  if (const auto failure = read_sequence(words, **dump, request.sequence))
    return complain(failure->status, failure->message);
  if (files == 1) return answer(compare_with_model(**dump, side, request));
  const auto other = open(words.attention.back(), words);
  if (!other) return complain(world_failed, other.error());
  return answer(compare_dumps(**dump, **other, request));
}

}  // namespace headlight::app
