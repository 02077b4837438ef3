// The kinds of small models that a run of the two relations trains: the source's toy with one head and with
// two, the same with the chosen repairs, and those that the list of repairs needs. Tested in
// tests/scene/training_relations_test.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "pages/training/settings.h"
#include "train/two_relations.h"

namespace headlight::scene {

struct RelationsKind {
  std::string name;
  int heads = 2;
  nn::TwoRelationsRepairs repairs;
  int seeds = 0;  // that it is trained from
};

/// The name of some repairs: "none", "places+contents", "all".
std::string repairs_name(const nn::TwoRelationsRepairs& repairs);

/// The repairs whose losses are listed: each alone, and the pairs that distinguish the two causes.
std::span<const nn::TwoRelationsRepairs> listed_repairs();

nn::TwoRelationsRepairs chosen_repairs(const TrainingSettings& settings);

/// The number of kinds that are shown: the source's toy model and, if repairs are chosen, the toy model with
/// them; each with one head and with two. They come first; after them come the kinds that the list needs.
std::size_t shown_kinds(const nn::TwoRelationsRepairs& chosen);
std::vector<RelationsKind> relations_kinds(const nn::TwoRelationsRepairs& chosen);

/// The number of seeds of a kind that is shown.
inline constexpr int relations_seeds = 8;

}  // namespace headlight::scene
