// What the cases of attention have in common: options, masks and weights out of a case, and the comparison of
// a trace.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "nn/golden_case.h"
#include "nn/sparse.h"

namespace headlight::tests {

inline base::Parallel& threads() {
  static base::Parallel parallel(2);
  return parallel;
}

/// The part of AttentionOptions that does not depend on the batch item.
inline nn::AttentionOptions options_of(const GoldenCase& c) {
  nn::AttentionOptions options;
  const nlohmann::json params = c.params();
  options.heads = params.value("heads", 1);
  options.keep_scores = true;
  const std::string scaling = params.at("scaling");
  options.divide_by_sqrt_d_k = scaling == "rsqrt_d_k";
  if (scaling == "custom") {
    options.custom_scale = params.at("scale").get<double>();
  } else if (scaling != "none" && scaling != "rsqrt_d_k") {
    throw std::runtime_error(c.id() + ": unknown scaling " + scaling);
  }
  return options;
}

/// [B, H, T, S] masks have planes for heads; [B, T, S] and [T, S] serve all heads.
template <class E>
nn::Tensor<E> planes(const Array& array, int batch) {
  const std::size_t rank = array.rank();
  const int depth = rank == 4 ? array.dim(1) : 1;
  nn::Tensor<E> out(depth, array.dim(rank - 2), array.dim(rank - 1));
  const bool shared = rank == 2 || (rank > 2 && array.dim(0) == 1);
  const std::size_t from = shared ? 0 : static_cast<std::size_t>(batch) * out.size();
  for (std::size_t i = 0; i < out.size(); ++i) out.data()[i] = static_cast<E>(array.values.at(from + i));
  return out;
}

inline nn::SparseSpec sparse_of(const nlohmann::json& mask) {
  static const std::vector<std::pair<std::string, nn::SparseKind>> kinds = {
      {"dilated_window", nn::SparseKind::dilated_window},
      {"window_global", nn::SparseKind::window_global},
      {"block_local", nn::SparseKind::block_local},
      {"strided_causal", nn::SparseKind::strided_causal},
      {"fixed_causal", nn::SparseKind::fixed_causal}};
  const std::string pattern = mask.at("pattern");
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == pattern; });
  if (found == kinds.end()) throw std::runtime_error("unknown pattern " + pattern);
  nn::SparseSpec spec;
  spec.kind = found->second;
  spec.reach = mask.value("reach", spec.reach);
  spec.dilation = mask.value("dilation", spec.dilation);
  spec.global_tokens = mask.value("global_tokens", spec.global_tokens);
  spec.block = mask.value("block", spec.block);
  spec.stride = mask.value("stride", spec.stride);
  spec.summary = mask.value("summary", spec.summary);
  return spec;
}

/// Adds the case's mask for one batch item.
inline void set_mask(const GoldenCase& c, int batch, int T, int S, nn::MaskSpec& spec, nn::PairMask& pairs) {
  const nlohmann::json mask = c.mask();
  const std::string kind = mask.at("mask_kind");
  if (kind == "none") return;
  if (kind == "causal" || kind == "causal+valid_lens") spec.causal = true;
  if (kind == "valid_lens" || kind == "causal+valid_lens") {
    spec.valid_length = static_cast<int>(c.input("valid_lens").values.at(static_cast<std::size_t>(batch)));
  } else if (kind == "window") {
    spec.window_left = mask.at("left").get<int>();
    spec.window_right = mask.at("right").get<int>();
  } else if (kind == "valid_lens_per_query") {
    const Array all = c.input("valid_lens");
    const auto first = all.values.begin() + batch * T;
    pairs.allow = nn::Tensor<std::uint8_t>(1, T, S);
    for (int i = 0; i < T; ++i)
      for (int j = 0; j < std::min(S, static_cast<int>(first[i])); ++j) pairs.allow.at(0, i, j) = 1;
  } else if (kind == "explicit") {
    pairs.allow = planes<std::uint8_t>(c.input("mask"), batch);
  } else if (kind == "additive") {
    pairs.add = planes<float>(c.input("add_mask"), batch);
  } else if (kind == "sparse" && c.has_input("mask")) {
    pairs.allow = planes<std::uint8_t>(c.input("mask"), batch);
  } else if (kind == "sparse") {
    pairs.allow = nn::sparse_pattern(sparse_of(mask), T);
  } else if (kind != "causal") {
    throw std::runtime_error(c.id() + ": unknown mask " + kind);
  }
}

inline nn::AttentionWeights weights_of(const GoldenCase& c) {
  nn::AttentionWeights weights;
  nn::tensors(weights, [&](const char* name, nn::Matrix& m) {
    if (c.has_weight(name)) m = matrix(c.weight(name));
  });
  return weights;
}

template <class Trace>
void compare_trace(GoldenCase& c, const Trace& trace, int heads, Precision precision, int batch,
                   int batches) {
  const auto check = [&](const char* name, const std::vector<double>& got) {
    if (c.expects(name)) c.compare(name, got, precision, batch, batches);
  };
  check("q", heads_first(trace.q, heads));
  check("k", heads_first(trace.k, heads));
  check("v", heads_first(trace.v, heads));
  check("scores", flat(trace.scores));
  check("weights", flat(trace.weights));
  check("context", flat(trace.context));
  check("output", flat(trace.output));
}

}  // namespace headlight::tests
