// What is exported equals what is on screen: the words of figures are read back and compared with the trace,
// every card has numbers behind it, and every figure opens its scene again.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <regex>
#include <set>

#include "app/render.h"
#include "io/files.h"
#include "kit/page_input.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "pages/training/training.h"
#include "pictures/page_figure.h"
#include "pictures/pages.h"
#include "scene/figure_scene.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "session/session.h"
#include "session/train_now.h"
#include "support/page_name.h"
#include "support/scratch_folder.h"
#include "support/tool.h"
#include "support/xml.h"

namespace headlight::app {
namespace {

using testing::HasSubstr;

scene::Scene on(scene::Page page) {
  scene::Scene scene;
  scene.page = page;
  return scene;
}

/// The same, where a figure trains its run first: a short run of a small model.
scene::Scene quickly_on(scene::Page page) {
  scene::Scene scene = on(page);
  scene.training.steps = 12, scene.training.batch = 2, scene.training.d_model = 16;
  scene.training.layers = 1, scene.training.length = 8;
  return scene;
}

std::string written(const scene::Scene& scene, RenderOptions options, const std::filesystem::path& out) {
  options.page = scene.page;
  options.out = out;
  const base::Status status = render_page(scene, options);
  EXPECT_TRUE(status) << status.error();
  const auto bytes = io::read_file(out);
  return bytes ? *bytes : "";
}

struct Word {
  double x = 0, y = 0;
  std::string text;
};

/// Every <text> of an SVG that reads across.
std::vector<Word> words_of(const std::string& svg) {
  static const std::regex pattern("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\"[^>]*>([^<]*)</text>");
  std::vector<Word> out;
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at)
    out.push_back({std::stod((*at)[1]), std::stod((*at)[2]), figure::from_xml((*at)[3].str())});
  return out;
}

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
  ASSERT_EQ(outcome.status, 0) << outcome.said;
  static const std::regex number("[01]\\.[0-9]{2}");
  std::vector<std::string> found;
  const std::string said = std::regex_replace(outcome.said, std::regex("no number below 0.005"), "");
  for (std::sregex_iterator at(said.begin(), said.end(), number), end; at != end; ++at)
    found.push_back(at->str());
  EXPECT_TRUE(take(weights_of_head_3(head_3()), found)) << outcome.said;
  EXPECT_EQ(found, edges_of_head_3(head_3())) << outcome.said;
}

TEST(FigureNumbers, ClocksAndRotationsAreThoseOfP) {
  const tests::ScratchFolder folder;
  scene::Scene scene = on(scene::Page::position);
  scene.position_delta = 4, scene.position_pair = 2;
  const std::string svg = written(scene, {.panel = "rotation"}, folder / "r.svg");
  const double turn = 4 * std::pow(10000.0, -4.0 / 32);
  std::set<std::string> said;
  for (const Word& word : words_of(svg)) said.insert(word.text);
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", std::cos(turn));
  EXPECT_TRUE(said.count(text) || said.count("−" + std::string(text + 1))) << text;
}

/// Figures of every page and every card, and what is in them.
class EveryPage : public testing::TestWithParam<scene::Page> {};

/// The page as it begins, and with what it shows in its place.
std::vector<scene::Scene> sides_of(scene::Page page) {
  std::vector<scene::Scene> all = {quickly_on(page)};
  if (page == scene::Page::model) {  // random weights have no predictions
    all.push_back(on(page));
    EXPECT_TRUE(scene::set_field(all.back(), "model=small-english"));
  }
  if (page != scene::Page::block) return all;
  all.push_back(on(page));
  all.back().block.model = scene::BlockModel::encoder_decoder;
  all.back().encoder_decoder.training = 10;
  return all;
}

TEST_P(EveryPage, ItsCardsAreFiguresAndHaveNumbers) {
  std::set<std::string> shown;
  for (const scene::Scene& scene : sides_of(GetParam())) {
    Session session({.scene = scene, .autosave = {}});
    session.wait();
    const draw::Theme theme = figure_theme(scene, false);
    const views::PageInput in = page_input(session, theme);
    const auto panels = page_panels({.page = scene.page}, in);
    // Random weights predict nothing.
    const bool two = scene.page == scene::Page::model && scene.weights == scene::WeightsSource::random;
    EXPECT_GE(panels.size(), scene.page == scene::Page::training ? 1u : two ? 2u : 3u);
    for (const figure::Panel& panel : panels) {
      shown.insert(panel.name);
      const auto svg = page_figure({.page = scene.page, .panel = panel.name}, FigureFormat::svg, in);
      ASSERT_TRUE(svg) << svg.error();
      const tests::XmlCheck xml = tests::check_xml(*svg);
      EXPECT_EQ(xml.error, "") << panel.name;
      EXPECT_GT(xml.elements.count("text") ? xml.elements.at("text") : 0, 1) << panel.name;
      EXPECT_GT(panel.box.w, 60) << panel.name;
      EXPECT_GT(panel.box.h, 40) << panel.name;
      if (panel.name == "welcome") continue;  // words only
      EXPECT_FALSE(scene::tables_behind(scene.page, panel.name).empty())
          << "no numbers behind the card " << panel.name << " of " << scene::word(scene.page);
    }
  }
  // And the other way round: what a table says it is behind is there.
  for (const scene::Table* table : scene::tables_behind(GetParam(), {})) {
    std::istringstream names(table->panels);
    for (std::string name; names >> name;) {
      if (GetParam() == scene::Page::training) continue;  // its cards come with a run
      if (name == "check") continue;                      // comes with a saved run: saved_attention_test.cpp
      EXPECT_TRUE(shown.contains(name)) << table->name << " is behind " << name;
    }
  }
}

/// Every word that reads across, and the room that it takes.
std::vector<std::pair<draw::Box, std::string>> places_of_words(const std::string& svg) {
  static const std::regex element("<text (x=[^>]*)>([^<]*)</text>"), attribute("([a-zA-Z-]+)=\"([^\"]*)\"");
  std::vector<std::pair<draw::Box, std::string>> out;
  for (std::sregex_iterator at(svg.begin(), svg.end(), element), end; at != end; ++at) {
    std::map<std::string, std::string> has;
    const std::string attributes = (*at)[1];
    for (std::sregex_iterator one(attributes.begin(), attributes.end(), attribute); one != end; ++one)
      has[(*one)[1]] = (*one)[2];
    const float size = std::stof(has.at("font-size"));
    const float width = has.count("textLength") ? std::stof(has["textLength"]) : size / 2;
    const float left = has["text-anchor"] == "middle" ? width / 2 : has["text-anchor"] == "end" ? width : 0;
    out.push_back(
        {{std::stof(has.at("x")) - left, std::stof(has.at("y")) - 0.72f * size, width, 0.72f * size},
         figure::from_xml((*at)[2].str())});
  }
  return out;
}

TEST_P(EveryPage, OnPaperNoWordsMeetAndNoneAreOutside) {
  const scene::Scene scene = quickly_on(GetParam());
  base::Parallel parallel(2);
  const auto results = scene::compute_now(scene, parallel, {});
  const draw::Theme theme = figure_theme(scene, false);
  const views::PageInput in{
      .scene = scene,
      .results = *results,
      .cell = nullptr,
      .hover = nullptr,
      .theme = theme,
      .map_view = {},
      .training = scene.page == scene::Page::training
                      ? std::make_shared<scene::TrainingSnapshot>(*train_now(scene, parallel))
                      : nullptr,
      .numbers = scene::read_quantity};
  for (const double width_mm : {85.0, 170.0}) {
    for (const figure::Panel& panel : page_panels({.page = scene.page}, in)) {
      const auto svg =
          page_figure({.page = scene.page, .panel = panel.name, .width_mm = width_mm}, FigureFormat::svg, in);
      ASSERT_TRUE(svg) << svg.error();
      const tests::XmlCheck xml = tests::check_xml(*svg);
      draw::Box whole;
      ASSERT_EQ(std::sscanf(xml.of_root.at("viewBox").c_str(), "%f %f %f %f", &whole.x, &whole.y, &whole.w,
                            &whole.h),
                4);
      const auto words = places_of_words(*svg);
      EXPECT_FALSE(words.empty()) << panel.name;
      for (std::size_t i = 0; i < words.size(); ++i) {
        const auto& [box, text] = words[i];
        EXPECT_TRUE(box.x > whole.x - 1 && box.right() < whole.right() + 1 && box.y > whole.y - 1 &&
                    box.bottom() < whole.bottom() + 1)
            << panel.name << " at " << width_mm << " mm: " << text << " is outside";
        for (std::size_t k = 0; k < i; ++k) {
          const draw::Box& other = words[k].first;
          const float across = std::min(box.right(), other.right()) - std::max(box.x, other.x),
                      down = std::min(box.bottom(), other.bottom()) - std::max(box.y, other.y);
          EXPECT_FALSE(across > 1 && down > 1)
              << panel.name << " at " << width_mm << " mm: " << text << " on " << words[k].second;
        }
      }
    }
  }
}

TEST_P(EveryPage, ItsFiguresOpenItAgain) {
  const tests::ScratchFolder folder;
  scene::Scene scene = quickly_on(GetParam());
  scene.sentence = "Größe <&> (猫) \\";
  for (const char* ending : {"svg", "pdf", "png"}) {
    const std::filesystem::path out = folder / (std::string("figure.") + ending);
    // A PNG of a page is its window; that it carries its scene too is tested where OpenGL is.
    (void)written(scene, {.transparent = true}, out);
    const auto opened = scene::scene_in_file(out);
    ASSERT_TRUE(opened) << opened.error();
    EXPECT_EQ(*opened, scene) << ending;
  }
}

std::vector<scene::Page> all_pages() {
  std::vector<scene::Page> all;
  for (const PageInfo& page : pages()) all.push_back(page.page());
  return all;
}

INSTANTIATE_TEST_SUITE_P(Pages, EveryPage, testing::ValuesIn(all_pages()),
                         [](const auto& tested) { return std::string(scene::word(tested.param)); });

/// A model file whose tensors have `value` in every third place.
std::string model_of(float value, const std::filesystem::path& path) {
  scene::TrainedModel model;
  model.title = "a model", model.task = "english";
  model.encoder =
      std::make_shared<const nn::Encoder>(nn::word_vocabulary({"the", "cat", "sat", "on", "mat", "."}));
  model.config.vocabulary = model.encoder->size(), model.config.context = 16;
  model.config.d_model = 8, model.config.heads = 2, model.config.layers = 2, model.config.d_ff = 16;
  model.weights = nn::random_model(model.config, 3);
  nn::tensors(model.weights, [&](const std::string&, nn::Matrix& m) {
    for (std::size_t i = 0; i < m.size(); i += 3) m.data()[i] = i % 2 == 0 ? value : -value;
  });
  const std::string bytes = io::write_safetensors(scene::tensor_views(model.weights),
                                                  {{"headlight", scene::model_description(model)}});
  EXPECT_TRUE(io::write_file(path, bytes));
  return path.string();
}

/// Whatever numbers a model has, every place in a figure is one.
TEST_P(EveryPage, AModelWithoutFiniteNumbersIsDrawnAtPlacesThatAreNumbers) {
  const tests::ScratchFolder folder;
  const std::regex place(
      " (x|y|x1|x2|y1|y2|cx|cy|r|rx|width|height|points|d|transform|stroke-width)=\"([^\"]*)\"");
  int file = 0;
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::max()}) {
    scene::Scene scene = quickly_on(GetParam());
    scene.weights = scene::WeightsSource::file;
    scene.weights_file = model_of(value, folder / (std::to_string(++file) + ".safetensors"));
    scene.sentence = "the cat sat on the mat .";
    scene::adopt_model(scene);
    scene::repair(scene);
    const std::string svg = written(scene, {}, folder / "page.svg");
    EXPECT_EQ(tests::check_xml(svg).error, "");
    for (std::sregex_iterator at(svg.begin(), svg.end(), place), end; at != end; ++at) {
      const std::string words = (*at)[2].str();
      EXPECT_EQ(words.find("nan"), std::string::npos) << (*at)[0];
      EXPECT_EQ(words.find("inf"), std::string::npos) << (*at)[0];
      const bool huge = words.size() > 10 && words.find_first_of(" ,.") == std::string::npos;
      EXPECT_FALSE(huge) << (*at)[0];
    }
    const std::string pdf = written(scene, {}, folder / "page.pdf");
    EXPECT_TRUE(pdf.starts_with("%PDF")) << "drawn by the same calls; its numbers are compressed";
  }
}

TEST(FigureOptions, AColumnIsAsWideAndItsWordsCanBeRead) {
  const tests::ScratchFolder folder;
  const scene::Scene scene = on(scene::Page::attention);
  const std::string svg = written(scene, {.panel = "map", .width_mm = 85}, folder / "map.svg");
  const tests::XmlCheck xml = tests::check_xml(svg);
  EXPECT_EQ(xml.of_root.at("width"), "85mm");
  float x = 0, y = 0, w = 0, h = 0;
  ASSERT_EQ(std::sscanf(xml.of_root.at("viewBox").c_str(), "%f %f %f %f", &x, &y, &w, &h), 4);
  static const std::regex size("font-size=\"([0-9.]+)\"");
  for (std::sregex_iterator at(svg.begin(), svg.end(), size), end; at != end; ++at) {
    const double points = std::stod((*at)[1]) * 85 / double(w) * 72 / 25.4;
    EXPECT_GT(points, 5.4);
    EXPECT_LT(points, 12);
  }
  EXPECT_EQ(svg.find(">Ribbons<"), std::string::npos) << "no buttons on paper";
  const auto png =
      io::decode_png(written(scene, {.panel = "map", .width_mm = 85}, folder / "map.png"), "map.png");
  ASSERT_TRUE(png);
  EXPECT_EQ(png->image.width, 1004) << "85 mm at 300 to the inch";
}

TEST(FigureOptions, TheNumbersOfTheWorkedExampleCanBeReadInAColumn) {
  const tests::ScratchFolder folder;
  const std::string svg =
      written(on(scene::Page::worked), {.panel = "flow", .width_mm = 85}, folder / "flow.svg");
  const tests::XmlCheck xml = tests::check_xml(svg);
  float x = 0, y = 0, w = 0, h = 0;
  ASSERT_EQ(std::sscanf(xml.of_root.at("viewBox").c_str(), "%f %f %f %f", &x, &y, &w, &h), 4);
  EXPECT_LT(h, 1.7f * w) << "still a column of a page";
  static const std::regex size("font-size=\"([0-9.]+)\"");
  int sizes = 0;
  for (std::sregex_iterator at(svg.begin(), svg.end(), size), end; at != end; ++at, ++sizes)
    EXPECT_GT(std::stod((*at)[1]) * 85 / double(w) * 72 / 25.4, 5) << "points; the smallest is an index";
  EXPECT_GT(sizes, 0);
}

TEST(FigureOptions, AColumnOfCompareNamesItsHeadsAndEveryToken) {
  scene::Scene scene = on(scene::Page::compare);
  scene.sentence = "the animal did not cross the street because it was too tired today";
  ASSERT_TRUE(scene::set_field(scene, "bench_from=stack"));
  ASSERT_TRUE(scene::set_field(scene, "bench_layer_a=2"));
  ASSERT_TRUE(scene::set_field(scene, "bench_a=4"));
  const tests::ScratchFolder folder;
  RenderOptions options;
  options.panel = "maps", options.width_mm = 85;
  const std::string svg = written(scene, options, folder / "maps.svg");
  const auto times = [&](const std::string& words) {
    int count = 0;
    for (std::size_t at = svg.find(">" + words + "<"); at != std::string::npos;
         at = svg.find(">" + words + "<", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(times("A: layer 2, head 4"), 1);
  // A row and a column of each of three maps; “the” is there twice.
  for (const char* word : {"animal", "because", "today", "was"}) EXPECT_EQ(times(word), 6) << word;
  EXPECT_EQ(times("the"), 12);
  EXPECT_EQ(svg.find("…"), std::string::npos);
}

/// What is said above a printed map is whole, and takes nothing from the map.
TEST(FigureOptions, AColumnOfTheMapSaysWhatItsWordsAre) {
  scene::Scene scene = on(scene::Page::attention);
  ASSERT_TRUE(scene::set_field(scene, "model=pronouns-guided"));
  scene.sentence = "the cat sat on the mat because it was soft";
  scene::repair(scene);
  const tests::ScratchFolder folder;
  const std::string svg = written(scene, {.panel = "map", .width_mm = 85}, folder / "map.svg");
  std::string all;
  for (const Word& word : words_of(svg)) all += word.text + " ";
  EXPECT_THAT(all, testing::HasSubstr("treated as <unknown>"));
  EXPECT_THAT(all, testing::HasSubstr("Rows: queries"));
  EXPECT_EQ(all.find("…"), std::string::npos) << all;
  const auto height = [&](const std::string& sentence) {
    scene.sentence = sentence;
    return io::decode_png(written(scene, {.panel = "map", .width_mm = 85}, folder / "map.png"), "map.png")
        ->image.height;
  };
  EXPECT_GT(height("the cat sat on the mat because it was soft"),
            height("the dog and the cat and the dog and the cat"));
}

TEST(FigureOptions, NoFigureHasButtons) {
  const tests::ScratchFolder folder;
  const auto words = [&](scene::Page page, const char* panel, double width_mm) {
    std::set<std::string> out;
    for (const Word& word :
         words_of(written(on(page), {.panel = panel, .width_mm = width_mm}, folder / "a.svg")))
      out.insert(word.text);
    return out;
  };
  for (const double width_mm : {0.0, 170.0}) {
    EXPECT_EQ(words(scene::Page::position, "clocks", width_mm).count("Play"), 0u);
    EXPECT_EQ(words(scene::Page::variants, "a", width_mm).count("ALiBi"), 0u);
  }
  EXPECT_EQ(words(scene::Page::order, "parts", 85).count("head 1"), 1u) << "which head it is, is still said";
  // A title that made room for buttons has that room.
  EXPECT_EQ(words(scene::Page::cost, "paths", 85).count("Path length"), 1u);
}

TEST_P(EveryPage, NothingInItsFigureInvitesToPress) {
  const tests::ScratchFolder folder;
  static const std::regex invites(
      "\\b(click|press|drag|type|Esc|Ctrl|pinned)\\b|No cell is open|No pair is open", std::regex::icase);
  for (const bool pinned : {true, false}) {
    scene::Scene scene = on(GetParam());
    if (!pinned) scene.query.clear(), scene.key = -1;
    for (const int width : {1280, 700}) {
      for (const Word& word : words_of(written(scene, {.width = width, .height = 720}, folder / "a.svg")))
        EXPECT_FALSE(std::regex_search(word.text, invites)) << word.text;
    }
  }
  scene::Scene one_token = on(GetParam());
  one_token.sentence = "cat";
  scene::repair(one_token);
  for (const Word& word : words_of(written(one_token, {.width = 1280, .height = 1600}, folder / "a.svg")))
    EXPECT_FALSE(std::regex_search(word.text, invites)) << word.text;
}

/// Of one token a printed card says only what is so, and is no higher than that.
TEST(FigureOptions, ACardOfOneTokenIsAsLowAsItsWords) {
  const tests::ScratchFolder folder;
  const auto height = [&](const std::string& sentence) {
    scene::Scene scene = on(scene::Page::attention);
    scene.sentence = sentence;
    scene::repair(scene);
    return io::decode_png(written(scene, {.panel = "kernels", .width_mm = 85}, folder / "k.png"), "k.png")
        ->image.height;
  };
  EXPECT_LT(2 * height("cat"), height("the cat sat on the mat"));
}

/// A column of a page has no room for the words below three colour bars, so they are below each other.
TEST(FigureOptions, NarrowColourBarsKeepTheirWords) {
  const tests::ScratchFolder folder;
  for (const bool square : {false, true}) {
    RenderOptions options{.panel = "linear", .width_mm = 85};
    options.parts.square = square;
    std::set<std::string> said;
    for (const Word& word : words_of(written(on(scene::Page::memory), options, folder / "l.svg")))
      said.insert(word.text);
    for (const char* words : {"weights", "outputs, Δ outputs", "Δ weights"})
      EXPECT_EQ(said.count(words), 1u) << words;
  }
}

/// Cards whose titles are drawn by their pages have titles in lists.
TEST(FigureOptions, EveryCardInAListHasATitle) {
  const std::string list = list_panels(on(scene::Page::variants), {.page = scene::Page::variants});
  EXPECT_THAT(list, HasSubstr("a\tA: RoPE · no mask"));
  EXPECT_EQ(list.find("\t\n"), std::string::npos) << list;
}

TEST(FigureOptions, TransparentFiguresHaveNoGround) {
  const tests::ScratchFolder folder;
  const auto png = io::decode_png(
      written(on(scene::Page::position), {.panel = "clocks", .transparent = true}, folder / "c.png"),
      "c.png");
  ASSERT_TRUE(png);
  std::size_t clear = 0, solid = 0;
  for (std::size_t i = 3; i < png->image.pixels.size(); i += 4) {
    clear += png->image.pixels[i] == 0;
    solid += png->image.pixels[i] == 255;
  }
  EXPECT_GT(clear, png->image.pixels.size() / 4 / 2);
  EXPECT_GT(solid, 1000u);
}

TEST(FigureOptions, AnUnknownCardIsAnsweredWithThoseThatThereAre) {
  const tests::ScratchFolder folder;
  const base::Status status = render_page(
      on(scene::Page::position), {.page = scene::Page::position, .out = folder / "a.svg", .panel = "clock"});
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error(), HasSubstr("has no panel \"clock\" now; it has p, columns, clocks"));
  EXPECT_THAT(status.error(), HasSubstr("Did you mean \"clocks\"?"));
  EXPECT_EQ(folder.files(), 0);
}

TEST(FigureTools, ATrainingPageIsAFigureWithItsRun) {
  const tests::ScratchFolder folder;
  EXPECT_THAT(written(quickly_on(scene::Page::training), {.panel = "film"}, folder / "film.svg"),
              HasSubstr("Heads during training"));
}

TEST(FigureTools, OtherProgramsDrawWhatWeDraw) {
  if (const auto missing = tests::missing_tool("rsvg-convert"); !missing.empty()) GTEST_SKIP() << missing;
  if (const auto missing = tests::missing_tool("pdftoppm"); !missing.empty()) GTEST_SKIP() << missing;
  const tests::ScratchFolder folder;
  const scene::Scene scene = on(scene::Page::variants);
  RenderOptions options{.width = 900, .height = 700, .panel = "difference"};
  const auto ours = io::decode_png(written(scene, options, folder / "ours.png"), "ours.png");
  (void)written(scene, options, folder / "f.svg");
  (void)written(scene, options, folder / "f.pdf");
  ASSERT_EQ(
      tests::run_tool({"rsvg-convert", (folder / "f.svg").string(), "-o", (folder / "svg.png").string()})
          .said,
      "");
  ASSERT_EQ(tests::run_tool({"pdftoppm", "-r", "72", "-png", "-singlefile", (folder / "f.pdf").string(),
                             (folder / "pdf").string()})
                .status,
            0);
  for (const char* theirs : {"svg.png", "pdf.png"}) {
    const auto drawn = io::decode_png(*io::read_file(folder / theirs), theirs);
    ASSERT_TRUE(ours && drawn) << theirs;
    EXPECT_NEAR(drawn->image.width, ours->image.width, 1);
    EXPECT_NEAR(drawn->image.height, ours->image.height, 1);
    // Letters and edges differ by a shade, cells and curves do not.
    const int width = std::min(drawn->image.width, ours->image.width),
              height = std::min(drawn->image.height, ours->image.height);
    std::size_t far = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const std::uint8_t* a =
            &ours->image.pixels[static_cast<std::size_t>((y * ours->image.width + x) * 4)];
        const std::uint8_t* b =
            &drawn->image.pixels[static_cast<std::size_t>((y * drawn->image.width + x) * 4)];
        far += std::abs(a[0] - b[0]) > 60 || std::abs(a[1] - b[1]) > 60 || std::abs(a[2] - b[2]) > 60;
      }
    }
    EXPECT_LT(double(far) / width / height, 0.06) << theirs;
  }
}

TEST(Figure, APrintedPageIsNeverHigherThanAPage) {
  int made = 0, refused = 0;
  for (const PageInfo& info : pages()) {
    const scene::Scene scene = on(info.page());
    Session session(Session::Start{.scene = scene, .autosave = {}});
    session.wait();
    const draw::Theme theme = figure_theme(scene, false);
    const views::PageInput in = page_input(session, theme);
    for (const double width_mm : {85.0, 170.0}) {
      const FigureWish wish{.page = info.page(), .width_mm = width_mm};
      const auto size = figure_size(wish, in);
      const auto svg = page_figure(wish, FigureFormat::svg, in);
      ASSERT_EQ(bool(size), bool(svg)) << info.room.title;
      if (!size) {
        ++refused;
        EXPECT_THAT(size.error(), HasSubstr("choose ")) << info.room.title;
        EXPECT_EQ(size.error(), svg.error());
        continue;
      }
      ++made;
      EXPECT_LE(size->high_mm, 247) << info.room.title << " at " << width_mm;
      char height[32];
      std::snprintf(height, sizeof height, "height=\"%.0f", std::floor(size->high_mm));
      EXPECT_THAT(*svg, HasSubstr(height)) << "it is said how high it becomes";
    }
  }
  EXPECT_GT(made, 8);
  EXPECT_GT(refused, 0);
}

TEST(Figure, ItsSizeIsKnownBeforeItIsMade) {
  const scene::Scene scene = on(scene::Page::attention);
  Session session(Session::Start{.scene = scene, .autosave = {}});
  session.wait();
  const draw::Theme theme = figure_theme(scene, false);
  const views::PageInput in = page_input(session, theme);
  for (const FigureWish& wish :
       {FigureWish{.panel = "map", .scale = 2}, FigureWish{.panel = "map", .width_mm = 85}, FigureWish{}}) {
    const auto size = figure_size(wish, in);
    const auto image = page_pixels(wish, in);
    ASSERT_TRUE(size && image);
    EXPECT_EQ(size->pixels_wide, image->width);
    EXPECT_EQ(size->pixels_high, image->height);
  }
  EXPECT_EQ(size_words({405, 300, 1004, 744, 85, 63}, FigureFormat::png), "85 × 63 mm, 1,004 × 744 pixels");
  EXPECT_EQ(size_words({405, 300, 1004, 744, 85, 63}, FigureFormat::pdf), "85 × 63 mm");
  EXPECT_EQ(size_words({1600, 1000, 3200, 2000}, FigureFormat::png), "3,200 × 2,000 pixels");
}

TEST(FigureTools, ThePdfHasItsFontsAndTitle) {
  for (const char* tool : {"pdffonts", "pdfinfo"}) {
    if (const auto missing = tests::missing_tool(tool); !missing.empty()) GTEST_SKIP() << missing;
  }
  const tests::ScratchFolder folder;
  (void)written(on(scene::Page::order), {.panel = "parts", .width_mm = 85}, folder / "a.pdf");
  const std::string fonts = tests::run_tool({"pdffonts", (folder / "a.pdf").string()}).said;
  EXPECT_THAT(fonts, HasSubstr("Inter-Regular"));
  EXPECT_EQ(fonts.find(" no  "), std::string::npos) << "not embedded: " << fonts;
  const std::string info = tests::run_tool({"pdfinfo", (folder / "a.pdf").string()}).said;
  EXPECT_THAT(info, HasSubstr("Headlight: Order, parts"));
  EXPECT_THAT(info, HasSubstr("240.9"));
}

}  // namespace
}  // namespace headlight::app
