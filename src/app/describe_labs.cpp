// Variants, Memory, Cost.
#include <cmath>

#include "app/describe.h"
#include "app/describe_text.h"
#include "kit/page_input.h"
#include "pages/attention/offsets.h"
#include "pages/cost/cost.h"
#include "pages/memory/binary.h"
#include "pages/memory/experiments.h"
#include "pages/memory/memory.h"
#include "pages/memory/sizes.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/view.h"

namespace headlight::app {

namespace {

/// As the setting has it, but RoPE with the components that it turns together.
std::string position_words(scene::VariantPosition position) {
  if (position == scene::VariantPosition::rope) return scene::rope_words(nn::RopePairs::interleaved);
  if (position == scene::VariantPosition::shaw) return "Shaw's tables by clipped distance";
  if (position == scene::VariantPosition::rope_half) return scene::rope_words(nn::RopePairs::half);
  return word(position);
}

/// Shaw: what the query adds to a score, by the clipped distance of the key.
std::string clipped_text(const scene::VariantSideResults& side, int query) {
  const nn::Matrix& all = side.by_clipped;
  std::string out =
      "  query " + std::to_string(query) + " adds by key − query, cut to ±" + std::to_string(side.clip) + ":";
  for (int distance = -side.clip; distance <= side.clip; ++distance) {
    if (std::abs(distance) > 8 && std::abs(distance) < side.clip) continue;
    out += " " + std::string(distance < 0 ? "−" : "") + std::to_string(std::abs(distance)) + ": " +
           number("%.3f", static_cast<double>(all.at(query, distance + side.clip)));
  }
  return out + "\n";
}

std::string side_text(const char* name, const scene::VariantSideResults& side, int query) {
  std::string out = std::string("\n") + name + ": mask " + word(side.settings.mask) + ", positions " +
                    position_words(side.settings.position) +
                    (side.settings.scale ? ", ÷ √d_k" : ", not divided") + "\n";
  if (!side.error.empty()) return out + "  " + side.error + "\n";
  out += "  " + grouped(side.allowed) + (side.allowed == 1 ? " pair" : " pairs") + ", entropy " +
         number("%.3f", side.entropy_bits) + " bits, largest weight " + decimals(side.largest, 3) +
         ", variance of the scores " + brief(side.score_variance, 3) + "\n";
  if (side.bucket_count > 0)
    out += "  T5: " + std::to_string(side.bucket_count) + " buckets, the last from distance " +
           std::to_string(views::last_bucket_from(side)) + " on\n";
  if (!side.by_clipped.empty()) out += clipped_text(side, std::clamp(query, 0, side.by_clipped.rows() - 1));
  out += side.shift_error.empty()
             ? "  shifted by " + std::to_string(side.shift.shift) + " positions: scores change by at most " +
                   brief(side.shift.score_change, 2) + ", weights by " + brief(side.shift.weight_change, 2) +
                   "\n"
             : "  shifted: " + side.shift_error + "\n";
  return out;
}

/// Where the loops were run, when that was at a smaller size than the one that is set.
std::string counted_at(const nn::LayerSize& size, const scene::CostSettings& settings) {
  if (size.n == settings.n && size.d == settings.d) return {};
  return " at n = " + grouped(static_cast<std::uint64_t>(size.n)) + ", d = " + std::to_string(size.d);
}

/// Where fewer heads are counted than are set.
std::string heads_lowered(const scene::CostSettings& settings, int heads) {
  if (heads == settings.heads) return {};
  return std::to_string(settings.heads) +
         " heads are set; a head has at least one number, so at d = " + std::to_string(settings.d) + " " +
         std::to_string(heads) + " are counted, here and below\n";
}

const char* layer_name(nn::Architecture architecture) {
  switch (architecture) {
    case nn::Architecture::self_attention:
      return "self-attention";
    case nn::Architecture::recurrence:
      return "recurrence";
    case nn::Architecture::convolution:
      return "convolution";
    case nn::Architecture::dilated_convolution:
      return "dilated convolution";
    case nn::Architecture::linear_attention:
      return "linear attention";
  }
  return "";
}

}  // namespace

std::string describe_variants(const views::PageInput& in, int keys) {
  if (!in.results.variants) return {};
  const scene::VariantsResults& r = *in.results.variants;
  std::string out = "head " + std::to_string(r.head + 1) + " of " + std::to_string(r.heads) + ", width " +
                    std::to_string(r.d_k) + "\n";
  if (r.layer > 0)
    out += "layer " + std::to_string(r.layer) + " of the model, trained with positions " +
           position_words(r.own) + "; others take their place" +
           (r.layer > 1 ? ", and the layers before are run again with them\n" : "\n");
  const int query = r.T > 0 ? scene::asked_query(in.scene, r.T) : 0;
  out += side_text("A", r.a, query) + side_text("B", r.b, query);
  const scene::VariantDifference& d = r.difference;
  if (!d.weights.empty() && d.query >= 0) {
    const auto name = [&](int t) { return printable(in.results.tokens[static_cast<std::size_t>(t)].text); };
    out += "\nA − B: largest " + decimals(d.largest, 3) + " at query " + std::to_string(d.query) + " " +
           name(d.query) + ", key " + std::to_string(d.key) + " " + name(d.key) + "; " +
           number("%.1f", d.moved * 100) + " % of a row moves\n";
  }
  if (r.a.error.empty())
    out += "\nA\n" + strongest_keys(r.a.weights, 0, in.results.tokens, in.results.tokens, keys);
  if (r.b.error.empty())
    out += "\nB\n" + strongest_keys(r.b.weights, 0, in.results.tokens, in.results.tokens, keys);
  if (!r.cross.queries.empty() && !r.cross.keys.empty())
    out += "\nkeys of the second sentence, entropy " + number("%.2f", r.cross.entropy_bits) + " bits\n" +
           strongest_keys(r.cross.weights, 0, r.cross.queries, r.cross.keys, keys);
  std::vector<std::vector<std::string>> rows{
      {"d_k", "var(q·k)", "var(q·k/√d_k)", "largest weight", "after ÷√d_k"}};
  for (const scene::DotProducts& dot : r.dots)
    rows.push_back({std::to_string(dot.d_k), brief(dot.variance, 4), brief(dot.scaled_variance, 4),
                    number("%.3f", dot.raw.largest), number("%.3f", dot.scaled.largest)});
  return out + "\n" + table(rows);
}

namespace {

/// What the chosen φ and γ do to the fast weights; nothing for those of linear attention as it is written.
std::string describe_recurrence(const scene::MemoryResults& r, const scene::MemorySettings& s) {
  std::string out;
  if (s.feature == scene::MemoryFeature::random)
    out += "\nφ: " + std::to_string(s.features) + " positive random features, which estimate exp(q·k ÷ √d)";
  if (s.decay != 1 && !r.recurrence.empty())
    out += "\nfast weights keep γ = " + brief(s.decay, 3) +
           " per step, as a state-space model with a = γ, B = φ(k), " + "C = φ(q): at step " +
           std::to_string(r.step) + " the first write counts " + brief(r.recurrence.front().kept, 3);
  return out;
}

std::string describe_bits(const scene::BinaryRetrieval& b) {
  return "\nnetwork of 1982: " + count(static_cast<std::size_t>(b.patterns), "pattern", "patterns") + " of " +
         std::to_string(b.bits) + " bits, N/D = " + brief(double(b.patterns) / b.bits, 3) + ", " +
         count(static_cast<std::size_t>(b.flips), "bit", "bits") + " flipped: overlap with pattern 1 from " +
         number("%.2f", b.trace.overlap.front()) + " to " + number("%.2f", b.trace.overlap.back()) +
         ", energy from " + number("%.2f", b.trace.energy.front()) + " to " +
         number("%.2f", b.trace.energy.back()) + ", last bit changed at update " +
         std::to_string(b.last_flip) + "\n" + std::to_string(b.recovered) + " of " +
         std::to_string(b.probes) + " probes end at overlap 0.9 or more with their own pattern\n";
}

std::string describe_sizes(const scene::SizeErrors& s) {
  std::string out =
      "\nthe same at T = " + std::to_string(scene::size_tokens) + " with m random features, mean of " +
      std::to_string(scene::size_draws) +
      " draws, and over r projected keys, means of neighbours; here m = " + std::to_string(s.m) + ": " +
      brief(s.at_m, 3) + ", r = " + std::to_string(s.r) + ": " + brief(s.at_r, 3) + "\n";
  std::vector<std::vector<std::string>> rows{{"m or r", "error, m features", "error, r keys"}};
  for (const scene::SizeError& one : s.sizes)
    rows.push_back({std::to_string(one.size), brief(one.features, 3),
                    std::isnan(one.keys) ? std::string("–") : brief(one.keys, 2)});
  return out + table(rows);
}

}  // namespace

std::string describe_memory(const views::PageInput& in) {
  if (!in.results.memory) return {};
  const scene::MemoryResults& r = *in.results.memory;
  std::string out;
  if (r.sentence) {
    const scene::SentenceMemory& s = *r.sentence;
    out += s.head > 0
               ? "\nlayer " + std::to_string(s.layer) + ", head " + std::to_string(s.head) + " of the model"
               : "\na head drawn from seed " + std::to_string(in.results.scene.seed) +
                     (in.results.model ? ": the model's are too wide for this page" : "");
    out += "\nlinear attention beside softmax: mean largest weight " + number("%.3f", s.sharpness_linear) +
           " and " + number("%.3f", s.sharpness_softmax) + ", outputs differ by at most " +
           brief(s.largest_difference, 3) +
           (s.decay == 1 ? "\nas a fast weight matrix, written token by token, the same sums before the "
                           "normaliser within "
                         : "\nas a fast weight matrix that fades, two ways to the same sums within ") +
           brief(s.fast_residual, 2) +
           (s.layer > 1 ? std::string("\nq, k and v as they are in that layer")
                        : std::string("\nq and k of the word without its position, v with it")) +
           "; the delta rule, and the errors below, take φ(k) at length 1" +
           describe_recurrence(r, in.results.scene.memory) + "\n\nafter " +
           count(static_cast<std::size_t>(r.step), "write", "writes") + ", ‖W φ(k) − v‖ / ‖v‖:\n";
    std::vector<std::vector<std::string>> rows{{"token", "written", "sum rule", "delta rule"}};
    for (const scene::ReadBack& back : r.read_back)
      rows.push_back({printable(in.results.tokens[static_cast<std::size_t>(back.token)].text),
                      std::to_string(back.times), number("%.3f", back.sum), number("%.3f", back.delta)});
    out += table(rows);
  }
  const scene::Retrieval& h = r.retrieval;
  if (r.stored) {
    out += "\nHopfield: " + count(static_cast<std::size_t>(in.scene.memory.patterns), "pattern", "patterns") +
           " of " + std::to_string(in.scene.memory.dimension) + " numbers, drawn from seed " +
           std::to_string(in.results.scene.seed) + ", β = " + brief(in.scene.memory.beta, 3) +
           "; the probe goes to pattern " + std::to_string(h.nearest + 1) +
           (h.recovered_at >= 0 ? ", there at update " + std::to_string(h.recovered_at)
                                : ", and does not reach it") +
           ", weight spread over " + number("%.2f", h.effective) + " patterns\n" +
           std::to_string(r.stored->recovered) + " of " + std::to_string(r.stored->probes) +
           " noisy probes found their own pattern; one update differs from attention by " +
           brief(h.attention_residual, 2) + "\n";
  }
  if (r.binary) out += describe_bits(*r.binary);
  if (const scene::MemoryExperiments* e = r.experiments.get()) {
    out += "\nlinear against softmax attention, one draw of q, k and v of width " + std::to_string(e->width) +
           " for each T\n";
    std::vector<std::vector<std::string>> rows{
        {"T", "error, elu + 1", "error, identity", "multiply-adds, softmax", "linear"}};
    for (const scene::LinearError& one : e->errors)
      rows.push_back({std::to_string(one.T), brief(one.elu1, 3), brief(one.identity, 3),
                      grouped(one.softmax_cost), grouped(one.linear_cost)});
    out += table(rows);
    if (r.sizes) out += describe_sizes(*r.sizes);
    out += "\ninfluence on the last of " + std::to_string(scene::influence_tokens) +
           " random tokens, width " + std::to_string(e->width) + ", mean of " +
           std::to_string(scene::influence_draws) + " draws, of which a few make up most far back\n";
    rows = {{"distance", "recurrence", "attention"}};
    for (const scene::Influence& one : e->influence) {
      if (one.distance < 4 || one.distance % 4 == 0)
        rows.push_back({std::to_string(one.distance), brief(one.recurrence, 3), brief(one.attention, 3)});
    }
    out += table(rows);
  }
  return out;
}

std::string describe_cost(const views::PageInput& in) {
  if (!in.results.cost) return {};
  const scene::CostResults& r = *in.results.cost;
  std::string out = "n = " + grouped(static_cast<std::uint64_t>(in.scene.cost.n)) +
                    ", d = " + std::to_string(in.scene.cost.d) + ", k = " + std::to_string(in.scene.cost.k) +
                    (in.scene.cost.kernel == scene::CostKernel::one_sided ? ", one-sided" : ", centred") +
                    " kernels\n\n";
  std::vector<std::vector<std::string>> rows{
      {"layer", "leading term", "multiply-adds", "with projections", "FLOP of it", "sequential",
       "counted twice", "longest path", "grows as", std::to_string(r.from) + " → " + std::to_string(r.to)}};
  for (int i = 0; i < scene::cost_architectures; ++i) {
    const auto architecture = static_cast<nn::Architecture>(i);
    const scene::CountedLayer& layer = r.of(architecture);
    const auto path = [](int hops) {
      return hops == 0 ? "no path" : count(static_cast<std::size_t>(hops), "hop", "hops");
    };
    static constexpr const char* growth[] = {"O(1)", "O(n)", "O(n/k)", "O(log_k n)", "O(1)"};
    rows.push_back(
        {layer_name(architecture), grouped(layer.cost.leading), grouped(layer.cost.multiplications),
         grouped(layer.cost.whole()), grouped(2 * layer.cost.whole()), grouped(layer.cost.sequential),
         (layer.agrees() ? "agrees" : "differs") + counted_at(layer.counted_at, in.results.scene.cost),
         in.results.scene.cost.n == 1 ? "0 hops" : path(layer.cost.longest_path), growth[i],
         r.from == r.to ? "0 hops" : path(static_cast<int>(r.path(architecture).size()))});
  }
  out += table(rows);
  const scene::CountedHeads& heads = r.heads;
  out += count(static_cast<std::size_t>(heads.many.heads), "head", "heads") + " of width " +
         std::to_string(heads.many.narrowest) +
         (heads.many.widest > heads.many.narrowest ? " and " + std::to_string(heads.many.widest) : "") +
         " instead of one of " + std::to_string(in.results.scene.cost.d) + ": " +
         grouped(heads.many.multiplications) + " multiply-adds, one head " +
         grouped(heads.one.multiplications) + "; exponentials " + grouped(heads.many.exponentials) + " and " +
         grouped(heads.one.exponentials) +
         "\nlinear attention is counted in one head; in h heads 2 n d²/h\n" +
         heads_lowered(in.results.scene.cost, heads.many.heads) + "\n";
  rows = {{"n", "convolution", "recurrence", "linear attention", "self-attention"}};
  for (const scene::GrowthRow& row : r.growth) {
    using nn::Architecture;
    std::vector<std::string> words{grouped(static_cast<std::uint64_t>(row.n))};
    for (const Architecture of : {Architecture::convolution, Architecture::recurrence,
                                  Architecture::linear_attention, Architecture::self_attention})
      words.push_back(grouped(row.whole[static_cast<std::size_t>(of)]));
    rows.push_back(std::move(words));
  }
  if (rows.size() > 1)
    out += "multiply-adds of the whole layer, d = " + std::to_string(in.results.scene.cost.d) +
           ", k = " + std::to_string(in.results.scene.cost.k) + "\n" + table(rows) + "\n";
  rows = {{"T", "one map", "all maps, bytes", "tiled keeps, d = " + std::to_string(in.results.scene.cost.d)}};
  for (const scene::MemoryRow& row : r.memory)
    rows.push_back({grouped(row.T), grouped(row.one_map), grouped(row.all_maps), grouped(row.tiled)});
  out += table(rows);
  for (const scene::MemoryWall& wall : r.walls)
    out += "  " + std::to_string(wall.gib) + " GiB hold the maps of at most " + grouped(wall.T) + " tokens\n";
  out += "\ntiled attention differs from dense by at most " + brief(r.check.largest_difference, 2) + "\n";
  if (in.measured && !in.measured->rows.empty()) {
    rows = {{"T", "recurrence ms", "attention ms", "tiled ms"}};
    for (const scene::CostMeasurement& m : in.measured->rows)
      rows.push_back({grouped(static_cast<std::uint64_t>(m.T)), brief(m.recurrence.ms, 3),
                      brief(m.attention.ms, 3), brief(m.tiled.ms, 3)});
    out +=
        "\nmeasured here: self-attention from given q, k and v, without its four projections; the recurrence "
        "with both its matrices\n" +
        table(rows);
  }
  return out;
}

}  // namespace headlight::app
