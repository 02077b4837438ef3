#include "pages/compute.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>

#include "base/numbers.h"
#include "models/opened_model.h"
#include "nn/weights.h"
#include "pages/opened_attention.h"
#include "pages/opened_changes.h"
#include "pages/page.h"
#include "pages/position/concatenated.h"
#include "pages/position/microscope.h"
#include "pages/saved_attention.h"
#include "scene/field_values.h"
#include "scene/guide_remark.h"
#include "scene/layer_input.h"
#include "scene/model_answers.h"
#include "scene/model_file.h"
#include "scene/nearest.h"
#include "scene/other_model.h"
#include "scene/preview.h"
#include "scene/settings.h"
#include "scene/shown.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

// Measured, in multiplications of the forward pass: the cost of a random number, and the extra cost of each
// weight (its exponential, entropy, score variance, mean and maximum).
constexpr double draw_cost = 600, weight_cost = 800;

/// Sets the results for no tokens: every tensor is empty, with as many heads as the scene says.
void clear_attention(const Scene& scene, Results& results) {
  results.x.resize(0, input_width(scene));
  results.attention = {};
  results.weights = nullptr;
  results.attention.heads = scene.heads;
  results.attention.d_k = results.attention.d_v = scene.d_model / scene.heads;
  results.heads.assign(static_cast<std::size_t>(scene.heads), {});
  results.mean.resize(0, 0);
  results.max.resize(0, 0);
  results.head_counts.clear();
  results.mean_counts = results.max_counts = {};
  results.head_received.clear();
  results.mean_received.clear(), results.max_received.clear(), results.mean_entropy_bits.clear();
  results.nonfinite = 0;
  results.forward_ms = 0;
}

/// Finds the largest finite |element| of every matrix of the layer.
void measure_matrices(Results& results) {
  for (std::size_t i = 0; i < results.matrix_largest.size(); ++i) {
    float largest = 0;
    if (const nn::Matrix* m = results.matrix(static_cast<LayerMatrix>(i))) {
      for (const float value : m->values()) {
        const float size = std::abs(value);
        if (size > largest && std::isfinite(size)) largest = size;
      }
    }
    results.matrix_largest[i] = largest;
  }
}

nn::WeightCounts counts_of(const nn::Matrix& map, const nn::AttentionTrace& trace, base::Parallel* parallel) {
  return nn::count_weights(map.data(), map.rows(), map.cols(), trace.allowed, parallel);
}

/// The map of the heads on show, from a trace in which they are finished.
std::shared_ptr<const EarlyMap> early_map(const Results& results, const nn::AttentionTrace& trace,
                                          base::Parallel* parallel) {
  auto map = std::make_shared<EarlyMap>();
  map->version = results.version | std::uint64_t(1) << 62;  // a different picture from that of the results
  map->heads = heads_on_show(results.scene, trace.heads);
  map->combine = results.scene.combine;
  map->allowed = trace.allowed;
  map->weights = map_on_show(results.scene, trace, parallel);
  map->counts = counts_of(map->weights, trace, parallel);
  return map;
}

/// Summarizes the heads from the finished attention.
void sum_up(base::Parallel& parallel, Results& results) {
  results.heads = results.attention.q.empty() ? nn::summarize_weights(results.attention, parallel)
                                              : nn::summarize_heads(results.attention, parallel);
  std::vector<int> all(results.heads.size());
  std::iota(all.begin(), all.end(), 0);
  results.mean = nn::mean_of_heads(results.attention, all, &parallel);
  results.max = nn::max_of_heads(results.attention, all, &parallel);
  const nn::AttentionTrace& trace = results.attention;
  results.head_counts.clear();
  results.head_received.assign(all.size(), {});
  for (const int head : all)
    results.head_counts.push_back(
        nn::count_weights(trace.weights.plane(head), trace.T, trace.S, trace.allowed, &parallel));
  results.mean_counts = counts_of(results.mean, trace, &parallel);
  results.max_counts = counts_of(results.max, trace, &parallel);
  parallel.run(trace.heads + 2, [&](int map) {
    const auto head = static_cast<std::size_t>(map);
    if (map < trace.heads)
      results.head_received[head] = nn::column_sums(trace.weights.plane(map), trace.T, trace.S);
    else if (map == trace.heads)
      results.mean_received = nn::column_sums(results.mean.data(), trace.T, trace.S);
    else
      results.max_received = nn::column_sums(results.max.data(), trace.T, trace.S);
  });
  results.mean_entropy_bits = nn::row_entropies(results.mean, &parallel);
  results.nonfinite = nn::count_nonfinite(results.attention);
  measure_matrices(results);
}

/// Forward pass and its summaries; false when cancelled.
bool attend(const Scene& scene, base::Parallel& parallel, const Progress& progress, const ShowEarly& early,
            Results& results) {
  auto keep_going = [&](float done) { return !progress || progress(done); };
  results.x = joined(layer_input(scene, results.tokens, parallel));
  const auto weights = layer_weights(scene);
  const auto packed = packed_weights(weights, results.options.heads, parallel);
  if (!keep_going(0.1f)) return false;

  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  // Checked here, so that the next typed character need not wait for the end of the pass.
  bool wanted = true;
  const auto stage = [&](float done) { return wanted = keep_going(0.1f + 0.4f * done); };
  results.weights = weights;
  // When only some heads are on show, they are computed first, and their map need not wait for the others.
  nn::FirstHeads first;
  const std::vector<int> shown = heads_on_show(scene, scene.heads);
  if (early && static_cast<int>(shown.size()) < scene.heads) {
    first.heads = shown;
    first.done = [&](const nn::AttentionTrace& trace) { early(early_map(results, trace, nullptr)); };
  }
  nn::AttentionOptions options = results.options;
  options.packed = packed.get();
  nn::attention_forward(results.x, results.x, *weights, options, parallel, results.attention, stage, first);
  if (!wanted) return false;
  results.forward_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  if (!keep_going(0.5f)) return false;
  if (early && first.heads.empty()) early(early_map(results, results.attention, &parallel));

  sum_up(parallel, results);
  return keep_going(0.8f);
}

/// "small English, 2 layers, 4 heads, sinusoidal positions, step 6000"; of a model of a text also that it was
/// trained on it: "dictionary, trained on wordnet.txt, 4 layers, …".
std::string trained_words(const Scene& scene, const TrainedModel& model) {
  const std::string words = shown_text(model.title);
  constexpr std::string_view text = "text ";
  if (model.task != word(TrainingTask::text) || !words.starts_with(text)) return words;
  const std::string trained = "trained on " + words.substr(text.size());
  return is_included_model(scene.weights_file) ? scene.weights_file + ", " + trained : trained;
}

/// Names the source of the weights, and says why the chosen source is not used.
void name_weights(const Scene& scene, Results& results) {
  results.model = usable_model(scene);
  results.weights_problem.clear();
  if (results.model) {
    results.weights_source = trained_words(scene, *results.model);
    return;
  }
  results.weights_source = "random weights, seed " + std::to_string(scene.seed);
  if (scene.weights == WeightsSource::random) return;
  const auto model = model_of(scene);
  if (model && *model && ((*model)->other || (*model)->saved))
    return;  // remark_on_model() says what is shown of it
  results.weights_problem = model ? "d and heads differ from those of the model" : model.error();
}

/// "“lion”, “moon” are not in the model's vocabulary …"; empty when all tokens are known.
std::string unknown_words(const Results& results) {
  constexpr int most_named = 3;
  const std::string vocabulary = "not in the model’s vocabulary of " +
                                 std::to_string(results.model ? results.model->encoder->size() : 0) +
                                 " entries: ";
  const std::size_t count = results.tokens.size();
  std::size_t without = 0;
  for (std::size_t t = 0; t < count; ++t) without += results.unknown(static_cast<int>(t)) ? 1 : 0;
  // When the model does not know half of the tokens or more, there is little to see but positions.
  if (without > 1 && 2 * without >= count)
    return std::to_string(without) + " of " + std::to_string(count) + " tokens are " + vocabulary +
           "to it they are one token, <unknown>. “" + any_word_model + "” accepts any word";
  std::vector<std::string> unknown;
  for (std::size_t t = 0; t < count; ++t) {
    std::string name = in_quotes(results.tokens[t].text);
    name = "“" + name.substr(1, name.size() - 2) + "”";  // as the page writes words
    if (results.unknown(static_cast<int>(t)) &&
        std::find(unknown.begin(), unknown.end(), name) == unknown.end())
      unknown.push_back(name);
  }
  if (unknown.empty()) return {};
  std::string names;
  for (std::size_t i = 0; i < unknown.size() && i < most_named; ++i)
    names += (i > 0 ? ", " : "") + unknown[i];
  if (unknown.size() > most_named) names += " and " + std::to_string(unknown.size() - most_named) + " more";
  return names + (unknown.size() == 1 ? " is " : " are ") + vocabulary + "treated as <unknown>";
}

/// "Attention, Model or Compare": the first three pages with this trait.
std::string first_titles(unsigned trait) {
  std::vector<const char*> titles;
  for (const PageRoom* room : rooms()) {
    if (titles.size() < 3 && has_trait(room->page, trait)) titles.push_back(room->title);
  }
  std::string out;
  for (const char* title : titles)
    out += (out.empty() ? "" : title == titles.back() ? " or " : ", ") + std::string(title);
  return out;
}

/// Sets Results::instead for the open page.
std::string shown_instead(const Scene& scene, const Results& results) {
  const PageRoom& room = room_of(scene.page);
  const bool reads = room.uses(scene).model != PageUses::Model::none;
  const std::string begin =
      "This page shows " + (reads ? "the typed sentence with " + results.weights_source
                                  : "sinusoids of width " + std::to_string(scene.d_model));
  if (const auto saved = saved_attention(scene);
      saved && !shows_saved_attention(scene.page) && (reads || room.uses(scene).model_positions)) {
    const std::string name = shown_text(saved->path.filename().string());
    return begin + ": " + name + " holds no model. Open its model, or choose " +
           first_titles(page_traits::saved) + ".";
  }
  if (const auto other = other_model(scene); other && !shows_other_models(scene.page) && reads) {
    const std::string name = shown_text(other->model->name);
    return begin + ": " + (room.not_of_opened ? name + " " + room.not_of_opened : "it cannot show " + name) +
           ". Choose " + first_titles(page_traits::opened) + " for " + name + ".";
  }
  return {};
}

/// Remarks on the tokens, on the model's training and answers, and on uses of the model beyond its
/// training.
void remark_on_model(const Scene& scene, base::Parallel& parallel, Results& results) {
  results.remarks.clear(), results.answers.clear();
  results.guide = {};
  results.tokens_are =
      scene.tokenizer == Tokenizer::chars ? nn::VocabularyKind::chars : nn::VocabularyKind::words;
  results.instead = shown_instead(scene, results);
  if (!results.instead.empty()) results.remarks.push_back(results.instead);
  if (!results.model) return;
  if (const nn::Guide& guide = results.model->guide; guide.weight > 0) {
    results.guide = {guide.layer, guide.head, guide.weight};
    results.remarks.push_back(guide_remark(results.guide));
  }
  results.answers = model_answers(*results.model, results.tokens, parallel);
  const auto quoted = [](std::string_view token) { return "“" + base::shortened(token) + "”"; };
  for (const ModelAnswer& answer : results.answers) {
    const bool here = std::any_of(results.tokens.begin(), results.tokens.end(),
                                  [&](const nn::Token& token) { return token.text == answer.text; });
    results.remarks.push_back(
        "the model’s answer at " + quoted(results.tokens[static_cast<std::size_t>(answer.query)].text) + " " +
        std::to_string(answer.query) + ": " + quoted(answer.text) + ", probability " +
        base::weight_text(answer.probability, 3) + (here ? "" : ", a word that is not in the sentence"));
  }
  results.tokens_are = results.model->encoder->vocabulary().kind;
  if (!results.model->not_finite.empty())
    results.remarks.push_back("the model: " + results.model->not_finite);
  if (const std::string words = unknown_words(results); !words.empty()) results.remarks.push_back(words);
  const int context = results.model->config.context;
  if (results.tokens_in_sentence > static_cast<std::size_t>(context))
    results.remarks.push_back("the model was trained on up to " + std::to_string(context) +
                              " tokens; this sentence has " + std::to_string(results.tokens_in_sentence));
  const int rows = results.model->weights.wpe.rows();  // 0: no table
  const bool added = scene.position != Position::none && scene.position_scale != 0;
  if (rows > 0 && added && scene.position_offset + static_cast<int>(results.tokens.size()) > rows)
    results.remarks.push_back("the model’s table of positions ends at " + std::to_string(rows - 1) +
                              ": its last row is used for all later positions");
}

}  // namespace

std::shared_ptr<Results> compute(const Inputs& inputs, base::Parallel& parallel, const Progress& progress,
                                 std::shared_ptr<Results> reuse, const ShowEarly& early) {
  const Scene& scene = inputs.scene;
  const UseModels given(&inputs.models, UseModels::Others::refused);
  static std::atomic<std::uint64_t> versions{0};
  // Buffers that somebody else still uses are not reused.
  std::shared_ptr<Results> results = reuse.use_count() == 1 ? std::move(reuse) : std::make_shared<Results>();
  results->version = ++versions;
  results->scene = scene;
  results->opened = nullptr, results->failure.clear();
  const auto other = shown_other_model(scene);
  const auto saved = shown_saved_attention(scene);
  const bool opened = other || saved;
  // The file may have been replaced since the scene was checked, and the new one may have fewer heads.
  base::Status sound = check(scene);
  if (sound) sound = check_heads(scene);
  HEADLIGHT_CHECK(sound || opened);
  results->tokens =
      opened ? std::vector<nn::Token>() : tokens_of(scene, &results->known, &results->tokens_in_sentence);
  results->key_tokens.clear();
  name_weights(scene, *results);
  if (opened) results->known.clear();
  const auto most = static_cast<std::size_t>(max_tokens(scene.heads));
  if (results->tokens.size() > most) results->tokens.resize(most);
  results->known.resize(std::min(results->known.size(), results->tokens.size()));
  remark_on_model(scene, parallel, *results);
  results->options = layer_options(scene, static_cast<int>(results->tokens.size()), results->pairs);
  if (progress && !progress(0)) return nullptr;

  if (other) {
    base::Status shown = sound ? attend_opened(scene, *other, parallel, progress, *results) : sound;
    // Pages that compute nothing themselves share these results.
    const PageRoom& room = room_of(scene.page);
    if (shown && (!room.compute || room.uses(scene).scores))
      shown = change_opened(scene, *other, parallel, *results);
    if (!shown) {
      if (shown.error() == given_up) return nullptr;
      const bool nothing = scene.sentence.empty() && scene.token_ids.empty();  // no tokens, but no error
      if (!nothing) results->failure = shown.error();
      results->tokens.clear();
    }
  }
  if (saved) {
    const base::Status shown = sound ? attend_saved(scene, *saved, parallel, progress, *results) : sound;
    if (!shown) {
      if (shown.error() == given_up) return nullptr;
      results->failure = shown.error();
      results->tokens.clear();
    }
  }
  if (opened && !results->tokens.empty()) {
    if (!results->opened->changed.empty())
      results->remarks.push_back("changed, not the model’s own: " + results->opened->changed);
    sum_up(parallel, *results);
  } else if (results->tokens.empty()) {
    clear_attention(scene, *results);
  } else if (!attend(scene, parallel, progress, early, *results)) {
    return nullptr;
  }
  if (!look_at_positions(scene, results->attention.T, parallel, progress, results->position)) return nullptr;
  results->concatenated = opened ? nullptr : concatenate(scene, results->tokens, parallel);
  results->own = nullptr;
  if (const PageRoom& room = room_of(scene.page); room.compute) {
    const auto rest = [&](float done) { return !progress || progress(0.8f + 0.2f * done); };
    room.compute(scene, parallel, rest, *results);
  }
  if (progress && !progress(1)) return nullptr;
  return results;
}

std::shared_ptr<Results> compute_now(const Scene& scene, base::Parallel& parallel, const Progress& progress,
                                     std::shared_ptr<Results> reuse, const ShowEarly& early) {
  const OneModel models(scene, OneModel::Compared::read);
  return compute({scene, models}, parallel, progress, std::move(reuse), early);
}

void forget_opened() {
  forget_opened_layer();
  for (const PageRoom* room : rooms()) {
    if (room->forget) room->forget();
  }
}

std::string nonfinite_words(const Results& results) {
  if (results.nonfinite == 0 || (results.model && !results.model->not_finite.empty())) return {};
  return std::to_string(results.nonfinite) +
         (results.nonfinite == 1 ? " value of the attention is" : " values of the attention are") +
         " not finite: the scores are too large for single precision";
}

std::string key(const Scene& scene) {
  // The results of pages that compute nothing themselves do not depend on the page.
  const PageRoom& room = room_of(scene.page);
  std::string text = room.compute ? std::string("page=") + word(scene.page) + ' ' : "";
  if (shown_other_model(scene)) text += "opened ";
  if (shown_saved_attention(scene)) text += "saved ";
  if (room.uses(scene).shown_head) text += "head=" + get_field(scene, "head") + ' ';
  if (room.uses(scene).shown_query) text += "query=" + get_field(scene, "query") + ' ';
  if (room.uses(scene).shown_key) text += "key=" + get_field(scene, "key") + ' ';
  for (const Setting& one : settings()) {
    if (!one.field.computes) continue;
    const std::string value = one.text(scene);
    text += one.field.name;
    text += '=' + std::to_string(value.size()) + ':' + value + ' ';
  }
  return text;
}

double work(const Scene& scene, int tokens) {
  const PageRoom& room = room_of(scene.page);
  if (const auto other = shown_other_model(scene))
    return opened_work(scene, *other, tokens) + position_work(scene) +
           (room.work ? room.work(scene, tokens) : 0);
  if (const auto saved = shown_saved_attention(scene))
    return saved_work(*saved) + position_work(scene) + (room.work ? room.work(scene, tokens) : 0);
  const double T = std::min(tokens, max_tokens(scene.heads)), d = scene.d_model, d_in = input_width(scene);
  const double elements = (3 * d_in + d) * d;
  const double drawn = weights_at_hand(scene) ? 0 : draw_cost * elements;
  const double attended = 2 * T * T * d + weight_cost * T * T * scene.heads;
  return drawn + work_before(scene, T) + T * elements + attended + position_work(scene) +
         concatenate_work(scene) + (room.work ? room.work(scene, static_cast<int>(T)) : 0);
}

}  // namespace headlight::scene
