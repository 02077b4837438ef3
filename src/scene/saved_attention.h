// Attention that another program has saved, as a scene shows it: a model without weights. The scene names the
// file like that of a model (attention=FILE, weights_file); it is loaded and watched like one, and becomes
// TrainedModel::saved. Everything that needs only weights works with it; q and k are available if the file
// has them. Tested in tests/scene/saved_attention_test.cpp.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "dumps/dump.h"
#include "nn/tokens.h"
#include "scene/scene.h"

namespace headlight::scene {

/// The saved attention that the scene names; null: none, or it cannot be used.
std::shared_ptr<const dumps::Dump> saved_attention(const Scene& scene);

/// The other pages compute as if there were no file, and say so.
constexpr bool shows_saved_attention(Page page) {
  return has_trait(page, page_traits::saved);
}
/// saved_attention() if the open page shows it, else null.
std::shared_ptr<const dumps::Dump> shown_saved_attention(const Scene& scene);

/// The layer and the sequence, 0-based, that the scene shows.
int shown_layer(const dumps::Dump& dump, const Scene& scene);
int shown_sequence(const dumps::Dump& dump, const Scene& scene);

/// [CLS], </s>, <|endoftext|>: true for a token that the tokenizers of published models add; a file of saved
/// attention does not say which tokens these are. False for [MASK] and [UNK], which represent words of the
/// text.
bool is_special_token(std::string_view text);

/// Equal tokens have equal ids, in both lists. `keys` is empty when they are the queries' own.
struct SavedTokens {
  std::vector<nn::Token> queries, keys;
};
SavedTokens tokens_of(const dumps::Dump& dump, int sequence);

/// Judged by its name, the file holds saved attention and no model or scene: .npy, and .npz that contains no
/// scene of Headlight. (.pt and .safetensors may be either; loading tells.)
bool is_saved_attention(const std::filesystem::path& path);

}  // namespace headlight::scene
