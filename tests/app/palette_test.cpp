// Is everything that has a name found by it? And is each thing named once?
#include <gtest/gtest.h>
#include <imgui.h>
#include <stdlib.h>

#include <regex>
#include <set>
#include <sstream>

#include "app/actions.h"
#include "app/hints.h"
#include "app/palette_entries.h"
#include "pages/page_that.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "session/field_words.h"
#include "support/reference_data.h"
#include "support/sanitized.h"
#include "support/scratch_folder.h"
#include "support/whole_model.h"

namespace headlight::app {
namespace {

using scene::Page;
using scene::Scene;

/// Where the first assignment ends: a value may hold ';' itself, as matrices do.
std::size_t first_end(const std::string& set) {
  for (std::size_t end = set.find(';'); end != std::string::npos; end = set.find(';', end + 1)) {
    const std::size_t equals = set.find('=', end);
    const std::string name = set.substr(end + 1, std::min(equals, set.size()) - end - 1);
    if (equals != std::string::npos && scene::find_setting(name)) return end;
  }
  return set.size();
}

Scene apply(const Scene& scene, const PaletteEntry& entry) {
  const auto set = scene::with_fields(scene, entry.set);
  EXPECT_TRUE(set) << entry.set << ": " << (set ? "" : set.error());
  return set ? *set : scene;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The best entry for what is typed.
const PaletteEntry& best(const std::vector<PaletteEntry>& entries, const std::string& query) {
  const auto list = found(query, entries);
  static const PaletteEntry none;
  return list.empty() ? none : *list.front();
}

TEST(Palette, EveryEntryIsFoundByItsTitle) {
  for (const Page page : {Page::attention, Page::position, Page::training}) {
    Scene scene;
    scene.page = page;
    const std::vector<PaletteEntry> entries = palette_entries(scene);
    EXPECT_GT(entries.size(), 200u);
    int turn = 0;
    for (const PaletteEntry& entry : entries) {
      if (tests::sanitized && ++turn % 10 != 0) continue;
      EXPECT_STRCASEEQ(best(entries, entry.title).title.c_str(), entry.title.c_str());  // “Order”, “order”
      EXPECT_GT(score(entry.title, entry), 0);
    }
  }
}

TEST(Palette, EverySettingIsFoundByItsNameAndItsLabel) {
  const Scene standard;
  const std::vector<PaletteEntry> entries = palette_entries(standard);
  scene::fields(standard, [&](const scene::Field& field, const auto&) {
    if (std::string_view(field.name) == "page") return;
    for (const std::string& query : {std::string(field.name), std::string(field.label)}) {
      bool there = false;
      for (const PaletteEntry* entry : found(query, entries))
        there |= entry->set.rfind(std::string(field.name) + "=", 0) == 0 ||
                 entry->fill == std::string(field.name) + " " || entry->fill == lower(field.label) + " ";
      EXPECT_TRUE(there) << query;
    }
  });
}

TEST(Palette, WhatFillsTheQueryTakesAValueThere) {
  const Scene standard;
  int filled = 0;
  for (const PaletteEntry& entry : palette_entries(standard)) {
    if (entry.fill.empty()) continue;
    const std::string name = entry.words.substr(0, entry.words.find(' '));  // its own, before the synonyms
    const std::string value = scene::get_field(standard, name);
    if (value.empty()) continue;
    const auto typed = typed_setting(standard, entry.fill + value);
    ASSERT_TRUE(typed) << entry.fill << value;
    EXPECT_FALSE(typed->problem) << entry.fill << value << ": " << typed->title;
    EXPECT_EQ(typed->set.rfind(name + "=", 0), 0u) << entry.fill << " sets " << typed->set;
    ++filled;
  }
  EXPECT_GT(filled, 30);
}

TEST(Palette, WhatAModelSetsIsSaidAndCannotBeChosen) {
  tests::ScratchFolder scratch;
  const auto variant = tests::ReferenceData::instance()
                           .json(tests::ReferenceData::instance().models() + "tiny-gpt2/manifest.json")
                           .at("variants")[0]["dir"]
                           .get<std::string>();
  Scene opened;
  opened.weights = scene::WeightsSource::file;
  opened.weights_file = tests::whole_model("tiny-gpt2", variant, scratch.path()).string();
  Scene trained;
  trained.weights = scene::WeightsSource::trained, trained.weights_file = "pronouns-guided";
  scene::repair(trained);
  for (const Scene& scene : {opened, trained}) {
    const std::vector<PaletteEntry> entries = palette_entries(scene);
    for (const char* title : {"Heads", "Seed (model)"}) {
      const PaletteEntry& entry = best(entries, title);
      EXPECT_TRUE(entry.problem && entry.detail.starts_with("set by ")) << title << ": " << entry.detail;
    }
    EXPECT_TRUE(typed_setting(scene, "heads 2")->problem);
    EXPECT_FALSE(best(entries, "temperature").problem);
    EXPECT_FALSE(typed_setting(scene, "temperature 2")->problem);
  }
  // Its positions are its own, too: those of the layer would change nothing on screen.
  EXPECT_TRUE(best(palette_entries(opened), "Position: none").problem);
  EXPECT_TRUE(typed_setting(opened, "position none")->problem);
  EXPECT_FALSE(best(palette_entries({}), "Position: none").problem);
  // Other pages draw what is random from the seed, and lead to the page where the model decides.
  trained.page = Page::memory;
  EXPECT_FALSE(typed_setting(trained, "seed 7")->problem);
  opened.page = Page::cost;
  EXPECT_TRUE(typed_setting(opened, "heads 2")->problem);
  Scene most;
  most.cost.heads = most.cost.layers = 1024;
  EXPECT_TRUE(typed_setting(most, "cost_batch 1024")->problem);
  EXPECT_FALSE(typed_setting(most, "cost_batch 128")->problem);
}

TEST(Palette, ModelsAreFoundByTheirNames) {
  const Scene scene;
  ::setenv("HEADLIGHT_MODELS", "no such folder", 1);
  ::setenv("XDG_DATA_HOME", "no such folder", 1);
  const std::vector<PaletteEntry> models = model_entries(model_choices(scene, "no such folder", {}), scene);
  ASSERT_EQ(models.size(), scene::included_models().size() + 1) << "and random weights";
  for (const char* name : scene::included_models()) {
    const PaletteEntry& entry = best(models, name);
    EXPECT_EQ(entry.title, std::string("Model: ") + name);
    EXPECT_EQ(apply(scene, entry).weights, scene::WeightsSource::trained);
  }
  EXPECT_EQ(best(models, "random weights").right, "in use");
  const Scene guided = apply(scene, best(models, "pronouns-guided"));
  EXPECT_EQ(guided.weights_layer, 2);
  EXPECT_EQ(guided.head, scene::IndexList{1});
}

TEST(Palette, ThingsAreFoundByOtherWordsForThem) {
  const std::vector<PaletteEntry> entries = palette_entries({});
  for (const auto& [query, title] : {std::pair{"color blind", "colour-blindness preview"},
                                     {"fullscreen", "full screen"},
                                     {"entropy", "Attention"},
                                     {"dark mode", "dark or light"}}) {
    bool there = false;
    for (const PaletteEntry* entry : found(query, entries))
      there |= lower(entry->title).rfind(lower(title), 0) == 0;
    EXPECT_TRUE(there) << query;
  }
}

TEST(Palette, QuestionsLeadToThePlaceThatAnswersThem) {
  const Scene scene;
  const std::vector<PaletteEntry> entries = palette_entries(scene);
  struct Case {
    const char *typed, *first, *page;
  };
  for (const Case& c : {Case{"why is this weight so large", "Why is this weight so large?", "attention"},
                        Case{"why is the weight small?", "Why is this weight so large?", "attention"},
                        Case{"how is a weight computed", "Why is this weight so large?", "attention"},
                        Case{"average", "What is the average over all heads?", "attention"},
                        Case{"average of all heads", "What is the average over all heads?", "attention"},
                        Case{"what is entropy", "What is entropy?", "softmax"},
                        Case{"compare two heads", "How do I compare two heads?", "bench"},
                        Case{"which key", "Which key does a query attend to most?", "attention"},
                        Case{"strongest key", "Which key does a query attend to most?", "attention"},
                        Case{"switch heads off", "Which heads can be switched off?", "bench"},
                        Case{"why divide by sqrt", "Why divide by √d_k?", "variants"},
                        Case{"how does rope work", "How does RoPE work?", "variants"},
                        Case{"does order matter", "Does word order matter?", "order"},
                        Case{"what does the temperature do", "What does the temperature do?", "softmax"},
                        Case{"how expensive is a layer", "What does one layer cost?", "cost"},
                        Case{"how does a head learn", "How does a head learn?", "training"},
                        Case{"how to stop training", "How do I stop training?", "training"},
                        Case{"what is a mask?", "What is a mask?", "attention"},
                        Case{"what does masked mean", "What is a mask?", "attention"},
                        Case{"what is a token", "What is a token?", "attention"},
                        Case{"what is an embedding", "What is an embedding?", "attention"},
                        Case{"what is d_model", "What is d, the model width?", "attention"},
                        Case{"what is a score", "What are logits?", "softmax"},
                        Case{"what are attention weights", "What is attention?", "attention"},
                        Case{"why multiple heads", "What is multi-head attention?", "attention"},
                        Case{"how do i pick a head", "How do I choose a head?", "attention"},
                        Case{"what is an induction head", "Which heads are induction heads?", "model"},
                        Case{"who invented attention", "Which papers is this from?", "presets"},
                        Case{"train", "How do I train a model of my own?", "training"}}) {
    const PaletteEntry& first = best(entries, c.typed);
    EXPECT_EQ(first.title, c.first) << c.typed;
    const Scene there = apply(scene, first);
    EXPECT_STREQ(word(there.page), c.page) << c.typed;
  }
  // The answer shows what it speaks of: a mask that is on.
  EXPECT_TRUE(apply(scene, best(entries, "what is a mask")).mask.causal);
  // What is done by an action is not answered by a sentence that has its letters.
  EXPECT_EQ(best(entries, "how do i undo").title, "undo");
  EXPECT_EQ(best(entries, "how do i save").title, "save the scene");
  EXPECT_EQ(best(entries, "how do i change the sentence").title, "edit the sentence");
  Scene one_head = scene;  // the average is of all heads, whichever is on screen
  one_head.head = {2};
  one_head = apply(one_head, best(entries, "average"));
  EXPECT_TRUE(one_head.head.empty());
  EXPECT_EQ(one_head.combine, scene::Combine::mean);
  EXPECT_EQ(best(entries, "temperature").fill, "temperature ");
  EXPECT_EQ(best(entries, "save a figure").action, Action::export_figure);
  EXPECT_EQ(best(entries, "save the scene").action, Action::save);
  for (const char* nothing : {"xyzzy", "why xyzzy"}) EXPECT_TRUE(found(nothing, entries).empty());
  EXPECT_EQ(best(entries, "how do clocks relate to P").title, "How do the clocks relate to P?");
  EXPECT_EQ(best(entries, "how do clocks xyzzy to P").title, "How do the clocks relate to P?")
      << "a word that nothing has is left out";
}

/// What a student, a lecturer and a researcher type, and what comes first.
TEST(Palette, FiftyQuestionsFindTheirAnswers) {
  const std::vector<PaletteEntry> entries = palette_entries({});
  const std::pair<const char*, const char*> cases[] = {
      {"what does the model predict next", "Which token does the model predict next?"},
      {"next token", "Which token does the model predict next?"},
      {"why is this weight so large", "Why is this weight so large?"},
      {"average", "What is the average over all heads?"},
      {"what is entropy", "What is entropy?"},
      {"compare two heads", "How do I compare two heads?"},
      {"softmax formula", "What is the formula of softmax?"},
      {"save picture", "export a figure or its numbers"},
      {"open gpt2", "choose a model"},
      {"how do I train", "How do I train a model of my own?"},
      {"train my own model", "How do I train a model of my own?"},
      {"what is the mask", "What is a mask?"},
      {"logits", "What are logits?"},
      {"perplexity", "What is the loss?"},
      {"head size", "What is d_k, the width of a head?"},
      {"what is d_k", "What is d_k, the width of a head?"},
      {"rotary", "How does RoPE work?"},
      {"alibi", "How does ALiBi work?"},
      {"what is attention", "What is attention?"},
      {"how does self-attention work", "What is attention?"},
      {"multi-head attention", "What is multi-head attention?"},
      {"how to read the heatmap", "How do I read the map?"},
      {"what do the colours mean", "How do I read the map?"},
      {"why is the cell black", "Why is a cell empty?"},
      {"where is W_Q", "Where are Q, K and V?"},
      {"attention by distance", "Do nearby words get more weight?"},
      {"residual stream", "What is the residual stream?"},
      {"skip connection", "What is the residual stream?"},
      {"layer normalization", "What does layer norm do?"},
      {"what does the mlp do", "What does the feed-forward network do?"},
      {"what is an encoder decoder", "What is an encoder–decoder?"},
      {"are two heads redundant", "How similar are two heads?"},
      {"why is attention quadratic", "Why is attention quadratic?"},
      {"how much memory", "How much memory does attention need?"},
      {"path length", "What is the maximum path length?"},
      {"hopfield", "What is a Hopfield network?"},
      {"linear attention", "What is linear attention?"},
      {"fast weights", "What are fast weights?"},
      {"induction heads", "Which heads are induction heads?"},
      {"which heads attend to the previous token", "Which heads attend to the previous token?"},
      {"ablation of a head", "What changes when a head is switched off?"},
      {"why sine and cosine", "Why sine and cosine?"},
      {"what does the base change", "What does the base change?"},
      {"wavelengths", "What does the base change?"},
      {"which paper", "Which papers is this from?"},
      {"mistakes in the sources", "Where do the sources contradict each other?"},
      {"why do weights sum to one", "Why do the weights sum to 1?"},
      {"what is the loss", "What is the loss?"},
      {"relative bias of t5", "How does T5 encode position?"},
      {"how do shaw relative positions work", "What are Shaw’s relative positions?"},
      {"sliding window", "What is a sliding window?"},
      {"sparse attention", "What is sparse attention?"},
      {"cross attention", "What is cross-attention?"},
      {"what is padding", "What is padding?"},
      {"kv cache", "What is a KV cache?"},
      {"does word order matter", "Does word order matter?"},
      {"how is position encoded", "How is position encoded?"},
      {"why divide by sqrt", "Why divide by √d_k?"},
      {"dark mode", "dark or light"},
      {"how do I make a lesson", "write a lesson"},
      {"how do i add a word", "How do I add a word?"},
      {"grouped query attention", "What is grouped-query attention?"},
      {"how many parameters", "How many parameters does the attention of a layer have?"},
      {"backpropagation", "How does a head learn?"},
      {"context length", "How much memory does attention need?"},
  };
  for (const auto& [typed, first] : cases) EXPECT_EQ(best(entries, typed).title, first) << typed;
}

TEST(Palette, NoTwoSettingsHaveTheSameName) {
  for (const Page page : {Page::attention, Page::memory, Page::training}) {
    Scene scene;
    scene.page = page;
    std::set<std::string> names;
    for (const PaletteEntry& entry : palette_entries(scene)) {
      const bool setting = entry.set.rfind("page=", 0) != 0 && (!entry.fill.empty() || !entry.set.empty());
      EXPECT_TRUE(!setting || names.insert(entry.title).second) << entry.title;
    }
  }
  EXPECT_EQ(best(palette_entries({}), "seed (training)").fill, "training_seed ");
  EXPECT_EQ(best(palette_entries({}), "seed").fill, "seed ");
  EXPECT_EQ(best(palette_entries({}), "heads").fill, "heads ");
}

scene::Results results_of(const Scene& scene, const std::vector<std::string>& texts) {
  scene::Results out;
  out.scene = scene, out.tokens_are = nn::VocabularyKind::pieces;
  for (const std::string& text : texts) {
    nn::Token token;
    token.text = text, token.begin = out.tokens.empty() ? 0 : out.tokens.back().end;
    token.end = token.begin + text.size();
    out.tokens.push_back(token);
  }
  return out;
}

/// The signs of a blank are no letters: they begin a word, and are none of it.
TEST(Palette, WordsOfAModelOfAnotherProgramAreFoundWithoutTheirSigns) {
  Scene scene;
  scene.query.clear();
  for (const std::string blank : {"␣", "Ġ", "▁", " "}) {
    const auto entries =
        token_entries(scene, results_of(scene, {"<s>", blank + "once", blank + "up", "on", blank + "a",
                                                blank + "pie", "##ce", blank, "cat", "."}));
    const auto set = [&](const char* typed) { return best(entries, typed).set; };
    EXPECT_EQ(set("once"), "query=1;key=-1") << blank;
    EXPECT_EQ(set("upon"), "query=2;key=-1") << blank;
    EXPECT_EQ(set("on"), "query=3;key=-1") << blank;
    EXPECT_EQ(set("cat"), "query=8;key=-1") << blank;
    EXPECT_EQ(best(entries, "on").detail.rfind("a piece of “upon”: ", 0), 0u) << best(entries, "on").detail;
    EXPECT_EQ(best(entries, "ce").detail.rfind("a piece of “piece”: ", 0), 0u) << best(entries, "ce").detail;
    EXPECT_EQ(best(entries, "once").detail.rfind("select it", 0), 0u) << best(entries, "once").detail;
    EXPECT_EQ(set("key once"), "key=1;query=9") << "the last query sees it under a mask";
  }
}

TEST(Palette, WordsAreLeftOutUntilTheyAreComputed) {
  const Scene scene;
  const scene::Results results = results_of(scene, {"a", "cat"});
  EXPECT_EQ(token_entries(scene, results).size(), 4u);
  Scene next = scene;
  next.token_ids = {1, 2};
  EXPECT_TRUE(token_entries(next, results).empty());
  next = scene, next.tokenizer = scene::Tokenizer::chars;
  EXPECT_TRUE(token_entries(next, results).empty());
  next = scene, next.weights_file = "another";
  EXPECT_TRUE(token_entries(next, results).empty());
}

TEST(Palette, AChangeIsToldAsAPersonCallsIt) {
  const Scene before;
  Scene after = before;
  after.memory.closeness = 0.5;
  EXPECT_EQ(changed_words(before, after), "Pattern 2 → 1 (Memory)");
  after.temperature = 2;
  EXPECT_EQ(changed_words(before, after), "Temperature, Pattern 2 → 1 (Memory)");
  after.heads = 8, after.seed = 9;
  EXPECT_EQ(changed_words(before, after), "4 settings");
}

TEST(Palette, EveryWordOfEveryChoiceSetsIt) {
  const Scene standard;
  for (const PaletteEntry& entry : palette_entries(standard)) {
    if (entry.set.empty()) continue;
    const std::string name = entry.set.substr(0, entry.set.find('='));
    const std::string value = entry.set.substr(name.size() + 1, first_end(entry.set) - name.size() - 1);
    EXPECT_EQ(scene::get_field(apply(standard, entry), name), value) << entry.title;
  }
}

TEST(Palette, AFewLettersAreEnough) {
  Scene scene;
  const std::vector<PaletteEntry> entries = palette_entries(scene);
  EXPECT_EQ(best(entries, "pos").set, "page=position");
  EXPECT_EQ(best(entries, "mask causal").set, "mask=causal");
  EXPECT_EQ(best(entries, "causal mask").set.rfind("mask=causal", 0), 0u);
  EXPECT_EQ(best(entries, "light").set, "theme=light");
  EXPECT_EQ(best(entries, "deuter").set, "colour_vision=deuteranopia");
  EXPECT_EQ(best(entries, "undo").action, Action::undo);
  EXPECT_EQ(best(entries, "save as").action, Action::save_as);
  EXPECT_EQ(best(entries, "BENCH").set, "page=bench");
  EXPECT_TRUE(found("xyzzy", entries).empty());
  EXPECT_EQ(found("", entries).size(), entries.size());
}

TEST(Palette, WhatIsSetIsSeen) {
  Scene scene;
  scene.page = Page::cost;
  const auto page_after = [&](const char* title) {
    for (const PaletteEntry& entry : palette_entries(scene)) {
      if (entry.title == title) return apply(scene, entry).page;
    }
    ADD_FAILURE() << title;
    return scene.page;
  };
  EXPECT_EQ(page_after("Write rule: delta"), Page::memory);
  EXPECT_EQ(page_after("Clock speed: log"), Page::position);
  EXPECT_EQ(page_after("Theme: light"), Page::cost);
  EXPECT_EQ(page_after("Mask: causal"), Page::attention);
  scene.page = Page::order;
  EXPECT_EQ(page_after("Mask: causal"), Page::order);
}

TEST(Palette, AValueIsTypedBehindTheName) {
  const Scene scene;
  struct Case {
    const char *typed, *field, *value;
  };
  for (const Case& c :
       {Case{"heads 8", "heads", "8"}, Case{"heads=8", "heads", "8"}, Case{"Heads: 8", "heads", "8"},
        Case{"temperature 0.5", "temperature", "0.5"}, Case{"divide by √d_k false", "scale", "false"},
        Case{"sentence She said so", "sentence", "She said so"},
        Case{"position_columns 1,2", "position_columns", "1,2"}, Case{"window radius 3", "window", "3"},
        Case{"training batch 8", "training_batch", "8"}}) {
    const auto entry = typed_setting(scene, c.typed);
    ASSERT_TRUE(entry) << c.typed;
    ASSERT_FALSE(entry->problem) << c.typed << ": " << entry->title;
    EXPECT_EQ(scene::get_field(apply(scene, *entry), c.field), c.value) << c.typed;
  }
  const auto wrong = typed_setting(scene, "heads 5000");
  ASSERT_TRUE(wrong);
  EXPECT_TRUE(wrong->problem);
  EXPECT_EQ(wrong->title, "heads: 5000 is out of range; expected 1 to 1024");
  const auto uneven = typed_setting(scene, "heads 5");
  ASSERT_TRUE(uneven && uneven->problem);
  EXPECT_EQ(uneven->title.rfind("heads must divide d_model (32)", 0), 0u) << uneven->title;
  std::string unused;
  const auto given = typed_setting(scene::first_scene(unused), "d_model 32");
  ASSERT_TRUE(given);
  EXPECT_TRUE(given->problem) << "a trained model gives the width";
  for (const char* typed : {"heads", "heads ", "head", "undo 3", ""})
    EXPECT_FALSE(typed_setting(scene, typed)) << typed;
}

TEST(Actions, EachIsNamedOnceAndNoTwoHaveTheSameKeys) {
  std::set<std::string> names;
  std::set<Action> seen;
  std::set<std::pair<int, std::array<bool, 4>>> chords;
  for (const ActionInfo& info : actions()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_TRUE(seen.insert(info.action).second) << info.name;
    EXPECT_EQ(&info_of(info.action), &info);
    for (const Chord& chord : info.chords) {
      if (chord.key == screen::Key::none) continue;
      EXPECT_TRUE(chords
                      .insert({static_cast<int>(chord.key),
                               {chord.mods.ctrl, chord.mods.shift, chord.mods.alt, chord.mods.super}})
                      .second)
          << info.name;
      EXPECT_NE(std::string(info.keys), "") << info.name << " has keys that nobody is told of";
    }
  }
}

TEST(Actions, LettersAreLeftToWhoTypes) {
  ImGui::CreateContext();
  screen::InputQueue::attach(ImGui::GetIO());
  int characters = 0, elsewhere = 0;
  for (const ActionInfo& info : actions()) {
    for (const Chord& chord : info.chords) {
      const bool letter = chord.key >= screen::Key::a && chord.key <= screen::Key::space &&
                          !chord.mods.ctrl && !chord.mods.alt;
      if (!letter) continue;
      ++characters;
      screen::InputQueue input;
      if (chord.mods.shift) input.key(screen::Key::shift, true);
      input.key(chord.key, true);
      scene::Scene there, without;  // the second one has none of what an action may need
      if (info.needs != nullptr) there.page = scene::page_that(info.needs);
      without.page = scene::Page::worked;
      while (input.pending()) {
        input.apply(ImGui::GetIO());
        EXPECT_TRUE(pressed_actions(input, there, Pressing::typing, false).empty()) << info.name;
        for (const Action action : pressed_actions(input, there, Pressing::free))
          elsewhere += action == info.action;
        for (const Action action : pressed_actions(input, without, Pressing::free))
          EXPECT_TRUE(action != info.action || info.needs == nullptr) << info.name;
      }
    }
  }
  EXPECT_GT(characters, 5);
  EXPECT_EQ(elsewhere, characters);
  ImGui::DestroyContext();
}

/// A source names a year, unless the numbers are Headlight's own, or follow.
TEST(Help, EveryPageHasItsMathematicsWithASource) {
  const std::regex year(
      "(18|19|20)[0-9][0-9]|here|same formula|follows from|the dot product|the sources|"
      "the chapter|was recorded|were recorded");
  for (const PageInfo& page : pages()) {
    ASSERT_FALSE(page.view.help().empty());
    std::set<std::string> panels;
    for (const views::HelpEntry& entry : page.view.help()) {
      EXPECT_TRUE(panels.insert(entry.panel).second) << entry.panel << " is explained twice";
      EXPECT_TRUE(std::regex_search(entry.source, year)) << entry.panel << ": " << entry.source;
      const std::string meaning = entry.meaning;
      EXPECT_TRUE(meaning.ends_with('.') || meaning.ends_with(".)")) << entry.panel << ": " << meaning;
      EXPECT_NE(entry.equation, std::string()) << entry.panel;
    }
  }
}

TEST(Hints, OnceClosedTheyNeverComeBack) {
  const tests::ScratchFolder folder;
  const auto file = folder.path() / "state" / "hints.txt";
  Scene scene;
  {
    Hints hints(file);
    for (const PageInfo& page : pages()) {
      scene.page = page.page();
      EXPECT_NE(hints.shown(scene), nullptr) << page.room.title;
    }
    hints.close(Page::attention);
    scene.page = Page::attention;
    EXPECT_EQ(hints.shown(scene), nullptr);
    scene.page = Page::cost;
    EXPECT_NE(hints.shown(scene), nullptr);
  }
  for (int start = 0; start < 3; ++start) {
    Hints hints(file);
    scene.page = Page::attention;
    EXPECT_EQ(hints.shown(scene), nullptr);
    scene.page = Page::cost;
    EXPECT_NE(hints.shown(scene), nullptr);
  }
  Hints(file).all_again();
  scene.page = Page::attention;
  EXPECT_NE(Hints(file).shown(scene), nullptr);
  EXPECT_EQ(Hints().shown(scene), nullptr) << "pictures have no hints";
}

}  // namespace
}  // namespace headlight::app
