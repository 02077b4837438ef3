#include "io/file_bytes.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <vector>

#include "io/files.h"

namespace headlight::io {

namespace {

constexpr std::uint64_t small_file = std::uint64_t(32) << 20;
constexpr std::uint64_t glance = std::uint64_t(64) << 10;  // a caller that reads only the beginning does not
                                                           // need the rest
constexpr std::uint64_t most_kept = std::uint64_t(64) << 20;  // of all files in total
std::atomic<std::uint64_t> kept_bytes{0};

}  // namespace

struct FileBytes::Kept {
  std::mutex mutex;
  std::atomic<bool> there{false};
  std::atomic<std::uint64_t> looked_at{0};  // bytes read before the file is kept
  std::vector<std::byte> bytes;
};

FileBytes::~FileBytes() {
  if (kept_ && kept_->there) kept_bytes -= size_;
}

base::Result<std::shared_ptr<const FileBytes>> FileBytes::open(const std::filesystem::path& path) {
  base::Result<OpenedFile> opened = open_to_read(path);
  if (!opened) return base::Error{opened.error()};
  return std::shared_ptr<const FileBytes>(std::make_shared<const FileBytes>(std::move(*opened), path));
}

FileBytes::FileBytes(OpenedFile opened, const std::filesystem::path& path)
    : opened_(std::move(opened)),
      size_(static_cast<std::uint64_t>(std::max(opened_.status.st_size, off_t(0)))),
      name_(path_text(path)),
      kept_(size_ <= small_file ? std::make_unique<Kept>() : nullptr),
      mapped_(kept_ ? nullptr
                    : MappedFile::map(opened_.descriptor.number(), static_cast<std::size_t>(size_))) {}

const std::byte* FileBytes::in_memory(std::uint64_t begin, std::size_t bytes) const {
  if (begin > size_ || bytes > size_ - begin) return nullptr;
  if (mapped_) return mapped_->data() + begin;
  return kept_ && kept_->there ? kept_->bytes.data() + begin : nullptr;
}

base::Error FileBytes::changed() const {
  return {name_ + ": the file has changed since it was opened; open it again"};
}

base::Status FileBytes::unchanged() const {
  if (kept_ && kept_->there) return {};
  struct stat now {};
  const struct stat& then = opened_.status;
  if ((mapped_ && mapped_->lost()) || ::fstat(opened_.descriptor.number(), &now) != 0 ||
      now.st_size != then.st_size || now.st_mtim.tv_sec != then.st_mtim.tv_sec ||
      now.st_mtim.tv_nsec != then.st_mtim.tv_nsec)
    return changed();
  return {};
}

base::Status FileBytes::read(std::uint64_t begin, std::size_t bytes, std::byte* to) const {
  if (begin > size_ || bytes > size_ - begin) return base::Error{name_ + ": read past its end"};
  if (mapped_) {
    if (bytes > 0) std::memcpy(to, mapped_->data() + begin, bytes);
    return unchanged();
  }
  if (!kept_) return read_now(begin, bytes, to);
  if (!kept_->there) {
    if (size_ > glance && (kept_->looked_at += bytes) <= glance) return read_now(begin, bytes, to);
    const std::lock_guard<std::mutex> lock(kept_->mutex);
    if (!kept_->there) {
      if (kept_bytes.fetch_add(size_) + size_ > most_kept) {
        kept_bytes -= size_;
        return read_now(begin, bytes, to);
      }
      base::Status status;
      try {
        std::vector<std::byte> all(static_cast<std::size_t>(size_));
        status = read_now(0, all.size(), all.data());
        kept_->bytes = std::move(all);
      } catch (...) {
        kept_bytes -= size_;
        throw;
      }
      if (!status) {
        kept_bytes -= size_;
        return status;
      }
      kept_->there = true;
    }
  }
  if (bytes > 0) std::memcpy(to, kept_->bytes.data() + begin, bytes);
  return {};
}

base::Status FileBytes::read_now(std::uint64_t begin, std::size_t bytes, std::byte* to) const {
  const base::Result<std::size_t> got = read_at(opened_, begin, reinterpret_cast<char*>(to), bytes);
  if (!got) return base::Error{"cannot read " + name_ + ": " + got.error()};
  if (*got < bytes) return changed();
  return unchanged();
}

const std::byte* MemoryBytes::in_memory(std::uint64_t begin, std::size_t bytes) const {
  if (begin > bytes_.size() || bytes > bytes_.size() - begin) return nullptr;
  return reinterpret_cast<const std::byte*>(bytes_.data()) + begin;
}

base::Status MemoryBytes::read(std::uint64_t begin, std::size_t bytes, std::byte* to) const {
  if (begin > bytes_.size() || bytes > bytes_.size() - begin)
    return base::Error{name_ + ": read past its end"};
  if (bytes > 0) std::memcpy(to, bytes_.data() + begin, bytes);
  return {};
}

}  // namespace headlight::io
