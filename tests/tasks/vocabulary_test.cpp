// Vocabularies: what is learned, against slow ways of learning the same; what is encoded comes back.
#include "tasks/vocabulary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "nn/random.h"

namespace headlight::nn {
namespace {

const std::string unknown = "\xEF\xBF\xBD";

/// Words from a few letters, so that pairs come again.
std::string random_text(int words, std::uint64_t stream) {
  const Random random(31, stream);
  std::string text;
  std::uint64_t at = 0;
  for (int w = 0; w < words; ++w) {
    if (w > 0) text += random.below(at++, 9) == 0 ? "\n" : random.below(at++, 7) == 0 ? ", " : " ";
    const int letters = 1 + static_cast<int>(random.below(at++, 6));
    for (int i = 0; i < letters; ++i) text += static_cast<char>('a' + random.below(at++, 5));
  }
  return text;
}

std::vector<std::string> texts_of(const std::vector<ModelToken>& tokens) {
  std::vector<std::string> texts;
  for (const ModelToken& token : tokens) texts.push_back(token.token.text);
  return texts;
}

/// Ranges follow each other, hold the text they say, and ids are those of encode().
void check_split(const Encoder& encoder, const std::string& text) {
  const std::vector<ModelToken> tokens = encoder.split(text);
  std::vector<int> ids;
  std::size_t end = 0;
  for (const ModelToken& token : tokens) {
    EXPECT_GE(token.token.begin, end);
    EXPECT_GT(token.token.end, token.token.begin);
    end = token.token.end;
    ids.push_back(token.token.id);
    EXPECT_TRUE(token.token.id >= 0 && token.token.id < encoder.size());
  }
  EXPECT_LE(end, text.size());
  EXPECT_EQ(ids, encoder.encode(text));
}

TEST(Characters, TheMostFrequentFirstAndTiesByFirstAppearance) {
  const Vocabulary v = learn_characters("abba cab\n", 6);
  EXPECT_EQ(v.texts, (std::vector<std::string>{unknown, "a", "b", " ", "c", "\n"}));
  EXPECT_EQ(learn_characters("abba cab\n", 3).texts, (std::vector<std::string>{unknown, "a", "b"}));
}

TEST(Characters, ComeBackAndClustersStayWhole) {
  const std::string text =
      "Caf\xC3\xA9 e\xCC\x81t\xC3\xA9 \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x9A\x80\r\nok";
  const Encoder encoder(learn_characters(text, 100));
  EXPECT_EQ(encoder.decode(encoder.encode(text)), text);
  check_split(encoder, text);
  EXPECT_EQ(encoder.encode(text).size(), 13u);  // é is one, with or without its own code point; so is CR LF
}

TEST(Characters, FoldTheCaseOnlyWhereTheTextLacksIt) {
  const Encoder encoder(learn_characters("aA b", 10));
  EXPECT_EQ(encoder.encode("aAbB"), (std::vector<int>{encoder.id_of("a"), encoder.id_of("A"),
                                                      encoder.id_of("b"), encoder.id_of("b")}));
  EXPECT_NE(encoder.id_of("a"), encoder.id_of("A"));
  EXPECT_FALSE(encoder.split("z")[0].known);
  EXPECT_EQ(encoder.encode("z"), std::vector<int>{0});
}

TEST(Words, KnownWordsComeBackUnknownOnesAreSpelled) {
  const std::string text = "the cat saw the dog , and the dog saw the cat .";
  const Encoder encoder(learn_words(text, 200));
  EXPECT_EQ(encoder.decode(encoder.encode(text)), text);
  check_split(encoder, text);
  EXPECT_EQ(encoder.encode("The CAT"), encoder.encode("the cat"));
  const std::vector<ModelToken> spelled = encoder.split("the fox-hound");
  EXPECT_EQ(texts_of(spelled),
            (std::vector<std::string>{"the", "f", "o", "x", "-", "h", "o", "u", "n", "d"}));
  EXPECT_TRUE(spelled[0].known);
  EXPECT_FALSE(spelled[1].known);
  EXPECT_EQ(encoder.vocabulary().texts[static_cast<std::size_t>(spelled[2].token.id)], "##o");
  EXPECT_EQ(spelled[4].token.id, 0);  // no hyphen in the text
  EXPECT_EQ(encoder.decode(encoder.encode("the fox")), "the fox");
  check_split(encoder, "the fox-hound \xFF saw \xE6\x97\xA5\xE6\x9C\xAC");
}

TEST(Words, LimitHoldsAndLettersTakeAtMostHalf) {
  const std::string text = random_text(3000, 1);
  for (int limit : {1, 2, 16, 40, 100}) {
    const Vocabulary v = learn_words(text, limit);
    EXPECT_LE(v.texts.size(), static_cast<std::size_t>(limit));
    std::vector<std::string> sorted = v.texts;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
    EXPECT_TRUE(is_sound(v));
  }
  // The words kept are the most frequent ones, counted another way.
  const Vocabulary v = learn_words(text, 100);
  std::map<std::string, int> counts;
  for (const Token& token : split_words(text)) ++counts[token.text];
  int least_kept = 1 << 30;
  for (const std::string& entry : v.texts) {
    if (entry.size() > 1 && !entry.starts_with("##") && entry != unknown) {
      least_kept = std::min(least_kept, counts.at(entry));
    }
  }
  for (const auto& [word, count] : counts) {
    if (std::find(v.texts.begin(), v.texts.end(), word) == v.texts.end()) {
      EXPECT_LE(count, least_kept) << word;
    }
  }
}

TEST(Words, GivenWordsAreNotSpelled) {
  const Encoder encoder(word_vocabulary({"a", "the", "cat"}));
  EXPECT_EQ(encoder.encode("the cabinet , The cat"), (std::vector<int>{2, 0, 0, 2, 3}));
}

/// Byte-pair encoding the slow way: all pairs of all chunks are counted again for every merge.
Vocabulary slow_pieces(const std::string& text, int size) {
  std::vector<std::vector<int>> chunks;
  std::map<unsigned char, int> bytes;
  for (char c : text) bytes[static_cast<unsigned char>(c)] = 0;
  int next = 1;
  for (auto& [byte, id] : bytes) id = next++;
  for_each_chunk(text, [&](std::string_view chunk) {
    std::vector<int>& ids = chunks.emplace_back();
    for (char c : chunk) ids.push_back(bytes.at(static_cast<unsigned char>(c)));
  });
  Vocabulary v;
  v.first_merge = next;
  while (next < size) {
    std::map<std::pair<int, int>, int> counts;
    for (const auto& ids : chunks) {
      for (std::size_t i = 0; i + 1 < ids.size(); ++i) ++counts[{ids[i], ids[i + 1]}];
    }
    std::pair<int, int> best;
    int most = 1;
    for (const auto& [pair, count] : counts) {
      if (count > most) most = count, best = pair;
    }
    if (most < 2) break;
    v.merges.push_back(best);
    for (auto& ids : chunks) {
      for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
        if (ids[i] != best.first || ids[i + 1] != best.second) continue;
        ids[i] = next;
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
    }
    ++next;
  }
  return v;
}

TEST(Pieces, AreThoseOfTheSlowWay) {
  std::vector<std::string> texts = {random_text(600, 2), random_text(3000, 3),
                                    "aaaa aaaaa aaa aaaaaaa aa a aaaa", "abababab ababab\n\nabab  abc",
                                    "l\xC3\xA4l\xC3\xA4 \xC3\xA4\xC3\xA4 \xFF\xFF x\xFF"};
  for (std::size_t n = 0; n < texts.size(); ++n) {
    const Vocabulary fast = learn_pieces(texts[n], 200), slow = slow_pieces(texts[n], 200);
    EXPECT_EQ(fast.first_merge, slow.first_merge) << n;
    EXPECT_EQ(fast.merges, slow.merges) << n;
    EXPECT_TRUE(is_sound(fast));
  }
}

TEST(Pieces, EverythingThatHasItsBytesComesBack) {
  const std::string text = random_text(500, 4) + " don't \xE2\x82\xAC" + "5 \t\n\n  x";
  const Encoder encoder(learn_pieces(text, 120));
  EXPECT_EQ(encoder.decode(encoder.encode(text)), text);
  check_split(encoder, text);
  const std::string other = "bead  cab\n\xE2\x82\xAC ade,a";
  EXPECT_EQ(encoder.decode(encoder.encode(other)), other);
  EXPECT_EQ(encoder.encode("a\xF1"
                           "b"),
            (std::vector<int>{encoder.encode("a")[0], 0, encoder.encode("b")[0]}));
  EXPECT_LT(encoder.encode(text).size(), text.size() * 2 / 3);
}

TEST(Pieces, ShownTextsAreWellFormedAndNeverAmbiguous) {
  const std::string text = "\xE6\x97\xA5\xE6\x9C\xAC \xE6\x97\xA5 \xE6\x97\xA5\xE6\x9C\xAC <E6>";
  const Encoder encoder(learn_pieces(text, 40));
  const std::vector<std::string>& texts = encoder.vocabulary().texts;
  EXPECT_NE(std::find(texts.begin(), texts.end(), "<E6>"), texts.end());
  EXPECT_NE(std::find(texts.begin(), texts.end(), "\xE6\x97\xA5"), texts.end());
  EXPECT_EQ(encoder.decode(encoder.encode(text)), text);
  EXPECT_EQ(Encoder(encoder.vocabulary()).encode(text), encoder.encode(text));
}

TEST(Pieces, FewerEntriesThanBytes) {
  const std::string text = "aaa bb c d e f";
  const Encoder encoder(learn_pieces(text, 4));
  EXPECT_EQ(encoder.size(), 4);
  EXPECT_TRUE(encoder.vocabulary().merges.empty());
  EXPECT_EQ(encoder.decode(encoder.encode("ab d")), "ab " + unknown);
}

/// Scripts, emoji and ill-formed bytes that the text never had.
TEST(Pieces, WithAllBytesNoTextHasAnUnknown) {
  const std::string learned = random_text(800, 8);
  const Vocabulary all = learn_pieces(learned, 320, {}, PieceBytes::all);
  ASSERT_TRUE(is_sound(all));
  EXPECT_EQ(all.first_merge, smallest_of_all_bytes);
  EXPECT_EQ(all.texts.size(), 320u);
  const Encoder encoder(all), of_text(learn_pieces(learned, 320));
  const auto check = [&](const std::string& text) {
    const std::vector<ModelToken> tokens = encoder.split(text);
    EXPECT_TRUE(std::all_of(tokens.begin(), tokens.end(), [](const ModelToken& t) { return t.known; }))
        << text;
    EXPECT_EQ(encoder.decode(encoder.encode(text)), text);
    check_split(encoder, text);
  };
  const std::string foreign[] = {
      "\xE6\xB3\xA8\xE6\x84\x8F\xE5\x8A\x9B",                                      // 注意力
      "\xE0\xA4\xA8\xE0\xA4\xAE\xE0\xA4\xB8\xE0\xA5\x8D\xE0\xA4\xA4\xE0\xA5\x87",  // नमस्ते
      "abc \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x9A\x80 bed",  // an astronaut, three code points
      "\xFF\xFE a\xC3 \xE2\x82",                               // ill-formed, cut short
      std::string("a\0b", 3)};
  for (const std::string& text : foreign) {
    check(text);
    const std::vector<int> ids = of_text.encode(text);
    EXPECT_TRUE(std::find(ids.begin(), ids.end(), 0) != ids.end()) << text;
  }
  for (int byte = 0; byte < 256; ++byte) check(std::string(1, static_cast<char>(byte)));
  const std::vector<std::string> shown = texts_of(encoder.split("\xE6\xB3 a"));
  EXPECT_EQ(shown, (std::vector<std::string>{"<E6>", "<B3>", " a"}));
}

/// What is joined is the same: only the ids are others.
TEST(Pieces, WithAllBytesTheMergesAreThoseOfTheText) {
  const std::string text = random_text(800, 9);
  const Vocabulary some = learn_pieces(text, 80), all = learn_pieces(text, 400, {}, PieceBytes::all);
  ASSERT_GT(some.merges.size(), 20u);
  ASSERT_GT(all.merges.size(), some.merges.size());
  for (std::size_t n = 0; n < some.merges.size(); ++n) {
    EXPECT_EQ(all.texts[static_cast<std::size_t>(all.first_merge) + n],
              some.texts[static_cast<std::size_t>(some.first_merge) + n]);
  }
  EXPECT_EQ(Encoder(all).vocabulary().texts[1 + 'a'], "a");
  EXPECT_EQ(all.texts[1 + 0xC3], "<C3>");
  EXPECT_EQ(learn_pieces("", smallest_of_all_bytes, {}, PieceBytes::all).texts.size(), 257u);
}

TEST(Pieces, StopWhenAskedTo) {
  const std::string text = random_text(20000, 5);
  float last = 0;
  const Vocabulary v = learn_pieces(text, 400, [&](float done) {
    EXPECT_GE(done, last);
    last = done;
    return done < 0.5f;
  });
  EXPECT_GT(v.merges.size(), 0u);
  EXPECT_LT(v.texts.size(), 400u);
  EXPECT_TRUE(is_sound(v));
  const Vocabulary all = learn_pieces(text, 400);
  EXPECT_TRUE(std::equal(v.merges.begin(), v.merges.end(), all.merges.begin()));
}

TEST(Chunks, CoverTheTextInOrder) {
  for (std::uint64_t n = 0; n < 20; ++n) {
    const Random random(5, n);
    std::string text;
    for (std::uint64_t i = 0; i < 500; ++i) {
      text += random.below(2 * i, 4) == 0 ? ' ' : static_cast<char>(random.below(2 * i + 1, 256));
    }
    std::string joined;
    for_each_chunk(text, [&](std::string_view chunk) {
      EXPECT_TRUE(!chunk.empty() && chunk.size() <= 64);
      joined += chunk;
    });
    EXPECT_EQ(joined, text);
  }
  std::vector<std::string> chunks;
  for_each_chunk("  It's 20 km,\nor so", [&](std::string_view c) { chunks.emplace_back(c); });
  EXPECT_EQ(chunks, (std::vector<std::string>{" ", " It's", " 20", " km", ",", "\n", "or", " so"}));
}

TEST(Vocabularies, UnsoundOnesAreToldApart) {
  const Vocabulary sound = learn_pieces("abab abab \xC3\xA4", 20);
  ASSERT_TRUE(is_sound(sound));
  Vocabulary v = sound;
  v.texts[2] = "two";
  EXPECT_FALSE(is_sound(v));
  v = sound, v.merges[0].first = v.first_merge;
  EXPECT_FALSE(is_sound(v));
  v = sound, v.merges[0].second = 0;
  EXPECT_FALSE(is_sound(v));
  v = sound, v.texts.pop_back();
  EXPECT_FALSE(is_sound(v));
  v = sound, v.first_merge = -1;
  EXPECT_FALSE(is_sound(v));
  v = sound, v.kind = VocabularyKind::words;
  EXPECT_FALSE(is_sound(v));
  EXPECT_FALSE(is_sound({}));
}

TEST(Vocabularies, AnyBytesCanBeEncoded) {
  const std::string learned = random_text(300, 6) +
                              " Stra\xC3\x9F"
                              "e \xE6\x97\xA5";
  const Encoder encoders[] = {Encoder(learn_characters(learned, 30)), Encoder(learn_words(learned, 90)),
                              Encoder(learn_pieces(learned, 60)), Encoder(word_vocabulary({"abc"})),
                              Encoder(learn_characters("", 5))};
  for (std::uint64_t n = 0; n < 30; ++n) {
    const Random random(6, n);
    std::string text;
    for (std::uint64_t i = 0; i < 200; ++i) text += static_cast<char>(random.below(i, 256));
    for (const Encoder& encoder : encoders) check_split(encoder, text);
  }
}

}  // namespace
}  // namespace headlight::nn
