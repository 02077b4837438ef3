#include "support/pack.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace headlight::tests {

std::optional<std::string> file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) return std::nullopt;
  std::ostringstream out;
  out << file.rdbuf();
  return std::move(out).str();
}

std::map<std::string, std::string> read_pack(const std::string& path) {
  const std::optional<std::string> pack = file_bytes(path);
  if (!pack || pack->rfind("headlight pack 1\n", 0) != 0) throw std::runtime_error(path + ": not a pack");
  struct Entry {
    std::size_t offset = 0, size = 0;
    std::string name;
  };
  std::istringstream in(*pack);
  std::string line;
  std::getline(in, line);
  std::getline(in, line);
  std::vector<Entry> entries(std::stoul(line));
  for (Entry& entry : entries) {
    in >> entry.offset >> entry.size;
    in.get();
    std::getline(in, entry.name);
  }
  const auto start = static_cast<std::size_t>(in.tellg());
  std::map<std::string, std::string> files;
  for (const Entry& entry : entries) files[entry.name] = pack->substr(start + entry.offset, entry.size);
  return files;
}

}  // namespace headlight::tests
