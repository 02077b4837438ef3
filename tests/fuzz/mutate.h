// Seeded damage to a file that is sound: to its bytes, to the numbers and words that its format is made of,
// to JSON inside it, to the header of a safetensors file, to the entries of a zip archive with their
// checksums set right again. The same seed gives the same damage on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace headlight::fuzz {

/// The standard fixes the sequence of this generator, but not that of its distributions.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// 0 … bound − 1; 0 where bound is 0.
  std::size_t below(std::size_t bound) {
    return bound == 0 ? 0 : static_cast<std::size_t>(engine_() % bound);
  }
  bool one_in(std::size_t n) { return below(n) == 0; }

 private:
  std::mt19937_64 engine_;
};

/// What of a file is damaged, beside its bytes.
enum class Form { bytes, json, text, safetensors, zip };

/// One to four changes. At most `largest` bytes come back. The first `lead` bytes belong to no file: now and
/// then they change alone.
std::string mutated(std::string bytes, Form form, Dice& dice, std::size_t largest, std::size_t lead = 0);

}  // namespace headlight::fuzz
