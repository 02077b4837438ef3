// One case of the reference data: its arrays by name, and the comparison with what was computed.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "kernels/tensor.h"
#include "nn/attention.h"
#include "support/reference_data.h"

namespace headlight::tests {

enum class Precision {
  f32,
  f64,
  f64_from_f32_input
};  // the last: double, but an input had to be rounded to float32

/// A computed tensor as the data lists it: heads [H, T, …] as they are, [T, H·d] split into [H, T, d].
template <class E>
std::vector<double> flat(const nn::Tensor<E>& tensor) {
  return {tensor.values().begin(), tensor.values().end()};
}
template <class E>
std::vector<double> heads_first(const nn::Tensor<E>& tensor, int heads) {
  const int d = tensor.cols() / heads;
  std::vector<double> out;
  for (int head = 0; head < heads; ++head) {
    for (int t = 0; t < tensor.rows(); ++t) {
      for (int c = 0; c < d; ++c) out.push_back(static_cast<double>(tensor.at(t, head * d + c)));
    }
  }
  return out;
}

class GoldenCase {
 public:
  GoldenCase(const nlohmann::json& description, std::string folder)
      : json_(description), folder_(std::move(folder)), id_(description.at("id")) {}
  GoldenCase(nlohmann::json&&, std::string) = delete;  // it is only looked at

  const std::string& id() const { return id_; }
  nlohmann::json params() const { return json_.value("params", nlohmann::json::object()); }
  nlohmann::json mask() const { return params().value("mask", nlohmann::json{{"mask_kind", "none"}}); }

  bool has_input(const std::string& name) const {
    return json_.contains("inputs") && json_["inputs"].contains(name);
  }
  bool has_weight(const std::string& name) const {
    return json_.contains("weights") && json_["weights"].contains(name);
  }
  bool expects(const std::string& name) const { return json_.at("expected").contains(name); }
  Array input(const std::string& name) const { return load(json_.at("inputs").at(name)); }
  Array weight(const std::string& name) const { return load(json_.at("weights").at(name)); }
  Array expected(const std::string& name) const { return load(json_.at("expected").at(name)); }

  std::vector<std::string> expected_names() const {
    std::vector<std::string> names;
    for (const auto& [name, _] : json_.at("expected").items()) names.push_back(name);
    return names;
  }

  /// Compares `got` with item `batch` of `batches` of an expected array, and notes that the array was looked
  /// at.
  void compare(const std::string& name, const std::vector<double>& got, Precision precision, int batch = 0,
               int batches = 1) {
    compared_.insert(name);
    const nlohmann::json& entry = json_.at("expected").at(name);
    const Array all = load(entry);
    const std::size_t size = all.values.size() / static_cast<std::size_t>(batches);
    const char* kind = precision == Precision::f32 ? "float32" : "double";
    ASSERT_EQ(got.size(), size) << id_ << " " << name << " (" << kind << ")";
    const bool exact = entry.contains("tol");
    double atol = 0, rtol = 0;
    if (!exact) {
      const char* bound = "tol_f32";
      if (precision == Precision::f64) {
        bound = "tol_f64";
      } else if (entry.contains("tol_f32_double_angle")) {
        bound = "tol_f32_double_angle";
      }
      atol = entry.at(bound).at("atol"), rtol = entry.at(bound).at("rtol");
    }
    std::size_t wrong = 0, worst = 0;
    double excess = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double want = all.values[static_cast<std::size_t>(batch) * size + i];
      if (got[i] == want) continue;
      const double error = std::fabs(got[i] - want),
                   allowed = std::isinf(want) ? 0 : atol + rtol * std::fabs(want);
      if (error <= allowed) continue;
      ++wrong;
      if (!(error - allowed <= excess)) excess = error - allowed, worst = i;
    }
    if (wrong == 0) return;
    ADD_FAILURE() << id_ << " " << name << " (" << kind << ", batch item " << batch << "): " << wrong
                  << " of " << size << " elements are out of tolerance (" << atol << " + " << rtol
                  << "·|x|); the worst, element " << worst << ", is " << got[worst] << " and should be "
                  << all.values[static_cast<std::size_t>(batch) * size + worst];
  }

  void leave_out(const std::string& name) { compared_.insert(name); }

  /// Fails for an expected array that nothing was compared with: a case must not pass half-checked.
  void check_complete() const {
    for (const std::string& name : expected_names()) {
      if (!compared_.count(name)) ADD_FAILURE() << id_ << ": expected array " << name << " was not compared";
    }
  }

 private:
  Array load(const nlohmann::json& entry) const {
    return ReferenceData::instance().array(folder_ + "/" + entry.at("file").get<std::string>());
  }

  const nlohmann::json& json_;
  std::string folder_, id_;
  std::set<std::string> compared_;
};

/// Item `batch` of an array whose last two axes are a matrix; rank 1 is one row. Rank 2 is the same for every
/// item.
inline nn::Matrix matrix(const Array& array, int batch = 0) {
  const int cols = array.shape.back();
  const int rows = array.rank() == 1 ? 1 : array.dim(array.rank() - 2);
  nn::Matrix out(rows, cols);
  const std::size_t from = array.rank() <= 2 ? 0 : static_cast<std::size_t>(batch) * out.size();
  for (std::size_t i = 0; i < out.size(); ++i) out.data()[i] = static_cast<float>(array.values.at(from + i));
  return out;
}

/// The same in double, as stored.
inline nn::MatrixF64 matrix_f64(const Array& array, int batch = 0) {
  const nn::Matrix narrow = matrix(array, batch);
  nn::MatrixF64 out(narrow.rows(), narrow.cols());
  const std::size_t from = array.rank() <= 2 ? 0 : static_cast<std::size_t>(batch) * out.size();
  for (std::size_t i = 0; i < out.size(); ++i) out.data()[i] = array.values.at(from + i);
  return out;
}

}  // namespace headlight::tests
