#include <cmath>

#include "base/one_line.h"
#include "models/config.h"

namespace headlight::models {

namespace {

using nn::RopeScaling;
using nn::RopeScalingKind;

constexpr double huge = 1e12;

/// Reads what the scaling of a known kind needs, from rope_scaling or rope_parameters.
void read_scaling(Config& config, const std::string& kind, int max_positions, double base,
                  RopeScaling& scaling) {
  const auto required = [&](const char* name, double low) {
    if (!config.has(name)) config.fail("rope scaling " + base::in_quotes(kind) + " lacks " + name);
    return config.number({name}, 1, low, huge);
  };
  constexpr double small = 1e-6;
  if (kind == "linear" || kind == "dynamic") {
    scaling.kind = kind == "linear" ? RopeScalingKind::linear : RopeScalingKind::dynamic;
    scaling.factor = required("factor", kind == "linear" ? small : 1);
    scaling.original = max_positions;
  } else if (kind == "llama3") {
    scaling.kind = RopeScalingKind::llama3;
    scaling.factor = required("factor", small);
    scaling.low_freq_factor = required("low_freq_factor", small);
    scaling.high_freq_factor = required("high_freq_factor", small);
    scaling.original = config.whole_or_null({"original_max_position_embeddings"}, max_positions);
    if (scaling.high_freq_factor <= scaling.low_freq_factor)
      config.fail("high_freq_factor of the rope scaling should be larger than low_freq_factor");
  } else {
    scaling.kind = RopeScalingKind::yarn;
    scaling.factor = required("factor", small);
    scaling.original = config.whole_or_null({"original_max_position_embeddings"}, max_positions);
    if (config.has("beta_fast")) scaling.beta_fast = config.number({"beta_fast"}, 32, small, huge);
    if (config.has("beta_slow")) scaling.beta_slow = config.number({"beta_slow"}, 1, small, huge);
    scaling.attention_factor = scaling.factor > 1 ? 0.1 * std::log(scaling.factor) + 1 : 1;
    if (config.has("attention_factor"))
      scaling.attention_factor = config.number({"attention_factor"}, 1, small, huge);
    for (const char* name : {"mscale", "mscale_all_dim"})
      if (config.has(name))
        config.fail(std::string("rope scaling \"yarn\" with ") + name + " is not supported");
    if (!config.flag({"truncate"}, true))
      config.fail("rope scaling \"yarn\" without truncate is not supported");
    if (base <= 1) config.fail("rope scaling \"yarn\" needs a base larger than 1");
  }
}

}  // namespace

nn::NetworkRope read_rope(Config& config, int head_dim, int max_positions, const RopeDefaults& defaults) {
  nn::NetworkRope rope;
  const io::Json* stated = config.member("rope_parameters");
  if (stated == nullptr) stated = config.member("rope_scaling");
  if (stated != nullptr && !stated->is_object()) {
    config.fail("rope_parameters and rope_scaling should be objects, but one is " +
                base::shortened(io::found(*stated)));
    return rope;
  }
  Config inner = config.inside(stated != nullptr ? *stated : io::Json::object());
  // transformers 5 puts everything into one object; settings missing there are looked for outside.
  constexpr double low = 1e-3;
  rope.base = config.number({"rope_theta", "rotary_emb_base"}, defaults.base, low, huge);
  rope.base = inner.number({"rope_theta", "rotary_emb_base"}, rope.base, low, huge);
  double part = config.number({"partial_rotary_factor", "rotary_pct"}, defaults.part, 0, 1);
  part = inner.number({"partial_rotary_factor", "rotary_pct"}, part, 0, 1);
  rope.rotary_dim = static_cast<int>(head_dim * part);
  if (rope.rotary_dim % 2 != 0)
    inner.fail("RoPE would rotate " + std::to_string(rope.rotary_dim) +
               " components of each head; it rotates pairs, so the number should be even");
  const std::string kind = inner.text({"rope_type", "type"}, "default");
  if (kind == "linear" || kind == "dynamic" || kind == "llama3" || kind == "yarn") {
    read_scaling(inner, kind, max_positions, rope.base, rope.scaling);
  } else if (kind != "default") {
    inner.fail("rope scaling of type " + base::in_quotes(kind) +
               " is not supported; supported are default, linear, dynamic, llama3 and yarn");
  } else if (stated != nullptr) {
    for (const auto& [name, value] : stated->items())
      if (value.is_object())
        inner.fail("rope_parameters differ from layer to layer (" + base::in_quotes(name) +
                   "), which is not supported");
  }
  config.take_error(inner);
  return rope;
}

}  // namespace headlight::models
