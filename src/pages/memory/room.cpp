#include <algorithm>
#include <string_view>

#include "pages/memory/memory.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/layer_input.h"

namespace headlight::scene {

std::vector<Table> memory_tables();
std::span<const QuantityInfo> memory_quantities();
std::string memory_why_none(const Quantity& quantity, const QuantitySource& from);

namespace {

PageUses uses(const Scene& scene) {
  return {.model = PageUses::Model::layer,
          .shown_head = scene.weights != WeightsSource::random,
          .seed = true,
          .head_width = scene.memory.width};
}

const char* heading(const Field& field, const Scene& scene) {
  const std::string_view name = field.name;
  const MemorySettings& s = scene.memory;
  // Settings that apply to only one choice are hidden with the others.
  const bool sizes = s.error_over == MemoryErrorOver::size;
  if (name == "memory_features" && !sizes && s.feature != MemoryFeature::random) return "";
  if (name == "memory_keys" && !sizes) return "";
  if ((name == "memory_bits" || name == "memory_flips") && s.network != MemoryNetwork::binary) return "";
  if (name == "memory_noise" && s.network == MemoryNetwork::binary && s.dimension == 2) return "";
  if (name == "heads") return "";  // the page has one head of its own
  return name == "memory_width" && scene.weights != WeightsSource::random ? "" : nullptr;
}

std::optional<Range> useful(const Field& field, const Scene&, const Results& results) {
  if (std::string_view(field.name) != "memory_step") return {};
  constexpr double fewest = 2;
  return Range{field.min, std::max(fewest, static_cast<double>(results.tokens.size()))};
}

void compute(const Scene& scene, base::Parallel& parallel, const Progress&, Results& results) {
  results.own = compute_memory(scene, results, parallel);
}

std::vector<ChosenOf> chooses(const Scene& scene, const Results* results) {
  const std::size_t tokens = results ? results->tokens.size() : count_tokens(scene);
  return {{"memory_step", 1, static_cast<int>(std::min<std::size_t>(tokens, most_memory_tokens)), "token"}};
}

double work(const Scene& scene, int tokens) {
  return work_before(scene, std::min(tokens, most_memory_tokens));  // the earlier layers run once more
}

constexpr ArgumentInfo arguments[] = {{.name = "m", .noun = "number of features m ="},
                                      {.name = "r", .noun = "number of projected keys r ="}};

constexpr ArgumentDefault defaults[] = {{"T", "64"}, {"d", "64"}, {"pattern", "1"}};

}  // namespace

const PageRoom memory_room{
    .page = Page::memory,
    .group = PageGroup::theory,
    .title = "Memory",
    .about = "Hopfield retrieval, fast weights, linear attention",
    .uses = uses,
    .chips = {"weights", "memory_width", "memory_decay", "memory_patterns", "memory_beta"},
    .heading = heading,
    .useful = useful,
    .compute = compute,
    .work = work,
    .tables = memory_tables,
    .quantities = memory_quantities,
    .arguments = arguments,
    .defaults = defaults,
    .why_none = memory_why_none,
    .not_of_opened = "was made by another program, and this page shows heads of Headlight’s own models only",
    .moving_step = "memory_step",
    .chooses = chooses,
};

}  // namespace headlight::scene
