#include "tasks/reversal.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "nn/random.h"
#include "tasks/draws.h"
#include "train/optimizer.h"

namespace headlight::nn {

namespace {

using std::size_t;

constexpr int letters = 26, warmup = 100;
constexpr std::uint64_t held_out_words_stream = std::uint64_t(1) << 40, most_drawn = 1 << 14;

/// Returns word number `stream`: the first word drawn with the wanted held-out state.
std::vector<int> draw_word(const ReversalSetup& setup, std::uint64_t stream, bool held_out) {
  Draws draws(setup.seed, stream);
  std::vector<int> word;
  do {
    word.resize(static_cast<size_t>(setup.shortest + draws.below(setup.longest - setup.shortest + 1)));
    for (int& letter : word) letter = first_letter + draws.below(letters);
  } while (held_out_word(word) != held_out);
  return word;
}

double squares(const EncoderDecoderWeights& gradients) {
  double sum = 0;
  tensors(gradients, [&](const std::string&, const Matrix& tensor) {
    for (float g : tensor.values()) sum += static_cast<double>(g) * static_cast<double>(g);
  });
  return sum;
}

}  // namespace

std::string reversal_token(int token) {
  if (token == begin_token) return "<begin>";
  if (token == end_token) return "<end>";
  return std::string(1, static_cast<char>('a' + token - first_letter));
}

std::vector<int> letter_tokens(std::string_view text, int most) {
  std::vector<int> tokens;
  for (const char c : text) {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (small >= 'a' && small <= 'z' && static_cast<int>(tokens.size()) < most)
      tokens.push_back(first_letter + small - 'a');
  }
  return tokens;
}

bool held_out_word(const std::vector<int>& word) {
  std::string text;
  for (const int token : word) text += static_cast<char>('a' + token - first_letter);
  return hash_text(text.data(), text.size()) % 8 == 0;
}

EncoderDecoderConfig reversal_config(const ReversalSetup& setup) {
  EncoderDecoderConfig config;
  config.vocabulary = reversal_vocabulary, config.context = setup.longest + 1;
  config.d_model = setup.d_model, config.heads = setup.heads, config.layers = setup.layers;
  config.d_ff = setup.d_ff, config.positions = setup.positions;
  return config;
}

SequencePairs reversal_pairs(const std::vector<std::vector<int>>& words) {
  SequencePairs pairs;
  size_t longest = 0;
  for (const auto& word : words) longest = std::max(longest, word.size());
  pairs.B = static_cast<int>(words.size());
  pairs.S = pairs.T = static_cast<int>(longest) + 1;
  const auto add = [&](std::vector<int> tokens, int filler, std::vector<int>& to) {
    tokens.resize(longest + 1, filler);
    to.insert(to.end(), tokens.begin(), tokens.end());
  };
  for (const auto& word : words) {
    std::vector<int> source = word, target = {begin_token}, wanted(word.rbegin(), word.rend());
    target.insert(target.end(), word.rbegin(), word.rend());
    source.push_back(end_token), wanted.push_back(end_token);
    pairs.lengths.push_back(static_cast<int>(source.size()));
    add(source, end_token, pairs.source), add(target, end_token, pairs.target);
    add(wanted, no_target, pairs.wanted);
  }
  return pairs;
}

std::vector<std::vector<int>> training_words(const ReversalSetup& setup, int step) {
  std::vector<std::vector<int>> words;
  for (int b = 0; b < setup.batch; ++b) {
    const auto stream = static_cast<std::uint64_t>(step) << 10 | static_cast<std::uint64_t>(b);
    words.push_back(draw_word(setup, stream, false));
  }
  return words;
}

std::vector<std::vector<int>> held_out_words(const ReversalSetup& setup, int count) {
  std::vector<std::vector<int>> words;
  std::set<std::vector<int>> seen;
  for (std::uint64_t n = 0; words.size() < static_cast<size_t>(count); ++n) {
    std::vector<int> word = draw_word(setup, held_out_words_stream + n, true);
    if (seen.insert(word).second || n >= most_drawn) words.push_back(std::move(word));
  }
  return words;
}

ReversalRun reversal_run(const ReversalSetup& setup) {
  HEADLIGHT_CHECK(setup.shortest >= 1 && setup.shortest <= setup.longest && setup.batch <= 1024);
  ReversalRun run;
  run.setup = setup;
  run.weights = random_encoder_decoder(reversal_config(setup), setup.seed);
  run.m = zeros_like(run.weights), run.v = zeros_like(run.weights);
  return run;
}

bool reversal_step(ReversalRun& run, base::Parallel& parallel) {
  static thread_local EncoderDecoderWorkspace<float> work;
  static thread_local EncoderDecoderWeights gradients;
  const ReversalSetup& setup = run.setup;
  const int step = run.step + 1;
  const double loss =
      encoder_decoder_loss(reversal_config(setup), run.weights, reversal_pairs(training_words(setup, step)),
                           parallel, work, &gradients);
  const double norm = std::sqrt(squares(gradients));
  if (!std::isfinite(loss) || !std::isfinite(norm)) return false;
  RateSchedule schedule;
  schedule.rate = setup.rate, schedule.total_steps = setup.steps;
  schedule.warmup_steps = std::min(warmup, setup.steps / 10);
  const auto factor = static_cast<float>(clip_factor(setup.clip, norm));
  std::vector<Matrix*> g, m, v, w;
  const auto list = [](EncoderDecoderWeights& of, std::vector<Matrix*>& to) {
    tensors(of, [&](const std::string&, Matrix& tensor) { to.push_back(&tensor); });
  };
  list(gradients, g), list(run.m, m), list(run.v, v), list(run.weights, w);
  for (size_t i = 0; i < w.size(); ++i) {
    for (float& value : g[i]->values()) value *= factor;
    adam_step(AdamOptions{}, schedule.at(step), step, *g[i], *m[i], *v[i], *w[i]);
  }
  run.step = step, run.loss = loss;
  return true;
}

ReversalScore reversal_score(const ReversalRun& run, int count, base::Parallel& parallel) {
  const EncoderDecoderConfig config = reversal_config(run.setup);
  const auto words = held_out_words(run.setup, count);
  const SequencePairs pairs = reversal_pairs(words);
  ReversalScore score;
  score.words = count;
  const auto decoded =
      decode_greedily(config, run.weights, pairs, begin_token, end_token, run.setup.longest + 1, parallel);
  for (size_t n = 0; n < words.size(); ++n) {
    std::vector<int> wanted(words[n].rbegin(), words[n].rend());
    wanted.push_back(end_token);
    score.exact += decoded[n] == wanted;
  }
  EncoderDecoderWorkspace<float> work;
  score.loss = encoder_decoder_loss<float>(config, run.weights, pairs, parallel, work, nullptr);
  score.mirrored.resize(static_cast<size_t>(config.layers * config.heads));
  int steps = 0;
  for (const auto& part : work.parts) {
    for (int b = 0; b < part.batch.B; ++b) {
      const int n = part.batch.lengths[static_cast<size_t>(b)] - 1;
      steps += n;
      for (int l = 0; l < config.layers; ++l) {
        const Matrix& weights =
            part.trace.decoder[static_cast<size_t>(l)].cross.sequence[static_cast<size_t>(b)].weights;
        for (int h = 0; h < config.heads; ++h) {
          MirrorShare& share = score.mirrored[static_cast<size_t>(l * config.heads + h)];
          for (int t = 0; t < n; ++t) {
            const auto row = weights.row(h, t);
            share.weight += static_cast<double>(row[static_cast<size_t>(n - 1 - t)]);
            share.largest += std::max_element(row.begin(), row.end()) - row.begin() == n - 1 - t;
          }
          share.end += static_cast<double>(weights.at(h, n, n));
        }
      }
    }
  }
  for (MirrorShare& share : score.mirrored) share.weight /= steps, share.largest /= steps, share.end /= count;
  return score;
}

}  // namespace headlight::nn
