// The page in words.
#include <cmath>

#include "base/words.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/page.h"
#include "pages/variants/view/view.h"
#include "scene/detail_query.h"

namespace headlight::views::plain {

namespace {

/// Names the setting; for RoPE, adds the components that it rotates together in a head of width d_k.
std::string position_words(scene::VariantPosition position, int d_k) {
  using P = scene::VariantPosition;
  if (position == P::shaw) return "Shaw’s tables by clipped distance";
  if (position != P::rope && position != P::rope_half) return word(position);
  if (d_k < 2) return "RoPE, no pair in a head of width 1";
  if (position == P::rope) return scene::rope_words(nn::RopePairs::interleaved);
  return "RoPE, pairs (j, j + " + std::to_string(d_k / 2) + ")";
}

/// Describes what a query adds to a score with Shaw's scheme, by the clipped distance of the key.
std::string clipped_text(const scene::VariantSideResults& side, int query) {
  const nn::Matrix& all = side.by_clipped;
  std::string out = "  query " + std::to_string(query) + " adds by key − query, clipped to ±" +
                    std::to_string(side.clip) + ":";
  for (int distance = -side.clip; distance <= side.clip; ++distance) {
    if (std::abs(distance) > 8 && std::abs(distance) < side.clip) continue;
    out += " " + std::string(distance < 0 ? "−" : "") + std::to_string(std::abs(distance)) + ": " +
           fixed(static_cast<double>(all.at(query, distance + side.clip)), 3);
  }
  return out + "\n";
}

std::string side_text(const PageInput& in, const char* name, const scene::VariantSideResults& side, int query,
                      int d_k) {
  const std::string which = name[0] == 'A' ? " side=a" : " side=b";
  std::string out = std::string("\n") + name + ": mask " + word(side.settings.mask) + ", positions " +
                    position_words(side.settings.position, d_k) +
                    (side.settings.scale ? ", ÷ √d_k" : ", not divided") + "\n";
  if (!side.error.empty()) return out + "  " + side.error + "\n";
  out += "  " + in.text("variant_pairs" + which) + (side.allowed == 1 ? " pair" : " pairs") + ", entropy " +
         in.text("variant_entropy" + which) + " bits, largest weight " + in.text("variant_largest" + which) +
         ", variance of the scores " + in.text("variant_variance" + which) + "\n";
  if (side.bucket_count > 0)
    out += "  T5: " + std::to_string(side.bucket_count) + " buckets, the last from distance " +
           std::to_string(last_bucket_from(side)) + " on\n";
  if (!side.by_clipped.empty()) out += clipped_text(side, std::clamp(query, 0, side.by_clipped.rows() - 1));
  out += side.shift_error.empty()
             ? "  shifted by " + std::to_string(side.shift.shift) + " positions: scores change by at most " +
                   in.text("variant_shift" + which) + ", weights by " +
                   in.text("variant_shift_weight" + which) + "\n"
             : "  shifted: " + side.shift_error + "\n";
  return out;
}

}  // namespace

std::string describe_variants(const PageInput& in, int keys) {
  if (!in.own<scene::VariantsResults>()) return {};
  const scene::VariantsResults& r = *in.own<scene::VariantsResults>();
  std::string out = "head " + std::to_string(r.head + 1) + " of " + std::to_string(r.heads) + ", width " +
                    std::to_string(r.d_k) + "\n";
  if (r.layer > 0)
    out += "layer " + std::to_string(r.layer) + " of the model, trained with positions " +
           position_words(r.own, r.d_k) + "; other positions replace them" +
           (r.layer > 1 ? ", and the earlier layers are run again with them\n" : "\n");
  const int query = r.T > 0 ? scene::detail_query_of(in.scene, r.T) : 0;
  out += side_text(in, "A", r.a, query, r.d_k) + side_text(in, "B", r.b, query, r.d_k);
  const scene::VariantDifference& d = r.difference;
  if (!d.weights.empty() && d.query >= 0) {
    const auto name = [&](int t) { return printable(in.results.tokens[static_cast<std::size_t>(t)].text); };
    out += "\nA − B: largest " + in.text("variant_difference") + " at query " + std::to_string(d.query) +
           " " + name(d.query) + ", key " + std::to_string(d.key) + " " + name(d.key) +
           (d.places > 1 ? " (equally large at " + base::counted(d.places - 1, "other pair") + ")"
                         : std::string()) +
           "; " +
           (std::isnan(d.moved) ? no_common_rows(r) : in.text("variant_moved") + " of a row’s weight moves") +
           "\n";
  }
  if (r.a.error.empty())
    out += "\nA\n" + strongest_keys(r.a.weights, 0, in.results.tokens, in.results.tokens, keys);
  if (r.b.error.empty())
    out += "\nB\n" + strongest_keys(r.b.weights, 0, in.results.tokens, in.results.tokens, keys);
  if (!r.cross.queries.empty() && !r.cross.keys.empty())
    out += "\nkeys of the second sentence, entropy " + in.text("cross_entropy") + " bits" +
           (r.cross.unknown > 0 ? "; " + unknown_keys(in) : std::string()) + "\n" +
           strongest_keys(r.cross.weights, 0, r.cross.queries, r.cross.keys, keys);
  std::vector<std::vector<std::string>> rows{
      {"d_k", "var(q·k)", "var(q·k/√d_k)", "largest weight", "after ÷√d_k"}};
  for (const scene::DotProducts& dot : r.dots) {
    std::vector<std::string> row = {std::to_string(dot.d_k)};
    for (const char* name : {"dots_variance", "dots_scaled_variance", "dots_largest", "dots_scaled_largest"})
      row.push_back(in.text(quantity(name, {{"d", dot.d_k}})));
    rows.push_back(std::move(row));
  }
  return out + "\n" + table(rows);
}

}  // namespace headlight::views::plain
