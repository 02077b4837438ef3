// Can every word be read? Each page is drawn, in both themes, on a canvas that remembers what was painted;
// every text is compared with the ground beneath it: WCAG 2.1, success criterion 1.4.3, at least 4.5:1.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "draw/heatmap_raster.h"
#include "draw/record_canvas.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "session/session.h"

namespace headlight::app {
namespace {

using draw::Box;
using draw::Color;
using draw::Point;

constexpr double least_contrast = 4.5;

Color over(Color top, Color ground) {
  Color out = draw::mix(ground, {top.r, top.g, top.b, 255}, static_cast<float>(top.a) / 255);
  out.a = 255;
  return out;
}

class ContrastCanvas final : public draw::Canvas {
 public:
  ContrastCanvas(const draw::Theme& theme) : theme_(theme) {}

  std::map<std::string, double> bad;  // words with what they are printed in and on → contrast
  int measured = 0;

  void rect(Box box, Color fill, float) override { add(box, fill); }
  void polygon(std::span<const Point> points, Color fill) override {
    Shape shape{.box = {}, .fill = fill, .points = {points.begin(), points.end()}};
    Point low{1e9f, 1e9f}, high{-1e9f, -1e9f};
    for (const Point p : points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    shape.box = {low.x, low.y, high.x - low.x, high.y - low.y};
    shapes_.push_back(std::move(shape));
  }
  void circle(Point c, float r, Color fill) override {
    shapes_.push_back({.box = {c.x - r, c.y - r, 2 * r, 2 * r}, .fill = fill, .radius = r});
  }
  void heatmap(Box box, const draw::Heatmap& map) override {
    const int w = std::max(1, static_cast<int>(std::lround(box.w))),
              h = std::max(1, static_cast<int>(std::lround(box.h)));
    shapes_.push_back({.box = box, .picture = draw::rasterize(map, theme_, w, h, map.gaps ? 1 : 0)});
  }
  void text(Point at, std::string_view words, const draw::TextStyle& style) override {
    if (words.empty() || words.find_first_not_of(' ') == std::string_view::npos) return;
    const float w = text_width(words, style), half = style.size * 0.36f;
    float x = at.x, y = at.y;
    if (style.turn == 0) {
      if (style.align == draw::Align::centre) x -= w / 2;
      if (style.align == draw::Align::right) x -= w;
      if (style.valign == draw::VAlign::baseline) y -= half;
      if (style.valign == draw::VAlign::top) y += style.size * 0.6f;
      for (const float part : {0.15f, 0.5f, 0.85f}) check({x + w * part, y}, words, style);
    } else {
      check(at, words, style);
    }
  }
  float text_width(std::string_view words, const draw::TextStyle& style) override {
    return ruler_.text_width(words, style);
  }
  void frame(Box, draw::Stroke, float) override {}
  void line(Point, Point, draw::Stroke) override {}
  void polyline(std::span<const Point>, draw::Stroke) override {}
  void curve(Point, Point, Point, Point, draw::Stroke) override {}
  void ring(Point, float, draw::Stroke) override {}
  void sector(Point, float, float, float, Color) override {}
  void push_clip(Box) override {}
  void pop_clip() override {}
  void mark(const draw::Mark&) override {}

 private:
  struct Shape {
    Box box;
    Color fill{0, 0, 0, 0};
    std::vector<Point> points{};
    float radius = 0;
    draw::Raster picture{};
  };
  void add(Box box, Color fill) { shapes_.push_back({.box = box, .fill = fill}); }

  static bool covers(const Shape& shape, Point p) {
    if (!shape.box.has(p)) return false;
    if (shape.radius > 0)
      return std::hypot(p.x - shape.box.centre().x, p.y - shape.box.centre().y) <= shape.radius;
    for (std::size_t i = 0, n = shape.points.size(); i < n; ++i) {
      // Convex: always on the same side as the middle.
      const Point a = shape.points[i], b = shape.points[(i + 1) % n], c = shape.box.centre();
      const auto side = [&](Point q) { return (b.x - a.x) * (q.y - a.y) - (b.y - a.y) * (q.x - a.x); };
      if (side(p) * side(c) < 0) return false;
    }
    return true;
  }
  Color ground(Point p) const {
    Color out = theme_.window;
    for (const Shape& shape : shapes_) {
      if (!covers(shape, p)) continue;
      if (shape.picture.width == 0) {
        out = over(shape.fill, out);
      } else {
        const int x = std::clamp(
            static_cast<int>((p.x - shape.box.x) / shape.box.w * static_cast<float>(shape.picture.width)), 0,
            shape.picture.width - 1);
        const int y = std::clamp(
            static_cast<int>((p.y - shape.box.y) / shape.box.h * static_cast<float>(shape.picture.height)), 0,
            shape.picture.height - 1);
        const std::uint8_t* pixel =
            shape.picture.rgba.data() +
            4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(shape.picture.width) +
                 static_cast<std::size_t>(x));
        out = over({pixel[0], pixel[1], pixel[2], pixel[3]}, out);
      }
    }
    return out;
  }
  void check(Point p, std::string_view words, const draw::TextStyle& style) {
    const Color below = ground(p), ink = over(style.color, below);
    const double contrast = draw::contrast(ink, below);
    ++measured;
    if (contrast >= least_contrast) return;
    char how[96];
    std::snprintf(how, sizeof how, " %02x%02x%02x on %02x%02x%02x", ink.r, ink.g, ink.b, below.r, below.g,
                  below.b);
    bad[std::string(words) + how] = contrast;
  }

  const draw::Theme& theme_;
  draw::RecordCanvas ruler_;
  std::vector<Shape> shapes_;
};

std::string measure(const scene::Scene& scene, int& measured) {
  Session session({.scene = scene, .autosave = {}});
  if (scene.page != scene::Page::training) session.wait();
  const draw::Theme& theme = draw::theme(scene.theme == scene::ThemeName::dark);
  ContrastCanvas canvas(theme);
  page_info(scene.page).view.draw(canvas, {0, 0, 1360, 860}, page_input(session, theme));
  measured += canvas.measured;
  std::string out;
  for (const auto& [words, contrast] : canvas.bad) {
    char number[32];
    std::snprintf(number, sizeof number, "%.2f  ", contrast);
    out += "  " + (number + words) + "\n";
  }
  return out;
}

TEST(Contrast, EveryWordOfEveryPageInBothThemes) {
  for (const auto theme : {scene::ThemeName::dark, scene::ThemeName::light}) {
    for (const PageInfo& page : pages()) {
      scene::Scene scene;
      scene.page = page.page();
      scene.theme = theme;
      int measured = 0;
      const std::string bad = measure(scene, measured);
      EXPECT_EQ(bad, "") << page.room.title << ", " << word(theme) << "\n" << bad;
      EXPECT_GT(measured, 20) << page.room.title;
    }
  }
}

TEST(Contrast, AlsoWithMasksRibbonsAndOtherViews) {
  for (const auto theme : {scene::ThemeName::dark, scene::ThemeName::light}) {
    for (const char* set : {"mask=causal", "attention_view=ribbons", "head=0", "query=0,2,4",
                            "page=variants;variants_a_mask=causal", "page=presets;presets_shown=8",
                            "page=worked;worked_causal=true", "position_step=1;page=position"}) {
      scene::Scene scene;
      scene.theme = theme;
      std::string text = set;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(';', at), text.size());
        ASSERT_TRUE(scene::set_field(scene, text.substr(at, end - at)));
        at = end + 1;
      }
      int measured = 0;
      const std::string bad = measure(scene, measured);
      EXPECT_EQ(bad, "") << set << ", " << word(theme) << "\n" << bad;
    }
  }
}

/// What the controls around the page are painted with: each text on each ground that it stands on.
TEST(Contrast, TheControlsInBothThemes) {
  for (const bool dark : {true, false}) {
    const draw::Theme& t = draw::theme(dark);
    struct Pair {
      const char* what;
      Color ink, ground;
    };
    const Pair pairs[] = {
        {"words on a card", t.text, t.panel},
        {"words behind the cards", t.text, t.window},
        {"words in a field", t.text, t.field},
        {"words in a field under the pointer", t.text, t.field_hover},
        {"quiet words on a card", t.dim, t.panel},
        {"quiet words behind the cards", t.dim, t.window},
        {"a choice that is not chosen", t.dim, t.field},
        {"the same under the pointer", t.dim, t.field_hover},
        {"a chosen choice", t.on_accent, t.accent},
        {"a chosen choice that has no effect here", t.dim, t.faint},
        {"a primary button under the pointer", t.on_accent, draw::mix(t.accent, t.text, 0.15f)},
        {"a chip that is on", t.text, draw::mix(t.field, t.accent, 0.22f)},
        {"a hint", t.text, draw::mix(t.panel, t.accent, 0.1f)},
        {"the selected row of a list", t.text, draw::mix(t.panel, t.accent, 0.12f)},
        {"what stands behind it", t.dim, draw::mix(t.panel, t.accent, 0.12f)},
        {"quiet words in a row under the pointer", t.dim, t.field},
        {"keys in the help", t.accent, t.panel},
        {"a message", t.offset, t.panel},
        {"a problem", t.bad, t.panel},
        {"a sentence that is not read", t.dim, t.panel},
        {"words on masked cells", t.dim, t.mask},
    };
    for (const Pair& pair : pairs)
      EXPECT_GE(draw::contrast(pair.ink, pair.ground), least_contrast)
          << pair.what << ", " << (dark ? "dark" : "light");
    // What is no text but must be seen: focus rings and outlines of what is chosen (1.4.11).
    for (const Color ground : {t.window, t.panel, t.field})
      EXPECT_GE(draw::contrast(t.focus, ground), 3) << dark;
  }
}

}  // namespace
}  // namespace headlight::app
