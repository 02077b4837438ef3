#include "io/fingerprint.h"

#include <gmock/gmock.h>

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

}  // namespace
}  // namespace headlight::io
