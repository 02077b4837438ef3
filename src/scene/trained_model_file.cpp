// A trained model as a file: its tensors, and its description in the metadata; what a file claims is checked
// before anything of that size is made.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "io/json_reader.h"
#include "models/no_config.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

using io::Json;
constexpr const char* entry = "headlight";
constexpr int format = 2, first_format = 1;
constexpr io::JsonKind description_kind{"description of a model", 5, std::size_t(16) << 20, 1'000'000};
constexpr int largest_width = 1024, most_layers = 12, largest_vocabulary = 1 << 20, longest_context = 8192;
constexpr const char* kinds[] = {"chars", "words", "pieces"};
constexpr const char* places[] = {"pre", "post", "none"};

base::Error wrong(const std::string& name, const std::string& what) {
  return {name + ": " + what};
}

base::Error no_model(const std::string& name) {
  return wrong(name, std::string("not a Headlight model: its metadata has no entry \"headlight\", and ") +
                         models::no_config);
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
  const Json* found = io::member(json, key);
  const auto value = found ? io::whole_number(*found, low, high) : std::nullopt;
  if (value) out = static_cast<int>(*value);
  return value.has_value();
}

bool read_number(const Json& json, const char* key, double low, double high, double& out) {
  const Json* found = io::member(json, key);
  const auto value = found ? io::finite_number(*found, low, high) : std::nullopt;
  if (value) out = *value;
  return value.has_value();
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
          {"rope_pairs", word(c.rope_pairs)},
          {"norm", places[static_cast<int>(c.norm)]},
          {"residual", c.residual},
          {"feed_forward", c.feed_forward},
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
  // The base of sines and cosines is a setting of the scene, so the value must be in the setting's range.
  const bool sines = c.positions == nn::ModelPositions::sinusoidal;
  if (!read_number(json, "position_base", sines ? 1.5 : 1, sines ? 1e6 : 1e9, c.position_base))
    return "position_base";
  // Files from before there was a choice do not name it: their models were trained with halves.
  c.rope_pairs = nn::RopePairs::half;
  if (json.contains("rope_pairs") && !read_word(json, "rope_pairs", Words<nn::RopePairs>::list, c.rope_pairs))
    return "rope_pairs";
  if (!read_word(json, "norm", places, c.norm)) return "norm";
  c.residual = c.feed_forward = true;  // the default of files that do not name them
  if (json.contains("residual") && !read_flag(json, "residual", c.residual)) return "residual";
  if (json.contains("feed_forward") && !read_flag(json, "feed_forward", c.feed_forward))
    return "feed_forward";
  const auto activation = nn::activation_named(text_of(json, "activation"));
  if (!activation) return "activation";
  c.activation = *activation;
  if (!read_flag(json, "attention_bias", c.attention_bias)) return "attention_bias";
  if (!read_flag(json, "tied", c.tied)) return "tied";
  if (!read_number(json, "eps", 0, 1, c.eps)) return "eps";
  return "";
}

bool read_guide(const Json& json, const nn::ModelConfig& config, nn::Guide& guide) {
  int layer = 0, head = 0;
  if (!json.is_object() || !read_whole(json, "layer", 1, config.layers, layer) ||
      !read_whole(json, "head", 1, config.heads, head) || !read_number(json, "weight", 0, 1e6, guide.weight))
    return false;
  guide.layer = layer - 1, guide.head = head - 1;
  return true;
}

bool read_training(const Json& json, TrainedModel& model) {
  if (!json.is_object() || !read_whole(json, "steps", 0, 1 << 30, model.steps)) return false;
  if (!json.contains("settings") || !json["settings"].is_object() || json["settings"].size() > 100)
    return false;
  for (const auto& [name, value] : json["settings"].items()) {
    if (!value.is_string()) continue;  // a path of bytes that are not text: it cannot be opened
    model.training.emplace_back(name, value.get<std::string>());
  }
  return true;
}

/// Texts may hold any bytes, which JSON cannot: such a text is written as a list of bytes.
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
      const auto value = io::whole_number(byte, 0, 255);
      if (!value) return false;
      bytes += static_cast<char>(*value);
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
  if (v.kind == nn::VocabularyKind::pieces) v.first_merge = count;  // single bytes have no merges
  if (!json.contains("merges")) return true;
  if (!json["merges"].is_array() || !read_whole(json, "first_merge", 0, count, v.first_merge)) return false;
  if (v.first_merge + json["merges"].size() > v.texts.size()) return false;
  for (const Json& pair : json["merges"]) {
    if (!pair.is_array() || pair.size() != 2) return false;
    const int made = v.first_merge + static_cast<int>(v.merges.size());
    const auto a = io::whole_number(pair[0], 0, made - 1), b = io::whole_number(pair[1], 0, made - 1);
    if (!a || !b) return false;
    v.merges.emplace_back(static_cast<int>(*a), static_cast<int>(*b));
  }
  return true;
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

base::Status check_shapes(const io::TensorFile& file, const nn::ModelConfig& config,
                          const std::string& prefix, const std::string& name) {
  for (const nn::TensorShape& shape : nn::tensor_shapes(config)) {
    const std::string tensor = prefix + shape.name;
    const auto found = file.tensors.find(tensor);
    if (found == file.tensors.end()) return wrong(name, "the tensor \"" + tensor + "\" is missing");
    const std::vector<std::size_t> wanted = {static_cast<std::size_t>(shape.rows),
                                             static_cast<std::size_t>(shape.cols)};
    if (found->second.shape != wanted) {
      return wrong(name, "the tensor \"" + tensor + "\" is not " + std::to_string(shape.rows) + " × " +
                             std::to_string(shape.cols));
    }
  }
  return {};
}

base::Result<nn::ModelWeights> weights_from(const io::TensorFile& file, const nn::ModelConfig& config,
                                            const std::string& prefix, const std::string& name) {
  if (const base::Status fits = check_shapes(file, config, prefix, name); !fits)
    return base::Error{fits.error()};
  nn::ModelWeights weights = nn::zero_model(config);
  nn::tensors(weights, [&](const std::string& tensor, nn::Matrix& m) {
    if (m.empty()) return;
    const std::vector<float>& values = file.tensors.at(prefix + tensor).values;
    std::copy(values.begin(), values.end(), m.data());
  });
  return weights;
}

std::string shown_text(const std::string& text, std::size_t bytes) {
  std::string out = text.substr(0, bytes);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  if (text.size() <= bytes) return out;
  while (!out.empty() && (static_cast<unsigned char>(text[out.size()]) & 0xC0) == 0x80) out.pop_back();
  return out + "…";
}

std::string not_finite_words(const nn::ModelWeights& weights, const std::string& prefix) {
  std::string words;
  std::size_t all = 0, in_first = 0;
  nn::tensors(weights, [&](const std::string& tensor, const nn::Matrix& m) {
    std::size_t count = 0, first = 0;
    for (std::size_t i = 0; i < m.size(); ++i) {
      if (std::isfinite(m.data()[i])) continue;
      if (count++ == 0) first = i;
    }
    all += count;
    if (count == 0 || !words.empty()) return;
    const auto cols = static_cast<std::size_t>(m.cols());
    in_first = count;
    words = "the tensor \"" + prefix + tensor + "\" has " + std::to_string(count) +
            (count == 1 ? " value that is not finite, at [" : " values that are not finite, the first at [") +
            std::to_string(first / cols) + ", " + std::to_string(first % cols) + "]";
  });
  if (all > in_first) words += "; " + std::to_string(all) + " in all tensors";
  return words;
}

std::string model_description(const TrainedModel& model) {
  Json json = {{"format", model.config.residual && model.config.feed_forward ? first_format : format},
               {"title", model.title},
               {"task", model.task},
               {"sentence", model.sentence},
               {"look_at", model.look_at},
               {"first", model.first},
               {"config", config_json(model.config)},
               {"vocabulary", vocabulary_json(model.encoder->vocabulary())}};
  if (model.guide.weight > 0) {
    json["guided"] = {
        {"layer", model.guide.layer + 1}, {"head", model.guide.head + 1}, {"weight", model.guide.weight}};
  }
  if (model.dropout > 0) json["dropout"] = model.dropout;
  if (!model.training.empty()) {
    json["trained"]["steps"] = model.steps;
    for (const auto& [name, value] : model.training) json["trained"]["settings"][name] = text_json(value);
  }
  return json.dump();
}

base::Status check_is_model(const io::TensorMetadata& metadata, const std::string& name) {
  if (metadata.contains(entry)) return {};
  return no_model(name);
}

base::Result<TrainedModel> read_description(const io::TensorFile& file, const std::string& name) {
  if (const base::Status ours = check_is_model(file.metadata, name); !ours) return base::Error{ours.error()};
  const auto found = file.metadata.find(entry);
  const base::Result<Json> read =
      io::read_json_object(found->second, name + ": the metadata \"headlight\"", description_kind);
  if (!read) return base::Error{read.error()};
  const Json& json = *read;
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
  // What the file claims is compared with what it holds before anything of the claimed size is made.
  if (const base::Status fits = check_shapes(file, model.config, "", name); !fits)
    return base::Error{fits.error()};
  if (json.contains("guided") && !read_guide(json["guided"], model.config, model.guide))
    return wrong(name, "\"guided\" does not name a head of the model: expected a layer, a head and a weight");
  if (json.contains("dropout") && !read_number(json, "dropout", 0, 0.99, model.dropout))
    return wrong(name, "\"dropout\" is not a rate from 0 to 0.99");
  if (json.contains("trained") && !read_training(json["trained"], model))
    return wrong(name, "\"trained\" does not contain the settings and the number of steps");
  nn::Vocabulary vocabulary;
  if (!json.contains("vocabulary") ||
      !read_vocabulary(json["vocabulary"], model.config.vocabulary, vocabulary)) {
    return wrong(name, "the vocabulary is missing, damaged, or not of " +
                           std::to_string(model.config.vocabulary) + " entries");
  }
  if (!nn::is_sound(vocabulary)) return wrong(name, "the vocabulary contradicts itself: the file is damaged");
  model.encoder = std::make_shared<const nn::Encoder>(std::move(vocabulary));
  return model;
}

base::Status read_weights(const io::TensorFile& file, const std::string& name, TrainedModel& model) {
  base::Result<nn::ModelWeights> weights = weights_from(file, model.config, "", name);
  if (!weights) return base::Error{weights.error()};
  model.weights = std::move(*weights);
  model.not_finite = not_finite_words(model.weights);
  return {};
}

base::Result<TrainedModel> read_model(const io::TensorFile& file, const std::string& name) {
  base::Result<TrainedModel> model = read_description(file, name);
  if (!model) return model;
  if (const base::Status status = read_weights(file, name, *model); !status)
    return base::Error{status.error()};
  return model;
}

}  // namespace headlight::scene
