#include "tokenizers/byte_alphabet.h"

#include <array>
#include <string>

#include "base/utf8.h"

namespace headlight::tokenizers {

namespace {

struct Alphabet {
  std::array<std::string, 256> letters;
  std::array<int, 0x200> bytes;

  Alphabet() {
    bytes.fill(-1);
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < 256; ++byte) {
      const bool itself = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      const char32_t letter = itself ? byte : next++;
      base::append_utf8(letters[byte], letter);
      bytes[letter] = static_cast<int>(byte);
    }
  }
};

const Alphabet& alphabet() {
  static const Alphabet the_only;
  return the_only;
}

}  // namespace

std::string_view letter_of_byte(char byte) {
  return alphabet().letters[static_cast<unsigned char>(byte)];
}

std::optional<unsigned char> byte_of_letter(char32_t letter) {
  if (letter >= alphabet().bytes.size() || alphabet().bytes[letter] < 0) return std::nullopt;
  return static_cast<unsigned char>(alphabet().bytes[letter]);
}

}  // namespace headlight::tokenizers
