#include "pages/model/alike.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "kernels/kernels.h"

namespace headlight::scene {

namespace {

using std::size_t;

// Every head is compared with every other one; a file may claim any number of heads.
constexpr int most_heads = 4096;
// 160 MiB, and less than half a second on one core: 144 heads and 512 tokens are compared as a whole.
constexpr double most_kept = 40 << 20, most_products = 3e9;

int step_of(double heads, double T, double S) {
  const double kept = heads * T * S / most_kept, products = heads * heads / 2 * T * S / most_products;
  return std::max(1, static_cast<int>(std::ceil(std::max(kept, products))));
}

/// The first query that is compared: not the first of all, which in a causal model has one key in every head.
int first_query(int step) {
  return step / 2;
}

/// The inner products of every two of `heads` vectors, [heads, heads]; only those of b <= a are set.
nn::MatrixF64 products_of(const std::vector<float>& maps, int heads, base::Parallel& parallel) {
  // Short sums in float32, which are added in double, of parts that stay in the cache.
  constexpr size_t part = 2048;
  const size_t size = maps.size() / static_cast<size_t>(heads);
  const nn::Kernels& kernels = nn::kernels();
  nn::MatrixF64 out(heads, heads);
  parallel.run(heads, [&](int a) {
    std::vector<float> dots(static_cast<size_t>(a) + 1);
    const float* own = maps.data() + static_cast<size_t>(a) * size;
    for (size_t from = 0; from < size; from += part) {
      const auto depth = static_cast<int>(std::min(part, size - from));
      kernels.row_dots(maps.data() + from, size, a + 1, depth, own + from, dots.data());
      for (int b = 0; b <= a; ++b) out.at(a, b) += static_cast<double>(dots[static_cast<size_t>(b)]);
    }
  });
  return out;
}

}  // namespace

void AlikeMaps::begin(int heads, int T, int S) {
  step_ = std::min(step_of(heads, T, S), std::max(1, T));
  maps_.clear(), of_layer_.clear();
  compares_ = heads <= most_heads;
  if (!compares_) return;
  maps_.reserve(static_cast<size_t>(heads) * static_cast<size_t>(T / step_ + 1) * static_cast<size_t>(S));
}

void AlikeMaps::add(const nn::Matrix& weights) {
  if (!compares_) return;
  of_layer_.push_back(weights.depth());
  for (int head = 0; head < weights.depth(); ++head) {
    for (int t = first_query(step_); t < weights.rows(); t += step_) {
      const std::span<const float> row = weights.row(head, t);
      maps_.insert(maps_.end(), row.begin(), row.end());
    }
  }
}

AlikeHeads AlikeMaps::finish(base::Parallel& parallel) const {
  const int heads = std::accumulate(of_layer_.begin(), of_layer_.end(), 0);
  AlikeHeads out;
  if (heads == 0 || maps_.empty()) return out;
  out.step = step_;
  const nn::MatrixF64 products = products_of(maps_, heads, parallel);
  std::vector<HeadPlace> places;
  for (size_t layer = 0; layer < of_layer_.size(); ++layer) {
    out.of.emplace_back(static_cast<size_t>(of_layer_[layer]));
    for (int head = 0; head < of_layer_[layer]; ++head) places.push_back({static_cast<int>(layer), head});
  }
  const size_t kept = std::min(most_alike, static_cast<size_t>(heads) - 1);
  parallel.run(heads, [&](int a) {
    std::vector<AlikeHead> others;
    for (int b = 0; b < heads; ++b) {
      const double norms = std::sqrt(products.at(a, a) * products.at(b, b));
      const double cosine = products.at(std::max(a, b), std::min(a, b)) / norms;
      if (b != a && std::isfinite(cosine))
        others.push_back({places[static_cast<size_t>(b)], std::min(1.0, cosine)});
    }
    const auto end = others.begin() + static_cast<std::ptrdiff_t>(std::min(kept, others.size()));
    // `others` are in the order of the layers.
    std::stable_sort(others.begin(), others.end(),
                     [](const AlikeHead& x, const AlikeHead& y) { return x.cosine > y.cosine; });
    const HeadPlace at = places[static_cast<size_t>(a)];
    out.of[static_cast<size_t>(at.layer)][static_cast<size_t>(at.head)].assign(others.begin(), end);
  });
  return out;
}

double alike_work(double heads, double T, double S) {
  if (heads > most_heads) return 0;
  return heads * heads / 2 * T * S / std::min(step_of(heads, T, S), std::max(1, static_cast<int>(T)));
}

}  // namespace headlight::scene
