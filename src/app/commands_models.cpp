#include "app/commands_models.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "base/one_line.h"
#include "base/parallel.h"
#include "kit/numbers.h"
#include "models/opened_model.h"
#include "nn/network.h"
#include "nn/random.h"
#include "tokenizers/open.h"

namespace headlight::app {

namespace {

namespace fs = std::filesystem;

/// At most so many characters, the last an ellipsis where some were left out.
std::string cut(const std::string& text, std::size_t most) {
  std::size_t characters = 0, end = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) continue;
    if (++characters == most) end = at;
  }
  return characters <= most ? text : text.substr(0, end) + "…";
}

/// A model with its tokenizer; null where none stands beside it.
struct Reader {
  std::shared_ptr<const models::OpenedModel> model;
  std::shared_ptr<const tokenizers::Tokenizer> tokenizer;
  std::string problem;  // why there is none although its files are there

  /// An id as it is printed: its entry in quotation marks, or its number.
  std::string name(int id) const {
    if (!tokenizer) return std::to_string(id);
    const std::string entry = tokenizer->entry(id);
    return entry.empty() ? std::to_string(id) : cut(base::shortened(entry), 16);
  }
};

/// Of several tok….bin the first that has the model's number of entries; whatever the folder holds, an error is
/// about the tokenizer alone and kept in `problem`.
base::Result<Reader> open_reader(const fs::path& path) {
  auto model = models::open_model(path);
  if (!model) return base::Error{model.error()};
  Reader reader{*model, nullptr, {}};
  const auto& files = reader.model->tokenizer_files;
  if (files.empty()) return reader;
  if (files.front().extension() != ".bin") {
    const fs::path folder = files.front().parent_path();
    auto tokenizer = tokenizers::open_tokenizer(folder.empty() ? fs::path(".") : folder);
    if (tokenizer) reader.tokenizer = *tokenizer;
    if (!tokenizer) reader.problem = tokenizer.error();
    return reader;
  }
  for (const fs::path& file : files) {
    auto tokenizer = tokenizers::open_llama2c(file, reader.model->network.vocabulary);
    if (tokenizer) {
      reader.tokenizer = *tokenizer;
      reader.problem.clear();
      return reader;
    }
    if (reader.problem.empty()) reader.problem = tokenizer.error();
  }
  return reader;
}

base::Result<std::vector<int>> known(std::vector<int> ids, const Reader& reader) {
  const int vocabulary = reader.model->network.vocabulary;
  for (const int id : ids) {
    if (id < vocabulary) continue;
    return base::Error{reader.model->path.string() + " has no token " + std::to_string(id) +
                       ": its vocabulary has " + views::with_commas(vocabulary) + ", from 0 on"};
  }
  return ids;
}

/// Rows of a pass over so many tokens would fill the memory: T² weights of each head, one layer at a time.
std::optional<base::Error> too_long(const models::OpenedModel& model, std::size_t tokens,
                                    const nn::NetworkKeeps& keeps) {
  constexpr double most_bytes = 1.5e9;
  const auto T = static_cast<double>(tokens);
  const double maps = 4 * T * T * model.network.layers.front().heads;
  if (nn::trace_bytes(model.network, static_cast<int>(tokens), keeps) + maps <= most_bytes)
    return std::nullopt;
  return base::Error{"the text has " + views::with_commas(static_cast<long long>(tokens)) +
                     " tokens, more than " + model.path.string() + " can be computed for here: shorten it"};
}

base::Result<std::vector<int>> ids_of(const Reader& reader, const std::string& text,
                                      const std::vector<int>& given) {
  if (!given.empty()) return known(given, reader);
  if (!reader.problem.empty()) return base::Error{reader.problem};
  if (!reader.tokenizer) {
    return base::Error{reader.model->path.string() +
                       " has no tokenizer beside it (tokenizer.json, vocab.json and merges.txt, vocab.txt or "
                       "tokenizer.bin): give the numbers of the tokens with --ids 5,17,2"};
  }
  const auto pieces = reader.tokenizer->encode(text);
  if (!pieces) return base::Error{"the text: " + pieces.error()};
  std::vector<int> ids;
  for (const tokenizers::Piece& piece : *pieces) ids.push_back(piece.id);
  if (ids.empty()) return base::Error{"the text has no tokens"};
  return known(ids, reader);
}

std::vector<double> row_of(const nn::Matrix& logits, int row, double temperature) {
  const std::span<const float> all = logits.row(row);
  return nn::probabilities_of(all, temperature);
}

std::string percent(double p) {
  return views::fixed(100 * p, p >= 0.0995 ? 1 : p >= 0.00995 ? 2 : 4) + " %";
}

std::string padded(std::string text, std::size_t width, bool right = false) {
  // Bytes are not columns, but tokens of other scripts may be cut anyway: the table stays readable.
  std::size_t columns = 0;
  for (const char c : text) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  if (columns < width) text.insert(right ? 0 : text.size(), width - columns, ' ');
  return text;
}

std::string top_lines(const Reader& reader, std::span<const double> row, int top) {
  std::string out;
  int rank = 0;
  for (const nn::TokenProbability& one : nn::most_probable(row, top)) {
    if (one.probability <= 0) break;
    out += padded(std::to_string(++rank), 4, true) + "  " + padded(reader.name(one.id), 20) +
           padded(percent(one.probability), 10, true) + "\n";
  }
  return out;
}

bool has_any(std::span<const double> row) {
  return std::any_of(row.begin(), row.end(), [](double p) { return p > 0; });
}

base::Error no_logit(const Reader& reader, int position) {
  return {reader.model->path.string() + ": no logit at position " + std::to_string(position) + " is finite"};
}

/// Of a causal model: what follows each position.
base::Result<std::string> followers(const Reader& reader, const std::vector<int>& ids,
                                    const nn::NetworkTrace& trace, const NextWish& wish) {
  std::string text = padded("", 4) + padded("token", 18) + padded("next token", 18) + padded("p", 10, true) +
                     padded("rank", 7, true) + padded("loss", 9, true) + "\n";
  double loss = 0;
  const int T = static_cast<int>(ids.size());
  for (int t = 0; t + 1 < T; ++t) {
    const std::vector<double> row = row_of(trace.logits, t, wish.temperature);
    if (!has_any(row)) return no_logit(reader, t);
    const int next = ids[static_cast<std::size_t>(t) + 1];
    const double p = row[static_cast<std::size_t>(next)], nats = -std::log(p);
    const int rank = nn::rank_of(row_of(trace.logits, t, 1), next);  // which no temperature changes
    loss += nats;
    text += padded(std::to_string(t), 3, true) + " " +
            padded(reader.name(ids[static_cast<std::size_t>(t)]), 18) + padded(reader.name(next), 18) +
            padded(percent(p), 10, true) + padded(std::to_string(rank), 7, true) +
            padded(views::fixed(nats, 3), 9, true) + "\n";
  }
  const std::vector<double> last = row_of(trace.logits, T - 1, wish.temperature);
  if (!has_any(last)) return no_logit(reader, T - 1);
  const std::string mean = T > 1 ? "mean loss " + views::fixed(loss / (T - 1), 3) + " nats\n\n" : "";
  return (T > 1 ? text : "") + mean + "after " + reader.name(ids.back()) + "\n" +
         top_lines(reader, last, wish.top);
}

/// Of a masked model: what stands at each mask token.
base::Result<std::string> masked(const Reader& reader, const std::vector<int>& ids,
                                 const nn::NetworkTrace& trace, const NextWish& wish) {
  std::optional<int> mask;
  for (const char* entry : {"[MASK]", "<mask>"}) {
    if (!mask && reader.tokenizer) mask = reader.tokenizer->id_of(entry);
  }
  std::string text;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    if (!mask || ids[t] != *mask) continue;
    const std::vector<double> row = row_of(trace.logits, static_cast<int>(t), wish.temperature);
    if (!has_any(row)) return no_logit(reader, static_cast<int>(t));
    text += (text.empty() ? "" : "\n") + std::string("at position ") + std::to_string(t) + "\n" +
            top_lines(reader, row, wish.top);
  }
  if (text.empty()) {
    return base::Error{reader.model->name +
                       " is not causal: it predicts masked tokens, and the text has none" +
                       (mask ? "; write " + reader.tokenizer->entry(*mask) + " where one is to be predicted"
                             : std::string())};
  }
  return text;
}

}  // namespace

base::Result<std::string> describe_model(const fs::path& path) {
  const auto reader = open_reader(path);
  if (!reader) return base::Error{reader.error()};
  const models::OpenedModel& model = *reader->model;
  const nn::Network& network = model.network;
  const nn::NetworkLayer& layer = network.layers.front();
  std::string out = model.name + ": " + model.family + "\n";
  const auto line = [&](const char* what, const std::string& words) {
    out += padded(what, 14) + words + "\n";
  };
  line("parameters", views::with_commas(std::llround(model.parameters)) + ", stored as " + model.types);
  line("layers",
       std::to_string(network.layers.size()) + " of " + std::to_string(layer.heads) + " heads" +
           (layer.kv_heads < layer.heads ? " on " + std::to_string(layer.kv_heads) + " key and value heads"
                                         : "") +
           ", head width " + std::to_string(layer.head_dim));
  line("width", std::to_string(network.width) + ", feed-forward " + std::to_string(network.mlp_width));
  line("attention", std::string(network.causal ? "causal" : "in both directions") +
                        (layer.window > 0 ? ", window of " + std::to_string(layer.window) + " keys" : ""));
  line("positions", network.rope.rotary_dim > 0
                        ? "RoPE on " + std::to_string(network.rope.rotary_dim) +
                              " components of a head, base " + views::brief(network.rope.base, 7)
                    : network.positions == nn::PositionKind::table    ? "a learned table"
                    : network.positions == nn::PositionKind::sinusoid ? "sinusoids"
                                                                      : "none");
  if (network.most_tokens > 0) line("longest text", std::to_string(network.most_tokens) + " tokens");
  line("vocabulary", views::with_commas(network.vocabulary) + " tokens");
  line("tokenizer", reader->tokenizer          ? views::with_commas(reader->tokenizer->size()) + " entries"
                    : reader->problem.empty() ? "none beside the weights"
                                              : "cannot be used: " + reader->problem);
  line("weights", model.weights_file.string());
  if (!model.unused.empty()) line("not used", std::to_string(model.unused.size()) + " tensors of the file");
  return out;
}

base::Result<std::string> next_tokens(const NextWish& wish) {
  const auto reader = open_reader(wish.model);
  if (!reader) return base::Error{reader.error()};
  const auto ids = ids_of(*reader, wish.text, wish.ids);
  if (!ids) return base::Error{ids.error()};
  base::Parallel parallel;
  nn::NetworkTrace trace;
  const models::OpenedModel& model = *reader->model;
  const nn::NetworkKeeps keeps{.attentions = false, .states = false, .projections = false};
  if (const auto problem = too_long(model, ids->size(), keeps)) return *problem;
  if (const base::Status done =
          nn::network_forward(model.network, model.weights, {.ids = *ids}, parallel, trace, keeps);
      !done)
    return base::Error{model.path.string() + ": " + done.error()};
  if (trace.logits.empty())
    return base::Error{model.path.string() + " has no head over a vocabulary: it predicts no token"};
  if (!model.network.causal) return masked(*reader, *ids, trace, wish);
  return followers(*reader, *ids, trace, wish);
}

base::Result<std::string> generate_text(const GenerateWish& wish) {
  const auto reader = open_reader(wish.model);
  if (!reader) return base::Error{reader.error()};
  const models::OpenedModel& model = *reader->model;
  if (!nn::has_steps(model.network))
    return base::Error{model.path.string() + ": " + model.family +
                       " cannot write on: it is not causal, or its positions change with the length"};
  auto ids = ids_of(*reader, wish.prompt, wish.ids);
  if (!ids) return base::Error{ids.error()};
  base::Parallel parallel;
  nn::NetworkCache cache;
  nn::NetworkTrace trace;
  const nn::NetworkKeeps keeps{.attentions = false, .states = false, .projections = false};
  if (const auto problem = too_long(model, ids->size(), keeps)) return *problem;
  const nn::Random random(wish.seed, 0);
  const std::size_t given = ids->size();
  std::span<const int> next = *ids;
  std::vector<int> one(1);
  for (int n = 0; n < wish.tokens; ++n) {
    if (n > 0 && model.network.most_tokens > 0 && static_cast<int>(ids->size()) > model.network.most_tokens)
      break;
    if (const base::Status done =
            nn::network_step(model.network, model.weights, next, parallel, cache, trace, keeps);
        !done)
      return base::Error{model.path.string() + ": " + done.error()};
    if (trace.logits.empty())
      return base::Error{model.path.string() + " has no head over a vocabulary: it predicts no token"};
    const auto left = nn::candidates(trace.logits.row(trace.logits.rows() - 1), wish.sampling);
    const int id = nn::drawn(left, random.uniform(static_cast<std::uint64_t>(n)));
    if (id < 0)
      return base::Error{model.path.string() + ": no logit is finite after " + std::to_string(n) + " tokens"};
    if (std::find(model.eos.begin(), model.eos.end(), id) != model.eos.end()) break;
    ids->push_back(id);
    one[0] = id, next = one;
  }
  if (!reader->tokenizer) {
    std::string out;
    for (std::size_t i = 0; i < ids->size(); ++i)
      out += (i == 0 ? "" : i == given ? " | " : " ") + std::to_string((*ids)[i]);
    return out + "\n";
  }
  return reader->tokenizer->decode(*ids, false) + "\n";
}

}  // namespace headlight::app
