#include "dumps/layers.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/one_line.h"
#include "io/inflated_bytes.h"

namespace headlight::dumps {

namespace {

using base::in_quotes;

constexpr std::int64_t most_side = 1 << 24;
constexpr std::size_t most_layers = 100'000;

/// Common names of an array of weights, the likelier ones first.
constexpr const char* names[] = {
    "attentions", "attention",       "attn",    "attention_weights", "attn_weights",
    "attn_probs", "attention_probs", "weights", "pattern",           "layer",
    "layers"};
/// The three kinds of attention in an encoder–decoder.
constexpr const char* kinds[] = {"cross_attentions", "decoder_attentions", "encoder_attentions"};
constexpr std::string_view lens_begin = "blocks.", lens_end = ".attn.hook_pattern";

/// "outputs.attentions" is called "attentions": a dict in a dict.
bool is_called(std::string_view name, std::string_view wanted) {
  if (name.size() < wanted.size() || name.substr(name.size() - wanted.size()) != wanted) return false;
  return name.size() == wanted.size() || name[name.size() - wanted.size() - 1] == '.';
}

std::optional<std::size_t> number_of(std::string_view digits) {
  constexpr std::size_t longest = 6;
  if (digits.empty() || digits.size() > longest) return std::nullopt;
  std::size_t number = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<std::size_t>(c - '0');
  }
  return number;
}

/// Returns N of WORD.N, WORD_N, WORDN and WORD[N].
std::optional<std::size_t> layer_of(std::string_view name, std::string_view word) {
  if (!name.empty() && name.back() == ']') {
    const std::size_t open = name.rfind('[');
    if (open == std::string_view::npos || !is_called(name.substr(0, open), word)) return std::nullopt;
    return number_of(name.substr(open + 1, name.size() - open - 2));
  }
  std::size_t end = name.size();
  while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') --end;
  const auto number = number_of(name.substr(end));
  if (end > 0 && (name[end - 1] == '.' || name[end - 1] == '_')) --end;
  return is_called(name.substr(0, end), word) ? number : std::nullopt;
}

/// Returns N of blocks.N.attn.hook_pattern.
std::optional<std::size_t> lens_layer(std::string_view name) {
  if (name.size() <= lens_begin.size() + lens_end.size() || name.substr(0, lens_begin.size()) != lens_begin ||
      name.substr(name.size() - lens_end.size()) != lens_end)
    return std::nullopt;
  return number_of(name.substr(lens_begin.size(), name.size() - lens_begin.size() - lens_end.size()));
}

/// The arrays with one name.
struct Row {
  std::string name;                              // "attentions", "blocks.N.attn.hook_pattern"
  const Array* whole = nullptr;                  // one for all layers
  std::map<std::size_t, const Array*> by_layer;  // or one for each
  const Array* twice = nullptr;                  // a second array with the same number
  std::map<std::size_t, std::string> without;    // numbers with None or an empty list in place of an array
  bool empty() const { return whole == nullptr && by_layer.empty(); }
};

template <class LayerOf>
Row row_by(const ArraySet& set, const std::string& name, const Array* whole, LayerOf layer) {
  Row row{name, whole, {}, nullptr, {}};
  if (whole != nullptr) return row;
  for (const Array& array : set.arrays) {
    const auto number = layer(array.name);
    if (number && !row.by_layer.emplace(*number, &array).second) row.twice = &array;
  }
  for (const auto& [called, value] : set.values) {
    if (!value.is_null() && !value.is_array()) continue;
    if (const auto number = layer(called)) row.without.emplace(*number, called);
  }
  return row;
}

Row row_called(const ArraySet& set, const std::string& word) {
  const Array* whole = nullptr;
  for (const Array& array : set.arrays)
    if (is_called(array.name, word) && (whole == nullptr || array.name.size() < whole->name.size()))
      whole = &array;
  return row_by(set, word, whole, [&](const std::string& name) { return layer_of(name, word); });
}

Row lens_row(const ArraySet& set) {
  return row_by(set, std::string(lens_begin) + "N" + std::string(lens_end), nullptr, lens_layer);
}

std::string names_of(const ArraySet& set) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t i = 0; i < set.arrays.size() && i < shown; ++i)
    text += (i > 0 ? ", " : "") + in_quotes(set.arrays[i].name) + " " + shape_words(set.arrays[i]);
  if (set.arrays.size() > shown) text += ", … (" + std::to_string(set.arrays.size()) + " in all)";
  return text.empty() ? "no array" : text;
}

class Finder {
 public:
  explicit Finder(const ArraySet& set) : set_(set) {}

  /// Returns the arrays of a series, each with the axes of a layer: [B, H, rows, columns].
  base::Result<std::vector<Array>> layers_of(const Row& row, const char* what, const char* axes) {
    if (row.whole != nullptr) return split(*row.whole, what, axes);
    if (row.twice != nullptr)
      return wrong("a layer of " + row.name + " occurs twice, the second time as " +
                   in_quotes(row.twice->name));
    std::vector<Array> out;
    for (const auto& [number, array] : row.by_layer) {
      if (number != out.size())
        return wrong(
            in_quotes(name_like(*array, number, out.size())) + " is missing: there is " +
            in_quotes(array->name) +
            "; the numbers in the names must be complete from 0 on (--entry NAME reads one array alone)");
      if (!array->problem.empty()) return base::Error{array->problem};
      if (array->rank() < 2 || array->rank() > 4)
        return wrong(in_quotes(array->name) + " has the shape " + shape_words(*array) + ", " +
                     std::to_string(array->rank()) + " axes; " + what + " of one layer have 2 to 4: [" +
                     axes + "], [heads, " + axes + "] or [batch, heads, " + axes + "]");
      if (const base::Status sound = check(*array, what); !sound) return base::Error{sound.error()};
      base::Result<Array> settled_one = settled(*array, may_copy_);
      if (!settled_one) return base::Error{settled_one.error()};
      while (settled_one->rank() < 4) *settled_one = with_axis(std::move(*settled_one));
      if (!out.empty() && out.front().shape != settled_one->shape)
        return wrong("its layers differ in shape: " + in_quotes(row.by_layer.at(0)->name) + " has " +
                     shape_words(*row.by_layer.at(0)) + ", " + in_quotes(array->name) + " has " +
                     shape_words(*array));
      if (!out.empty() && out.front().type != settled_one->type)
        return wrong("its layers differ in type: " + in_quotes(row.by_layer.at(0)->name) + " is " +
                     out.front().type + ", " + in_quotes(array->name) + " is " + array->type);
      out.push_back(std::move(*settled_one));
    }
    if (const auto none = row.without.lower_bound(out.size()); none != row.without.end())
      return wrong(in_quotes(none->second) +
                   " is missing: what is there is not an array; the numbers in the names must be complete "
                   "from 0 on (--entry NAME reads one array alone)");
    return out;
  }

 private:
  base::Error wrong(const std::string& what) const { return {set_.file + ": " + what}; }

  static std::string name_like(const Array& array, std::size_t number, std::size_t wanted) {
    std::string name = array.name;
    const std::string digits = std::to_string(number);
    const std::size_t at = name.rfind(digits);
    if (at != std::string::npos) name.replace(at, digits.size(), std::to_string(wanted));
    return name;
  }

  base::Status check(const Array& array, const char* what) {
    if (!array.numbers)
      return wrong(in_quotes(array.name) + " has the dtype " + base::shortened(array.type) + "; " + what +
                   " are read as float32, float16, bfloat16 or float64");
    for (const std::int64_t side : array.shape) {
      if (side == 0) return wrong(in_quotes(array.name) + " is empty: its shape is " + shape_words(array));
      if (side > most_side)
        return wrong(in_quotes(array.name) + " has the shape " + shape_words(array) +
                     ": an axis of more than 16,777,216 entries is not supported");
    }
    // An array may repeat the same numbers (a step of 0), and a list may name one array many times.
    constexpr std::uint64_t free_numbers = std::uint64_t(1) << 24;
    const std::uint64_t count = count_of(array);
    const std::uint64_t allowed = free_numbers + 200 * set_.bytes;
    if (count > allowed || count > free_numbers + extent_of(array) || (numbers_ += count) > allowed)
      return wrong("the size that its arrays claim, such as " + shape_words(array) +
                   ", is many times the size of the file; save a contiguous copy of them");
    if (array.member)
      return io::check_stored(*array.bytes, *array.member, set_.file + ": " + in_quotes(array.name));
    return {};
  }

  base::Result<std::vector<Array>> split(const Array& whole, const char* what, const char* axes) {
    if (!whole.problem.empty()) return base::Error{whole.problem};
    if (whole.rank() < 2 || whole.rank() > 5)
      return wrong(in_quotes(whole.name) + " has the shape " + shape_words(whole) + ", " +
                   std::to_string(whole.rank()) + (whole.rank() == 1 ? " axis; " : " axes; ") + what +
                   " have 2 to 5: [" + axes + "], [heads, " + axes + "], [layers, heads, " + axes +
                   "] or [layers, batch, heads, " + axes + "]");
    if (const base::Status sound = check(whole, what); !sound) return base::Error{sound.error()};
    base::Result<Array> one = settled(whole, may_copy_);
    if (!one) return base::Error{one.error()};
    std::vector<Array> out;
    if (whole.rank() <= 3) {
      while (one->rank() < 4) *one = with_axis(std::move(*one));
      out.push_back(std::move(*one));
      return out;
    }
    if (static_cast<std::uint64_t>(one->side(0)) > most_layers)
      return wrong(in_quotes(whole.name) + " has the shape " + shape_words(whole) + ": too many layers");
    for (std::int64_t layer = 0; layer < one->side(0); ++layer) {
      out.push_back(entry_of(*one, layer));
      if (out.back().rank() == 3) out.back() = with_axis(std::move(out.back()));
    }
    return out;
  }

  const ArraySet& set_;
  std::uint64_t may_copy_ = most_copied, numbers_ = 0;
};

constexpr const char *weights_words = "attention weights", *weights_axes = "queries, keys",
                     *vectors_axes = "tokens, d";

base::Result<Layers> weights_of(const ArraySet& set, const Row& row) {
  auto layers = Finder(set).layers_of(row, weights_words, weights_axes);
  if (!layers) return base::Error{layers.error()};
  const std::string type = layers->front().type;
  return Layers{std::move(*layers), {}, row.name, type};
}

base::Result<Layers> paired(const ArraySet& q_set, const Row& q_row, const ArraySet& k_set,
                            const Row& k_row) {
  auto q = Finder(q_set).layers_of(q_row, "queries q", vectors_axes);
  if (!q) return base::Error{q.error()};
  auto k = Finder(k_set).layers_of(k_row, "keys k", vectors_axes);
  if (!k) return base::Error{k.error()};
  const auto wrong = [&](const std::string& what) { return base::Error{q_set.file + ": " + what}; };
  const Array &one_q = q->front(), &one_k = k->front();
  const std::string shapes =
      " (q of a layer " + shape_words(one_q) + ", k " + shape_words(one_k) + " as [batch, heads, tokens, d])";
  if (q->size() != k->size())
    return wrong("q has " + std::to_string(q->size()) + " layers, k has " + std::to_string(k->size()) +
                 ": they do not match");
  if (one_q.side(3) != one_k.side(3))
    return wrong("q has " + std::to_string(one_q.side(3)) + " numbers per head, k has " +
                 std::to_string(one_k.side(3)) + ": their last dimensions must match" + shapes);
  if (one_q.side(0) != one_k.side(0))
    return wrong("q has " + std::to_string(one_q.side(0)) + " sequences, k has " +
                 std::to_string(one_k.side(0)) + ": their batches must match" + shapes);
  constexpr std::int64_t most_of_a_head = 1 << 25;
  if (one_k.side(2) > most_of_a_head / one_k.side(3))
    return wrong("k has more than 33,554,432 numbers per head: save fewer tokens" + shapes);
  if (one_q.side(1) % one_k.side(1) != 0)
    return wrong("q has " + std::to_string(one_q.side(1)) + " heads, k has " + std::to_string(one_k.side(1)) +
                 ": those of q must be a multiple of those of k" + shapes);
  const std::string type = one_q.type == one_k.type ? one_q.type : one_q.type + " and " + one_k.type;
  return Layers{std::move(*q), std::move(*k), "q and k", type};
}

}  // namespace

base::Result<Layers> find_layers(const ArraySet& set, const std::string& entry) {
  if (!entry.empty()) {
    if (const Array* exact = set.find(entry)) return weights_of(set, Row{entry, exact, {}, nullptr, {}});
    const Row row = row_called(set, entry);
    if (!row.empty()) return weights_of(set, row);
    return base::Error{set.file + ": there is no " + in_quotes(entry) + " in it, but " + names_of(set)};
  }
  for (const char* name : names) {
    const Row row = row_called(set, name);
    if (!row.empty()) return weights_of(set, row);
    if (name == names[0]) {
      const Row lens = lens_row(set);
      if (!lens.empty()) return weights_of(set, lens);
      std::vector<Row> found;
      for (const char* kind : kinds) {
        Row one = row_called(set, kind);
        if (!one.empty()) found.push_back(std::move(one));
      }
      if (found.size() == 1) return weights_of(set, found.front());
      if (found.size() > 1) {
        std::vector<std::string> all;
        for (const Row& one : found) all.push_back(one.name);
        return base::Error{set.file + ": it has " + base::listed(all) + "; choose one with --entry " +
                           found.front().name};
      }
    }
  }
  const Row q = row_called(set, "q"), k = row_called(set, "k");
  if (!q.empty() && !k.empty()) return paired(set, q, set, k);
  const Array* only = nullptr;
  std::size_t candidates = 0;
  for (const Array& array : set.arrays) {
    if (!array.problem.empty() && set.arrays.size() == 1) return base::Error{array.problem};
    if (!array.numbers || array.rank() < 2) continue;
    only = &array, ++candidates;
  }
  if (!q.empty() || !k.empty())
    return base::Error{set.file + ": it has " + (q.empty() ? "k and no q" : "q and no k") +
                       "; attention is computed from both"};
  if (candidates == 1) return weights_of(set, Row{only->name, only, {}, nullptr, {}});
  // The name that numpy.savez gives to arrays without a name: a list of layers.
  if (const Row listed = row_called(set, "arr"); !listed.empty() && listed.by_layer.size() == candidates)
    return weights_of(set, listed);
  return base::Error{set.file +
                     ": no attention in it: expected attentions, attentions.N, attn_N, "
                     "blocks.N.attn.hook_pattern, arr_N or q and k, found " +
                     names_of(set) + "; --entry NAME says which array it is"};
}

base::Result<Layers> layers_of_pair(const ArraySet& q, const ArraySet& k) {
  const Row q_row{"q", q.find(unnamed), {}, nullptr, {}}, k_row{"k", k.find(unnamed), {}, nullptr, {}};
  return paired(q, q_row, k, k_row);
}

}  // namespace headlight::dumps
