// Files that somebody else has made, named on the command line, by a scene or in a folder: nothing waits,
// nothing fills the memory, and what is exported says nothing of folders.
#include <sys/stat.h>

#include "command/command_line.h"
#include "io/deflate.h"

namespace headlight::app {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CommandFilesTest : public CommandLineTest {
 protected:
  CommandFilesTest() { ::setenv("XDG_STATE_HOME", folder_.path().c_str(), 1); }
  std::string scene(const std::string& name, const std::string& fields) const {
    EXPECT_TRUE(io::write_file(file(name), "{\"headlight\":1," + fields + "}"));
    return file(name);
  }
};

TEST_F(CommandFilesTest, WhatIsNoFileIsRefusedInOneLine) {
  ASSERT_EQ(::mkfifo(file("pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", folder_ / "link");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  for (const auto& [path, why] :
       {std::pair<std::string, const char*>{"/dev/fd/" + std::to_string(ends[0]), "it is a pipe, not a file"},
        {"/dev/zero", "it is a device, not a file"},
        {file("pipe"), "it is a pipe, not a file"},
        {file("link"), "it is a pipe, not a file"},
        {folder_.path().string(), "no model in this folder"}}) {
    const std::string model = scene("model.json", "\"weights\":\"file\",\"weights_file\":\"" + path + "\"");
    refuses({"describe", model}, 1, AllOf(HasSubstr(path), HasSubstr(why)));
    refuses({"describe", "--set", "weights=file", "--set", "weights_file=" + path}, 1, HasSubstr(why));
    const std::string text =
        scene("text.json", "\"training_task\":\"text\",\"training_file\":\"" + path + "\"");
    // A folder of texts may be trained on; this one has none.
    const bool folder = path == folder_.path().string();
    refuses({"train", text, "--out", file("m.safetensors")}, 1,
            HasSubstr(folder ? "no file that ends in .txt" : why));
    if (path != file("link")) refuses({"lesson", path, "--handout"}, 1, HasSubstr("cannot read"));
  }
  refuses({"describe", "/dev/zero"}, 1, HasSubstr("it is a device, not a file"));
  refuses({"export", "--what", "q", "--out", file("x.npy"), "--set", "sentence=a", "/dev/zero"}, 1,
          HasSubstr("it is a device"));
}

TEST_F(CommandFilesTest, ALessonsFolderWithAPipeIsListed) {
  fs::create_directories(folder_.path() / "headlight/lessons");
  ASSERT_EQ(::mkfifo((folder_.path() / "headlight/lessons/waits.json").c_str(), 0600), 0);
  const Outcome outcome = run({"lessons"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("waits"));
}

/// A pipe that was typed is read; its writer is there.
TEST_F(CommandFilesTest, APipeOnTheCommandLineIsAScene) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string text = "{\"headlight\":1,\"sentence\":\"through a pipe\"}";
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  const Outcome outcome = run({"describe", "/dev/fd/" + std::to_string(ends[0])});
  ::close(ends[0]);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("pipe"));
}

TEST_F(CommandFilesTest, APictureThatClaimsGigabytesCostsNothing) {
  std::string bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x9c\x40\0\0\x9c\x40\x08\x06\0\0\0", 29);
  bytes += std::string("\0\0\0\0", 4);
  ASSERT_TRUE(io::write_file(file("bomb.png"), bytes + std::string("\0\0\0\0IEND\0\0\0\0", 12)));
  refuses({"describe", file("bomb.png")}, 1, HasSubstr("contains no Headlight scene"));
  // The sanitizers' own memory counts, and so does what this test held when it started the program.
  EXPECT_LT(run({"describe", file("bomb.png")}).peak_kilobytes, 3'000'000) << "the pixels would be 6 million";
}

TEST_F(CommandFilesTest, ALongPathIsNotRepeatedWhole) {
  const std::string path = "/" + std::string(3000, 'n') + ".json";
  const Outcome outcome = run({"describe", path});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("…"));
  EXPECT_LT(outcome.err.size(), 600u);
}

TEST_F(CommandFilesTest, NothingThatIsExportedNamesAFolder) {
  const fs::path home = folder_.path() / "home-of-the-author";
  fs::create_directory(home);
  const std::string model = (home / "model.safetensors").string(), text = (home / "text.txt").string();
  const Outcome trained = run({"train", "--task", "reverse", "--steps", "10", "--out", model});
  ASSERT_EQ(trained.status, 0) << trained.err;
  ASSERT_TRUE(io::write_file(text, "a text")) << "too short, which the Training page says of its path";
  for (const char* name : {"a.png", "a.svg", "a.pdf", "t.svg", "t.pdf", "a.gif", "a.npz", "a.json"}) {
    const fs::path path = name;
    const bool numbers = path.extension() == ".npz" || path.extension() == ".json";
    std::vector<std::string> words = {"render", "--page", name[0] == 't' ? "training" : "attention"};
    if (path.extension() == ".png") words.insert(words.end(), {"--panel", "map", "--width-mm", "80"});
    if (numbers) words = {"export", "--what", "weights"};
    if (path.extension() == ".gif") words = {"animate", "--what", "clocks", "--frames", "2"};
    for (const std::string& word :
         {std::string("--set"), std::string("weights=file"), std::string("--set"), "weights_file=" + model,
          std::string("--set"), "training_file=" + text, std::string("--set"),
          std::string("training_task=text"), std::string("--out"), file(name)})
      words.push_back(word);
    const Outcome outcome = run(words);
    ASSERT_EQ(outcome.status, 0) << name << outcome.err;
    const std::string bytes = *io::read_file(file(name));
    EXPECT_THAT(bytes, Not(HasSubstr("home-of-the-author"))) << name;
    std::string wide, hex;  // as a PDF writes it when it is not ASCII
    for (const char c : std::string("home-of")) {
      char digits[5];
      std::snprintf(digits, sizeof digits, "%04x", c);
      hex += digits, wide += std::string(1, '\0') + c;
    }
    EXPECT_THAT(bytes, AllOf(Not(HasSubstr(hex)), Not(HasSubstr(wide)))) << name;
    for (std::size_t at = bytes.find("stream\n"); at != std::string::npos;
         at = bytes.find("stream\n", at + 1)) {
      const std::size_t begin = at + 7, end = bytes.find("endstream", begin);
      if (path.extension() != ".pdf" || end == std::string::npos || bytes.compare(at - 3, 3, "end") == 0)
        continue;
      for (std::size_t last = end; last + 2 > end && last > begin; --last) {
        const auto page = io::inflated(std::string_view(bytes).substr(begin, last - begin), 50'000'000);
        if (page) {
          EXPECT_THAT(*page, Not(HasSubstr("home-of"))) << name;
        }
      }
    }
    // It is found again beside the figure, and not when it is elsewhere.
    refuses({"describe", file(name)}, 1, HasSubstr("\"model.safetensors\" is missing"));
    if (name[0] == 't') continue;
    fs::copy(model, file("model.safetensors"));
    const Outcome again = run({"describe", file(name)});
    EXPECT_EQ(again.status, 0) << name << again.err;
    fs::remove(file("model.safetensors"));
  }
}

}  // namespace
}  // namespace headlight::app
