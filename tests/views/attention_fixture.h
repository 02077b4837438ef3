// The Attention page of a scene, with the results that the program computes for it.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "kit/card.h"
#include "kit/page_input.h"
#include "nn/explain.h"
#include "pages/attention/view/page.h"
#include "quantities.h"
#include "scene/shown.h"
#include "support/computed_scene.h"

namespace headlight::views {

/// What the scene is set to. Its sentence has words of all lengths, or letters and spaces.
struct Case {
  int tokens = 6, heads = 4, d_k = 8;
  bool characters = false;
  scene::MaskSet mask = {};
  int window = 2, valid_length = 4;  // of the mask
  scene::Page page = scene::Page::attention;
  std::vector<std::string> settings = {};  // further ones: "bench_a=2"
  std::string sentence = {};               // in place of those words
};

inline scene::Scene scene_of(const Case& what) {
  scene::Scene scene = scene::page_scene(what.page, what.settings);
  const char* words[] = {"the", "cat", "sat", "on", "extraordinarily", "mat", "and", "purred"};
  const std::string letters = "the cat sat on the mat";
  scene.sentence = what.sentence;
  for (int i = 0; i < what.tokens && what.sentence.empty(); ++i) {
    if (what.characters)
      scene.sentence += letters[static_cast<std::size_t>(i) % letters.size()];
    else
      scene.sentence += std::string(i > 0 ? " " : "") + words[i * 3 % 8];
  }
  scene.tokenizer = what.characters ? scene::Tokenizer::chars : scene::Tokenizer::words;
  scene.heads = what.heads, scene.d_model = what.heads * what.d_k;
  scene.mask = what.mask, scene.window = what.window, scene.valid_length = what.valid_length;
  scene.head = {};
  scene.query = {what.tokens > 1 ? 1 : 0};
  scene::repair(scene);
  return scene;
}

/// A page that can be drawn: a scene, its results, and the opened cell.
class AttentionFixture {
 public:
  explicit AttentionFixture(const Case& what = {})
      : scene(scene_of(what)), results(scene::known_results(scene)) {}

  scene::Scene scene;
  scene::Results results;
  draw::Hit hover;
  bool hovering = false;
  draw::Box view;
  bool column = true, compact = false;
  float busy = -1;
  nn::CellTrace cell;
  Motion motion;

  /// Opens (head, query, key), with its arithmetic.
  void open(int head, int query, int key) {
    cell = nn::explain_cell(results.attention, results.options, head, query, key);
    opened_ = true;
  }
  /// Opens the cell of the combined heads that the scene pins.
  void open_pinned() {
    cell = *scene::explain_pinned(scene, results);
    opened_ = true;
  }

  PageInput input() {
    PageInput in{scene,
                 results,
                 opened_ ? &cell : nullptr,
                 hovering ? &hover : nullptr,
                 draw::theme(scene.theme == scene::ThemeName::dark),
                 column,
                 view,
                 busy,
                 -1};
    in.compact = compact;
    in.motion = motion.part < 1 ? &motion : nullptr;
    return with_numbers(in);
  }

  draw::RecordCanvas record(float width, float height) {
    draw::RecordCanvas canvas;
    needed = attention_page(canvas, {0, 0, width, height}, input());
    return canvas;
  }

  /// What lies under `at`.
  draw::Hit pick(draw::Point at, float width, float height) {
    draw::RecordCanvas measure;
    draw::PickCanvas canvas(at, measure);
    attention_page(canvas, {0, 0, width, height}, input());
    targets = canvas.targets();
    return canvas.hit();
  }

  float needed = 0;  // height that the last record() asked for
  std::vector<draw::PickCanvas::Target> targets;

 private:
  bool opened_ = false;
};

/// Is a text with these words drawn?
inline int times_said(const draw::RecordCanvas& canvas, const std::string& words) {
  int count = 0;
  for (const auto& text : canvas.texts) count += text.words == words ? 1 : 0;
  return count;
}
inline bool says(const draw::RecordCanvas& canvas, const std::string& part) {
  for (const auto& text : canvas.texts) {
    if (text.words.find(part) != std::string::npos) return true;
  }
  return false;
}

/// The first control mark with this name; part none when there is none.
inline draw::Mark control(const draw::RecordCanvas& canvas, const std::string& name) {
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.part == draw::Part::control && mark.name == name) return mark;
  }
  return {};
}

/// Query and key of each cell, beam or arc that can be pointed at.
inline std::set<std::pair<int, int>> pairs(const draw::RecordCanvas& canvas) {
  std::set<std::pair<int, int>> out;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.part == draw::Part::cell && mark.query >= 0 && mark.name.empty())
      out.insert({mark.query, mark.key});
  }
  return out;
}

/// The heatmap that shows `values`, the largest of them; its box is empty when there is none.
inline draw::RecordCanvas::Map largest_map(const draw::RecordCanvas& canvas, const float* values) {
  draw::RecordCanvas::Map best{};
  for (const auto& map : canvas.maps) {
    if (map.map.values == values && map.box.w * map.box.h > best.box.w * best.box.h) best = map;
  }
  return best;
}

}  // namespace headlight::views
