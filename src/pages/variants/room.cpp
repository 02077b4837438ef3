#include <string_view>

#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "pages/variants/variants.h"

namespace headlight::scene {

std::vector<Table> variants_tables();
std::span<const QuantityInfo> variants_quantities();

namespace {

PageUses uses(const Scene&) {
  return {.model = PageUses::Model::layer, .pins = true, .seed = true};
}

void compute(const Scene& scene, base::Parallel& parallel, const Progress& progress, Results& results) {
  results.own = compute_variants(scene, results, parallel, progress);
}

/// A setting of some masks or of one scheme of positions is shown where a side has it. The sentences of the
/// batch have lengths of their own, which are changed on their card.
const char* heading(const Field& field, const Scene& scene) {
  using M = VariantMask;
  using P = VariantPosition;
  const VariantsSettings& s = scene.variants;
  const auto mask = [&s](auto... masks) { return ((s.a.mask == masks || s.b.mask == masks) || ...); };
  const auto scheme = [&s](P one) { return s.a.position == one || s.b.position == one; };
  const std::string_view name = field.name;
  const bool used = name == "variants_valid"           ? mask(M::padding)
                    : name == "variants_window"        ? mask(M::window, M::window_global, M::dilated)
                    : name == "variants_global_tokens" ? mask(M::window_global)
                    : name == "variants_stride" ? mask(M::dilated, M::blocks, M::strided, M::fixed, M::random)
                    : name == "variants_table_rows"                                 ? scheme(P::learned)
                    : name == "variants_buckets" || name == "variants_max_distance" ? scheme(P::t5)
                    : name == "variants_clip"                                       ? scheme(P::shaw)
                                                                                    : true;
  return used ? nullptr : "";
}

constexpr const char* side_words[] = {"a", "b"};
constexpr ArgumentInfo arguments[] = {{.name = "side", .words = side_words},
                                      {.name = "step", .noun = "decoding step"}};

std::vector<ChosenOf> chooses(const Scene& scene, const Results*) {
  return {{"variants_head", 1, scene.heads, "head"}};
}

constexpr const char* of_pairs[] = {"variant_difference_query", "variant_difference_key"};

std::string why_none(const Quantity& quantity, const QuantitySource& from) {
  const auto* r = from.own<VariantsResults>();
  const std::string_view name = quantity.info->name, side = quantity.word("side", "a");
  if (!r) return {};
  if (const std::string& error = side == "b" ? r->b.error : r->a.error; !error.empty()) return error;
  if (name == "variant_bias" && (side == "b" ? r->b.bias.empty() : r->a.bias.empty()))
    return "it needs variants_" + std::string(side) + "_position=t5, alibi or shaw";
  const bool of_shaw = name == "variant_by_distance", of_alibi = name == "variant_slope";
  const VariantSide& settings = side == "b" ? from.scene.variants.b : from.scene.variants.a;
  const VariantPosition needed = of_shaw ? VariantPosition::shaw : VariantPosition::alibi;
  if ((!of_shaw && !of_alibi) || settings.position == needed) return {};
  return "it needs variants_" + std::string(side) + "_position=" + word(needed);
}

constexpr ArgumentDefault defaults[] = {{"d", "1"},     {"distance", "0"}, {"key", "0"},
                                        {"query", "0"}, {"sentence", "1"}, {"side", "a"}};

}  // namespace

const PageRoom variants_room{
    .page = Page::variants,
    .group = PageGroup::explore,
    .title = "Variants",
    .about = "two settings for the same sentence, side by side",
    .uses = uses,
    .chips = {"weights", "variants_window", "variants_shift"},
    .heading = heading,
    .compute = compute,
    .work = variants_work,
    .tables = variants_tables,
    .quantities = variants_quantities,
    .arguments = arguments,
    .defaults = defaults,
    .why_none = why_none,
    .of_pairs = of_pairs,
    .not_of_opened = "has the masks and positions that it was trained with",
    .chooses = chooses,
};

}  // namespace headlight::scene
