#include "text/missing_font.h"

#include <hb.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/utf8.h"
#include "text/bidi.h"

namespace headlight::text {

namespace {

constexpr const char* east_asian = "fonts-noto-cjk";
constexpr const char* emoji = "fonts-noto-color-emoji";
constexpr const char* most_scripts = "fonts-noto-core";  // Debian's Noto without CJK, emoji and extra weights

struct Script {
  hb_script_t script;
  const char* name;
  const char* package = most_scripts;
};
constexpr std::array scripts = {
    Script{HB_SCRIPT_HAN, "Chinese characters", east_asian},
    Script{HB_SCRIPT_HIRAGANA, "Japanese kana", east_asian},
    Script{HB_SCRIPT_KATAKANA, "Japanese kana", east_asian},
    Script{HB_SCRIPT_HANGUL, "Korean Hangul", east_asian},
    Script{HB_SCRIPT_BOPOMOFO, "Bopomofo", east_asian},
    Script{HB_SCRIPT_ARABIC, "Arabic"},
    Script{HB_SCRIPT_ARMENIAN, "Armenian"},
    Script{HB_SCRIPT_BENGALI, "Bengali"},
    Script{HB_SCRIPT_DEVANAGARI, "Devanagari"},
    Script{HB_SCRIPT_ETHIOPIC, "Ethiopic"},
    Script{HB_SCRIPT_GEORGIAN, "Georgian"},
    Script{HB_SCRIPT_GUJARATI, "Gujarati"},
    Script{HB_SCRIPT_GURMUKHI, "Gurmukhi"},
    Script{HB_SCRIPT_HEBREW, "Hebrew"},
    Script{HB_SCRIPT_KANNADA, "Kannada"},
    Script{HB_SCRIPT_KHMER, "Khmer"},
    Script{HB_SCRIPT_LAO, "Lao"},
    Script{HB_SCRIPT_MALAYALAM, "Malayalam"},
    Script{HB_SCRIPT_MYANMAR, "Burmese"},
    Script{HB_SCRIPT_ORIYA, "Odia"},
    Script{HB_SCRIPT_SINHALA, "Sinhala"},
    Script{HB_SCRIPT_TAMIL, "Tamil"},
    Script{HB_SCRIPT_TELUGU, "Telugu"},
    Script{HB_SCRIPT_THAI, "Thai"},
    Script{HB_SCRIPT_TIBETAN, "Tibetan"},
};

}  // namespace

char32_t without_font(std::string_view words, Faces& faces) {
  for (std::size_t i = 0; i < words.size();) {
    const base::CodePoint c = base::decode(words, i);
    i += c.bytes;
    const bool control = c.value < 0x20 || c.value == 0x7F;  // shown as its picture
    if (control || is_invisible(c.value)) continue;
    if (faces.find(c.value, draw::Font::sans) == Faces::none) return c.value;
  }
  return 0;
}

std::string font_advice(char32_t c) {
  if (c == 0) return {};
  const auto advice = [](const std::string& what, const std::string& package) {
    return "No font on this computer has " + what + ": install " + package + ", then start Headlight again.";
  };
  if (is_emoji(c)) return advice("these emoji", emoji);
  if ((c >= 0x3000 && c < 0x3040) || (c >= 0xFF00 && c < 0xFFF0))  // punctuation, wide forms
    return advice("East Asian punctuation", east_asian);
  const hb_script_t script = hb_unicode_script(hb_unicode_funcs_get_default(), c);
  const auto* const known =
      std::find_if(scripts.begin(), scripts.end(), [&](const Script& one) { return one.script == script; });
  if (known != scripts.end()) return advice(known->name, known->package);
  if (script == HB_SCRIPT_UNKNOWN)
    return "No font on this computer has some of these characters.";  // not assigned
  return advice("some of these characters", most_scripts);
}

}  // namespace headlight::text
