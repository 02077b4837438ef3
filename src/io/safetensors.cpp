#include "io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "io/files.h"

namespace headlight::io {

namespace {

using Json = nlohmann::json;

constexpr std::size_t length_bytes = 8;
constexpr std::size_t largest_header = 100'000'000;  // the format's own limit
constexpr const char* metadata_name = "__metadata__";

base::Error wrong(const std::string& file, const std::string& what) {
  return {file + ": " + what};
}

std::string in_quotes(const std::string& name) {
  return "\"" + name + "\"";
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

/// Bytes of an element; 0 for a type that is not read.
std::size_t width_of(const std::string& type) {
  return type == "F32" ? 4 : type == "F16" || type == "BF16" ? 2 : 0;
}

void widen(const std::string& type, const char* from, std::vector<float>& to) {
  if (type == "F32") {
    if (!to.empty()) std::memcpy(to.data(), from, to.size() * sizeof(float));
    return;
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, from + 2 * i, sizeof bits);
    to[i] = type == "F16" ? widened_half(bits) : std::bit_cast<float>(std::uint32_t(bits) << 16);
  }
}

/// The entry of one tensor, understood.
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
  auto has = [&](const char* key, Json::value_t type) {
    return json.contains(key) && json[key].type() == type;
  };
  if (!json.is_object() || !has("dtype", Json::value_t::string) || !has("shape", Json::value_t::array) ||
      !has("data_offsets", Json::value_t::array) || json["data_offsets"].size() != 2) {
    return wrong(file, tensor + " lacks a dtype, a shape or two data_offsets; the file is damaged");
  }
  entry.type = json["dtype"].get<std::string>();
  for (const Json& n : json["shape"]) {
    if (!n.is_number_unsigned()) return wrong(file, tensor + " has a shape that is no list of whole numbers");
    entry.shape.push_back(n.get<std::size_t>());
    const std::size_t side = entry.shape.back();
    if (side != 0 && entry.count > data_bytes / side) return wrong(file, tensor + " is larger than the file");
    entry.count *= side;
  }
  for (const Json& n : json["data_offsets"]) {
    if (!n.is_number_unsigned()) return wrong(file, tensor + " has data_offsets that are no whole numbers");
  }
  entry.begin = json["data_offsets"][0].get<std::size_t>();
  entry.end = json["data_offsets"][1].get<std::size_t>();
  if (entry.begin > entry.end || entry.end > data_bytes) {
    return wrong(file, tensor + " ends at byte " + std::to_string(entry.end) + " of " +
                           std::to_string(data_bytes) + "; the file is cut short or damaged");
  }
  return entry;
}

}  // namespace

std::string write_safetensors(const std::vector<TensorView<float>>& tensors, const TensorMetadata& metadata) {
  static_assert(std::endian::native == std::endian::little);
  nlohmann::ordered_json header;
  if (!metadata.empty()) header[metadata_name] = metadata;
  std::size_t at = 0;
  for (const TensorView<float>& tensor : tensors) {
    check_shape(tensor);
    header[tensor.name] = {
        {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {at, at + tensor.values.size_bytes()}}};
    at += tensor.values.size_bytes();
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  text.append((length_bytes - text.size() % length_bytes) % length_bytes, ' ');
  std::string bytes(length_bytes, '\0');
  const std::uint64_t length = text.size();
  std::memcpy(bytes.data(), &length, length_bytes);
  bytes += text;
  for (const TensorView<float>& tensor : tensors) {
    bytes.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size_bytes());
  }
  return bytes;
}

base::Result<TensorFile> read_safetensors(std::string_view bytes, const std::string& name) {
  if (bytes.size() < length_bytes) return wrong(name, "too short for a safetensors file");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), length_bytes);
  if (length > largest_header || length > bytes.size() - length_bytes) {
    return wrong(name, "not a safetensors file, or cut short: its header would be " + std::to_string(length) +
                           " bytes");
  }
  const std::string_view text = bytes.substr(length_bytes, length);
  const std::string_view data = bytes.substr(length_bytes + length);
  const Json header = Json::parse(text, nullptr, false);
  if (header.is_discarded() || !header.is_object()) return wrong(name, "the header is no JSON object");

  TensorFile file;
  std::vector<Entry> entries;
  for (const auto& [key, value] : header.items()) {
    if (key == metadata_name) {
      if (!value.is_object()) return wrong(name, "__metadata__ is no object");
      for (const auto& [word, said] : value.items()) {
        if (!said.is_string()) return wrong(name, "__metadata__ " + in_quotes(word) + " is no text");
        file.metadata[word] = said.get<std::string>();
      }
      continue;
    }
    base::Result<Entry> entry = read_entry(key, value, data.size(), name);
    if (!entry) return base::Error{entry.error()};
    entries.push_back(std::move(*entry));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::size_t at = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != at) {
      return wrong(name, "tensor " + in_quotes(entry.name) + " starts at byte " +
                             std::to_string(entry.begin) + ", expected " + std::to_string(at) +
                             "; the file is damaged");
    }
    at = entry.end;
    const std::size_t width = width_of(entry.type);
    if (width == 0) continue;  // whole numbers and flags: no weights
    if (entry.count * width != entry.end - entry.begin) {
      return wrong(name, "tensor " + in_quotes(entry.name) + " has " +
                             std::to_string(entry.end - entry.begin) + " bytes, its shape and type need " +
                             std::to_string(entry.count * width));
    }
    NamedTensor& tensor = file.tensors[entry.name];
    tensor.shape = entry.shape;
    tensor.values.resize(entry.count);
    widen(entry.type, data.data() + entry.begin, tensor.values);
  }
  if (at != data.size()) {
    return wrong(name,
                 std::to_string(data.size() - at) + " bytes after the last tensor; the file is damaged");
  }
  return file;
}

base::Result<TensorFile> load_safetensors(const std::filesystem::path& path, std::size_t max_bytes) {
  base::Result<std::string> bytes = read_file(path, max_bytes);
  if (!bytes) return base::Error{bytes.error()};
  return read_safetensors(*bytes, path.string());
}

}  // namespace headlight::io
