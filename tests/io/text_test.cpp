#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/csv.h"
#include "io/tensor_json.h"

namespace headlight::io {
namespace {

std::string csv(const TensorView<float>& tensor) {
  std::string text;
  write_csv(tensor, [&](std::string_view piece) { text += piece; });
  return text;
}

std::string json(const TensorView<float>& tensor, const std::vector<std::string>& tokens) {
  std::string text;
  write_tensor_json(tensor, tokens, {}, [&](std::string_view piece) { text += piece; });
  return text;
}

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(Csv, TwoAxesAreAGrid) {
  const std::vector<float> values = {1, 0.1f, -2, 1e-10f, nan, -infinity};
  EXPECT_EQ(csv({"x", {2, 3}, values, {}}), "1,0.1,-2\n1e-10,nan,-inf\n");
}

TEST(Csv, MoreAxesAreALongTable) {
  const std::vector<float> values = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(csv({"w", {1, 1, 2, 3}, values, {"layer", "head", "query", "key"}}),
            "layer,head,query,key,value\n0,0,0,0,0\n0,0,0,1,1\n0,0,0,2,2\n0,0,1,0,3\n0,0,1,1,4\n0,0,1,2,5\n");
}

TEST(Csv, NothingHasOnlyAHeading) {
  EXPECT_EQ(csv({"w", {1, 4, 0, 0}, {}, {"a", "b", "c", "d"}}), "a,b,c,d,value\n");
  EXPECT_EQ(csv({"w", {0, 32}, {}, {}}), "");
}

TEST(Csv, NumbersReadBackExactly) {
  std::vector<float> values;
  for (int i = 0; i < 30000; ++i)
    values.push_back(std::ldexp(1.f + static_cast<float>(i) * 3e-5f, i % 200 - 100));
  const std::string text = csv({"x", {1, values.size()}, values, {}});
  const char* at = text.c_str();
  for (const float value : values) {
    char* end = nullptr;
    EXPECT_EQ(std::strtof(at, &end), value);
    at = end + 1;
  }
}

TEST(TensorJson, NestsAsTheShapeSays) {
  const std::vector<float> values = {0.5f, 1, 2, 3, nan, infinity};
  const auto parsed = nlohmann::json::parse(json({"weights", {1, 2, 3}, values, {}}, {"a", "b"}));
  EXPECT_EQ(parsed["name"], "weights");
  EXPECT_EQ(parsed["shape"], (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(parsed["data"][0][0], (std::vector<float>{0.5f, 1, 2}));
  EXPECT_EQ(parsed["data"][0][1][0], 3);
  EXPECT_TRUE(parsed["data"][0][1][1].is_null());
  EXPECT_TRUE(parsed["data"][0][1][2].is_null());
  EXPECT_EQ(parsed["tokens"], (std::vector<std::string>{"a", "b"}));
}

TEST(TensorJson, LargeAndEmptyAndSingle) {
  const std::vector<float> values(50000, 0.25f);
  EXPECT_EQ(nlohmann::json::parse(json({"x", {50, 1000}, values, {}}, {}))["data"][49][999], 0.25);
  EXPECT_EQ(nlohmann::json::parse(json({"x", {0, 3}, {}, {}}, {}))["data"], nlohmann::json::array());
  EXPECT_EQ(nlohmann::json::parse(json({"x", {}, {values.data(), 1}, {}}, {}))["data"], 0.25);
}

TEST(TensorJson, TokensMayHoldAnyBytes) {
  const std::vector<float> one = {1};
  const auto parsed = nlohmann::json::parse(json({"x", {1}, one, {}}, {"\"\\\n\x01", "\xff\xfe", "שלום"}));
  EXPECT_EQ(parsed["tokens"][0], "\"\\\n\x01");
  EXPECT_EQ(parsed["tokens"][1], "\uFFFD\uFFFD");
  EXPECT_EQ(parsed["tokens"][2], "שלום");
}

TEST(TensorsJson, SeveralWithTheirAxesAndTheScene) {
  const std::vector<float> floats = {1, 2};
  const std::vector<double> doubles = {0.1, NAN};
  const std::vector<AnyTensor> tensors = {TensorView<float>{"a", {2}, floats, {"token"}},
                                          TensorView<double>{"b", {1, 2}, doubles, {"row", "column"}}};
  std::string text;
  write_tensors_json(tensors, {"x"}, "{\"headlight\":1}", [&](std::string_view piece) { text += piece; });
  const auto parsed = nlohmann::json::parse(text);
  EXPECT_EQ(parsed["tensors"][0]["axes"], nlohmann::json::array({"token"}));
  EXPECT_EQ(parsed["tensors"][1]["data"][0][0], 0.1) << "double, not rounded to float";
  EXPECT_TRUE(parsed["tensors"][1]["data"][0][1].is_null());
  EXPECT_EQ(parsed["scene"]["headlight"], 1);
  EXPECT_EQ(parsed["tokens"][0], "x");
}

TEST(Tsv, AGridHasItsNamesAndAListItsIndices) {
  const std::vector<double> values = {0.5, 1, -2, 1e-9};
  std::string text;
  write_tsv(TensorView<double>{"m", {2, 2}, values, {"query", "key"}}, {{"the", "a\tb"}, {}},
            [&](std::string_view piece) { text += piece; });
  EXPECT_EQ(text, "query \\ key\t0\t1\nthe\t0.5\t1\na b\t-2\t1e-09\n");
  text.clear();
  write_tsv(TensorView<double>{"m", {2, 1, 2}, values, {"head", "query", "key"}}, {{}, {"the"}, {}},
            [&](std::string_view piece) { text += piece; });
  EXPECT_EQ(text,
            "head\tquery\t\tkey\tvalue\n0\t0\tthe\t0\t0.5\n0\t0\tthe\t1\t1\n"
            "1\t0\tthe\t0\t-2\n1\t0\tthe\t1\t1e-09\n");
}

}  // namespace
}  // namespace headlight::io
