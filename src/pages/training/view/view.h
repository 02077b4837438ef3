// What every card of the Training page is drawn from: the newest snapshot, the run, layer, head and kept step
// that are looked at, held to what there is; the look of a run, and the words for numbers and heads. Tested
// in tests/views/training_cards_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kit/card.h"
#include "kit/curve.h"
#include "kit/page_input.h"
#include "pages/training/training.h"

namespace headlight::views {

/// Made once for a drawing of the page; refers to its input. Runs, layers and heads are counted from 0 here.
struct TrainingView {
  Pen pen;
  const PageInput& in;
  const scene::TrainingSnapshot& snapshot;  // of the chosen task; an empty one when it was not trained
  const scene::TrainingSettings& settings;  // the scene's: what the next run will be, and what is looked at
  int run = 0, layer = 0, head = 0;
  int frame = -1;                    // of the chosen run's film; −1: nothing is kept yet
  bool newest = true;                // the picture follows the run
  int lit_step = -1;                 // under the pointer in a plot; −1: none
  int lit_query = -1, lit_key = -1;  // under the pointer in a map; −1: none

  TrainingView(draw::Canvas& canvas, const PageInput& input);
  /// The same page with another head and step looked at.
  TrainingView(const TrainingView& page, const scene::TrainingSettings& other);

  const draw::Theme& theme() const { return pen.theme; }
  bool has_runs() const { return !snapshot.runs.empty(); }
  const scene::RunSnapshot& shown() const { return snapshot.runs[static_cast<std::size_t>(run)]; }
  bool scored() const { return !snapshot.score_name.empty(); }
  /// The step that the numbers are for: under the pointer, else the one shown, else the newest.
  int step() const;
  /// The end of the axis of steps, at least 1.
  int last_step() const;
};

/// Layer, head and step of the map under the pointer in the film go into `out`; false: there is none.
bool film_pointed_at(const TrainingView& view, scene::TrainingSettings& out);

inline int layers_of(const scene::RunSnapshot& run) {
  return std::max(1, run.config.layers);
}
inline int heads_of(const scene::RunSnapshot& run) {
  return std::max(1, run.config.heads);
}

/// A head of a run.
struct HeadPlace {
  int layer = 0, head = 0;
};
/// The chosen layer and head, as far as this run has them.
HeadPlace place_in(const TrainingView& view, const scene::RunSnapshot& run);
/// The kept step nearest to the one that is shown; −1: none.
int frame_in(const TrainingView& view, const scene::RunSnapshot& run);
/// Its weights [T, T], null where there are none.
const float* map_of(const scene::RunSnapshot& run, int frame, HeadPlace place);
/// A number that changes with the weights [T, T], so that a kept map stays on the GPU from one snapshot to
/// the next. From 128 of the weights: maps that differ do so nearly everywhere.
std::uint64_t map_version(const float* values, int tokens);
/// Tokens along an edge of the map.
int map_tokens(const scene::RunSnapshot& run, int frame);
/// Which keys every query may attend to; empty: all.
std::vector<base::Interval> readable_keys(const scene::RunSnapshot& run, int tokens);

/// "layer 1, head 2", or "head 2" where there is one layer.
std::string head_words(const scene::RunSnapshot& run, HeadPlace place);
/// "previous token: 0.94", "guided, previous token: 0.87"; empty when nothing stands out.
std::string role_words(const TrainingView& view, const scene::RunSnapshot& run, HeadPlace place);
/// The step of these roles: the newest that was evaluated, which is kept; of the two relations the newest.
int role_step(const TrainingView& view, const scene::RunSnapshot& run);
/// For a head without a role: "no simple role"; while the run continues, "no simple role yet".
const char* no_role(const TrainingView& view);
/// Token t of the example as a label.
std::string example_token(const scene::TrainingSnapshot& snapshot, const scene::RunSnapshot& run, int t);
/// What the run predicts at t, the target, and whether the two are equal.
struct Prediction {
  std::string wanted, predicted;  // empty: no target, no prediction
  bool judged = false, right = false;
};
Prediction prediction_at(const scene::TrainingSnapshot& snapshot, const scene::RunSnapshot& run, int t);
/// "11 of 12 right"; empty where there is no target.
std::string right_words(const scene::TrainingSnapshot& snapshot, const scene::RunSnapshot& run);

/// Runs differ in colour, in dashes and in the shape of their points.
draw::Color run_color(const draw::Theme& theme, int run);
float run_dash(int run);
/// A curve of this run, with its marks.
CurveStyle run_curve(const draw::Theme& theme, int run);
void run_marker(const Pen& pen, draw::Point centre, int run, float size = 4);
/// A piece of its line with its marker, 26 units wide.
void run_swatch(const Pen& pen, draw::Point middle_left, int run);

/// The point of a curve nearest to a step; null for an empty curve.
const scene::CurvePoint* nearest_point(const std::vector<scene::CurvePoint>& curve, int step);

/// "0.0213"; "97.3 %"; "2.1 s left", "3 min left", empty when it is not known.
std::string loss_words(double loss);
std::string percent_words(double share);
/// The name of the score above the left end of a plot of it, in per cent.
void percent_name(const TrainingView& view, draw::Box plot);
std::string left_words(double seconds);

/// Would a run with these settings be another one? What is looked at does not count.
bool trains_differently(const scene::TrainingSettings& a, const scene::TrainingSettings& b);
/// What of them differs, from the run's to the chosen: "learning rate 0.003 → 0.01 and 2 more".
std::string difference_words(const scene::TrainingSettings& run, const scene::TrainingSettings& chosen);
/// "2 layers of 4 heads, width 32, …; 1,000 steps of 32 sequences".
std::string settings_words(const scene::TrainingSettings& settings);
/// "copy / induction".
const char* task_words(scene::TrainingTask task);

/// What tells a run from the others of its snapshot: "sinusoidal positions", "without positions"; of one
/// alone as much of its name as `width` has room for, never a part of a word.
std::string run_name(const TrainingView& view, const scene::RunSnapshot& run, float width = 1e9f);
/// Its whole name, and what "repaired" in it means: the text of its tooltip.
std::string run_note(const TrainingView& view, const scene::RunSnapshot& run);
/// The same of the settings of a run, which stand there, until the next mark.
void mark_repairs(const TrainingView& view, draw::Box words);
/// The start of a table's row: mark, name in `room`; with several runs, also the background of the chosen one
/// and the control that chooses it.
void run_row(const TrainingView& view, draw::Box row, int run, float room);
/// What the scores of the runs say: "With sinusoidal positions 100 % of held-out sequences are right; without
/// positions 0 %." Empty until every run has a score.
std::string outcome_words(const TrainingView& view);

/// "/home/me/text.txt" → "text.txt".
std::string file_name(const std::string& path);

/// A control of the page: a click makes the assignment `set`; empty: the program acts by its name.
void control_mark(const Pen& pen, const std::string& name, const std::string& set, const std::string& note,
                  draw::Box area, int item = -1);

/// The item of a picture of the film: its head of the chosen run, and its frame.
struct FilmPicture {
  HeadPlace place;
  int frame = 0;
};
int film_item(const scene::RunSnapshot& run, FilmPicture picture);
/// The picture that was hit; false: none of the chosen run.
bool film_picture(const scene::RunSnapshot& run, const draw::Mark& mark, FilmPicture& out);

// The names of marks that answer with numbers.
inline constexpr const char* map_mark = "training map ";  // + run, counted from 1; its item is the run
inline constexpr const char* film_mark = "film ";         // + layer.head + " step " + step
inline constexpr const char* curve_mark = "curves at ";   // + kept step
inline bool starts_with(const std::string& words, const char* start) {
  return words.rfind(start, 0) == 0;
}

}  // namespace headlight::views
