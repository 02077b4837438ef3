#include "app/window_size.h"

#include <sstream>
#include <string>
#include <system_error>

#include "io/files.h"

namespace headlight::app {

namespace {

constexpr int smallest = 200, largest = 16384;
constexpr std::size_t largest_size_file = 64;
constexpr const char* size_file = "window.txt";

bool is_a_size(WindowSize size) {
  return size.width >= smallest && size.height >= smallest && size.width <= largest && size.height <= largest;
}

}  // namespace

std::optional<WindowSize> kept_window_size(const std::filesystem::path& folder) {
  if (folder.empty()) return std::nullopt;
  const auto text = io::read_file(folder / size_file, largest_size_file);
  if (!text) return std::nullopt;
  std::istringstream words(*text);
  WindowSize size;
  if (!(words >> size.width >> size.height) || !is_a_size(size)) return std::nullopt;
  return size;
}

void keep_window_size(const std::filesystem::path& folder, WindowSize size) {
  if (folder.empty() || !is_a_size(size)) return;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  (void)io::write_file(folder / size_file,
                       std::to_string(size.width) + " " + std::to_string(size.height) + "\n");
}

}  // namespace headlight::app
