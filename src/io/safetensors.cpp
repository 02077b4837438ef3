#include "io/safetensors.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "base/one_line.h"
#include "io/files.h"
#include "io/json_reader.h"
#include "io/mistaken.h"

namespace headlight::io {

namespace {

using base::in_quotes;

constexpr std::size_t length_bytes = 8;
// The format allows 100 MB. Ten thousand tensors and a vocabulary of fifty thousand pieces need only a few.
constexpr JsonKind header_kind{"header of safetensors", 4, std::size_t(16) << 20, 1'000'000};
constexpr auto largest_offset = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t largest_size = std::numeric_limits<std::size_t>::max() / 64;  // its bits can be counted
constexpr const char* metadata_name = "__metadata__";

base::Error wrong(const std::string& file, const std::string& what) {
  return {file + ": " + what};
}

float widened_half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = (bits >> 10) & 0x1Fu,
                      fraction = bits & 0x3FFu;
  if (exponent == 0) {  // zero or subnormal: fraction · 2⁻²⁴, exact in float
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

/// Returns the bytes per element; 0 for a type that is not read.
std::size_t width_of(const std::string& type) {
  return type == "F32" ? 4 : type == "F16" || type == "BF16" ? 2 : 0;
}

/// Returns the bits per element of any type of the format; 0 for an unknown type.
std::size_t stored_bits(const std::string& type) {
  static const std::map<std::string, std::size_t, std::less<>> bits{
      {"F64", 64},    {"I64", 64},    {"U64", 64},        {"C64", 64},    {"F32", 32},    {"I32", 32},
      {"U32", 32},    {"F16", 16},    {"BF16", 16},       {"I16", 16},    {"U16", 16},    {"I8", 8},
      {"U8", 8},      {"BOOL", 8},    {"F8_E4M3", 8},     {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
      {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F8_E5M2FNUZ", 8}, {"F4", 4}};
  const auto found = bits.find(type);
  return found == bits.end() ? 0 : found->second;
}

/// What is wrong with a tensor of a type that is not among those of the format.
std::string unknown_type(const std::string& tensor, const std::string& type) {
  return "tensor " + in_quotes(tensor) + " has the dtype " + in_quotes(type) +
         ", which is not supported; supported are F32, F16, BF16 and F64: save the model as one of these";
}

void widen(const std::string& type, const char* from, std::span<float> to) {
  if (type == "F32") {
    if (!to.empty()) std::memcpy(to.data(), from, to.size_bytes());
    return;
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, from + 2 * i, sizeof bits);
    to[i] = type == "F16" ? widened_half(bits) : std::bit_cast<float>(std::uint32_t(bits) << 16);
  }
}

/// The parsed entry of one tensor.
struct Entry {
  std::string name, type;
  std::vector<std::size_t> shape;
  std::size_t begin = 0, end = 0, count = 1;
};

base::Result<Entry> read_entry(const std::string& name, const Json& json, std::size_t data_bytes,
                               const std::string& file) {
  Entry entry;
  entry.name = name;
  const std::string tensor = "tensor " + in_quotes(name);
  const Json *type = member(json, "dtype"), *shape = member(json, "shape"),
             *offsets = member(json, "data_offsets");
  if (!type || !type->is_string() || !shape || !shape->is_array() || !offsets || !offsets->is_array() ||
      offsets->size() != 2) {
    return wrong(file, tensor + " lacks a dtype, a shape or two data_offsets; the file is damaged");
  }
  entry.type = type->get_ref<const std::string&>();
  // Elements of less than a byte share one. Of an unknown type, each has one bit or more.
  const std::size_t bits = stored_bits(entry.type);
  const std::size_t most =
      std::min(data_bytes, largest_size) * CHAR_BIT / std::clamp<std::size_t>(bits, 1, CHAR_BIT);
  for (const Json& n : *shape) {
    const auto whole = whole_number(n, 0, largest_offset);
    if (!whole) return wrong(file, tensor + " has a shape that is not a list of whole numbers");
    const auto side = static_cast<std::size_t>(*whole);
    entry.shape.push_back(side);
    if (side != 0 && entry.count > most / side && bits == 0)
      return wrong(file, unknown_type(name, entry.type));
    if (side != 0 && entry.count > most / side)
      return wrong(
          file, tensor + " has a shape that is larger than the data of the file; it is truncated or damaged");
    entry.count *= side;
  }
  const auto begin = whole_number((*offsets)[0], 0, largest_offset),
             end = whole_number((*offsets)[1], 0, largest_offset);
  if (!begin || !end) return wrong(file, tensor + " has data_offsets that are not whole numbers");
  entry.begin = static_cast<std::size_t>(*begin), entry.end = static_cast<std::size_t>(*end);
  if (entry.begin > entry.end || entry.end > data_bytes) {
    return wrong(file, tensor + " has data_offsets " + std::to_string(entry.begin) + " to " +
                           std::to_string(entry.end) + " of " + std::to_string(data_bytes) +
                           " bytes; the file is truncated or damaged");
  }
  return entry;
}

/// `start`: the first bytes.
base::Error no_header(const std::string& file, std::uint64_t length, std::string_view start) {
  const std::string is = mistaken_for(start);
  return wrong(file, is.empty() ? "not a safetensors file, or truncated: its header would be " +
                                      std::to_string(length) + " bytes"
                                : "not a safetensors file: " + is);
}

/// Returns the length of the header that follows the first bytes.
base::Result<std::size_t> header_length(std::string_view bytes, const std::string& file) {
  if (bytes.size() < length_bytes)
    return wrong(file, "too short for a safetensors file: expected at least 8 bytes, found " +
                           std::to_string(bytes.size()));
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), length_bytes);
  if (length == 0 || length > largest_offset) return no_header(file, length, bytes);
  return static_cast<std::size_t>(length);
}

base::Status read_metadata(const Json& json, const std::string& file, TensorMetadata& metadata) {
  if (!json.is_object()) return wrong(file, "__metadata__ is not an object");
  for (const auto& [word, stated] : json.items()) {
    if (!stated.is_string()) return wrong(file, "__metadata__ " + in_quotes(word) + " is not a text");
    metadata[word] = stated.get_ref<const std::string&>();
  }
  return {};
}

/// The content of a header, checked against the bytes that follow it: the tensors that are read, in their
/// order, and those of integers and bools, which hold no weights.
struct Contents {
  TensorMetadata metadata;
  std::vector<Entry> entries, others;
};

base::Result<Contents> contents_of(const Json& header, std::size_t data_bytes, const std::string& name) {
  Contents contents;
  std::vector<Entry> entries;
  for (const auto& [key, value] : header.items()) {
    if (key == metadata_name) {
      if (const base::Status status = read_metadata(value, name, contents.metadata); !status)
        return base::Error{status.error()};
      continue;
    }
    base::Result<Entry> entry = read_entry(key, value, data_bytes, name);
    if (!entry) return base::Error{entry.error()};
    entries.push_back(std::move(*entry));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::size_t at = 0;
  for (Entry& entry : entries) {
    if (entry.begin != at) {
      return wrong(name, "tensor " + in_quotes(entry.name) + " starts at byte " +
                             std::to_string(entry.begin) + ", expected " + std::to_string(at) +
                             "; the file is damaged");
    }
    at = entry.end;
    const std::size_t needed = entry.count * stored_bits(entry.type);
    if (needed % CHAR_BIT != 0)
      return wrong(name, "tensor " + in_quotes(entry.name) + " of the dtype " + entry.type + " needs " +
                             std::to_string(needed) +
                             " bits, which are not whole bytes; the file is damaged");
    if (stored_bits(entry.type) > 0 && needed / CHAR_BIT != entry.end - entry.begin) {
      return wrong(name, "tensor " + in_quotes(entry.name) + " has " +
                             std::to_string(entry.end - entry.begin) + " bytes, its shape and type need " +
                             std::to_string(needed / CHAR_BIT));
    }
    if (width_of(entry.type) == 0) {
      contents.others.push_back(std::move(entry));
      continue;
    }
    contents.entries.push_back(std::move(entry));
  }
  if (at != data_bytes) {
    return wrong(
        name, std::to_string(data_bytes - at) + " bytes of data after the last tensor; the file is damaged");
  }
  return contents;
}

/// Reads the header of a file and its length, which is trusted only within limits.
base::Result<Json> load_header(const std::filesystem::path& path, std::size_t& length) {
  const std::string name = path.string();
  const base::Result<std::string> start = read_start(path, length_bytes);
  if (!start) return base::Error{start.error()};
  const base::Result<std::size_t> claimed = header_length(*start, name);
  if (!claimed) return base::Error{claimed.error()};
  // One byte more than a header may have is enough to reject it.
  const std::size_t read = std::min(*claimed, header_kind.most_bytes + 1);
  const base::Result<std::string> bytes = read_start(path, length_bytes + read);
  if (!bytes) return base::Error{bytes.error()};
  if (bytes->size() < length_bytes + read) return no_header(name, *claimed, *bytes);
  length = *claimed;
  return read_json_object(std::string_view(*bytes).substr(length_bytes), name, header_kind);
}

/// Rounds to nearest, ties to even; infinity if it is too large.
std::uint16_t narrowed_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude >= 0x47800000u)  // 65536 and more, infinity, NaN
    return static_cast<std::uint16_t>(sign | (magnitude > 0x7F800000u ? 0x7E00u : 0x7C00u));
  // The exponent determines how many bits are lost: 13, and more if the half is subnormal.
  const std::uint32_t exponent = magnitude >> 23;
  const std::uint32_t lost = exponent >= 113 ? 13 : 126 - exponent;
  if (lost > 24) return sign;  // less than half of the smallest subnormal
  const std::uint32_t kept = exponent >= 113 ? magnitude - (112u << 23) : (magnitude & 0x7FFFFFu) | 0x800000u;
  const std::uint32_t half = kept >> lost, rest = kept & ((1u << lost) - 1), middle = 1u << (lost - 1);
  const std::uint32_t up = rest > middle || (rest == middle && (half & 1u) != 0) ? 1 : 0;
  return static_cast<std::uint16_t>(sign | (half + up));  // a carry increments the exponent
}

/// Returns the length and the header, for elements of this width.
std::string head_of(const std::vector<TensorView<float>>& tensors, const TensorMetadata& metadata,
                    const char* type) {
  static_assert(std::endian::native == std::endian::little);
  nlohmann::ordered_json header;
  if (!metadata.empty()) header[metadata_name] = metadata;
  std::size_t at = 0;
  for (const TensorView<float>& tensor : tensors) {
    check_shape(tensor);
    const std::size_t end = at + tensor.values.size() * width_of(type);
    header[tensor.name] = {{"dtype", type}, {"shape", tensor.shape}, {"data_offsets", {at, end}}};
    at = end;
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  text.append((length_bytes - text.size() % length_bytes) % length_bytes, ' ');
  std::string bytes(length_bytes, '\0');
  const std::uint64_t length = text.size();
  std::memcpy(bytes.data(), &length, length_bytes);
  return bytes + text;
}

}  // namespace

std::string write_safetensors(const std::vector<TensorView<float>>& tensors, const TensorMetadata& metadata) {
  std::string bytes = head_of(tensors, metadata, "F32");
  for (const TensorView<float>& tensor : tensors) {
    bytes.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size_bytes());
  }
  return bytes;
}

base::Result<std::string> write_safetensors_f16(const std::vector<TensorView<float>>& tensors,
                                                const TensorMetadata& metadata) {
  std::string bytes = head_of(tensors, metadata, "F16");
  for (const TensorView<float>& tensor : tensors) {
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      const std::uint16_t half = narrowed_half(tensor.values[i]);
      if ((half & 0x7C00u) == 0x7C00u)
        return base::Error{"the tensor " + in_quotes(tensor.name) +
                           " has a number that float16 cannot hold: " + std::to_string(tensor.values[i]) +
                           " at element " + std::to_string(i)};
      bytes += static_cast<char>(half & 0xFFu);
      bytes += static_cast<char>(half >> 8);
    }
  }
  return bytes;
}

base::Result<TensorFile> read_safetensors(std::string_view bytes, const std::string& name) {
  const base::Result<std::size_t> length = header_length(bytes, name);
  if (!length) return base::Error{length.error()};
  if (*length > bytes.size() - length_bytes) return no_header(name, *length, bytes);
  const std::string_view text = bytes.substr(length_bytes, *length);
  const std::string_view data = bytes.substr(length_bytes + *length);
  const base::Result<Json> header = read_json_object(text, name, header_kind);
  if (!header) return base::Error{header.error()};

  base::Result<Contents> contents = contents_of(*header, data.size(), name);
  if (!contents) return base::Error{contents.error()};
  TensorFile file;
  file.metadata = std::move(contents->metadata);
  for (Entry& entry : contents->entries) {
    NamedTensor& tensor = file.tensors[entry.name];
    tensor.shape = std::move(entry.shape);
    tensor.values.resize(entry.count);
    widen(entry.type, data.data() + entry.begin, tensor.values);
  }
  return file;
}

base::Result<TensorMetadata> load_safetensors_metadata(const std::filesystem::path& path) {
  std::size_t length = 0;
  const base::Result<Json> header = load_header(path, length);
  if (!header) return base::Error{header.error()};
  TensorMetadata metadata;
  if (const Json* const found = member(*header, metadata_name)) {
    if (const base::Status status = read_metadata(*found, path.string(), metadata); !status)
      return base::Error{status.error()};
  }
  return metadata;
}

namespace {

/// A file whose header has been read, and the position of its data.
struct OpenedContents {
  OpenedFile opened;
  Contents contents;
  std::size_t data = 0;
};

base::Result<OpenedContents> open_contents(const std::filesystem::path& path) {
  OpenedContents out;
  const std::string name = path_text(path);
  auto opened = open_to_read(path);
  if (!opened) return base::Error{opened.error()};
  out.opened = std::move(*opened);
  // Any other file, however large, is recognized by its first bytes.
  char begin[length_bytes + 1] = {};
  const std::ptrdiff_t got = read_some(out.opened.descriptor, begin, sizeof begin);
  std::uint64_t claimed = 0;
  std::memcpy(&claimed, begin, length_bytes);
  const auto size = static_cast<std::size_t>(std::max(out.opened.status.st_size, off_t(0)));
  if (got == std::ptrdiff_t(sizeof begin) && size > length_bytes && claimed <= size - length_bytes &&
      begin[length_bytes] != '{') {
    const std::string is = mistaken_for({begin, length_bytes});
    return wrong(path_text(path),
                 "not a safetensors file: " + (is.empty() ? "its header is not a JSON object" : is));
  }
  std::size_t length = 0;
  const base::Result<Json> header = load_header(path, length);
  if (!header) return base::Error{header.error()};
  if (size < length_bytes + length) return no_header(name, length, {begin, length_bytes});
  out.data = length_bytes + length;
  base::Result<Contents> contents = contents_of(*header, size - out.data, name);
  if (!contents) return base::Error{contents.error()};
  out.contents = std::move(*contents);
  return out;
}

}  // namespace

base::Result<TensorReader> TensorReader::open(const std::filesystem::path& path) {
  base::Result<OpenedContents> opened = open_contents(path);
  if (!opened) return base::Error{opened.error()};
  TensorReader reader;
  reader.name_ = path.string();
  reader.opened_ = std::move(opened->opened);
  reader.file_.metadata = std::move(opened->contents.metadata);
  for (Entry& entry : opened->contents.entries) {
    reader.file_.tensors[entry.name].shape = std::move(entry.shape);
    reader.parts_[entry.name] = {entry.type, opened->data + entry.begin, entry.end - entry.begin};
  }
  return reader;
}

base::Result<StoredTensors> open_stored_tensors(const std::filesystem::path& path) {
  base::Result<OpenedContents> opened = open_contents(path);
  if (!opened) return base::Error{opened.error()};
  StoredTensors out;
  out.opened = std::move(opened->opened);
  for (std::vector<Entry>* entries : {&opened->contents.entries, &opened->contents.others}) {
    for (Entry& entry : *entries) {
      if (stored_bits(entry.type) == 0) return wrong(path_text(path), unknown_type(entry.name, entry.type));
      out.tensors[entry.name] = {std::move(entry.type), std::move(entry.shape), opened->data + entry.begin,
                                 entry.end - entry.begin};
    }
  }
  return out;
}

std::size_t TensorReader::bytes_of(const std::string& tensor) const {
  return parts_.at(tensor).bytes;
}

base::Status TensorReader::read(const std::string& tensor,
                                base::FunctionRef<bool(std::size_t bytes)> keep_going) {
  constexpr std::size_t piece_bytes = std::size_t(1) << 20;
  const Part& part = parts_.at(tensor);
  const std::size_t width = width_of(part.type);
  std::vector<float>& values = file_.tensors.at(tensor).values;
  values.resize(part.bytes / width);
  std::string piece;
  for (std::size_t at = 0; at < part.bytes;) {
    const std::size_t bytes = std::min(piece_bytes, part.bytes - at);
    const bool whole = width == sizeof(float);  // as they are in memory
    if (!whole) piece.resize(bytes);
    char* const to = whole ? reinterpret_cast<char*>(values.data()) + at : piece.data();
    const base::Result<std::size_t> got = read_at(opened_, part.begin + at, to, bytes);
    if (!got) return cannot("read", name_, got.error());
    if (*got < bytes) return wrong(name_, "tensor " + in_quotes(tensor) + " is truncated");
    if (!whole) widen(part.type, piece.data(), {values.data() + at / width, bytes / width});
    at += bytes;
    if (!keep_going(bytes)) return wrong(name_, "cancelled");
  }
  return {};
}

base::Result<TensorFile> load_safetensors(const std::filesystem::path& path, std::size_t max_bytes) {
  base::Result<TensorReader> reader = TensorReader::open(path);
  if (!reader) return base::Error{reader.error()};
  std::size_t bytes = 0;
  for (const auto& [tensor, unread] : reader->file().tensors) bytes += reader->bytes_of(tensor);
  if (bytes > max_bytes)
    return cannot("read", path, "its tensors are larger than " + std::to_string(max_bytes) + " bytes");
  for (const auto& [tensor, unread] : reader->file().tensors) {
    if (const base::Status read = reader->read(tensor, [](std::size_t) { return true; }); !read)
      return base::Error{read.error()};
  }
  return std::move(*reader).take();
}

}  // namespace headlight::io
