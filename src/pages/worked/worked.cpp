#include "pages/worked/worked.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nn/linear.h"
#include "nn/reference.h"
#include "scene/matrix_text.h"
#include "scene/results.h"

namespace headlight::scene {

namespace {

std::string size_words(int rows, int cols) {
  return std::to_string(rows) + "×" + std::to_string(cols);
}

std::string misfit(const char* name, const nn::Matrix& w, const nn::Matrix& x) {
  return std::string(name) + " has " + std::to_string(w.rows()) + (w.rows() == 1 ? " row" : " rows") +
         " where X (" + size_words(x.rows(), x.cols()) + ") has " + std::to_string(x.cols()) +
         (x.cols() == 1 ? " column" : " columns") + "; they must be equal";
}

/// Reads the four matrices; sets the first problem and its field.
void read_all(const WorkedSettings& settings, WorkedResults& out) {
  const auto fails = [&](const char* field, std::string words) {
    out.problem = std::move(words), out.problem_field = field;
  };
  struct Source {
    const char *field, *name;
    const std::string& text;
    nn::Matrix& into;
    int most_rows;
  };
  const Source sources[] = {{"worked_x", "X", settings.x, out.x, worked_most_tokens},
                            {"worked_w_q", "W_Q", settings.w_q, out.w_q, worked_most_width},
                            {"worked_w_k", "W_K", settings.w_k, out.w_k, worked_most_width},
                            {"worked_w_v", "W_V", settings.w_v, out.w_v, worked_most_width}};
  for (const Source& source : sources) {
    auto read = parse_matrix(source.name, source.text, source.most_rows, worked_most_width);
    if (!read) return fails(source.field, read.error());
    source.into = std::move(*read);
    if (source.into.rows() != out.x.cols() && &source != sources)
      return fails(source.field, misfit(source.name, source.into, out.x));
  }
  if (out.w_q.cols() != out.w_k.cols())
    fails("worked_w_k", "W_Q has " + std::to_string(out.w_q.cols()) + " and W_K " +
                            std::to_string(out.w_k.cols()) + (out.w_k.cols() == 1 ? " column" : " columns") +
                            "; queries and keys must have the same width");
}

/// The inverse of a 2×2 matrix; false for other shapes, and when it is singular or nearly so.
bool inverse(const nn::Matrix& w, std::array<double, 4>& out) {
  if (w.rows() != 2 || w.cols() != 2) return false;
  const double a = static_cast<double>(w.at(0, 0)), b = static_cast<double>(w.at(0, 1)),
               c = static_cast<double>(w.at(1, 0)), d = static_cast<double>(w.at(1, 1));
  const double determinant = a * d - b * c;
  const double size = std::max({std::abs(a), std::abs(b), std::abs(c), std::abs(d)});
  if (!(std::abs(determinant) > 1e-6 * size * size)) return false;
  out = {d / determinant, -b / determinant, -c / determinant, a / determinant};
  for (double& element : out) element += 0.0;  // turns −0 into 0, because the page shows it
  return true;
}

bool equals(const nn::Matrix& m, int rows, int cols, std::initializer_list<float> values) {
  return m.rows() == rows && m.cols() == cols && std::equal(values.begin(), values.end(), m.values().begin());
}

void look_up(const WorkedSettings& settings, base::Parallel& parallel, WorkedResults& out) {
  const int T = out.trace.T;
  nn::Matrix scores(T, T);
  for (int i = 0; i < T; ++i) {
    const base::Interval allowed = out.trace.allowed[static_cast<std::size_t>(i)];
    for (int j = 0; j < T; ++j)
      scores.at(i, j) = allowed.has(j)
                            ? out.trace.scores.at(0, i, j) / static_cast<float>(settings.temperature)
                            : -INFINITY;
  }
  out.soft.resize(T, T);
  nn::softmax_rows(scores.data(), out.soft.data(), T, T, parallel);
  nn::linear(out.soft, out.trace.v, {}, parallel, out.soft_value);
  for (int i = 0; i < T; ++i) {
    int found = -1;
    for (int j = 0; j < T && found < 0; ++j) {
      const auto q = out.trace.q.row(i), k = out.trace.k.row(j);
      if (out.trace.allowed[static_cast<std::size_t>(i)].has(j) && std::equal(q.begin(), q.end(), k.begin()))
        found = j;
    }
    out.exact.push_back(found);
  }
}

void print_row(WorkedResults& out, int row, const char* by, std::vector<double> numbers, int decimals) {
  WorkedPrinted printed{row, by, std::move(numbers), 0, false};
  for (int j = 0; j < out.trace.T; ++j)
    printed.gap = std::max(printed.gap, std::abs(static_cast<double>(out.trace.weights.at(0, row, j)) -
                                                 printed.numbers[static_cast<std::size_t>(j)]));
  printed.agrees = printed.gap <= 0.5 * std::pow(10.0, -decimals) + 1e-6;
  out.printed.push_back(std::move(printed));
}

/// Compares with the numbers printed in the Self-Attention chapter, 39.2 and 39.2.1, when its example is on
/// show.
void compare_with_print(const WorkedSettings& settings, WorkedResults& out) {
  if (!settings.divide || settings.causal) return;
  if (equals(out.x, 3, 2, {1, 0, 0, 1, 1, 1}) && equals(out.w_q, 2, 2, {1, 0, 0, 1}) &&
      equals(out.w_k, 2, 2, {1, 0, 0, 1}) && equals(out.w_v, 2, 2, {1, 0, 0, 2})) {
    print_row(out, 0, "its code prints", {0.401, 0.198, 0.401}, 3);
    print_row(out, 0, "its prose says", {0.39, 0.22, 0.39}, 2);
    print_row(out, 2, "its code prints", {0.248, 0.248, 0.503}, 3);
    print_row(out, 2, "its prose says", {0.27, 0.27, 0.46}, 2);
  }
  const std::initializer_list<float> identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  out.one_hot_example = equals(out.trace.q, 4, 4, identity) && equals(out.trace.k, 4, 4, identity) &&
                        equals(out.trace.v, 4, 4, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  if (out.one_hot_example) print_row(out, 0, "its code prints", {0.355, 0.215, 0.215, 0.215}, 3);
}

/// Computes `requested`; `good` provides the matrices if those of `requested` are not valid.
std::shared_ptr<const WorkedResults> work_out(const WorkedSettings& requested, const WorkedSettings& good,
                                              base::Parallel& parallel) {
  auto out = std::make_shared<WorkedResults>();
  out->settings = requested;
  read_all(requested, *out);
  if (!out->problem.empty()) {
    WorkedResults instead;
    instead.settings = requested;
    instead.settings.x = good.x, instead.settings.w_q = good.w_q;
    instead.settings.w_k = good.w_k, instead.settings.w_v = good.w_v;
    read_all(instead.settings, instead);
    instead.problem = out->problem, instead.problem_field = out->problem_field;
    *out = std::move(instead);
  }
  const WorkedSettings& settings = out->settings;
  nn::AttentionWeights weights;
  weights.w_q = out->w_q, weights.w_k = out->w_k, weights.w_v = out->w_v;
  nn::AttentionOptions options;
  options.divide_by_sqrt_d_k = settings.divide;
  options.mask.causal = settings.causal;
  options.keep_scores = true;
  nn::attention_forward(out->x, out->x, weights, options, parallel, out->trace);
  out->residual =
      nn::weights_residual(out->trace, nn::attention_forward_f64(out->x, out->x, weights, options));
  out->sqrt_d_k = std::sqrt(static_cast<double>(out->trace.d_k));
  nn::linear(out->trace.q, nn::transposed(out->trace.k), {}, parallel, out->products);

  const int T = out->trace.T;
  out->exponentials = nn::Matrix(T, T);
  for (int i = 0; i < T; ++i) {
    const base::Interval allowed = out->trace.allowed[static_cast<std::size_t>(i)];
    for (int j = allowed.begin; j < allowed.end; ++j)
      out->exponentials.at(i, j) = std::exp(out->trace.scores.at(0, i, j) - out->trace.row_max.at(0, i));
  }
  look_up(settings, parallel, *out);
  if (out->x.cols() == 2) {
    out->q_moves_x = inverse(out->w_q, out->q_to_x);
    out->k_moves_x = inverse(out->w_k, out->k_to_x);
  }

  compare_with_print(settings, *out);
  return out;
}

}  // namespace

std::shared_ptr<const WorkedResults> compute_worked(const Scene& scene, const Results&,
                                                    base::Parallel& parallel) {
  return work_out(scene.worked, WorkedSettings{}, parallel);
}

void keep_last_good(Results& fresh, const Results& before, base::Parallel& parallel) {
  const auto* r = fresh.own_as<WorkedResults>();
  if (!r || r->problem.empty() || !before.own_as<WorkedResults>()) return;
  fresh.own = work_out(fresh.scene.worked, before.own_as<WorkedResults>()->settings, parallel);
}

}  // namespace headlight::scene
