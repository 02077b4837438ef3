// The tensors of a model by name, in one safetensors file, in shards, or in a checkpoint of PyTorch; and how
// a family requests them: with the shape that follows from its config.json.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/torch_file.h"
#include "network/network.h"

namespace headlight::models {

struct SetTensor {
  std::shared_ptr<const nn::WeightBytes> bytes;
  std::string type;  // "F32", as safetensors call it
  std::vector<std::size_t> shape;
  std::uint64_t begin = 0;
  std::string unassigned;  // the shard that contains it, if the index omits it; else empty
};

struct TensorSet {
  std::map<std::string, SetTensor> tensors;  // names without the "_orig_mod." of torch.compile
  std::string file;                          // the file to name when a tensor is missing
  std::string described_by = "config.json";  // what requires the tensors and their shapes
};

/// Adds the tensors of a safetensors file.
base::Status add_safetensors(const std::filesystem::path& path, TensorSet& set);
/// Reads shards by model.safetensors.index.json: every tensor from the file listed there. Tensors that the
/// index omits are recorded but cannot be taken: if an optional tensor were silently left out, the results
/// would be wrong.
base::Result<TensorSet> open_shards(const std::filesystem::path& index);
/// Returns the tensors of a dict in a checkpoint.
base::Result<TensorSet> torch_tensors(const io::TorchFile& file, const io::PickleValue& dict);

enum class Layout { out_in, in_out };  // PyTorch's Linear; Conv1D of Hugging Face's GPT-2
enum class Bias { yes, no, where_there_is_one };

/// Looks tensors up for a family. The first one that is missing or does not fit is kept as the error; all
/// later results are empty.
class Weights {
 public:
  /// Tries names with each prefix in turn.
  Weights(const TensorSet& set, std::vector<std::string> prefixes)
      : set_(set), prefixes_(std::move(prefixes)) {}

  nn::TensorRef matrix(const std::string& name, int out, int in, Layout layout = Layout::out_in);
  nn::TensorRef vector(const std::string& name, int size);
  /// NAME.weight and NAME.bias.
  nn::LinearRef linear(const std::string& name, int out, int in, Bias bias, Layout layout = Layout::out_in);
  /// NAME.weight and NAME.bias, or their old names NAME.gamma and NAME.beta.
  nn::NormRef norm(const std::string& name, int size, Bias bias);

  bool has(const std::string& name) const { return find(name) != nullptr; }
  /// Returns the sides of a tensor; empty if there is none.
  std::vector<std::size_t> shape(const std::string& name) const;

  bool failed() const { return error_.has_value(); }
  const base::Error& error() const { return *error_; }
  const std::set<std::string>& used() const { return used_; }
  const std::set<std::string>& types() const { return types_; }

 private:
  struct Found {
    std::string name;
    const SetTensor* tensor;
  };
  const SetTensor* find(const std::string& name) const;
  std::optional<Found> take(const std::string& name, const std::vector<std::size_t>& shape);
  nn::TensorRef reference(const Found& found);

  const TensorSet& set_;
  std::vector<std::string> prefixes_;
  std::optional<base::Error> error_;
  std::set<std::string> used_, types_;
};

/// Returns rows [first, first + count) of a matrix or vector.
nn::TensorRef rows_of(const nn::TensorRef& tensor, int first, int count);
/// The rows are blocks of `parts` · `size`. Returns part number `part` of each block, one after another.
nn::TensorRef part_of_heads(const nn::TensorRef& tensor, int part, int parts, int size);

}  // namespace headlight::models
