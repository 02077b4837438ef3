// A model of another program as it is used everywhere here: opened, with the tokenizer beside it.
// Tested in tests/scene/other_model_test.cpp and tests/command/models_command_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "nn/tokens.h"
#include "scene/scene.h"

namespace headlight::models {
struct OpenedModel;  // models/opened_model.h
}
namespace headlight::tokenizers {
class Tokenizer;  // tokenizers/tokenizer.h
}

namespace headlight::nn {
struct NetworkLayer;  // network/network.h
}

namespace headlight::scene {

struct OtherModel {
  std::shared_ptr<const models::OpenedModel> model;        // never null
  std::shared_ptr<const tokenizers::Tokenizer> tokenizer;  // null: there is none
  std::string problem;                                     // why there is none although its files are there

  /// A readable form of an id: the tokenizer's entry with spaces as ␣ and bytes that are not a character as
  /// <C3>; the number when there is no tokenizer.
  std::string shown(int id) const;
  /// The text of these ids, without special tokens; empty without a tokenizer.
  std::string text_of(std::span<const int> ids) const;
};

/// The id of the mask token; nothing: the tokenizer has none.
std::optional<int> mask_token(const OtherModel& model);

/// True if the tokenizer declares this id special and it is neither the mask token nor the unknown token,
/// which represent words of the text. False without a tokenizer.
bool is_special_token(const OtherModel& model, int id);

int layers_of(const OtherModel& model);
/// The layer, 0-based, that `scene` shows; and that layer itself.
int shown_layer(const OtherModel& model, const Scene& scene);
const nn::NetworkLayer& shown_layer_of(const OtherModel& model, const Scene& scene);

/// Opens a folder, or a file of it. Errors are those of models::open_model(), one line; a problem with the
/// tokenizer alone is kept in `problem`. Of several tok….bin files, the first that has the model's number of
/// entries is used. The tokenizer determines which token separates two texts (Network::separator); without a
/// tokenizer, config.json does.
base::Result<OtherModel> open_other_model(const std::filesystem::path& path);

/// The tokens of a text, or of the ids that are given in its place: `piece` is the id, `text` the result of
/// shown(), [begin, end) the bytes of the text (0, 0: none). Errors, one line: no tokenizer and no ids, a
/// text that the tokenizer cannot split, an id that is not in the vocabulary, no token at all. O(text).
base::Result<std::vector<nn::Token>> tokens_for(const OtherModel& model, const std::string& text,
                                                const std::vector<int>& ids);

/// The ids of tokens that another program or Headlight itself wrote: entries of the vocabulary, texts of
/// single tokens (" cat"), or results of shown() ("␣cat"). Empty when one of them is none of these. When two
/// entries look alike, the first is used. O(vocabulary).
std::vector<int> ids_of_tokens(const OtherModel& model, std::span<const std::string> tokens);

/// The ids of a text with its padding: `ids` where `visible` is 1, the id of the padding token elsewhere.
/// Returns `ids` unchanged when their number differs from the number of visible positions.
std::vector<int> with_padding(const OtherModel& model, std::vector<int> ids,
                              std::span<const std::uint8_t> visible);

}  // namespace headlight::scene
