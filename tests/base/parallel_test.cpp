#include "base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

namespace headlight::base {
namespace {

class ParallelTest : public testing::TestWithParam<int> {};

TEST_P(ParallelTest, EveryTaskRunsOnce) {
  Parallel parallel(GetParam());
  EXPECT_EQ(parallel.threads(), GetParam());
  for (int tasks : {0, 1, 2, 3, 17, 1000}) {
    std::vector<int> count(static_cast<std::size_t>(tasks));
    parallel.run(tasks, [&](int task) { ++count[static_cast<std::size_t>(task)]; });
    EXPECT_EQ(count, std::vector<int>(static_cast<std::size_t>(tasks), 1)) << tasks;
  }
}

// Short runs one after the other: a helper that comes late to one run must not take part in the next by
// mistake.
TEST_P(ParallelTest, ManyShortRuns) {
  Parallel parallel(GetParam());
  for (int run = 0; run < 3000; ++run) {
    std::vector<int> seen(4, -1);
    parallel.run(4, [&](int task) { seen[static_cast<std::size_t>(task)] = run; });
    ASSERT_EQ(seen, std::vector<int>(4, run));
  }
}

TEST_P(ParallelTest, WakesHelpersThatSleep) {
  Parallel parallel(GetParam());
  for (int run = 0; run < 5; ++run) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // ten times as long as they spin
    std::atomic<int> sum{0};
    parallel.run(100, [&](int task) { sum += task; });
    EXPECT_EQ(sum, 4950);
  }
}

TEST_P(ParallelTest, NestedRunsAreInline) {
  Parallel parallel(GetParam());
  std::vector<int> count(8 * 8);
  std::atomic<int> elsewhere{0};
  parallel.run(8, [&](int outer) {
    const std::thread::id here = std::this_thread::get_id();
    parallel.run(8, [&](int inner) {
      if (std::this_thread::get_id() != here) ++elsewhere;
      ++count[static_cast<std::size_t>(outer * 8 + inner)];
    });
  });
  EXPECT_EQ(count, std::vector<int>(64, 1));
  EXPECT_EQ(elsewhere, 0);
}

TEST_P(ParallelTest, CallersQueue) {
  Parallel parallel(GetParam());
  std::vector<std::thread> callers;
  std::vector<long> sums(4);
  for (std::size_t caller = 0; caller < sums.size(); ++caller) {
    callers.emplace_back([&, caller] {
      for (int run = 0; run < 200; ++run) {
        std::vector<long> part(20);
        parallel.run(20, [&](int task) { part[static_cast<std::size_t>(task)] = task + run; });
        sums[caller] += std::accumulate(part.begin(), part.end(), 0L);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (long sum : sums) EXPECT_EQ(sum, 200L * 190 + 20L * (199 * 200 / 2));
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelTest, testing::Values(1, 2, 7));

TEST(Parallel, SeveralThreadsWork) {
  Parallel parallel(3);
  std::atomic<int> waiting{0};
  // Each task waits until all three have begun, which takes three threads.
  parallel.run(3, [&](int) {
    ++waiting;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (waiting < 3 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  });
  EXPECT_EQ(waiting, 3);
}

TEST(Parallel, ZeroMeansOneForEachCore) {
  EXPECT_GE(Parallel(0).threads(), 1);
  EXPECT_LE(Parallel(0).threads(), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

}  // namespace
}  // namespace headlight::base
