#include "scene/other_model.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/one_line.h"
#include "base/utf8.h"
#include "models/opened_model.h"
#include "tokenizers/open.h"

namespace headlight::scene {

namespace fs = std::filesystem;

namespace {

constexpr const char* blank = "␣";

/// Shows spaces and line ends as signs, and a byte that belongs to no character as its number.
std::string with_signs(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint c = base::decode(text, at);
    if (!c.valid) {
      char number[8];
      std::snprintf(number, sizeof number, "<%02X>",
                    static_cast<unsigned>(static_cast<unsigned char>(text[at])));
      out += number;
    } else if (c.value == ' ') {
      out += blank;
    } else if (c.value == '\n') {
      out += "⏎";
    } else if (c.value == '\t') {
      out += "⇥";
    } else {
      out.append(text, at, c.bytes);
    }
    at += c.bytes;
  }
  return out;
}

bool plain_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) < 0x7F;
  });
}

/// Opens the tokenizer beside the model, or notes why there is none.
void open_tokenizer_of(OtherModel& out) {
  const auto& files = out.model->tokenizer_files;
  if (files.empty()) return;
  if (files.front().extension() != ".bin") {
    const fs::path folder = files.front().parent_path();
    auto tokenizer = tokenizers::open_tokenizer(folder.empty() ? fs::path(".") : folder);
    if (tokenizer) out.tokenizer = *tokenizer;
    if (!tokenizer) out.problem = tokenizer.error();
    return;
  }
  for (const fs::path& file : files) {
    auto tokenizer = tokenizers::open_llama2c(file, out.model->network.vocabulary);
    if (tokenizer) {
      out.tokenizer = *tokenizer;
      out.problem.clear();
      return;
    }
    if (out.problem.empty()) out.problem = tokenizer.error();
  }
}

}  // namespace

std::string OtherModel::shown(int id) const {
  if (!tokenizer) return std::to_string(id);
  std::string entry = tokenizer->entry(id);
  if (entry.empty()) return "id " + std::to_string(id);  // a number alone would look like text
  if (plain_ascii(entry)) return entry;
  // SentencePiece has its own sign for a space; decoding would drop it at the beginning of a text.
  if (constexpr std::string_view mark = "▁"; entry.find(mark) != std::string::npos) {
    for (std::size_t at = 0; (at = entry.find(mark, at)) != std::string::npos;)
      entry.replace(at, mark.size(), blank);
    return with_signs(entry);
  }
  const int one[] = {id};
  const std::string bytes = tokenizer->decode(one);
  return with_signs(bytes.empty() ? entry : bytes);
}

std::string OtherModel::text_of(std::span<const int> ids) const {
  return tokenizer ? tokenizer->decode(ids, false) : std::string();
}

std::optional<int> mask_token(const OtherModel& model) {
  for (const char* entry : {"[MASK]", "<mask>"}) {
    if (!model.tokenizer) break;
    if (const auto id = model.tokenizer->id_of(entry)) return id;
  }
  return std::nullopt;
}

bool is_special_token(const OtherModel& model, int id) {
  if (!model.tokenizer || !model.tokenizer->special(id) || id == mask_token(model)) return false;
  const std::string entry = model.tokenizer->entry(id);
  return entry != "[UNK]" && entry != "<unk>";
}

int layers_of(const OtherModel& model) {
  return static_cast<int>(model.model->network.layers.size());
}

int shown_layer(const OtherModel& model, const Scene& scene) {
  return std::clamp(scene.weights_layer, 1, layers_of(model)) - 1;
}

const nn::NetworkLayer& shown_layer_of(const OtherModel& model, const Scene& scene) {
  return model.model->network.layers[static_cast<std::size_t>(shown_layer(model, scene))];
}

base::Result<OtherModel> open_other_model(const fs::path& path) {
  auto model = models::open_model(path);
  if (!model) return base::Error{model.error()};
  OtherModel out{*model, nullptr, {}};
  open_tokenizer_of(out);
  if (out.tokenizer && out.model->network.token_types > 1) {
    auto with_separator = std::make_shared<models::OpenedModel>(*out.model);
    with_separator->network.separator = out.tokenizer->separator().value_or(-1);
    out.model = std::move(with_separator);
  }
  return out;
}

std::vector<int> ids_of_tokens(const OtherModel& model, std::span<const std::string> tokens) {
  if (!model.tokenizer) return {};
  std::vector<int> out;
  const auto all = [&](auto id_of) {
    out.clear();
    for (const std::string& token : tokens) {
      const std::optional<int> id = id_of(token);
      if (!id) return false;
      out.push_back(*id);
    }
    return true;
  };
  if (all([&](const std::string& token) { return model.tokenizer->id_of(token); })) return out;
  std::unordered_map<std::string, int> by_words;
  for (int id = 0; id < model.tokenizer->size(); ++id) by_words.try_emplace(model.shown(id), id);
  const bool found = all([&](const std::string& token) -> std::optional<int> {
    if (const auto at = by_words.find(with_signs(token)); at != by_words.end()) return at->second;
    return model.tokenizer->id_of(token);
  });
  return found ? out : std::vector<int>();
}

std::vector<int> with_padding(const OtherModel& model, std::vector<int> ids,
                              std::span<const std::uint8_t> visible) {
  const auto seen = std::count(visible.begin(), visible.end(), std::uint8_t{1});
  if (visible.empty() || static_cast<std::size_t>(seen) != ids.size()) return ids;
  std::vector<int> out(visible.size(), std::max(0, model.model->network.padding_id));
  for (std::size_t at = 0, next = 0; at < visible.size(); ++at)
    if (visible[at] != 0) out[at] = ids[next++];
  return out;
}

namespace {

constexpr int few_tokens = 12;

/// What to do about a text that cannot be split into tokens.
std::string what_it_reads(const tokenizers::Tokenizer& tokenizer) {
  const int count = tokenizer.size();
  if (count > few_tokens) return "change the text, or give the numbers of the tokens as token_ids=5,17,2";
  std::vector<std::string> all;
  for (int id = 0; id < count; ++id) all.push_back(base::in_quotes(tokenizer.entry(id)));
  return "write it with " + base::listed(all) + " alone";
}

/// The error for an id that the model has no row for: typed as a number, or given to the text by a tokenizer
/// that belongs to another model.
base::Error no_such_token(const OtherModel& model, int id, bool from_tokenizer) {
  const std::string path = model.model->path.string(),
                    ids = "0 to " + std::to_string(model.model->network.vocabulary - 1);
  if (!from_tokenizer)
    return base::Error{path + " has no token " + std::to_string(id) + ": its ids are " + ids};
  return base::Error{path + ": its tokenizer gives " + base::in_quotes(model.tokenizer->entry(id)) +
                     " the id " + std::to_string(id) + ", but the ids of the model are " + ids +
                     "; use the tokenizer that belongs to the model, or give the numbers of the tokens as "
                     "token_ids=5,17,2"};
}

}  // namespace

base::Result<std::vector<nn::Token>> tokens_for(const OtherModel& model, const std::string& text,
                                                const std::vector<int>& ids) {
  const std::string path = model.model->path.string();
  std::vector<nn::Token> tokens;
  for (const int id : ids) {
    nn::Token token;
    token.piece = id;
    tokens.push_back(std::move(token));
  }
  if (ids.empty()) {
    if (!model.problem.empty())
      return base::Error{model.problem +
                         "; repair the tokenizer, or give the numbers of the tokens as token_ids=5,17,2"};
    if (!model.tokenizer) {
      return base::Error{path +
                         " has no tokenizer beside it (tokenizer.json, vocab.json and merges.txt, vocab.txt "
                         "or tokenizer.bin): give the numbers of the tokens as token_ids=5,17,2"};
    }
    const auto pieces = model.tokenizer->encode(text);
    if (!pieces) return base::Error{pieces.error() + "; " + what_it_reads(*model.tokenizer)};
    for (const tokenizers::Piece& piece : *pieces) {
      nn::Token token;
      token.piece = piece.id;
      if (piece.bytes) token.begin = piece.bytes->first, token.end = piece.bytes->second;
      tokens.push_back(std::move(token));
    }
    if (tokens.empty()) return base::Error{"the text has no tokens"};
  }
  const int vocabulary = model.model->network.vocabulary;
  std::map<int, int> first_seen;  // piece -> id
  for (nn::Token& token : tokens) {
    if (token.piece < 0 || token.piece >= vocabulary) return no_such_token(model, token.piece, ids.empty());
    token.text = model.shown(token.piece), token.special = is_special_token(model, token.piece);
    token.id = first_seen.try_emplace(token.piece, static_cast<int>(first_seen.size())).first->second;
  }
  return tokens;
}

}  // namespace headlight::scene
