// From a scene to its results: tokenize, embed, add positions, attend, sum up. The one way to
// results, for the window and for the command line alike.
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
/// Takes the map of the heads on show as soon as it is there; may be called by any thread.
using ShowEarly = std::function<void(std::shared_ptr<const EarlyMap>)>;

/// `reuse` may hold an old Results whose buffers are taken over. Null when cancelled. Every valid scene has
/// results; where a model of another program cannot be used, `failure` says why. An empty sentence has T = 0.
std::shared_ptr<Results> compute(const Inputs& inputs, base::Parallel& parallel, const Progress& progress,
                                 std::shared_ptr<Results> reuse = nullptr, const ShowEarly& early = {});

/// "12 values of the attention are not finite …" where the model's own weights are; empty where all is well,
/// or where the model has told.
std::string nonfinite_words(const Results& results);

/// Of models of other programs large parts of the last pass are kept. Frees them: for who shows none any
/// more.
void forget_opened();

/// Equal keys have equal results: the fields that compute, as text.
std::string key(const Scene& scene);

/// A rough count of the forward pass's multiplications (about 100 a nanosecond) that take as long as
/// compute(), to decide whether that fits into a frame: up to work_in_a_frame does, which takes T = 256 at d
/// = 256 in. What is known from before costs nothing: the same scene asked again may be cheaper.
double work(const Scene& scene, int tokens);
inline constexpr double work_in_a_frame = 1.2e9;

}  // namespace headlight::scene
