// `headlight next`: what a model of another program predicts, as a table or as JSON.
#include <cmath>
#include <cstdio>
#include <optional>

#include "app/commands_models.h"
#include "app/model_pass.h"
#include "base/numbers.h"
#include "io/tensor_json.h"
#include "nn/sampling.h"
#include "tokenizers/tokenizer.h"

namespace headlight::app {

namespace {

struct Predictions {
  std::vector<nn::Follower> followers;
  std::vector<nn::Ranking> rankings;
  double mean_loss = 0;  // over the followers
};

base::Error no_logit(const ModelPass& pass, int position) {
  return {pass.model.model->path.string() + ": no logit at position " + std::to_string(position) +
          " is finite"};
}

/// Of a causal model: what follows each position.
base::Result<Predictions> after_each(const ModelPass& pass, const NextWish& wish) {
  Predictions out;
  const int T = static_cast<int>(pass.ids.size());
  for (int t = 0; t < T; ++t) {
    const std::span<const float> logits = pass.trace.logits.row(t);
    if (t + 1 == T) {
      const auto last = nn::ranking(logits, t, wish.top, wish.temperature);
      if (!last) return no_logit(pass, t);
      out.rankings.push_back(*last);
      break;
    }
    const auto one = nn::follower(logits, t, pass.ids[static_cast<std::size_t>(t) + 1], wish.temperature);
    if (!one) return no_logit(pass, t);
    out.followers.push_back(*one);
    out.mean_loss += out.followers.back().loss / (T - 1);
  }
  return out;
}

/// Of a masked model: what stands at each mask token.
base::Result<Predictions> at_masks(const ModelPass& pass, const NextWish& wish) {
  const auto& tokenizer = pass.model.tokenizer;
  std::optional<int> mask;
  for (const char* entry : {"[MASK]", "<mask>"}) {
    if (!mask && tokenizer) mask = tokenizer->id_of(entry);
  }
  Predictions out;
  for (std::size_t t = 0; t < pass.ids.size(); ++t) {
    if (!mask || pass.ids[t] != *mask) continue;
    const int position = static_cast<int>(t);
    const auto found = nn::ranking(pass.trace.logits.row(position), position, wish.top, wish.temperature);
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

std::string percent(double p) {
  return base::fixed(100 * p, p >= 0.0995 ? 1 : p >= 0.00995 ? 2 : 4) + " %";
}

std::string as_text(const ModelPass& pass, const Predictions& found) {
  const bool causal = pass.model.model->network.causal;
  const auto name = [&](int id) { return short_name(pass.model, id); };
  std::string text;
  if (!found.followers.empty())
    text = padded("", 4) + padded("token", 18) + padded("next token", 18) + padded("p", 10, true) +
           padded("rank", 7, true) + padded("loss", 9, true) + "\n";
  for (const nn::Follower& one : found.followers)
    text += padded(std::to_string(one.position), 3, true) + " " +
            padded(name(pass.ids[static_cast<std::size_t>(one.position)]), 18) + padded(name(one.next), 18) +
            padded(percent(one.probability), 10, true) + padded(std::to_string(one.rank), 7, true) +
            padded(base::fixed(one.loss, 3), 9, true) + "\n";
  if (!found.followers.empty()) text += "mean loss " + base::fixed(found.mean_loss, 3) + " nats\n\n";
  for (const nn::Ranking& ranking : found.rankings) {
    const bool first = &ranking == &found.rankings.front();
    text += causal
                ? "after " + name(pass.ids.back()) + "\n"
                : (first ? "" : "\n") + std::string("at position ") + std::to_string(ranking.position) + "\n";
    int rank = 0;
    for (const nn::TokenProbability& one : ranking.top)
      text += padded(std::to_string(++rank), 4, true) + "  " + padded(name(one.id), 20) +
              padded(percent(one.probability), 10, true) + "\n";
  }
  return text;
}

std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char out[32];
  std::snprintf(out, sizeof out, "%.9g", value);
  return out;
}

template <class List, class Write>
std::string list(const List& items, Write write) {
  std::string out = "[";
  for (const auto& item : items) out += (out.size() > 1 ? "," : "") + write(item);
  return out + "]";
}

std::string as_json(const ModelPass& pass, const Predictions& found) {
  const auto token = [&](int id) {
    return "\"id\":" + std::to_string(id) + ",\"token\":" + io::json_string(pass.model.shown(id));
  };
  std::string out =
      "{\"model\":" + io::json_string(pass.model.model->name) +
      ",\"token_ids\":" + list(pass.ids, [](int id) { return std::to_string(id); }) +
      ",\"tokens\":" + list(pass.tokens, [](const nn::Token& one) { return io::json_string(one.text); });
  if (pass.model.model->network.causal) {
    out += ",\"next\":" + list(found.followers, [&](const nn::Follower& one) {
             return "{\"position\":" + std::to_string(one.position) + "," + token(one.next) +
                    ",\"probability\":" + number(one.probability) + ",\"rank\":" + std::to_string(one.rank) +
                    ",\"loss\":" + number(one.loss) + "}";
           });
    out += ",\"mean_loss\":" + (found.followers.empty() ? "null" : number(found.mean_loss));
  }
  out += ",\"predicted\":" + list(found.rankings, [&](const nn::Ranking& ranking) {
           return "{\"position\":" + std::to_string(ranking.position) + ",\"top\":" +
                  list(ranking.top,
                       [&](const nn::TokenProbability& one) {
                         return "{" + token(one.id) + ",\"probability\":" + number(one.probability) + "}";
                       }) +
                  "}";
         });
  return out + "}\n";
}

}  // namespace

base::Result<std::string> next_tokens(const NextWish& wish) {
  const nn::NetworkKeeps keeps{.attentions = false, .states = false, .projections = false};
  const auto pass = model_pass({wish.model, wish.text, wish.ids}, keeps);
  if (!pass) return base::Error{pass.error()};
  const models::OpenedModel& model = *pass->model.model;
  if (pass->trace.logits.empty())
    return base::Error{model.path.string() + " has no head over a vocabulary: it predicts no token"};
  const auto found = model.network.causal ? after_each(*pass, wish) : at_masks(*pass, wish);
  if (!found) return base::Error{found.error()};
  return wish.json ? as_json(*pass, *found) : as_text(*pass, *found);
}

}  // namespace headlight::app
