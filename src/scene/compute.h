// From a scene to its results: tokenize, embed, add positions, attend, sum up. The only place that calls nn
// for the window and for the command line alike.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/parallel.h"
#include "scene/results.h"

namespace headlight::scene {

/// Reports a fraction done, 0 … 1; returns false when the work is no longer wanted.
using Progress = std::function<bool(float)>;

struct EarlyMap;  // preview.h
/// Takes the map of the heads on show as soon as it is there; may be called by any thread.
using ShowEarly = std::function<void(std::shared_ptr<const EarlyMap>)>;

/// `reuse` may hold an old Results whose buffers are taken over. Null when cancelled. Never fails: every
/// valid scene has results. An empty sentence has T = 0.
std::shared_ptr<Results> compute(const Scene& scene, base::Parallel& parallel, const Progress& progress,
                                 std::shared_ptr<Results> reuse = nullptr, const ShowEarly& early = {});

/// "12 values of the attention are not finite …" where the model's own weights are; empty where all is well,
/// or where the model has told.
std::string nonfinite_words(const Results& results);

/// Equal keys have equal results: the fields that compute, as text.
std::string key(const Scene& scene);

/// How many tokens are used for so many heads: all weights within 1 GiB, and at most 8192.
int max_tokens(int heads);

/// A rough count of the forward pass's multiplications (about 100 a nanosecond) that take as long as
/// compute(), to decide whether that fits into a frame: up to work_in_a_frame does, which takes T = 256 at d
/// = 256 in. What is known from before costs nothing: the same scene asked again may be cheaper.
double work(const Scene& scene, int tokens);
inline constexpr double work_in_a_frame = 1.2e9;

/// Number of tokens of the scene's sentence.
std::size_t count_tokens(const Scene& scene);

/// The attention options that the scene asks for.
nn::AttentionOptions attention_options(const Scene& scene);

/// The heads, 0-based, that the Attention page shows of so many: those that the scene names, or all.
std::vector<int> heads_on_show(const Scene& scene, int heads);

/// [T, S] the map of these: the one head's own, or their mean or largest, as the scene says; empty without
/// tokens.
nn::Matrix map_on_show(const Scene& scene, const nn::AttentionTrace& trace,
                       base::Parallel* parallel = nullptr);

/// The heads, 0-based, that the opened cell is of: on the Attention page one, or those that the map combines;
/// the first of them on the pages that show one head.
std::vector<int> heads_of_cell(const Scene& scene, int heads);

/// The opened key of a query: the pinned one, or the strongest of those heads, combined as the scene says; −1
/// where there is none.
int opened_key(const Scene& scene, const Results& results, int query);

/// Arithmetic of the pinned cell (last query; its strongest key when none is pinned): of the head that is
/// shown, or of the one compared head whose map was clicked; of several, their mean or largest. Null without
/// tokens or without a pinned query.
std::shared_ptr<const nn::CellTrace> explain_pinned(const Scene& scene, const Results& results);

}  // namespace headlight::scene
