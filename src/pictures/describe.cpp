#include "pictures/describe.h"

#include <algorithm>

#include "base/one_line.h"
#include "base/words.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "pages/quantities.h"
#include "pictures/pages.h"
#include "scene/score_words.h"
#include "scene/trained_model.h"

namespace headlight::app {

namespace {

using views::plain::printable;

/// Says what is unusual about the scores, on the page whose weights they give.
std::string score_words(const views::PageInput& in) {
  return scene::room_of(in.scene.page).uses(in.scene).large_map ? scene::score_words(in.results, ", ") : "";
}

/// Describes an imported model, and the layer that the numbers belong to.
std::string heading_of_opened(const views::PageInput& in, const scene::OpenedLayer& opened) {
  const auto heads = static_cast<std::size_t>(in.results.attention.heads);
  const int narrow = in.results.x.cols();  // width of the layer's input
  const std::string width =
      (narrow > 0 && narrow != opened.width ? std::to_string(narrow) + " → " : std::string()) +
      std::to_string(opened.width);
  std::string line = base::counted(in.results.tokens.size(), "token") + ", " + printable(opened.name) + " (" +
                     opened.family + "), layer " + std::to_string(opened.layer + 1) + " of " +
                     std::to_string(opened.layers) + ", width " + width + ", " +
                     base::counted(heads, "head") + " of width " + std::to_string(in.results.attention.d_k);
  if (opened.kv_heads < in.results.attention.heads)
    line += " on " + base::counted(opened.kv_heads, "key and value head");
  line += opened.causal ? ", causal" : ", in both directions";
  if (opened.window > 0) line += ", window of " + std::to_string(opened.window) + " keys";
  if (opened.rotary > 0) line += ", RoPE";
  if (opened.second >= 0) line += ", token type 1 from token " + std::to_string(opened.second) + " on";
  if (opened.cap > 0) line += ", scores capped at " + base::brief(opened.cap, 4);
  line += score_words(in) + "\n";
  for (const std::string& remark : in.results.remarks) line += remark + "\n";
  return line;
}

/// Describes saved attention: what it is, where its tokens come from, and its limits.
std::string heading_of_saved(const views::PageInput& in, const scene::OpenedLayer& opened) {
  const std::size_t T = in.results.tokens.size(), S = in.results.key_tokens.size();
  std::string line = S > 0 ? base::counted(T, "query", "queries") + ", " + base::counted(S, "key")
                           : base::counted(T, "token");
  line += ", " + printable(opened.name) + " (" + opened.family + ", " + opened.stored + "), layer " +
          std::to_string(opened.layer + 1) + " of " + std::to_string(opened.layers) + ", " +
          base::counted(in.results.attention.heads, "head");
  if (opened.sequences > 1)
    line += ", sequence " + std::to_string(opened.sequence) + " of " + std::to_string(opened.sequences) +
            ", counted from 0";
  line += opened.tokens_from.empty() ? "; no tokens are saved with it: positions are counted"
                                     : "; tokens: " + base::one_line(opened.tokens_from);
  line += "\n";
  for (const std::string& remark : in.results.remarks) line += remark + "\n";
  return line;
}

std::string heading(const views::PageInput& in) {
  if (in.results.opened && in.results.opened->saved) return heading_of_saved(in, *in.results.opened);
  if (in.results.opened) return heading_of_opened(in, *in.results.opened);
  const scene::Scene& scene = in.scene;
  const auto heads = static_cast<std::size_t>(scene.heads);
  std::string line = base::counted(in.results.tokens.size(), "token") + ", d_model " +
                     std::to_string(scene.d_model) + ", " + base::counted(heads, "head") + " of width " +
                     std::to_string(scene.d_model / scene.heads);
  using P = nn::ModelPositions;
  const nn::ModelConfig* config = in.results.model ? &in.results.model->config : nullptr;
  const bool relative =
      config && (config->positions == P::rope || config->positions == P::t5 || config->positions == P::alibi);
  const bool added = scene.position != scene::Position::none && scene.position_scale != 0;
  line += added ? std::string(", positions ") + word(scene.position) +
                      (scene.position_scale == 1 ? "" : " × " + base::brief(scene.position_scale, 4))
          : relative ? ", no positions added"
                     : ", no positions";
  if (relative)
    line += std::string(", relative positions in the scores: ") + (config->positions == P::rope
                                                                       ? scene::rope_words(config->rope_pairs)
                                                                   : config->positions == P::t5 ? "T5 bias"
                                                                                                : "ALiBi");
  line += ", " + in.results.weights_source + score_words(in) + "\n";
  for (const std::string& remark : in.results.remarks) line += remark + "\n";
  std::string unknown;
  for (std::size_t t = 0; t < in.results.tokens.size(); ++t) {
    if (in.results.unknown(static_cast<int>(t)))
      unknown += (unknown.empty() ? "unknown: " : ", ") + printable(in.results.tokens[t].text) + " (" +
                 std::to_string(t) + ")";
  }
  return unknown.empty() ? line : line + unknown + "\n";
}

}  // namespace

std::string describe_page(const views::PageInput& drawn, int keys) {
  views::PageInput in = drawn;
  in.numbers = scene::read_quantity;  // a description has numbers even if its input has no reader
  const PageInfo& page = page_info(in.scene.page);
  const bool tokens = page.room.uses(in.scene).model != scene::PageUses::Model::none;
  std::string out;
  if (!page.view.tells_model) out += std::string(page.room.title) + ": " + page.room.about + "\n";
  if (tokens) out += heading(in);
  if (!tokens && !in.results.instead.empty()) out += in.results.instead + "\n";
  if (tokens && in.results.tokens.empty()) return out + "\nthe sentence has no tokens\n";
  out += page.view.describe(in, keys);
  if (in.results.nonfinite > 0)
    out += "\n" + base::counted(in.results.nonfinite, "value is", "values are") + " not finite\n";
  const std::string pinned = page.view.tells_model ? "" : page.view.status(in);
  if (!pinned.empty() && out.find(pinned) == std::string::npos) out += "\n" + pinned + "\n";
  const std::string numbers =
      scene::quantity_lines(in.scene.page, {in.scene, in.results, in.training.get(), in.cell});
  return numbers.empty() ? out : out + "\nquantities\n" + numbers;
}

std::string describe_session(const Session& session, int keys) {
  return describe_page(page_input(session, draw::theme(true)), keys);
}

}  // namespace headlight::app
