#include "dumps/array_set.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "base/one_line.h"
#include "io/file_bytes.h"
#include "io/inflated_bytes.h"
#include "io/mistaken.h"
#include "io/npy_reader.h"
#include "io/safetensors.h"
#include "io/torch_file.h"
#include "io/zip_list.h"

namespace headlight::dumps {

namespace {

namespace fs = std::filesystem;
using base::in_quotes;
using File = std::shared_ptr<const io::FileBytes>;

/// Limits on the unpacked bytes of all entries in total: a fixed amount, and a multiple of the file's size.
constexpr std::uint64_t free_unpacked = std::uint64_t(192) << 20, most_unpacked = 200;
constexpr std::size_t deepest = 4;

/// Sets the type from its name in safetensors.
void set_type(Array& array, const std::string& stored) {
  struct Type {
    const char *stored, *name;
    char kind;
    std::size_t width;
  };
  static constexpr Type types[] = {
      {"F32", "float32", 'f', 4}, {"F16", "float16", 'f', 2},  {"BF16", "bfloat16", 'f', 2},
      {"F64", "float64", 'f', 8}, {"I64", "int64", 'i', 8},    {"I32", "int32", 'i', 4},
      {"I16", "int16", 'i', 2},   {"I8", "int8", 'i', 1},      {"U8", "uint8", 'u', 1},
      {"U16", "uint16", 'u', 2},  {"U32", "uint32", 'u', 4},   {"U64", "uint64", 'u', 8},
      {"BOOL", "bool", 'b', 1},   {"C64", "complex64", 'c', 8}};
  array.type = stored, array.kind = 'V', array.width = 1;
  for (const Type& type : types) {
    if (stored != type.stored) continue;
    array.type = type.name, array.kind = type.kind, array.width = type.width;
  }
  array.numbers = array.kind == 'f';
  array.element = stored == "F64"    ? nn::ElementType::f64
                  : stored == "F16"  ? nn::ElementType::f16
                  : stored == "BF16" ? nn::ElementType::bf16
                                     : nn::ElementType::f32;
}

base::Result<Array> npy_array(std::shared_ptr<const nn::WeightBytes> bytes, std::uint64_t begin,
                              std::uint64_t size, const std::string& name, const std::string& origin) {
  const base::Result<io::NpyArray> header = io::read_npy_header(*bytes, begin, size, origin);
  if (!header) return base::Error{header.error()};
  Array out;
  out.name = name, out.bytes = std::move(bytes), out.begin = header->begin;
  const std::size_t bits = 8 * header->width;
  const bool half = header->kind == 'f' && header->width == 2,
             single = header->kind == 'f' && header->width == 4,
             twice = header->kind == 'f' && header->width == 8;
  if (half || single || twice) {
    set_type(out, half ? "F16" : single ? "F32" : "F64");
  } else {
    const char* word = header->kind == 'f'   ? "float"
                       : header->kind == 'i' ? "int"
                       : header->kind == 'u' ? "uint"
                       : header->kind == 'c' ? "complex"
                                             : nullptr;
    out.type = header->kind == 'b' ? "bool" : word != nullptr ? word + std::to_string(bits) : header->type;
    out.kind = header->kind, out.width = header->width;
  }
  out.swapped = header->big_endian;
  for (const std::size_t side : header->shape) out.shape.push_back(static_cast<std::int64_t>(side));
  out.steps = steps_of(out.shape);
  if (header->columns_first && count_of(out) > 0) {
    std::int64_t step = 1;
    for (std::size_t i = 0; i < out.rank(); ++i)
      out.steps[i] = step, step *= std::max<std::int64_t>(out.shape[i], 1);
  }
  return out;
}

base::Status open_npz(const File& file, ArraySet& set) {
  base::Result<std::map<std::string, io::ZipEntry>> entries = io::list_zip(*file);
  if (!entries) return base::Error{entries.error()};
  std::uint64_t unpacked = 0;
  for (const auto& [entry_name, entry] : *entries) {
    constexpr std::string_view ending = ".npy";
    if (entry_name.size() <= ending.size() ||
        entry_name.compare(entry_name.size() - ending.size(), ending.size(), ending) != 0)
      continue;
    const std::string name = entry_name.substr(0, entry_name.size() - ending.size());
    const std::string origin = set.file + ": " + base::shortened(entry_name);
    if (name.find("..") != std::string::npos || name.front() == '/' || name.find('\\') != std::string::npos)
      return base::Error{origin +
                         ": the name of this member leads out of the archive; nothing of it is read"};
    if (!entry.stored && !entry.deflated)
      return base::Error{origin + ": it is encrypted or compressed in a way that numpy.load does not read"};
    std::shared_ptr<const nn::WeightBytes> bytes = file;
    if (entry.deflated) {
      unpacked += entry.size;
      if (entry.size > most_unpacked * set.bytes + free_unpacked ||
          unpacked > most_unpacked * set.bytes + free_unpacked)
        return base::Error{origin + ": unpacked it would be more than " + std::to_string(most_unpacked) +
                           " times the size of the file; save it with numpy.savez"};
      bytes = std::make_shared<const io::InflatedBytes>(file, entry, origin);
    }
    base::Result<Array> array =
        npy_array(std::move(bytes), entry.deflated ? 0 : entry.begin, entry.size, name, origin);
    if (!array) {  // an array of objects that is not needed may be stored with the attention
      Array unread;
      unread.name = name, unread.problem = array.error(), unread.kind = 'O';
      array = std::move(unread);
    }
    if (entry.stored) array->member = std::make_shared<const io::ZipEntry>(entry);
    set.arrays.push_back(std::move(*array));
  }
  if (set.arrays.empty())
    return base::Error{set.file + ": a zip archive without arrays: no member’s name ends in .npy"};
  return {};
}

base::Status open_safetensors(const fs::path& path, const File& file, ArraySet& set) {
  base::Result<io::StoredTensors> stored = io::open_stored_tensors(path);
  if (!stored) return base::Error{stored.error()};
  base::Result<io::TensorMetadata> metadata = io::load_safetensors_metadata(path);
  if (!metadata) return base::Error{metadata.error()};
  for (auto& [name, tensor] : stored->tensors) {
    Array array;
    set_type(array, tensor.type);
    array.name = name, array.bytes = file, array.begin = tensor.begin;
    array.shape.assign(tensor.shape.begin(), tensor.shape.end());
    array.steps = steps_of(array.shape);
    set.arrays.push_back(std::move(array));
  }
  for (auto& [name, text] : *metadata) set.values[name] = std::move(text);
  return {};
}

/// The content of a checkpoint, by names.
class TorchContents {
 public:
  TorchContents(const io::TorchFile& file, ArraySet& set) : file_(file), pickle_(file.pickle()), set_(set) {}

  base::Status add(const io::PickleValue& value, const std::string& name, std::size_t depth = 0) {
    using Kind = io::PickleValue::Kind;
    if (depth > deepest) return base::Error{set_.file + ": its lists and dicts are nested too deeply"};
    // A few bytes may refer to the same long list again and again.
    if (value.items.size() >= left_) return base::Error{set_.file + ": it has too many values"};
    left_ -= value.items.size() + 1;
    if (value.kind == Kind::tensor) return add_tensor(value, name.empty() ? unnamed : name);
    if (value.kind == Kind::dict) {
      for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
        const io::PickleValue& key = pickle_.at(value.items[i]);
        if (key.kind != Kind::text && key.kind != Kind::integer) continue;
        const bool number = key.kind == Kind::integer;
        const std::string word = number ? std::to_string(key.integer) : key.text;
        const std::string where = name.empty() && number ? unnamed : name;
        const base::Status added =
            add(pickle_.at(value.items[i + 1]), where.empty() ? word : where + "." + word, depth + 1);
        if (!added) return added;
      }
      return {};
    }
    const bool list = value.kind == Kind::list || value.kind == Kind::tuple;
    if (list && holds_tensors(value)) {
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        const base::Status added =
            add(pickle_.at(value.items[i]),
                (name.empty() ? unnamed : name) + std::string(".") + std::to_string(i), depth + 1);
        if (!added) return added;
      }
      return {};
    }
    set_.values[name] = plain(value, depth);
    return {};
  }

 private:
  bool holds_tensors(const io::PickleValue& list) const {
    using Kind = io::PickleValue::Kind;
    return std::any_of(list.items.begin(), list.items.end(), [&](int item) {
      const io::PickleValue& one = pickle_.at(item);
      const bool inside = one.kind == Kind::list || one.kind == Kind::tuple;
      return one.kind == Kind::tensor ||
             (inside && !one.items.empty() && pickle_.at(one.items.front()).kind == Kind::tensor);
    });
  }

  base::Status add_tensor(const io::PickleValue& tensor, const std::string& name) {
    constexpr std::size_t most_arrays = 100'000;
    if (set_.arrays.size() >= most_arrays) return base::Error{set_.file + ": it has too many tensors"};
    Array array;
    set_type(array, io::element_type_of(tensor.storage_type));
    array.name = name, array.bytes = file_.bytes(), array.begin = file_.begin(tensor);
    array.shape = tensor.shape, array.steps = tensor.strides;
    set_.arrays.push_back(std::move(array));
    return {};
  }

  io::Json plain(const io::PickleValue& value, std::size_t depth) {
    using Kind = io::PickleValue::Kind;
    if (left_ <= 1 || depth > deepest) return nullptr;
    --left_;
    switch (value.kind) {
      case Kind::truth:
        return value.integer != 0;
      case Kind::integer:
        return value.integer;
      case Kind::number:
        return value.number;
      case Kind::text:
        return value.text;
      case Kind::list:
      case Kind::tuple: {
        io::Json list = io::Json::array();
        for (const int item : value.items) {
          if (left_ <= 1) break;
          list.push_back(plain(pickle_.at(item), depth + 1));
        }
        return list;
      }
      default:
        return nullptr;
    }
  }

  const io::TorchFile& file_;
  const io::Pickle& pickle_;
  ArraySet& set_;
  std::size_t left_ = 2'000'000;  // limit on the values visited
};

base::Status open_torch(const fs::path& path, ArraySet& set) {
  const base::Result<io::TorchFile> file = io::TorchFile::open(path);
  if (!file) return base::Error{file.error()};
  return TorchContents(*file, set).add(file->pickle().at(file->pickle().root), "");
}

/// Returns whether the archive has a data.pkl, as torch.save's archives do.
bool holds_a_pickle(const io::FileBytes& file) {
  const auto entries = io::list_zip(file);
  if (!entries) return false;
  constexpr std::string_view pickle = "data.pkl";
  return std::any_of(entries->begin(), entries->end(), [&](const auto& entry) {
    const std::string& name = entry.first;
    return name.size() >= pickle.size() &&
           name.compare(name.size() - pickle.size(), pickle.size(), pickle) == 0;
  });
}

}  // namespace

const Array* ArraySet::find(const std::string& name) const {
  for (const Array& array : arrays)
    if (array.name == name) return &array;
  return nullptr;
}

base::Result<ArraySet> open_arrays(const fs::path& path) {
  const base::Result<File> file = io::FileBytes::open(path);
  if (!file) return base::Error{file.error()};
  ArraySet set;
  set.file = (*file)->name(), set.bytes = (*file)->size();
  char begin[9] = {};
  const auto known = static_cast<std::size_t>(std::min<std::uint64_t>(set.bytes, sizeof begin));
  if (known == 0) return base::Error{set.file + ": the file is empty"};
  if (const base::Status got = (*file)->read(0, known, reinterpret_cast<std::byte*>(begin)); !got)
    return base::Error{got.error()};
  const std::string ending = path.extension().string();
  const bool torch = ending == ".pt" || ending == ".pth" || ending == ".bin" || ending == ".ckpt";
  base::Status opened;
  if (std::memcmp(begin, "\x93NUMPY", std::min<std::size_t>(known, 6)) == 0) {
    set.format = "NPY";
    base::Result<Array> array = npy_array(*file, 0, set.bytes, unnamed, set.file);
    if (!array) return base::Error{array.error()};
    set.arrays.push_back(std::move(*array));
  } else if (std::memcmp(begin, "PK", std::min<std::size_t>(known, 2)) == 0) {
    const bool pickle = torch || holds_a_pickle(**file);
    set.format = pickle ? "PyTorch" : "NPZ";
    opened = pickle ? open_torch(path, set) : open_npz(*file, set);
  } else if (known == sizeof begin && begin[8] == '{') {
    set.format = "safetensors";
    opened = open_safetensors(path, *file, set);
  } else if (torch || begin[0] == '\x80') {
    set.format = "PyTorch";
    opened = open_torch(path, set);
  } else if (ending == ".npy") {
    const std::string is = io::mistaken_for({begin, std::min<std::size_t>(known, 8)});
    return base::Error{set.file +
                       ": not a .npy file: " + (is.empty() ? "it does not begin as NumPy’s files do" : is)};
  } else if (ending == ".safetensors") {
    opened = open_safetensors(path, *file, set);
  } else if (const std::string is = io::mistaken_for({begin, std::min<std::size_t>(known, 8)}); !is.empty()) {
    return base::Error{set.file + ": not saved attention: " + is};
  } else {
    return base::Error{set.file +
                       ": neither .npy, .npz, .safetensors nor .pt of torch.save: its first bytes match none "
                       "of these formats"};
  }
  if (!opened) return base::Error{opened.error()};
  return set;
}

}  // namespace headlight::dumps
