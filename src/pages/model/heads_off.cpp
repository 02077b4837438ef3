#include "pages/model/heads_off.h"

#include "base/one_line.h"
#include "scene/nearest.h"
#include "scene/settings.h"

namespace headlight::scene {

namespace {

base::Error wrong(const std::string& words) {
  return {"model_off: " + words};
}

std::string beyond(const HeadWord& word, const std::string& exists) {
  return "model_off " + base::shortened(word.text) + ": " + exists;
}

}  // namespace

base::Result<std::vector<nn::HeadFactor>> heads_off(std::string_view text, std::span<const int> heads) {
  std::vector<nn::HeadFactor> out;
  const int layers = static_cast<int>(heads.size());
  for (const HeadWord& word : head_words(text)) {
    if (!word.sound)
      return wrong(in_quotes(base::shortened(word.text)) +
                   " is not a head; write layer.head, such as 2.4, or layer.head:factor, such as 2.4:0.5");
    if (word.layer > layers) return base::Error{beyond(word, what_exists(1, layers, "layer"))};
    const int there = heads[static_cast<std::size_t>(word.layer) - 1];
    if (word.head > there)
      return base::Error{
          beyond(word, "in layer " + std::to_string(word.layer) + " " + what_exists(1, there, "head"))};
    if (word.factor < 0 || word.factor > most_head_factor)
      return wrong("the factor in " + in_quotes(word.text) + " is out of range; expected 0 to 2");
    const nn::HeadFactor one{word.layer - 1, word.head - 1, word.factor};
    std::erase_if(
        out, [&](const nn::HeadFactor& other) { return other.layer == one.layer && other.head == one.head; });
    if (one.factor != 1) out.push_back(one);
  }
  std::sort(out.begin(), out.end(), [](const nn::HeadFactor& a, const nn::HeadFactor& b) {
    return a.layer != b.layer ? a.layer < b.layer : a.head < b.head;
  });
  return out;
}

}  // namespace headlight::scene
