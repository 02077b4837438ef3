#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/one_line.h"
#include "tokenizers/byte_trie.h"
#include "tokenizers/fields.h"
#include "tokenizers/model.h"
#include "tokenizers/unicode.h"

namespace headlight::tokenizers {

namespace {

constexpr double unknown_penalty = 10;

/// Finds the pieces with the largest sum of scores (Viterbi). O(bytes of the word times bytes of the longest
/// entry).
class Unigram : public Model {
 public:
  Unigram(Vocabulary vocabulary, std::vector<double> scores, std::optional<int> unknown_id,
          bool byte_fallback)
      : vocabulary_(std::move(vocabulary)),
        scores_(std::move(scores)),
        unknown_(unknown_id),
        byte_fallback_(byte_fallback),
        bytes_(byte_tokens(vocabulary_)) {
    std::vector<std::pair<std::string_view, int>> words;
    words.reserve(scores_.size());
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t id = 0; id < scores_.size(); ++id) {
      words.emplace_back(vocabulary_.entry(static_cast<int>(id)), static_cast<int>(id));
      lowest = std::min(lowest, scores_[id]);
    }
    unknown_score_ = lowest - unknown_penalty;
    trie_ = ByteTrie(std::move(words));
  }
  const Vocabulary& vocabulary() const override { return vocabulary_; }

  base::Status tokenize(std::string_view word, std::vector<Token>& out) const override {
    struct Best {
      double score = -std::numeric_limits<double>::infinity();
      std::uint32_t begin = 0;
      int id = unreached;
    };
    std::vector<Best> best(word.size() + 1);  // for each prefix of the word
    best[0] = {0, 0, 0};
    for (std::size_t at = 0; at < word.size(); at += utf8_length(word[at])) {
      const double before = best[at].score;
      const std::size_t character = utf8_length(word[at]);
      bool whole_character = false;
      const auto offer = [&](std::size_t length, int id, double score) {
        Best& there = best[at + length];
        if (there.id == unreached || before + score > there.score)
          there = {before + score, static_cast<std::uint32_t>(at), id};
      };
      trie_.prefixes(word.substr(at), [&](std::size_t length, int id) {
        offer(length, id, scores_[static_cast<std::size_t>(id)]);
        whole_character = whole_character || length == character;
      });
      if (!whole_character) offer(character, unknown, unknown_score_);
    }
    std::vector<Token> backwards;
    for (std::size_t end = word.size(); end > 0;) {
      const Best& piece = best[end];
      if (piece.id == unknown && !backwards.empty() && backwards.back().id == unknown) {
        backwards.back().begin = piece.begin;  // adjacent unknown characters become one
      } else {
        backwards.push_back({piece.id, piece.begin, static_cast<std::uint32_t>(end)});
      }
      end = piece.begin;
    }
    for (auto token = backwards.rbegin(); token != backwards.rend(); ++token) {
      if (token->id != unknown) {
        out.push_back(*token);
      } else if (byte_fallback_ && as_bytes(bytes_, word, token->begin, token->end, out)) {
      } else if (unknown_) {
        out.push_back({*unknown_, token->begin, token->end});
      } else {
        return no_token_for(word.substr(token->begin, token->end - token->begin));
      }
    }
    return {};
  }

 private:
  static constexpr int unreached = -1, unknown = -2;
  Vocabulary vocabulary_;
  std::vector<double> scores_;  // by id
  std::optional<int> unknown_;
  bool byte_fallback_;
  std::array<int, 256> bytes_;
  double unknown_score_ = 0;
  ByteTrie trie_;
};

}  // namespace

ModelRead read_unigram(const io::Json& json, const std::string& where) {
  Fields fields(json, where);
  const io::Json* vocab = fields.member("vocab");
  if (vocab == nullptr || !vocab->is_array())
    return fields.expected("vocab", "a list of entries with their scores");
  std::vector<Entry> entries;
  std::vector<double> scores;
  for (const io::Json& item : *vocab) {
    const bool pair = item.is_array() && item.size() == 2 && item[0].is_string();
    const auto score = pair ? io::finite_number(item[1], -1e30, 1e30) : std::nullopt;
    if (!score) {
      return base::Error{
          base::one_line(fields.where() + ": vocab: entry " + std::to_string(entries.size() + 1) +
                         ": expected a list of a text and its score, found " + io::found(item))};
    }
    entries.push_back({item[0].get_ref<const std::string&>(), static_cast<int>(entries.size())});
    scores.push_back(*score);
  }
  if (entries.empty()) return fields.wrong("the vocabulary is empty");
  std::optional<int> unknown;
  if (fields.member("unk_id") != nullptr) {
    unknown = static_cast<int>(fields.number("unk_id", 0, static_cast<std::int64_t>(entries.size()) - 1, 0));
  }
  const bool byte_fallback = fields.flag("byte_fallback", false);
  if (fields.failed()) return fields.error();
  auto vocabulary = Vocabulary::build(entries, fields.where() + ": vocab");
  if (!vocabulary) return base::Error{vocabulary.error()};
  return std::shared_ptr<const Model>(
      std::make_shared<Unigram>(std::move(*vocabulary), std::move(scores), unknown, byte_fallback));
}

}  // namespace headlight::tokenizers
