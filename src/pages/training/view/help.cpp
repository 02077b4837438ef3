// The mathematics of the page's panels: what is computed, what the letters mean, who wrote it down first.
#include "kit/help.h"

#include "pages/training/view/page.h"

namespace headlight::views {

namespace {

constexpr HelpEntry entries[] = {
    {"Loss", "L = −mean over scored positions of log p(target)",
     "Cross-entropy in nats; guessing uniformly among V tokens gives log V. Bands around held-out values "
     "are ± one standard error; of the two relations they are the range over the seeds.",
     "Shannon 1948"},
    {"Steps", "m ← β₁m + (1 − β₁)g,  v ← β₂v + (1 − β₂)g²\nw ← w(1 − ηλ) − η m̂ / (√v̂ + ε)",
     "AdamW, with gradients clipped to norm 1, a linear warm-up and a cosine decay of the rate η to a tenth. "
     "The "
     "two relations use Adam (λ = 0) at a constant rate, without clipping. A changed rate takes effect at "
     "the "
     "next step, and the run’s file says at which. All "
     "gradients are hand-derived and checked against finite differences.",
     "Kingma and Ba 2015; Loshchilov and Hutter 2019"},
    {"Continue from here", "w, m, v of step n, then other settings",
     "Rate, steps, batch, dropout, guide and seed leave the network as it is: a new run continues from the "
     "step shown, with its weights and moments, and the earlier run is kept as a file. Other settings change "
     "the network or its task and need a restart. With another seed the batches and the held-out sequences "
     "are others, so losses before and after that step are of different sequences.",
     "how the runs are made here"},
    {"Two relations", "L = mean (A_first − target)² + mean (A_last − target)²",
     "One head has one map for two different targets; two heads have one each. As printed, two heads do not "
     "reach 0: positions 2 and 3 share a code, and a dot product cannot single out (1, 0) among random "
     "contents. The repaired models use the selected repairs: a code for each position, a query bias, fixed "
     "contents, wider projections. The list of repairs shows the held-out loss with each.",
     "the sources’ own toy task"},
    {"A control", "the same model without positions",
     "It differs from the model beside it only in its positions: the same output head, the same number of "
     "parameters (except learned rows and T5’s table), and the same initial weights. With sinusoids, whose "
     "size is 1, embeddings are drawn with a standard deviation of 0.5 and the output head has its own "
     "weights; alone, a model with another scheme has an output head tied to its embeddings. When every "
     "position is compared, all models are set up as with sinusoids. With “another setting” the second run "
     "differs in the assignment that is typed below, and in nothing else.",
     "how the runs are made here"},
    {"Dropout", "x ← x / (1 − p) with probability 1 − p, else 0",
     "In training only: applied to the embeddings with their positions, to the attention weights, and to "
     "each sublayer’s output. Held-out losses and scores are measured without it. The seed and the step "
     "determine which numbers are dropped.",
     "Srivastava et al. 2014; Vaswani et al. 2017, 5.4; d2l’s PositionalEncoding and DotProductAttention"},
    {"Attention alone", "x ← softmax(Q Kᵀ / √d_k) V W_O",
     "No residuals, no layer norm, no feed-forward layers. One such layer without positions cannot reverse "
     "letters: the outputs are permuted as the inputs are. With learned positions it can.",
     "the chapter on self-attention, 39.8 and exercise 39.4"},
    {"Other lengths", "score of the task with T’ ≠ T tokens",
     "From half the trained length to four times the trained length. A table of learned positions has no "
     "rows beyond its length. Sinusoidal rows exist for every position, but the model has not been trained "
     "on them. In the copying task the repeated part grows with the length, up to 26 letters; in the "
     "reversal task the mirrored position of every position changes.",
     "the note’s “does not enable extrapolation”; Press, Smith and Lewis, ALiBi, 2022"},
    {"Heads removed", "rows h·d_k … (h + 1)·d_k − 1 of W_O ← 0,   h from 0",
     "The remaining score, without retraining. In turn: at each step, the head whose removal leaves the "
     "highest score is removed. With more than 16 heads, heads are only removed one at a time.",
     "Michel, Levy and Neubig 2019; Voita et al. 2019"},
    {"A guided head", "L + λ · mean −log A[q, goal]",
     "The second loss trains one head to attend to a given key; λ is its weight, and 0 leaves every head "
     "free. Without it, a model can answer correctly while no head attends to the right key: attention by "
     "itself is not an explanation.",
     "Strubell et al. 2018; Jain and Wallace 2019; Wiegreffe and Pinter 2019"},
    {"Roles", "mean weight on the relation, on held-out sequences",
     "An induction head attends to the token that followed the last earlier occurrence of the current token.",
     "Olsson et al., In-context Learning and Induction Heads, 2022"},
};

}  // namespace

std::span<const HelpEntry> training_help() {
  return entries;
}

}  // namespace headlight::views
