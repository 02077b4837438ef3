#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "scene/settings.h"
#include "scene/undo.h"
#include "support/sanitized.h"

namespace headlight::scene {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string error_of(const std::string& json) {
  const base::Result<Scene> scene = from_json(json, "a.json");
  if (scene) return "";
  EXPECT_THAT(scene.error(), StartsWith("a.json: "));
  EXPECT_THAT(scene.error(), testing::Not(HasSubstr("\n")));
  return scene.error().substr(8);
}

std::string page_words() {
  std::string all;
  for (const char* word : Words<Page>::list) all += (all.empty() ? "" : ", ") + std::string(word);
  return all;
}

Scene unlike_the_defaults() {
  Scene scene;
  for (const char* set : {"page=position",
                          "sentence=a \"b\" \\ c\t\n",
                          "tokenizer=chars",
                          "d_model=30",
                          "heads=6",
                          "seed=11",
                          "position=sinusoidal_concat",
                          "position_base=123.456789012345",
                          "position_offset=77",
                          "position_scale=0.1",
                          "scale=false",
                          "temperature=0.3333333333333333",
                          "mask=causal+valid_length",
                          "window=3",
                          "valid_length=0",
                          "head=2,5",
                          "combine=max",
                          "query=4,0",
                          "key=3",
                          "attention_view=ribbons",
                          "query_axis=columns",
                          "cell_numbers=off",
                          "bars_sorted=on",
                          "positions=99",
                          "position_index=98",
                          "position_delta=-7",
                          "position_columns=1,2",
                          "position_pair=9",
                          "position_step=1",
                          "clock_speed=logarithmic",
                          "play=true",
                          "play_speed=0.7",
                          "theme=light",
                          "interface_scale=1.5",
                          "cost_batch=100"}) {  // as many of the most heads and layers are counted
    const base::Status status = set_field(scene, set);
    EXPECT_TRUE(status) << status.error();
  }
  // Whatever is not named above: any other value of its type.
  fields(scene, [&](const Field& field, auto& value) {
    if (get_field(scene, field.name) != get_field(Scene{}, field.name)) return;
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, bool>) {
      value = !value;
    } else if constexpr (std::is_same_v<Value, int>) {
      value =
          value == static_cast<int>(field.max) ? static_cast<int>(field.min) : static_cast<int>(field.max);
    } else if constexpr (std::is_same_v<Value, double>) {
      value = (field.min + field.max) / 3;
    } else if constexpr (std::is_same_v<Value, std::string>) {
      value += " 1";
    } else if constexpr (std::is_same_v<Value, IndexList>) {
      value.push_back(static_cast<int>(field.max));
    } else if constexpr (std::is_same_v<Value, MaskSet>) {
      value.causal = !value.causal;
    } else {
      value.set((value.index() + 1) % static_cast<int>(value.list().size()));
    }
  });
  return scene;
}

TEST(Json, MoreMapsThanAreCountedAreRefused) {
  Scene scene;
  scene.cost.batch = scene.cost.heads = scene.cost.layers = 1024;
  EXPECT_EQ(check(scene).error(),
            "cost_batch: at most 128 sequences of 1024 heads and 1024 layers are counted");
  scene.cost.batch = 128;
  EXPECT_TRUE(check(scene));
}

TEST(Json, EveryFieldComesBack) {
  const Scene scene = unlike_the_defaults();
  std::size_t fields_count = 0;
  fields(scene, [&](const Field&, const auto&) { ++fields_count; });
  const std::string differences = difference(scene, Scene{});
  EXPECT_EQ(static_cast<std::size_t>(std::count(differences.begin(), differences.end(), ',')) + 1,
            fields_count)
      << "a field of this test has its default: only " << differences;
  const base::Result<Scene> read = from_json(to_json(scene), "a.json");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(difference(*read, scene), "");
  EXPECT_EQ(to_json(*read), to_json(scene));
}

TEST(Json, BeginsWithItsVersionAndNamesEveryField) {
  const auto json = nlohmann::ordered_json::parse(to_json(Scene{}));
  EXPECT_EQ(json.begin().key(), "headlight");
  EXPECT_EQ(json["headlight"], 1);
  const Scene scene;
  fields(scene,
         [&](const Field& field, const auto&) { EXPECT_TRUE(json.contains(field.name)) << field.name; });
  Scene all;
  all.head = {};
  EXPECT_EQ(nlohmann::json::parse(to_json(all))["head"], nlohmann::json::array());
}

TEST(Json, SentencesOfAnyBytesComeBack) {
  for (const std::string& sentence :
       {std::string(), std::string("\xff"), std::string("a\0b", 3), std::string("\xe2\x82"),
        std::string("שלום \xed\xa0\x80 👩‍👩‍👧"), std::string("\xEF\xBF\xBD"),
        std::string(100000, '\x80'), std::string("\"\\/\b\f\n\r\t\x7f")}) {
    Scene scene;
    scene.sentence = sentence;
    const std::string json = to_json(scene);
    EXPECT_TRUE(nlohmann::json::accept(json));
    const base::Result<Scene> read = from_json(json, "a.json");
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->sentence, sentence);
  }
  EXPECT_THAT(to_json(Scene{}), testing::Not(HasSubstr("sentence_bytes")));
}

TEST(Json, ASentenceEditedByHandWinsOverItsBytes) {
  Scene scene;
  scene.sentence = "caf\xe9";
  auto json = nlohmann::json::parse(to_json(scene));
  EXPECT_EQ(json["sentence_bytes"], "636166e9");
  json["sentence"] = "café";
  EXPECT_EQ(from_json(json.dump(), "a.json")->sentence, "café");
  EXPECT_EQ(error_of(R"({"sentence_bytes": "6"})"),
            "sentence_bytes: expected hexadecimal digits, two for each byte, found \"6\"");
  EXPECT_EQ(error_of(R"({"sentence_bytes": "zz"})"),
            "sentence_bytes: expected hexadecimal digits, two for each byte, found \"zz\"");
  EXPECT_EQ(error_of(R"({"sentence_bytes": 3})"), "sentence_bytes: expected hexadecimal digits, found 3");
  EXPECT_EQ(from_json(R"({"sentence_bytes": "ff00"})", "a.json")->sentence, std::string("\xff\0", 2));
}

TEST(Json, MissingFieldsAreTheDefaults) {
  const base::Result<Scene> read = from_json(R"({"sentence": "hello there", "heads": 8})", "a.json");
  ASSERT_TRUE(read);
  Scene wanted = written_defaults();
  wanted.sentence = "hello there";
  wanted.heads = 8;
  EXPECT_EQ(*read, wanted);
  EXPECT_EQ(*from_json("{}", "a.json"), written_defaults());
  EXPECT_EQ(difference(written_defaults(), Scene{}), "query,order_permutation");
  EXPECT_TRUE(from_json(R"({"page": "order"})", "a.json")->order.permutation.empty()) << "the original order";
  EXPECT_EQ(*from_json(to_json(Scene{}), "a.json"), Scene{}) << "all settings are written";
}

TEST(Json, ListsAndNumbersAreTakenAsTheyAreMeant) {
  EXPECT_THAT(from_json(R"({"head": 2})", "a")->head, testing::ElementsAre(2));
  EXPECT_THAT(from_json(R"({"head": 0})", "a")->head, testing::IsEmpty());
  EXPECT_THAT(from_json(R"({"query": -1})", "a")->query, testing::IsEmpty());
  EXPECT_THAT(from_json(R"({"query": [3, 2.0]})", "a")->query, testing::ElementsAre(3, 2));
  EXPECT_TRUE(is_automatic(from_json(R"({"query": null})", "a")->query));
  EXPECT_TRUE(is_automatic(from_json(R"({"query": "auto"})", "a")->query)) << "as on the command line";
  EXPECT_THAT(from_json("{}", "a")->query, testing::ElementsAre(1))
      << "what it meant before it was automatic";
  EXPECT_THAT(from_json(R"({"query": [1]})", "a")->query, testing::ElementsAre(1)) << "a choice";
  EXPECT_FALSE(from_json(R"({"head": null})", "a")) << "only a query can be chosen automatically";
  EXPECT_EQ(from_json(R"({"heads": 8.0})", "a")->heads, 8);
  EXPECT_EQ(from_json(R"({"temperature": 2})", "a")->temperature, 2);
}

TEST(Json, ErrorsNameTheFileAndTheField) {
  EXPECT_EQ(error_of(""), "the file is empty: write a scene to it first");
  EXPECT_EQ(error_of(" \n"), "the file is empty: write a scene to it first");
  EXPECT_EQ(error_of("{\"heads\": 4"), "invalid JSON: unexpected end of file");
  EXPECT_EQ(error_of("{\n \"heads\": 4,\n oops}"), "invalid JSON at line 3, column 2");
  EXPECT_EQ(error_of("\x89PNG\r\n\x1a\n"), "invalid JSON at line 1, column 1");
  EXPECT_EQ(error_of("[1, 2]"), "not a scene: expected a JSON object, found a list");
  EXPECT_EQ(error_of("3"), "not a scene: expected a JSON object, found 3");
  EXPECT_EQ(
      error_of(R"({"headlight": 2})"),
      "headlight: the file has version 2, but this program reads version 1: open it with a newer Headlight");
  EXPECT_EQ(error_of(R"({"headlight": "x"})"), "headlight: expected the version 1, found \"x\"");
  EXPECT_EQ(error_of(R"({"haeds": 4})"), "unknown setting \"haeds\". Did you mean \"heads\"?");
  EXPECT_EQ(error_of(R"({"heads": "4"})"), "heads: expected a whole number, 1 to 1024, found \"4\"");
  EXPECT_EQ(error_of(R"({"heads": 4.5})"), "heads: expected a whole number, 1 to 1024, found 4.5");
  EXPECT_EQ(error_of(R"({"heads": null})"), "heads: expected a whole number, 1 to 1024, found null");
  EXPECT_EQ(error_of(R"({"heads": 0})"), "heads: 0 is out of range; expected 1 to 1024");
  EXPECT_THAT(error_of(R"({"heads": 18446744073709551615})"), HasSubstr("out of range; expected 1 to 1024"));
  EXPECT_THAT(error_of(R"({"heads": 1e300})"), HasSubstr("out of range; expected 1 to 1024"));
  EXPECT_EQ(error_of(R"({"heads": 1e999})"), "not a scene: it contains a number that is too large");
  EXPECT_EQ(error_of(R"({"heads": 5})"), "heads must divide d_model (32): 1, 2, 4, 8, 16 or 32, not 5");
  EXPECT_EQ(error_of(R"({"temperature": true})"), "temperature: expected a number, 0.01 to 100, found true");
  EXPECT_EQ(error_of(R"({"temperature": 0})"), "temperature: 0 is out of range; expected 0.01 to 100");
  EXPECT_EQ(error_of(R"({"scale": 1})"), "scale: expected true or false, found 1");
  EXPECT_EQ(error_of(R"({"sentence": ["a"]})"), "sentence: expected text, found a list");
  EXPECT_EQ(error_of(R"({"mask": {}})"), "mask: expected text such as \"causal+window\", found an object");
  EXPECT_THAT(error_of(R"({"mask": "casual"})"), HasSubstr("Did you mean \"causal\"?"));
  EXPECT_EQ(error_of(R"({"page": 1})"), "page: expected one of " + page_words() + ", found 1");
  EXPECT_THAT(error_of(R"({"theme": "drak"})"), HasSubstr("unknown value \"drak\". Did you mean \"dark\"?"));
  EXPECT_EQ(error_of(R"({"head": [1, "x"]})"),
            "head: expected a list of whole numbers, such as [0, 5, 10], found \"x\"");
  EXPECT_EQ(error_of(R"({"head": "1"})"),
            "head: expected a list of whole numbers, such as [0, 5, 10], found \"1\"");
  EXPECT_EQ(error_of(R"({"head": [2000]})"), "head: 2000 is out of range; expected 0 to 1024");
}

TEST(Json, EveryTruncationIsAnError) {
  Scene scene = unlike_the_defaults();
  scene.sentence = "caf\xe9 שלום";
  const std::string json = to_json(scene);
  // The last byte is the line break.
  for (std::size_t size = 0; size + 1 < json.size(); size += tests::sanitized ? 11 : 1) {
    EXPECT_NE(error_of(json.substr(0, size)), "") << size;
  }
}

TEST(Json, DeepNestingIsAnErrorNotACrash) {
  EXPECT_NE(error_of(std::string(1000000, '[')), "");
  EXPECT_THAT(error_of("{\"head\":[[[[1]]]]}"),
              testing::HasSubstr("it is nested more deeply than a scene can"));
  EXPECT_NE(error_of("{\"head\":" + std::string(200000, '[') + std::string(200000, ']') + "}"), "");
}

TEST(Json, FlippedBytesNeverCrash) {
  const std::string json = to_json(unlike_the_defaults());
  // With a sanitizer one place in eleven: there, fuzz_test damages scenes in other ways, too.
  for (std::size_t at = 0; at < json.size(); at += tests::sanitized ? 11 : 1) {
    for (const char byte : {'\0', '"', '9', '\xff', '{', ','}) {
      std::string damaged = json;
      damaged[at] = byte;
      const base::Result<Scene> read = from_json(damaged, "a.json");
      if (read) {
        EXPECT_TRUE(check(*read));
      } else {
        EXPECT_THAT(read.error(), StartsWith("a.json: "));
      }
    }
  }
}

}  // namespace
}  // namespace headlight::scene
