#include "scene/model_answers.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string_view>

#include "tasks/pronouns.h"

namespace headlight::scene {

namespace {

constexpr std::size_t most_answered_tokens = 256, most_numbers = 2'000'000;
constexpr int measured_lengths = nn::longest_pronoun_sentence - nn::shortest_pronoun_sentence + 1;
constexpr int measured_of_each = 64;

std::size_t numbers_in(const TrainedModel& model) {
  std::size_t count = 0;
  nn::tensors(model.weights, [&](const std::string&, const nn::Matrix& tensor) { count += tensor.size(); });
  return count;
}

/// A file may claim any task for any model: a model that cannot be run on such sentences, or not between two
/// frames, has no answers.
bool of_pronouns(const TrainedModel& model) {
  const bool table = model.config.positions == nn::ModelPositions::learned;
  return model.task == Words<TrainingTask>::list[static_cast<int>(TrainingTask::pronouns)] &&
         model.not_finite.empty() && numbers_in(model) <= most_numbers &&
         (!table || model.config.context >= nn::longest_pronoun_sentence);
}

bool is_pronoun(std::string_view text) {
  for (const std::string_view one : {"it", "he", "she", "they"}) {
    if (text == one) return true;
  }
  return false;
}

int likeliest(std::span<const float> row) {
  return static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
}

std::shared_ptr<const PronounMeasure> measured(const TrainedModel& model) {
  base::Parallel parallel(1);
  auto out = std::make_shared<PronounMeasure>();
  const nn::ModelConfig& config = model.config;
  out->heads = nn::MatrixF64(config.layers, config.heads);
  nn::ModelTrace trace;
  for (int n = 0; n < measured_lengths; ++n) {
    nn::Batch batch;
    batch.B = measured_of_each, batch.T = nn::shortest_pronoun_sentence + n;
    std::vector<nn::PronounSentence> sentences;
    for (int b = 0; b < batch.B; ++b) {
      const auto stream = static_cast<std::uint64_t>(n * measured_of_each + b);
      sentences.push_back(
          nn::pronoun_sentence(PronounMeasure::seed, stream, nn::GrammarPart::measuring, batch.T));
      for (const int word : sentences.back().words)
        batch.tokens.push_back(model.encoder->id_of(nn::pronoun_words()[static_cast<std::size_t>(word)]));
    }
    nn::model_forward(config, model.weights, batch, parallel, trace);
    for (int b = 0; b < batch.B; ++b) {
      const nn::PronounSentence& s = sentences[static_cast<std::size_t>(b)];
      out->right += likeliest(trace.logits.row(b * batch.T + s.pronoun)) ==
                    batch.tokens[static_cast<std::size_t>(b * batch.T + s.meant)];
      out->subject += s.meant == s.subject;
      out->nearest += std::abs(s.meant - s.pronoun) < std::abs(s.not_meant - s.pronoun);
      for (int l = 0; l < config.layers; ++l) {
        const nn::Matrix& weights = trace.layers[static_cast<std::size_t>(l)].weights;
        for (int h = 0; h < config.heads; ++h) {
          const auto weight = static_cast<double>(weights.at(b * config.heads + h, s.pronoun, s.meant));
          out->heads.at(l, h) += weight >= PronounMeasure::shown;
        }
      }
    }
    out->sentences += batch.B;
  }
  for (double* share : {&out->right, &out->subject, &out->nearest}) *share /= out->sentences;
  for (double& share : out->heads.values()) share /= out->sentences;
  return out;
}

}  // namespace

std::vector<ModelAnswer> model_answers(const TrainedModel& model, const std::vector<nn::Token>& tokens,
                                       base::Parallel& parallel) {
  if (!of_pronouns(model) || tokens.empty() || tokens.size() > most_answered_tokens) return {};
  const bool table = model.config.positions == nn::ModelPositions::learned;
  if (table && static_cast<int>(tokens.size()) > model.config.context) return {};
  const std::vector<std::string>& texts = model.encoder->vocabulary().texts;
  nn::Batch batch;
  batch.B = 1, batch.T = static_cast<int>(tokens.size());
  bool requested = false;
  for (const nn::Token& token : tokens) {
    batch.tokens.push_back(token.piece);
    requested = requested || is_pronoun(texts[static_cast<std::size_t>(token.piece)]);
  }
  std::vector<ModelAnswer> answers;
  if (!requested) return answers;
  nn::ModelTrace trace;
  nn::model_forward(model.config, model.weights, batch, parallel, trace);
  for (int t = 0; t < batch.T; ++t) {
    if (!is_pronoun(texts[static_cast<std::size_t>(batch.tokens[static_cast<std::size_t>(t)])])) continue;
    ModelAnswer answer;
    answer.query = t;
    const std::span<const float> logits = trace.logits.row(t);
    const auto largest = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    double sum = 0;
    for (const float logit : logits) {
      answer.probabilities.push_back(std::exp(static_cast<double>(logit) - largest));
      sum += answer.probabilities.back();
    }
    for (double& p : answer.probabilities) p /= sum;
    const auto best = static_cast<std::size_t>(likeliest(logits));
    answer.text = texts[best], answer.probability = answer.probabilities[best];
    answers.push_back(std::move(answer));
  }
  return answers;
}

std::shared_ptr<const PronounMeasure> pronoun_measure(const std::shared_ptr<const TrainedModel>& model) {
  if (!model || !of_pronouns(*model)) return nullptr;
  static std::mutex mutex;
  static std::shared_ptr<const TrainedModel> of;  // kept, so that no other model can have its address
  static std::shared_ptr<const PronounMeasure> last;
  const std::lock_guard lock(mutex);
  if (of != model) last = measured(*model), of = model;
  return last;
}

}  // namespace headlight::scene
