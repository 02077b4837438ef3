// GPT-2's letters for bytes (Radford et al. 2019, encoder.py): 21-7E, A1-AC and AE-FF map to themselves, the
// others to U+0100 on, in order.
#pragma once

#include <optional>
#include <string_view>

namespace headlight::tokenizers {

std::string_view letter_of_byte(char byte);
std::optional<unsigned char> byte_of_letter(char32_t letter);

}  // namespace headlight::tokenizers
