#include "command/progress_line.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <stdlib.h>
#include <unistd.h>

namespace headlight::app {
namespace {

/// A terminal, and what was written to it.
class Terminal {
 public:
  Terminal() : outside_(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
    if (outside_ < 0 || ::grantpt(outside_) != 0 || ::unlockpt(outside_) != 0) return;
    file_ = std::fopen(::ptsname(outside_), "w");
  }
  ~Terminal() {
    if (file_) std::fclose(file_);
    ::close(outside_);
  }
  std::FILE* file() const { return file_; }
  std::string message() const {
    std::fflush(file_);
    char text[4096];
    const ssize_t got = ::read(outside_, text, sizeof text);
    return got > 0 ? std::string(text, static_cast<std::size_t>(got)) : std::string();
  }

 private:
  int outside_;
  std::FILE* file_ = nullptr;
};

TEST(ProgressLine, SaysHowFarItIsAndIsGoneAtTheEnd) {
  const Terminal terminal;
  if (!terminal.file()) GTEST_SKIP() << "no terminals here";
  {
    ProgressLine line(terminal.file(), std::chrono::milliseconds(0));
    line.done("computing", 0.426);
    EXPECT_THAT(terminal.message(), testing::EndsWith("headlight: computing 43 %"));
    line.bytes("writing", 1.23e9);
    EXPECT_EQ(terminal.message(), "") << "not so soon after the one before";
  }
  EXPECT_EQ(terminal.message(), "\r\x1b[K");
  ProgressLine line(terminal.file(), std::chrono::milliseconds(0));
  line.bytes("writing", 1.23e9);
  EXPECT_THAT(terminal.message(), testing::EndsWith("headlight: writing 1.2 GB"));
}

TEST(ProgressLine, IsSilentAtFirstAndWithoutATerminal) {
  const Terminal terminal;
  if (!terminal.file()) GTEST_SKIP() << "no terminals here";
  {
    ProgressLine line(terminal.file(), std::chrono::hours(1));
    line.done("computing", 0.5);
  }
  EXPECT_EQ(terminal.message(), "");
  std::FILE* file = std::tmpfile();
  ASSERT_TRUE(file);
  {
    ProgressLine line(file, std::chrono::milliseconds(0));
    line.done("computing", 0.5);
  }
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

}  // namespace
}  // namespace headlight::app
