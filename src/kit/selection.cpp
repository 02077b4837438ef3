#include "kit/selection.h"

#include <algorithm>

#include "draw/turned.h"
#include "kit/page_input.h"
#include "kit/weight_bar.h"
#include "scene/preview.h"
#include "scene/trained_model.h"

namespace headlight::views {

bool Selection::pinned(int query) const {
  return std::find(queries.begin(), queries.end(), query) != queries.end();
}

bool Selection::shows(int head) const {
  return std::find(heads.begin(), heads.end(), head) != heads.end();
}

Selection unmarked(const Selection& selection) {
  Selection out = selection;
  out.queries.clear();
  out.detail_query = out.key = out.hover_query = out.hover_key = -1;
  return out;
}

bool chosen_head_guided(const PageInput& in) {
  const int head = in.results.guide.head;
  return in.results.guided(head) && select(in).shows(head);
}

Selection select(const PageInput& in) {
  const nn::AttentionTrace& trace = in.results.attention;
  Selection out;
  out.heads = scene::heads_on_show(in.scene, trace.heads);
  out.kind = out.heads.size() == 1                               ? HeadsShown::one
             : scene::named_heads(in.scene, trace.heads).empty() ? HeadsShown::all
                                                                 : HeadsShown::several;
  scene::Pinned pinned = scene::pinned(in.scene, trace.T, trace.S);
  out.queries = std::move(pinned.queries), out.detail_query = pinned.detail_query;
  if (in.cell && in.cell->query == out.detail_query && in.cell->key >= 0 && in.cell->key < trace.S) {
    out.key = in.cell->key;
  } else if (out.detail_query >= 0) {
    out.key = pinned.key;
  }
  if (in.hover) {
    const draw::Mark& mark = in.hover->mark;
    using draw::Part;
    if (mark.part == Part::cell || mark.part == Part::bar || mark.part == Part::query_token)
      out.hover_query = mark.query;
    if (mark.part == Part::cell || mark.part == Part::bar || mark.part == Part::key_token)
      out.hover_key = mark.key;
    if (out.hover_query >= trace.T) out.hover_query = -1;
    if (out.hover_key >= trace.S) out.hover_key = -1;
  }
  for (const base::Interval& keys : trace.allowed) {
    if (keys.size() < trace.S) {
      out.masked = true;
      break;
    }
  }
  return out;
}

std::string token_label(const PageInput& in, int i) {
  const std::vector<nn::Token>& tokens = in.preview ? in.preview->tokens : in.results.tokens;
  if (i < 0 || i >= static_cast<int>(tokens.size())) return std::to_string(i);
  return shown_token(tokens[static_cast<std::size_t>(i)].text);
}

std::string key_label(const PageInput& in, int i) {
  if (!other_keys(in)) return token_label(in, i);
  const std::vector<nn::Token>& tokens = in.results.key_tokens;
  if (i < 0 || i >= static_cast<int>(tokens.size())) return std::to_string(i);
  return shown_token(tokens[static_cast<std::size_t>(i)].text);
}

std::string token_tooltip(const PageInput& in, const draw::Mark& mark) {
  if (mark.part == Part::query_token)
    return quoted_token(in, mark.query) + ", query " + std::to_string(mark.query);
  if (mark.part == Part::key_token) return quoted_key(in, mark.key) + ", key " + std::to_string(mark.key);
  return {};
}

ShownLayer shown_layer(const PageInput& in) {
  const scene::Results& results = in.results;
  if (results.opened) return {results.opened->layer, results.opened->layers};
  if (results.model) return {results.scene.weights_layer - 1, results.model->config.layers};
  return {};
}

std::string layer_words(const PageInput& in) {
  const ShownLayer shown = shown_layer(in);
  return shown.of > 1 ? "layer " + std::to_string(shown.layer + 1) : std::string();
}

std::string window_words(const PageInput& in) {
  const scene::OpenedLayer* opened = in.results.opened.get();
  return opened && opened->window > 0 ? "window of " + std::to_string(opened->window) + " keys"
                                      : std::string();
}

bool other_keys(const PageInput& in) {
  return !in.preview && !in.results.key_tokens.empty();
}

bool unknown_token(const PageInput& in, int i) {
  return in.preview ? in.preview->unknown(i) : in.results.unknown(i);
}

std::string quoted_token(const PageInput& in, int i) {
  return in_quotes(token_label(in, i));
}

std::string quoted_token(const Sheet& sheet, int i, float width) {
  return in_quotes(
      draw::fit_text(sheet.pen.canvas, token_label(sheet.in, i), strong_style(sheet.theme().text), width));
}

std::string quoted_key(const PageInput& in, int i) {
  return in_quotes(key_label(in, i));
}

std::string quoted_key(const Sheet& sheet, int i, float width) {
  return in_quotes(
      draw::fit_text(sheet.pen.canvas, key_label(sheet.in, i), strong_style(sheet.theme().text), width));
}

namespace {

/// Has no other token the same text?
bool alone(const std::vector<nn::Token>& tokens, int i) {
  if (i < 0 || i >= static_cast<int>(tokens.size())) return true;
  const std::string& text = tokens[static_cast<std::size_t>(i)].text;
  return std::count_if(tokens.begin(), tokens.end(), [&](const nn::Token& one) { return one.text == text; }) <
         2;
}

bool token_alone(const PageInput& in, int i) {
  return alone(in.preview ? in.preview->tokens : in.results.tokens, i);
}
bool key_alone(const PageInput& in, int i) {
  return other_keys(in) ? alone(in.results.key_tokens, i) : token_alone(in, i);
}

std::string at_place(int i, bool alone) {
  return alone ? std::string() : " " + std::to_string(i);
}

}  // namespace

std::string token_in_words(const PageInput& in, int i) {
  return quoted_token(in, i) + at_place(i, token_alone(in, i));
}
std::string key_in_words(const PageInput& in, int i) {
  return quoted_key(in, i) + at_place(i, key_alone(in, i));
}
std::string token_in_words(const Sheet& sheet, int i, float width) {
  return quoted_token(sheet, i, width) + at_place(i, token_alone(sheet.in, i));
}

std::string key_in_words(const Sheet& sheet, int i, float width) {
  return quoted_key(sheet, i, width) + at_place(i, key_alone(sheet.in, i));
}
std::string pair_in_words(const PageInput& in, int query, int key) {
  return token_in_words(in, query) + " → " + key_in_words(in, key);
}

std::string unknown_words(const PageInput& in, int i) {
  return unknown_token(in, i) ? "\nnot in the model’s vocabulary: treated as <unknown>" : "";
}

void mark_unknown(const Pen& pen, draw::Point at, float width, float size, float turn) {
  const float off = size * 0.5f + 1.5f;
  pen.canvas.line(draw::turned(at, 0, off, turn), draw::turned(at, width, off, turn),
                  {pen.theme.dim, 1.5f, 2});
}

const char* combine_phrase(scene::Combine combine) {
  return combine == scene::Combine::mean ? "mean" : "largest";
}

namespace {

std::span<const float> combined_row(const PageInput& in, const Selection& selection,
                                    const nn::AttentionTrace& trace, int query, std::vector<float>& room) {
  const scene::Combine combine = in.scene.combine;
  const std::vector<int>& heads = selection.heads;
  if (selection.kind == HeadsShown::one) return trace.weights.row(heads.front(), query);
  if (selection.kind == HeadsShown::all) {
    const nn::Matrix& whole = combine == scene::Combine::mean ? in.results.mean : in.results.max;
    if (whole.rows() == trace.T && whole.cols() == trace.S) return whole.row(query);
  }
  return scene::combined_row(
      heads, combine, [&](int head) { return std::span<const float>(trace.weights.row(head, query)); }, room);
}

}  // namespace

std::span<const float> combined_row(const Sheet& sheet, int query, std::vector<float>& room) {
  return combined_row(sheet.in, sheet.selection, sheet.trace(), query, room);
}

std::span<const float> combined_row(const PageInput& in, const Selection& selection, int query,
                                    std::vector<float>& room) {
  return combined_row(in, selection, in.results.attention, query, room);
}

bool may_read(const nn::AttentionTrace& trace, int query, int key) {
  if (query < 0 || query >= static_cast<int>(trace.allowed.size())) return true;
  return trace.allowed[static_cast<std::size_t>(query)].has(key);
}

std::pair<int, int> keys_allowed(const nn::AttentionTrace& trace, int query) {
  if (query < 0 || query >= static_cast<int>(trace.allowed.size()) || reads_nothing(trace, query))
    return {0, trace.S - 1};
  const base::Interval keys = trace.allowed[static_cast<std::size_t>(query)];
  return {keys.begin, keys.end - 1};
}

bool reads_nothing(const nn::AttentionTrace& trace, int query) {
  if (query < 0 || query >= static_cast<int>(trace.allowed.size())) return false;
  return trace.allowed[static_cast<std::size_t>(query)].size() == 0;
}

draw::Heatmap weights_heatmap(const Sheet& sheet, const float* values) {
  const nn::AttentionTrace& trace = sheet.trace();
  draw::Heatmap map;
  map.values = values;
  map.rows = trace.T, map.cols = map.row_stride = trace.S;
  map.version = sheet.in.results.version;
  map.transposed = sheet.in.scene.query_axis == scene::QueryAxis::columns;
  set_scale(map, shown_scale(sheet));
  if (sheet.selection.masked) map.allowed = trace.allowed;
  return map;
}

}  // namespace headlight::views
