// Which pieces of text does a model know? Characters, words, or pieces learned from a text by repeatedly
// joining the most frequent pair (byte-pair encoding; Sennrich, Haddow, Birch 2016). Any text can be encoded:
// if a text is not in the vocabulary, its lower case is tried; a word is then spelled if the vocabulary has
// letters ("fox" as f ##o ##x), and everything else becomes the unknown. Tested in
// tests/tasks/vocabulary_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nn/tokens.h"

namespace headlight::nn {

enum class VocabularyKind { chars, words, pieces };

struct Vocabulary {
  VocabularyKind kind = VocabularyKind::words;
  /// [V] by id; 0 is the unknown, "�". words: "##x" is the letter x inside a spelled word. pieces: the bytes
  /// themselves where they are well-formed UTF-8, and "<E4>" for a byte that is not.
  std::vector<std::string> texts;
  std::vector<std::pair<int, int>> merges;  // pieces: pairs of ids in the order of joining; number n gives id
                                            // first_merge + n
  int first_merge = 0;                      // pieces: ids from 1 to below this are single bytes
  bool operator==(const Vocabulary&) const = default;
};

/// A token of a sentence for a model: its text and byte range, the model's id in Token::id, and whether the
/// vocabulary has what was written there (a letter of an unknown word counts as unknown).
struct ModelToken {
  Token token;
  bool known = true;
};

/// Called now and then with the fraction done; if it returns false, learning stops and returns what was
/// learned so far.
using KeepGoing = std::function<bool(float)>;

/// Learns the unknown and the `limit` - 1 most frequent characters (grapheme clusters) of a text, ties by
/// first appearance. O(bytes).
Vocabulary learn_characters(std::string_view text, int limit, const KeepGoing& keep_going = {});
/// Learns `limit` entries: the unknown, letters for spelling (the most frequent ones of the text and a–z; at
/// most half of all entries), and the most frequent words. O(bytes).
Vocabulary learn_words(std::string_view text, int limit, const KeepGoing& keep_going = {});
/// The single bytes that a vocabulary of pieces begins with: those of the text it was learned from, or all
/// 256. With all of them, every text can be encoded without the unknown.
enum class PieceBytes { of_text, all };
/// A vocabulary with the unknown and all bytes has at least this many entries.
inline constexpr int smallest_of_all_bytes = 257;

/// Byte-pair encoding: the unknown, single bytes, and merges of the most frequent pair (ties: the smaller
/// ids) until there are `size` entries or no pair occurs twice. Pairs are joined only within chunks, see
/// for_each_chunk. A 50 MB text takes seconds: pairs are counted over distinct chunks (the first 8 MB of
/// them) and updated where a merge changes them. PieceBytes::all requires at least smallest_of_all_bytes.
Vocabulary learn_pieces(std::string_view text, int size, const KeepGoing& keep_going = {},
                        PieceBytes from = PieceBytes::of_text);

/// Returns a vocabulary of given words, such as a grammar's, without spelling; or of single characters, for
/// the kind chars.
Vocabulary word_vocabulary(const std::vector<std::string>& words,
                           VocabularyKind kind = VocabularyKind::words);

/// Cuts a text for learn_pieces: a run of letters (any byte from 0x80 counts as one, and so does an
/// apostrophe before one), of digits, or of other marks, each with the space before it; or white space. At
/// most 64 bytes.
void for_each_chunk(std::string_view text, const std::function<void(std::string_view)>& visit);

/// Returns the text of a piece: well-formed bytes unchanged, the others as "<E4>".
std::string piece_text(std::string_view bytes);

/// Returns whether an Encoder can be built from it, for vocabularies that come from a file. Texts, byte texts
/// and merges must be as the struct says, and each merge must produce the bytes that its text shows. Then the
/// bytes of all pieces are no longer than their texts. Otherwise merges of merges, which double each time,
/// could require any amount of memory.
bool is_sound(const Vocabulary& vocabulary);

/// A vocabulary with its lookup tables, ready to encode.
class Encoder {
 public:
  explicit Encoder(Vocabulary vocabulary);  // requires is_sound()
  const Vocabulary& vocabulary() const { return vocabulary_; }
  int size() const { return static_cast<int>(vocabulary_.texts.size()); }
  /// Returns the id of a text, unchanged or in lower case; 0 if there is none.
  int id_of(std::string_view text) const;
  /// Returns the ids of a text, any bytes. Words drop white space. O(bytes).
  std::vector<int> encode(std::string_view text) const;
  /// The same with byte ranges, which do not overlap and follow the text.
  std::vector<ModelToken> split(std::string_view sentence) const;
  /// Returns the text for these ids; words are separated by a space. The inverse of encode if everything is
  /// known.
  std::string decode(std::span<const int> ids) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Ids = std::unordered_map<std::string, int, Hash, std::equal_to<>>;
  using Found = std::function<void(std::size_t begin, std::size_t end, int id, bool known)>;
  void spell(std::string_view text, const Token& word, const Found& found) const;
  void each_token(std::string_view text, const Found& found) const;
  void each_piece(std::string_view text, const Found& found) const;
  std::vector<int> pieces_of(std::string_view chunk) const;

  Vocabulary vocabulary_;
  Ids ids_, folded_;                              // by text, and by text in lower case
  std::unordered_map<std::uint64_t, int> ranks_;  // pair of ids -> number of the merge
  std::vector<std::string> bytes_;                // pieces: [V] the bytes of each id
  std::vector<int> byte_ids_;                     // pieces: [256]
  bool spells_ = false;
};

}  // namespace headlight::nn
