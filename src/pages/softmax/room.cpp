#include <algorithm>
#include <cmath>
#include <memory>

#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/softmax/softmax.h"
#include "pages/tables.h"
#include "scene/matrix_text.h"

namespace headlight::scene {

std::vector<Table> softmax_tables();
std::span<const QuantityInfo> softmax_quantities();

namespace {

PageUses uses(const Scene&) {
  return {.sentence = false};
}

void compute(const Scene& scene, base::Parallel&, const Progress&, Results& results) {
  auto out = std::make_shared<SoftmaxResults>();
  const auto read = [&](const std::string& text) {
    return parse_matrix("softmax_scores", text, most_softmax_scores, 1);
  };
  auto scores = read(scene.softmax.scores);
  if (!scores) {
    out->problem = "softmax_scores: expected 1 to " + std::to_string(most_softmax_scores) +
                   " numbers between −10000 and 10000, separated by ';', such as 2;1;0.5;-1; the default "
                   "scores are shown instead";
    scores = read(SoftmaxSettings{}.scores);
  }
  for (const float score : scores->values()) out->scores.push_back(static_cast<double>(score));
  out->temperature = scene.softmax.temperature;
  out->row = softmax_row(out->scores, out->temperature);
  constexpr int points = 161;
  for (int i = 0; i < points; ++i) {
    const double temperature = 0.01 * std::pow(10000.0, i / (points - 1.0));
    const SoftmaxRow at = softmax_row(out->scores, temperature);
    out->curve.push_back(
        {temperature, at.entropy_bits, *std::max_element(at.weights.begin(), at.weights.end())});
  }
  results.own = std::move(out);
}

std::string problem(const Field& field, const Results& results) {
  const auto* r = results.own_as<SoftmaxResults>();
  return r && std::string_view(field.name) == "softmax_scores" ? r->problem : std::string();
}

constexpr ArgumentDefault defaults[] = {{"key", "0"}};

}  // namespace

const PageRoom softmax_room{
    .page = Page::softmax,
    .group = PageGroup::explore,
    .title = "Softmax",
    .about = "from a row of scores to weights; drag a score",
    .uses = uses,
    .chips = {"softmax_temperature"},
    .problem = problem,
    .compute = compute,
    .tables = softmax_tables,
    .quantities = softmax_quantities,
    .defaults = defaults,
};

}  // namespace headlight::scene
