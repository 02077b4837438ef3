#include "app/kept_window.h"

#include <sstream>
#include <string>
#include <system_error>

#include "io/files.h"

namespace headlight::app {

namespace {

constexpr int smallest = 200, largest = 16384;
constexpr std::size_t largest_file = 64;
constexpr const char* file_name = "window.txt";
constexpr const char *lessons_word = "lessons", *open_word = "settings-open",
                     *closed_word = "settings-closed";

bool has_a_size(const KeptWindow& window) {
  return window.width >= smallest && window.height >= smallest && window.width <= largest &&
         window.height <= largest;
}

}  // namespace

std::optional<KeptWindow> kept_window(const std::filesystem::path& folder) {
  if (folder.empty()) return std::nullopt;
  const auto text = io::read_file(folder / file_name, largest_file);
  if (!text) return std::nullopt;
  std::istringstream words(*text);
  KeptWindow window;
  if (!(words >> window.width >> window.height) || !has_a_size(window)) return std::nullopt;
  for (std::string shows; words >> shows;) {
    if (shows == lessons_word) window.lessons = true;
    if (shows == open_word || shows == closed_word) window.settings = shows == open_word;
  }
  return window;
}

void keep_window(const std::filesystem::path& folder, KeptWindow window) {
  if (folder.empty()) return;
  if (!has_a_size(window)) {
    const KeptWindow before = kept_window(folder).value_or(KeptWindow{});
    window.width = before.width, window.height = before.height;
  }
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  std::string text = std::to_string(window.width) + " " + std::to_string(window.height);
  if (window.lessons) text += std::string(" ") + lessons_word;
  if (window.settings) text += std::string(" ") + (*window.settings ? open_word : closed_word);
  (void)io::write_file(folder / file_name, text + "\n");
}

}  // namespace headlight::app
