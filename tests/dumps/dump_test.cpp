// Forms of saved attention that the reference data has once or not at all: batches, types and orders of
// numbers, tokens in all their places, rows that are no distribution, q and k.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "dumps/saved.h"
#include "io/deflate.h"
#include "io/npz.h"
#include "io/safetensors.h"
#include "support/scratch_folder.h"

namespace headlight::tests {
namespace {

using dumps::DumpShape;

/// Rows of weights [rows, keys] that sum to one, each another.
std::vector<float> rows_of(std::size_t rows, std::size_t keys, float first = 1) {
  std::vector<float> out;
  for (std::size_t r = 0; r < rows; ++r) {
    float sum = 0;
    for (std::size_t k = 0; k < keys; ++k) sum += first + static_cast<float>((r * 7 + k * 3) % 11);
    for (std::size_t k = 0; k < keys; ++k)
      out.push_back((first + static_cast<float>((r * 7 + k * 3) % 11)) / sum);
  }
  return out;
}

class DumpTest : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name) const { return folder_ / name; }
  std::filesystem::path npy(const std::string& name, const std::vector<std::size_t>& shape,
                            const std::vector<float>& values) const {
    std::string bytes;
    io::write_npy(io::TensorView<float>{"", shape, values, {}},
                  [&](std::string_view part) { bytes += part; });
    put(file(name), bytes);
    return file(name);
  }
  std::shared_ptr<const dumps::Dump> opened(const std::filesystem::path& path,
                                            const dumps::DumpOptions& options = {}) const {
    const auto dump = dumps::open_dump(path, options);
    EXPECT_TRUE(dump) << dump.error();
    return dump ? *dump : nullptr;
  }
  std::string refused(const std::filesystem::path& path, const dumps::DumpOptions& options = {}) const {
    const auto dump = dumps::open_dump(path, options);
    EXPECT_FALSE(dump);
    if (dump) return {};
    expect_line(dump.error(), "");
    return dump.error();
  }
  void refused_with(const std::filesystem::path& path, const std::vector<std::string>& parts) const {
    const std::string message = refused(path);
    for (const std::string& part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks " << part;
  }

  ScratchFolder folder_;
};

TEST_F(DumpTest, ABatchHasTokensForEachSequenceOrForAll) {
  const auto path = npy("a.npy", {2, 3, 2, 4, 4}, rows_of(48, 4));
  EXPECT_EQ(opened(path)->shape, (DumpShape{2, 3, 2, 4, 4}));
  EXPECT_TRUE(opened(path)->tokens.numbered);
  put(file("tokens.json"), R"([["a","b","c","d"],["e","f","g","h"],["i","j","k","l"]])");
  EXPECT_EQ(opened(path)->tokens.key[2][1], "j");
  EXPECT_EQ(opened(path)->tokens.from, "tokens.json");
  put(file("tokens.json"), R"(["a","b","c","d"])");
  EXPECT_EQ(opened(path)->tokens.key[2][1], "b");
  put(file("tokens.json"), R"([["a","b","c","d"],["e","f","g","h"]])");
  refused_with(path, {"tokens.json", "2 sequences", "batch of 3"});
  put(file("tokens.json"), R"([["a","b","c","d"],["e","f","g"],["i","j","k","l"]])");
  refused_with(path, {"tokens.json", "4 and 3 tokens"});
  for (const char* wrong :
       {R"({"a": 1})", "[1.5, 2, 3, 4]", R"([1, "b", 3, 4])", "[null, 1, 2, 3]", "7", "[", ""}) {
    put(file("tokens.json"), wrong);
    refused_with(path, {"tokens.json"});
  }
  EXPECT_TRUE(opened(path, {.tokens = "none"})->tokens.numbered);
}

TEST_F(DumpTest, TokensOfATextFileAndOfAnotherName) {
  const auto path = npy("a.npy", {3, 3}, rows_of(3, 3));
  put(file("tokens.txt"), "\xEF\xBB\xBFthe\r\n\r\ncat\r\n");
  EXPECT_EQ(opened(path)->tokens.key[0], (std::vector<std::string>{"the", "", "cat"}));
  put(file("mine.json"), R"(["x","y","z"])");
  EXPECT_EQ(opened(path, {.tokens = file("mine.json").string()})->tokens.key[0][2], "z");
  put(file("tokens.json"), "[5, 17, 2]");  // before tokens.txt
  const auto dump = opened(path);
  EXPECT_EQ(dump->tokens.ids, (std::vector<std::vector<int>>{{5, 17, 2}}));
  EXPECT_EQ(dump->tokens.key[0][1], "17");
}

TEST_F(DumpTest, CrossAttentionNamesQueriesAndKeys) {
  const auto path = npy("a.npy", {2, 3}, rows_of(2, 3));
  put(file("tokens.json"), R"({"query": ["le", "chat"], "key": ["the", "cat", "."]})");
  EXPECT_EQ(opened(path)->tokens.query[0][1], "chat");
  EXPECT_FALSE(opened(path)->tokens.same());
  put(file("tokens.json"), R"({"key": ["the", "cat", "."]})");
  EXPECT_EQ(opened(path)->tokens.query[0][1], "1");
  put(file("tokens.json"), R"(["the", "cat", "."])");
  EXPECT_EQ(opened(path)->tokens.key[0][1], "cat");
  EXPECT_EQ(opened(path)->remarks.size(), 1u);
  put(file("tokens.json"), R"({"query": ["le", "chat", "x"], "key": ["the", "cat", "."]})");
  refused_with(path, {"3 query tokens", "2 queries and 3 keys"});
}

TEST_F(DumpTest, EveryOrderOfNumbersIsReadAsItIs) {
  const std::vector<float> values = rows_of(2 * 2 * 3, 3);  // [L, H, T, T] = [2, 2, 3, 3]
  const std::vector<double> expected = all_weights(*opened(npy("c.npy", {2, 2, 3, 3}, values)));
  ASSERT_EQ(expected.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(expected[i], static_cast<double>(values[i]));

  std::vector<float> columns(values.size());  // Fortran order: the first axis runs fastest
  for (std::size_t l = 0; l < 2; ++l)
    for (std::size_t h = 0; h < 2; ++h)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          columns[l + 2 * (h + 2 * (i + 3 * j))] = values[((l * 2 + h) * 3 + i) * 3 + j];
  put(file("f.npy"), npy_bytes("<f4", "(2, 2, 3, 3)", raw(columns), "True"));
  EXPECT_EQ(all_weights(*opened(file("f.npy"))), expected);

  std::string big = raw(values);
  for (std::size_t i = 0; i < big.size(); i += 4)
    std::swap(big[i], big[i + 3]), std::swap(big[i + 1], big[i + 2]);
  put(file("b.npy"), npy_bytes(">f4", "(2, 2, 3, 3)", big));
  EXPECT_EQ(all_weights(*opened(file("b.npy"))), expected);

  std::vector<double> part(2 * 3);  // rows 1 and 2 of layer 1, head 0
  ASSERT_TRUE(opened(file("f.npy"))->rows(1, 0, 0, 1, 2, part));
  EXPECT_EQ(part, std::vector<double>(expected.begin() + 21, expected.begin() + 27));
}

TEST_F(DumpTest, AScatteredArrayOfFortranOrderIsCopied) {
  const std::size_t L = 9, H = 5, T = 16;
  const std::vector<float> values = rows_of(L * H * T, T);
  std::vector<float> columns(values.size());
  for (std::size_t l = 0; l < L; ++l)
    for (std::size_t h = 0; h < H; ++h)
      for (std::size_t i = 0; i < T; ++i)
        for (std::size_t j = 0; j < T; ++j)
          columns[l + L * (h + H * (i + T * j))] = values[((l * H + h) * T + i) * T + j];
  put(file("f.npy"), npy_bytes("<f4", "(9, 5, 16, 16)", raw(columns), "True"));
  const std::vector<double> got = all_weights(*opened(file("f.npy")));
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(got[i], static_cast<double>(values[i]));
}

TEST_F(DumpTest, RowsThatAreNoDistributionAreToldNotRepaired) {
  std::vector<float> values = rows_of(8, 4);  // [2, 4, 4]
  for (std::size_t k = 0; k < 4; ++k) values[5 * 4 + k] *= 3;
  for (std::size_t k = 0; k < 4; ++k) values[6 * 4 + k] *= 1.5f;
  for (std::size_t k = 0; k < 4; ++k) values[7 * 4 + k] = 0;
  const auto path = npy("a.npy", {2, 4, 4}, values);
  refused_with(path, {"2 of 8 rows", "layer 1, head 2, query 1", "sums to 3", "--any-rows"});
  const auto dump = opened(path, {.any_rows = true});
  EXPECT_EQ(dump->sums.unsound, 2);
  EXPECT_EQ(dump->sums.zero, 1);
  EXPECT_EQ(dump->sums.rows, 8);
  ASSERT_EQ(dump->remarks.size(), 2u);
  EXPECT_NE(dump->remarks[0].find("2 of 8 rows do not sum to 1"), std::string::npos) << dump->remarks[0];
  EXPECT_NE(dump->remarks[1].find("layer 1, head 2, query 3"), std::string::npos) << dump->remarks[1];
  const std::vector<double> got = all_weights(*dump);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(got[i], static_cast<double>(values[i]));
}

TEST_F(DumpTest, HowFarARowMayBeOffDependsOnItsType) {
  const auto with_sum = [&](double sum, const char* type, const std::string& data) {
    put(file("a.npy"), npy_bytes(type, "(1, 1, 1)", data));
    const auto dump = dumps::open_dump(file("a.npy"));
    EXPECT_NEAR(dump ? (*dump)->sums.worst : sum, sum, 1e-3);
    return static_cast<bool>(dump);
  };
  EXPECT_TRUE(with_sum(1.0009, "<f8", raw<double>({1.0009})));
  EXPECT_FALSE(with_sum(1.0011, "<f8", raw<double>({1.0011})));
  EXPECT_FALSE(with_sum(0.9989, "<f4", raw<float>({0.9989f})));
  EXPECT_TRUE(with_sum(1.0078125, "<f2", raw<std::uint16_t>({0x3C08})));
  EXPECT_FALSE(with_sum(1.015625, "<f2", raw<std::uint16_t>({0x3C10})));
  const auto brain = [&](std::uint16_t bits) {
    std::string header = R"({"attentions":{"dtype":"BF16","shape":[1,1],"data_offsets":[0,2]}})";
    const std::uint64_t length = header.size();
    put(file("a.safetensors"), raw<std::uint64_t>({length}) + header + raw<std::uint16_t>({bits}));
    return static_cast<bool>(dumps::open_dump(file("a.safetensors")));
  };
  EXPECT_TRUE(brain(0x3F86));   // 1.046875
  EXPECT_FALSE(brain(0x3F87));  // 1.0546875
}

TEST_F(DumpTest, NarrowNumbersThatWereWidenedForTheFileCountAsNarrow) {
  // 0.33203125 is 85 / 256, the bfloat16 next to a third: three of them sum to 0.99609.
  const float third = 85.0f / 256;
  const auto path = npy("a.npy", {1, 3}, {third, third, third});
  EXPECT_EQ(opened(path)->precision, "bfloat16");
  EXPECT_EQ(opened(path)->type, "float32");
  ASSERT_EQ(opened(path)->remarks.size(), 1u);
  refused_with(npy("b.npy", {2, 3}, {third, third, third, 0.2f, 0.3f, 0.5f}), {"1 of 2 rows"});
  refused_with(npy("c.npy", {1, 3}, {third, third, 0.5f}), {"1 of 1 row", "bfloat16 may be off by 0.05"});
  // 683 / 2048 and its neighbour are float16 and no bfloat16.
  EXPECT_EQ(opened(npy("d.npy", {1, 3}, {685.0f / 2048, 685.0f / 2048, 685.0f / 2048}))->precision,
            "float16");
  // Rows that are exact need no such excuse.
  EXPECT_EQ(opened(npy("e.npy", {1, 2}, {0.5f, 0.5f}))->precision, "float32");
}

std::string npz(const std::vector<std::pair<std::string, std::vector<std::size_t>>>& entries,
                const std::map<std::string, std::vector<float>>& values) {
  std::vector<io::AnyTensor> tensors;
  for (const auto& [name, shape] : entries)
    tensors.push_back(io::TensorView<float>{name, shape, values.at(name), {}});
  return *io::encode_npz(tensors);
}

TEST_F(DumpTest, LayersAreOrderedByNumberAndComplete) {
  const auto write = [&](const std::vector<std::pair<std::string, std::vector<std::size_t>>>& entries) {
    std::map<std::string, std::vector<float>> values;
    float first = 1;
    for (const auto& [name, shape] : entries) {
      std::size_t rows = 1;
      for (std::size_t i = 0; i + 1 < shape.size(); ++i) rows *= shape[i];
      values[name] = rows_of(rows, shape.back(), first++);
    }
    put(file("a.npz"), npz(entries, values));
    return file("a.npz");
  };
  std::vector<std::pair<std::string, std::vector<std::size_t>>> eleven;
  for (int layer = 10; layer >= 0; --layer) eleven.push_back({"attn_" + std::to_string(layer), {2, 3, 3}});
  const auto dump = opened(write(eleven));
  EXPECT_EQ(dump->shape, (DumpShape{11, 1, 2, 3, 3}));
  const std::vector<float> last = rows_of(6, 3, 1);
  const std::vector<double> got = all_weights(*dump);
  for (std::size_t i = 0; i < last.size(); ++i) EXPECT_EQ(got[got.size() - last.size() + i], double(last[i]));

  EXPECT_EQ(opened(write({{"layers.0.self_attn", {4, 4}}, {"attention.0", {2, 2}}, {"attention.1", {2, 2}}}))
                ->shape,
            (DumpShape{2, 1, 1, 2, 2}));
  EXPECT_EQ(opened(write({{"x", {5}}, {"my_map", {2, 2, 2}}}))->shape, (DumpShape{1, 1, 2, 2, 2}));
  refused_with(write({{"attn_1", {2, 2}}, {"attn_2", {2, 2}}}), {"a.npz", "\"attn_0\" is missing"});
  refused_with(write({{"attn_0", {2, 2}}, {"attn_1", {3, 3}}}), {"differ in shape", "[2, 2]", "[3, 3]"});
  refused_with(write({{"attn_1", {2, 2}}, {"attn_0", {2, 2}}, {"attn_01", {2, 2}}}), {"twice"});
  refused_with(write({{"attn_0", {1, 1, 1, 2, 2}}}), {"5 axes"});
  refused_with(write({{"cross_attentions.0", {2, 2}}, {"encoder_attentions.0", {2, 2}}}),
               {"cross_attentions", "encoder_attentions", "--entry"});
  EXPECT_EQ(opened(file("a.npz"), {.entry = "encoder_attentions"})->shape.keys, 2);
  refused_with(write({{"cross_attentions.0", {2, 2}},
                      {"decoder_attentions.0", {2, 2}},
                      {"encoder_attentions.0", {2, 2}}}),
               {"cross_attentions, decoder_attentions and encoder_attentions", "--entry"});
  EXPECT_NE(refused(file("a.npz"), {.entry = "nothing"}).find("there is no \"nothing\""), std::string::npos);
  refused_with(write({{"one", {2, 2}}, {"two", {2, 2}}}),
               {"no attention in it", "\"one\" [2, 2]", "--entry"});
  EXPECT_EQ(opened(file("a.npz"), {.entry = "two"})->entry, "two");
  // What numpy.savez writes of a list of layers, and of one array of all.
  EXPECT_EQ(opened(write({{"arr_0", {2, 3, 3}}, {"arr_1", {2, 3, 3}}}))->shape, (DumpShape{2, 1, 2, 3, 3}));
  EXPECT_EQ(opened(write({{"arr_0", {2, 5, 3, 3}}}))->shape, (DumpShape{2, 1, 5, 3, 3}));
  refused_with(write({{"arr_0", {2, 2}}, {"one", {2, 2}}}), {"no attention in it", "--entry"});
  refused_with(write({{"attentions", {2, 0, 2}}}), {"is empty", "[2, 0, 2]"});
}

TEST_F(DumpTest, WeightsOfQAndKAreASoftmaxOverTheKeysInSight) {
  const std::vector<float> q{1, 0, 0, 1, 2, -1}, k{1, 1, 0, 2, -1, 0};  // [3, 2]
  npy("q.npy", {3, 2}, q), npy("k.npy", {3, 2}, k);
  const auto weight = [&](int i, int j, int visible, double scale) {
    double sum = 0;
    const auto score = [&](int n) {
      return std::exp(scale * (double(q[std::size_t(2 * i)]) * double(k[std::size_t(2 * n)]) +
                               double(q[std::size_t(2 * i + 1)]) * double(k[std::size_t(2 * n + 1)])));
    };
    for (int n = 0; n < visible; ++n) sum += score(n);
    return j < visible ? score(j) / sum : 0;
  };
  for (const char* name : {"q.npy", "k.npy"}) {
    const auto dump = opened(file(name));
    EXPECT_TRUE(dump->computed);
    EXPECT_DOUBLE_EQ(dump->scale, 1 / std::sqrt(2.0));
    const std::vector<double> got = all_weights(*dump);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        EXPECT_NEAR(got[std::size_t(3 * i + j)], weight(i, j, 3, dump->scale), 1e-14);
  }
  put(file("meta.json"), R"({"scale": 0.5, "causal": true})");
  const auto dump = opened(file("q.npy"));
  const std::vector<double> got = all_weights(*dump);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(got[std::size_t(3 * i + j)], weight(i, j, i + 1, 0.5), 1e-14);
  for (const char* wrong : {R"({"scale": "half"})", R"({"causal": "maybe"})", "[]", R"({"scale": 1e300})"}) {
    put(file("meta.json"), wrong);
    refused(file("q.npy"));
  }
  std::filesystem::remove(file("meta.json"));
  npy("k.npy", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(opened(file("q.npy"))->shape, (DumpShape{1, 1, 1, 3, 4}));
  put(file("k.npy"), npy_bytes("<f4", "(3, 2)", raw<float>({1, 2, 3, NAN, 5, 6})));
  refused_with(file("q.npy"), {"k is not finite", "layer 1, sequence 0, head 1, token 1"});
  std::filesystem::remove(file("k.npy"));
  refused_with(file("q.npy"), {"k.npy"});
}

TEST_F(DumpTest, MoreQueriesThanKeysLeaveEmptyRowsWhenCausal) {
  npy("q.npy", {3, 1}, {1, 2, 3}), npy("k.npy", {2, 1}, {1, 2});
  put(file("meta.json"), R"({"causal": true})");
  const auto dump = opened(file("q.npy"));
  EXPECT_EQ(dump->sums.zero, 1);
  const std::vector<double> got = all_weights(*dump);
  EXPECT_EQ(got[0] + got[1], 0);
  EXPECT_EQ(got[2], 1);
  EXPECT_NEAR(got[4] + got[5], 1, 1e-15);
}

/// An archive of one deflated entry, as numpy.savez_compressed writes it.
std::string deflated_zip(const std::string& name, const std::string& data, std::uint32_t checksum) {
  const std::string wrapped = io::deflated(data);  // with zlib's two bytes before and four behind
  const std::string packed = wrapped.substr(2, wrapped.size() - 6);
  const auto number = [](std::uint64_t value, std::size_t bytes) {
    std::string out;
    for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
    return out;
  };
  const std::string common = number(20, 2) + number(0, 2) + number(8, 2) + number(0, 4) +
                             number(checksum, 4) + number(packed.size(), 4) + number(data.size(), 4) +
                             number(name.size(), 2) + number(0, 2);
  const std::string entry = "PK\3\4" + common + name + packed;
  const std::string listed = "PK\1\2" + number(20, 2) + common + number(0, 2) + number(0, 2) + number(0, 2) +
                             number(0, 4) + number(0, 4) + name;
  return entry + listed + "PK\5\6" + number(0, 4) + number(1, 2) + number(1, 2) + number(listed.size(), 4) +
         number(entry.size(), 4) + number(0, 2);
}

std::uint32_t crc(const std::string& data) {
  std::uint32_t out = ~0u;
  for (const char c : data) {
    out ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) out = out >> 1 ^ (0xEDB88320u & (0u - (out & 1)));
  }
  return ~out;
}

TEST_F(DumpTest, CompressedNumbersAreReadInAnyOrderAndTheirChecksumIsCompared) {
  const std::vector<float> values = rows_of(3 * 2 * 150, 150);  // 540 KB, several pieces
  const std::string npy = npy_bytes("<f4", "(3, 2, 150, 150)", raw(values));
  put(file("a.npz"), deflated_zip("attentions.npy", npy, crc(npy)));
  const auto dump = opened(file("a.npz"));
  ASSERT_EQ(dump->shape, (DumpShape{3, 1, 2, 150, 150}));
  std::vector<double> map(150 * 150);
  for (const int layer : {2, 0, 1}) {
    for (const int head : {1, 0}) {
      ASSERT_TRUE(dump->rows(layer, 0, head, 0, 150, map));
      for (std::size_t i = 0; i < map.size(); ++i)
        ASSERT_EQ(map[i], double(values[std::size_t(layer * 2 + head) * map.size() + i]));
    }
  }
  put(file("a.npz"), deflated_zip("attentions.npy", npy, crc(npy) ^ 1));
  refused_with(file("a.npz"), {"a.npz", "checksum"});
  put(file("a.npz"), deflated_zip("attentions.npy", npy.substr(0, 4000), crc(npy)));
  refused_with(file("a.npz"), {"a.npz", "cut short"});
}

TEST_F(DumpTest, AnArrayOfObjectsBesideTheAttentionIsNoConcern) {
  const std::string objects = npy_bytes("|O", "(1,)", "\x80\x02cos\nsystem\n.");
  put(file("a.npz"), deflated_zip("attentions.npy", objects, crc(objects)));
  refused_with(file("a.npz"), {"a.npz", "|O", "unsafe"});
  // Two members: what is needed is stored first, and the objects after it.
  const std::vector<float> values{0.25f, 0.75f, 0.5f, 0.5f};
  std::string bytes = npz({{"attentions", {2, 2}}, {"configuration", {2, 2}}},
                          {{"attentions", values}, {"configuration", values}});
  const std::size_t at = bytes.find("<f4", bytes.find("configuration.npy"));
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 3, "|O8");
  put(file("a.npz"), bytes);
  EXPECT_EQ(all_weights(*opened(file("a.npz"))), (std::vector<double>{0.25, 0.75, 0.5, 0.5}));
  EXPECT_NE(refused(file("a.npz"), {.entry = "configuration"}).find("|O"), std::string::npos);
}

TEST_F(DumpTest, AStoredEntryOfAnArchiveHasItsChecksumCompared) {
  const std::vector<float> values{0.25f, 0.75f, 0.5f, 0.5f};
  std::string bytes = npz({{"attentions", {2, 2}}}, {{"attentions", values}});
  put(file("a.npz"), bytes);
  opened(file("a.npz"));
  const std::size_t at = bytes.find(raw(values));
  ASSERT_NE(at, std::string::npos);
  bytes[at] ^= 1;  // the last bit of 0.25: the row still sums to one
  put(file("a.npz"), bytes);
  refused_with(file("a.npz"), {"a.npz", "checksum"});
}

TEST_F(DumpTest, WhatIsNoDumpIsSaid) {
  refused_with(file("absent.npy"), {"absent.npy", "no such file"});
  refused_with(folder_.path(), {"it is a folder"});
  put(file("a.npz"), "hello, this is no archive");
  refused_with(file("a.npz"), {"a.npz", "neither .npy"});
  put(file("a.npy"), npy_bytes("<V2", "(1, 1)", "ab"));
  refused_with(file("a.npy"), {"a.npy", "V2"});
  put(file("a.npy"), npy_bytes("<f4", "(1, 1)", raw<float>({1})) + "more");
  opened(file("a.npy"));  // as numpy.load, which leaves what follows
  put(file("a.npy"), npy_bytes("<f16", "(1, 1)", std::string(16, '\0')));
  refused_with(file("a.npy"), {"float128"});
}

}  // namespace
}  // namespace headlight::tests
