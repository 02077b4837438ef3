#include "learn/relations_kinds.h"

#include <array>
#include <utility>

namespace headlight::scene {

namespace {

constexpr int ladder_seeds = 4;

constexpr std::array<nn::TwoRelationsRepairs, 9> ladder = {{{},
                                                            {.places = true},
                                                            {.bias = true},
                                                            {.contents = true},
                                                            {.width = true},
                                                            {.places = true, .bias = true},
                                                            {.bias = true, .contents = true},
                                                            {.places = true, .contents = true},
                                                            nn::all_repairs}};

}  // namespace

std::string repairs_name(const nn::TwoRelationsRepairs& r) {
  if (r == nn::all_repairs) return "all";
  std::string name;
  for (const auto& [on, word] :
       {std::pair{r.places, "places"}, {r.bias, "bias"}, {r.contents, "contents"}, {r.width, "width"}}) {
    if (on) name += (name.empty() ? "" : "+") + std::string(word);
  }
  return name.empty() ? "none" : name;
}

std::span<const nn::TwoRelationsRepairs> listed_repairs() {
  return ladder;
}

nn::TwoRelationsRepairs chosen_repairs(const TrainingSettings& s) {
  return {s.repair_places, s.repair_bias, s.repair_contents, s.repair_width};
}

std::size_t shown_kinds(const nn::TwoRelationsRepairs& chosen) {
  return chosen == nn::TwoRelationsRepairs{} ? 2 : 4;
}

std::vector<RelationsKind> relations_kinds(const nn::TwoRelationsRepairs& chosen) {
  std::vector<RelationsKind> kinds = {{"1 head", 1, {}, relations_seeds},
                                      {"2 heads", 2, {}, relations_seeds}};
  if (shown_kinds(chosen) > kinds.size()) {
    const std::string repaired =
        chosen == nn::all_repairs ? ", repaired" : ", repaired " + repairs_name(chosen);
    kinds.push_back({"1 head" + repaired, 1, chosen, relations_seeds});
    kinds.push_back({"2 heads" + repaired, 2, chosen, relations_seeds});
  }
  for (const nn::TwoRelationsRepairs& repairs : ladder) {
    if (repairs != chosen && repairs != nn::TwoRelationsRepairs{})
      kinds.push_back({repairs_name(repairs), 2, repairs, ladder_seeds});
  }
  return kinds;
}

}  // namespace headlight::scene
