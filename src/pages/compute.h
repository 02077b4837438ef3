// Computes the results of a scene: tokenizes, embeds, adds positions, attends and summarizes. The window
// and the command line both use it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/parallel.h"
#include "scene/inputs.h"
#include "scene/progress.h"
#include "scene/results.h"

namespace headlight::scene {

struct EarlyMap;  // scene/preview.h
/// Receives the map of the heads on show as soon as it is computed; any thread may call it.
using ShowEarly = std::function<void(std::shared_ptr<const EarlyMap>)>;

/// A function of its inputs: equal inputs have equal results, and no file is opened. `reuse` may hold old
/// Results whose buffers are taken over. Null when cancelled. Every valid scene has results; when a model of
/// another program cannot be used, `failure` says why. T is 0 for an empty sentence.
std::shared_ptr<Results> compute(const Inputs& inputs, base::Parallel& parallel, const Progress& progress,
                                 std::shared_ptr<Results> reuse = nullptr, const ShowEarly& early = {});

/// The same for the scene and the models that it names as they are now: at hand (scene/model_file.h), or read
/// from their files. For the command line and tests, which may wait for a file.
std::shared_ptr<Results> compute_now(const Scene& scene, base::Parallel& parallel, const Progress& progress,
                                     std::shared_ptr<Results> reuse = nullptr, const ShowEarly& early = {});

/// "12 values of the attention are not finite …". Empty when all are finite, or when the model's own
/// weights are not finite and the model has reported that.
std::string nonfinite_words(const Results& results);

/// Frees what is kept of the last passes through models of other programs. Call it when no such model is
/// shown any more.
void forget_opened();

/// The settings that affect the results, as text: scenes with equal keys have equal results.
std::string key(const Scene& scene);

/// A rough estimate of the time that compute() takes, in multiplications of the forward pass (about 100 per
/// nanosecond). It decides whether compute() fits into a frame: up to work_in_a_frame it does, which is
/// enough for T = 256 at d = 256. What is kept from an earlier call costs nothing, so the same scene may be
/// cheaper the next time.
double work(const Scene& scene, int tokens);
inline constexpr double work_in_a_frame = 1.2e9;

}  // namespace headlight::scene
