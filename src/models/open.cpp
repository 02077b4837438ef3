#include <algorithm>
#include <cstring>

#include "base/one_line.h"
#include "io/descriptor.h"
#include "io/files.h"
#include "io/folder.h"
#include "io/mistaken.h"
#include "io/torch_file.h"
#include "models/family.h"
#include "models/llama2c.h"
#include "models/no_config.h"
#include "models/opened_model.h"

namespace headlight::models {

namespace {

namespace fs = std::filesystem;
using base::in_quotes;

constexpr io::JsonKind config_kind{"config.json", 8, std::size_t(4) << 20, 200'000, true};
constexpr const char *config_name = "config.json", *safetensors_name = "model.safetensors",
                     *index_name = "model.safetensors.index.json", *checkpoint_name = "ckpt.pt";
constexpr const char* tokenizer_names[] = {
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.json", "merges.txt",
    "vocab.txt",      "tokenizer.bin"};

constexpr const char *advice_config = "correct it, or use the config.json that the model was published with",
                     *advice_copy = "copy or download the file again",
                     *advice_weights = "use config.json and weights of the same model",
                     *advice_checkpoint = "save the checkpoint again";

/// Returns the error followed by advice; without advice if the system refuses, or if the error already says
/// what is not supported, or what to do.
base::Error advised(const std::string& error, const char* advice) {
  const bool alone = error.starts_with("cannot ") || error.find("support") != std::string::npos ||
                     io::says_what_to_do(error);
  return {alone ? error : error + "; " + advice};
}

base::Result<Config> load_config(const fs::path& path) {
  const base::Result<std::string> text = io::read_file(path, config_kind.most_bytes + 1);
  if (!text) return base::Error{text.error()};
  base::Result<io::Json> json = io::read_json_object(*text, io::path_text(path), config_kind);
  if (!json) return advised(json.error(), advice_config);
  return Config(std::move(*json), io::path_text(path));
}

/// Returns the only file of a folder with this ending that does not begin with `not_beginning`; empty if
/// there are none or several.
fs::path only_file(const fs::path& folder, const std::string& ending, const std::string& not_beginning) {
  fs::path found;
  for (const std::string& name : io::names_in(folder)) {
    if (io::ending_of(name) != ending) continue;
    if (!not_beginning.empty() && name.starts_with(not_beginning)) continue;
    if (!found.empty()) return {};
    found = folder / name;
  }
  return found;
}

void find_tokenizer(const fs::path& folder, OpenedModel& model) {
  for (const char* name : tokenizer_names)
    if (io::may_be_there(folder / name)) model.tokenizer_files.push_back(folder / name);
  // Settings are not a tokenizer without the vocabulary that they belong to.
  const bool settings_alone =
      std::all_of(model.tokenizer_files.begin(), model.tokenizer_files.end(), [](const fs::path& file) {
        return file.filename() == "tokenizer_config.json" || file.filename() == "merges.txt";
      });
  if (settings_alone) model.tokenizer_files.clear();
  // llama2.c's own models come with tok512.bin and the like.
  if (!model.tokenizer_files.empty() || model.type != "llama2c") return;
  for (const std::string& name : io::names_in(folder))
    if (name.starts_with("tok") && name.ends_with(".bin")) model.tokenizer_files.push_back(folder / name);
}

base::Status read_special(Config& config, OpenedModel& model) {
  model.bos = config.whole_or_null({"bos_token_id"}, -1, 0);
  model.pad = config.whole_or_null({"pad_token_id"}, -1, -1);
  const io::Json* eos = config.member("eos_token_id");
  if (eos != nullptr && eos->is_array()) {
    for (const io::Json& one : *eos)
      if (const auto id = io::whole_number(one, 0, 1 << 27)) model.eos.push_back(static_cast<int>(*id));
  } else if (eos != nullptr) {
    model.eos.push_back(config.whole({"eos_token_id"}, 0, 0));
  }
  return config.failed() ? base::Status(config.error()) : base::Status();
}

base::Error unknown(const Config& config, const std::string& type) {
  if (type.empty())
    return {config.file() + ": model_type is missing; expected an architecture such as gpt2, bert or llama"};
  const Family& nearest = *nearest_family(type);
  return {config.file() + ": the architecture " + in_quotes(type) +
          " is not supported; the nearest supported one is " + nearest.name + " (" + nearest.types.front() +
          ")"};
}

/// Orders "h.2.mlp" before "h.10.mlp": consecutive digits count as one number.
bool before_by_number(std::string_view a, std::string_view b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto number = [&](std::string_view& text) {
    const auto end = std::find_if_not(text.begin(), text.end(), digit);
    const std::string_view all = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(all.size());
    return all.substr(std::min(all.find_first_not_of('0'), all.size() - 1));
  };
  while (!a.empty() && !b.empty()) {
    if (digit(a.front()) && digit(b.front())) {
      const std::string_view left = number(a), right = number(b);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1), b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

/// Builds a network from a description and its tensors.
base::Status build(Config& config, const TensorSet& set, OpenedModel& model) {
  model.type = type_of(config);
  const Family* family = family_of_type(model.type);
  if (family == nullptr) return unknown(config, model.type);
  model.family = family->name;
  Weights weights(set, {family->prefixes.begin(), family->prefixes.end()});
  family->read(config, weights, model.network, model.weights);
  const bool alone = set.described_by != config_name;
  if (config.failed()) return advised(config.error().message, alone ? advice_checkpoint : advice_config);
  if (weights.failed()) return advised(weights.error().message, alone ? advice_checkpoint : advice_weights);
  for (const std::string& type : weights.types()) model.types += (model.types.empty() ? "" : " and ") + type;
  for (const auto& [name, tensor] : set.tensors)
    model.tensors.push_back({name, tensor.type, tensor.shape, weights.used().count(name) > 0});
  std::stable_sort(
      model.tensors.begin(), model.tensors.end(),
      [](const ListedTensor& a, const ListedTensor& b) { return before_by_number(a.name, b.name); });
  return read_special(config, model);
}

base::Result<io::TorchFile> open_torch(const fs::path& path) {
  base::Result<io::TorchFile> file = io::TorchFile::open(path);
  if (file || file.error().starts_with("cannot ")) return file;
  if (io::says_what_to_do(file.error())) return file;
  const bool other = file.error().find("support") != std::string::npos;
  return base::Error{file.error() + "; " + (other ? "save the model as safetensors" : advice_copy)};
}

base::Result<TensorSet> folder_tensors(const fs::path& folder, const fs::path& named, OpenedModel& model) {
  TensorSet set;
  const fs::path whole = named.empty() ? folder / safetensors_name : named, index = folder / index_name,
                 checkpoint = folder / checkpoint_name;
  if (io::may_be_there(whole) || (!io::may_be_there(index) && !io::may_be_there(checkpoint))) {
    model.weights_file = whole;
    base::Status added = add_safetensors(whole, set);
    if (!added && !io::may_be_there(whole)) {
      for (const char* pickle : {"pytorch_model.bin", "pytorch_model.bin.index.json"})
        if (io::may_be_there(folder / pickle))
          added =
              base::Error{io::path_text(whole) + ": no such file; " + pickle +
                          " beside it is a pickle, which is not supported: save the model as safetensors"};
    }
    if (!added && !io::may_be_there(whole))
      return base::Error{added.error() + (added.error().find("save the model") == std::string::npos
                                              ? "; put the weights there, or ckpt.pt beside config.json"
                                              : "")};
    if (!added) return advised(added.error(), advice_copy);
    return set;
  }
  if (io::may_be_there(index)) {
    model.weights_file = index;
    base::Result<TensorSet> shards = open_shards(index);
    if (!shards) return advised(shards.error(), "copy or download the index and all of its files again");
    return shards;
  }
  model.weights_file = checkpoint;
  const base::Result<io::TorchFile> file = open_torch(checkpoint);
  if (!file) return base::Error{file.error()};
  const io::PickleValue& root = file->pickle().at(file->pickle().root);
  const io::PickleValue* dict = file->pickle().member(root, "model");
  return torch_tensors(*file, dict != nullptr ? *dict : root);
}

base::Status open_folder(const fs::path& folder, const fs::path& named, OpenedModel& model) {
  base::Result<Config> config = load_config(folder / config_name);
  if (!config) return base::Error{config.error()};
  // An unknown family is reported before any problem with its files.
  if (const std::string type = type_of(*config); family_of_type(type) == nullptr)
    return unknown(*config, type);
  base::Result<TensorSet> set = folder_tensors(folder, named, model);
  if (!set) return base::Error{set.error()};
  return build(*config, *set, model);
}

/// Opens nanoGPT's checkpoint, which describes itself.
base::Status open_checkpoint(const fs::path& path, OpenedModel& model) {
  model.weights_file = path;
  const base::Result<io::TorchFile> file = open_torch(path);
  if (!file) return base::Error{file.error()};
  using Kind = io::PickleValue::Kind;
  const io::Pickle& pickle = file->pickle();
  const io::PickleValue& root = pickle.at(pickle.root);
  const io::PickleValue *weights = pickle.member(root, "model"), *stated = pickle.member(root, "model_args");
  const bool by_itself = weights != nullptr && stated != nullptr && stated->kind == Kind::dict;
  if (!by_itself && !io::may_be_there(path.parent_path() / config_name))
    return base::Error{
        file->bytes()->name() +
        ": not a nanoGPT checkpoint: model or model_args is missing, and there is no config.json beside it"};
  base::Result<TensorSet> set = torch_tensors(*file, weights != nullptr ? *weights : root);
  if (!set) return base::Error{set.error()};
  if (by_itself) set->described_by = "its entry model_args";
  if (!by_itself) {
    base::Result<Config> config = load_config(path.parent_path() / config_name);
    if (!config) return base::Error{config.error()};
    return build(*config, *set, model);
  }
  io::Json json = {{"model_type", "nanogpt"}};
  for (std::size_t i = 0; i + 1 < stated->items.size(); i += 2) {
    const io::PickleValue &name = pickle.at(stated->items[i]), &value = pickle.at(stated->items[i + 1]);
    if (name.kind != Kind::text || name.text == "model_type") continue;
    if (value.kind == Kind::integer) json[name.text] = value.integer;
    if (value.kind == Kind::number) json[name.text] = value.number;
    if (value.kind == Kind::truth) json[name.text] = value.integer != 0;
  }
  Config config(std::move(json), file->bytes()->name() + ", model_args");
  return build(config, *set, model);
}

/// Opens a .bin file: llama2.c's, or a pickle under another name.
base::Status open_bin(const fs::path& path, OpenedModel& model) {
  model.weights_file = path;
  const base::Result<std::string> start = io::read_start(path, 64);
  if (!start) return base::Error{start.error()};
  const base::Status opened = open_llama2c(path, model);
  if (opened) return {};
  // A sound file may begin with the bytes of something else, as one of width 128 does with those of a pickle;
  // one that is refused is told what it is.
  if (start->rfind("PK", 0) == 0 || start->rfind("\x80", 0) == 0)
    return base::Error{io::path_text(path) +
                       ": PyTorch pickles named .bin are not supported: save the model as safetensors"};
  if (const std::string is = io::mistaken_for(*start); !is.empty())
    return base::Error{io::path_text(path) + ": not a llama2.c model: " + is};
  return advised(opened.error(), advice_copy);
}

base::Status open_path(const fs::path& path, bool is_a_folder, OpenedModel& model) {
  const fs::path folder = path.parent_path();
  if (is_a_folder) {
    model.path = path;
    if (!io::may_be_there(path / config_name)) {
      if (io::may_be_there(path / checkpoint_name)) return open_checkpoint(path / checkpoint_name, model);
      if (const fs::path bin = only_file(path, ".bin", "tok");
          !bin.empty() && !io::may_be_there(path / safetensors_name))
        return open_bin(bin, model);
    }
    return open_folder(path, {}, model);
  }
  model.path = path;
  const std::string ending = io::ending_of(path), name = path.filename().string();
  if (ending == ".pt" || ending == ".pth") return open_checkpoint(path, model);
  if (ending == ".bin" && name != "pytorch_model.bin") return open_bin(path, model);
  // Any other file means its folder.
  if (!io::may_be_there(path)) return io::missing(path);
  model.path = folder.empty() ? fs::path(".") : folder;
  if (ending == ".safetensors" && !io::may_be_there(model.path / config_name)) {
    TensorSet alone;
    if (const base::Status read = add_safetensors(path, alone); !read)
      return advised(read.error(), advice_copy);
    return base::Error{io::path_text(path) + ": " + no_config};
  }
  return open_folder(model.path,
                     ending == ".safetensors" && name.find("-of-") == std::string::npos ? path : fs::path(),
                     model);
}

base::Status look_through(const OpenedModel& model) {
  constexpr double most_bytes = 256.0 * 1024 * 1024;
  double bytes = 0;
  nn::for_each_tensor(model.weights, [&](const nn::TensorRef& tensor) {
    bytes += static_cast<double>(tensor.rows) * tensor.cols * static_cast<double>(nn::width_of(tensor.type));
  });
  if (bytes > most_bytes) return {};
  base::Status status;
  nn::for_each_tensor(model.weights, [&](const nn::TensorRef& tensor) {
    if (!status) return;
    status = nn::check_finite(tensor);
    if (!status) status = advised(status.error(), "use another copy of the model");
  });
  return status;
}

}  // namespace

std::string folder_without_model(const fs::path& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed) || may_be_model(folder)) return {};
  std::vector<std::string> with;
  std::size_t looked_at = 0;
  bool bins = false;
  for (const std::string& name : io::names_in(folder)) {
    const std::string ending = io::ending_of(name);
    if (ending == ".safetensors") return {};
    bins = bins || ending == ".bin";
    if (++looked_at <= 200 && fs::is_directory(folder / name, failed) && may_be_model(folder / name))
      with.push_back(base::shortened(name));
  }
  const std::string what =
      io::path_text(folder) +
      ": no model in this folder: neither config.json nor ckpt.pt nor one llama2.c .bin; ";
  if (bins) return what + "open one of its .bin files, or put config.json beside them";
  if (with.empty()) return what + "open the folder that config.json is in";
  return what + "open " + (with.size() == 1 ? "its folder " : "one of its folders ") + base::listed(with, 3);
}

base::Result<std::shared_ptr<const OpenedModel>> open_model(const fs::path& path) {
  std::error_code failed;
  const fs::file_type type = fs::status(path, failed).type();
  if (type == fs::file_type::none) return io::cannot("read", path, io::cause(failed.value()));
  const bool is_a_folder = type == fs::file_type::directory;
  if (std::string nothing = folder_without_model(path); !nothing.empty())
    return base::Error{base::one_line(nothing)};
  auto model = std::make_shared<OpenedModel>();
  base::Status status = open_path(path, is_a_folder, *model);
  if (status) status = look_through(*model);
  if (!status) return base::Error{base::one_line(status.error())};
  model->name = model_name(model->path);
  model->parameters = nn::parameter_count(model->weights);
  find_tokenizer(is_a_folder ? path : path.parent_path(), *model);
  return std::shared_ptr<const OpenedModel>(std::move(model));
}

namespace {

/// Returns whether a name only says a number type or a training step: many folders have such a name.
bool says_little(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const char* type :
       {"f16", "f32", "bf16", "fp16", "fp32", "float16", "float32", "bfloat16", "checkpoint-"}) {
    if (name.starts_with(type)) return true;
  }
  constexpr const char* usual[] = {"model", "ckpt",   "checkpoint", "hf", "out",
                                   "final", "latest", "main",       "v0", "v1"};
  return std::any_of(std::begin(usual), std::end(usual), [&](const char* one) { return name == one; });
}

}  // namespace

std::string model_name(const fs::path& path) {
  std::error_code ignored;
  const fs::path whole = fs::absolute(path, ignored).lexically_normal();
  const fs::path folder = whole.has_filename() ? whole : whole.parent_path(), above = folder.parent_path();
  // A folder of the hub's cache is models--ORGANISATION--NAME/snapshots/REVISION.
  const std::string cached = above.parent_path().filename().string();
  if (above.filename() == "snapshots" && cached.starts_with("models--"))
    return base::shortened(cached.substr(cached.rfind("--") + 2));
  const std::string name = folder.filename().string();
  if (says_little(name) && above.has_filename())
    return base::shortened(above.filename().string() + "/" + name);
  return base::shortened(name);
}

std::vector<std::string> known_families() {
  std::vector<std::string> out;
  for (const Family& family : families())
    out.push_back(std::string(family.name) + " (" + family.types.front() + ")");
  out.push_back("llama2.c (.bin)");
  return out;
}

std::vector<fs::path> model_files(const fs::path& path) {
  std::error_code ignored;
  const bool is_a_folder = fs::is_directory(path, ignored);
  std::vector<fs::path> files;
  if (!is_a_folder) files.push_back(path);
  if (!is_a_folder && !may_be_model(path)) return files;
  const fs::path folder = is_a_folder ? path : path.parent_path();
  const auto there = [&](const char* name) { return io::may_be_there(folder / name); };
  const auto add = [&](const char* name) {
    if (there(name)) files.push_back(folder / name);
  };
  for (const char* name : {config_name, safetensors_name, index_name, checkpoint_name}) add(name);
  for (const char* name : tokenizer_names) add(name);
  const bool shards = there(index_name) && !there(safetensors_name);
  const bool bins =
      !there(config_name) && !there(checkpoint_name) && (is_a_folder || io::ending_of(path) == ".bin");
  if (shards || bins) {
    for (const std::string& name : io::names_in(folder)) {
      const std::string ending = io::ending_of(name);
      const bool tokenizer = name.starts_with("tok");
      if ((shards && ending == ".safetensors") || (bins && ending == ".bin" && (is_a_folder || tokenizer)))
        files.push_back(folder / name);
    }
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

ModelSummary model_summary(const fs::path& path) {
  ModelSummary out;
  std::error_code ignored;
  bool config = false, checkpoint = false, binary = false;
  for (const fs::path& file : model_files(path)) {
    const std::string ending = io::ending_of(file);
    config = config || file.filename() == config_name;
    checkpoint = checkpoint || file.filename() == checkpoint_name;
    const bool tokenizer = ending == ".bin" && file.filename().string().starts_with("tok");
    binary = binary || (ending == ".bin" && !tokenizer);
    const bool weights = ending == ".safetensors" || ending == ".pt" || ending == ".pth" || ending == ".bin";
    const std::uintmax_t bytes = weights && !tokenizer ? fs::file_size(file, ignored) : 0;
    if (!ignored) out.bytes += static_cast<double>(bytes);
  }
  if (config) {
    const fs::path folder = fs::is_directory(path, ignored) ? path : path.parent_path();
    if (const base::Result<Config> read = load_config(folder / config_name)) {
      const Family* family = family_of_type(type_of(*read));
      if (family != nullptr) out.family = family->name;
    }
  } else {
    out.family = checkpoint ? "nanoGPT" : binary ? "llama2.c" : "";  // else its file must be read
  }
  return out;
}

bool may_be_model(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    return io::may_be_there(path / config_name) || io::may_be_there(path / checkpoint_name) ||
           !only_file(path, ".bin", "tok").empty();
  const std::string ending = io::ending_of(path), name = path.filename().string();
  if (ending == ".pt" || ending == ".pth" || ending == ".bin") return true;
  if (name == config_name || name == index_name) return true;
  const bool of_folder =
      ending == ".safetensors" ||
      std::find(std::begin(tokenizer_names), std::end(tokenizer_names), name) != std::end(tokenizer_names);
  return of_folder && io::may_be_there(path.parent_path() / config_name);
}

}  // namespace headlight::models
