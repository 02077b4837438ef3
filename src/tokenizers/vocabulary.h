// Entries and their ids. The ids of a file are checked here: none negative, none used twice where that is
// wrong, and no gaps as large as only a malicious file would have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "io/json_reader.h"

namespace headlight::tokenizers {

class Fields;

struct Entry {
  std::string text;
  int id = 0;
};

/// Returns whether a vocabulary of `entries` tokens may have this id: tokenizers leave gaps, but not large
/// ones.
bool plausible_id(std::int64_t id, std::size_t entries);

class Vocabulary {
 public:
  /// `where` begins the error. An entry of more than 4,096 bytes is an error. Of equal entries the later one
  /// is found; of equal ids, where allowed, the later entry is shown.
  static base::Result<Vocabulary> build(const std::vector<Entry>& entries, const std::string& where,
                                        bool ids_may_repeat = false);
  Vocabulary() = default;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  std::optional<int> id_of(std::string_view entry) const;
  std::string_view entry(int id) const;  // empty: none
  int size() const { return static_cast<int>(entries_.size()); }
  std::size_t longest() const { return longest_; }  // bytes of an entry

 private:
  std::vector<std::string> entries_;               // by id
  std::unordered_map<std::string_view, int> ids_;  // ids of entries_ and repeated_
  std::vector<std::string> repeated_;              // entries whose id shows another entry
  std::size_t longest_ = 0;
};

/// Reads {"entry": id, …}.
base::Result<std::vector<Entry>> read_entries(const io::Json& json, const std::string& where);
/// Reads the required member "vocab" of a component.
base::Result<Vocabulary> read_vocabulary(const Fields& fields);

}  // namespace headlight::tokenizers
