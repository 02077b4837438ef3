#include "pages/model/check.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <span>

#include "base/one_line.h"
#include "base/words.h"
#include "dumps/comparison.h"
#include "pages/model/atlas.h"
#include "pages/opened_attention.h"
#include "scene/layer_input.h"
#include "scene/model_file.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

using std::size_t;

/// The positions of the file for the tokens on show; empty: all of them in order. The tokens on show may lack
/// the padding that their batch had.
std::vector<int> positions_of(std::span<const std::uint8_t> visible, int T) {
  std::vector<int> out;
  for (size_t at = 0; at < visible.size(); ++at)
    if (visible[at] != 0) out.push_back(static_cast<int>(at));
  return static_cast<int>(out.size()) == T ? out : std::vector<int>();
}

/// Why the two cannot be compared; empty: they can.
std::string mismatch(const Scene& scene, const dumps::Dump& beside, const std::vector<int>& positions,
                     const Results& results) {
  if (const auto shown = shown_saved_attention(scene)) return dumps::not_comparable(*shown, beside);
  const dumps::DumpShape& s = beside.shape;
  const int heads = results.attention.heads, T = results.attention.T;
  const auto other = shown_other_model(scene);
  const auto model = usable_model(scene);
  const int layers = other ? layers_of(*other) : model ? model->config.layers : 1;
  if (s.layers != layers || s.heads != heads)
    return beside.file + " has " + base::counted(s.layers, "layer") + " of " +
           base::counted(s.heads, "head") + ", the model " + std::to_string(layers) + " of " +
           std::to_string(heads) + ": they cannot be compared";
  if (s.queries != s.keys)
    return beside.file + " has " + std::to_string(s.queries) + " queries and " + std::to_string(s.keys) +
           " keys; the model computes as many as it has tokens";
  if (s.keys == T || !positions.empty()) return {};
  std::string fix = "type the text that it was saved for";
  const auto& ids = beside.tokens.ids;
  if (other && !ids.empty()) {
    constexpr size_t most = 64;  // keeps the message in one line
    const std::vector<int>& list = ids[static_cast<size_t>(shown_sequence(beside, scene))];
    fix = "give its " + base::counted(static_cast<int>(list.size()), "token id") + " as token_ids";
    if (list.size() > most) {
      fix += ": " + beside.tokens.from + " has them";
    } else {
      for (size_t i = 0; i < list.size(); ++i) fix += (i > 0 ? "," : "=") + std::to_string(list[i]);
    }
  }
  return beside.file + " has " + base::counted(s.keys, "position") + ", the text " +
         base::counted(T, "token") + "; " + fix;
}

/// Removes the signs that programs write for a space.
std::string bare(std::string text) {
  for (const char* sign : {"␣", "▁", "Ġ", " ", "##"}) {
    const std::string_view s = sign;
    if (text.starts_with(s)) text.erase(0, s.size());
  }
  return text;
}

/// Names a token of the file that differs from the one on show.
std::string other_tokens(const Scene& scene, const dumps::Dump& beside, int sequence,
                         const std::vector<int>& positions, const Results& results) {
  if (beside.tokens.numbered ||
      (results.opened && results.opened->saved && results.opened->tokens_from.empty()))
    return {};
  const auto at = static_cast<size_t>(sequence);
  const auto other = shown_other_model(scene);
  const std::vector<std::string>& names = beside.tokens.key[at];
  const std::vector<nn::Token>& shown = results.tokens_of_keys();
  for (size_t i = 0; i < std::min(names.size(), shown.size()); ++i) {
    const size_t there = positions.empty() ? i : static_cast<size_t>(positions[i]);
    const bool same = other && !beside.tokens.ids.empty() ? beside.tokens.ids[at][there] == shown[i].piece
                                                          : bare(names[there]) == bare(shown[i].text);
    if (!same)
      return "its tokens differ: token " + std::to_string(i) + " is " + base::in_quotes(names[there]) +
             " there, " + base::in_quotes(shown[i].text) + " here";
  }
  return {};
}

/// Takes over the comparison, with the queries and keys on show.
void take(const dumps::Comparison& comparison, const std::vector<int>& positions, int layers, int heads,
          Check& out) {
  const auto shown = [&](int position) {
    const auto at = std::lower_bound(positions.begin(), positions.end(), position);
    return positions.empty() ? position
                             : static_cast<int>(std::min(at, positions.end() - 1) - positions.begin());
  };
  out.type = comparison.type, out.tolerance = comparison.tolerance, out.storage = comparison.storage;
  out.differences = nn::Matrix(layers, heads);
  for (const dumps::HeadDifference& one : comparison.heads) {
    const dumps::Difference& d = one.largest;
    out.heads.push_back({d.difference, d.a, d.b, one.layer, one.head, shown(d.query), shown(d.key)});
    out.differences.at(one.layer, one.head) = static_cast<float>(d.difference);
  }
  const auto place = [&](const dumps::HeadDifference& one) {
    return static_cast<int>(&one - comparison.heads.data());
  };
  out.largest = out.heads[static_cast<size_t>(place(dumps::largest_of(comparison)))];
  if (const dumps::HeadDifference* first = dumps::first_beyond(comparison)) out.first_beyond = place(*first);
}

base::Status compare(const Scene& scene, const dumps::Dump& beside, int sequence, base::Parallel& parallel,
                     const Progress& progress, const Results& results, std::span<const std::uint8_t> visible,
                     dumps::Comparison& comparison) {
  if (const auto shown = shown_saved_attention(scene)) {
    const int own = shown_sequence(*shown, scene);
    for (int layer = 0; layer < beside.shape.layers; ++layer) {
      if (progress && !progress(static_cast<float>(layer) / static_cast<float>(beside.shape.layers)))
        return base::Error{given_up};
      const auto rows = [&](int l, int, int head, int first, int count, std::span<double> to) {
        return shown->rows(l, own, head, first, count, to);
      };
      const base::Status done =
          dumps::compare_layer(beside, layer, sequence, sequence + 1, rows, true, visible, comparison.heads);
      if (!done) return done;
    }
    return {};
  }
  return for_each_layer(
      scene, parallel, progress, results,
      [&](int layer, const nn::Matrix& weights) {
        const auto rows = [&](int, int, int head, int first, int count, std::span<double> to) {
          for (int r = 0; r < count; ++r) {
            const auto row = weights.row(head, first + r);
            if (!std::all_of(row.begin(), row.end(), [](float weight) { return std::isfinite(weight); }))
              return base::Status(
                  base::Error{"weights of the model are not finite: layer " + std::to_string(layer + 1) +
                              ", head " + std::to_string(head + 1) + ", query " + std::to_string(first + r)});
            std::copy(row.begin(), row.end(), to.begin() + static_cast<std::ptrdiff_t>(r) * weights.cols());
          }
          return base::Status();
        };
        return dumps::compare_layer(beside, layer, sequence, sequence + 1, rows, true, visible,
                                    comparison.heads);
      },
      visible);
}

/// The last check, with what it was computed for: choosing another head or query does not repeat it.
struct KeptCheck {
  std::mutex mutex;
  std::string key;
  std::weak_ptr<const TrainedModel> shown, beside;
  std::shared_ptr<const Check> check;
};
KeptCheck& kept_check() {
  static KeptCheck kept;
  return kept;
}

/// Identifies the attention on show and its tokens.
std::string key_of(const Scene& scene, const Results& results) {
  std::string out = scene.model.beside + "\n" + scene.weights_file + "\n" + results.weights_source + "\n" +
                    std::to_string(scene.saved_sequence) + " ";
  for (const nn::Token& token : results.tokens) out += std::to_string(token.piece) + token.text + "\n";
  return out;
}

}  // namespace

std::shared_ptr<const Check> compute_check(const Scene& scene, base::Parallel& parallel,
                                           const Progress& progress, const Results& results) {
  const std::string& path = scene.model.beside;
  if (path.empty() || results.attention.T == 0) return nullptr;
  auto out = std::make_shared<Check>();
  const LoadedModel loaded = model_at(path);
  if (!loaded) {
    out->problem = loaded.error();
    return out;
  }
  const dumps::Dump* beside = (*loaded)->saved.get();
  if (!beside) {
    out->problem = path + " is a model; a file of saved attention is expected";
    return out;
  }
  // The results of Headlight's own models depend on the scene's settings, so they are not kept.
  const bool keeps = shown_other_model(scene) || shown_saved_attention(scene);
  const std::string key = key_of(scene, results);
  const auto whose = model_of(scene);
  KeptCheck& kept = kept_check();
  if (keeps) {
    const std::lock_guard lock(kept.mutex);
    if (kept.check && kept.key == key && kept.beside.lock() == *loaded && kept.shown.lock() == *whose)
      return kept.check;
  }
  out->name = beside->path.filename().string();
  const auto shown = shown_saved_attention(scene);
  const int sequence = shown_sequence(*beside, scene);
  std::vector<std::uint8_t> visible;  // empty: all; files are compared with each other as they are
  base::Status done;
  if (shown_other_model(scene)) {
    auto found = dumps::visible_positions(*beside, sequence);
    if (found) visible = std::move(*found);
    if (!found) done = base::Error{found.error()};
  }
  const bool padded = beside->shape.keys != results.attention.T;
  const std::vector<int> positions = padded ? positions_of(visible, results.attention.T) : std::vector<int>();
  out->problem = mismatch(scene, *beside, positions, results);
  if (!out->problem.empty()) return out;
  dumps::Comparison comparison =
      dumps::comparison_in(shown ? dumps::rougher(*shown, *beside) : beside->precision);
  if (done) done = compare(scene, *beside, sequence, parallel, progress, results, visible, comparison);
  if (!done) {
    out->problem = done.error();
    return out;
  }
  take(comparison, positions, beside->shape.layers, beside->shape.heads, *out);
  out->left_out = dumps::padding_words(visible);
  if (!out->left_out.empty() && positions.empty())
    out->left_out += "; here they are masked, in the maps of the page they are not";
  out->other_tokens = other_tokens(scene, *beside, sequence, positions, results);
  if (keeps) {
    const std::lock_guard lock(kept.mutex);
    kept.key = key, kept.shown = *whose, kept.beside = *loaded, kept.check = out;
  }
  return out;
}

double check_work(const Scene& scene) {
  return scene.model.beside.empty() ? 0 : 1e10;
}

}  // namespace headlight::scene
