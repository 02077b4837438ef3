// A trained model with everything that is needed to use it again: its shape, its weights, how text becomes
// its tokens, and a sentence to start with. Kept as safetensors; everything that is not a tensor is in the
// file's metadata under "headlight", as JSON {"format": 1, "config", "vocabulary", "title", "task",
// "sentence", "look_at", "first"}; if a head was guided, "guided": {"layer", "head", "weight"}, counted from
// 1; with dropout, its rate under "dropout"; and "trained": {"steps", "settings"}, with which it can be
// trained again. A model without residual connections or feed-forward layers has format 2, which older
// programs refuse.
// Tested in tests/scene/trained_model_test.cpp.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/safetensors.h"
#include "scene/scene.h"
#include "tasks/vocabulary.h"
#include "train/model.h"

namespace headlight::dumps {
class Dump;  // dumps/dump.h
}

namespace headlight::scene {

struct OtherModel;  // other_model.h

struct TrainedModel {
  /// A model of another program: then only `path` and `title` are set, and all other members below are empty.
  /// Computations that need Headlight's own models do not see it: usable_model() is null.
  std::shared_ptr<const OtherModel> other;
  /// Attention that was saved without its model (saved_attention.h): the same applies.
  std::shared_ptr<const dumps::Dump> saved;
  std::string path;                // empty: an included model
  std::string title;               // "small English, 2 layers of 4 heads, step 6,000"
  std::string task;                // as Words<TrainingTask> writes it
  std::string sentence;            // a sentence that shows something; may be empty
  std::string look_at;             // what that sentence shows, one line
  std::vector<std::string> first;  // settings that show it: "weights_layer=2", "head=2", "query=8"
  nn::ModelConfig config;
  nn::Guide guide;     // the head that was guided during training; weight 0: none
  double dropout = 0;  // its rate in training
  int steps = 0;       // of training; 0: the file does not say
  std::vector<std::pair<std::string, std::string>> training;  // settings that train it again; may be empty
  nn::ModelWeights weights;
  std::shared_ptr<const nn::Encoder> encoder;
  std::string not_finite;  // the tensor, the number and the first of weights that are not finite; empty: all
                           // are finite
};

/// A text from a model's file, safe to show: on one line, with at most about `bytes` bytes.
std::string shown_text(const std::string& text, std::size_t bytes = 120);

/// `the tensor "layer0_w_q" has 3 values that are not finite, the first at [0, 5]` for the first tensor that
/// has any, and the count over all tensors; empty: none.
std::string not_finite_words(const nn::ModelWeights& weights, const std::string& prefix = "");

/// The tensors of `weights` without the empty ones, `prefix` before each name.
std::vector<io::TensorView<float>> tensor_views(const nn::ModelWeights& weights,
                                                const std::string& prefix = "");
/// Checks that the file has every tensor of such a model, with its shape. An error names the tensor that is
/// missing or misshapen. A config is only what a file claims: nothing of its size is allocated here.
base::Status check_shapes(const io::TensorFile& file, const nn::ModelConfig& config,
                          const std::string& prefix, const std::string& name);
/// The inverse of tensor_views(): checks the shapes of the config first.
base::Result<nn::ModelWeights> weights_from(const io::TensorFile& file, const nn::ModelConfig& config,
                                            const std::string& prefix, const std::string& name);

/// The text under "headlight"; a file may have `extra` metadata and tensors beside it.
std::string model_description(const TrainedModel& model);
/// Checks that this is the metadata of a model of ours.
base::Status check_is_model(const io::TensorMetadata& metadata, const std::string& name);
/// Everything but the weights; checks the shapes of the file's tensors, which need no values yet.
base::Result<TrainedModel> read_description(const io::TensorFile& file, const std::string& name);
/// The weights, from a file whose tensors have values.
base::Status read_weights(const io::TensorFile& file, const std::string& name, TrainedModel& model);
/// Does both; `name` is the name in errors.
base::Result<TrainedModel> read_model(const io::TensorFile& file, const std::string& name);

/// The model of another program that the scene names; null: there is none, or it cannot be used.
std::shared_ptr<const OtherModel> other_model(const Scene& scene);

/// The other pages compute as if there were no such model, and say so.
constexpr bool shows_other_models(Page page) {
  return has_trait(page, page_traits::opened);
}
/// other_model() if the open page shows it, else null.
std::shared_ptr<const OtherModel> shown_other_model(const Scene& scene);

/// The number of heads that the open page can choose from: those of the scene or of another program's model;
/// while that model is loading, as many as a setting can name.
int heads_to_show(const Scene& scene);

/// The model of the scene: null with random weights; an error when there is no usable model. As model_at().
base::Result<std::shared_ptr<const TrainedModel>> model_of(const Scene& scene);

/// Names of the included models; the first one is used when none is named.
std::span<const char* const> included_models();
bool is_included_model(std::string_view name);

/// The same for a path, or for the name of an included model; empty = small-english. Takes the model that
/// this thread has at hand (model_file.h), else loads it now: a file is read once, and again when its size,
/// its times or its inode change.
base::Result<std::shared_ptr<const TrainedModel>> model_at(const std::string& path);

/// The included model whose tokens are pieces of words, down to single bytes: it encodes any text.
inline constexpr const char* any_word_model = "dictionary";

/// The scene that shows a model: as it was trained, with the settings that its file recommends first.
/// Settings of the file that this program does not know are left out.
Scene scene_of_model(WeightsSource weights, std::string file, const TrainedModel& model);
/// The scene of the first start: an included model, its sentence, and where to look. `look_at` gets the line
/// that says so. Without a model: the defaults, and no line.
Scene first_scene(std::string& look_at);

/// True if the Memory page can show a head of the model: the page's pictures have room for its width.
bool memory_reads_head(const nn::ModelConfig& config);

/// Makes the scene show the model as it was trained: d, heads, mask, positions and scores are the model's.
void adopt_model(Scene& scene, const TrainedModel& model);
/// The same with model_of(scene). Does nothing when there is no usable model.
void adopt_model(Scene& scene);

}  // namespace headlight::scene
