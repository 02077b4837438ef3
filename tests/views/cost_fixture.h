// A Cost page with results from plain arithmetic, so that the page is tested without the core.
#pragma once

#include <algorithm>
#include <memory>

#include "kit/page_input.h"
#include "pages/cost/cost.h"
#include "pages/cost/view/page.h"
#include "quantities.h"

namespace headlight::views::test {

struct CostScene {
  scene::Scene scene;
  scene::Results results;
  std::shared_ptr<scene::CostMeasurements> measured;

  explicit CostScene(const scene::CostSettings& settings = {}) {
    scene.page = scene::Page::cost;
    scene.cost = settings;
    compute();
  }

  void compute() {
    results.version = 1, results.scene = scene;
    results.tokens = {{"the", 0, 3, 0}, {"cat", 4, 7, 1}};
    const scene::CostSettings& s = scene.cost;
    auto r = std::make_shared<scene::CostResults>();
    const auto n = static_cast<std::uint64_t>(s.n), d = static_cast<std::uint64_t>(s.d),
               k = static_cast<std::uint64_t>(s.k);
    const std::uint64_t small_n = n > 32 ? 32 : n, small_d = d > 64 ? 64 : d;
    const auto fill = [&](nn::Architecture a, std::uint64_t leading, std::uint64_t counted,
                          std::uint64_t steps, int path, std::uint64_t projections = 0) {
      scene::CountedLayer& layer = r->layers[static_cast<std::size_t>(a)];
      layer.cost.leading = leading, layer.cost.sequential = steps, layer.cost.longest_path = path;
      layer.cost.multiplications = counted, layer.cost.projections = projections;
      layer.whole_by_running = layer.whole_by_formula = counted;
      layer.counted_at = {static_cast<int>(small_n), static_cast<int>(small_d), s.k};
      layer.by_running = layer.by_formula = counted;
    };
    const bool one_sided = s.kernel == scene::CostKernel::one_sided;
    const int reach = one_sided ? s.k - 1 : s.k / 2, gaps = one_sided ? s.k : std::max(2, (s.k + 1) / 2);
    int dilated = 0;
    for (long long covered = 1; s.k > 1 && covered < s.n; covered *= gaps) ++dilated;
    fill(nn::Architecture::self_attention, n * n * d, 2 * small_n * small_n * small_d, 1, 1, 4 * n * d * d);
    fill(nn::Architecture::recurrence, n * d * d, 2 * small_n * small_d * small_d, n, s.n - 1);
    fill(nn::Architecture::convolution, k * n * d * d, k * small_n * small_d * small_d, 1,
         reach > 0 ? (s.n - 2 + reach) / reach : 0);
    fill(nn::Architecture::dilated_convolution, k * n * d * d, k * small_n * small_d * small_d, 1, dilated);
    fill(nn::Architecture::linear_attention, n * d * d, 2 * small_n * small_d * small_d, 1, 1, 4 * n * d * d);
    r->heads.one = {1, s.d, s.d, 2 * n * n * d + 4 * n * d * d, n * n, 4 * d * d};
    r->heads.many = r->heads.one, r->heads.many.heads = std::min(s.heads, s.d);
    r->heads.many.narrowest = r->heads.many.widest = s.d / r->heads.many.heads;
    r->heads.many.exponentials = n * n * static_cast<std::uint64_t>(r->heads.many.heads);
    r->heads.counted_at = {static_cast<int>(small_n), static_cast<int>(small_d), s.k};
    for (int at = 16; at <= 131072; at *= 2) {
      const auto m = static_cast<std::uint64_t>(at);
      r->growth.push_back(
          {at, {2 * m * m * d + 4 * m * d * d, 2 * m * d * d, k * m * d * d, k * m * d * d, 6 * m * d * d}});
    }
    r->positions = std::min(s.n, 12);
    r->from = std::min(s.from, r->positions - 1), r->to = std::min(s.to, r->positions - 1);
    const int away = std::abs(r->to - r->from), towards = r->to > r->from ? 1 : -1;
    if (away > 0) r->paths[0] = r->paths[4] = {{0, r->to}};
    for (int i = 1; towards > 0 && i <= away; ++i) r->paths[1].push_back({0, r->from + i});
    if (s.k >= 3) {
      for (int i = 1; i <= away; ++i) r->paths[2].push_back({i - 1, r->from + i * towards});
    }
    r->reach = 1, r->layers_to_meet = 4, r->receptive_field = 9;
    const std::uint64_t bytes = std::uint64_t{1} << static_cast<int>(s.bytes);
    const std::uint64_t maps = static_cast<std::uint64_t>(s.batch) * static_cast<std::uint64_t>(s.heads) *
                               static_cast<std::uint64_t>(s.layers);
    for (std::uint64_t T = 512; T <= 131072; T *= 2)
      r->memory.push_back({T, T * T * bytes, T * T * bytes * maps, T * 96 * bytes * 32});
    r->walls = {scene::MemoryWall{8, 2896}, scene::MemoryWall{24, 5016}, scene::MemoryWall{80, 9158}};
    r->check = {384, 64, 2, 2.4e-7, 1179648, 104448};
    results.cost = r;
  }

  void measure(int lengths, bool running) {
    measured = std::make_shared<scene::CostMeasurements>();
    measured->d = 64, measured->running = running, measured->fraction = 0.4f, measured->seconds_left = 2.5;
    for (int i = 0, T = 16; i < lengths; ++i, T *= 2)
      measured->rows.push_back({T, {0.0017 * T, 31 - i}, {1e-6 * T * T * 4, 32}, {1.1e-6 * T * T * 4, 33}});
    measured->lengths = 9;
  }

  PageInput input() const {
    PageInput in{scene, results, nullptr, nullptr, draw::theme(scene.theme == scene::ThemeName::dark),
                 true,  {}};
    in.measured = measured;
    in.numbers = scene::read_quantity;
    return in;
  }
};

}  // namespace headlight::views::test
