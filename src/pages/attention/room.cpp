#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/layer_input.h"
#include "scene/model_answers.h"
#include "scene/saved_attention.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {

std::vector<Table> attention_tables();
std::span<const QuantityInfo> attention_quantities();

namespace {

PageUses uses(const Scene& scene) {
  // A model of another program has its own positions; mask, temperature and scale can change. Saved attention
  // cannot change.
  const bool saved = saved_attention(scene) != nullptr;
  return {.model = PageUses::Model::layer,
          .positions = !other_model(scene) && !saved,
          .scores = !saved,
          .pins = true,
          .large_map = true};
}

std::vector<ChosenOf> chooses(const Scene& scene, const Results*) {
  if (saved_attention(scene)) return {};
  return {{"other_query", 0, static_cast<int>(count_tokens(scene)), "token"}};
}

bool names_cell(const Scene&, std::string_view quantity) {
  return quantity == "weight" || quantity == "score" || quantity == "dot";
}
constexpr const char* cell_cards[] = {"card map", "card cell"};
constexpr PageFrame frame{.names = names_cell, .cell = framed_pair, .cards = cell_cards};

/// Of quantity `setting`: a setting that has no number.
std::string no_number(std::string_view name) {
  const Setting* const setting = find_setting(name);
  if (!setting) return unknown_setting(name);
  const bool words = setting->type == Setting::Type::text || setting->type == Setting::Type::mask ||
                     setting->type == Setting::Type::word;
  return words ? "the setting " + std::string(name) + " is not a number" : std::string();
}

std::string why_none(const Quantity& quantity, const QuantitySource& from) {
  const std::string_view name = quantity.info->name;
  const bool answers = name == "answer" || name.starts_with("held_out_");
  if (name == "hidden_queries" || name == "hidden_keys") return "shown_tokens and hide_special hide no token";
  if (name == "hidden_share" && from.results.attention.T > 0)
    return "shown_tokens and hide_special hide no token, and least_weight is 0";
  if (name == "keys" && from.results.key_tokens.empty()) return "it needs saved cross-attention";
  return answers && from.results.answers.empty() && !pronoun_measure(from.results.model)
             ? "it needs a model that answers pronouns"
             : std::string();
}

constexpr ArgumentInfo arguments[] = {{.name = "a", .noun = "head", .quantity = "map_difference"},
                                      {.name = "b", .noun = "head", .quantity = "map_difference"},
                                      {.name = "a", .noun = "token"},
                                      {.name = "b", .noun = "token"},
                                      {.name = "name", .any_word = true, .refuses = no_number}};

constexpr const char* of_pairs[] = {"output_difference", "input_difference", "kernel_difference",
                                    "kernel_offset"};

constexpr ArgumentDefault defaults[] = {{"col", "0"}, {"token", "0"}};

}  // namespace

const PageRoom attention_room{
    .page = Page::attention,
    .group = PageGroup::explore,
    .title = "Attention",
    .about = "which token attends to which, in every head",
    .uses = uses,
    .tables = attention_tables,
    .quantities = attention_quantities,
    .arguments = arguments,
    .defaults = defaults,
    .why_none = why_none,
    .of_pairs = of_pairs,
    .chooses = chooses,
    .computed_for_all = true,
    .frame = &frame,
    .heads_card = "heads",
};

}  // namespace headlight::scene
