// Files that were made to do harm, in everything that a scene or a lesson may be read from: each is answered
// in one short line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "io/deflate.h"
#include "io/gif.h"
#include "io/npz.h"
#include "io/png.h"
#include "scene/field_values.h"
#include "scene/figure_scene.h"
#include "scene/scene_line.h"
#include "scene/settings.h"
#include "support/sanitized.h"
#include "teach/lesson.h"
#include "teach/lesson_words.h"

namespace headlight::scene {
namespace {

using testing::HasSubstr;

std::string repeated(const std::string& part, std::size_t times) {
  std::string out;
  out.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

std::string base64url(const std::string& bytes) {
  constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  unsigned group = 0;
  int bits = 0;
  for (const char c : bytes) {
    group = group << 8 | static_cast<unsigned char>(c), bits += 8;
    while (bits >= 6) out += letters[group >> (bits -= 6) & 63];
  }
  if (bits > 0) out += letters[group << (6 - bits) & 63];
  return out;
}

std::string as_svg(const std::string& json) {
  return "<svg><metadata id=\"headlight-scene\">" + json + "</metadata></svg>";
}
std::string as_pdf(const std::string& json) {
  return "%PDF-1.7\n(headlight-scene " + json + ")";
}
std::string as_pdf_hex(const std::string& json) {
  std::string out = "%PDF-1.7\n<";
  constexpr char digits[] = "0123456789abcdef";
  for (const char c : "headlight-scene " + json)
    out += {'0', '0', digits[static_cast<unsigned char>(c) >> 4], digits[c & 15]};
  return out + ">";
}
std::string as_png(const std::string& json) {
  return *io::encode_png(io::Image{1, 1, 4, std::vector<std::uint8_t>(4, 9)}, {{"headlight", json}});
}
std::string as_gif(const std::string& json) {
  const std::vector<io::RunImage> frames(1, io::RunImage(io::Image{1, 1, 4, {1, 2, 3, 255}}));
  return *io::encode_gif(frames, 0.1, "headlight-scene " + json);
}
std::string as_npz(const std::string& json) {
  return *io::encode_npz({}, json);
}
std::string as_numbers(const std::string& json) {
  return "{\"data\":[[1,2],[3]],\"scene\":" + json + "}";
}
std::string plain(const std::string& json) {
  return json;
}

/// What is wrong with it as a scene, wherever it is carried and as a line; and as a lesson.
void refuse(const std::string& json, const std::string& why) {
  for (const auto& [carrier, wrap] :
       std::initializer_list<std::pair<const char*, std::string (*)(const std::string&)>>{
           {"plain", plain},
           {"svg", as_svg},
           {"pdf", as_pdf},
           {"pdf hex", as_pdf_hex},
           {"png", as_png},
           {"gif", as_gif},
           {"npz", as_npz},
           {"numbers", as_numbers}}) {
    // What is large goes one way through each reader of bytes.
    if (tests::sanitized && json.size() > 200'000 && wrap != plain && wrap != as_png) continue;
    const auto read = scene_in_bytes(wrap(json), "file");
    ASSERT_FALSE(read) << carrier;
    EXPECT_THAT(read.error(), HasSubstr(why)) << carrier;
    EXPECT_LT(read.error().size(), 600u) << carrier;
  }
  const auto line = from_line("headlight1:" + base64url(io::deflated(json)));
  ASSERT_FALSE(line);
  EXPECT_THAT(line.error(), HasSubstr(why));
  EXPECT_LT(line.error().size(), 600u);
}

TEST(HostileFiles, DepthIsBoundedInEveryCarrier) {
  for (const std::size_t depth : {5u, 100u, 100'000u}) {
    refuse("{\"sentence\":" + repeated("[", depth) + repeated("]", depth) + "}",
           "nested more deeply than a scene can");
    refuse("{\"sentence\":" + repeated("{\"a\":", depth) + "1" + repeated("}", depth) + "}",
           "nested more deeply than a scene can");
  }
  // What nobody looks at may be deep.
  const std::string numbers = "{\"data\":" + repeated("[", 100'000) + repeated("]", 100'000) + ",\"scene\":";
  EXPECT_TRUE(scene_in_bytes(numbers + "{\"heads\":8}}", "file"));
  EXPECT_FALSE(scene_in_bytes(numbers + repeated("[", 100'000), "file"));
  EXPECT_FALSE(scene_in_bytes("{\"data\":" + repeated("[", 300'000), "file"));
}

TEST(HostileFiles, ManyMembersAreCountedBeforeTheyAreLookedAt) {
  std::string members;
  for (int i = 0; i < 60'000; ++i) members += "\"k" + std::to_string(i) + "\":1,";
  refuse("{" + members + "\"k\":1}", "more than 100000 values");
  refuse("{\"query\":[" + repeated("1,", 200'000) + "1]}", "more than 100000 values");
  refuse("{\"query\":[" + repeated("1,", 5'000) + "1]}", "are too many; the limit is 4096");
  refuse("{\"heads\":4,\"heads\":8}", "\"heads\" occurs twice");
}

TEST(HostileFiles, LongWordsAreShortenedInEveryAnswer) {
  const std::string word(1 << 20, 'W');
  refuse("{\"" + word + "\":1}", "unknown setting \"WWW");
  refuse("{\"heads\":\"" + word + "\"}", "found \"WWW");
  refuse("{\"page\":\"" + word + "\"}", "\"WWW");
  refuse("{\"mask\":\"" + word + "\"}", "\"WWW");
  refuse("{\"sentence_bytes\":\"" + word + "\"}", "found \"WWW");
  refuse("{\"headlight\":\"" + word + "\"}", "found \"WWW");
}

TEST(HostileFiles, ASceneOfAnySizeIsMeasuredFirst) {
  const std::string large = "{\"sentence\":\"" + std::string(17 << 20, 'a') + "\"}";
  for (const auto& bytes : {large, as_svg(large), as_pdf(large), as_gif(large), as_numbers(large)})
    EXPECT_THAT(scene_in_bytes(bytes, "file").error(), HasSubstr("larger than 16777216 bytes"));
  EXPECT_FALSE(from_line("headlight1:" + base64url(io::deflated(std::string(200 << 20, ' ')))));
}

TEST(HostileFiles, ATextHasALengthThatIsReadBack) {
  std::string many;
  while (many.size() <= longest_text) many += "w ";
  const auto refused = from_json("{\"sentence\": \"" + many + "\"}", "s.json");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), "s.json: sentence: " + std::to_string(many.size()) +
                                 " bytes of text are too many; the limit is " + std::to_string(longest_text) +
                                 "; shorten the text");
  Scene typed;
  EXPECT_FALSE(set_field(typed, "sentence=" + many));
  // What repair leaves of any bytes is read back: characters are not cut in halves, bad bytes stay.
  for (const std::string piece : {"w ", "\u20ac", "\xff"}) {
    Scene scene;
    scene.sentence = "x";
    while (scene.sentence.size() <= longest_text) scene.sentence += piece;
    repair(scene);
    EXPECT_LE(scene.sentence.size(), longest_text);
    EXPECT_GT(scene.sentence.size(), longest_text - 4);
    const auto again = from_json(to_json(scene), "s.json");
    ASSERT_TRUE(again) << again.error();
    EXPECT_TRUE(*again == scene);
  }
}

TEST(HostileFiles, EntitiesAreReadOnceAndInOnePass) {
  Scene scene;
  scene.sentence = "&lt; &amp;lt; <a> \"b\" 'c' & &unknown; &";
  std::string text;
  for (const char c : scene_as_json(scene)) {
    text += c == '&'    ? "&amp;"
            : c == '<'  ? "&lt;"
            : c == '>'  ? "&gt;"
            : c == '"'  ? "&quot;"
            : c == '\'' ? "&apos;"
                        : std::string(1, c);
  }
  const auto read = scene_in_bytes(as_svg(text), "a.svg");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->sentence, scene.sentence);
  // Eight million of them: replaced in place they would take hours.
  EXPECT_THAT(
      scene_in_bytes(as_svg(repeated("&lt;", tests::sanitized ? 800'000 : 8'000'000)), "a.svg").error(),
      HasSubstr("invalid JSON"));
  EXPECT_THAT(scene_in_bytes(as_svg(repeated("&quot;", 17 << 20)), "a.svg").error(),
              HasSubstr("larger than 16777216 bytes"));
}

TEST(HostileFiles, AGifOfManyBlocksAndAnArchiveOfManyEntries) {
  const std::string gif = as_gif("{}");
  const std::size_t comment = gif.find("headlight-scene ") - 3;
  const std::string image = std::string("\x2C\0\0\0\0\1\0\1\0\0\2\0", 12);
  std::string many = gif.substr(0, comment) + repeated(image, 2'000'000);
  EXPECT_THAT(scene_in_bytes(many + ";", "a.gif").error(), HasSubstr("contains no Headlight scene"));
  EXPECT_TRUE(scene_in_bytes(many + gif.substr(comment), "a.gif"));
  EXPECT_THAT(scene_in_bytes(many, "a.gif").error(), HasSubstr("damaged"));
  EXPECT_THAT(
      scene_in_bytes(gif.substr(0, comment) + repeated(std::string("\x21\xFE\0", 3), 2'000'000), "a.gif")
          .error(),
      HasSubstr("damaged"));

  const std::string npz = as_npz("{}");
  ASSERT_TRUE(scene_in_bytes(npz, "a.npz"));
  std::string wide = npz;
  const std::size_t end = wide.rfind("PK\5\6");
  wide[end + 8] = wide[end + 9] = wide[end + 10] = wide[end + 11] = '\xFE';
  EXPECT_THAT(scene_in_bytes(wide, "a.npz").error(), HasSubstr("too many entries"));
}

std::string lesson_error(const std::string& step, const std::string& more = "") {
  const auto read = lesson_from_json(
      R"({"headlight_lesson": 1, "title": "T", )" + more + R"("steps": [{"title": "1", )" + step + "}]}",
      "a.json");
  const std::string error = read ? std::string() : read.error();
  EXPECT_LT(error.size(), 600u) << error;
  return error;
}

TEST(HostileFiles, LessonsAreBoundedToo) {
  const std::string word(10'000, 'W');
  EXPECT_THAT(lesson_error("\"words\":" + repeated("[", 100'000)),
              HasSubstr("nested more deeply than a lesson can"));
  EXPECT_THAT(lesson_error("\"words\":\"" + std::string(20'001, 'a') + "\""),
              HasSubstr("at most 20000 bytes"));
  EXPECT_THAT(lesson_error("\"words\":[\"" + std::string(20'001, 'a') + "\"]"),
              HasSubstr("at most 20000 bytes"));
  EXPECT_THAT(lesson_error("\"words\":[" + repeated("\"a\",", 100'000) + "\"a\"]"),
              HasSubstr("more than 100000"));
  EXPECT_THAT(lesson_error("\"words\":\"" + std::string(5 << 20, 'a') + "\""),
              HasSubstr("larger than 4194304"));
  EXPECT_THAT(lesson_error("\"" + word + "\":1"), HasSubstr("unknown field \"WWW"));
  EXPECT_THAT(lesson_error("\"controls\":\"" + word + "\""), HasSubstr("found \"WWW"));
  EXPECT_THAT(lesson_error("\"scene\":{\"" + word + "\":{}}"), HasSubstr("WWW"));
  EXPECT_THAT(lesson_error("\"scene\":{\"" + word + "\":1}"), HasSubstr("WWW"));
  EXPECT_THAT(lesson_error("\"facts\":\"" + word + "\""), HasSubstr("WWW"));
  EXPECT_THAT(lesson_error("\"words\":\"{" + word + "}\""), HasSubstr("WWW"));
  // Many that are wrong: the first one is said, the others are not looked up.
  std::string names, settings;
  for (int i = 0; i < 40'000; ++i) {
    names += (i ? ",\"" : "\"") + std::string("headz") + std::to_string(i) + "\"";
    settings += (i ? ",\"" : "\"") + std::string("headz") + std::to_string(i) + "\":1";
  }
  EXPECT_THAT(lesson_error("\"controls\":[" + names + "]"), HasSubstr("headz0"));
  EXPECT_THAT(lesson_error("\"facts\":[" + names + "]"), HasSubstr("headz0"));
  EXPECT_THAT(lesson_error("\"scene\":{" + settings + "}"), HasSubstr("headz0"));
  EXPECT_THAT(lesson_error(settings), HasSubstr("headz0"));
}

TEST(HostileFiles, MarksInWordsAreFoundNearBy) {
  EXPECT_TRUE(parse_words(std::string(1 << 20, '[')));
  EXPECT_TRUE(parse_words(repeated("[0.1, ", 100'000) + ":"));
  EXPECT_TRUE(parse_words("[query: a] [0.39, 0.22] [a b: c]"));
  EXPECT_THAT(parse_words("[qeury: a]").error(), HasSubstr("expected [query: …]"));
}

}  // namespace
}  // namespace headlight::scene
