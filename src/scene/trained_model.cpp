#include "scene/trained_model.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "base/embedded.h"
#include "dumps/dump.h"
#include "models/opened_model.h"
#include "scene/model_file.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"
#include "scene/settings.h"
#include "tokenizers/tokenizer.h"

namespace headlight::scene {

namespace {

constexpr const char* included[] = {"small-english", "pronouns-guided", "pronouns-free", "dictionary"};
constexpr const char* first_model = "pronouns-guided";  // its sentence is the first that a newcomer sees
constexpr int first_ids = 8;  // number of ids that a model without a tokenizer starts with

base::Result<std::shared_ptr<const TrainedModel>> read_bytes(std::string_view bytes, const std::string& path,
                                                             const std::string& name) {
  base::Result<io::TensorFile> file = io::read_safetensors(bytes, name);
  if (!file) return base::Error{file.error()};
  base::Result<TrainedModel> model = read_model(*file, name);
  if (!model) return base::Error{model.error()};
  model->path = path;
  return std::make_shared<const TrainedModel>(std::move(*model));
}

/// An included model, read once.
base::Result<std::shared_ptr<const TrainedModel>> included_model(const char* name) {
  static std::mutex mutex;
  static std::map<std::string, base::Result<std::shared_ptr<const TrainedModel>>> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  const std::string file = "models/" + std::string(name) + ".safetensors";
  const std::span<const unsigned char> bytes = base::embedded(file);
  return known
      .emplace(name, read_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "", file))
      .first->second;
}

}  // namespace

std::span<const char* const> included_models() {
  return included;
}

bool is_included_model(std::string_view name) {
  return std::any_of(std::begin(included), std::end(included), [&](const char* one) { return name == one; });
}

base::Result<std::shared_ptr<const TrainedModel>> model_at(const std::string& path) {
  if (path.empty()) return included_model(included[0]);
  if (is_included_model(path)) return included_model(path.c_str());
  if (auto loaded = model_at_hand(path)) return *loaded;
  return load_model(path);
}

base::Result<std::shared_ptr<const TrainedModel>> model_of(const Scene& scene) {
  if (scene.weights == WeightsSource::random) return std::shared_ptr<const TrainedModel>();
  if (scene.weights == WeightsSource::file && scene.weights_file.empty()) {
    return base::Error{"choose a model file: type its path or drop it onto the window"};
  }
  return model_at(scene.weights_file);
}

std::shared_ptr<const OtherModel> other_model(const Scene& scene) {
  const auto model = model_of(scene);
  return model && *model ? (*model)->other : nullptr;
}

std::shared_ptr<const OtherModel> shown_other_model(const Scene& scene) {
  return shows_other_models(scene.page) ? other_model(scene) : nullptr;
}

int heads_to_show(const Scene& scene) {
  constexpr int most = 1024;
  if (scene.weights != WeightsSource::file) return scene.heads;
  const auto model = model_of(scene);
  if (!model) return most;
  if (const dumps::Dump* saved = *model ? (*model)->saved.get() : nullptr)
    return shows_saved_attention(scene.page) ? std::min(saved->shape.heads, most) : scene.heads;
  if (!*model || !(*model)->other || !shows_other_models(scene.page)) return scene.heads;
  return std::min(shown_layer_of(*(*model)->other, scene).heads, most);
}

bool memory_reads_head(const nn::ModelConfig& config) {
  const int d_k = config.d_model / config.heads;
  return d_k >= 2 && d_k <= 16;
}

Scene scene_of_model(WeightsSource weights, std::string file, const TrainedModel& model) {
  Scene scene;
  scene.weights = weights, scene.weights_file = std::move(file);
  adopt_model(scene, model);
  if (!model.sentence.empty()) scene.sentence = shown_text(model.sentence, longest_text);
  for (const std::string& assignment : model.first) {
    Scene next = scene;
    if (set_field(next, assignment)) scene = std::move(next);  // a newer program may know more settings
  }
  repair(scene);
  return scene;
}

Scene first_scene(std::string& look_at) {
  look_at.clear();
  const auto model = included_model(first_model);
  if (!model) return {};
  look_at = shown_text((*model)->look_at, 400);
  return scene_of_model(WeightsSource::trained, first_model, **model);
}

void adopt_model(Scene& scene) {
  if (const auto model = model_of(scene); model && *model) adopt_model(scene, **model);
}

namespace {

/// Replaces a sentence that the tokenizer cannot split by one of its first tokens, if it can split that.
void read_something(const tokenizers::Tokenizer& tokenizer, std::string& sentence) {
  if (tokenizer.size() < 1 || tokenizer.encode(sentence)) return;
  std::string text;
  for (int i = 0; i < first_ids; ++i) text += tokenizer.entry(i % tokenizer.size());
  if (tokenizer.encode(text)) sentence = std::move(text);
}

}  // namespace

void adopt_model(Scene& scene, const TrainedModel& model) {
  if (const OtherModel* other = model.other.get()) {
    scene.weights_layer = std::min(scene.weights_layer, layers_of(*other));
    scene.mask = {}, scene.scale = true, scene.temperature = 1;  // the layer is shown unchanged
    // Shows something when there is no tokenizer, or when it cannot split this text.
    if (other->tokenizer && scene.token_ids.empty()) read_something(*other->tokenizer, scene.sentence);
    for (int id = 0; !other->tokenizer && static_cast<int>(scene.token_ids.size()) < first_ids &&
                     id < other->model->network.vocabulary;
         ++id)
      scene.token_ids.push_back(id);
    return;
  }
  if (model.saved) return;  // repair() limits layer and sequence to those that exist
  const nn::ModelConfig& config = model.config;
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
