// What do the three attentions of an encoder–decoder do? The program trains one to write words backwards,
// from its settings and its seed; then it decodes a word that the user types, step by step. Tested in
// tests/scene/encoder_decoder_test.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/interval.h"
#include "base/parallel.h"
#include "kernels/tensor.h"
#include "pages/block/encoder_decoder_settings.h"
#include "scene/page_results.h"
#include "tasks/reversal_score.h"

namespace headlight::scene {

struct Scene;

/// A token that may come next, and how likely it is.
struct Candidate {
  int token = 0;
  std::string text;
  double probability = 0;
};

struct EncoderDecoderResults : PageResults {
  EncoderDecoderSettings settings;  // the settings of this computation
  std::size_t parameters = 0;
  double training_loss = 0;   // of the newest batch; 0 before the first
  nn::ReversalScore score;    // on held-out words
  int n = 0;                  // letters of the word; 0: the sentence has no letter a … z
  bool more_letters = false;  // the sentence has more letters
  bool held_out = false;      // the word is one that training never sees
  std::vector<int> source;    // [n + 1] the letters and <end>
  std::vector<int> target;    // [T] the decoder's input: <begin> and what was decoded before
  std::vector<int> decoded;   // [T] greedily, with <end> if it was reached
  std::vector<std::string> source_names, target_names, decoded_names;
  int right = 0;                                   // decoded tokens before the first wrong one
  bool exact = false;                              // exactly the word backwards, then <end>
  std::vector<nn::Matrix> encoder;                 // [L] weights [H, n + 1, n + 1]
  std::vector<nn::Matrix> masked;                  // [L] weights [H, T, T]
  std::vector<nn::Matrix> cross;                   // [L] weights [H, T, n + 1]
  nn::Matrix probabilities;                        // [T, V]
  std::vector<std::vector<Candidate>> candidates;  // [T] the five likeliest, in order
  std::vector<base::Interval> earlier;             // [T] keys that a query of the decoder may attend to

  /// Layer and head on show, counted from 0, and the step, counted from 1.
  int layer(const EncoderDecoderSettings& now) const { return within(now.layer, cross.size()) - 1; }
  int head(const EncoderDecoderSettings& now) const {
    return within(now.head, static_cast<std::size_t>(settings.heads)) - 1;
  }
  int step(const EncoderDecoderSettings& now) const { return within(now.step, decoded.size()); }
  /// The source position, counted from 1, that step t (from 1) should decode: n + 1 − t; 0 from n + 1 on.
  int mirrored(int t) const { return t <= n ? n + 1 - t : 0; }
  /// The correct token at step t: that letter, then <end>; −1 after that.
  int expected(int t) const { return t > n + 1 ? -1 : source[static_cast<std::size_t>(t <= n ? n - t : n)]; }

 private:
  static int within(int shown, std::size_t count) {
    return std::clamp(shown, 1, std::max(1, static_cast<int>(count)));
  }
};

/// Trains the model for the set number of steps and scores it on 256 held-out words. The states of the run at
/// every hundredth step are kept, so that going on or back costs little. Null when `progress` returns false.
/// A step takes about 1.5 ms of one core.
std::shared_ptr<const EncoderDecoderResults> compute_encoder_decoder(
    const Scene& scene, base::Parallel& parallel, const std::function<bool(float)>& progress = {});

/// The time that it takes, in the unit of work() in pages/compute.h.
double encoder_decoder_work(const Scene& scene);

}  // namespace headlight::scene
