// One function for each command. The words have been read and checked; here the work is done.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "scene/results.h"

namespace headlight::app {

/// weights, scores, q, k, v, output, positions
const std::vector<std::string>& export_names();

/// Writes one tensor of the scene's results; the ending of `out` decides the format: .npy, .csv or .json.
/// `note` gets what shortened() says.
base::Status export_tensor(const scene::Scene& scene, const std::string& name,
                           const std::filesystem::path& out, std::string& note);

/// The strongest keys of every query as text, at most `keys` of them, for each head that the scene shows.
std::string describe(const scene::Scene& scene, int keys, std::string& note);

/// One line when the sentence was too long to be used whole, else empty.
std::string shortened(const scene::Results& results);

}  // namespace headlight::app
