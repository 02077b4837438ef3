// Which heads are switched off or scaled, as one text: "2.4" switches off head 4 of layer 2, "3.1:0.5" halves
// the output of head 1 of layer 3. Words are separated by blanks or commas; the last word for a head counts.
// Heads and layers count from 1. Factors are 0 to 2; 1 leaves the head unchanged. The functions that views
// need are inline, so that views need not link the core. Tested in tests/scene/heads_off_test.cpp.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/result.h"
#include "network/network.h"

namespace headlight::scene {

/// The setting that holds the text.
inline constexpr const char* heads_off_setting = "model_off";

inline constexpr double most_head_factor = 2;

/// One word of the text. `sound`: it has the form of a head, whether or not this head exists.
struct HeadWord {
  std::string text;
  int layer = 0, head = 0;
  double factor = 0;
  bool sound = false;
};

inline HeadWord read_head_word(std::string_view word) {
  HeadWord out{std::string(word)};
  const char *at = word.data(), *end = at + word.size();
  const auto layer = std::from_chars(at, end, out.layer);
  if (layer.ec != std::errc() || layer.ptr == end || *layer.ptr != '.') return out;
  const auto head = std::from_chars(layer.ptr + 1, end, out.head);
  if (head.ec != std::errc() || out.layer < 1 || out.head < 1) return out;
  if (head.ptr != end) {
    if (*head.ptr != ':') return out;
    const auto factor = std::from_chars(head.ptr + 1, end, out.factor);
    if (factor.ec != std::errc() || factor.ptr != end || !std::isfinite(out.factor)) return out;
  }
  out.sound = true;
  return out;
}

inline std::vector<HeadWord> head_words(std::string_view text) {
  std::vector<HeadWord> out;
  constexpr std::string_view between = " ,\t\n";
  while (true) {
    const std::size_t begin = text.find_first_not_of(between);
    if (begin == std::string_view::npos) return out;
    const std::size_t end = std::min(text.find_first_of(between, begin), text.size());
    out.push_back(read_head_word(text.substr(begin, end - begin)));
    text.remove_prefix(end);
  }
}

/// The factor of a head; layer and head count from 1.
inline double head_factor(std::string_view text, int layer, int head) {
  double factor = 1;
  for (const HeadWord& word : head_words(text)) {
    if (word.sound && word.layer == layer && word.head == head) factor = word.factor;
  }
  return factor;
}

/// The text with another factor for a head; layer and head count from 1. Other words do not change.
inline std::string with_head_factor(std::string_view text, int layer, int head, double factor) {
  std::string out;
  const auto add = [&](const std::string& word) { out += (out.empty() ? "" : " ") + word; };
  for (const HeadWord& word : head_words(text)) {
    if (!word.sound || word.layer != layer || word.head != head) add(word.text);
  }
  if (factor == 1) return out;
  std::string word = std::to_string(layer) + "." + std::to_string(head);
  if (factor != 0) {
    char digits[32];
    const auto [end, failed] = std::to_chars(digits, digits + sizeof digits, factor);
    if (failed == std::errc()) word += ":" + std::string(digits, static_cast<std::size_t>(end - digits));
  }
  add(word);
  return out;
}

/// The factors in the network's form: each head once, sorted by layer and head, without factors of 1. `heads`
/// are the numbers of heads in the layers. Errors, one line that begins with the setting's name: a word that
/// is no head, a layer or head that does not exist, a factor out of range.
base::Result<std::vector<nn::HeadFactor>> heads_off(std::string_view text, std::span<const int> heads);

}  // namespace headlight::scene
