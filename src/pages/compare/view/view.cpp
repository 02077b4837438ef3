#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "kit/page_input.h"
#include "kit/sides.h"
#include "kit/weight_bar.h"
#include "pages/compare/compare.h"
#include "pages/compare/view/cards.h"

namespace headlight::views {

std::string cosine_text(double cosine, int decimals) {
  return std::isnan(cosine) ? "– (a map without weights has none)" : fixed(cosine, decimals);
}

std::string cosine_words(const PageInput& in) {
  const double cosine = in.value("bench_cosine");
  return in.noted("bench_cosine", cosine, cosine_text(cosine, 2));
}

const RoleColumn& role_column(int index) {
  static constexpr std::array<RoleColumn, role_count> columns = {
      RoleColumn{"previous token", "previous", "mean weight on the key just before the query",
                 &nn::HeadRoles::previous},
      RoleColumn{"next token", "next", "mean weight on the key just after the query", &nn::HeadRoles::next},
      RoleColumn{"first token", "first", "mean weight on the first key, over the later queries",
                 &nn::HeadRoles::first},
      RoleColumn{"itself", "itself", "mean weight on the query’s own position", &nn::HeadRoles::diagonal},
      RoleColumn{
          "same token", "same token",
          "mean weight on all other occurrences of the query’s token, over tokens that occur at least twice",
          &nn::HeadRoles::same_token}};
  return columns[static_cast<std::size_t>(index)];
}

const nn::AttentionTrace& compare_trace(const PageInput& in, const scene::CompareResults& results) {
  return results.layer_of_a(in.results.attention);
}

Selection compare_selection(const PageInput& in, const scene::CompareResults& results) {
  Selection out = select(in);
  if (!results.layered()) return out;
  const nn::AttentionTrace& trace = compare_trace(in, results);
  out.queries.erase(
      std::remove_if(out.queries.begin(), out.queries.end(), [&](int query) { return query >= trace.T; }),
      out.queries.end());
  out.detail_query = out.queries.empty() ? -1 : out.queries.back();
  if (out.detail_query < 0 || out.key >= trace.S) out.key = -1;
  if (out.hover_query >= trace.T) out.hover_query = -1;
  if (out.hover_key >= trace.S) out.hover_key = -1;
  out.masked = std::any_of(trace.allowed.begin(), trace.allowed.end(),
                           [&](const base::Interval& keys) { return keys.size() < trace.S; });
  return out;
}

CompareView::CompareView(const Sheet& with, const scene::CompareResults& of) : sheet(with), results(of) {
  const Selection& s = with.selection;
  if (s.hover_query >= 0 && s.hover_key >= 0) {
    query = s.hover_query, key = s.hover_key;
  } else if (const scene::Pinned pinned = scene::pinned(with.in.scene, with.trace().T, with.trace().S);
             pinned.detail_query >= 0 &&
             (pinned.key >= 0 || pinned.detail_query < static_cast<int>(of.largest_keys.size()))) {
    // Use the pinned key, or else the one where A and B differ most in the row.
    query = pinned.detail_query;
    key = pinned.key >= 0 ? pinned.key : of.largest_keys[static_cast<std::size_t>(query)];
  } else {  // the cell where A and B differ most
    query = of.largest_query, key = of.largest_key;
  }
}

std::string CompareView::layer_a() const {
  return stack() ? "layer " + std::to_string(results.layer_a + 1) : std::string();
}
std::string CompareView::layer_b() const {
  return stack() ? "layer " + std::to_string(results.layer_b + 1) : std::string();
}
bool CompareView::guided(int layer, int head) const {
  const scene::Results& all = sheet.in.results;
  return stack() ? all.guided(layer, head) : all.guided(head);
}

std::string CompareView::name_a() const {
  return (stack() ? layer_a() + " head " : "head ") + std::to_string(results.a + 1) +
         (results.other_seed && !sheet.in.results.model
              ? ", seed " + std::to_string(sheet.in.results.scene.seed)
              : "") +
         (guided(results.layer_a, results.a) ? ", guided" : "");
}
std::string CompareView::name_b() const {
  const std::string seed = std::to_string(sheet.in.results.scene.compare.seed_b);
  // A trained model has no other seed, so B has random weights for the same tokens.
  if (results.other_seed && sheet.in.results.model && !stack())
    return "head " + std::to_string(results.b + 1) + " of random weights, seed " + seed;
  return (stack() ? layer_b() + " head " : "head ") + std::to_string(results.b + 1) +
         (results.other_seed ? ", seed " + seed : "") +
         (!results.other_seed && guided(results.layer_b, results.b) ? ", guided" : "");
}
int CompareView::decimals() const {
  const int tokens = std::max(sheet.trace().T, sheet.trace().S);
  return weight_decimals(scene::weight_scale(sheet.in.scene, tokens, results.counts).end);
}
float CompareView::weight_a(int q, int k) const {
  return sheet.trace().weights.row(results.a, q)[static_cast<std::size_t>(k)];
}
float CompareView::weight_b(int q, int k) const {
  return results.map_b.row(q)[static_cast<std::size_t>(k)];
}

int strongest_role_index(const nn::HeadRoles& uniform, const nn::HeadRoles& roles) {
  int best = -1;
  double most = 0;  // excess over uniform attention
  for (int i = 0; i < role_count; ++i) {
    const double weight = roles.*role_column(i).value, chance = uniform.*role_column(i).value;
    const double excess = weight - chance;
    // A label is more than a number that is a little above another one.
    if (excess > most && excess >= least_role_share * (1 - chance)) best = i, most = excess;
  }
  return best;
}

bool role_is_masked(const nn::HeadRoles& uniform, int role) {
  return uniform.*role_column(role).value == 0;
}

std::string strongest_role(const nn::HeadRoles& uniform, const nn::HeadRoles& roles, bool with_uniform) {
  const int best = strongest_role_index(uniform, roles);
  const bool defined = std::isfinite(uniform.diagonal) && std::isfinite(roles.diagonal);
  if (best < 0 && defined && uniform.diagonal == 1)  // one token, or a mask that leaves each query itself
    return "itself " + mean_weight_text(roles.diagonal) + (with_uniform ? ", the only key" : "");
  if (best < 0) return !defined ? "" : "no target far above uniform";
  const RoleColumn& role = role_column(best);
  const std::string words = std::string(role.name) + " " + mean_weight_text(roles.*role.value);
  return with_uniform ? words + ", uniform " + mean_weight_text(uniform.*role.value) : words;
}

std::string toggled_off(const CompareView& view, int head) {
  std::string out;
  const auto add = [&](int off) { out += (out.empty() ? "" : ",") + std::to_string(off + 1); };
  for (int other = 0; other < view.heads(); ++other) {
    const bool off = !view.on(other);
    if (other == head ? !off : off) add(other);
  }
  return "bench_off=" + out;
}

std::vector<int> listed_heads(const CompareView& view, int most) {
  std::vector<int> heads(static_cast<std::size_t>(view.heads()));
  std::iota(heads.begin(), heads.end(), 0);
  if (view.heads() <= most) return heads;
  const auto& effects = view.results.effects;
  const auto weight = [&](int head) {
    if (head == view.results.a || head == view.results.b) return 1e300;
    if (effects.empty()) return -static_cast<double>(head);
    const double change = effects[static_cast<std::size_t>(head)].change;
    return std::isnan(change) ? -1e300 : change;  // NaN has no order
  };
  std::stable_sort(heads.begin(), heads.end(), [&](int x, int y) { return weight(x) > weight(y); });
  heads.resize(static_cast<std::size_t>(most));
  std::sort(heads.begin(), heads.end());
  return heads;
}

}  // namespace headlight::views
