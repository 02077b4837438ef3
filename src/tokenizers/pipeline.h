// The steps of a tokenizer in order: added tokens, normalizer, words, tokens of words, template.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tokenizers/added_tokens.h"
#include "tokenizers/decoder.h"
#include "tokenizers/model.h"
#include "tokenizers/normalizer.h"
#include "tokenizers/pre_tokenizer.h"
#include "tokenizers/template.h"
#include "tokenizers/tokenizer.h"

namespace headlight::tokenizers {

struct Parts {
  std::vector<AddedToken> added;
  std::shared_ptr<const Normalizer> normalizer;       // may be null
  std::shared_ptr<const PreTokenizer> pre_tokenizer;  // may be null
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Decoder> decoder;
  Template around;
  std::set<int> special;  // in addition to the added tokens
  std::function<std::string(std::string_view)>
      shown;  // an entry of the model in the form that other tools show; may be empty
};

/// Checks that the template's ids exist. `where` begins the error.
base::Result<std::shared_ptr<const Tokenizer>> tokenizer_of(Parts parts, const std::string& where);

}  // namespace headlight::tokenizers
