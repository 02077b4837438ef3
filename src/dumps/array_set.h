// What lies in a file that somebody saved arrays into: .npy, .npz, .safetensors, or .pt of torch.save, told
// apart by their first bytes. Nothing of a file is executed (io/pickle.h, io/npy_reader.h).
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
  std::string file;           // as errors name it
  std::string format;         // "NPZ"
  std::uint64_t bytes = 0;    // of the file
  std::vector<Array> arrays;  // of lists and dicts inside each other by "attentions.3"
  /// What is said beside them: metadata of safetensors, texts and plain values of a checkpoint.
  std::map<std::string, io::Json> values;

  const Array* find(const std::string& name) const;
};

/// The arrays of a list, or one that stands alone, are called this.
inline constexpr const char* unnamed = "attentions";

/// Only headers are read, and checked against the file's length. One line: what is wrong with which file.
base::Result<ArraySet> open_arrays(const std::filesystem::path& path);

}  // namespace headlight::dumps
