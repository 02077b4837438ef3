// The content of a file with saved arrays: .npy, .npz, .safetensors, or .pt of torch.save, distinguished by
// their first bytes. Nothing in a file is executed (io/pickle.h, io/npy_reader.h).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "dumps/array.h"
#include "io/json_reader.h"

namespace headlight::dumps {

struct ArraySet {
  std::string file;           // name in errors
  std::string format;         // "NPZ"
  std::uint64_t bytes = 0;    // of the file
  std::vector<Array> arrays;  // entries of nested lists and dicts are named "attentions.3"
  /// Other values in the file: metadata of safetensors, texts and plain values of a checkpoint.
  std::map<std::string, io::Json> values;

  const Array* find(const std::string& name) const;
};

/// The name of the arrays in a list, and of a single array.
inline constexpr const char* unnamed = "attentions";

/// Reads only headers, and checks them against the file's length. The one-line error says what is wrong with
/// which file.
base::Result<ArraySet> open_arrays(const std::filesystem::path& path);

}  // namespace headlight::dumps
