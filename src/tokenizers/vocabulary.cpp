#include "tokenizers/vocabulary.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/one_line.h"
#include "tokenizers/fields.h"

namespace headlight::tokenizers {

bool plausible_id(std::int64_t id, std::size_t entries) {
  return id >= 0 && static_cast<std::uint64_t>(id) < 2 * std::uint64_t(entries) + 100'000;
}

base::Result<Vocabulary> Vocabulary::build(const std::vector<Entry>& entries, const std::string& where,
                                           bool ids_may_repeat) {
  constexpr std::size_t longest = 4096;
  Vocabulary out;
  int largest = -1;
  for (const Entry& entry : entries) {
    if (entry.text.size() > longest) {
      return base::Error{base::one_line(where + ": the entry " + base::in_quotes(entry.text) + " has " +
                                        std::to_string(entry.text.size()) + " bytes; the limit is " +
                                        std::to_string(longest))};
    }
    largest = std::max(largest, entry.id);
    out.longest_ = std::max(out.longest_, entry.text.size());
  }
  out.entries_.resize(static_cast<std::size_t>(largest + 1));
  out.repeated_.reserve(entries.size());
  std::vector<bool> taken(out.entries_.size());
  out.ids_.reserve(entries.size());
  for (const Entry& entry : entries) {
    const auto at = static_cast<std::size_t>(entry.id);
    if (taken[at]) {
      if (!ids_may_repeat) {
        return base::Error{base::one_line(where + ": the id " + std::to_string(entry.id) +
                                          " occurs twice: " + base::in_quotes(out.entries_[at]) + " and " +
                                          base::in_quotes(entry.text))};
      }
      out.repeated_.push_back(entry.text);
      out.ids_[out.repeated_.back()] = entry.id;
      continue;
    }
    taken[at] = true;
    out.entries_[at] = entry.text;
    out.ids_[out.entries_[at]] = entry.id;
  }
  return out;
}

std::optional<int> Vocabulary::id_of(std::string_view entry) const {
  const auto found = ids_.find(entry);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::string_view Vocabulary::entry(int id) const {
  if (id < 0 || id >= size()) return {};
  return entries_[static_cast<std::size_t>(id)];
}

base::Result<std::vector<Entry>> read_entries(const io::Json& json, const std::string& where) {
  if (!json.is_object()) {
    return base::Error{where + ": expected an object of entries with their ids, found " + io::found(json)};
  }
  std::vector<Entry> entries;
  entries.reserve(json.size());
  for (const auto& [text, value] : json.items()) {
    const auto id = io::whole_number(value, 0, 1 << 30);
    if (!id || !plausible_id(*id, json.size())) {
      return base::Error{
          base::one_line(where + ": the id of " + base::in_quotes(text) + ": expected a whole number " +
                         (id ? "near the number of entries, which is " + std::to_string(json.size())
                             : std::string("from 0")) +
                         ", found " + io::found(value))};
    }
    entries.push_back({text, static_cast<int>(*id)});
  }
  if (entries.empty()) return base::Error{where + ": the vocabulary is empty"};
  return entries;
}

base::Result<Vocabulary> read_vocabulary(const Fields& fields) {
  const io::Json* vocab = fields.member("vocab");
  if (vocab == nullptr) return fields.expected("vocab", "an object");
  const std::string where = fields.where() + ": vocab";
  auto entries = read_entries(*vocab, where);
  if (!entries) return base::Error{entries.error()};
  return Vocabulary::build(*entries, where);
}

}  // namespace headlight::tokenizers
