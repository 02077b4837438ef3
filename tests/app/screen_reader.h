// All that a page writes: on its picture, under the pointer, in the status line, and on slides of its cards;
// with the maps beneath, and what it notes as quantities.
#pragma once

#include <string>
#include <vector>

#include "doors.h"
#include "draw/no_canvas.h"
#include "draw/record_canvas.h"
#include "pictures/present_picture.h"

namespace headlight::app {

struct Screen {
  struct Text {
    std::string words, where;  // "map", a card's name; "under NAME", "a cell of CARD[0, 1]", "status"
    std::string card;          // that it belongs to; empty: to none
    draw::Point at;
    draw::TextStyle style;
    int map = -1;            // its place is in a cell of this map,
    int row = -1, col = -1;  // of its numbers
    bool drawn = false;
  };
  struct Map {
    std::string card;
    draw::Mark mark;
    draw::Box box;
    draw::Heatmap map;
    std::vector<float> values;  // row by row
    float at(int row, int col) const {
      return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.cols) +
                    static_cast<std::size_t>(col)];
    }
  };
  std::vector<Text> texts;
  std::vector<Map> maps;
  std::vector<scene::StatedNumber> stated;

  std::string words() const {
    std::string all;
    for (const Text& text : texts) all += text.words + " ";
    return all;
  }
};

class ScreenReader final : public draw::NoCanvas {
 public:
  ScreenReader(Screen& screen, draw::Canvas& measure) : NoCanvas(measure), screen_(screen) {}
  struct OfCard {
    draw::Mark mark;
    std::string card;
  };
  std::vector<OfCard> marks;

  void panel(draw::Box /*box*/, std::string_view name, std::string_view /*title*/) override { card_ = name; }
  void mark(const draw::Mark& mark) override {
    marks.push_back({mark, card_});
    mark_ = mark;
  }
  void text(draw::Point at, std::string_view words, const draw::TextStyle& style) override {
    screen_.texts.push_back({std::string(words), card_, card_, at, style, -1, -1, -1, true});
  }
  void heatmap(draw::Box box, const draw::Heatmap& map) override {
    Screen::Map copy{card_, mark_, box, map, {}};
    for (int row = 0; row < map.rows; ++row) {
      const float* from = map.values + static_cast<std::ptrdiff_t>(row) * map.row_stride;
      copy.values.insert(copy.values.end(), from, from + map.cols);
    }
    copy.map.values = nullptr;
    screen_.maps.push_back(std::move(copy));
  }

 private:
  Screen& screen_;
  std::string card_;
  draw::Mark mark_;
};

inline void place_in_maps(Screen& screen, std::size_t first_text, std::size_t first_map) {
  for (std::size_t t = first_text; t < screen.texts.size(); ++t) {
    Screen::Text& text = screen.texts[t];
    if (!text.drawn || text.style.turn != 0) continue;
    for (std::size_t m = first_map; m < screen.maps.size(); ++m) {
      const Screen::Map& map = screen.maps[m];
      if (!map.box.has(text.at) || map.map.rows == 0 || map.map.cols == 0) continue;
      const draw::Point cell = draw::cell_at(map.box, map.map, text.at);
      const int x = static_cast<int>(cell.x), y = static_cast<int>(cell.y);
      text.map = static_cast<int>(m);
      text.row = map.map.transposed ? x : y, text.col = map.map.transposed ? y : x;
    }
  }
}

/// What a tooltip says over a few cells of a map.
inline void read_cells(Screen& screen, const views::PageView& view, const views::PageInput& in,
                       std::size_t first_map) {
  const std::size_t maps = screen.maps.size();
  for (std::size_t m = first_map; m < maps; ++m) {
    const Screen::Map& map = screen.maps[m];
    if (!draw::of_cells(map.mark.part) || map.map.rows == 0 || map.map.cols == 0) continue;
    const int last_row = map.map.rows - 1, last_col = map.map.cols - 1;
    for (const auto& [row, col] :
         {std::pair{0, 0}, {last_row / 2, last_col / 3}, {last_row, last_col}, {last_row, 0}}) {
      draw::Hit hit;
      hit.mark = map.mark;
      hit.mark.query = row, hit.mark.key = col;
      hit.map = map.box;
      const int x = map.map.transposed ? row : col, y = map.map.transposed ? col : row;
      hit.cell = {static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f};
      hit.shown = map.map.view.w > 0
                      ? map.map.view
                      : draw::Box{0, 0, static_cast<float>(map.map.transposed ? map.map.rows : map.map.cols),
                                  static_cast<float>(map.map.transposed ? map.map.cols : map.map.rows)};
      hit.at = draw::cell_box(map.box, map.map, x, y).centre();
      const std::string cell = "[" + std::to_string(row) + ", " + std::to_string(col) + "]";
      screen.texts.push_back({view.tooltip(in, hit), "a cell of " + map.card + cell, map.card});
      if (view.quantity_under) {
        const std::string quantity = view.quantity_under(in, hit);
        if (!quantity.empty()) screen.stated.push_back({quantity, static_cast<double>(map.at(row, col)), ""});
      }
    }
  }
}

inline void read_page(Screen& screen, const views::PageView& view, views::PageInput in, draw::Box area) {
  in.stated = &screen.stated;
  draw::RecordCanvas measure;
  ScreenReader canvas(screen, measure);
  const std::size_t texts = screen.texts.size(), maps = screen.maps.size();
  view.draw(canvas, area, in);
  place_in_maps(screen, texts, maps);
  for (const auto& [mark, card] : canvas.marks) {
    if (mark.part == draw::Part::none) continue;
    draw::Hit hit;
    hit.mark = mark;
    hit.at = mark.area.centre();
    const std::string name = "under " + mark.name;
    if (!mark.note.empty()) screen.texts.push_back({mark.note, name, card});
    const std::string tooltip = view.tooltip(in, hit);
    if (!tooltip.empty() && tooltip != mark.note) screen.texts.push_back({tooltip, name, card});
  }
  read_cells(screen, view, in, maps);
  screen.texts.push_back({view.status(in), "status"});
  if (view.question) screen.texts.push_back({view.question(in), "question"});
}

/// Each card in a window of its own, with what stands around it.
inline void read_slides(Screen& screen, const views::PageView& view, views::PageInput in) {
  in.stated = &screen.stated;
  draw::RecordCanvas measure;
  const draw::Box window{0, 0, 1920, 1080};
  const PageCards cards = cards_of(view, in, measure);
  for (const std::string& card : cards.names) {
    const CardLayout layout = present_layout(card, view, in, window, measure);
    if (layout.page.w <= 0) continue;
    ScreenReader canvas(screen, measure);
    const std::size_t texts = screen.texts.size(), maps = screen.maps.size();
    present_frame(canvas, window, view, in,
                  {"", cards.place(card), static_cast<int>(cards.names.size()), false, card});
    const std::size_t around = screen.texts.size();
    PresentCanvas present(canvas, layout.placing);
    draw_cards(view, in)(present, layout.page, layout.column);
    present.finish();
    for (std::size_t t = texts; t < screen.texts.size(); ++t) {
      screen.texts[t].where = "slide of " + card;
      screen.texts[t].card = t < around ? "" : card;
    }
    for (std::size_t m = maps; m < screen.maps.size(); ++m) screen.maps[m].card = card;
    place_in_maps(screen, texts, maps);
  }
}

}  // namespace headlight::app
