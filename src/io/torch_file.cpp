#include "io/torch_file.h"

#include <algorithm>
#include <cstring>

#include "base/one_line.h"
#include "io/mistaken.h"
#include "io/npz.h"

namespace headlight::io {

namespace {

using Kind = PickleValue::Kind;

struct Type {
  const char *torch, *name;
  std::size_t bytes;
};
constexpr Type types[] = {{"FloatStorage", "F32", 4},     {"HalfStorage", "F16", 2},
                          {"BFloat16Storage", "BF16", 2}, {"DoubleStorage", "F64", 8},
                          {"LongStorage", "I64", 8},      {"IntStorage", "I32", 4},
                          {"ShortStorage", "I16", 2},     {"CharStorage", "I8", 1},
                          {"ByteStorage", "U8", 1},       {"BoolStorage", "BOOL", 1}};

double element(const std::string& type, const std::byte* at) {
  const auto as = [&](auto value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
  };
  if (type == "F64") return as(double());
  if (type == "I64") return as(std::int64_t());
  if (type == "I32") return as(std::int32_t());
  if (type == "I16") return as(std::int16_t());
  if (type == "I8") return as(std::int8_t());
  if (type == "U8" || type == "BOOL") return as(std::uint8_t());
  float value = 0;
  nn::widen(type == "F32"   ? nn::ElementType::f32
            : type == "F16" ? nn::ElementType::f16
                            : nn::ElementType::bf16,
            at, 1, &value);
  return static_cast<double>(value);
}

}  // namespace

std::string element_type_of(const std::string& storage_type) {
  for (const Type& type : types)
    if (storage_type == type.torch) return type.name;
  return {};
}

std::size_t element_bytes(const std::string& name) {
  for (const Type& type : types)
    if (name == type.name) return type.bytes;
  return 0;
}

std::uint64_t element_count(const PickleValue& tensor) {
  std::uint64_t count = 1;
  for (const std::int64_t side : tensor.shape) {
    if (side == 0) return 0;
    const auto sides = static_cast<std::uint64_t>(side);
    count = count > ~std::uint64_t(0) / sides ? ~std::uint64_t(0) : count * sides;
  }
  return count;
}

base::Result<TorchFile> TorchFile::open(const std::filesystem::path& path) {
  TorchFile file;
  base::Result<std::shared_ptr<const FileBytes>> bytes = FileBytes::open(path);
  if (!bytes) return base::Error{bytes.error()};
  file.bytes_ = std::move(*bytes);
  file.name_ = file.bytes_->name();
  char begin[4] = {};
  if (file.bytes_->size() < sizeof begin ||
      !file.bytes_->read(0, sizeof begin, reinterpret_cast<std::byte*>(begin)) ||
      std::memcmp(begin, "PK", 2) != 0) {
    const auto start = std::min<std::uint64_t>(file.bytes_->size(), 8);
    std::string first(static_cast<std::size_t>(start), '\0');
    const bool read = bool(file.bytes_->read(0, first.size(), reinterpret_cast<std::byte*>(first.data())));
    const std::string is = read ? mistaken_for(first) : std::string();
    return base::Error{file.name_ + ": not a zip archive from torch.save; " +
                       (is.empty() ? "the format before PyTorch 1.6 is not supported" : is)};
  }
  base::Result<std::map<std::string, ZipEntry>> entries = list_zip(*file.bytes_);
  if (!entries) return base::Error{entries.error()};
  file.entries_ = std::move(*entries);

  constexpr std::string_view pickle_name = "data.pkl";
  std::string pickle;
  for (const auto& [name, entry] : file.entries_) {
    const std::size_t slash = name.find('/');
    if (slash != std::string::npos && name.substr(slash + 1) == pickle_name) {
      if (!pickle.empty()) return base::Error{file.name_ + ": it contains two pickles"};
      pickle = name, file.folder_ = name.substr(0, slash + 1);
    }
  }
  if (pickle.empty())
    return base::Error{file.name_ + ": it contains no data.pkl, so torch.save did not write it"};
  const base::Result<std::string> program = read_zip_entry(path, pickle);
  if (!program) return base::Error{program.error()};
  base::Result<Pickle> read = read_pickle(*program, file.name_);
  if (!read) return base::Error{read.error()};
  file.pickle_ = std::move(*read);
  if (const auto order = file.entries_.find(file.folder_ + "byteorder");
      order != file.entries_.end() && order->second.stored) {
    std::string word(static_cast<std::size_t>(std::min<std::uint64_t>(order->second.size, 16)), '\0');
    if (file.bytes_->read(order->second.begin, word.size(), reinterpret_cast<std::byte*>(word.data())) &&
        word.rfind("big", 0) == 0)
      return base::Error{file.name_ + ": its numbers are big-endian, which is not supported"};
  }
  if (const base::Status sound = file.check_storages(); !sound) return base::Error{sound.error()};
  return file;
}

base::Status TorchFile::check_storages() const {
  for (const PickleValue& tensor : pickle_.values) {
    if (tensor.kind != Kind::tensor) continue;
    const std::string storage = name_ + ": storage " + base::in_quotes(tensor.text);
    const auto entry = entries_.find(folder_ + "data/" + tensor.text);
    if (entry == entries_.end()) return base::Error{storage + " of a tensor is missing"};
    if (!entry->second.stored)
      return base::Error{storage + " is compressed; torch.save writes uncompressed entries"};
    const std::size_t width = element_bytes(element_type_of(tensor.storage_type));
    if (width == 0)
      return base::Error{storage + " has the type " + base::in_quotes(tensor.storage_type) +
                         ", which is not supported"};
    if (static_cast<std::uint64_t>(tensor.count) > entry->second.size / width)
      return base::Error{storage + " has " + std::to_string(entry->second.size) +
                         " bytes, too short for its " + std::to_string(tensor.count) + " elements"};
  }
  return {};
}

std::uint64_t TorchFile::begin(const PickleValue& tensor) const {
  const std::size_t width = element_bytes(element_type_of(tensor.storage_type));
  return entries_.at(folder_ + "data/" + tensor.text).begin +
         static_cast<std::uint64_t>(tensor.offset) * width;
}

base::Result<std::vector<double>> TorchFile::values(const PickleValue& tensor, std::size_t most) const {
  const std::string type = element_type_of(tensor.storage_type);
  const std::size_t width = element_bytes(type), rank = tensor.shape.size();
  const std::uint64_t count = element_count(tensor);
  if (count > most)
    return base::Error{name_ + ": one of its tensors has more than " + std::to_string(most) + " elements"};
  std::vector<double> out(static_cast<std::size_t>(count));
  if (out.empty()) return out;
  std::uint64_t extent = 1;  // elements from the first to the furthest
  for (std::size_t i = 0; i < rank; ++i)
    extent += static_cast<std::uint64_t>((tensor.shape[i] - 1) * tensor.strides[i]);
  const std::uint64_t first = begin(tensor);
  // Reads the whole span at once, unless the tensor uses only a small part of it.
  const bool whole = extent <= 4 * count + 1024;
  // A scattered tensor in a file of some megabytes could take minutes to read element by element.
  constexpr std::uint64_t most_scattered = 1u << 16;
  if (!whole && count > most_scattered)
    return base::Error{name_ + ": a tensor of " + std::to_string(count) + " elements is scattered over " +
                       std::to_string(extent) + " of its storage; save a contiguous copy of it"};
  std::vector<std::byte> bytes(static_cast<std::size_t>(whole ? extent : 1) * width);
  if (whole) {
    if (const base::Status read = bytes_->read(first, bytes.size(), bytes.data()); !read)
      return base::Error{read.error()};
  }
  std::vector<std::int64_t> at(rank, 0);
  for (double& value : out) {
    std::uint64_t element_at = 0;
    for (std::size_t i = 0; i < rank; ++i)
      element_at += static_cast<std::uint64_t>(at[i] * tensor.strides[i]);
    if (!whole) {
      if (const base::Status read = bytes_->read(first + element_at * width, width, bytes.data()); !read)
        return base::Error{read.error()};
    }
    value = element(type, bytes.data() + (whole ? element_at * width : 0));
    for (std::size_t i = rank; i-- > 0;) {
      if (++at[i] < tensor.shape[i]) break;
      at[i] = 0;
    }
  }
  return out;
}

}  // namespace headlight::io
