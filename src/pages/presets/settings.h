// The settings of the Presets page, and their one list.
#pragma once

#include <concepts>
#include <type_traits>

#include "scene/field.h"

namespace headlight::scene {

struct PresetsSettings {
  int shown = 1;  // the open preset, from 1
  bool operator==(const PresetsSettings&) const = default;
};

inline constexpr int number_of_presets = 39;

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, PresetsSettings>
void list_fields(S& s, F&& visit) {
  visit(Field{.name = "presets_shown",
              .label = "Example",
              .help = "the open example, counted from 1",
              .group = Group::own,
              .min = 1,
              .max = number_of_presets},
        s.shown);
}

}  // namespace headlight::scene
