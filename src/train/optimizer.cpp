#include "train/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "kernels/flush.h"
#include "kernels/kernels.h"

namespace headlight::nn {

namespace {

using std::size_t;

constexpr size_t at_once = 16384;  // elements per task

/// The factors shared by all elements of a step.
struct StepFactors {
  double l2, keep, rate, root;
  StepFactors(const AdamOptions& o, double lr, int step)
      : l2(o.decoupled ? 0 : o.weight_decay),
        keep(o.decoupled ? 1 - lr * o.weight_decay : 1),
        rate(lr / (1 - std::pow(o.beta1, step))),
        root(1 / std::sqrt(1 - std::pow(o.beta2, step))) {}
};

AdamJob job_of(const AdamOptions& o, const StepFactors& f) {
  AdamJob job{};
  job.beta1 = static_cast<float>(o.beta1), job.rest1 = static_cast<float>(1 - o.beta1);
  job.beta2 = static_cast<float>(o.beta2), job.rest2 = static_cast<float>(1 - o.beta2);
  job.scale = 1;
  job.l2 = static_cast<float>(f.l2), job.keep = static_cast<float>(f.keep);
  job.rate = static_cast<float>(f.rate), job.root = static_cast<float>(f.root);
  job.eps = static_cast<float>(o.eps);
  return job;
}

template <class E>
void check_shapes(const Tensor<E>& gradient, const Tensor<E>& m, const Tensor<E>& v, const Tensor<E>& w) {
  HEADLIGHT_CHECK_OP(gradient.size(), ==, w.size());
  HEADLIGHT_CHECK_OP(m.size(), ==, w.size());
  HEADLIGHT_CHECK_OP(v.size(), ==, w.size());
}

AdamJob part_of(AdamJob job, const Matrix& g, Matrix& m, Matrix& v, Matrix& w, size_t begin) {
  job.g = g.data() + begin, job.m = m.data() + begin, job.v = v.data() + begin, job.w = w.data() + begin;
  job.count = std::min(at_once, w.size() - begin);
  return job;
}

/// Lists the tensors in order; the list is reused.
template <class W, class M>
void list(W& weights, std::vector<M*>& out) {
  out.clear();
  tensors(weights, [&](const std::string&, M& tensor) { out.push_back(&tensor); });
}

/// Lists of the tensors in a step, kept between steps.
struct Lists {
  std::vector<const Matrix*> g;
  std::vector<Matrix*> m, v, w;
  std::vector<AdamJob> jobs;
};
Lists& lists() {
  static thread_local Lists mine;
  return mine;
}

/// Creates missing moments as zeros.
void start(const ModelWeights& gradients, ModelWeights& moment) {
  if (!moment.stack.layers.empty() || !moment.wte.empty()) return;
  moment = gradients;
  tensors(moment, [](const std::string&, Matrix& tensor) { tensor.fill(0); });
}

double squares(const Matrix& m) {
  // Eight partial sums in a fixed order.
  double sum[8] = {};
  const float* p = m.data();
  const size_t size = m.size();
  size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    for (size_t n = 0; n < 8; ++n) sum[n] += static_cast<double>(p[i + n]) * static_cast<double>(p[i + n]);
  }
  for (; i < size; ++i) sum[i % 8] += static_cast<double>(p[i]) * static_cast<double>(p[i]);
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

}  // namespace

double RateSchedule::at(int step) const {
  if (step <= warmup_steps) return warmup_steps > 0 ? rate * step / warmup_steps : rate;
  if (total_steps <= 0) return rate;
  const double last = rate * last_fraction;
  const double done =
      total_steps > warmup_steps
          ? std::min(1.0, static_cast<double>(step - warmup_steps) / (total_steps - warmup_steps))
          : 1.0;
  return last + (rate - last) * (1 + std::cos(std::numbers::pi * done)) / 2;
}

void adam_step(const AdamOptions& options, double rate, int step, const Matrix& gradient, Matrix& m,
               Matrix& v, Matrix& weights) {
  if (gradient.empty()) return;
  check_shapes(gradient, m, v, weights);
  const FlushSubnormals flush;
  const AdamJob job = job_of(options, StepFactors(options, rate, step));
  for (size_t begin = 0; begin < weights.size(); begin += at_once) {
    kernels().adam(part_of(job, gradient, m, v, weights, begin));
  }
}

void adam_step(const AdamOptions& options, double rate, int step, const MatrixF64& gradient, MatrixF64& m,
               MatrixF64& v, MatrixF64& weights) {
  if (gradient.empty()) return;
  check_shapes(gradient, m, v, weights);
  const StepFactors f(options, rate, step);
  for (size_t i = 0; i < weights.size(); ++i) {
    double &m_i = m.data()[i], &v_i = v.data()[i], &w = weights.data()[i];
    const double g = gradient.data()[i] + f.l2 * w;
    m_i = options.beta1 * m_i + (1 - options.beta1) * g;
    v_i = options.beta2 * v_i + (1 - options.beta2) * g * g;
    w = w * f.keep - f.rate * m_i / (std::sqrt(v_i) * f.root + options.eps);
  }
}

void adam_step(const AdamOptions& options, double rate, const ModelWeights& gradients,
               base::Parallel& parallel, AdamState& state, ModelWeights& weights) {
  ++state.step;
  start(gradients, state.m), start(gradients, state.v);
  Lists& all = lists();
  list(gradients, all.g), list(state.m, all.m), list(state.v, all.v), list(weights, all.w);
  HEADLIGHT_CHECK(all.g.size() == all.w.size() && all.m.size() == all.w.size() &&
                  all.v.size() == all.w.size());
  all.jobs.clear();
  const AdamJob job = job_of(options, StepFactors(options, rate, state.step));
  for (size_t n = 0; n < all.w.size(); ++n) {
    if (all.g[n]->empty()) continue;
    check_shapes(*all.g[n], *all.m[n], *all.v[n], *all.w[n]);
    for (size_t begin = 0; begin < all.w[n]->size(); begin += at_once) {
      all.jobs.push_back(part_of(job, *all.g[n], *all.m[n], *all.v[n], *all.w[n], begin));
    }
  }
  parallel.run(static_cast<int>(all.jobs.size()), [&](int i) {
    const FlushSubnormals flush;
    kernels().adam(all.jobs[static_cast<size_t>(i)]);
  });
}

double gradient_norm(const ModelWeights& gradients) {
  double sum = 0;
  tensors(gradients, [&](const std::string&, const Matrix& tensor) { sum += squares(tensor); });
  return std::sqrt(sum);
}

double clip_factor(double max_norm, double norm) {
  return max_norm > 0 && norm > max_norm ? max_norm / norm : 1;
}

double clip_gradients(double max_norm, ModelWeights& gradients) {
  const double norm = gradient_norm(gradients);
  const float factor = static_cast<float>(clip_factor(max_norm, norm));
  if (factor == 1) return norm;
  tensors(gradients, [&](const std::string&, Matrix& tensor) {
    for (float& value : tensor.values()) value *= factor;
  });
  return norm;
}

}  // namespace headlight::nn
