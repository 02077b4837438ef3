// Which files make up a tokenizer? Errors are one line that names the file, what is wrong with it and where.
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

/// Opens the tokenizer in a model's folder: tokenizer.json; else vocab.json and merges.txt (GPT-2, RoBERTa,
/// OPT); else vocab.txt (BERT). For the latter two, config.json and tokenizer_config.json determine what is
/// added at the ends and whether letters are lower-cased.
OpenedTokenizer open_tokenizer(const std::filesystem::path& folder);

/// Opens a file in the format of tokenizer.json.
OpenedTokenizer open_tokenizer_json(const std::filesystem::path& file);

/// What the files next to a vocabulary say about the tokenizer.
struct FolderSettings {
  enum class Ends { none, begin, both };  // nothing; <s> text; <s> text </s>, as RoBERTa does
  std::optional<bool> lower_case;         // nothing: lower-case unless the vocabulary has capitals
  std::optional<bool> strip_accents;      // nothing: strip if lower-casing
  bool split_ideographs = true;           // each CJK character is a word
  bool prefix_space = false;              // add a space before the text
  Ends ends = Ends::none;                 // for byte-level BPE
  std::string begin, end;                 // the entries to add there
  std::vector<std::string> special;       // those that the vocabulary lacks are ignored
  std::string unknown = "[UNK]", cls = "[CLS]", sep = "[SEP]";  // for WordPiece
};

/// Opens byte-level BPE in GPT-2's published format: an object of entries with their ids, and one merge per
/// line.
OpenedTokenizer open_byte_level(const std::filesystem::path& vocabulary, const std::filesystem::path& merges,
                                const FolderSettings& settings = {});
/// Opens WordPiece in BERT's published format: one entry per line.
OpenedTokenizer open_wordpiece(const std::filesystem::path& vocabulary, const FolderSettings& settings = {});
/// Opens llama2.c's tokenizer.bin: uint32, then for each entry float32 score, int32 length, bytes. The file
/// does not contain the number of entries; it is the vocabulary size of the model that the file belongs to.
OpenedTokenizer open_llama2c(const std::filesystem::path& file, int entries);

}  // namespace headlight::tokenizers
