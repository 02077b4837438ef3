#include "scene/trained_model.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/embedded.h"
#include "scene/remembered.h"
#include "scene/settings.h"

namespace headlight::scene {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* entry = "headlight";
constexpr int format = 1;
constexpr const char* shipped = "models/small-english.safetensors";
constexpr int largest_width = 1024, most_layers = 12, largest_vocabulary = 1 << 20, longest_context = 8192;

constexpr const char* kinds[] = {"chars", "words", "pieces"};
constexpr const char* places[] = {"pre", "post"};

base::Error wrong(const std::string& name, const std::string& what) {
  return {name + ": " + what};
}

template <class E, std::size_t N>
bool read_word(const Json& json, const char* key, const char* const (&words)[N], E& out) {
  if (!json.contains(key) || !json[key].is_string()) return false;
  const auto text = json[key].get<std::string>();
  for (std::size_t i = 0; i < N; ++i) {
    if (text != words[i]) continue;
    out = static_cast<E>(i);
    return true;
  }
  return false;
}

bool read_whole(const Json& json, const char* key, int low, int high, int& out) {
  if (!json.contains(key) || !json[key].is_number_integer()) return false;
  const auto value = json[key].get<long long>();
  if (value < low || value > high) return false;
  out = static_cast<int>(value);
  return true;
}

bool read_number(const Json& json, const char* key, double low, double high, double& out) {
  if (!json.contains(key) || !json[key].is_number()) return false;
  out = json[key].get<double>();
  return out >= low && out <= high;
}

bool read_flag(const Json& json, const char* key, bool& out) {
  if (!json.contains(key) || !json[key].is_boolean()) return false;
  out = json[key].get<bool>();
  return true;
}

std::string text_of(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

Json config_json(const nn::ModelConfig& c) {
  return {{"vocabulary", c.vocabulary},
          {"context", c.context},
          {"d_model", c.d_model},
          {"heads", c.heads},
          {"layers", c.layers},
          {"d_ff", c.d_ff},
          {"causal", c.causal},
          {"positions", Words<TrainingPositions>::list[static_cast<int>(c.positions)]},
          {"position_base", c.position_base},
          {"norm", places[static_cast<int>(c.norm)]},
          {"activation", nn::name_of(c.activation)},
          {"attention_bias", c.attention_bias},
          {"tied", c.tied},
          {"eps", c.eps}};
}

/// The first field that is missing or out of range; empty when all is well.
std::string read_config(const Json& json, nn::ModelConfig& c) {
  if (!read_whole(json, "vocabulary", 1, largest_vocabulary, c.vocabulary)) return "vocabulary";
  if (!read_whole(json, "context", 1, longest_context, c.context)) return "context";
  if (!read_whole(json, "d_model", 1, largest_width, c.d_model)) return "d_model";
  if (!read_whole(json, "heads", 1, c.d_model, c.heads) || c.d_model % c.heads != 0) return "heads";
  if (!read_whole(json, "layers", 1, most_layers, c.layers)) return "layers";
  if (!read_whole(json, "d_ff", 1, 16 * largest_width, c.d_ff)) return "d_ff";
  if (!read_flag(json, "causal", c.causal)) return "causal";
  if (!read_word(json, "positions", Words<TrainingPositions>::list, c.positions)) return "positions";
  if (!read_number(json, "position_base", 1, 1e9, c.position_base)) return "position_base";
  if (!read_word(json, "norm", places, c.norm)) return "norm";
  const auto activation = nn::activation_named(text_of(json, "activation"));
  if (!activation) return "activation";
  c.activation = *activation;
  if (!read_flag(json, "attention_bias", c.attention_bias)) return "attention_bias";
  if (!read_flag(json, "tied", c.tied)) return "tied";
  if (!read_number(json, "eps", 0, 1, c.eps)) return "eps";
  return "";
}

/// Texts may hold any bytes, which JSON cannot: then they are written as lists of bytes.
Json text_json(const std::string& text) {
  try {
    (void)Json(text).dump();
    return text;
  } catch (const Json::exception&) {
    return std::vector<std::uint8_t>(text.begin(), text.end());
  }
}

Json vocabulary_json(const nn::Vocabulary& v) {
  Json json = {{"kind", kinds[static_cast<int>(v.kind)]}, {"texts", Json::array()}};
  for (const std::string& text : v.texts) json["texts"].push_back(text_json(text));
  if (!v.merges.empty()) json["merges"] = v.merges, json["first_merge"] = v.first_merge;
  return json;
}

bool read_texts(const Json& list, std::vector<std::string>& texts) {
  for (const Json& item : list) {
    if (item.is_string()) {
      texts.push_back(item.get<std::string>());
      continue;
    }
    if (!item.is_array()) return false;
    std::string bytes;
    for (const Json& byte : item) {
      if (!byte.is_number_unsigned() || byte.get<unsigned>() > 255) return false;
      bytes += static_cast<char>(byte.get<unsigned>());
    }
    texts.push_back(std::move(bytes));
  }
  return true;
}

bool read_vocabulary(const Json& json, int size, nn::Vocabulary& v) {
  if (!json.is_object() || !read_word(json, "kind", kinds, v.kind)) return false;
  if (!json.contains("texts") || !json["texts"].is_array() || !read_texts(json["texts"], v.texts))
    return false;
  const int count = static_cast<int>(v.texts.size());
  if (count != size) return false;
  if (!json.contains("merges")) return true;
  if (!json["merges"].is_array() || !read_whole(json, "first_merge", 0, count, v.first_merge)) return false;
  if (v.first_merge + json["merges"].size() > v.texts.size()) return false;
  for (const Json& pair : json["merges"]) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_integer() || !pair[1].is_number_integer())
      return false;
    const int a = pair[0].get<int>(), b = pair[1].get<int>();
    const int made = v.first_merge + static_cast<int>(v.merges.size());
    if (a < 0 || b < 0 || a >= made || b >= made) return false;
    v.merges.emplace_back(a, b);
  }
  return true;
}

base::Result<std::shared_ptr<const TrainedModel>> read_bytes(std::string_view bytes, const std::string& path,
                                                             const std::string& name) {
  base::Result<io::TensorFile> file = io::read_safetensors(bytes, name);
  if (!file) return base::Error{file.error()};
  base::Result<TrainedModel> model = read_model(*file, name);
  if (!model) return base::Error{model.error()};
  model->path = path;
  return std::make_shared<const TrainedModel>(std::move(*model));
}

base::Result<std::shared_ptr<const TrainedModel>> shipped_model() {
  static const base::Result<std::shared_ptr<const TrainedModel>> model = [] {
    const std::span<const unsigned char> bytes = base::embedded(shipped);
    return read_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "", shipped);
  }();
  return model;
}

}  // namespace

std::vector<io::TensorView<float>> tensor_views(const nn::ModelWeights& weights, const std::string& prefix) {
  std::vector<io::TensorView<float>> views;
  nn::tensors(weights, [&](const std::string& name, const nn::Matrix& m) {
    if (m.empty()) return;
    views.push_back({prefix + name,
                     {static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols())},
                     m.values(),
                     {}});
  });
  return views;
}

base::Result<nn::ModelWeights> weights_from(const io::TensorFile& file, const nn::ModelConfig& config,
                                            const std::string& prefix, const std::string& name) {
  nn::ModelWeights weights = nn::zero_model(config);
  std::string problem;
  nn::tensors(weights, [&](const std::string& tensor, nn::Matrix& m) {
    if (m.empty() || !problem.empty()) return;
    const auto found = file.tensors.find(prefix + tensor);
    if (found == file.tensors.end()) {
      problem = "the tensor \"" + prefix + tensor + "\" is missing";
      return;
    }
    const std::vector<std::size_t> wanted = {static_cast<std::size_t>(m.rows()),
                                             static_cast<std::size_t>(m.cols())};
    if (found->second.shape != wanted) {
      problem = "the tensor \"" + prefix + tensor + "\" is not " + std::to_string(m.rows()) + " × " +
                std::to_string(m.cols());
      return;
    }
    std::copy(found->second.values.begin(), found->second.values.end(), m.data());
  });
  if (!problem.empty()) return wrong(name, problem);
  return weights;
}

std::string model_description(const TrainedModel& model) {
  const Json json = {{"format", format},
                     {"title", model.title},
                     {"task", model.task},
                     {"sentence", model.sentence},
                     {"look_at", model.look_at},
                     {"first", model.first},
                     {"config", config_json(model.config)},
                     {"vocabulary", vocabulary_json(model.encoder->vocabulary())}};
  return json.dump();
}

base::Result<TrainedModel> read_model(const io::TensorFile& file, const std::string& name) {
  const auto found = file.metadata.find(entry);
  if (found == file.metadata.end()) {
    return wrong(
        name,
        "no model of Headlight: its metadata has no entry \"headlight\"; train one on the Training page");
  }
  const Json json = Json::parse(found->second, nullptr, false);
  if (!json.is_object()) return wrong(name, "the metadata \"headlight\" is no JSON object");
  int version = 0;
  if (!read_whole(json, "format", 1, 1 << 20, version)) return wrong(name, "the format number is missing");
  if (version > format) {
    return wrong(name, "format " + std::to_string(version) +
                           " is newer than this program, which reads up to " + std::to_string(format));
  }
  TrainedModel model;
  model.title = text_of(json, "title"), model.task = text_of(json, "task");
  model.sentence = text_of(json, "sentence"), model.look_at = text_of(json, "look_at");
  if (json.contains("first") && json["first"].is_array()) {
    for (const Json& item : json["first"]) {
      if (item.is_string()) model.first.push_back(item.get<std::string>());
    }
  }
  if (!json.contains("config") || !json["config"].is_object()) return wrong(name, "the config is missing");
  if (const std::string bad = read_config(json["config"], model.config); !bad.empty()) {
    return wrong(name, "config: \"" + bad + "\" is missing or out of range");
  }
  nn::Vocabulary vocabulary;
  if (!json.contains("vocabulary") ||
      !read_vocabulary(json["vocabulary"], model.config.vocabulary, vocabulary)) {
    return wrong(name, "the vocabulary is missing, damaged, or not of " +
                           std::to_string(model.config.vocabulary) + " entries");
  }
  if (!nn::is_sound(vocabulary)) return wrong(name, "the vocabulary contradicts itself: the file is damaged");
  model.encoder = std::make_shared<const nn::Encoder>(std::move(vocabulary));
  base::Result<nn::ModelWeights> weights = weights_from(file, model.config, "", name);
  if (!weights) return base::Error{weights.error()};
  model.weights = std::move(*weights);
  return model;
}

base::Result<std::shared_ptr<const TrainedModel>> model_at(const std::string& path) {
  if (path.empty()) return shipped_model();
  static Remembered<TrainedModel> last;
  std::error_code failed;
  const auto time = std::filesystem::last_write_time(path, failed);
  const std::string key = path + ' ' + std::to_string(failed ? 0 : time.time_since_epoch().count());
  if (!failed) {
    if (auto known = last.find(key)) return known;
  }
  base::Result<io::TensorFile> file = io::load_safetensors(path);
  if (!file) return base::Error{file.error()};
  base::Result<TrainedModel> model = read_model(*file, path);
  if (!model) return base::Error{model.error()};
  model->path = path;
  auto made = std::make_shared<const TrainedModel>(std::move(*model));
  last.keep(key, made);
  return std::shared_ptr<const TrainedModel>(std::move(made));
}

base::Result<std::shared_ptr<const TrainedModel>> model_of(const Scene& scene) {
  if (scene.weights == WeightsSource::random) return std::shared_ptr<const TrainedModel>();
  if (scene.weights == WeightsSource::file && scene.weights_file.empty()) {
    return base::Error{"choose a model file: type its path, or drop it onto the window"};
  }
  return model_at(scene.weights_file);
}

bool memory_reads_head(const nn::ModelConfig& config) {
  const int d_k = config.d_model / config.heads;
  return d_k >= 2 && d_k <= 16;
}

Scene first_scene(std::string& look_at) {
  Scene scene;
  look_at.clear();
  const auto model = shipped_model();
  if (!model) return scene;
  scene.weights = WeightsSource::trained;
  adopt_model(scene);
  if (!(*model)->sentence.empty()) scene.sentence = (*model)->sentence;
  for (const std::string& assignment : (*model)->first) {
    if (!set_field(scene, assignment))
      return Scene{};  // written by a newer program: nothing that we could show
  }
  repair(scene);
  look_at = (*model)->look_at;
  return scene;
}

void adopt_model(Scene& scene) {
  const auto model = model_of(scene);
  if (!model || !*model) return;
  const nn::ModelConfig& config = (*model)->config;
  scene.d_model = config.d_model, scene.heads = config.heads;
  scene.weights_layer = std::min(scene.weights_layer, config.layers);
  scene.mask = {};
  scene.mask.causal = config.causal;
  scene.scale = true, scene.temperature = 1;
  const bool added =
      config.positions == nn::ModelPositions::sinusoidal || config.positions == nn::ModelPositions::learned;
  scene.position = added ? Position::sinusoidal : Position::none;
  scene.position_base = config.position_base, scene.position_offset = 0, scene.position_scale = 1;
}

}  // namespace headlight::scene
