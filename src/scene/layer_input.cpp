#include "scene/layer_input.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "models/opened_model.h"
#include "nn/block.h"
#include "nn/positional.h"
#include "nn/relative.h"
#include "scene/field_values.h"
#include "scene/model_stack.h"
#include "scene/other_model.h"
#include "scene/remembered.h"
#include "scene/saved_attention.h"

namespace headlight::scene {

namespace {

constexpr int most_tokens = 8192;
constexpr double most_weights = double(1 << 30) / sizeof(float);  // 1 GiB over all heads

Remembered<nn::AttentionWeights>& last_weights() {
  static Remembered<nn::AttentionWeights> weights;
  return weights;
}

std::string weights_key(const Scene& scene) {
  return number_text(scene.seed) + ' ' + number_text(input_width(scene)) + ' ' + number_text(scene.d_model);
}

/// Embeddings drawn from the seed, cached for the last sentence.
std::shared_ptr<const nn::Matrix> drawn_embeddings(const Scene& scene, const std::vector<nn::Token>& tokens) {
  static Remembered<nn::Matrix> last;
  std::string key = number_text(scene.seed) + ' ' + number_text(scene.d_model);
  for (const nn::Token& token : tokens) key += ' ' + std::to_string(token.text.size()) + ' ' + token.text;
  return last.get(key,
                  [&] { return nn::embed(tokens, scene.d_model, static_cast<std::uint64_t>(scene.seed)); });
}

nn::Matrix learned_embeddings(const TrainedModel& model, const std::vector<nn::Token>& tokens) {
  const nn::Matrix& wte = model.weights.wte;
  nn::Matrix x(static_cast<int>(tokens.size()), wte.cols());
  for (int t = 0; t < x.rows(); ++t) {
    const int piece = std::clamp(tokens[static_cast<std::size_t>(t)].piece, 0, wte.rows() - 1);
    std::copy_n(wte.row(piece).data(), wte.cols(), x.row(t).data());
  }
  return x;
}

/// strength · P, [T, d]; empty when the scene has no positions.
nn::Matrix position_rows(const Scene& scene, const TrainedModel* model, int T, base::Parallel& parallel) {
  nn::Matrix p;
  if (scene.position == Position::none || T == 0) return p;
  if (model && model->config.positions == nn::ModelPositions::learned) {
    const nn::Matrix& table = model->weights.wpe;
    p.resize(T, table.cols());
    for (int t = 0; t < T; ++t) {
      const int row = std::min(t + scene.position_offset, table.rows() - 1);
      std::copy_n(table.row(row).data(), table.cols(), p.row(t).data());
    }
  } else {
    nn::sinusoidal({T, scene.d_model, scene.position_base, scene.position_offset}, parallel, p);
  }
  const auto scale = static_cast<float>(scene.position_scale);
  for (float& value : p.values()) value *= scale;
  return p;
}

/// Content and position at the input of the first layer.
LayerInput first_layer_input(const Scene& scene, const TrainedModel* model,
                             const std::vector<nn::Token>& tokens, base::Parallel& parallel) {
  const int T = static_cast<int>(tokens.size()), d = scene.d_model, width = input_width(scene);
  LayerInput out;
  if (model) {
    out.content = learned_embeddings(*model, tokens);
  } else if (width == d) {
    out.content = *drawn_embeddings(scene, tokens);
  } else {
    out.content = nn::Matrix(T, width);
    const auto embedded = drawn_embeddings(scene, tokens);
    for (int t = 0; t < T; ++t) std::copy_n(embedded->row(t).data(), d, out.content.row(t).data());
  }
  nn::Matrix p = position_rows(scene, model, T, parallel);
  if (width == d && !p.empty()) {
    out.position = std::move(p);
    return out;
  }
  out.position = nn::Matrix(T, width);
  for (int t = 0; t < p.rows(); ++t)
    std::copy_n(p.row(t).data(), d, out.position.row(t).data() + (width - d));
  return out;
}

/// The input of the layer when others precede it: the output of the model's layers as they were trained.
template <class E>
nn::Tensor<E> residual_stream(const TrainedModel& model, int layers, nn::Tensor<E> x,
                              base::Parallel& parallel) {
  const std::shared_ptr<const nn::PairMask> pairs = model_pairs(model, x.rows());
  return through_layers(model, layers, std::move(x), model_options(model.config, pairs.get()), parallel);
}

}  // namespace

std::shared_ptr<const TrainedModel> usable_model(const Scene& scene) {
  const auto model = model_of(scene);
  if (!model || !*model || (*model)->other || (*model)->saved) return nullptr;
  // Otherwise the scene has not been repaired; it is computed as it is, with random weights.
  if ((*model)->config.d_model != scene.d_model || (*model)->config.heads != scene.heads) return nullptr;
  return *model;
}

int shown_layer(const Scene& scene, const TrainedModel& model) {
  return std::clamp(scene.weights_layer, 1, model.config.layers) - 1;
}

std::vector<nn::Token> tokens_of(const Scene& scene, std::vector<unsigned char>* known,
                                 std::size_t* in_sentence) {
  if (known) known->clear();
  if (const auto other = shown_other_model(scene)) {
    auto pieces = tokens_for(*other, scene.sentence, scene.token_ids);  // compute() says what is wrong
    std::vector<nn::Token> out = pieces ? std::move(*pieces) : std::vector<nn::Token>();
    if (in_sentence) *in_sentence = out.size();
    if (const int most = other->model->network.most_tokens; most > 0 && static_cast<int>(out.size()) > most)
      out.resize(static_cast<std::size_t>(most));
    return out;
  }
  if (const auto saved = shown_saved_attention(scene)) {
    std::vector<nn::Token> out = tokens_of(*saved, shown_sequence(*saved, scene)).queries;
    if (in_sentence) *in_sentence = out.size();
    return out;
  }
  const auto model = usable_model(scene);
  std::vector<nn::Token> tokens;
  if (!model) {
    tokens = scene.tokenizer == Tokenizer::chars ? nn::split_chars(scene.sentence)
                                                 : nn::split_words(scene.sentence);
    if (in_sentence) *in_sentence = tokens.size();
    return tokens;
  }
  std::map<int, int> first_seen;  // piece -> id
  for (nn::ModelToken& token : model->encoder->split(scene.sentence)) {
    if (!token.known && token.token.text.find_first_not_of(" \t\r\n") == std::string::npos) continue;
    token.token.piece = token.token.id;
    token.token.id =
        first_seen.try_emplace(token.token.piece, static_cast<int>(first_seen.size())).first->second;
    tokens.push_back(std::move(token.token));
    if (known) known->push_back(token.known ? 1 : 0);
  }
  if (in_sentence) *in_sentence = tokens.size();
  const bool table = model->config.positions == nn::ModelPositions::learned;
  if (table && static_cast<int>(tokens.size()) > model->config.context) {
    tokens.resize(static_cast<std::size_t>(model->config.context));
  }
  if (known) known->resize(tokens.size());
  return tokens;
}

int input_width(const Scene& scene) {
  return scene.position == Position::sinusoidal_concat ? 2 * scene.d_model : scene.d_model;
}

LayerInput layer_input(const Scene& scene, const std::vector<nn::Token>& tokens, base::Parallel& parallel) {
  const auto model = usable_model(scene);
  if (!model) return first_layer_input(scene, nullptr, tokens, parallel);
  const int layer = shown_layer(scene, *model);
  LayerInput out;
  if (layer == 0) {
    out = first_layer_input(scene, model.get(), tokens, parallel);
  } else {
    out.content = residual_stream(*model, layer, stack_input(scene, tokens, parallel), parallel);
    out.position = nn::Matrix(out.content.rows(), out.content.cols());
  }
  if (model->config.norm == nn::NormPlace::pre) {
    const nn::BlockWeights& block = model->weights.stack.layers[static_cast<std::size_t>(layer)];
    out.gamma = block.ln1_g, out.beta = block.ln1_b, out.eps = model->config.eps;
  }
  return out;
}

nn::Matrix joined(const LayerInput& parts) {
  nn::Matrix x = parts.content;
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] += parts.position.data()[i];
  if (!parts.gamma.empty()) nn::layer_norm(x, parts.gamma, parts.beta, parts.eps, x);
  return x;
}

nn::MatrixF64 joined_f64(const LayerInput& parts) {
  nn::MatrixF64 x(parts.content.rows(), parts.content.cols());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x.data()[i] =
        static_cast<double>(parts.content.data()[i]) + static_cast<double>(parts.position.data()[i]);
  }
  if (!parts.gamma.empty()) nn::layer_norm(x, parts.gamma, parts.beta, parts.eps, x);
  return x;
}

LayerInput linear_parts(const LayerInput& parts) {
  LayerInput out{parts.content, parts.position, {}, {}, 0};
  if (parts.gamma.empty()) return out;
  const int D = parts.content.cols();
  for (int t = 0; t < parts.content.rows(); ++t) {
    const std::span<float> content = out.content.row(t), position = out.position.row(t);
    double content_mean = 0, position_mean = 0, squares = 0;
    for (std::size_t c = 0; c < content.size(); ++c) {
      content_mean += static_cast<double>(content[c]), position_mean += static_cast<double>(position[c]);
    }
    content_mean /= D, position_mean /= D;
    for (std::size_t c = 0; c < content.size(); ++c) {
      const double off =
          static_cast<double>(content[c]) + static_cast<double>(position[c]) - content_mean - position_mean;
      squares += off * off;
    }
    const double factor = 1 / std::sqrt(squares / D + parts.eps);
    for (std::size_t c = 0; c < content.size(); ++c) {
      const double gamma = static_cast<double>(parts.gamma.data()[c]) * factor;
      content[c] = static_cast<float>((static_cast<double>(content[c]) - content_mean) * gamma +
                                      static_cast<double>(parts.beta.data()[c]));
      position[c] = static_cast<float>((static_cast<double>(position[c]) - position_mean) * gamma);
    }
  }
  return out;
}

nn::Matrix stack_input(const Scene& scene, const std::vector<nn::Token>& tokens, base::Parallel& parallel) {
  return joined(first_layer_input(scene, usable_model(scene).get(), tokens, parallel));
}

nn::MatrixF64 layer_input_f64(const Scene& scene, const std::vector<nn::Token>& tokens,
                              base::Parallel& parallel) {
  const auto model = usable_model(scene);
  const int layer = model ? shown_layer(scene, *model) : 0;
  if (layer == 0) return joined_f64(layer_input(scene, tokens, parallel));
  nn::MatrixF64 x = joined_f64(first_layer_input(scene, model.get(), tokens, parallel));
  return as_read(*model, layer, residual_stream(*model, layer, std::move(x), parallel));
}

double products_before(const Scene& scene, double T) {
  const auto model = usable_model(scene);
  if (!model) return 0;
  const double D = model->config.d_model, inner = model->config.feed_forward ? model->config.d_ff : 0;
  return shown_layer(scene, *model) * (T * (4 * D * D + 2 * D * inner) + 2 * T * T * D);
}

double work_before(const Scene& scene, double T) {
  // Measured: narrow products run at half the speed of wide ones; reading their weights takes as long as
  // `fewest_tokens` tokens do; `number` is the cost of a number inside a layer, `weight` that of an attention
  // weight.
  constexpr double product = 2, fewest_tokens = 24, number = 1000, weight = 300;
  const auto model = usable_model(scene);
  if (!model || T == 0) return 0;
  const nn::ModelConfig& c = model->config;
  const double numbers = T * (c.feed_forward ? c.d_ff : 0), weights = T * T * c.heads;
  return product * products_before(scene, T + fewest_tokens) +
         shown_layer(scene, *model) * (number * numbers + weight * weights);
}

nn::Matrix word_embeddings(const Scene& scene, const std::vector<nn::Token>& tokens) {
  const auto model = usable_model(scene);
  return model ? learned_embeddings(*model, tokens) : *drawn_embeddings(scene, tokens);
}

std::shared_ptr<const nn::AttentionWeights> layer_weights(const Scene& scene) {
  if (const auto model = usable_model(scene)) {
    const auto layer = static_cast<std::size_t>(shown_layer(scene, *model));
    return {model, &model->weights.stack.layers[layer].attention};
  }
  return last_weights().get(weights_key(scene), [&] {
    return nn::random_attention_weights(input_width(scene), scene.d_model,
                                        static_cast<std::uint64_t>(scene.seed));
  });
}

std::shared_ptr<const nn::PackedWeights> packed_weights(
    const std::shared_ptr<const nn::AttentionWeights>& weights, int heads, base::Parallel& parallel) {
  static std::mutex mutex;
  // A closed model is not kept; its packed layer is kept until others are packed.
  static std::weak_ptr<const nn::AttentionWeights> of;
  static std::shared_ptr<const nn::PackedWeights> last;
  {
    const std::lock_guard lock(mutex);
    if (last && nn::fits(*last, heads) && of.lock() == weights) return last;
  }
  auto made = std::make_shared<const nn::PackedWeights>(nn::packed(*weights, heads, parallel));
  const std::lock_guard lock(mutex);
  of = weights, last = made;
  return made;
}

bool weights_at_hand(const Scene& scene) {
  return scene.weights != WeightsSource::random || last_weights().find(weights_key(scene)) != nullptr;
}

nn::AttentionOptions model_options(const nn::ModelConfig& config, const nn::PairMask* pairs) {
  nn::AttentionOptions options;
  options.heads = config.heads;
  options.mask.causal = config.causal;
  options.pairs = pairs;
  if (config.positions == nn::ModelPositions::rope) {
    options.rope = nn::RopeSpec{config.rope_pairs, 0, config.position_base, 0};
  }
  return options;
}

std::shared_ptr<const nn::PairMask> model_pairs(const TrainedModel& model, int T) {
  const nn::ModelConfig& config = model.config;
  if (T == 0) return nullptr;
  auto pairs = std::make_shared<nn::PairMask>();
  if (config.positions == nn::ModelPositions::t5) {
    const nn::T5Buckets buckets{!config.causal, model.weights.t5_table.rows(), 128};
    pairs->add = nn::spread(nn::t5_bias(buckets, model.weights.t5_table, T, T), T, T);
  } else if (config.positions == nn::ModelPositions::alibi) {
    pairs->add = nn::spread(nn::alibi_bias<float>(config.heads, T, T), T, T);
  } else {
    return nullptr;
  }
  return pairs;
}

nn::AttentionOptions layer_options(const Scene& scene, int T, std::shared_ptr<const nn::PairMask>& pairs) {
  nn::AttentionOptions options = attention_options(scene);
  pairs = nullptr;
  if (const auto model = usable_model(scene)) {
    pairs = model_pairs(*model, T);
    options.pairs = pairs.get();
    options.rope = model_options(model->config, nullptr).rope;
  }
  return options;
}

nn::AttentionOptions attention_options(const Scene& scene) {
  nn::AttentionOptions options;
  options.heads = scene.heads;
  options.divide_by_sqrt_d_k = scene.scale;
  options.temperature = scene.temperature;
  options.mask.causal = scene.mask.causal;
  if (scene.mask.window) options.mask.window_left = options.mask.window_right = scene.window;
  if (scene.mask.valid_length) options.mask.valid_length = scene.valid_length;
  return options;
}

int max_tokens(int heads) {
  HEADLIGHT_CHECK_OP(heads, >=, 1);
  const auto fit = static_cast<int>(std::sqrt(most_weights / heads));
  return std::min(fit, most_tokens);
}

std::size_t count_tokens(const Scene& scene) {
  return tokens_of(scene).size();
}

}  // namespace headlight::scene
