// Everything that reads bytes from outside, as functions of bytes. Whatever the bytes are: no crash, no
// report of a sanitizer, an error is one line of less than 600 bytes, and what was read is written and read
// back equal.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "fuzz/mutate.h"

namespace headlight::fuzz {

struct Target {
  const char* name;
  const char* what;     // it reads
  Form form;            // of its files, for mutations
  std::size_t largest;  // bytes of an input
  /// Reads the bytes, in a folder that it may write to. Empty, or what a reader must not do.
  std::string (*run)(const std::string& bytes, const std::filesystem::path& folder);
  /// Sound files, from the reference data, the included files and from what Headlight writes.
  std::vector<std::string> (*seeds)();
  std::size_t lead = 0;  // bytes before the file, which say what it lies beside
  std::string damaged(const std::string& bytes, Dice& dice) const {
    return mutated(bytes, form, dice, largest, lead);
  }
};

std::span<const Target> targets();
/// Those of one file each: targets_own.cpp, targets_models.cpp, targets_tokenizers.cpp, targets_dumps.cpp.
std::span<const Target> own_targets();
std::span<const Target> model_targets();
std::span<const Target> tokenizer_targets();
std::span<const Target> dump_targets();
/// Null: there is none of that name.
const Target* target_of(const std::string& name);

/// An error line: empty when it is as it must be.
std::string unfit_error(const std::string& error);

}  // namespace headlight::fuzz
