#include "app/describe.h"
#include <algorithm>
#include "app/describe_text.h"
#include "app/pages.h"
#include "kit/page_input.h"
#include "pages/attention/offsets.h"
#include "pages/block/block.h"
#include "pages/head_bench/head_bench.h"
#include "pages/memory/memory.h"
#include "pages/order/order.h"
#include "pages/variants/variants.h"
#include "scene/trained_model.h"

namespace headlight::app {

namespace {

using scene::Page;

std::string heading(const views::PageInput& in) {
  const scene::Scene& scene = in.scene;
  const auto heads = static_cast<std::size_t>(scene.heads);
  std::string line = count(in.results.tokens.size(), "token", "tokens") + ", d_model " +
                     std::to_string(scene.d_model) + ", " + count(heads, "head", "heads") + " of width " +
                     std::to_string(scene.d_model / scene.heads);
  using P = nn::ModelPositions;
  const nn::ModelConfig* config = in.results.model ? &in.results.model->config : nullptr;
  const bool relative =
      config && (config->positions == P::rope || config->positions == P::t5 || config->positions == P::alibi);
  const bool added = scene.position != scene::Position::none && scene.position_scale != 0;
  line += added ? std::string(", positions ") + word(scene.position) +
                      (scene.position_scale == 1 ? "" : " × " + brief(scene.position_scale, 4))
          : relative ? ", no positions added"
                     : ", no positions";
  if (relative)
    line += std::string(", relative positions in the scores: ") + (config->positions == P::rope
                                                                       ? scene::rope_words(config->rope_pairs)
                                                                   : config->positions == P::t5 ? "T5 bias"
                                                                                                : "ALiBi");
  line += ", " + in.results.weights_source + "\n";
  for (const std::string& remark : in.results.remarks) line += remark + "\n";
  std::string unknown;
  for (std::size_t t = 0; t < in.results.tokens.size(); ++t) {
    if (in.results.unknown(static_cast<int>(t)))
      unknown += (unknown.empty() ? "unknown: " : ", ") + printable(in.results.tokens[t].text) + " (" +
                 std::to_string(t) + ")";
  }
  return unknown.empty() ? line : line + unknown + "\n";
}

std::string own_part(const views::PageInput& in, int keys) {
  switch (in.scene.page) {
    case Page::attention:
      return describe_attention(in, keys);
    case Page::position:
      return describe_position(in);
    case Page::worked:
      return describe_worked(in);
    case Page::order:
      return describe_order(in);
    case Page::variants:
      return describe_variants(in, keys);
    case Page::memory:
      return describe_memory(in);
    case Page::cost:
      return describe_cost(in);
    case Page::block:
      return describe_block(in);
    case Page::bench:
      return describe_bench(in);
    case Page::training:
      return describe_training(in);
    case Page::presets:
      return describe_presets(in);
  }
  return {};
}

}  // namespace

std::string describe_page(const views::PageInput& in, int keys) {
  const PageInfo& page = page_info(in.scene.page);
  const bool attention = in.scene.page == Page::attention;
  const bool tokens = attention || in.results.order || in.results.variants || in.results.memory ||
                      in.results.block || in.results.bench;
  std::string out;
  if (!attention) out += std::string(page.title) + ": " + page.about + "\n";
  if (tokens) out += heading(in);
  if (tokens && in.results.tokens.empty()) return out + "\nthe sentence has no tokens\n";
  out += own_part(in, keys);
  if (in.results.nonfinite > 0)
    out += "\n" + count(in.results.nonfinite, "value is", "values are") + " not finite\n";
  const std::string pinned = page.status(in);
  const bool untrained = in.scene.page == Page::training && !in.training;  // said already
  if (!attention && !untrained && !pinned.empty()) out += "\n" + pinned + "\n";
  return out;
}

std::string describe_session(const Session& session, int keys) {
  return describe_page(page_input(session, draw::theme(true)), keys);
}

}  // namespace headlight::app
