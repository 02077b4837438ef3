#include "scene/nearest.h"

#include <gmock/gmock.h>

namespace headlight::scene {
namespace {

const std::vector<std::string> names = {"heads",    "head",          "temperature", "d_model",
                                        "position", "position_base", "window"};

TEST(Nearest, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("haeds", "heads"), 1);  // neighbours swapped
  EXPECT_EQ(edit_distance("Heads", "hEADS"), 0);
}

TEST(Nearest, FindsWhatWasMeant) {
  EXPECT_EQ(nearest("tempreature", names), "temperature");
  EXPECT_EQ(nearest("temprature", names), "temperature");
  EXPECT_EQ(nearest("haeds", names), "heads");
  EXPECT_EQ(nearest("HEADS", names), "heads");
  EXPECT_EQ(nearest("dmodel", names), "d_model");
  EXPECT_EQ(nearest("positon-base", names), "position_base");
  EXPECT_EQ(nearest("temp", names), "temperature");
}

TEST(Nearest, DoesNotGuessWildly) {
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("x", names), "");
  EXPECT_EQ(nearest("banana", names), "");
  EXPECT_EQ(nearest("xy", {"ab", "cd"}), "");
  EXPECT_EQ(nearest(std::string(1 << 20, 'a'), names), "");
}

TEST(Nearest, QuotesStayOneShortLine) {
  EXPECT_EQ(in_quotes("a b"), "\"a b\"");
  EXPECT_EQ(in_quotes("a\nb\x7f"), "\"a\\x0ab\\x7f\"");
  EXPECT_EQ(in_quotes("\xff"), "\"\uFFFD\"");
  const std::string cut = in_quotes(std::string(1000, 'x'));
  EXPECT_LT(cut.size(), 80u);
  EXPECT_THAT(cut, testing::EndsWith("…\""));
}

}  // namespace
}  // namespace headlight::scene
