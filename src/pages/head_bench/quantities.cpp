// The quantities of the page: its numbers by name.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "pages/head_bench/head_bench.h"
#include "pages/quantity_values.h"
#include "scene/model_answers.h"
#include "scene/settings.h"
#include "scene/shown.h"

namespace headlight::scene {

namespace {

using F = const Quantity&;

using S = const QuantitySource&;

const nn::AttentionTrace& trace(S s) {
  return s.results.attention;
}

double role(F f, S s, double nn::HeadRoles::*member) {
  const BenchResults* r = s.results.bench.get();
  const int head = head_of(f, s);
  return r && head >= 0 && static_cast<std::size_t>(head) < r->roles.size()
             ? r->roles[static_cast<std::size_t>(head)].*member
             : no_value;
}

constexpr QuantityInfo list[] = {
    {"previous", "head", "mean weight on the key just before the query",
     [](F f, S s) { return role(f, s, &nn::HeadRoles::previous); }},
    {"previous_even", "",
     "mean weight on the key just before the query, of a head that weights every key it may attend to alike",
     [](F, S s) {
       const nn::AttentionTrace& t = trace(s);
       if (!s.results.bench || s.results.bench->stack || t.T < 2) return no_value;
       double sum = 0;
       int queries = 0;
       for (int q = 1; q < t.T; ++q) {
         const base::Interval keys = t.allowed[static_cast<std::size_t>(q)];
         if (keys.end <= keys.begin) continue;  // it attends to nothing
         ++queries;
         if (keys.begin <= q - 1 && q - 1 < keys.end) sum += 1.0 / (keys.end - keys.begin);
       }
       return queries > 0 ? sum / queries : no_value;
     }},
    {"next", "head", "mean weight on the key just after the query",
     [](F f, S s) { return role(f, s, &nn::HeadRoles::next); }},
    {"first", "head", "mean weight on the first key",
     [](F f, S s) { return role(f, s, &nn::HeadRoles::first); }},
    {"itself", "head", "mean weight on the query's own place",
     [](F f, S s) { return role(f, s, &nn::HeadRoles::diagonal); }},
    {"same_token", "head", "mean weight on other places of the query's token",
     [](F f, S s) { return role(f, s, &nn::HeadRoles::same_token); }},
    {"similarity", "a b", "cosine of the angle between the maps of two heads",
     [](F f, S s) {
       return s.results.bench
                  ? element(s.results.bench->similarity, f.number("a", 1) - 1, f.number("b", 2) - 1)
                  : no_value;
     }},
    {"effect", "head",
     "what the output loses without a head, relative to the norm of the output, b_O included",
     [](F f, S s) {
       const int head = head_of(f, s);
       return s.results.bench && head >= 0 && static_cast<std::size_t>(head) < s.results.bench->effects.size()
                  ? s.results.bench->effects[static_cast<std::size_t>(head)].share
                  : no_value;
     }},
    {"bench_change", "", "change of the output by the heads that are off, relative to its norm",
     [](F, S s) { return s.results.bench ? s.results.bench->share : no_value; }},
    {"heads_off", "", "heads that are switched off", [](F, S s) { return double(s.scene.bench.off.size()); }},
};

}  // namespace

std::span<const QuantityInfo> bench_quantities() {
  return list;
}

}  // namespace headlight::scene
