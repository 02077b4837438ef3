#include "faults/failing_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace headlight::faults {

namespace {

constexpr int none = -1;
std::atomic<int> watched{none};
std::array<std::atomic<long>, calls> counted{};
int later = none;  // what a Counted watches
Plan current;      // written while nothing is watched

thread_local Memory given;

bool fails(Call call) noexcept {
  const int planned = watched.load(std::memory_order_acquire);
  if (planned == none) return false;
  const long number = counted[static_cast<std::size_t>(call)].fetch_add(1) + 1;
  if (planned != static_cast<int>(call) || current.at == 0 || number < current.at ||
      (number > current.at && !current.stays))
    return false;
  if (current.instead != nullptr) {
    if (number == current.at) current.instead();
    return false;
  }
  errno = current.error;
  return true;
}

template <class Function>
Function* real(const char* name) noexcept {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool writes(int flags) {
  return (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0;
}
bool open_fails(int flags) noexcept {
  return fails(Call::open) || (writes(flags) && fails(Call::change));
}

void* allocated(std::size_t bytes, std::size_t alignment) noexcept {
  ++given.allocations, given.bytes += bytes;
  if (fails(Call::memory)) return nullptr;
  if (bytes == 0) bytes = 1;
  if (alignment <= alignof(max_align_t)) return std::malloc(bytes);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void* allocated_or_thrown(std::size_t bytes, std::size_t alignment) {
  void* const memory = allocated(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

const char* name(Call call) {
  constexpr const char* names[] = {"open",   "read",  "write", "fsync",  "rename", "link",
                                   "status", "close", "map",   "memory", "change", "clock"};
  return names[static_cast<int>(call)];
}

void begin(const Plan& plan) {
  watched = later = none;
  current = plan;
  for (std::atomic<long>& each : counted) each = 0;
  watched.store(static_cast<int>(plan.call), std::memory_order_release);
}

Counts end() {
  watched = later = none;
  Counts out{};
  for (std::size_t i = 0; i < calls; ++i) out[i] = counted[i];
  return out;
}

void begin_later(const Plan& plan) {
  begin(plan);
  later = watched.exchange(none);
}
Counted::Counted() {
  if (later != none) watched.store(later, std::memory_order_release);
}
Counted::~Counted() {
  if (later != none) watched = none;
}

Memory memory_of(const std::function<void()>& work) {
  const Memory before = given;
  work();
  return {given.allocations - before.allocations, given.bytes - before.bytes};
}

}  // namespace headlight::faults

using headlight::faults::allocated;
using headlight::faults::allocated_or_thrown;
using headlight::faults::Call;
using headlight::faults::fails;
using headlight::faults::open_fails;
using headlight::faults::real;

// ---- files ----

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = va_arg(rest, mode_t);
  va_end(rest);
  static auto* const system = real<int(const char*, int, ...)>("open");
  return open_fails(flags) ? -1 : system(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = va_arg(rest, mode_t);
  va_end(rest);
  static auto* const system = real<int(const char*, int, ...)>("open64");
  return open_fails(flags) ? -1 : system(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = va_arg(rest, mode_t);
  va_end(rest);
  static auto* const system = real<int(int, const char*, int, ...)>("openat");
  return open_fails(flags) ? -1 : system(folder, path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  static auto* const system = real<FILE*(const char*, const char*)>("fopen");
  return open_fails(mode[0] == 'r' ? O_RDONLY : O_WRONLY) ? nullptr : system(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  static auto* const system = real<FILE*(const char*, const char*)>("fopen64");
  return open_fails(mode[0] == 'r' ? O_RDONLY : O_WRONLY) ? nullptr : system(path, mode);
}
int close(int file) {
  static auto* const system = real<int(int)>("close");
  const bool failed = file > 2 && fails(Call::close);
  const int error = errno, result = system(file);
  if (failed) errno = error;
  return failed ? -1 : result;
}
ssize_t read(int file, void* to, size_t bytes) {
  static auto* const system = real<ssize_t(int, void*, size_t)>("read");
  return fails(Call::read) ? -1 : system(file, to, bytes);
}
ssize_t pread(int file, void* to, size_t bytes, off_t at) {
  static auto* const system = real<ssize_t(int, void*, size_t, off_t)>("pread");
  return fails(Call::read) ? -1 : system(file, to, bytes, at);
}
ssize_t pread64(int file, void* to, size_t bytes, off64_t at) {
  static auto* const system = real<ssize_t(int, void*, size_t, off64_t)>("pread64");
  return fails(Call::read) ? -1 : system(file, to, bytes, at);
}
ssize_t write(int file, const void* from, size_t bytes) {
  static auto* const system = real<ssize_t(int, const void*, size_t)>("write");
  return file != 2 && fails(Call::write) ? -1 : system(file, from, bytes);
}
ssize_t pwrite(int file, const void* from, size_t bytes, off_t at) {
  static auto* const system = real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return fails(Call::write) ? -1 : system(file, from, bytes, at);
}
int fsync(int) {
  return fails(Call::fsync) ? -1 : 0;
}
int fdatasync(int) {
  return fails(Call::fsync) ? -1 : 0;
}
int rename(const char* from, const char* to) noexcept {
  static auto* const system = real<int(const char*, const char*)>("rename");
  return fails(Call::rename) || fails(Call::change) ? -1 : system(from, to);
}
int renameat2(int folder, const char* from, int other, const char* to, unsigned flags) noexcept {
  static auto* const system = real<int(int, const char*, int, const char*, unsigned)>("renameat2");
  return fails(Call::rename) || fails(Call::change) ? -1 : system(folder, from, other, to, flags);
}
int linkat(int folder, const char* from, int other, const char* to, int flags) noexcept {
  static auto* const system = real<int(int, const char*, int, const char*, int)>("linkat");
  return fails(Call::link) || fails(Call::change) ? -1 : system(folder, from, other, to, flags);
}
int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const system = real<int(const char*, mode_t)>("mkdir");
  return fails(Call::change) ? -1 : system(path, mode);
}
int unlink(const char* path) noexcept {
  static auto* const system = real<int(const char*)>("unlink");
  return fails(Call::change) ? -1 : system(path);
}
int stat(const char* path, struct stat* status) noexcept {
  static auto* const system = real<int(const char*, struct stat*)>("stat");
  return fails(Call::status) ? -1 : system(path, status);
}
int lstat(const char* path, struct stat* status) noexcept {
  static auto* const system = real<int(const char*, struct stat*)>("lstat");
  return fails(Call::status) ? -1 : system(path, status);
}
int fstat(int file, struct stat* status) noexcept {
  static auto* const system = real<int(int, struct stat*)>("fstat");
  return fails(Call::status) ? -1 : system(file, status);
}
/// Where the clock of the day "fails" it is an hour back.
int clock_gettime(clockid_t clock, struct timespec* now) noexcept {
  static auto* const system = real<int(clockid_t, struct timespec*)>("clock_gettime");
  const int result = system(clock, now);
  if (clock == CLOCK_REALTIME && fails(Call::clock)) now->tv_sec -= 3600;
  return result;
}
time_t time(time_t* now) noexcept {
  static auto* const system = real<time_t(time_t*)>("time");
  const time_t seconds = system(nullptr) - (fails(Call::clock) ? 3600 : 0);
  if (now != nullptr) *now = seconds;
  return seconds;
}
void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  static auto* const system = real<void*(void*, size_t, int, int, int, off_t)>("mmap");
  return fails(Call::map) ? MAP_FAILED : system(at, bytes, protection, flags, file, offset);
}

}  // extern "C"

// ---- memory ----

void* operator new(std::size_t bytes) {
  return allocated_or_thrown(bytes, 1);
}
void* operator new[](std::size_t bytes) {
  return allocated_or_thrown(bytes, 1);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocated(bytes, 1);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocated(bytes, 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocated_or_thrown(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocated_or_thrown(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
