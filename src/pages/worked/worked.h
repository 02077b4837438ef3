// The Worked example page: X, the projections, and every number from them to the output. Its settings are in
// settings.h. Tested in tests/scene/worked_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "nn/attention.h"
#include "pages/worked/settings.h"
#include "scene/page_results.h"

namespace headlight::scene {

struct Scene;
struct Results;

/// Printed numbers for one row of the weights, and their distance from the computed ones.
struct WorkedPrinted {
  int row = 0;
  std::string by;               // "its code prints"
  std::vector<double> numbers;  // [T]
  double gap = 0;               // largest |printed − computed|
  bool agrees = false;          // within half a unit of its last decimal
};

/// Everything from X to the output, by the same forward pass as on the Attention page. T is at most
/// worked_most_tokens, every width at most worked_most_width.
struct WorkedResults : PageResults {
  /// Why the scene's matrices are not used, one line: those below are then the last valid ones, or the
  /// example's. Empty: they are used.
  std::string problem;
  const char* problem_field = "";  // the field with the problem
  WorkedSettings settings;         // the settings of this computation; its matrices are valid
  nn::Matrix x;                    // [T, D]
  nn::Matrix w_q, w_k, w_v;        // [D, d_k], [D, d_k], [D, d_v]
  nn::AttentionTrace trace;        // one head, scores kept
  nn::Matrix products;             // [T, T] q_i · k_j, not scaled, not masked
  nn::Matrix exponentials;         // [T, T] exp(score − row maximum); 0 where masked
  double residual = 0;             // largest |weight − weight in double precision|
  double sqrt_d_k = 1;

  // The dictionary: keys k_j with values v_j, looked up with each query.
  nn::Matrix soft;         // [T, T] softmax(score / temperature)
  nn::Matrix soft_value;   // [T, d_v] Σ_j soft_ij v_j
  std::vector<int> exact;  // [T] the first key that equals the query; −1: none does

  /// The inverse of q = x W_Q: x = q · q_to_x, row by row; only for two columns and an invertible W_Q. The
  /// same for k.
  bool q_moves_x = false, k_moves_x = false;
  std::array<double, 4> q_to_x{}, k_to_x{};

  /// What the source prints for exactly these matrices; empty for others.
  std::vector<WorkedPrinted> printed;
  bool one_hot_example = false;  // Q = K = I₄ and V = 0 … 15
};

inline constexpr int worked_most_tokens = 6, worked_most_width = 4;

/// The result of a stage, [T, d_k], [T, T] or [T, d_v].
inline const nn::Matrix& matrix_of(const WorkedResults& results, WorkedStage stage) {
  switch (stage) {
    case WorkedStage::q:
      return results.trace.q;
    case WorkedStage::k:
      return results.trace.k;
    case WorkedStage::v:
      return results.trace.v;
    case WorkedStage::products:
      return results.products;
    case WorkedStage::scores:
      return results.trace.scores;
    case WorkedStage::weights:
      return results.trace.weights;
    case WorkedStage::output:
      break;
  }
  return results.trace.context;
}

/// The chosen row and column, or the nearest that the explained result has.
inline std::pair<int, int> chosen_element(const WorkedSettings& settings, const WorkedResults& results) {
  const nn::Matrix& m = matrix_of(results, settings.stage);
  return {std::clamp(settings.row, 0, std::max(0, m.rows() - 1)),
          std::clamp(settings.col, 0, std::max(0, m.cols() - 1))};
}

/// If the matrices of `fresh` were not valid, uses those that `before` was computed for instead of the
/// example's; the problem stays. Does nothing if either is of another page.
void keep_last_good(Results& fresh, const Results& before, base::Parallel& parallel);

/// For the scene's page `worked` only; `results` holds what every page has (tokens, attention).
std::shared_ptr<const WorkedResults> compute_worked(const Scene& scene, const Results& results,
                                                    base::Parallel& parallel);

}  // namespace headlight::scene
