#include "io/folder.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace headlight::io {

std::vector<std::string> names_in(const std::filesystem::path& folder, std::error_code& failed) {
  failed.clear();
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.empty() ? "." : folder.c_str()),
                                                 ::closedir);
  if (!open) failed.assign(errno, std::generic_category());
  std::vector<std::string> names;
  while (open) {
    errno = 0;
    const dirent* const entry = ::readdir(open.get());
    if (entry == nullptr) {
      failed.assign(errno, std::generic_category());
      break;
    }
    if (const std::string name = entry->d_name; name != "." && name != "..") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::error_code ignored;
  return names_in(folder, ignored);
}

}  // namespace headlight::io
