// What the Variants page says: the numbers are those of the results, and what is drawn can be picked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "kit/matrix_panel.h"
#include "kit/page_input.h"
#include "kit/selection.h"
#include "page_checks.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/page.h"
#include "pages/variants/view/view.h"
#include "variants_scene.h"

namespace headlight::views {
namespace {

using draw::Box;
using test::scenes;
using test::VariantsScene;

TEST(VariantsPage, ThePresetThatIsOnIsTheOneWhoseSettingsHold) {
  const VariantsScene s = scenes()[0];
  draw::RecordCanvas canvas;
  const PageInput input = s.input();
  const VariantsView view(canvas, input);
  int on = 0;
  for (const Choice& choice : compare_choices(view)) {
    on += choice.on;
    EXPECT_EQ(choice.on, choice.name == "RoPE or sinusoidal") << choice.name;
    if (choice.name == "swap A and B") {
      EXPECT_EQ(choice.set,
                "variants_a_mask=none;variants_a_position=sinusoidal;variants_a_scale=true;"
                "variants_b_mask=none;variants_b_position=rope;variants_b_scale=true");
    }
  }
  EXPECT_EQ(on, 1);
}

std::string all_words(const draw::RecordCanvas& canvas) {
  std::string out;
  for (const auto& text : canvas.texts) out += text.words + "\n";
  return out;
}

/// For lines that may be wrapped.
std::string in_one_line(const draw::RecordCanvas& canvas) {
  std::string all = all_words(canvas);
  std::replace(all.begin(), all.end(), '\n', ' ');
  return all;
}

TEST(VariantsPage, TheCellsHoldTheWeightsAndTheirDifference) {
  const VariantsScene s = scenes()[1];  // masks on both sides
  draw::RecordCanvas canvas;
  variants_page(canvas, {0, 0, 1536, 868}, s.input());
  const auto written = [&](const char* mark_name, int map_index, const nn::Matrix& values,
                           const std::vector<std::uint8_t>& allow) {
    const auto& map = canvas.maps[static_cast<std::size_t>(map_index)];
    ASSERT_EQ(map.map.values, values.data()) << mark_name;
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        const draw::Point middle = draw::cell_box(map.box, map.map, j, i).centre();
        std::string words;
        for (const auto& text : canvas.texts) {
          if (std::abs(text.at.x - middle.x) < 1 && std::abs(text.at.y - middle.y) < 1) words = text.words;
        }
        // What rounds to nothing has no number either.
        const bool may =
            allow[static_cast<std::size_t>(i * 6 + j)] != 0 && std::abs(values.at(i, j)) >= 0.005f;
        EXPECT_EQ(words, may ? fixed(static_cast<double>(values.at(i, j)), 2) : "")
            << mark_name << i << "," << j;
      }
    }
  };
  const auto index_of = [&](const float* values) {
    for (std::size_t n = 0; n < canvas.maps.size(); ++n) {
      if (canvas.maps[n].map.values == values) return static_cast<int>(n);
    }
    return 0;
  };
  written("a", index_of(s.variants->a.weights.data()), s.variants->a.weights, s.variants->a.allow);
  written("b", index_of(s.variants->b.weights.data()), s.variants->b.weights, s.variants->b.allow);
  written("difference", index_of(s.variants->difference.weights.data()), s.variants->difference.weights,
          s.variants->difference.allow);
}

/// As on Compare: one scale for all three maps, chosen once, with the pinned value marked above each bar.
TEST(VariantsPage, TheThreeMapsHaveOneScaleThatIsChosenOnce) {
  VariantsScene s = scenes()[0];
  s.scene.query = {1}, s.scene.key = 3;
  for (const auto& [kind, decades] :
       {std::pair{scene::MapScale::by_length, 0.f}, std::pair{scene::MapScale::automatic, 0.f},
        std::pair{scene::MapScale::log, 4.f}}) {
    s.scene.map_scale = kind;
    draw::RecordCanvas canvas;
    variants_page(canvas, {0, 0, 1536, 868}, s.input());
    std::set<float> ends;
    int maps = 0;
    for (const auto& map : canvas.maps) {
      for (const nn::Matrix* of :
           {&s.variants->a.weights, &s.variants->b.weights, &s.variants->difference.weights}) {
        if (map.map.values != of->data()) continue;
        ++maps;
        ends.insert(map.map.hi);
        EXPECT_EQ(map.map.lo, of == &s.variants->difference.weights ? -map.map.hi : 0);
        EXPECT_EQ(map.map.decades, decades);
      }
    }
    EXPECT_EQ(maps, 3);
    EXPECT_EQ(ends.size(), 1u);
    int chosen = 0;
    for (const draw::Mark& mark : canvas.marks) chosen += mark.set.starts_with("map_scale=");
    EXPECT_EQ(chosen, 3) << "auto, 0–1, log";
    const auto pointers =
        std::count_if(canvas.lines.begin(), canvas.lines.end(), [](const std::string& line) {
          constexpr int of_a_triangle = 7;  // "polygon rrggbbaa x y x y x y"
          return line.starts_with("polygon ") && std::count(line.begin(), line.end(), ' ') == of_a_triangle;
        });
    EXPECT_EQ(pointers, 3);
  }
}

/// “≈ −0.209” keeps a gap to the number of B.
TEST(VariantsPage, TheNumbersOfTheTableAreApart) {
  const VariantsScene s = scenes()[0];
  for (const float width : {1200.f, 1340.f, 1536.f}) {
    draw::RecordCanvas canvas;
    variants_page(canvas, {0, 0, width, 868}, s.input());
    float y = -1, last = -1;
    for (const auto& text : canvas.texts) {
      if (text.words == "largest weight" && y < 0) y = text.at.y;
      if (y < 0 || text.at.y != y || text.style.align != draw::Align::right) continue;
      if (last >= 0) EXPECT_GE(text.box.x - last, 8) << text.words << " at " << width;
      last = text.box.right();
    }
    EXPECT_GT(last, 0);
  }
}

TEST(VariantsPage, TheTableHoldsTheFiguresOfBothSides) {
  const VariantsScene s = scenes()[0];
  draw::RecordCanvas canvas;
  variants_page(canvas, {0, 0, 1340, 850}, s.input());
  const auto row = [&](const std::string& label) {
    std::vector<std::string> cells;
    float y = -1;
    for (const auto& text : canvas.texts) {
      if (text.words == label && y < 0) y = text.at.y;
      if (y >= 0 && text.at.y == y && text.words != label) cells.push_back(text.words);
    }
    return cells;
  };
  const scene::VariantSideResults &a = s.variants->a, &b = s.variants->b;
  const auto both = [](double of_a, double of_b, int digits) {
    return std::vector<std::string>{fixed(of_a, digits), fixed(of_b, digits),
                                    difference_text(of_a, of_b, digits)};
  };
  const auto largest = [](const nn::Matrix& weights) {
    const auto values = weights.values();
    return static_cast<double>(*std::max_element(values.begin(), values.end()));
  };
  EXPECT_EQ(row("entropy, bits"), both(test::mean_entropy(a.weights), test::mean_entropy(b.weights), 2));
  EXPECT_EQ(row("largest weight"), both(largest(a.weights), largest(b.weights), 3));
  EXPECT_EQ(row("score variance"), both(test::variance(a.scores), test::variance(b.scores), 2));
  EXPECT_EQ(row("allowed pairs"), (std::vector<std::string>{"36", "36", "0"}));
  // RoPE turns both by the same angle: rounding; sines and cosines are added to the tokens.
  ASSERT_LT(a.shift.score_change, 1e-5);
  ASSERT_GT(b.shift.score_change, 0.01);
  const double apart = a.shift.score_change - b.shift.score_change;
  ASSERT_TRUE(b.shift.score_change >= 1 && b.shift.score_change < 10) << b.shift.score_change;
  EXPECT_EQ(row("Δ score at +8"),
            (std::vector<std::string>{brief(a.shift.score_change, 3), fixed(b.shift.score_change, 2),
                                      signed_text(apart, 2)}));
  double moved = 0;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j)
      moved +=
          std::abs(static_cast<double>(a.weights.at(i, j)) - static_cast<double>(b.weights.at(i, j))) / 12;
  }
  const std::string words = all_words(canvas);
  EXPECT_NE(words.find(fixed(100 * moved, 1) + " % of the weight moves"), std::string::npos);
  EXPECT_NE(words.find(brief(a.shift.score_change, 3)), std::string::npos);
}

/// A difference that its rounded numbers do not give says so, and has no more decimals than they have.
TEST(VariantsPage, ARowOfTheTableHasOneNumberOfDecimals) {
  VariantsScene s = scenes()[0];
  s.variants->a.largest = 0.4946, s.variants->b.largest = 0.7084;
  s.variants->a.entropy_bits = 2.144, s.variants->b.entropy_bits = 1.136;
  draw::RecordCanvas canvas;
  variants_page(canvas, {0, 0, 1340, 850}, s.input());
  for (const char* words : {"0.495", "0.708", "2.14", "1.14", "+1.01"})
    EXPECT_TRUE(test::says(canvas, words)) << words;
  EXPECT_TRUE(test::says(canvas, difference_text(0.4946, 0.7084, 3)));
  EXPECT_TRUE(test::says(canvas, "≈ +1.01"));
  EXPECT_FALSE(test::says(canvas, "0.4946"));
}

/// A pinned key is framed also where no query is pinned.
TEST(VariantsPage, APinnedKeyIsFramed) {
  for (const bool with_query : {false, true}) {
    VariantsScene s = scenes()[0];
    s.scene.key = 3, s.scene.query.clear();
    if (with_query) s.scene.query = {1};
    draw::RecordCanvas canvas;
    const PageInput in = s.input();
    const VariantsView view(canvas, in);
    EXPECT_EQ(view.key, 3);
    EXPECT_EQ(view.query, with_query ? 1 : -1);
    variants_page(canvas, {0, 0, 1340, 850}, in);
    int labels = 0;
    for (const auto& text : canvas.texts)
      labels +=
          text.style.color == view.theme().key && (text.words == "the" || text.words.starts_with("the "));
    EXPECT_EQ(labels, 3);
  }
}

/// The pair where most weight moves is named only where it is the only one.
TEST(VariantsPage, ATieIsNotGivenToTheFirst) {
  VariantsScene s = scenes()[0];
  const auto finding = [&](int places, int rows) {
    s.variants->difference.places = places, s.variants->difference.rows = rows;
    return variants_finding(s.input(), "difference");
  };
  EXPECT_NE(finding(1, 1).find(" changes most, by "), std::string::npos) << finding(1, 1);
  EXPECT_NE(variants_finding(s.input(), "a").find(", most at “"), std::string::npos);
  EXPECT_NE(finding(2, 1).find(", most in the row of “"), std::string::npos) << finding(2, 1);
  EXPECT_EQ(finding(2, 2).find("most"), std::string::npos) << finding(2, 2);
}

TEST(VariantsPage, ThinWeightsCanBeSeenOnTheAutomaticScale) {
  using P = scene::VariantPosition;
  const scene::VariantSide none{{}, P::none, true}, alibi{{}, P::alibi, true}, sharp{{}, P::none, false};
  for (const auto& [a, b] : {std::pair{none, alibi}, {alibi, none}, {none, sharp}}) {
    VariantsScene s(24, a, b, 32);
    s.scene.map_scale = scene::MapScale::automatic;
    nn::WeightCounts all = s.variants->a.counts;
    all += s.variants->b.counts;
    all += s.variants->difference.counts;
    const float end = all.end().end;
    EXPECT_LT(end, 1);
    draw::RecordCanvas canvas;
    variants_page(canvas, {0, 0, 1340, 850}, s.input());
    int maps = 0;
    for (const auto& map : canvas.maps) {
      if (map.map.values != s.variants->a.weights.data() && map.map.values != s.variants->b.weights.data())
        continue;
      EXPECT_FLOAT_EQ(map.map.hi, end);
      ++maps;
    }
    EXPECT_EQ(maps, 2);
    EXPECT_NE(all_words(canvas).find(brief(static_cast<double>(end), 2) + "\n"), std::string::npos);
  }
}

TEST(VariantsPage, WhatIsDrawnCanBePicked) {
  for (const int n : {0, 1}) {
    const VariantsScene s = scenes()[static_cast<std::size_t>(n)];
    draw::RecordCanvas canvas;
    const Box area{0, 0, 1340, 850};
    variants_page(canvas, area, s.input());
    int tried = 0;
    for (const draw::Mark& mark : canvas.marks) {
      if (mark.area.w <= 0) continue;
      draw::PickCanvas pick(mark.area.centre(), canvas);
      variants_page(pick, area, s.input());
      // In the middle of a whole plot is one of its columns.
      const bool part = mark.area.has({pick.hit().mark.area.x, pick.hit().mark.area.y}) &&
                        pick.hit().mark.name.starts_with(mark.name);
      EXPECT_TRUE(pick.hit().mark == mark || part) << mark.name;
      EXPECT_FALSE(variants_tooltip(s.input(), pick.hit()).empty()) << mark.name;
      ++tried;
    }
    EXPECT_GT(tried, 100);
  }
}

TEST(VariantsPage, AnyHoverAndASceneAheadOfItsResultsAreDrawn) {
  VariantsScene s = scenes()[0];
  s.scene.query = {400}, s.scene.key = 300, s.scene.heads = 1, s.scene.variants.batch_lengths = {};
  s.scene.variants.shift = 64;
  s.hovering = true;
  for (int part = 0; part <= static_cast<int>(draw::Part::note); ++part) {
    for (const int index : {-1, 0, 5, 4000}) {
      s.hover.mark.part = static_cast<draw::Part>(part);
      s.hover.mark.query = s.hover.mark.key = index;
      draw::RecordCanvas canvas;
      const float height = variants_page(canvas, {0, 0, 1340, 850}, s.input());
      EXPECT_GT(height, 850);
      EXPECT_EQ(test::text_trouble(canvas, 1340, height), "") << part << ", " << index;
      // Only a cell that the results have is told, with its numbers.
      const std::string tooltip = variants_tooltip(s.input(), s.hover), words = variants_words(s.input());
      const bool cell = s.hover.mark.part == draw::Part::cell,
                 there = cell && index >= 0 && index < s.variants->T;
      EXPECT_EQ(!tooltip.empty(), there) << part << ", " << index << ": " << tooltip;
      EXPECT_EQ(words.empty(), cell && !there) << part << ", " << index << ": " << words;
    }
  }
}

/// With a model the page says which layer it is, which positions are the model's own, and which it cannot
/// have.
TEST(VariantsPage, AModelsLayerAndPositionsAreTold) {
  const auto of_model = [](const char* model, int layer, const char* mask_of_a) {
    return VariantsScene(scene::page_scene(
        scene::Page::variants,
        {"weights=trained", std::string("weights_file=") + model, "weights_layer=" + std::to_string(layer),
         std::string("variants_a_mask=") + mask_of_a, "variants_b_mask=causal"}));
  };
  const VariantsScene s = of_model("dictionary", 3, "none");
  ASSERT_EQ(s.variants->own, scene::VariantPosition::rope_half);
  draw::RecordCanvas canvas;
  variants_page(canvas, {0, 0, 1340, 850}, s.input());
  const std::string words = in_one_line(canvas);
  EXPECT_NE(words.find("Layer 3 of the model, which was trained with RoPE (rotate half)"), std::string::npos);
  EXPECT_NE(words.find("layers 1 to 2 are run again"), std::string::npos);
  std::string own, other, concat;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.name == "a position rope_half") own = mark.note;
    if (mark.name == "a position sinusoidal") other = mark.note;
    if (mark.name == "a position concat") {
      concat = mark.note;
      EXPECT_EQ(mark.set, "");
    }
  }
  EXPECT_NE(own.find("trained with these"), std::string::npos) << own;
  EXPECT_NE(other.find("run again"), std::string::npos) << other;
  EXPECT_NE(concat.find("not with a trained model"), std::string::npos) << concat;

  // Without the mask of its training a model is shown what it never had.
  const auto message = [&](const char* model, const char* mask_of_a) {
    const VariantsScene trained = of_model(model, 1, mask_of_a);
    draw::RecordCanvas drawn;
    variants_page(drawn, {0, 0, 1600, 850}, trained.input());
    return in_one_line(drawn).find("were masked in training") != std::string::npos;
  };
  EXPECT_TRUE(message("dictionary", "none"));
  EXPECT_FALSE(message("dictionary", "causal"));
  EXPECT_FALSE(message("pronouns-free", "none")) << "it was trained without a mask";
}

/// The card names the table whose rows are added: the one that is drawn, or the model's, by its own length.
TEST(VariantsPage, ALearnedTableIsTheOneThatIsAdded) {
  const scene::VariantSide learned{scene::VariantMask::none, scene::VariantPosition::learned, true};
  VariantsScene s(6, learned, {});
  const auto words = [&] {
    draw::RecordCanvas canvas;
    variants_page(canvas, {0, 0, 1340, 850}, s.input());
    return in_one_line(canvas);
  };
  EXPECT_NE(words().find("seeded N(0, ½), 128 rows"), std::string::npos) << words();
  // By hand: no included model has a learned table.
  s.variants->layer = 1, s.variants->own = scene::VariantPosition::learned, s.variants->a.table_rows = 16;
  EXPECT_NE(words().find("the model’s own, trained, 16 rows"), std::string::npos) << words();
  EXPECT_EQ(words().find("seeded"), std::string::npos);
}

TEST(VariantsPage, NothingToShow) {
  VariantsScene s = scenes()[0];
  s.results.own = nullptr;
  draw::RecordCanvas canvas;
  EXPECT_EQ(variants_page(canvas, {0, 0, 800, 500}, s.input()), 500);
  EXPECT_EQ(canvas.texts[0].words, "The variants are being computed");
  const VariantsScene empty(0, {}, {});
  draw::RecordCanvas none;
  EXPECT_EQ(variants_page(none, {0, 0, 800, 500}, empty.input()), 500);
  EXPECT_EQ(none.texts[0].words, "Type a sentence");
}

TEST(VariantsStepper, NamesNoPresetWhereNoneIsSet) {
  std::vector<Choice> all = {
      {"one", "set=1", "one", false}, {"two", "set=2", "two", false}, {"three", "set=3", "three", false}};
  const std::vector<Choice> none = stepper(all, "preset", "presets");
  EXPECT_EQ(none[1].label, "presets");
  EXPECT_EQ(none[0].set, "set=3");
  EXPECT_EQ(none[2].set, "set=1");
  all[2].on = true;
  const std::vector<Choice> last = stepper(all, "preset", "presets");
  EXPECT_EQ(last[1].label, "three");
  EXPECT_EQ(last[0].set, "set=2");
  EXPECT_EQ(last[2].set, "set=1");
}

/// Where the numbers of the difference do not fit, A and B have none either.
TEST(VariantsPage, AllThreeMapsHaveNumbersOrNone) {
  const VariantsScene s = scenes()[0];
  int with = 0, without = 0;
  for (float width = 900; width <= 1600; width += 35) {
    draw::RecordCanvas canvas;
    variants_page(canvas, {0, 0, width, 850}, s.input());
    std::vector<draw::Box> maps;
    std::vector<int> written;
    for (const auto& [box, map] : canvas.maps) {
      const bool one = map.values == s.variants->a.weights.data() ||
                       map.values == s.variants->b.weights.data() ||
                       map.values == s.variants->difference.weights.data();
      if (!one || maps.size() == 3) continue;
      maps.push_back(box);
      written.push_back(static_cast<int>(
          std::count_if(canvas.texts.begin(), canvas.texts.end(), [area = box](const auto& text) {
            return area.has(text.at) && text.words.find('.') != std::string::npos;
          })));
    }
    ASSERT_EQ(maps.size(), 3u) << width;
    EXPECT_EQ(written[0] > 0, written[2] > 0) << width;
    EXPECT_EQ(written[1] > 0, written[2] > 0) << width;
    // A number of the difference that is not that of the two numbers is explained.
    const scene::VariantSideResults &a = s.variants->a, &b = s.variants->b;
    ASSERT_TRUE(cells_round_apart(a.weights.values(), b.weights.values(), {2, 2}));
    EXPECT_EQ(says(canvas, rounded_words) || says(canvas, "cells ≈"), written[2] > 0) << width;
    (written[2] > 0 ? with : without) += 1;
  }
  EXPECT_GT(with, 0);
}

TEST(VariantsMap, MaskedCellsAreTheGroundWhateverTheShapeOfTheMask) {
  const VariantsScene s = scenes()[1];  // A causal, B scattered
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true)};
  MatrixPanel map;
  map.values = s.variants->b.weights.data(), map.rows = map.cols = 6;
  map.allow = s.variants->b.allow;
  map.row_names = map.col_names = {"a", "b", "c", "d", "e", "f"};
  EXPECT_TRUE(has_masked(map));
  EXPECT_TRUE(can_mask(map));
  const Box box = draw_matrix_panel(pen, {0, 0, 400, 400}, map).cells;
  // Each masked cell lies under a box of the ground, and no allowed one does.
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      const float w = box.w / 6, h = box.h / 6;
      const draw::Point middle{box.x + (static_cast<float>(j) + 0.5f) * w,
                               box.y + (static_cast<float>(i) + 0.5f) * h};
      bool masked = false;
      for (const std::string& line : canvas.lines) {
        draw::Box box_drawn;
        char colour[16] = {};
        if (std::sscanf(line.c_str(), "rect %f %f %f %f %9s", &box_drawn.x, &box_drawn.y, &box_drawn.w,
                        &box_drawn.h, colour) == 5)
          masked = masked || (std::string_view(colour) == "0a0c11ff" && box_drawn.has(middle));
      }
      EXPECT_EQ(masked, !s.variants->b.allow[static_cast<std::size_t>(i * 6 + j)]) << i << "," << j;
    }
  }
  std::vector<std::uint8_t> chequered(200 * 200);
  for (std::size_t i = 0; i < chequered.size(); ++i) chequered[i] = (i / 200 + i) % 2;
  map.rows = map.cols = 200, map.allow = chequered;
  EXPECT_FALSE(can_mask(map));
}

}  // namespace
}  // namespace headlight::views
