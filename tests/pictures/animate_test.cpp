// Animations: what moves in them, and what they carry.
#include "pictures/animate.h"

#include <gmock/gmock.h>

#include <set>

#include "io/files.h"
#include "pages/training/training.h"
#include "scene/figure_scene.h"
#include "session/train_now.h"
#include "support/scratch_folder.h"
#include "support/tool.h"

namespace headlight::app {
namespace {

using testing::HasSubstr;

scene::Scene on(scene::Page page) {
  scene::Scene scene;
  scene.page = page;
  scene.training.steps = 20, scene.training.batch = 2, scene.training.d_model = 16, scene.training.heads = 2;
  scene.training.layers = 1, scene.training.length = 6;
  scene.training.compare = scene::TrainingCompare::nothing;
  return scene;
}

AnimateOptions clocks(const std::filesystem::path& out, int frames = 8) {
  return {
      .figure = {.panel = "clocks", .width = 800, .height = 600}, .frames = frames, .fps = 20, .out = out};
}

AnimateOptions film(const std::filesystem::path& out, int frames) {
  return {.what = Motion::film,
          .figure = {.panel = "film", .width = 800, .height = 600},
          .frames = frames,
          .fps = 10,
          .out = out};
}

io::Image picture(const std::filesystem::path& path) {
  const auto bytes = io::read_file(path);
  if (!bytes) return {};
  const auto decoded = io::decode_png(*bytes, path.string());
  return decoded ? decoded->image : io::Image{};
}

TEST(Animate, TheClocksTurnAndImageMagickSeesIt) {
  const tests::ScratchFolder folder;
  base::Parallel parallel(2);
  const scene::Scene scene = on(scene::Page::position);
  const auto report = animate(scene, clocks(folder / "c.gif"), parallel);
  ASSERT_TRUE(report) << report.error();
  EXPECT_EQ(report->frames, 8);
  EXPECT_EQ(report->first, folder / "c.gif");
  const auto sequence = animate(scene, clocks(folder / "c.png"), parallel);
  ASSERT_TRUE(sequence) << sequence.error();
  EXPECT_EQ(sequence->last, folder / "c-0008.png");
  std::set<std::string> different;
  for (int i = 1; i <= 8; ++i) {
    const auto bytes = io::read_file(numbered(folder / "c.png", i));
    ASSERT_TRUE(bytes) << i;
    different.insert(*bytes);
    const auto opened = scene::scene_in_bytes(*bytes, "c.png");
    EXPECT_TRUE(opened && *opened == scene);
  }
  EXPECT_EQ(different.size(), 8u) << "every frame is another one";
  const auto opened = scene::scene_in_file(folder / "c.gif");
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(*opened, scene);
  if (const auto missing = tests::missing_tool("convert"); !missing.empty()) GTEST_SKIP() << missing;
  const auto seen = tests::run_tool({"identify", "-format", "%T ", (folder / "c.gif").string()});
  EXPECT_EQ(seen.message, "5 5 5 5 5 5 5 5 ");
  // ImageMagick's fifth frame is our fifth picture, but for 256 colours.
  ASSERT_EQ(
      tests::run_tool({"convert", (folder / "c.gif[4]").string(), (folder / "fifth.png").string()}).message,
      "");
  const io::Image theirs = picture(folder / "fifth.png"), ours = picture(folder / "c-0005.png");
  ASSERT_EQ(theirs.pixels.size(), ours.pixels.size());
  double far = 0;
  for (std::size_t i = 0; i < ours.pixels.size(); ++i) far += std::abs(ours.pixels[i] - theirs.pixels[i]);
  EXPECT_LT(far / double(ours.pixels.size()), 2);
}

TEST(Animate, AFrameIsTheFigureOfItsPosition) {
  const tests::ScratchFolder folder;
  base::Parallel parallel(2);
  scene::Scene scene = on(scene::Page::position);
  scene.positions.play_speed = 20;  // one position a frame
  ASSERT_TRUE(animate(scene, clocks(folder / "c.png", 4), parallel));
  scene::Scene later = scene;
  later.positions.index += 3;
  ASSERT_TRUE(animate(later, clocks(folder / "l.png", 2), parallel));
  EXPECT_EQ(picture(folder / "c-0004.png"), picture(folder / "l-0001.png"));
  EXPECT_NE(picture(folder / "c-0003.png"), picture(folder / "l-0001.png"));
}

TEST(Animate, AFilmStripFills) {
  const tests::ScratchFolder folder;
  base::Parallel parallel(2);
  const auto report = animate(on(scene::Page::training), film(folder / "f.png", 5), parallel);
  ASSERT_TRUE(report) << report.error();
  const io::Image first = picture(folder / "f-0001.png"), last = picture(folder / "f-0005.png");
  EXPECT_EQ(first.width, last.width);
  EXPECT_EQ(first.height, last.height);
  EXPECT_NE(first.pixels, last.pixels);
}

TEST(Animate, ARunThatIsAtHandIsNotTrainedAgain) {
  const tests::ScratchFolder folder;
  base::Parallel parallel(2);
  const scene::Scene scene = on(scene::Page::training);
  const auto run = train_now(scene, parallel);
  ASSERT_TRUE(run) << run.error();
  const int kept = static_cast<int>(run->runs[0].film.size());
  ASSERT_GT(kept, 3);
  scene::Scene other = scene;  // these settings would be another run, and a long one
  other.training.steps = 100000, other.training.shown_step = 0;
  AnimateOptions options = film(folder / "f.png", 1000);
  options.run = std::make_shared<const scene::TrainingSnapshot>(*run);
  const auto report = animate(other, options, parallel);
  ASSERT_TRUE(report) << report.error();
  EXPECT_EQ(report->frames, kept) << "each kept step once";
  std::set<std::vector<std::uint8_t>> different;
  for (int i = 1; i <= kept; ++i) different.insert(picture(numbered(folder / "f.png", i)).pixels);
  EXPECT_EQ(static_cast<int>(different.size()), kept);
  options.frames = 3;
  const auto fewer = animate(other, options, parallel);
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->frames, 3);
}

TEST(Animate, AMomentOfARunKnowsNothingLater) {
  base::Parallel parallel(2);
  const auto run = train_now(on(scene::Page::training), parallel);
  ASSERT_TRUE(run) << run.error();
  const scene::TrainingSnapshot then = as_of(*run, 7);
  EXPECT_EQ(then.step, 7);
  EXPECT_EQ(then.state, scene::TrainingState::running);
  const scene::RunSnapshot &before = then.runs[0], &whole = run->runs[0];
  EXPECT_LT(before.film.size(), whole.film.size());
  ASSERT_FALSE(before.film.empty());
  EXPECT_EQ(before.film.back().maps, whole.film[before.film.size() - 1].maps) << "shared, not copied";
  for (const auto& frame : before.film) EXPECT_LE(frame.step, 7);
  for (const auto* curve : {&before.loss, &before.validation, &before.score}) {
    for (const auto& point : *curve) EXPECT_LE(point.step, 7);
  }
  EXPECT_TRUE(before.labels.empty() && before.predicted.empty());
  EXPECT_EQ(as_of(*run, 1000).runs[0].predicted, whole.predicted);
}

TEST(Animate, StoppedLeavesNoFiles) {
  for (const char* name : {"a.gif", "a.png"}) {
    for (const float at : {0.3f, 0.93f}) {  // while it is drawn, while it is written
      const tests::ScratchFolder folder;
      base::Parallel parallel(2);
      float last = 0;
      const auto report = animate(on(scene::Page::position), clocks(folder / name), parallel, [&](float f) {
        EXPECT_GE(f, last);
        last = f;
        return f < at;
      });
      ASSERT_FALSE(report) << name << at;
      EXPECT_THAT(report.error(), HasSubstr("cancelled"));
      EXPECT_EQ(folder.files(), 0) << name << at;
      EXPECT_LT(last, at + 0.15f);
    }
  }
  const tests::ScratchFolder folder;
  base::Parallel parallel(2);
  int calls = 0;
  const auto trained = animate(on(scene::Page::training), film(folder / "f.gif", 5), parallel,
                               [&](float) { return ++calls < 12; });
  ASSERT_FALSE(trained);
  EXPECT_EQ(calls, 12);
  EXPECT_EQ(folder.files(), 0);
}

TEST(Animate, AFrameThatCannotBeWrittenTakesNothingElseWithIt) {
  const tests::ScratchFolder folder;
  base::Parallel parallel(2);
  std::filesystem::create_directory(folder / "c-0003.png");  // as little to be written as what is protected
  const auto report = animate(on(scene::Page::position), clocks(folder / "c.png", 4), parallel);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error(), HasSubstr("c-0003.png"));
  EXPECT_TRUE(std::filesystem::exists(folder / "c-0003.png")) << "it is not ours";
  EXPECT_EQ(folder.files(), 1) << "the two before it are gone";
}

TEST(Animate, FramesThatAreTooLargeAreAnErrorBeforeTheMemoryIsFull) {
  const tests::ScratchFolder folder;
  base::Parallel parallel(2);
  for (AnimateOptions options : {clocks(folder / "c.gif", 200), film(folder / "f.png", 20)}) {
    const scene::Scene scene =
        on(options.what == Motion::film ? scene::Page::training : scene::Page::position);
    options.most_bytes = std::size_t(1) << 20;
    const auto report = animate(scene, options, parallel);
    ASSERT_FALSE(report);
    EXPECT_THAT(report.error(), HasSubstr(" frames take more than 1 MiB of memory: use fewer frames or"));
    EXPECT_GT(std::stoi(report.error()), 1) << "so many were drawn";
    EXPECT_EQ(folder.files(), 0);
  }
}

TEST(Animate, AnUnknownCardOrFolderIsAnError) {
  const tests::ScratchFolder folder;
  base::Parallel parallel(2);
  AnimateOptions options = clocks(folder / "a.gif");
  options.figure.panel = "clock";
  EXPECT_THAT(animate(on(scene::Page::position), options, parallel).error(), HasSubstr("Did you mean"));
  EXPECT_THAT(animate(on(scene::Page::position), clocks(folder / "none/a.gif"), parallel).error(),
              HasSubstr("none"));
  EXPECT_EQ(folder.files(), 0);
}

}  // namespace
}  // namespace headlight::app
