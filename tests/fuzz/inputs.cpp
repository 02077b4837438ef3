#include "fuzz/inputs.h"

#include <fstream>
#include <sstream>

#include "support/reference_data.h"

namespace headlight::fuzz {

namespace fs = std::filesystem;
using tests::ReferenceData;

base::Parallel& cores() {
  static base::Parallel parallel(1);
  return parallel;
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}
std::string file_text(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(out).str();
}

std::vector<std::string> parts_of(const std::string& bytes, std::size_t count) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (parts.size() + 1 < count) {
    const std::size_t end = bytes.find("\n%%%\n", at);
    if (end == std::string::npos) break;
    parts.push_back(bytes.substr(at, end - at));
    at = end + 5;
  }
  parts.push_back(bytes.substr(at));
  parts.resize(count);
  return parts;
}

const std::vector<ModelFolder>& model_folders() {
  static const std::vector<ModelFolder> found = [] {
    const ReferenceData& data = ReferenceData::instance();
    std::vector<ModelFolder> out;
    for (const std::string& name : data.names()) {
      const std::string ending = "/model.safetensors";
      if (name.size() <= ending.size() ||
          name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
        continue;
      const std::string folder = name.substr(0, name.size() - ending.size());
      const auto weights = data.bytes(name);
      if (folder.find("/st-") != std::string::npos || folder.find("/cf-") != std::string::npos) continue;
      if (!weights || weights->size() > 300'000 || !data.bytes(folder + "/config.json")) continue;
      out.push_back({folder, data.on_disk(folder)});
    }
    return out;
  }();
  return found;
}
std::vector<std::string> files_that_end_in(const std::string& ending, const std::string& part,
                                           std::size_t most) {
  std::vector<std::string> out;
  const ReferenceData& data = ReferenceData::instance();
  for (const std::string& name : data.names()) {
    if (name.size() < ending.size() || name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
      continue;
    if (name.find(part) == std::string::npos || name.find("expected") != std::string::npos) continue;
    std::optional<std::string> bytes = data.bytes(name);
    if (bytes && bytes->size() <= most) out.push_back(*std::move(bytes));
  }
  return out;
}

}  // namespace headlight::fuzz
