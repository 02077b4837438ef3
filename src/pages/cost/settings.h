// The settings of the Cost page, and their one list.
#pragma once

#include <concepts>
#include <type_traits>

#include "scene/field.h"

namespace headlight::scene {

enum class CostConvolution { stacked, dilated };
enum class CostKernel { centred, one_sided };
enum class CostBytes { one, two, four };  // per value: 8-bit, half precision, single precision
template <>
struct Words<CostConvolution> {
  static constexpr const char* list[] = {"stacked", "dilated"};
};
template <>
struct Words<CostKernel> {
  static constexpr const char* list[] = {"centred", "one_sided"};
  static constexpr const char* labels[] = {"centred", "one-sided"};
};
template <>
struct Words<CostBytes> {
  static constexpr const char* list[] = {"1", "2", "4"};
};

struct CostSettings {
  int n = 10, d = 64, k = 3;
  CostConvolution convolution = CostConvolution::stacked;
  CostKernel kernel = CostKernel::centred;
  int from = 1, to = 8;  // positions at the ends of the path
  int batch = 1, heads = 16, layers = 32;
  CostBytes bytes = CostBytes::two;
  bool operator==(const CostSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, CostSettings>
void list_fields(S& s, F&& visit) {
  constexpr Group g = Group::own;
  visit(Field{.name = "cost_n",
              .label = "Length n",
              .help = "tokens in the sequence",
              .group = g,
              .min = 1,
              .max = 131072,
              .logarithmic = true,
              .computes = true},
        s.n);
  visit(Field{.name = "cost_d",
              .label = "Width d",
              .help = "components of each token’s vector",
              .group = g,
              .min = 1,
              .max = 16384,
              .logarithmic = true,
              .computes = true,
              .given_by = shown_model | opened_model},
        s.d);
  visit(Field{.name = "cost_k",
              .label = "Kernel k",
              .help = "input positions per output of a convolution",
              .group = g,
              .min = 1,
              .max = 15,
              .computes = true},
        s.k);
  visit(Field{.name = "cost_convolution",
              .label = "Convolution",
              .help = "without gaps, or with gaps that grow from layer to layer",
              .group = g,
              .computes = true},
        s.convolution);
  visit(Field{.name = "cost_kernel",
              .label = "Kernel position",
              .help = "centred on its output, or one-sided: the output’s position and earlier ones",
              .group = g,
              .computes = true},
        s.kernel);
  visit(Field{.name = "cost_from",
              .label = "Path from",
              .help = "position at which the path starts, counted from 0",
              .group = g,
              .max = 11,
              .computes = true},
        s.from);
  visit(Field{.name = "cost_to",
              .label = "Path to",
              .help = "position at which the path ends, counted from 0",
              .group = g,
              .max = 11,
              .computes = true},
        s.to);
  visit(Field{.name = "cost_batch",
              .label = "Batch B",
              .help = "sequences per batch",
              .group = g,
              .min = 1,
              .max = 1024,
              .logarithmic = true,
              .computes = true,
              .checked = true},
        s.batch);
  visit(Field{.name = "cost_heads",
              .label = "Heads h",
              .help = "attention maps per layer",
              .group = g,
              .min = 1,
              .max = 1024,
              .logarithmic = true,
              .computes = true,
              .given_by = shown_model | opened_model},
        s.heads);
  visit(Field{.name = "cost_layers",
              .label = "Layers L",
              .help = "layers whose maps are kept for the backward pass",
              .group = g,
              .min = 1,
              .max = 1024,
              .logarithmic = true,
              .computes = true,
              .given_by = shown_model | opened_model},
        s.layers);
  visit(Field{.name = "cost_bytes",
              .label = "Bytes per value",
              .help = "4: single precision, 2: half precision, 1: eight bits",
              .group = g,
              .computes = true},
        s.bytes);
}

}  // namespace headlight::scene
