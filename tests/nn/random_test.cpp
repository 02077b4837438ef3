#include "nn/random.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

namespace headlight::nn {
namespace {

using Words4 = std::array<std::uint32_t, 4>;

// The known answers that are published with Random123 (kat_vectors, philox4x32 10).
TEST(Philox, PublishedKnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Words4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Words4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words4{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Fnv, PublishedKnownAnswers) {
  EXPECT_EQ(hash_text("", 0), 0xcbf29ce484222325ull);
  EXPECT_EQ(hash_text("a", 1), 0xaf63dc4c8601ec8cull);
  EXPECT_EQ(hash_text("foobar", 6), 0x85944171f73967e8ull);
}

// The same bits under every compiler, flag and C library: these were seen with g++ 12 and clang++ 14 alike.
TEST(Random, ExactBits) {
  const Random random(7, 11);
  const float normals[] = {-0x1.a85ef2p-3f, 0x1.9089a2p-1f, 0x1.50e666p-3f, -0x1.cc5a9ap-2f,
                           0x1.53402ap-9f,  0x1.3d25bp-4f,  0x1.a0d96p+0f,  0x1.af2758p+0f};
  for (std::uint64_t i = 0; i < 8; ++i) EXPECT_EQ(random.normal(i), normals[i]) << i;
  const double uniforms[] = {0x1.7105efp-1, 0x1.2a32f2p-2, 0x1.c891b3p-1, 0x1.9c958fp-1};
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_EQ(random.uniform(i), uniforms[i]) << i;
}

TEST(Random, AMillionNormalsHaveTheExactHash) {
  std::vector<float> z(1'000'000);
  Random(123, 456).normals(0, z);
  EXPECT_EQ(hash_text(reinterpret_cast<const char*>(z.data()), z.size() * sizeof(float)),
            0xedb74a481bb885e9ull);
}

TEST(Random, ListsAreTheSameNumbersOneByOne) {
  const Random random(7, 11);
  for (std::uint64_t first : {0ull, 1ull, 2ull, 3ull, 4ull, (1ull << 40) + 3}) {
    for (std::size_t size : {0u, 1u, 3u, 4u, 9u}) {
      std::vector<float> normals(size);
      std::vector<double> uniforms(size);
      random.normals(first, normals);
      random.uniforms(first, uniforms);
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_EQ(normals[i], random.normal(first + i));
        EXPECT_EQ(uniforms[i], random.uniform(first + i));
      }
    }
  }
}

TEST(Random, SeedStreamAndIndexAllMatter) {
  const double u = Random(1, 2).uniform(3);
  EXPECT_EQ(u, Random(1, 2).uniform(3));
  EXPECT_NE(u, Random(2, 2).uniform(3));
  EXPECT_NE(u, Random(1, 3).uniform(3));
  EXPECT_NE(u, Random(1, 2).uniform(4));
  EXPECT_NE(u, Random(1 + (1ull << 32), 2).uniform(3));
  EXPECT_NE(u, Random(1, 2 + (1ull << 32)).uniform(3));
  EXPECT_NE(u, Random(1, 2).uniform(3 + (1ull << 34)));
}

// Against the same formula with the C library's functions, which are right to a unit in the last place or so.
TEST(Random, NormalIsBoxAndMuller) {
  const Random random(5, 6);
  for (std::uint32_t i = 0; i < 20000; i += 2) {
    const Words4 words = philox4x32({i / 4, 0, 6, 0}, {5, 0});
    const double a = (words[i % 4] + 0.5) * 0x1p-32, b = words[i % 4 + 1] * 0x1p-32;
    const double radius = std::sqrt(-2 * std::log(a)), angle = 2 * 3.14159265358979323846 * b;
    ASSERT_NEAR(static_cast<double>(random.normal(i)), radius * std::cos(angle), 3e-7) << i;
    ASSERT_NEAR(static_cast<double>(random.normal(i + 1)), radius * std::sin(angle), 3e-7) << i;
  }
}

TEST(Random, MomentsOfTheNormalDistribution) {
  constexpr int n = 400'000;
  std::vector<float> z(n);
  Random(3, 4).normals(0, z);
  double sum = 0, squares = 0, cubes = 0, fourths = 0;
  int beyond_two = 0;
  for (float value : z) {
    const double x = static_cast<double>(value);
    sum += x, squares += x * x, cubes += x * x * x, fourths += x * x * x * x;
    beyond_two += std::fabs(x) > 2;
  }
  const double root = std::sqrt(static_cast<double>(n));
  EXPECT_NEAR(sum / n, 0, 4 / root);
  EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2.0) / root);
  EXPECT_NEAR(cubes / n, 0, 4 * std::sqrt(15.0) / root);
  EXPECT_NEAR(fourths / n, 3, 4 * std::sqrt(96.0) / root);
  EXPECT_NEAR(static_cast<double>(beyond_two) / n, 0.0455, 4 * 0.2084 / root);
}

TEST(Random, UniformStaysInsideAndFillsEvenly) {
  constexpr int n = 200'000;
  const Random random(8, 9);
  std::array<int, 10> bins{};
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform(static_cast<std::uint64_t>(i));
    ASSERT_GT(u, 0);
    ASSERT_LT(u, 1);
    ++bins[static_cast<std::size_t>(10 * u)];
  }
  for (int count : bins) EXPECT_NEAR(count, n / 10, 4 * std::sqrt(n * 0.09));
}

TEST(Random, BelowStaysBelow) {
  const Random random(1, 1);
  std::array<int, 7> bins{};
  for (std::uint64_t i = 0; i < 70'000; ++i) ++bins.at(random.below(i, 7));
  for (int count : bins) EXPECT_NEAR(count, 10'000, 400);
  EXPECT_EQ(random.below(0, 1), 0u);
}

}  // namespace
}  // namespace headlight::nn
