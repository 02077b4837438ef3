// The plots, the map and the film of the Training page: what is drawn lies where the snapshot's numbers say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "page_checks.h"
#include "pages/training/training.h"
#include "pages/training/view/cards.h"
#include "training_fixture.h"

namespace headlight::views::training_cards_test {
namespace {

using test::control;
using test::english;
using test::failed;
using test::hover;
using test::Page;
using test::page;
using test::relations;
using test::says;
using test::TrainingCase;
using test::TrainingScene;

/// Points of the first polyline with this colour and width.
std::vector<draw::Point> polyline(const draw::RecordCanvas& canvas, draw::Color color,
                                  const std::string& width, std::string* stroke = nullptr) {
  char hex[16];
  std::snprintf(hex, sizeof hex, "%02x%02x%02xff %s", color.r, color.g, color.b, width.c_str());
  const std::string start = std::string("polyline ") + hex;
  for (const std::string& line : canvas.lines) {
    if (line.rfind(start, 0) != 0) continue;
    std::istringstream in(line.substr(start.size()));
    std::string word;
    std::vector<float> numbers;
    while (in >> word) {
      if (word == "dash") {
        in >> word;
        if (stroke) *stroke = word;
      } else {
        numbers.push_back(std::strtof(word.c_str(), nullptr));
      }
    }
    std::vector<draw::Point> points;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) points.push_back({numbers[i], numbers[i + 1]});
    return points;
  }
  return {};
}

TEST(TrainingCards, CurvesLieWhereTheNumbersSay) {
  for (const TrainingScene& s : {TrainingScene(TrainingCase{}), test::trained()}) {
    const Page drawn = page(s);
    ASSERT_EQ(s.snapshot->runs.size(), 2u);
    for (int r = 0; r < 2; ++r) {
      const auto& curve = s.snapshot->runs[static_cast<std::size_t>(r)].validation;
      const auto points = polyline(drawn.canvas, run_color(s.input().theme, r), "2.2");
      ASSERT_EQ(points.size(), curve.size());
      // A straight map from steps to x and from losses to y, fixed by two of the points.
      const std::size_t a = 0, b = curve.size() - 1;
      const double per_step =
          static_cast<double>(points[b].x - points[a].x) / (curve[b].step - curve[a].step);
      const double per_loss = static_cast<double>(points[b].y - points[a].y) /
                              static_cast<double>(curve[b].value - curve[a].value);
      EXPECT_LT(per_loss, 0);  // upwards
      for (std::size_t i = 0; i < curve.size(); ++i) {
        EXPECT_NEAR(static_cast<double>(points[i].x),
                    static_cast<double>(points[a].x) + per_step * (curve[i].step - curve[a].step), 0.25);
        EXPECT_NEAR(static_cast<double>(points[i].y),
                    static_cast<double>(points[a].y) +
                        per_loss * static_cast<double>(curve[i].value - curve[a].value),
                    0.25);
      }
    }
  }
}

/// Held-out loss goes up again: the lowest is marked where the numbers say, and a click shows the nearest
/// kept step.
TEST(TrainingCards, TheLowestHeldOutLossIsAClickAway) {
  TrainingScene s(TrainingCase{});
  auto& curve = s.change().runs[0].validation;
  ASSERT_GT(curve.size(), 12u);
  for (std::size_t i = 8; i < curve.size(); ++i)
    curve[i].value = curve[7].value + 0.05f * static_cast<float>(i - 7);
  float lowest = curve[0].value;
  int step = 0;
  for (const auto& point : curve)
    if (point.value < lowest) lowest = point.value, step = point.step;
  const Page drawn = page(s);
  const draw::Mark mark = control(drawn.canvas, "lowest held-out loss");
  EXPECT_TRUE(says(drawn.canvas, "lowest " + loss_words(static_cast<double>(lowest))));
  const auto& film = s.snapshot->runs[0].film;
  int nearest = film.front().step;
  for (const auto& frame : film)
    if (std::abs(frame.step - step) < std::abs(nearest - step)) nearest = frame.step;
  EXPECT_EQ(mark.set, "training_shown_step=" + std::to_string(nearest));
  const auto points = polyline(drawn.canvas, run_color(s.input().theme, 0), "2.2");
  const auto at = std::find_if(points.begin(), points.end(), [&](draw::Point p) {
    return std::all_of(points.begin(), points.end(), [&](draw::Point q) { return q.y <= p.y; });
  });
  ASSERT_NE(at, points.end());
  EXPECT_TRUE(mark.area.has(*at));
  // Where the latest is the lowest nothing got worse, and nothing is marked.
  curve.back().value = 0.0001f;
  const Page falling = page(s);
  EXPECT_EQ(control(falling.canvas, "lowest held-out loss").part, draw::Part::none);
}

TEST(TrainingCards, LengthsLieWhereTheNumbersSay) {
  TrainingScene s(TrainingCase{});
  s.scene.training.plot = scene::TrainingPlot::lengths;
  for (std::size_t r = 0; r < 2; ++r) {
    scene::RunSnapshot& run = s.snapshot->runs[r];
    run.config.context = 12;
    run.lengths = {{6, 0.25 + 0.5 * static_cast<double>(r), 1.5, true},
                   {12, 0.875, 0.0625, true},
                   {24, 0.125, 3.25, true},
                   {48, 0, 0, r == 0}};
  }
  const Page drawn = page(s);
  for (int r = 0; r < 2; ++r) {
    const auto points = polyline(drawn.canvas, run_color(s.input().theme, r), "2.2");
    ASSERT_EQ(points.size(), r == 0 ? 4u : 3u);  // a length without positions has no point
    const auto& lengths = s.snapshot->runs[static_cast<std::size_t>(r)].lengths;
    // Doublings are equally far apart; a score of 1 is as far above 0 for both runs.
    EXPECT_NEAR(points[1].x - points[0].x, points[2].x - points[1].x, 0.25f);
    const float high = (points[0].y - points[1].y) / static_cast<float>(lengths[1].score - lengths[0].score);
    EXPECT_GT(high, 20);
    EXPECT_NEAR((points[2].y - points[1].y) / static_cast<float>(lengths[1].score - lengths[2].score), high,
                0.5f);
  }
  EXPECT_TRUE(says(drawn.canvas, "75.0"));
  EXPECT_TRUE(says(drawn.canvas, "no rows"));
  EXPECT_TRUE(says(drawn.canvas, "trained"));
  s.snapshot->runs[0].lengths.clear(), s.snapshot->runs[1].lengths.clear();
  EXPECT_TRUE(says(page(s).canvas, "Not measured yet"));
}

TEST(TrainingCards, HeadsRemovedLieWhereTheNumbersSay) {
  TrainingScene s(TrainingCase{.layers = 1, .heads = 3});
  s.scene.training.plot = scene::TrainingPlot::pruning;
  EXPECT_TRUE(says(page(s).canvas, "Not measured yet"));
  for (scene::RunSnapshot& run : s.snapshot->runs)
    run.pruning = {480,
                   0.9375,
                   0.25,
                   {{0, 0, 0.125, 2}, {0, 1, 0.5, 1}, {0, 2, 0.875, 0.5}},
                   {{0, 2, 0.875, 0.5}, {0, 1, 0.25, 1.5}, {0, 0, 0.0625, 3}}};
  const Page drawn = page(s);
  const auto points = polyline(drawn.canvas, run_color(s.input().theme, 0), "2.2");
  ASSERT_EQ(points.size(), 4u);  // with every head, then after each that is removed
  const double scores[] = {0.9375, 0.875, 0.25, 0.0625};
  const float per_score = (points[3].y - points[0].y) / static_cast<float>(scores[0] - scores[3]);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(points[i].y, points[0].y + per_score * static_cast<float>(scores[0] - scores[i]), 0.5f);
    EXPECT_NEAR(points[i].x, points[0].x + (points[3].x - points[0].x) * static_cast<float>(i) / 3, 0.5f);
  }
  int bars = 0;
  for (const draw::Mark& mark : drawn.canvas.marks) {
    if (mark.name.rfind("without ", 0) != 0 || mark.note.find("loss") == std::string::npos) continue;
    ++bars;
    const char* score = bars == 1 ? "93.8 %" : bars == 2 ? "12.5 %" : bars == 3 ? "50.0 %" : "87.5 %";
    EXPECT_NE(mark.note.find(score), std::string::npos) << mark.note;
  }
  EXPECT_EQ(bars, 4);
  EXPECT_TRUE(says(drawn.canvas, "layer.head: 1.3, 1.2, 1.1"));
}

TEST(TrainingCards, ARunIsCalledWhatTellsItFromTheOthersAndTheOutcomeIsASentence) {
  TrainingCase two;
  two.state = scene::TrainingState::finished;
  TrainingScene s(two);
  auto& runs = s.snapshot->runs;
  runs[0].name = "2 layers, 4 heads, sinusoidal positions, 27,200 parameters";
  runs[1].name =
      "2 layers, 4 heads, RoPE, pairs (j, j + d_k/2), output head initialized as with sinusoids, 27,200 "
      "parameters";
  runs[0].score.back().value = 1, runs[1].score.back().value = 0.125f;
  draw::RecordCanvas canvas;
  const PageInput in = s.input();
  const TrainingView view(canvas, in);
  EXPECT_EQ(run_name(view, runs[0]), "sinusoidal positions");
  EXPECT_EQ(run_name(view, runs[1]), "RoPE, pairs (j, j + d_k/2)");
  EXPECT_EQ(run_name(view, runs[0], 1), "sinusoidal");
  EXPECT_EQ(run_name(view, runs[1], 1), "RoPE");
  EXPECT_EQ(
      outcome_words(view),
      "With sinusoidal positions 100 % of held-out sequences are right; with RoPE, pairs (j, j + d_k/2) "
      "12.5 %");
  s.snapshot->settings.compare = scene::TrainingCompare::no_residuals;
  runs[1].name = "2 layers, 4 heads, sinusoidal positions, no residuals, 27,200 parameters";
  EXPECT_EQ(run_name(view, runs[0]), "with residuals");
  EXPECT_EQ(run_name(view, runs[1]), "no residuals");
  const auto kept = runs;
  runs.push_back(runs[0]);
  runs[0].name = "1 head", runs[1].name = "repaired, 1 head", runs[2].name = "repaired, 2 heads";
  EXPECT_EQ(run_name(view, runs[1], 1), "repaired, 1") << "as narrow as it is, it is not the name of two";
  EXPECT_EQ(run_name(view, runs[2], 1), "repaired, 2");
  runs = kept;
  runs.pop_back();
  EXPECT_EQ(run_name(view, runs[0]), runs[0].name);
  EXPECT_EQ(run_name(view, runs[0], 1), "2 layers");
  s.snapshot->state = scene::TrainingState::running;
  EXPECT_EQ(outcome_words(view), "");
}

TEST(TrainingCards, RunsDifferInMoreThanColour) {
  TrainingScene s = relations();
  const Page drawn = page(s);
  std::set<std::string> dashes;
  for (int r = 0; r < 4; ++r) {
    std::string dash = "solid";
    EXPECT_FALSE(polyline(drawn.canvas, run_color(s.input().theme, r), "2.2", &dash).empty());
    EXPECT_TRUE(dashes.insert(dash).second) << dash;
  }
  std::set<std::string> shapes;
  for (int r = 0; r < 4; ++r) {
    draw::RecordCanvas canvas;
    run_marker({canvas, s.input().theme}, {50, 50}, r);
    const std::string& last = canvas.lines.back();
    shapes.insert(last.substr(0, last.find(' ')) + std::to_string(std::count(last.begin(), last.end(), ' ')));
  }
  EXPECT_EQ(shapes.size(), 4u);
}

TEST(TrainingCards, ANumberThatIsNoneBreaksTheLine) {
  const TrainingScene s = failed();
  for (const std::string& line : page(s).canvas.lines) {
    if (line.rfind("polyline", 0) == 0 || line.rfind("rect", 0) == 0 || line.rfind("circle", 0) == 0) {
      EXPECT_EQ(line.find("nan"), std::string::npos) << line;
    }
  }
}

TEST(TrainingCards, PrintedNumbersStandBesideOurs) {
  const Page drawn = page(relations());
  for (const char* words : {"0.3505", "0.3512", "+0.0007", "0.3196", "0.3201", "+0.0005", "0.2034", "0.0004",
                            "printed 0.3505", "printed 0.3196", "The printed toy cannot reach 0"})
    EXPECT_TRUE(says(drawn.canvas, words)) << words;
  // A row whose words are cut says them in full.
  const TrainingScene s = relations();
  for (const scene::TrainingVerdict& v : s.snapshot->verdicts) {
    const draw::Mark mark = control(drawn.canvas, "loss of " + v.what);
    EXPECT_EQ(mark.note.rfind(v.what, 0), 0u) << mark.note;
    EXPECT_GT(mark.area.w, 100);
  }
}

/// What the rows share is said once above them, and the printed losses are those of their runs.
TEST(TrainingCards, PrintedLossesAreThoseOfTheirRuns) {
  TrainingScene s = relations();
  auto& runs = s.snapshot->runs;
  const std::array<const char*, 4> names = {"1 head", "2 heads", "1 head, repaired", "2 heads, repaired"};
  for (std::size_t r = 0; r < names.size(); ++r) runs[r].name = names[r];
  s.snapshot->verdicts = {
      {"1 head, last batch of 400 steps, mean of 8 seeds", 0.3505, 0.3483, true},
      {"2 heads, last batch of 400 steps, mean of 8 seeds", 0.3196, 0.3184, true},
      {"2 heads, repaired none, held out: position 0.1 + content 0.2", 0, 0.3124, false},
      {"2 heads, repaired places+contents, held out: position 0 + content 0", 0, 0.001, false}};
  const Page drawn = page(s);
  for (const char* words :
       {"last batch of 400 steps, mean of 8 seeds", "held-out loss of 2 heads, repaired:", "none",
        "position codes + contents", "printed", "1 head 0.3505", "2 heads 0.3196", "−0.0022"})
    EXPECT_TRUE(says(drawn.canvas, words)) << words;
  EXPECT_FALSE(says(drawn.canvas, "printed 0.3505"));
  draw::RecordCanvas canvas;
  const PageInput in = s.input();
  const TrainingView view(canvas, in);
  EXPECT_EQ(run_name(view, runs[2], 1), "1 head, repaired");
  EXPECT_EQ(run_name(view, runs[3], 1), "2 heads, repaired");
  runs[2].name = "1 head, repaired places+contents", runs[3].name = "2 heads, repaired places+contents";
  EXPECT_EQ(run_name(view, runs[3]), "2 heads, repaired places+contents");
  EXPECT_EQ(run_name(view, runs[3], 1), "2 heads, repaired");
  EXPECT_EQ(training_finding(in, "printed"),
            "Last batch, 1 head and 2 heads: the source prints 0.3505 and 0.3196; computed here: 0.3483 and "
            "0.3184");
}

TEST(TrainingCards, EveryCardHasItsOwnFinding) {
  const TrainingScene s = relations();
  const PageInput in = s.input();
  std::set<std::string> found;
  for (const char* card : {"printed", "map", "film", "loss"}) {
    const std::string words = training_finding(in, card);
    EXPECT_NE(words, "") << card;
    EXPECT_TRUE(found.insert(words).second) << words;
  }
}

/// Where each run has one layer its heads are rows of one film, and the printed numbers a card of their own.
TEST(TrainingCards, TheHeadsOfAllRunsAreOneFilm) {
  const Page drawn = page(relations());
  const TrainingScene s = relations();
  ASSERT_GT(s.snapshot->runs.size(), 1u);
  for (std::size_t run = 0; run < s.snapshot->runs.size(); ++run) {
    const std::string number = std::to_string(run + 1), of_run = run == 0 ? "" : "run " + number + " ";
    for (int head = 1; head <= s.snapshot->runs[run].config.heads; ++head) {
      const std::string place = "1." + std::to_string(head);
      const std::string set = (run == 0 ? "" : "training_run=" + number + ";") +
                              "training_layer=1;training_head=" + std::to_string(head);
      EXPECT_EQ(control(drawn.canvas, "film row " + of_run + place).set, set);
      const int last = s.snapshot->runs[run].film.back().step;
      EXPECT_EQ(control(drawn.canvas, "film " + of_run + place + " step " + std::to_string(last)).set,
                set + ";training_shown_step=-1");
    }
  }
  EXPECT_TRUE(says(drawn.canvas, "Printed and computed losses"));
  EXPECT_FALSE(says(page(TrainingScene(TrainingCase{})).canvas, "Printed and computed losses"));
}

TEST(TrainingCards, KeptStepsAnswerAClick) {
  TrainingScene s(TrainingCase{});
  const Page drawn = page(s);
  float right = 0;
  for (const scene::FilmFrame& frame : s.snapshot->runs[0].film) {
    const draw::Mark mark = control(drawn.canvas, "curves at " + std::to_string(frame.step));
    EXPECT_TRUE(mark.scrubs) << frame.step;
    const bool newest = frame.step == 480;
    EXPECT_EQ(mark.set, "training_shown_step=" + std::to_string(newest ? -1 : frame.step));
    EXPECT_LE(mark.from, static_cast<float>(frame.step));
    EXPECT_GE(mark.to, static_cast<float>(frame.step));
    if (right > 0) {
      EXPECT_NEAR(mark.area.x, right, 0.6f);  // no gap between them
    }
    right = mark.area.right();
  }
  hover(s, control(drawn.canvas, "curves at 120").area.centre());
  const std::string words = training_tooltip(s.input(), s.hover);
  EXPECT_NE(words.find("step 120\n"), std::string::npos) << words;
  for (const scene::RunSnapshot& run : s.snapshot->runs) EXPECT_NE(words.find(run.name), std::string::npos);
  const auto& point = s.snapshot->runs[0].validation[6];
  ASSERT_EQ(point.step, 120);
  char number[32];
  std::snprintf(number, sizeof number, "held-out %.4f", static_cast<double>(point.value));
  EXPECT_NE(words.find(number), std::string::npos) << words;
  EXPECT_TRUE(says(page(s).canvas, "nearest to step 120"));
  EXPECT_NE(training_words(s.input()).find("step 120"), std::string::npos);
}

TEST(TrainingCards, TheLargeMapIsTheChosenHeadAtTheStepShown) {
  TrainingScene s(TrainingCase{});
  s.scene.training.layer = 2, s.scene.training.head = 3, s.scene.training.shown_step = 120;
  s.scene.training.run = 2;
  const auto& frame = s.snapshot->runs[1].film[6];
  ASSERT_EQ(frame.step, 120);
  const float* plane = frame.maps->plane(1 * 4 + 2);
  const Page drawn = page(s);
  draw::RecordCanvas::Map large;
  for (const auto& map : drawn.canvas.maps) {
    if (map.map.rows == 12 && map.box.w * map.box.h > large.box.w * large.box.h) large = map;
  }
  EXPECT_EQ(large.map.values, plane);
  EXPECT_EQ(large.map.lo, 0);
  EXPECT_EQ(large.map.hi, 1);
  EXPECT_TRUE(says(drawn.canvas, "Layer 2, head 3 at step 120"));
  hover(s, {large.box.x + large.box.w * 2.5f / 12, large.box.y + large.box.h * 4.5f / 12});
  char number[32];
  std::snprintf(number, sizeof number, ": %.2f", static_cast<double>(frame.maps->at(6, 4, 2)));
  const std::string pair = "“" + s.snapshot->example[4] + "” 4 → “" + s.snapshot->example[2] + "” 2";
  EXPECT_NE(training_tooltip(s.input(), s.hover).find(pair + number), std::string::npos)
      << training_tooltip(s.input(), s.hover);
  EXPECT_EQ(training_words(s.input()), "layer 2, head 3 at step 120: " + pair + number);
}

TEST(TrainingCards, WhatComesLaterIsMasked) {
  TrainingScene s = english(4, 8, false);
  const Page drawn = page(s);
  const auto& map = drawn.canvas.maps;
  const auto large = std::max_element(map.begin(), map.end(), [](const auto& a, const auto& b) {
    return a.box.w * a.box.h < b.box.w * b.box.h;
  });
  ASSERT_EQ(large->map.rows, 8);
  hover(s, {large->box.x + large->box.w * 6.5f / 8, large->box.y + large->box.h * 2.5f / 8});
  EXPECT_NE(training_tooltip(s.input(), s.hover).find("masked"), std::string::npos);
}

TEST(TrainingCards, TheFilmHoldsKeptMapsOfTheChosenLayer) {
  TrainingScene s(TrainingCase{});
  s.scene.training.layer = 2;
  const Page drawn = page(s, 1340, 560);
  const auto& film = s.snapshot->runs[0].film;
  int cells = 0;
  for (const draw::Mark& mark : drawn.canvas.marks) {
    int layer = 0, head = 0, step = 0;
    if (std::sscanf(mark.name.c_str(), "film %d.%d step %d", &layer, &head, &step) != 3) continue;
    ++cells;
    EXPECT_EQ(layer, 2);
    const std::string shown = step == 480 ? "-1" : std::to_string(step);
    EXPECT_EQ(mark.set,
              "training_layer=2;training_head=" + std::to_string(head) + ";training_shown_step=" + shown);
    const auto frame =
        std::find_if(film.begin(), film.end(), [&](const scene::FilmFrame& f) { return f.step == step; });
    ASSERT_NE(frame, film.end());
    const float* plane = frame->maps->plane(4 + head - 1);
    EXPECT_TRUE(std::any_of(drawn.canvas.maps.begin(), drawn.canvas.maps.end(), [&](const auto& map) {
      return map.map.values == plane && map.box == mark.area;
    })) << mark.name;
  }
  EXPECT_GE(cells, 4 * 7);
  for (const scene::HeadLabel& label : s.snapshot->runs[0].labels) {
    if (label.layer == 1 && !label.role.empty()) {
      EXPECT_TRUE(says(drawn.canvas, label.role + ": " + fixed(label.score, 2)));
    }
  }
  // On a large window every layer is there.
  const Page large = page(s, 2400, 1800);
  EXPECT_FALSE(control(large.canvas, "film row 1.1").name.empty());
  EXPECT_FALSE(control(large.canvas, "film row 2.4").name.empty());
}

/// The columns of all runs are the same ones, whichever run is chosen.
TEST(TrainingCards, TheColumnsStayWhenAMapOfAnotherRunIsChosen) {
  TrainingScene s(TrainingCase{.runs = 2, .layers = 1, .heads = 2, .frames = 40});
  for (std::size_t i = 1; i < 40; ++i) {
    s.snapshot->runs[0].film[i].moved = i < 10 ? 0.3 : 0.01;
    s.snapshot->runs[1].film[i].moved = i > 30 ? 0.3 : 0.01;
  }
  std::vector<std::map<int, float>> columns;
  for (const int run : {1, 2}) {
    s.scene.training.run = run;
    columns.emplace_back();
    for (const draw::Mark& mark : page(s, 1600, 1000).canvas.marks) {
      const std::size_t at = mark.name.find(" step ");
      if (!mark.name.starts_with("film ") || at == std::string::npos) continue;
      columns.back()[std::stoi(mark.name.substr(at + 6))] = mark.area.x;
    }
  }
  EXPECT_GT(columns[0].size(), 5U);
  EXPECT_LT(columns[0].size(), 40U);
  EXPECT_EQ(columns[0], columns[1]);
}

TEST(TrainingCards, FilmColumnsAlwaysHoldTheFirstTheLastAndTheShown) {
  for (int frames = 1; frames <= 40; ++frames) {
    std::vector<scene::FilmFrame> film(static_cast<std::size_t>(frames));
    for (int i = 0; i < frames; ++i)  // most of it moves near one step, as when a head finds its relation
      film[static_cast<std::size_t>(i)].moved = i == frames / 3 ? 0.8 : 0.01 * (i % 3);
    for (int room = 1; room <= 45; ++room) {
      for (int shown = 0; shown < frames; ++shown) {
        const std::vector<int> columns = film_columns(film, room, shown);
        ASSERT_EQ(static_cast<int>(columns.size()), std::min(frames, room));
        EXPECT_TRUE(std::count(columns.begin(), columns.end(), shown)) << frames << " " << room;
        if (room >= 3 || room >= frames) {
          EXPECT_EQ(columns.front(), 0);
          EXPECT_EQ(columns.back(), frames - 1);
        }
        for (std::size_t i = 1; i < columns.size(); ++i) ASSERT_LT(columns[i - 1], columns[i]);
      }
    }
  }
}

TEST(TrainingCards, FilmShowsMoreStepsWhereTheMapsChangeMore) {
  std::vector<scene::FilmFrame> film(41);
  for (std::size_t i = 0; i < film.size(); ++i) film[i].moved = i >= 10 && i < 15 ? 0.2 : 0;
  const std::vector<int> columns = film_columns(film, 9, -1);
  const auto among = std::count_if(columns.begin(), columns.end(), [](int c) { return c >= 9 && c < 15; });
  EXPECT_GE(among, 5);  // an eighth of the steps, and more than half of the columns
  EXPECT_GE(std::count_if(columns.begin(), columns.end(), [](int c) { return c >= 15; }), 2);
  // Where nothing is known of the change, the steps are spread evenly.
  for (scene::FilmFrame& frame : film) frame.moved = -1;
  EXPECT_EQ(film_columns(film, 9, -1), (std::vector<int>{0, 5, 10, 15, 20, 25, 30, 35, 40}));
}

TEST(TrainingCards, TheMapUnderThePointerInTheFilmIsTheLargeOne) {
  TrainingScene s(TrainingCase{});
  draw::Mark pointed;
  for (const draw::Mark& mark : page(s).canvas.marks) {
    if (mark.name.rfind("film 2.3 step ", 0) == 0 || mark.name.rfind("film 1.3 step ", 0) == 0) {
      pointed = mark;
      break;
    }
  }
  ASSERT_FALSE(pointed.name.empty());
  int layer = 0, head = 0, step = 0;
  ASSERT_EQ(std::sscanf(pointed.name.c_str(), "film %d.%d step %d", &layer, &head, &step), 3);
  s.hover.mark = pointed, s.hovering = true;
  const Page drawn = page(s);
  EXPECT_TRUE(
      says(drawn.canvas, "Layer " + std::to_string(layer) + ", head 3 at step " + std::to_string(step)));
  const auto& film = s.snapshot->runs[0].film;
  const auto frame = std::find_if(film.begin(), film.end(), [&](const auto& f) { return f.step == step; });
  ASSERT_NE(frame, film.end());
  const float* plane = frame->maps->plane((layer - 1) * s.snapshot->runs[0].config.heads + 2);
  EXPECT_EQ(std::count_if(drawn.canvas.maps.begin(), drawn.canvas.maps.end(),
                          [&](const auto& map) { return map.map.values == plane; }),
            2);  // in the film, and large
  // The answers that are known are those of another step: they are not beside this map.
  s.hovering = false;
  ASSERT_TRUE(says(page(s).canvas, " right"));
  EXPECT_FALSE(says(drawn.canvas, " right"));
  EXPECT_TRUE(says(drawn.canvas, "click: its answers"));
}

TEST(TrainingCards, RightAndWrongAreCountedAndNamed) {
  TrainingScene s(TrainingCase{});
  int asked = 0, right = 0;
  for (std::size_t t = 0; t < s.snapshot->wanted.size(); ++t) {
    if (s.snapshot->wanted[t].empty()) continue;
    ++asked;
    const int id = s.snapshot->runs[0].predicted[t];
    right += s.snapshot->vocabulary[static_cast<std::size_t>(id)] == s.snapshot->wanted[t] ? 1 : 0;
  }
  ASSERT_GT(right, 0);
  ASSERT_LT(right, asked);
  EXPECT_TRUE(says(page(s).canvas, std::to_string(right) + " of " + std::to_string(asked) + " right"));
  // Without the texts of a vocabulary nothing is judged.
  s.snapshot->vocabulary.clear();
  EXPECT_FALSE(says(page(s).canvas, "right"));
  EXPECT_TRUE(says(page(s).canvas, "#"));
}

/// Whatever a snapshot holds, the picture is of its own size.
TEST(TrainingCards, CurvesOfAnyNumbersAreDrawnWithinTheirPlot) {
  const std::size_t honest = page(TrainingScene(TrainingCase{})).canvas.lines.size();
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN(),
                  most = std::numeric_limits<float>::max();
  for (const int step : {-1'000'000'000, std::numeric_limits<int>::min(), -1, 5}) {
    for (const float value : {-most, most, inf, nan, 1e-45f, -1.f}) {
      TrainingScene s(TrainingCase{});
      for (scene::RunSnapshot& run : s.snapshot->runs) {
        for (auto* curve : {&run.loss, &run.validation, &run.score}) {
          if (curve->empty()) continue;
          curve->front() = {step, value, value, value};
          (*curve)[curve->size() / 2] = {step, value, -value, value};
        }
      }
      const Page drawn = page(s);
      EXPECT_LT(drawn.canvas.lines.size(), 2 * honest) << step << " " << value;
      for (const std::string& line : drawn.canvas.lines) {
        if (line.rfind("polyline", 0) != 0) continue;
        std::istringstream in(line.substr(line.find(' ', 10)));
        for (double number = 0; in >> number;) EXPECT_LT(number, 1e6) << line;
      }
    }
  }
}

}  // namespace
}  // namespace headlight::views::training_cards_test
