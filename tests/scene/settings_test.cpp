#include "scene/settings.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "pages/missing.h"
#include "scene/undo.h"

namespace headlight::scene::settings_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string error_of(const std::string& assignment) {
  Scene scene;
  const Scene before = scene;
  const base::Status status = set_field(scene, assignment);
  EXPECT_EQ(scene, before) << assignment;
  if (status) return "";
  EXPECT_THAT(status.error(), testing::Not(HasSubstr("\n")));
  return status.error();
}

Scene with(const std::string& assignment) {
  Scene scene;
  const base::Status status = set_field(scene, assignment);
  EXPECT_TRUE(status) << assignment;
  return scene;
}

/// A value of each type that differs from the default.
struct Other {
  void operator()(const Field&, std::string& value) const { value = "some = other, text"; }
  void operator()(const Field&, bool& value) const { value = !value; }
  void operator()(const Field& f, int& value) const {
    value = static_cast<int>(value == f.max ? f.min : f.max);
  }
  void operator()(const Field& f, double& value) const { value = f.min + (f.max - f.min) / 3; }
  void operator()(const Field& f, IndexList& value) const { value = {static_cast<int>(f.max), 1, 2}; }
  void operator()(const Field&, MaskSet& value) const { value = {true, false, true}; }
  void operator()(const Field&, const SettableWord& value) const {
    value.set((value.index() + 1) % static_cast<int>(value.list().size()));
  }
};

/// Any value that a type can have, the ends of the type and of the field first of all.
struct AnyValue {
  std::uint64_t& state;

  std::uint64_t draw(std::uint64_t below) const {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 33) % below;
  }
  void operator()(const Field&, std::string& value) const {
    value.clear();
    for (std::uint64_t n = draw(6); n > 0; --n) value += static_cast<char>(draw(256));
  }
  void operator()(const Field&, bool& value) const { value = draw(2) == 0; }
  void operator()(const Field& f, int& value) const {
    constexpr int low = std::numeric_limits<int>::min(), high = std::numeric_limits<int>::max();
    const auto least = static_cast<int>(f.min), most = static_cast<int>(f.max);
    const int below = least == low ? low : least - 1, above = most == high ? high : most + 1;
    const int ends[] = {low, high, least, most, below, above, -1, 0, 1, static_cast<int>(draw(2000))};
    value = ends[draw(std::size(ends))];
  }
  void operator()(const Field& f, double& value) const {
    using Limits = std::numeric_limits<double>;
    const double part = static_cast<double>(draw(1 << 20)) / (1 << 20);
    const double ends[] = {Limits::quiet_NaN(),
                           Limits::infinity(),
                           -Limits::infinity(),
                           Limits::max(),
                           Limits::lowest(),
                           Limits::denorm_min(),
                           -0.0,
                           f.min + part * (f.max - f.min),
                           f.min,
                           f.max};
    value = ends[draw(std::size(ends))];
  }
  void operator()(const Field& f, IndexList& list) const {
    list.clear();
    for (std::uint64_t n = draw(20) == 0 ? 5000 : draw(5); n > 0; --n)
      list.emplace_back(), operator()(f, list.back());
  }
  void operator()(const Field&, MaskSet& value) const { value = {draw(2) == 0, draw(2) == 0, draw(2) == 0}; }
  void operator()(const Field&, const SettableWord& value) const {
    value.set(static_cast<int>(draw(value.list().size())));
  }
};

/// Whatever a slider, a model or a program of another version leaves: the kept scene can be opened again.
TEST(Settings, WhatRepairLeavesIsReadBack) {
  std::uint64_t state = 1;
  for (int n = 0; n < 800; ++n) {
    Scene scene;
    fields(scene, [&](const Field& field, auto& member) {
      if (n % 3 == 0 || AnyValue{state}.draw(8) == 0) AnyValue{state}(field, member);
    });
    if (scene.weights == WeightsSource::file) scene.weights = WeightsSource::random;
    if (scene.weights == WeightsSource::trained) scene.weights_file.clear();
    repair(scene);
    const std::string json = to_json(scene);
    const auto back = from_json(json, "kept.json");
    ASSERT_TRUE(back) << back.error();
    ASSERT_EQ(*back, scene) << n << '\n' << json;
    Scene again = scene;
    repair(again);
    ASSERT_EQ(again, scene) << n << '\n' << json;
  }
}

TEST(Settings, EveryFieldIsReadAsItIsWritten) {
  int count = 0;
  Scene names;
  fields(names, [&](const Field& field, auto&) {
    Scene changed;
    fields(changed, [&](const Field& other, auto& member) {
      if (std::string_view(other.name) == field.name) Other{}(other, member);
    });
    Scene defaults;
    ++count;
    EXPECT_EQ(difference(defaults, changed), field.name);
    const base::Status status =
        set_field(defaults, std::string(field.name) + "=" + get_field(changed, field.name));
    ASSERT_TRUE(status) << status.error();
    EXPECT_EQ(defaults, changed) << field.name;
  });
  EXPECT_GE(count, 30);
}

struct Ends {
  const Field& field;
  template <class Number>
  void check(Number) const {
    const std::string name = field.name;
    const bool whole = std::is_same_v<Number, int>;
    const double step = whole ? 1 : 1e-6 * std::abs(field.max);
    for (const double end : {field.min, field.max}) {
      Scene scene;
      const std::string text = nlohmann::json(end).dump();
      ASSERT_TRUE(set_field(scene, name + "=" + (whole ? std::to_string(static_cast<int>(end)) : text)))
          << name;
    }
    for (const double beyond : {field.min - step, field.max + step}) {
      const std::string text =
          whole ? std::to_string(static_cast<long>(beyond)) : nlohmann::json(beyond).dump();
      EXPECT_THAT(error_of(name + "=" + text), StartsWith(name + ": ")) << text;
      EXPECT_THAT(error_of(name + "=" + text), HasSubstr("out of range; expected ")) << text;
    }
  }
  void operator()(int value) const { check(value); }
  void operator()(double value) const { check(value); }
  void operator()(const IndexList&) const { check(0); }
  template <class T>
  void operator()(const T&) const {}
};

TEST(Settings, BothEndsOfEveryRangeAreInAndWhatLiesBeyondIsNot) {
  const Scene scene;
  fields(scene, [](const Field& field, const auto& member) { Ends{field}(member); });
}

TEST(Settings, ErrorsSayWhatToDo) {
  EXPECT_EQ(error_of("tempreature=2"), "unknown setting \"tempreature\". Did you mean \"temperature\"?");
  EXPECT_EQ(error_of("banana=2"), "unknown setting \"banana\". `headlight fields` lists them all.");
  EXPECT_EQ(error_of("heads"), "\"heads\" is not name=value, such as heads=8");
  EXPECT_EQ(error_of(""), "\"\" is not name=value, such as heads=8");
  EXPECT_EQ(error_of("temperature=0"), "temperature: 0 is out of range; expected 0.01 to 100");
  EXPECT_EQ(error_of("temperature=nan"), "temperature: nan is out of range; expected 0.01 to 100");
  EXPECT_EQ(error_of("temperature=inf"), "temperature: inf is out of range; expected 0.01 to 100");
  EXPECT_EQ(error_of("temperature=1e999"), "temperature: \"1e999\" is out of range; expected 0.01 to 100");
  EXPECT_EQ(error_of("temperature=hot"), "temperature: \"hot\" is not a number; expected 0.01 to 100");
  EXPECT_EQ(error_of("temperature=1,5"), "temperature: \"1,5\" is not a number; expected 0.01 to 100");
  EXPECT_EQ(error_of("temperature="), "temperature: \"\" is not a number; expected 0.01 to 100");
  EXPECT_EQ(error_of("position_base=2000000"),
            "position_base: 2000000 is out of range; expected 1.5 to 1000000");
  EXPECT_EQ(error_of("heads=0"), "heads: 0 is out of range; expected 1 to 1024");
  EXPECT_EQ(error_of("heads=2.5"), "heads: \"2.5\" is not a whole number; expected 1 to 1024");
  EXPECT_EQ(error_of("heads=8x"), "heads: \"8x\" is not a whole number; expected 1 to 1024");
  EXPECT_EQ(error_of("heads=99999999999999999999"),
            "heads: \"99999999999999999999\" is out of range; expected 1 to 1024");
  EXPECT_EQ(error_of("mask=casual"), "mask: unknown mask \"casual\". Did you mean \"causal\"?");
  EXPECT_EQ(error_of("mask=none+causal"),
            "mask: none cannot be combined with other masks, in \"none+causal\"");
  EXPECT_EQ(error_of("mask="),
            "mask: unknown mask \"\". Expected none, causal, window or valid_length, joined by +");
  EXPECT_EQ(error_of("page=atention"), "page: unknown page \"atention\". Did you mean \"attention\"?");
  EXPECT_EQ(error_of("position=x"),
            "position: unknown value \"x\". Expected none, sinusoidal or sinusoidal_concat");
  EXPECT_EQ(error_of("scale=maybe"), "scale: \"maybe\" is not a truth value; expected true or false");
  EXPECT_EQ(error_of("head=1,x"),
            "head: \"1,x\" is not a list of whole numbers; expected for example 0,5,10");
  EXPECT_EQ(error_of("head=1,,2"),
            "head: \"1,,2\" is not a list of whole numbers; expected for example 0,5,10");
  EXPECT_EQ(error_of("head=0,1"), "head: 0 cannot be combined with other values");
  EXPECT_EQ(error_of("query=-2"), "query: -2 is out of range; expected -1 to 1000000");
  EXPECT_EQ(error_of("query=1,-1"), "query: -1 cannot be combined with other values");
  EXPECT_TRUE(is_automatic(with("query=auto").query));
  EXPECT_THAT(error_of("query=-2"), testing::HasSubstr("query"))
      << "the mark of an automatic choice is no number";
  EXPECT_EQ(error_of("head=99999999999999999999"),
            "head: \"99999999999999999999\" is out of range; expected 0 to 1024");
  std::string many = "query=1";
  for (int i = 0; i < 4096; ++i) many += ",1";
  EXPECT_EQ(error_of(many), "query: 4097 numbers are too many; the limit is 4096");
}

/// Files before called the preview that is off “full”, after the vision that it shows.
TEST(Settings, APreviewOfFullVisionIsOff) {
  Scene scene;
  scene.colour_vision = ColorVision::protanopia;
  ASSERT_TRUE(set_field(scene, "colour_vision=full"));
  EXPECT_EQ(scene, Scene{});
  scene.colour_vision = ColorVision::protanopia;
  ASSERT_TRUE(set_field(scene, "colour_vision=off"));
  EXPECT_EQ(scene, Scene{});
}

/// A new scene and a task that was left and is chosen again have the same run.
TEST(Settings, TheTaskOfANewSceneHasWhatIsSuggestedForIt) {
  const TrainingSettings first;
  TrainingSettings again = first;
  suggest(again);
  EXPECT_EQ(again, first);
}

TEST(Settings, ValuesMayBeWrittenInSeveralWays) {
  for (const char* yes : {"true", "on", "1", "yes"})
    EXPECT_TRUE(with(std::string("play=") + yes).positions.play);
  for (const char* no : {"false", "off", "0", "no"}) EXPECT_FALSE(with(std::string("scale=") + no).scale);
  EXPECT_EQ(with("heads= +8 ").heads, 8);
  EXPECT_EQ(with("temperature=1e-1").temperature, 0.1);
  EXPECT_THAT(with("head=0").head, IsEmpty());
  EXPECT_THAT(with("head=3").head, ElementsAre(3));
  EXPECT_THAT(with("query=-1").query, IsEmpty());
  EXPECT_THAT(with("query=5, 0,10").query, ElementsAre(5, 0, 10));
  EXPECT_THAT(with("position_columns=").positions.columns, IsEmpty());
  EXPECT_EQ(with("mask=window + causal").mask, (MaskSet{true, true, false}));
  EXPECT_EQ(with("mask=none").mask, MaskSet{});
  EXPECT_EQ(with("page=compare").page, Page::compare);  // as its tab is called; written as "bench"
  EXPECT_EQ(with("page=bench").page, Page::compare);
  EXPECT_EQ(with("sentence=").sentence, "");
  EXPECT_EQ(with("sentence= a=b ").sentence, " a=b ");
  EXPECT_EQ(with(std::string("sentence=\xff\x00z", 12)).sentence, std::string("\xff\x00z", 3));
}

TEST(Settings, NumbersAreWrittenShort) {
  EXPECT_EQ(get_field(with("temperature=0.1"), "temperature"), "0.1");
  EXPECT_EQ(get_field(with("temperature=100"), "temperature"), "100");
  EXPECT_EQ(get_field(with("position_base=1000000"), "position_base"), "1000000");
  EXPECT_EQ(get_field(with("head=0"), "head"), "0");
  EXPECT_EQ(get_field(with("query=-1"), "query"), "-1");
  EXPECT_EQ(get_field(Scene{}, "nothing"), "");
}

TEST(Settings, HeadsDivideTheWidth) {
  Scene scene = with("heads=5");
  EXPECT_EQ(check(scene).error(), "heads must divide d_model (32): 1, 2, 4, 8, 16 or 32, not 5");
  scene.d_model = 1;
  EXPECT_EQ(check(scene).error(), "heads must divide d_model (1): 1, not 5");
  scene.d_model = 5;
  EXPECT_TRUE(check(scene));
  EXPECT_TRUE(check(with("head=5")));
  EXPECT_EQ(check_heads(with("head=5")).error(), "head: 5 is out of range: there are 4 heads (0 shows all)");
  EXPECT_EQ(repaired_to(Scene(), "position_columns", "1,99"),
            "position_columns 99: there are 32 columns, 0 to 31; it is left out");
  EXPECT_TRUE(check(with("head=4")));
  EXPECT_TRUE(check(Scene{}));
}

TEST(Settings, RepairFindsAValidScene) {
  Scene scene;
  repair(scene);
  EXPECT_EQ(scene, Scene{}) << "the defaults are valid: " << difference(scene, Scene{});
  scene.heads = 5;
  repair(scene);
  EXPECT_EQ(scene.heads, 4);
  scene.heads = 3;  // as near to 2 as to 4
  repair(scene);
  EXPECT_EQ(scene.heads, 2);
  scene.heads = 1000;
  repair(scene);
  EXPECT_EQ(scene.heads, 32);

  scene.d_model = 7;
  scene.head = {8, 7, 1, 7, 0, -3};
  scene.query = {3, 5, 3, -1};
  scene.positions.columns = {9, 6, 0, 6};
  scene.positions.pair = 400;
  scene.positions.count = 5;
  scene.positions.index = 30;
  scene.positions.delta = -100;
  scene.temperature = std::numeric_limits<double>::quiet_NaN();
  scene.position_base = std::numeric_limits<double>::infinity();
  repair(scene);
  EXPECT_EQ(scene.heads, 7);
  EXPECT_THAT(scene.head, ElementsAre(1, 7));
  EXPECT_THAT(scene.query, ElementsAre(5, 3)) << "the last one is asked and stays last";
  EXPECT_THAT(scene.positions.columns, ElementsAre(0, 6));
  EXPECT_EQ(scene.positions.pair, 2);
  EXPECT_EQ(scene.positions.index, 4);
  EXPECT_EQ(scene.positions.delta, -4);
  EXPECT_EQ(scene.temperature, 1);
  EXPECT_EQ(scene.position_base, 1e6);
  EXPECT_TRUE(check(scene));

  scene.query = {900000};
  scene.key = 800000;
  repair(scene);
  EXPECT_THAT(scene.query, ElementsAre(900000)) << "the sentence may grow again";
  EXPECT_EQ(scene.key, 800000);
}

/// Puts a wild value into each number.
struct Wild {
  int number;
  void operator()(const Field&, int& value) const { value = number; }
  void operator()(const Field&, double& value) const { value = number; }
  void operator()(const Field&, IndexList& value) const { value.assign(5000, number); }
  template <class T>
  void operator()(const Field&, T&) const {}
};

TEST(Settings, RepairedScenesAreValidWhateverTheNumbers) {
  for (const int number :
       {std::numeric_limits<int>::min(), -1, 0, 1, 31, 1024, 5000, std::numeric_limits<int>::max()}) {
    Scene scene;
    fields(scene, Wild{number});
    repair(scene);
    EXPECT_TRUE(check(scene)) << number;
    const base::Result<Scene> read = from_json(to_json(scene), "x");
    ASSERT_TRUE(read) << number << ": " << read.error();
    EXPECT_EQ(*read, scene);
    const Scene once = scene;
    repair(scene);
    EXPECT_EQ(scene, once) << number;
  }
}

TEST(Settings, SomeColumnsArePlottedAtEveryWidth) {
  for (const int d : {1, 2, 3, 5, 6}) {
    Scene scene;  // columns 6, 7, 8 and 9
    scene.d_model = d;
    repair(scene);
    ASSERT_FALSE(scene.positions.columns.empty()) << d;
    EXPECT_EQ(scene.positions.columns.back(), d - 1);
    EXPECT_EQ(static_cast<int>(scene.positions.columns.size()), std::min(d, 4));
  }
  Scene half;
  half.d_model = 8;
  repair(half);
  EXPECT_THAT(half.positions.columns, ElementsAre(6, 7));
  Scene none;
  none.positions.columns.clear(), none.d_model = 4;
  repair(none);
  EXPECT_THAT(none.positions.columns, IsEmpty()) << "nobody asked for any";
}

TEST(Settings, Divisors) {
  EXPECT_THAT(divisors(1), ElementsAre(1));
  EXPECT_THAT(divisors(12), ElementsAre(1, 2, 3, 4, 6, 12));
  EXPECT_THAT(divisors(31), ElementsAre(1, 31));
}

TEST(Settings, TheTableNamesEveryField) {
  const auto table = nlohmann::json::parse(describe_fields(true));
  const std::string text = describe_fields(false);
  std::size_t at = 0;
  const Scene defaults;
  fields(defaults, [&](const Field& field, const auto&) {
    const auto& row = table.at(at++);
    EXPECT_EQ(row["name"], field.name);
    EXPECT_EQ(row["help"], field.help);
    EXPECT_EQ(row["default"], get_field(defaults, field.name));
    EXPECT_TRUE(row.contains("type") && row.contains("min") && row.contains("max") && row.contains("values"));
    EXPECT_THAT(text, HasSubstr("\n" + std::string(field.name) + " "));
  });
  EXPECT_EQ(table.size(), at);
  EXPECT_EQ(table[4]["name"], "d_model");
  EXPECT_EQ(table[4]["type"], "int");
  EXPECT_EQ(table[4]["min"], 1);
  EXPECT_EQ(table[4]["max"], 1024);
}

/// Only what a file chooses itself is said: not what it leaves out, nor what its model gives.
TEST(Settings, WhatAFileChoosesAndDoesNotExistIsSaid) {
  const auto message = [](const char* file) {
    const auto scene = from_json(file, "file");
    EXPECT_TRUE(scene) << scene.error();
    if (!scene) return std::vector<std::string>{"?"};
    Scene whole = *scene;
    repair(whole);
    return what_is_missing(whole, without_given_by_model(chosen_in(*scene), whole));
  };
  using testing::ElementsAre;
  using testing::IsEmpty;
  EXPECT_THAT(message(R"({"weights": "trained"})"), IsEmpty());
  EXPECT_THAT(message(R"({"d_model": 2, "heads": 1})"), IsEmpty());
  EXPECT_THAT(message(R"({"position_index": 900})"),
              ElementsAre("position_index 900: there are 60 positions, 0 to 59; 59 is used instead"));
  EXPECT_THAT(message(R"({"head": [2, 9]})"),
              ElementsAre("head 9: there are 4 heads, 1 to 4; it is left out"));
}

}  // namespace
}  // namespace headlight::scene::settings_test
