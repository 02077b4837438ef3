// The Export card, driven by its own names.
#include "app/export_card.h"

#include <gmock/gmock.h>

#include "app/program.h"
#include "io/files.h"
#include "io/npz.h"
#include "scene/figure_scene.h"
#include "support/scratch_folder.h"

namespace headlight::app {
namespace {

using screen::Key;
using testing::HasSubstr;

class ExportCardTest : public tests::ProgramTest {
 protected:
  void start_on(scene::Page page) {
    scene::Scene scene;
    scene.page = page;
    start(scene);
    shell_->exporter().folder = folder_.path();
  }
  void open() {
    done(pilot_.click("top/export"));
    pilot_.frames(3);
    ASSERT_TRUE(pilot_.on_screen("export/write"));
  }
  std::string file(const std::string& name) const {
    const auto bytes = io::read_file(folder_ / name);
    EXPECT_TRUE(bytes) << name;
    return bytes ? *bytes : "";
  }
  tests::ScratchFolder folder_;
};

TEST_F(ExportCardTest, EveryFormatIsWrittenAndNothingIsReplaced) {
  start_on(scene::Page::attention);
  for (const char* format : {"PNG", "SVG", "PDF", "CSV", "NPY", "NPZ", "JSON"}) {
    open();
    done(pilot_.click(std::string("export/format/") + format));
    done(pilot_.click("export/write"));
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
  done(pilot_.click("export/write"));
  EXPECT_EQ(file("headlight-attention-2.csv"), first);
  EXPECT_THAT(session_->message(), HasSubstr("headlight-attention-2.csv"));
}

TEST_F(ExportCardTest, TheCardThatWasClickedIsMeant) {
  start_on(scene::Page::position);
  done(pilot_.click("page/clock 2"));
  open();
  done(pilot_.click("export/format/SVG"));
  done(pilot_.click("export/write"));
  const std::string svg = file("headlight-position-clocks.svg");
  EXPECT_THAT(svg, HasSubstr("The clocks: 16 hands"));
  EXPECT_EQ(svg.find("Is every row unique?"), std::string::npos);
  open();
  done(pilot_.click("export/whole page"));
  done(pilot_.click("export/write"));
  EXPECT_THAT(file("headlight-position.svg"), HasSubstr("Is every row unique?"));
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
  done(pilot_.click("export/Copy numbers"));
  EXPECT_EQ(clipboard_.substr(0, clipboard_.find('\n')), "query \\ key\tthe\tcat\tsat\ton\tthe\tmat");
  const float weight = session_->results().attention.weights.at(0, 0, 0);
  EXPECT_NEAR(std::stod(clipboard_.substr(clipboard_.find("\nthe\t") + 5)), double(weight), 1e-6);
  open();
  done(pilot_.click("export/Copy picture"));
  const auto png = io::decode_png(copied, "copied");
  ASSERT_TRUE(png) << png.error();
  EXPECT_EQ(*scene::scene_in_bytes(copied, "copied"), scene());
  shell_->exporter().copy_picture = {};
  open();
  done(pilot_.click("export/Copy picture"));
  EXPECT_TRUE(pilot_.on_screen("export/write")) << "it stays open and says why";
}

TEST_F(ExportCardTest, AFolderThatIsNotThereIsSaidAndTheCardStays) {
  start_on(scene::Page::cost);
  open();
  done(pilot_.fill("export/path", (folder_ / "none/a.svg").string()));
  done(pilot_.click("export/format/SVG"));
  done(pilot_.click("export/write"));
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

TEST(FreePath, CountsOn) {
  const tests::ScratchFolder folder;
  EXPECT_EQ(free_path(folder / "a.b.png"), folder / "a.b.png");
  ASSERT_TRUE(io::write_file(folder / "a.b.png", ""));
  EXPECT_EQ(free_path(folder / "a.b.png"), folder / "a.b-2.png");
  ASSERT_TRUE(io::write_file(folder / "a.b-2.png", ""));
  EXPECT_EQ(free_path(folder / "a.b.png"), folder / "a.b-3.png");
}

}  // namespace
}  // namespace headlight::app
