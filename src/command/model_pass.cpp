#include "command/model_pass.h"

#include "base/numbers.h"
#include "base/one_line.h"
#include "base/parallel.h"
#include "scene/named_files.h"

namespace headlight::app {

namespace {

std::string cut(const std::string& text, std::size_t most) {
  std::size_t characters = 0, end = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) continue;
    if (++characters == most) end = at;
  }
  return characters <= most ? text : text.substr(0, end) + "…";
}

}  // namespace

std::optional<base::Error> too_long(const models::OpenedModel& model, std::size_t tokens,
                                    const nn::NetworkKeeps& keeps) {
  constexpr double most_bytes = 1.5e9;
  // The pass itself reports the number of positions that the model has.
  if (model.network.most_tokens > 0 && tokens > static_cast<std::size_t>(model.network.most_tokens))
    return std::nullopt;
  const auto T = static_cast<double>(tokens);
  const double maps = 4 * T * T * model.network.layers.front().heads;
  if (nn::trace_bytes(model.network, static_cast<int>(tokens), keeps) + maps <= most_bytes)
    return std::nullopt;
  return base::Error{"the text has " + base::with_commas(static_cast<long long>(tokens)) +
                     " tokens, more than " + model.path.string() + " can be computed for here: shorten it"};
}

std::shared_ptr<const scene::TrainedModel> own_model(const std::filesystem::path& path) {
  const auto model = scene::model_at(path.string());
  return model && !(*model)->other && !(*model)->saved ? *model : nullptr;
}

base::Result<scene::OtherModel> open_model(const std::filesystem::path& path) {
  auto opened = scene::open_other_model(path);
  if (opened || !own_model(path)) return opened;
  return base::Error{
      scene::shown_name(path.string()) +
      " is a model of Headlight: `headlight describe --page model --model PATH` prints what it "
      "predicts"};
}

base::Result<ModelPass> model_pass(const ModelText& what, const nn::NetworkKeeps& keeps) {
  auto opened = open_model(what.model);
  if (!opened) return base::Error{opened.error()};
  ModelPass pass{std::move(*opened), {}, {}, {}};
  auto tokens = scene::tokens_for(pass.model, what.text, what.ids);
  if (!tokens) return base::Error{tokens.error()};
  pass.tokens = std::move(*tokens);
  for (const nn::Token& token : pass.tokens) pass.ids.push_back(token.piece);
  const models::OpenedModel& model = *pass.model.model;
  if (const auto problem = too_long(model, pass.ids.size(), keeps)) return *problem;
  if (const base::Status done = pass_again({}, keeps, pass); !done) return base::Error{done.error()};
  return pass;
}

base::Status pass_again(const std::vector<nn::HeadFactor>& factors, const nn::NetworkKeeps& keeps,
                        ModelPass& pass) {
  const models::OpenedModel& model = *pass.model.model;
  base::Parallel parallel;
  const base::Status done = nn::network_forward(
      model.network, model.weights, {.ids = pass.ids, .factors = factors}, parallel, pass.trace, keeps);
  return done ? base::Status() : base::Error{model.path.string() + ": " + done.error()};
}

std::string short_name(const scene::OtherModel& model, int id) {
  return cut(base::shortened(model.shown(id)), 16);
}

}  // namespace headlight::app
