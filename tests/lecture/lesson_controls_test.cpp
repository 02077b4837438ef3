// A lesson's sentences stay true when its reader does what the step offers: every control is set to its ends,
// every task is done, and the words are held against the scene that this gives. A sentence about the scene
// that the step opens with says so ("At the start, …") and has no number that follows the scene; every other
// bound must hold, and every other number must be one ("−1: never" is none).
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "scene/settings.h"
#include "session/lesson_player.h"
#include "support/lesson_models.h"
#include "support/sanitized.h"

namespace headlight::app {
namespace {

using scene::LessonStep;
using scene::Scene;
using testing::IsEmpty;

using Assignments = std::vector<std::string>;

OpenedLesson opened(const std::string& name) {
  auto lesson = open_lesson(name, {});
  EXPECT_TRUE(lesson) << (lesson ? "" : lesson.error());
  return std::move(*lesson);
}

/// Those whose model is here.
std::vector<LessonEntry> lessons() {
  std::vector<LessonEntry> out = list_lessons({});
  std::erase_if(out, [](const LessonEntry& entry) { return !tests::can_be_played(entry); });
  return out;
}

/// What somebody may type in the place of a sentence, none of them marked as the step's own.
const Assignments typed = {
    "sentence=the animal did not cross the street because it was too tired",
    "sentence=the animal did not cross the street because it was too wide",
    "sentence=the cat chased the dog because it was hungry",
    "sentence=the dog followed the cat because it was thirsty",
    "sentence=one",
    "sentence=",
};

/// Every value of a setting that is a word or a switch; both ends of one that is a number, and its middle.
Assignments ends_of(const std::string& name) {
  Assignments out;
  const auto add = [&](const std::string& value) { out.push_back(name + "=" + value); };
  const Scene any;
  scene::fields(any, [&](const scene::Field& field, const auto& member) {
    if (name != field.name) return;
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::same_as<Member, scene::Word>) {
      for (const char* word : member.list()) add(word);
    } else if constexpr (std::is_same_v<Member, bool>) {
      add("true"), add("false");
    } else if constexpr (std::is_same_v<Member, int>) {
      for (const double value : {field.min, field.max, 1.0, 2.0, 3.0, 16.0})
        if (field.min <= value && value <= field.max) add(std::to_string(static_cast<int>(value)));
    } else if constexpr (std::is_same_v<Member, double>) {
      for (const double value : {field.min, field.max, 0.5, 1.0, 2.0})
        if (field.min <= value && value <= field.max) add(std::to_string(value));
    } else if constexpr (std::is_same_v<Member, scene::MaskSet>) {
      for (const char* mask : {"none", "causal", "window", "valid_length", "causal+window"}) add(mask);
    } else if constexpr (std::is_same_v<Member, scene::IndexList>) {
      for (const char* list : {"1", "2", "3", "4"}) add(list);
    } else {
      for (const std::string& one : typed) add(one.substr(one.find('=') + 1));
    }
  });
  return out;
}

/// How each task is done, by lesson and step. `trained`: a run to its end does it (lesson_test.cpp has one).
const std::set<std::string> trained = {"learned/1", "learned/5"};
const std::map<std::string, Assignments> ways_to_do = {
    {"soft-dictionary/4", {"worked_temperature=0.1"}},
    {"soft-dictionary/13", {"worked_x=3,0;0,1;1,1"}},
    {"why-sqrt-d/6", {"scale=false", "temperature=8"}},
    {"many-heads/3", {"heads=8"}},
    {"many-heads/8", {"bench_off=2,4"}},
    {"order/5", {"position=sinusoidal"}},
    {"clocks/7", {"d_model=2"}},
    {"rotation/8", {"variants_b_position=alibi"}},
    {"masking/5", {"mask=causal+window", "window=1"}},
    {"cost/3", {"cost_n=64"}},
    {"memory/7", {"memory_beta=10"}},
    {"memory/9", {"memory_dimension=20"}},
    {"learned/8", {"training_shown_step=100"}},
    {"what-comes-next/9", {"sentence=the state of being free from danger or injury in a place"}},
    {"learned-clocks/11", {"sentence=a b c d e f g h i j k l"}},
};

/// In which scenes a step is tried: the task done, each control at each end, two of them at theirs.
std::vector<Assignments> tries(const std::string& where, const LessonStep& step) {
  std::vector<Assignments> out;
  if (const auto way = ways_to_do.find(where); way != ways_to_do.end()) out.push_back(way->second);
  for (const std::string& control : step.controls)
    for (const std::string& end : ends_of(control)) out.push_back({end});
  if (step.controls.size() == 2) {
    for (const std::string& a : ends_of(step.controls[0]))
      for (const std::string& b : ends_of(step.controls[1])) out.push_back({a, b});
  }
  return out;
}

/// Whole sentences: a full stop, a question mark or an exclamation mark outside of a number and of
/// mathematics, with a blank behind it.
std::vector<std::string> sentences(const std::string& words) {
  std::vector<std::string> out(1);
  bool braces = false, maths = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const char c = words[i];
    if (c == '{') braces = true;
    if (c == '}') braces = false;
    if (c == '$') maths = !maths;
    out.back() += c;
    const bool stop = c == '.' || c == '?' || c == '!';
    if (stop && !braces && !maths && i + 1 < words.size() && words[i + 1] == ' ') out.emplace_back();
  }
  return out;
}

std::vector<std::string> all_words(const LessonStep& step) {
  std::vector<std::string> texts = step.words;
  texts.insert(texts.end(), step.reveal.begin(), step.reveal.end());
  texts.push_back(step.title);
  if (step.task) texts.push_back(step.task->ask);
  if (step.predict) texts.push_back(step.predict->ask);
  if (step.question) {
    texts.push_back(step.question->ask), texts.push_back(step.question->why);
    texts.insert(texts.end(), step.question->choices.begin(), step.question->choices.end());
  }
  std::vector<std::string> out;
  for (const std::string& text : texts) {
    const auto some = sentences(text);
    out.insert(out.end(), some.begin(), some.end());
  }
  return out;
}

bool of_the_start(const std::string& sentence) {
  return sentence.find("At the start") != std::string::npos;
}

/// No count: what a figure says where there is nothing to be counted.
bool says_none(const scene::Claim& claim, double value) {
  const std::set<std::string> from_one = {"hops", "longest_path"},
                              from_zero = {"recovered_at", "worked_exact"};
  return std::isnan(value) || (from_one.count(claim.left.info->name) && value < 1) ||
         (from_zero.count(claim.left.info->name) && value < 0);
}

std::string joined(const Assignments& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

class LessonsUsed : public testing::Test {
 protected:
  void set(const Assignments& assignments) {
    Scene scene = player_.scene_of(player_.step());
    for (const std::string& one : assignments) {
      const auto done = scene::set_field(scene, one);
      ASSERT_TRUE(done) << one << ": " << done.error();
    }
    scene::repair(scene);
    session_.change(scene, "", now_ += 1);
    session_.update(now_);
    // Nothing that is tried on the Training page needs a run.
    if (scene.page != scene::Page::training) session_.wait();
    player_.update();
  }

  /// A claim of the words without a number that does not hold in the scene that is open, where no sentence is
  /// about the start.
  std::vector<std::string> false_facts(const LessonStep& step) const {
    std::vector<std::string> out;
    const std::vector<std::string> message = all_words(step);
    if (std::any_of(message.begin(), message.end(), of_the_start)) return out;
    for (const std::string& fact : step.facts) {
      const auto claim = scene::parse_claim(fact);
      if (!scene::holds(*claim, {session_.scene(), session_.results(), nullptr})) out.push_back(fact);
    }
    return out;
  }

  /// What is false in the scene that is open.
  std::vector<std::string> false_sentences(const LessonStep& step) const {
    std::vector<std::string> out;
    const auto training = session_.training().latest();
    const scene::QuantitySource from{session_.scene(), session_.results(), training.get()};
    for (const std::string& sentence : all_words(step)) {
      if (of_the_start(sentence)) continue;
      const auto paragraph = scene::parse_words(sentence);
      if (!paragraph) continue;  // half of a bold passage
      for (const scene::WordPart& part : *paragraph) {
        if (!part.number || !part.number->claim) continue;
        const scene::Claim& claim = *part.number->claim;
        const double value = scene::quantity_value(claim.left, from);
        const bool bad =
            claim.relation == scene::Relation::equal ? says_none(claim, value) : !scene::holds(claim, from);
        if (bad) out.push_back(sentence + "   (" + claim.left.text() + " = " + std::to_string(value) + ")");
      }
    }
    return out;
  }

  Session session_{{.scene = {}, .autosave = {}}};
  LessonPlayer player_{session_};
  double now_ = 0;
};

TEST_F(LessonsUsed, WhatIsSaidOfTheStartSaysSoAndDoesNotFollow) {
  int of_start = 0;
  for (const LessonEntry& entry : lessons()) {
    const OpenedLesson lesson = opened(entry.name);
    for (const LessonStep& step : lesson.lesson.steps) {
      for (const std::string& sentence : all_words(step)) {
        const auto paragraph = scene::parse_words(sentence);
        for (const scene::WordPart& part : paragraph ? *paragraph : scene::Paragraph{}) {
          if (!part.number || !part.number->claim) continue;
          of_start += part.number->at_start;
          const bool follows =
              !part.number->at_start && part.number->claim->relation == scene::Relation::equal;
          EXPECT_EQ(part.number->at_start, of_the_start(sentence) && !follows &&
                                               part.number->claim->relation == scene::Relation::equal)
              << entry.name << ": " << sentence;
          EXPECT_FALSE(follows && of_the_start(sentence)) << entry.name << ": " << sentence;
        }
      }
    }
  }
  EXPECT_GT(of_start, 15);
}

/// Where a control sets a number of things, no unmarked sentence has that number typed.
TEST_F(LessonsUsed, NoCountOfAControlIsTyped) {
  const std::vector<std::pair<std::string, std::string>> counted = {
      {"heads", "heads?"},
      {"bench_off", "heads?"},
      {"memory_dimension", "dimensions?"},
      {"memory_patterns", "patterns?"},
      {"variants_window", "keys?"},
      {"variants_global_tokens", "tokens?"},
  };
  const std::string number = "(\\{[0-9]+\\}|[Oo]ne|[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ee]ight|first) ";
  for (const LessonEntry& entry : lessons()) {
    const OpenedLesson lesson = opened(entry.name);
    for (const LessonStep& step : lesson.lesson.steps) {
      std::vector<std::string> message = step.words;
      message.insert(message.end(), step.reveal.begin(), step.reveal.end());
      for (const std::string& words : message) {
        for (const std::string& sentence : sentences(words)) {
          if (of_the_start(sentence)) continue;
          std::string here = sentence;  // what heads are compared with stays
          if (const auto at = here.find("as one head of width"); at != std::string::npos) here.erase(at, 12);
          for (const auto& [control, things] : counted) {
            if (std::count(step.controls.begin(), step.controls.end(), control) == 0) continue;
            EXPECT_FALSE(std::regex_search(here, std::regex("(^|[ (])" + number + things + "\\b")))
                << entry.name << ": " << sentence;
          }
          // A number of one cell beside a word of the sentence, when another sentence is typed.
          const bool other_words = std::count(step.controls.begin(), step.controls.end(), "sentence") > 0;
          const auto paragraph = scene::parse_words(sentence);
          for (const scene::WordPart& part : paragraph ? *paragraph : scene::Paragraph{})
            EXPECT_FALSE(other_words && part.number && part.number->claim &&
                         part.number->claim->left.number("key", -1) >= 0)
                << entry.name << ": " << sentence;
        }
      }
    }
  }
}

TEST_F(LessonsUsed, NoSentenceTurnsFalse) {
  int tried = 0;
  for (const LessonEntry& entry : lessons()) {
    player_.start(opened(entry.name), now_ += 1);
    for (int step = 0; step < player_.steps(); ++step) {
      player_.go(step, now_ += 1);
      const LessonStep& current = player_.current();
      const std::string where = entry.name + "/" + std::to_string(step + 1);
      for (const Assignments& assignments : tries(where, current)) {
        if (++tried % (tests::sanitized ? 5 : 1) != 0) continue;
        set(assignments);
        EXPECT_THAT(false_sentences(current), IsEmpty()) << where << ": " << joined(assignments);
        if (session_.scene().page == scene::Page::training) continue;  // of a run
        EXPECT_THAT(false_facts(current), IsEmpty()) << where << ": " << joined(assignments);
      }
    }
  }
  EXPECT_GT(tried, 150);
}

TEST_F(LessonsUsed, EveryTaskCanBeDone) {
  std::set<std::string> there;
  for (const LessonEntry& entry : lessons()) {
    player_.start(opened(entry.name), now_ += 1);
    for (int step = 0; step < player_.steps(); ++step) {
      player_.go(step, now_ += 1);
      const std::string where = entry.name + "/" + std::to_string(step + 1);
      if (!player_.current().task || trained.count(where)) continue;
      const auto way = ways_to_do.find(where);
      ASSERT_NE(way, ways_to_do.end()) << where;
      there.insert(where);
      set(way->second);
      EXPECT_TRUE(player_.task_done()) << where;
    }
  }
  std::size_t ways = 0;  // of the lessons that are played
  for (const LessonEntry& entry : lessons()) {
    ways +=
        static_cast<std::size_t>(std::count_if(ways_to_do.begin(), ways_to_do.end(), [&](const auto& way) {
          return way.first.substr(0, way.first.find('/')) == entry.name;
        }));
  }
  EXPECT_EQ(there.size(), ways);
}

/// Numbers that a sentence gives for another scene than that of its step.
struct Elsewhere {
  std::string lesson;
  int step;  // from 1
  std::string words;
  Assignments scene;
  std::string claim;
};

TEST_F(LessonsUsed, NumbersOfOtherScenesHoldThere) {
  const std::string
      cabinets = "sentence=the key to the old cabinets is on the table .",
      hungry = "sentence=the cat chased the dog because it was hungry",
      thirsty = "sentence=the dog followed the cat because it was thirsty",
      streets = "sentence=the animals did not cross the streets because it was too tired",
      long_one =
          "sentence=the cat sat on the mat because it was tired and the dog barked at it in the "
          "dark garden";
  const std::vector<Elsewhere> all = {
      {"soft-dictionary", 10, "it was {0.576}", {"worked_divide=false"}, "worked_soft row=2 col=2 = 0.576"},
      {"clocks",
       7,
       "with 32 columns, the closest rows are further apart with base 2",
       {"position_base=2"},
       "closest > 2.9"},
      {"clocks", 7, "than with base 10,000", {"position_base=10000"}, "closest < 1.2"},
      {"cost",
       6,
       "with gaps of one and three they need {2} layers",
       {"cost_kernel=one_sided"},
       "hops of=dilated = 2"},
      {"learned",
       12,
       "The model’s most probable next word is “are” ({0.29})",
       {"page=model"},
       "model_next_probability rank=1 = 0.29"},
      {"learned",
       12,
       "“cabinets” assigns more than {0.99} to “key”",
       {cabinets},
       "weight head=3 query=5 key=1 > 0.99"},
      {"read-a-real-model",
       2,
       "it assigned {0.780} of its weight to the previous token",
       {"sentence=the state of being free"},
       "model_previous layer=4 head=5 = 0.780"},
      {"right-for-which-reason",
       7,
       "assigns more than {0.95} to “streets”",
       {streets},
       "weight head=1 query=8 key=6 > 0.95"},
      {"right-for-which-reason",
       9,
       "With “dog” and “cat” exchanged, the cat gets {0.71}",
       {hungry},
       "weight head=1 query=6 key=1 = 0.71"},
      {"right-for-which-reason",
       9,
       "the second noun, “cat”, gets {0.57}",
       {thirsty},
       "weight head=1 query=6 key=4 = 0.57"},
      {"learned-clocks",
       13,
       "In head {4} it was {91.7 %} in the first sentence",
       {"sentence=the cat sat on the mat because it was tired"},
       "order_part_share part=4 head=4 = 91.7 %"},
      {"learned-clocks",
       13,
       "is {73.8 %} in the long one with the dog",
       {long_one},
       "order_part_share part=4 head=4 = 73.8 %"},
      {"learned-clocks",
       13,
       "in every head, pp has most of the variance",
       {long_one},
       "order_part_share part=4 head=1 > 0.5"},
      {"learned-clocks",
       13,
       "in every head, pp has most of the variance",
       {long_one},
       "order_part_share part=4 head=2 > 0.5"},
      {"learned-clocks",
       13,
       "in every head, pp has most of the variance",
       {long_one},
       "order_part_share part=4 head=3 > 0.5"},
  };
  for (const Elsewhere& one : all) {
    OpenedLesson lesson = opened(one.lesson);
    if (!tests::can_be_played(lesson.entry)) continue;
    player_.start(std::move(lesson), now_ += 1, one.step - 1);
    bool message = player_.current().notes.find(one.words) != std::string::npos;
    for (const std::string& sentence : all_words(player_.current()))
      message = message || sentence.find(one.words) != std::string::npos;
    EXPECT_TRUE(message) << one.lesson << "/" << one.step << " does not say: " << one.words;
    set(one.scene);
    const auto claim = scene::parse_claim(one.claim);
    ASSERT_TRUE(claim) << claim.error();
    EXPECT_TRUE(scene::holds(*claim, {session_.scene(), session_.results(), nullptr}))
        << one.lesson << "/" << one.step << ", " << joined(one.scene) << ": " << one.claim << ", found "
        << scene::quantity_value(claim->left, {session_.scene(), session_.results(), nullptr});
  }
}

}  // namespace
}  // namespace headlight::app
