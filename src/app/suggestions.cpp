#include "app/suggestions.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "nn/random.h"
#include "nn/tokens.h"
#include "pages/page.h"
#include "scene/settings.h"

namespace headlight::app {

namespace {

using scene::Scene;

/// The words in another order, by the scene's own generator: the n-th shuffle of a sentence is always the
/// same.
std::string shuffled(const std::string& sentence, int round) {
  std::vector<std::string> words;
  for (const nn::Token& token : nn::split_words(sentence))
    words.push_back(sentence.substr(token.begin, token.end - token.begin));
  const nn::Random random(static_cast<std::uint64_t>(round) + 1, nn::hash_text("shuffle", 7));
  for (std::size_t i = words.size(); i > 1; --i) {
    std::swap(words[i - 1], words[random.below(i, static_cast<std::uint32_t>(i))]);
  }
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

}  // namespace

bool has_suggestions(const Scene& scene) {
  const scene::PageUses uses = scene::room_of(scene.page).uses(scene);
  return uses.large_map || uses.plays;
}

bool suggestions(screen::Ui& ui, Scene& next, const scene::Results& results) {
  const Scene before = next;
  const bool free = !(results.model || results.opened) || next.weights == scene::WeightsSource::random;
  const std::string given = "set by " + results.weights_source + "; with random weights it can be changed";
  const auto help = [&](const char* words) { return free ? std::string_view(words) : given; };
  ui.label("Try", 14, draw::Font::semibold);
  ui.begin_flow(6);
  if (scene::room_of(next.page).uses(next).large_map) {
    if (ui.button({.label = "the mat sat on the cat", .help = "the same words in another order"})) {
      next.sentence = "the mat sat on the cat";
    }
    if (ui.button({.label = "shuffle", .help = "the words in another order"}))
      next.sentence = shuffled(next.sentence, next.seed + static_cast<int>(next.sentence.size()));
    if (ui.button({.label = "one more head", .help = help("the next divisor of d"), .enabled = free})) {
      const std::vector<int> all = scene::divisors(next.d_model);
      const auto more = std::upper_bound(all.begin(), all.end(), next.heads);
      if (more != all.end()) next.heads = *more;
    }
    if (ui.button({.label = "another seed",
                   .help = help("other random embeddings and projections"),
                   .enabled = free}))
      next.seed = (next.seed + 1) % 10000;
    if (ui.button({.label = "22 characters",
                   .help = "five queries of one sentence in one head, as in the textbook figure"})) {
      next.sentence = "the cat sat on the mat";
      next.tokenizer = scene::Tokenizer::chars;
      next.query = {0, 5, 10, 15, 21};
      next.key = -1;
      next.head = {1};
    }
  } else {
    if (ui.button({.label = "columns 6–9, d = 32",
                   .help = help("the textbook figure: four columns over 60 positions"),
                   .enabled = free})) {
      next.d_model = 32, next.positions = 60, next.position_base = 10000,
      next.position_columns = {6, 7, 8, 9};
    }
    if (ui.button({.label = "30 → 35", .help = "the same offset from another position"}))
      next.position_index = 30, next.position_delta = 5;
    if (ui.button({.label = "short wavelengths",
                   .help = "base 2: every clock turns fast, and neighbouring rows differ more"}))
      next.position_base = 2;
  }
  ui.end_flow();
  return next != before;
}

}  // namespace headlight::app
