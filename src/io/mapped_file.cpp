#include "io/mapped_file.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>

namespace headlight::io {

namespace {

/// The handler reads this without a lock, since it may interrupt the thread that holds one.
struct Place {
  std::atomic<bool> taken{false}, lost{false};
  std::atomic<std::uintptr_t> begin{0}, end{0};  // 0, 0: nothing is mapped
};
std::array<Place, MappedFile::most> places;
std::uintptr_t page_size;
struct sigaction before;
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

void page_is_gone(int signal, siginfo_t* info, void*) {
  const int kept = errno;
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (Place& place : places) {
    const std::uintptr_t end = place.end;
    if (at < place.begin || at >= end) continue;
    place.lost = true;  // before any thread reads a zero
    // Replaces the whole rest at once: one mapping per page would soon exceed the limit of a program.
    const std::uintptr_t page = at & ~(page_size - 1);
    if (::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
               -1, 0) == MAP_FAILED)
      break;
    errno = kept;
    return;
  }
  // Not our mapping: the signal is raised again, with the previous action.
  ::sigaction(signal, &before, nullptr);
  if (info->si_code <= 0) ::raise(signal);  // another process sent it
  errno = kept;
}

bool prepared() {
  static const bool done = [] {
    page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = page_is_gone;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    return ::sigaction(SIGBUS, &action, &before) == 0;
  }();
  return done;
}

}  // namespace

std::unique_ptr<const MappedFile> MappedFile::map(int descriptor, std::size_t bytes) {
  if (bytes == 0 || !prepared()) return nullptr;
  for (int i = 0; i < most; ++i) {
    Place& place = places[static_cast<std::size_t>(i)];
    if (place.taken.exchange(true)) continue;
    std::unique_ptr<const MappedFile> file(new MappedFile(i));  // frees its place in every case
    void* const at = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
    if (at == MAP_FAILED) return nullptr;
    const auto begin = reinterpret_cast<std::uintptr_t>(at);
    place.lost = false;
    place.begin = begin;
    place.end = (begin + bytes + page_size - 1) & ~(page_size - 1);
    return file;
  }
  return nullptr;
}

MappedFile::~MappedFile() {
  Place& place = places[static_cast<std::size_t>(place_)];
  const std::uintptr_t begin = place.begin, end = place.end.exchange(0);
  place.begin = 0;
  if (end > begin) ::munmap(reinterpret_cast<void*>(begin), end - begin);
  place.taken = false;
}

const std::byte* MappedFile::data() const {
  return reinterpret_cast<const std::byte*>(places[static_cast<std::size_t>(place_)].begin.load());
}

bool MappedFile::lost() const {
  return places[static_cast<std::size_t>(place_)].lost;
}

}  // namespace headlight::io
