// A quantity as text: the forms of base/numbers.h, and what pages read by name.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "pages/compute.h"
#include "pages/quantities.h"

namespace headlight::scene {
namespace {

using base::written;

TEST(QuantityText, EveryFormOfANumber) {
  EXPECT_EQ(written(-0.4567, base::decimals(2)), "−0.46");
  EXPECT_EQ(written(0.00021, base::weight_form()), "0.00021");
  EXPECT_EQ(written(0.4567, base::weight_form()), "0.457");
  EXPECT_EQ(written(1.2345e-8, base::significant(2)), "1.2e−08");
  EXPECT_EQ(written(0, base::rounding_form), "0");
  EXPECT_EQ(written(0.5, base::with_sign(1)), "+0.5");
  EXPECT_EQ(written(0.1234, base::percent(1)), "12.3 %");
  EXPECT_EQ(written(61343, base::whole_form), "61,343");
  EXPECT_EQ(written(-1, base::whole_form), "−1");
  EXPECT_EQ(written(1e300, base::whole_form).size(), 301u);
  EXPECT_EQ(written(3, base::compact_form), "3");
  EXPECT_EQ(written(0.125, base::compact_form), "0.125");
  EXPECT_EQ(written(6.2832, base::length_form), "6.3");
  EXPECT_EQ(written(62831.9, base::length_form), "62,832");
  EXPECT_EQ(written(123.45, base::loss_form), "123.5");
  for (const base::NumberForm form :
       {base::decimals(2), base::percent(1), base::whole_form, base::length_form})
    EXPECT_EQ(written(std::nan(""), form), "–");
  EXPECT_EQ(written(-std::numeric_limits<double>::infinity(), base::whole_form), "−∞");
}

TEST(QuantityText, APageReadsWhatALessonReads) {
  base::Parallel parallel{1};
  Scene scene;
  const auto results = compute_now(scene, parallel, nullptr);
  const QuantitySource from{scene, *results};
  for (const char* text :
       {"entropy head=2", "weight head=3 query=1 key=0", "tokens", "closest", "entropy head=9"}) {
    const double value = quantity_value(*parse_quantity(text), from);
    for (int again = 0; again < 2; ++again) {  // parsed, and kept
      const NamedNumber read = read_quantity(text, from);
      EXPECT_TRUE(read.value == value || (std::isnan(read.value) && std::isnan(value))) << text;
    }
  }
  const NamedNumber read = read_quantity("entropy head=2", from);
  EXPECT_STREQ(read.label, "Mean entropy of a row");
  EXPECT_STREQ(read.unit, "bits");
}

/// The opened cell's arithmetic is taken where it is meant, and computed where another cell is.
TEST(QuantityText, TheOpenedCellIsReadWhereItIsMeant) {
  base::Parallel parallel{1};
  Scene scene;
  const auto results = compute_now(scene, parallel, nullptr);
  nn::CellTrace cell = nn::explain_cell(results->attention, results->options, 1, 2, 0);
  cell.share = 0.25;  // unlike what would be computed
  const QuantitySource from{scene, *results, nullptr, &cell};
  EXPECT_EQ(read_quantity("value_share head=2 query=2 key=0", from).value, 0.25);
  EXPECT_NE(read_quantity("value_share head=2 query=2 key=1", from).value, 0.25);
  EXPECT_NE(read_quantity("value_share head=1 query=2 key=0", from).value, 0.25);
}

TEST(QuantityText, EveryLabelIsASentenceCaseNoun) {
  for (const QuantityInfo& info : quantities()) {
    const std::string label = info.label;
    EXPECT_FALSE(label.empty()) << info.name;
    EXPECT_NE(label.back(), '.') << info.name;
    EXPECT_LT(label.size(), 90u) << info.name;
    EXPECT_EQ(label.find('\t'), std::string::npos) << info.name;
  }
}

}  // namespace
}  // namespace headlight::scene
