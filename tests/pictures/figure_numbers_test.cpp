// The numbers of a figure equal those on screen: the words of an SVG and a PDF are read back and compared
// with the trace.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <regex>
#include <set>

#include "figure_words.h"
#include "session/session.h"
#include "support/scratch_folder.h"
#include "support/tool.h"
#include "support/xml.h"

namespace headlight::app::figure_test {
namespace {

using testing::HasSubstr;

/// The numbers "0.143" in reading order.
std::vector<std::string> numbers_of(std::vector<Word> words, const char* pattern) {
  std::erase_if(words, [&](const Word& w) { return !std::regex_match(w.text, std::regex(pattern)); });
  std::sort(words.begin(), words.end(),
            [](const Word& a, const Word& b) { return std::abs(a.y - b.y) > 1 ? a.y < b.y : a.x < b.x; });
  std::vector<std::string> out;
  for (const Word& word : words) out.push_back(word.text);
  return out;
}

std::string two_decimals(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", static_cast<double>(value));
  return text;
}

/// What the map of head 3 must say.
std::vector<std::string> weights_of_head_3(const scene::Scene& scene) {
  Session session({.scene = scene, .autosave = {}});
  session.wait();
  const nn::AttentionTrace& trace = session.results().attention;
  std::vector<std::string> out;
  for (int q = 0; q < trace.T; ++q) {
    for (int k = 0; k < trace.S; ++k) out.push_back(two_decimals(trace.weights.at(2, q, k)));
  }
  return out;
}

/// The entropies of its rows and the sums of its columns, sorted as text.
std::vector<std::string> edges_of_head_3(const scene::Scene& scene) {
  Session session({.scene = scene, .autosave = {}});
  session.wait();
  std::vector<std::string> out;
  for (const double entropy : session.results().heads[2].row_entropy_bits)
    out.push_back(two_decimals(static_cast<float>(entropy)));
  for (const double received : session.results().head_received[2])
    out.push_back(two_decimals(static_cast<float>(received)));
  std::sort(out.begin(), out.end());
  return out;
}

/// Takes `wanted`, in that order, out of `found` and sorts what is left.
bool take(const std::vector<std::string>& wanted, std::vector<std::string>& found) {
  auto at = found.begin();
  for (const std::string& one : wanted) {
    at = std::find(at, found.end(), one);
    if (at == found.end()) return false;
    at = found.erase(at);
  }
  std::sort(found.begin(), found.end());
  return true;
}

scene::Scene head_3() {
  scene::Scene scene = on(scene::Page::attention);
  scene.sentence = "one small step";
  scene.head = {3};
  return scene;
}

TEST(FigureNumbers, AnSvgSaysTheWeights) {
  const tests::ScratchFolder folder;
  const std::string svg = written(head_3(), {.panel = "map"}, folder / "map.svg");
  EXPECT_EQ(tests::check_xml(svg).error, "");
  const std::vector<std::string> wanted = weights_of_head_3(head_3());
  ASSERT_EQ(wanted.size(), 9u);
  std::vector<std::string> found = numbers_of(words_of(svg), "[01]\\.[0-9]{2}");
  EXPECT_TRUE(take(wanted, found));
  EXPECT_EQ(found, edges_of_head_3(head_3())) << "what stands at the edges of the map";
  // A cell's title says what its tooltip says.
  const std::size_t title = svg.find("<title>“one” → “small” · head 3");
  ASSERT_NE(title, std::string::npos);
  const std::string words = svg.substr(title, svg.find("</title>", title) - title);
  EXPECT_THAT(words, HasSubstr("weight " + wanted[1]));
}

/// Readers of PDF mix the transparent pixels of a picture into the edges of its cells.
TEST(FigureNumbers, NoPictureInAPdfIsTransparent) {
  const tests::ScratchFolder folder;
  for (const char* panel : {"map", "heads", "matrices"}) {
    const std::string pdf = written(head_3(), {.panel = panel}, folder / "map.pdf");
    ASSERT_TRUE(pdf.starts_with("%PDF"));
    EXPECT_EQ(pdf.find("/SMask"), std::string::npos) << panel;
  }
}

TEST(FigureNumbers, APdfSaysTheWeights) {
  if (const auto missing = tests::missing_tool("pdftotext"); !missing.empty()) GTEST_SKIP() << missing;
  const tests::ScratchFolder folder;
  (void)written(head_3(), {.panel = "map"}, folder / "map.pdf");
  const auto outcome = tests::run_tool({"pdftotext", "-layout", (folder / "map.pdf").string(), "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.message;
  static const std::regex number("[01]\\.[0-9]{2}");
  std::vector<std::string> found;
  const std::string message = std::regex_replace(outcome.message, std::regex("no number below 0.005"), "");
  for (std::sregex_iterator at(message.begin(), message.end(), number), end; at != end; ++at)
    found.push_back(at->str());
  EXPECT_TRUE(take(weights_of_head_3(head_3()), found)) << outcome.message;
  EXPECT_EQ(found, edges_of_head_3(head_3())) << outcome.message;
}

TEST(FigureNumbers, ClocksAndRotationsAreThoseOfP) {
  const tests::ScratchFolder folder;
  scene::Scene scene = on(scene::Page::position);
  scene.positions.delta = 4, scene.positions.pair = 2;
  const std::string svg = written(scene, {.panel = "rotation"}, folder / "r.svg");
  const double turn = 4 * std::pow(10000.0, -4.0 / 32);
  std::set<std::string> message;
  for (const Word& word : words_of(svg)) message.insert(word.text);
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", std::cos(turn));
  EXPECT_TRUE(message.count(text) || message.count("−" + std::string(text + 1))) << text;
}

}  // namespace
}  // namespace headlight::app::figure_test
