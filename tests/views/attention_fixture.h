// Results for the Attention page's tests, made by plain loops: the views know only types, so nothing here
// calls the core either.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "kit/card.h"
#include "kit/page_input.h"
#include "pages/attention/view/page.h"
#include "quantities.h"

namespace headlight::views {

struct Case {
  int tokens = 6, heads = 4, d_k = 8;
  bool characters = false;
  nn::MaskSpec mask;
};

/// A page that can be drawn: a scene, its results, and the opened cell.
class AttentionFixture {
 public:
  explicit AttentionFixture(const Case& what = {}) : case_(what) {
    fill_tokens();
    fill_trace();
    fill_sums();
    fill_weights();
    scene.head = {};
    scene.query = {what.tokens > 1 ? 1 : 0};
  }

  scene::Scene scene;
  scene::Results results;
  draw::Hit hover;
  bool hovering = false;
  draw::Box view;
  bool column = true;
  float busy = -1;
  nn::CellTrace cell;
  Motion motion;

  /// Opens (head, query, key), with the arithmetic in double precision.
  void open(int head, int query, int key) {
    const nn::AttentionTrace& trace = results.attention;
    cell = {};
    cell.head = head, cell.query = query, cell.key = key;
    cell.sqrt_d_k = cell.divisor = std::sqrt(static_cast<double>(trace.d_k));
    for (int c = 0; c < trace.d_k; ++c) {
      cell.q.push_back(static_cast<double>(trace.query(head, query)[c]));
      cell.k.push_back(static_cast<double>(trace.key(head, key)[c]));
      cell.products.push_back(cell.q.back() * cell.k.back());
      cell.dot += cell.products.back();
    }
    cell.score = cell.dot / cell.divisor;
    const std::size_t row = static_cast<std::size_t>(query);
    cell.allowed = trace.allowed[row].has(key), cell.row_masked = trace.allowed[row].size() == 0;
    cell.row_max = static_cast<double>(trace.row_max.at(head, query));
    cell.row_sum = static_cast<double>(trace.row_sum.at(head, query));
    if (cell.allowed) {
      cell.exponential = std::exp(cell.score - cell.row_max);
      cell.weight = cell.exponential / cell.row_sum;
    }
    cell.weight_f32 = trace.weights.at(head, query, key);
    cell.residual = static_cast<double>(cell.weight_f32) - cell.weight;
    for (int c = 0; c < trace.d_v; ++c) {
      cell.v.push_back(static_cast<double>(trace.value(head, key)[c]));
      cell.weighted_v.push_back(cell.weight * cell.v.back());
    }
    cell.share = cell.weight;
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
  /// A fixed, uneven function of three indices, between −1.5 and 1.5.
  static float number(int a, int b, int c) {
    return 1.5f * static_cast<float>(std::sin(1.7 * a + 2.9 * b * b + 0.61 * c * (b + 1) + 0.3));
  }

  void fill_tokens() {
    const char* words[] = {"the", "cat", "sat", "on", "extraordinarily", "mat", "and", "purred"};
    const std::string letters = "the cat sat on the mat";
    for (int i = 0; i < case_.tokens; ++i) {
      nn::Token token;
      token.text = case_.characters ? std::string(1, letters[static_cast<std::size_t>(i) % letters.size()])
                                    : words[i * 3 % 8];
      token.id = i;
      results.tokens.push_back(token);
    }
    results.tokens_in_sentence = results.tokens.size();
    results.version = 1;
  }

  void fill_trace() {
    nn::AttentionTrace& trace = results.attention;
    const int T = case_.tokens, H = case_.heads, d = case_.d_k;
    trace.T = trace.S = T, trace.heads = T > 0 ? H : 0, trace.d_k = trace.d_v = d;
    trace.scale = 1 / std::sqrt(static_cast<float>(d));
    trace.q = nn::Matrix(T, H * d), trace.k = nn::Matrix(T, H * d), trace.v = nn::Matrix(T, H * d);
    for (int t = 0; t < T; ++t) {
      for (int c = 0; c < H * d; ++c) {
        trace.q.at(t, c) = number(t, c, 1), trace.k.at(t, c) = number(t, c, 2),
                      trace.v.at(t, c) = number(t, c, 3);
      }
    }
    const nn::MaskSpec& mask = case_.mask;
    for (int t = 0; t < T; ++t) {
      base::Interval keys{0, T};
      if (mask.causal) keys.end = t + 1;
      if (mask.window_left) keys.begin = std::max(0, t - *mask.window_left);
      if (mask.window_right) keys.end = std::min(keys.end, t + *mask.window_right + 1);
      if (mask.valid_length) keys.end = std::min(keys.end, *mask.valid_length);
      trace.allowed.push_back(keys);
    }
    results.options.heads = H;
    results.options.mask = mask;
    trace.weights = nn::Matrix(H, T, T);
    trace.row_max = nn::Matrix(H, T), trace.row_sum = nn::Matrix(H, T);
    for (int h = 0; h < H; ++h) {
      for (int t = 0; t < T; ++t) softmax_row(h, t);
    }
  }

  void softmax_row(int h, int t) {
    nn::AttentionTrace& trace = results.attention;
    const base::Interval keys = trace.allowed[static_cast<std::size_t>(t)];
    if (keys.size() == 0) return;
    std::vector<float> scores(static_cast<std::size_t>(trace.S), -1e30f);
    float largest = -1e30f, sum = 0;
    for (int s = keys.begin; s < keys.end; ++s) {
      float dot = 0;
      for (int c = 0; c < trace.d_k; ++c) dot += trace.query(h, t)[c] * trace.key(h, s)[c];
      scores[static_cast<std::size_t>(s)] = dot * trace.scale;
      largest = std::max(largest, dot * trace.scale);
    }
    for (int s = keys.begin; s < keys.end; ++s)
      sum += std::exp(scores[static_cast<std::size_t>(s)] - largest);
    for (int s = keys.begin; s < keys.end; ++s)
      trace.weights.at(h, t, s) = std::exp(scores[static_cast<std::size_t>(s)] - largest) / sum;
    trace.row_max.at(h, t) = largest, trace.row_sum.at(h, t) = sum;
  }

  void fill_sums() {
    const nn::AttentionTrace& trace = results.attention;
    const int T = trace.T;
    results.mean = nn::Matrix(T, T), results.max = nn::Matrix(T, T);
    for (int h = 0; h < trace.heads; ++h) {
      nn::HeadSummary summary;
      std::vector<double> received(static_cast<std::size_t>(T));
      for (int t = 0; t < T; ++t) {
        double entropy = 0;
        for (int s = 0; s < T; ++s) {
          const float weight = trace.weights.at(h, t, s);
          results.mean.at(t, s) += weight / static_cast<float>(trace.heads);
          results.max.at(t, s) = std::max(results.max.at(t, s), weight);
          if (weight > 0) entropy -= static_cast<double>(weight) * std::log2(static_cast<double>(weight));
          received[static_cast<std::size_t>(s)] += static_cast<double>(weight);
          summary.largest = std::max(summary.largest, weight);
        }
        summary.entropy_bits += entropy / T;
        summary.row_entropy_bits.push_back(entropy);
      }
      results.heads.push_back(summary);
      results.head_received.push_back(received);
    }
    results.mean_received.assign(static_cast<std::size_t>(T), 0),
        results.max_received = results.mean_received;
    for (int t = 0; t < T; ++t) {
      double entropy = 0;
      for (int s = 0; s < T; ++s) {
        const double mean = static_cast<double>(results.mean.at(t, s));
        if (mean > 0) entropy -= mean * std::log2(mean);
        results.mean_received[static_cast<std::size_t>(s)] += mean;
        results.max_received[static_cast<std::size_t>(s)] += static_cast<double>(results.max.at(t, s));
      }
      results.mean_entropy_bits.push_back(entropy);
    }
  }

  /// The other matrices of the layer; in layers too wide for a test there are none.
  void fill_weights() {
    nn::AttentionTrace& trace = results.attention;
    const int T = trace.T, d = trace.heads * trace.d_k;
    if (T == 0 || d > 256) return;
    const auto filled = [](int rows, int cols, int which) {
      nn::Matrix m(rows, cols);
      for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < cols; ++c) m.at(r, c) = number(r, c, which);
      }
      return m;
    };
    auto weights = std::make_shared<nn::AttentionWeights>();
    weights->w_q = filled(d, d, 4), weights->w_k = filled(d, d, 5), weights->w_v = filled(d, d, 6);
    weights->w_o = filled(d, d, 7);
    results.weights = weights;
    results.x = filled(T, d, 8), trace.context = filled(T, d, 9), trace.output = filled(T, d, 10);
    results.matrix_largest.fill(1.5f);
  }

  Case case_;
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

/// The heatmap that shows `values`, the largest of them; its box is empty when there is none.
inline draw::RecordCanvas::Map largest_map(const draw::RecordCanvas& canvas, const float* values) {
  draw::RecordCanvas::Map best{};
  for (const auto& map : canvas.maps) {
    if (map.map.values == values && map.box.w * map.box.h > best.box.w * best.box.h) best = map;
  }
  return best;
}

}  // namespace headlight::views
