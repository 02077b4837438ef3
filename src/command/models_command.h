// Commands for models of other programs: what they are, what they compute, predict and write. Each answer is
// text for standard output; an error is one line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "network/sampling.h"

namespace headlight::scene {
struct TrainedModel;
}

namespace headlight::app {

/// A model's family, sizes, arithmetic, positions and tokenizer, one per line; then every tensor of its files
/// with type and shape, first the used ones, then the others. The path may also be a model of Headlight, or
/// the name of an included one.
base::Result<std::string> describe_model(const std::filesystem::path& path);
/// The same for a model of Headlight, whose tensors are all float32 and all used.
std::string describe_own_model(const scene::TrainedModel& model);

/// Arrays of a pass of one text through a model, and its tokens: the output of `headlight export --model`.
///   weights, scores [L, H, T, S]; q, k, v [L, H, T, d_k], keys and values of shared heads repeated for each
///   of their query heads; hidden [L + 1, T, D]; logits [T, V]; token_ids [T]; tokens, as text.
/// Scores are scaled and capped, before the mask; q and k are after bias, norm and RoPE.
struct ExportModelRequest {
  std::filesystem::path model, out;  // .npy, .npz, .csv, .json; tokens .json or .txt
  std::string text, scene;           // the scene as JSON, for .npz and .json
  std::vector<int> ids;              // if not empty: used instead of the text
  std::string what;                  // a name of model_array_names(); empty: all of them, into .npz or .json
};
base::Status export_model(const ExportModelRequest& request);
/// "weights", "scores", …, "tokens".
const std::vector<std::string>& model_array_names();

struct NextRequest {
  std::filesystem::path model;
  std::string text;
  std::vector<int> ids;  // if not empty: used instead of the text, for models without a tokenizer
  int top = 10;
  bool json = false;  // the same as one line of JSON
  double temperature = 1;
  int top_k = 0;     // 0: no limit; as in nn::Sampling
  double top_p = 1;  // 1: no limit
  std::string off;   // heads that are switched off or scaled, see pages/model/heads_off.h
};
/// For a causal model: for each position the probability, rank and loss, −ln p in nats, of the token that
/// follows, and after the last one the `top` most probable; in JSON these for every position. For a masked
/// model: the `top` for each mask token. With heads off, the numbers of the original and of the changed
/// model, and their difference. With top-k or top-p, also the probability with which each of the `top` after
/// the last position is drawn, 0 if it is cut, from the logits with heads off if there are any; an error for
/// a masked model.
base::Result<std::string> next_tokens(const NextRequest& request);

struct GenerateRequest {
  std::filesystem::path model;
  std::string prompt;
  std::vector<int> ids;
  int tokens = 60;
  nn::Sampling sampling{.temperature = 0};
  std::uint64_t seed = 1;
  std::string off;  // as in NextWish
};
/// The prompt and the text that a causal model writes after it, up to its end token. Draws depend only on the
/// seed.
base::Result<std::string> generate_text(const GenerateRequest& request);

}  // namespace headlight::app
