#include "base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
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

// Each thread has a part of the tasks to begin with; whoever is done takes from the others', so that a thread
// which is held up holds nobody up.
TEST_P(ParallelTest, ThreadsTakeFromEachOther) {
  Parallel parallel(GetParam());
  for (const int held_up : {0, 63}) {  // a task of the first part, and of the last
    std::atomic<int> done{0};
    parallel.run(64, [&](int task) {
      // With threads that kept to their parts, the others of this one would never be done.
      while (GetParam() > 1 && task == held_up && done < 63) std::this_thread::yield();
      ++done;
    });
    EXPECT_EQ(done, 64);
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

// One task throws, or all do, first or last, in the caller or in a helper: it reaches the caller, nobody
// touches the work of a run that is over, and the next run is whole.
TEST_P(ParallelTest, WhatATaskThrowsReachesTheCaller) {
  Parallel parallel(GetParam());
  for (int run = 0; run < 500; ++run) {
    const int bad = run % 7 == 6 ? -1 : run % 40;  // −1: every task
    std::atomic<int> inside{0};
    std::vector<int> count(40);
    try {
      parallel.run(40, [&](int task) {
        ++inside;
        ++count[static_cast<std::size_t>(task)];
        if (task == bad || bad < 0) {
          --inside;
          throw std::out_of_range("task " + std::to_string(task));
        }
        --inside;
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::out_of_range& error) {
      if (bad >= 0) {
        EXPECT_EQ(error.what(), "task " + std::to_string(bad));
      }
    }
    EXPECT_EQ(inside, 0) << "everybody has left";
    EXPECT_LE(*std::max_element(count.begin(), count.end()), 1);
    std::atomic<int> sum{0};
    parallel.run(100, [&](int task) { sum += task; });
    ASSERT_EQ(sum, 4950);
  }
}

TEST_P(ParallelTest, AfterAnExceptionNoFurtherTaskBegins) {
  Parallel parallel(GetParam());
  std::atomic<int> begun{0};
  EXPECT_THROW(parallel.run(1'000'000,
                            [&](int) {
                              ++begun;
                              throw std::bad_alloc();
                            }),
               std::bad_alloc);
  EXPECT_LE(begun, GetParam()) << "one for each thread";
}

// Runs inside tasks are inline; when one throws, the thread that ran it is no longer inside a task.
TEST_P(ParallelTest, WhatANestedTaskThrowsReachesTheOuterCaller) {
  Parallel parallel(GetParam());
  for (int run = 0; run < 50; ++run) {
    EXPECT_THROW(parallel.run(8,
                              [&](int outer) {
                                parallel.run(8, [&](int inner) {
                                  if (outer == 3 && inner == 5) throw std::length_error("nested");
                                });
                              }),
                 std::length_error);
    // Were the caller still taken for a task, it would do all of this alone.
    if (GetParam() == 1) continue;
    std::mutex mutex;
    std::set<std::thread::id> seen;
    std::atomic<int> waiting{0};
    parallel.run(2, [&](int) {
      ++waiting;
      while (waiting < 2) std::this_thread::yield();  // until the other task has begun, on another thread
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
    ASSERT_EQ(seen.size(), 2u);
  }
}

TEST_P(ParallelTest, ExceptionsOfSeveralCallersStayApart) {
  Parallel parallel(GetParam());
  std::vector<std::thread> callers;
  std::atomic<int> right{0};
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&, caller] {
      for (int run = 0; run < 100; ++run) {
        try {
          parallel.run(10, [&](int task) {
            if (caller % 2 == 0 && task == run % 10) throw std::runtime_error(std::to_string(caller));
          });
          right += caller % 2;
        } catch (const std::runtime_error& error) {
          right += error.what() == std::to_string(caller);
        }
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(right, 400);
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
