#include "app/hints.h"

#include <algorithm>

#include "io/files.h"

namespace headlight::app {

namespace {

/// One for each page, in the order of the pages.
constexpr const char* hints[] = {
    "Click a cell: its number opens to its arithmetic. Arrow keys walk on. Ctrl + K finds everything.",
    "Press Space: the clocks run at their true speeds. Drag a hand, a row of P, or a marker on a curve.",
    "Click any number and type another: everything behind it follows.",
    "Drag a token to another seat and watch the rows of the output move with it, or not.",
    "Choose A and B by the buttons above the maps; the third map is their difference.",
    "Step through the tokens: each writes a value at its key. Drag the probe on the landscape.",
    "Counts are made by formula and, at a size that is quick to run, by running. “Measure” times the layers.",
    "Click a stage of the block to see its matrix large; click a small map to see that head.",
    "Click two heads to lay them on the bench; switch heads off and read what the output loses.",
    "Choose a task and press Train; every kept step can be gone back to.",
    "Click an example: the source's numbers stand beside ours, with a verdict.",
};
static_assert(std::size(hints) == std::size(scene::Words<scene::Page>::list));

constexpr std::size_t largest_file = 1 << 16;

}  // namespace

Hints::Hints(std::filesystem::path file) : file_(std::move(file)) {
  if (file_.empty()) return;
  const base::Result<std::string> text = io::read_file(file_, largest_file);
  if (!text) return;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    if (end > at) closed_.insert(text->substr(at, end - at));
    at = end + 1;
  }
}

const char* Hints::shown(const scene::Scene& scene) const {
  if (file_.empty() || closed_.count(word(scene.page)) > 0) return nullptr;
  return hints[static_cast<int>(scene.page)];
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
  (void)io::write_file(file_, text);  // then it is closed for as long as the program runs
}

}  // namespace headlight::app
