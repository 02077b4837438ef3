// `headlight compare`: compares saved attention with another file, or with a model that is run here.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/numbers.h"
#include "base/one_line.h"
#include "base/parallel.h"
#include "base/words.h"
#include "command/dumps_command.h"
#include "command/model_pass.h"
#include "dumps/comparison.h"
#include "io/tensor_json.h"
#include "models/opened_model.h"
#include "network/network.h"
#include "scene/other_model.h"
#include "tokenizers/tokenizer.h"

namespace headlight::app {

namespace {

using dumps::Difference;
using dumps::Dump;
using dumps::DumpShape;

using dumps::HeadDifference;

/// A comparison with the names of its sides and its tokens.
struct Comparison : dumps::Comparison {
  std::string a, b;  // names of the two sides
  bool own_tolerance = false;
  DumpShape shape;
  std::vector<std::string> query, key;  // of the first compared sequence
  std::string tokens;                   // their source; empty: there is nothing to report
  std::vector<std::uint8_t> visible;    // [keys] 0 = padding, which is left out; empty: no padding
};

/// Layers and heads count from 1, as in all text; the rest from 0.
std::string place_words(const Comparison& c, const HeadDifference& one) {
  const auto named = [&](const std::vector<std::string>& tokens, int at) {
    const std::string number = std::to_string(at), token = tokens[static_cast<std::size_t>(at)];
    return token == number || one.sequence > 0 ? number : number + " (" + base::shortened(token) + ")";
  };
  return "layer " + std::to_string(one.layer + 1) +
         (c.shape.batch > 1 ? ", sequence " + std::to_string(one.sequence) : std::string()) + ", head " +
         std::to_string(one.head + 1) + ", query " + named(c.query, one.largest.query) + ", key " +
         named(c.key, one.largest.key);
}

std::string as_json(const Comparison& c) {
  using Json = nlohmann::ordered_json;
  const auto place = [](const HeadDifference& one) {
    const Difference& d = one.largest;
    return Json{{"difference", d.difference},
                {"layer", one.layer},
                {"sequence", one.sequence},
                {"head", one.head},
                {"query", d.query},
                {"key", d.key},
                {"a", d.a},
                {"b", d.b}};
  };
  const HeadDifference* first = first_beyond(c);
  Json out{{"a", c.a},
           {"b", c.b},
           {"tokens", c.tokens.empty() ? Json() : Json(c.tokens)},
           {"padding", std::count(c.visible.begin(), c.visible.end(), std::uint8_t{0})},
           {"tolerance", c.tolerance},
           {"type", c.type},
           {"largest", place(largest_of(c))},
           {"first_layer_beyond_rounding", first ? Json(first->layer) : Json()},
           {"heads", Json::array()}};
  for (const HeadDifference& one : c.heads) out["heads"].push_back(place(one));
  return io::json_text(out) + "\n";
}

std::string as_table(const Comparison& c) {
  constexpr std::size_t width = 10;
  std::string out = "Largest difference of each head, |a − b|\na  " + c.a + "\nb  " + c.b + "\n";
  if (!c.tokens.empty()) out += "tokens: " + c.tokens + "\n";
  if (const std::string left_out = dumps::padding_words(c.visible); !left_out.empty()) out += left_out + "\n";
  out += "\nlayer";
  for (int head = 0; head < c.shape.heads; ++head)
    out += base::padded_before("head " + std::to_string(head + 1), width);
  std::vector<double> row(static_cast<std::size_t>(c.shape.heads));
  for (int layer = 0; layer < c.shape.layers; ++layer) {
    std::fill(row.begin(), row.end(), 0.0);
    for (const HeadDifference& one : c.heads) {
      double& most = row[static_cast<std::size_t>(one.head)];
      if (one.layer == layer) most = std::max(most, one.largest.difference);
    }
    out += "\n" + base::padded_before(std::to_string(layer + 1), 5);
    for (const double most : row) out += base::padded_before(base::brief(most, 2), width);
  }
  const HeadDifference& most = largest_of(c);
  out += "\n\nlargest: " + base::brief(most.largest.difference, 3) + " at " + place_words(c, most) + ": a " +
         base::weight_text(most.largest.a, 6) + ", b " + base::weight_text(most.largest.b, 6) + "\n";
  const std::string limit =
      base::brief(c.tolerance, 3) +
      (c.own_tolerance
           ? ", as it was given"
           : ", what two runs may differ by when one is computed in " + c.type +
                 (c.storage > 1e-5 ? "; storing alone explains " + base::brief(c.storage, 2) : ""));
  out += "rounding: " + limit + "\n";
  if (const HeadDifference* first = first_beyond(c)) {
    out += "first layer beyond rounding: " + std::to_string(first->layer + 1) + ", by " +
           base::brief(first->largest.difference, 3) + " at " + place_words(c, *first) + "\n";
  } else {
    out += most.largest.difference == 0 ? "the same numbers in every layer\n"
                                        : "every layer is within rounding\n";
  }
  return out;
}

std::string comparison_text(const Comparison& c, bool json) {
  return json ? as_json(c) : as_table(c);
}

void set_tolerance(Comparison& c, const CompareRequest& request) {
  c.own_tolerance = request.tolerance.has_value();
  c.tolerance = request.tolerance.value_or(dumps::run_rounding(c.type));
  c.storage = dumps::storage_rounding(c.type);
}

/// Compares all layers, for sequences [first, last).
base::Status compare(const Dump& dump, int first_sequence, int last_sequence, const dumps::OtherRows& other,
                     bool other_is_a, std::span<const std::uint8_t> visible,
                     std::vector<HeadDifference>& out) {
  for (int layer = 0; layer < dump.shape.layers; ++layer) {
    const base::Status done =
        dumps::compare_layer(dump, layer, first_sequence, last_sequence, other, other_is_a, visible, out);
    if (!done) return done;
  }
  return {};
}

struct Text {
  std::vector<int> ids;
  std::string from;
};

base::Result<std::vector<int>> encoded(const scene::OtherModel& side, const std::string& text) {
  if (!side.tokenizer)
    return base::Error{
        side.problem.empty()
            ? side.model->path.string() +
                  " has no tokenizer beside it: give the numbers of the tokens with --ids 5,17,2"
            : side.problem};
  const auto pieces = side.tokenizer->encode(text);
  if (!pieces) return base::Error{"the text: " + pieces.error()};
  std::vector<int> ids;
  for (const tokenizers::Piece& piece : *pieces) ids.push_back(piece.id);
  return ids;
}

/// The tokens of a dump as ids of the model.
base::Result<Text> ids_of_dump(const Dump& dump, int sequence, const scene::OtherModel& side) {
  const auto at = static_cast<std::size_t>(sequence);
  const std::string from = dump.tokens.from;
  const base::Error unknown{dump.file + ": " +
                            (dump.tokens.numbered
                                 ? "it has no tokens"
                                 : "its tokens (" + from + ") are not those of " + side.model->name) +
                            "; give the model its text: --set \"sentence=…\" or --ids 5,17,2"};
  if (dump.tokens.numbered) return unknown;
  if (!dump.tokens.ids.empty()) return Text{dump.tokens.ids[at], "ids of the file (" + from + ")"};
  if (!side.tokenizer) return unknown;
  const std::vector<std::string>& tokens = dump.tokens.key[at];
  if (std::vector<int> ids = scene::ids_of_tokens(side, tokens); !ids.empty())
    return Text{std::move(ids), "those of the file (" + from + "), found in the vocabulary"};
  // The tokens are words of a sentence, or pieces of it.
  for (const char* between : {" ", ""}) {
    std::string sentence;
    for (const std::string& token : tokens) sentence += (sentence.empty() ? "" : between) + token;
    const auto ids = encoded(side, sentence);
    if (ids && ids->size() == tokens.size())
      return Text{*ids, "those of the file (" + from + ") as the sentence " + base::in_quotes(sentence)};
  }
  return unknown;
}

}  // namespace

base::Result<std::string> compare_dumps(const Dump& a, const Dump& b, const CompareRequest& request) {
  if (std::string apart = dumps::not_comparable(a, b); !apart.empty()) return base::Error{std::move(apart)};
  Comparison c;
  c.a = a.path.string(), c.b = b.path.string(), c.type = rougher(a, b), c.shape = a.shape;
  const int first = request.sequence.value_or(0), last = request.sequence ? first + 1 : a.shape.batch;
  c.query = a.tokens.query[static_cast<std::size_t>(first)],
  c.key = a.tokens.key[static_cast<std::size_t>(first)];
  if (!a.tokens.numbered && !b.tokens.numbered &&
      (a.tokens.query != b.tokens.query || a.tokens.key != b.tokens.key))
    c.tokens = "those of a; those of b differ";
  set_tolerance(c, request);
  const base::Status done = compare(
      a, first, last,
      [&](int layer, int sequence, int head, int row, int count, std::span<double> to) {
        return b.rows(layer, sequence, head, row, count, to);
      },
      false, {}, c.heads);
  if (!done) return base::Error{done.error()};
  return comparison_text(c, request.json);
}

base::Result<std::string> compare_with_model(const Dump& dump, const ModelSide& what,
                                             const CompareRequest& request) {
  const auto side = open_model(what.model);
  if (!side) return base::Error{side.error()};
  const models::OpenedModel& model = *side->model;
  const nn::Network& network = model.network;
  const DumpShape& s = dump.shape;
  const int layers = static_cast<int>(network.layers.size()), heads = network.layers.front().heads;
  if (s.layers != layers || s.heads != heads)
    return base::Error{dump.file + " has " + std::to_string(s.layers) + " layers of " +
                       std::to_string(s.heads) + " heads, " + model.path.string() + " " +
                       std::to_string(layers) + " of " + std::to_string(heads) + ": they cannot be compared"};
  if (s.queries != s.keys)
    return base::Error{dump.file + ": it has " + std::to_string(s.queries) + " queries and " +
                       std::to_string(s.keys) + " keys; a model computes as many as it has tokens"};
  const int sequence = request.sequence.value_or(0);
  Text text;
  if (!what.ids.empty()) {
    text = {what.ids, "ids as given"};
  } else if (what.text) {
    const auto ids = encoded(*side, *what.text);
    if (!ids) return base::Error{ids.error()};
    text = {*ids, "the sentence " + base::in_quotes(*what.text)};
  } else {
    const auto found = ids_of_dump(dump, sequence, *side);
    if (!found) return base::Error{found.error()};
    text = *found;
  }
  const auto visible = dumps::visible_positions(dump, sequence);
  if (!visible) return base::Error{visible.error()};
  text.ids = scene::with_padding(*side, std::move(text.ids), *visible);
  if (static_cast<int>(text.ids.size()) != s.keys)
    return base::Error{"the text (" + text.from + ") has " + std::to_string(text.ids.size()) + " tokens in " +
                       model.name + ", " + dump.file + " has " + std::to_string(s.keys) +
                       " positions; it was saved for another text, or with other tokens at its ends"};
  for (const int id : text.ids)
    if (id < 0 || id >= network.vocabulary)
      return base::Error{model.path.string() + " has no token " + std::to_string(id) +
                         ": its vocabulary has " + base::with_commas(network.vocabulary) + ", from 0 on"};
  const nn::NetworkKeeps keeps{.attentions = true, .states = false, .projections = false, .logits = false};
  constexpr double most_bytes = 1.5e9;
  if (nn::trace_bytes(network, s.keys, keeps) > most_bytes)
    return base::Error{"the text has " + base::with_commas(s.keys) + " tokens, more than " +
                       model.path.string() + " can be computed for here"};
  base::Parallel parallel;
  nn::NetworkTrace trace;
  const base::Status computed = nn::network_forward(
      network, model.weights, {.ids = text.ids, .visible = *visible}, parallel, trace, keeps);
  if (!computed) return base::Error{model.path.string() + ": " + computed.error()};
  Comparison c;
  c.a = model.path.string() + ", computed here in float32", c.b = dump.path.string();
  c.type = dump.precision, c.shape = s, c.tokens = text.from;
  if (s.batch > 1) c.b += ", sequence " + std::to_string(sequence);
  c.query = c.key = dump.tokens.key[static_cast<std::size_t>(sequence)];
  c.visible = *visible;
  set_tolerance(c, request);
  const base::Status done = compare(
      dump, sequence, sequence + 1,
      [&](int layer, int, int head, int row, int count, std::span<double> to) {
        for (int r = 0; r < count; ++r) {
          const float* from =
              trace.attentions[static_cast<std::size_t>(layer)].row(head * s.queries + row + r).data();
          std::copy(from, from + s.keys,
                    to.data() + static_cast<std::size_t>(r) * static_cast<std::size_t>(s.keys));
        }
        return base::Status();
      },
      true, *visible, c.heads);
  if (!done) return base::Error{done.error()};
  return comparison_text(c, request.json);
}

}  // namespace headlight::app
