// Functions that make tables, for the pages' tables.cpp.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/tensor.h"
#include "pages/tables.h"

namespace headlight::scene {

using Names = std::vector<std::string>;
using Labels = std::vector<Names>;

inline std::size_t count(int n) {
  return static_cast<std::size_t>(n);
}

/// Refers to the tensor without a copy: as many of its last axes as there are names; a single axis takes
/// all elements.
template <class E>
Numbers view(const nn::Tensor<E>& tensor, Names axes, Labels labels = {}) {
  std::vector<std::size_t> shape{count(tensor.depth()), count(tensor.rows()), count(tensor.cols())};
  if (axes.size() == 2) shape = {count(tensor.depth() * tensor.rows()), count(tensor.cols())};
  if (axes.size() == 1) shape = {tensor.size()};
  return {io::TensorView<E>{{}, std::move(shape), tensor.values(), std::move(axes)}, std::move(labels),
          nullptr};
}

/// Takes over numbers that were made for the table.
template <class E>
Numbers own(std::vector<E> values, std::vector<std::size_t> shape, Names axes, Labels labels = {}) {
  const auto kept = std::make_shared<const std::vector<E>>(std::move(values));
  return {io::TensorView<E>{{}, std::move(shape), {kept->data(), kept->size()}, std::move(axes)},
          std::move(labels), kept};
}
template <class E>
Numbers own(nn::Tensor<E> tensor, Names axes, Labels labels = {}) {
  const auto kept = std::make_shared<const nn::Tensor<E>>(std::move(tensor));
  Numbers out = view(*kept, std::move(axes), std::move(labels));
  out.keeps = kept;
  return out;
}

/// One number for each name.
inline Numbers one_each(std::vector<std::pair<std::string, double>> all) {
  std::vector<double> values;
  Names names;
  for (auto& [name, value] : all) values.push_back(value), names.push_back(std::move(name));
  const std::size_t n = values.size();
  return own(std::move(values), {n}, {"quantity"}, {std::move(names)});
}

/// A table with named columns, built row by row.
struct Columns {
  Names names;
  std::vector<double> values;
  template <class... N>
  void row(N... numbers) {
    (values.push_back(static_cast<double>(numbers)), ...);
  }
  Numbers take(const char* what, Names rows = {}) {
    const std::size_t n = values.size() / names.size(), width = names.size();
    return own(std::move(values), {n, width}, {what, "quantity"}, {std::move(rows), names});
  }
};

inline Names token_names(const std::vector<nn::Token>& tokens, int most) {
  Names out;
  for (int i = 0; i < most && i < static_cast<int>(tokens.size()); ++i) out.push_back(tokens[count(i)].text);
  return out;
}

}  // namespace headlight::scene
