// The canvas of a slide: small text becomes as large as it must be, and what is left out of a card without
// room for all its words is whole rows, or all the numbers of a map.
#include <gmock/gmock.h>

#include <algorithm>

#include "draw/record_canvas.h"
#include "pictures/present_picture.h"
#include "presented.h"

namespace headlight::app::present_test {
namespace {

using draw::RecordCanvas;
using draw::TextStyle;
using testing::Contains;
using testing::HasSubstr;

TEST(PresentCanvas, MovesShapesAndMakesSmallTextAsLargeAsItMustBe) {
  RecordCanvas paper;
  PresentCanvas canvas(paper, {{100, 100, 200, 100}, 2, {-150, -180}, 15});
  canvas.rect({110, 110, 10, 10}, {}, 1);
  canvas.rect({0, 0, 50, 50}, {}, 0);  // beside the card
  canvas.text({150, 150}, "small", {.size = 10});
  canvas.text({150, 180}, "large", {.size = 20});
  canvas.finish();
  EXPECT_THAT(paper.lines, Contains(HasSubstr("rect 70")));
  ASSERT_EQ(paper.texts.size(), 2u);
  EXPECT_EQ(paper.texts[0].style.size, 30);  // 15 units, twice as large
  EXPECT_EQ(paper.texts[1].style.size, 40);
  EXPECT_EQ(paper.texts[0].at, (draw::Point{150, 120}));
  EXPECT_EQ(std::count_if(paper.lines.begin(), paper.lines.end(),
                          [](const std::string& line) { return line.starts_with("rect"); }),
            1);
}

TEST(PresentCanvas, MeasuresWordsAsItWritesThem) {
  RecordCanvas paper;
  PresentCanvas canvas(paper, {{0, 0, 200, 100}, 3, {}, 16});
  EXPECT_FLOAT_EQ(canvas.text_width("four", {.size = 8}), paper.text_width("four", {.size = 16}));
  EXPECT_FLOAT_EQ(canvas.text_width("four", {.size = 20}), paper.text_width("four", {.size = 20}));
}

TEST(PresentCanvas, LeavesWholeRowsOfATableOut) {
  RecordCanvas paper;
  PresentCanvas canvas(paper, {{0, 0, 400, 400}, 1, {}, 24});
  for (int row = 0; row < 6; ++row) {
    const float y = 40 + 16 * static_cast<float>(row);
    // The names of every other row are a little larger, so that they would be written first.
    canvas.text({10, y}, "name " + std::to_string(row), {.size = row % 2 == 1 ? 13.f : 12.f});
    canvas.text({300, y}, std::to_string(row), {.size = 12});
  }
  canvas.finish();
  for (int row = 0; row < 6; ++row) {
    const std::string number = std::to_string(row);
    const auto message = words_on(paper);
    EXPECT_EQ(std::count(message.begin(), message.end(), "name " + number),
              std::count(message.begin(), message.end(), number))
        << row;
  }
  EXPECT_EQ(paper.texts.size(), 6u);
  EXPECT_GT(canvas.left_out(), 0);
}

TEST(PresentCanvas, AMapHasAllItsNumbersOrNone) {
  const auto written = [](float cell) {
    RecordCanvas paper;
    PresentCanvas canvas(paper, {{0, 0, 1000, 400}, 1, {}, 24});
    const float values[4] = {};
    canvas.heatmap({0, 0, 4 * cell, 40}, {.values = values, .rows = 1, .cols = 4, .row_stride = 4});
    const TextStyle style{.size = 12, .font = draw::Font::mono, .align = draw::Align::centre};
    for (const char* number : {"0.1", "0.2", "0.33333", "0.4"}) {
      canvas.text({static_cast<float>(number[2] - '1') * cell + cell / 2, 26}, number, style);
    }
    canvas.finish();
    return paper.texts.size();
  };
  EXPECT_EQ(written(120), 4u);
  EXPECT_EQ(written(60), 0u);  // the third one touches its neighbours
}

}  // namespace
}  // namespace headlight::app::present_test
