#include "nn/tiled.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/flush.h"
#include "kernels/kernels.h"
#include "kernels/panels.h"

namespace headlight::nn {

namespace {

using std::size_t;

constexpr int tile_keys = 512;  // whole panels on every instruction set; a tile's scores stay in the caches

/// Buffers that a thread needs for a tile.
struct TileScratch {
  Matrix block, weights, add, context;
};
TileScratch& tile_scratch() {
  static thread_local TileScratch mine;
  return mine;
}

/// Keys and values packed tile by tile, for all heads.
struct PackedTiles {
  const Kernels& kernels;
  int tiles, d_k, d_v;
  size_t key_stride, value_stride;  // floats of one tile
  Matrix keys, values;              // [H·tiles] tiles

  PackedTiles(const Kernels& k, const TiledTrace& t)
      : kernels(k),
        tiles((t.S + tile_keys - 1) / tile_keys),
        d_k(t.d_k),
        d_v(t.d_v),
        key_stride(rounded_up(packed_size(k, t.d_k, std::min(t.S, tile_keys)), 16)),
        value_stride(rounded_up(packed_size(k, std::min(t.S, tile_keys), t.d_v), 16)) {
    floats(keys, static_cast<size_t>(t.heads * tiles) * key_stride);
    floats(values, static_cast<size_t>(t.heads * tiles) * value_stride);
  }
  float* keys_of(int head, int tile) {
    return keys.data() + static_cast<size_t>(head * tiles + tile) * key_stride;
  }
  float* values_of(int head, int tile) {
    return values.data() + static_cast<size_t>(head * tiles + tile) * value_stride;
  }
};

void describe(const TiledOptions& options, TiledTrace& t) {
  const AttentionOptions& o = options.attention;
  HEADLIGHT_CHECK(!o.keep_scores && o.pairs == nullptr);
  HEADLIGHT_CHECK_OP(o.heads, >=, 1);
  HEADLIGHT_CHECK(o.temperature > 0);
  HEADLIGHT_CHECK_OP(t.q.cols() % o.heads, ==, 0);
  HEADLIGHT_CHECK_OP(t.v.cols() % o.heads, ==, 0);
  HEADLIGHT_CHECK_OP(t.q.cols(), ==, t.k.cols());
  HEADLIGHT_CHECK_OP(t.k.rows(), ==, t.v.rows());
  t.T = t.q.rows(), t.S = t.k.rows(), t.heads = o.heads;
  t.d_k = t.q.cols() / o.heads, t.d_v = t.v.cols() / o.heads;
  const double scale = o.divide_by_sqrt_d_k ? 1 / std::sqrt(static_cast<double>(t.d_k)) : o.custom_scale;
  t.scale = static_cast<float>(scale / o.temperature);
  if (options.by_distance == nullptr) return;
  HEADLIGHT_CHECK(options.by_distance->rows() == 1 || options.by_distance->rows() == t.heads);
  HEADLIGHT_CHECK_OP(options.by_distance->cols(), ==, std::max(0, t.T + t.S - 1));
}

/// Returns the added numbers of some queries and keys, [rows, cols], or null.
const float* added(const TiledOptions& options, int T, int head, int query, int rows, int key, int cols) {
  if (options.by_distance == nullptr) return nullptr;
  const Matrix& all = *options.by_distance;
  const float* by_distance = all.row(all.rows() == 1 ? 0 : head).data();
  float* add = floats(tile_scratch().add, static_cast<size_t>(rows) * static_cast<size_t>(cols));
  for (int r = 0; r < rows; ++r) {
    std::copy_n(by_distance + (key - (query + r) + T - 1), static_cast<size_t>(cols),
                add + static_cast<size_t>(r) * static_cast<size_t>(cols));
  }
  return add;
}

/// The running maximum, sum and average of a block of queries.
struct Running {
  float max[max_block_rows], sum[max_block_rows];
  float* output;  // of the first query
  size_t stride;
  int rows, d_v;

  void take(const float* tile_max, const float* tile_sum, const float* tile_output) {
    for (int r = 0; r < rows; ++r) {
      if (tile_sum[r] == 0) continue;
      float* out = output + static_cast<size_t>(r) * stride;
      const float* in = tile_output + static_cast<size_t>(r) * static_cast<size_t>(d_v);
      if (sum[r] == 0) {
        std::copy_n(in, static_cast<size_t>(d_v), out);
        max[r] = tile_max[r], sum[r] = tile_sum[r];
        continue;
      }
      const float top = std::max(max[r], tile_max[r]);
      const float old_mass = sum[r] * std::exp(max[r] - top);
      const float new_mass = tile_sum[r] * std::exp(tile_max[r] - top);
      max[r] = top, sum[r] = old_mass + new_mass;
      const float old_part = old_mass / sum[r], new_part = new_mass / sum[r];
      for (int c = 0; c < d_v; ++c) out[c] = out[c] * old_part + in[c] * new_part;
    }
  }
};

/// Runs one block of queries of one head over all tiles.
void run_block(const TiledOptions& options, const std::vector<base::Interval>& allowed, int head, int first,
               int rows, PackedTiles& packed, TiledTrace& trace) {
  Running running;
  running.output =
      trace.output.row(first).data() + static_cast<size_t>(head) * static_cast<size_t>(trace.d_v);
  running.stride = static_cast<size_t>(trace.output.cols());
  running.rows = rows, running.d_v = trace.d_v;
  for (int r = 0; r < rows; ++r) {
    running.max[r] = 0, running.sum[r] = 0;
    std::fill_n(running.output + static_cast<size_t>(r) * running.stride, static_cast<size_t>(trace.d_v),
                0.f);
  }
  for (int tile = 0; tile < packed.tiles; ++tile) {
    const int begin = tile * tile_keys, keys = std::min(tile_keys, trace.S - begin);
    KeyRange ranges[max_block_rows];
    bool any = false;
    for (int r = 0; r < rows; ++r) {
      const base::Interval row = allowed[static_cast<size_t>(first + r)];
      ranges[r] = {std::clamp(row.begin - begin, 0, keys), std::clamp(row.end - begin, 0, keys)};
      ranges[r].end = std::max(ranges[r].begin, ranges[r].end);
      any = any || ranges[r].begin < ranges[r].end;
    }
    if (!any) continue;
    float tile_max[max_block_rows], tile_sum[max_block_rows];
    AttentionBlock block{};
    block.q = trace.q.row(first).data() + static_cast<size_t>(head) * static_cast<size_t>(trace.d_k);
    block.q_stride = static_cast<size_t>(trace.q.cols());
    block.keys = packed.keys_of(head, tile);
    block.values = packed.values_of(head, tile);
    block.allowed = ranges;
    block.add = added(options, trace.T, head, first, rows, begin, keys);
    block.weights = floats(tile_scratch().weights, static_cast<size_t>(rows) * static_cast<size_t>(keys));
    block.row_max = tile_max;
    block.row_sum = tile_sum;
    block.context =
        floats(tile_scratch().context, static_cast<size_t>(rows) * static_cast<size_t>(trace.d_v));
    block.context_stride = static_cast<size_t>(trace.d_v);
    block.scratch = floats(tile_scratch().block, attention_scratch(packed.kernels, rows, keys, trace.d_v));
    block.scale = trace.scale;
    block.rows = rows, block.S = keys, block.d_k = trace.d_k, block.d_v = trace.d_v;
    packed.kernels.attention(block);
    running.take(tile_max, tile_sum, block.context);
  }
  std::copy_n(running.max, rows, trace.row_max.row(head).data() + first);
  std::copy_n(running.sum, rows, trace.row_sum.row(head).data() + first);
}

}  // namespace

void tiled_attention(const TiledOptions& options, base::Parallel& parallel, TiledTrace& trace) {
  describe(options, trace);
  const Kernels& kernels = headlight::nn::kernels();
  trace.row_max.resize(trace.heads, trace.T);
  trace.row_sum.resize(trace.heads, trace.T);
  trace.output.resize(trace.T, trace.heads * trace.d_v);
  const std::vector<base::Interval> allowed = allowed_keys(options.attention.mask, trace.T, trace.S);
  PackedTiles packed(kernels, trace);
  parallel.run(trace.heads * packed.tiles, [&](int task) {
    const int head = task / packed.tiles, tile = task % packed.tiles;
    const int begin = tile * tile_keys, keys = std::min(tile_keys, trace.S - begin);
    kernels.pack_transposed(
        trace.k.row(begin).data() + static_cast<size_t>(head) * static_cast<size_t>(trace.d_k),
        static_cast<size_t>(trace.k.cols()), trace.d_k, keys, packed.keys_of(head, tile));
    kernels.pack(trace.v.row(begin).data() + static_cast<size_t>(head) * static_cast<size_t>(trace.d_v),
                 static_cast<size_t>(trace.v.cols()), keys, trace.d_v, packed.values_of(head, tile));
  });
  const int blocks = (trace.T + max_block_rows - 1) / max_block_rows;
  parallel.run(trace.heads * blocks, [&](int task) {
    const FlushSubnormals flush;
    const int first = task % blocks * max_block_rows;
    run_block(options, allowed, task / blocks, first, std::min(max_block_rows, trace.T - first), packed,
              trace);
  });
}

std::size_t tiled_bytes(int T, int S, int heads, int d_k, int d_v, int threads) {
  const Kernels& kernels = headlight::nn::kernels();
  const size_t tiles = static_cast<size_t>((S + tile_keys - 1) / tile_keys) * static_cast<size_t>(heads);
  const size_t packed = tiles * (packed_size(kernels, d_k, tile_keys) + packed_size(kernels, tile_keys, d_v));
  const size_t result = static_cast<size_t>(T) * static_cast<size_t>(heads) * static_cast<size_t>(d_v + 2);
  const size_t thread = attention_scratch(kernels, max_block_rows, tile_keys, d_v) +
                        static_cast<size_t>(max_block_rows * (2 * tile_keys + d_v));
  return sizeof(float) * (packed + result + thread * static_cast<size_t>(threads));
}

std::size_t dense_bytes(int T, int S, int heads) {
  return sizeof(float) * static_cast<size_t>(heads) * static_cast<size_t>(T) * static_cast<size_t>(S);
}

}  // namespace headlight::nn
