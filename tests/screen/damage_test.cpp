// What is drawn in parts is, pixel by pixel, what is drawn whole.
#include "screen/damage.h"

#include <glad/gl.h>

#include <algorithm>
#include <random>

#include "gl_test.h"
#include "screen/gl_textures.h"
#include "screen/heatmap_painter.h"
#include "screen/screen_canvas.h"
#include "screen/text_painter.h"

namespace headlight::screen {
namespace {

using draw::Box;
using draw::Color;

constexpr int width = 500, height = 330;  // no whole number of tiles
constexpr Color clear = draw::rgb(0x101418);

struct Shape {
  int kind = 0;
  Box box;
  Color color;
  std::string words;
  std::uint64_t version = 1;
  bool clipped = false;
};

/// Frames that somebody might draw: a few things move, change, come and go, or change places.
class Frames {
 public:
  explicit Frames(unsigned seed) : random_(seed) {
    for (int i = 0; i < 40; ++i) shapes_.push_back(some());
  }
  void next() {
    for (int changes = number(0, 3); changes > 0; --changes) {
      Shape& shape = shapes_[std::size_t(number(0, int(shapes_.size()) - 1))];
      switch (number(0, 5)) {
        case 0:
          shape.box.x += float(number(-60, 60)) / 4;
          break;
        case 1:
          shape.color.g = std::uint8_t(number(0, 255));
          break;
        case 2:
          shape.words += char('a' + number(0, 25));
          break;
        case 3:
          values_[std::size_t(number(0, 63))] = float(number(0, 100)) / 100, ++shape.version;
          break;
        case 4:
          std::swap(shape, shapes_.back());
          break;
        default:
          shape = some();
      }
    }
  }
  void recolour(std::uint8_t red) { background_.r = red; }
  void paint(ScreenCanvas& canvas) {
    canvas.rect({200, 100, 60, 60}, background_);
    for (const Shape& s : shapes_) {
      if (s.clipped) canvas.push_clip({s.box.x + 5, s.box.y + 3, s.box.w, s.box.h});
      const draw::Point from{s.box.x, s.box.y}, to{s.box.right(), s.box.bottom()};
      if (s.kind == 0) canvas.rect(s.box, s.color, 6);
      if (s.kind == 1) canvas.frame(s.box, {s.color, 2}, 5);
      if (s.kind == 2) canvas.line(from, to, {s.color, 1.5f});
      if (s.kind == 3) canvas.circle(s.box.centre(), s.box.h / 2, s.color);
      if (s.kind == 4) canvas.curve(from, {to.x, from.y}, {from.x, to.y}, to, {s.color, 3});
      if (s.kind == 5) canvas.text(s.box.centre(), s.words, {.size = 13, .color = s.color});
      if (s.kind == 6) {
        draw::Heatmap map;
        map.values = values_, map.rows = map.cols = map.row_stride = 8, map.version = s.version;
        canvas.heatmap(s.box, map);
      }
      if (s.clipped) canvas.pop_clip();
    }
  }

 private:
  int number(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  Shape some() {
    Shape s;
    s.kind = number(0, 6);
    const bool large = number(0, 9) == 0;
    s.box = {float(number(-40, width)), float(number(-40, height)), float(number(1, large ? 500 : 90)),
             float(number(1, large ? 300 : 60))};
    s.color = {std::uint8_t(number(0, 255)), std::uint8_t(number(0, 255)), std::uint8_t(number(0, 255)),
               std::uint8_t(number(0, 1) == 0 ? 255 : number(30, 255))};
    s.words = "word";
    s.clipped = number(0, 4) == 0;
    if (number(0, 5) == 0) s.kind = 0, s.color.a = 255;  // large and opaque: drawn apart
    return s;
  }

  std::mt19937 random_;
  std::vector<Shape> shapes_;
  Color background_ = draw::rgb(0x203040);
  float values_[64] = {};
};

class DamageGlTest : public GlTest {
 protected:
  struct Drawn {
    std::vector<std::uint8_t> pixels;
    bool changed = true;
  };
  std::vector<Drawn> run(unsigned seed, bool kept) {
    std::vector<Drawn> out;
    auto renderer = Renderer::create();
    EXPECT_TRUE(renderer);
    GlTextures textures;
    if (kept) (*renderer)->keep_picture(textures);
    {
      TextPainter text(textures);
      HeatmapPainter heatmaps;
      auto target = PixelTarget::create(width, height);
      (*target)->bind();
      Frames frames(seed);
      for (int frame = 0; frame < 40; ++frame) {
        if (frame % 3 != 2) frames.next();
        if (frame % 7 == 3) {  // the system has made a new framebuffer
          frames.recolour(std::uint8_t(frame));
          glDisable(GL_SCISSOR_TEST);
          glClearColor(0, 0, 0, 0);
          glClear(GL_COLOR_BUFFER_BIT);
        }
        (*renderer)->begin(width, height, 1.f / 60);
        heatmaps.begin_frame();
        ScreenCanvas canvas(*ImGui::GetBackgroundDrawList(), {0, 0}, 1, text, heatmaps);
        frames.paint(canvas);
        text.upload();
        const bool changed = (*renderer)->end(clear);
        out.push_back({(*target)->pixels(), changed});
      }
      (*target)->unbind();
      EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
    }
    return out;
  }
};

TEST_F(DamageGlTest, PartsGiveThePictureOfTheWhole) {
  int unchanged = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const std::vector<Drawn> parts = run(seed, true), whole = run(seed, false);
    ASSERT_EQ(parts.size(), whole.size());
    for (std::size_t frame = 0; frame < parts.size(); ++frame) {
      std::size_t differ = 0;
      for (std::size_t i = 0; i < whole[frame].pixels.size(); ++i)
        differ += parts[frame].pixels[i] != whole[frame].pixels[i] ? 1 : 0;
      ASSERT_EQ(differ, 0u) << "seed " << seed << ", frame " << frame;
      unchanged += parts[frame].changed ? 0 : 1;
      EXPECT_TRUE(parts[frame].changed || parts[frame].pixels == parts[frame - 1].pixels);
    }
  }
  EXPECT_GT(unchanged, 60) << "every third frame is the one before";
}

/// A part holds every triangle that its box shows, in order, and only whole large opaque shapes are opaque.
TEST_F(DamageGlTest, OpaqueShapesAreApart) {
  auto renderer = Renderer::create();
  ASSERT_TRUE(renderer);
  Damage damage;
  const auto pieces = [&](const std::function<void(ImDrawList&)>& paint) {
    (*renderer)->begin(width, height, 1.f / 60);
    paint(*ImGui::GetBackgroundDrawList());
    ImGui::Render();
    damage.forget();
    const auto boxes = damage.update(*ImGui::GetDrawData(), HeatmapPainter::look);
    std::vector<std::pair<bool, unsigned>> out;
    for (const auto& piece : damage.part(*ImGui::GetDrawData(), boxes[0]).pieces)
      out.push_back({piece.opaque, piece.count});
    return out;
  };
  using Pieces = std::vector<std::pair<bool, unsigned>>;
  const ImU32 grey = IM_COL32(20, 20, 20, 255), pale = IM_COL32(20, 20, 20, 254);
  EXPECT_EQ(pieces([&](ImDrawList& list) {
              list.AddRectFilled({0, 0}, {width, height}, grey);
            }),
            (Pieces{{true, 6}}));
  EXPECT_EQ(pieces([&](ImDrawList& list) {
              list.AddRectFilled({0, 0}, {width, height}, pale);
            }),
            (Pieces{{false, 6}}));
  EXPECT_EQ(pieces([&](ImDrawList& list) {
              list.AddRectFilled({0, 0}, {20, 20}, grey);
            }),
            (Pieces{{false, 6}}))
      << "too small to be worth it";
  EXPECT_EQ(pieces([&](ImDrawList& list) {
              list.AddRectFilled({0, 0}, {20, 20}, pale);
              list.AddRectFilled({0, 0}, {300, 300}, grey);
              list.AddRectFilled({100, 0}, {400, 300}, grey);
              list.AddRectFilled({0, 0}, {20, 20}, pale);
            }),
            (Pieces{{false, 6}, {true, 12}, {false, 6}}));
  // A round corner has a soft edge, which is not opaque.
  const Pieces round = pieces([&](ImDrawList& list) { list.AddRectFilled({0, 0}, {300, 300}, grey, 12); });
  ASSERT_EQ(round.size(), 2u);
  EXPECT_TRUE(round[0].first && !round[1].first);
  EXPECT_GT(round[1].second, 6u);
}

TEST_F(DamageGlTest, OnlyWhatChangedIsDrawn) {
  auto renderer = Renderer::create();
  ASSERT_TRUE(renderer);
  Damage damage;
  const auto frame = [&](const std::function<void(ImDrawList&)>& paint) {
    (*renderer)->begin(width, height, 1.f / 60);
    paint(*ImGui::GetBackgroundDrawList());
    ImGui::Render();
    const auto boxes = damage.update(*ImGui::GetDrawData(), HeatmapPainter::look);
    return std::vector<PixelBox>(boxes.begin(), boxes.end());
  };
  const auto rects = [](float x, ImU32 color) {
    return [=](ImDrawList& list) {
      list.AddRectFilled({0, 0}, {width, height}, IM_COL32(20, 20, 20, 255));
      list.AddRectFilled({x, 100}, {x + 10, 110}, color);
    };
  };
  EXPECT_EQ(frame(rects(100, IM_COL32_WHITE)), (std::vector<PixelBox>{{0, 0, width, height}}));
  EXPECT_TRUE(frame(rects(100, IM_COL32_WHITE)).empty());
  EXPECT_EQ(frame(rects(100, IM_COL32(255, 0, 0, 255))), (std::vector<PixelBox>{{96, 96, 128, 128}}));
  // From where it was and to where it is.
  EXPECT_EQ(frame(rects(402, IM_COL32(255, 0, 0, 255))),
            (std::vector<PixelBox>{{96, 96, 128, 128}, {384, 96, 416, 128}}));
  damage.forget();
  EXPECT_EQ(frame(rects(402, IM_COL32(255, 0, 0, 255))).size(), 1u);
  // Many changes are few boxes, apart from each other, that hold them all.
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    std::vector<ImVec2> spots;
    for (int i = 0; i < 60; ++i) spots.push_back({float(random() % width), float(random() % height)});
    const auto boxes = frame([&](ImDrawList& list) {
      for (const ImVec2 at : spots) list.AddRectFilled(at, {at.x + 3, at.y + 3}, IM_COL32_WHITE);
    });
    EXPECT_LE(boxes.size(), std::size_t(Damage::most_boxes));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      for (std::size_t j = i + 1; j < boxes.size(); ++j) {
        const bool apart = boxes[i].x1 <= boxes[j].x0 || boxes[j].x1 <= boxes[i].x0 ||
                           boxes[i].y1 <= boxes[j].y0 || boxes[j].y1 <= boxes[i].y0;
        EXPECT_TRUE(apart);
      }
    }
    for (const ImVec2 at : spots) {
      const bool held = std::any_of(boxes.begin(), boxes.end(), [&](const PixelBox& box) {
        return at.x >= float(box.x0) && at.x < float(box.x1) && at.y >= float(box.y0) && at.y < float(box.y1);
      });
      EXPECT_TRUE(held);
    }
  }
}

}  // namespace
}  // namespace headlight::screen
