// The Worked example page: X, the projections, and every number between them and the output.
// Its settings, and what is computed for it. Tested in tests/scene/worked_test.cpp.
#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "nn/attention.h"
#include "scene/field.h"

namespace headlight::scene {

struct Scene;
struct Results;

/// A result, in the order of the steps; q, k and v belong to the first.
enum class WorkedStage { q, k, v, products, scores, weights, output };
/// Which arrow of the asked token follows the pointer.
enum class WorkedHand { query, key };

template <>
struct Words<WorkedStage> {
  static constexpr const char* list[] = {"q", "k", "v", "products", "scores", "weights", "output"};
};
template <>
struct Words<WorkedHand> {
  static constexpr const char* list[] = {"query", "key"};
};

struct WorkedSettings {
  int step = 5;                             // 1 projections, 2 products, 3 scores, 4 weights, 5 output
  std::string x = "1,0;0,1;1,1";            // [T, D] rows separated by ';', numbers by ','
  std::string w_q = "1,0;0,1";              // [D, d_k]
  std::string w_k = "1,0;0,1";              // [D, d_k]
  std::string w_v = "1,0;0,2";              // [D, d_v]
  bool divide = true;                       // by √d_k
  bool causal = false;                      // key j is read by query i when j <= i
  WorkedStage stage = WorkedStage::output;  // the result whose arithmetic is written out,
  int row = 0, col = 0;                     // and its entry; the row is also the asked token
  WorkedHand hand = WorkedHand::query;
  double temperature = 1;  // of the soft dictionary beside the exact one; nothing else uses it
  double reach = 2.5;      // the plane of the arrows goes from −reach to reach
  bool operator==(const WorkedSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, WorkedSettings>
void fields(S& s, F&& visit) {
  using G = Group;
  visit(Field{"worked_step", "step", "1 projections, 2 products, 3 scores, 4 weights, 5 output", G::worked, 1,
              5},
        s.step);
  visit(Field{"worked_x", "X", "tokens as rows: 1,0;0,1;1,1", G::worked, 0, 0, false, true}, s.x);
  visit(Field{"worked_w_q", "W_Q", "as many rows as X has columns", G::worked, 0, 0, false, true}, s.w_q);
  visit(Field{"worked_w_k", "W_K", "as many rows as X has columns", G::worked, 0, 0, false, true}, s.w_k);
  visit(Field{"worked_w_v", "W_V", "as many rows as X has columns", G::worked, 0, 0, false, true}, s.w_v);
  visit(Field{"worked_divide", "divide by √d_k", "divide the products by the square root of the key width",
              G::worked, 0, 0, false, true},
        s.divide);
  visit(Field{"worked_causal", "causal mask", "a token reads itself and those before it", G::worked, 0, 0,
              false, true},
        s.causal);
  visit(Field{"worked_stage", "explained", "the result whose arithmetic is written out", G::none}, s.stage);
  visit(Field{"worked_row", "token", "row that is explained, and the asked token, from 0", G::none, 0, 5},
        s.row);
  visit(Field{"worked_col", "column", "column that is explained, from 0", G::none, 0, 5}, s.col);
  visit(Field{"worked_hand", "drag", "the arrow of the plane that can be dragged", G::none}, s.hand);
  visit(Field{"worked_temperature", "softness of the lookup",
              "divides the scores of the soft dictionary only", G::worked, 0.02, 20, true, true},
        s.temperature);
  visit(Field{"worked_reach", "reach of the plane", "the arrows' plane goes from −this to this", G::worked,
              0.5, 50, true},
        s.reach);
}

/// Printed numbers for one row of the weights, and how far they are from what is computed.
struct WorkedPrinted {
  int row = 0;
  std::string by;               // "its code prints"
  std::vector<double> numbers;  // [T]
  double gap = 0;               // largest |printed − computed|
  bool agrees = false;          // within half a unit of its last decimal
};

/// Everything between X and the output, by the same forward pass as the Attention page. T at most
/// worked_most_tokens, every width at most worked_most_width.
struct WorkedResults {
  /// One line: why the scene's matrices are not those below, which are then the last good ones, or the
  /// example's. Empty: they are.
  std::string problem;
  const char* problem_field = "";  // the field that it is about
  WorkedSettings settings;         // what it was computed for; its matrices can be read
  nn::Matrix x;                    // [T, D]
  nn::Matrix w_q, w_k, w_v;        // [D, d_k], [D, d_k], [D, d_v]
  nn::AttentionTrace trace;        // one head, scores kept
  nn::Matrix products;             // [T, T] q_i · k_j, not scaled, not masked
  nn::Matrix exponentials;         // [T, T] exp(score − row maximum); 0 where masked
  double residual = 0;             // largest |weight − weight in double precision|
  double sqrt_d_k = 1;

  // The dictionary: keys k_j with values v_j, asked with each query.
  nn::Matrix soft;         // [T, T] softmax(score / temperature)
  nn::Matrix soft_value;   // [T, d_v] Σ_j soft_ij v_j
  std::vector<int> exact;  // [T] the first key that equals the query, −1: there is none

  /// q = x W_Q turned around, x = q · q_to_x, row by row; only for two columns and an invertible W_Q. The
  /// same for k.
  bool q_moves_x = false, k_moves_x = false;
  std::array<double, 4> q_to_x{}, k_to_x{};

  /// What the source prints for exactly these matrices; empty for others.
  std::vector<WorkedPrinted> printed;
  bool one_hot_example = false;  // Q = K = I₄ and V = 0 … 15
};

inline constexpr int worked_most_tokens = 6, worked_most_width = 4;

/// "1,0;0,1" as a matrix of at most rows × cols numbers. Blanks around numbers and a last ';' do not matter.
/// The error names the field, and the row where the text goes wrong.
base::Result<nn::Matrix> parse_matrix(std::string_view field, std::string_view text, int rows, int cols);

/// When the matrices of `fresh` could not be read, those that `before` was computed for take the place of the
/// example's; the problem stays. Nothing to do for results of other pages.
void keep_last_good(Results& fresh, const Results& before, base::Parallel& parallel);

/// For the scene's page `worked` only; `results` holds what every page has (tokens, attention).
std::shared_ptr<const WorkedResults> compute_worked(const Scene& scene, const Results& results,
                                                    base::Parallel& parallel);

}  // namespace headlight::scene
