// The film of the Training page: which kept maps it holds, in which columns, and the large map beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "page_checks.h"
#include "pages/training/training.h"
#include "pages/training/view/cards.h"
#include "training_fixture.h"

namespace headlight::views::test::training_film_test {
namespace {

/// Where each run has one layer its heads are rows of one film, and the printed numbers a card of their own.
TEST(TrainingFilm, TheHeadsOfAllRunsAreOneFilm) {
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

TEST(TrainingFilm, TheFilmHoldsKeptMapsOfTheChosenLayer) {
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
  // The choice of the layer is in the card that it changes: the film of one layer, else the map beside it.
  for (const Page* one : {&drawn, &large}) {
    const draw::Box choice = control(one->canvas, "film layer 2").area;
    ASSERT_GT(choice.w, 0);
    float film_right = 0;
    for (const draw::Mark& mark : one->canvas.marks)
      if (mark.name.starts_with("film 2.1 step ")) film_right = std::max(film_right, mark.area.right());
    EXPECT_EQ(choice.x > film_right + 150, one == &large);
  }
}

/// The film and the map have most of the window, and the losses what is left: more than in a low one.
TEST(TrainingFilm, InALargeWindowThePlotOfLossesIsHigher) {
  const Page large = page(TrainingScene(TrainingCase{}), 2140, 1270);
  EXPECT_LE(large.height, 1270);
  EXPECT_GE(control(large.canvas, curve_mark + std::string("0")).area.h, 120);
}

/// The columns of all runs are the same ones, whichever run is chosen.
TEST(TrainingFilm, TheColumnsStayWhenAMapOfAnotherRunIsChosen) {
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

TEST(TrainingFilm, FilmColumnsAlwaysHoldTheFirstTheLastAndTheShown) {
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

TEST(TrainingFilm, FilmShowsMoreStepsWhereTheMapsChangeMore) {
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

TEST(TrainingFilm, TheMapUnderThePointerInTheFilmIsTheLargeOne) {
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

}  // namespace
}  // namespace headlight::views::test::training_film_test
