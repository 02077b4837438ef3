// Measuring in the background: it gets somewhere, it stops, what was measured stays.
#include "session/cost_job.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <new>
#include <thread>

#include "pages/cost/cost.h"

namespace headlight::app {
namespace {

using namespace std::chrono_literals;

template <class Condition>
bool soon(Condition&& condition) {
  for (int i = 0; i < 6000 && !condition(); ++i) std::this_thread::sleep_for(5ms);
  return condition();
}

TEST(CostJob, MeasuresOneLengthAfterTheOther) {
  std::atomic<int> calls{0};
  CostJob job([&] { ++calls; }, 1);
  EXPECT_EQ(job.latest(), nullptr);
  EXPECT_FALSE(job.running());
  job.start(2);
  EXPECT_TRUE(job.latest());
  ASSERT_TRUE(soon([&] { return job.latest()->rows.size() >= 2; }));
  job.stop();
  ASSERT_TRUE(soon([&] { return !job.running(); }));
  const auto done = job.latest();
  EXPECT_EQ(done->d, 2);
  EXPECT_GE(calls.load(), 3);
  int T = 16;
  for (const scene::CostMeasurement& row : done->rows) {
    EXPECT_EQ(row.T, T);
    EXPECT_GT(row.recurrence.ms, 0);
    EXPECT_GT(row.attention.ms, 0);
    EXPECT_GT(row.tiled.ms, 0);
    T *= 2;
  }
}

TEST(CostJob, WhatCannotBeMeasuredIsSaidAndTheRestStays) {
  CostJob job([] {}, 1,
              [](int T, int d, base::Parallel& parallel, const std::function<bool()>& keep_going) {
                if (T > 16) throw std::bad_alloc();
                return scene::measure_cost(T, d, parallel, keep_going);
              });
  job.start(2);
  ASSERT_TRUE(soon([&] { return !job.running(); }));
  EXPECT_EQ(job.latest()->rows.size(), 1u);
  const std::string problem = job.take_problem();
  EXPECT_EQ(problem.find("no more lengths were timed: "), 0u) << problem;
  EXPECT_EQ(job.take_problem(), "") << "once";
}

TEST(CostJob, StartsAnewAndEndsWithItsOwner) {
  CostJob job([] {}, 1);
  job.start(8);
  const auto first = job.latest();
  job.start(4);
  ASSERT_TRUE(soon([&] { return !job.latest()->rows.empty(); }));
  EXPECT_EQ(job.latest()->d, 4);
  EXPECT_EQ(first->d, 8);  // what was given out does not change
}  // the owner goes while it measures

TEST(CostJob, StartsAtOnceWhateverTheWorkerIsIn) {
  const std::thread::id here = std::this_thread::get_id();
  std::atomic<bool> held{true}, inside{false};
  CostJob job(
      [&] {
        if (std::this_thread::get_id() == here) return;
        inside = true;
        while (held) std::this_thread::sleep_for(1ms);
      },
      1);
  job.start(2);
  ASSERT_TRUE(soon([&] { return inside.load(); }));
  // The worker cannot get on; these calls come back all the same.
  for (int d = 100; d < 300; ++d) {
    job.start(d);
    EXPECT_EQ(job.latest()->d, d);
    EXPECT_TRUE(job.latest()->rows.empty());
    EXPECT_TRUE(job.running());
    EXPECT_EQ(job.latest()->lengths, static_cast<int>(scene::lengths_to_measure(d).size()));
  }
  job.start(3);
  held = false;
  ASSERT_TRUE(soon([&] { return job.latest()->rows.size() >= 2; }));
  EXPECT_EQ(job.latest()->d, 3);  // of all that were asked for the last one
  EXPECT_GT(job.latest()->fraction, 0);
  EXPECT_LE(job.latest()->fraction, 1);
}

TEST(CostJob, StoppedBeforeItBeginsItMeasuresNothing) {
  CostJob job([] {}, 1);
  job.start(64);
  job.stop();
  ASSERT_TRUE(soon([&] { return !job.running(); }));
  EXPECT_LT(static_cast<int>(job.latest()->rows.size()), job.latest()->lengths);
  job.start(2);  // and begins again
  ASSERT_TRUE(soon([&] { return !job.latest()->rows.empty(); }));
  EXPECT_EQ(job.latest()->d, 2);
}

}  // namespace
}  // namespace headlight::app
