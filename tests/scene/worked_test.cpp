#include "pages/worked/worked.h"

#include <gmock/gmock.h>

#include <cmath>

#include "pages/compute.h"
#include "scene/matrix_text.h"
#include "scene/settings.h"

namespace headlight::scene::worked_test {
namespace {

base::Parallel& parallel() {
  static base::Parallel threads(1);
  return threads;
}

std::shared_ptr<const WorkedResults> worked(const WorkedSettings& settings) {
  Scene scene;
  scene.page = Page::worked;
  scene.worked = settings;
  const auto results = compute_now(scene, parallel(), nullptr);
  EXPECT_NE(results->own_as<WorkedResults>(), nullptr);
  return {results, results->own_as<WorkedResults>()};
}

using Rows = std::vector<std::vector<double>>;

void expect_near(const nn::Matrix& m, const Rows& rows, double tolerance = 1e-6) {
  ASSERT_EQ(m.rows(), static_cast<int>(rows.size()));
  for (int r = 0; r < m.rows(); ++r) {
    const auto& row = rows[static_cast<std::size_t>(r)];
    ASSERT_EQ(m.cols(), static_cast<int>(row.size()));
    for (int c = 0; c < m.cols(); ++c)
      EXPECT_NEAR(static_cast<double>(m.at(r, c)), row[static_cast<std::size_t>(c)], tolerance)
          << r << "," << c;
  }
}

constexpr const char* identity4 = "1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1";

WorkedSettings one_hot() {
  WorkedSettings s;
  s.x = s.w_q = s.w_k = identity4;
  s.w_v = "0,1,2,3;4,5,6,7;8,9,10,11;12,13,14,15";
  return s;
}

TEST(Worked, ThreeTokensGiveTheSourcesNumbers) {
  const auto r = worked({});
  ASSERT_EQ(r->problem, "");
  expect_near(r->trace.v, {{1, 0}, {0, 2}, {1, 2}});
  expect_near(r->products, {{1, 0, 1}, {0, 1, 1}, {1, 1, 2}});
  const double s = std::sqrt(0.5);
  expect_near(r->trace.scores, {{s, 0, s}, {0, s, s}, {s, s, 2 * s}});
  expect_near(r->trace.weights, {{0.4011120926797859, 0.1977758146404282, 0.4011120926797859},
                                 {0.1977758146404282, 0.4011120926797859, 0.4011120926797859},
                                 {0.2482550782577231, 0.2482550782577231, 0.5034898434845538}});
  expect_near(r->trace.output, {{0.8022241853595719, 1.1977758146404283},
                                {0.5988879073202141, 1.6044483707191437},
                                {0.7517449217422769, 1.5034898434845538}});
  EXPECT_LT(r->residual, 1e-7);
  EXPECT_FALSE(r->one_hot_example);
}

TEST(Worked, OneHotKeysGiveTheSourcesNumbers) {
  const auto r = worked(one_hot());
  ASSERT_EQ(r->problem, "");
  EXPECT_TRUE(r->one_hot_example);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j)
      EXPECT_NEAR(static_cast<double>(r->trace.weights.at(i, j)),
                  i == j ? 0.35466124439244334 : 0.21511291853585218, 1e-6);
  }
  EXPECT_NEAR(static_cast<double>(r->trace.output.at(3, 3)), 9.837289955139546, 1e-5);
  ASSERT_EQ(r->printed.size(), 1u);
  EXPECT_TRUE(r->printed[0].agrees);
}

TEST(Worked, TheProseOfTheSourceIsToldFromItsCode) {
  const auto r = worked({});
  ASSERT_EQ(r->printed.size(), 4u);
  for (const WorkedPrinted& p : r->printed) EXPECT_EQ(p.agrees, p.by == "its code prints") << p.row;
  EXPECT_NEAR(r->printed[1].gap, 0.22 - 0.1977758, 1e-6);
  WorkedSettings other;
  other.x = "1,0;0,1;1,1.5";
  EXPECT_TRUE(worked(other)->printed.empty());
  other = {};
  other.divide = false;
  EXPECT_TRUE(worked(other)->printed.empty());
}

TEST(Worked, AMaskedKeyHasNoWeightAndNoPartInTheLookup) {
  WorkedSettings s;
  s.causal = true;
  s.x = "1,0;0,1;0,1";
  const auto r = worked(s);
  EXPECT_EQ(r->trace.weights.at(0, 0), 1);
  EXPECT_EQ(r->trace.weights.at(0, 2), 0);
  EXPECT_EQ(r->exponentials.at(0, 1), 0);
  EXPECT_EQ(r->soft.at(1, 2), 0);
  EXPECT_EQ(r->exact, (std::vector<int>{0, 1, 1}));  // token 2's own key is equal to the one before
}

TEST(Worked, TheLookupGoesFromTheBestKeysToAllOfThem) {
  WorkedSettings s;
  s.temperature = 0.02;
  const auto hard = worked(s);
  expect_near(hard->soft, {{0.5, 0, 0.5}, {0, 0.5, 0.5}, {0, 0, 1}}, 1e-5);
  EXPECT_EQ(hard->exact, (std::vector<int>{0, 1, 2}));
  s.temperature = 1;
  const auto one = worked(s);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(one->soft.data()[i], one->trace.weights.data()[i], 1e-6f);
  expect_near(one->soft_value, {{0.8022242, 1.1977758}, {0.5988879, 1.6044484}, {0.7517449, 1.5034898}});
  s.temperature = 20;
  const auto soft = worked(s);
  for (const float w : soft->soft.values()) EXPECT_NEAR(w, 1 / 3.f, 0.02f);
  s.w_q = "2,0;0,2";  // no key equals a query any more
  EXPECT_EQ(worked(s)->exact, (std::vector<int>{-1, -1, -1}));
}

TEST(Worked, AnArrowLeadsBackToItsToken) {
  WorkedSettings s;
  s.w_q = "2,1;-1,0.5", s.w_k = "1,2;2,4";
  const auto r = worked(s);
  ASSERT_TRUE(r->q_moves_x);
  EXPECT_FALSE(r->k_moves_x);  // singular
  for (int i = 0; i < 3; ++i) {
    const double a = static_cast<double>(r->trace.q.at(i, 0)), b = static_cast<double>(r->trace.q.at(i, 1));
    EXPECT_NEAR(a * r->q_to_x[0] + b * r->q_to_x[2], static_cast<double>(r->x.at(i, 0)), 1e-6);
    EXPECT_NEAR(a * r->q_to_x[1] + b * r->q_to_x[3], static_cast<double>(r->x.at(i, 1)), 1e-6);
  }
  EXPECT_FALSE(worked(one_hot())->q_moves_x);
}

TEST(Worked, AMatrixIsReadWithBlanksAndALastSemicolon) {
  const auto m = parse_matrix("worked_x", " 1 , -2.5 ;\t+3e1,0 ; ", 6, 4);
  ASSERT_TRUE(m) << m.error();
  expect_near(*m, {{1, -2.5}, {30, 0}});
}

TEST(Worked, NumbersMayBeSeparatedByBlanksAndRowsByLines) {
  for (const char* text :
       {"1,0;0,2", "1 0; 0 2", "1 0\n0 2\n", "1,\t0\r\n0, 2", "1, 0;\n0, 2;\n", " 1  0 ;0 2"}) {
    const auto m = parse_matrix("worked_x", text, 6, 4);
    ASSERT_TRUE(m) << m.error();
    expect_near(*m, {{1, 0}, {0, 2}});
  }
}

TEST(Worked, WhatIsNoMatrixIsSaidInOneLine) {
  const struct {
    const char *text, *says;
  } cases[] = {{"", "empty"},
               {" ; ", "empty"},
               {"1,x", "“x” is not a number"},
               {"1,;0,1", "nothing is not a number"},
               {"1,0;1", "row 1: 1 number but row 0 has 2"},
               {"nan,0", "not a number"},
               {"1e9,0", "not a number"},
               {"0x10", "not a number"},
               {"1,2,3,4,5", "5 columns; the limit is 4"},
               {"1;1;1;1;1;1;1", "7 rows; the limit is 6"},
               {"1;;2", "row 1: nothing is not a number"},
               {"1 2\n3", "row 1: 1 number but row 0 has 2"}};
  for (const auto& c : cases) {
    const auto m = parse_matrix("X", c.text, 6, 4);
    ASSERT_FALSE(m) << c.text;
    EXPECT_THAT(m.error(), ::testing::HasSubstr(c.says));
    EXPECT_THAT(m.error(), ::testing::StartsWith("X: "));
    EXPECT_EQ(m.error().find('\n'), std::string::npos);
  }
}

TEST(Worked, MatricesThatDoNotFitAreSaidAndTheExampleIsShown) {
  WorkedSettings s;
  s.w_v = "1,0,0";
  s.x = "5,0;0,5";
  const auto one = worked(s);
  EXPECT_THAT(one->problem, ::testing::HasSubstr("W_V has 1 row where X (2×2) has 2 columns"));
  EXPECT_STREQ(one->problem_field, "worked_w_v");
  const auto example = worked({});
  ASSERT_EQ(one->trace.output.size(), example->trace.output.size());
  for (std::size_t i = 0; i < example->trace.output.size(); ++i)
    EXPECT_EQ(one->trace.output.data()[i], example->trace.output.data()[i]);
  s = {};
  s.w_k = "1;1";
  EXPECT_THAT(worked(s)->problem, ::testing::HasSubstr("same width"));
}

TEST(Worked, TheLastGoodMatricesStayUnderEveryOtherSetting) {
  base::Parallel parallel(1);
  const auto results_of = [&](const WorkedSettings& settings) {
    Results results;
    results.scene.page = Page::worked, results.scene.worked = settings;
    results.own = compute_worked(results.scene, results, parallel);
    return results;
  };
  WorkedSettings good;
  good.x = "3,1;0,2";
  const Results before = results_of(good);
  WorkedSettings bad = good;
  bad.x = "3,1;oops", bad.causal = true, bad.divide = false;
  Results after = results_of(bad);
  keep_last_good(after, before, parallel);
  WorkedSettings wanted = good;
  wanted.causal = true, wanted.divide = false;
  const Results direct = results_of(wanted);
  EXPECT_NE(after.own_as<WorkedResults>()->problem, "");
  ASSERT_EQ(after.own_as<WorkedResults>()->trace.output.size(),
            direct.own_as<WorkedResults>()->trace.output.size());
  for (std::size_t i = 0; i < direct.own_as<WorkedResults>()->trace.output.size(); ++i)
    EXPECT_EQ(after.own_as<WorkedResults>()->trace.output.data()[i],
              direct.own_as<WorkedResults>()->trace.output.data()[i]);
  // A third one, still unreadable, keeps the same; and other pages have nothing to keep.
  Results third = results_of(bad);
  keep_last_good(third, after, parallel);
  EXPECT_EQ(third.own_as<WorkedResults>()->x.at(0, 0), 3.f);
  Results elsewhere;
  keep_last_good(elsewhere, before, parallel);
  EXPECT_EQ(elsewhere.own_as<WorkedResults>(), nullptr);
}

TEST(Worked, EverySizeUpToTheLargestComputes) {
  for (int T = 1; T <= worked_most_tokens; ++T) {
    for (int d = 1; d <= worked_most_width; ++d) {
      WorkedSettings s;
      s.x = s.w_q = s.w_v = "";
      for (int t = 0; t < T; ++t) {
        s.x += t ? ";" : "";
        for (int c = 0; c < d; ++c) s.x += (c ? "," : "") + std::to_string(t - c);
      }
      for (int r = 0; r < d; ++r) s.w_q += r ? ";1" : "1", s.w_v += r ? ";1,2,3,4" : "1,2,3,4";
      s.w_k = s.w_q;
      const auto r = worked(s);
      ASSERT_EQ(r->problem, "") << T << " " << d;
      EXPECT_EQ(r->trace.output.cols(), 4);
      for (int t = 0; t < T; ++t) {
        float sum = 0;
        for (int j = 0; j < T; ++j) sum += r->trace.weights.at(t, j);
        EXPECT_NEAR(sum, 1, 1e-6f);
      }
    }
  }
}

}  // namespace
}  // namespace headlight::scene::worked_test
