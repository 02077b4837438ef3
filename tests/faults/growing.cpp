#include "faults/growing.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "base/parallel.h"
#include "dumps/dump.h"
#include "io/gif.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/png.h"
#include "io/safetensors.h"
#include "models/opened_model.h"
#include "nn/tokens.h"
#include "pages/compute.h"
#include "pages/tables.h"
#include "scene/figure_scene.h"
#include "scene/scene_line.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "scene/undo.h"
#include "support/model_files.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "teach/lesson.h"
#include "tokenizers/open.h"
#include "train/model.h"

namespace headlight::faults {

namespace {

using tests::ReferenceData;
using Work = std::function<void()>;

std::string repeated(const std::string& part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}
std::string words(int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += "w" + std::to_string(i % 97) + " ";
  return out;
}
[[noreturn]] void broken(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
}
/// Something that has to be read.
template <class Read>
Work reads(std::string bytes, Read read) {
  return [bytes = std::move(bytes), read] {
    const auto result = read(bytes);
    if (!result) broken(result.error());
  };
}
constexpr auto as_scene = [](const std::string& bytes) { return scene::scene_in_bytes(bytes, "scene.json"); };

Work json_nesting(int n) {  // of what nobody looks at; what is looked at has a bound
  return reads("{\"data\":" + repeated("[", n) + repeated("]", n) + ",\"scene\":{\"heads\":8}}", as_scene);
}
Work json_members(int n) {
  std::string members;
  for (int i = 0; i < n; ++i) members += "\"k" + std::to_string(i) + "\":[1],";
  return [text = "{" + members + "\"k\":1}"] { (void)scene::from_json(text, "scene.json"); };
}
Work json_list(int n) {
  return reads("{\"query\":[" + repeated("1,", n) + "1]}", as_scene);
}
Work svg_entities(int n) {
  scene::Scene scene;
  scene.sentence = repeated("&<", n / 2);
  std::string json = scene::to_json(scene), out;
  for (const char c : json) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
  return reads("<svg><metadata id=\"headlight-scene\">" + out + "</metadata></svg>", as_scene);
}
Work gif_blocks(int n) {
  scene::Scene scene;
  scene.sentence = repeated("w ", n);
  const std::vector<io::RunImage> frames(1, io::RunImage(io::Image{1, 1, 4, {1, 2, 3, 255}}));
  return reads(*io::encode_gif(frames, 0.1, "headlight-scene " + scene::to_json(scene)), as_scene);
}
Work scene_line(int n) {
  scene::Scene scene;
  scene.sentence = words(n);
  return reads(scene::to_line(scene), [](const std::string& line) { return scene::from_line(line); });
}
Work lesson_steps(int n) {
  scene::Lesson lesson;
  lesson.title = "a lesson";
  lesson.steps.resize(static_cast<std::size_t>(n));
  for (scene::LessonStep& step : lesson.steps) step.title = "step", step.words = {"Some words of it."};
  return reads(scene::to_json(lesson),
               [](const std::string& json) { return scene::lesson_from_json(json, "lesson.json"); });
}

const tokenizers::Tokenizer& tokenizer(const std::string& folder) {
  static std::map<std::string, std::shared_ptr<const tokenizers::Tokenizer>> kept;
  std::shared_ptr<const tokenizers::Tokenizer>& one = kept[folder];
  if (!one) {
    const auto opened = tokenizers::open_tokenizer(ReferenceData::instance().on_disk(folder));
    if (!opened) broken(opened.error());
    one = *opened;
  }
  return *one;
}
Work cut(const std::string& folder, const std::string& text) {
  return [&tokenizer = tokenizer(folder), text] { (void)tokenizer.encode(text); };
}
constexpr char bpe[] = "models/llama/bf16-sharded", byte_level[] = "models/gpt_neo/f32",
               word_piece[] = "models/distilbert/f32";
Work bpe_words(int n) {
  return cut(bpe, words(n));
}
Work bpe_one_word(int n) {
  return cut(bpe, repeated("ab", n / 2));
}
Work byte_level_words(int n) {
  return cut(byte_level, words(n));
}
Work byte_level_one_word(int n) {
  return cut(byte_level, repeated("ab", n / 2));
}
Work word_piece_words(int n) {
  return cut(word_piece, words(n));
}
Work our_words(int n) {
  return [text = words(n)] { (void)nn::split_words(text), (void)nn::split_chars(text); };
}

base::Parallel& alone() {
  static base::Parallel parallel(1);
  return parallel;
}
Work attention_tokens(int n) {
  scene::Scene scene;
  scene.sentence = words(n), scene.d_model = 8, scene.heads = 1;
  return [scene] { (void)scene::compute_now(scene, alone(), nullptr); };
}
Work csv_tokens(int n) {  // T × T numbers as text
  scene::Scene scene;
  scene.sentence = words(n), scene.d_model = 8, scene.heads = 1;
  return [scene, results = scene::compute_now(scene, alone(), nullptr)] {
    const auto numbers = scene::numbers_of(*scene::find_table("weights"), {scene, *results, alone()});
    if (!numbers) broken("no weights");
  };
}
Work undo_steps(int n) {
  return [n] {
    scene::Undo undo;
    scene::Scene scene;
    for (int i = 0; i < n; ++i) scene.seed = i, undo.push(scene, "", i);
    while (undo.undo_steps() > 0) scene = *undo.undo(scene);
  };
}

/// A model of ours with so many layers.
scene::TrainedModel model_of_layers(int n) {
  scene::TrainedModel model;
  model.title = "layers", model.task = "english";
  model.encoder =
      std::make_shared<const nn::Encoder>(nn::word_vocabulary({"the", "cat", "sat", "on", "mat", "."}));
  model.config.vocabulary = model.encoder->size();
  model.config.context = 16, model.config.d_model = 8, model.config.heads = 2;
  model.config.layers = n, model.config.d_ff = 16;
  model.weights = nn::random_model(model.config, 3);
  return model;
}
Work own_layers(int n) {
  return [bytes = tests::bytes_of(model_of_layers(n))] {
    const auto file = io::read_safetensors(bytes, "model.safetensors");
    if (!file) broken(file.error());
    const auto read = scene::read_model(*file, "model.safetensors");
    if (!read) broken(read.error());
  };
}
/// All of its numbers for a sentence.
Work forward_layers(int n) {
  const auto model = std::make_shared<const scene::TrainedModel>(model_of_layers(n));
  return [model] {
    nn::Batch batch;
    batch.B = 1, batch.T = 16;
    batch.tokens.assign(16, 1);
    nn::ModelTrace trace;
    nn::model_forward(model->config, model->weights, batch, alone(), trace);
    if (trace.logits.empty()) broken("no logits");
  };
}
/// Saved attention of so many heads.
Work saved_heads(int n) {
  static const tests::ScratchFolder folder;
  const std::size_t heads = static_cast<std::size_t>(n), side = 8;
  const std::vector<float> weights(heads * side * side, 1.f / side);
  std::string bytes;
  io::write_npy(io::TensorView<float>{"weights", {1, heads, side, side}, weights, {}},
                [&](std::string_view piece) { bytes += piece; });
  const std::filesystem::path path = folder / ("heads-" + std::to_string(n) + ".npy");
  tests::write_bytes(path, bytes);
  return [path] {
    const auto dump = dumps::open_dump(path);
    if (!dump) broken(dump.error());
  };
}
Work archive_entries(int n) {
  const std::vector<float> one(1, 1.f);
  std::vector<io::AnyTensor> tensors;
  for (int i = 0; i < n; ++i)
    tensors.push_back(io::TensorView<float>{"tensor" + std::to_string(i), {1}, one, {}});
  return reads(*io::encode_npz(tensors, scene::to_json(scene::Scene{})), as_scene);
}

constexpr double linear = 2.35, square = 4.5;
const Growing all[] = {
    {"json nesting", 20'000, linear, json_nesting},
    {"json members", 4'000, linear, json_members},
    {"json list", 2'000, linear, json_list},
    {"svg entities", 8'000, linear, svg_entities},
    {"gif blocks", 8'000, linear, gif_blocks},
    {"scene line", 2'000, linear, scene_line},
    {"lesson steps", 200, linear, lesson_steps},
    {"bpe words", 800, linear, bpe_words},
    {"bpe one word", 2'000, linear, bpe_one_word},
    {"byte-level words", 800, linear, byte_level_words},
    {"byte-level one word", 2'000, linear, byte_level_one_word},
    {"word-piece words", 800, linear, word_piece_words},
    {"our words", 2'000, linear, our_words},
    {"attention tokens", 128, square, attention_tokens},
    {"table tokens", 128, square, csv_tokens},
    {"undo steps", 200, linear, undo_steps},
    {"own layers", 4, linear, own_layers},
    {"forward layers", 4, linear, forward_layers},
    {"saved heads", 64, linear, saved_heads},
    {"archive entries", 100, linear, archive_entries},
};

}  // namespace

std::span<const Growing> growing() {
  return all;
}

}  // namespace headlight::faults
