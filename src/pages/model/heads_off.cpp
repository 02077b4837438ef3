#include "pages/model/heads_off.h"

#include "base/one_line.h"
#include "scene/nearest.h"

namespace headlight::scene {

namespace {

base::Error wrong(const std::string& words) {
  return {"model_off: " + words};
}

}  // namespace

base::Result<std::vector<nn::HeadFactor>> heads_off(std::string_view text, std::span<const int> heads) {
  std::vector<nn::HeadFactor> out;
  const int layers = static_cast<int>(heads.size());
  for (const HeadWord& word : head_words(text)) {
    if (!word.sound)
      return wrong(in_quotes(base::shortened(word.text)) +
                   " is not a head; write layer.head, such as 2.4, or layer.head:factor, such as 2.4:0.5");
    if (word.layer > layers)
      return wrong("there is no layer " + std::to_string(word.layer) + "; the model has " +
                   std::to_string(layers));
    const int there = heads[static_cast<std::size_t>(word.layer) - 1];
    if (word.head > there)
      return wrong("there is no head " + std::to_string(word.head) + " in layer " +
                   std::to_string(word.layer) + "; it has " + std::to_string(there));
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
