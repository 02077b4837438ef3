// A page as the code outside its folder sees it: its name, what it shares with other pages, its
// computation, its tables and its quantities. Its PageView (kit/page_view.h) draws it. Tested in
// tests/scene/pages_test.cpp.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "pages/list.h"
#include "scene/progress.h"
#include "scene/results.h"

namespace headlight::scene {

struct Quantity;  // pages/quantities.h
struct QuantityInfo;
struct QuantitySource;  // scene/named_number.h
struct Table;           // pages/tables.h

/// The group of a page in the rail.
enum class PageGroup { explore, learn, train, theory };
inline constexpr int page_groups = 4;

/// What a page uses, with its present settings, of what all pages share.
struct PageUses {
  enum class Model { none, layer, stack };  // one layer of the scene's model, or all of them
  Model model = Model::none;
  bool positions = false;    // the scene's positions can be set here
  bool scores = false;       // temperature, √d_k and masks can be set here
  bool pins = false;         // shows the pinned queries and keys
  bool sentence = true;      // uses the sentence that is typed
  bool letters = false;      // a model of the page's own reads the sentence as letters
  bool shown_head = false;   // its results depend on the head that is shown
  bool shown_query = false;  // its results depend on the pinned queries
  bool shown_key = false;    // its results depend on the pinned key
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
  std::span<const char* const> cards;  // on which the frame is seen, the main one first
};

/// A setting of a page that chooses one or several of something that its layer has: heads, layers, tokens.
struct ChosenOf {
  const char* setting;
  int first = 1;     // the number of the first one
  int count = 0;     // how many there are
  const char* noun;  // "head", in "there are 4 heads"
};

/// The opened cell of the attention: its head, query and key.
std::optional<FramedCell> framed_pair(const Scene& scene, const Results& results);

/// An argument of the quantities of a page whose name does not say what it takes.
struct ArgumentInfo {
  std::string_view name;
  std::string_view noun = {};               // what its number counts: "head"; empty: its name
  std::span<const char* const> words = {};  // it takes one of these words, no number
  bool any_word = false;                    // it takes a word that the quantity checks
  /// Why it does not take this word; empty: it does. Null: it takes every word, and `any_word` is set.
  std::string (*refuses)(std::string_view word) = nullptr;
  std::string_view quantity = {};  // of this quantity alone; empty: of all of the page
  const char* nouns = nullptr;     // the plural of `noun` where an s does not make it
};

/// What the arrow keys do on the slide of one card of a page that neither chooses tokens nor heads of the
/// sentence with them: they walk through something of the page's own.
struct SlideKeys {
  std::string_view card;
  const char* words;  // for the foot of the slide: "← → step · ↑ ↓ head"
  /// The scene after an arrow key. `across`: left or right; `by`: −1 for left and up, else 1.
  Scene (*walk)(const Scene& scene, const QuantitySource& from, bool across, int by);
};

/// What an argument of the quantities of a page is where it is left out, if that is the same in every scene
/// and for all that have it. The others are the head, query, key, layer … on show.
struct ArgumentDefault {
  std::string_view argument;
  const char* word;  // a number, or one of its words
};

struct PageRoom {
  Page page;
  PageGroup group;
  const char* title;                     // on its tab
  const char* about;                     // one line, for the tab's tooltip and `headlight pages`
  PageUses (*uses)(const Scene& scene);  // required
  /// Settings whose names and values the chips beside the tabs show; a chip opens the panel. Null: no chip.
  /// There are three at most: a setting that the page does not show at present has no chip, nor has one
  /// without an effect on the cards on view (PageView::acts_on).
  std::array<const char*, 6> chips{"weights", "position", "mask"};
  /// The heading under which the panel of settings shows a field, if the page decides it: "" hides the
  /// field; null leaves it to the field's group. Without this function every field is left to its group.
  const char* (*heading)(const Field& field, const Scene& scene) = nullptr;
  /// The numbers of a setting of the page that make a difference at present. Null, or nothing: all that the
  /// field allows.
  std::optional<Range> (*useful)(const Field& field, const Scene& scene, const Results& results) = nullptr;
  /// False if the word with this index cannot be chosen for a setting of the page at present. Null: every
  /// word can.
  bool (*offers)(const Field& field, int word, const Scene& scene) = nullptr;
  /// The only numbers that a setting of the page can have beside what is trained, in order. Null, or an empty
  /// list: all in its range.
  std::vector<int> (*possible)(const Field& field, const QuantitySource& from) = nullptr;
  /// Why the text or list of a setting of the page is not used, in one line; empty: it is. Null: every one is
  /// used.
  std::string (*problem)(const Field& field, const Results& results) = nullptr;
  /// Computes the page's own member of the results, after the shared part. Null: the page shows only the
  /// shared part.
  void (*compute)(const Scene& scene, base::Parallel& parallel, const Progress& progress,
                  Results& results) = nullptr;
  /// Changes `fresh` results of settings that are not valid: the page shows those that `before` was computed
  /// for. Null: it shows what compute() made.
  void (*keep_last_good)(Results& fresh, const Results& before, base::Parallel& parallel) = nullptr;
  /// The time that compute() takes, in the unit of work() in pages/compute.h; null: next to none.
  double (*work)(const Scene& scene, int tokens) = nullptr;
  /// Frees what the page keeps of models of other programs, when none is shown any more. Null: it keeps
  /// nothing.
  void (*forget)() = nullptr;
  std::vector<Table> (*tables)() = nullptr;
  /// The table that a card shows first, with the present settings; "": the card's first table.
  std::string_view (*first_table)(const Scene& scene) = nullptr;
  std::span<const QuantityInfo> (*quantities)() = nullptr;
  std::span<const ArgumentInfo> arguments = {};  // of those quantities; the others take numbers
  std::span<const ArgumentDefault> defaults = {};
  /// Why one of those quantities, whose arguments may all exist, has no value, in a few words: "query 9: no
  /// token follows it". Empty: it is not known. Null: it never is.
  std::string (*why_none)(const Quantity& quantity, const QuantitySource& from) = nullptr;
  std::span<const char* const> of_pairs = {};  // those quantities that a sentence of one token does not have
  /// Why the page does not show models of other programs: the part of a sentence that follows the model's
  /// name. Null: it shows them, or it has no weights.
  const char* not_of_opened = nullptr;
  /// The setting whose changes the page animates, from the state before to the state after; null: none.
  const char* moving_step = nullptr;
  /// The settings by which the page chooses, beside pinned queries and keys and the heads on show; those
  /// whose count is known only when the scene is computed need its results. Null: none.
  std::vector<ChosenOf> (*chooses)(const Scene& scene, const Results* results) = nullptr;
  bool computed_for_all = false;  // its results are computed on every page
  /// Makes a text file, or a folder of them, what the page trains on. Null: the words of a text become the
  /// sentence.
  void (*train_on)(Scene& scene, const std::string& path) = nullptr;
  const PageFrame* frame = nullptr;  // null: no frame that a lesson could refer to
  std::string_view heads_card = {};  // on whose slide left and right choose tokens, up and down heads
  const SlideKeys* slide_keys = nullptr;
};

// Each page defines its room in its folder's room.cpp.
#define HEADLIGHT_ROOM(name, word, ...) extern const PageRoom name##_room;
HEADLIGHT_PAGES(HEADLIGHT_ROOM)
#undef HEADLIGHT_ROOM

/// The rooms of the pages, in the order of their tabs.
std::span<const PageRoom* const> rooms();
const PageRoom& room_of(Page page);

/// The one page that a setting belongs to, by its group or its name. Nothing: pages share it.
std::optional<Page> own_page(const Field& field);

}  // namespace headlight::scene
