#include <algorithm>
#include <array>
#include <cmath>

#include "kit/cells.h"
#include "kit/page_input.h"
#include "kit/words.h"
#include "pages/attention/view/below.h"
#include "pages/attention/view/layer_matrix.h"

namespace headlight::views {

using scene::LayerMatrix;

namespace {

enum class Parts { none, columns, rows };  // how a head's part is stored

struct Tile {
  LayerMatrix matrix;
  const char* name;
  const char* how;
  Parts parts;
  bool tokens;  // rows are tokens
};

constexpr std::array<Tile, 10> tiles = {
    Tile{LayerMatrix::x, "X", "input of the layer: content and position", Parts::none, true},
    Tile{LayerMatrix::w_q, "W_Q", "projection to the queries", Parts::columns, false},
    Tile{LayerMatrix::w_k, "W_K", "projection to the keys", Parts::columns, false},
    Tile{LayerMatrix::w_v, "W_V", "projection to the values", Parts::columns, false},
    Tile{LayerMatrix::w_o, "W_O", "output projection of the heads", Parts::rows, false},
    Tile{LayerMatrix::q, "Q", "X W_Q, the queries", Parts::columns, true},
    Tile{LayerMatrix::k, "K", "X W_K, the keys", Parts::columns, true},
    Tile{LayerMatrix::v, "V", "X W_V, the values", Parts::columns, true},
    Tile{LayerMatrix::concatenation, "Concatenation", "A V of every head, concatenated", Parts::columns,
         true},
    Tile{LayerMatrix::output, "Output", "concatenation times W_O", Parts::none, true}};

/// Says where the numbers come from, and what an opened model does to them.
std::string how_words(const Sheet& sheet, const Tile& tile) {
  const scene::OpenedLayer* opened = sheet.in.results.opened.get();
  if (!opened || opened->saved) return tile.how;
  if (tile.matrix == LayerMatrix::x) return "what Q, K and V are projected from";
  std::string words = tile.how;
  const bool key = tile.matrix == LayerMatrix::k;
  if (tile.matrix == LayerMatrix::q || key) {
    std::string after;
    const auto add = [&](const char* step) {
      after += (after.empty() ? " after " : ", ") + std::string(step);
    };
    if (opened->bias) add("bias");
    if (opened->qk_norm) add("norm");
    if (opened->rotary > 0) add("RoPE");
    words += after;
  }
  return words;
}

/// Returns "\neach of its 4 heads is shared by 2 query heads"; empty when each query head has its own.
std::string sharing_words(const Sheet& sheet, const Tile& tile) {
  const int shared = heads_sharing(sheet.in, tile.matrix);
  if (shared == 1) return {};
  return "\neach of its " + std::to_string(sheet.trace().heads / shared) + " heads is shared by " +
         std::to_string(shared) + " query heads";
}

/// The part of a matrix that belongs to one head, in columns of the layer; the whole matrix if it has no such
/// part.
struct TilePart {
  int row = 0, col = 0, rows = 0, cols = 0;
};

TilePart part_of(const Sheet& sheet, const Tile& tile, const nn::Matrix& m, int head) {
  const int shared = heads_sharing(sheet.in, tile.matrix);
  const int heads = std::max(1, sheet.trace().heads / shared);
  TilePart part{0, 0, m.rows(), own_columns(sheet.in, tile.matrix, m)};
  if (head < 0 || heads == 1) return part;
  if (tile.parts == Parts::columns) part.cols /= heads, part.col = head / shared * part.cols;
  if (tile.parts == Parts::rows) part.rows /= heads, part.row = head / shared * part.rows;
  return part;
}

draw::Heatmap heatmap_of(const Sheet& sheet, const Tile& tile, const nn::Matrix& m, const TilePart& part) {
  const float largest =
      std::max(1e-6f, sheet.in.results.matrix_largest[static_cast<std::size_t>(tile.matrix)]);
  draw::Heatmap map = with_signs(heat_of(m, sheet.in.results.version), largest);
  map.view = {static_cast<float>(part.col), static_cast<float>(part.row), static_cast<float>(part.cols),
              static_cast<float>(part.rows)};
  return map;
}

/// Draws a part. Shared heads are drawn in one piece each, since the computed matrix repeats them.
void draw_part(const Sheet& sheet, const Tile& tile, const nn::Matrix& m, const TilePart& part, Box box) {
  const int shared = heads_sharing(sheet.in, tile.matrix);
  const int width = shared > 1 ? std::max(1, m.cols() / std::max(1, sheet.trace().heads)) : part.cols;
  const float across = box.w / static_cast<float>(std::max(1, part.cols));
  for (int col = 0; col < part.cols; col += width) {
    TilePart piece = part;
    piece.cols = std::min(width, part.cols - col);
    piece.col = computed_column(sheet.in, tile.matrix, m, part.col + col);
    draw_cells(
        sheet.pen,
        {box.x + across * static_cast<float>(col), box.y, across * static_cast<float>(piece.cols), box.h},
        heatmap_of(sheet, tile, m, piece));
  }
}

/// Returns the box of a tile's heatmap: as large as its place allows, with cells at most three times as high
/// as wide and no wider than high.
Box map_box(Box place, int rows, int cols) {
  constexpr float most_tall = 3;
  const float shape = static_cast<float>(cols) / static_cast<float>(std::max(1, rows));
  const float ratio =
      std::clamp(place.w / place.h, std::clamp(shape / most_tall, 0.2f, 3.5f), std::clamp(shape, 0.4f, 3.5f));
  float w = std::min(place.w, place.h * ratio), h = w / ratio;
  return {std::floor(place.centre().x - w / 2), std::floor(place.centre().y - h / 2), w, h};
}

void draw_tile(const Sheet& sheet, const Tile& tile, Box box) {
  const draw::Theme& theme = sheet.theme();
  const nn::Matrix* m = sheet.in.results.matrix(tile.matrix);
  const bool open = m && sheet.in.scene.attention.matrix == tile.matrix;
  draw::Mark mark;
  mark.part = draw::Part::control, mark.area = box;
  mark.name = std::string("matrix ") + scene::word(tile.matrix);
  mark.set = std::string("matrix=") + scene::word(open ? LayerMatrix::none : tile.matrix);
  mark.note = std::string(tile.name) + ": " + how_words(sheet, tile) + sharing_words(sheet, tile) +
              (m ? "\n" + size_of(sheet.in, tile.matrix) + ", largest |element| " +
                       brief(static_cast<double>(
                                 sheet.in.results.matrix_largest[static_cast<std::size_t>(tile.matrix)]),
                             3) +
                       (open ? "\nclick: close it" : "\nclick: show its numbers")
               : sheet.in.results.opened
                   ? sheet.in.results.opened->saved
                         ? "\nnot in the file: saved attention holds weights, or q and k"
                         : "\n" + size_of(sheet.in, tile.matrix) + " in the model’s file; not shown here"
                   : "\nthis layer has no W_O: its output is the concatenation");
  if (!m) mark.part = draw::Part::note, mark.set.clear();
  sheet.pen.canvas.mark(mark);
  sheet.pen.canvas.rect(box, m && sheet.pen.over(mark.name) ? theme.field_hover : theme.field, 6);
  if (open && marks_selection(sheet.pen)) sheet.pen.canvas.frame(box, {theme.accent, 2}, 6);
  Box inside = box.inset(6);
  const Box title = inside.cut_top(16);
  const std::string size = size_of(sheet.in, tile.matrix);
  const draw::TextStyle quiet = words_style(theme.dim, small_size), strong = strong_style(theme.text, 12);
  const float wide = sheet.pen.canvas.text_width(size, quiet);
  const char* name = tile.name;
  if (tile.matrix == LayerMatrix::concatenation &&
      sheet.pen.canvas.text_width(name, strong) + 8 + wide > title.w)
    name = "Concat";
  const float taken = put(sheet.pen, {title.x, title.centre().y}, name, strong, title.w);
  if (taken + 8 + wide <= title.w)
    put(sheet.pen, {title.right(), title.centre().y}, size, aligned(quiet, Align::right));
  inside.cut_top(3);
  if (in_file_only(sheet.in, tile.matrix) && inside.h >= 16)
    paragraph(sheet.pen, {inside.x, inside.y}, inside.w, "in the model’s file, not shown here", quiet,
              std::clamp(static_cast<int>(inside.h / 16), 1, 3));
  if (m && inside.h > 6 && inside.w > 6) {
    const int cols = own_columns(sheet.in, tile.matrix, *m);
    const Box map = map_box(inside, m->rows(), cols);
    draw_part(sheet, tile, *m, {0, 0, m->rows(), cols}, map);
    // Frame the part of the shown head.
    if (marks_selection(sheet.pen) && sheet.selection.kind != HeadsShown::all && tile.parts != Parts::none &&
        sheet.trace().heads > 1) {
      for (const int head : sheet.selection.heads) {
        const TilePart part = part_of(sheet, tile, *m, head);
        const float across = map.w / static_cast<float>(cols), down = map.h / static_cast<float>(m->rows());
        sheet.pen.canvas.frame(
            {map.x + across * static_cast<float>(part.col), map.y + down * static_cast<float>(part.row),
             across * static_cast<float>(part.cols), down * static_cast<float>(part.rows)},
            {theme.text, 1.5f}, 1);
      }
    }
  }
  sheet.pen.canvas.mark({});
}

/// Returns the head whose part is opened; −1: the whole matrix.
int opened_head(const Sheet& sheet, const Tile& tile) {
  return sheet.selection.kind == HeadsShown::one && tile.parts != Parts::none && sheet.trace().heads > 1
             ? sheet.selection.heads.front()
             : -1;
}

/// Rows of K are keys, which may have other tokens than the queries.
std::string tile_row_label(const Sheet& sheet, const Tile& tile, int first, int row) {
  if (!tile.tokens) return std::to_string(first + row);
  return tile.matrix == LayerMatrix::k ? key_label(sheet.in, row) : token_label(sheet.in, row);
}

void draw_opened(const Sheet& sheet, const Tile& tile, const nn::Matrix& m, Box box) {
  const Pen& pen = sheet.pen;
  const draw::Theme& theme = sheet.theme();
  const int head = opened_head(sheet, tile);
  const TilePart part = part_of(sheet, tile, m, head);
  const Box title = box.cut_top(20);
  const int shared = heads_sharing(sheet.in, tile.matrix);
  std::string words = std::string(tile.name) + ", " + how_words(sheet, tile);
  if (head >= 0)
    words +=
        "; head " + std::to_string(head + 1) +
        (shared > 1 ? " has head " + std::to_string(head / shared + 1) + " of " + tile.name : std::string()) +
        (tile.parts == Parts::columns ? ": columns " : ": rows ") +
        std::to_string(tile.parts == Parts::columns ? part.col : part.row) + "–" +
        std::to_string(tile.parts == Parts::columns ? part.col + part.cols - 1 : part.row + part.rows - 1);
  put(pen, {title.x, title.centre().y}, words, strong_style(theme.text, 12), title.w);
  const draw::TextStyle label = words_style(theme.dim, small_size);
  float widest = 18;
  const int named = std::min(part.rows, 64);
  for (int row = 0; row < named; ++row)
    widest = std::max(widest, pen.canvas.text_width(tile_row_label(sheet, tile, part.row, row), label));
  const Box labels = box.cut_left(std::min(widest, 90.f) + 8);
  box.cut_top(16);
  if (box.w < 20 || box.h < 12) return;
  const float across = std::min(box.w / static_cast<float>(part.cols), 84.f),
              down = std::min(box.h / static_cast<float>(part.rows), 36.f);
  const Box map{box.x, box.y, across * static_cast<float>(part.cols), down * static_cast<float>(part.rows)};
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = "matrix cells", mark.area = map;
  pen.canvas.mark(mark);
  draw_part(sheet, tile, m, part, map);
  pen.canvas.mark({});
  const int row_step = std::max(1, static_cast<int>(std::ceil(12 / down))),
            col_step = std::max(1, static_cast<int>(std::ceil(22 / across)));
  for (int row = 0; row < part.rows; row += row_step)
    put(pen, {labels.right() - 8, map.y + (static_cast<float>(row) + 0.5f) * down},
        tile_row_label(sheet, tile, part.row, row), aligned(literal(label), Align::right), labels.w - 8);
  for (int col = 0; col < part.cols; col += col_step)
    put(pen, {map.x + (static_cast<float>(col) + 0.5f) * across, map.y - 8}, std::to_string(part.col + col),
        aligned(label, Align::centre), 40);
  if (across < 34 || down < 14) return;
  const float largest =
      std::max(1e-6f, sheet.in.results.matrix_largest[static_cast<std::size_t>(tile.matrix)]);
  for (int row = 0; row < part.rows; ++row) {
    for (int col = 0; col < part.cols; ++col) {
      const float value = m.at(part.row + row, computed_column(sheet.in, tile.matrix, m, part.col + col));
      const draw::Color ground =
          draw::color_of(theme, draw::Colormap::signed_weight, value, -largest, largest);
      pen.canvas.text({map.x + (static_cast<float>(col) + 0.5f) * across,
                       map.y + (static_cast<float>(row) + 0.5f) * down},
                      fixed(static_cast<double>(value), 2),
                      aligned(mono_style(draw::readable_on(ground), small_size), Align::centre));
    }
  }
}

/// On a slide, which has no tooltip: the colours of all matrices, and what is framed. Cuts its room from the
/// foot.
void draw_legend(const Sheet& sheet, Box& inside) {
  const Pen& pen = sheet.pen;
  Box foot = inside.cut_bottom(20 + text_line(pen, 14));
  inside.cut_bottom(4);
  const draw::TextStyle quiet = words_style(sheet.theme().dim, small_size);
  const std::string middle = "each matrix: ± its largest element";
  const float wide = std::min(foot.w * 0.6f, pen.canvas.text_width(middle, quiet) + 80);
  color_bar(pen, {foot.x, foot.y + 6, wide, 8}, {draw::Colormap::signed_weight, "−", middle, "+"});
  const std::vector<int>& heads = sheet.selection.heads;
  if (!marks_selection(pen) || sheet.selection.kind == HeadsShown::all || sheet.trace().heads < 2 ||
      heads.empty())
    return;
  std::string framed = heads.size() > 1 ? "framed: heads " : "framed: head ";
  for (std::size_t i = 0; i < heads.size(); ++i) framed += (i > 0 ? ", " : "") + std::to_string(heads[i] + 1);
  put(pen, {foot.right(), foot.y + 10}, framed, aligned(quiet, Align::right), foot.w - wide - 20);
}

}  // namespace

void draw_matrices(const Sheet& sheet, Box box) {
  const Tile* open = nullptr;
  for (const Tile& tile : tiles) {
    if (sheet.in.scene.attention.matrix == tile.matrix && sheet.in.results.matrix(tile.matrix)) open = &tile;
  }
  Box inside =
      card(sheet.pen, box,
           {"The matrices of the layer", in_window(sheet.pen, open ? "click the framed matrix to close it"
                                                                   : "click a matrix to show its numbers")},
           "matrices");
  if (inside.h < 40) return;
  if (const scene::OpenedLayer* opened = sheet.in.results.opened.get();
      opened && opened->saved && sheet.in.results.attention.q.empty()) {
    placeholder(sheet.pen, inside, "No matrices",
                "saved attention holds weights: X, Q, K, V and the projections are not in the file");
    return;
  }
  constexpr float gap = 8;
  if (on_slide(sheet.pen)) draw_legend(sheet, inside);
  const int columns = inside.w < 520 && !open ? 2 : 5;
  const int lines = static_cast<int>(tiles.size()) / columns;
  Box grid = open ? inside.cut_top(std::min(150.f, inside.h * 0.42f)) : inside;
  const float w = (grid.w - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns),
              h = (grid.h - gap * static_cast<float>(lines - 1)) / static_cast<float>(lines);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const auto col = static_cast<float>(static_cast<int>(i) % columns),
               line = static_cast<float>(static_cast<int>(i) / columns);
    draw_tile(sheet, tiles[i], {grid.x + col * (w + gap), grid.y + line * (h + gap), w, h});
  }
  if (!open) return;
  inside.cut_top(10);
  draw_opened(sheet, *open, *sheet.in.results.matrix(open->matrix), inside);
}

std::string matrix_cell_words(const PageInput& in, const draw::Hit& hit) {
  const nn::Matrix* m = in.results.matrix(in.scene.attention.matrix);
  if (!m || hit.map.w <= 0) return {};
  const int row = static_cast<int>(hit.cell.y), col = static_cast<int>(hit.cell.x);
  if (row < 0 || col < 0 || row >= m->rows() || col >= m->cols()) return {};
  for (const Tile& tile : tiles) {
    if (tile.matrix != in.scene.attention.matrix) continue;
    return std::string(tile.name) + "[" + std::to_string(row) + ", " +
           std::to_string(own_column(in, tile.matrix, *m, col)) +
           "] = " + fixed(static_cast<double>(m->at(row, col)), 4) +
           (tile.tokens ? "\n" + (tile.matrix == LayerMatrix::k ? quoted_key(in, row) : quoted_token(in, row))
                        : "");
  }
  return {};
}

}  // namespace headlight::views
