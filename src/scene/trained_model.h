// A model that has learned, with all that it needs to be used again: its shape, its weights, how text becomes
// its tokens, and a sentence to look at. Kept as safetensors; what is no tensor stands in the file's metadata
// under "headlight", as JSON {"format": 1, "config", "vocabulary", "title", "task", "sentence", "look_at",
// "first"}; where a head was guided "guided": {"layer", "head", "weight"}, counted from 1; with dropout its
// rate under "dropout"; and "trained": {"steps", "settings"}, with which it can be trained again. A model
// without residual connections or feed-forward layers has format 2, which older programs refuse.
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
  /// A model of another program: then `path` and `title` say which, and all that follows is empty. What is
  /// computed with Headlight's own models alone sees none: usable_model() is null.
  std::shared_ptr<const OtherModel> other;
  /// Attention that was saved without its model (saved_attention.h): the same holds.
  std::shared_ptr<const dumps::Dump> saved;
  std::string path;                // empty: one that comes with the program
  std::string title;               // "small English, 2 layers of 4 heads, step 6,000"
  std::string task;                // as Words<TrainingTask> writes it
  std::string sentence;            // one that shows something; may be empty
  std::string look_at;             // what it shows, one line
  std::vector<std::string> first;  // settings that show it: "weights_layer=2", "head=2", "query=8"
  nn::ModelConfig config;
  nn::Guide guide;     // the head that was guided during training; weight 0: none
  double dropout = 0;  // its rate in training
  int steps = 0;       // of training; 0: the file does not say
  std::vector<std::pair<std::string, std::string>> training;  // settings that train it again; may be empty
  nn::ModelWeights weights;
  std::shared_ptr<const nn::Encoder> encoder;
  std::string not_finite;  // which tensor, how many, the first one; empty: every weight is a number
};

/// A text of a model's file as it is shown, whatever it holds: on one line, and at most about `bytes` of it.
std::string shown_text(const std::string& text, std::size_t bytes = 120);

/// `the tensor "layer0_w_q" has 3 values that are not finite, the first at [0, 5]` of the first tensor that
/// has any, and how many all have; empty: none.
std::string not_finite_words(const nn::ModelWeights& weights, const std::string& prefix = "");

/// The tensors of `weights`, empty ones left out, each name behind `prefix`.
std::vector<io::TensorView<float>> tensor_views(const nn::ModelWeights& weights,
                                                const std::string& prefix = "");
/// Has the file every tensor of such a model, in its shape? An error names the one that is missing or
/// misshapen. A config is only what a file claims: nothing of its size is allocated here.
base::Status check_shapes(const io::TensorFile& file, const nn::ModelConfig& config,
                          const std::string& prefix, const std::string& name);
/// The other way, into the shapes of the config, which are checked first.
base::Result<nn::ModelWeights> weights_from(const io::TensorFile& file, const nn::ModelConfig& config,
                                            const std::string& prefix, const std::string& name);

/// What stands under "headlight"; `extra` metadata and tensors may stand beside it in a file.
std::string model_description(const TrainedModel& model);
/// Is this the metadata of a model of ours?
base::Status check_is_model(const io::TensorMetadata& metadata, const std::string& name);
/// All but the weights, for which the shapes of the file's tensors are checked; they need no values yet.
base::Result<TrainedModel> read_description(const io::TensorFile& file, const std::string& name);
/// The weights, from a file whose tensors have values.
base::Status read_weights(const io::TensorFile& file, const std::string& name, TrainedModel& model);
/// Both; `name` is what errors call it.
base::Result<TrainedModel> read_model(const io::TensorFile& file, const std::string& name);

/// The model of another program that the scene names; null: none, or it cannot be used.
std::shared_ptr<const OtherModel> other_model(const Scene& scene);

/// The others compute as if there were no such model, and say so.
constexpr bool shows_other_models(Page page) {
  return has_trait(page, page_traits::opened);
}
/// other_model() where the open page shows it, else null.
std::shared_ptr<const OtherModel> shown_other_model(const Scene& scene);

/// The heads that the open page can choose from: those of the scene, or of another program's model; as many
/// as a setting can name while that model is on its way.
int heads_to_show(const Scene& scene);

/// The model of the scene: null with random weights; an error when there is none to be had. As model_at().
base::Result<std::shared_ptr<const TrainedModel>> model_of(const Scene& scene);

/// Names of the models that come with the program; the first one is meant where nothing is named.
std::span<const char* const> included_models();
bool is_included_model(std::string_view name);

/// The same for a path, or for the name of one that comes with the program; empty = small-english. What this
/// thread has at hand (model_file.h), else loaded now: a file is read once, and again when its size, its
/// times or its inode say that it is another one.
base::Result<std::shared_ptr<const TrainedModel>> model_at(const std::string& path);

/// The included model whose tokens are pieces of words, down to single bytes: it reads any text.
inline constexpr const char* any_word_model = "dictionary";

/// The scene that shows a model: as it was trained, at what its file says to look at first. What the file
/// sets and this program does not know is left out.
Scene scene_of_model(WeightsSource weights, std::string file, const TrainedModel& model);
/// What a newcomer sees first: the model that comes with the program, its sentence, and where to look.
/// `look_at` gets the line that says so. Without a model the defaults, and no line.
Scene first_scene(std::string& look_at);

/// The Memory page can show a head of the model: its width is one that the page's pictures have room for.
bool memory_reads_head(const nn::ModelConfig& config);

/// Makes the scene one that shows the model as it was trained: d, heads, mask, positions and scores as the
/// model has them.
void adopt_model(Scene& scene, const TrainedModel& model);
/// The same with model_of(scene). Leaves the scene alone when there is no model to be had.
void adopt_model(Scene& scene);

}  // namespace headlight::scene
