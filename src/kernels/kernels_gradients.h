// Products and attention in the backward pass.
#pragma once

#include "kernels/kernels_attention.h"
#include "kernels/kernels_matrix.h"

namespace headlight::nn::HEADLIGHT_KERNELS {
namespace {

/// Computes some rows of C over all columns of one panel.
inline void multiply_tiles(const RowTiles& tiles, int cols, size_t a_row, Tile tile) {
  const float* a = tile.a;
  float* c = tile.c;
  const float* start = tile.start;
  for (int i = 0; i < tiles.count; ++i) {
    const size_t row = static_cast<size_t>(tiles.begin(i));
    tile.a = a + row * a_row;
    tile.c = c + row * tile.c_stride;
    tile.start = start == nullptr ? nullptr : start + row * tile.start_stride;
    multiply_panel<false>(tiles.begin(i + 1) - tiles.begin(i), cols, tile);
  }
}

void transposed(const TransposedJob& job) {
  const RowTiles tiles(job.rows);
  for (int k = 0; k < job.depth; k += transposed_depth) {
    for (int col = 0; col < job.cols; col += panel) {
      const int left = smaller(job.cols - col, panel);
      Tile tile{};
      tile.depth = smaller(transposed_depth, job.depth - k);
      tile.a = job.a + static_cast<size_t>(k) * job.a_stride;
      tile.a_stride = 1, tile.a_step = job.a_stride;
      tile.b = job.b + static_cast<size_t>(k) * job.b_stride + col;
      tile.b_step = job.b_stride;
      if (left != panel && left != lanes) {
        pack(tile.b, job.b_stride, tile.depth, left, job.scratch);
        tile.b = job.scratch, tile.b_step = static_cast<size_t>(panel_width(left));
      }
      tile.c = job.c + col;
      tile.c_stride = job.c_stride;
      if (k > 0) tile.start = tile.c, tile.start_stride = tile.c_stride;
      multiply_tiles(tiles, left, 1, tile);
    }
  }
  if (job.depth > 0) return;
  for (int r = 0; r < job.rows; ++r) {
    for (int c = 0; c < job.cols; ++c)
      job.c[static_cast<size_t>(r) * job.c_stride + static_cast<size_t>(c)] = 0;
  }
}

/// The backward pass of one head. The rows of A are processed in tiles; each tile knows which keys it may
/// attend to.
class HeadBack {
 public:
  explicit HeadBack(const HeadGradient& job)
      : job_(job), stride_(static_cast<size_t>((job.S + panel - 1) / panel * panel) + 16) {
    float* next = job.scratch;
    const auto take = [&](int rows, size_t width) {
      float* mine = next;
      next += (static_cast<size_t>(rows) * width + 15) / 16 * 16;
      return mine;
    };
    const auto panels = [](int width) { return static_cast<size_t>((width + panel - 1) / panel * panel); };
    scores_ = take(job.T, stride_);
    queries_ = take(job.T, panels(job.d_k_width));
    contexts_ = take(job.T, panels(job.d_v_width));
    keys_ = take(job.S, panels(job.d_k_width));
    values_ = take(job.d_v_width, panels(job.S));
  }

  void run() {
    pack(job_.q, job_.q_stride, job_.T, job_.d_k_width, queries_);
    pack(job_.d_context, job_.d_context_stride, job_.T, job_.d_v_width, contexts_);
    pack(job_.k, job_.k_stride, job_.S, job_.d_k_width, keys_);
    pack_transposed(job_.v, job_.v_stride, job_.d_v_width, job_.S, values_);
    const RowTiles rows(job_.T);
    for (int i = 0; i < rows.count; ++i) back_to_queries(rows.begin(i), rows.begin(i + 1));
    const RowTiles keys(job_.S);
    for (int i = 0; i < keys.count; ++i) back_to_keys(keys.begin(i), keys.begin(i + 1));
  }

 private:
  float* score_row(int row) { return scores_ + static_cast<size_t>(row) * stride_; }
  const float* weight_row(int row) const {
    return job_.weights + static_cast<size_t>(row) * static_cast<size_t>(job_.S);
  }

  void back_to_queries(int row, int row_end) {
    int begin = job_.S, end = 0;
    for (int r = row; r < row_end; ++r) {
      if (job_.allowed[r].begin >= job_.allowed[r].end) continue;
      begin = smaller(begin, job_.allowed[r].begin), end = larger(end, job_.allowed[r].end);
    }
    begin = begin < end ? begin / panel * panel : 0;
    for (int key = begin; key < end; key += panel) {
      Tile tile{};
      tile.a = job_.d_context + static_cast<size_t>(row) * job_.d_context_stride;
      tile.a_stride = job_.d_context_stride;
      tile.b = values_ + static_cast<size_t>(key) * static_cast<size_t>(job_.d_v_width);
      tile.depth = job_.d_v_width;
      tile.c = score_row(row) + key;
      tile.c_stride = stride_;
      tile.tail = lanes;
      if (job_.S - key > lanes) {
        multiply_rows<2>(row_end - row, tile);
      } else {
        multiply_rows<1>(row_end - row, tile);
      }
    }
    for (int r = row; r < row_end; ++r) through_softmax(r, begin, end);
    for (int col = 0; col < job_.d_k_width; col += panel) {
      const int left = smaller(job_.d_k_width - col, panel);
      Tile tile{};
      tile.a = score_row(row) + begin;
      tile.a_stride = stride_;
      tile.b = keys_ + static_cast<size_t>(col) * static_cast<size_t>(job_.S) +
               static_cast<size_t>(begin) * static_cast<size_t>(panel_width(left));
      tile.depth = larger(end - begin, 0);
      tile.c = job_.d_q + static_cast<size_t>(row) * job_.d_q_stride + col;
      tile.c_stride = job_.d_q_stride;
      multiply_panel(row_end - row, left, tile);
    }
  }

  /// Replaces dP by scale·dS within [begin, end), and by 0 elsewhere. For a guided row: A (dP − mean + pull),
  /// minus pull at its goal.
  void through_softmax(int r, int begin, int end) {
    float* row = score_row(r);
    const float* weights = weight_row(r);
    const auto weight = [&](int j) {
      return j + lanes <= job_.S ? load(weights + j) : load_first(weights + j, job_.S - j);
    };
    Vec sum = broadcast(0);
    for (int j = begin; j < end; j += lanes) sum = fma(weight(j), load(row + j), sum);
    const int goal = job_.goals != nullptr ? job_.goals[r] : -1;
    const Vec mean = broadcast(total(sum) - (goal >= 0 ? job_.pull : 0)), scale = broadcast(job_.scale);
    clear(row, begin);
    int j = begin;
    for (; j < end; j += lanes) {
      const Vec d = weight(j) * (load(row + j) - mean);
      if (job_.d_scores != nullptr) write_scores(r, j, d);
      store(row + j, d * scale);
    }
    for (; j < job_.S; j += lanes) {
      store(row + j, broadcast(0));
      if (job_.d_scores != nullptr) write_scores(r, j, broadcast(0));
    }
    for (j = 0; job_.d_scores != nullptr && j < begin; j += lanes) write_scores(r, j, broadcast(0));
    if (goal < 0) return;
    row[goal] -= job_.pull * job_.scale;
    if (job_.d_scores != nullptr)
      job_.d_scores[static_cast<size_t>(r) * static_cast<size_t>(job_.S) + static_cast<size_t>(goal)] -=
          job_.pull;
  }

  void write_scores(int r, int j, Vec d) {
    float* to = job_.d_scores + static_cast<size_t>(r) * static_cast<size_t>(job_.S) + j;
    if (j + lanes <= job_.S) {
      store(to, d);
    } else {
      store_first(to, d, job_.S - j);
    }
  }

  void back_to_keys(int key, int key_end) {
    int begin = 0, end = job_.T;
    while (begin < end && job_.allowed[begin].end <= key) ++begin;
    while (begin < end && job_.allowed[end - 1].begin >= key_end) --end;
    Tile tile{};
    tile.depth = end - begin;
    const size_t from = static_cast<size_t>(begin);
    tile.a = score_row(begin) + key;
    tile.a_stride = 1, tile.a_step = stride_;
    tile.c_stride = job_.d_k_stride;
    add_columns(key_end - key, queries_, from, job_.d_k_width,
                job_.d_k + static_cast<size_t>(key) * job_.d_k_stride, tile);
    tile.a = weight_row(begin) + key;
    tile.a_step = static_cast<size_t>(job_.S);
    tile.c_stride = job_.d_v_stride;
    add_columns(key_end - key, contexts_, from, job_.d_v_width,
                job_.d_v + static_cast<size_t>(key) * job_.d_v_stride, tile);
  }

  void add_columns(int rows, const float* packed, size_t from, int width, float* to, Tile tile) const {
    for (int col = 0; col < width; col += panel) {
      const int left = smaller(width - col, panel);
      tile.b_step = static_cast<size_t>(panel_width(left));
      tile.b = packed + static_cast<size_t>(col) * static_cast<size_t>(job_.T) + from * tile.b_step;
      tile.c = to + col;
      multiply_panel<false>(rows, left, tile);
    }
  }

  const HeadGradient& job_;
  size_t stride_;  // of the scores
  float *scores_, *queries_, *contexts_, *keys_, *values_;
};

void head_gradient(const HeadGradient& job) {
  HeadBack back(job);
  back.run();
}

}  // namespace
}  // namespace headlight::nn::HEADLIGHT_KERNELS
