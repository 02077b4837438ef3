#include "app/commands_models.h"

#include <cmath>
#include <memory>

#include "app/model_pass.h"
#include "base/parallel.h"
#include "kit/numbers.h"
#include "models/opened_model.h"
#include "nn/network.h"
#include "pages/model/changed_run.h"
#include "pages/model/heads_off.h"
#include "pages/model/writer.h"
#include "scene/other_model.h"
#include "scene/trained_model.h"
#include "tokenizers/tokenizer.h"

namespace headlight::app {

namespace fs = std::filesystem;

base::Result<std::string> describe_model(const fs::path& path) {
  const auto reader = scene::open_other_model(path);
  if (!reader) return base::Error{reader.error()};
  const models::OpenedModel& model = *reader->model;
  const nn::Network& network = model.network;
  const nn::NetworkLayer& layer = network.layers.front();
  std::string out = model.name + ": " + model.family + "\n";
  const auto line = [&](const char* what, const std::string& words) {
    out += padded(what, 14) + words + "\n";
  };
  line("parameters", views::with_commas(std::llround(model.parameters)) + ", stored as " + model.types);
  line("layers",
       std::to_string(network.layers.size()) + " of " + std::to_string(layer.heads) + " heads" +
           (layer.kv_heads < layer.heads ? " on " + std::to_string(layer.kv_heads) + " key and value heads"
                                         : "") +
           ", head width " + std::to_string(layer.head_dim));
  line("width", std::to_string(network.width) + ", feed-forward " + std::to_string(network.mlp_width));
  line("attention", std::string(network.causal ? "causal" : "in both directions") +
                        (layer.window > 0 ? ", window of " + std::to_string(layer.window) + " keys" : ""));
  line("positions", network.rope.rotary_dim > 0
                        ? "RoPE on " + std::to_string(network.rope.rotary_dim) +
                              " components of a head, base " + views::brief(network.rope.base, 7)
                    : network.positions == nn::PositionKind::table    ? "a learned table"
                    : network.positions == nn::PositionKind::sinusoid ? "sinusoids"
                                                                      : "none");
  if (network.token_types > 1)
    line("token types", network.separator >= 0
                            ? "0 up to the first " + reader->shown(network.separator) + ", 1 behind it"
                            : "0 of every token: no separator of two texts is known");
  if (network.most_tokens > 0) line("longest text", std::to_string(network.most_tokens) + " tokens");
  line("vocabulary", views::with_commas(network.vocabulary) + " tokens");
  line("tokenizer", reader->tokenizer         ? views::with_commas(reader->tokenizer->size()) + " entries"
                    : reader->problem.empty() ? "none found beside the weights"
                                              : "cannot be used: " + reader->problem);
  line("weights", model.weights_file.string());
  if (!model.unused.empty()) line("not used", std::to_string(model.unused.size()) + " tensors of the file");
  return out;
}

base::Result<std::string> generate_text(const GenerateWish& wish) {
  auto reader = scene::open_other_model(wish.model);
  if (!reader) return base::Error{reader.error()};
  const auto opened = std::make_shared<const scene::OtherModel>(*reader);
  const models::OpenedModel& model = *opened->model;
  const auto tokens = scene::tokens_for(*opened, wish.prompt, wish.ids);
  if (!tokens) return base::Error{tokens.error()};
  std::vector<int> ids;
  for (const nn::Token& token : *tokens) ids.push_back(token.piece);
  if (std::string why = scene::cannot_continue(model); !why.empty()) return base::Error{std::move(why)};
  const nn::NetworkKeeps keeps{.attentions = false, .states = false, .projections = false};
  if (const auto problem = too_long(model, ids.size(), keeps)) return *problem;
  auto factors = scene::heads_off(wish.off, scene::heads_of_layers(*opened));
  if (!factors) return base::Error{factors.error()};
  scene::TrainedModel of;
  of.other = opened;
  scene::Writer writer(std::make_shared<const scene::TrainedModel>(std::move(of)),
                       {wish.sampling, wish.seed, std::move(*factors)});
  base::Parallel parallel;
  const std::size_t given = ids.size();
  for (int n = 0; n < wish.tokens; ++n) {
    if (n > 0 && model.network.most_tokens > 0 && static_cast<int>(ids.size()) > model.network.most_tokens)
      break;
    if (n > 0 && !nn::has_steps(model.network) && too_long(model, ids.size(), keeps)) break;
    const auto id = writer.next(ids, parallel);
    if (!id) return base::Error{id.error()};
    if (*id < 0) break;
    ids.push_back(*id);
  }
  if (!opened->tokenizer) {
    std::string out;
    for (std::size_t i = 0; i < ids.size(); ++i)
      out += (i == 0 ? "" : i == given ? " | " : " ") + std::to_string(ids[i]);
    return out + "\n";
  }
  return opened->tokenizer->decode(ids, false) + "\n";
}

}  // namespace headlight::app
