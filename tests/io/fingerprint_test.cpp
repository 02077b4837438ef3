#include "io/fingerprint.h"

#include <gmock/gmock.h>

#include <set>

#include "io/files.h"
#include "support/scratch_folder.h"

namespace headlight::io {
namespace {

TEST(Fingerprint, IsThatOfItsAuthors) {  // the test vectors that came with FNV-1a
  EXPECT_EQ(Fingerprint().text(), "cbf29ce484222325");
  Fingerprint a, foobar;
  a.add("a");
  EXPECT_EQ(a.text(), "af63dc4c8601ec8c");
  foobar.add("foo");
  foobar.add("bar");
  EXPECT_EQ(foobar.text(), "85944171f73967e8");
  EXPECT_EQ(foobar.value(), 0x85944171f73967e8u);
}

TEST(Fingerprint, OfAFileFollowsItsBytes) {
  const tests::ScratchFolder folder;
  ASSERT_TRUE(write_file(folder / "a", "foobar"));
  EXPECT_EQ(*fingerprint_of(folder / "a"), "85944171f73967e8");
  EXPECT_EQ(*fingerprint_of(folder / "a"), "85944171f73967e8");
  ASSERT_TRUE(write_file(folder / "a", "foobaz"));
  EXPECT_NE(*fingerprint_of(folder / "a"), "85944171f73967e8")
      << "of the same size, written in the same second";
  const std::string large(3'000'000, 'x');
  Fingerprint whole;
  whole.add(large);
  ASSERT_TRUE(write_file(folder / "large", large));
  EXPECT_EQ(*fingerprint_of(folder / "large"), whole.text()) << "over several pieces";
  EXPECT_THAT(fingerprint_of(folder / "none").error(), testing::HasSubstr("no such file"));
  EXPECT_THAT(fingerprint_of("/dev/zero").error(), testing::HasSubstr("it is a device"));
}

TEST(Fingerprint, OfALargeFileTellsItsLengthItsEndsAndItsMiddle) {
  const tests::ScratchFolder folder;
  std::string bytes(33 << 20, 'x');
  std::set<std::string> seen;
  const auto is_new = [&](const char* what) {
    ASSERT_TRUE(write_file(folder / "large", bytes));
    const auto fingerprint = fingerprint_of(folder / "large");
    ASSERT_TRUE(fingerprint) << fingerprint.error();
    EXPECT_TRUE(seen.insert(*fingerprint).second) << what;
  };
  is_new("as it is");
  bytes.front() = 'y';
  is_new("the first byte");
  bytes.back() = 'y';
  is_new("the last byte");
  bytes.insert(bytes.size() / 2, "y");
  is_new("one byte more");
  std::fill(bytes.begin() + (16 << 20), bytes.begin() + (17 << 20), 'z');
  is_new("a megabyte in the middle");
  bytes.resize(32 << 20);
  ASSERT_TRUE(write_file(folder / "large", bytes));
  Fingerprint whole;
  whole.add(bytes);
  EXPECT_EQ(*fingerprint_of(folder / "large"), whole.text()) << "32 MiB are taken whole";
}

}  // namespace
}  // namespace headlight::io
