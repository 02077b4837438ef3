// A page as everything outside its folder knows it: its name, what it shares with the others, what it
// computes, its tables and its quantities. How it is drawn is its PageView (kit/page_view.h). Tested in
// tests/scene/pages_test.cpp.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "pages/list.h"
#include "scene/progress.h"
#include "scene/results.h"

namespace headlight::scene {

struct QuantityInfo;  // pages/quantities.h
struct Table;         // pages/tables.h

/// Where a page is in the rail.
enum class PageGroup { explore, learn, train, theory };
inline constexpr int page_groups = 4;

/// What a page, as it is set, takes from what all pages share.
struct PageUses {
  enum class Model { none, layer, stack };  // one layer of the scene's model, or all of them
  Model model = Model::none;
  bool positions = false;    // the scene's positions can be set here
  bool scores = false;       // the same for temperature, √d_k and masks
  bool pins = false;         // shows the pinned queries and keys
  bool sentence = true;      // reads the sentence that is typed
  bool letters = false;      // the sentence is taken as letters, by a model of the page's own
  bool shown_head = false;   // its results depend on the head that is shown
  bool shown_query = false;  // the same for the queries that are pinned
  bool shown_key = false;    // the same for the pinned key
  bool large_map =
      false;           // one map of the heads on show: the newest words at once, B − A, digits choose heads
  bool plays = false;  // the position runs, and the arrow keys move it
  bool trains = false;           // shows a run of the trainer
  bool measures = false;         // shows times measured on this machine
  bool seed = false;             // draws something from the seed even where a model gives the weights
  bool compares = false;         // compares with the saved attention that the scene names (model_beside)
  bool model_positions = false;  // shows the positions of a model of another program, not its layers
  int head_width = 0;  // d_k of the one head that the page has for itself; 0: heads of d_model / heads
};

/// A cell of a matrix that a page frames: the head, counted from 0, or −1 for none, and its two indices.
struct FramedCell {
  int head = -1, row = 0, col = 0;
};
struct PageFrame {
  /// Is the quantity a number of the framed cell, as the page is set?
  bool (*names)(const Scene& scene, std::string_view quantity);
  std::optional<FramedCell> (*cell)(const Scene& scene, const Results& results);
  std::span<const char* const> cards;  // on which the frame is seen
};

/// A setting of a page that chooses one, or several, of what its layer has: heads, layers, tokens.
struct ChosenOf {
  const char* setting;
  int first = 1;     // its number of the first of them
  int count = 0;     // how many there are
  const char* noun;  // "head", in "there are 4 heads"
};

/// The opened cell of the attention: its head, query and key.
std::optional<FramedCell> framed_pair(const Scene& scene, const Results& results);

struct PageRoom {
  Page page;
  PageGroup group;
  const char* title;                     // on its tab
  const char* about;                     // one line, for the tab's tooltip and `headlight pages`
  PageUses (*uses)(const Scene& scene);  // required
  /// The settings, at most three, that chips beside the tabs name with their values; a chip opens the panel.
  /// Null: none. Those that the page, as it is set, does not show are left out.
  std::array<const char*, 3> chips{"weights", "position", "mask"};
  /// The heading under which the panel of settings shows a field where the page has its own way with it: "" =
  /// it shows it nowhere; null = as the field's group says. No function: every field as its group says.
  const char* (*heading)(const Field& field, const Scene& scene) = nullptr;
  /// Into its own member of the results; the shared part is there. Null: the page shows the shared part
  /// alone.
  void (*compute)(const Scene& scene, base::Parallel& parallel, const Progress& progress,
                  Results& results) = nullptr;
  /// What that takes, in the unit of work() in pages/compute.h; null: next to nothing.
  double (*work)(const Scene& scene, int tokens) = nullptr;
  /// Frees what the page keeps of a model of another program, when none is shown any more. Null: it keeps
  /// nothing.
  void (*forget)() = nullptr;
  std::vector<Table> (*tables)() = nullptr;
  /// The table that a card shows first, as it is set; "" = the first that the card has.
  std::string_view (*first_table)(const Scene& scene) = nullptr;
  std::span<const QuantityInfo> (*quantities)() = nullptr;
  /// Why the page does not show a model of another program: what follows the model's name in a sentence.
  /// Null: it does, or it has no weights.
  const char* not_of_opened = nullptr;
  /// The setting whose changes the page shows as a motion, from the state before to the one after; null:
  /// none.
  const char* moving_step = nullptr;
  /// The settings by which it chooses, beside the pinned queries and keys and the heads on show. Null: none.
  std::vector<ChosenOf> (*chooses)(const Scene& scene) = nullptr;
  bool computed_for_all = false;     // its results are there whatever page is open
  const PageFrame* frame = nullptr;  // null: it frames no cell that a lesson could speak of
};

/// What the open page is asked to choose and does not have, a line each: "bench_a 9: there are 4 heads, 1 to
/// 4; 4 is in its place".
std::vector<std::string> chosen_beyond(const Scene& scene);

// Each page's, in its folder's room.cpp.
#define HEADLIGHT_ROOM(name, word, ...) extern const PageRoom name##_room;
HEADLIGHT_PAGES(HEADLIGHT_ROOM)
#undef HEADLIGHT_ROOM

/// In the order of the tabs.
std::span<const PageRoom* const> rooms();
const PageRoom& room_of(Page page);

/// The page that a setting belongs to alone: settings bear their page's name. Nothing: it is shared.
std::optional<Page> own_page(const Field& field);

}  // namespace headlight::scene
