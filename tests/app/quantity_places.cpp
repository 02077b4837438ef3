#include "quantity_places.h"

namespace headlight::app {

namespace {

constexpr NumberPlace places[] = {
    // Attention
    {"d_k", "cell", "÷ √d_k = √# ="},
    {"divisor", "cell", "÷ √d_k = √* = #"},
    {"tokens", "under matrix x", "*\n# × *, largest"},
    {"answer query=8 key=1", "*", "he model’s answer at *: “animal”, probability #"},
    {"output_rows", "under matrix output", "*\n# × *, largest"},
    {"output_width", "under matrix output", "*\n* × #, largest"},
    {"input_width", "under matrix x", "*\n* × #, largest"},
    {"output token=0 col=0", "a cell of matrices[0, 0]", "Output[0, 0] = #"},
    // Compare
    {"previous_even", "roles", "comparison: previous # ·"},
    {"similarity a=1 b=2", "under pair 1,2", "cosine #"},
    // Position
    {"p row=0 col=0", "a cell of p[0, 0]", "P[0, 0] = #"},
    {"p_rows", "status", "P is # ×"},
    {"p_columns", "status", "P is * × # ·"},
    {"rotation_angle", "same-arc", "δω = # rad"},
    // Variants
    {"dots_variance d=16", "under variance of a score at 16", "q·k: #"},
    {"dots_scaled_variance d=16", "under variance of a score at 16", "√d_k: #"},
    {"dots_largest d=16", "under largest weight at 16", "q·k: #"},
    {"dots_scaled_largest d=16", "under largest weight at 16", "√d_k: #"},
    {"batch_length sentence=2", "batch", "sentence 2: # of"},
    {"variant_weight side=a query=0 key=0", "a cell of a[0, 0]", "A weight #, score"},
    {"variant_weight side=b query=0 key=0", "a cell of b[0, 0]", "B weight #, score"},
    // Block
    {"block_layers_shown", "status", "# layers of"},
    {"block_head_weight query=0 key=0", "a cell of map[0, 0]", "query * 0 → key * 0\nα = #"},
    {"depth_cosine layer=2 residuals=with", "under depth 2", "with residuals: mean cosine #"},
    {"depth_cosine layer=2 residuals=without", "under depth 2", "without residuals: mean cosine #"},
    {"depth_spread layer=2 residuals=with", "under depth 2", "with residuals: mean cosine *, spread #"},
    {"depth_gradient layer=2 residuals=with", "under depth 2", "with residuals: mean cosine *, gradient #"},
    {"stream_mean stage=1", "under stream 1", "mean #"},
    // Worked
    {"worked_sqrt_d_k", "steps", "divided by √d_k = √* = #"},
    // Cost
    {"layers_to_meet", "paths", "ends after #"},
    // Memory
    {"linear_error T=64", "under error 64", "φ = elu + 1: #"},
    {"linear_error_identity T=64", "under error 64", "φ = identity: #"},
    {"recurrence_influence distance=1", "under influence 1", "recurrence #"},
    {"attention_influence distance=1", "under influence 1", "attention #"},
    {"memory_writes", "fast", "step # of"},
    // Training
    {"training_step run=1", "status", "step # /"},
    {"training_steps", "status", "step * / #"},
    {"training_loss", "status", "/ *   loss #"},
    {"validation_loss", "status", "/ *   held-out #"},
    {"training_score", "status", "/ *   exact match # %"},
    {"chance_loss", "under curves at *", "chance #"},
    {"length_score length=6", "under length 6 of run 1", "match # %"},
    {"length_loss length=6", "under length 6 of run 1", "loss #"},
    {"removed_score", "under without every head", "match # %"},
    {"removed_score layer=1 head=1", "under without head 1", "match # %"},
};

constexpr NotNoted unnoted[] = {
    // Attention
    {"setting", "", "a setting is no result"},
    {"keys", "", "the rows of K and V; only where there are other tokens than queries"},
    {"strongest", "", "the page names that key by its word"},
    {"readable", "", "a map has its masked cells, and their number is for lessons"},
    {"largest_later", "", "the largest of some cells of a map, for lessons"},
    {"map_difference", "", "two maps stand beside each other on Compare; any two heads are for lessons"},
    {"output_difference", "", "two rows of the output, for lessons"},
    {"input_difference", "", "two rows of the input, for lessons"},
    {"held_out_right", "", "measured on sentences that no page shows"},
    {"held_out_shown", "", "measured on sentences that no page shows"},
    {"held_out_shown_best", "", "measured on sentences that no page shows"},
    {"held_out_subject", "", "measured on sentences that no page shows"},
    {"held_out_nearest", "", "measured on sentences that no page shows"},
    // Compare
    {"heads_off", "", "the switches of the heads show it"},
    {"best_offset", "", "for lessons"},
    {"offset_weight", "",
     "for lessons; the table of roles has those of the nearest keys: previous, itself, next"},
    {"effect_norm", "", "the bars have it relative to the norm of the output: effect"},
    {"bench_difference_query", "", "the sentence below the maps names it by its word"},
    {"bench_difference_key", "", "the sentence below the maps names it by its word"},
    {"bench_apart_query", "", "the card names it by its word"},
    {"bench_apart_key", "", "the card names it by its word"},
    {"bench_map_limit", "", "the end of the colour bar, in the words of tests/views/weight_bar_test.cpp"},
    {"bench_difference_limit", "",
     "the end of the colour bar, in the words of tests/views/weight_bar_test.cpp"},
    // Position
    {"p_distance", "", "of any two rows, for lessons; the card has that of the nearest"},
    {"turns", "", "of all positions, for lessons; a clock has those of δ"},
    {"first_position", "", "the axis begins there"},
    {"as_close", "", "decides between the sentences of the uniqueness card"},
    {"p_largest", "", "the end of the colour bar of P"},
    // Order
    {"order_moved", "", "the positions of the tokens show it"},
    {"order_count", "", "a whole number in the bag of words, “×2”"},
    {"order_part_largest", "order_parts", ""},
    {"order_largest_double", "", "the card has it in float32, below the map"},
    // Variants
    {"variant_bias", "variants_a_applied variants_b_applied", ""},
    {"variant_by_distance",
     "variants_a_applied variants_b_applied variants_a_clipped variants_b_clipped variants_a_buckets "
     "variants_b_buckets",
     ""},
    {"variant_difference_query", "", "the verdict names it by its word"},
    {"variant_difference_key", "", "the verdict names it by its word"},
    // Block
    {"block_widening", "", "a setting, or of the model: the shape of the hidden stage"},
    {"stream_variance", "block_stream", "the plot has its root"},
    {"encdec_exact", "", "the card has both counts: encdec_exact_words of encdec_words"},
    {"encdec_held_out", "encdec_score", ""},
    {"encdec_right", "", "the marks of the decoded letters show it"},
    // Worked: elements of the matrices that the flow has.
    {"worked_x", "worked_x", ""},
    {"worked_soft_value", "worked_soft_value", ""},
    {"worked_exponential", "", "the page subtracts the largest score first: worked_numerator"},
    {"worked_exponentials", "", "the page subtracts the largest score first: worked_denominator"},
    {"worked_row_sum", "", "a claim of lessons: it is 1"},
    {"worked_exact", "", "the lookup has the value found there"},
    {"worked_tokens", "", "the rows of X"},
    // Cost
    {"linear_operations", "cost_table", ""},
    {"one_head_multiplications", "cost_heads", ""},
    {"counted_as_run", "", "the card says whether both counts agree"},
    {"map_mib", "", "in bytes in cost_memory, and with the unit that fits on the card"},
    {"maps_gib", "", "in bytes in cost_memory, and with the unit that fits on the card"},
    {"tiled_mib", "", "in bytes in cost_memory, and with the unit that fits on the card"},
    // Memory
    {"decay_kept", "memory_recurrence", ""},
    {"capacity_2020", "memory_capacity", ""},
    {"binary_wrong", "", "the strips of bits show it"},
    // Model
    {"model_layers", "", "the rows of the atlas"},
    {"model_component_key", "", "the card names that key by its word"},
    {"model_next_id", "next_tokens", ""},
    {"model_likely_id", "likely_tokens", ""},
    {"model_alike_layer", "similar_heads", ""},
    {"model_alike_head", "similar_heads", ""},
    {"model_off_heads", "", "the card lists them"},
    {"model_lens_true_probability", "logit_lens", ""},
    // Softmax
    // Training
    {"removed_in_turn_score", "training_removed_in_turn training_heads_removed", ""},
};

constexpr OtherForm others[] = {
    {"weight", "on a map, and in words about it, with as many decimals as its scale needs"},
    {"map_weight", "on a map, and in words about it, with as many decimals as its scale needs"},
    {"largest", "on a map, and in words about it, with as many decimals as its scale needs"},
    {"bench_difference", "beside the cells, with as many decimals as they have"},
    {"bench_apart", "with as many decimals as the cells"},
    {"omega", "a small one as 9.1e−4, in a narrow column"},
    {"model_best", "in bits where the score is an entropy"},
    {"model_drawn_probability", "a token that is never drawn is called cut"},
    {"capacity_2017", "as a power of ten"},
    {"heads_multiplications", "also in FLOP, twice as many"},
    {"tiled_bytes", "with the unit that fits"},
    {"dense_bytes", "with the unit that fits"},
    {"order_row", "in a column, all with three decimals"},
    {"variant_weight", "beside that of B and A − B, with as many decimals as their difference needs"},
    {"order_difference", "beside those of the rows, with their three decimals"},
    {"stream_norm", "beside others, with two decimals like these"},
    {"block_stage_largest", "beside others, with two decimals like these"},
};

constexpr NumberElement elements[] = {
    // Attention
    {"weight head=2 query=1 key=0", "weights", "0|1|1|0"},
    {"score head=2 query=1 key=0", "scores", "0|1|1|0"},
    {"entropy head=2", "entropy", "1"},
    {"score_variance head=2", "score_variance", "1"},
    {"output token=1 col=2", "output", "1|2"},
    {"map_weight query=1 key=0", "map", "1|0"},
    {"hidden_share query=1", "hidden", "1"},
    {"dot", "arithmetic", "q·k"},
    {"score", "arithmetic", "score"},
    {"bias", "arithmetic", "added"},
    {"row_maximum", "arithmetic", "row maximum"},
    {"exponential", "arithmetic", "exponential"},
    {"exponentials", "arithmetic", "row sum"},
    {"weight_in_double", "arithmetic", "weight"},
    {"weight_error", "arithmetic", "residual"},
    {"value_share", "arithmetic", "share of ‖αv‖"},
    {"value_projection", "arithmetic", "projection on the head’s output"},
    // Compare
    {"previous head=2", "bench_roles", "1|previous"},
    {"next head=2", "bench_roles", "1|next"},
    {"first head=2", "bench_roles", "1|first"},
    {"itself head=2", "bench_roles", "1|diagonal"},
    {"same_token head=2", "bench_roles", "1|same token"},
    {"similarity a=1 b=2", "bench_similarity", "0|1"},
    {"bench_apart rank=2", "bench_apart", "1|A − B"},
    {"bench_apart_query rank=2", "bench_apart", "1|query"},
    {"bench_apart_key rank=2", "bench_apart", "1|key"},
    {"effect head=2", "bench_effects", "1|relative change"},
    {"effect_norm head=2", "bench_effects", "1|change without it"},
    // Position
    {"p row=3 col=1", "positions", "3|1"},
    {"omega pair=1", "clocks", "1|ω"},
    {"wavelength pair=1", "clocks", "1|wavelength"},
    {"rotation_angle pair=1", "clocks", "1|turn δω"},
    {"rotation_cos", "rotation", "0|0"},
    {"rotation_sin", "rotation", "0|1"},
    {"nearest_distance row=2", "nearest", "2|distance"},
    // Order
    {"order_row position=1", "order_positions", "1|change of the output row"},
    {"order_difference", "order_verdict", "output, float32"},
    {"order_weights", "order_verdict", "weights, float32"},
    {"order_largest", "order_verdict", "largest output"},
    {"order_difference_double", "order_verdict", "output, double"},
    {"order_weights_double", "order_verdict", "weights, double"},
    {"order_xx head=1 query=1 key=0", "order_parts", "0|0|1|0"},
    {"order_xp head=1 query=1 key=0", "order_parts", "1|0|1|0"},
    {"order_px head=1 query=1 key=0", "order_parts", "2|0|1|0"},
    {"order_pp head=1 query=1 key=0", "order_parts", "3|0|1|0"},
    {"order_rotation head=1 query=1 key=0", "order_parts", "4|0|1|0"},
    // Variants
    {"variant_weight side=a query=1 key=0", "variants_a_weights", "1|0"},
    {"variant_weight side=b query=1 key=0", "variants_b_weights", "1|0"},
    {"variant_entropy side=a", "variants_sides", "entropy in bits|A"},
    {"variant_entropy side=b", "variants_sides", "entropy in bits|B"},
    {"variant_largest side=a", "variants_sides", "largest weight|A"},
    {"variant_largest side=b", "variants_sides", "largest weight|B"},
    {"variant_variance side=a", "variants_sides", "score variance|A"},
    {"variant_variance side=b", "variants_sides", "score variance|B"},
    {"variant_pairs side=a", "variants_sides", "allowed pairs|A"},
    {"variant_pairs side=b", "variants_sides", "allowed pairs|B"},
    {"variant_slope side=a head=2", "variants_a_slopes", "1"},
    {"dots_variance d=16", "variants_dots", "4|variance of q·k"},
    {"dots_scaled_variance d=16", "variants_dots", "4|variance of q·k / √d_k"},
    {"dots_largest d=16", "variants_dots", "4|largest weight"},
    {"dots_scaled_largest d=16", "variants_dots", "4|largest weight, scaled"},
    {"dots_entropy d=16", "variants_dots", "4|entropy in bits"},
    {"dots_scaled_entropy d=16", "variants_dots", "4|entropy in bits, scaled"},
    {"dots_gradient d=16", "variants_dots", "4|gradient"},
    {"dots_scaled_gradient d=16", "variants_dots", "4|gradient, scaled"},
    {"cross_weight query=1 key=0", "variants_cross", "1|0"},
    // Block
    {"stream_mean stage=1", "block_stream", "1|mean"},
    {"stream_variance stage=1", "block_stream", "1|variance"},
    {"stream_norm stage=1", "block_stream", "1|norm"},
    {"stream_deviation stage=1", "block_stream", "1|standard deviation"},
    {"block_stage_largest of=hidden layer=1", "block_figures", "0|activated|largest"},
    {"block_stage_mean of=x layer=2", "block_figures", "1|input|mean"},
    {"block_stage_deviation of=hidden layer=1", "block_figures", "0|activated|deviation"},
    {"depth_cosine layer=1 residuals=with", "block_depth", "0|1|0"},
    {"depth_spread layer=1 residuals=with", "block_depth", "0|1|1"},
    {"depth_gradient layer=1 residuals=without", "block_depth", "1|1|2"},
    {"block_head_weight query=1 key=0", "block_map", "1|0"},
    {"encdec_mirrored layer=1 head=2", "encdec_mirrored", "1|mean weight on n + 1 − t"},
    {"encdec_largest layer=1 head=2", "encdec_mirrored", "1|steps with the largest weight there"},
    {"encdec_end layer=1 head=2", "encdec_mirrored", "1|mean weight on <end> at step n + 1"},
    {"encdec_loss", "encdec_score", "held-out loss"},
    {"encdec_exact_words", "encdec_score", "decoded exactly"},
    {"encdec_words", "encdec_score", "held-out words"},
    {"encdec_parameters", "encdec_score", "parameters"},
    // Softmax
    {"softmax_row_weight key=1", "softmax", "1|weight"},
    {"softmax_exponential key=1", "softmax", "1|exp(… − largest)"},
    // Worked
    {"worked_x row=1 col=0", "worked_x", "1|0"},
    {"worked_q row=1 col=0", "worked_q", "1|0"},
    {"worked_k row=1 col=0", "worked_k", "1|0"},
    {"worked_v row=1 col=0", "worked_v", "1|0"},
    {"worked_product row=1 col=0", "worked_products", "1|0"},
    {"worked_score row=1 col=0", "worked_scores", "1|0"},
    {"worked_weight row=1 col=0", "worked_weights", "1|0"},
    {"worked_output row=1 col=0", "worked_output", "1|0"},
    {"worked_soft row=1 col=0", "worked_soft", "1|0"},
    {"worked_soft_value row=1 col=0", "worked_soft_value", "1|0"},
    {"worked_numerator row=1 col=0", "worked_numerators", "1|0"},
    {"worked_denominator row=1", "worked_denominators", "1"},
    // Cost
    {"heads_multiplications", "cost_heads", "1|multiply-adds"},
    {"heads_exponentials", "cost_heads", "1|exponentials"},
    {"one_head_exponentials", "cost_heads", "0|exponentials"},
    {"one_head_multiplications", "cost_heads", "0|multiply-adds"},
    {"heads_counted", "cost_heads", "1|heads"},
    // Memory
    {"linear_weight query=2 key=1", "memory_linear", "2|1"},
    {"softmax_weight query=2 key=1", "memory_softmax", "2|1"},
    {"pattern_weight update=1 pattern=2", "memory_retrieval", "0|1"},
    {"energy update=1", "memory_settling", "1|energy"},
    {"binary_energy update=1", "memory_binary", "1|energy"},
    {"binary_overlap update=1", "memory_binary", "1|overlap with pattern 1"},
    {"recurrence_influence distance=1", "memory_influence", "1|recurrence"},
    {"attention_influence distance=1", "memory_influence", "1|attention"},
    // Model
    {"model_previous layer=1 head=2", "head_scores", "1|previous token"},
    {"model_first layer=1 head=2", "head_scores", "1|first token"},
    {"model_itself layer=1 head=2", "head_scores", "1|itself"},
    {"model_same_token layer=1 head=2", "head_scores", "1|same token"},
    {"model_next_probability rank=2", "next_tokens", "1|probability"},
    {"model_next_id rank=2", "next_tokens", "1|id"},
    {"model_alike layer=1 head=1 rank=2", "similar_heads", "1|cosine"},
    {"model_likely query=0 rank=2", "likely_tokens", "1|probability"},
    {"model_check layer=1 head=2", "head_differences", "1|difference"},
    // Training
    {"chance_loss", "training_baselines", "chance"},
};

constexpr CardNumbers also_on_cards[] = {
    {"bench", "maps", "bench_roles bench_role_b bench_uniform"},
    {"block", "map", "block_figures block_stages block_input block_output block_weights"},
    {"block", "mirrored", "encdec_cross"},
    {"memory", "lineage", "memory_linear_output"},
    {"model", "head", "weights map"},
    {"position", "binary", "positions"},
    {"training", "header", "training_score training_lengths training_validation"},
    {"variants", "a", "variants_b_weights variants_b_scores variants_difference"},
    {"variants", "b", "variants_a_weights variants_a_scores variants_difference"},
    {"variants", "difference", "variants_a_weights variants_a_scores variants_b_weights variants_b_scores"},
    {"worked", "number",  // the terms of a sum are elements of the matrices before it
     "worked_x worked_w_q worked_w_k worked_w_v worked_q worked_k worked_v worked_products worked_scores "
     "worked_numerators worked_denominators worked_weights worked_output"},
    {"worked", "plane", "worked_weights"},
    {"worked", "printed", "worked_scores worked_weights worked_output"},
};

constexpr Nameless without_name[] = {
    {"attention", "no number below [0-9.]+|^0\\.005$", "the least that a cell of that size has room for"},
    {"memory", "0\\.14 d|p = 0\\.001|about 0\\.138", "a constant of the theory"},
    {"model", "output times [0-9.]+|output × [0-9.]+", "a choice"},
    {"bench", "head [0-9]+\\.[0-9]+", "names of heads"},
    {"model", "^×[0-9.]+$", "a choice"},
    {"model", "^−0\\.1$", "a tick of an axis that has two"},
    {"position", "^0\\.05$", "a tick of an axis that has two, in a low card"},
    {"softmax", "τ [0-9.]+|divided by [0-9.]+", "a choice"},
    {"training", "layer\\.head: [0-9., ]+", "names of heads"},
    {"worked", "temperature [0-9.]+:", "a choice"},
    {"", "[Cc]hapter, (?:exercises? )?[0-9.]+(?:,? and (?:exercise )?[0-9.]+| against [0-9.]+)*",
     "a section of a source"},
    {"", "× [0-9.e−]+(?:, the model’s scale|, causal|\n|$)", "the scale of an opened model, from its file"},
    {"bench", "full bar: [0-9.e−]+", "the end of an axis"},
    {"attention", "full bar: [0-9.e−]+", "the end of an axis"},
    {"model", "^≤ [0-9.e−]+$", "the lower end of a logarithmic colour bar"},
    {"variants", "^1e−[0-9]$|1e−9 to 10", "a tick of a logarithmic axis"},
    {"position", "[−0-9.]+ · [−0-9.]+ (?:\\+|−) [0-9.]+ · [−0-9.]+ =",
     "elements of rotation and rotated; the sign of a term stands before it"},
    {"worked", "[−0-9.]+ × [−0-9.]+ → [−0-9.]+", "a term of a sum: the product of the two numbers before it"},
    {"training", "0\\.3505 and 0\\.3196|near 0\\.[23]1|0\\.084|printed [0-9.]+", "printed by the source"},
    {"training", "position [0-9.]+ \\+ content [0-9.]+", "the two terms of the loss beside them"},
};

}  // namespace

std::span<const NumberPlace> number_places() {
  return places;
}
std::span<const NotNoted> not_noted() {
  return unnoted;
}
std::span<const OtherForm> other_forms() {
  return others;
}
std::span<const NumberElement> number_elements() {
  return elements;
}
std::span<const CardNumbers> card_numbers() {
  return also_on_cards;
}
std::span<const Nameless> nameless() {
  return without_name;
}

}  // namespace headlight::app
