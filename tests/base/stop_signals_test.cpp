#include "base/stop_signals.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace headlight::base {
namespace {

bool eventually(const std::atomic<int>& value, int wanted) {
  for (int i = 0; i < 2000 && value != wanted; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return value == wanted;
}

TEST(StopSignals, TheFirstIsToldOnceAndTheSameOneAgain) {
  std::atomic<int> first{0}, again{0}, firsts{0};
  const StopSignals signals([&](int signal) { first = signal, ++firsts; },
                            [&](int signal) { again = signal; });
  EXPECT_EQ(stop_signal(), 0);
  ::kill(::getpid(), SIGTERM);
  ASSERT_TRUE(eventually(first, SIGTERM));
  EXPECT_EQ(stop_signal(), SIGTERM);
  ::kill(::getpid(), SIGHUP);  // the end of a session sends both: no reason to hurry
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(again, 0);
  ::kill(::getpid(), SIGTERM);
  ASSERT_TRUE(eventually(again, SIGTERM));
  EXPECT_EQ(stop_signal(), SIGTERM);
  EXPECT_EQ(firsts, 1);
}

TEST(StopSignals, EverySignalOfTheThree) {
  for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
    std::atomic<int> first{0};
    const StopSignals signals([&](int which) { first = which; }, {});
    ::kill(::getpid(), signal);
    EXPECT_TRUE(eventually(first, signal)) << signal;
  }
}

TEST(StopSignals, WhatWasIgnoredStaysIgnoredAndWhatWasThereComesBack) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGHUP, SIG_IGN);
    {
      const StopSignals signals([](int) {}, {});
      ::raise(SIGHUP);
      if (stop_signal() != 0) ::_exit(3);
    }
    ::raise(SIGHUP);
    ::raise(SIGTERM);  // ends it
    ::_exit(4);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

}  // namespace
}  // namespace headlight::base
