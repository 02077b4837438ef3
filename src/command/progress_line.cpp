#include "command/progress_line.h"

#include <unistd.h>

#include <cmath>

#include "base/numbers.h"

namespace headlight::app {

namespace {

constexpr std::chrono::milliseconds between_lines{200};
constexpr const char* clear_line = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine(std::FILE* to, std::chrono::milliseconds patience)
    : to_(to), seen_(::isatty(::fileno(to)) == 1), next_(Clock::now() + patience) {}

ProgressLine::~ProgressLine() {
  if (!shown_) return;
  std::fputs(clear_line, to_);
  std::fflush(to_);
}

bool ProgressLine::due() {
  if (!seen_ || Clock::now() < next_) return false;
  next_ = Clock::now() + between_lines;
  return true;
}

void ProgressLine::show(const std::string& line) {
  std::fprintf(to_, "%sheadlight: %s", clear_line, line.c_str());
  std::fflush(to_);
  shown_ = true;
}

void ProgressLine::done(const char* what, double fraction) {
  if (due()) show(std::string(what) + " " + std::to_string(std::lround(100 * fraction)) + " %");
}

void ProgressLine::bytes(const char* what, double count) {
  if (!due()) return;
  show(std::string(what) + " " + base::megabyte_words(count));
}

}  // namespace headlight::app
