#include "scene/figure_scene.h"

#include <gmock/gmock.h>

#include "io/files.h"
#include "io/gif.h"
#include "io/npz.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "support/scratch_folder.h"

namespace headlight::scene {
namespace {

using testing::HasSubstr;

Scene unusual() {
  Scene scene;
  scene.page = Page::variants;
  scene.sentence = "die Katze (saß) \\ <auf> \"der\" 猫 😀 & so";
  scene.temperature = 0.37;
  return scene;
}

TEST(FigureScene, TheLineIsAsciiAndTheScene) {
  const std::string line = scene_as_json(unusual());
  for (const char c : line) EXPECT_TRUE(c >= 0x20 && c < 0x7F) << line;
  EXPECT_EQ(*from_json(line, "x"), unusual());
}

TEST(FigureScene, APngCarriesIt) {
  const io::Image image{2, 1, 4, std::vector<std::uint8_t>(8, 100)};
  const auto scene = scene_in_bytes(*io::encode_png(image, png_metadata(unusual())), "a.png");
  ASSERT_TRUE(scene) << scene.error();
  EXPECT_EQ(*scene, unusual());
  EXPECT_THAT(scene_in_bytes(*io::encode_png(image), "a.png").error(),
              HasSubstr("a.png: this picture contains no Headlight scene"));
}

TEST(FigureScene, AGifCarriesItWhereverItsCommentStands) {
  const std::vector<io::RunImage> frames(2, io::RunImage(io::Image{2, 1, 4, {1, 2, 3, 255, 4, 5, 6, 255}}));
  const auto bytes = io::encode_gif(frames, 0.1, gif_comment(unusual()));
  ASSERT_TRUE(bytes) << bytes.error();
  const auto scene = scene_in_bytes(*bytes, "a.gif");
  ASSERT_TRUE(scene) << scene.error();
  EXPECT_EQ(*scene, unusual());
  // Other programs put the comment behind the images.
  const std::string plain = *io::encode_gif(frames, 0.1);
  std::size_t comment = bytes->find("headlight-scene ") - 3;  // 0x21, 0xFE, the first length
  const std::size_t size = bytes->size() - plain.size();
  const std::string moved = plain.substr(0, plain.size() - 1) + bytes->substr(comment, size) + ";";
  ASSERT_EQ(scene_in_bytes(moved, "a.gif") ? *scene_in_bytes(moved, "a.gif") : Scene{}, unusual());
  // They may have said something before it.
  const std::string second = *io::encode_gif(frames, 0.1, "made by hand");
  const std::string behind = second.substr(0, second.size() - 1) + bytes->substr(comment, size) + ";";
  ASSERT_EQ(scene_in_bytes(behind, "a.gif") ? *scene_in_bytes(behind, "a.gif") : Scene{}, unusual());
  EXPECT_THAT(scene_in_bytes(plain, "a.gif").error(),
              HasSubstr("a.gif: this GIF contains no Headlight scene"));
  EXPECT_THAT(scene_in_bytes(*io::encode_gif(frames, 0.1, "made by hand"), "a.gif").error(),
              HasSubstr("contains no Headlight scene"));
  // Cut off anywhere, it is an error and nothing worse.
  for (std::size_t end = 4; end < comment + 300; ++end) {
    const auto cut = scene_in_bytes(bytes->substr(0, end), "a.gif");
    ASSERT_FALSE(cut) << end;
    EXPECT_THAT(cut.error(), HasSubstr("a.gif"));
  }
}

TEST(FigureScene, AnArchiveAndJsonCarryIt) {
  const auto npz = io::encode_npz({}, scene_as_json(unusual()));
  ASSERT_TRUE(npz);
  EXPECT_EQ(*scene_in_bytes(*npz, "a.npz"), unusual());
  EXPECT_EQ(*scene_in_bytes("{\"tensors\":[],\"scene\":" + scene_as_json(unusual()) + "}", "a.json"),
            unusual());
  EXPECT_EQ(*scene_in_bytes(to_json(unusual()), "a.json"), unusual()) << "a saved scene";
  EXPECT_THAT(scene_in_bytes("{\"name\":\"q\",\"data\":[]}", "a.json").error(),
              HasSubstr("a.json: this file of numbers contains no Headlight scene"));
}

TEST(FigureScene, OtherFilesAreErrorsOfOneLine) {
  for (const char* bytes : {"", "words", "<svg></svg>", "%PDF-1.4 nothing", "\x89PNG", "PK\x03\x04", "[1,2]",
                            "GIF89a", "<svg><metadata id=\"headlight-scene\">{}", "(headlight-scene "}) {
    const auto scene = scene_in_bytes(bytes, "file");
    ASSERT_FALSE(scene) << bytes;
    EXPECT_THAT(scene.error(), HasSubstr("file")) << bytes;
    EXPECT_EQ(scene.error().find('\n'), std::string::npos);
  }
}

TEST(FigureScene, FilesAreReadByWhatIsInThem) {
  const tests::ScratchFolder folder;
  ASSERT_TRUE(save(unusual(), folder / "scene.txt"));
  EXPECT_EQ(*scene_in_file(folder / "scene.txt"), unusual());
  EXPECT_FALSE(scene_in_file(folder / "none.png"));
}

}  // namespace
}  // namespace headlight::scene
