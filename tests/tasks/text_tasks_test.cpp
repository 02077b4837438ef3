// Tasks made of words: small English and any text.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/utf8.h"
#include "nn/small_random.h"
#include "support/baseline_loss.h"
#include "tasks/grammar.h"
#include "tasks/task.h"

namespace headlight::nn {
namespace {

const std::vector<int>& keys(const Example& example, const std::string& name) {
  for (const Relation& relation : example.relations) {
    if (relation.name == name) return relation.keys;
  }
  ADD_FAILURE() << "no relation " << name;
  static const std::vector<int> none;
  return none;
}

TEST(English, RelationsAreAskedOfTheTokenBefore) {
  const auto task = english_task(40, 7);
  std::set<std::string> closing,
      pronouns = {"he", "she", "it", "they", "him", "her", "them", "his", "its", "their"};
  std::set<std::string> names;
  for (const GrammarNoun& name : grammar_names()) names.insert(name.one);
  int subjects = 0, quotes = 0;
  for (int n = 0; n < 64; ++n) {
    const Example example = task->example(n);
    for (std::size_t t = 0; t < 40; ++t) {
      // The text that is asked for at t, the last one included: the target.
      const std::string next = task->token_text(example.targets[t]);
      const auto text_at = [&](int key) {
        return task->token_text(example.tokens[static_cast<std::size_t>(key)]);
      };
      const int quote = keys(example, "opening quote")[t], name = keys(example, "the name before")[t],
                antecedent = keys(example, "antecedent of the pronoun")[t],
                subject = keys(example, "subject of the verb")[t];
      if (quote >= 0) {
        EXPECT_TRUE(next == "\"" && text_at(quote) == "\"");
        ++quotes;
      }
      if (name >= 0) {
        EXPECT_TRUE(names.count(next) && text_at(name) == next);
      }
      EXPECT_EQ(antecedent >= 0, pronouns.count(next) == 1) << next;
      if (subject >= 0) {
        EXPECT_LT(subject, static_cast<int>(t));
        ++subjects;
      }
    }
  }
  EXPECT_GT(subjects, 50);
  EXPECT_GT(quotes, 5);
}

TEST(English, HeldOutTextsAreNotTrainedOn) {
  const auto task = english_task(40, 7);
  // Every run of 12 tokens inside one sentence of the training part is looked for.
  std::set<std::vector<int>> trained;
  Batch batch;
  const auto ends = task->encoder().id_of(".");
  const auto whole_sentences = [&](std::vector<int>::const_iterator from, int length, auto&& visit) {
    std::vector<int> sentence;
    bool whole = true;  // texts start with a sentence
    for (int t = 0; t < length; ++t) {
      sentence.push_back(from[t]);
      if (from[t] != ends) continue;
      if (whole && std::count(sentence.begin(), sentence.end(), task->encoder().id_of("\"")) == 0)
        visit(sentence);
      whole = std::count(sentence.begin(), sentence.end(), task->encoder().id_of("\"")) == 0;
      sentence.clear();
    }
  };
  for (int step = 1; step <= 100; ++step) {
    task->batch(step, 32, batch);
    for (int b = 0; b < 32; ++b) {
      whole_sentences(batch.tokens.cbegin() + b * 40, 40,
                      [&](const std::vector<int>& s) { trained.insert(s); });
    }
  }
  EXPECT_GT(trained.size(), 3000u);
  int looked_at = 0;
  for (int n = 0; n < 256; ++n) {
    const Example example = task->example(n);
    whole_sentences(example.tokens.cbegin(), 40, [&](const std::vector<int>& s) {
      EXPECT_FALSE(trained.count(s));
      ++looked_at;
    });
  }
  EXPECT_GT(looked_at, 300);
}

TEST(English, TypedSentencesAndBaseline) {
  const auto task = english_task(32, 7);
  const std::vector<int> ids = task->tokens_of("The keys to the old cabinet are");
  ASSERT_EQ(ids.size(), 7u);
  EXPECT_EQ(task->token_text(ids[0]), "the");
  EXPECT_EQ(task->token_text(ids[6]), "are");
  EXPECT_EQ(task->tokens_of("xylophone").at(0), 0);
  EXPECT_EQ(task->tokens_of(std::string(400, '.')).size(), 32u);
  EXPECT_LT(tests::baseline_loss(*task), std::log(task->vocabulary()) - 1);
  EXPECT_GT(tests::baseline_loss(*task), 2);
  EXPECT_NEAR(tests::baseline_loss(*task), tests::baseline_loss(*english_task(32, 8)), 0.1);
}

TEST(English, AgreementOfAModelThatKnowsNothing) {
  const auto task = english_task(32, 7);
  ModelConfig config;
  config.vocabulary = task->vocabulary(), config.context = 32;
  config.d_model = 8, config.heads = 2, config.layers = 1, config.d_ff = 16;
  EXPECT_EQ(task->evaluate(config, zero_model(config), threads()).score, 0);  // equal is not likelier
  // Forms for one are likelier: right where the subject is one, about half of all.
  ModelWeights weights = zero_model(config);
  for (const GrammarVerb& verb : grammar_verbs()) weights.wte.at(task->encoder().id_of(verb.one), 0) = 1;
  weights.stack.lnf_b.at(0, 0) = 1;
  const double score = task->evaluate(config, weights, threads()).score;
  EXPECT_GT(score, 0.3);
  EXPECT_LT(score, 0.7);
}

// Any text.

std::string story(int sentences) {
  std::string text;
  for (int n = 0; n < sentences; ++n) {
    for (const GrammarWord& word : grammar_text(1, static_cast<std::uint64_t>(n), GrammarPart::training, 1)) {
      text += grammar_words()[static_cast<std::size_t>(word.word)] + ' ';
    }
    text.back() = '\n';
  }
  return text;
}

TextTaskOptions options_of(VocabularyKind kind, int vocabulary = 300, int length = 24) {
  TextTaskOptions options;
  options.name = "story.txt", options.kind = kind, options.vocabulary = vocabulary, options.length = length;
  return options;
}

TEST(Text, BatchesAreWindowsOfTheFirstNineTenths) {
  const std::string text = story(300);
  for (const auto kind : {VocabularyKind::chars, VocabularyKind::words, VocabularyKind::pieces}) {
    const auto made = text_task(text, options_of(kind));
    ASSERT_TRUE(made) << made.error();
    const Task& task = **made;
    EXPECT_EQ(task.note(), "");
    EXPECT_LE(task.vocabulary(), 300);
    // Where the parts meet, found from outside: the measured windows start there.
    const std::string measured = task.encoder().decode(task.example(0).tokens);
    Batch batch, again;
    task.batch(3, 16, batch), task.batch(3, 16, again);
    EXPECT_EQ(batch.tokens, again.tokens);
    const std::string spaced = task.encoder().decode(task.encoder().encode(text));
    const std::size_t cut = spaced.find(measured);
    ASSERT_NE(cut, std::string::npos);
    EXPECT_NEAR(static_cast<double>(cut), 0.9 * static_cast<double>(spaced.size()),
                0.03 * static_cast<double>(spaced.size()));
    for (int b = 0; b < 16; ++b) {
      const std::span<const int> window(batch.tokens.data() + b * 24, 24);
      const std::size_t at = spaced.find(task.encoder().decode(window));
      ASSERT_NE(at, std::string::npos);
      EXPECT_LT(at, cut);
      for (int t = 0; t + 1 < 24; ++t) {
        EXPECT_EQ(batch.targets[static_cast<std::size_t>(b * 24 + t)],
                  window[static_cast<std::size_t>(t) + 1]);
      }
      EXPECT_NE(batch.targets[static_cast<std::size_t>(b * 24 + 23)], no_target);
    }
    EXPECT_LT(tests::baseline_loss(task), std::log(task.vocabulary()));
    EXPECT_GT(tests::baseline_loss(task), 0.5);
    for (int n = 0; n < 200; ++n) {
      const std::size_t at = spaced.rfind(task.encoder().decode(task.example(n).tokens));
      ASSERT_NE(at, std::string::npos);
      EXPECT_GE(at, cut);
    }
  }
}

TEST(Text, WithAllBytesATypedSentenceHasNoUnknown) {
  TextTaskOptions options = options_of(VocabularyKind::pieces);
  const std::string typed = "the \xE6\x97\xA5\xE6\x9C\xAC \xF0\x9F\x9A\x80 5\xFF";
  for (const auto& [bytes, unknown] : {std::pair{PieceBytes::all, 0}, {PieceBytes::of_text, 1}}) {
    options.bytes = bytes;
    const auto made = text_task(story(300), options);
    ASSERT_TRUE(made) << made.error();
    const std::vector<int> ids = (*made)->tokens_of(typed);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), 0) > 0, unknown == 1);
    EXPECT_LE((*made)->vocabulary(), 300);
  }
}

/// Where more of what went before says more, three tokens beat two.
TEST(Text, TheTrigramTableIsTheBetterBaseline) {
  const auto made = text_task(story(600), options_of(VocabularyKind::words));
  ASSERT_TRUE(made) << made.error();
  const std::vector<Baseline> baselines = (*made)->baselines();
  ASSERT_EQ(baselines.size(), 2u);
  EXPECT_EQ(baselines[0].name, "bigram table");
  EXPECT_EQ(baselines[1].name, "trigram table");
  EXPECT_LT(baselines[1].loss, baselines[0].loss - 0.05);
  EXPECT_GT(baselines[1].loss, 0.5);
  EXPECT_EQ(tests::baseline_loss(**made), baselines[0].loss);
}

TEST(Text, WhiteSpaceIsShown) {
  const auto made = text_task(story(100) + "a\tb\r\nc", options_of(VocabularyKind::chars));
  ASSERT_TRUE(made);
  const Encoder& encoder = (*made)->encoder();
  EXPECT_EQ((*made)->token_text(encoder.id_of(" ")), "␣");
  EXPECT_EQ((*made)->token_text(encoder.id_of("\n")), "⏎");
  EXPECT_EQ((*made)->encoding(), encoder.vocabulary());
}

TEST(Text, AShortOneIsMeasuredWithWhatItLearnsAndSaysSo) {
  const auto made = text_task(story(4), options_of(VocabularyKind::words));
  ASSERT_TRUE(made) << made.error();
  EXPECT_NE((*made)->note().find("too short"), std::string::npos);
}

TEST(Text, IllFormedPartsAreTakenAsTheyAre) {
  std::string text = story(200);
  for (std::size_t i = 50; i < text.size(); i += 97) text[i] = '\xFF';
  for (const auto kind : {VocabularyKind::chars, VocabularyKind::words, VocabularyKind::pieces}) {
    const auto made = text_task(text, options_of(kind));
    ASSERT_TRUE(made) << made.error();
    Batch batch;
    (*made)->batch(1, 4, batch);
    ASSERT_FALSE(batch.tokens.empty());
    for (const int id : batch.tokens) {
      ASSERT_GE(id, 0);
      ASSERT_LT(id, (*made)->vocabulary());
    }
    if (kind == VocabularyKind::words) continue;  // which are put together with spaces
    const Encoder& encoder = (*made)->encoder();
    const std::string part = text.substr(40, 30);  // with one such byte
    EXPECT_EQ(encoder.decode(encoder.encode(part)),
              kind == VocabularyKind::pieces ? part : base::well_formed(part));
  }
}

TEST(Text, ErrorsAreOneLineThatNamesTheFileTheCauseAndWhatToDo) {
  const auto message = [](const std::string& text, int length = 24) {
    const auto made = text_task(text, options_of(VocabularyKind::chars, 300, length));
    return made ? std::string("no error") : made.error();
  };
  std::string utf16;
  for (char c : story(20)) utf16 += c, utf16 += '\0';
  std::string binary, latin;
  for (int i = 0; i < 4000; ++i) binary += static_cast<char>(i * 7 % 251);
  for (int i = 0; i < 4000; ++i) latin += i % 2 ? '\xE9' : 'a';
  const std::pair<std::string, std::string> cases[] = {
      {message(""), "empty"},
      {message("x"), "too short: a sequence of 24 tokens needs 25, and it has 1"},
      {message("only a few words"), "choose a longer text or a smaller length"},
      {message(story(50), 100000), "too short"},
      {message(utf16), "UTF-16"},
      {message(binary), "not text"},
      {message(latin), "ill-formed"},
      {message(std::string(largest_text + 1, 'a')), "50 MB"}};
  for (const auto& [text, cause] : cases) {
    EXPECT_TRUE(text.starts_with("story.txt")) << text;
    EXPECT_NE(text.find(cause), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_NE(text.back(), '.');
  }
}

TEST(Text, CanBeStopped) {
  const std::string text = story(400);
  for (const float at : {0.0f, 0.3f, 0.7f}) {
    TextTaskOptions options = options_of(VocabularyKind::pieces);
    float last = 0;
    options.keep_going = [&](float done) {
      EXPECT_GE(done, last);
      EXPECT_LE(done, 1);
      last = done;
      return done < at;
    };
    const auto made = text_task(text, options);
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().find("stopped"), std::string::npos);
  }
}

}  // namespace
}  // namespace headlight::nn
