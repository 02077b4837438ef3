// A file that is cut short, or written into, while it is mapped: zeros and a word about it, not the end of
// the program.
#include "io/mapped_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <vector>

#include "io/file_bytes.h"
#include "support/scratch_folder.h"

namespace headlight::io {
namespace {

using testing::HasSubstr;

const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));

class MappedFileTest : public testing::Test {
 protected:
  /// A file of so many bytes, each of them 7.
  std::filesystem::path file(const std::string& name, std::size_t bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << std::string(bytes, '\7');
    return folder_ / name;
  }
  static std::unique_ptr<const MappedFile> mapped(const std::filesystem::path& path, std::size_t bytes) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    auto out = MappedFile::map(descriptor, bytes);
    ::close(descriptor);
    return out;
  }
  static int sum(const std::byte* from, std::size_t bytes) {
    int all = 0;
    for (std::size_t i = 0; i < bytes; ++i) all += std::to_integer<int>(from[i]);
    return all;
  }

  tests::ScratchFolder folder_;
};

TEST_F(MappedFileTest, WhatIsCutOffIsZeroAndSaid) {
  const auto cut = file("cut", 5 * page), whole = file("whole", 5 * page);
  const auto one = mapped(cut, 5 * page), other = mapped(whole, 5 * page);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(sum(one->data(), 5 * page), static_cast<int>(7 * 5 * page));
  std::filesystem::resize_file(cut, 2 * page);
  EXPECT_EQ(sum(one->data(), 2 * page), static_cast<int>(7 * 2 * page));
  EXPECT_FALSE(one->lost());
  EXPECT_EQ(sum(one->data() + 3 * page, page), 0);
  EXPECT_TRUE(one->lost());
  EXPECT_EQ(sum(one->data() + 2 * page, 3 * page), 0);
  EXPECT_EQ(sum(one->data(), 2 * page), static_cast<int>(7 * 2 * page)) << "what is there stays";
  EXPECT_FALSE(other->lost());
  EXPECT_EQ(sum(other->data(), 5 * page), static_cast<int>(7 * 5 * page));
}

TEST_F(MappedFileTest, NoMoreThanThereArePlacesForAndAPlaceIsFreeAgain) {
  const auto path = file("f", page);
  std::vector<std::unique_ptr<const MappedFile>> all;
  for (int i = 0; i < MappedFile::most; ++i) {
    all.push_back(mapped(path, page));
    ASSERT_TRUE(all.back()) << i;
  }
  EXPECT_FALSE(mapped(path, page));
  all[5].reset();
  EXPECT_TRUE(mapped(path, page));
  EXPECT_FALSE(mapped(path, 0));
  EXPECT_FALSE(MappedFile::map(-1, page));
}

TEST_F(MappedFileTest, AFaultOfSomebodyElseIsOneAsBefore) {
  const auto path = file("f", 2 * page);
  ASSERT_TRUE(mapped(path, page));
  EXPECT_DEATH(
      {
        const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        const void* const at = ::mmap(nullptr, 2 * page, PROT_READ, MAP_SHARED, descriptor, 0);
        std::filesystem::resize_file(path, 0);
        std::_Exit(static_cast<const volatile char*>(at)[page]);
      },
      "");
  EXPECT_DEATH(::raise(SIGBUS), "");
}

/// Larger than what is kept in memory.
TEST_F(MappedFileTest, ALargeFileOfWeightsIsMappedAndItsChangesAreErrors) {
  const std::uint64_t bytes = (std::uint64_t(32) << 20) + page;
  const auto path = file("large", 3 * page);
  std::filesystem::resize_file(path, bytes);
  for (const bool shrinks : {false, true}) {
    const auto opened = FileBytes::open(path);
    ASSERT_TRUE(opened) << opened.error();
    const FileBytes& weights = **opened;
    const std::byte* const at = weights.in_memory(page, page);
    ASSERT_NE(at, nullptr);
    EXPECT_EQ(sum(at, page), static_cast<int>(7 * page));
    EXPECT_EQ(weights.in_memory(bytes - 1, 2), nullptr);
    EXPECT_EQ(weights.in_memory(bytes + 1, 0), nullptr);
    std::vector<std::byte> read(page);
    ASSERT_TRUE(weights.read(page, page, read.data()));
    EXPECT_EQ(sum(read.data(), page), static_cast<int>(7 * page));
    EXPECT_TRUE(weights.unchanged());
    if (shrinks) {
      std::filesystem::resize_file(path, page);
      EXPECT_EQ(sum(at, page), 0);
    } else {
      std::fstream(path, std::ios::binary | std::ios::in | std::ios::out) << "other";
    }
    ASSERT_FALSE(weights.unchanged());
    EXPECT_THAT(weights.unchanged().error(), HasSubstr("large: the file has changed since it was opened"));
    EXPECT_THAT(weights.read(page, page, read.data()).error(), HasSubstr("has changed since"));
  }
}

}  // namespace
}  // namespace headlight::io
