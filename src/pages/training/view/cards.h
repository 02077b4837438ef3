// The cards of the Training page. Each draws into its box; the page decides where. Tested in
// tests/views/training_cards_test.cpp.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "pages/training/view/view.h"

namespace headlight::views {

/// What is learned, the controls of the run, how far it is, and what must be said at once. Returns the height
/// that the card takes in `width`; draws nothing when `draw` is false.
float training_header(const TrainingView& view, draw::Box box, bool draw);

/// The commands that the program acts on by their names.
bool training_may(const TrainingView& view, const char* command);

/// `corner`: choices that the page puts at the right of its title.
void training_curves_card(const TrainingView& view, draw::Box box, std::span<const Choice> corner = {});
/// Height of that card with a plot of `plot` units.
float training_curves_height(const TrainingView& view, float width, float plot);

/// Its parts that are not plots: the numbers of every run at one step, a click on a row chooses the run; the
/// note, whose height alone is asked for.
void training_legend(const TrainingView& view, draw::Box area);
float training_legend_height(const TrainingView& view);
float training_note_height(const TrainingView& view, float width);
inline constexpr int most_note_lines = std::numeric_limits<int>::max();  // a note is never cut

/// What a source printed beside what came out here, and the note that explains it; where a source printed
/// something.
void training_printed_card(const TrainingView& view, draw::Box box);
bool training_has_printed(const TrainingView& view);
float training_printed_height(const TrainingView& view, float width);

/// The curves, with that card beside or below them where there is one.
void training_losses(const TrainingView& view, draw::Box box);
float training_losses_height(const TrainingView& view, float width, float plot);

/// In place of the curves: the score at other lengths, and with heads removed.
void training_lengths(const TrainingView& view, draw::Box area);
void training_pruning(const TrainingView& view, draw::Box area);
std::string training_plot_words(const TrainingView& view);

/// How the strips are laid out: the rows are the heads of one layer, or of all; where all runs have one layer
/// and there is room, of all runs.
struct FilmPlan {
  bool all_layers = false, all_runs = false;
  int rows = 0;
  float pitch = 0;   // from one row to the next
  float height = 0;  // of the card
};
/// For a card of about `height` units, never smaller maps than can be read.
FilmPlan plan_film(const TrainingView& view, float height);
void training_film_card(const TrainingView& view, draw::Box box, const FilmPlan& plan);
/// The layers of the run on show. They choose the rows of the film, or, where it has all of them, the map.
std::vector<Choice> training_layer_choices(const TrainingView& view);
/// The chosen head at the step shown; of the film, what is under the pointer. `corner`: as above.
void training_map_card(const TrainingView& view, draw::Box box, const FilmPlan& film,
                       std::span<const Choice> corner = {});
/// Which kept steps stand side by side where there is room for `room`: always the first, the last and
/// `shown`; between them more where the maps change more, so that about as much weight moves from each to the
/// next.
std::vector<int> film_columns(std::span<const scene::FilmFrame> film, int room, int shown);

/// Before anything was trained: what will be learned, and what to look for.
void training_welcome_card(const TrainingView& view, draw::Box box);
float training_welcome_height(const TrainingView& view, float width);

}  // namespace headlight::views
