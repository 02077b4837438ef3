// The page in words.
#include <cmath>

#include "base/words.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "pages/memory/binary.h"
#include "pages/memory/experiments.h"
#include "pages/memory/memory.h"
#include "pages/memory/sizes.h"
#include "pages/memory/view/page.h"

namespace headlight::views::plain {

namespace {

/// What the chosen φ and γ do to the fast weights; nothing for those of linear attention as it is written.
std::string describe_recurrence(const PageInput& in, const scene::MemoryResults& r,
                                const scene::MemorySettings& s) {
  std::string out;
  if (s.feature == scene::MemoryFeature::random)
    out += "\nφ: " + std::to_string(s.features) +
           (s.features == 1 ? " positive random feature, an estimate of"
                            : " positive random features, an estimate of") +
           " exp(q·k ÷ √d)";
  if (s.decay != 1 && !r.recurrence.empty())
    out += "\nfast weights keep γ = " + base::brief(s.decay, 3) +
           " per step, as a state-space model with a = γ, B = φ(k), " + "C = φ(q): at step " +
           std::to_string(r.step) + " the first write has the factor " + in.text("decay_kept");
  return out;
}

std::string describe_bits(const PageInput& in, const scene::BinaryRetrieval& b) {
  return "\nnetwork of 1982: " + base::counted(b.patterns, "pattern") + " of " + std::to_string(b.bits) +
         " bits, N/D = " + in.text("binary_load") + ", " + base::counted(b.flips, "bit") +
         " flipped: overlap with pattern 1 from " + in.text("binary_overlap update=0") + " to " +
         in.text("binary_overlap") + ", energy from " + in.text("binary_energy update=0") + " to " +
         in.text("binary_energy") +
         (b.last_flip > 0 ? ", last bit changed at update " + in.text("binary_settled")
                          : std::string(", no update changes a bit")) +
         "\n" + in.text("binary_recovered") + " of " + in.text("binary_probes") +
         " probes end at overlap 0.9 or more with their own pattern\n";
}

std::string describe_sizes(const PageInput& in, const scene::SizeErrors& s) {
  std::string out =
      "\nthe same at T = " + std::to_string(scene::size_tokens) + " with m random features, mean of " +
      std::to_string(scene::size_draws) +
      " draws of ω, and over r projected keys, means of neighbours; here m = " + std::to_string(s.m) + ": " +
      in.text("random_feature_error") + ", r = " + std::to_string(s.r) + ": " + in.text("projected_error") +
      "\n";
  std::vector<std::vector<std::string>> rows{{"m or r", "error, m features", "error, r keys"}};
  for (const scene::SizeError& one : s.sizes)
    rows.push_back({std::to_string(one.size), base::brief(one.features, 3),
                    std::isnan(one.keys) ? std::string("–") : base::brief(one.keys, 3)});
  return out + table(rows);
}

}  // namespace

std::string describe_memory(const PageInput& in, int) {
  if (!in.own<scene::MemoryResults>()) return {};
  const scene::MemoryResults& r = *in.own<scene::MemoryResults>();
  std::string out;
  if (r.sentence) {
    const scene::SentenceMemory& s = *r.sentence;
    out += s.head > 0
               ? "\nlayer " + std::to_string(s.layer) + ", head " + std::to_string(s.head) + " of the model"
               : "\na head drawn from seed " + std::to_string(in.results.scene.seed) +
                     (in.results.model ? ": the heads of the model are too wide for this page" : "");
    out += "\nlinear attention beside softmax: mean largest weight " + in.text("linear_sharpness") + " and " +
           in.text("softmax_sharpness") + ", outputs differ by at most " + in.text("linear_difference") +
           (s.decay == 1 ? "\nas a fast weight matrix written token by token with the sum rule, the same "
                           "sums before the normaliser to within "
                         : "\nas a fast weight matrix written with the sum rule and decaying, two ways to "
                           "the same sums agree to within ") +
           in.text("fast_residual") +
           (s.layer > 1 ? std::string("\nq, k and v of that layer")
                        : std::string("\nq and k from the word without its position, v with it")) +
           "; the delta rule and reading back normalize φ(k) to length 1" +
           describe_recurrence(in, r, in.results.scene.memory) + "\n\nafter " +
           base::counted(r.step, "write") + ", ‖W φ(k) − v‖ / ‖v‖:\n";
    std::vector<std::vector<std::string>> rows{{"token", "written", "sum rule", "delta rule"}};
    for (const scene::ReadBack& back : r.read_back)
      rows.push_back({printable(in.results.tokens[static_cast<std::size_t>(back.token)].text),
                      std::to_string(back.times), in.text(quantity("read_back_sum", {{"token", back.token}})),
                      in.text(quantity("read_back_delta", {{"token", back.token}}))});
    out += table(rows);
  }
  const scene::Retrieval& h = r.retrieval;
  if (r.stored) {
    out += "\nHopfield: " + base::counted(in.scene.memory.patterns, "pattern") + " of " +
           std::to_string(in.scene.memory.dimension) + " numbers, drawn from seed " +
           std::to_string(in.results.scene.seed) + ", β = " + base::brief(in.scene.memory.beta, 3) +
           "; the probe ends nearest to pattern " + in.text("nearest_pattern") +
           (h.recovered_at >= 0 ? ", recovered at update " + in.text("recovered_at")
                                : ", which it does not recover") +
           ", weight spread over " + in.text("spread") + " patterns\n" + in.text("noisy_recovered") + " of " +
           in.text("noisy_probes") +
           " noisy probes recover their own pattern; one update differs from attention by " +
           in.text("update_is_attention") + "\n";
  }
  if (r.binary) out += describe_bits(in, *r.binary);
  if (const scene::MemoryExperiments* e = r.experiments.get()) {
    out += "\nlinear against softmax attention, one draw of q, k and v of width " + std::to_string(e->width) +
           " for each T\n";
    std::vector<std::vector<std::string>> rows{
        {"T", "error, elu + 1", "error, identity", "multiply-adds, softmax", "linear"}};
    for (const scene::LinearError& one : e->errors)
      rows.push_back({std::to_string(one.T), base::brief(one.elu1, 3), base::brief(one.identity, 3),
                      base::with_commas(static_cast<long long>(one.softmax_cost)),
                      base::with_commas(static_cast<long long>(one.linear_cost))});
    out += table(rows);
    if (r.sizes) out += describe_sizes(in, *r.sizes);
    out += "\ninfluence on the last of " + std::to_string(scene::influence_tokens) +
           " random tokens, width " + std::to_string(e->width) + ", mean of " +
           std::to_string(scene::influence_draws) + " draws, of which a few dominate at large distances\n";
    rows = {{"distance", "recurrence", "attention"}};
    for (const scene::Influence& one : e->influence) {
      if (one.distance < 4 || one.distance % 4 == 0)
        rows.push_back(
            {std::to_string(one.distance), base::brief(one.recurrence, 3), base::brief(one.attention, 3)});
    }
    out += table(rows);
  }
  return out;
}

}  // namespace headlight::views::plain
