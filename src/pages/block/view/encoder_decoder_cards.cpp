// The word as it is decoded, and where the attention over the source goes.
#include <algorithm>
#include <array>
#include <cmath>

#include "kit/choices.h"
#include "kit/verdict.h"
#include "kit/words.h"
#include "pages/block/encoder_decoder.h"
#include "pages/block/view/encoder_decoder_view.h"

namespace headlight::views {

namespace {

constexpr float chip_height = 24, row_height = 20, bar_pitch = 18, line_height = 17;

std::string step_set(int step) {
  return "block_encdec_step=" + std::to_string(step);
}

std::string name_at(const std::vector<std::string>& names, int i) {
  return i >= 0 && i < static_cast<int>(names.size()) ? names[static_cast<std::size_t>(i)] : std::string();
}

/// How the box of a token is drawn: plain, in the colour of its role at the step that is shown, or with
/// dashes when the token is wrong.
enum class Chip { plain, query, key, wrong };

float chip_width(const EncoderDecoderView& view, const std::string& words) {
  return std::max(chip_height, std::ceil(view.pen.canvas.text_width(words, strong_style({}, 14))) + 14);
}

/// The box's right end.
float chip(const EncoderDecoderView& view, Point at, const std::string& words, Chip kind) {
  const draw::Theme& theme = view.pen.theme;
  const Color role = kind == Chip::query ? theme.query : kind == Chip::key ? theme.key : theme.text;
  const bool lit = kind == Chip::query || kind == Chip::key;
  const Box box{at.x, at.y, chip_width(view, words), chip_height};
  view.pen.canvas.rect(box, theme.field, 6);
  if (lit) view.pen.canvas.frame(box.inset(1), {role, 2}, 5);
  if (kind == Chip::plain) view.pen.canvas.frame(box, {theme.border, 1}, 6);
  if (kind == Chip::wrong) view.pen.canvas.frame(box.inset(1), {theme.bad, 2, 3}, 5);
  put(view.pen, box.centre(), words,
      aligned(lit ? strong_style(role, 14) : words_style(role, 14), Align::centre), box.w);
  return box.right();
}

bool is_right(const EncoderDecoderView& view, int step) {
  return view.r.decoded[static_cast<std::size_t>(step - 1)] == view.r.expected(step);
}

/// What is right at a step whose token is wrong.
std::string expected_words(const EncoderDecoderView& view, int step) {
  if (step > view.r.n + 1) return "nothing: the word has ended";
  return in_quotes(name_at(view.r.source_names, step <= view.r.n ? view.r.mirrored(step) - 1 : view.r.n));
}

/// What was decoded up to the step on show; a click on a token shows its step. At the last step a tick or a
/// cross for the word, before it for the token.
void decoded_line(const EncoderDecoderView& view, Box line) {
  float x = line.x;
  for (int t = 1; t <= view.step; ++t) {
    const std::string words = name_at(view.r.decoded_names, t - 1);
    const float width = chip_width(view, words);
    if (x + width > line.right()) return;
    const bool right = is_right(view, t);
    control_area(
        view.pen, "encdec step " + std::to_string(t), step_set(t),
        "step " + std::to_string(t) + (right ? "" : ": wrong; the target is " + expected_words(view, t)),
        {x, line.y, width, chip_height});
    const Chip kind = !right ? Chip::wrong : t == view.step ? Chip::query : Chip::plain;
    x = chip(view, {x, line.y}, words, kind) + 4;
    view.pen.canvas.mark({});
  }
  if (x + 22 <= line.right())
    verdict_sign(view.pen, {x + 14, line.y + chip_height / 2},
                 verdict_of(view.step == view.steps ? view.r.exact : is_right(view, view.step)),
                 small_verdict);
}

void candidates(const EncoderDecoderView& view, Box area) {
  const draw::Theme& theme = view.pen.theme;
  const auto& all = view.r.candidates[static_cast<std::size_t>(view.step - 1)];
  const TextStyle number = aligned(mono_style(theme.text), Align::right);
  bool first = true;
  for (const scene::Candidate& one : all) {
    if (area.h < bar_pitch - 2) return;
    const Box row = area.cut_top(bar_pitch);
    const float y = row.centre().y, from = row.x + 64, length = std::max(0.f, row.w - 64 - 62);
    put(view.pen, {row.x, y}, one.text, first ? strong_style(theme.text, 14) : words_style(theme.text), 60);
    view.pen.canvas.rect({from, y - 4, length, 8}, theme.faint, 3);
    view.pen.canvas.rect({from, y - 4, std::max(1.f, length * static_cast<float>(one.probability)), 8},
                         first ? theme.accent : theme.dim, 3);
    put(view.pen, {row.right(), y},
        first ? view.in.text("encdec_probability") : weight_text(one.probability, 3), number, 58);
    first = false;
  }
}

/// What the head on show does at this step, as it was computed.
std::string step_words(const EncoderDecoderView& view) {
  const scene::EncoderDecoderResults& r = view.r;
  const int t = view.step, S = r.n + 1;
  int best = 1;
  for (int s = 2; s <= S; ++s) {
    if (view.cross(t, s) > view.cross(t, best)) best = s;
  }
  const auto at = [&](int position) {
    return "source position " + std::to_string(position) + " " +
           in_quotes(name_at(r.source_names, position - 1));
  };
  const std::string head = pair_head_words(view, view.layer, view.head);
  std::string out = "At step " + std::to_string(t) + " of this word " + head + " assigns " +
                    weight_text(view.cross(t, best), 2) + " to " + at(best);
  const int mirrored = r.mirrored(t);
  if (t > r.n + 1) return out + "; the word should have ended at step " + std::to_string(r.n + 1) + ".";
  if (mirrored == 0) return out + "; no letter remains, and the token to output is <end>.";
  if (mirrored == best) return out + ", which is n + 1 − t, the letter to output.";
  return out + ", and " + weight_text(view.cross(t, mirrored), 2) + " to " + at(mirrored) +
         ", which is n + 1 − t, the letter to output.";
}

/// In no more lines than it takes.
std::vector<std::string> few_lines(const Pen& pen, const std::string& words, float width) {
  std::vector<std::string> lines;
  for (std::size_t most = 1; most <= 6; ++most) {
    lines = wrap(pen, words, words_style({}), width, most);
    if (pen.canvas.text_width(lines.back(), words_style({})) <= width) break;
  }
  return lines;
}

std::vector<std::string> summary(const EncoderDecoderView& view) {
  return {view.in.text("encdec_exact_words") + " of " + view.in.text("encdec_words") +
              " held-out words are reversed exactly; held-out loss " + view.in.text("encdec_loss") + ".",
          view.in.text("encdec_parameters") + " parameters, " + std::to_string(view.r.settings.training) +
              " training steps of 32 words, seed " + std::to_string(view.r.settings.seed) + ".",
          !view.decoded()   ? std::string()
          : view.r.held_out ? "One word in eight is held out from training; this word is held out."
                            : "One word in eight is held out from training; this word is not."};
}

constexpr std::array<float, 3> columns = {0.36f, 0.62f, 1.f};  // right ends, shares of the width

}  // namespace

std::string pair_head_set(int layer, int head) {
  return "block_encdec_layer=" + std::to_string(layer + 1) + ";block_encdec_head=" + std::to_string(head + 1);
}

std::string place_words(const std::vector<std::string>& names, int position) {
  return in_quotes(name_at(names, position - 1)) + " " + std::to_string(position);
}

std::string pair_head_words(const EncoderDecoderView& view, int layer, int head) {
  const std::string words = "head " + std::to_string(head + 1);
  return view.layers() > 1 ? "layer " + std::to_string(layer + 1) + ", " + words : words;
}

std::vector<Choice> block_model_choices(scene::BlockModel shown) {
  using M = scene::BlockModel;
  return {{"Stack", "block_model=stack", "model stack", shown == M::stack, "a stack of Transformer blocks"},
          {"Encoder–decoder", "block_model=encoder_decoder", "model encoder-decoder",
           shown == M::encoder_decoder, "an encoder–decoder that reverses words, trained here"}};
}

float pair_decoding_height(const EncoderDecoderView&) {
  return 2 * card_padding + 46 + 2 * (chip_height + 8) + 18 + 5 * bar_pitch;
}

void pair_decoding_card(const EncoderDecoderView& view, Box box) {
  const Pen& pen = view.pen;
  if (!view.decoded()) {
    placeholder(pen, card(pen, box, {"Decoding", ""}, "decoding"), "Nothing is decoded",
                "there are no letters");
    return;
  }
  const std::vector<Choice> moves = {{"‹", step_set(std::max(1, view.step - 1)), "encdec step before", false,
                                      "previous step", view.step > 1},
                                     {"›", step_set(std::min(view.steps, view.step + 1)), "encdec step after",
                                      false, "next step", view.step < view.steps}};
  const std::string token = in_quotes(name_at(view.r.decoded_names, view.step - 1));
  const std::string result =
      view.step < view.steps
          ? token + " is the most probable token and the next input; " +
                (is_right(view, view.step) ? "correct" : "the target is " + expected_words(view, view.step))
      : view.r.exact ? "the word is reversed exactly"
                     : "token " + std::to_string(view.r.right + 1) + " is the first wrong one";
  Box inside = card(pen, box,
                    {"Decoding, step " + std::to_string(view.step) + " of " + std::to_string(view.steps),
                     result, segmented_width(pen, moves)},
                    "decoding");
  segmented(pen, card_corner(box), moves);
  const TextStyle quiet = words_style(pen.theme.dim);
  const auto labelled = [&](const char* words) {
    Box line = inside.cut_top(chip_height + 8);
    put(pen, {line.x, line.y + chip_height / 2}, words, quiet, 60);
    line.cut_left(64);
    return line;
  };
  const Box source = labelled("source");
  float x = source.x;
  for (int s = 1; s <= view.r.n + 1; ++s) {
    const std::string words = name_at(view.r.source_names, s - 1);
    if (x + chip_width(view, words) > source.right()) break;
    x = chip(view, {x, source.y}, words, s == view.r.mirrored(view.step) ? Chip::key : Chip::plain) + 4;
  }
  decoded_line(view, labelled("written"));
  const Box head = inside.cut_top(18);
  const TextStyle small = words_style(pen.theme.dim, small_size);
  put(pen, {head.x, head.centre().y}, "next token", small, 64);
  put(pen, {head.right(), head.centre().y}, "probability", aligned(small, Align::right), 90);
  candidates(view, inside);
}

float pair_mirrored_height(const EncoderDecoderView& view, float width) {
  const auto lines = [&](const std::string& words) {
    return static_cast<float>(few_lines(view.pen, words, width - 2 * card_padding).size());
  };
  float text = view.decoded() ? lines(step_words(view)) : 0;
  for (const std::string& line : summary(view)) text += line.empty() ? 0 : lines(line);
  return 2 * card_padding + 44 + text * line_height + 8 + row_height +
         row_height * static_cast<float>(view.layers() * view.heads()) + 12;
}

void pair_mirrored_card(const EncoderDecoderView& view, Box box) {
  const Pen& pen = view.pen;
  const draw::Theme& theme = pen.theme;
  Box inside =
      card(pen, box,
           {"Cross-attention on the mirrored position",
            "means over the held-out words; step t must output the letter at source position n + 1 − t"},
           "mirrored");
  const auto paragraph = [&](const std::string& words, draw::Color color) {
    for (const std::string& line : few_lines(pen, words, inside.w))
      put(pen, {inside.x, inside.cut_top(line_height).centre().y}, line, words_style(color), inside.w);
  };
  if (view.decoded()) paragraph(step_words(view), theme.text);
  inside.cut_top(8);
  const Box head = inside.cut_top(row_height);
  std::array<const char*, 3> titles = {"weight there", "largest there", "on <end>, step n + 1"};
  const TextStyle quiet = words_style(theme.dim, small_size);
  const auto column = [&](std::size_t i) { return head.x + 100 + (head.w - 100) * columns[i]; };
  const float share = (head.w - 100) * 0.28f;
  if (pen.canvas.text_width(titles[1], quiet) > share - 12) titles = {"weight", "largest", "on <end>"};
  for (std::size_t i = 0; i < titles.size(); ++i)
    put(pen, {column(i), head.centre().y}, titles[i], aligned(quiet, Align::right), share + 30);
  for (int l = 0; l < view.layers(); ++l) {
    for (int h = 0; h < view.heads(); ++h) {
      const Box row = inside.cut_top(row_height);
      const bool shown = l == view.layer && h == view.head;
      const std::string name = pair_head_words(view, l, h);
      control_area(pen, "encdec measured " + std::to_string(l + 1) + "." + std::to_string(h + 1),
                   pair_head_set(l, h), "shows " + name, row);
      pen.canvas.rect({row.x - 6, row.y, row.w + 12, row.h}, shown ? theme.field : theme.panel, 5);
      pen.canvas.mark({});
      put(pen, {row.x, row.centre().y}, name,
          shown ? strong_style(theme.text, word_size) : words_style(theme.text), 100);
      static constexpr std::array<const char*, 3> names = {"encdec_mirrored", "encdec_largest", "encdec_end"};
      for (std::size_t i = 0; i < names.size(); ++i)
        put(pen, {column(i), row.centre().y},
            view.in.text(quantity(names[i], {{"layer", l + 1}, {"head", h + 1}})),
            aligned(mono_style(theme.text), Align::right), share);
    }
  }
  inside.cut_top(8);
  for (const std::string& line : summary(view)) {
    if (!line.empty()) paragraph(line, theme.dim);
  }
}

}  // namespace headlight::views
