#include <algorithm>
#include <string_view>
#include <vector>

#include "pages/order/opened_order.h"
#include "pages/order/order.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/layer_input.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {

std::vector<Table> order_tables();
std::span<const QuantityInfo> order_quantities();

namespace {

PageUses uses(const Scene& scene) {
  // A model of another program has its own positions.
  // A mask can depend on positions, too.
  return {.model = PageUses::Model::layer, .positions = !other_model(scene), .scores = true, .pins = true};
}

void compute(const Scene& scene, base::Parallel& parallel, const Progress& progress, Results& results) {
  if (const auto other = shown_other_model(scene))
    results.own = compute_opened_order(scene, *other, results, parallel, progress);
  else
    results.own = compute_order(scene, results, parallel);
}

double work(const Scene& scene, int tokens) {
  const auto other = shown_other_model(scene);
  return other ? opened_order_work(scene, *other, tokens) : order_work(scene, tokens);
}

std::vector<ChosenOf> chooses(const Scene& scene, const Results*) {
  return {{"order_permutation", 0, static_cast<int>(count_tokens(scene)), "token"}};
}

/// The tokens that the list does not name, see order_of(). The default names those of a short sentence.
std::string incomplete(const Field& field, const IndexList& list, int tokens) {
  if (list.empty() || list == OrderSettings{}.permutation) return {};
  constexpr std::size_t most = 8;
  std::vector<int> rest;
  for (int token = 0; token < tokens; ++token) {
    if (std::find(list.begin(), list.end(), token) == list.end()) rest.push_back(token);
  }
  if (rest.empty()) return {};
  std::string numbers;
  for (std::size_t i = 0; i < std::min(rest.size(), most); ++i)
    numbers += (i == 0 ? "" : ", ") + std::to_string(rest[i]);
  if (rest.size() > most) numbers += " and " + std::to_string(rest.size() - most) + " more";
  const bool one = rest.size() == 1;
  return std::string(field.name) + ": " + (one ? "token " : "tokens ") + numbers +
         (one ? " is not named and follows" : " are not named and follow in their order");
}

/// A list that names a token twice is no order, see order_of().
std::string problem(const Field& field, const Results& results) {
  const auto* r = results.own_as<OrderResults>();
  if (!r || std::string_view(field.name) != "order_permutation") return {};
  const IndexList& list = results.scene.order.permutation;
  std::vector<int> twice;
  for (auto at = list.begin(); at != list.end(); ++at) {
    const bool new_one = std::find(twice.begin(), twice.end(), *at) == twice.end();
    if (*at >= 0 && *at < r->tokens && new_one && std::find(list.begin(), at, *at) != at)
      twice.push_back(*at);
  }
  if (twice.empty()) return incomplete(field, list, r->tokens);
  return missing_line(field.name, twice, "named more than once", "the original order");
}

std::string why_none(const Quantity& quantity, const QuantitySource& from) {
  const bool turned = std::string_view(quantity.info->name) == "order_rotation";
  return turned && from.results.attention.T > 0 ? "it needs a model from another program with RoPE"
                                                : std::string();
}

bool names_cell(const Scene&, std::string_view quantity) {
  return quantity == "order_xx" || quantity == "order_xp" || quantity == "order_px" || quantity == "order_pp";
}
constexpr const char* cell_cards[] = {"card parts", "card map", "card cell"};
constexpr PageFrame frame{.names = names_cell, .cell = framed_pair, .cards = cell_cards};

constexpr const char* of_pairs[] = {"order_part_share", "order_offset_share", "shuffled_part_share",
                                    "shuffled_offset_share"};

constexpr ArgumentDefault defaults[] = {{"position", "0"}, {"token", "0"}};

}  // namespace

const PageRoom order_room{
    .page = Page::order,
    .group = PageGroup::explore,
    .title = "Order",
    .about = "permute the tokens and see which outputs change",
    .uses = uses,
    .chips = {"weights", "mask", "position_scale"},
    .problem = problem,
    .compute = compute,
    .work = work,
    .tables = order_tables,
    .quantities = order_quantities,
    .defaults = defaults,
    .why_none = why_none,
    .of_pairs = of_pairs,
    .moving_step = "order_step",
    .chooses = chooses,
    .frame = &frame,
};

}  // namespace headlight::scene
