#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "kernels/flush.h"
#include "kernels/kernels.h"
#include "kernels/panels.h"
#include "kernels/tensor_reads.h"
#include "network/network_parts.h"

namespace headlight::nn {

namespace {

using std::size_t;

/// The first error of several threads.
class FirstError {
 public:
  bool none() const { return !failed_.load(std::memory_order_relaxed); }
  void keep(const base::Status& status) {
    if (status) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!error_) error_ = base::Error{status.error()};
    failed_ = true;
  }
  base::Status take() { return error_ ? base::Status(*error_) : base::Status(); }

 private:
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::optional<base::Error> error_;
};

constexpr double worth_sharing = 3e6;  // multiplications; with fewer, waking a thread costs more than it
                                       // saves

void share(base::Parallel& parallel, double work, int tasks, base::FunctionRef<void(int)> run) {
  const auto flushed = [&](int task) {
    const FlushSubnormals flush;
    run(task);
  };
  if (work >= worth_sharing) return parallel.run(tasks, flushed);
  for (int task = 0; task < tasks; ++task) flushed(task);
}

/// Returns whether `next` begins where `first` ends in each stored row.
bool follows(const TensorRef& first, const TensorRef& next) {
  return first.bytes == next.bytes && first.type == next.type && first.row_step == 1 && next.row_step == 1 &&
         first.col_step == next.col_step && first.cols == next.cols && first.group == 0 && next.group == 0 &&
         next.begin == first.begin + static_cast<std::uint64_t>(first.rows) * width_of(first.type);
}

bool continue_with(const LinearRef& first, const LinearRef& next) {
  const bool side_by_side = first.w.cols > 1 && first.w.col_step > first.w.rows && follows(first.w, next.w);
  const bool no_bias = first.b.empty() && next.b.empty();
  return side_by_side && (no_bias || (!first.b.empty() && !next.b.empty() && follows(first.b, next.b)));
}

/// The computation of y = x Wᵀ + b.
struct Job {
  const TensorRef& w;
  const Matrix &x, &bias;
  base::Parallel& parallel;
  Matrix& y;
  double work() const { return static_cast<double>(x.rows()) * w.rows * w.cols; }
};

/// The weights are used unchecked; `odd` is set when a result is not finite.
class Product {
 public:
  explicit Product(const Job& job)
      : job_(job),
        kernels_(headlight::nn::kernels()),
        by_rows_(job.w.col_step == 1 || job.w.cols == 1),
        lie_(by_rows_ ? rows_in_memory(job.w) : columns_in_memory(job.w)) {}

  base::Status run() {
    const TensorRef& w = job_.w;
    if (job_.x.rows() <= few) {
      by_rows_ ? few_by_rows() : few_by_columns();
    } else {
      by_rows_ ? many_by_rows() : many_by_columns();
    }
    if (!error_.none()) return error_.take();
    if (lie_.at != nullptr)
      if (const base::Status status = w.bytes->unchanged(); !status) return status;
    return odd_ ? check_finite(w) : base::Status();
  }

 private:
  static constexpr int few = 8;  // rows of x

  size_t in() const { return static_cast<size_t>(job_.w.cols); }
  size_t out() const { return static_cast<size_t>(job_.w.rows); }
  const float* bias(int col) const { return job_.bias.empty() ? nullptr : job_.bias.data() + col; }

  void look_at(const float* y, size_t stride, int rows, int cols) {
    for (int row = 0; row < rows; ++row)
      if (!finite(y + static_cast<size_t>(row) * stride, static_cast<size_t>(cols))) odd_ = true;
  }

  /// Computes columns of y from weights in panels.
  void multiply(const float* packed, int col, int cols) {
    ProductJob product{};
    product.rows = job_.x.rows(), product.cols = cols, product.depth = job_.w.cols;
    product.a = job_.x.data(), product.a_stride = in();
    product.b = packed;
    product.bias = bias(col);
    product.c = job_.y.data() + col, product.c_stride = out();
    kernels_.product(product);
    look_at(product.c, out(), product.rows, cols);
  }

  void many_by_rows() {
    const int width = 2 * kernels_.panel, all = job_.w.rows, depth = job_.w.cols;
    share(job_.parallel, job_.work(), (all + width - 1) / width, [&](int task) {
      static thread_local Matrix panels, stored;
      if (!error_.none()) return;
      const int col = task * width, cols = std::min(width, all - col);
      float* const packed = floats(panels, packed_size(kernels_, depth, cols));
      const InMemory rows = lines(col, col + cols, stored);
      if (rows.at == nullptr) return;
      kernels_.pack_transposed(rows.at, rows.stride, depth, cols, packed);
      multiply(packed, col, cols);
    });
  }

  /// A matrix [in, out] that must be read is read whole, since a panel of its columns is spread over the
  /// whole file.
  void many_by_columns() {
    static thread_local Matrix kept;
    Matrix& whole = kept;
    const int all = job_.w.rows, depth = job_.w.cols;
    InMemory columns = lie_;
    if (columns.at == nullptr) {
      whole.resize(depth, all);
      const int at_once = lines_at_once(all);
      share(job_.parallel, job_.work(), (depth + at_once - 1) / at_once, [&](int task) {
        const int begin = task * at_once, end = std::min(depth, begin + at_once);
        if (error_.none())
          error_.keep(read_columns(job_.w, begin, end, Look::not_now, whole.row(begin).data()));
      });
      if (!error_.none()) return;
      columns = {whole.data(), out()};
    }
    const int width = 2 * kernels_.panel;
    share(job_.parallel, job_.work(), (all + width - 1) / width, [&](int task) {
      static thread_local Matrix panels;
      const int col = task * width, cols = std::min(width, all - col);
      float* const packed = floats(panels, packed_size(kernels_, depth, cols));
      kernels_.pack(columns.at + col, columns.stride, depth, cols, packed);
      multiply(packed, col, cols);
    });
  }

  /// Returns rows (or columns) [begin, end) of W in place, or read into `stored`; null: reading failed.
  InMemory lines(int begin, int end, Matrix& stored) {
    if (lie_.at != nullptr) return {lie_.at + static_cast<size_t>(begin) * lie_.stride, lie_.stride};
    const int length = by_rows_ ? job_.w.cols : job_.w.rows;
    stored.resize(end - begin, length);
    const base::Status read = by_rows_ ? read_rows(job_.w, begin, end, Look::not_now, stored.data())
                                       : read_columns(job_.w, begin, end, Look::not_now, stored.data());
    if (!read) return error_.keep(read), InMemory{};
    return {stored.data(), static_cast<size_t>(length)};
  }

  /// The lines read at once stay in the second-level cache until they are multiplied.
  static int lines_at_once(int length) { return std::max(1, (1 << 16) / std::max(1, length)); }

  /// Multiplies one row of x: each weight is used once.
  void one_by_rows() {
    const int all = job_.w.rows, at_once = lines_at_once(job_.w.cols);
    share(job_.parallel, job_.work(), (all + at_once - 1) / at_once, [&](int task) {
      static thread_local Matrix stored;
      if (!error_.none()) return;
      const int begin = task * at_once, count = std::min(all - begin, at_once);
      const InMemory rows = lines(begin, begin + count, stored);
      if (rows.at == nullptr) return;
      float* const y = job_.y.data() + begin;
      kernels_.row_dots(rows.at, rows.stride, count, job_.w.cols, job_.x.data(), y);
      for (int i = 0; i < count && !job_.bias.empty(); ++i) y[i] += bias(begin)[i];
      look_at(y, out(), 1, count);
    });
  }

  /// Packs x as a panel and multiplies the rows of W with it, because packing W would take longer than the
  /// product.
  void few_by_rows() {
    const int T = job_.x.rows(), all = job_.w.rows, depth = job_.w.cols, at_once = lines_at_once(depth);
    if (T == 1) return one_by_rows();
    Matrix panel;
    float* const packed = floats(panel, packed_size(kernels_, depth, T));
    kernels_.pack_transposed(job_.x.data(), in(), depth, T, packed);
    share(job_.parallel, job_.work(), (all + at_once - 1) / at_once, [&](int task) {
      static thread_local Matrix stored, turned;
      if (!error_.none()) return;
      const int begin = task * at_once, count = std::min(all - begin, at_once);
      turned.resize(count, T);
      const InMemory rows = lines(begin, begin + count, stored);
      if (rows.at == nullptr) return;
      ProductJob product{};
      product.rows = count, product.cols = T, product.depth = depth;
      product.a = rows.at, product.a_stride = rows.stride;
      product.b = packed;
      product.c = turned.data(), product.c_stride = static_cast<size_t>(T);
      kernels_.product(product);
      for (int t = 0; t < T; ++t) {
        float* const y = job_.y.row(t).data() + begin;
        for (int i = 0; i < count; ++i)
          y[i] = turned.row(i)[static_cast<size_t>(t)] + (job_.bias.empty() ? 0.0f : bias(begin)[i]);
      }
      look_at(job_.y.data() + begin, out(), T, count);
    });
  }

  /// Multiplies some contiguous columns of W with as many of x; the sums are added in a fixed order.
  void few_by_columns() {
    constexpr int most_tasks_of_one = 16;  // tasks per product; one thread adds their sums at the end
    const int T = job_.x.rows(), all = job_.w.rows, depth = job_.w.cols;
    const int least = T == 1 ? (depth + most_tasks_of_one - 1) / most_tasks_of_one : 1;
    const int at_once = std::max(least, lines_at_once(all)), tasks = (depth + at_once - 1) / at_once;
    static thread_local Matrix kept;
    Matrix& sums = kept;
    sums.resize(tasks, T, all);
    share(job_.parallel, job_.work(), tasks, [&](int task) {
      static thread_local Matrix stored, x, panel;
      if (!error_.none()) return;
      const int begin = task * at_once, count = std::min(depth - begin, at_once);
      const InMemory columns = lines(begin, begin + count, stored);
      if (columns.at == nullptr) return;
      if (T == 1) {
        std::fill_n(sums.plane(task), all, 0.0f);
        return kernels_.row_sum(job_.x.data() + begin, columns.at, columns.stride, count, all,
                                sums.plane(task));
      }
      x.resize(count, T);
      for (int t = 0; t < T; ++t)
        for (int i = 0; i < count; ++i)
          x.row(i)[static_cast<size_t>(t)] = job_.x.row(t)[static_cast<size_t>(begin + i)];
      TransposedJob product{};
      product.rows = T, product.cols = all, product.depth = count;
      product.a = x.data(), product.a_stride = static_cast<size_t>(T);
      product.b = columns.at, product.b_stride = columns.stride;
      product.c = sums.plane(task), product.c_stride = out();
      product.scratch = floats(panel, static_cast<size_t>(transposed_depth * kernels_.panel));
      kernels_.transposed(product);
    });
    if (!error_.none()) return;
    const size_t count = job_.y.size();
    for (int t = 0; t < T; ++t) {
      float* const y = job_.y.row(t).data();
      for (int i = 0; i < all; ++i) y[i] = job_.bias.empty() ? 0.0f : bias(0)[i];
    }
    for (int task = 0; task < tasks; ++task) {
      const float* const more = sums.plane(task);
      for (size_t i = 0; i < count; ++i) job_.y.data()[i] += more[i];
    }
    look_at(job_.y.data(), out(), T, all);
  }

  const Job& job_;
  const Kernels& kernels_;
  const bool by_rows_;  // each row of W is contiguous; else each column
  const InMemory lie_;
  FirstError error_;
  std::atomic<bool> odd_{false};
};

}  // namespace

base::Status apply(const LinearRef& linear, const Matrix& x, base::Parallel& parallel, Matrix& y) {
  HEADLIGHT_CHECK_OP(x.cols(), ==, linear.w.cols);
  HEADLIGHT_CHECK(&x != &y);
  y.resize(x.rows(), linear.w.rows);
  Matrix bias;
  if (!linear.b.empty()) {
    HEADLIGHT_CHECK_OP(linear.b.rows, ==, linear.w.rows);
    bias.resize(1, linear.b.rows);
    if (const base::Status read = read_rows(linear.b, 0, linear.b.rows, bias.data()); !read) return read;
  }
  const Job job{linear.w, x, bias, parallel, y};
  return Product(job).run();
}

base::Status apply_all(std::span<const Applied> projections, const Matrix& x, base::Parallel& parallel) {
  for (size_t begin = 0, end = 1; begin < projections.size(); begin = end++) {
    LinearRef all = *projections[begin].linear;
    while (end < projections.size() && continue_with(all, *projections[end].linear)) {
      all.w.rows += projections[end].linear->w.rows;
      all.b.rows += projections[end].linear->b.rows;
      ++end;
    }
    if (end - begin == 1) {
      if (const base::Status status = apply(all, x, parallel, *projections[begin].y); !status) return status;
      continue;
    }
    Matrix together;
    if (const base::Status status = apply(all, x, parallel, together); !status) return status;
    int col = 0;
    for (size_t i = begin; i < end; ++i) {
      Matrix& y = *projections[i].y;
      y.resize(x.rows(), projections[i].linear->w.rows);
      for (int t = 0; t < x.rows(); ++t) std::copy_n(together.row(t).data() + col, y.cols(), y.row(t).data());
      col += y.cols();
    }
  }
  return {};
}

base::Status look_up(const TensorRef& table, std::span<const int> rows, Matrix& y) {
  y.resize(static_cast<int>(rows.size()), table.cols);
  for (size_t t = 0; t < rows.size(); ++t) {
    if (const base::Status read = read_rows(table, rows[t], rows[t] + 1, y.row(static_cast<int>(t)).data());
        !read)
      return read;
  }
  return {};
}

}  // namespace headlight::nn
