// Any text as a task.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/numbers.h"
#include "base/utf8.h"
#include "tasks/draws.h"
#include "tasks/task_parts.h"

namespace headlight::nn {

namespace {

constexpr int windows_measured = 128;
constexpr std::size_t part_bytes = 4'000'000;  // bytes encoded at once

/// Returns why these bytes cannot be used as text; empty if they can.
std::string not_text(std::string_view text) {
  if (text.empty()) return "is empty: choose a text of a few pages or more";
  if (text.size() > largest_text) {
    return "has " + base::megabyte_words(static_cast<double>(text.size()), 1) +
           "; the limit is 50 MB: choose a part of it";
  }
  const auto zeros = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\0'));
  std::size_t characters = 0, ill_formed = 0;
  for (std::size_t at = 0; at < text.size();) {
    ++characters;
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const base::CodePoint c = base::decode(text, at);
    ill_formed += !c.valid;
    at += c.bytes;
  }
  if (zeros * 5 > text.size()) return "is not UTF-8 text but looks like UTF-16: save it as UTF-8";
  if (zeros * 1000 > text.size()) return "is not text: " + std::to_string(zeros) + " of its bytes are 0";
  if (ill_formed * 4 > characters) {
    return "is not UTF-8 text: " + std::to_string(ill_formed) + " of its " + std::to_string(characters) +
           " characters are ill-formed; save it as UTF-8";
  }
  return {};
}

/// Returns where the last tenth begins: after a nearby end of line, else after a space, else at a character.
std::size_t last_tenth(std::string_view text) {
  const std::size_t wanted = text.size() - text.size() / 10;
  for (const char mark : {'\n', ' '}) {
    const std::size_t found = text.find(mark, wanted);
    if (found != std::string_view::npos && found - wanted < text.size() / 50) return found + 1;
  }
  std::size_t at = wanted;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return at;
}

Vocabulary learn(std::string_view text, const TextTaskOptions& options, const KeepGoing& keep_going) {
  switch (options.kind) {
    case VocabularyKind::chars:
      return learn_characters(text, options.vocabulary, keep_going);
    case VocabularyKind::words:
      return learn_words(text, options.vocabulary, keep_going);
    default:
      return learn_pieces(text, options.vocabulary, keep_going, options.bytes);
  }
}

/// Encodes to 16-bit ids, part by part; stops when `keep_going` returns false.
std::vector<std::uint16_t> encoded(const Encoder& encoder, std::string_view text,
                                   const KeepGoing& keep_going) {
  std::vector<std::uint16_t> ids;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(at + part_bytes, text.size());
    if (end < text.size()) {
      const std::size_t line = text.rfind('\n', end - 1);
      if (line != std::string_view::npos && line >= at) end = line + 1;
    }
    for (int id : encoder.encode(text.substr(at, end - at))) ids.push_back(static_cast<std::uint16_t>(id));
    at = end;
    if (keep_going && !keep_going(static_cast<float>(at) / static_cast<float>(text.size()))) break;
  }
  return ids;
}

/// The tokens for training and the tokens for measuring.
struct TextParts {
  std::vector<std::uint16_t> training, measuring;
  bool apart = true;  // false: the text is too short, so both are the same
};

class TextTask : public Task {
 public:
  TextTask(Encoder encoder, TextParts parts, const TextTaskOptions& options)
      : encoder_(std::move(encoder)), parts_(std::move(parts)), length_(options.length), seed_(options.seed) {
    // Windows spread evenly over the whole part; they do not overlap.
    const std::size_t T = static_cast<std::size_t>(length_), room = parts_.measuring.size() - T - 1;
    const std::size_t count = std::min<std::size_t>(windows_measured, room / T + 1);
    for (std::size_t n = 0; n < count; ++n) {
      examples_.push_back(window(parts_.measuring, count > 1 ? n * room / (count - 1) : 0));
    }
    if (parts_.training.empty()) return;  // the task is only for measuring
    BigramTable bigrams(encoder_.size());
    TrigramTable trigrams(bigrams, examples_);
    const std::vector<std::uint16_t>& ids = parts_.training;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
      bigrams.add(ids[i], ids[i + 1]);
      if (i > 0) trigrams.add(ids[i - 1], ids[i], ids[i + 1]);
    }
    baselines_ = {{"bigram table", bigrams.loss(examples_)}, {"trigram table", trigrams.loss(examples_)}};
  }

  const Encoder& encoder() const override { return encoder_; }
  int length() const override { return length_; }
  bool causal() const override { return true; }
  const char* score_name() const override { return "next token right"; }
  std::unique_ptr<Task> at_length(int length) const override {
    if (parts_.measuring.size() < static_cast<std::size_t>(length) + 1) return nullptr;
    TextTaskOptions options;
    options.length = length, options.seed = seed_;
    return std::make_unique<TextTask>(encoder_, TextParts{{}, parts_.measuring, parts_.apart}, options);
  }
  std::vector<Baseline> baselines() const override { return baselines_; }
  std::string note() const override {
    return parts_.apart ? ""
                        : "The text is too short to hold out a tenth of it: the model is measured on its "
                          "training text.";
  }

  void batch(int step, int B, Batch& out) const override {
    out.B = B, out.T = length_;
    out.tokens.clear(), out.targets.clear();
    const int starts = static_cast<int>(parts_.training.size()) - length_;
    for (int b = 0; b < B; ++b) {
      Draws draws(seed_, training_stream(step, b));
      const auto from = parts_.training.begin() + draws.below(starts);
      out.tokens.insert(out.tokens.end(), from, from + length_);
      out.targets.insert(out.targets.end(), from + 1, from + length_ + 1);
    }
  }

  Example example(int n) const override {
    HEADLIGHT_CHECK_OP(n, >=, 0);
    Example out = examples_[static_cast<std::size_t>(n) % examples_.size()];
    out.relations = token_relations(out.tokens, true);
    return out;
  }

  std::vector<int> tokens_of(std::string_view sentence) const override {
    return first_tokens(encoder_, sentence, length_);
  }

  TaskScore evaluate(const ModelConfig& config, const ModelWeights& weights,
                     base::Parallel& parallel) const override {
    int right = 0;
    const auto look = [&](int n, const ModelTrace& trace, int row) {
      const std::vector<int>& targets = examples_[static_cast<std::size_t>(n)].targets;
      for (int t = 0; t < length_; ++t) {
        right += likeliest(trace, row + t) == targets[static_cast<std::size_t>(t)];
      }
    };
    TaskScore result = measure(config, weights, parallel, examples_, look);
    result.score = static_cast<double>(right) / (static_cast<double>(examples_.size()) * length_);
    return result;
  }

 private:
  Example window(const std::vector<std::uint16_t>& ids, std::size_t from) const {
    const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(from);
    Example out;
    out.tokens.assign(begin, begin + length_);
    out.targets.assign(begin + 1, begin + length_ + 1);
    return out;
  }

  Encoder encoder_;
  TextParts parts_;
  int length_;
  std::uint64_t seed_;
  std::vector<Example> examples_;
  std::vector<Baseline> baselines_;  // empty: only for measuring
};

}  // namespace

base::Result<std::unique_ptr<Task>> text_task(std::string_view text, const TextTaskOptions& options) {
  HEADLIGHT_CHECK(options.length >= 1 && options.vocabulary >= 2 && options.vocabulary <= 1 << 15);
  if (const std::string problem = not_text(text); !problem.empty()) {
    return base::Error{options.name + ' ' + problem};
  }
  bool stopped = false;
  const auto share = [&](float from, float to) -> KeepGoing {
    return [&, from, to](float done) {
      stopped = stopped || (options.keep_going && !options.keep_going(from + (to - from) * done));
      return !stopped;
    };
  };
  const std::size_t needed = static_cast<std::size_t>(options.length) + 1;
  std::size_t cut = last_tenth(text);
  Vocabulary vocabulary = learn(text.substr(0, cut), options, share(0, 0.6f));
  TextParts parts;
  if (!stopped) {
    const Encoder encoder(vocabulary);
    parts.measuring = encoded(encoder, text.substr(cut), {});
    if (parts.measuring.size() < needed) {
      parts.apart = false, cut = text.size();
      vocabulary = learn(text, options, share(0, 0.6f));
    }
  }
  Encoder encoder(std::move(vocabulary));
  if (!stopped) parts.training = encoded(encoder, text.substr(0, cut), share(0.6f, 1));
  if (stopped) return base::Error{options.name + ": stopped while it was read"};
  if (!parts.apart) parts.measuring = parts.training;
  if (parts.training.size() < needed) {
    return base::Error{options.name + " is too short: a sequence of " + std::to_string(options.length) +
                       " tokens needs " + std::to_string(needed) + ", and it has " +
                       std::to_string(parts.training.size()) + "; choose a longer text or a smaller length"};
  }
  return std::unique_ptr<Task>(std::make_unique<TextTask>(std::move(encoder), std::move(parts), options));
}

}  // namespace headlight::nn
