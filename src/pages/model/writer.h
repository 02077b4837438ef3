// Continues a text token by token: draws the next token with the scene's model, and returns the scene with
// that token. A model of another program keeps the keys and values of the tokens so far. One whose RoPE
// depends on the length of the text, and one of Headlight's own, computes the whole text each time. The draw
// for the token at position n (counted from 0) is the n-th number of the seed, so that one step and many
// steps, the window and `headlight generate`, write the same text. Tested in tests/scene/writer_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "network/network.h"
#include "network/sampling.h"
#include "scene/other_model.h"
#include "scene/scene.h"
#include "scene/trained_model.h"

namespace headlight::scene {

struct WriteRules {
  nn::Sampling sampling;
  std::uint64_t seed = 1;
  std::vector<nn::HeadFactor> factors;  // heads that are switched off or scaled
};
/// The rules that the scene sets. Errors, one line: those of heads_off().
base::Result<WriteRules> write_rules(const Scene& scene, const TrainedModel& model);

/// Why a model of another program cannot continue a text, one line; empty: it can.
std::string cannot_continue(const models::OpenedModel& model);

class Writer {
 public:
  Writer(std::shared_ptr<const TrainedModel> model, WriteRules rules);

  /// The id of the token that follows `ids`, which must not be empty; −1: the model ends the text there.
  /// Errors, one line: cannot_continue(), no positions are left, those of network_step() and
  /// network_forward().
  base::Result<int> next(const std::vector<int>& ids, base::Parallel& parallel);

 private:
  base::Status logits_of_own(const std::vector<int>& ids, base::Parallel& parallel);
  base::Status logits_of_other(const std::vector<int>& ids, base::Parallel& parallel);
  base::Status step(const models::OpenedModel& other, const std::vector<int>& ids, base::Parallel& parallel,
                    nn::NetworkTrace& trace);
  base::Status whole(const models::OpenedModel& other, const std::vector<int>& ids, base::Parallel& parallel,
                     nn::NetworkTrace& trace) const;

  std::shared_ptr<const TrainedModel> model_;
  WriteRules rules_;
  std::shared_ptr<const nn::ModelWeights> changed_;  // a Headlight model's with changed heads; else null
  nn::NetworkCache cache_;
  nn::Matrix logits_;  // [1, V] after the last token
};

/// The scene with the token appended to its sentence and pinned as the query. `ids` are the tokens so far. If
/// the longer text would be cut into other tokens, a model of another program gets the ids instead.
Scene written_on(const Scene& scene, const TrainedModel& model, const std::vector<int>& ids, int id);

}  // namespace headlight::scene
