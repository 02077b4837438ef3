#include "command/models_command.h"

#include <memory>

#include "base/parallel.h"
#include "command/model_pass.h"
#include "models/opened_model.h"
#include "network/network.h"
#include "pages/model/changed_run.h"
#include "pages/model/heads_off.h"
#include "pages/model/writer.h"
#include "scene/other_model.h"
#include "scene/trained_model.h"
#include "tokenizers/tokenizer.h"

namespace headlight::app {

base::Result<std::string> generate_text(const GenerateRequest& request) {
  auto reader = open_model(request.model);
  if (!reader) return base::Error{reader.error()};
  const auto opened = std::make_shared<const scene::OtherModel>(*reader);
  const models::OpenedModel& model = *opened->model;
  const auto tokens = scene::tokens_for(*opened, request.prompt, request.ids);
  if (!tokens) return base::Error{tokens.error()};
  std::vector<int> ids;
  for (const nn::Token& token : *tokens) ids.push_back(token.piece);
  if (std::string why = scene::cannot_continue(model); !why.empty()) return base::Error{std::move(why)};
  const nn::NetworkKeeps keeps{.attentions = false, .states = false, .projections = false};
  if (const auto problem = too_long(model, ids.size(), keeps)) return *problem;
  auto factors = scene::heads_off(request.off, scene::heads_of_layers(*opened));
  if (!factors) return base::Error{factors.error()};
  scene::TrainedModel of;
  of.other = opened;
  scene::Writer writer(std::make_shared<const scene::TrainedModel>(std::move(of)),
                       {request.sampling, request.seed, std::move(*factors)});
  base::Parallel parallel;
  const std::size_t given = ids.size();
  for (int n = 0; n < request.tokens; ++n) {
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
