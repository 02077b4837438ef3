// A training text that is a folder of files.
#include "io/text_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/files.h"
#include "support/scratch_folder.h"

namespace headlight::io {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t enough_bytes = 1000;

class TextFolder : public testing::Test {
 protected:
  void add(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((scratch_ / name).parent_path());
    ASSERT_TRUE(write_file(scratch_ / name, text));
  }
  std::string error(const std::filesystem::path& path, std::size_t most = enough_bytes) {
    const auto text = read_texts(path, most);
    return text ? "no error" : text.error();
  }
  tests::ScratchFolder scratch_;
};

TEST_F(TextFolder, IsItsTextFilesAndThoseBelowInOrder) {
  add("b.txt", "second");
  add("a.TXT", "first\n");
  add("c/deep/d.md", "fourth");
  add("c/a.text", "third\n\n");
  add("notes.pdf", "no text");
  add(".hidden.txt", "no text");
  add(".git/x.txt", "no text");
  add("empty.txt", "");
  EXPECT_EQ(*read_texts(scratch_.path(), enough_bytes), "first\nsecond\nthird\n\nfourth\n");
}

TEST_F(TextFolder, AFileIsItselfWhateverItsName) {
  add("corpus.dat", "abc");
  EXPECT_EQ(*read_texts(scratch_ / "corpus.dat", enough_bytes), "abc");
  EXPECT_THAT(error(scratch_ / "nowhere"), HasSubstr("no such file"));
}

TEST_F(TextFolder, LinksToFoldersAreNotFollowedAndThoseToFilesAre) {
  add("in/a.txt", "one");
  add("beside.txt", "two");
  std::filesystem::create_directory_symlink(scratch_ / "in", scratch_ / "in/again");
  std::filesystem::create_symlink(scratch_ / "beside.txt", scratch_ / "in/b.txt");
  EXPECT_EQ(*read_texts(scratch_ / "in", enough_bytes), "one\ntwo\n");
}

TEST_F(TextFolder, SaysWhatItCannotRead) {
  add("only/picture.png", "x");
  EXPECT_THAT(error(scratch_ / "only"), AllOf(HasSubstr("only"), HasSubstr(".txt, .text or .md")));
  add("large/a.txt", std::string(60, 'a'));
  add("large/b.txt", std::string(60, 'b'));
  EXPECT_THAT(error(scratch_ / "large", 100), AllOf(HasSubstr("large"), HasSubstr("100 bytes together")));
  EXPECT_EQ(read_texts(scratch_ / "large", 122)->size(), 122u);
}

}  // namespace
}  // namespace headlight::io
