#include "scene/scene_line.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "scene/named_files.h"
#include "scene/settings.h"

namespace headlight::scene {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Scene sample() {
  Scene scene;
  scene.sentence = "Привет, 猫 😀 — the \"mat\"";
  scene.page = Page::variants;
  scene.heads = 8;
  scene.mask = {.causal = true, .window = true};
  scene.query = {0, 3, 4};
  scene.variants.sentence_kv = "die Katze";
  return scene;
}

TEST(SceneLine, AnySceneComesBack) {
  Scene bytes;
  bytes.sentence = "caf\xe9\n\ttwo lines";
  Scene empty;
  empty.sentence.clear();
  empty.head.clear();
  for (const Scene& scene : {Scene{}, sample(), bytes, empty}) {
    const std::string line = to_line(scene);
    const base::Result<Scene> back = from_line(line);
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(*back, scene);
    EXPECT_EQ(to_line(*back), line);
  }
}

TEST(SceneLine, ItIsOneShortLineOfPlainLetters) {
  const std::string line = to_line(sample());
  EXPECT_THAT(line, StartsWith("headlight1:"));
  EXPECT_LT(line.size(), 400u);
  EXPECT_LT(to_line(written_defaults()).size(), 32u) << "what is left out means this";
  for (const char c : line.substr(11))
    EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') << c;
}

/// Each field by itself, changed to something else that may stand there.
TEST(SceneLine, EveryFieldTravels) {
  const nlohmann::json defaults = nlohmann::json::parse(to_json(Scene{}));
  int travelled = 0;
  const Scene standard;
  fields(standard, [&](const Field& field, const auto& value) {
    Scene scene;
    std::string other;
    using V = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::same_as<V, bool>) {
      other = value ? "false" : "true";
    } else if constexpr (std::same_as<V, int>) {
      other = std::to_string(value == static_cast<int>(field.max) ? value - 1 : value + 1);
      if (std::string_view(field.name) == "heads") other = "8";
      if (std::string_view(field.name) == "d_model") other = "64";
    } else if constexpr (std::same_as<V, double>) {
      other = std::to_string((value + (value < field.max ? field.max : field.min)) / 2);
    } else if constexpr (std::same_as<V, std::string>) {
      other = "1,2;3,4";
    } else if constexpr (std::same_as<V, MaskSet>) {
      other = "causal+valid_length";
    } else if constexpr (std::same_as<V, IndexList>) {
      other = "2,3";
    } else {
      other = value.list()[value.index() == 0 ? 1 : 0];
    }
    ASSERT_TRUE(set_field(scene, std::string(field.name) + "=" + other)) << field.name;
    const base::Result<Scene> back = from_line(to_line(scene));
    ASSERT_TRUE(back) << field.name << ": " << back.error();
    EXPECT_EQ(*back, without_folders(scene)) << field.name;
    EXPECT_NE(*back, Scene{}) << field.name;
    ++travelled;
  });
  EXPECT_EQ(travelled, static_cast<int>(defaults.size()) - 1);
}

TEST(SceneLine, ItIsFoundAmongWordsAndWhenItWasBroken) {
  const std::string line = to_line(sample());
  for (const std::string& text :
       {"look at this: " + line + " and tell me", "  " + line + "\r\n", line + ".", "<" + line + ">",
        line.substr(0, 30) + "\n" + line.substr(30, 40) + "\r\n  " + line.substr(70)}) {
    EXPECT_TRUE(has_line(text));
    const base::Result<Scene> scene = from_line(text);
    ASSERT_TRUE(scene) << text << ": " << scene.error();
    EXPECT_EQ(*scene, sample());
  }
  for (const char* text : {"", "headlight", "headlight1:", "headlight1: x", "the headlight1 of a car"})
    EXPECT_FALSE(has_line(text)) << text;
}

TEST(SceneLine, AWrongLetterOrAMissingEndIsSaidInOneLine) {
  const std::string line = to_line(sample());
  int refused = 0;
  for (std::size_t i = 11; i < line.size(); ++i) {
    std::string changed = line;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    const base::Result<Scene> scene = from_line(changed);
    if (scene) {
      EXPECT_EQ(*scene, sample()) << "only bits that carry nothing may change";
    } else {
      ++refused;
      EXPECT_THAT(scene.error(), Not(HasSubstr("\n")));
    }
    EXPECT_FALSE(from_line(line.substr(0, i))) << i;
  }
  EXPECT_GE(refused, static_cast<int>(line.size()) - 11 - 2);
  EXPECT_EQ(from_line(line.substr(0, 60)).error(),
            "incomplete scene line: it ends unexpectedly; copy it again");
  EXPECT_THAT(from_line("some words").error(), HasSubstr("headlight1:"));
  EXPECT_THAT(from_line("headlight2:AAAA").error(), HasSubstr("newer format (headlight2)"));
}

TEST(SceneLine, WhatAFileRefusesALineRefusesToo) {
  // {"hats":8}, {"heads":5} and [1], packed by Python's zlib.
  EXPECT_THAT(from_line("headlight1:eNqrVspILClWsrKoBQATCwNf").error(), HasSubstr("unknown setting"));
  EXPECT_THAT(from_line("headlight1:eNqrVspITUwpVrIyrQUAFtMDsQ").error(), HasSubstr("heads must divide"));
  EXPECT_THAT(from_line("headlight1:eNqLNowFAAHTAOo").error(), HasSubstr("expected a JSON object"));
}

}  // namespace
}  // namespace headlight::scene
