#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "pages/block/block.h"
#include "pages/block/encoder_decoder.h"
#include "pages/block/opened.h"
#include "pages/opened_attention.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/setting_rules.h"
#include "scene/trained_model.h"

namespace headlight::scene {

std::vector<Table> block_tables();
std::span<const QuantityInfo> block_quantities();

namespace {

PageUses uses(const Scene& scene) {
  if (scene.block.model == BlockModel::encoder_decoder)
    return {.sentence = scene.encoder_decoder.word == 0, .letters = true};
  // The page shows one layer of another program's model at a time.
  return {.model = other_model(scene) ? PageUses::Model::layer : PageUses::Model::stack};
}

const char* heading(const Field& field, const Scene& scene) {
  const std::string_view name = field.name;
  const bool pair = scene.block.model == BlockModel::encoder_decoder;
  if (name == "block_model") return "block";
  if (name.starts_with("block_encdec_")) return pair ? "encoder–decoder" : "";
  if (!name.starts_with("block_")) return nullptr;
  // The architecture of a model is fixed: one can only choose what to show. A model of another program has
  // its own setting for the layer.
  const bool chosen =
      scene.weights == WeightsSource::random || (name == "block_layer" && !other_model(scene));
  return !pair && chosen ? "block" : "";
}

std::optional<Range> useful(const Field& field, const Scene& scene, const Results& results) {
  const std::string_view name = field.name;
  if (name == "block_layer") return useful_layers(field, scene, results);
  const auto* pair = results.own_as<EncoderDecoderResults>();
  if (name != "block_encdec_step" || !pair) return {};
  return Range{field.min, std::max(1.0, static_cast<double>(pair->decoded.size()))};
}

void compute_opened(const OtherModel& other, base::Parallel& parallel, const Progress& progress,
                    Results& results) {
  const auto block = compute_opened_block(other, results, parallel, progress);
  if (!block && block.error() == given_up) return;
  if (block) {
    results.own = *block;
  } else {
    auto none = std::make_shared<OpenedBlock>();
    none->problem = block.error();
    results.own = std::move(none);
  }
}

void compute(const Scene& scene, base::Parallel& parallel, const Progress& progress, Results& results) {
  if (scene.block.model == BlockModel::encoder_decoder)
    results.own = compute_encoder_decoder(scene, parallel, progress);
  else if (const auto other = shown_other_model(scene))
    compute_opened(*other, parallel, progress, results);
  else
    results.own = compute_block(scene, results, parallel, progress);
}

double work(const Scene& scene, int tokens) {
  if (scene.block.model == BlockModel::encoder_decoder) return encoder_decoder_work(scene);
  if (const auto other = shown_other_model(scene)) return opened_block_work(scene, *other, tokens);
  return block_work(scene, tokens);
}

std::vector<ChosenOf> chooses(const Scene& scene, const Results* results) {
  if (scene.block.model == BlockModel::encoder_decoder) {
    const EncoderDecoderSettings& s = scene.encoder_decoder;
    const int steps = results && results->own_as<EncoderDecoderResults>()
                          ? static_cast<int>(results->own_as<EncoderDecoderResults>()->decoded.size())
                          : 0;  // how many there are is decoded
    return {{"block_encdec_step", 1, steps, "decoding step"},
            {"block_encdec_layer", 1, s.layers, "layer"},
            {"block_encdec_head", 1, s.heads, "head"}};
  }
  const auto other = shown_other_model(scene);
  return {{"block_head", 1, heads_to_show(scene), "head"},
          {"block_layer", 1, other ? layers_of(*other) : scene.block.layers, "layer"}};
}

std::string_view first_table(const Scene& scene) {
  return scene.block.plot == BlockPlot::depth ? "block_depth" : "";
}

constexpr const char* with_or_without[] = {"with", "without"};
/// A quantity of the other choice of block_model.
std::string why_none(const Quantity& quantity, const QuantitySource& from) {
  const std::string_view name = quantity.info->name;
  const bool of_pair = name.starts_with("encdec_");
  if (of_pair == (from.scene.block.model == BlockModel::encoder_decoder)) {
    const bool opened = shown_other_model(from.scene) != nullptr;
    if (!opened && (name == "block_stage_rms" || name == "block_stage_largest" ||
                    name == "layer_largest_weight" || name == "block_head_entropy"))
      return "it needs a model from another program";
    if (!name.starts_with("block_stage_") || from.results.tokens.empty()) return {};
    if (opened && (name == "block_stage_mean" || name == "block_stage_deviation"))
      return "of a model from another program there are block_stage_rms and block_stage_largest";
    const std::string_view of = quantity.word("of", word(from.scene.block.shown));
    return of == word(BlockShown::weights) ? "the weights are not a stage; name one, such as of=x"
                                           : "the layer has no stage " + std::string(of);
  }
  return std::string("it needs block_model=") +
         word(of_pair ? BlockModel::encoder_decoder : BlockModel::stack);
}

constexpr ArgumentInfo arguments[] = {{.name = "of", .words = Words<BlockShown>::list},
                                      {.name = "residuals", .words = with_or_without}};

constexpr const char* of_pairs[] = {"depth_cosine"};

constexpr ArgumentDefault defaults[] = {{"stage", "0"}};

}  // namespace

const PageRoom block_room{
    .page = Page::block,
    .group = PageGroup::explore,
    .title = "Block",
    .about = "a Transformer block and a stack of them",
    .uses = uses,
    .chips = {"weights", "block_layers", "block_activation"},
    .heading = heading,
    .useful = useful,
    .compute = compute,
    .work = work,
    .forget = forget_opened_block,
    .tables = block_tables,
    .first_table = first_table,
    .quantities = block_quantities,
    .arguments = arguments,
    .defaults = defaults,
    .why_none = why_none,
    .of_pairs = of_pairs,
    .chooses = chooses,
};

}  // namespace headlight::scene
