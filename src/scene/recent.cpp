#include "scene/recent.h"

#include <algorithm>
#include <system_error>

#include "io/files.h"
#include "scene/store.h"

namespace headlight::scene {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_list = std::size_t(1) << 20;

fs::path plain(const fs::path& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  return failed ? path : whole.lexically_normal();
}

}  // namespace

Recent::Recent(fs::path file) : file_(std::move(file)) {
  read();
}

void Recent::read() {
  if (file_.empty()) return;

  const base::Result<std::string> text = io::read_file(file_, largest_list);
  if (!text) return;
  files_.clear();
  for (std::size_t at = 0; at < text->size() && files_.size() < most_recent;) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    const fs::path path = text->substr(at, end - at);
    if (path.is_absolute() && std::find(files_.begin(), files_.end(), path) == files_.end())
      files_.push_back(path);
    at = end + 1;
  }
}

base::Status Recent::remember(const fs::path& path) {
  const fs::path whole = plain(path);
  if (whole.native().find('\n') != std::string::npos) return {};
  read();  // another window may have written meanwhile
  files_.erase(std::remove(files_.begin(), files_.end(), whole), files_.end());
  files_.insert(files_.begin(), whole);
  if (files_.size() > most_recent) files_.resize(most_recent);
  return write();
}

base::Status Recent::forget(const fs::path& path) {
  read();
  files_.erase(std::remove(files_.begin(), files_.end(), plain(path)), files_.end());
  return write();
}

base::Status Recent::write() const {
  if (file_.empty()) return {};
  std::error_code failed;
  fs::create_directories(file_.parent_path(), failed);
  std::string text;
  for (const fs::path& path : files_) text += path.native() + "\n";
  return io::write_file(file_, text);
}

fs::path list_of_scenes(const fs::path& folder) {
  return folder.empty() ? fs::path() : folder / "recent.txt";
}

fs::path list_of_files(const fs::path& folder) {
  return folder.empty() ? fs::path() : folder / "files.txt";
}

fs::path state_folder() {
  const fs::path file = state_file();
  return file.empty() ? fs::path() : file.parent_path();
}

}  // namespace headlight::scene
