#include "dumps/token_lists.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "base/one_line.h"
#include "base/words.h"
#include "io/descriptor.h"
#include "io/files.h"

namespace headlight::dumps {

namespace {

namespace fs = std::filesystem;
using base::in_quotes;
using io::Json;
using Lists = std::vector<std::vector<std::string>>;

constexpr std::size_t most_bytes = std::size_t(16) << 20;
constexpr io::JsonKind tokens_kind{"list of tokens", 4, most_bytes, 2'000'000, true},
    meta_kind{"description of saved attention", 6, most_bytes, 2'000'000, true};
constexpr std::uint64_t most_tokens = 1'000'000;

/// Tokens as found, before they are compared with the attention.
struct Found {
  Json tokens;         // null: none
  std::string origin;  // the file name in errors
  std::string from;    // for the user
};

/// Returns an array of texts or integers as a list, [T] or [B, T].
base::Result<Json> list_of(const Array& array) {
  if (!array.problem.empty()) return base::Error{array.problem};
  if (array.rank() < 1 || array.rank() > 2)
    return base::Error{array.bytes->name() + ": " + in_quotes(array.name) + " has the shape " +
                       shape_words(array) + "; tokens are [tokens] or [batch, tokens]"};
  if (array.kind != 'S' && array.kind != 'U' && array.kind != 'i' && array.kind != 'u')
    return base::Error{array.bytes->name() + ": " + in_quotes(array.name) + " has the dtype " +
                       base::shortened(array.type) + "; tokens are texts or whole numbers"};
  const base::Result<std::vector<Element>> elements = elements_of(array, most_tokens);
  if (!elements) return base::Error{elements.error()};
  const bool texts = array.kind == 'S' || array.kind == 'U';
  Json out = Json::array();
  const std::size_t each = static_cast<std::size_t>(array.shape.back());
  for (std::size_t i = 0; i < elements->size(); ++i) {
    const Element& one = (*elements)[i];
    const Json value = texts ? Json(one.text) : Json(static_cast<std::int64_t>(one.number));
    if (array.rank() == 2 && i % each == 0) out.push_back(Json::array());
    (array.rank() == 2 ? out.back() : out).push_back(value);
  }
  return out;
}

base::Result<Json> inside(const ArraySet& set, const char* name) {
  if (const Array* array = set.find(name)) return list_of(*array);
  const auto found = set.values.find(name);
  if (found == set.values.end()) return Json();
  if (!found->second.is_string()) return found->second;
  const std::string& text = found->second.get_ref<const std::string&>();
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || (text[first] != '[' && text[first] != '{'))
    return base::Error{set.file + ": " + std::string(name) +
                       " is not a list: the metadata must contain it as JSON, such as [\"the\", \"cat\"]"};
  return io::read_json(text, set.file + ": " + name, {"list of tokens", 4, most_bytes, 2'000'000});
}

/// Reads one token per line; the last line may have no line break.
base::Result<Json> lines_of(const fs::path& path) {
  const base::Result<std::string> text = io::read_file(path, most_bytes);
  if (!text) return base::Error{text.error()};
  Json out = Json::array();
  std::string_view rest = *text;
  if (rest.substr(0, 3) == "\xEF\xBB\xBF") rest.remove_prefix(3);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    out.push_back(std::string(line));
    if (out.size() > most_tokens)
      return base::Error{io::path_text(path) + ": it has more lines than are supported"};
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

base::Result<Json> json_of(const fs::path& path, const io::JsonKind& kind) {
  const base::Result<std::string> text = io::read_file(path, kind.most_bytes + 1);
  if (!text) return base::Error{text.error()};
  return io::read_json(*text, io::path_text(path), kind);
}

base::Result<Found> search(const ArraySet& set, const fs::path& path, const std::string& chosen) {
  if (chosen == "none") return Found{};
  const auto read = [&](const fs::path& file) -> base::Result<Found> {
    const base::Result<Json> tokens =
        file.extension() == ".txt" ? lines_of(file) : json_of(file, tokens_kind);
    if (!tokens) return base::Error{tokens.error()};
    return Found{*tokens, io::path_text(file), file.filename().string()};
  };
  if (!chosen.empty()) return read(chosen);
  for (const char* name : {"tokens", "str_tokens", "input_ids", "token_ids"}) {
    const base::Result<Json> tokens = inside(set, name);
    if (!tokens) return base::Error{tokens.error()};
    if (!tokens->is_null()) return Found{*tokens, set.file, std::string(name) + " in the file"};
  }
  const fs::path folder = path.parent_path();
  for (const char* name : {"tokens.json", "tokens.txt"})
    if (io::may_be_there(folder / name)) return read(folder / name);
  const base::Result<Json> meta = read_beside(path, "meta.json");
  if (!meta) return base::Error{meta.error()};
  if (const Json* tokens = io::member(*meta, "tokens"))
    return Found{*tokens, io::path_text(folder / "meta.json"), "meta.json"};
  return Found{};
}

/// Reads the lists of one role.
class Reader {
 public:
  explicit Reader(std::string origin) : origin_(std::move(origin)) {}

  /// Reads one list, or one per sequence. Returns an empty string, or what is wrong.
  std::string read(const Json& json, Lists& lists, std::vector<std::vector<int>>& ids) const {
    if (!json.is_array()) return "tokens are a list of texts or whole numbers, found " + io::found(json);
    const bool each = !json.empty() && json.front().is_array();
    const auto add = [&](const Json& list) -> std::string {
      lists.emplace_back();
      ids.emplace_back();
      for (const Json& one : list) {
        const auto id = io::whole_number(one, 0, std::numeric_limits<int>::max());
        if (!one.is_string() && !id)
          return "a token is neither a text nor a whole number, but " + io::found(one);
        lists.back().push_back(one.is_string() ? one.get_ref<const std::string&>() : std::to_string(*id));
        if (!one.is_string()) ids.back().push_back(static_cast<int>(*id));
      }
      if (!ids.back().empty() && ids.back().size() != lists.back().size())
        return "its tokens are texts and numbers mixed";
      return {};
    };
    if (!each) return add(json);
    for (const Json& list : json) {
      if (!list.is_array()) return "some sequences have a list of tokens and some have none";
      if (const std::string wrong = add(list); !wrong.empty()) return wrong;
    }
    return {};
  }

 private:
  std::string origin_;
};

Lists numbers(std::size_t batch, std::size_t count) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < count; ++i) list.push_back(std::to_string(i));
  return Lists(batch, list);
}

/// Fits the lists of one role to the batch, one per sequence.
std::string fit(Lists& lists, std::size_t batch) {
  if (lists.size() == 1 && batch > 1) lists.resize(batch, lists.front());
  if (lists.size() != batch)
    return "it has tokens for " + base::counted(lists.size(), "sequence") +
           ", the attention has a batch of " + std::to_string(batch);
  for (const auto& list : lists)
    if (list.size() != lists.front().size())
      return "its sequences have " + std::to_string(lists.front().size()) + " and " +
             std::to_string(list.size()) + " tokens; all sequences of a batch have the same length";
  return {};
}

std::string length_words(const std::string& file, std::size_t tokens, const TokenPlace& place,
                         const char* role = "") {
  std::string has = std::to_string(place.keys) + " positions";
  if (place.queries != place.keys)
    has = std::to_string(place.queries) + " queries and " + std::to_string(place.keys) + " keys";
  return "it has " + std::to_string(tokens) + " " + role + (tokens == 1 ? "token" : "tokens") + ", " + file +
         " has " + has;
}

base::Result<TokenLists> fitted(const Found& found, const std::string& file, const TokenPlace& place) {
  const auto wrong = [&](const std::string& what) { return base::Error{found.origin + ": " + what}; };
  const Reader reader(found.origin);
  TokenLists out;
  out.from = found.from, out.numbered = false;
  const Json *query = io::member(found.tokens, "query"), *key = io::member(found.tokens, "key"),
             *both = io::member(found.tokens, "tokens");
  if (found.tokens.is_object() && (query != nullptr || key != nullptr)) {
    out.paired = true;
    for (const bool asks : {true, false}) {
      const Json* json = asks ? query : key;
      Lists& lists = asks ? out.query : out.key;
      const std::size_t wanted = asks ? place.queries : place.keys;
      if (json == nullptr) {
        lists = numbers(place.batch, wanted);
        continue;
      }
      std::vector<std::vector<int>> ids;
      std::string problem = reader.read(*json, lists, ids);
      if (problem.empty()) problem = fit(lists, place.batch);
      if (problem.empty() && lists.front().size() != wanted)
        problem = length_words(file, lists.front().size(), place, asks ? "query " : "key ");
      if (!problem.empty()) return wrong(problem);
    }
    return out;
  }
  const Json& json = found.tokens.is_object() && both != nullptr ? *both : found.tokens;
  if (json.is_object())
    return wrong("tokens are a list, or an object with \"query\" and \"key\"; found an object without them");
  Lists lists;
  std::string problem = reader.read(json, lists, out.ids);
  if (problem.empty()) problem = fit(lists, place.batch);
  if (!problem.empty()) return wrong(problem);
  out.ids.resize(place.batch, out.ids.front());
  if (out.ids.front().empty()) out.ids.clear();
  const std::size_t tokens = lists.front().size();
  if (tokens != place.keys && tokens != place.queries) return wrong(length_words(file, tokens, place));
  out.query = lists, out.key = lists;
  if (place.queries == place.keys) return out;
  out.paired = true;
  if (tokens == place.queries) {
    out.key = numbers(place.batch, place.keys);
    out.ids.clear();
    out.remarks.push_back("the tokens name the queries; keys are counted");
  } else if (place.causal && place.queries < place.keys) {
    for (auto& list : out.query)
      list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(place.keys - place.queries));
  } else {
    out.query = numbers(place.batch, place.queries);
    out.remarks.push_back("the tokens name the keys; queries are counted");
  }
  return out;
}

}  // namespace

base::Result<Json> read_beside(const fs::path& path, const char* name) {
  const fs::path file = path.parent_path() / name;
  if (!io::may_be_there(file)) return Json();
  base::Result<Json> json = json_of(file, meta_kind);
  if (json && !json->is_object()) return base::Error{io::path_text(file) + ": it is not a JSON object"};
  return json;
}

base::Result<TokenLists> find_tokens(const ArraySet& set, const fs::path& path, const TokenPlace& place,
                                     const std::string& chosen) {
  const base::Result<Found> found = search(set, path, chosen);
  if (!found) return base::Error{found.error()};
  if (!found->tokens.is_null()) return fitted(*found, set.file, place);
  TokenLists out;
  out.query = numbers(place.batch, place.queries), out.key = numbers(place.batch, place.keys);
  return out;
}

}  // namespace headlight::dumps
