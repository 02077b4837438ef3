// The share card: what it says is what the page computes, at its size, in every format, and it opens its
// scene again.
#include "pictures/share_figure.h"

#include <gmock/gmock.h>

#include "app/program.h"
#include "app/render.h"
#include "io/files.h"
#include "io/png.h"
#include "pictures/first_start_picture.h"
#include "pictures/pages.h"
#include "scene/figure_scene.h"
#include "session/session.h"
#include "support/scratch_folder.h"
#include "support/xml.h"

namespace headlight::app {
namespace {

using scene::Scene;
using testing::HasSubstr;
using testing::Not;

/// “cat” attends most to “sat” with weight 0.31, of the numbers themselves.
std::string strongest_of(const Scene& scene, int head, int query) {
  Session session({.scene = scene, .autosave = {}});
  session.wait();
  const auto row = session.results().attention.weights.row(head, query);
  const auto most = std::max_element(row.begin(), row.end());
  const auto& tokens = session.results().tokens;
  return "“" + tokens[static_cast<std::size_t>(query)].text + "” attends " +
         (*most >= 0.9f ? "to “" : "most to “") + tokens[static_cast<std::size_t>(most - row.begin())].text +
         "” with weight " + base::weight_text(static_cast<double>(*most), 2);
}

std::string rendered(const Scene& scene, RenderOptions options, const std::string& name) {
  const tests::ScratchFolder folder;
  options.share = true, options.out = folder / name;
  const base::Status status = render_page(scene, options);
  EXPECT_TRUE(status) << status.error();
  return status ? *io::read_file(options.out) : "";
}

TEST(ShareCard, SaysWhatTheHeadAndTheQueryOfTheSceneCompute) {
  Scene scene;
  scene.head = {3, 1}, scene.query = {4};
  const std::string svg = rendered(scene, {}, "card.svg");
  EXPECT_EQ(tests::check_xml(svg).error, "");
  EXPECT_THAT(svg, HasSubstr("Headlight: " + strongest_of(scene, 0, 4))) << "of several heads the first one";
  scene.head = {3};
  EXPECT_THAT(rendered(scene, {}, "card.svg"), HasSubstr("Headlight: " + strongest_of(scene, 2, 4)));
  EXPECT_THAT(svg, Not(HasSubstr("Take lesson 1"))) << "nobody can press it there";
}

TEST(ShareCard, HasTheSizeOfALinksPictureInEveryFormat) {
  const std::string svg = rendered({}, {}, "card.svg");
  EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 800 420\""));
  const auto image = io::decode_png(rendered({}, {}, "card.png"), "card.png");
  ASSERT_TRUE(image) << image.error();
  EXPECT_EQ(image->image.width, 1200);
  EXPECT_EQ(image->image.height, 630);
  const auto twice = io::decode_png(rendered({}, {.scale = 2}, "card.png"), "card.png");
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->image.width, 2400);
  const auto asked =
      io::decode_png(rendered({}, {.width = 800, .height = 800, .sized = true}, "card.png"), "card.png");
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->image.height, 800);
  EXPECT_THAT(rendered({}, {}, "card.pdf"), testing::StartsWith("%PDF"));
}

TEST(ShareCard, OpensItsSceneAgain) {
  Scene scene;
  scene.sentence = "one beam", scene.query = {1}, scene.head = {2};
  const tests::ScratchFolder folder;
  for (const char* name : {"card.png", "card.svg", "card.pdf"}) {
    RenderOptions options;
    options.share = true, options.out = folder / name;
    ASSERT_TRUE(render_page(scene, options));
    const auto opened = scene::scene_in_file(options.out);
    ASSERT_TRUE(opened) << opened.error();
    EXPECT_EQ(opened->sentence, "one beam") << name;
    EXPECT_EQ(opened->head, (scene::IndexList{2})) << name;
    EXPECT_EQ(opened->query, (scene::IndexList{1})) << name;
  }
}

class ShareCardInWindow : public tests::ProgramTest {};

TEST_F(ShareCardInWindow, IsWrittenByTheExportCard) {
  const tests::ScratchFolder folder;
  Scene scene;
  scene.head = {2}, scene.query = {3};
  start(scene);
  shell_->exporter().folder = folder.path();
  done(pilot_.click("top/export"));
  pilot_.frames(3);
  done(pilot_.click("export/share card"));
  done(pilot_.click("export/format/SVG"));
  pilot_.frames(2);
  EXPECT_FALSE(pilot_.on_screen("export/width/85 mm column")) << "it has a size of its own";
  done(pilot_.click("export/write"));
  shell_->exporter().wait();
  pilot_.frames(2);
  const auto svg = io::read_file(folder / "headlight-attention-share.svg");
  ASSERT_TRUE(svg) << session_->message();
  EXPECT_THAT(*svg, HasSubstr("Headlight: " + strongest_of(scene, 1, 3)));
  // Its numbers are those of the map.
  done(pilot_.click("top/export"));
  pilot_.frames(3);
  done(pilot_.click("export/share card"));
  done(pilot_.click("export/format/CSV"));
  done(pilot_.click("export/write"));
  shell_->exporter().wait();
  pilot_.frames(2);
  EXPECT_TRUE(io::read_file(folder / "headlight-attention-share.csv")) << session_->message();
}

}  // namespace
}  // namespace headlight::app
