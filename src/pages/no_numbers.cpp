#include "pages/no_numbers.h"

#include <cmath>
#include <utility>

#include "pages/page.h"
#include "pages/quantities.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

/// Tables, by the start of their names, that have numbers where a quantity has a value.
constexpr std::pair<std::string_view, std::string_view> of_the_same_numbers[] = {
    {"bench_apart", "bench_apart"},
    {"hidden", "hidden_share"},
    {"kernels", "kernel_difference"},
    {"head_differences", "model_check_largest"},
    {"next_tokens_off", "model_after_probability"},
    {"next_tokens", "model_next_probability"},
    {"token_losses_off", "model_after_loss"},
    {"token_losses", "model_mean_loss"},
    {"similar_heads", "model_alike"},
    {"likely_tokens", "model_likely"},
    {"logit_lens", "model_lens_probability"},
    {"qk_components", "model_component"},
    {"qk_plane", "model_plane_share"},
    {"variants_a_clipped", "variant_by_distance side=a"},
    {"variants_b_clipped", "variant_by_distance side=b"},
    {"variants_a_slopes", "variant_slope side=a"},
    {"variants_b_slopes", "variant_slope side=b"},
    {"variants_a", "variant_entropy side=a"},
    {"variants_b", "variant_entropy side=b"},
    {"variants_difference", "variant_entropy side=a"},
    {"variants_difference", "variant_entropy side=b"},
    {"block_stages", "block_stage_rms of=x"},
    {"block_", "block_layers_shown"},
    {"encdec_", "encdec_exact"}};
/// What else they need.
constexpr std::pair<std::string_view, const char*> needed_settings[] = {
    {"variants_a_turns", "variants_a_position=rope or rope_half"},
    {"variants_b_turns", "variants_b_position=rope or rope_half"},
    {"variants_a_buckets", "variants_a_position=t5"},
    {"variants_b_buckets", "variants_b_position=t5"},
    {"block_stage", "block_stage=x or another stage of the layer: the weights are not a stage"},
    {"cost_times", "--measure, which measures them on this machine"}};

}  // namespace

std::string why_none_here(Page page, const Scene& scene) {
  const PageRoom& room = room_of(page);
  if (const auto other = other_model(scene); other && room.not_of_opened)
    return other->model->name + " " + room.not_of_opened;
  if (shown_saved_attention(scene)) return "saved attention holds weights, not what they were computed from";
  return "the page " + std::string(room.title) + " computes none with the present settings";
}

std::string why_no_numbers(const Table& table, const TableSource& source) {
  if (table.why_none) {
    if (std::string why = table.why_none(source); !why.empty()) return why;
  }
  const QuantitySource from{source.scene, source.results, source.training};
  const PageRoom& room = room_of(table.page);
  if (room.page != source.scene.page && !room.computed_for_all)
    return ": it is a table of the page " + std::string(room.title);
  const PageUses uses = room.uses(source.scene);
  const std::string_view name = table.name;
  for (const auto& [start, quantity] : of_the_same_numbers) {
    if (!name.starts_with(start)) continue;
    const auto same = parse_quantity(quantity);
    if (same && std::isnan(quantity_value(*same, from))) return ": " + why_no_value(*same, from);
  }
  if (uses.sentence && source.results.tokens.empty()) return ": its sentence has no tokens";
  if (uses.trains && !source.training) return ": no run is trained";
  for (const auto& [start, needed] : needed_settings) {
    if (name.starts_with(start)) return std::string(": it needs ") + needed;
  }
  return ": " + why_none_here(table.page, source.scene);
}

}  // namespace headlight::scene
