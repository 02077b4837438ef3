#include "fuzz/corpus.h"

#include "support/pack.h"

namespace headlight::fuzz {

std::vector<std::string> corpus_of(const std::string& target) {
  static const std::map<std::string, std::string> pack =
      tests::read_pack(HEADLIGHT_SOURCE_DIR "/tests/fuzz/corpus.pack");
  std::vector<std::string> out;
  for (const auto& [name, bytes] : pack)
    if (name.rfind(target + "/", 0) == 0) out.push_back(bytes);
  return out;
}

std::string shown_bytes(const std::string& bytes) {
  std::string out = std::to_string(bytes.size()) + " bytes: ";
  constexpr char digits[] = "0123456789abcdef";
  for (const char c : bytes.substr(0, 300)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 32 && byte < 127)
      out += c;
    else
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

}  // namespace headlight::fuzz
