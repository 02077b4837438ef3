// `headlight next`: the predictions of another program's model, as a table or as JSON.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/numbers.h"
#include "base/words.h"
#include "command/model_pass.h"
#include "command/models_command.h"
#include "io/tensor_json.h"
#include "network/sampling.h"
#include "pages/model/changed_run.h"
#include "pages/model/heads_off.h"
#include "tokenizers/tokenizer.h"

namespace headlight::app {

namespace {

struct Predicted {
  std::vector<nn::Follower> followers;
  std::vector<nn::Ranking> rankings;
  std::vector<nn::Ranking> each;  // for JSON: of every follower's position
  double mean_loss = 0;           // over the followers
  /// With heads switched off or scaled; empty: there are none.
  std::vector<nn::Follower> changed;
  std::vector<std::vector<double>> after;       // the probabilities of the tokens of each ranking
  std::vector<std::vector<double>> each_after;  // the same for `each`
  double changed_mean_loss = 0;
  /// Tokens that may be drawn after the last position; empty: nothing is cut.
  std::vector<nn::TokenProbability> drawn;
  double drawn_of(int id) const {
    const auto at = std::find_if(drawn.begin(), drawn.end(), [id](const auto& one) { return one.id == id; });
    return at == drawn.end() ? 0 : at->probability;
  }
  bool has_change() const { return !after.empty(); }
};

base::Error no_logit(const ModelPass& pass, int position) {
  return {pass.model.model->path.string() + ": no logit at position " + std::to_string(position) +
          " is finite; use another copy of the model"};
}

/// For a causal model: the tokens after each position.
base::Result<Predicted> after_each(const ModelPass& pass, const NextRequest& request) {
  Predicted out;
  const int T = static_cast<int>(pass.ids.size());
  for (int t = 0; t < T; ++t) {
    const std::span<const float> logits = pass.trace.logits.row(t);
    if (t + 1 == T) {
      const auto last = nn::ranking(logits, t, request.top, request.temperature);
      if (!last) return no_logit(pass, t);
      out.rankings.push_back(*last);
      break;
    }
    const auto one = nn::follower(logits, t, pass.ids[static_cast<std::size_t>(t) + 1], request.temperature);
    if (!one) return no_logit(pass, t);
    out.followers.push_back(*one);
    if (request.json) {
      const auto here = nn::ranking(logits, t, request.top, request.temperature);
      if (!here) return no_logit(pass, t);
      out.each.push_back(*here);
    }
    out.mean_loss += out.followers.back().loss / (T - 1);
  }
  return out;
}

/// For a masked model: the tokens at each mask token.
base::Result<Predicted> at_masks(const ModelPass& pass, const NextRequest& request) {
  const auto& tokenizer = pass.model.tokenizer;
  const std::optional<int> mask = scene::mask_token(pass.model);
  Predicted out;
  for (std::size_t t = 0; t < pass.ids.size(); ++t) {
    if (!mask || pass.ids[t] != *mask) continue;
    const int position = static_cast<int>(t);
    const auto found =
        nn::ranking(pass.trace.logits.row(position), position, request.top, request.temperature);
    if (!found) return no_logit(pass, position);
    out.rankings.push_back(*found);
  }
  if (out.rankings.empty()) {
    return base::Error{
        pass.model.model->name + " is not causal: it predicts masked tokens, and the text has none" +
        (mask ? "; write " + tokenizer->entry(*mask) + " where one is to be predicted" : std::string())};
  }
  return out;
}

/// Computes the pass again with the heads off, and adds the changes to `found`.
base::Status add_change(const NextRequest& request, const nn::NetworkKeeps& keeps, ModelPass& pass,
                        Predicted& found) {
  const auto factors = scene::heads_off(request.off, scene::heads_of_layers(pass.model));
  if (!factors) return base::Error{factors.error()};
  if (factors->empty()) return {};
  if (const base::Status done = pass_again(*factors, keeps, pass); !done) return done;
  for (const nn::Follower& one : found.followers) {
    const auto after =
        nn::follower(pass.trace.logits.row(one.position), one.position, one.next, request.temperature);
    if (!after) return no_logit(pass, one.position);
    found.changed.push_back(*after);
    found.changed_mean_loss += after->loss / static_cast<double>(found.followers.size());
  }
  const auto of = [&](const std::vector<nn::Ranking>& rankings, std::vector<std::vector<double>>& afters) {
    for (const nn::Ranking& ranking : rankings) {
      const std::vector<double> all =
          nn::probabilities_of(pass.trace.logits.row(ranking.position), request.temperature);
      std::vector<double>& after = afters.emplace_back();
      for (const nn::TokenProbability& one : ranking.top)
        after.push_back(all[static_cast<std::size_t>(one.id)]);
    }
  };
  of(found.rankings, found.after);
  of(found.each, found.each_after);
  return {};
}

/// Uses the current logits, with heads off if there are any.
base::Status add_drawn(const NextRequest& request, const ModelPass& pass, Predicted& found) {
  if (request.top_k == 0 && request.top_p >= 1) return {};
  if (!pass.model.model->network.causal)
    return base::Error{"--top-k and --top-p cut what is sampled; " + pass.model.model->name +
                       " is not causal: nothing is sampled from it"};
  const int last = static_cast<int>(pass.ids.size()) - 1;
  found.drawn =
      nn::candidates(pass.trace.logits.row(last), {request.temperature, request.top_k, request.top_p});
  return found.drawn.empty() ? base::Status(no_logit(pass, last)) : base::Status();
}

std::string percent(double p) {
  return base::fixed(100 * p, p >= 0.0995 ? 1 : p >= 0.00995 ? 2 : 4) + " %";
}

/// Probability and loss with the heads off, and the change of the loss; empty if no head is off.
std::string changed_columns(const Predicted& found, const nn::Follower& one) {
  if (!found.has_change()) return {};
  const nn::Follower& after = found.changed[static_cast<std::size_t>(&one - found.followers.data())];
  return base::padded_before(percent(after.probability), 10) +
         base::padded_before(base::fixed(after.loss, 3), 10) +
         base::padded_before(base::signed_text(after.loss - one.loss, 3), 9);
}

std::string drawn_column(const Predicted& found, int id) {
  if (found.drawn.empty()) return {};
  const double p = found.drawn_of(id);
  return p > 0 ? base::padded_before(percent(p), 10) + " sampled" : base::padded_before("cut", 10);
}

std::string as_text(const ModelPass& pass, const Predicted& found) {
  const bool causal = pass.model.model->network.causal;
  const auto name = [&](int id) { return short_name(pass.model, id); };
  std::string text;
  if (!found.followers.empty())
    text =
        base::padded("", 4) + base::padded("token", 18) + base::padded("next token", 18) +
        base::padded_before("p", 10) + base::padded_before("rank", 7) + base::padded_before("loss", 9) +
        (found.has_change() ? base::padded_before("p changed", 11) + base::padded_before("loss changed", 14) +
                                  base::padded_before("change", 9)
                            : std::string()) +
        "\n";
  for (const nn::Follower& one : found.followers)
    text += base::padded_before(std::to_string(one.position), 3) + " " +
            base::padded(name(pass.ids[static_cast<std::size_t>(one.position)]), 18) +
            base::padded(name(one.next), 18) + base::padded_before(percent(one.probability), 10) +
            base::padded_before(std::to_string(one.rank), 7) +
            base::padded_before(base::fixed(one.loss, 3), 9) + changed_columns(found, one) + "\n";
  if (!found.followers.empty())
    text += "mean loss " + base::fixed(found.mean_loss, 3) + " nats" +
            (found.has_change() ? ", " + base::fixed(found.changed_mean_loss, 3) + " with the heads changed"
                                : "") +
            "\n\n";
  for (const nn::Ranking& ranking : found.rankings) {
    const bool first = &ranking == &found.rankings.front();
    text += causal
                ? "after " + name(pass.ids.back()) +
                      (found.drawn.empty()
                           ? "\n"
                           : "; " + std::to_string(found.drawn.size()) +
                                 (found.drawn.size() == 1 ? " token" : " tokens") + " can be sampled\n")
                : (first ? "" : "\n") + std::string("at position ") + std::to_string(ranking.position) + "\n";
    const std::vector<double>* after =
        found.has_change() ? &found.after[static_cast<std::size_t>(&ranking - found.rankings.data())]
                           : nullptr;
    int rank = 0;
    for (const nn::TokenProbability& one : ranking.top) {
      text += base::padded_before(std::to_string(rank + 1), 4) + "  " + base::padded(name(one.id), 20) +
              base::padded_before(percent(one.probability), 10) +
              (after ? base::padded_before(percent((*after)[static_cast<std::size_t>(rank)]), 10) + " changed"
                     : "") +
              drawn_column(found, one.id) + "\n";
      ++rank;
    }
  }
  return text;
}

std::string as_json(const ModelPass& pass, const Predicted& found) {
  using Json = nlohmann::ordered_json;
  const auto token = [&](int id) { return Json{{"id", id}, {"token", pass.model.shown(id)}}; };
  const auto top = [&](const nn::Ranking& ranking, const std::vector<double>* after, bool last = false) {
    Json out = Json::array();
    for (std::size_t place = 0; place < ranking.top.size(); ++place) {
      const nn::TokenProbability& one = ranking.top[place];
      Json entry = token(one.id);
      entry["probability"] = one.probability;
      if (after) entry["probability_off"] = (*after)[place];
      if (last && !found.drawn.empty()) entry["drawn"] = found.drawn_of(one.id);
      out.push_back(std::move(entry));
    }
    return out;
  };
  const auto mean = [&](double loss) { return found.followers.empty() ? Json() : Json(loss); };
  Json out{{"model", pass.model.model->name}, {"token_ids", pass.ids}, {"tokens", Json::array()}};
  for (const nn::Token& one : pass.tokens) out["tokens"].push_back(one.text);
  if (pass.model.model->network.causal) {
    Json& next = out["next"] = Json::array();
    for (std::size_t at = 0; at < found.followers.size(); ++at) {
      const nn::Follower& one = found.followers[at];
      Json entry{{"position", one.position}};
      entry.update(token(one.next));
      entry["probability"] = one.probability, entry["rank"] = one.rank, entry["loss"] = one.loss;
      if (found.has_change()) {
        entry["probability_off"] = found.changed[at].probability;
        entry["loss_off"] = found.changed[at].loss;
      }
      entry["top"] = top(found.each[at], found.has_change() ? &found.each_after[at] : nullptr);
      next.push_back(std::move(entry));
    }
    out["mean_loss"] = mean(found.mean_loss);
    if (found.has_change()) out["mean_loss_off"] = mean(found.changed_mean_loss);
  }
  if (!found.drawn.empty()) out["drawn_tokens"] = found.drawn.size();
  Json& predicted = out["predicted"] = Json::array();
  for (std::size_t place = 0; place < found.rankings.size(); ++place) {
    const nn::Ranking& ranking = found.rankings[place];
    predicted.push_back({{"position", ranking.position},
                         {"top", top(ranking, found.has_change() ? &found.after[place] : nullptr, true)}});
  }
  return io::json_text(out) + "\n";
}

}  // namespace

base::Result<std::string> next_tokens(const NextRequest& request) {
  const nn::NetworkKeeps keeps{.attentions = false, .states = false, .projections = false};
  auto pass = model_pass({request.model, request.text, request.ids}, keeps);
  if (!pass) return base::Error{pass.error()};
  const models::OpenedModel& model = *pass->model.model;
  if (pass->trace.logits.empty())
    return base::Error{model.path.string() + " has no head over a vocabulary: it predicts no token"};
  auto found = model.network.causal ? after_each(*pass, request) : at_masks(*pass, request);
  if (!found) return base::Error{found.error()};
  if (const base::Status done = add_change(request, keeps, *pass, *found); !done)
    return base::Error{done.error()};
  if (const base::Status done = add_drawn(request, *pass, *found); !done) return base::Error{done.error()};
  return request.json ? as_json(*pass, *found) : as_text(*pass, *found);
}

}  // namespace headlight::app
