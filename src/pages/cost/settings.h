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
  visit(Field{"cost_n", "Length n", "tokens in the sequence", g, 1, 131072, true, true}, s.n);
  visit(Field{"cost_d", "Width d", "components of each token’s vector", g, 1, 16384, true, true}, s.d);
  visit(Field{"cost_k", "Kernel k", "input positions per output of a convolution", g, 1, 15, false, true},
        s.k);
  visit(Field{"cost_convolution", "Convolution", "without gaps, or with gaps that grow from layer to layer",
              g, 0, 0, false, true},
        s.convolution);
  visit(Field{"cost_kernel", "Kernel position",
              "centred on its output, or one-sided: the output’s position and earlier ones", g, 0, 0, false,
              true},
        s.kernel);
  visit(Field{"cost_from", "Path from", "position at which the path starts, counted from 0", g, 0, 11, false,
              true},
        s.from);
  visit(Field{"cost_to", "Path to", "position at which the path ends, counted from 0", g, 0, 11, false, true},
        s.to);
  visit(Field{"cost_batch", "Batch B", "sequences per batch", g, 1, 1024, true, true}, s.batch);
  visit(Field{"cost_heads", "Heads h", "attention maps per layer", g, 1, 1024, true, true}, s.heads);
  visit(Field{"cost_layers", "Layers L", "layers whose maps are kept for the backward pass", g, 1, 1024, true,
              true},
        s.layers);
  visit(Field{"cost_bytes", "Bytes per value", "4: single precision, 2: half precision, 1: eight bits", g, 0,
              0, false, true},
        s.bytes);
}

}  // namespace headlight::scene
