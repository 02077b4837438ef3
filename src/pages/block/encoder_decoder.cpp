#include "pages/block/encoder_decoder.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "scene/scene.h"
#include "tasks/reversal.h"

namespace headlight::scene {

namespace {

using std::size_t;

constexpr int stride = 100, scored_words = 256, candidates_kept = 5;
// In the unit of work(): a training step per layer; the score on held-out words.
constexpr double step_cost = 1.5e8, score_cost = 4e9;

struct Trained {
  nn::ReversalRun run;
  std::optional<nn::ReversalScore> score;
};

nn::ReversalSetup setup_of(const EncoderDecoderSettings& s) {
  nn::ReversalSetup setup;
  setup.longest = most_letters, setup.steps = encoder_decoder_steps;
  setup.layers = s.layers, setup.heads = s.heads;
  setup.positions = s.positions == EncoderDecoderPositions::none      ? nn::ModelPositions::none
                    : s.positions == EncoderDecoderPositions::learned ? nn::ModelPositions::learned
                                                                      : nn::ModelPositions::sinusoidal;
  setup.seed = static_cast<std::uint64_t>(s.seed);
  return setup;
}

/// The states of one run at some of its steps, for the setup that was used last. States that are handed out
/// never change.
class KeptRun {
 public:
  /// The newest state that is not beyond `step`; null: none.
  std::shared_ptr<const Trained> before(const nn::ReversalSetup& setup, int step) {
    const std::lock_guard lock(mutex_);
    if (!setup_ || !(*setup_ == setup)) return nullptr;
    std::shared_ptr<const Trained> found;
    for (const auto& state : states_) {
      if (state->run.step <= step && (!found || state->run.step > found->run.step)) found = state;
    }
    return found;
  }
  void keep(std::shared_ptr<const Trained> state) {
    const std::lock_guard lock(mutex_);
    if (!setup_ || !(*setup_ == state->run.setup)) states_.clear(), setup_ = state->run.setup;
    // When there are too many, states that are not at a hundredth step are dropped first.
    constexpr size_t most = 24;
    std::erase_if(states_, [&](const auto& old) { return old->run.step == state->run.step; });
    if (states_.size() >= most) {
      const auto odd = std::find_if(states_.begin(), states_.end(),
                                    [](const auto& old) { return old->run.step % stride != 0; });
      states_.erase(odd == states_.end() ? states_.begin() : odd);
    }
    states_.push_back(std::move(state));
  }

 private:
  std::mutex mutex_;
  std::optional<nn::ReversalSetup> setup_;
  std::vector<std::shared_ptr<const Trained>> states_;
};

KeptRun& kept_run() {
  static KeptRun kept;
  return kept;
}

/// The run after `step` steps, with its score; null when cancelled.
std::shared_ptr<const Trained> trained(const nn::ReversalSetup& setup, int step, base::Parallel& parallel,
                                       const std::function<bool(float)>& progress) {
  const std::shared_ptr<const Trained> known = kept_run().before(setup, step);
  if (known && known->run.step == step && known->score) return known;
  auto state = std::make_shared<Trained>();
  state->run = known ? known->run : nn::reversal_run(setup);
  const int first = state->run.step;
  while (state->run.step < step) {
    const float done = static_cast<float>(state->run.step - first) / static_cast<float>(step - first + 20);
    const bool wanted = !progress || progress(done);
    if (!wanted || (state->run.step > first && state->run.step % stride == 0))
      kept_run().keep(std::make_shared<const Trained>(*state));
    if (!wanted) return nullptr;
    if (!nn::reversal_step(state->run, parallel)) break;  // not finite: keeps the weights of the step before
  }
  state->score = nn::reversal_score(state->run, scored_words, parallel);
  kept_run().keep(state);
  return state;
}

std::vector<Candidate> likeliest(std::span<const float> probabilities) {
  std::vector<Candidate> all;
  for (size_t token = 0; token < probabilities.size(); ++token)
    all.push_back({static_cast<int>(token), nn::reversal_token(static_cast<int>(token)),
                   static_cast<double>(probabilities[token])});
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.probability > b.probability; });
  all.resize(std::min<size_t>(all.size(), candidates_kept));
  return all;
}

std::vector<std::string> names(const std::vector<int>& tokens) {
  std::vector<std::string> out;
  for (const int token : tokens) out.push_back(nn::reversal_token(token));
  return out;
}

/// Softmax of every row of logits.
nn::Matrix probabilities_of(const nn::Matrix& logits) {
  nn::Matrix p(logits.rows(), logits.cols());
  for (int r = 0; r < p.rows(); ++r) {
    const std::span<const float> row = logits.row(r);
    const double largest = static_cast<double>(*std::max_element(row.begin(), row.end()));
    double sum = 0;
    for (const float x : row) sum += std::exp(static_cast<double>(x) - largest);
    for (int c = 0; c < p.cols(); ++c)
      p.at(r, c) = static_cast<float>(std::exp(static_cast<double>(logits.at(r, c)) - largest) / sum);
  }
  return p;
}

/// Decodes the word, and runs the model once more over what it decoded: this gives the same numbers, for all
/// rows at once.
void decode_word(const nn::ReversalRun& run, const std::vector<int>& letters, base::Parallel& parallel,
                 EncoderDecoderResults& out) {
  const nn::EncoderDecoderConfig config = nn::reversal_config(run.setup);
  nn::SequencePairs pair = nn::reversal_pairs({letters});
  const std::vector<int> wanted = pair.wanted;
  out.source = pair.source;
  out.decoded = nn::decode_greedily(config, run.weights, pair, nn::begin_token, nn::end_token,
                                    most_letters + 1, parallel)
                    .front();
  out.exact = out.decoded == wanted;
  const auto wrong = std::mismatch(out.decoded.begin(), out.decoded.end(), wanted.begin(), wanted.end());
  out.right = static_cast<int>(wrong.first - out.decoded.begin());
  out.target = {nn::begin_token};
  out.target.insert(out.target.end(), out.decoded.begin(), out.decoded.end() - 1);
  pair.T = static_cast<int>(out.target.size()), pair.target = out.target;
  nn::EncoderDecoderTrace<float> trace;
  nn::encode(config, run.weights, pair, parallel, trace);
  nn::decode(config, run.weights, pair, parallel, trace);
  for (size_t l = 0; l < trace.decoder.size(); ++l) {
    out.encoder.push_back(trace.encoder[l].self.sequence.front().weights);
    out.masked.push_back(trace.decoder[l].self.sequence.front().weights);
    out.cross.push_back(trace.decoder[l].cross.sequence.front().weights);
  }
  out.source_names = names(out.source), out.target_names = names(out.target);
  out.decoded_names = names(out.decoded);
  out.probabilities = probabilities_of(trace.logits);
  for (int t = 0; t < pair.T; ++t) {
    out.candidates.push_back(likeliest(out.probabilities.row(t)));
    out.earlier.push_back({0, t + 1});
  }
}

}  // namespace

std::shared_ptr<const EncoderDecoderResults> compute_encoder_decoder(
    const Scene& scene, base::Parallel& parallel, const std::function<bool(float)>& progress) {
  const EncoderDecoderSettings& s = scene.encoder_decoder;
  const nn::ReversalSetup setup = setup_of(s);
  const auto model = trained(setup, s.training, parallel, progress);
  if (!model) return nullptr;
  auto out = std::make_shared<EncoderDecoderResults>();
  out->settings = s;
  out->parameters = nn::parameters(model->run.weights);
  out->training_loss = model->run.loss, out->score = *model->score;
  const std::vector<int> letters =
      s.word > 0 ? nn::held_out_words(setup, s.word).back() : nn::letter_tokens(scene.sentence, most_letters);
  out->n = static_cast<int>(letters.size());
  out->more_letters =
      s.word == 0 && nn::letter_tokens(scene.sentence, most_letters + 1).size() > letters.size();
  out->held_out = out->n > 0 && nn::held_out_word(letters);
  if (out->n > 0) decode_word(model->run, letters, parallel, *out);
  return out;
}

double encoder_decoder_work(const Scene& scene) {
  const EncoderDecoderSettings& s = scene.encoder_decoder;
  const auto known = kept_run().before(setup_of(s), s.training);
  const int left = s.training - (known ? known->run.step : 0);
  return step_cost * s.layers * left + (known && left == 0 && known->score ? 0 : score_cost);
}

}  // namespace headlight::scene
