// Results for the Order and Head bench pages, made by plain loops: the views know only types, so nothing here
// calls the core either.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "attention_fixture.h"
#include "kit/page_input.h"
#include "page_checks.h"
#include "pages/head_bench/head_bench.h"
#include "pages/order/order.h"

namespace headlight::views {

/// A fixed, uneven function of three indices, between −1 and 1.
inline double uneven(int a, int b, int c) {
  return std::sin(1.3 * a + 2.1 * b + 0.7 * c * (a + 1) + 0.2 * b * b);
}

/// Output rows of `tokens` tokens in an order, with what positions would change when `apart` is not 0.
inline std::shared_ptr<scene::OrderResults> order_results(const AttentionFixture& f, std::vector<int> order,
                                                          double apart) {
  auto out = std::make_shared<scene::OrderResults>();
  const nn::AttentionTrace& trace = f.results.attention;
  const int n = trace.T, D = 32;
  if (order.empty()) {
    order.resize(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
  }
  out->tokens = n, out->order = order;
  out->identity = std::is_sorted(order.begin(), order.end());
  out->next.assign(order.rbegin(), order.rend()), out->reversed = out->next;
  out->original = nn::Matrix(n, D), out->moved = nn::Matrix(n, D);
  for (int t = 0; t < n; ++t) {
    for (int c = 0; c < D; ++c) out->original.at(t, c) = static_cast<float>(2 * uneven(t, c, 0));
  }
  out->float32.rows.assign(static_cast<std::size_t>(n), 0);
  for (int position = 0; position < n; ++position) {
    const int token = order[static_cast<std::size_t>(position)];
    for (int c = 0; c < D; ++c) {
      const double moved = out->identity ? 0 : apart * uneven(position, c, 1);
      out->moved.at(position, c) = out->original.at(token, c) + static_cast<float>(moved);
      double& row = out->float32.rows[static_cast<std::size_t>(position)];
      row = std::max(row, std::abs(static_cast<double>(out->moved.at(position, c)) -
                                   static_cast<double>(out->original.at(token, c))));
    }
    out->float32.output =
        std::max(out->float32.output, out->float32.rows[static_cast<std::size_t>(position)]);
  }
  for (const float v : out->original.values())
    out->float32.largest = std::max(out->float32.largest, std::abs(static_cast<double>(v)));
  out->float32.weights = out->float32.output / 3;
  out->has_double = n < 100;
  const bool rounding = out->float32.output < 1e-5;  // which double has not
  out->float64.output = rounding ? 0 : out->float32.output;
  out->float64.weights = out->float64.output / 3;
  out->float64.largest = out->float32.largest;
  for (int t = 0; t < std::min(n, 8); ++t) out->bag.push_back({t, t + 1, t + 1});

  scene::OrderParts& parts = out->parts;
  const int m = std::min(n, 64), H = trace.heads;
  parts.tokens = m, parts.factor = static_cast<double>(trace.scale), parts.residual = 3e-7;
  parts.dot = nn::MatrixF64(H, m, m);
  parts.span.assign(static_cast<std::size_t>(H), 0);
  for (int which = 0; which < 4; ++which)
    parts.part[which] = nn::MatrixF64(H, m, m), parts.map[which] = nn::Matrix(H, m, m);
  for (int h = 0; h < H; ++h) {
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) {
        for (int which = 0; which < 4; ++which) {
          const double value = 3 * uneven(i, j, which + h);
          parts.part[which].at(h, i, j) = value, parts.map[which].at(h, i, j) = static_cast<float>(value);
          parts.dot.at(h, i, j) += value;
          double& span = parts.span[static_cast<std::size_t>(h)];
          span = std::max(span, std::abs(value));
        }
      }
    }
  }
  return out;
}

/// Two heads of the fixture on the bench; `off` 0-based.
inline std::shared_ptr<scene::BenchResults> bench_results(const AttentionFixture& f, int a, int b,
                                                          const std::vector<int>& off) {
  auto out = std::make_shared<scene::BenchResults>();
  const nn::AttentionTrace& trace = f.results.attention;
  const int T = trace.T, H = trace.heads;
  if (T == 0) return out;
  out->a = a, out->b = b;
  out->map_b = nn::Matrix(T, T), out->difference = nn::Matrix(T, T);
  out->largest_keys.assign(static_cast<std::size_t>(T), 0);
  for (int i = 0; i < T; ++i) {
    float of_row = 0;
    for (int j = 0; j < T; ++j) {
      out->map_b.at(i, j) = trace.weights.at(b, i, j);
      const float apart = trace.weights.at(a, i, j) - trace.weights.at(b, i, j);
      out->difference.at(i, j) = apart;
      if (std::abs(apart) > of_row)
        of_row = std::abs(apart), out->largest_keys[static_cast<std::size_t>(i)] = j;
      if (std::abs(apart) > out->largest)
        out->largest = std::abs(apart), out->largest_query = i, out->largest_key = j;
    }
  }
  out->cosine = 0.876;
  out->on.assign(static_cast<std::size_t>(H), 1);
  for (const int head : off) out->on[static_cast<std::size_t>(head)] = 0;
  out->similarity = nn::MatrixF64(H, H), out->similarity_f32 = nn::Matrix(H, H);
  for (int h = 0; h < H; ++h) {
    nn::HeadRoles roles;
    roles.previous = std::abs(uneven(h, 1, 0)), roles.next = std::abs(uneven(h, 2, 0)) * 0.8;
    roles.first = std::abs(uneven(h, 3, 0)) * 0.9, roles.diagonal = std::abs(uneven(h, 4, 0)) * 0.7;
    roles.same_token = std::nan("");
    out->roles.push_back(roles);
    out->effects.push_back({std::abs(uneven(h, 5, 0)) * 4, std::abs(uneven(h, 5, 0))});
    for (int g = 0; g < H; ++g) {
      out->similarity.at(h, g) = h == g ? 1 : std::abs(uneven(h + g, h * g, 2));
      out->similarity_f32.at(h, g) = static_cast<float>(out->similarity.at(h, g));
    }
  }
  out->uniform = out->uniform_b = {0.15, 0.25, 0.2, 0.1, std::nan("")};
  out->role_b = out->roles[static_cast<std::size_t>(b)];
  for (int t = 0; t < T; ++t) {
    out->token_change.push_back(off.empty() ? 0 : 1 + uneven(t, 1, 1) * 0.5);
    out->token_norm.push_back(4 + uneven(t, 2, 2));
  }
  out->change = off.empty() ? 0 : 2.345, out->share = off.empty() ? 0 : 0.4321;
  return out;
}

using PageDrawing = float (*)(draw::Canvas&, draw::Box, const PageInput&);

struct Drawn {
  draw::RecordCanvas canvas;
  float needed = 0;
};
inline Drawn drawn(PageDrawing page, const PageInput& in, float width, float height) {
  Drawn out;
  out.needed = page(out.canvas, {0, 0, width, height}, in);
  return out;
}

/// Texts that cross each other or the edges of the page, and controls whose name is missing or not their own,
/// in words.
inline std::string layout_trouble(const Drawn& page, float width) {
  std::string out = test::text_trouble(page.canvas, width, page.needed);
  std::vector<std::string> names;
  for (const draw::Mark& mark : page.canvas.marks) {
    if (mark.part != draw::Part::control) continue;
    if (mark.name.empty() || std::count(names.begin(), names.end(), mark.name))
      out += "control \"" + mark.name + "\" has no name of its own\n";
    names.push_back(mark.name);
  }
  return out;
}

/// Assignments of controls that the scene's fields would not take, one after the other.
inline std::string unknown_fields(const draw::RecordCanvas& canvas) {
  std::string out;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.part != draw::Part::control && mark.part != draw::Part::slot) continue;
    const std::string set = mark.part == draw::Part::slot ? mark.set + "=" : mark.set;  // a list field
    for (std::size_t at = 0; at < set.size();) {
      const std::size_t end = std::min(set.find(';', at), set.size());
      if (!test::sets_a_field(set.substr(at, end - at))) out += set.substr(at, end - at) + " ";
      at = end + 1;
    }
  }
  return out;
}

}  // namespace headlight::views
