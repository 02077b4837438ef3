// The Worked example page: what it shows is what was computed, at every size.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>

#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "page_checks.h"
#include "pages/worked/view/page.h"
#include "pages/worked/view/view.h"
#include "pages/worked/worked.h"
#include "quantities.h"
#include "support/computed_scene.h"

namespace headlight::views::worked_page_test {
namespace {

using draw::Part;
using test::marked;
using test::says;
using test::text_trouble;
using test::times_said;

struct Sized {
  int T = 3, D = 2, d_k = 2, d_v = 2;
  bool causal = false;
};

/// "0.841,−0.996;…", the numbers of a sine.
std::string uneven(int rows, int cols, int seed) {
  std::string out;
  for (int n = 0; n < rows * cols; ++n) {
    char number[16];
    std::snprintf(number, sizeof number, "%.3f", std::sin(1.7 * n + seed));
    out += (n == 0 ? "" : n % cols == 0 ? ";" : ",") + std::string(number);
  }
  return out;
}

scene::Scene worked_scene(const Sized& size) {
  scene::Scene scene = scene::page_scene(scene::Page::worked);
  scene.worked.causal = size.causal;
  if (size.T == 3 && size.D == 2 && size.d_k == 2 && size.d_v == 2) return scene;
  scene.worked.x = uneven(size.T, size.D, 1), scene.worked.w_q = uneven(size.D, size.d_k, 2);
  scene.worked.w_k = uneven(size.D, size.d_k, 3), scene.worked.w_v = uneven(size.D, size.d_v, 4);
  return scene;
}

/// A page with its results; the three-token example when nothing else is said.
class Worked {
 public:
  explicit Worked(const Sized& size = {}) : Worked(worked_scene(size)) {
    EXPECT_EQ(r->problem, "");
    EXPECT_EQ(r->trace.T, size.T);
  }
  explicit Worked(const scene::Scene& of)
      : scene(of), results(scene::known_results(of)), r(results.own_as<scene::WorkedResults>()) {}
  /// The three-token example with other settings.
  explicit Worked(const std::vector<std::string>& settings)
      : Worked(scene::page_scene(scene::Page::worked, settings)) {}

  PageInput input() {
    return with_numbers({scene,
                         results,
                         nullptr,
                         hovering ? &hover : nullptr,
                         draw::theme(dark),
                         true,
                         {},
                         -1,
                         -1,
                         transition});
  }
  draw::RecordCanvas record(float width, float height) {
    draw::RecordCanvas canvas;
    needed = worked_page(canvas, {0, 0, width, height}, input());
    return canvas;
  }

  scene::Scene scene;
  scene::Results results;
  const scene::WorkedResults* r;  // of the results
  draw::RecordCanvas scratch;
  draw::Hit hover;
  bool hovering = false, dark = true;
  float transition = 1, needed = 0;
};

std::set<std::string> field_names() {
  std::set<std::string> names;
  const scene::Scene scene;
  fields(scene, [&](const scene::Field& field, const auto&) { names.insert(field.name); });
  return names;
}

TEST(WorkedPage, NoTextCoversAnotherAtAnySize) {
  const Sized all[] = {{},           {4, 4, 4, 4},       {6, 4, 4, 4},      {1, 1, 1, 1},
                       {6, 1, 1, 4}, {3, 2, 2, 2, true}, {6, 2, 2, 3, true}};
  for (const Sized& size : all) {
    for (int step = 1; step <= 5; ++step) {
      Worked w(size);
      w.scene.worked.step = step;
      w.scene.worked.row = w.scene.worked.col = 5;
      for (const auto& [width, height] :
           {std::pair{640.f, 360.f}, {1050.f, 590.f}, {1340.f, 850.f}, {2400.f, 1400.f}}) {
        const draw::RecordCanvas canvas = w.record(width, height);
        EXPECT_EQ(text_trouble(canvas, width, w.needed), "")
            << size.T << "×" << size.D << " step " << step << " " << width;
        EXPECT_GE(w.needed, height);
      }
    }
  }
}

/// Cells are as wide as their numbers where there is no room for all of them to be.
TEST(WorkedPage, NumbersOfTheExampleAreAsLargeAsNotes) {
  for (const auto& [width, height] : {std::pair{904.f, 560.f}, {1050.f, 590.f}, {1340.f, 850.f}}) {
    Worked w;
    const draw::RecordCanvas canvas = w.record(width, height);
    int numbers = 0;
    for (const auto& text : canvas.texts) {
      if (text.words != "0.707" && text.words != "1.414") continue;
      EXPECT_GT(text.style.size, word_size - 0.5f) << text.words << " at " << width;
      ++numbers;
    }
    EXPECT_GE(numbers, 5) << width;
  }
}

/// Below 600 units one step is shown alone, with numbers as large as notes and none beyond its cell.
TEST(WorkedPage, ANarrowPageShowsOneStepLarge) {
  const std::set<std::string> titles[] = {{"X", "W_Q", "W_K", "W_V", "Q", "K", "V"},
                                          {"Q", "Kᵀ", "QKᵀ"},
                                          {"QKᵀ", "S"},
                                          {"S", "A"},
                                          {"X", "A", "V", "O"}};
  for (const auto& [width, height] : {std::pair{592.f, 252.f}, {440.f, 420.f}, {380.f, 560.f}}) {
    for (int step = 1; step <= 5; ++step) {
      Worked w;
      w.scene.worked.step = step;
      const draw::RecordCanvas canvas = w.record(width, height);
      draw::PickCanvas pick({-1, -1}, w.scratch);
      worked_page(pick, {0, 0, width, height}, w.input());
      draw::Box flow;
      for (const auto& panel : pick.panels()) {
        if (panel.name == "flow") flow = panel.box;
      }
      std::set<std::string> seen;
      for (const auto& text : canvas.texts) {
        if (!flow.has(text.at)) continue;
        if (text.words.find_first_not_of("0123456789.−") == std::string::npos)
          EXPECT_GT(text.style.size, word_size - 0.5f)
              << text.words << " in step " << step << " at " << width;
        for (const auto& all : titles) {
          if (all.count(text.words) > 0) seen.insert(text.words);
        }
      }
      EXPECT_EQ(seen, titles[step - 1]) << width;
      EXPECT_TRUE(marked(canvas, "flow step 1"));
    }
  }
}

/// The bodies of windows of 853 × 480, 800 × 500, 1067 × 667 and 1280 × 720, with the question and the tabs
/// around them: all rows of all matrices in view, or those of one step.
TEST(WorkedPage, APictureThatDoesNotFitTheHeightShowsOneStep) {
  for (const Sized& size : {Sized{3, 2, 2, 2}, Sized{6, 4, 4, 4}}) {
    for (const auto& [width, height] :
         {std::pair{803.f, 356.f}, {750.f, 376.f}, {1017.f, 543.f}, {1216.f, 530.f}}) {
      for (int step = 1; step <= 5; ++step) {
        Worked w(size);
        w.scene.worked.step = step;
        draw::PickCanvas pick({-1, -1}, w.scratch);
        worked_page(pick, {0, 0, width, height}, w.input());
        for (const auto& panel : pick.panels()) {
          if (panel.name == "flow")
            EXPECT_LE(panel.box.bottom(), height) << size.T << "×" << size.D << " at " << width;
        }
      }
    }
  }
}

TEST(WorkedPage, TheFirstScreenIsWhole) {
  Worked w;
  w.record(1880, 1000);
  EXPECT_EQ(w.needed, 1000);
}

TEST(WorkedPage, SmallAndEmptyPagesDoNotFail) {
  Worked w;
  for (const auto& [width, height] : {std::pair{0.f, 0.f}, {1.f, 1.f}, {200.f, 150.f}, {330.f, 200.f}})
    w.record(width, height);
  w.results.own = nullptr;
  EXPECT_TRUE(says(w.record(1050, 590), "Worked example"));
}

TEST(WorkedPage, EveryResultIsWrittenOut) {
  Worked w;
  const draw::RecordCanvas canvas = w.record(1880, 1000);
  for (const char* number : {"0.707", "1.414", "0.401", "0.198", "0.248", "0.503", "0.802", "1.198", "0.599",
                             "1.604", "0.752", "1.503"})
    EXPECT_GE(times_said(canvas, number), 1) << number;
  EXPECT_TRUE(says(canvas, "0.39   0.22   0.39"));
  EXPECT_TRUE(says(canvas, "off by 0.022"));
  EXPECT_TRUE(says(canvas, "The source contradicts itself"));
}

TEST(WorkedPage, AStepShowsWhatIsDoneAndNoMore) {
  Worked w;
  w.scene.worked.step = 3;
  const draw::RecordCanvas canvas = w.record(1340, 850);
  EXPECT_NE(marked(canvas, "S 0 0"), nullptr);
  EXPECT_EQ(marked(canvas, "A 0 0"), nullptr);
  EXPECT_EQ(marked(canvas, "O 0 0"), nullptr);
  EXPECT_TRUE(says(canvas, "click a result"));  // the output is chosen, and not there yet
}

TEST(WorkedPage, TheMovementEndsInTheWholePicture) {
  Worked w;
  w.scene.worked.step = 4;
  w.transition = 0.3f;
  const draw::RecordCanvas moving = w.record(1340, 850);
  w.transition = 1;
  const draw::RecordCanvas still = w.record(1340, 850);
  EXPECT_LT(moving.texts.size(), still.texts.size());
  w.transition = 0;
  EXPECT_EQ(text_trouble(w.record(1340, 850), 1340, w.needed), "");
}

TEST(WorkedPage, ControlsHaveNamesOfTheirOwnAndSetRealFields) {
  Worked w;
  const auto names = field_names();
  for (const float width : {640.f, 1340.f}) {
    const draw::RecordCanvas canvas = w.record(width, 850);
    std::set<std::string> seen;
    for (const draw::Mark& mark : canvas.marks) {
      if (mark.part == Part::number) {
        EXPECT_TRUE(names.count(mark.set)) << mark.set;
      }
      if (mark.part != Part::control) continue;
      EXPECT_TRUE(seen.insert(mark.name).second) << mark.name;
      std::stringstream words(mark.set);
      for (std::string word; std::getline(words, word, ';');) {
        const std::size_t equals = word.find('=');
        if (equals != std::string::npos) {
          EXPECT_TRUE(names.count(word.substr(0, equals))) << word;
        }
      }
    }
    EXPECT_TRUE(seen.count("step 1") && seen.count("one-hot keys") && seen.count("token 2"));
  }
}

TEST(WorkedPage, AResultIsTracedToItsRowAndColumn) {
  Worked w;
  const draw::RecordCanvas canvas = w.record(1340, 850);
  ASSERT_NE(marked(canvas, "O 2 1"), nullptr);
  const std::string words = worked_tooltip(w.input(), {.mark = *marked(canvas, "O 2 1")});
  EXPECT_THAT(words, ::testing::HasSubstr("O[2,1] = 1.503"));
  EXPECT_THAT(words, ::testing::HasSubstr("A[2,2] × V[2,1] = 0.503 × 2 → 1.007"));
  w.hover.mark = *marked(canvas, "O 2 1"), w.hovering = true;
  EXPECT_EQ(worked_words(w.input()), "O[2,1] = 1.503");
}

TEST(WorkedPage, TheTermsAddUpToTheResult) {
  for (const Sized& size : {Sized{}, Sized{6, 4, 3, 2}}) {
    Worked w(size);
    for (const WorkedStage stage :
         {WorkedStage::q, WorkedStage::k, WorkedStage::v, WorkedStage::products, WorkedStage::output}) {
      for (int row = 0; row < rows_of(*w.r, stage); ++row) {
        for (int col = 0; col < cols_of(*w.r, stage); ++col) {
          double sum = 0;
          const auto lines = arithmetic(w.input(), *w.r, {stage, row, col});
          for (const WorkedLine& line : lines) {
            std::string value = line.value;
            if (const auto at = value.find("−"); at == 0) value = "-" + value.substr(3);
            if (const auto at = value.find("e−"); at != std::string::npos)
              value = value.substr(0, at) + "e-" + value.substr(at + 4);
            if (!line.result) sum += std::strtod(value.c_str(), nullptr);
          }
          EXPECT_NEAR(sum, static_cast<double>(value_of(*w.r, {stage, row, col})), 0.004);
        }
      }
    }
  }
}

TEST(WorkedPage, ThePictureHasTheEquationOfTheChosenNumber) {
  Worked w(std::vector<std::string>{});
  EXPECT_EQ(equation(w.input(), *w.r, {WorkedStage::output, 0, 0}),
            "O[0,0] = 0.401 × 1 + 0.198 × 0 + 0.401 × 1 = 0.802");
  EXPECT_EQ(equation(w.input(), *w.r, {WorkedStage::scores, 0, 0}), "S[0,0] = 1 ÷ 1.414 = 0.707");
  EXPECT_EQ(equation(w.input(), *w.r, {WorkedStage::weights, 0, 0}), "A[0,0] = 1 ÷ 2.493 = 0.401");
  for (const float width : {1340.f, 1700.f})
    EXPECT_TRUE(says(w.record(width, 850), "0.401 × 1 + 0.198 × 0 + 0.401 × 1 = 0.802")) << width;
  // The result is brighter than what it is made of.
  draw::RecordCanvas canvas = w.record(1340, 850);
  const auto color_of = [&](const std::string& words, draw::Align align) {
    const auto text = std::find_if(canvas.texts.begin(), canvas.texts.end(), [&](const auto& one) {
      return one.words == words && one.style.align == align && one.box.x > 900 && one.box.y < 330;
    });
    return text == canvas.texts.end() ? draw::Color{} : text->style.color;
  };
  EXPECT_EQ(color_of("0.802", draw::Align::right), draw::theme(true).text);
  EXPECT_EQ(color_of("0.401", draw::Align::right), draw::theme(true).dim);
}

TEST(WorkedPage, AMaskedEntrySaysSo) {
  Worked w(Sized{3, 2, 2, 2, true});
  EXPECT_THAT(entry_words(w.input(), *w.r, {WorkedStage::scores, 0, 2}), ::testing::HasSubstr("masked"));
  const auto lines = arithmetic(w.input(), *w.r, {WorkedStage::weights, 0, 2});
  EXPECT_EQ(lines.back().value, "0");
  EXPECT_THAT(lines.front().words, ::testing::HasSubstr("key 2 comes after query 0"));
}

TEST(WorkedPage, TheArrowCanBeDraggedWhenATokenBelongsToIt) {
  Worked w;
  w.scene.worked.row = 2;
  const draw::RecordCanvas canvas = w.record(1340, 850);
  const draw::Mark* plane = marked(canvas, "plane");
  ASSERT_NE(plane, nullptr);
  EXPECT_EQ(plane->part, Part::plane);
  EXPECT_EQ(plane->query, 2);
  EXPECT_EQ(plane->set, "worked_x * 1 0 0 1");
  EXPECT_EQ(plane->from, -2.5f);
  Worked flat(std::vector<std::string>{"worked_w_q=1,0;0,0", "worked_row=2"});  // no x for most q
  const draw::RecordCanvas fixed_arrow = flat.record(1340, 850);
  ASSERT_NE(marked(fixed_arrow, "plane"), nullptr);
  EXPECT_EQ(marked(fixed_arrow, "plane")->part, Part::note);
  EXPECT_TRUE(says(Worked(Sized{4, 4, 4, 4}).record(1340, 850), "Arrows need d_k = 2"));
}

TEST(WorkedPage, AProblemIsSaidAboveTheLastGoodNumbers) {
  Worked w;
  const draw::RecordCanvas before = w.record(1050, 590);
  const float height = w.needed;
  Worked wrong(std::vector<std::string>{"worked_x=1,x;0,1;1,1"});
  const draw::RecordCanvas canvas = wrong.record(1050, 590);
  EXPECT_NE(wrong.r->problem.find("“x”"), std::string::npos);
  EXPECT_TRUE(says(canvas, wrong.r->problem));
  EXPECT_TRUE(says(canvas, "Shown instead: the three tokens of the example."));
  EXPECT_NE(marked(canvas, "A 0 0"), nullptr);
  EXPECT_NE(marked(canvas, "plane"), nullptr);
  EXPECT_NE(marked(canvas, "three tokens"), nullptr);  // the way back
  EXPECT_EQ(canvas.texts.size(), before.texts.size() + 2);
  EXPECT_GE(wrong.needed, height);
  EXPECT_EQ(worked_words(wrong.input()), wrong.r->problem);
  const Worked good(std::vector<std::string>{"worked_x=2,0;0,1;1,1"});
  base::Parallel parallel(1);
  keep_last_good(wrong.results, good.results, parallel);
  EXPECT_TRUE(says(wrong.record(1050, 590), "Shown instead: the last valid input."));
}

std::string vector_text(const nn::Matrix& m, int row) {
  std::string out = "[";
  for (int c = 0; c < m.cols(); ++c)
    out += (c > 0 ? ", " : "") + worked_number(static_cast<double>(m.at(row, c)));
  return out + "]";
}

TEST(WorkedPage, TheLookupThePlaneAndTheHatsShowWhatWasComputed) {
  int exact = 0;
  for (int n = 0; n < 7; ++n) {  // of four tokens, and of the example, where a key equals a query
    const int token = n < 4 ? n : n - 4;
    Worked w(n < 4 ? Sized{4, 2, 2, 3} : Sized{});
    w.scene.worked.row = token, w.scene.worked.reach = 5;
    const draw::RecordCanvas canvas = w.record(1340, 1100);
    const scene::WorkedResults& r = *w.r;
    EXPECT_TRUE(says(canvas, "= " + vector_text(r.trace.q, token)));  // what is asked
    for (int j = 0; j < r.trace.T; ++j) {
      EXPECT_TRUE(says(canvas, vector_text(r.trace.k, j))) << token << " " << j;
      EXPECT_TRUE(says(canvas, vector_text(r.trace.v, j)));
      // In the lookup and beside the plane; the dot product in double from q and k.
      const double weight = static_cast<double>(r.trace.weights.at(token, j));
      EXPECT_GE(times_said(canvas, fixed(weight, 3)), 2);
      double dot = 0;
      for (int c = 0; c < 2; ++c)
        dot += static_cast<double>(r.trace.q.at(token, c)) * static_cast<double>(r.trace.k.at(j, c));
      EXPECT_GE(times_said(canvas, worked_number(static_cast<double>(static_cast<float>(dot)))), 1) << dot;
    }
    EXPECT_TRUE(says(canvas, "soft  → " + vector_text(r.trace.output, token)));
    int equal = -1;
    for (int j = 0; j < r.trace.T && equal < 0; ++j) {
      if (r.trace.k.at(j, 0) == r.trace.q.at(token, 0) && r.trace.k.at(j, 1) == r.trace.q.at(token, 1))
        equal = j;
    }
    exact += equal >= 0;
    EXPECT_TRUE(says(canvas, equal >= 0 ? "exact → " + vector_text(r.trace.v, equal)
                                        : std::string("no key equals the query")));
    for (const nn::Matrix* hat : {&r.trace.q, &r.trace.k, &r.trace.v}) {
      for (int c = 0; c < hat->cols(); ++c)
        EXPECT_GE(times_said(canvas, worked_number(static_cast<double>(hat->at(token, c)))), 2);
    }
  }
  EXPECT_EQ(exact, 3);
}

/// Of several keys that equal the query a dictionary takes the first, which is said.
TEST(WorkedPage, TheFirstOfSeveralEqualKeysIsCalledThat) {
  Worked w;
  EXPECT_FALSE(says(w.record(1340, 1100), "equal keys"));
  Worked equal(std::vector<std::string>{"worked_x=1,0;1,0;1,1"});
  EXPECT_TRUE(says(equal.record(1340, 1100), ", the first of 2 equal keys"));
}

TEST(WorkedPage, NamesOfArrowsStandClearOfEachOtherAndOfTheArrows) {
  Worked w;
  const draw::RecordCanvas canvas = w.record(1050, 590);
  const draw::Mark* plane = marked(canvas, "plane");
  ASSERT_NE(plane, nullptr);
  const draw::Point zero = plane->area.centre();
  const float unit = plane->area.w / 5;  // reach 2.5
  std::set<std::string> names;
  for (const auto& text : canvas.texts) {
    if (!plane->area.has(text.box.centre())) continue;
    names.insert(text.words);
    for (const draw::Point tip : {draw::Point{1, 0}, {0, 1}, {1, 1}}) {
      for (int n = 0; n <= 50; ++n) {
        const float t = static_cast<float>(n) / 50;
        EXPECT_FALSE(text.box.has({zero.x + t * tip.x * unit, zero.y - t * tip.y * unit}))
            << text.words << " on the arrow to " << tip.x << ", " << tip.y;
      }
    }
  }
  EXPECT_EQ(names, (std::set<std::string>{"q₀", "k₀", "k₁", "k₂"}));
}

}  // namespace
}  // namespace headlight::views::worked_page_test
