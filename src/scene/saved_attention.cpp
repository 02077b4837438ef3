#include "scene/saved_attention.h"

#include <algorithm>
#include <map>
#include <string>

#include "io/files.h"
#include "io/zip_list.h"
#include "scene/trained_model.h"

namespace headlight::scene {

std::shared_ptr<const dumps::Dump> saved_attention(const Scene& scene) {
  if (scene.weights == WeightsSource::random) return nullptr;
  const auto model = model_of(scene);
  return model && *model ? (*model)->saved : nullptr;
}

std::shared_ptr<const dumps::Dump> shown_saved_attention(const Scene& scene) {
  return shows_saved_attention(scene.page) ? saved_attention(scene) : nullptr;
}

int shown_layer(const dumps::Dump& dump, const Scene& scene) {
  return std::clamp(scene.weights_layer, 1, dump.shape.layers) - 1;
}

int shown_sequence(const dumps::Dump& dump, const Scene& scene) {
  return std::clamp(scene.saved_sequence, 0, dump.shape.batch - 1);
}

bool is_special_token(std::string_view text) {
  // Tokens of BERT, Mistral, Llama, XLNet, Gemma, GPT-2, Qwen, Phi and DeepSeek.
  static constexpr std::string_view known =
      " [CLS] [SEP] [PAD] [BOS] [EOS] [INST] [/INST] <s> </s> <pad> <bos> <eos> <cls> <sep> <eod> "
      "<start_of_turn> <end_of_turn> <|endoftext|> <|startoftext|> <|padding|> <|pad|> <|begin_of_text|> "
      "<|end_of_text|> <|start_header_id|> <|end_header_id|> <|eot_id|> <|eom_id|> <|finetune_right_pad_id|> "
      "<|im_start|> <|im_end|> <|endofprompt|> <|system|> <|user|> <|assistant|> <|end|> "
      "<｜begin▁of▁sentence｜> <｜end▁of▁sentence｜> ";
  return text.size() > 2 && text.find(' ') == std::string_view::npos &&
         known.find(" " + std::string(text) + " ") != std::string_view::npos;
}

SavedTokens tokens_of(const dumps::Dump& dump, int sequence) {
  const auto at = static_cast<std::size_t>(sequence);
  std::map<std::string, int> first_seen;
  const auto listed = [&](const std::vector<std::string>& names) {
    std::vector<nn::Token> out;
    for (const std::string& name : names) {
      nn::Token token;
      token.text = name, token.special = is_special_token(name);
      token.id = first_seen.try_emplace(name, static_cast<int>(first_seen.size())).first->second;
      out.push_back(std::move(token));
    }
    return out;
  };
  SavedTokens out;
  out.queries = listed(dump.tokens.query[at]);
  const bool same = dump.shape.queries == dump.shape.keys && dump.tokens.query[at] == dump.tokens.key[at];
  if (!same) out.keys = listed(dump.tokens.key[at]);
  return out;
}

bool is_saved_attention(const std::filesystem::path& path) {
  if (io::ending_of(path) == ".npy") return true;
  if (io::ending_of(path) != ".npz") return false;
  // A file that cannot be read may hold a scene: the code that opens it reports the problem.
  const auto file = io::FileBytes::open(path);
  const auto entries = file ? io::list_zip(**file) : base::Error{file.error()};
  return entries && !entries->contains("scene.json");
}

}  // namespace headlight::scene
