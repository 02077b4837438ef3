#include "pages/model/writer.h"

#include <algorithm>

#include "models/opened_model.h"
#include "nn/random.h"
#include "pages/model/changed_run.h"
#include "pages/model/heads_off.h"
#include "pages/model/predictions.h"
#include "pages/opened_attention.h"
#include "scene/other_model.h"
#include "train/model.h"

namespace headlight::scene {

namespace {

nn::NetworkKeeps only_logits() {
  return {.attentions = false, .states = false, .projections = false};
}

nn::Matrix last_row(const nn::Matrix& all) {
  nn::Matrix out(1, all.cols());
  if (all.rows() > 0) std::copy_n(all.row(all.rows() - 1).data(), out.size(), out.data());
  return out;
}

bool begins_with(const std::vector<int>& all, const std::vector<int>& first) {
  return first.size() < all.size() && std::equal(first.begin(), first.end(), all.begin());
}

/// Is the sentence cut into exactly these tokens?
bool is_cut_into(const std::string& sentence, const TrainedModel& model, const std::vector<int>& ids) {
  if (model.other) {
    const auto tokens = tokens_for(*model.other, sentence, {});
    return tokens && opened_ids(*tokens) == ids;
  }
  return model.encoder->encode(sentence) == ids;
}

}  // namespace

base::Result<WriteRules> write_rules(const Scene& scene, const TrainedModel& model) {
  auto factors =
      heads_off(scene.model.off, model.other ? heads_of_layers(*model.other) : heads_of_layers(model));
  if (!factors) return base::Error{factors.error()};
  return WriteRules{{scene.model.temperature, scene.model.top_k, scene.model.top_p},
                    static_cast<std::uint64_t>(scene.model.seed),
                    std::move(*factors)};
}

std::string cannot_continue(const models::OpenedModel& model) {
  if (!model.network.causal)
    return model.path.string() + ": " + model.family + " is not causal, so it cannot continue a text";
  if (model.weights.head.w.empty())
    return model.path.string() + " has no output head over a vocabulary, so it cannot predict tokens";
  return {};
}

Writer::Writer(std::shared_ptr<const TrainedModel> model, WriteRules rules)
    : model_(std::move(model)), rules_(std::move(rules)) {
  cache_.factors = rules_.factors;
  if (!model_->other && !rules_.factors.empty())
    changed_ = std::make_shared<const nn::ModelWeights>(with_factors(*model_, rules_.factors));
}

base::Status Writer::logits_of_own(const std::vector<int>& ids, base::Parallel& parallel) {
  const int T = static_cast<int>(ids.size());
  if (std::string why = cannot_predict(*model_, T); !why.empty()) return base::Error{why};
  nn::Batch batch;
  batch.B = 1, batch.T = T, batch.tokens = ids;
  nn::ModelTrace trace;
  nn::model_forward(model_->config, changed_ ? *changed_ : model_->weights, batch, parallel, trace);
  logits_ = last_row(trace.logits);
  return {};
}

base::Status Writer::logits_of_other(const std::vector<int>& ids, base::Parallel& parallel) {
  const models::OpenedModel& other = *model_->other->model;
  if (std::string why = cannot_continue(other); !why.empty()) return base::Error{std::move(why)};
  nn::NetworkTrace trace;
  const base::Status done =
      nn::has_steps(other.network) ? step(other, ids, parallel, trace) : whole(other, ids, parallel, trace);
  if (!done) return base::Error{other.path.string() + ": " + done.error()};
  logits_ = last_row(trace.logits);
  return {};
}

base::Status Writer::step(const models::OpenedModel& other, const std::vector<int>& ids,
                          base::Parallel& parallel, nn::NetworkTrace& trace) {
  if (!begins_with(ids, cache_.ids)) cache_.ids.clear(), cache_.k.clear(), cache_.v.clear();
  const std::span<const int> next = std::span(ids).subspan(cache_.ids.size());
  return nn::network_step(other.network, other.weights, next, parallel, cache_, trace, only_logits());
}

base::Status Writer::whole(const models::OpenedModel& other, const std::vector<int>& ids,
                           base::Parallel& parallel, nn::NetworkTrace& trace) const {
  const nn::NetworkInput input{.ids = ids, .factors = rules_.factors};
  return nn::network_forward(other.network, other.weights, input, parallel, trace, only_logits());
}

base::Result<int> Writer::next(const std::vector<int>& ids, base::Parallel& parallel) {
  HEADLIGHT_CHECK(!ids.empty());
  if (const base::Status done = model_->other ? logits_of_other(ids, parallel) : logits_of_own(ids, parallel);
      !done)
    return base::Error{done.error()};
  const auto left = nn::candidates(logits_.row(0), rules_.sampling);
  const nn::Random random(rules_.seed, 0);
  const int id = nn::drawn(left, random.uniform(static_cast<std::uint64_t>(ids.size())));
  if (id < 0) return base::Error{"no logit is finite after " + std::to_string(ids.size()) + " tokens"};
  if (model_->other) {
    const std::vector<int>& ends = model_->other->model->eos;
    if (std::find(ends.begin(), ends.end(), id) != ends.end()) return -1;
  }
  return id;
}

Scene written_on(const Scene& scene, const TrainedModel& model, const std::vector<int>& ids, int id) {
  std::vector<int> all = ids;
  all.push_back(id);
  Scene next = scene;
  next.query = {static_cast<int>(all.size()) - 1}, next.key = -1;
  const auto sentence_of = [&](const std::vector<int>& some) {
    return model.other ? model.other->text_of(some) : model.encoder->decode(some);
  };
  const std::string before = sentence_of(ids), after = sentence_of(all);
  // What was typed stays unchanged: only the text of the new token is added.
  const std::string added = after.starts_with(before) ? after.substr(before.size()) : std::string();
  next.token_ids.clear();
  for (const std::string& sentence : {scene.sentence + added, after}) {
    if (sentence.empty() || !is_cut_into(sentence, model, all)) continue;
    next.sentence = sentence;
    return next;
  }
  next.sentence = after.empty() ? scene.sentence : after;
  if (model.other) next.token_ids = all;
  return next;
}

}  // namespace headlight::scene
