// A toy task for the encoder–decoder: the input is letters, the output is the same letters backwards, one at
// a time.
//
//   source  x_1 … x_n <end>,  target  <begin> y_1 … y_n,  wanted  y_1 … y_n <end>,  y_t = x_{n+1−t}
//
// n and the letters are drawn at random; every n from `shortest` to `longest` is equally likely. One in eight
// words is held out. The word itself decides whether it is held out, not the stream that it is drawn from.
// The state after step n depends only on the setup and n, not on threads. Tested in
// tests/tasks/reversal_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/reversal_score.h"
#include "train/encoder_decoder.h"

namespace headlight::nn {

struct ReversalSetup {
  int shortest = 1, longest = 8;  // letters of a word
  int d_model = 32, heads = 2, layers = 1, d_ff = 64;
  ModelPositions positions = ModelPositions::sinusoidal;
  int batch = 32, steps = 800;  // for the whole run: the learning rate decays towards its end
  double rate = 5e-3, clip = 1;
  std::uint64_t seed = 1;
  bool operator==(const ReversalSetup&) const = default;
};

/// Tokens: <begin> 0, <end> 1, then a … z.
inline constexpr int begin_token = 0, end_token = 1, first_letter = 2, reversal_vocabulary = 28;
/// Returns "a", "<begin>", "<end>".
std::string reversal_token(int token);
/// Returns the letters a … z of a text as tokens, at most `most`; capitals become lower case, and all other
/// characters are left out.
std::vector<int> letter_tokens(std::string_view text, int most);
bool held_out_word(const std::vector<int>& letters);

EncoderDecoderConfig reversal_config(const ReversalSetup& setup);
/// Returns the words as sources, with their targets and wanted tokens.
SequencePairs reversal_pairs(const std::vector<std::vector<int>>& words);
/// Returns the words of training step `step` (from 1).
std::vector<std::vector<int>> training_words(const ReversalSetup& setup, int step);
/// Returns the first `count` held-out words of the setup's seed, all different as long as there are enough of
/// them. Few one-letter words are held out, so short words are rarer here than in training.
std::vector<std::vector<int>> held_out_words(const ReversalSetup& setup, int count);

struct ReversalRun {
  ReversalSetup setup;
  EncoderDecoderWeights weights, m, v;
  int step = 0;
  double loss = 0;  // of the latest step's batch, before its update
};
ReversalRun reversal_run(const ReversalSetup& setup);
/// Makes one update: clipped gradients, Adam, warm-up and cosine decay. Returns false, and leaves the weights
/// unchanged, if the loss or a gradient is not finite.
bool reversal_step(ReversalRun& run, base::Parallel& parallel);

/// Measures on the first `words` held-out words.
ReversalScore reversal_score(const ReversalRun& run, int words, base::Parallel& parallel);

}  // namespace headlight::nn
