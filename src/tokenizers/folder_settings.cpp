#include "tokenizers/folder_settings.h"

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "io/descriptor.h"
#include "io/files.h"
#include "tokenizers/fields.h"

namespace headlight::tokenizers {

namespace {

base::Result<io::Json> read_object(const std::filesystem::path& file, const char* name) {
  if (!io::may_be_there(file)) return io::Json::object();
  constexpr std::size_t most_bytes = 1u << 22;
  const auto text = io::read_file(file, most_bytes);
  if (!text) return base::Error{text.error()};
  return io::read_json_object(
      *text, io::path_text(file),
      {.name = name, .deepest = 24, .most_bytes = most_bytes, .most_values = 200'000, .file = true});
}

/// A token is given as a text, or as an object with its content.
std::string content_of(const io::Json* token) {
  if (token != nullptr && token->is_object()) token = io::member(*token, "content");
  return token != nullptr && token->is_string() ? token->get_ref<const std::string&>() : std::string();
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

base::Result<FolderSettings> read_folder_settings(const std::filesystem::path& folder) {
  const auto model = read_object(folder / "config.json", "configuration");
  const auto config = read_object(folder / "tokenizer_config.json", "tokenizer configuration");
  const auto tokens = read_object(folder / "special_tokens_map.json", "list of special tokens");
  for (const auto* read : {&model, &config, &tokens}) {
    if (!*read) return base::Error{read->error()};
  }
  Fields fields(*config, io::path_text(folder / "tokenizer_config.json"));
  FolderSettings out;
  out.lower_case = fields.flag("do_lower_case");
  out.strip_accents = fields.flag("strip_accents");
  out.split_ideographs = fields.flag("tokenize_chinese_chars", true);
  out.prefix_space = fields.flag("add_prefix_space", false);
  const std::optional<bool> begins = fields.flag("add_bos_token");
  const std::string kind = content_of(io::member(*model, "model_type"));
  const std::string name = fields.text_or("tokenizer_class", "");
  if (fields.failed()) return fields.error();

  std::map<std::string, std::string> roles;
  for (const char* role : {"bos", "eos", "unk", "sep", "pad", "cls", "mask"}) {
    const std::string member = std::string(role) + "_token";
    std::string token = content_of(io::member(*tokens, member));
    if (token.empty()) token = content_of(io::member(*config, member));
    if (!token.empty()) out.special.push_back(token);
    roles[role] = token;
  }
  for (const io::Json* file : {&*tokens, &*config}) {
    const io::Json* more = io::member(*file, "additional_special_tokens");
    if (more == nullptr || !more->is_array()) continue;
    for (const io::Json& token : *more) out.special.push_back(content_of(&token));
  }
  if (!roles["unk"].empty()) out.unknown = roles["unk"];
  if (!roles["cls"].empty()) out.cls = roles["cls"];
  if (!roles["sep"].empty()) out.sep = roles["sep"];

  const bool roberta = has(name, "Roberta") || has(name, "Bart") || has(name, "Longformer") ||
                       (name.empty() && (kind == "roberta" || kind == "bart" || kind == "longformer"));
  const bool opt = kind == "opt";
  out.special.push_back("<|endoftext|>");
  if (roberta || opt) out.special.insert(out.special.end(), {"<s>", "<pad>", "</s>", "<unk>", "<mask>"});
  if (roberta) {
    out.ends = FolderSettings::Ends::both;
    out.begin = roles["cls"].empty() ? "<s>" : roles["cls"];
    out.end = roles["sep"].empty() ? "</s>" : roles["sep"];
  } else if (begins.value_or(opt)) {
    out.ends = FolderSettings::Ends::begin;
    out.begin = !roles["bos"].empty() ? roles["bos"] : opt ? "</s>" : "<|endoftext|>";
  }
  return out;
}

}  // namespace headlight::tokenizers
