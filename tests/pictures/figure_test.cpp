// Figures as files: what other programs draw of them, their fonts and title, and their size before they are
// made.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>

#include "app/render.h"
#include "figure_words.h"
#include "io/files.h"
#include "kit/page_input.h"
#include "pictures/page_figure.h"
#include "pictures/pages.h"
#include "session/session.h"
#include "support/scratch_folder.h"
#include "support/tool.h"

namespace headlight::app::figure_test {
namespace {

using testing::HasSubstr;

TEST(FigureTools, ATrainingPageIsAFigureWithItsRun) {
  const tests::ScratchFolder folder;
  EXPECT_THAT(written(quickly_on(scene::Page::training), {.panel = "film"}, folder / "film.svg"),
              HasSubstr("Heads during training"));
}

TEST(FigureTools, SignsOfTokensAreExplainedAsInTheWindow) {
  const tests::ScratchFolder folder;
  scene::Scene scene = on(scene::Page::attention);
  scene.sentence = "a cat", scene.tokenizer = scene::Tokenizer::chars,
  scene.weights = scene::WeightsSource::random;
  EXPECT_THAT(written(scene, {.panel = "map"}, folder / "map.svg"), HasSubstr("␣ is a space"));
  EXPECT_THAT(written(scene, {.panel = "map", .present = true}, folder / "slide.svg"),
              HasSubstr("␣ is a space"));
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
          .message,
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
    const scene::Scene scene = quickly_on(info.page());
    Session session(Session::Start{.scene = scene, .autosave = {}});
    session.wait();
    const draw::Theme theme = figure_theme(scene, false);
    const views::PageInput in = page_input(session, theme);
    for (const double width_mm : {85.0, 170.0}) {
      const FigureRequest request{.page = info.page(), .width_mm = width_mm};
      const auto size = figure_size(request, in);
      const auto svg = page_figure(request, FigureFormat::svg, in);
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
  for (const FigureRequest& request : {FigureRequest{.panel = "map", .scale = 2},
                                       FigureRequest{.panel = "map", .width_mm = 85}, FigureRequest{}}) {
    const auto size = figure_size(request, in);
    const auto image = page_pixels(request, in);
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
  const std::string fonts = tests::run_tool({"pdffonts", (folder / "a.pdf").string()}).message;
  EXPECT_THAT(fonts, HasSubstr("Inter-Regular"));
  EXPECT_EQ(fonts.find(" no  "), std::string::npos) << "not embedded: " << fonts;
  const std::string info = tests::run_tool({"pdfinfo", (folder / "a.pdf").string()}).message;
  EXPECT_THAT(info, HasSubstr("Headlight: Order, parts"));
  EXPECT_THAT(info, HasSubstr("240.9"));
}

}  // namespace
}  // namespace headlight::app::figure_test
