// The Export card: its choices, what it writes and copies, and what it remembers.
#include "export_card_fixture.h"
#include "io/npz.h"
#include "pictures/guided_words.h"
#include "pictures/pages.h"
#include "scene/figure_scene.h"
#include "scene/settings.h"

namespace headlight::app::export_card_test {
namespace {

using screen::Key;
using testing::HasSubstr;

TEST_F(ExportCardTest, EveryFormatIsWrittenAndNothingIsReplaced) {
  start_on(scene::Page::attention);
  for (const char* format : {"PNG", "SVG", "PDF", "CSV", "NPY", "NPZ", "JSON"}) {
    open();
    done(pilot_.click(std::string("export/format/") + format));
    press("export/write");
    pilot_.frames(2);
    EXPECT_FALSE(pilot_.on_screen("export/write")) << format << ": it closes";
  }
  for (const char* name : {"png", "svg", "pdf", "npz", "json"}) {
    const auto opened = scene::scene_in_file(folder_ / (std::string("headlight-attention.") + name));
    ASSERT_TRUE(opened) << opened.error();
    EXPECT_EQ(*opened, scene()) << name;
  }
  const std::string first = file("headlight-attention.csv");
  open();
  done(pilot_.click("export/format/CSV"));
  press("export/write");
  EXPECT_EQ(file("headlight-attention-2.csv"), first);
  EXPECT_THAT(session_->message(), HasSubstr("headlight-attention-2.csv"));
}

TEST_F(ExportCardTest, ItKeepsItsSizeWhenTheFormatChanges) {
  for (const scene::Page page : {scene::Page::attention, scene::Page::position}) {
    start_on(page);
    open();
    const auto place = [&](const char* name) {
      const screen::Recorder::Item& item = recorder_.items.at(name);
      return std::pair{item.from.y, item.to.y};
    };
    const auto button = place("export/write"), chips = place("export/whole page");
    for (const char* format : {"SVG", "PDF", "CSV", "NPY", "NPZ", "JSON", "GIF", "PNG sequence", "PNG"}) {
      const std::string name = std::string("export/format/") + format;
      if (!pilot_.on_screen(name)) continue;
      done(pilot_.click(name));
      pilot_.frames(3);
      EXPECT_EQ(place("export/write"), button) << format;
      EXPECT_EQ(place("export/whole page"), chips) << format;
    }
    pilot_.key(Key::escape);
  }
}

/// Enter exports, also after a click on something else in the card; with the ring on a button it is the
/// button's.
TEST_F(ExportCardTest, EnterExportsUnlessAnotherButtonHasTheRing) {
  start_on(scene::Page::attention);
  open();
  done(pilot_.click("export/format/SVG"));
  pilot_.key(Key::enter);
  shell_->exporter().wait();
  pilot_.frames(2);
  EXPECT_THAT(file("headlight-attention.svg"), HasSubstr("<svg"));
  open();
  pilot_.key(Key::tab);  // from the path to Export
  pilot_.key(Key::tab);
  pilot_.key(Key::tab);
  pilot_.key(Key::tab);
  pilot_.key(Key::enter);  // Cancel
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("export/write"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "headlight-attention-2.svg"));
}

/// A picture that cannot be made is not offered: what is wrong stands above the button.
TEST_F(ExportCardTest, WhatCannotBeMadeCannotBePressed) {
  width_ = 1280, height_ = 720;
  start_on(scene::Page::position);
  open();
  done(pilot_.click("export/format/PDF"));
  done(pilot_.click("export/width/85 mm column"));
  pilot_.frames(3);
  ASSERT_EQ(shell_->exporter().size_in_words(), "");
  press("export/write");
  shell_->exporter().wait();
  pilot_.frames(3);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << session_->message();
  // The name is selected, without its folder and ending: what is typed takes its place.
  done(pilot_.click("export/width/as on screen"));
  done(pilot_.click("export/Cancel"));
  open();
  pilot_.frames(2);
  pilot_.type("mine");
  pilot_.frames(2);
  pilot_.key(Key::enter);
  shell_->exporter().wait();
  pilot_.frames(3);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "mine.pdf")) << session_->message();
}

/// Pixels are of pictures that have them.
TEST_F(ExportCardTest, TheSizeIsThatOfTheFormat) {
  start_on(scene::Page::attention);
  open();
  done(pilot_.click("export/map"));
  done(pilot_.click("export/width/85 mm column"));
  for (const auto& [format, pixels] : {std::pair{"PNG", true}, {"SVG", false}, {"PDF", false}}) {
    done(pilot_.click(std::string("export/format/") + format));
    pilot_.frames(2);
    const std::string& message = shell_->exporter().size_in_words();
    EXPECT_THAT(message, HasSubstr("85 × ")) << format;
    EXPECT_EQ(message.find("pixels") != std::string::npos, pixels) << format << ": " << message;
  }
}

/// Of one card parts can be left out; the size follows, and the card keeps its own.
TEST_F(ExportCardTest, PartsOfACardAreLeftOut) {
  start_on(scene::Page::attention);
  open();
  EXPECT_FALSE(pilot_.on_screen("export/part title")) << "of one card, not of the page";
  done(pilot_.click("export/map"));
  done(pilot_.click("export/width/85 mm column"));
  done(pilot_.click("export/format/SVG"));
  pilot_.frames(3);
  const std::string whole = shell_->exporter().size_in_words();
  const auto top = [&] { return recorder_.items.at("export/write").from.y; };
  const float button = top();
  for (const char* format : {"CSV", "JSON", "PDF", "SVG"}) {
    done(pilot_.click(std::string("export/format/") + format));
    pilot_.frames(3);
    EXPECT_EQ(top(), button) << format;
  }
  done(pilot_.click("export/part title"));
  done(pilot_.click("export/part frame"));
  pilot_.frames(2);
  EXPECT_NE(shell_->exporter().size_in_words(), whole);
  press("export/write");
  const std::string svg = file("headlight-attention-map.svg");
  EXPECT_EQ(svg.find("attend to?</text>"), std::string::npos);
  EXPECT_EQ(svg.find("rx=\"12\""), std::string::npos);
  open();
  done(pilot_.click("export/map"));
  const std::string flat = shell_->exporter().size_in_words();
  done(pilot_.click("export/part square cells"));
  pilot_.frames(2);
  EXPECT_NE(shell_->exporter().size_in_words(), flat);
  done(pilot_.click("export/bars"));
  pilot_.frames(2);
  EXPECT_TRUE(pilot_.on_screen("export/part title"));
  EXPECT_FALSE(pilot_.on_screen("export/part square cells")) << "bars have no cells";
}

/// Beside the choices: of the shape that the file has, and another one when another card is chosen.
TEST_F(ExportCardTest, APreviewShowsWhatIsExported) {
  start_on(scene::Page::attention);
  open();
  const auto shape = [&] {
    pilot_.frames(2);
    for (int job = 0; job < 2; ++job) {  // that of the card before may still be drawn
      shell_->exporter().wait();
      pilot_.frames(2);
    }
    const ExportPreview& shown = shell_->exporter().preview();
    return shown.height() > 0 ? static_cast<double>(shown.width()) / shown.height() : 0.0;
  };
  const auto message = [&] {  // "2,432 × 3,256 pixels"
    std::string words = shell_->exporter().size_in_words();
    std::erase(words, ',');
    return std::stod(words) / std::stod(words.substr(words.find("× ") + 3));
  };
  for (const char* card : {"whole page", "map", "bars", "heads"}) {
    done(pilot_.click(std::string("export/") + card));
    const double shown = shape();
    ASSERT_GT(shown, 0) << card;
    EXPECT_NEAR(shown, message(), 0.03 * message()) << card;
  }
  done(pilot_.click("export/share card"));
  EXPECT_NEAR(shape(), 1200.0 / 630, 0.02);
  const auto forgotten = [&] { return shell_->exporter().preview().width() == 0; };
  press("export/Cancel");
  EXPECT_TRUE(forgotten());
  width_ = 980, height_ = 620;  // no room for it
  pilot_.frames(3);
  open();
  pilot_.frames(3);
  EXPECT_TRUE(forgotten());
}

TEST_F(ExportCardTest, TheCardThatWasClickedIsMeant) {
  start_on(scene::Page::position);
  done(pilot_.click("page/clock 3"));
  open();
  done(pilot_.click("export/format/SVG"));
  press("export/write");
  const std::string svg = file("headlight-positions-clocks.svg");
  EXPECT_THAT(svg, HasSubstr("16 clocks, one per pair"));
  EXPECT_EQ(svg.find("Is every row unique?"), std::string::npos);
  open();
  done(pilot_.click("export/whole page"));
  press("export/write");
  EXPECT_THAT(file("headlight-positions.svg"), HasSubstr("Is every row unique?"));
}

TEST_F(ExportCardTest, NumbersAndPicturesAreCopied) {
  start_on(scene::Page::attention);
  std::string copied;
  shell_->exporter().copy_picture = [&](std::string png) {
    copied = std::move(png);
    return base::Status();
  };
  open();
  done(pilot_.click("export/map"));
  press("export/Copy numbers");
  EXPECT_EQ(clipboard_.substr(0, clipboard_.find('\n')), "query \\ key\tthe\tcat\tsat\ton\tthe\tmat");
  const float weight = session_->results().attention.weights.at(0, 0, 0);
  EXPECT_NEAR(std::stod(clipboard_.substr(clipboard_.find("\nthe\t") + 5)), double(weight), 1e-6);
  open();
  press("export/Copy picture");
  const auto png = io::decode_png(copied, "copied");
  ASSERT_TRUE(png) << png.error();
  EXPECT_EQ(*scene::scene_in_bytes(copied, "copied"), scene());
  shell_->exporter().copy_picture = {};
  open();
  press("export/Copy picture");
  EXPECT_TRUE(pilot_.on_screen("export/write")) << "it stays open and says why";
}

TEST_F(ExportCardTest, AFolderThatIsNotThereIsSaidAndTheCardStays) {
  start_on(scene::Page::cost);
  open();
  done(pilot_.fill("export/path", (folder_ / "none/a.svg").string()));
  done(pilot_.click("export/format/SVG"));
  press("export/write");
  EXPECT_TRUE(pilot_.on_screen("export/write"));
  EXPECT_EQ(folder_.files(), 0);
  pilot_.key(Key::escape);
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("export/write"));
}

TEST_F(ExportCardTest, KeysOpenItAndATypedPathKeepsItsName) {
  start_on(scene::Page::memory);
  pilot_.key(Key::e, screen::ctrl_only);
  pilot_.frames(3);
  ASSERT_TRUE(pilot_.on_screen("export/write"));
  done(pilot_.fill("export/path", (folder_ / "mine.png").string()));
  done(pilot_.click("export/format/NPZ"));
  done(pilot_.click("export/write"));
  EXPECT_TRUE(io::read_zip_entry(file("mine.npz"), "memory_linear.npy", "mine.npz"));
}

TEST_F(ExportCardTest, WhatIsChosenIsThereAtTheNextStart) {
  start_on(scene::Page::attention);
  open();
  done(pilot_.click("export/map"));
  done(pilot_.click("export/format/PDF"));
  done(pilot_.click("export/width/85 mm column"));
  done(pilot_.click("export/part title"));
  done(pilot_.click("export/part square cells"));
  pilot_.frames(2);
  const ExportChoices chosen = shell_->exporter().chosen();
  EXPECT_EQ(chosen, (ExportChoices{.format = 2, .width = 1, .parts = {.title = false, .square = true}}));
  pilot_.key(Key::escape);
  pilot_.frames(2);
  start_on(scene::Page::attention);
  EXPECT_EQ(shell_->exporter().chosen(), ExportChoices{});
  shell_->exporter().bring_back(chosen);
  EXPECT_EQ(shell_->exporter().chosen(), chosen);
  shell_->exporter().bring_back({.format = 99, .scale = -3, .width = 7, .parts = chosen.parts});
  EXPECT_EQ(shell_->exporter().chosen(), chosen) << "choices that do not exist";
}

TEST_F(ExportCardTest, WhatIsSaidOfAGuidedHeadIsOfTheHeadsInTheFigure) {
  const auto message = [&](const std::vector<std::string>& settings, const std::string& panel) {
    scene::Scene scene;
    for (const std::string& one : settings) EXPECT_TRUE(scene::set_field(scene, one)) << one;
    start(scene);
    session_->wait();
    return guided_words(page_input(*session_, draw::theme(true)), panel);
  };
  const std::string of_model = "model=pronouns-guided";
  EXPECT_EQ(message({of_model, "weights_layer=1", "page=bench", "bench_a=1", "bench_b=2"}, "maps"), "");
  EXPECT_EQ(message({of_model, "weights_layer=2", "page=bench", "bench_a=2", "bench_b=3"}, "maps"), "");
  const auto guided = HasSubstr("Head 1 of layer 2 was guided");
  EXPECT_THAT(message({of_model, "weights_layer=2", "page=bench", "bench_a=1", "bench_b=2"}, "maps"), guided);
  EXPECT_THAT(message({of_model, "weights_layer=2", "page=bench", "bench_a=2", "bench_b=3"}, "roles"),
              guided);
  EXPECT_THAT(message({of_model, "weights_layer=2", "page=attention", "head=1"}, "map"), guided);
  EXPECT_EQ(message({of_model, "weights_layer=2", "page=attention", "head=2"}, "map"), "");
  EXPECT_EQ(message({of_model, "weights_layer=2", "page=cost"}, ""), "");
}

}  // namespace
}  // namespace headlight::app::export_card_test
