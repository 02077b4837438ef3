#include "fuzz/targets.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "base/parallel.h"
#include "dumps/dump.h"
#include "dumps/measures.h"
#include "io/gif.h"
#include "io/npz.h"
#include "io/png.h"
#include "io/safetensors.h"
#include "learn/training_run.h"
#include "models/opened_model.h"
#include "nn/network.h"
#include "nn/task.h"
#include "nn/tokens.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "scene/figure_scene.h"
#include "scene/portable.h"
#include "scene/scene_line.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "scene/undo.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "teach/lesson.h"
#include "tokenizers/open.h"

namespace headlight::fuzz {

namespace {

namespace fs = std::filesystem;
using Bytes = const std::string&;
using tests::ReferenceData;

base::Parallel& cores() {
  static base::Parallel parallel(1);
  return parallel;
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}
std::string file_text(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(out).str();
}

/// An input of several files: what stands between the lines "%%%".
std::vector<std::string> parts_of(const std::string& bytes, std::size_t count) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (parts.size() + 1 < count) {
    const std::size_t end = bytes.find("\n%%%\n", at);
    if (end == std::string::npos) break;
    parts.push_back(bytes.substr(at, end - at));
    at = end + 5;
  }
  parts.push_back(bytes.substr(at));
  parts.resize(count);
  return parts;
}

// ---- scenes ----

std::string scene_holds(const base::Result<scene::Scene>& read) {
  if (!read) return unfit_error(read.error());
  scene::Scene scene = *read;
  scene.weights_file.clear(), scene.training.file.clear();  // lines name files without their folders
  if (scene.weights == scene::WeightsSource::file) scene.weights = scene::WeightsSource::random;
  scene::repair(scene);
  if (const base::Status status = scene::check(scene); !status) return "repaired, and yet: " + status.error();
  const auto again = scene::from_json(scene::to_json(scene), "again");
  if (!again) return "as JSON: " + again.error();
  if (!(*again == scene)) return "as JSON it is another: " + scene::difference(*again, scene);
  const auto line = scene::from_line(scene::to_line(scene));
  if (!line) return "as a line: " + line.error();
  if (!(*line == scene)) return "as a line it is another: " + scene::difference(*line, scene);
  return "";
}
std::string read_scene(Bytes bytes, const fs::path&) {
  return scene_holds(scene::from_json(bytes, "scene.json"));
}
std::string read_line(Bytes bytes, const fs::path&) {
  return scene_holds(scene::from_line(bytes));
}
std::string read_figure(Bytes bytes, const fs::path&) {
  return scene_holds(scene::scene_in_bytes(bytes, "figure"));
}
/// Whatever it says, nothing is written outside of the folder of models, nor more than it may hold.
std::string read_portable(Bytes bytes, const fs::path& folder) {
  const fs::path models = folder / "models";
  std::error_code ignored;
  fs::remove_all(models, ignored);
  write(folder / "scene.zip", bytes);
  const auto opened = scene::open_portable(folder / "scene.zip", models);
  std::uintmax_t written = 0;
  for (fs::recursive_directory_iterator it(models, ignored), end; !ignored && it != end;
       it.increment(ignored))
    if (it->is_regular_file()) written += it->file_size();
  if (written > bytes.size()) return "it wrote more than it holds";
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path() != models && entry.path() != folder / "scene.zip" && entry.path().extension() == ".zip")
      return "it wrote outside of the folder of models";
  return scene_holds(opened);
}
std::string read_setting(Bytes bytes, const fs::path&) {
  scene::Scene scene;
  const base::Status status = scene::set_field(scene, bytes);
  if (!status) return unfit_error(status.error());
  scene.weights_file.clear(), scene.training.file.clear();  // lines name files without their folders
  if (scene.weights == scene::WeightsSource::file) scene.weights = scene::WeightsSource::random;
  scene::repair(scene);
  if (const base::Status fits = scene::check(scene); !fits) return "repaired, and yet: " + fits.error();
  return "";
}
std::string read_claim(Bytes bytes, const fs::path&) {
  const auto quantity = scene::parse_quantity(bytes);
  if (!quantity) {
    if (std::string unfit = unfit_error(quantity.error()); !unfit.empty()) return unfit;
  } else if (const auto again = scene::parse_quantity(quantity->text());
             !again || again->text() != quantity->text()) {
    return "written and read again it is another: " + quantity->text();
  }
  const auto claim = scene::parse_claim(bytes);
  return claim ? "" : unfit_error(claim.error());
}

std::vector<std::string> some_scenes() {
  std::vector<std::string> out{scene::to_json(scene::Scene{})};
  scene::Scene scene;
  scene.sentence = "e\xcc\x81t\xc3\xa9 \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80 a b";
  for (const char* set : {"heads=8", "mask=causal+window", "head=1,2", "query=0,2", "worked_x=1,0;0,1",
                          "position=sinusoidal", "page=variants", "temperature=0.25", "token_ids=5,17,9"}) {
    (void)scene::set_field(scene, set);
    out.push_back(scene::to_json(scene));
  }
  return out;
}
std::vector<std::string> some_lines() {
  std::vector<std::string> out;
  for (const std::string& text : some_scenes())
    if (const auto scene = scene::from_json(text, "seed"))
      out.push_back("see " + scene::to_line(*scene) + " here");
  return out;
}
std::vector<std::string> some_figures() {
  std::vector<std::string> out;
  for (const std::string& json : some_scenes()) {
    out.push_back("<svg><metadata id=\"headlight-scene\">" + json + "</metadata></svg>");
    out.push_back("%PDF-1.7\n(headlight-scene " + json + ")");
    out.push_back(
        *io::encode_png(io::Image{1, 1, 4, std::vector<std::uint8_t>(4, 9)}, {{"headlight", json}}));
    const std::vector<io::RunImage> frames(1, io::RunImage(io::Image{1, 1, 4, {1, 2, 3, 255}}));
    out.push_back(*io::encode_gif(frames, 0.1, "headlight-scene " + json));
    out.push_back(*io::encode_npz({}, json));
    if (out.size() > 20) break;
  }
  return out;
}
std::vector<std::string> some_settings() {
  return {"heads=8",        "mask=causal+window",   "worked_x=1,0;0,1", "sentence=a b",
          "head=1,2",       "page=variants",        "temperature=0.5",  "query=3",
          "token_ids=5,17", "softmax_scores=1,2,3", "scale=false"};
}
std::vector<std::string> some_claims() {
  return {"entropy head=2",
          "weight query=1 key=0 head=1 > 0.401",
          "tokens = 6",
          "entropy head=1 < entropy head=2",
          "row_sum query=2 = 40 %",
          "largest_weight = 61,343"};
}

// ---- lessons, runs, our own models ----

std::string read_lesson(Bytes bytes, const fs::path&) {
  const auto lesson = scene::lesson_from_json(bytes, "lesson.json");
  if (!lesson) return unfit_error(lesson.error());
  const auto again = scene::lesson_from_json(scene::to_json(*lesson), "again");
  if (!again) return "written and read again: " + again.error();
  if (scene::to_json(*again) != scene::to_json(*lesson)) return "written and read again it is another";
  if (scene::lesson_scenes(*lesson, scene::Scene{}).size() != lesson->steps.size())
    return "a step has no scene";
  return "";
}
std::vector<std::string> some_lessons() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(HEADLIGHT_SOURCE_DIR "/assets/lessons"))
    if (entry.path().extension() == ".json") out.push_back(file_text(entry.path()));
  std::sort(out.begin(), out.end());
  return out;
}

std::string read_own_model(Bytes bytes, const fs::path&) {
  const auto file = io::read_safetensors(bytes, "model.safetensors");
  if (!file) return unfit_error(file.error());
  const auto model = scene::read_model(*file, "model.safetensors");
  return model ? "" : unfit_error(model.error());
}
std::string read_run(Bytes bytes, const fs::path& folder) {
  write(folder / "run.safetensors", bytes);
  scene::TrainingSettings settings;
  const auto run = scene::continue_training((folder / "run.safetensors").string(), settings, cores());
  if (!run) return unfit_error(run.error());
  scene::TrainingSnapshot snapshot;
  (*run)->fill(snapshot);
  (*run)->look({0, 0, 5, "a b"}, cores());
  (*run)->rewind(3, cores());
  (*run)->fill(snapshot);
  const auto file = (*run)->file(0, true);
  return file ? "" : unfit_error(file.error());
}
/// The smallest run of each kind, after a few steps.
std::vector<std::string> some_runs() {
  std::vector<std::string> out;
  for (const char* task : {"reverse", "induction", "two_relations"}) {
    scene::Scene scene;
    for (const std::string& set : {"training_task=" + std::string(task), std::string("training_d=8"),
                                   std::string("training_layers=1"), std::string("training_heads=1")})
      (void)scene::set_field(scene, set);
    scene::repair(scene);
    const auto run = scene::start_training(scene.training, cores());
    if (!run) continue;
    (*run)->advance(cores());
    if (const auto file = (*run)->file(0, true)) out.push_back(*file);
  }
  return out;
}
std::vector<std::string> some_own_models() {
  return some_runs();
}

std::string read_training_text(Bytes bytes, const fs::path&) {
  nn::TextTaskOptions options;
  options.length = 8;
  options.vocabulary = 300;
  const auto task = nn::text_task(bytes, options);
  return task ? "" : unfit_error(task.error());
}
std::vector<std::string> some_training_texts() {
  std::string long_text;
  for (int i = 0; i < 60; ++i) long_text += "the cat sat on the mat and the dog ran. ";
  return {long_text,
          "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q r s t"};
}

// ---- other people's models ----

struct ModelFolder {
  std::string name;
  fs::path folder;
};
/// Small ones, each with config.json and model.safetensors.
const std::vector<ModelFolder>& model_folders() {
  static const std::vector<ModelFolder> found = [] {
    const ReferenceData& data = ReferenceData::instance();
    std::vector<ModelFolder> out;
    for (const std::string& name : data.names()) {
      const std::string ending = "/model.safetensors";
      if (name.size() <= ending.size() ||
          name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
        continue;
      const std::string folder = name.substr(0, name.size() - ending.size());
      const auto weights = data.bytes(name);
      if (folder.find("/st-") != std::string::npos || folder.find("/cf-") != std::string::npos) continue;
      if (!weights || weights->size() > 300'000 || !data.bytes(folder + "/config.json")) continue;
      out.push_back({folder, data.on_disk(folder)});
    }
    return out;
  }();
  return found;
}
constexpr const char* index_name = "model.safetensors.index.json";

const ModelFolder* folder_of(Bytes bytes) {
  const auto& folders = model_folders();
  return folders.empty() || bytes.empty() ? nullptr
                                          : &folders[static_cast<unsigned char>(bytes[0]) % folders.size()];
}
void link_to(const fs::path& target, const fs::path& link) {
  std::error_code ignored;
  fs::remove(link, ignored);
  fs::create_symlink(target, link, ignored);
}

std::string model_holds(const fs::path& path) {
  const auto model = models::open_model(path);
  if (!model) return unfit_error(model.error());
  const nn::Network& network = (*model)->network;
  if (network.vocabulary <= 0 || network.layers.empty() || network.layers.size() > 64 ||
      network.width > 4096 || network.vocabulary > 100'000)
    return "";
  std::vector<int> ids;
  for (const int id : {5, 1, 2}) ids.push_back(id % network.vocabulary);
  nn::NetworkTrace trace;
  const base::Status status = nn::network_forward(network, (*model)->weights, {.ids = ids}, cores(), trace);
  return status ? "" : unfit_error(status.error());
}
std::string read_config(Bytes bytes, const fs::path& folder) {
  const ModelFolder* base = folder_of(bytes);
  if (base == nullptr) return "";
  write(folder / "config.json", bytes.substr(1));
  link_to(base->folder / "model.safetensors", folder / "model.safetensors");
  return model_holds(folder);
}
std::string read_weights(Bytes bytes, const fs::path& folder) {
  const ModelFolder* base = folder_of(bytes);
  if (base == nullptr) return "";
  write(folder / "model.safetensors", bytes.substr(1));
  link_to(base->folder / "config.json", folder / "config.json");
  return model_holds(folder);
}
std::vector<std::string> seeds_of_folders(const char* file) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < model_folders().size(); ++i)
    out.push_back(std::string(1, static_cast<char>(i)) + file_text(model_folders()[i].folder / file));
  return out;
}
std::vector<std::string> some_configs() {
  return seeds_of_folders("config.json");
}
std::vector<std::string> some_weights() {
  return seeds_of_folders("model.safetensors");
}

/// Its shards are sound.
std::string read_index(Bytes bytes, const fs::path& folder) {
  const ReferenceData& data = ReferenceData::instance();
  static const fs::path base = data.on_disk(data.models() + "models/llama") / "bf16-sharded";
  for (const auto& entry : fs::directory_iterator(base))
    if (entry.path().filename() != index_name && !fs::exists(folder / entry.path().filename()))
      link_to(entry.path(), folder / entry.path().filename());
  write(folder / index_name, bytes);
  return model_holds(folder);
}
std::vector<std::string> some_indices() {
  const ReferenceData& data = ReferenceData::instance();
  return {file_text(data.on_disk(data.models() + "models/llama") / "bf16-sharded" / index_name)};
}

std::vector<std::string> files_that_end_in(const std::string& ending, const std::string& part,
                                           std::size_t most) {
  std::vector<std::string> out;
  const ReferenceData& data = ReferenceData::instance();
  for (const std::string& name : data.names()) {
    if (name.size() < ending.size() || name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
      continue;
    if (name.find(part) == std::string::npos || name.find("expected") != std::string::npos) continue;
    std::optional<std::string> bytes = data.bytes(name);
    if (bytes && bytes->size() <= most) out.push_back(*std::move(bytes));
  }
  return out;
}
std::string read_llama2c(Bytes bytes, const fs::path& folder) {
  write(folder / "model.bin", bytes);
  return model_holds(folder / "model.bin");
}
std::vector<std::string> some_llama2c() {
  return files_that_end_in("/model.bin", "llama2c", 300'000);
}
std::string read_checkpoint(Bytes bytes, const fs::path& folder) {
  write(folder / "ckpt.pt", bytes);
  return model_holds(folder / "ckpt.pt");
}
std::vector<std::string> some_checkpoints() {
  return files_that_end_in("/ckpt.pt", "nanogpt", 300'000);
}

/// A small run, a small folder of another program, and a scene alone.
std::vector<std::string> some_portables() {
  static const tests::ScratchFolder folder;
  std::vector<std::string> out;
  const auto add = [&](const fs::path& model) {
    scene::Scene scene;
    scene.page = scene::Page::block, scene.token_ids = {1, 2, 3};
    if (!model.empty()) scene.weights = scene::WeightsSource::file, scene.weights_file = model.string();
    if (const auto bytes = scene::portable_bytes(scene)) out.push_back(*bytes);
  };
  add({});
  write(folder.path() / "run.safetensors", some_runs().front());
  add(folder.path() / "run.safetensors");
  if (!model_folders().empty()) add(model_folders().front().folder);
  return out;
}

// ---- tokenizers ----

constexpr const char* texts[] = {
    "",
    "Hello world",
    " the  cat's 123 \n\t x",
    "\xc3\xa9\xcc\x81 \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80",
    "<s>[CLS]<|endoftext|>",
    "bad \xff\xfe\xc3"};

/// Does the tokenizer make nothing of this part of a text by itself?
bool is_dropped(const tokenizers::Tokenizer& tokenizer, std::string_view part) {
  const auto pieces = tokenizer.encode(part, {.with_template = false});
  return !pieces || std::none_of(pieces->begin(), pieces->end(), [](const auto& piece) {
    return piece.bytes && piece.bytes->first < piece.bytes->second;
  });
}

/// The ranges of the tokens lie in the text and in its order. Those of a `sound` tokenizer tile it: they
/// share at most one character with those before, and between them is only what the tokenizer makes no token
/// of. A damaged one may drop or put in anything.
std::string tokens_hold(const tokenizers::Tokenizer& tokenizer, const std::string& text, bool sound = false) {
  const auto pieces = tokenizer.encode(text);
  if (!pieces) return unfit_error(pieces.error());
  std::size_t before_begin = 0, reached = 0;
  std::vector<int> ids;
  const auto left_out = [&](std::size_t until) -> std::string {
    if (!sound || until <= reached) return "";
    const std::string part = text.substr(reached, until - reached);
    return is_dropped(tokenizer, part) ? "" : "no token has the bytes from " + std::to_string(reached);
  };
  for (const tokenizers::Piece& piece : *pieces) {
    ids.push_back(piece.id);
    if (piece.id < 0 || piece.id >= tokenizer.size())
      return "an id outside the vocabulary: " + std::to_string(piece.id);
    if (!piece.bytes) continue;
    const auto [begin, end] = *piece.bytes;
    if (begin > end || end > text.size()) return "a token's bytes lie outside the text";
    if (begin < before_begin || end < reached) return "tokens' bytes are not in the order of the text";
    if (sound && begin < reached && nn::split_chars(text.substr(begin, reached - begin)).size() > 1)
      return "tokens share more than a character";
    if (std::string wrong = left_out(begin); !wrong.empty()) return wrong;
    before_begin = begin, reached = end;
  }
  if (std::string wrong = left_out(text.size()); !wrong.empty()) return wrong;
  (void)tokenizer.decode(ids);
  return "";
}
std::string tokenizer_holds(const tokenizers::OpenedTokenizer& tokenizer) {
  if (!tokenizer) return unfit_error(tokenizer.error());
  for (const char* text : texts)
    if (std::string wrong = tokens_hold(**tokenizer, text); !wrong.empty()) return wrong;
  return "";
}
std::string read_tokenizer_json(Bytes bytes, const fs::path& folder) {
  write(folder / "tokenizer.json", bytes);
  return tokenizer_holds(tokenizers::open_tokenizer(folder));
}
std::string read_vocabulary_and_merges(Bytes bytes, const fs::path& folder) {
  const std::vector<std::string> parts = parts_of(bytes, 3);
  write(folder / "vocab.json", parts[0]), write(folder / "merges.txt", parts[1]);
  write(folder / "tokenizer_config.json", parts[2]);
  return tokenizer_holds(tokenizers::open_tokenizer(folder));
}
std::string read_word_pieces(Bytes bytes, const fs::path& folder) {
  const std::vector<std::string> parts = parts_of(bytes, 2);
  write(folder / "vocab.txt", parts[0]), write(folder / "tokenizer_config.json", parts[1]);
  return tokenizer_holds(tokenizers::open_tokenizer(folder));
}
std::string read_llama2c_tokenizer(Bytes bytes, const fs::path& folder) {
  write(folder / "tokenizer.bin", bytes);
  const int entries = bytes.empty() ? 0 : 1 + static_cast<unsigned char>(bytes[0]) * 4;
  return tokenizer_holds(tokenizers::open_llama2c(folder / "tokenizer.bin", entries));
}
std::vector<std::string> some_tokenizer_json() {
  return files_that_end_in("/tokenizer.json", "", 60'000);
}
std::vector<std::string> joined_files(std::initializer_list<const char*> names, std::size_t most) {
  std::vector<std::string> out;
  const ReferenceData& data = ReferenceData::instance();
  for (const std::string& name : data.names()) {
    const std::size_t slash = name.rfind('/');
    if (slash == std::string::npos || name.substr(slash + 1) != *names.begin()) continue;
    std::string all;
    for (const char* part : names) {
      const auto bytes = data.bytes(name.substr(0, slash + 1) + part);
      all += (all.empty() ? "" : "\n%%%\n") + bytes.value_or("");
    }
    if (all.size() <= most) out.push_back(all);
  }
  return out;
}
std::vector<std::string> some_vocabularies() {
  return joined_files({"vocab.json", "merges.txt", "tokenizer_config.json"}, 60'000);
}
std::vector<std::string> some_word_pieces() {
  return joined_files({"vocab.txt", "tokenizer_config.json"}, 60'000);
}
std::vector<std::string> some_llama2c_tokenizers() {
  return files_that_end_in("/tokenizer.bin", "", 60'000);
}

/// One text, by every tokenizer of the reference data and by our own.
std::string read_sentence(Bytes bytes, const fs::path&) {
  static const std::vector<std::shared_ptr<const tokenizers::Tokenizer>> all = [] {
    std::vector<std::shared_ptr<const tokenizers::Tokenizer>> opened;
    const ReferenceData& data = ReferenceData::instance();
    for (const std::string& folder : data.folders("tokenizers")) {
      const auto tokenizer = tokenizers::open_tokenizer(data.on_disk("tokenizers/" + folder));
      if (tokenizer) opened.push_back(*tokenizer);
    }
    return opened;
  }();
  for (const auto& tokenizer : all)
    if (std::string wrong = tokens_hold(*tokenizer, bytes, true); !wrong.empty()) return wrong;
  for (const auto& tokens : {nn::split_chars(bytes), nn::split_words(bytes)}) {
    std::size_t end = 0;
    for (const nn::Token& token : tokens) {
      if (token.begin < end || token.end <= token.begin || token.end > bytes.size())
        return "our own tokens overlap";
      end = token.end;
    }
  }
  return "";
}
std::vector<std::string> some_sentences() {
  std::vector<std::string> out(std::begin(texts), std::end(texts));
  out.push_back(
      "The quick brown fox, 12345 times: it's I'll "
      "\xe0\xa4\xa8\xe0\xa4\xae\xe0\xa4\xb8\xe0\xa5\x8d\xe0\xa4\xa4\xe0\xa5\x87 "
      "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa");
  return out;
}

// ---- saved attention ----

std::string dump_holds(const fs::path& path) {
  const auto dump = dumps::open_dump(path);
  if (!dump) return unfit_error(dump.error());
  if ((*dump)->numbers() > 100'000) return "";
  const auto& shape = (*dump)->shape;
  std::vector<double> row(static_cast<std::size_t>(shape.keys));
  for (int layer = 0; layer < shape.layers; ++layer) {
    const base::Status status = (*dump)->rows(layer, 0, shape.heads - 1, shape.queries - 1, 1, row);
    if (!status) return unfit_error(status.error());
    double sum = 0;
    for (const double weight : row) sum += weight;
    if (!(sum == 0 || std::abs(sum - 1) <= (*dump)->tolerance))
      return "a row that does not sum to one was let in";
  }
  return "";
}
std::string read_dump(const char* name, Bytes bytes, const fs::path& folder) {
  write(folder / name, bytes);
  return dump_holds(folder / name);
}
std::string read_npy(Bytes bytes, const fs::path& folder) {
  return read_dump("a.npy", bytes, folder);
}
std::string read_npz(Bytes bytes, const fs::path& folder) {
  return read_dump("a.npz", bytes, folder);
}
std::string read_pt(Bytes bytes, const fs::path& folder) {
  return read_dump("a.pt", bytes, folder);
}
std::string read_dump_tensors(Bytes bytes, const fs::path& folder) {
  return read_dump("a.safetensors", bytes, folder);
}
/// What lies beside saved attention: the first byte says which of these files is read.
constexpr const char* beside_dumps[] = {"tokens.json", "meta.json", "tokens.txt"};
std::string read_beside_dump(Bytes bytes, const fs::path& folder) {
  if (bytes.empty()) return "";
  static const std::vector<std::string> dumps = files_that_end_in("npy-lhtt/attention.npy", "dumps/", 20'000);
  if (dumps.empty()) return "";
  for (const char* name : beside_dumps) fs::remove(folder / name);
  write(folder / "a.npy", dumps.front());
  write(folder / beside_dumps[static_cast<unsigned char>(bytes[0]) % std::size(beside_dumps)],
        bytes.substr(1));
  return dump_holds(folder / "a.npy");
}
std::vector<std::string> some_beside_dumps() {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::size(beside_dumps); ++i)
    for (const std::string& text : files_that_end_in(std::string("/") + beside_dumps[i], "dumps/", 20'000))
      out.push_back(std::string(1, static_cast<char>(i)) + text);
  return out;
}
std::vector<std::string> some_npy() {
  return files_that_end_in(".npy", "dumps/", 20'000);
}
std::vector<std::string> some_npz() {
  return files_that_end_in(".npz", "dumps/", 20'000);
}
std::vector<std::string> some_pt() {
  return files_that_end_in(".pt", "dumps/", 20'000);
}
std::vector<std::string> some_dump_tensors() {
  return files_that_end_in(".safetensors", "dumps/", 20'000);
}

constexpr Target table[] = {
    {"scene", "a scene's JSON", Form::json, 20'000, read_scene, some_scenes},
    {"line", "a scene as one line", Form::text, 20'000, read_line, some_lines},
    {"figure", "PNG, SVG, PDF, GIF and NPZ with a scene inside", Form::bytes, 20'000, read_figure,
     some_figures},
    {"portable", "a scene with its model in it", Form::zip, 400'000, read_portable, some_portables},
    {"setting", "name=value", Form::text, 400, read_setting, some_settings},
    {"claim", "named numbers and claims of lessons", Form::text, 400, read_claim, some_claims},
    {"lesson", "a lesson's JSON", Form::json, 60'000, read_lesson, some_lessons},
    {"own_model", "Headlight's model", Form::safetensors, 200'000, read_own_model, some_own_models},
    {"run", "a training run", Form::safetensors, 200'000, read_run, some_runs},
    {"training_text", "a text to train on", Form::text, 4'000, read_training_text, some_training_texts},
    {"config", "config.json", Form::json, 8'000, read_config, some_configs, 1},
    {"safetensors", "model.safetensors", Form::safetensors, 300'001, read_weights, some_weights, 1},
    {"index", "model.safetensors.index.json", Form::json, 20'000, read_index, some_indices},
    {"llama2c", "llama2.c's model.bin", Form::bytes, 300'000, read_llama2c, some_llama2c},
    {"checkpoint", "ckpt.pt", Form::zip, 300'000, read_checkpoint, some_checkpoints},
    {"tokenizer_json", "tokenizer.json", Form::json, 60'000, read_tokenizer_json, some_tokenizer_json},
    {"vocabulary", "vocab.json, merges.txt, tokenizer_config.json", Form::text, 60'000,
     read_vocabulary_and_merges, some_vocabularies},
    {"word_pieces", "vocab.txt, tokenizer_config.json", Form::text, 60'000, read_word_pieces,
     some_word_pieces},
    {"llama2c_tokenizer", "llama2.c's tokenizer.bin", Form::bytes, 60'000, read_llama2c_tokenizer,
     some_llama2c_tokenizers},
    {"sentence", "a sentence, by every tokenizer", Form::text, 2'000, read_sentence, some_sentences},
    {"npy", "saved attention, NPY", Form::bytes, 20'000, read_npy, some_npy},
    {"npz", "saved attention, NPZ", Form::zip, 20'000, read_npz, some_npz},
    {"pt", "saved attention, PyTorch", Form::zip, 20'000, read_pt, some_pt},
    {"dump_safetensors", "saved attention, safetensors", Form::safetensors, 20'000, read_dump_tensors,
     some_dump_tensors},
    {"beside_dump", "tokens.json, meta.json and tokens.txt beside saved attention", Form::json, 20'000,
     read_beside_dump, some_beside_dumps, 1},
};

}  // namespace

std::span<const Target> targets() {
  return table;
}

const Target* target_of(const std::string& name) {
  for (const Target& target : table)
    if (name == target.name) return &target;
  return nullptr;
}

std::string unfit_error(const std::string& error) {
  if (error.empty()) return "an error without words";
  if (error.size() >= 600) return "an error of " + std::to_string(error.size()) + " bytes: " + error;
  for (const char c : error)
    if (static_cast<unsigned char>(c) < 32) return "an error that is not one line: " + error;
  return "";
}

}  // namespace headlight::fuzz
