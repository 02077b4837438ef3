#include "support/reference_data.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "support/pack.h"

namespace headlight::tests {

namespace {

template <class E>
std::vector<double> widened(const char* data, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    E value;
    std::memcpy(&value, data + i * sizeof(E), sizeof(E));
    values[i] = static_cast<double>(value);
  }
  return values;
}

/// What stands behind 'key': in the header, up to `end`.
std::string field(const std::string& header, const std::string& key, char begin, char end,
                  const std::string& origin) {
  const std::size_t at = header.find("'" + key + "':");
  const std::size_t from = at == std::string::npos ? at : header.find(begin, at + key.size() + 3);
  const std::size_t to = from == std::string::npos ? from : header.find(end, from + 1);
  if (to == std::string::npos) throw std::runtime_error(origin + ": no " + key + " in the .npy header");
  return header.substr(from + 1, to - from - 1);
}

}  // namespace

Array parse_npy(const std::string& bytes, const std::string& origin) {
  if (bytes.size() < 10 || bytes.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) != 0) {
    throw std::runtime_error(origin + ": not a .npy file of format 1.0");
  }
  const std::size_t length =
      static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  if (bytes.size() < 10 + length) throw std::runtime_error(origin + ": the .npy header is cut off");
  const std::string header = bytes.substr(10, length);
  if (header.find("'fortran_order': False") == std::string::npos)
    throw std::runtime_error(origin + ": not in C order");

  Array array;
  std::size_t count = 1;
  std::istringstream numbers(field(header, "shape", '(', ')', origin));
  for (std::string number; std::getline(numbers, number, ',');) {
    if (number.find_first_of("0123456789") == std::string::npos) continue;
    array.shape.push_back(std::stoi(number));
    count *= static_cast<std::size_t>(array.shape.back());
  }
  const std::string type = field(header, "descr", '\'', '\'', origin);
  const std::size_t width = static_cast<std::size_t>(type.back() - '0');
  if (bytes.size() != 10 + length + count * width)
    throw std::runtime_error(origin + ": size does not fit the shape");
  const char* data = bytes.data() + 10 + length;
  if (type == "<f4") {
    array.values = widened<float>(data, count);
  } else if (type == "<f8") {
    array.values = widened<double>(data, count);
  } else if (type == "|u1") {
    array.values = widened<std::uint8_t>(data, count);
  } else if (type == "<i4") {
    array.values = widened<std::int32_t>(data, count);
  } else if (type == "<i8") {
    array.values = widened<std::int64_t>(data, count);
  } else {
    throw std::runtime_error(origin + ": type " + type + " is not supported");
  }
  return array;
}

ReferenceData::ReferenceData() {
  const char* folder = std::getenv("HEADLIGHT_REFERENCE");
  if (folder != nullptr && *folder != '\0') {
    origin_ = folder;
    folder_ = true;
    return;
  }
  origin_ = HEADLIGHT_SOURCE_DIR "/tests/reference";
  written_ = std::make_unique<ScratchFolder>();
  for (const auto& entry : std::filesystem::directory_iterator(origin_)) {
    if (entry.path().extension() != ".pack") continue;
    for (auto& [name, bytes] : read_pack(entry.path().string())) packed_[name] = std::move(bytes);
  }
}

const ReferenceData& ReferenceData::instance() {
  static const ReferenceData data;
  return data;
}

std::vector<std::string> ReferenceData::names() const {
  std::vector<std::string> out;
  if (folder_) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(origin_)) {
      if (entry.is_regular_file())
        out.push_back(std::filesystem::relative(entry.path(), origin_).generic_string());
    }
  }
  for (const auto& [name, bytes] : packed_) out.push_back(name);
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<std::string> ReferenceData::bytes(const std::string& name) const {
  if (folder_) return file_bytes(origin_ + "/" + name);
  const auto at = packed_.find(name);
  if (at == packed_.end()) return std::nullopt;
  return at->second;
}

nlohmann::json ReferenceData::json(const std::string& name) const {
  const std::optional<std::string> text = bytes(name);
  if (!text) throw std::runtime_error(origin_ + ": no " + name);
  return nlohmann::json::parse(*text);
}

Array ReferenceData::array(const std::string& name) const {
  const std::optional<std::string> data = bytes(name);
  if (!data) throw std::runtime_error(origin_ + ": no " + name);
  return parse_npy(*data, name);
}

std::vector<std::string> ReferenceData::folders(const std::string& folder) const {
  std::set<std::string> found;
  if (folder_) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(origin_ + "/" + folder, ignored))
      if (entry.is_directory()) found.insert(entry.path().filename().string());
  }
  const std::string begin = folder + "/";
  for (const auto& [name, bytes] : packed_) {
    const std::size_t end = name.find('/', begin.size());
    if (name.rfind(begin, 0) == 0 && end != std::string::npos)
      found.insert(name.substr(begin.size(), end - begin.size()));
  }
  return {found.begin(), found.end()};
}

std::filesystem::path ReferenceData::on_disk(const std::string& folder) const {
  if (folder_) return std::filesystem::path(origin_) / folder;
  const std::filesystem::path out = *written_ / folder;
  if (std::filesystem::exists(out)) return out;
  for (const auto& [name, bytes] : packed_) {
    if (name.rfind(folder + "/", 0) != 0) continue;
    const std::filesystem::path path = *written_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  return out;
}

}  // namespace headlight::tests
