// What torch.save writes into a file: a pickle, a small program for a stack machine. It is read here and
// never run: of all that a pickle may ask for, these are known, and everything else is an error that names
// it: numbers, texts, tuples, lists, dicts, collections.OrderedDict, storages of torch, and
// torch._utils._rebuild_tensor_v2 and _rebuild_parameter. Memory and time are linear in the bytes; what
// refers to itself does no harm, since values refer to each other by number. The opcodes are those of
// Python's pickletools, protocols 2 to 5. Tested in tests/models/pickle_test.cpp.
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
  std::int64_t integer = 0;  // also 0 or 1 of a truth
  double number = 0;
  std::string text;        // of a global "module name", of a storage its key
  std::vector<int> items;  // the numbers of the values inside; of a dict key, value, key, value, …

  // Of a storage and of a tensor: "FloatStorage", and how many elements.
  std::string storage_type;
  std::int64_t count = 0;
  // Of a tensor, all in elements; `text` is the key of its storage.
  std::int64_t offset = 0;
  std::vector<std::int64_t> shape, strides;
};

struct Pickle {
  std::vector<PickleValue> values;
  int root = 0;

  const PickleValue& at(int number) const { return values.at(static_cast<std::size_t>(number)); }
  /// The value of a dict under a text; null when there is none.
  const PickleValue* member(const PickleValue& dict, std::string_view key) const;
};

/// `origin` is what errors call the file. A tensor of it lies within its storage, as far as the pickle says
/// how long that is.
base::Result<Pickle> read_pickle(std::string_view bytes, const std::string& origin);

}  // namespace headlight::io
