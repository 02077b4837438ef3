// What an SVG says: its words, its cells, its titles, and that it is sound XML.
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "figure/figure.h"
#include "support/xml.h"

namespace headlight::figure::svg_test {
namespace {

FigureSpec spec_of(float width, float height) {
  FigureSpec spec;
  spec.theme = draw::theme(false);
  spec.part = {0, 0, width, height};
  spec.title = "A <figure> & \"more\"";
  return spec;
}

int count(const std::string& text, const std::string& what) {
  int n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(Svg, WordsAreText) {
  const std::string svg = svg_figure(spec_of(320, 200), [](draw::Canvas& canvas) {
    canvas.text({10, 60}, "A < B & \"C\" › Привет 猫 \xff", {.size = 14, .color = draw::rgb(0)});
    canvas.text({60, 60}, "0.25",
                {.size = 12,
                 .color = draw::rgb(0),
                 .font = draw::Font::mono,
                 .align = draw::Align::right,
                 .turn = draw::upwards});
    canvas.text({60, 90}, "slanted", {.size = 12, .color = draw::rgb(0), .turn = draw::slanted});
  });
  const tests::XmlCheck xml = tests::check_xml(svg);
  EXPECT_EQ(xml.error, "");
  EXPECT_EQ(xml.elements.at("text"), 3);
  EXPECT_EQ(xml.of_root.at("width"), "320px");
  EXPECT_EQ(xml.of_root.at("viewBox"), "0 0 320 200");
  EXPECT_NE(svg.find(">A &lt; B &amp; &quot;C&quot; › Привет 猫 \uFFFD</text>"), std::string::npos);
  EXPECT_NE(svg.find("text-anchor=\"end\""), std::string::npos);
  EXPECT_NE(svg.find("rotate(-90)"), std::string::npos);
  EXPECT_NE(svg.find("translate(60 90) rotate(-50)"), std::string::npos);
}

/// A view that computes a place from a number that is none: no figure holds it, and the rest of a line stays.
TEST(Svg, NoCoordinateIsNoNumber) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float bad : {nan, std::numeric_limits<float>::infinity(), -3e38f}) {
    const auto paint = [&](draw::Canvas& canvas) {
      const draw::Color ink = draw::rgb(0x123456);
      const draw::Stroke stroke{ink, 1};
      canvas.rect({bad, 10, 20, 20}, ink, 2), canvas.rect({10, 10, 20, bad}, ink, 2);
      canvas.frame({10, bad, 20, 20}, stroke, 2);
      canvas.line({10, 10}, {bad, 20}, stroke), canvas.line({20, bad}, {10, 10}, stroke);
      const std::array<draw::Point, 3> three = {draw::Point{10, 10}, {20, bad}, {30, 30}};
      canvas.polygon(three, ink);
      canvas.curve({10, 10}, {bad, 20}, {30, 30}, {40, 40}, stroke);
      canvas.circle({10, bad}, 3, ink), canvas.circle({10, 10}, bad, ink);
      canvas.ring({10, bad}, 3, stroke), canvas.sector({20, 20}, 5, 0, bad, ink);
      canvas.text({bad, 20}, "away", {.size = 12, .color = ink});
      const float values[] = {0.5f};
      canvas.heatmap({10, 10, bad, 20}, {.values = values, .rows = 1, .cols = 1, .row_stride = 1});
      canvas.push_clip({10, 10, bad, 20});
      canvas.pop_clip();
      const std::array<draw::Point, 6> line = {draw::Point{11, 12}, {21, 22}, {bad, 32},
                                               {31, bad},           {41, 42}, {51, 52}};
      canvas.polyline(line, stroke);
    };
    const std::string svg = svg_figure(spec_of(320, 200), paint);
    EXPECT_EQ(tests::check_xml(svg).error, "");
    for (const char* word : {"nan", "inf", "000000", "away", "<circle", "<polygon", "<path"})
      EXPECT_EQ(count(svg, word), 0) << word << " in " << svg;
    EXPECT_EQ(count(svg, "<polyline"), 2);
    EXPECT_NE(svg.find("points=\"11,12 21,22\""), std::string::npos);
    EXPECT_NE(svg.find("points=\"41,42 51,52\""), std::string::npos);
    const auto pdf = pdf_figure(spec_of(320, 200), paint);
    EXPECT_TRUE(pdf) << pdf.error();
    EXPECT_TRUE(figure_pixels(spec_of(320, 200), paint));
  }
}

TEST(Svg, SmallHeatmapsAreCellsInTheirColours) {
  const std::array<float, 6> values = {0, 0.5f, 1, std::numeric_limits<float>::quiet_NaN(), 0.25f, 0.75f};
  const std::array<base::Interval, 2> allowed = {base::Interval{0, 3}, base::Interval{0, 2}};
  const draw::Heatmap map{.values = values.data(), .rows = 2, .cols = 3, .row_stride = 3, .allowed = allowed};
  const std::string svg = svg_figure(spec_of(320, 200), [&](draw::Canvas& canvas) {
    canvas.heatmap({10, 10, 60, 40}, map);
  });
  EXPECT_EQ(tests::check_xml(svg).error, "");
  const auto fill = [](draw::Color c) {
    char hex[16];
    std::snprintf(hex, sizeof hex, "\"#%02x%02x%02x\"", c.r, c.g, c.b);
    return std::string(hex);
  };
  for (const float value : {0.f, 0.5f, 1.f, 0.25f})
    EXPECT_EQ(count(svg, fill(draw::color_of(draw::theme(false), map.map, value, 0, 1))), 1) << value;
  EXPECT_EQ(count(svg, fill(draw::color_of(draw::theme(false), map.map, 0.75f, 0, 1))), 0)
      << "this one is masked";
  EXPECT_EQ(count(svg, fill(draw::nan_color)), 1);
  EXPECT_EQ(count(svg, "width=\"20\" height=\"20\" fill=" + fill(draw::theme(false).mask)), 1)
      << "masked cells have no gaps";
  EXPECT_NE(svg.find("<rect x=\"31\" y=\"11\" width=\"19\" height=\"19\""), std::string::npos)
      << "row 0, column 1, with its gap";
}

TEST(Svg, LargeHeatmapsAreImages) {
  const std::vector<float> values(100 * 100, 0.5f);
  const std::string svg = svg_figure(spec_of(320, 200), [&](draw::Canvas& canvas) {
    canvas.heatmap({10, 10, 100, 100},
                   {.values = values.data(), .rows = 100, .cols = 100, .row_stride = 100});
  });
  EXPECT_EQ(tests::check_xml(svg).elements.at("image"), 1);
  EXPECT_NE(svg.find("data:image/png;base64,iVBORw0KGgo"), std::string::npos);
}

TEST(Svg, MarksAreTitlesOfTheirShapes) {
  const std::array<float, 4> values = {0, 0.5f, 1, 0.25f};
  FigureSpec spec = spec_of(320, 200);
  spec.words = [](const draw::Hit& hit) {
    return hit.mark.part == draw::Part::cell && hit.mark.query >= 0
               ? std::to_string(hit.mark.query) + " to " + std::to_string(hit.mark.key)
               : hit.mark.note;
  };
  const std::string svg = svg_figure(spec, [&](draw::Canvas& canvas) {
    draw::Mark note;
    note.part = draw::Part::note, note.note = "the <first>";
    canvas.mark(note);
    canvas.rect({0, 0, 5, 5}, draw::rgb(0xff0000));
    canvas.push_clip({0, 0, 50, 50});
    canvas.rect({5, 5, 5, 5}, draw::rgb(0xff0000));
    canvas.pop_clip();
    draw::Mark cell;
    cell.part = draw::Part::cell;
    canvas.mark(cell);
    canvas.heatmap({10, 10, 40, 40}, {.values = values.data(), .rows = 2, .cols = 2, .row_stride = 2});
    canvas.mark({});
    canvas.rect({0, 0, 5, 5}, draw::rgb(0x0000ff));
  });
  EXPECT_EQ(tests::check_xml(svg).error, "");
  EXPECT_EQ(count(svg, "<title>the &lt;first&gt;</title>"), 2) << "outside and inside the clip";
  EXPECT_EQ(count(svg, "<title>1 to 0</title>"), 1);
  EXPECT_EQ(count(svg, "<title>0 to 1</title>"), 1);
}

TEST(Svg, MillimetresAndTheScene) {
  FigureSpec spec = spec_of(400, 100);
  spec.width_mm = 85;
  spec.scene = "{\"sentence\":\"a < b ]]> c\"}";
  const std::string svg = svg_figure(spec, [](draw::Canvas&) {});
  const tests::XmlCheck xml = tests::check_xml(svg);
  EXPECT_EQ(xml.error, "");
  EXPECT_EQ(xml.of_root.at("width"), "85mm");
  EXPECT_EQ(xml.of_root.at("height"), "21.25mm");
  const std::size_t from = svg.find("headlight-scene\">") + 17, to = svg.find("</metadata>");
  EXPECT_EQ(tests::from_xml(svg.substr(from, to - from)), spec.scene);
}

TEST(Svg, FontsAreNamedWithThoseThatOtherComputersHave) {
  const std::string svg = svg_figure(spec_of(320, 200), [](draw::Canvas& canvas) {
    canvas.text({0, 20}, "words", {.size = 12, .color = draw::rgb(0)});
    canvas.text({0, 40}, "0.25", {.size = 12, .color = draw::rgb(0), .font = draw::Font::mono});
  });
  EXPECT_EQ(count(svg, "font-family=\"Inter, Noto Sans, DejaVu Sans, Helvetica Neue, Arial, sans-serif\""),
            1);
  EXPECT_EQ(
      count(svg,
            "font-family=\"JetBrains Mono, DejaVu Sans Mono, Noto Sans Mono, Menlo, Consolas, monospace\""),
      1);
}

TEST(Svg, NumbersAreShort) {
  EXPECT_EQ(svg_number(12), "12");
  EXPECT_EQ(svg_number(0.5), "0.5");
  EXPECT_EQ(svg_number(-0.0001), "0");
  EXPECT_EQ(svg_number(1.0 / 3), "0.333");
  EXPECT_EQ(svg_number(100), "100");
}

TEST(Svg, WhatXmlCannotHoldIsReplaced) {
  EXPECT_EQ(xml_text("\x01 a\tb \xff"), "\uFFFD a\tb \uFFFD");
  EXPECT_EQ(tests::from_xml(xml_text("<a b=\"c\">&amp;")), "<a b=\"c\">&amp;");
}

}  // namespace
}  // namespace headlight::figure::svg_test
