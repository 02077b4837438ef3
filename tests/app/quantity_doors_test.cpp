// Every quantity of every page through every door: the export, a lesson's words, the description, and the
// text that the page draws or says under the pointer.
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "command/commands.h"
#include "doors.h"
#include "teach/lesson_words.h"

namespace headlight::app {
namespace {

using scene::Page;
using scene::QuantityInfo;
using scene::Scene;

/// Of all pages as they open; elements of maps are nearly all of them.
constexpr int most_unnamed = 1120;

struct Case {
  std::string name;
  Scene scene;
};

/// A page as it opens, masked, with several heads combined, with a pinned cell, and with one token.
std::vector<Case> cases_of(Page page) {
  Scene plain;
  plain.page = page;
  if (page == Page::training) return {{"trained", small_training(scene::TrainingPlot::pruning)}};
  Scene masked = plain;
  masked.mask.causal = true;
  Scene combined = plain;
  combined.head = {3, 1}, combined.combine = scene::Combine::max, combined.query = {1, 4};
  Scene pinned = plain;
  pinned.query = {2}, pinned.key = 1, pinned.head = {2}, pinned.order.divided = false;
  Scene one = plain;
  one.sentence = "cat";
  Scene filtered = plain;
  filtered.shown_tokens = "cat mat", filtered.least_weight = 0.05, filtered.hide_special = true;
  std::vector<Case> out = {{"plain", plain},   {"masked", masked}, {"combined", combined},
                           {"pinned", pinned}, {"one token", one}, {"filtered", filtered}};
  if (page == Page::model) {  // with a model that predicts, a head off, and each way to show the head
    Scene off = plain;
    off.weights = scene::WeightsSource::trained, off.query = {1}, off.model.off = "1.1";
    off.model.detail = scene::ModelDetail::components;
    scene::repair(off);
    Scene plane = off;
    plane.model.off.clear(), plane.model.detail = scene::ModelDetail::plane;
    out.push_back({"head off", off}), out.push_back({"plane", plane});
  }
  return out;
}

std::vector<Page> pages_with_quantities() {
  std::vector<Page> out;
  for (const PageInfo& page : pages()) {
    if (page.room.quantities) out.push_back(page.page());
  }
  return out;
}

/// The name alone, and with a few values of each argument that is small.
std::vector<std::string> asked_for(const QuantityInfo& info, const Doors& doors) {
  std::vector<std::string> out = {info.name};
  std::istringstream arguments(info.arguments);
  const int T = static_cast<int>(doors.results->tokens.size()), heads = doors.results->attention.heads;
  for (std::string argument; arguments >> argument;) {
    std::vector<int> values;
    if (argument == "head")
      for (int head = 1; head <= heads; ++head) values.push_back(head);
    if (argument == "query" || argument == "key") values = {0, T - 1};
    if (values.empty()) continue;
    const std::vector<std::string> before = out;
    for (const std::string& text : before) {
      for (const int value : values)
        if (value >= 0) out.push_back(text + " " + argument + "=" + std::to_string(value));
    }
  }
  return out;
}

void through_export(const std::string& text, double value, Doors& doors) {
  Scene asked = doors.scene;
  // "entropy": the table of all heads has the name alone.
  const auto tables = tables_meant({scene::find_table(text) ? "quantity " + text : text, ""}, asked);
  ASSERT_TRUE(tables) << tables.error();
  EXPECT_EQ(asked.page, doors.scene.page) << text;
  const std::vector<double> numbers = doors.exported(*tables->front());
  if (std::isnan(value)) {
    EXPECT_THAT(numbers, testing::IsEmpty()) << text;
  } else {
    EXPECT_THAT(numbers, testing::ElementsAre(value)) << text;
  }
}

void through_a_lesson(const std::string& text, double value, base::NumberForm form, const Doors& doors) {
  const bool percent = form.style == base::NumberStyle::percent;
  const bool decimals = form.style == base::NumberStyle::decimals || percent;
  const int digits = decimals ? form.digits : 3;
  const std::string like = base::fixed(0, digits) + (percent ? " %" : "");
  const auto words = scene::parse_words("It is {" + like + " = " + text + "}.");
  ASSERT_TRUE(words) << words.error();
  const scene::QuantitySource source = doors.source();
  std::string said;
  for (const scene::WordRun& run : word_runs(*words, &source)) said += run.text;
  std::string number =
      std::isnan(value) ? like
                        : base::written(value, {percent ? form.style : base::NumberStyle::decimals, digits});
  if (const std::size_t sign = number.find(" %"); sign != std::string::npos)
    number.replace(sign, 1, "\u00a0");  // no line ends there
  if (std::isnan(value) && percent) number = like;
  EXPECT_EQ(said, "It is " + number + ".") << text;
}

TEST(QuantityDoors, TheSameAtEveryDoor) {
  std::map<std::string, int> had;  // with a value, how often
  for (const Page page : pages_with_quantities()) {
    for (const Case& one : cases_of(page)) {
      SCOPED_TRACE(std::string(word(page)) + ", " + one.name);
      Doors doors(one.scene);
      const std::string described = doors.described();
      const views::PageInput in = doors.input();
      for (const QuantityInfo& info : page_info(page).room.quantities()) {
        for (const std::string& text : asked_for(info, doors)) {
          if (text.starts_with("setting")) continue;  // a setting is no result
          const double value = doors.quantity(text);
          had[info.name] += std::isnan(value) ? 0 : 1;
          through_export(text, value, doors);
          through_a_lesson(text, value, info.form, doors);
          EXPECT_EQ(in.text(text), base::written(value, info.form)) << text;
          if (text.find(' ') != std::string::npos || *info.arguments) continue;
          const std::string line = "\n  " + std::string(info.label) + ": ";
          const std::string unit = *info.unit ? " " + std::string(info.unit) : "";
          if (std::isnan(value)) {
            EXPECT_THAT(described, testing::Not(testing::HasSubstr(line)));
          } else {
            EXPECT_THAT(described, testing::HasSubstr(line + base::written(value, info.form) + unit + "\n"));
          }
        }
      }
    }
  }
  int without = 0;
  for (const auto& [name, times] : had) without += times == 0 ? 1 : 0;
  EXPECT_LT(without, 52);  // those of models, of saved and of trained runs, and of other settings
}

/// All that a page draws, notes under the pointer, and says in the status line.
struct Screen {
  std::string words;
  std::vector<scene::SaidNumber> said;
};

Screen screen_of(const Doors& doors) {
  Screen screen;
  views::PageInput in = doors.input();
  in.said = &screen.said;
  const views::PageView& view = page_info(doors.scene.page).view;
  draw::RecordCanvas canvas;
  view.draw(canvas, {0, 0, 2400, 1800}, in);
  for (const auto& text : canvas.texts) screen.words += text.words + " ";
  for (const draw::Mark& mark : canvas.marks) {
    draw::Hit hit;
    hit.mark = mark;
    hit.at = mark.area.centre();
    screen.words += mark.note + " " + view.tooltip(in, hit) + " ";
  }
  screen.words += view.status(in);
  return screen;
}

/// What a page writes of a quantity is its value, and stands on the screen.
TEST(QuantityDoors, TheScreenShowsWhatTheOtherDoorsSay) {
  std::set<std::string> on_screen;
  for (const Page page : pages_with_quantities()) {
    for (const Case& one : cases_of(page)) {
      SCOPED_TRACE(std::string(word(page)) + ", " + one.name);
      const Doors doors(one.scene);
      const Screen screen = screen_of(doors);
      for (const scene::SaidNumber& number : screen.said) {
        const double value = doors.quantity(number.quantity);
        EXPECT_TRUE(number.value == value || (std::isnan(value) && std::isnan(number.value)))
            << number.quantity;
        EXPECT_THAT(screen.words, testing::HasSubstr(number.words)) << number.quantity;
        on_screen.insert(number.quantity.substr(0, number.quantity.find(' ')));
      }
    }
  }
  EXPECT_GT(on_screen.size(), 60u);
  std::string all;
  for (const std::string& name : on_screen) all += (all.empty() ? "" : " ") + name;
  RecordProperty("on_screen", all);
}

/// Numbers with a fraction or an exponent on screen that no quantity has written: elements of maps and
/// tables, ticks of axes, settings, and results that are still drawn without a quantity. There may be fewer
/// of them, not more: a new number on screen is a quantity or an element of a table.
TEST(QuantityDoors, FewNumbersOnScreenHaveNoName) {
  static const std::regex decimal("((?:−)?[0-9][0-9,]*\\.[0-9]+(?:e(?:−|\\+)?[0-9]+)?|[0-9]e−[0-9]+)");
  std::string report;
  int unnamed_in_all = 0;
  for (const Page page : pages_with_quantities()) {
    const Doors doors(cases_of(page).front().scene);
    const Screen screen = screen_of(doors);
    std::string said;
    for (const scene::SaidNumber& number : screen.said) said += " " + number.words + " ";
    std::set<std::string> unnamed;
    int named = 0;
    for (std::sregex_iterator at(screen.words.begin(), screen.words.end(), decimal), end; at != end; ++at) {
      if (said.find(" " + at->str() + " ") == std::string::npos) {
        unnamed.insert(at->str());
      } else {
        ++named;
      }
    }
    unnamed_in_all += static_cast<int>(unnamed.size());
    report += std::string(word(page)) + ": " + std::to_string(unnamed.size()) + " different ones, beside " +
              std::to_string(named) + " of quantities\n";
  }
  RecordProperty("unnamed", report);
  EXPECT_LE(unnamed_in_all, most_unnamed) << report;
}

}  // namespace
}  // namespace headlight::app
