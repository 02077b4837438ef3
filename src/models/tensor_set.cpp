#include "models/tensor_set.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/one_line.h"
#include "io/files.h"
#include "io/json_reader.h"
#include "io/safetensors.h"

namespace headlight::models {

namespace {

using base::in_quotes;

constexpr io::JsonKind index_kind{"index of shards", 4, std::size_t(16) << 20, 1'000'000, true};
constexpr std::string_view compiled = "_orig_mod.";
constexpr std::size_t most_shards = 1000;

std::string plain_name(const std::string& name) {
  return name.rfind(compiled, 0) == 0 ? name.substr(compiled.size()) : name;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i == 8) return text + ", …]";
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  }
  return text + "]";
}

}  // namespace

base::Status add_safetensors(const std::filesystem::path& path, TensorSet& set) {
  base::Result<io::StoredTensors> stored = io::open_stored_tensors(path);
  if (!stored) return base::Error{stored.error()};
  const auto bytes = std::make_shared<const io::FileBytes>(std::move(stored->opened), path);
  if (set.file.empty()) set.file = bytes->name();
  for (auto& [name, tensor] : stored->tensors)
    set.tensors.emplace(plain_name(name),
                        SetTensor{bytes, std::move(tensor.type), std::move(tensor.shape), tensor.begin});
  return {};
}

base::Result<TensorSet> open_shards(const std::filesystem::path& index) {
  const std::string origin = io::path_text(index);
  const base::Result<std::string> text = io::read_file(index, index_kind.most_bytes + 1);
  if (!text) return base::Error{text.error()};
  const base::Result<io::Json> json = io::read_json_object(*text, origin, index_kind);
  if (!json) return base::Error{json.error()};
  const io::Json* map = io::member(*json, "weight_map");
  if (map == nullptr || !map->is_object())
    return base::Error{origin + ": weight_map, which assigns each tensor to a file, is missing"};
  TensorSet set;
  set.file = origin;
  std::map<std::string, TensorSet> shards;
  for (const auto& [name, shard] : map->items()) {
    if (!shard.is_string())
      return base::Error{origin + ": weight_map has no file for tensor " + in_quotes(name)};
    const std::string& file = shard.get_ref<const std::string&>();
    if (file.empty() || file.find_first_of("/\\") != std::string::npos ||
        file.find('\0') != std::string::npos)
      return base::Error{origin + ": the shard " + in_quotes(file) + " should be a file of the same folder"};
    if (!shards.count(file)) {
      if (shards.size() >= most_shards) return base::Error{origin + ": it names too many files"};
      if (const base::Status added = add_safetensors(index.parent_path() / file, shards[file]); !added)
        return base::Error{added.error()};
    }
    const TensorSet& opened = shards[file];
    const auto found = opened.tensors.find(plain_name(name));
    if (found == opened.tensors.end())
      return base::Error{origin + ": tensor " + in_quotes(name) + " should be in " + in_quotes(file) +
                         ", which does not contain it"};
    set.tensors.insert(*found);
  }
  for (const auto& [file, shard] : shards) {
    for (const auto& [name, tensor] : shard.tensors) {
      const auto [left_out, added] = set.tensors.emplace(name, tensor);
      if (added) left_out->second.unassigned = file;
    }
  }
  return set;
}

base::Result<TensorSet> torch_tensors(const io::TorchFile& file, const io::PickleValue& dict) {
  std::size_t may_copy = std::size_t(1) << 24;  // limit on the numbers of tensors in another order: there are
                                                // few
  TensorSet set;
  set.file = file.bytes()->name();
  const io::Pickle& pickle = file.pickle();
  for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
    const io::PickleValue &name = pickle.at(dict.items[i]), &tensor = pickle.at(dict.items[i + 1]);
    if (name.kind != io::PickleValue::Kind::text || tensor.kind != io::PickleValue::Kind::tensor) continue;
    SetTensor& out = set.tensors[plain_name(name.text)];
    out.type = io::element_type_of(tensor.storage_type);
    out.shape.assign(tensor.shape.begin(), tensor.shape.end());
    std::int64_t step = 1;
    bool in_order = true;
    for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
      in_order = in_order && (tensor.shape[axis] <= 1 || tensor.strides[axis] == step);
      if (in_order) step *= tensor.shape[axis];
    }
    if (in_order) {
      out.bytes = file.bytes(), out.begin = file.begin(tensor);
      continue;
    }
    const base::Result<std::vector<double>> values = file.values(tensor, may_copy);
    if (!values) return base::Error{values.error()};
    may_copy -= values->size();
    std::string copied(values->size() * sizeof(float), '\0');
    for (std::size_t n = 0; n < values->size(); ++n) {
      const auto value = static_cast<float>((*values)[n]);
      std::copy_n(reinterpret_cast<const char*>(&value), sizeof value, copied.data() + n * sizeof value);
    }
    out.type = "F32";
    out.bytes = std::make_shared<const io::MemoryBytes>(std::move(copied), set.file);
  }
  return set;
}

const SetTensor* Weights::find(const std::string& name) const {
  for (const std::string& prefix : prefixes_) {
    if (const auto found = set_.tensors.find(prefix + name); found != set_.tensors.end())
      return &found->second;
  }
  return nullptr;
}

std::vector<std::size_t> Weights::shape(const std::string& name) const {
  const SetTensor* tensor = find(name);
  return tensor != nullptr ? tensor->shape : std::vector<std::size_t>();
}

std::optional<Weights::Found> Weights::take(const std::string& name, const std::vector<std::size_t>& shape) {
  if (failed()) return std::nullopt;
  for (const std::string& prefix : prefixes_) {
    const auto found = set_.tensors.find(prefix + name);
    if (found == set_.tensors.end()) continue;
    const SetTensor& tensor = found->second;
    const std::string where = tensor.bytes->name() + ": tensor " + in_quotes(found->first);
    if (!tensor.unassigned.empty()) {
      error_ =
          base::Error{set_.file + ": weight_map leaves out tensor " + in_quotes(found->first) + ", which " +
                      in_quotes(tensor.unassigned) + " contains and the model requires: add it"};
      return std::nullopt;
    }
    // First of all the type: numbers that are packed have other shapes too.
    if (tensor.type != "F32" && tensor.type != "F16" && tensor.type != "BF16" && tensor.type != "F64") {
      error_ = base::Error{where + " has the dtype " + tensor.type +
                           "; supported are F32, F16, BF16 and F64: save the model as one of these"};
      return std::nullopt;
    }
    if (tensor.shape != shape) {
      error_ = base::Error{where + " has the shape " + shape_text(tensor.shape) + "; " + set_.described_by +
                           " requires " + shape_text(shape)};
      return std::nullopt;
    }
    // The prefix that worked is tried first next time.
    if (prefix != prefixes_.front())
      std::swap(prefixes_.front(), *std::find(prefixes_.begin(), prefixes_.end(), prefix));
    used_.insert(found->first), types_.insert(tensor.type);
    return Found{found->first, &tensor};
  }
  error_ = base::Error{set_.file + ": tensor " + in_quotes(prefixes_.front() + name) + " is missing; " +
                       set_.described_by + " requires it with the shape " + shape_text(shape)};
  return std::nullopt;
}

nn::TensorRef Weights::reference(const Found& found) {
  nn::TensorRef out;
  out.bytes = found.tensor->bytes, out.name = found.name, out.begin = found.tensor->begin;
  out.type = found.tensor->type == "F32"   ? nn::ElementType::f32
             : found.tensor->type == "F16" ? nn::ElementType::f16
             : found.tensor->type == "F64" ? nn::ElementType::f64
                                           : nn::ElementType::bf16;
  return out;
}

nn::TensorRef Weights::matrix(const std::string& name, int out, int in, Layout layout) {
  const auto rows = static_cast<std::size_t>(out), cols = static_cast<std::size_t>(in);
  const bool usual = layout == Layout::out_in;
  const auto found =
      take(name, usual ? std::vector<std::size_t>{rows, cols} : std::vector<std::size_t>{cols, rows});
  if (!found) return {};
  nn::TensorRef tensor = reference(*found);
  tensor.rows = out, tensor.cols = in;
  tensor.row_step = usual ? in : 1, tensor.col_step = usual ? 1 : out;
  return tensor;
}

nn::TensorRef Weights::vector(const std::string& name, int size) {
  const auto found = take(name, {static_cast<std::size_t>(size)});
  if (!found) return {};
  nn::TensorRef tensor = reference(*found);
  tensor.rows = size, tensor.cols = 1;
  return tensor;
}

nn::LinearRef Weights::linear(const std::string& name, int out, int in, Bias bias, Layout layout) {
  nn::LinearRef linear;
  linear.w = matrix(name + ".weight", out, in, layout);
  if (bias == Bias::yes || (bias == Bias::where_there_is_one && has(name + ".bias")))
    linear.b = vector(name + ".bias", out);
  return linear;
}

nn::NormRef Weights::norm(const std::string& name, int size, Bias bias) {
  const bool old = !has(name + ".weight") && has(name + ".gamma");
  nn::NormRef norm;
  norm.gamma = vector(name + (old ? ".gamma" : ".weight"), size);
  const std::string beta = name + (old ? ".beta" : ".bias");
  if (bias == Bias::yes || (bias == Bias::where_there_is_one && has(beta))) norm.beta = vector(beta, size);
  return norm;
}

nn::TensorRef rows_of(const nn::TensorRef& tensor, int first, int count) {
  if (tensor.empty()) return {};
  HEADLIGHT_CHECK(first >= 0 && first + count <= tensor.rows && tensor.group == 0);
  nn::TensorRef out = tensor;
  out.begin += static_cast<std::uint64_t>(first * tensor.row_step) * nn::width_of(tensor.type);
  out.rows = count;
  return out;
}

nn::TensorRef part_of_heads(const nn::TensorRef& tensor, int part, int parts, int size) {
  if (tensor.empty()) return {};
  HEADLIGHT_CHECK(tensor.rows % (parts * size) == 0 && tensor.group == 0);
  nn::TensorRef out = tensor;
  out.begin += static_cast<std::uint64_t>(part * size * tensor.row_step) * nn::width_of(tensor.type);
  out.rows = tensor.rows / parts;
  out.group = size, out.group_step = tensor.row_step * parts * size;
  return out;
}

}  // namespace headlight::models
