// The content of a file that torch.save wrote: a pickle, a small program for a stack machine. It is parsed
// here and never run. Of all that a pickle can contain, the following is supported: numbers, texts, tuples,
// lists, dicts, collections.OrderedDict, storages of torch, and torch._utils._rebuild_tensor_v2 and
// _rebuild_parameter. Everything else is an error that names it. Memory and time are linear in the bytes.
// Cyclic references do no harm, since values refer to each other by number. The opcodes are those of Python's
// pickletools, protocols 2 to 5. Tested in tests/models/pickle_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace headlight::io {

struct PickleValue {
  enum class Kind { none, truth, integer, number, text, tuple, list, dict, global, storage, tensor, mark };
  Kind kind = Kind::none;
  std::int64_t integer = 0;  // also 0 or 1 for a bool
  double number = 0;
  std::string text;        // "module name" of a global, the key of a storage
  std::vector<int> items;  // the numbers of the values inside; for a dict key, value, key, value, …

  // For a storage and a tensor: "FloatStorage", and the number of elements.
  std::string storage_type;
  std::int64_t count = 0;
  // For a tensor, all in elements; `text` is the key of its storage.
  std::int64_t offset = 0;
  std::vector<std::int64_t> shape, strides;
};

struct Pickle {
  std::vector<PickleValue> values;
  int root = 0;

  const PickleValue& at(int number) const { return values.at(static_cast<std::size_t>(number)); }
  /// Returns the value of a dict under a text key; null if there is none.
  const PickleValue* member(const PickleValue& dict, std::string_view key) const;
};

/// `origin` is the file's name in errors. Every tensor lies within its storage, as far as the pickle gives
/// the storage's length.
base::Result<Pickle> read_pickle(std::string_view bytes, const std::string& origin);

}  // namespace headlight::io
