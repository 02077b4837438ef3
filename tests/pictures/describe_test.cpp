// Is what a page says in words what it has computed?
#include "pictures/describe.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string_view>

#include "app/doors.h"
#include "base/numbers.h"
#include "command/commands.h"
#include "kit/plain_text.h"
#include "pages/compare/compare.h"
#include "pages/compute.h"
#include "pages/memory/binary.h"
#include "pages/memory/memory.h"
#include "pages/memory/sizes.h"
#include "pages/order/order.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "scene/shown.h"

namespace headlight::app {
namespace {

using namespace views::plain;

using scene::Page;
using scene::Scene;
using testing::HasSubstr;

std::string report(const Scene& scene) {
  std::string note;
  const auto text = describe(scene, 5, note);
  EXPECT_TRUE(text) << text.error();
  return text ? *text : "";
}

std::shared_ptr<scene::Results> computed(const Scene& scene) {
  base::Parallel parallel(1);
  return scene::compute_now(scene, parallel, nullptr);
}

/// Is it there as a number of its own, not as a part of one?
bool has_number(std::string_view text, const std::string& number) {
  const auto of_number = [&](std::size_t at) {
    return at < text.size() &&
           (std::isdigit(static_cast<unsigned char>(text[at])) != 0 || text[at] == '.' || text[at] == ',');
  };
  for (std::size_t at = text.find(number); at != std::string_view::npos; at = text.find(number, at + 1)) {
    const std::size_t end = at + number.size();
    const bool more =
        of_number(end) && (std::isdigit(static_cast<unsigned char>(text[end])) != 0 || of_number(end + 1));
    if ((at == 0 || !of_number(at - 1)) && !more) return true;
  }
  return false;
}

/// The quantities of a page, those of heads and pairs for the first ones, as the page writes them.
std::map<std::string, std::string> quantities_of(const Doors& doors) {
  std::map<std::string, std::string> out;
  for (const scene::QuantityInfo& info : page_info(doors.scene.page).room.quantities()) {
    std::string requested = info.name;
    for (const char* argument : {"head", "query", "key"}) {
      if (std::string_view(info.arguments).find(argument) != std::string_view::npos)
        requested += std::string(" ") + argument + "=1";
    }
    if (!scene::parse_quantity(requested)) continue;  // "setting" needs its name
    const double value = doors.quantity(requested);
    if (!std::isnan(value)) out[requested] = base::written(value, info.form);
  }
  return out;
}

/// Every quantity of the page that needs no argument stands in a line of its own; and in what the page says
/// before these lines there are quantities, too: most of those that have several digits.
TEST(Describe, EveryPageSaysItsNumbersInLinesOfPlainText) {
  for (const PageInfo& page : pages()) {
    SCOPED_TRACE(page.room.title);
    Scene scene;
    scene.page = page.page();
    if (page.page() == Page::training) scene = small_training(scene::TrainingPlot::curves);
    const Doors doors(scene);
    const std::string text = doors.training ? doors.described() : report(scene);
    const std::size_t lines = text.find("\nquantities\n");
    ASSERT_NE(lines, std::string::npos);
    const std::string_view words = std::string_view(text).substr(0, lines);
    int listed = 0, message = 0, several = 0, reported = 0;
    for (const auto& [requested, written] : quantities_of(doors)) {
      const auto parsed = scene::parse_quantity(requested);
      ASSERT_TRUE(parsed);
      const auto digits =
          std::count_if(written.begin(), written.end(), [](char c) { return c >= '1' && c <= '9'; });
      const bool before = digits >= 2 && has_number(words, written);
      message += before;
      if (!*parsed->info->arguments) {
        ++listed, several += digits >= 2, reported += before;
        const std::string unit = *parsed->info->unit ? " " + std::string(parsed->info->unit) : "";
        EXPECT_THAT(text.substr(lines),
                    HasSubstr("\n  " + std::string(parsed->info->label) + ": " + written + unit + "\n"));
      }
    }
    EXPECT_GE(listed, 2);
    EXPECT_EQ(std::count(text.begin() + static_cast<std::ptrdiff_t>(lines) + 1, text.end(), '\n'), listed + 1)
        << "a line that is no quantity without arguments, or two of them:" << text.substr(lines);
    if (!doors.training) EXPECT_GE(5 * reported, 3 * several);
    EXPECT_GE(message, 2);
    EXPECT_EQ(text.back(), '\n');
    for (const char c : text) ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
    const bool named = text.find(page.room.title) != std::string::npos;
    EXPECT_TRUE(named || page.page() == Page::attention);
  }
}

// What is summed over heads says over which.
TEST(Describe, SumsOverQueriesNameTheirHeads) {
  Scene scene;
  scene.head = {};
  EXPECT_THAT(report(scene), HasSubstr("received from all queries, mean over 4 heads:"));
  scene.head = {2}, scene.query = {1}, scene.key = 0;
  const std::string one = report(scene);
  EXPECT_THAT(one, HasSubstr("received from all queries, head 2:"));
  EXPECT_THAT(one, testing::ContainsRegex("queries that attend to “.+”, head 2: "));
}

/// What the title of the map says about the scores, the description says too.
TEST(Describe, UnusualScoresAreTold) {
  Scene scene;
  EXPECT_THAT(report(scene), testing::Not(HasSubstr("divided")));
  scene.scale = false, scene.temperature = 2;
  EXPECT_THAT(report(scene), HasSubstr(", scores not divided by √d_k, temperature 2\n"));
  scene.page = Page::cost;
  EXPECT_THAT(report(scene), testing::Not(HasSubstr("temperature 2")));
}

TEST(Describe, TheNumbersAreThoseOfTheResults) {
  Scene scene;
  scene.page = Page::compare;
  auto r = computed(scene);
  EXPECT_THAT(report(scene), HasSubstr("cosine of their maps " +
                                       base::fixed(r->own_as<scene::CompareResults>()->cosine, 2)));
  scene.page = Page::order;
  scene.order.permutation = {5, 4, 3, 2, 1, 0};
  r = computed(scene);
  EXPECT_THAT(
      report(scene),
      HasSubstr("= " + base::brief(r->own_as<scene::OrderResults>()->float32.output, 3) + " (largest"));
  EXPECT_THAT(report(scene), HasSubstr("token order: mat the on sat cat the"));
  scene.page = Page::cost;
  EXPECT_THAT(report(scene), HasSubstr(base::with_commas(static_cast<long long>(2ull * 10 * 10 * 64))))
      << "2 n² d by hand";
  scene.page = Page::memory;
  r = computed(scene);
  EXPECT_THAT(report(scene),
              HasSubstr(std::to_string(r->own_as<scene::MemoryResults>()->stored->recovered) + " of "));
  scene.page = Page::worked;
  EXPECT_THAT(report(scene), HasSubstr("0.401   0.198   0.401")) << "the source's own code prints it";
  scene.page = Page::block;
  EXPECT_THAT(report(scene), HasSubstr("final norm"));
  scene.page = Page::position;
  EXPECT_THAT(report(scene), HasSubstr("     6.3  ")) << "the first wavelength is 2π";
  EXPECT_THAT(report(scene), HasSubstr("[x; p] W and x W_1 + p W_2 differ by at most " +
                                       base::brief(computed(scene)->concatenated->largest_difference, 2)));
  scene.position_offset = scene.positions.index = 1000000;
  EXPECT_THAT(report(scene), HasSubstr("positions 1,000,000 to 1,000,059"));
}

/// The times of the Cost page come with --measure; the path is one number, counted in hops.
TEST(Describe, TheCostPageHasItsTimesAndOnePath) {
  Scene scene;
  scene.page = Page::cost;
  scene.cost.d = 8;
  std::string note;
  const auto plain = describe(scene, 5, note), measured = describe(scene, 5, note, true);
  ASSERT_TRUE(plain && measured);
  EXPECT_THAT(*plain, testing::Not(HasSubstr("measured here")));
  EXPECT_THAT(*measured, HasSubstr("measured here"));
  EXPECT_THAT(*plain, testing::Not(HasSubstr("3.333")));
  EXPECT_THAT(*plain, HasSubstr("9 hops")) << "the longest path of 10 positions, stacked and centred";
  EXPECT_THAT(*plain,
              HasSubstr("8 heads of width 1 instead of one of 8: " +
                        base::with_commas(static_cast<long long>(2ull * 10 * 10 * 8 + 4ull * 10 * 8 * 8)) +
                        " multiply-adds"));
  EXPECT_THAT(*plain, HasSubstr("linear attention"));
  EXPECT_THAT(*plain, HasSubstr("O(n/k)"));
  EXPECT_THAT(
      *plain,
      HasSubstr(base::with_commas(static_cast<long long>(2 * (2ull * 10 * 10 * 8 + 4ull * 10 * 8 * 8)))))
      << "two operations for each multiply-add, projections included";
  EXPECT_THAT(*plain, HasSubstr("tiled attention keeps, d = 8"));
}

TEST(Describe, TheTrainingPageHasItsRunWhenItIsAskedFor) {
  Scene scene;
  scene.page = Page::training;
  scene.training.task = scene::TrainingTask::two_relations;
  scene.training.steps = 20;
  std::string note;
  const auto text = describe(scene, 5, note, true);
  ASSERT_TRUE(text) << text.error();
  EXPECT_THAT(*text, HasSubstr("2 heads, repaired places+contents, held out: position "));
  EXPECT_THAT(*text, HasSubstr("a dot product cannot single out"));
}

struct Stated {
  const char* page;
  std::vector<std::string> set;
  const char* has;
  const char* lacks;
};

/// Sentences at the edges of what they are true of: a mask without keys, one token, odd widths, other
/// kernels.
TEST(Describe, SentencesHoldAtTheEdges) {
  const std::vector<std::string> nothing = {"mask=valid_length", "valid_length=0"};
  for (const Stated& message : {
           Stated{"attention", nothing, "Neither query has weights", "as in a convolution"},
           Stated{
               "attention",
               {"sentence=a a a a a a", "position=none", "mask=valid_length", "valid_length=2", "query=5,2"},
               "the mask allows query 2 −2 … −1 and query 5 none",
               "\nThe mask leaves them"},
           Stated{"bench", nothing, "cosine of their maps – (a map without weights has none)", "at query 0"},
           Stated{"bench", nothing, "0.000                 –", "NaN"},
           Stated{"block", {"sentence=cat"}, "–                 0 ", "input          1.0000"},
           Stated{
               "position",
               {"d_model=3", "heads=1", "position_offset=1000", "position_index=1010"},
               "p(1000)·p(1000 + δ) for δ = 0, 1, 2 … (d is odd: other rows give other products): 1.70 1.24",
               "p(0)"},
           Stated{"position", {}, "p(0)·p(δ) for δ = 0, 1, 2 …: 16.00", "odd"},
           Stated{"order", {"position_scale=0"}, "no positions", "positions sinusoidal"},
           Stated{
               "order", {"position_scale=0.5"}, "positions sinusoidal × 0.5", "nothing depends on position"},
           Stated{"order",
                  {"position=none", "mask=window", "window=0"},
                  "nothing depends on position",
                  "a mask"},
           Stated{
               "variants", {"variants_a_position=t5"}, "32 buckets, the last from distance 91 on", "128 on"},
           Stated{"variants",
                  {"variants_a_position=t5", "variants_a_mask=causal"},
                  "the last from distance 113 on",
                  "128 on"},
           Stated{"variants",
                  {"variants_a_position=t5", "variants_buckets=4", "variants_max_distance=2"},
                  "4 buckets, the last from distance 1 on",
                  "2 on\n"},
           Stated{"cost", {"cost_n=1"}, "0 hops", "no path"},
           Stated{"worked", {"worked_x=1,1"}, "small enough", "three tokens"},
       }) {
    Scene scene;
    for (const std::string& one : message.set) EXPECT_TRUE(scene::set_field(scene, one)) << one;
    EXPECT_TRUE(scene::set_field(scene, std::string("page=") + message.page));
    scene::repair(scene);
    const std::string text = report(scene);
    EXPECT_THAT(text, HasSubstr(message.has)) << message.page;
    EXPECT_THAT(text, testing::Not(HasSubstr(message.lacks))) << message.page;
  }
}

/// What the page makes of q, k, v and of φ before the rules is said.
TEST(Describe, TheMemoryPageSaysHowItsVectorsAreMade) {
  Scene scene;
  scene.page = Page::memory;
  EXPECT_THAT(report(scene), HasSubstr("q and k from the word without its position, v with it"));
  EXPECT_THAT(report(scene), HasSubstr("φ(k) to length 1"));
}

TEST(Describe, TheMemoryPageNamesItsOtherMemories) {
  Scene scene;
  scene.page = Page::memory;
  EXPECT_THAT(report(scene), testing::Not(HasSubstr("and decaying")));
  scene.memory.feature = scene::MemoryFeature::random, scene.memory.features = 32;
  scene.memory.decay = 0.5, scene.memory.step = 3;
  const auto r = computed(scene);
  const std::string text = report(scene);
  EXPECT_THAT(text, HasSubstr("φ: 32 positive random features"));
  EXPECT_THAT(text, HasSubstr("at step 3 the first write has the factor 0.25"));
  EXPECT_THAT(text, HasSubstr("m = 32: " + base::brief(r->own_as<scene::MemoryResults>()->sizes->at_m, 3)));
  EXPECT_THAT(text, HasSubstr(std::to_string(r->own_as<scene::MemoryResults>()->binary->recovered) +
                              " of 100 probes end at overlap"));
}

TEST(Describe, APinnedCellIsOpenedToItsArithmetic) {
  Scene scene;
  EXPECT_THAT(report(scene), testing::Not(HasSubstr("open cell")));
  scene.query = {2};
  scene.key = 3;
  const auto r = computed(scene);
  const auto cell = scene::explain_pinned(scene, *r);
  ASSERT_TRUE(cell);
  EXPECT_THAT(report(scene), HasSubstr("q·k = " + base::fixed(cell->dot, 3)));
  EXPECT_THAT(report(scene), HasSubstr("= weight " + base::fixed(cell->weight, 3)));
  scene.mask.causal = true;
  EXPECT_THAT(report(scene), HasSubstr("masked: the weight is exactly 0"));
}

TEST(Describe, TablesKeepTheirColumnsWhateverTheLetters) {
  EXPECT_EQ(table({{"a", "bb"}, {"猫é", "c"}}), "  a   bb\n  猫é  c\n");
  EXPECT_EQ(base::with_commas(static_cast<long long>(1234567)), "1,234,567");
  EXPECT_EQ(base::with_commas(static_cast<long long>(12)), "12");
  EXPECT_EQ(printable(" \n\x1b"), "␣\\n\\x1b");
  nn::Matrix m(1, 2);
  m.at(0, 0) = -1, m.at(0, 1) = 0.5f;
  EXPECT_EQ(matrix_text("A", m), "A (1 × 2)\n  −1.000   0.500\n");
}

}  // namespace
}  // namespace headlight::app
