// Lines in many scripts, for everything that sets words.
#pragma once

namespace headlight::tests {

struct Sample {
  const char* name;
  const char* words;
};

inline constexpr Sample text_samples[] = {
    {"kerning", "AVATAR To Ty LT Wave P."},
    {"figures", "0.123 × 10⁻³, −1.5 → 47 %"},
    {"accents", "café naïve Łódź"},
    {"combining", "cafe\u0301 a\u0308\u0323 x\u0338"},
    {"greek", "Ἀθῆναι ΑΥΤΟΣ α·β"},
    {"cyrillic", "Привет, ГАУДИ"},
    {"arabic", "مرحبا بالعالم لا"},
    {"hebrew", "שלום עולם 12"},
    {"mixed", "the “\u2068שלום\u2069” → 3"},
    {"devanagari", "क्षि हिन्दी नमस्ते"},
    {"thai", "น้ำ ที่นี่ สวัสดี"},
    {"emoji", "😀 ❤️ ☀️"},
    {"flags", "🇩🇪🇫🇷 🇯🇵"},
    {"families", "👩‍👩‍👧 👍🏽 🏳️‍🌈"},
    {"chinese", "猫 sat 東京"},
    {"controls", "a\tb\nc"},
    {"ill_formed", "a\xFF\xC3z"},
    {"in_no_font", "\xF4\x8F\xBF\xBD!"},
};

}  // namespace headlight::tests
