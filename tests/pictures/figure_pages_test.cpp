// Figures of every page and every card: every card has numbers behind it, no words meet, every figure opens
// its scene again, every place is a number, and nothing invites to press.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <regex>
#include <set>

#include "figure_words.h"
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
#include "support/scratch_folder.h"
#include "support/xml.h"

namespace headlight::app::figure_test {
namespace {

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
         tests::from_xml((*at)[2].str())});
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

TEST_P(EveryPage, NothingInItsFigureInvitesToPress) {
  const tests::ScratchFolder folder;
  static const std::regex invites(
      "\\b(click|press|drag|type|Esc|Ctrl|pinned)\\b|No cell is open|No pair is open", std::regex::icase);
  for (const bool pinned : {true, false}) {
    scene::Scene scene = quickly_on(GetParam());
    if (!pinned) scene.query.clear(), scene.key = -1;
    for (const int width : {1280, 700}) {
      for (const Word& word : words_of(written(scene, {.width = width, .height = 720}, folder / "a.svg")))
        EXPECT_FALSE(std::regex_search(word.text, invites)) << word.text;
    }
  }
  scene::Scene one_token = quickly_on(GetParam());
  one_token.sentence = "cat";
  scene::repair(one_token);
  for (const Word& word : words_of(written(one_token, {.width = 1280, .height = 1600}, folder / "a.svg")))
    EXPECT_FALSE(std::regex_search(word.text, invites)) << word.text;
}

}  // namespace
}  // namespace headlight::app::figure_test
