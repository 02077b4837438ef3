// The Worked example page on results from plain loops: the views know only types.
#include <gmock/gmock.h>

#include <cmath>
#include <set>
#include <sstream>

#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "page_checks.h"
#include "pages/worked/view/page.h"
#include "pages/worked/view/view.h"
#include "pages/worked/worked.h"
#include "quantities.h"

namespace headlight::views::worked_page_test {
namespace {

using draw::Part;
using test::marked;
using test::says;
using test::text_trouble;
using test::times_said;
using Rows = std::vector<std::vector<double>>;

struct Sized {
  int T = 3, D = 2, d_k = 2, d_v = 2;
  bool causal = false;
};

nn::Matrix matrix(const Rows& rows) {
  nn::Matrix m(static_cast<int>(rows.size()), static_cast<int>(rows[0].size()));
  for (int r = 0; r < m.rows(); ++r) {
    for (int c = 0; c < m.cols(); ++c)
      m.at(r, c) = static_cast<float>(rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)]);
  }
  return m;
}
nn::Matrix times(const nn::Matrix& a, const nn::Matrix& b, bool b_turned = false) {
  nn::Matrix out(a.rows(), b_turned ? b.rows() : b.cols());
  for (int r = 0; r < out.rows(); ++r) {
    for (int c = 0; c < out.cols(); ++c) {
      double sum = 0;
      for (int n = 0; n < a.cols(); ++n)
        sum += static_cast<double>(a.at(r, n)) * static_cast<double>(b_turned ? b.at(c, n) : b.at(n, c));
      out.at(r, c) = static_cast<float>(sum);
    }
  }
  return out;
}

/// A page with its results; the three-token example when nothing else is said.
class Worked {
 public:
  explicit Worked(const Sized& size = {}) {
    scene.page = scene::Page::worked;
    r = std::make_shared<scene::WorkedResults>();
    const bool source = size.T == 3 && size.D == 2 && size.d_k == 2 && size.d_v == 2;
    r->x = source ? matrix({{1, 0}, {0, 1}, {1, 1}}) : uneven(size.T, size.D, 1);
    r->w_q = source ? matrix({{1, 0}, {0, 1}}) : uneven(size.D, size.d_k, 2);
    r->w_k = source ? matrix({{1, 0}, {0, 1}}) : uneven(size.D, size.d_k, 3);
    r->w_v = source ? matrix({{1, 0}, {0, 2}}) : uneven(size.D, size.d_v, 4);
    nn::AttentionTrace& t = r->trace;
    t.T = t.S = size.T, t.heads = 1, t.d_k = size.d_k, t.d_v = size.d_v;
    t.q = times(r->x, r->w_q), t.k = times(r->x, r->w_k), t.v = times(r->x, r->w_v);
    r->products = times(t.q, t.k, true);
    r->sqrt_d_k = std::sqrt(size.d_k);
    t.scale = static_cast<float>(1 / r->sqrt_d_k);
    t.scores = t.weights = r->exponentials = nn::Matrix(size.T, size.T);
    t.row_max = t.row_sum = nn::Matrix(1, size.T);
    for (int i = 0; i < size.T; ++i) softmax(i, size.causal ? i + 1 : size.T);
    t.output = times(t.weights, t.v);
    r->soft = t.weights, r->soft_value = t.output;
    r->exact.assign(static_cast<std::size_t>(size.T), -1);
    r->exact[0] = 0;
    r->q_moves_x = r->k_moves_x = size.d_k == 2 && size.D == 2;
    r->q_to_x = r->k_to_x = {1, 0, 0, 1};
    if (source)
      r->printed = {{0, "its code prints", {0.401, 0.198, 0.401}, 1e-4, true},
                    {0, "its prose says", {0.39, 0.22, 0.39}, 0.022, false}};
    results.scene = scene;
    results.worked = r;
  }

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
  std::shared_ptr<scene::WorkedResults> r;
  draw::Hit hover;
  bool hovering = false, dark = true;
  float transition = 1, needed = 0;

 private:
  static nn::Matrix uneven(int rows, int cols, int seed) {
    nn::Matrix m(rows, cols);
    for (int n = 0; n < rows * cols; ++n)
      m.data()[n] = static_cast<float>(std::round(1000 * std::sin(1.7 * n + seed)) / 1000);
    return m;
  }
  void softmax(int i, int end) {
    nn::AttentionTrace& t = r->trace;
    t.allowed.push_back({0, end});
    double largest = -1e300, sum = 0;
    for (int j = 0; j < t.T; ++j) {
      t.scores.at(i, j) = r->products.at(i, j) * t.scale;
      if (j < end) largest = std::max(largest, static_cast<double>(t.scores.at(i, j)));
    }
    for (int j = 0; j < end; ++j) sum += std::exp(static_cast<double>(t.scores.at(i, j)) - largest);
    for (int j = 0; j < end; ++j) {
      r->exponentials.at(i, j) =
          static_cast<float>(std::exp(static_cast<double>(t.scores.at(i, j)) - largest));
      t.weights.at(i, j) = static_cast<float>(static_cast<double>(r->exponentials.at(i, j)) / sum);
    }
    t.row_max.at(0, i) = static_cast<float>(largest), t.row_sum.at(0, i) = static_cast<float>(sum);
  }
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

TEST(WorkedPage, TheFirstScreenIsWhole) {
  Worked w;
  w.record(1880, 1000);
  EXPECT_EQ(w.needed, 1000);
}

TEST(WorkedPage, SmallAndEmptyPagesDoNotFail) {
  Worked w;
  for (const auto& [width, height] : {std::pair{0.f, 0.f}, {1.f, 1.f}, {200.f, 150.f}, {330.f, 200.f}})
    w.record(width, height);
  w.results.worked = nullptr;
  EXPECT_TRUE(says(w.record(1050, 590), "Worked example"));
}

TEST(WorkedPage, EveryResultIsWrittenOut) {
  Worked w;
  const draw::RecordCanvas canvas = w.record(1340, 850);
  for (const char* number : {"0.707", "1.414", "0.401", "0.198", "0.248", "0.503", "0.802", "1.198", "0.599",
                             "1.604", "0.752", "1.503"})
    EXPECT_GE(times_said(canvas, number), 1) << number;
  EXPECT_TRUE(says(canvas, "0.39  0.22  0.39"));
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
          const auto lines = arithmetic(*w.r, {stage, row, col});
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

TEST(WorkedPage, AMaskedEntrySaysSo) {
  Worked w({3, 2, 2, 2, true});
  EXPECT_THAT(entry_words(*w.r, {WorkedStage::scores, 0, 2}), ::testing::HasSubstr("masked"));
  const auto lines = arithmetic(*w.r, {WorkedStage::weights, 0, 2});
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
  w.r->q_moves_x = false;
  const draw::RecordCanvas fixed_arrow = w.record(1340, 850);
  ASSERT_NE(marked(fixed_arrow, "plane"), nullptr);
  EXPECT_EQ(marked(fixed_arrow, "plane")->part, Part::note);
  EXPECT_TRUE(says(Worked({4, 4, 4, 4}).record(1340, 850), "Arrows need d_k = 2"));
}

TEST(WorkedPage, AProblemIsSaidAboveTheLastGoodNumbers) {
  Worked w;
  const draw::RecordCanvas before = w.record(1050, 590);
  const float height = w.needed;
  w.r->problem = "X: row 1: “x” is not a number between −10000 and 10000";
  const draw::RecordCanvas canvas = w.record(1050, 590);
  EXPECT_TRUE(says(canvas, w.r->problem));
  EXPECT_TRUE(says(canvas, "Shown instead: the three tokens of the example."));
  EXPECT_NE(marked(canvas, "A 0 0"), nullptr);
  EXPECT_NE(marked(canvas, "plane"), nullptr);
  EXPECT_NE(marked(canvas, "three tokens"), nullptr);  // the way back
  EXPECT_EQ(canvas.texts.size(), before.texts.size() + 2);
  EXPECT_GE(w.needed, height);
  EXPECT_EQ(worked_words(w.input()), w.results.worked->problem);
  w.r->settings.x = "2,0;0,1;1,1";
  EXPECT_TRUE(says(w.record(1050, 590), "Shown instead: the last valid input."));
}

std::string vector_text(const nn::Matrix& m, int row) {
  std::string out = "[";
  for (int c = 0; c < m.cols(); ++c)
    out += (c > 0 ? ", " : "") + worked_number(static_cast<double>(m.at(row, c)));
  return out + "]";
}

TEST(WorkedPage, TheLookupThePlaneAndTheHatsShowWhatWasComputed) {
  for (int token = 0; token < 4; ++token) {
    Worked w({4, 2, 2, 3});
    w.scene.worked.row = token, w.scene.worked.reach = 5;
    const draw::RecordCanvas canvas = w.record(1340, 1100);
    const scene::WorkedResults& r = *w.r;
    EXPECT_TRUE(says(canvas, "= " + vector_text(r.trace.q, token)));  // what is asked
    for (int j = 0; j < 4; ++j) {
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
    EXPECT_TRUE(
        says(canvas, token == 0 ? "exact → " + vector_text(r.trace.v, 0) : "no key equals the query"));
    for (const nn::Matrix* hat : {&r.trace.q, &r.trace.k, &r.trace.v}) {
      for (int c = 0; c < hat->cols(); ++c)
        EXPECT_GE(times_said(canvas, worked_number(static_cast<double>(hat->at(token, c)))), 2);
    }
  }
}

/// Of several keys that equal the query a dictionary takes the first, which is said.
TEST(WorkedPage, TheFirstOfSeveralEqualKeysIsCalledThat) {
  Worked w;
  EXPECT_FALSE(says(w.record(1340, 1100), "equal keys"));
  for (int c = 0; c < 2; ++c) w.r->trace.k.at(1, c) = w.r->trace.k.at(0, c);
  EXPECT_TRUE(says(w.record(1340, 1100), ", the first of 2 equal keys"));
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
