// The page in words.
#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "pages/block/block.h"
#include "pages/block/encoder_decoder.h"
#include "pages/block/view/opened_view.h"
#include "pages/block/view/page.h"

namespace headlight::views::plain {

namespace {

/// The rows of one attention, each with its largest weight.
std::string largest_keys(const nn::Matrix& weights, int head, const std::vector<std::string>& queries,
                         const std::vector<std::string>& keys) {
  std::vector<std::vector<std::string>> rows;
  for (int t = 0; t < weights.rows(); ++t) {
    const auto row = weights.row(head, t);
    const auto best = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    rows.push_back({std::to_string(t + 1) + " " + queries[static_cast<std::size_t>(t)],
                    std::to_string(best + 1) + " " + keys[best],
                    decimals(static_cast<double>(row[best]), 3)});
  }
  rows.insert(rows.begin(), {"query", "largest key", "weight"});
  return table(rows);
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " ") + name;
  return out;
}

std::string describe_encoder_decoder(const PageInput& in) {
  const scene::EncoderDecoderResults& r = *in.own<scene::EncoderDecoderResults>();
  const scene::EncoderDecoderSettings& now = in.scene.encoder_decoder;
  std::string out = "an encoder–decoder that reverses words: " + in.text("encdec_parameters") +
                    " parameters, " + base::counted(r.settings.layers, "layer") + " of " +
                    base::counted(r.settings.heads, "head") + ", positions " + word(r.settings.positions) +
                    ", seed " + std::to_string(r.settings.seed) + ", " + std::to_string(r.settings.training) +
                    " training steps\n" + in.text("encdec_exact_words") + " of " + in.text("encdec_words") +
                    " held-out words reversed exactly, held-out loss " + in.text("encdec_loss") + "\n\n";
  std::vector<std::vector<std::string>> rows{
      {"cross-attention, held-out words", "weight on n + 1 − t", "largest there", "on <end> at step n + 1"}};
  for (std::size_t i = 0; i < r.score.mirrored.size(); ++i) {
    const auto heads = static_cast<std::size_t>(r.settings.heads);
    const auto of_head = [&](const char* what) {
      return in.text(quantity(
          what, {{"layer", static_cast<int>(i / heads) + 1}, {"head", static_cast<int>(i % heads) + 1}}));
    };
    rows.push_back({"layer " + std::to_string(i / heads + 1) + ", head " + std::to_string(i % heads + 1),
                    of_head("encdec_mirrored"), of_head("encdec_largest"), of_head("encdec_end")});
  }
  out += table(rows);
  if (r.n == 0) return out + "\nthe sentence has no letter a to z\n";
  out += "\nsource " + joined(r.source_names) + "\ndecoded " + joined(r.decoded_names) +
         (r.exact ? ", exactly the reversed word\n"
                  : ", token " + std::to_string(r.right + 1) + " is the first wrong one\n") +
         (r.held_out ? "this word is held out from training\n" : "this word is not held out from training\n");
  rows = {{"step", "token", "probability", "next", "weight on n + 1 − t"}};
  const int layer = r.layer(now), head = r.head(now);
  for (int t = 1; t <= static_cast<int>(r.decoded.size()); ++t) {
    const auto& best = r.candidates[static_cast<std::size_t>(t - 1)];
    const int mirrored = r.mirrored(t);
    rows.push_back({std::to_string(t), best[0].text, decimals(best[0].probability, 3),
                    best[1].text + " " + decimals(best[1].probability, 3),
                    mirrored > 0 ? decimals(static_cast<double>(r.cross[static_cast<std::size_t>(layer)].at(
                                                head, t - 1, mirrored - 1)),
                                            3)
                                 : "–"});
  }
  const auto of_head = " of layer " + std::to_string(layer + 1) + ", head " + std::to_string(head + 1) + "\n";
  const auto l = static_cast<std::size_t>(layer);
  return out + "\n" + table(rows) + "\nencoder self-attention" + of_head +
         largest_keys(r.encoder[l], head, r.source_names, r.source_names) +
         "\nmasked decoder self-attention" + of_head +
         largest_keys(r.masked[l], head, r.target_names, r.target_names) + "\ncross-attention" + of_head +
         largest_keys(r.cross[l], head, r.target_names, r.source_names);
}

}  // namespace

std::string describe_block(const PageInput& in, int) {
  if (in.own<scene::EncoderDecoderResults>()) return describe_encoder_decoder(in);
  if (shows_opened(in)) return describe_opened_block(in);
  if (!in.own<scene::BlockResults>()) return {};
  const scene::BlockResults& r = *in.own<scene::BlockResults>();
  const scene::BlockSettings& s = in.results.scene.block;
  std::string out =
      base::counted(r.layers, "block") +
      (s.norm == scene::BlockNorm::none ? ", no layer norm" : std::string(", norm ") + word(s.norm)) +
      (s.residual ? "" : ", no residual connections") +
      (s.feed_forward ? std::string(", feed-forward ") + scene::activation_name(s.activation) + ", " +
                            in.text("block_widening") + " times as wide"
                      : ", no feed-forward layers") +
      (s.causal ? ", causal" : "") + "\n";
  if (r.layers_left_out > 0) out += base::counted(r.layers_left_out, "block is", "blocks are") + " omitted\n";
  if (r.tokens_left_out > 0) out += base::counted(r.tokens_left_out, "token is", "tokens are") + " omitted\n";
  std::vector<std::vector<std::string>> rows{
      {"residual stream", "mean", "variance in a token", "norm of a token"}};
  for (std::size_t i = 0; i < r.stream.size(); ++i) {
    const auto number = [&](const char* name) {
      return in.text(quantity(name, {{"stage", static_cast<int>(i)}}));
    };
    rows.push_back(
        {r.stream[i].stage, number("stream_mean"), number("stream_variance"), number("stream_norm")});
  }
  if (!r.depth.empty()) {
    const std::string others = s.residual ? "without residuals" : "with residuals";
    std::vector<std::vector<std::string>> deep{
        {"depth", "cosine of tokens", "spread", "gradient", others + ": cosine", "spread ", "gradient "}};
    for (std::size_t l = 0; l < r.depth.size(); ++l) {
      std::vector<std::string> row = {l == 0 ? "input" : "after layer " + std::to_string(l)};
      for (const bool residual : {s.residual, !s.residual}) {
        for (const char* name : {"depth_cosine", "depth_spread", "depth_gradient"})
          row.push_back(in.text(quantity(name, {{"layer", static_cast<int>(l)}}) +
                                (residual ? " residuals=with" : " residuals=without")));
      }
      deep.push_back(std::move(row));
    }
    out +=
        "\nsimilarity of the tokens: the mean cosine of all pairs, and their distance from their mean as a "
        "share of their norm;\nthe norm of ∂L/∂X after a layer; L is the component of the last output along "
        "a random direction of norm about 1\n" +
        table(deep);
  }
  return out + "\n" + table(rows) + "\nlargest weight of all heads of all layers " +
         in.text("block_largest_weight") + "\n";
}

}  // namespace headlight::views::plain
