// Whole pictures against those that a person has looked at. HEADLIGHT_UPDATE=1 draws the baselines anew; look
// at them before they are kept. After a failure the picture, and what differs in red, lie in the folder
// "pictures" of the build.
#include "app/render.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "app/picture_difference.h"
#include "io/files.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "support/scratch_folder.h"
#include "support/xml.h"

namespace headlight::app {
namespace {

namespace fs = std::filesystem;

constexpr int tolerance = 24;             // of 255, in one channel
constexpr double tolerated_share = 1e-3;  // of the pixels: a few edges, but no word and no cell

struct Picture {
  std::string name;
  scene::Page page;
  std::vector<const char*> sets;
  bool first_start = false;
};

void PrintTo(const Picture& picture, std::ostream* out) {
  *out << picture.name;
}

const std::vector<Picture>& pictures() {
  using scene::Page;
  static const std::vector<Picture> all = [] {
    std::vector<Picture> made = {
        {"attention_dark", Page::attention, {}},
        {"attention_light", Page::attention, {"theme=light"}},
        {"attention_pinned_cell", Page::attention, {"head=2", "query=4", "key=1", "scale=false"}},
        {"attention_ribbons", Page::attention, {"attention_view=ribbons", "head=0", "theme=light"}},
        {"attention_masks",
         Page::attention,
         {"mask=causal+window+valid_length", "head=0", "query_axis=columns"}},
        {"attention_22_characters",
         Page::attention,
         {"tokenizer=chars", "query=0,5,10,15,20", "theme=light"}},
        {"attention_empty", Page::attention, {"sentence="}},
        {"position_dark", Page::position, {}},
        {"position_light", Page::position, {"theme=light", "clock_speed=logarithmic", "position_index=41"}},
        {"position_build_up", Page::position, {"position_step=1", "positions=24", "d_model=8", "heads=1"}},
    };
    made.push_back(
        {"first_start_dark",
         Page::attention,
         {"model=pronouns-guided", "weights_layer=2",
          "sentence=the animal did not cross the street because it was too tired", "head=1", "query=8"},
         true});
    made.push_back({"first_start_light",
                    Page::attention,
                    {"model=pronouns-guided", "weights_layer=2",
                     "sentence=the animal did not cross the street because it was too wide", "head=1",
                     "query=8", "theme=light"},
                    true});
    // Every other page as it is at the first start.
    for (const PageInfo& info : pages()) {
      if (info.page() == Page::attention || info.page() == Page::position) continue;
      scene::Scene scene;
      scene.page = info.page();
      std::vector<const char*> sets;
      // Few steps: a long run would show in its last digits which instruction set trained it.
      if (info.page() == Page::training) sets = {"training_steps=12", "training_batch=8"};
      made.push_back({scene::get_field(scene, "page"), info.page(), sets});
    }
    return made;
  }();
  return all;
}

base::Result<io::Image> draw(const Picture& picture, const std::vector<const char*>& more = {}) {
  scene::Scene scene;
  for (const auto* sets : {&picture.sets, &more}) {
    for (const char* set : *sets) {
      if (const base::Status status = scene::set_field(scene, set); !status)
        return base::Error{status.error()};
    }
  }
  if (const base::Status status = scene::check(scene); !status) return base::Error{status.error()};
  scene::repair(scene);
  const tests::ScratchFolder folder;
  const fs::path out = folder / "picture.png";
  // A whole window of 1280×800 units, drawn small.
  RenderOptions options{.page = picture.page, .width = 1280, .height = 800, .scale = 0.5, .out = out};
  options.first_start = picture.first_start;
  const base::Status drawn = render_page(scene, options);
  if (!drawn) return base::Error{drawn.error()};
  auto decoded = io::decode_png(*io::read_file(out), out.string());
  if (!decoded) return base::Error{decoded.error()};
  return std::move(decoded->image);
}

fs::path baseline_of(const Picture& picture) {
  return fs::path(HEADLIGHT_SOURCE_DIR) / "tests/app/baselines" / (picture.name + ".png");
}

void keep(const io::Image& image, const fs::path& path) {
  fs::create_directories(path.parent_path());
  io::Image opaque{.width = image.width, .height = image.height, .channels = 3, .pixels = {}};
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    if (i % 4 != 3) opaque.pixels.push_back(image.pixels[i]);
  }
  const auto bytes = io::encode_png(opaque);
  ASSERT_TRUE(bytes) << bytes.error();
  const base::Status written = io::write_file(path, *bytes);
  ASSERT_TRUE(written) << written.error();
}

/// Mean brightness, 0 … 255, of the middle of the map at the left of the Attention page.
double brightness_of_map(const io::Image& image) {
  double sum = 0, count = 0;
  for (int y = image.height * 4 / 10; y < image.height * 7 / 10; ++y) {
    for (int x = image.width * 2 / 10; x < image.width * 5 / 10; ++x) {
      const std::size_t at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                              static_cast<std::size_t>(x)) *
                             static_cast<std::size_t>(image.channels);
      sum += 0.2126 * image.pixels[at] + 0.7152 * image.pixels[at + 1] + 0.0722 * image.pixels[at + 2];
      ++count;
    }
  }
  return sum / count;
}

TEST(LongMap, Of500TokensIsNotBlack) {
  ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  std::string sentence = "sentence=";
  static const char* const some[] = {"the ", "cat ", "sat ", "on ", "a ", "mat ", "and ", "slept ", ". "};
  for (int i = 0; i < 500; ++i) sentence += some[i * i % 9];
  const Picture picture{"long", scene::Page::attention, {sentence.c_str()}};
  const auto usual = draw(picture), unit = draw(picture, {"map_scale=unit"}),
             logarithmic = draw(picture, {"map_scale=log"});
  ASSERT_TRUE(usual && unit && logarithmic);
  // The panel itself has 21; between 0 and 1 the weights of 500 tokens add nothing to it. The picture has
  // half a pixel for each unit, so its automatic scale ends higher than that of a window.
  EXPECT_LT(brightness_of_map(*unit), 26);
  EXPECT_GT(brightness_of_map(*usual), 36);
  EXPECT_GT(brightness_of_map(*logarithmic), 45);
}

class Render : public testing::TestWithParam<Picture> {
 protected:
  Render() { ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1); }
};

TEST_P(Render, LooksAsItsBaseline) {
  const Picture& picture = GetParam();
  const auto ours = draw(picture);
  ASSERT_TRUE(ours) << ours.error();
  const fs::path baseline = baseline_of(picture);
  if (std::getenv("HEADLIGHT_UPDATE") != nullptr) {
    keep(*ours, baseline);
    GTEST_SKIP() << "written anew: " << baseline.string();
  }
  const auto bytes = io::read_file(baseline);
  ASSERT_TRUE(bytes) << bytes.error() << "; HEADLIGHT_UPDATE=1 draws it";
  const auto wanted = io::decode_png(*bytes, baseline.string());
  ASSERT_TRUE(wanted) << wanted.error();
  const auto difference = tests::picture_difference(wanted->image, *ours, tolerance);
  if (difference.share <= tolerated_share) return;
  const fs::path folder = HEADLIGHT_PICTURES;
  keep(*ours, folder / (picture.name + ".png"));
  keep(difference.picture, folder / (picture.name + "_difference.png"));
  FAIL() << picture.name << ": " << difference.pixels << " pixels (" << 100 * difference.share
         << " %) differ, the first at " << difference.x << "," << difference.y << ", by up to "
         << difference.largest << " of 255; see " << (folder / picture.name).string()
         << "_difference.png beside " << baseline.string()
         << "; HEADLIGHT_UPDATE=1 takes the new pictures over";
}

INSTANTIATE_TEST_SUITE_P(Pages, Render, testing::ValuesIn(pictures()),
                         [](const auto& drawn) { return drawn.param.name; });

TEST(RenderBaselines, AreSmallAndAllOfThemAreUsed) {
  if (std::getenv("HEADLIGHT_UPDATE") != nullptr) GTEST_SKIP() << "they are being written";
  std::uintmax_t bytes = 0;
  for (const Picture& picture : pictures()) {
    std::error_code missing;
    bytes += fs::file_size(baseline_of(picture), missing);
    ASSERT_FALSE(missing) << baseline_of(picture);
  }
  EXPECT_LT(bytes, 1'700'000u);
  std::size_t present = 0;
  for ([[maybe_unused]] const auto& entry :
       fs::directory_iterator(baseline_of(pictures()[0]).parent_path())) {
    ++present;
  }
  EXPECT_EQ(present, pictures().size()) << "a baseline that no picture is compared with";
}

TEST(RenderFigure, PagesAreWellFormedVectorFigures) {
  const tests::ScratchFolder folder;
  for (const scene::Page page : {scene::Page::attention, scene::Page::position}) {
    scene::Scene scene;
    scene.sentence = "a < b & \"c\" 'd' > e";
    ASSERT_TRUE(render_page(scene, {.page = page, .width = 1200, .height = 800, .out = folder / "p.svg"}));
    const tests::XmlCheck xml = tests::check_xml(*io::read_file(folder / "p.svg"));
    EXPECT_EQ(xml.error, "");
    EXPECT_EQ(xml.of_root.at("width"), "1200px");
    EXPECT_GT(xml.elements.at("text"), 60) << "words";
    EXPECT_GT(xml.elements.at("rect"), 100) << "cells";
    ASSERT_TRUE(render_page(scene, {.page = page, .width = 1200, .height = 800, .out = folder / "p.pdf"}));
    EXPECT_EQ(io::read_file(folder / "p.pdf")->substr(0, 5), "%PDF-");
  }
}

TEST(RenderFigure, APathThatCannotBeWrittenIsNamed) {
  ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  const tests::ScratchFolder folder;
  for (const char* ending : {"svg", "pdf", "png"}) {
    const fs::path out = folder / "none" / (std::string("p.") + ending);
    const base::Status status = render_page({}, {.width = 200, .height = 100, .out = out});
    ASSERT_FALSE(status) << ending;
    EXPECT_NE(status.error().find(out.string()), std::string::npos) << status.error();
  }
}

TEST(RenderDifference, OneChangedSettingIsFarBeyondTheTolerance) {
  ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  const auto one = draw(pictures()[0]), again = draw(pictures()[0]);
  ASSERT_TRUE(one && again);
  EXPECT_EQ(tests::picture_difference(*one, *again, 0).pixels, 0u) << "the same scene is the same picture";
  for (const char* set : {"seed=8", "temperature=0.5", "heads=2", "key=2", "interface_scale=1.05"}) {
    const auto other = draw(pictures()[0], {set});
    ASSERT_TRUE(other) << other.error();
    EXPECT_GT(tests::picture_difference(*one, *other, tolerance).share, 2 * tolerated_share) << set;
  }
}

TEST(RenderDifference, CountsAndFindsPixels) {
  io::Image a{.width = 10, .height = 10, .channels = 4, .pixels = std::vector<std::uint8_t>(400, 100)};
  io::Image b = a;
  b.pixels[4 * 37 + 1] = 100 + tolerance;  // tolerated
  b.pixels[4 * 58 + 2] = 100 + tolerance + 1;
  const auto difference = tests::picture_difference(a, b, tolerance);
  EXPECT_EQ(difference.pixels, 1u);
  EXPECT_EQ(difference.largest, tolerance + 1);
  EXPECT_EQ(difference.x, 8);
  EXPECT_EQ(difference.y, 5);
  EXPECT_DOUBLE_EQ(difference.share, 0.01);
  EXPECT_EQ(difference.picture.pixels[4 * 58], 230);
  b.width = 5, b.height = 20;
  EXPECT_EQ(tests::picture_difference(a, b, tolerance).share, 1);
}

}  // namespace
}  // namespace headlight::app
