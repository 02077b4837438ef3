// Runs every case of one family of gradients/ in the reference data; what its families have in common.
#pragma once

#include <functional>
#include <type_traits>

#include "nn/golden_case.h"
#include "nn/linear.h"

namespace headlight::tests {

inline const nlohmann::json& gradients_manifest() {
  static const nlohmann::json manifest = ReferenceData::instance().json("gradients/manifest.json");
  return manifest;
}

/// Every expected array of every case must be compared by `run`. Skips where the data has no such case.
inline void run_gradient_family(const std::string& family, const std::function<void(GoldenCase&)>& run) {
  int cases = 0;
  for (const nlohmann::json& description : gradients_manifest().at("cases")) {
    if (description.at("family") != family) continue;
    ++cases;
    GoldenCase c(description, "gradients");
    try {
      run(c);
    } catch (const std::exception& error) {
      ADD_FAILURE() << c.id() << ": " << error.what();
      continue;
    }
    c.check_complete();
  }
  if (cases == 0) GTEST_SKIP() << "no case of " << family << " in " << ReferenceData::instance().origin();
  std::printf("%s: %d cases\n", family.c_str(), cases);
}

struct GradientFamily {
  const char* name;  // as in the data
  void (*run)(GoldenCase&);
};
inline void PrintTo(const GradientFamily& family, std::ostream* out) {
  *out << family.name;
}

template <void (*F32)(GoldenCase&), void (*F64)(GoldenCase&)>
void both(GoldenCase& c) {
  F32(c), F64(c);
}

template <class E>
constexpr Precision precision = std::is_same_v<E, float> ? Precision::f32 : Precision::f64;

template <class E>
nn::Tensor<E> as(const Array& array, int batch = 0) {
  if constexpr (std::is_same_v<E, float>) {
    return matrix(array, batch);
  } else {
    return matrix_f64(array, batch);
  }
}

inline nn::Activation activation_of(const GoldenCase& c) {
  const std::string name = c.params().at("activation");
  const std::optional<nn::Activation> activation = nn::activation_named(name);
  if (!activation) throw std::runtime_error(c.id() + ": unknown activation " + name);
  return *activation;
}

}  // namespace headlight::tests
