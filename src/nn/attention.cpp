#include "nn/attention.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "kernels/flush.h"
#include "kernels/kernels.h"
#include "kernels/panels.h"
#include "nn/rope.h"

namespace headlight::nn {

namespace {

using std::size_t;

/// Buffers that a thread needs for a task, kept between calls. The calling thread owns the packed keys and
/// values; the other threads read them.
struct Scratch {
  Matrix panels, block, keys, values;
};

Scratch& scratch() {
  static thread_local Scratch mine;
  return mine;
}

/// Below this much arithmetic (about T = 60 with AVX-512) another thread costs more than it saves, even when
/// it is awake.
double worth_sharing() {
  return 1e5 * kernels().panel;
}

/// Larger weights do not fit in the caches anyway.
constexpr size_t stream_bytes = size_t(8) << 20;

/// Each thread has its own part of the tasks, so that heads stay in its cache between stages and between
/// calls.
void share(base::Parallel& parallel, double operations, int tasks, base::FunctionRef<void(int)> work) {
  auto flushed = [&](int task) {
    const FlushSubnormals flush;
    work(task);
  };
  if (operations >= worth_sharing()) return parallel.run(tasks, flushed);
  const FlushSubnormals flush;
  for (int task = 0; task < tasks; ++task) work(task);
}

/// Cuts 0 … size into equal parts of at most `most`.
struct Cut {
  int size, parts;
  Cut(int n, int most) : size(n), parts((n + most - 1) / most) {}
  int begin(int i) const { return static_cast<int>(static_cast<long long>(size) * i / parts); }
};

/// y = x W + b.
struct Projection {
  const Matrix& x;
  const Matrix& w;
  const Matrix& b;
  Matrix& y;
};

/// Packed keys or values of all heads, one head after another.
struct HeadPanels {
  float* data = nullptr;
  size_t stride = 0;  // from one head to the next
  bool keys = false;  // transposed, [d_k, S] per head; values are [S, d_v]
};

/// Rows [row, row + rows) of columns [col, col + cols) of one head, to be packed into its panels; `y` points
/// to them. Keys: `row` begins a panel. Values: `col` begins a panel, or the columns are the whole head.
struct HeadPart {
  int head, S, d, row, rows, col, cols;
  const float* y;
  size_t y_stride;
};
void pack_part(const Kernels& kernels, const HeadPart& p, const HeadPanels& to) {
  float* const head = to.data + static_cast<size_t>(p.head) * to.stride;
  if (!to.keys) {
    const int width = p.d - p.col > kernels.panel / 2 ? kernels.panel : kernels.panel / 2;
    float* const at = head + static_cast<size_t>(p.col) * static_cast<size_t>(p.S) +
                      static_cast<size_t>(p.row) * static_cast<size_t>(width);
    return kernels.pack(p.y, p.y_stride, p.rows, p.cols, at);
  }
  for (int key = 0; key < p.rows; key += kernels.panel) {
    const int left = std::min(kernels.panel, p.rows - key);
    const int width = left > kernels.panel / 2 ? kernels.panel : kernels.panel / 2;
    float* const at = head + static_cast<size_t>(p.row + key) * static_cast<size_t>(p.d) +
                      static_cast<size_t>(p.col) * static_cast<size_t>(width);
    kernels.pack_transposed(p.y + static_cast<size_t>(key) * p.y_stride, p.y_stride, p.cols, left, at);
  }
}

/// Cuts the columns of a projection into groups that are packed and multiplied together. A group is at most
/// one panel wide and holds whole heads or a part of one head.
class ColumnGroups {
 public:
  ColumnGroups(int cols, int heads, int panel) : cols_(cols), panel_(panel), d_(std::max(1, cols / heads)) {
    HEADLIGHT_CHECK_OP(cols % heads, ==, 0);
    heads_at_once_ = std::max(1, panel / d_);
    pieces_ = (d_ + panel - 1) / panel;
    count_ = (heads + heads_at_once_ - 1) / heads_at_once_ * pieces_;
  }

  int count() const { return count_; }
  int d() const { return d_; }
  int begin(int group) const { return first_head(group) * d_ + group % pieces_ * panel_; }
  int end(int group) const {
    return pieces_ > 1 ? std::min(begin(group) + panel_, (first_head(group) + 1) * d_)
                       : std::min(cols_, (first_head(group) + heads_at_once_) * d_);
  }
  int first_head(int group) const { return group / pieces_ * heads_at_once_; }

 private:
  int cols_, panel_, d_, heads_at_once_, pieces_, count_;
};

void pack_columns(const Kernels& kernels, const Matrix& w, int begin, int end, float* to) {
  kernels.pack(w.data() + begin, static_cast<size_t>(w.cols()), w.rows(), end - begin, to);
}

PackedWeights::Packed packed_matrix(const Matrix& w, int heads, base::Parallel& parallel) {
  const Kernels& kernels = headlight::nn::kernels();
  PackedWeights::Packed to;
  if (w.empty()) return to;
  const ColumnGroups groups(w.cols(), heads, kernels.panel);
  to.stride = rounded_up(packed_size(kernels, w.rows(), kernels.panel), 16);
  to.depth = w.rows(), to.cols = w.cols();
  float* const panels = floats(to.panels, static_cast<size_t>(groups.count()) * to.stride);
  const auto pack = [&](int group) {
    pack_columns(kernels, w, groups.begin(group), groups.end(group),
                 panels + static_cast<size_t>(group) * to.stride);
  };
  share(parallel, static_cast<double>(w.size()), groups.count(), pack);
  return to;
}

/// A task is a group of columns and some rows. It packs those columns of W for itself, unless they are packed
/// already, and packs the keys or values that it has projected for their heads.
class ProjectionTasks {
 public:
  ProjectionTasks(const Projection& p, const PackedWeights::Packed* packed, const Kernels& kernels, int heads)
      : p_(p), packed_(packed), kernels_(kernels), groups_(p.w.cols(), heads, kernels.panel) {
    HEADLIGHT_CHECK_OP(p.x.cols(), ==, p.w.rows());
    if (!p.b.empty()) HEADLIGHT_CHECK_OP(p.b.size(), ==, static_cast<size_t>(p.w.cols()));
    if (packed != nullptr) {
      HEADLIGHT_CHECK_OP(packed->depth, ==, p.w.rows());
      HEADLIGHT_CHECK_OP(packed->cols, ==, p.w.cols());
    }
    p_.y.resize(p.x.rows(), p.w.cols());
    parts_ = (p.x.rows() + rows_at_once - 1) / rows_at_once;
  }

  int count() const { return groups_.count() * parts_; }

  /// Only projects, without packing, when panels.data is null.
  void run(int task, const HeadPanels& panels) const {
    const int group = task / parts_, row = task % parts_ * rows_at_once;
    const int col = groups_.begin(group), end = groups_.end(group), d = groups_.d();
    ProductJob job{};
    job.rows = std::min(p_.x.rows() - row, rows_at_once);
    job.cols = end - col;
    job.depth = p_.w.rows();
    job.a = p_.x.row(row).data();
    job.a_stride = static_cast<size_t>(p_.x.cols());
    job.b = columns(group);
    job.bias = p_.b.empty() ? nullptr : p_.b.data() + col;
    job.c = p_.y.row(row).data() + col;
    job.c_stride = static_cast<size_t>(p_.y.cols());
    kernels_.product(job);
    if (panels.data == nullptr) return;
    for (int c = col, h = groups_.first_head(group); c < end; c = ++h * d) {
      const int first = c - h * d, cols = std::min(end, (h + 1) * d) - c;
      pack_part(kernels_,
                {h, p_.x.rows(), d, row, job.rows, first, cols, p_.y.row(row).data() + c, job.c_stride},
                panels);
    }
  }

 private:
  static constexpr int rows_at_once = 384;  // whole panels of keys

  /// Returns the group's columns of W, packed.
  const float* columns(int group) const {
    if (packed_ != nullptr) return packed_->panels.data() + static_cast<size_t>(group) * packed_->stride;
    float* const mine = floats(scratch().panels, packed_size(kernels_, p_.w.rows(), kernels_.panel));
    pack_columns(kernels_, p_.w, groups_.begin(group), groups_.end(group), mine);
    return mine;
  }

  Projection p_;
  const PackedWeights::Packed* packed_;
  const Kernels& kernels_;
  ColumnGroups groups_;
  int parts_;
};

double operations(const AttentionTrace& t, int d_in, int d_out) {
  const double inner = static_cast<double>(t.heads) * (t.d_k + t.d_v);
  return 2.0 * (static_cast<double>(t.T) * t.S * inner + static_cast<double>(t.T + t.S) * inner * d_in +
                static_cast<double>(t.T) * t.heads * t.d_v * d_out);
}

/// Sets the shapes and the scale of a trace whose q, k and v have their final shape.
void describe(const AttentionOptions& options, AttentionTrace& trace) {
  HEADLIGHT_CHECK_OP(options.heads, >=, 1);
  HEADLIGHT_CHECK(options.temperature > 0);
  HEADLIGHT_CHECK_OP(trace.q.cols() % options.heads, ==, 0);
  HEADLIGHT_CHECK_OP(trace.v.cols() % options.heads, ==, 0);
  HEADLIGHT_CHECK_OP(trace.q.cols(), ==, trace.k.cols());
  HEADLIGHT_CHECK_OP(trace.k.rows(), ==, trace.v.rows());
  trace.T = trace.q.rows();
  trace.S = trace.k.rows();
  trace.heads = options.heads;
  trace.d_k = trace.q.cols() / options.heads;
  trace.d_v = trace.v.cols() / options.heads;
  const double scale =
      options.divide_by_sqrt_d_k ? 1 / std::sqrt(static_cast<double>(trace.d_k)) : options.custom_scale;
  trace.scale = static_cast<float>(scale / options.temperature);
  trace.score_cap = 0;
}

template <class E>
void check_planes(const Tensor<E>& planes, const AttentionTrace& trace) {
  if (planes.empty()) return;
  HEADLIGHT_CHECK(planes.depth() == 1 || planes.depth() == trace.heads);
  HEADLIGHT_CHECK_OP(planes.rows(), ==, trace.T);
  HEADLIGHT_CHECK_OP(planes.cols(), ==, trace.S);
}

/// Returns row t of the plane for a head, or null if there are no planes.
template <class E>
const E* plane_row(const Tensor<E>& planes, int head, int t) {
  return planes.empty() ? nullptr : planes.row(planes.depth() == 1 ? 0 : head, t).data();
}

HeadPanels key_panels(const Kernels& kernels, int heads, int S, int d_k) {
  const size_t stride = rounded_up(packed_size(kernels, d_k, S), 16);
  return {floats(scratch().keys, static_cast<size_t>(heads) * stride), stride, true};
}

HeadPanels value_panels(const Kernels& kernels, int heads, int S, int d_v) {
  const size_t stride = rounded_up(packed_size(kernels, S, d_v), 16);
  return {floats(scratch().values, static_cast<size_t>(heads) * stride), stride, false};
}

constexpr int keys_at_once = 512;  // whole panels

void pack_keys(const Kernels& kernels, const AttentionTrace& trace, int head, int begin,
               const HeadPanels& keys) {
  pack_part(kernels,
            {head, trace.S, trace.d_k, begin, std::min(trace.S - begin, keys_at_once), 0, trace.d_k,
             trace.key(head, begin), static_cast<size_t>(trace.k.cols())},
            keys);
}

/// Packs all keys and values of a trace, for q, k and v that were not projected just now.
void pack_heads(const Kernels& kernels, const AttentionTrace& trace, double work, base::Parallel& parallel,
                const HeadPanels& keys, const HeadPanels& values) {
  const int key_parts = (trace.S + keys_at_once - 1) / keys_at_once;
  const int value_parts = (trace.d_v + kernels.panel - 1) / kernels.panel;
  share(parallel, work, trace.heads * (key_parts + value_parts), [&](int task) {
    const int head = task / (key_parts + value_parts), part = task % (key_parts + value_parts);
    if (part < key_parts) return pack_keys(kernels, trace, head, part * keys_at_once, keys);
    const int col = (part - key_parts) * kernels.panel;
    pack_part(kernels,
              {head, trace.S, trace.d_v, 0, trace.S, col, std::min(kernels.panel, trace.d_v - col),
               trace.value(head, 0) + col, static_cast<size_t>(trace.v.cols())},
              values);
  });
}

/// Returns all heads, with `first` before the others.
std::vector<int> ordered_heads(int heads, const std::vector<int>& first) {
  std::vector<int> order = first;
  for (const int head : first) HEADLIGHT_CHECK(head >= 0 && head < heads);
  for (int head = 0; head < heads; ++head) {
    if (std::find(first.begin(), first.end(), head) == first.end()) order.push_back(head);
  }
  HEADLIGHT_CHECK_OP(static_cast<int>(order.size()), ==, heads);
  return order;
}

/// Computes weights, context, row_max and row_sum from q and the packed keys and values.
void attend(const AttentionOptions& options, double work, base::Parallel& parallel, AttentionTrace& trace,
            const HeadPanels& keys, const HeadPanels& values,
            const std::function<bool(float)>& keep_going = {}, const FirstHeads& first = {}) {
  const Kernels& kernels = headlight::nn::kernels();
  const int T = trace.T, S = trace.S, H = trace.heads;
  trace.allowed = allowed_keys(options.mask, T, S);
  trace.weights.resize(H, T, S);
  trace.row_max.resize(H, T);
  trace.row_sum.resize(H, T);
  trace.context.resize(T, H * trace.d_v);
  const PairMask no_pairs;
  const PairMask& pairs = options.pairs != nullptr ? *options.pairs : no_pairs;
  check_planes(pairs.allow, trace);
  check_planes(pairs.add, trace);

  const bool stream = trace.weights.size() * sizeof(float) > stream_bytes;
  const Cut rows(T, max_block_rows);
  const int blocks = H * rows.parts, reported_every = std::max(1, blocks / 100);
  const std::thread::id caller = std::this_thread::get_id();
  int reported_at = 0;  // only the calling thread uses it
  std::atomic<bool> stopped{false};
  const std::vector<int> order = ordered_heads(H, first.heads);
  const int early = static_cast<int>(first.heads.size()) * rows.parts;  // blocks of the first heads
  std::atomic<int> begun{0}, left{early};
  const auto attend_block = [&](int task) {
    if (stopped.load(std::memory_order_relaxed)) return;
    const int before = begun.fetch_add(1, std::memory_order_relaxed);
    if (keep_going && std::this_thread::get_id() == caller && before >= reported_at) {
      reported_at = before + reported_every;
      if (!keep_going(static_cast<float>(before) / static_cast<float>(blocks))) return stopped.store(true);
    }
    const int head = order[static_cast<size_t>(task / rows.parts)], row = rows.begin(task % rows.parts);
    AttentionBlock block{};
    block.rows = rows.begin(task % rows.parts + 1) - row;
    block.S = S, block.d_k = trace.d_k, block.d_v = trace.d_v;
    KeyRange allowed[max_block_rows];
    for (int r = 0; r < block.rows; ++r) {
      const base::Interval keys_of_row = trace.allowed[static_cast<size_t>(row + r)];
      allowed[r] = {keys_of_row.begin, keys_of_row.end};
    }
    block.q = trace.query(head, row);
    block.q_stride = static_cast<size_t>(trace.q.cols());
    block.keys = keys.data + static_cast<size_t>(head) * keys.stride;
    block.values = values.data + static_cast<size_t>(head) * values.stride;
    block.allowed = allowed;
    block.add = plane_row(pairs.add, head, row);
    block.allow = plane_row(pairs.allow, head, row);
    block.weights = trace.weights.row(head, row).data();
    block.row_max = trace.row_max.row(head).data() + row;
    block.row_sum = trace.row_sum.row(head).data() + row;
    block.context =
        trace.context.row(row).data() + static_cast<size_t>(head) * static_cast<size_t>(trace.d_v);
    block.context_stride = static_cast<size_t>(trace.context.cols());
    block.scratch = floats(scratch().block, attention_scratch(kernels, block.rows, S, trace.d_v));
    block.scale = trace.scale;
    block.stream = stream;
    kernels.attention(block);
    if (task < early && --left == 0) first.done(trace);
  };
  // The first heads have their own run, because each thread begins at a different part of a run.
  if (early > 0) share(parallel, work, early, attend_block);
  share(parallel, work, blocks - early, [&](int task) { attend_block(early + task); });

  if (options.keep_scores) {
    trace.scores = attention_scores(trace, options.pairs, parallel);
  } else {
    trace.scores.resize(0, 0, 0);
  }
}

}  // namespace

PackedWeights packed(const AttentionWeights& weights, int heads, base::Parallel& parallel) {
  HEADLIGHT_CHECK_OP(heads, >=, 1);
  return {packed_matrix(weights.w_q, heads, parallel),
          packed_matrix(weights.w_k, heads, parallel),
          packed_matrix(weights.w_v, heads, parallel),
          packed_matrix(weights.w_o, 1, parallel),
          heads,
          kernels().panel};
}

bool fits(const PackedWeights& packed, int heads) {
  return packed.heads == heads && packed.panel == kernels().panel;
}

void attention_forward(const Matrix& x, const Matrix& x_kv, const AttentionWeights& weights,
                       const AttentionOptions& options, base::Parallel& parallel, AttentionTrace& trace,
                       const std::function<bool(float)>& keep_going, const FirstHeads& first) {
  const Kernels& kernels = headlight::nn::kernels();
  HEADLIGHT_CHECK_OP(options.heads, >=, 1);
  const PackedWeights* const packed = options.packed;
  if (packed != nullptr) HEADLIGHT_CHECK(fits(*packed, options.heads));
  const ProjectionTasks q({x, weights.w_q, weights.b_q, trace.q}, packed != nullptr ? &packed->q : nullptr,
                          kernels, options.heads),
      k({x_kv, weights.w_k, weights.b_k, trace.k}, packed != nullptr ? &packed->k : nullptr, kernels,
        options.heads),
      v({x_kv, weights.w_v, weights.b_v, trace.v}, packed != nullptr ? &packed->v : nullptr, kernels,
        options.heads);
  describe(options, trace);
  const double work = operations(trace, x.cols(), weights.w_o.cols());
  const HeadPanels keys = key_panels(kernels, trace.heads, trace.S, trace.d_k),
                   values = value_panels(kernels, trace.heads, trace.S, trace.d_v);
  // All stages process the heads in the same order; q, k and v of a head are neighbours.
  const bool packs = !options.rope, alike = k.count() == q.count() && v.count() == q.count();
  share(parallel, work, q.count() + k.count() + v.count(), [&](int task) {
    const int q_or_more = alike ? task % 3 : task < q.count() ? 0 : task < q.count() + k.count() ? 1 : 2;
    if (q_or_more == 0) return q.run(alike ? task / 3 : task, {});
    if (q_or_more == 1) return k.run(alike ? task / 3 : task - q.count(), packs ? keys : HeadPanels());
    v.run(alike ? task / 3 : task - q.count() - k.count(), packs ? values : HeadPanels());
  });
  if (options.rope) {
    rotate(*options.rope, trace.heads, trace.q, static_cast<long>(trace.S) - trace.T);
    rotate(*options.rope, trace.heads, trace.k);
    pack_heads(kernels, trace, work, parallel, keys, values);
  }
  attend(options, work, parallel, trace, keys, values, keep_going, first);
  if (weights.w_o.empty()) {
    trace.output = trace.context;
    return;
  }
  const ProjectionTasks output({trace.context, weights.w_o, weights.b_o, trace.output},
                               packed != nullptr ? &packed->o : nullptr, kernels, 1);
  share(parallel, work, output.count(), [&](int task) { output.run(task, {}); });
}

void attention_from_qkv(const AttentionOptions& options, base::Parallel& parallel, AttentionTrace& trace) {
  const Kernels& kernels = headlight::nn::kernels();
  describe(options, trace);
  const double work = operations(trace, 0, 0);
  const HeadPanels keys = key_panels(kernels, trace.heads, trace.S, trace.d_k),
                   values = value_panels(kernels, trace.heads, trace.S, trace.d_v);
  pack_heads(kernels, trace, work, parallel, keys, values);
  attend(options, work, parallel, trace, keys, values);
  trace.output = trace.context;
}

void softmax_rows(const float* x, float* y, int rows, int cols, base::Parallel& parallel) {
  const Kernels& kernels = headlight::nn::kernels();
  const Cut parts(rows, std::max(1, 16384 / std::max(1, cols)));
  share(parallel, 60.0 * rows * cols, parts.parts, [&](int part) {
    for (int row = parts.begin(part); row < parts.begin(part + 1); ++row) {
      const size_t at = static_cast<size_t>(row) * static_cast<size_t>(cols);
      kernels.softmax(x + at, y + at, cols);
    }
  });
}

Matrix attention_scores(const AttentionTrace& trace, const PairMask* pairs, base::Parallel& parallel) {
  const Kernels& kernels = headlight::nn::kernels();
  const int T = trace.T, S = trace.S, H = trace.heads;
  Matrix scores;
  scores.resize(H, T, S);
  if (pairs != nullptr) check_planes(pairs->add, trace);
  const double work = 2.0 * H * T * S * trace.d_k;
  const HeadPanels keys = key_panels(kernels, H, S, trace.d_k);
  share(parallel, work, H, [&](int head) {
    for (int begin = 0; begin < S; begin += keys_at_once) pack_keys(kernels, trace, head, begin, keys);
  });
  const Cut rows(T, max_block_rows);
  share(parallel, work, H * rows.parts, [&](int task) {
    const int head = task / rows.parts, begin = rows.begin(task % rows.parts);
    ProductJob job{};
    job.rows = rows.begin(task % rows.parts + 1) - begin;
    job.cols = S;
    job.depth = trace.d_k;
    job.a = trace.query(head, begin);
    job.a_stride = static_cast<size_t>(trace.q.cols());
    job.b = keys.data + static_cast<size_t>(head) * keys.stride;
    job.c = scores.row(head, begin).data();
    job.c_stride = static_cast<size_t>(S);
    kernels.product(job);
    for (int row = begin; row < begin + job.rows; ++row) {
      float* score = scores.row(head, row).data();
      const float* add = pairs != nullptr ? plane_row(pairs->add, head, row) : nullptr;
      const float cap = trace.score_cap;
      for (int j = 0; j < S; ++j) {
        const float scaled = score[j] * trace.scale;
        score[j] = (cap > 0 ? cap * std::tanh(scaled / cap) : scaled) + (add != nullptr ? add[j] : 0.0f);
      }
    }
  });
  return scores;
}

}  // namespace headlight::nn
