#include <algorithm>
#include <array>
#include <cmath>

#include "kit/cells.h"
#include "kit/plain_text.h"
#include "kit/weight_bar.h"
#include "pages/block/block.h"
#include "pages/block/view/encoder_decoder_view.h"
#include "pages/block/view/matrix_card.h"
#include "pages/block/view/view.h"

namespace headlight::views {

using scene::BlockStage;

namespace {

constexpr float between = 40;  // from one panel to the next: an arrow, perhaps with a sum in it
constexpr float lane = 20;     // above a row: where the residual runs
constexpr float title_height = 18, caption_line = 15;
constexpr float residual_leaves = 8;  // from the right end of the picture that it leaves
constexpr float names_gap = 8;        // from the names of the tokens to the first picture
constexpr std::size_t across = 5;

void arrow_head(const Pen& pen, Point tip, float dx, float dy, draw::Color color) {
  const Point back{tip.x - 6 * dx, tip.y - 6 * dy};
  const std::array<Point, 3> head = {tip, Point{back.x - 3.5f * dy, back.y - 3.5f * dx},
                                     Point{back.x + 3.5f * dy, back.y + 3.5f * dx}};
  pen.canvas.polygon(head, color);
}

void arrow(const Pen& pen, Point from, Point to, draw::Color color) {
  pen.canvas.line(from, to, {color, 1.5f});
  arrow_head(pen, to, 1, 0, color);
}

void sum_sign(const Pen& pen, Point c) {
  pen.canvas.circle(c, 8, pen.theme.panel);
  pen.canvas.ring(c, 7.5f, {pen.theme.dim, 1.6f});
  pen.canvas.line({c.x - 4, c.y}, {c.x + 4, c.y}, {pen.theme.dim, 1.6f});
  pen.canvas.line({c.x, c.y - 4}, {c.x, c.y + 4}, {pen.theme.dim, 1.6f});
}

/// Panels of a row stand this far apart.
float gap_of(float row_width, std::size_t panels) {
  return std::min(between, row_width / (static_cast<float>(panels) * 3.2f));
}

float panel_width(float row_width, std::size_t panels) {
  const auto n = static_cast<float>(panels);
  return (row_width - gap_of(row_width, panels) * (n - 1)) / n;
}

/// What is said below a picture, in a line or, where it is narrow, in two.
std::vector<std::string> caption_of(const BlockView& sheet, const BlockPanel& panel) {
  if (panel.kind == BlockPanel::Kind::door) return {};
  if (panel.kind == BlockPanel::Kind::map) return {weight_scale_words(sheet)};
  // With a scale of their own, the colours end at the stage's largest element.
  return {(common_scale(sheet.in) ? "largest " : "±") +
              size_text(sheet.in, std::string("block_stage_largest of=") + scene::word(panel.shown)),
          "std " + stage_number(sheet, "block_stage_deviation", panel)};
}

/// Lines of the captions of all panels, `width` units wide each.
int caption_lines(const BlockView& sheet, std::span<const BlockPanel> panels, float width) {
  const draw::TextStyle style = words_style({}, small_size);
  for (const BlockPanel& panel : panels) {
    const std::vector<std::string> words = caption_of(sheet, panel);
    if (words.size() == 2 && sheet.pen.canvas.text_width(words[0] + "  " + words[1], style) > width) return 2;
  }
  return 1;
}

/// Names the columns of the weights in the line `y` below them, where all names have room. False: they have
/// not.
bool name_keys(const BlockView& sheet, Box map, float y) {
  const Pen& pen = sheet.pen;
  const draw::TextStyle style = aligned(literal(words_style(pen.theme.dim, small_size)), Align::centre);
  constexpr float apart = 4;
  const float pitch = map.w / static_cast<float>(sheet.results.T);
  for (int t = 0; t < sheet.results.T; ++t) {
    if (pen.canvas.text_width(sheet.token(t), style) + apart > pitch) return false;
  }
  for (int t = 0; t < sheet.results.T; ++t)
    put(pen, {map.x + (static_cast<float>(t) + 0.5f) * pitch, y}, sheet.token(t), style);
  return true;
}

struct PanelLook {
  float caption = 0;   // height
  float beyond = 0;    // into the gap, for titles and captions
  float end = 1;       // of the colours
  bool shown = false;  // large
};
/// `box` is title, picture and caption. Returns the picture.
Box draw_panel(const BlockView& sheet, const BlockPanel& panel, Box box, const PanelLook& look) {
  const float caption_height = look.caption, beyond = look.beyond;
  const Pen& pen = sheet.pen;
  const Box title = box.cut_top(title_height);
  const Box caption = box.cut_bottom(caption_height);
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  draw::Mark mark;
  mark.name = panel.name;
  if (panel.kind == BlockPanel::Kind::door) {
    mark.part = draw::Part::control, mark.area = box;
    mark.set = "block_layer=" + std::to_string(sheet.layer + 2);
    mark.note = "show the next layer";
    pen.canvas.mark(mark);
    const bool over = pen.over(mark.name);
    if (!pen.canvas.plain()) pen.canvas.rect(box, over ? pen.theme.field_hover : pen.theme.field, 6);
    const std::string next = std::to_string(sheet.layer + 2) + " →", whole = "layer " + next;
    const draw::TextStyle style = aligned(words_style(pen.theme.text), Align::centre);
    put(pen, box.centre(), pen.canvas.text_width(whole, style) <= box.w - 8 ? whole : next, style, box.w);
    pen.canvas.mark({});
    return box;
  }
  mark.part = draw::Part::control;
  mark.set = std::string("block_stage=") + scene::word(panel.shown);
  mark.note = panel.title + "\nclick: show it large";
  draw::Heatmap map;
  std::vector<std::string> words = caption_of(sheet, panel);
  map.version = sheet.in.results.version;
  if (panel.kind == BlockPanel::Kind::map) {
    const nn::AttentionTrace& trace = sheet.attention(sheet.layer);
    map.values = trace.weights.plane(sheet.head), map.rows = trace.T, map.cols = trace.S;
    map.row_stride = trace.S, map.allowed = trace.allowed;
    if (pen.canvas.parts().square) {
      const float side = std::min(box.w, box.h);
      pen.canvas.spare(box.h - box.w);
      box = {box.x + (box.w - side) / 2, box.y + (box.h - side) / 2, side, side};
    }
    set_scale(map, weight_scale(sheet));
  } else {
    map = with_signs(heat_of(*panel.values, sheet.in.results.version), look.end > 0 ? look.end : 1);
    map.gaps = false;
    if (pen.canvas.parts().square) {
      const auto rows = static_cast<float>(map.rows), cols = static_cast<float>(map.cols);
      const float side = std::min(box.w / cols, box.h / rows);
      box = {box.x + (box.w - side * cols) / 2, box.y + (box.h - side * rows) / 2, side * cols, side * rows};
    }
  }
  draw_cells(pen, box, map, mark);
  pen.canvas.frame(box, {pen.theme.border, 1});
  if (look.shown && marks_selection(pen)) pen.canvas.frame(box.inset(-2), {pen.theme.focus, 2}, 2);
  const draw::TextStyle heading = strong_style(pen.theme.text, 12);
  // The residual leaves through the title's line.
  const float room = panel.joins_later ? title.w - residual_leaves - 6 : title.right() + beyond - box.x;
  const auto fits = [&](const std::string& title_words) {
    return pen.canvas.text_width(title_words, heading) <= room;
  };
  std::string name = fits(panel.title) ? panel.title : panel.short_title;
  if (!fits(name)) name = name.substr(0, name.find(':'));
  const float named = put(pen, {box.x, title.y + 6}, name, heading, room);
  // Keys below the weights; what their colours mean is then at the right of the title, if there is room.
  if (panel.kind == BlockPanel::Kind::map && name_keys(sheet, box, caption.y + 9)) {
    if (named + 12 + pen.canvas.text_width(words[0], quiet) <= box.w)
      put(pen, {box.right(), title.y + 6}, words[0], aligned(quiet, Align::right));
    return box;
  }
  const float line_high = text_line(pen, caption_line);
  if (caption_height < 2 * line_high && words.size() == 2) words = {words[0] + "  " + words[1]};
  float y = caption.y + 9 + (line_high - caption_line) / 2;
  for (std::string line : words) {
    const float wide = caption.right() + beyond - box.x;
    if (line.starts_with("std ") && pen.canvas.text_width(line, quiet) > wide) line = "σ" + line.substr(3);
    put(pen, {box.x, y}, line, quiet, wide);
    y += line_high - 1;
  }
  return box;
}

struct Row {
  std::vector<Box> boxes;  // title, picture, caption of each panel
  float axis = 0;          // where the arrows run
  float top = 0;           // where the residual runs
  float caption = 0;       // height
  float gap = 0;
};

Row lay_out(Box box, float caption) {
  Row row;
  row.top = box.y + lane / 2, row.caption = caption;
  box.cut_top(lane);
  row.axis = box.y + title_height + (box.h - title_height - caption) / 2;
  const float gap = row.gap = gap_of(box.w, across), w = panel_width(box.w, across);
  for (std::size_t i = 0; i < across; ++i)
    row.boxes.push_back({box.x + static_cast<float>(i) * (w + gap), box.y, w, box.h});
  return row;
}

/// What a row has: the colours of each panel end at `ends`, `large` is shown large.
struct RowOf {
  std::span<const BlockPanel> panels;
  std::span<const float> ends;
  const BlockPanel* large = nullptr;
};
/// The panels with their arrows; the residual leaves at `leaves` and joins before the panel that is a sum.
void draw_row(const BlockView& sheet, const Row& row, const RowOf& of, Point leaves) {
  const std::span<const BlockPanel> panels = of.panels;
  const Pen& pen = sheet.pen;
  const draw::Color quiet = pen.theme.dim;
  Box picture;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const float end = i == 0 ? 0 : picture.right();
    // Words may reach into the gap, but not to the line of a residual that comes down in its middle.
    const bool sum_next = i + 1 < panels.size() && panels[i + 1].sum;
    const float beyond = i + 1 == across ? 6 : sum_next ? row.gap / 2 - 4 : row.gap - 6;
    picture =
        draw_panel(sheet, panels[i], row.boxes[i], {row.caption, beyond, of.ends[i], &panels[i] == of.large});
    if (i == 0) continue;
    const Point from{end + 4, row.axis}, to{picture.x - 4, row.axis};
    arrow(pen, from, to, quiet);
    if (!panels[i].sum) continue;
    const Point c{(from.x + to.x) / 2, row.axis};
    const draw::Stroke residual{pen.theme.dim, 1.6f};
    pen.canvas.line(leaves, {leaves.x, row.top}, residual);
    pen.canvas.line({leaves.x, row.top}, {c.x, row.top}, residual);
    pen.canvas.line({c.x, row.top}, {c.x, c.y - 8}, residual);
    sum_sign(pen, c);
  }
}

/// The width of the tokens' names beside the first picture, whose rows they name; 0 where the rows are lower
/// than a line of text. Pictures with square cells do not fill their place.
float token_names_width(const BlockView& sheet, Box inside) {
  const Pen& pen = sheet.pen;
  const float least_row = text_line(pen, 14),
              picture = inside.h / 2 - lane - title_height - 2 * text_line(pen, caption_line);
  if (pen.canvas.parts().square || picture < least_row * static_cast<float>(sheet.results.T)) return 0;
  float widest = 0;
  for (int t = 0; t < sheet.results.T; ++t)
    widest = std::max(widest, pen.canvas.text_width(sheet.token(t), words_style({}, small_size)));
  constexpr float most = 72;
  return std::min(widest, most) + names_gap;
}

/// `panel` is the first one, with its title and its caption.
void name_tokens(const BlockView& sheet, Box panel, float caption, float width) {
  panel.cut_top(title_height), panel.cut_bottom(caption);
  const float row = panel.h / static_cast<float>(sheet.results.T);
  for (int t = 0; t < sheet.results.T; ++t)
    put(sheet.pen, {panel.x - names_gap, panel.y + (static_cast<float>(t) + 0.5f) * row}, sheet.token(t),
        aligned(words_style(sheet.pen.theme.dim, small_size), Align::right), width - names_gap);
}

std::string subtitle(const BlockView& sheet, float room) {
  const scene::BlockSettings& s = sheet.settings;
  const bool pre = s.norm == scene::BlockNorm::pre, post = s.norm == scene::BlockNorm::post;
  const auto equation = [&](const char* sum, const char* stream, const char* sublayer) {
    const std::string read = std::string(sublayer) + (pre ? "(norm " : "(") + stream + ")";
    const std::string added = s.residual ? std::string(stream) + " + " + read : read;
    return std::string(sum) + " = " + (post ? "norm(" + added + ")" : added);
  };
  const std::string arrangement = (pre    ? "pre-norm: "
                                   : post ? "post-norm: "
                                          : "no norm: ") +
                                  equation("a", "x", "attention") +
                                  (s.feed_forward ? ", " + equation("y", "a", "feed-forward") : ", y = a");
  // One token attends only to itself, whatever the mask.
  const std::string mask = sheet.results.T < 2 ? ""
                           : s.causal          ? "; causal, as in a decoder"
                                               : "; every token attends to all tokens";
  const draw::TextStyle style = words_style({});
  return sheet.pen.canvas.text_width(arrangement + mask, style) <= room ? arrangement + mask : arrangement;
}

}  // namespace

std::string size_text(const PageInput& in, const std::string& quantity) {
  constexpr double large = 1000, small = 0.005;
  const double value = in.value(quantity);
  return value >= small && value < large ? in.text(quantity, base::decimals(2)) : in.text(quantity);
}

std::string stage_number(const BlockSelection& sheet, const char* name, const BlockPanel& panel) {
  return sheet.in.text(std::string(name) + " of=" + scene::word(panel.shown));
}

std::vector<BlockPanel> block_panels(const BlockSelection& sheet) {
  using Kind = BlockPanel::Kind;
  std::vector<BlockPanel> panels;
  const scene::BlockSettings& s = sheet.settings;
  const bool pre = s.norm == scene::BlockNorm::pre, post = s.norm == scene::BlockNorm::post;
  const bool last = sheet.layer + 1 == sheet.results.layers;
  using Shown = scene::BlockShown;
  const auto add = [&](const std::string& title, BlockStage stage, Shown shown, bool sum = false) {
    panels.push_back({Kind::matrix, title, "stage " + title, title.substr(0, title.find_first_of(":,")),
                      &sheet.results.stage(sheet.layer, stage),
                      sheet.results.statistics_of(sheet.layer, stage), sum, false, false, shown});
  };
  const char* fed = s.feed_forward ? "" : ", y";  // what the sublayer before it hands on
  const bool added = sheet.in.results.scene.position != scene::Position::none;
  add(sheet.layer == 0 ? added ? "x: tokens + positions" : "x: tokens"
                       : "x: from layer " + std::to_string(sheet.layer),
      BlockStage::input, Shown::x);
  panels.back().joins_later = s.residual;
  panels.back().short_title = "x: input";
  if (pre) add("norm 1", BlockStage::attention_input, Shown::norm_1);
  panels.push_back(
      {Kind::map, "weights, head " + std::to_string(sheet.head + 1), "stage weights", "weights"});
  const std::string a = std::string(": a") + fed, y = ": y";
  add("attention" + (s.residual || post ? "" : a), BlockStage::attention_output, Shown::attention);
  panels.back().short_title = "attn";
  if (s.residual) add("+ x" + (post ? "" : a), BlockStage::attention_sum, Shown::sum_1, true);
  if (post) add("norm 1" + a, BlockStage::after_attention, Shown::norm_1);
  for (BlockPanel& panel : panels) panel.upper = true;
  if (s.feed_forward) {
    if (pre) add("norm 2", BlockStage::ffn_input, Shown::norm_2);
    add(std::string("hidden, ") + scene::activation_name(s.activation), BlockStage::activated, Shown::hidden);
    add("feed-forward" + (s.residual || post ? "" : y), BlockStage::ffn_output, Shown::feed_forward);
    panels.back().short_title = "ffn";
    if (s.residual) add("+ a" + (post ? "" : y), BlockStage::ffn_sum, Shown::sum_2, true);
    if (post) add("norm 2" + y, BlockStage::output, Shown::norm_2);
  }
  if (!last) {
    panels.push_back({Kind::door, "", "next layer"});
  } else if (sheet.results.final_norm) {
    panels.push_back({Kind::matrix, "final norm", "stage final norm", "norm", &sheet.results.trace.output,
                      sheet.results.final_statistics, false, false, false, Shown::final_norm});
  }
  // Without feed-forward layers what follows may have room behind the attention.
  if (!s.feed_forward && panels.size() <= across) {
    for (BlockPanel& panel : panels) panel.upper = true;
  }
  return panels;
}

const BlockPanel& scale_panel(const BlockSelection& sheet, const std::vector<BlockPanel>& panels,
                              const BlockPanel& panel) {
  if (!common_scale(sheet.in) || panel.kind != BlockPanel::Kind::matrix) return panel;
  return *std::max_element(panels.begin(), panels.end(), [](const BlockPanel& one, const BlockPanel& other) {
    const auto size = [](const BlockPanel& of) {
      return of.kind == BlockPanel::Kind::matrix ? of.statistics.largest : -1;
    };
    return size(one) < size(other);
  });
}

const BlockPanel& shown_panel(const BlockSelection& sheet, const std::vector<BlockPanel>& panels) {
  const auto found = [&](scene::BlockShown wanted) {
    return std::find_if(panels.begin(), panels.end(), [wanted](const BlockPanel& panel) {
      return panel.kind != BlockPanel::Kind::door && panel.shown == wanted;
    });
  };
  const auto requested = found(sheet.in.scene.block.shown);
  return requested != panels.end() ? *requested : *found(scene::BlockShown::weights);
}

void block_flow_card(const BlockView& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const scene::BlockResults& r = sheet.results;
  const nn::Matrix& x = r.stage(sheet.layer, BlockStage::input);
  std::array<Choice, 3> norms = {
      Choice{"pre-norm", "block_norm=pre", "pre norm", sheet.in.scene.block.norm == scene::BlockNorm::pre,
             "layer norm before each sublayer (Xiong et al. 2020)"},
      Choice{"post-norm", "block_norm=post", "post norm", sheet.in.scene.block.norm == scene::BlockNorm::post,
             "layer norm after each sum (Vaswani et al. 2017)"},
      Choice{"no norm", "block_norm=none", "no norm", sheet.in.scene.block.norm == scene::BlockNorm::none,
             "no layer norms at all"}};
  for (Choice& norm : norms) {
    if (!sheet.in.results.model) continue;  // with random weights it is free
    norm.enabled = false;
    norm.note = std::string("the trained model is ") +
                (norms[0].on   ? "pre-norm"
                 : norms[1].on ? "post-norm"
                               : "without layer norms") +
                "; with random weights it can be changed";
  }
  const std::string which = "Layer " + std::to_string(sheet.layer + 1) + " of " + std::to_string(r.layers);
  const std::vector<Choice> models = block_model_choices(scene::BlockModel::stack);
  const auto fits = [&](const std::string& title, float controls) {
    return pen.canvas.text_width(title, strong_style({})) + controls + 8 <= box.w - 2 * card_padding;
  };
  const auto with_models = [&] { return segmented_width(pen, norms) + 10 + segmented_width(pen, models); };
  if (!fits(which, with_models())) norms[0].label = "pre", norms[1].label = "post", norms[2].label = "none";
  const bool switched = fits(which, with_models());
  const float controls = switched ? with_models() : segmented_width(pen, norms);
  const bool titled = fits(which + ", stage by stage", controls);
  Box inside =
      card(pen, box,
           {which + (titled ? ", stage by stage" : ""), subtitle(sheet, box.w - 2 * card_padding), controls},
           "flow");
  const Box drawn = segmented(pen, card_corner(box), norms);
  if (switched) segmented(pen, {drawn.x - 10, drawn.y}, models);
  const bool narrow = inside.w < 520;
  const bool plain = pen.canvas.plain();  // without the choice of the scale
  Box foot = inside.cut_bottom(narrow ? (plain ? 42.f : 46.f) : plain ? 24.f : 30.f);
  constexpr float clear = 5;  // of the captions above
  const std::vector<BlockPanel> panels = block_panels(sheet);
  Box scale_row = foot;
  scale_row.cut_top(clear);
  std::string end;
  if (common_scale(sheet.in))
    end = size_text(sheet.in, std::string("block_stage_largest of=") +
                                  scene::word(scale_panel(sheet, panels, panels.front()).shown));
  const float beside = stage_scale_bar(pen, sheet.in, scale_row, end);
  const std::string short_shapes =
                        "tokens × components: " + shape_words(x) +
                        (sheet.settings.feed_forward
                             ? ", hidden " + shape_words(r.stage(sheet.layer, BlockStage::activated))
                             : std::string(", no feed-forward layer")),
                    shapes = "rows: tokens · columns: components: " +
                             short_shapes.substr(short_shapes.find(": ") + 2);
  const float words_x = narrow ? foot.x : beside + 10, room = foot.right() - words_x;
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
  std::string words = shapes;
  for (const std::string& shorter : {short_shapes, short_shapes.substr(short_shapes.find(": ") + 2)}) {
    if (pen.canvas.text_width(words, quiet) > room) words = shorter;
  }
  put(pen, {words_x, foot.y + (narrow ? 36.f : 6 + clear)}, words, quiet, room);
  inside.cut_bottom(on_slide(pen) ? 10.f : 4.f);

  // The stream runs from row to row beside the pictures; in a narrow card, in its padding.
  const float stream_room = narrow ? 0.f : 16.f, in_padding = narrow ? 8.f : 0.f,
              stream_from = inside.x - in_padding, stream_to = inside.right() + in_padding;
  inside.cut_left(stream_room), inside.cut_right(stream_room);
  const float names = narrow ? 0.f : token_names_width(sheet, inside);
  inside.cut_left(names);
  const std::span<const BlockPanel> all(panels);
  std::vector<float> ends;
  for (const BlockPanel& panel : panels) ends.push_back(scale_panel(sheet, panels, panel).statistics.largest);
  const float caption = 2 + (on_slide(pen) ? 2.f : 0.f) +
                        text_line(pen, caption_line) *
                            static_cast<float>(caption_lines(sheet, panels, panel_width(inside.w, across)));
  const float half = inside.h / 2;
  const Row first = lay_out(inside.cut_top(half), caption);
  Row second = lay_out(inside, caption);
  const auto upper = static_cast<std::size_t>(
      std::count_if(panels.begin(), panels.end(), [](const BlockPanel& panel) { return panel.upper; }));
  const auto lower = all.subspan(upper);
  const BlockPanel* large = &shown_panel(sheet, panels);
  draw_row(sheet, first, {all.first(upper), std::span<const float>(ends).first(upper), large},
           {first.boxes[0].right() - residual_leaves, first.boxes[0].y + title_height});
  if (names > 0) name_tokens(sheet, first.boxes[0], caption, names);
  if (lower.empty()) return;
  // The first row's end goes to the second row's beginning, along the lane between them.
  const Box from = first.boxes[upper - 1], to = second.boxes.front();
  const draw::Stroke stream{pen.theme.dim, 1.6f};
  const float out = std::min(from.right() + stream_room + in_padding, stream_to), in_x = stream_from,
              lane_y = second.top - 4;
  second.top = lane_y;  // the stream itself runs there
  pen.canvas.line({from.right(), first.axis}, {out, first.axis}, stream);
  pen.canvas.line({out, first.axis}, {out, lane_y}, stream);
  pen.canvas.line({out, lane_y}, {in_x, lane_y}, stream);
  pen.canvas.line({in_x, lane_y}, {in_x, second.axis}, stream);
  // The names of its rows are between the arrow and the first picture.
  const bool named = names > 0 && lower.front().kind == BlockPanel::Kind::matrix;
  if (named) name_tokens(sheet, second.boxes[0], caption, names);
  arrow(pen, {in_x, second.axis}, {to.x - (named ? names + 4 : 2), second.axis}, pen.theme.dim);
  draw_row(sheet, second, {lower, std::span<const float>(ends).subspan(upper), large}, {in_x, lane_y});
}

}  // namespace headlight::views
