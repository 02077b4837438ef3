// One question, one answer at every door: the numbers of a picture (its notes under the pointer), of
// `describe`, of `export` and of the quantities that lessons name are the same.
#include "doors.h"

#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include "base/numbers.h"
#include "kit/plain_text.h"
#include "pages/cost/cost.h"
#include "pictures/export_numbers.h"

namespace headlight::app {
namespace {

using namespace views::plain;

using scene::Page;
using scene::Scene;

/// The words of the line of `text` that begins with `start`, behind it.
std::vector<std::string> line_of(const std::string& text, const std::string& start) {
  const std::size_t at = text.find("\n" + start);
  EXPECT_NE(at, std::string::npos) << start << " in\n" << text;
  std::vector<std::string> words;
  if (at == std::string::npos) return words;
  const std::size_t begin = at + 1 + start.size();
  std::istringstream line(text.substr(begin, text.find('\n', begin) - begin));
  for (std::string word; line >> word;) words.push_back(word);
  return words;
}

TEST(Doors, MatricesOfTheLayer) {
  Scene scene;
  scene.query = {2};
  scene.heads = 1, scene.head = {1};  // the export of one head is the matrix itself
  Doors doors(scene);
  const std::string text = doors.described();
  for (const auto& [name, table] : {std::pair{"X", "x"},
                                    {"Q", "q"},
                                    {"K", "k"},
                                    {"V", "v"},
                                    {"concatenation", "concatenation"},
                                    {"output", "output"}}) {
    const std::vector<double> all = doors.exported(table);
    const std::vector<std::string> words = line_of(text, std::string("  ") + name + " ");
    const std::size_t wide = all.size() / doors.results->tokens.size();
    ASSERT_GE(words.size(), 12u) << name;  // rows, ×, columns, largest, eight elements
    EXPECT_EQ(words[0], std::to_string(doors.results->tokens.size()));
    EXPECT_EQ(words[2], std::to_string(wide));
    double largest = 0;
    for (const double value : all) largest = std::max(largest, std::abs(value));
    EXPECT_EQ(words[3], base::brief(largest, 3)) << name;
    for (std::size_t c = 0; c < 8; ++c) EXPECT_EQ(words[4 + c], base::fixed(all[2 * wide + c], 3)) << name;
  }
  for (const auto& [name, table] :
       {std::pair{"W_Q", "w_q"}, {"W_K", "w_k"}, {"W_V", "w_v"}, {"W_O", "w_o"}}) {
    double largest = 0;
    for (const double value : doors.exported(table)) largest = std::max(largest, std::abs(value));
    const std::vector<std::string> words = line_of(text, std::string("  ") + name + " ");
    ASSERT_EQ(words.size(), 4u) << name;
    EXPECT_EQ(words[3], base::brief(largest, 3)) << name;
  }
}

TEST(Doors, CostAgainstLength) {
  Scene scene;
  scene.page = Page::cost;
  scene.cost.d = 96, scene.cost.k = 5;
  Doors doors(scene);
  const std::string text = doors.described();
  const std::vector<double> all = doors.exported("cost_growth");
  const auto& rows = doors.results->own_as<scene::CostResults>()->growth;
  ASSERT_GT(rows.size(), 5u);
  const std::size_t kinds = all.size() / rows.size();
  using nn::Architecture;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::string n = base::with_commas(rows[r].n);
    const std::string note = doors.note("growth " + std::to_string(rows[r].n));
    const std::vector<std::string> words =
        line_of(text.substr(text.find("multiply-adds of the whole layer, d = 96, k = 5")), "  " + n + " ");
    ASSERT_EQ(words.size(), 4u);
    std::size_t column = 0;
    for (const Architecture kind : {Architecture::convolution, Architecture::recurrence,
                                    Architecture::linear_attention, Architecture::self_attention}) {
      const auto value = static_cast<std::uint64_t>(all[r * kinds + static_cast<std::size_t>(kind)]);
      EXPECT_EQ(words[column++], base::with_commas(static_cast<long long>(value)));
      EXPECT_THAT(note, testing::HasSubstr(" " + base::with_commas(static_cast<long long>(value))));
    }
  }
}

TEST(Doors, DepthOfAStack) {
  for (const bool residual : {true, false}) {
    Scene scene;
    scene.page = Page::block;
    scene.block.plot = scene::BlockPlot::depth, scene.block.layers = 4, scene.block.residual = residual;
    Doors doors(scene);
    const std::string text = doors.described();
    const std::vector<double> all = doors.exported("block_depth");
    ASSERT_EQ(all.size(), 2u * 5 * 3);
    for (std::size_t l = 0; l < 5; ++l) {
      const std::string note = doors.note("depth " + std::to_string(l));
      const std::vector<std::string> words =
          line_of(text, l == 0 ? "  input" : "  after layer " + std::to_string(l));
      ASSERT_GE(words.size(), 6u);
      for (const bool with : {true, false}) {
        const double* f = all.data() + (with ? 0 : 15) + 3 * l;
        const std::size_t first = with == residual ? 0 : 3;  // the stack's own come first
        EXPECT_EQ(words[first], base::fixed(f[0], 4));
        EXPECT_EQ(words[first + 1], base::brief(f[1], 3));
        EXPECT_EQ(words[first + 2], base::brief(f[2], 3));
        const std::string which = with ? "with residuals: mean cosine " : "without residuals: mean cosine ";
        EXPECT_THAT(note, testing::HasSubstr(which + base::fixed(f[0], 4)));
        const std::string at =
            " layer=" + std::to_string(l) + (with ? " residuals=with" : " residuals=without");
        EXPECT_EQ(doors.quantity("depth_cosine" + at), f[0]);
        EXPECT_EQ(doors.quantity("depth_spread" + at), f[1]);
        EXPECT_EQ(doors.quantity("depth_gradient" + at), f[2]);
      }
    }
  }
}

TEST(Doors, OtherLengths) {
  Doors doors(small_training(scene::TrainingPlot::lengths));
  const std::string text = doors.described();
  const std::vector<double> all = doors.exported("training_lengths");
  ASSERT_EQ(doors.training->runs.size(), 2u);
  const std::size_t points = all.size() / 6;
  ASSERT_GT(points, 4u);
  for (std::size_t r = 0; r < 2; ++r) {
    const std::string part = text.substr(text.find("\n" + doors.training->runs[r].name));
    for (std::size_t i = 0; i < points; ++i) {
      const double* p = all.data() + 3 * (r * points + i);
      const std::string length = std::to_string(static_cast<int>(p[0])), run = std::to_string(r + 1);
      const std::string note = doors.note("length " + length + " of run " + run);
      const std::vector<std::string> words = line_of(part, "  " + length + " ");
      ASSERT_GE(words.size(), 2u);
      const std::string at = " run=" + run + " length=" + length;
      if (std::isnan(p[1])) {
        EXPECT_EQ(words[0] + " " + words[1], "no positions");
        EXPECT_THAT(note, testing::HasSubstr("the table of learned positions"));
        EXPECT_TRUE(std::isnan(doors.quantity("length_score" + at)));
        continue;
      }
      ASSERT_EQ(words.size(), 3u);
      EXPECT_EQ(words[0] + " " + words[1], base::written(p[1], base::percent(1)));
      EXPECT_EQ(words[2], base::fixed(p[2], 4));
      EXPECT_THAT(note, testing::HasSubstr(base::written(p[1], base::percent(1))));
      EXPECT_THAT(note, testing::HasSubstr("loss " + base::fixed(p[2], 4)));
      EXPECT_EQ(doors.quantity("length_score" + at), p[1]);
      EXPECT_EQ(doors.quantity("length_loss" + at), p[2]);
    }
  }
}

TEST(Doors, HeadsRemoved) {
  Doors doors(small_training(scene::TrainingPlot::pruning));
  const std::string text = doors.described();
  const std::vector<double> alone = doors.exported("training_heads_removed"),
                            in_turn = doors.exported("training_removed_in_turn");
  ASSERT_EQ(alone.size(), 2u * 3 * 4);
  const std::string part = text.substr(text.find("\n" + doors.training->runs[0].name));
  std::vector<std::string> words = line_of(part, "  no head ");
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(words[0] + " " + words[1], base::written(alone[2], base::percent(1)));
  EXPECT_EQ(words[2], base::fixed(alone[3], 4));
  EXPECT_EQ(doors.quantity("removed_score"), alone[2]);
  EXPECT_THAT(doors.note("without every head"),
              testing::HasSubstr(base::written(alone[2], base::percent(1))));
  for (std::size_t i = 1; i < 3; ++i) {
    const double *p = alone.data() + 4 * i, *g = in_turn.data() + 4 * i;
    const std::string head = std::to_string(static_cast<int>(p[1]));
    words = line_of(part, "  layer 1, head " + head + " ");
    // The roles of heads have lines of the same beginning, but a colon.
    ASSERT_GE(words.size(), 3u);
    EXPECT_EQ(words[0] + " " + words[1], base::written(p[2], base::percent(1)));
    EXPECT_EQ(words[2], base::fixed(p[3], 4));
    EXPECT_EQ(doors.quantity("removed_score layer=1 head=" + head), p[2]);
    words = line_of(part, "  " + std::to_string(i) + " in turn, the last layer 1, head " +
                              std::to_string(static_cast<int>(g[1])) + " ");
    ASSERT_EQ(words.size(), 3u);
    EXPECT_EQ(words[0] + " " + words[1], base::written(g[2], base::percent(1)));
    EXPECT_EQ(words[2], base::fixed(g[3], 4));
    EXPECT_EQ(doors.quantity("removed_in_turn_score removed=" + std::to_string(i)), g[2]);
  }
}

/// The first table of a card is the one that its file and the clipboard take: that of the plot on show.
TEST(Doors, ACardsNumbersAreThoseOfThePlotOnShow) {
  Scene scene;
  const auto first = [&](Page page, const char* panel) {
    return std::string(tables_shown(scene, page, panel).front()->name);
  };
  EXPECT_EQ(first(Page::training, "loss"), "training_loss");
  EXPECT_EQ(first(Page::block, "stream"), "block_stream");
  scene.training.plot = scene::TrainingPlot::lengths, scene.block.plot = scene::BlockPlot::depth;
  EXPECT_EQ(first(Page::training, "loss"), "training_lengths");
  EXPECT_EQ(first(Page::block, "stream"), "block_depth");
  EXPECT_EQ(first(Page::training, "film"), "training_film");
  scene.training.plot = scene::TrainingPlot::pruning;
  EXPECT_EQ(first(Page::training, "loss"), "training_heads_removed");
}

TEST(Doors, ShawsTables) {
  Scene scene;
  scene.page = Page::variants;
  scene.variants.a.position = scene::VariantPosition::shaw;
  scene.variants.clip = 2, scene.query = {3};
  Doors doors(scene);
  const std::vector<double> all = doors.exported("variants_a_clipped");
  ASSERT_EQ(all.size() % 5, 0u);
  const std::vector<std::string> words =
      line_of(doors.described(), "  query 3 adds by key − query, clipped to ±2:");
  ASSERT_EQ(words.size(), 10u);
  for (int distance = -2; distance <= 2; ++distance) {
    const auto column = static_cast<std::size_t>(distance + 2);
    EXPECT_EQ(words[2 * column + 1], base::fixed(all[3 * 5 + column], 3));
    EXPECT_EQ(doors.quantity("variant_by_distance side=a query=3 distance=" + std::to_string(distance)),
              all[3 * 5 + column]);
    double least = 1e9, most = -1e9;
    for (std::size_t row = 0; row < all.size() / 5; ++row)
      least = std::min(least, all[5 * row + column]), most = std::max(most, all[5 * row + column]);
    const auto drawn = [](double value) { return base::fixed(value, 3); };
    EXPECT_THAT(doors.note("distance " + std::to_string(distance)),
                testing::HasSubstr("added " + drawn(least) + " to " + drawn(most)));
  }
}

}  // namespace
}  // namespace headlight::app
