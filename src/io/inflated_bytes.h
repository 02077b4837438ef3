// A compressed entry of an archive, unpacked while it is read. It is meant for reading from front to back:
// what has been read is not kept, and going back starts again, so that an array of many gigabytes needs only
// the memory of a buffer. The checksum is compared at the end. Tested in tests/dumps.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "io/zip_list.h"
#include "kernels/tensor_ref.h"

namespace headlight::io {

class InflatedBytes final : public nn::WeightBytes {
 public:
  /// `entry` is a deflated entry of `file`; `name` is its name in errors.
  InflatedBytes(std::shared_ptr<const nn::WeightBytes> file, const ZipEntry& entry, std::string name);
  ~InflatedBytes() override;

  /// Errors: past the end, the packed bytes are damaged or fewer than the archive says, the checksum differs.
  base::Status read(std::uint64_t begin, std::size_t bytes, std::byte* to) const override;
  const std::string& name() const override { return name_; }

 private:
  struct Stream;
  std::shared_ptr<const nn::WeightBytes> file_;
  ZipEntry entry_;
  std::string name_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<Stream> stream_;  // null before the first byte and after the last one
};

/// Checks the `size` bytes of a stored entry against its checksum in the archive.
base::Status check_stored(const nn::WeightBytes& file, const ZipEntry& entry, const std::string& name);

}  // namespace headlight::io
