#include "base/stop_signals.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>

#include "base/check.h"

namespace headlight::base {

namespace {

constexpr std::array<int, 3> stopping = {SIGTERM, SIGHUP, SIGINT};
constexpr unsigned char no_more = 0;  // ends the thread

// Everything that the handler touches.
std::atomic<int> arrived{0};
std::atomic<int> write_end{-1};
static_assert(std::atomic<int>::is_always_lock_free);

std::array<struct sigaction, stopping.size()> before;

extern "C" void take_note(int signal) {
  const int error = errno;
  int none = 0;
  arrived.compare_exchange_strong(none, signal);
  const auto byte = static_cast<unsigned char>(signal);
  (void)!::write(write_end.load(), &byte, 1);  // if the pipe is full, enough signals were reported
  errno = error;
}

}  // namespace

int stop_signal() {
  return arrived.load();
}

StopSignals::StopSignals(Arrived first, Arrived again) : first_(std::move(first)), again_(std::move(again)) {
  HEADLIGHT_CHECK(write_end.load() < 0);
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return;  // no descriptor is left: the signals end the program at once
  (void)::fcntl(ends[1], F_SETFL, O_NONBLOCK);
  read_end_ = ends[0];
  write_end = ends[1];
  arrived = 0;
  thread_ = std::thread([this] { listen(read_end_); });
  for (std::size_t i = 0; i < stopping.size(); ++i) {
    (void)::sigaction(stopping[i], nullptr, &before[i]);
    if (before[i].sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = take_note;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    (void)::sigaction(stopping[i], &action, nullptr);
  }
}

StopSignals::~StopSignals() {
  if (read_end_ < 0) return;
  for (std::size_t i = 0; i < stopping.size(); ++i) (void)::sigaction(stopping[i], &before[i], nullptr);
  const int end = write_end.exchange(-1);
  while (::write(end, &no_more, 1) < 0 && (errno == EINTR || errno == EAGAIN)) std::this_thread::yield();
  ::close(end);  // this also ends the thread
  thread_.join();
  ::close(read_end_);
}

void StopSignals::listen(int signals_in) const {
  unsigned char byte = 0;
  int seen = 0;
  for (;;) {
    const ssize_t got = ::read(signals_in, &byte, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || byte == no_more) return;
    if (seen == 0) {
      seen = byte;
      if (first_) first_(seen);
    } else if (byte == seen && again_) {
      again_(seen);
    }
  }
}

}  // namespace headlight::base
