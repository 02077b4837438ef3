#include "io/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "io/safetensors.h"

namespace headlight::io {
namespace {

using testing::HasSubstr;

constexpr JsonKind thing{"thing", 4, 1 << 20, 1000, true};

std::string error_of(const std::string& text, const JsonKind& kind = thing) {
  const auto read = read_json_object(text, "a.json", kind);
  EXPECT_FALSE(read) << text.substr(0, 100);
  return read ? "" : read.error();
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string out;
  out.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

TEST(JsonReader, ReadsWhatIsThereInItsOrder) {
  const auto read =
      read_json(R"( {"z": [1, -2, 3.5, "é\n", true, null, {}], "a": {"b": []}} )", "a.json", thing);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->dump(), R"({"z":[1,-2,3.5,"é\n",true,null,{}],"a":{"b":[]}})");
  EXPECT_EQ(read_json("3", "a.json", thing)->dump(), "3");
  EXPECT_EQ(read_json("[]", "a.json", thing)->dump(), "[]");
}

TEST(JsonReader, NestingIsBoundedHoweverDeepItGoes) {
  EXPECT_TRUE(read_json("[[[[1]]]]", "a", thing));
  EXPECT_FALSE(read_json("[[[[[1]]]]]", "a", thing));
  for (const std::size_t depth : {5u, 100u, 100'000u}) {
    for (const char* open : {"[", "{\"a\":", "{\"a\":["}) {
      EXPECT_EQ(error_of("{\"x\":" + repeated(open, depth)),
                "a.json: not a thing: it is nested more deeply than a thing can be");
    }
  }
}

TEST(JsonReader, SizeAndNumberOfValuesAreBounded) {
  EXPECT_TRUE(read_json_object("{\"a\":[" + repeated("0,", 900) + "0]}", "a", thing));
  const char* many = "a.json: not a thing: it has more than 1000 values";
  EXPECT_EQ(error_of("{\"a\":[" + repeated("0,", 1000) + "0]}"), many);
  EXPECT_EQ(error_of("{\"a\":[" + repeated("[],", 1000) + "0]}"), many);
  std::string members;
  for (int i = 0; i < 1000; ++i) members += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_EQ(error_of("{" + members + "\"k\":0}"), many);
  EXPECT_EQ(error_of("{\"a\":\"" + std::string(1 << 20, 'a') + "\"}"),
            "a.json: not a thing: it is larger than 1048576 bytes");
}

/// Half a million members: with a look-up for each of them this would not end.
TEST(JsonReader, ManyMembersTakeATimeThatIsLinear) {
  constexpr JsonKind large{"thing", 4, 1 << 24, 1'000'010};
  std::string text = "{\"k\":0";
  for (int i = 0; i < 499'999; ++i) text += ",\"k" + std::to_string(i) + "\":0";
  const auto read = read_json(text + "}", "a", large);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->size(), 500'000u);
  EXPECT_EQ(error_of(text + ",\"k77\":1}", large), "a.json: not a thing: \"k77\" occurs twice");
}

TEST(JsonReader, NamesAreThereOnce) {
  EXPECT_EQ(error_of(R"({"a": 1, "b": {"c": 1, "c": 2}})"), "a.json: not a thing: \"c\" occurs twice");
  EXPECT_EQ(error_of("{\"" + std::string(1000, 'n') + "\":1,\"" + std::string(1000, 'n') + "\":1}").size(),
            99u);
  EXPECT_TRUE(read_json(R"({"a": {"a": 1}, "b": {"a": 1}})", "a.json", thing));
}

TEST(JsonReader, SaysWhereItIsNoJson) {
  EXPECT_EQ(error_of(""), "a.json: the file is empty: write a thing to it first");
  EXPECT_EQ(error_of("{\"a\": 4"), "a.json: invalid JSON: unexpected end of file");
  EXPECT_EQ(error_of("{\n \"a\": 4,\n oops}"), "a.json: invalid JSON at line 3, column 2");
  EXPECT_EQ(error_of("{\"a\": \"\xff\"}"), "a.json: not UTF-8 at line 1, column 8: save it as UTF-8");
  EXPECT_EQ(error_of("{\"a\": 1e999}"), "a.json: not a thing: it contains a number that is too large");
  EXPECT_EQ(error_of("[1]"), "a.json: not a thing: expected a JSON object, found a list");
  EXPECT_LT(error_of('"' + std::string(1 << 19, 'a') + '"').size(), 200u);
  EXPECT_LT(error_of('"' + std::string(1 << 19, 'a')).size(), 200u);
}

TEST(JsonReader, NumbersAreSeenInTheirOwnTypeFirst) {
  const auto whole = [](const char* text) { return whole_number(*read_json(text, "a", thing), 0, 100); };
  EXPECT_EQ(whole("0"), 0);
  EXPECT_EQ(whole("100"), 100);
  EXPECT_EQ(whole("8.0"), 8);
  for (const char* other : {"-1", "101", "8.5", "1e300", "-1e300", "4294967296", "4294967304",
                            "9223372036854775808", "18446744073709551615", "18446744073709551624",
                            "-9223372036854775808", "1e-320", "\"8\"", "null", "true", "[8]"})
    EXPECT_EQ(whole(other), std::nullopt) << other;
  constexpr auto least = std::numeric_limits<std::int64_t>::min(),
                 most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(whole_number(*read_json("9223372036854775807", "a", thing), least, most), most);
  EXPECT_EQ(whole_number(*read_json("-9223372036854775808", "a", thing), least, most), least);
  EXPECT_EQ(whole_number(*read_json("9223372036854775808", "a", thing), least, most), std::nullopt);
  EXPECT_EQ(whole_number(*read_json("1e19", "a", thing), least, most), std::nullopt);

  const auto number = [](const char* text) { return finite_number(*read_json(text, "a", thing), -1, 3); };
  EXPECT_EQ(number("-1"), -1);
  EXPECT_EQ(number("2.5"), 2.5);
  for (const char* other : {"3.1", "1e300", "-2", "\"1\"", "null", "[1]"})
    EXPECT_EQ(number(other), std::nullopt);
}

TEST(JsonReader, FindsMembersWithoutBuildingAnything) {
  const auto members = [](const std::string& text) {
    constexpr std::string_view names[] = {"a", "scene"};
    const auto found = members_of(text, names);
    return std::string(found[0]) + "|" + std::string(found[1]);
  };
  EXPECT_EQ(members(R"({"data":[[1,2],["}"]], "scene" : {"x": "]}\""} , "a":1.5 })"),
            "1.5|{\"x\": \"]}\\\"\"}");
  EXPECT_EQ(members("\xEF\xBB\xBF {\"a\":[]}\n"), "[]|");
  EXPECT_EQ(members(R"({"b":{"scene":1}})"), "|");
  EXPECT_EQ(members("{}"), "|");
  for (const char* text : {"", "[1]", "{", "{\"a\":1", "{\"a\":1}}", "{\"a\":1} x", "{\"a\" 1}", "{\"a\":}",
                           "{\"a\":\"1}", "{\"a\":[1}", "{\"a\":1,,}", "{\"a\":\"\\", "{\"a", "{a:1}"})
    EXPECT_EQ(members(text), "|") << text;
  EXPECT_EQ(members("{\"a\":" + std::string(1 << 20, '[')), "|");
  EXPECT_EQ(members("{\"d\":" + std::string(1 << 20, '[') + std::string(1 << 20, ']') + ",\"a\":1}"), "1|");
}

std::string safetensors_of(const std::string& header) {
  std::string bytes(8, '\0');
  for (int i = 0; i < 8; ++i)
    bytes[static_cast<std::size_t>(i)] = static_cast<char>(header.size() >> (8 * i));
  return bytes + header;
}

TEST(JsonReader, HeadersOfSafetensorsAreBoundedToo) {
  const auto error = [](const std::string& header) {
    const auto read = read_safetensors(safetensors_of(header), "m");
    return read ? std::string() : read.error();
  };
  EXPECT_THAT(error("{\"a\":" + repeated("[", 100'000)), HasSubstr("nested more deeply"));
  EXPECT_THAT(error("{\"a\":{\"shape\":" + repeated("{\"a\":", 100'000)), HasSubstr("nested more deeply"));
  EXPECT_THAT(error(std::string((16 << 20) + 1, ' ')), HasSubstr("larger than 16777216 bytes"));
  EXPECT_THAT(error("{\"a\":[" + repeated("0,", 1'000'000) + "0]}"), HasSubstr("more than 1000000 values"));
  EXPECT_LT(error("{\"" + std::string(1 << 20, 'n') + "\":{}}").size(), 300u);
  EXPECT_LT(error("{\"__metadata__\":{\"" + std::string(1 << 20, 'n') + "\":1}}").size(), 300u);
  for (const char* wild : {"1e300", "18446744073709551615", "-1", "1.5", "\"1\""}) {
    EXPECT_THAT(error(std::string(R"({"a":{"dtype":"F32","shape":[)") + wild + R"(],"data_offsets":[0,0]}})"),
                testing::Not(testing::IsEmpty()));
    EXPECT_THAT(error(std::string(R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[)") + wild + ",0]}}"),
                testing::Not(testing::IsEmpty()));
  }
}

}  // namespace
}  // namespace headlight::io
