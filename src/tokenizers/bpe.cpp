#include "tokenizers/bpe.h"

#include <nlohmann/json.hpp>
#include <queue>

#include "base/one_line.h"
#include "tokenizers/fields.h"
#include "tokenizers/unicode.h"

namespace headlight::tokenizers {

namespace {

constexpr int none = -1;

struct Symbol {
  Token token;
  int before = none, behind = none;
};

struct Candidate {
  int rank, left, left_id, right_id, id;
  /// For a priority queue, which takes the greatest first.
  bool operator<(const Candidate& other) const {
    return rank != other.rank ? rank > other.rank : left > other.left;
  }
};

class Bpe : public Model {
 public:
  Bpe(Vocabulary vocabulary, Merges merges, const BpeSettings& settings)
      : vocabulary_(std::move(vocabulary)), merges_(std::move(merges)), settings_(settings) {
    if (!settings_.unknown.empty()) unknown_ = vocabulary_.id_of(settings_.unknown);
    if (settings_.byte_fallback) bytes_ = byte_tokens(vocabulary_);
    plain_ = settings_.continuing_prefix.empty() && settings_.end_suffix.empty();
  }
  const Vocabulary& vocabulary() const override { return vocabulary_; }

  base::Status tokenize(std::string_view word, std::vector<Token>& out) const override {
    if (settings_.ignore_merges) {
      if (const auto id = vocabulary_.id_of(word)) {
        out.push_back({*id, 0, static_cast<std::uint32_t>(word.size())});
        return {};
      }
    }
    std::vector<Token> tokens;
    tokens.reserve(word.size());
    if (auto done = characters(word, tokens); !done) return done;
    merge(tokens, out);
    return {};
  }

 private:
  base::Status characters(std::string_view word, std::vector<Token>& out) const {
    bool unknown_before = false;
    std::string spelled;
    for (std::size_t at = 0; at < word.size();) {
      const std::size_t end = at + utf8_length(word[at]);
      const std::string_view bytes = word.substr(at, end - at);
      std::string_view entry = bytes;
      if (!plain_) {
        spelled = at > 0 ? settings_.continuing_prefix : std::string();
        spelled += bytes;
        if (end == word.size()) spelled += settings_.end_suffix;
        entry = spelled;
      }
      const auto id = vocabulary_.id_of(entry);
      const Token token{id ? *id : 0, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)};
      bool unknown = false;
      if (id) {
        out.push_back(token);
      } else if (settings_.byte_fallback && as_bytes(bytes_, word, at, end, out)) {
      } else if (!unknown_) {
        return no_token_for(bytes);
      } else {
        unknown = true;
        if (unknown_before && settings_.fuse_unknown) {
          out.back().end = token.end;
        } else {
          out.push_back({*unknown_, token.begin, token.end});
        }
      }
      unknown_before = unknown;
      at = end;
    }
    return {};
  }

  void merge(const std::vector<Token>& tokens, std::vector<Token>& out) const {
    std::vector<Symbol> symbols(tokens.size());
    std::vector<Candidate> found;
    const int count = static_cast<int>(tokens.size());
    const auto at = [&](int i) -> Symbol& { return symbols[static_cast<std::size_t>(i)]; };
    const auto candidate = [&](int left, int right) -> std::optional<Candidate> {
      const int left_id = at(left).token.id, right_id = at(right).token.id;
      const Merge* merge = merges_.find(left_id, right_id);
      if (merge == nullptr) return std::nullopt;
      return Candidate{merge->rank, left, left_id, right_id, merge->id};
    };
    for (int i = 0; i < count; ++i)
      at(i) = {tokens[static_cast<std::size_t>(i)], i - 1, i + 1 < count ? i + 1 : none};
    for (int i = 0; i + 1 < count; ++i) {
      if (const auto pair = candidate(i, i + 1)) found.push_back(*pair);
    }
    std::priority_queue<Candidate> queue(std::less<Candidate>(), std::move(found));
    while (!queue.empty()) {
      const Candidate best = queue.top();
      queue.pop();
      Symbol& left = at(best.left);
      // One of the two may have been joined to another symbol since.
      if (left.token.id != best.left_id || left.behind == none || at(left.behind).token.id != best.right_id)
        continue;
      Symbol& right = at(left.behind);
      left.token.id = best.id;
      left.token.end = right.token.end;
      left.behind = right.behind;
      right.token.id = none;
      if (left.behind != none) {
        at(left.behind).before = best.left;
        if (const auto pair = candidate(best.left, left.behind)) queue.push(*pair);
      }
      if (left.before != none) {
        if (const auto pair = candidate(left.before, best.left)) queue.push(*pair);
      }
    }
    for (int i = count > 0 ? 0 : none; i != none; i = at(i).behind) out.push_back(at(i).token);
  }

  Vocabulary vocabulary_;
  Merges merges_;
  BpeSettings settings_;
  std::optional<int> unknown_;
  std::array<int, 256> bytes_{};
  bool plain_ = true;
};

}  // namespace

std::shared_ptr<const Model> bpe_of(Vocabulary vocabulary, Merges merges, const BpeSettings& settings) {
  return std::make_shared<Bpe>(std::move(vocabulary), std::move(merges), settings);
}

base::Status add_merge(Merges& merges, const Vocabulary& vocabulary, std::string_view left,
                       std::string_view right, int rank, const std::string& prefix,
                       const std::string& where) {
  const auto missing = [&](std::string_view entry) {
    return base::Error{base::one_line(where + ": the merge of " + base::in_quotes(left) + " and " +
                                      base::in_quotes(right) + ": " + base::in_quotes(entry) +
                                      " is not in the vocabulary")};
  };
  std::string joined(left);
  joined += right.substr(0, prefix.size()) == prefix ? right.substr(prefix.size()) : right;
  const auto left_id = vocabulary.id_of(left), right_id = vocabulary.id_of(right),
             id = vocabulary.id_of(joined);
  if (!left_id) return missing(left);
  if (!right_id) return missing(right);
  if (!id) return missing(joined);
  merges.set(*left_id, *right_id, {rank, *id});
  return {};
}

ModelRead read_bpe(const io::Json& json, const std::string& where) {
  Fields fields(json, where);
  BpeSettings settings;
  settings.unknown = fields.text_or("unk_token", "");
  settings.continuing_prefix = fields.text_or("continuing_subword_prefix", "");
  settings.end_suffix = fields.text_or("end_of_word_suffix", "");
  settings.fuse_unknown = fields.flag("fuse_unk", false);
  settings.byte_fallback = fields.flag("byte_fallback", false);
  settings.ignore_merges = fields.flag("ignore_merges", false);
  const io::Json& list = fields.list("merges");
  if (fields.failed()) return fields.error();
  auto vocabulary = read_vocabulary(fields);
  if (!vocabulary) return base::Error{vocabulary.error()};

  Merges merges;
  merges.reserve(list.size());
  int rank = 0;
  for (const io::Json& merge : list) {
    const auto place = [&] { return fields.where() + ": merges: entry " + std::to_string(rank + 1); };
    std::string_view left, right;
    if (merge.is_string()) {
      const std::string_view both = merge.get_ref<const std::string&>();
      const std::size_t space = both.find(' ');
      if (space == std::string_view::npos || both.find(' ', space + 1) != std::string_view::npos)
        return base::Error{base::one_line(
            place() + ": expected two entries with one space between them, found " + io::found(merge))};
      left = both.substr(0, space), right = both.substr(space + 1);
    } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
      left = merge[0].get_ref<const std::string&>(), right = merge[1].get_ref<const std::string&>();
    } else {
      return base::Error{
          base::one_line(place() + ": expected a text or a list of two, found " + io::found(merge))};
    }
    if (auto added = add_merge(merges, *vocabulary, left, right, rank, settings.continuing_prefix, place());
        !added)
      return base::Error{added.error()};
    ++rank;
  }
  return bpe_of(std::move(*vocabulary), std::move(merges), settings);
}

}  // namespace headlight::tokenizers
