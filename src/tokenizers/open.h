// Which files make a tokenizer. Errors are one line that names the file, what is wrong with it and where.
// Tested in tests/tokenizers/open_test.cpp, reference_test.cpp.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "tokenizers/tokenizer.h"

namespace headlight::tokenizers {

using OpenedTokenizer = base::Result<std::shared_ptr<const Tokenizer>>;

/// The tokenizer of a model's folder: tokenizer.json; else vocab.json and merges.txt (GPT-2, RoBERTa, OPT);
/// else vocab.txt (BERT). config.json and tokenizer_config.json say for the latter two what is added at the
/// ends and whether letters are lower-cased.
OpenedTokenizer open_tokenizer(const std::filesystem::path& folder);

/// A file in the form of tokenizer.json.
OpenedTokenizer open_tokenizer_json(const std::filesystem::path& file);

/// What the files beside a vocabulary say of the tokenizer.
struct FolderSettings {
  enum class Ends { none, begin, both };  // nothing; <s> text; <s> text </s>, as RoBERTa
  std::optional<bool> lower_case;         // nothing: unless the vocabulary has capitals
  std::optional<bool> strip_accents;      // nothing: when lower-casing
  bool split_ideographs = true;           // CJK characters are words
  bool prefix_space = false;              // a space before the text
  Ends ends = Ends::none;                 // of byte-level BPE
  std::string begin, end;                 // the entries that are put there
  std::vector<std::string> special;       // those of them that the vocabulary has count
  std::string unknown = "[UNK]", cls = "[CLS]", sep = "[SEP]";  // of WordPiece
};

/// Byte-level BPE, as GPT-2 was published: an object of entries with their ids, and a merge a line.
OpenedTokenizer open_byte_level(const std::filesystem::path& vocabulary, const std::filesystem::path& merges,
                                const FolderSettings& settings = {});
/// WordPiece, as BERT was published: an entry a line.
OpenedTokenizer open_wordpiece(const std::filesystem::path& vocabulary, const FolderSettings& settings = {});
/// llama2.c's tokenizer.bin: uint32, then for each entry float32 score, int32 length, bytes. The file does
/// not say how many entries it has: that is the vocabulary size of the model it belongs to.
OpenedTokenizer open_llama2c(const std::filesystem::path& file, int entries);

}  // namespace headlight::tokenizers
