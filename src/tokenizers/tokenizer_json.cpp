#include <nlohmann/json.hpp>

#include "base/one_line.h"
#include "io/files.h"
#include "tokenizers/open.h"
#include "tokenizers/pipeline.h"

namespace headlight::tokenizers {

OpenedTokenizer open_tokenizer_json(const std::filesystem::path& file) {
  constexpr std::size_t most_bytes = std::size_t(1) << 26;
  const auto text = io::read_file(file, most_bytes);
  if (!text) return base::Error{text.error()};
  const std::string name = io::path_text(file);
  const io::JsonKind kind{
      .name = "tokenizer", .deepest = 24, .most_bytes = most_bytes, .most_values = 5'000'000, .file = true};
  auto json = io::read_json_object(*text, name, kind);
  if (!json) return base::Error{json.error()};

  Parts parts;
  const io::Json* model_json = io::member(*json, "model");
  if (model_json == nullptr || model_json->is_null())
    return base::Error{name + ": not a tokenizer: the member model is missing"};
  auto model = read_model(*model_json, name + ": model");
  if (!model) return base::Error{model.error()};
  auto added = read_added_tokens(io::member(*json, "added_tokens"), name + ": added_tokens");
  if (!added) return base::Error{added.error()};
  auto normalizer = read_normalizer(io::member(*json, "normalizer"), name + ": normalizer");
  if (!normalizer) return base::Error{normalizer.error()};
  auto words = read_pre_tokenizer(io::member(*json, "pre_tokenizer"), name + ": pre_tokenizer");
  if (!words) return base::Error{words.error()};
  auto around = read_template(io::member(*json, "post_processor"), name + ": post_processor");
  if (!around) return base::Error{around.error()};
  auto decoder = read_decoder(io::member(*json, "decoder"), name + ": decoder");
  if (!decoder) return base::Error{decoder.error()};
  parts.model = std::move(*model), parts.added = std::move(*added);
  parts.normalizer = std::move(*normalizer), parts.pre_tokenizer = std::move(*words);
  parts.around = std::move(*around), parts.decoder = std::move(*decoder);
  return tokenizer_of(std::move(parts), name);
}

}  // namespace headlight::tokenizers
