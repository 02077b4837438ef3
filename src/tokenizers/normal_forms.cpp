#include "tokenizers/normal_forms.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/utf8.h"
#include "tokenizers/unicode.h"

namespace headlight::tokenizers {

namespace {

/// Starters that compose with the character before them (Unicode 14, NFC_QC = Maybe without combining class).
constexpr std::array<char32_t, 24> composing_starters = {
    0x9BE, 0x9D7, 0xB3E,  0xB56,  0xB57,   0xBBE,   0xBD7,   0xCC2,   0xCD5,   0xCD6,   0xD3E,   0xD57,
    0xDCF, 0xDDF, 0x102E, 0x1B35, 0x11127, 0x1133E, 0x11357, 0x114B0, 0x114BA, 0x114BD, 0x115AF, 0x11930};

bool joins_what_stands_before(char32_t c) {
  if (c < 0x300) return false;
  if (utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class != 0) return true;
  if (c >= 0x1160 && c <= 0x11FF) return true;  // vowels and finals of Hangul
  return std::binary_search(composing_starters.begin(), composing_starters.end(), c);
}

utf8proc_option_t decomposition(NormalForm form) {
  return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE |
                                        (form.compatible ? UTF8PROC_COMPAT : 0));
}

/// Returns whether a cluster begins at `c`: the first character of its decomposition does not interact with
/// the text before it.
bool begins_cluster(char32_t c, NormalForm form) {
  if (c < 0xC0) return true;
  std::array<utf8proc_int32_t, 32> parts{};
  const utf8proc_ssize_t count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(),
                                                         parts.size(), decomposition(form), nullptr);
  const char32_t first = count > 0 ? static_cast<char32_t>(parts[0]) : c;
  return !joins_what_stands_before(first);
}

/// Sorts runs of combining characters by their classes. (A bubble sort, as in utf8proc, would take quadratic
/// time in the marks on one letter.)
void order(std::vector<utf8proc_int32_t>& points) {
  const auto class_of = [](utf8proc_int32_t c) { return utf8proc_get_property(c)->combining_class; };
  for (auto at = points.begin(); at != points.end();) {
    const auto begin = std::find_if(at, points.end(), [&](auto c) { return class_of(c) != 0; });
    at = std::find_if(begin, points.end(), [&](auto c) { return class_of(c) == 0; });
    std::stable_sort(begin, at, [&](auto one, auto other) { return class_of(one) < class_of(other); });
  }
}

std::string in_form(std::string_view cluster, NormalForm form) {
  std::vector<utf8proc_int32_t> points;
  std::array<utf8proc_int32_t, 32> parts{};
  for (std::size_t at = 0; at < cluster.size();) {
    const base::CodePoint point = base::decode(cluster, at);
    const auto c = static_cast<utf8proc_int32_t>(point.value);
    const utf8proc_ssize_t count =
        utf8proc_decompose_char(c, parts.data(), parts.size(), decomposition(form), nullptr);
    if (count > 0 && count <= static_cast<utf8proc_ssize_t>(parts.size())) {
      points.insert(points.end(), parts.begin(), parts.begin() + count);
    } else {
      points.push_back(c);
    }
    at += point.bytes;
  }
  order(points);
  auto count = static_cast<utf8proc_ssize_t>(points.size());
  if (form.composed) {
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    count = std::max(utf8proc_normalize_utf32(points.data(), count, options), utf8proc_ssize_t(0));
  }
  std::string out;
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    base::append_utf8(out, static_cast<char32_t>(points[static_cast<std::size_t>(i)]));
  }
  return out;
}

}  // namespace

AlignedText normalised(const AlignedText& text, NormalForm form) {
  AlignedText out;
  out.reserve(text.text.size());
  const std::string_view all = text.text;
  for (std::size_t at = 0; at < all.size();) {
    bool plain = static_cast<unsigned char>(all[at]) < 0x80;
    std::size_t end = at + utf8_length(all[at]);
    while (end < all.size()) {
      const base::CodePoint next = base::decode(all, end);
      if (begins_cluster(next.value, form)) break;
      plain = false;
      end += next.bytes;
    }
    const std::string_view cluster = all.substr(at, end - at);
    if (plain) {
      out.keep(text, at, end);
    } else if (const std::string formed = in_form(cluster, form); formed == cluster) {
      out.keep(text, at, end);
    } else {
      out.put(formed, text.range(at, end));
    }
    at = end;
  }
  return out;
}

}  // namespace headlight::tokenizers
