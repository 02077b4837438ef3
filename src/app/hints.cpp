#include "app/hints.h"

#include <algorithm>

#include "io/files.h"
#include "pictures/pages.h"

namespace headlight::app {

namespace {

constexpr std::size_t largest_hints_file = 1 << 16;

}  // namespace

Hints::Hints(std::filesystem::path file) : file_(std::move(file)) {
  if (file_.empty()) return;
  const base::Result<std::string> text = io::read_file(file_, largest_hints_file);
  if (!text) return;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    if (end > at) closed_.insert(text->substr(at, end - at));
    at = end + 1;
  }
}

const char* Hints::shown(const scene::Scene& scene) const {
  if (file_.empty() || closed_.count(word(scene.page)) > 0) return nullptr;
  return page_info(scene.page).view.hint;
}

void Hints::close(scene::Page page) {
  closed_.insert(word(page));
  write();
}

void Hints::all_again() {
  closed_.clear();
  write();
}

void Hints::write() const {
  if (file_.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(file_.parent_path(), failed);
  std::string text;
  for (const std::string& name : closed_) text += name + "\n";
  (void)io::write_file(file_, text);  // if it fails, the hint is closed until the program ends
}

}  // namespace headlight::app
