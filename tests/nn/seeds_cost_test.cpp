// The numbers that the texts behind this program print on cost and on memory (seeds.json of the reference
// data).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "nn/cost.h"
#include "nn/hopfield.h"
#include "pages/cost/cost.h"
#include "support/reference_data.h"

namespace headlight::tests {
namespace {

using nn::Architecture;
using nn::LayerSize;

/// The case of the test at hand, or null when the folder in use has none of that name.
class ReferenceSeedCosts : public testing::Test {
 protected:
  const nlohmann::json* find(const std::string& id) {
    seeds_ = ReferenceData::instance().json("seeds.json");
    for (const nlohmann::json& c : seeds_.at("cases")) {
      if (c.at("id") == id) return &c;
    }
    return nullptr;
  }

 private:
  nlohmann::json seeds_;
};

#define FIND_OR_SKIP(name, id)                                                                              \
  const nlohmann::json* name##_found = find(id);                                                            \
  if (name##_found == nullptr) GTEST_SKIP() << "no " << id << " in " << ReferenceData::instance().origin(); \
  const nlohmann::json& name = *name##_found

TEST_F(ReferenceSeedCosts, ComplexityFormulas) {
  FIND_OR_SKIP(c, "complexity-formulas");
  for (const nlohmann::json& row : c["expected"]["values"]) {
    const LayerSize size{row["n"], row["d"], row["k"]};
    const nn::LayerCost attention = cost_of(Architecture::self_attention, size);
    const nn::LayerCost recurrent = cost_of(Architecture::recurrence, size);
    const nn::LayerCost plain = cost_of(Architecture::convolution, size);
    const nn::LayerCost dilated = cost_of(Architecture::dilated_convolution, size);
    EXPECT_EQ(attention.leading, row["self_attention"].get<std::uint64_t>());
    EXPECT_EQ(recurrent.leading, row["recurrent"].get<std::uint64_t>());
    EXPECT_EQ(plain.leading, row["convolution"].get<std::uint64_t>());
    EXPECT_EQ(dilated.leading, plain.leading);
    // The orders of growth that the sources print, against the layers of one-sided kernels.
    LayerSize one_sided = size;
    one_sided.side = nn::KernelSide::one_sided;
    const int stacked = cost_of(Architecture::convolution, one_sided).longest_path,
              gaps = cost_of(Architecture::dilated_convolution, one_sided).longest_path;
    EXPECT_EQ(gaps, static_cast<int>(std::ceil(row["path_conv_log"].get<double>() - 1e-9)));
    EXPECT_EQ(stacked, (size.n - 1 + size.k - 2) / (size.k - 1));
    EXPECT_GT(stacked, row["path_conv_n_over_k"].get<double>());
    EXPECT_LE(stacked, 2 * row["path_conv_n_over_k"].get<double>());
    EXPECT_EQ(attention.longest_path, 1);
    EXPECT_EQ(recurrent.longest_path, size.n - 1);
    EXPECT_EQ(attention.sequential, 1u);
    EXPECT_EQ(plain.sequential, 1u);
    EXPECT_EQ(recurrent.sequential, static_cast<std::uint64_t>(size.n));
    EXPECT_EQ(attention.leading < recurrent.leading, size.n < size.d);
  }
}

TEST_F(ReferenceSeedCosts, ConvolutionReceptiveField) {
  FIND_OR_SKIP(c, "conv-receptive-field");
  const int layers = c["inputs"]["layers"], kernel = c["inputs"]["kernel"];
  const int field = nn::receptive_field(layers, kernel);
  EXPECT_EQ(field, c["expected"]["receptive_field"].get<int>());
  // x1 and x5 meet in x3 after these layers, and x0 and x6 do not.
  const LayerSize size{7, 1, kernel};
  for (int from : {1, 5}) {
    EXPECT_EQ(hop_chain(Architecture::convolution, size, from, 3).size(), static_cast<std::size_t>(layers));
  }
  for (int from : {0, 6}) {
    EXPECT_GT(hop_chain(Architecture::convolution, size, from, 3).size(), static_cast<std::size_t>(layers));
  }
}

TEST_F(ReferenceSeedCosts, MultiplicationsOfExercise39) {
  FIND_OR_SKIP(c, "flops-exercise-39.2");
  const LayerSize size{c["inputs"]["T"], c["inputs"]["d"], 1};
  const nlohmann::json& want = c["expected"]["multiply_adds"];
  const nn::CountedCost attention = count_by_running(Architecture::self_attention, size);
  EXPECT_EQ(attention.first, want["QK^T"].get<std::uint64_t>());
  EXPECT_EQ(attention.second, want["A V"].get<std::uint64_t>());
  EXPECT_EQ(attention.total(), want["attention_total"].get<std::uint64_t>());
  EXPECT_EQ(attention.total(), cost_of(Architecture::self_attention, size).multiplications);
  const nn::CountedCost recurrent = count_by_running(Architecture::recurrence, size);
  EXPECT_EQ(recurrent.first, want["rnn_W_h_only"].get<std::uint64_t>());
  EXPECT_EQ(recurrent.total(), want["rnn_W_h_and_W_x"].get<std::uint64_t>());
  EXPECT_EQ(recurrent.total(), cost_of(Architecture::recurrence, size).multiplications);
  const nn::CountedCost linear = count_by_running(Architecture::linear_attention, size);
  EXPECT_EQ(linear.total(), want["linear_attention_K^T V and Q(K^T V)"].get<std::uint64_t>());
  EXPECT_EQ(linear.total(), nn::linear_attention_multiplications(size));
  const nlohmann::json& flops = c["expected"]["flops_counting_multiply_and_add"];
  EXPECT_EQ(2 * attention.total(), flops["attention_total"].get<std::uint64_t>());
  EXPECT_EQ(2 * recurrent.total(), flops["rnn_W_h_and_W_x"].get<std::uint64_t>());
  EXPECT_DOUBLE_EQ(static_cast<double>(attention.total()) / static_cast<double>(recurrent.total()),
                   c["expected"]["ratio_attention_to_rnn"].get<double>());
}

TEST_F(ReferenceSeedCosts, MemoryWall) {
  FIND_OR_SKIP(c, "memory-wall");
  const std::uint64_t batch = c["inputs"]["batch"], heads = c["inputs"]["heads"],
                      layers = c["inputs"]["layers"], bytes = c["inputs"]["bytes_per_value"];
  for (const nlohmann::json& row : c["expected"]["rows"]) {
    const std::uint64_t T = row["T"];
    const std::uint64_t one = nn::attention_map_bytes(T, 1, 1, 1, bytes);
    const std::uint64_t total = nn::attention_map_bytes(T, batch, heads, layers, bytes);
    EXPECT_EQ(one, row["bytes_one_matrix"].get<std::uint64_t>());
    EXPECT_EQ(total, row["bytes_total"].get<std::uint64_t>());
    const double mib = static_cast<double>(one) / (1024.0 * 1024.0);
    const double gib = static_cast<double>(total) / (1024.0 * 1024.0 * 1024.0);
    EXPECT_EQ(mib, row["MiB_one_matrix"].get<double>());
    EXPECT_EQ(gib, row["GiB_total"].get<double>());
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.1f", mib);
    EXPECT_EQ(text.data(), row["printed_MiB"].get<std::string>());
    std::snprintf(text.data(), text.size(), "%.1f", gib);
    EXPECT_EQ(text.data(), row["printed_GiB"].get<std::string>());
  }
}

TEST_F(ReferenceSeedCosts, HopfieldCapacity) {
  FIND_OR_SKIP(c, "hopfield-capacity");
  for (std::size_t n = 0; n < c["inputs"]["d"].size(); ++n) {
    const int d = c["inputs"]["d"][n];
    const double binary = c["expected"]["hopfield_1982"][n];
    EXPECT_NEAR(nn::hopfield_capacity_1982(d), binary, 1e-9 * binary);
    EXPECT_NEAR(nn::hopfield_capacity_2017(d), std::pow(2.0, d / 2.0), 1e-9 * std::pow(2.0, d / 2.0));
  }
}

}  // namespace
}  // namespace headlight::tests
