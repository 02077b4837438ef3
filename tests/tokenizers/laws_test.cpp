// What holds for every tokenizer of the reference data: places lie in order within the text, byte-level
// tokenizers cover it and give it back byte for byte, any bytes at all are answered, and nothing depends on
// what was encoded before.
#include <gtest/gtest.h>

#include <random>

#include "base/utf8.h"
#include "tokenizers/reference_tokenizer.h"

namespace headlight::tests {
namespace {

struct Named {
  std::string name;
  std::shared_ptr<const tokenizers::Tokenizer> tokenizer;
  bool byte_level = false;  // and nothing rewrites the text
};

std::vector<Named> all_tokenizers() {
  std::vector<Named> out;
  for (const std::string& name : ReferenceData::instance().names()) {
    constexpr std::string_view end = "/tokenizer.json";
    if (name.rfind("tokenizers/", 0) != 0 || name.size() < end.size() ||
        name.substr(name.size() - end.size()) != end)
      continue;
    const ScratchFolder scratch;
    (void)write_tokenizer(name.substr(0, name.rfind('/')), scratch.path());
    const auto tokenizer = tokenizers::open_tokenizer(scratch.path());
    if (!tokenizer) throw std::runtime_error(tokenizer.error());
    const nlohmann::json file = ReferenceData::instance().json(name);
    bool strips = false;
    for (const nlohmann::json& token : file.at("added_tokens"))
      strips = strips || token.at("lstrip") || token.at("rstrip");
    const bool bytes = file.at("pre_tokenizer").dump().find("ByteLevel") != std::string::npos;
    out.push_back({name, *tokenizer, bytes && !strips && file.at("normalizer").is_null()});
  }
  return out;
}

/// Letters, marks, spaces, tokens and pieces of characters.
std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> parts = {" ",
                                                 "  ",
                                                 "\n",
                                                 "\t",
                                                 "a",
                                                 "the",
                                                 "tion",
                                                 "12",
                                                 "'s",
                                                 "\u00e9",
                                                 "e\u0301",
                                                 "\u0301",
                                                 "\u0323",
                                                 "\u4e2d",
                                                 "\U0001f600",
                                                 "\u200d",
                                                 "\u2581",
                                                 "\ufb01",
                                                 "\u0130",
                                                 "\u03a3",
                                                 "\u1100\u1161",
                                                 "<s>",
                                                 "</s>",
                                                 "<mask>",
                                                 "<|endoftext|>",
                                                 "[MASK]",
                                                 "TODO",
                                                 "\u3000",
                                                 "\u00bd",
                                                 "_",
                                                 "<0x41>",
                                                 std::string(1, '\0'),
                                                 "\u0120",
                                                 "\ufdfa"};
  std::string out;
  for (std::size_t i = random() % 12; i > 0; --i) out += parts[random() % parts.size()];
  return out;
}

TEST(TokenizerLaws, PlacesAreInOrderAndBytesComeBack) {
  std::mt19937 random(1);
  const auto tokenizers = all_tokenizers();
  if (tokenizers.empty()) GTEST_SKIP() << "no tokenizers in " << ReferenceData::instance().origin();
  int byte_level = 0;
  for (const Named& each : tokenizers) {
    SCOPED_TRACE(each.name);
    byte_level += each.byte_level;
    for (int i = 0; i < 300; ++i) {
      const std::string text = random_text(random);
      SCOPED_TRACE(nlohmann::json(text).dump());
      const auto pieces = each.tokenizer->encode(text, {.with_template = false});
      ASSERT_TRUE(pieces) << pieces.error();
      std::size_t before = 0, covered = 0;
      for (const auto& piece : *pieces) {
        ASSERT_TRUE(piece.bytes);
        ASSERT_LE(piece.bytes->first, piece.bytes->second);
        ASSERT_LE(piece.bytes->second, text.size());
        ASSERT_GE(piece.bytes->first, before) << "places go back";
        before = piece.bytes->first;
        if (each.byte_level) {
          ASSERT_EQ(piece.bytes->first, covered) << "places do not tile the text";
          covered = piece.bytes->second;
        }
        EXPECT_EQ(each.tokenizer->entry(piece.id), piece.text);
        EXPECT_LT(piece.id, each.tokenizer->size());
      }
      if (!each.byte_level) continue;
      EXPECT_EQ(covered, text.size());
      EXPECT_EQ(each.tokenizer->decode(ids_of(*pieces)), text);
    }
  }
  EXPECT_GE(byte_level, 3);
}

TEST(TokenizerLaws, AnyBytesAreAnswered) {
  std::mt19937 random(2);
  for (const Named& each : all_tokenizers()) {
    SCOPED_TRACE(each.name);
    for (int i = 0; i < 200; ++i) {
      std::string bytes;
      for (std::size_t n = random() % 40; n > 0; --n) bytes += static_cast<char>(random());
      const bool well_formed = base::well_formed(bytes) == bytes;
      EXPECT_EQ(static_cast<bool>(each.tokenizer->encode(bytes)), well_formed);
      EXPECT_TRUE(each.tokenizer->encode(base::well_formed(bytes)));
      std::vector<int> ids;
      for (std::size_t n = random() % 10; n > 0; --n) ids.push_back(static_cast<int>(random()) % 700);
      std::vector<int> known = ids;
      std::erase_if(known, [&](int id) { return id < 0 || id >= each.tokenizer->size(); });
      for (const bool special : {true, false})
        EXPECT_EQ(each.tokenizer->decode(ids, special), each.tokenizer->decode(known, special))
            << "an id without an entry adds nothing";
    }
  }
}

/// Words that were seen are kept while a text is encoded: the same word twice is the same tokens twice.
TEST(TokenizerLaws, AWordIsTheSameAgain) {
  for (const Named& each : all_tokenizers()) {
    const auto once = each.tokenizer->encode(" attention x", {.with_template = false});
    const auto twice = each.tokenizer->encode(" attention x attention x", {.with_template = false});
    ASSERT_TRUE(once && twice);
    if (!each.byte_level) continue;
    std::vector<int> expected = ids_of(*once);
    for (const int id : ids_of(*once)) expected.push_back(id);
    EXPECT_EQ(ids_of(*twice), expected) << each.name;
  }
}

/// A file of which any byte may be another one is read or refused in one line.
TEST(TokenizerLaws, DamagedFilesAreRefusedInOneLine) {
  std::mt19937 random(3);
  int refused = 0;
  for (const std::string& name : ReferenceData::instance().names()) {
    constexpr std::string_view end = "/tokenizer.json";
    if (name.rfind("tokenizers/", 0) != 0 || name.size() < end.size() ||
        name.substr(name.size() - end.size()) != end)
      continue;
    const std::string whole = *ReferenceData::instance().bytes(name);
    const ScratchFolder scratch;
    for (int i = 0; i < 40; ++i) {
      std::string bytes = whole;
      for (int n = 0; n < 1 + i % 4; ++n) {
        const std::size_t at = random() % (i % 2 ? bytes.size() : std::min<std::size_t>(bytes.size(), 1500));
        static constexpr std::string_view signs = "\"{}[],:0123456789truefalsn\\ \n\x80";
        bytes[at] = signs[random() % signs.size()];
      }
      write_quickly(scratch / "tokenizer.json", bytes);
      const auto tokenizer = tokenizers::open_tokenizer(scratch.path());
      if (tokenizer) {
        (void)(*tokenizer)->encode("the cat <mask> 12 \u00e9");
        continue;
      }
      ++refused;
      EXPECT_LT(tokenizer.error().size(), 600u);
      EXPECT_EQ(tokenizer.error().find('\n'), std::string::npos);
      EXPECT_NE(tokenizer.error().find("tokenizer.json"), std::string::npos) << tokenizer.error();
    }
  }
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace headlight::tests
