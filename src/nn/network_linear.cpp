#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "nn/flush.h"
#include "nn/kernels.h"
#include "nn/network_parts.h"
#include "nn/panels.h"

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

constexpr double worth_sharing = 3e6;  // multiplications; below, waking a thread costs more than it brings

void share(base::Parallel& parallel, double work, int tasks, base::FunctionRef<void(int)> run) {
  const auto flushed = [&](int task) {
    const FlushSubnormals flush;
    run(task);
  };
  if (work >= worth_sharing) return parallel.run(tasks, flushed);
  for (int task = 0; task < tasks; ++task) flushed(task);
}

}  // namespace

base::Status apply(const LinearRef& linear, const Matrix& x, base::Parallel& parallel, Matrix& y) {
  const Kernels& kernels = headlight::nn::kernels();
  const TensorRef& w = linear.w;
  HEADLIGHT_CHECK_OP(x.cols(), ==, w.cols);
  HEADLIGHT_CHECK(&x != &y);
  const int rows = x.rows(), out = w.rows, in = w.cols;
  const double work = static_cast<double>(rows) * out * in;
  y.resize(rows, out);

  Matrix bias;
  if (!linear.b.empty()) {
    HEADLIGHT_CHECK_OP(linear.b.rows, ==, out);
    bias.resize(1, out);
    if (const base::Status read = read_rows(linear.b, 0, out, bias.data()); !read) return read;
  }

  FirstError error;
  const bool by_rows = w.col_step == 1 || in == 1;
  // [in, out] is read whole, since a panel of its columns lies all over the file.
  static thread_local Matrix kept;
  Matrix& whole = kept;
  if (!by_rows) {
    whole.resize(in, out);
    constexpr int at_once = 64;
    share(parallel, work, (in + at_once - 1) / at_once, [&](int task) {
      const int begin = task * at_once, end = std::min(in, begin + at_once);
      if (error.none()) error.keep(read_columns(w, begin, end, whole.row(begin).data()));
    });
    if (!error.none()) return error.take();
  }

  const int width = 2 * kernels.panel;
  share(parallel, work, (out + width - 1) / width, [&](int task) {
    static thread_local Matrix panels, stored;
    if (!error.none()) return;
    const int col = task * width;
    ProductJob job{};
    job.rows = rows, job.cols = std::min(width, out - col), job.depth = in;
    float* const packed = floats(panels, packed_size(kernels, in, job.cols));
    if (by_rows) {
      stored.resize(job.cols, in);
      if (const base::Status read = read_rows(w, col, col + job.cols, stored.data()); !read)
        return error.keep(read);
      kernels.pack_transposed(stored.data(), static_cast<size_t>(in), in, job.cols, packed);
    } else {
      kernels.pack(whole.data() + col, static_cast<size_t>(out), in, job.cols, packed);
    }
    job.a = x.data(), job.a_stride = static_cast<size_t>(in);
    job.b = packed;
    job.bias = bias.empty() ? nullptr : bias.data() + col;
    job.c = y.data() + col, job.c_stride = static_cast<size_t>(out);
    kernels.product(job);
  });
  return error.take();
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
