// How much the maps of a run change from one kept step to the next.
#include <cmath>

#include "pages/training/training.h"

namespace headlight::scene {

double share_moved(const nn::Matrix& before, const nn::Matrix& after) {
  if (before.depth() != after.depth() || before.rows() != after.rows() || before.cols() != after.cols())
    return 1;
  const std::span<const float> a = before.values(), b = after.values();
  const double rows = static_cast<double>(after.depth()) * after.rows();
  if (rows == 0) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    sum += std::abs(static_cast<double>(b[i]) - static_cast<double>(a[i]));
  return std::isfinite(sum) ? sum / 2 / rows : 1;
}

void measure_film(std::vector<FilmFrame>& film) {
  for (std::size_t i = 0; i < film.size(); ++i) {
    if (film[i].moved < 0) film[i].moved = i == 0 ? 0 : share_moved(*film[i - 1].maps, *film[i].maps);
  }
}

}  // namespace headlight::scene
