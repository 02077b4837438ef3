// A block of queries of one head: scores, softmax and weights · V while the scores are in the caches.
//
// The keys are processed in chunks. Each row takes the largest score of its first chunk as reference.
// exp(score − reference) is summed and multiplied with V chunk by chunk. At the end everything is divided by
// the sum, and the weights are written once. If a later score is so far above the reference that exp could
// overflow, it becomes the reference, and the row's results so far are scaled down to it; that is rare.
#pragma once

#include "kernels/kernels_matrix.h"

namespace headlight::nn::HEADLIGHT_KERNELS {
namespace {

constexpr int chunk_keys = 128;  // scores and V of a chunk fit into the first-level cache together
constexpr int rows_together = 4;
constexpr float safe_exponent = 60;  // exponent of two above the reference
constexpr float log2_e = 1.44269504088896341f;
constexpr float minus_infinity = -__builtin_inff();

/// Returns the sum of 2^((s − reference) · factor) over a row of scores, lane by lane; the powers replace the
/// scores.
inline Vec exponentials(float* scores, int count, float reference, float factor) {
  const Vec r = broadcast(reference), f = broadcast(factor);
  Vec sum0 = broadcast(0), sum1 = sum0;
  int j = 0;
  for (; j + 2 * lanes <= count; j += 2 * lanes) {
    const Vec e0 = exp2((load(scores + j) - r) * f), e1 = exp2((load(scores + j + lanes) - r) * f);
    store(scores + j, e0);
    store(scores + j + lanes, e1);
    sum0 = sum0 + e0;
    sum1 = sum1 + e1;
  }
  if (j < count) {
    const Vec e0 = exp2((load(scores + j) - r) * f);
    store(scores + j, e0);
    sum0 = sum0 + e0;
  }
  return sum0 + sum1;
}

inline Vec maximum(const float* scores, int count) {
  Vec m0 = load(scores), m1 = m0;
  int j = lanes;
  for (; j + 2 * lanes <= count; j += 2 * lanes) {
    m0 = max(load(scores + j), m0);
    m1 = max(load(scores + j + lanes), m1);
  }
  if (j < count) m0 = max(load(scores + j), m0);
  return max(m0, m1);
}

/// A maximum can miss a NaN.
inline bool has_nan(const float* p, int count) {
  for (int j = 0; j < count; ++j) {
    if (p[j] != p[j]) return true;
  }
  return false;
}

inline void clear(float* p, int count) {
  for (int j = 0; j < count; j += lanes) store(p + j, broadcast(0));
}

/// Writes −inf outside [begin, end) in a row of `count` scores.
inline void mask_outside(float* scores, int count, int begin, int end) {
  for (int j = 0; j < begin; j += lanes) store(scores + j, keep(load(scores + j), begin - j, lanes));
  for (int j = end / lanes * lanes; j < count; j += lanes) {
    store(scores + j, keep(load(scores + j), begin - j, end - j));
  }
}

/// Scales, biases and masks the scores, for blocks that are not plain (a positive scale and nothing else).
inline void finish_scores(float* scores, int begin, int end, float scale, const float* add,
                          const std::uint8_t* allow) {
  for (int j = begin; j < end; ++j) {
    float score = scores[j] * scale;
    if (add != nullptr) score += add[j];
    if (allow != nullptr && allow[j] == 0) score = minus_infinity;
    scores[j] = score;
  }
}

/// Writes `count` values at any address, whole registers past the caches; the source is scratch.
template <class Value>
void write_row(float* to, int count, bool past_caches, Value value) {
  int j = 0;
  if (past_caches) {
    const int misaligned = static_cast<int>(reinterpret_cast<std::uintptr_t>(to) / sizeof(float) % lanes);
    if (misaligned != 0) {
      j = smaller(lanes - misaligned, count);
      store_first(to, value(0), j);
    }
    for (; j + lanes <= count; j += lanes) stream(to + j, value(j));
  } else {
    for (; j + lanes <= count; j += lanes) store(to + j, value(j));
  }
  if (j < count) store_first(to + j, value(j), count - j);
}

class BlockPass {
 public:
  explicit BlockPass(const AttentionBlock& block)
      : block_(block),
        tiles_(block.rows),
        plain_(block.scale > 1e-30f && block.add == nullptr && block.allow == nullptr),
        factor_(plain_ ? block.scale * log2_e : log2_e),
        safe_(safe_exponent / factor_) {
    int begin = block.S, end = 0;
    for (int r = 0; r < block.rows; ++r) {
      if (block.allowed[r].begin >= block.allowed[r].end) continue;
      begin = smaller(begin, block.allowed[r].begin), end = larger(end, block.allowed[r].end);
    }
    first_ = begin < end ? begin / panel * panel : 0;
    end_ = begin < end ? end : 0;
    const size_t span = static_cast<size_t>(end_ > first_ ? (end_ - first_ + panel - 1) / panel * panel : 0);
    // An odd number of cache lines with AVX-512, so that rows do not compete for the same ones.
    stride_ = span + 16;
    scores_ = block.scratch;
    context_stride_ = static_cast<size_t>((block.d_v + panel - 1) / panel * panel);
    context_ = scores_ + stride_ * static_cast<size_t>(block.rows);
    // If the rows of the weights are whole registers, the scores are stored there: this halves the cache use.
    in_place_ = !block.stream && first_ == 0 && end_ == block.S && block.S % lanes == 0;
    if (in_place_) {
      scores_ = block.weights;
      stride_ = static_cast<size_t>(block.S);
    }
  }

  void run() {
    for (int r = 0; r < block_.rows; ++r) {
      reference_[r] = minus_infinity;
      max_[r] = broadcast(minus_infinity);
      sum_[r] = broadcast(0);
    }
    if (first_ >= end_) clear(context_, block_.rows * static_cast<int>(context_stride_));
    for (int key = first_; key < end_; key += chunk_keys) {
      const int end = smaller(key + chunk_keys, end_);
      multiply_keys(key, end);
      soften(key, end);
      multiply_values(key, end);
    }
    write();
  }

 private:
  float* scores(int row, int key) { return scores_ + static_cast<size_t>(row) * stride_ + (key - first_); }

  void multiply_keys(int begin, int end) {
    for (int key = begin; key < end; key += panel) {
      for (int i = 0; i < tiles_.count; ++i) {
        const int row = tiles_.begin(i);
        Tile tile{};
        tile.a = block_.q + static_cast<size_t>(row) * block_.q_stride;
        tile.a_stride = block_.q_stride;
        tile.b = block_.keys + static_cast<size_t>(key) * static_cast<size_t>(block_.d_k);
        tile.depth = block_.d_k;
        tile.c = scores(row, key);
        tile.c_stride = stride_;
        tile.tail = lanes;
        if (!block_.stream && !in_place_) prefetch_weights(row, tiles_.begin(i + 1), key);
        // The columns beyond S hold zeros from the packing; they are masked like any other blocked key.
        if (block_.S - key > lanes) {
          multiply_rows<2>(tiles_.begin(i + 1) - row, tile);
        } else {
          multiply_rows<1>(tiles_.begin(i + 1) - row, tile);
        }
      }
    }
  }

  /// Prefetches the weights of this tile, which are written at the end. (Scores that are stored there need no
  /// prefetch.)
  void prefetch_weights(int row, int end, int key) {
    for (; row < end; ++row) {
      const float* to = block_.weights + static_cast<size_t>(row) * static_cast<size_t>(block_.S) + key;
      for (int j = 0; j < panel; j += 16) __builtin_prefetch(to + j, 1, 2);
    }
  }

  static size_t at(int row, int stride) { return static_cast<size_t>(row) * static_cast<size_t>(stride); }

  /// A reference is a long chain of steps, and the powers wait for it. Those of a few rows come first, so
  /// that their chains overlap; of more rows, the scores would not stay in the first-level cache.
  void soften(int chunk, int chunk_end) {
    const int count = (chunk_end - chunk + lanes - 1) / lanes * lanes;
    for (int first = 0; first < block_.rows; first += rows_together) {
      const int last = smaller(first + rows_together, block_.rows);
      bool powers[rows_together];
      for (int r = first; r < last; ++r) powers[r - first] = find_reference(r, chunk, chunk_end, count);
      for (int r = first; r < last; ++r) {
        if (powers[r - first]) {
          sum_[r] = sum_[r] + exponentials(scores(r, chunk), count, reference_[r], factor_);
        } else {
          clear(scores(r, chunk), count);
        }
      }
    }
  }

  /// Finishes the scores of a row. Returns false if the row has none in this chunk.
  bool find_reference(int r, int chunk, int chunk_end, int count) {
    const KeyRange allowed = block_.allowed[r];
    const int begin = larger(allowed.begin - chunk, 0), end = smaller(allowed.end, chunk_end) - chunk;
    float* row = scores(r, chunk);
    if (begin >= end) return false;
    if (!plain_) {
      const size_t pair = at(r, block_.S) + static_cast<size_t>(chunk);
      finish_scores(row, begin, end, block_.scale, block_.add != nullptr ? block_.add + pair : nullptr,
                    block_.allow != nullptr ? block_.allow + pair : nullptr);
    }
    if (begin > 0 || end < count) mask_outside(row, count, begin, end);
    const Vec top = maximum(row, count);
    if (reference_[r] == minus_infinity) {
      const float reference = largest(top);
      if (reference == minus_infinity && !has_nan(row, count)) return false;
      reference_[r] = reference == minus_infinity ? 0 : reference;
    } else if (any_above(top, broadcast(reference_[r] + safe_))) {
      move_reference(r, chunk, largest(top));
    }
    max_[r] = max(top, max_[r]);
    return true;
  }

  void multiply_values(int begin, int end) {
    for (int col = 0; col < block_.d_v; col += panel) {
      const int left = smaller(block_.d_v - col, panel), width = panel_width(left);
      for (int i = 0; i < tiles_.count; ++i) {
        const int row = tiles_.begin(i);
        Tile tile{};
        tile.a = scores(row, begin);
        tile.a_stride = stride_;
        tile.b = block_.values + static_cast<size_t>(col) * static_cast<size_t>(block_.S) +
                 static_cast<size_t>(begin) * static_cast<size_t>(width);
        tile.depth = end - begin;
        tile.c = context_ + static_cast<size_t>(row) * context_stride_ + col;
        tile.c_stride = context_stride_;
        tile.start = begin > first_ ? tile.c : nullptr;
        tile.start_stride = context_stride_;
        tile.tail = lanes;
        if (width == panel) {
          multiply_rows<2>(tiles_.begin(i + 1) - row, tile);
        } else {
          multiply_rows<1>(tiles_.begin(i + 1) - row, tile);
        }
      }
    }
  }

  void move_reference(int r, int chunk, float reference) {
    const Vec factor = exp2(broadcast((reference_[r] - reference) * factor_));
    scale(scores(r, first_), chunk - first_, factor);
    scale(context_ + static_cast<size_t>(r) * context_stride_, block_.d_v, factor);
    sum_[r] = sum_[r] * factor;
    reference_[r] = reference;
  }

  static void scale(float* p, int count, Vec factor) {
    for (int j = 0; j < count; j += lanes) store(p + j, load(p + j) * factor);
  }

  void write() {
    float sum[max_block_rows + lanes] = {}, inverse[max_block_rows];
    for (int r = 0; r < block_.rows; ++r) sum[r] = total(sum_[r]);
    for (int r = 0; r < block_.rows; ++r) inverse[r] = sum[r] == 0 ? 0.0f : 1.0f / sum[r];
    for (int r = 0; r < block_.rows; ++r) write_weights(r, broadcast(inverse[r]));
    write_sums(sum);
    if (block_.stream) fence();
  }

  void write_weights(int r, Vec factor) {
    const Vec zero = broadcast(0);
    float* to = block_.weights + static_cast<size_t>(r) * static_cast<size_t>(block_.S);
    const float* from = scores(r, first_);
    if (in_place_) {
      scale(to, block_.S, factor);
    } else {
      if (first_ > 0) write_row(to, first_, block_.stream, [&](int) { return zero; });
      if (end_ > first_) {
        write_row(to + first_, end_ - first_, block_.stream, [&](int j) { return load(from + j) * factor; });
      }
      if (end_ < block_.S) write_row(to + end_, block_.S - end_, block_.stream, [&](int) { return zero; });
    }
    const float* context = context_ + static_cast<size_t>(r) * context_stride_;
    write_row(block_.context + static_cast<size_t>(r) * block_.context_stride, block_.d_v, false,
              [&](int j) { return load(context + j) * factor; });
  }

  /// Converts the sums, which are relative to the reference, to sums relative to the maximum.
  void write_sums(const float* sum) {
    float above[max_block_rows + lanes] = {};
    const bool one_chunk = end_ - first_ <= chunk_keys;
    for (int r = 0; r < block_.rows; ++r) {
      const bool nothing = sum[r] == 0;
      const float max = one_chunk ? reference_[r] : largest(max_[r]);
      above[r] = nothing ? 0.0f : (reference_[r] - max) * factor_;
      block_.row_max[r] = nothing ? 0.0f : plain_ ? max * block_.scale : max;
    }
    for (int r = 0; r < block_.rows; r += lanes) {
      store_first(block_.row_sum + r, load(sum + r) * exp2(load(above + r)), smaller(lanes, block_.rows - r));
    }
  }

  const AttentionBlock& block_;
  RowTiles tiles_;
  bool plain_, in_place_;
  float factor_;     // scores times this are exponents of two
  int first_, end_;  // keys that some row may attend to, starting at a whole panel
  float* scores_;    // rows are stride_ apart: scratch, or the weights themselves
  float* context_;
  size_t stride_, context_stride_;
  float safe_;                       // how far above the reference a score may be
  float reference_[max_block_rows];  // −inf: no allowed key yet
  Vec max_[max_block_rows], sum_[max_block_rows];
};

void attention(const AttentionBlock& block) {
  BlockPass pass(block);
  pass.run();
}

SoftmaxSum softmax(const float* x, float* y, int cols) {
  // Within a row the powers are stored in y, which may be x.
  Vec m = broadcast(minus_infinity);
  int j = 0;
  for (; j + lanes <= cols; j += lanes) m = max(load(x + j), m);
  const int rest = cols - j;
  if (rest > 0) m = max(keep(load_first(x + j, rest), 0, rest), m);
  const float reference = largest(m);
  if (reference == minus_infinity && !has_nan(x, cols)) {
    write_row(y, cols, false, [](int) { return broadcast(0); });
    return {reference, 0};
  }
  const Vec r = broadcast(reference), factor = broadcast(log2_e);
  Vec sum0 = broadcast(0), sum1 = sum0;
  for (j = 0; j + 2 * lanes <= cols; j += 2 * lanes) {
    const Vec e0 = exp2((load(x + j) - r) * factor), e1 = exp2((load(x + j + lanes) - r) * factor);
    store(y + j, e0), store(y + j + lanes, e1);
    sum0 = sum0 + e0, sum1 = sum1 + e1;
  }
  for (; j < cols; j += lanes) {
    const int count = smaller(lanes, cols - j);
    const Vec e = exp2((keep(load_first(x + j, count), 0, count) - r) * factor);
    store_first(y + j, e, count);
    sum0 = sum0 + e;
  }
  const float sum = total(sum0 + sum1);
  const Vec inverse = broadcast(1.0f / sum);
  write_row(y, cols, false, [&](int i) {
    return i + lanes <= cols ? load(y + i) * inverse : load_first(y + i, cols - i) * inverse;
  });
  return {reference, sum};
}

}  // namespace
}  // namespace headlight::nn::HEADLIGHT_KERNELS
