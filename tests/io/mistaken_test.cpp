// Twenty files that are not what their names say: each is answered by one line that names the file, what it
// is and what to do, by every reader.
#include "io/mistaken.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/files.h"
#include "io/json_reader.h"
#include "io/npy_reader.h"
#include "io/safetensors.h"
#include "io/torch_file.h"
#include "support/scratch_folder.h"

namespace headlight::io::mistaken_test {

using namespace std::string_literals;

struct Mistaken {
  const char* name;
  std::string bytes;
  const char* reported;
};

std::string wide(const std::string& text, bool big) {
  std::string out;
  for (const char c : text) out += big ? std::string("\0", 1) + c : c + std::string("\0", 1);
  return out;
}

std::vector<Mistaken> all() {
  const std::string json = "{\"sentence\": \"a b\"}";
  return {{"UTF-16, little", "\xFF\xFE" + wide(json, false), "UTF-16 text: save it as UTF-8"},
          {"UTF-16, big", "\xFE\xFF" + wide(json, true), "UTF-16 text: save it as UTF-8"},
          {"UTF-16 without its mark", wide(json, false), "UTF-16 text: save it as UTF-8"},
          {"UTF-16, big, without its mark", wide(json, true), "UTF-16 text: save it as UTF-8"},
          {"UTF-32", "\xFF\xFE\0\0{\0\0\0}\0\0\0"s, "UTF-32 text: save it as UTF-8"},
          {"zeros", std::string(4096, '\0'), "it was not written whole"},
          {"gzip", "\x1F\x8B\x08\0\0\0\0\0\0\3rest"s, "packed with gzip: unpack it"},
          {"bzip2", "BZh91AY&SY", "packed with bzip2: unpack it"},
          {"xz", "\xFD"s + "7zXZ\0\0rest"s, "packed with xz: unpack it"},
          {"zstd", "\x28\xB5\x2F\xFD rest", "packed with zstd: unpack it"},
          {"Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n",
           "git lfs pull"},
          {"a page", "<!DOCTYPE html><html><body>404</body></html>", "download the file itself"},
          {"a page of XHTML", "<!DOCTYPE\n html PUBLIC \"x\">", "download the file itself"},
          {"a page in capitals", "<HTML><BODY>404</BODY></HTML>", "download the file itself"}};
}

TEST(Mistaken, IsToldByEveryReaderInOneLine) {
  const tests::ScratchFolder scratch;
  for (const Mistaken& one : all()) {
    const auto expect = [&](const std::string& reader, const std::string& message) {
      EXPECT_NE(message.find(one.reported), std::string::npos)
          << reader << ", " << one.name << ": " << message;
      EXPECT_NE(message.find("mine"), std::string::npos) << reader << ", " << one.name << ": " << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << reader << ", " << one.name;
    };
    EXPECT_NE(mistaken_for(one.bytes).find(one.reported), std::string::npos) << one.name;
    EXPECT_NE(mistaken_for(one.bytes.substr(0, 8)).find(one.reported), std::string::npos) << one.name;
    const auto json = read_json(one.bytes, "mine", {.name = "scene", .file = true});
    ASSERT_FALSE(json) << one.name;
    expect("JSON", json.error());
    const auto tensors = read_safetensors(one.bytes, "mine");
    ASSERT_FALSE(tensors) << one.name;
    expect("safetensors", tensors.error());
    const auto path = scratch.path() / "mine";
    ASSERT_TRUE(write_file(path, one.bytes));
    const auto loaded = load_safetensors(path);
    ASSERT_FALSE(loaded) << one.name;
    expect("safetensors file", loaded.error());
    const auto checkpoint = TorchFile::open(path);
    ASSERT_FALSE(checkpoint) << one.name;
    expect("checkpoint", checkpoint.error());
  }
}

TEST(Mistaken, NothingElseIs) {
  for (const std::string& bytes :
       {""s, "{}"s, "{\"a\":1}"s, "[1]"s, "x"s, "PK\3\4"s, "\x93NUMPY"s, "\xEF\xBB\xBF{}"s, "<svg xmlns"s,
        "version one of my text"s, "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\">"s, "{\0\0\0\x58\1\0\0"s,
        "\0{\0\0\0\1\0\0"s, "\0\0\0\0"s, "\x08\0\0\0\0\0\0\0{}      "s})
    EXPECT_EQ(mistaken_for(bytes), "") << bytes;
}

/// Where a JSON text is not UTF-8, that is said, with the place.
TEST(Mistaken, BytesThatAreNotUtf8AreNamedAndPlaced) {
  const auto read = read_json("{\"sentence\":\n \"caf\xE9\"}", "mine", {.name = "scene", .file = true});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error(), "mine: not UTF-8 at line 2, column 6: save it as UTF-8");
  const auto quote = read_json("{'sentence': 1}", "mine", {.name = "scene", .file = true});
  ASSERT_FALSE(quote);
  EXPECT_EQ(quote.error(), "mine: invalid JSON at line 1, column 2");
}

/// What Python writes for numbers that are none, and its own words.
TEST(Mistaken, WordsThatAreNoJsonAreNamed) {
  for (const auto& [value, reported] :
       {std::pair{"NaN", "mine: NaN at line 1, column 8 is not JSON: write a number"},
        {"-Infinity", "mine: Infinity at line 1, column 9 is not JSON: write a number"},
        {"True", "mine: True at line 1, column 8 is not JSON: write true"},
        {"None", "mine: None at line 1, column 8 is not JSON: write null"},
        {"nope", "mine: invalid JSON at line 1, column 9"}}) {
    const auto read =
        read_json("{\"ab\": " + std::string(value) + "}", "mine", {.name = "scene", .file = true});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error(), reported);
  }
}

}  // namespace headlight::io::mistaken_test
