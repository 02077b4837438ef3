// A model of another program as everything here uses it: opened, with the tokenizer that stands beside it.
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
struct NetworkLayer;  // nn/network.h
}

namespace headlight::scene {

struct OtherModel {
  std::shared_ptr<const models::OpenedModel> model;        // never null
  std::shared_ptr<const tokenizers::Tokenizer> tokenizer;  // null: there is none
  std::string problem;                                     // why there is none although its files are there

  /// An id as people see it: the tokenizer's entry with its spaces as ␣, bytes that are no character as
  /// <C3>; without a tokenizer the number.
  std::string shown(int id) const;
  /// The text of these ids, without special tokens; empty without a tokenizer.
  std::string text_of(std::span<const int> ids) const;
};

/// The id of the mask token; nothing: the tokenizer has none.
std::optional<int> mask_token(const OtherModel& model);

/// The tokenizer declares this id special, and it is neither the mask token nor the unknown token, which
/// stand for words of the text. False without a tokenizer.
bool is_special_token(const OtherModel& model, int id);

int layers_of(const OtherModel& model);
/// The layer, 0-based, that `scene` shows, and what it is.
int shown_layer(const OtherModel& model, const Scene& scene);
const nn::NetworkLayer& shown_layer_of(const OtherModel& model, const Scene& scene);

/// A folder, or a file of it. Errors are those of models::open_model(), one line; whatever is wrong with the
/// tokenizer alone is kept in `problem`. Of several tok….bin the first that has the model's number of entries
/// is taken. The tokenizer says which token separates two texts (Network::separator); without one config.json
/// does.
base::Result<OtherModel> open_other_model(const std::filesystem::path& path);

/// The tokens of a text, or of the ids that are given in its place: `piece` is the id, `text` what shown()
/// says, [begin, end) the bytes of the text (0, 0: none). Errors, one line: no tokenizer and no ids, a text
/// that it cannot cut, an id that is not in the vocabulary, no token at all. O(text).
base::Result<std::vector<nn::Token>> tokens_for(const OtherModel& model, const std::string& text,
                                                const std::vector<int>& ids);

/// The ids of tokens that another program or Headlight itself wrote down: entries of the vocabulary, texts of
/// single tokens (" cat"), or what shown() says ("␣cat"). Empty: one of them is none of these. Where two
/// entries are shown alike, the first is taken. O(vocabulary).
std::vector<int> ids_of_tokens(const OtherModel& model, std::span<const std::string> tokens);

/// The ids of a text and of the padding beside it: `ids` where `visible` is 1, the id of padding elsewhere.
/// As they are, where there are not as many of them as visible positions.
std::vector<int> with_padding(const OtherModel& model, std::vector<int> ids,
                              std::span<const std::uint8_t> visible);

}  // namespace headlight::scene
