// The heads that are most similar to the chosen one, beside its map.
#include <algorithm>

#include "pages/model/view/page.h"

namespace headlight::views {

namespace {

constexpr float alike_column = 104, alike_from = 440, alike_title = 22;
constexpr float least_alike_row = 40, most_alike_row = 74, most_alike_picture = 54;
constexpr int least_heads = 5;  // of fewer, all would be listed

}  // namespace

std::string alike_over(const scene::AlikeHeads& alike) {
  return alike.step == 1 ? "" : " over one query in " + std::to_string(alike.step);
}

float alike_width(const ModelView& view, float width) {
  const Pen& pen = view.sheet.pen;
  const auto* others = view.atlas.alike.heads(view.shown);
  const bool one_cell = view.atlas.tiles.T == 1 && view.atlas.tiles.S == 1;
  const bool room = width >= alike_from && !pen.canvas.plain() && !one_cell;
  return room && others && !others->empty() && view.atlas.all_heads() >= least_heads ? alike_column : 0;
}

void draw_alike(const ModelView& view, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  const auto* others = view.atlas.alike.heads(view.shown);
  if (!others) return;
  Mark named;
  named.part = Part::note, named.name = "alike", named.area = box;
  const std::string over = alike_over(view.atlas.alike);
  named.note = "the heads with the most similar maps, and the cosine of the maps" + over;
  pen.canvas.mark(named);
  put(pen, {box.x, box.y + 8}, "Most similar", strong_style(pen.theme.text, word_size), box.w);
  pen.canvas.mark({});
  box.cut_top(alike_title);
  const int most = std::max(1, static_cast<int>(box.h / least_alike_row));
  const int count = std::min(most, static_cast<int>(others->size()));
  const float high = std::min(most_alike_row, box.h / static_cast<float>(count));
  for (int i = 0; i < count; ++i) {
    const scene::HeadPlace at = (*others)[static_cast<std::size_t>(i)].at;
    const Box row = box.cut_top(high);
    Mark mark;
    mark.part = Part::control, mark.area = {row.x - 4, row.y, row.w + 4, row.h - 2};
    mark.name = "alike " + std::to_string(i + 1), mark.set = choosing(at);
    const std::string cosine = in.text(quantity(
        "model_alike", {{"layer", view.shown.layer + 1}, {"head", view.shown.head + 1}, {"rank", i + 1}}));
    mark.note = head_name(view, at) + ": cosine " + cosine + over + "\nclick: choose this head";
    pen.canvas.mark(mark);
    const bool hovered = pen.over(mark.name);
    if (hovered) pen.canvas.rect(mark.area, pen.theme.field_hover, 6);
    const float side = std::floor(std::min(most_alike_picture, row.h - 8));
    const Box picture{std::round(row.x), std::round(row.y + 2), side, side};
    draw_head_picture(view, at, picture);
    pen.canvas.frame(picture, {hovered ? pen.theme.text : pen.theme.border, hovered ? 1.5f : 1.f}, 2);
    const float x = picture.right() + 8, room = row.right() - x, y = picture.centre().y;
    put(pen, {x, y - 8}, view.atlas.layers() > 1 ? place_text(at) : "head " + std::to_string(at.head + 1),
        words_style(pen.theme.text), room);
    put(pen, {x, y + 8}, cosine, mono_style(pen.theme.dim, word_size), room);
    pen.canvas.mark({});
  }
}

}  // namespace headlight::views
