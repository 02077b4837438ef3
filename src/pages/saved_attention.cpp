#include "pages/saved_attention.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/numbers.h"
#include "pages/opened_attention.h"

namespace headlight::scene {

namespace {

using std::size_t;

constexpr double most_bytes = 1 << 30;

/// There are keys after the diagonal, which ends at the last key, but no weight on them.
bool no_later_key(const nn::Matrix& weights) {
  const int T = weights.rows(), S = weights.cols();
  if (T < 2 || S < T) return false;
  for (int head = 0; head < weights.depth(); ++head) {
    for (int t = 0; t + 1 < T; ++t) {
      const auto row = weights.row(head, t).subspan(static_cast<size_t>(t + S - T + 1));
      if (std::any_of(row.begin(), row.end(), [](float w) { return w != 0; })) return false;
    }
  }
  return true;
}

bool reads_nothing(const nn::Matrix& weights, int query) {
  for (int head = 0; head < weights.depth(); ++head) {
    const auto row = weights.row(head, query);
    if (std::any_of(row.begin(), row.end(), [](float w) { return w != 0; })) return false;
  }
  return true;
}

/// Sets q and k of all heads side by side, and the maximum and the sum of every row's exponentials.
base::Status take_vectors(const dumps::Dump& dump, int layer, int sequence, base::Parallel& parallel,
                          nn::AttentionTrace& trace) {
  const int d = dump.width();
  trace.d_k = d, trace.scale = static_cast<float>(dump.scale);
  trace.q.resize(trace.T, trace.heads * d), trace.k.resize(trace.S, trace.heads * d);
  std::vector<double> q(static_cast<size_t>(trace.T) * static_cast<size_t>(d)),
      k(static_cast<size_t>(trace.S) * static_cast<size_t>(d));
  const auto put = [d](const std::vector<double>& from, int head, nn::Matrix& to) {
    for (int t = 0; t < to.rows(); ++t) {
      for (int c = 0; c < d; ++c)
        to.at(t, head * d + c) = static_cast<float>(
            from[static_cast<size_t>(t) * static_cast<size_t>(d) + static_cast<size_t>(c)]);
    }
  };
  for (int head = 0; head < trace.heads; ++head) {
    if (const base::Status read = dump.vectors(layer, sequence, head, q, k); !read) return read;
    put(q, head, trace.q), put(k, head, trace.k);
  }
  sum_rows(nn::attention_scores(trace, nullptr, parallel), parallel, trace);
  return {};
}

std::shared_ptr<const OpenedLayer> described(const dumps::Dump& dump, int layer, int sequence) {
  OpenedLayer out;
  out.name = dump.path.filename().string(), out.family = "saved attention";
  out.layer = layer, out.layers = dump.shape.layers;
  out.kv_heads = dump.shape.heads;
  out.scale = dump.scale, out.causal = dump.causal;
  out.tokenizer = false, out.saved = true;
  out.stored = dump.type, out.tokens_from = dump.tokens.numbered ? std::string() : dump.tokens.from;
  out.sequence = sequence, out.sequences = dump.shape.batch;
  return std::make_shared<const OpenedLayer>(std::move(out));
}

}  // namespace

base::Result<SavedLayer> saved_layer(const dumps::Dump& dump, int layer, int sequence,
                                     const Progress& progress) {
  const dumps::DumpShape& s = dump.shape;
  if (const double bytes = 4.0 * s.heads * s.queries * s.keys; bytes > most_bytes)
    return base::Error{dump.file + ": a layer of " + std::to_string(s.heads) + " heads, " +
                       base::with_commas(s.queries) + " queries and " + base::with_commas(s.keys) +
                       " keys takes more than 1 GiB here; save fewer tokens"};
  SavedLayer out;
  out.weights.resize(s.heads, s.queries, s.keys);
  std::vector<double> rows;
  const int at_once = dump.rows_at_once();
  for (int head = 0; head < s.heads; ++head) {
    if (progress && !progress(static_cast<float>(head) / static_cast<float>(s.heads)))
      return base::Error{given_up};
    for (int first = 0; first < s.queries; first += at_once) {
      const int now = std::min(at_once, s.queries - first);
      rows.resize(static_cast<size_t>(now) * static_cast<size_t>(s.keys));
      if (const base::Status read = dump.rows(layer, sequence, head, first, now, rows); !read)
        return base::Error{read.error()};
      std::transform(rows.begin(), rows.end(), out.weights.row(head, first).data(),
                     [](double weight) { return static_cast<float>(weight); });
    }
  }
  out.causal = !dump.computed && no_later_key(out.weights);
  const bool masked = dump.computed ? dump.causal : out.causal;
  for (int t = 0; t < s.queries; ++t) {
    const int end = masked ? std::clamp(t + s.keys - s.queries + 1, 0, s.keys) : s.keys;
    out.allowed.push_back({0, !dump.computed && reads_nothing(out.weights, t) ? 0 : end});
  }
  return out;
}

base::Status attend_saved(const Scene& scene, const dumps::Dump& dump, base::Parallel& parallel,
                          const Progress& progress, Results& results) {
  forget_opened_layer();
  const int layer = shown_layer(dump, scene), sequence = shown_sequence(dump, scene);
  auto read =
      saved_layer(dump, layer, sequence, [&](float part) { return !progress || progress(0.7f * part); });
  if (!read) return base::Error{read.error()};
  results.attention = {};
  nn::AttentionTrace& trace = results.attention;
  trace.T = dump.shape.queries, trace.S = dump.shape.keys, trace.heads = dump.shape.heads;
  trace.weights = std::move(read->weights), trace.allowed = std::move(read->allowed);
  if (dump.computed) {
    if (const base::Status vectors = take_vectors(dump, layer, sequence, parallel, trace); !vectors)
      return vectors;
  }
  SavedTokens tokens = tokens_of(dump, sequence);
  results.tokens = std::move(tokens.queries), results.key_tokens = std::move(tokens.keys);
  results.tokens_in_sentence = results.tokens.size();
  results.tokens_are = nn::VocabularyKind::pieces;
  results.x.resize(0, 0);
  results.forward_ms = 0;
  results.opened = described(dump, layer, sequence);
  results.weights_source = results.opened->name + " (saved attention, " + dump.type + ")";
  results.weights = nullptr, results.pairs = nullptr;
  results.options = {};
  results.options.heads = trace.heads;
  results.options.divide_by_sqrt_d_k =
      dump.computed && std::abs(dump.scale * std::sqrt(double(dump.width())) - 1) < 1e-9;
  results.options.custom_scale = dump.scale;
  for (const std::string& remark : dump.remarks) results.remarks.push_back(remark);
  if (read->causal)
    results.remarks.push_back("no weight on later keys in this layer: they are drawn as masked");
  return {};
}

double saved_work(const dumps::Dump& dump) {
  constexpr double weight = 900,
                   product = 3;  // reading, widening, logarithm and sums; a multiplication in double
  const double weights = double(dump.shape.heads) * dump.shape.queries * dump.shape.keys;
  return weights * (weight + product * dump.width());
}

}  // namespace headlight::scene
